package api_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/go-nx/nx/internal/testkit"
)

// TestSkips: docs/conformance.md names each function of the tests that may skip one.
func TestSkips(t *testing.T) {
	page, err := os.ReadFile(testkit.Root(t, "docs", "conformance.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, section, ok := strings.Cut(string(page), "\n## What tests skip\n")
	if !ok {
		t.Fatal("docs/conformance.md has no section of what tests skip")
	}
	named, skips := map[string]bool{}, map[string]bool{}
	for _, m := range regexp.MustCompile("`(\\w+)`").FindAllStringSubmatch(section, -1) {
		named[m[1]] = true
	}
	root := testkit.Root(t)
	err = fs.WalkDir(os.DirFS(root), ".", func(path string, d fs.DirEntry, err error) error {
		tests := strings.HasSuffix(path, "_test.go") ||
			strings.HasSuffix(path, ".go") && strings.Contains(path, "internal/testkit/")
		if err != nil || !tests {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, path), nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, decl := range file.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok || !callsSkip(f) {
				continue
			}
			skips[f.Name.Name] = true
			if !named[f.Name.Name] {
				t.Errorf("%s: %s may skip, and docs/conformance.md does not say when", path, f.Name.Name)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(skips) < 30 {
		t.Errorf("%d functions that skip were found, which are too few to be all", len(skips))
	}
}

// callsSkip reports whether a function of tests calls Skip, Skipf or SkipNow of something.
func callsSkip(f *ast.FuncDecl) bool {
	found := false
	ast.Inspect(f, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			if s, ok := call.Fun.(*ast.SelectorExpr); ok {
				found = found || s.Sel.Name == "Skip" || s.Sel.Name == "Skipf" || s.Sel.Name == "SkipNow"
			}
		}
		return !found
	})
	return found
}
