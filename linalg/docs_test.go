package linalg_test

import (
	"go/doc"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/go-nx/nx/internal/testkit"
)

// TestDocs: every exported function documents its operands, results and errors, has an example and a row in
// docs/rosetta.md.
func TestDocs(t *testing.T) {
	p := testkit.Documentation(t, ".", "github.com/go-nx/nx/linalg")
	page, err := os.ReadFile("../docs/rosetta.md")
	if err != nil {
		t.Fatal(err)
	}
	funcs := p.Funcs
	for _, typ := range p.Types {
		funcs = append(funcs, typ.Funcs...)
	}
	for _, f := range funcs {
		if !slices.ContainsFunc(f.Examples, func(e *doc.Example) bool { return e.Suffix == "" && e.Output != "" }) {
			t.Errorf("linalg.%s has no example with an output", f.Name)
		}
		if !strings.Contains(string(page), "`linalg."+f.Name) {
			t.Errorf("linalg.%s is not in docs/rosetta.md", f.Name)
		}
		if strings.HasPrefix(f.Name, "Try") {
			continue // as the function without Try
		}
		for _, line := range []string{"Shapes: ", "DTypes: ", "Gradient: ", "Accuracy: ", "Errors: ", "Source: "} {
			if !strings.Contains(f.Doc, "\n"+line) {
				t.Errorf("the comment of linalg.%s has no line %q", f.Name, line)
			}
		}
	}
}
