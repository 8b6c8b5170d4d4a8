package api_test

import (
	"go/ast"
	"testing"
)

// TestLanguageExamples: every exported function of the packages of language models is called by an example that runs.
func TestLanguageExamples(t *testing.T) {
	for _, dir := range []string{"token", "transformers", "generate", "serve/openai"} {
		_, called := examplesOf(t, dir)
		for _, f := range parsedPackage(t, dir) {
			for _, d := range f.Decls {
				if d, ok := d.(*ast.FuncDecl); ok && d.Recv == nil && d.Name.IsExported() && !called[d.Name.Name] {
					t.Errorf("no example of %s calls %s", dir, d.Name.Name)
				}
			}
		}
	}
}
