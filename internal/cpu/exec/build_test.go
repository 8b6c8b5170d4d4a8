package exec

import (
	"testing"

	"github.com/go-nx/nx/internal/cpu/fuse"
	"github.com/go-nx/nx/internal/cpu/program"
	"github.com/go-nx/nx/stablehlo"
)

// build returns the program of a module's main function.
func build(t *testing.T, module string) *program.Program {
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
