package vet

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"
)

// traces are the functions that trace the functions they get.
var traces = map[string]bool{
	"Jit": true, "Compile": true, "Stream": true, "Lower": true,
	"Grad": true, "ValueAndGrad": true, "ValueAndGradAux": true, "JVP": true, "VJP": true, "Linearize": true,
	"Jacobian": true, "Hessian": true, "HVP": true, "CustomJVP": true, "CustomVJP": true,
	"Checkpoint": true, "Vmap": true,
	"Cond": true, "Case": true, "While": true, "Fori": true, "Scan": true, "Map": true, "AssociativeScan": true,
	"shard.Jit": true, "shard.Map": true,
}

// runs are the functions whose functions run where the program runs, traced or not.
var runs = map[string]bool{"debug.Hook": true, "debug.WithHook": true, "debug.WithAsyncHook": true, "RuntimeCall": true,
	"View": true}

// captured finds writes of traced functions to variables of their surroundings.
func captured() *analysis.Analyzer {
	return analyzer("nxcaptured", `find writes through captured variables in traced functions

A function that nx.Jit, nx.Grad, nx.While and others get runs when it is traced: once for
each signature, not at each call or step, and its tensors are not data then. What it
writes to variables from outside is not what it seems. Return it, or use debug.Hook.
A layer of package nn that has buffers, such as a batch norm, writes them in training.`,
		func(pass *analysis.Pass, in *inspector.Inspector) {
			named := literals(pass.TypesInfo, in)
			done := map[*ast.FuncLit]bool{}
			for n := range in.PreorderSeq((*ast.CallExpr)(nil)) {
				call := n.(*ast.CallExpr)
				if !isOf(pass.TypesInfo, call, traces) {
					continue
				}
				for _, arg := range call.Args {
					lit, ok := ast.Unparen(arg).(*ast.FuncLit)
					if id, isName := ast.Unparen(arg).(*ast.Ident); isName {
						lit, ok = named[pass.TypesInfo.Uses[id]], true
					}
					if !ok || lit == nil || done[lit] {
						continue
					}
					done[lit] = true
					w := writes{pass, lit, callee(pass.TypesInfo, call).Name()}
					ast.Inspect(lit.Body, w.visit)
				}
			}
		})
}

// literals returns the functions that variables hold which are never assigned another.
func literals(info *types.Info, in *inspector.Inspector) map[types.Object]*ast.FuncLit {
	lits, assigned := map[types.Object]*ast.FuncLit{}, map[types.Object]int{}
	note := func(lhs, rhs ast.Expr) {
		id, ok := lhs.(*ast.Ident)
		if !ok {
			return
		}
		obj := info.ObjectOf(id)
		assigned[obj]++
		if lit, ok := rhs.(*ast.FuncLit); ok {
			lits[obj] = lit
		}
	}
	for n := range in.PreorderSeq((*ast.AssignStmt)(nil), (*ast.ValueSpec)(nil)) {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, x := range n.Lhs {
				if len(n.Rhs) == len(n.Lhs) {
					note(x, n.Rhs[i])
				} else {
					note(x, nil)
				}
			}
		case *ast.ValueSpec:
			for i, v := range n.Values {
				if i < len(n.Names) {
					note(n.Names[i], v)
				}
			}
		}
	}
	for obj, n := range assigned {
		if n > 1 {
			delete(lits, obj)
		}
	}
	return lits
}

// writes reports the writes of a traced function to outer variables.
type writes struct {
	pass *analysis.Pass
	lit  *ast.FuncLit
	by   string
}

func (w writes) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.CallExpr:
		if isOf(w.pass.TypesInfo, n, runs) {
			for _, arg := range n.Args {
				if _, ok := ast.Unparen(arg).(*ast.FuncLit); !ok {
					ast.Inspect(arg, w.visit)
				}
			}
			return false
		}
		w.layer(n)
	case *ast.AssignStmt:
		if n.Tok != token.DEFINE {
			for _, x := range n.Lhs {
				w.check(x)
			}
		}
	case *ast.IncDecStmt:
		w.check(n.X)
	case *ast.RangeStmt:
		if n.Tok == token.ASSIGN {
			w.check(n.Key)
			w.check(n.Value)
		}
	}
	return true
}

// check reports a write to x when the variable that it starts from is one from outside.
func (w writes) check(x ast.Expr) {
	if id := w.root(x); id != nil && w.outer(id) {
		w.pass.ReportRangef(x,
			"the function passed to nx.%s is traced, and must not write to the outer %s: return it, or use debug.Hook",
			w.by, types.ExprString(x))
	}
}

// root returns the variable that x starts from, or nil.
func (w writes) root(x ast.Expr) *ast.Ident {
	if x == nil {
		return nil
	}
	root := x
	for {
		switch e := ast.Unparen(root).(type) {
		case *ast.SelectorExpr:
			root = e.X
			if _, isPackage := w.pass.TypesInfo.Uses[e.Sel].(*types.Var); isPackage &&
				w.pass.TypesInfo.Selections[e] == nil {
				root = e.Sel // a variable of a package
			}
			if root == e.Sel {
				return e.Sel
			}
		case *ast.IndexExpr:
			root = e.X
		case *ast.StarExpr:
			root = e.X
		case *ast.Ident:
			return e
		default:
			return nil
		}
	}
}

// outer reports whether a variable is one from outside.
func (w writes) outer(id *ast.Ident) bool {
	v, ok := w.pass.TypesInfo.ObjectOf(id).(*types.Var)
	return ok && id.Name != "_" && (v.Pos() < w.lit.Pos() || w.lit.End() <= v.Pos())
}
