package api_test

import (
	"go/ast"
	"go/token"
	"testing"
)

// TestNoExportedVariables: packages that programs import have no exported variables that
// could be set.
func TestNoExportedVariables(t *testing.T) {
	for _, dir := range []string{".", "random", "backend", "cpu", "diag", "dtype", "encoding/npy",
		"encoding/safetensors", "encoding/pytorch", "encoding/nxterm",
		"linalg", "nxtest", "stablehlo", "stablehlo/interp", "viz"} {
		for _, f := range parsedPackage(t, dir) {
			for _, d := range f.Decls {
				g, ok := d.(*ast.GenDecl)
				if !ok || g.Tok != token.VAR {
					continue
				}
				for _, s := range g.Specs {
					for _, name := range s.(*ast.ValueSpec).Names {
						if name.IsExported() {
							t.Errorf("%s exports the variable %s", dir, name)
						}
					}
				}
			}
		}
	}
}
