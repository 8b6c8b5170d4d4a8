package api_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-nx/nx/internal/testkit"
)

// exportedFuncs returns the exported functions and methods of a package.
func exportedFuncs(t *testing.T, dir string) []string {
	t.Helper()
	var names []string
	for _, f := range parsedPackage(t, dir) {
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || !fn.Name.IsExported() {
				continue
			}
			name := fn.Name.Name
			if fn.Recv != nil {
				r := fn.Recv.List[0].Type
				if p, ok := r.(*ast.StarExpr); ok {
					r = p.X
				}
				switch g := r.(type) {
				case *ast.IndexExpr:
					r = g.X
				case *ast.IndexListExpr:
					r = g.X
				}
				recv := r.(*ast.Ident).Name
				if !ast.IsExported(recv) {
					continue
				}
				name = recv + "." + name
			}
			names = append(names, name)
		}
	}
	return names
}

// parsedPackage returns the files of a package without its tests.
func parsedPackage(t *testing.T, dir string) []*ast.File {
	t.Helper()
	names, err := filepath.Glob(testkit.Root(t, dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	var out []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, f)
	}
	return out
}
