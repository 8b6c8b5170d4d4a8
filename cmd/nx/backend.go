package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/go-nx/nx/cpu"
	"github.com/go-nx/nx/internal/conformance"
	"github.com/go-nx/nx/stablehlo"
	"github.com/go-nx/nx/stablehlo/interp"
)

// backend verifies a module and makes it ready to run; prints receives what
// interpreter.print shows, nil drops it.
type backend func(m *stablehlo.Module, prints io.Writer) (conformance.Program, error)

// backends are the ways to run a program, by the name --backend takes.
var backends = map[string]backend{
	"interp": func(m *stablehlo.Module, prints io.Writer) (conformance.Program, error) {
		return conformance.Interp(interp.WithOutput(prints)).Load(m)
	},
	"cpu": func(m *stablehlo.Module, prints io.Writer) (conformance.Program, error) {
		return conformance.Compiled(cpu.Default().WithOutput(prints)).Load(m)
	},
}

const defaultBackend = "cpu"

func findBackend(name string) (backend, error) {
	if b, ok := backends[name]; ok {
		return b, nil
	}
	return nil, fmt.Errorf("there is no backend %q: the backends are %s", name, strings.Join(backendNames(), ", "))
}

func backendNames() []string { return slices.Sorted(maps.Keys(backends)) }

func addBackendFlag(cmd *cobra.Command, at *string) {
	cmd.Flags().StringVar(at, "backend", defaultBackend, "what runs the program: "+strings.Join(backendNames(), ", "))
	// The only error is that there is no such flag.
	_ = cmd.RegisterFlagCompletionFunc("backend", cobra.FixedCompletions(backendNames(), cobra.ShellCompDirectiveNoFileComp))
}
