package vet

import (
	"go/ast"
	"go/types"
	"strings"
)

// layer reports the application of a layer from outside that writes buffers in training.
func (w writes) layer(call *ast.CallExpr) {
	f, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || len(call.Args) == 0 || w.pass.TypesInfo.Selections[f] == nil || !w.mayTrain(call.Args[0]) ||
		!hasBuffer(w.pass.TypesInfo.TypeOf(f.X), map[types.Type]bool{}) {
		return
	}
	if id := w.root(f.X); id != nil && w.outer(id) {
		w.pass.ReportRangef(call, "%s is from outside of the function passed to nx.%s, where it loses the buffers that it "+
			"writes in training: make it an argument and return it, or use nn.Remat", types.ExprString(f.X), w.by)
	}
}

// mayTrain reports whether an argument is a context of package nn that is not one of inference.
func (w writes) mayTrain(x ast.Expr) bool {
	p, ok := types.Unalias(w.pass.TypesInfo.TypeOf(x)).(*types.Pointer)
	if !ok || !isOfNN(p.Elem(), "Ctx") {
		return false
	}
	if address, ok := ast.Unparen(x).(*ast.UnaryExpr); ok {
		if lit, ok := ast.Unparen(address.X).(*ast.CompositeLit); ok {
			for _, e := range lit.Elts {
				if kv, ok := e.(*ast.KeyValueExpr); ok && types.ExprString(kv.Key) == "Train" {
					return types.ExprString(kv.Value) != "false"
				}
			}
			return false
		}
	}
	return true
}

// isOfNN reports whether a type is the named one of package nn.
func isOfNN(t types.Type, name string) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Name() == name && n.Obj().Pkg() != nil && strings.HasSuffix(n.Obj().Pkg().Path(), "nx/nn")
}

// hasBuffer reports whether a type has an nn.Buffer in it.
func hasBuffer(t types.Type, seen map[types.Type]bool) bool {
	if t == nil || seen[t] {
		return false
	}
	seen[t] = true
	if isOfNN(t, "Buffer") {
		return true
	}
	switch t := t.Underlying().(type) {
	case *types.Pointer:
		return hasBuffer(t.Elem(), seen)
	case *types.Slice:
		return hasBuffer(t.Elem(), seen)
	case *types.Array:
		return hasBuffer(t.Elem(), seen)
	case *types.Map:
		return hasBuffer(t.Elem(), seen)
	case *types.Struct:
		for f := range t.Fields() {
			if hasBuffer(f.Type(), seen) {
				return true
			}
		}
	}
	return false
}
