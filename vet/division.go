package vet

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"
)

// division finds nx.Mul(1/2, t), which multiplies by 0.
func division() *analysis.Analyzer {
	return analyzer("nxdivision", `find divisions of integer constants in operands

In nx.Mul(1/2, t) Go divides integers: 1/2 is 0. Write 1.0/2.`,
		func(pass *analysis.Pass, in *inspector.Inspector) {
			for n := range in.PreorderSeq((*ast.CallExpr)(nil)) {
				call := n.(*ast.CallExpr)
				if f := callee(pass.TypesInfo, call); f == nil || !hasTensor(pass.TypesInfo, call) {
					continue
				}
				for _, arg := range call.Args {
					checkDivision(pass, arg)
				}
			}
		})
}

// hasTensor reports whether a tensor is among the arguments.
func hasTensor(info *types.Info, call *ast.CallExpr) bool {
	for _, arg := range call.Args {
		if t := info.TypeOf(arg); t != nil && isTensor(t) {
			return true
		}
	}
	return false
}

// checkDivision reports divisions with a remainder in a constant that is an integer.
func checkDivision(pass *analysis.Pass, arg ast.Expr) {
	if !isIntConstant(pass.TypesInfo, arg) {
		return
	}
	ast.Inspect(arg, func(n ast.Node) bool {
		x, ok := n.(*ast.BinaryExpr)
		if !ok || x.Op != token.QUO || !isIntConstant(pass.TypesInfo, x) {
			return true
		}
		a, b := valueOf(pass.TypesInfo, x.X), valueOf(pass.TypesInfo, x.Y)
		if a == nil || b == nil || constant.Sign(b) == 0 || constant.Sign(constant.BinaryOp(a, token.REM, b)) == 0 {
			return true
		}
		d := analysis.Diagnostic{
			Pos: x.Pos(), End: x.End(),
			Message: types.ExprString(x) + " divides integers: its value is " + pass.TypesInfo.Types[x].Value.String(),
		}
		if lit, ok := ast.Unparen(x.X).(*ast.BasicLit); ok && lit.Kind == token.INT {
			d.SuggestedFixes = []analysis.SuggestedFix{{
				Message:   "Divide floats",
				TextEdits: []analysis.TextEdit{{Pos: lit.End(), End: lit.End(), NewText: []byte(".0")}},
			}}
		}
		pass.Report(d)
		return false
	})
}

// valueOf returns the value of a constant that is an integer, else nil.
func valueOf(info *types.Info, x ast.Expr) constant.Value {
	if v := info.Types[x].Value; v != nil && v.Kind() == constant.Int {
		return v
	}
	return nil
}

func isIntConstant(info *types.Info, x ast.Expr) bool {
	tv := info.Types[x]
	if tv.Value == nil || tv.Type == nil {
		return false
	}
	b, ok := tv.Type.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0
}
