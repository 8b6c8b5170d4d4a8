package main

import (
	"fmt"
	"io"
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

// findBackend returns the way to run programs that --backend names: a client of the
// registry. The interpreter is run as itself, since programs that check themselves, and
// those of several processes, need more of it than a client has.
func findBackend(name string) (backend, error) {
	c, err := registry.Open(name)
	if err != nil {
		return nil, err
	}
	return func(m *stablehlo.Module, prints io.Writer) (conformance.Program, error) {
		switch c := c.(type) {
		case *interp.Client:
			return conformance.Interp(interp.WithOutput(prints)).Load(m)
		case *cpu.Client:
			return conformance.Compiled(c.WithOutput(prints)).Load(m)
		case conformance.Compiler:
			return conformance.Compiled(c).Load(m)
		}
		return nil, fmt.Errorf("backend %s does not run a single function of a program", name)
	}, nil
}

func addBackendFlag(cmd *cobra.Command, at *string) {
	names := registry.Names()
	cmd.Flags().StringVar(at, "backend", defaultBackend, "what runs the program: "+strings.Join(names, ", "))
	// The only error is that there is no such flag.
	_ = cmd.RegisterFlagCompletionFunc("backend", cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp))
}
