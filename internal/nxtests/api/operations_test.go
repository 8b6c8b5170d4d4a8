package api_test

import (
	"go/ast"
	"go/token"
	"strings"
	"testing"
)

// TestOperationsAreVariables: operations are variables of the package, made by functions
// that only those variables call. Nothing but the attributes can thus differ between two
// calls of one, so that the key of its compiled code misses nothing.
func TestOperationsAreVariables(t *testing.T) {
	files := parsedPackage(t, "internal/core")
	makers := map[string]bool{} // functions that return operations
	isOperation := func(x ast.Expr) bool {
		if p, ok := x.(*ast.StarExpr); ok {
			x = p.X
		}
		g, ok := x.(*ast.IndexExpr)
		if !ok {
			return false
		}
		name, ok := g.X.(*ast.Ident)
		return ok && name.Name == "operation"
	}
	for _, f := range files {
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Type.Results != nil && len(fn.Type.Results.List) == 1 &&
				isOperation(fn.Type.Results.List[0].Type) {
				makers[fn.Name.Name] = true
			}
		}
	}
	operations := 0
	for _, f := range files {
		for _, d := range f.Decls {
			fn, isFunc := d.(*ast.FuncDecl)
			if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.VAR {
				for _, s := range g.Specs {
					for _, name := range s.(*ast.ValueSpec).Names {
						operations += strings.Count(name.Name, "Op")
					}
				}
			}
			if !isFunc || makers[fn.Name.Name] {
				continue
			}
			ast.Inspect(fn, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.CompositeLit:
					if isOperation(n.Type) {
						t.Errorf("%s makes an operation when it is called", fn.Name.Name)
					}
				case *ast.CallExpr:
					if name, ok := n.Fun.(*ast.Ident); ok && makers[name.Name] {
						t.Errorf("%s calls %s, which makes an operation", fn.Name.Name, name.Name)
					}
				}
				return true
			})
		}
	}
	if operations < 50 || len(makers) < 5 {
		t.Errorf("found %d operations and %d makers: the test looks in the wrong place", operations, len(makers))
	}
}
