package vet

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"
)

// axes is what is known of the number of axes of a tensor.
type axes struct{ least, most int }

const many = 64

var (
	unknown = axes{0, many}
	single  = axes{0, 0}
)

func exactly(n int) axes { return axes{n, n} }

// together is the number of axes of one or the other.
func (a axes) together(b axes) axes { return axes{min(a.least, b.least), max(a.most, b.most)} }

// broadcast is that of tensors which are broadcast to each other.
func (a axes) broadcast(b axes) axes { return axes{max(a.least, b.least), max(a.most, b.most)} }

// set makes a set of names.
func set(names ...string) map[string]bool {
	m := map[string]bool{}
	for _, n := range names {
		m[n] = true
	}
	return m
}

var (
	// elementwise have the axes of their operands, broadcast.
	elementwise = set("Exp", "Expm1", "Log", "Log1p", "Log2", "Log10", "Sigmoid", "Sin", "Cos", "Tan", "Sinh", "Cosh",
		"Tanh", "Asin", "Acos", "Atan", "Asinh", "Acosh", "Atanh", "Sqrt", "Rsqrt", "Cbrt", "Erf", "Erfc", "ErfInv",
		"Lgamma", "Digamma", "BesselI0e", "Square", "Neg", "Abs", "Sign", "Floor", "Ceil", "Round", "RoundEven",
		"Relu", "Softplus", "Silu", "Gelu", "GeluTanh", "StopGradient", "Real", "Imag", "Conj", "Phase", "Complex",
		"Add", "Sub", "Mul", "Div", "Remainder", "Pow", "Atan2", "Maximum", "Minimum", "Where", "Clip")
	// sameAxes have those of their first operand.
	sameAxes = set("Cast", "Rename", "FullLike", "ZerosLike", "OnesLike", "Reverse", "Transpose", "Roll", "SetAt",
		"AddAt", "SetSlice", "AddSlice", "Tril", "Triu")
	// lines have those of their first operand, which has one or more.
	lines = set("Softmax", "LogSoftmax", "LayerNorm", "Sort", "CumSum", "CumProd", "CumMax", "CumMin", "Diff")
	// reductions lose the axes that options name, or all.
	reductions = set("Sum", "Prod", "Mean", "Max", "Min", "Var", "Std", "Median", "LogSumExp", "Quantile",
		"WeightedMean", "WeightedLogSumExp")
	// withAxes have one or more.
	withAxes = set("Concatenate", "Stack", "Diag", "Linspace", "ExpandAxis", "Outer", "OneHot", "Tri")
	// shaped have as many as the shape has sizes, or more.
	shaped = set("FromSlice", "Full", "Zeros", "Ones", "Iota", "Eye")
)

// shapes finds out how many axes tensors have, from the text of a package.
type shapes struct {
	info    *types.Info
	funcs   map[types.Object]function // of the package, and those that variables hold
	value   map[types.Object]ast.Expr // of variables that are declared with it
	changed map[types.Object]bool     // variables and parameters that are assigned another
	left    int                       // how many expressions may still be looked at
}

type function struct {
	typ  *ast.FuncType
	body *ast.BlockStmt
}

// enough expressions are looked at for one result.
const enough = 5000

func newShapes(pass *analysis.Pass, in *inspector.Inspector) *shapes {
	s := &shapes{pass.TypesInfo, map[types.Object]function{}, map[types.Object]ast.Expr{}, map[types.Object]bool{}, 0}
	for n := range in.PreorderSeq((*ast.FuncDecl)(nil), (*ast.AssignStmt)(nil), (*ast.ValueSpec)(nil),
		(*ast.RangeStmt)(nil), (*ast.UnaryExpr)(nil)) {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if n.Body != nil {
				s.funcs[s.info.Defs[n.Name]] = function{n.Type, n.Body}
			}
		case *ast.AssignStmt:
			for i, x := range n.Lhs {
				if len(n.Rhs) == len(n.Lhs) {
					s.declare(x, n.Rhs[i])
				} else {
					s.declare(x, nil)
				}
			}
		case *ast.ValueSpec:
			for i, name := range n.Names {
				if len(n.Values) == len(n.Names) {
					s.declare(name, n.Values[i])
				}
			}
		case *ast.RangeStmt:
			s.declare(n.Key, nil)
			s.declare(n.Value, nil)
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				s.declare(n.X, nil) // what has the address may change it
			}
		}
	}
	return s
}

