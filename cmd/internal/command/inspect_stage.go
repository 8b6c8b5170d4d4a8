package command

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/go-nx/nx/cpu"
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
	m, err := s.readModule(ctx, path, as)
	if err != nil {
		return err
	}
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
