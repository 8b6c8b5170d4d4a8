package vet

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"
)

// loop finds functions that a loop compiles in each round.
func loop() *analysis.Analyzer {
	return analyzer("nxloop", `find functions that are compiled in each round of a loop

What nx.Jit returns holds the code. Made in each round of a loop, it is compiled in each
round: make it once, before the loop. A function that is kept in a list or map, and one
that has a name of its own and no options, which nx compiles once, are left alone.`,
		func(pass *analysis.Pass, in *inspector.Inspector) {
			for c := range in.Root().Preorder((*ast.CallExpr)(nil)) {
				call := c.Node().(*ast.CallExpr)
				if !isOf(pass.TypesInfo, call, map[string]bool{"Jit": true}) || len(call.Args) == 0 ||
					isShared(pass.TypesInfo, call) {
					continue
				}
				if inLoop(c) && !escapes(c) {
					pass.ReportRangef(call, "nx.Jit in a loop compiles in each iteration: call it once, before the loop")
				}
			}
		})
}

// inLoop reports whether the node at a cursor runs in each round of a loop of the
// function that it is in.
func inLoop(c inspector.Cursor) bool {
	for child, p := c, c.Parent(); p.Node() != nil; child, p = p, p.Parent() {
		switch n := p.Node().(type) {
		case *ast.FuncLit, *ast.FuncDecl:
			return false
		case *ast.ForStmt:
			if child.Node() == n.Body || child.Node() == n.Post || child.Node() == n.Cond {
				return true
			}
		case *ast.RangeStmt:
			if child.Node() == n.Body {
				return true
			}
		}
	}
	return false
}

// escapes reports whether a value is put into a container, or returned, by which the loop
// ends.
func escapes(c inspector.Cursor) bool {
	switch p := c.Parent().Node().(type) {
	case *ast.AssignStmt:
		for i, v := range p.Rhs {
			if v == c.Node() && i < len(p.Lhs) {
				_, isName := p.Lhs[i].(*ast.Ident)
				return !isName
			}
		}
	case *ast.CallExpr:
		f, ok := p.Fun.(*ast.Ident)
		return ok && f.Name == "append"
	case *ast.CompositeLit, *ast.KeyValueExpr, *ast.ReturnStmt:
		return true
	}
	return false
}

// isShared reports whether a call compiles a declared function without options: there is
// one code for it.
func isShared(info *types.Info, call *ast.CallExpr) bool {
	if len(call.Args) != 1 {
		return false
	}
	var id *ast.Ident
	switch f := ast.Unparen(call.Args[0]).(type) {
	case *ast.Ident:
		id = f
	case *ast.SelectorExpr:
		id = f.Sel
	default:
		return false
	}
	f, ok := info.Uses[id].(*types.Func)
	return ok && f.Signature().TypeParams() == nil
}