// declare notes what a variable is declared with, or that it is assigned another value.
func (s *shapes) declare(x, value ast.Expr) {
	id, ok := x.(*ast.Ident)
	if !ok {
		return
	}
	obj := s.info.Defs[id]
	if obj == nil || value == nil {
		s.changed[s.info.ObjectOf(id)] = true
		return
	}
	s.value[obj] = value
	if lit, ok := ast.Unparen(value).(*ast.FuncLit); ok {
		s.funcs[obj] = function{lit.Type, lit.Body}
	}
}

// params are the axes of the parameters and variables of a function that is looked at.
type params map[types.Object]axes

// of returns the axes of an expression.
func (s *shapes) of(x ast.Expr, known params) axes {
	if s.left--; s.left < 0 {
		return unknown
	}
	x = ast.Unparen(x)
	if t := s.info.TypeOf(x); t != nil && !isTensor(t) {
		return single.when(isNumber(t))
	}
	switch x := x.(type) {
	case *ast.Ident:
		obj := s.info.ObjectOf(x)
		if s.changed[obj] {
			return unknown
		}
		if a, ok := known[obj]; ok {
			return a
		}
		if v := s.value[obj]; v != nil {
			a := s.of(v, known)
			known[obj] = a
			return a
		}
	case *ast.CallExpr:
		return s.ofCall(x, known)
	}
	return unknown
}

func (a axes) when(is bool) axes {
	if is {
		return a
	}
	return unknown
}

func isNumber(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsNumeric != 0
}

func (s *shapes) ofAll(xs []ast.Expr, known params) []axes {
	var out []axes
	for _, x := range xs {
		out = append(out, s.of(x, known))
	}
	return out
}

func (s *shapes) ofCall(call *ast.CallExpr, known params) axes {
	f := callee(s.info, call)
	if f == nil || f.Pkg().Path() != module || f.Signature().Recv() != nil {
		return s.resultOf(call.Fun, s.ofAll(call.Args, known))
	}
	return s.ofFunction(f.Name(), call, known)
}

// ofFunction returns the axes of the result of a function of package nx.
func (s *shapes) ofFunction(name string, call *ast.CallExpr, known params) axes {
	if len(call.Args) == 0 || call.Ellipsis.IsValid() {
		return unknown
	}
	first := call.Args[0]
	switch {
	case elementwise[name]:
		sum := single
		for _, x := range call.Args {
			sum = sum.broadcast(s.of(x, known))
		}
		return sum
	case sameAxes[name]:
		return s.of(first, known)
	case lines[name]:
		return s.of(first, known).broadcast(exactly(1))
	case reductions[name]:
		return s.reduced(call, known)
	case withAxes[name]:
		return unknown.broadcast(exactly(1))
	case name == "New":
		return ofData(s.info.TypeOf(first))
	case shaped[name]:
		return s.shape(call.Args)
	case name == "Reshape" || name == "BroadcastTo":
		return exactly(len(call.Args) - 1)
	case name == "Flatten":
		return exactly(1).when(len(call.Args) == 1)
	}
	return unknown
}

// reduced returns the axes that a reduction leaves.
func (s *shapes) reduced(call *ast.CallExpr, known params) axes {
	t := s.of(call.Args[0], known)
	named, keep, options := 0, false, false
	for _, x := range call.Args[1:] {
		switch x := ast.Unparen(x).(type) {
		case *ast.CallExpr:
			if f := callee(s.info, x); f != nil && f.Name() == "Axis" {
				if named += len(x.Args); x.Ellipsis.IsValid() {
					return unknown
				}
			}
		case *ast.SelectorExpr:
			keep = keep || x.Sel.Name == "KeepAxes"
		case *ast.Ident:
			options = options || !isTensor(s.info.TypeOf(x)) && !isNumber(s.info.TypeOf(x))
		}
	}
	switch {
	case call.Ellipsis.IsValid() || options:
		return unknown
	case keep:
		return t
	case named == 0:
		return single
	}
	return axes{max(t.least-named, 0), max(t.most-named, 0)}
}

