package vet

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"
)

// sums are the functions that differentiate the sum of the elements of what a function returns, and the argument
// that is the point, or 0 where the result is called with it.
var sums = map[string]int{"Grad": 0, "ValueAndGrad": 0, "ValueAndGradAux": 0, "Hessian": 0, "HVP": 1}

// gradient finds nx.Grad(f) of a function that returns a vector.
func gradient() *analysis.Analyzer {
	return analyzer("nxgradient", `find gradients of functions whose result is a vector

nx.Grad(f) of a function that returns several elements is the gradient of their sum, where JAX
refuses it. Return nx.Sum(…), which says so, or take nx.Jacobian, which has the derivatives of each.
It is found where the number of axes follows from the program: of nx.New([]float32{…}), nx.Softmax, …`,
		func(pass *analysis.Pass, in *inspector.Inspector) {
			s := newShapes(pass, in)
			points := map[*ast.CallExpr][]ast.Expr{} // of calls of what is called at once
			for n := range in.PreorderSeq((*ast.CallExpr)(nil)) {
				call := n.(*ast.CallExpr)
				if inner, ok := ast.Unparen(call.Fun).(*ast.CallExpr); ok {
					points[inner] = call.Args
				}
				if !isOf(pass.TypesInfo, call, names(sums)) || len(call.Args) == 0 {
					continue
				}
				f, name := call.Args[0], callee(pass.TypesInfo, call).Name()
				at := points[call]
				if p := sums[name]; p > 0 && p < len(call.Args) {
					at = call.Args[p : p+1]
				}
				s.left = enough
				if r := s.resultOf(f, s.ofAll(at, params{})); r.least > 0 {
					pass.ReportRangef(f, "the result of %s has an axis: nx.%s differentiates the sum of its elements; "+
						"say so by nx.Sum, or take nx.Jacobian", functionText(f), name)
				}
			}
		})
}

func names(m map[string]int) map[string]bool {
	set := map[string]bool{}
	for name := range m {
		set[name] = true
	}
	return set
}

// functionText names a function in a message.
func functionText(f ast.Expr) string {
	if _, ok := ast.Unparen(f).(*ast.FuncLit); ok {
		return "the function"
	}
	return types.ExprString(f)
}
