package command

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	registry "github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/cpu"
	"github.com/go-nx/nx/internal/conformance"
	"github.com/go-nx/nx/stablehlo"
	"github.com/go-nx/nx/stablehlo/interp"
)

// backend verifies a module and makes it ready to run; prints receives what
// interpreter.print shows, nil drops it.
type backend func(m *stablehlo.Module, prints io.Writer) (conformance.Program, error)

const defaultBackend = "cpu"

// preferredXLA is the name under which package xla registers the first of its clients that
// starts; its other clients are named behind it: xla:cuda.
const preferredXLA = "xla"

// findCompiler returns the client named by --backend: a registered one, or xla:NAME. errOfXLA means that
// nx-xla has it.
func findCompiler(name string) (conformance.Compiler, error) {
	client, ofXLA := strings.CutPrefix(name, preferredXLA+":")
	if (ofXLA || name == preferredXLA) && !slices.Contains(registry.Names(), preferredXLA) {
		return nil, errOfXLA
	}
	c, err := registry.Open(client)
	if err != nil {
		return nil, err
	}
	switch c.(type) {
	case *cpu.Client, *interp.Client:
		if ofXLA {
			return nil, fmt.Errorf("%s is not a client of XLA: use --backend %s", client, client)
		}
	}
	compiler, ok := c.(conformance.Compiler)
	if !ok {
		return nil, fmt.Errorf("backend %s does not run a single function of a program", name)
	}
	return compiler, nil
}

// findBackend returns the way to run programs that --backend names. The interpreter is run as
// itself, since programs that check themselves, and those of several processes, need more of
// it than a client has.
func findBackend(name string) (backend, error) {
	c, err := findCompiler(name)
	if err != nil {
		return nil, err
	}
	return func(m *stablehlo.Module, prints io.Writer) (conformance.Program, error) {
		switch c := c.(type) {
		case *interp.Client:
			return conformance.Interp(interp.WithOutput(prints)).Load(m)
		case *cpu.Client:
			return conformance.Compiled(c.WithOutput(prints)).Load(m)
		}
		return conformance.Outlined(c).Load(m)
	}, nil
}

func addBackendFlag(cmd *cobra.Command, at *string) {
	names := registry.Names()
	about := "the backend that runs the program: " + strings.Join(names, ", ")
	if !slices.Contains(names, preferredXLA) {
		about += ", or xla:CLIENT by nx-xla (xla:cuda)"
	}
	cmd.Flags().StringVar(at, "backend", defaultBackend, about)
	// The only error is that there is no such flag.
	_ = cmd.RegisterFlagCompletionFunc("backend", cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp))
}