// ofData returns the axes of nx.New of a value.
func ofData(t types.Type) axes {
	if t == nil {
		return unknown
	}
	n := 0
	for {
		switch u := t.Underlying().(type) {
		case *types.Slice:
			t = u.Elem()
		case *types.Array:
			t = u.Elem()
		case *types.Basic:
			return exactly(n)
		default:
			return unknown
		}
		n++
	}
}

// shape returns the number of sizes of a shape among arguments that is written there.
func (s *shapes) shape(args []ast.Expr) axes {
	for _, x := range args {
		lit, ok := ast.Unparen(x).(*ast.CompositeLit)
		if n, isNamed := types.Unalias(s.info.TypeOf(x)).(*types.Named); ok && isNamed && n.Obj().Name() == "Shape" {
			return exactly(len(lit.Elts))
		}
	}
	return unknown
}

// resultOf returns the axes of the first result of a function whose arguments have axes; those that are not given
// are not known.
func (s *shapes) resultOf(f ast.Expr, args []axes) axes {
	var fn function
	switch f := ast.Unparen(f).(type) {
	case *ast.FuncLit:
		fn = function{f.Type, f.Body}
	case *ast.Ident:
		fn = s.variable(s.info.ObjectOf(f))
	case *ast.CallExpr: // a function made of another
		made := callee(s.info, f)
		switch {
		case made == nil || made.Pkg().Path() != module || len(f.Args) == 0:
		case made.Name() == "Vmap":
			return unknown.broadcast(exactly(1))
		case made.Name() == "Jit" || made.Name() == "Checkpoint":
			return s.resultOf(f.Args[0], args)
		}
		return unknown
	case *ast.SelectorExpr:
		if sel := s.info.Selections[f]; sel != nil && sel.Kind() == types.MethodExpr {
			args = nil // the first one is the receiver
		}
		obj, _ := s.info.Uses[f.Sel].(*types.Func)
		if obj == nil || obj.Pkg() == nil {
			return unknown
		}
		if obj.Pkg().Path() == module {
			return ofNamed(obj.Name(), args)
		}
		fn = s.variable(obj)
	}
	if fn.body == nil || s.left < 0 {
		return unknown
	}
	known, i := params{}, 0
	for _, field := range fn.typ.Params.List {
		for _, name := range field.Names {
			if known[s.info.Defs[name]] = unknown; i < len(args) {
				known[s.info.Defs[name]] = args[i]
			}
			i++
		}
	}
	return s.returned(fn.body, known)
}

// variable returns the function that an object is, or holds for good.
func (s *shapes) variable(obj types.Object) function {
	if s.changed[obj] {
		return function{}
	}
	return s.funcs[obj]
}

// ofNamed returns the axes of the result of a function of package nx that is called with some.
func ofNamed(name string, args []axes) axes {
	first := unknown
	if len(args) > 0 {
		first = args[0]
	}
	switch {
	case lines[name] || withAxes[name]:
		return first.broadcast(exactly(1))
	case elementwise[name] || sameAxes[name]:
		return first
	}
	return unknown
}

// returned returns the axes of what the statements of a function return first.
func (s *shapes) returned(body *ast.BlockStmt, known params) axes {
	var found []axes
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			a := unknown
			if len(n.Results) > 0 {
				a = s.of(n.Results[0], known)
			}
			found = append(found, a)
		}
		return true
	})
	if len(found) == 0 {
		return unknown
	}
	all := found[0]
	for _, a := range found[1:] {
		all = all.together(a)
	}
	return all
}
