// Package fused builds programs from modules for tests of the stages after package fuse.
package fused

import (
	"testing"

	"github.com/go-nx/nx/internal/cpu/fuse"
	"github.com/go-nx/nx/internal/cpu/program"
	"github.com/go-nx/nx/stablehlo"
)

// Program returns the program of a module's main function.
func Program(t testing.TB, module string) *program.Program {
	t.Helper()
	m, err := stablehlo.Parse(t.Name(), []byte(module))
	if err != nil {
		t.Fatal(err)
	}
	f, _ := m.Func("main")
	p, err := fuse.Build(f)
	if err != nil {
		t.Fatal(err)
	}
	return p
}
