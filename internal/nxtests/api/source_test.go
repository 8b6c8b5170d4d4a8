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

// exportedFuncs returns the exported functions and methods of a package, also those of types that it declares as
// aliases of types of package core.
func exportedFuncs(t *testing.T, dir string) []string {
	t.Helper()
	aliases := map[string]bool{}
	for _, f := range parsedPackage(t, dir) {
		ast.Inspect(f, func(n ast.Node) bool {
			if s, ok := n.(*ast.TypeSpec); ok && s.Assign.IsValid() {
				aliases[s.Name.Name] = true
			}
			return true
		})
	}
	names := declaredFuncs(t, dir, func(*ast.FuncDecl, string) bool { return true })
	isAlias := func(_ *ast.FuncDecl, recv string) bool { return aliases[recv] }
	return append(names, declaredFuncs(t, "internal/core", isAlias)...)
}

// declaredFuncs returns the exported functions and methods of a package that choose accepts; recv is the type of a
// method.
func declaredFuncs(t *testing.T, dir string, choose func(fn *ast.FuncDecl, recv string) bool) []string {
	t.Helper()
	var names []string
	for _, f := range parsedPackage(t, dir) {
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || !fn.Name.IsExported() {
				continue
			}
			name, recv := fn.Name.Name, ""
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
				recv = r.(*ast.Ident).Name
				if !ast.IsExported(recv) {
					continue
				}
				name = recv + "." + name
			}
			if choose(fn, recv) {
				names = append(names, name)
			}
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
