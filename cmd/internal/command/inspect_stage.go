package command

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/go-nx/nx/cpu"
	"github.com/go-nx/nx/internal/model"
)

// addStageFlag adds --stage, which takes the stages of the compiler.
func addStageFlag(cmd *cobra.Command, at *string) {
	cmd.Flags().StringVar(at, "stage", "", "print @main at this `stage` of its compilation: "+
		strings.Join(cpu.Stages(), ", "))
	// The only error is that there is no such flag.
	_ = cmd.RegisterFlagCompletionFunc("stage",
		cobra.FixedCompletions(cpu.Stages(), cobra.ShellCompDirectiveNoFileComp))
}

// inspectStage prints a stage of the compilation of @main.
func (s *Streams) inspectStage(ctx context.Context, path, stage string, as lowering) error {
	if !slices.Contains(cpu.Stages(), stage) { // before the file is read
		return fmt.Errorf("there is no stage %q: the stages are %s", stage, strings.Join(cpu.Stages(), ", "))
	}
	p, err := s.readGradient(ctx, path, as)
	if err != nil {
		return err
	}
	m := p.Module
	if _, err := findEntry(path, m); err != nil {
		return err
	}
	text, err := cpu.Default().Explain(m, entry, stage)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	_, err = io.WriteString(s.out, text)
	return written(err)
}

// readGradient is readModel, or with as.grad the program of the derivatives.
func (s *Streams) readGradient(ctx context.Context, path string, as lowering) (*model.Program, error) {
	p, err := s.readModel(ctx, path, as)
	if err != nil || !as.grad || p.Form == definitionForm {
		return p, err
	}
	if _, err := findEntry(path, p.Module); err != nil {
		return nil, err
	}
	m, positions, err := gradient(ctx, p, nil, as.wrt)
	if err != nil {
		return nil, err
	}
	p.Module, p.Out = m, make([]model.Param, len(positions))
	for i, at := range positions {
		p.Out[i] = p.In[at]
		p.Out[i].File = ""
	}
	return p, nil
}
