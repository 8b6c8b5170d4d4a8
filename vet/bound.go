package vet

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"
)

// bound finds nx.Jit(m.Forward).
func bound() *analysis.Analyzer {
	return analyzer("nxbound", `find compiled methods that are bound to a receiver

nx.Jit(m.Forward) would freeze the tensors of m, and fails when the program runs. Compile
the method with its receiver as the first argument: nx.Jit(Model.Forward).`,
		func(pass *analysis.Pass, in *inspector.Inspector) {
			for n := range in.PreorderSeq((*ast.CallExpr)(nil)) {
				call := n.(*ast.CallExpr)
				if !isOf(pass.TypesInfo, call, compiles) {
					continue
				}
				for _, arg := range call.Args {
					sel, ok := ast.Unparen(arg).(*ast.SelectorExpr)
					if !ok {
						continue
					}
					s := pass.TypesInfo.Selections[sel]
					if s == nil || s.Kind() != types.MethodVal {
						continue
					}
					recv := types.TypeString(s.Obj().(*types.Func).Signature().Recv().Type(),
						types.RelativeTo(pass.Pkg))
					if recv[0] == '*' {
						recv = "(" + recv + ")"
					}
					pass.ReportRangef(arg, "%s is bound to its receiver, whose tensors would become constants: compile %s.%s",
						types.ExprString(sel), recv, sel.Sel.Name)
				}
			}
		})
}
