package interp

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/go-nx/nx/stablehlo"
)

// TestPrograms runs our own self-checking programs, a case for each function.
func TestPrograms(t *testing.T) {
	files, err := filepath.Glob("testdata/*.mlir")
	if err != nil || len(files) == 0 {
		t.Fatalf("no programs: %v", err)
	}
	for _, path := range files {
		t.Run(filepath.Base(path), func(t *testing.T) {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for _, source := range stablehlo.Split(path, text) {
				it := prepare(t, source)
				for f := range it.module.Funcs() {
					if f.IsPrivate() || len(f.Args()) > 0 {
						continue
					}
					t.Run(f.Name(), func(t *testing.T) {
						if _, err := it.Call(context.Background(), f.Name()); err != nil {
							t.Error(err)
						}
					})
				}
			}
		})
	}
}

// prepare parses and prepares a program.
func prepare(t *testing.T, source *stablehlo.Source, opts ...Option) *Interpreter {
	t.Helper()
	m, err := stablehlo.ParseSource(source)
	if err != nil {
		t.Fatal(err)
	}
	it, err := New(m, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return it
}
