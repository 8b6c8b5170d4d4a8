package linalg_test

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestDocs: every exported function says what it takes, returns and does, has an example
// and a row in docs/rosetta.md.
func TestDocs(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	var source, examples []*ast.File
	for _, file := range files {
		f, err := parser.ParseFile(fset, file, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(file, "_test.go") {
			examples = append(examples, f)
		} else {
			source = append(source, f)
		}
	}
	p, err := doc.NewFromFiles(fset, source, "github.com/go-nx/nx/linalg")
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("../docs/rosetta.md")
	if err != nil {
		t.Fatal(err)
	}
	shown := map[string]bool{}
	for _, e := range doc.Examples(examples...) {
		shown[e.Name] = e.Output != ""
	}
	funcs := p.Funcs
	for _, typ := range p.Types {
		funcs = append(funcs, typ.Funcs...)
	}
	for _, f := range funcs {
		if !shown[f.Name] {
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
