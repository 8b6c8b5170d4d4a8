package translate

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strings"

	"github.com/go-nx/nx/internal/definition"
)

// builder makes the body of one function.
type builder struct {
	*unit
	f     *definition.Func
	outer *builder // of a literal
	loops []loop
}

// loop is a statement that break or continue refers to.
type loop struct {
	label  string
	stmt   definition.Stmt // nil for a switch
	isLoop bool
}

func (b *builder) node(e ast.Expr) definition.Node {
	t := b.info.TypeOf(e)
	return definition.Node{Pos: e.Pos(), Type: t, Kind: kindOf(t)}
}

// exprs builds a list.
func (b *builder) exprs(list []ast.Expr) []definition.Expr {
	var out []definition.Expr
	for _, e := range list {
		out = append(out, b.expr(e))
	}
	return out
}

// expr builds an expression.
func (b *builder) expr(e ast.Expr) definition.Expr {
	if p, ok := e.(*ast.ParenExpr); ok {
		return b.expr(p.X)
	}
	tv := b.info.Types[e]
	if tv.Value != nil {
		return b.constant(e, tv)
	}
	switch e := e.(type) {
	case *ast.Ident:
		return b.ident(e, e)
	case *ast.SelectorExpr:
		return b.selector(e)
	case *ast.CallExpr:
		return b.call(e)
	case *ast.BinaryExpr:
		return b.binary(e)
	case *ast.UnaryExpr:
		return b.unary(e)
	case *ast.CompositeLit:
		return b.composite(e)
	case *ast.FuncLit:
		return b.literal(e)
	case *ast.IndexExpr:
		return b.index(e)
	case *ast.SliceExpr:
		n := b.node(e)
		n.Kind = kindOf(b.info.TypeOf(e))
		p := &definition.Part{Node: n, X: b.expr(e.X)}
		for _, x := range []struct {
			to   *definition.Expr
			from ast.Expr
		}{{&p.Lo, e.Low}, {&p.Hi, e.High}, {&p.Max, e.Max}} {
			if x.from != nil {
				*x.to = b.expr(x.from)
			}
		}
		return p
	case *ast.IndexListExpr:
		return b.instance(e, e.X, e.Indices)
	case *ast.StarExpr:
		if t := b.info.TypeOf(e); carries(t) && !isStruct(t) {
			b.report(e.Pos(), e.End(), "pointer", "pass the value: a definition returns what it changes",
				"a pointer to tensors")
		}
		return &definition.Unary{Node: b.node(e), Op: token.MUL, X: b.expr(e.X)}
	}
	if carries(b.info.TypeOf(e)) {
		b.report(e.Pos(), e.End(), "expression", "", "definitions do not have this form of expression")
	}
	return &definition.Source{Node: b.node(e), Syntax: e}
}

// constant builds a constant: a number that a tensor stands beside is lifted.
func (b *builder) constant(e ast.Expr, tv types.TypeAndValue) definition.Expr {
	x := b.constantParts(e)
	if !isTensor(tv.Type) {
		return x
	}
	b.checkDivision(e)
	if x == nil || !b.isExact(tv.Value, x) {
		x = &definition.Lit{Node: definition.Node{Pos: e.Pos()}, Value: tv.Value}
	}
	return &definition.Lift{Node: definition.Node{Pos: e.Pos(), Type: tv.Type, Kind: definition.Tensor}, X: x}
}

// isExact reports whether Go computes the same value from the parts of a constant, beside no tensor.
func (b *builder) isExact(v constant.Value, x definition.Expr) bool {
	if v.Kind() == constant.Int || constant.ToInt(v).Kind() == constant.Int {
		i := constant.ToInt(v)
		if _, ok := constant.Int64Val(i); !ok && !isFloat(x) {
			return false
		}
	}
	return true
}

// isFloat reports whether a constant is written as a float.
func isFloat(x definition.Expr) bool {
	switch x := x.(type) {
	case *definition.Lit:
		return x.Value.Kind() == constant.Float
	case *definition.Unary:
		return isFloat(x.X)
	case *definition.Binary:
		return isFloat(x.X) || isFloat(x.Y)
	case *definition.Name:
		c, ok := x.Object.(*types.Const)
		if !ok {
			return false
		}
		t, ok := c.Type().Underlying().(*types.Basic)
		return ok && t.Info()&types.IsFloat != 0
	}
	return false
}

// constantParts builds a constant from its parts, as the source has them; nil where these have the type Tensor, whose
// division is not that of untyped constants.
func (b *builder) constantParts(e ast.Expr) definition.Expr {
	n := b.node(e)
	n.Kind = definition.Static
	switch e := e.(type) {
	case *ast.ParenExpr:
		return b.constantParts(e.X)
	case *ast.BasicLit:
		return &definition.Lit{Node: n, Value: constant.MakeFromLiteral(e.Value, e.Kind, 0), Text: e.Value}
	case *ast.Ident, *ast.SelectorExpr:
		id, ok := e.(*ast.Ident)
		if !ok {
			id = e.(*ast.SelectorExpr).Sel
		}
		o, ok := b.info.Uses[id].(*types.Const)
		if !ok {
			break
		}
		if isTensor(o.Type()) {
			if init := b.initialOf(o); init != nil {
				return b.constantParts(init)
			}
			return nil
		}
		if o.Pkg() == nil || o.Parent() == o.Pkg().Scope() {
			return b.name(n, o)
		}
		return &definition.Lit{Node: n, Value: o.Val()}
	case *ast.UnaryExpr:
		if x := b.constantParts(e.X); x != nil {
			return &definition.Unary{Node: n, Op: e.Op, X: x}
		}
	case *ast.BinaryExpr:
		x, y := b.constantParts(e.X), b.constantParts(e.Y)
		if x != nil && y != nil && !b.hasTensorConstant(e.X) && !b.hasTensorConstant(e.Y) {
			return &definition.Binary{Node: n, Op: e.Op, X: x, Y: y}
		}
	case *ast.CallExpr:
		if len(e.Args) == 1 && b.info.Types[e.Fun].IsType() {
			if isTensor(b.info.TypeOf(e)) {
				return b.constantParts(e.Args[0])
			}
			return &definition.Convert{Node: n, To: n.Type, X: b.constantParts(e.Args[0])}
		}
	}
	if v := b.info.Types[e].Value; v != nil && !isTensor(b.info.TypeOf(e)) {
		return &definition.Lit{Node: n, Value: v}
	}
	return nil
}

// hasTensorConstant reports whether a part of a constant was declared with the type Tensor, or converted to it.
func (b *builder) hasTensorConstant(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			o := b.info.Uses[id]
			if o != nil && (isTensor(o.Type())) {
				found = true
			}
		}
		return !found
	})
	return found
}

// initialOf returns the initial value of a constant of the package, or nil.
func (b *builder) initialOf(o *types.Const) ast.Expr {
	s, ok := b.syntax[o].(*ast.ValueSpec)
	if !ok {
		return nil
	}
	for i, n := range s.Names {
		if b.info.Defs[n] == o && i < len(s.Values) {
			return s.Values[i]
		}
	}
	return nil
}

// checkDivision refuses divisions of integer constants that leave a remainder, which Go cuts off.
func (b *builder) checkDivision(e ast.Expr) {
	ast.Inspect(e, func(n ast.Node) bool {
		d, ok := n.(*ast.BinaryExpr)
		if !ok || d.Op != token.QUO || b.hasTensorConstant(d) {
			return true
		}
		x, y := b.constantParts(d.X), b.constantParts(d.Y)
		if x == nil || y == nil || isFloat(x) || isFloat(y) {
			return true
		}
		if q := definition.Truncates(b.info.Types[d.X].Value, b.info.Types[d.Y].Value); q != "" {
			b.report(d.Pos(), d.End(), "integer-division", "write "+floatText(b.text(d.X))+"/"+b.text(d.Y),
				"Go divides the integer constants %s to %s", b.text(d), q)
		}
		return true
	})
}

func floatText(s string) string {
	if strings.Trim(s, "0123456789_") == "" {
		return s + ".0"
	}
	return "float64(" + s + ")"
}

// name returns a declaration of a package as an expression.
func (b *builder) name(n definition.Node, o types.Object) definition.Expr {
	x := &definition.Name{Node: n, Name: o.Name(), Object: o}
	if o.Pkg() != nil {
		x.Path = o.Pkg().Path()
	}
	if f, ok := o.(*types.Func); ok {
		if x.Func = b.funcs[f.Origin()]; x.Func == nil {
			x.Func = b.external(f)
		}
	}
	return x
}

// ident builds a use of an object; at is the identifier, or the selector that qualifies it.
func (b *builder) ident(id *ast.Ident, at ast.Expr) definition.Expr {
	n := b.node(at)
	switch o := b.info.ObjectOf(id).(type) {
	case *types.Var:
		if o.Pkg() != nil && o.Parent() == o.Pkg().Scope() {
			if carries(o.Type()) && o.Pkg() != b.Package.types && !isDefn(o) {
				b.report(at.Pos(), at.End(), "package-variable", "pass it as a parameter",
					"a variable of another package holds tensors")
			}
			return b.name(n, o)
		}
		v := b.variable(o, b.f)
		return &definition.Ref{Node: n, Var: v}
	case *types.Func:
		if isDefn(o) {
			return b.op(n, o, nil, true)
		}
		x := b.name(n, o)
		if at, ok := b.info.Instances[id]; ok && b.isOtherInstance(o, at) {
			x := x.(*definition.Name)
			x.Instance = true
			x.Func = &definition.Func{Name: o.Name(), Pos: o.Pos(), External: true, Object: o}
			b.signature(x.Func, at.Type.(*types.Signature))
			return x
		}
		return x
	case *types.Nil:
		return &definition.Name{Node: n, Name: "nil"}
	case nil:
		return &definition.Source{Node: n, Syntax: at}
	default:
		return b.name(n, o)
	}
}

// isOtherInstance reports whether a use of a function is of a generic one of another package that computes, with
// tensors as type arguments.
func (b *builder) isOtherInstance(o *types.Func, at types.Instance) bool {
	if o.Pkg() == nil || o.Pkg() == b.types || b.counterpart(o.Pkg().Path()) == nil {
		return false
	}
	for i := range at.TypeArgs.Len() {
		t := at.TypeArgs.At(i)
		if isTensor(t) && constrains(o.Origin().Signature(), t) {
			return true
		}
	}
	return false
}

// op makes an operation of a function of package defn.
func (b *builder) op(n definition.Node, o *types.Func, args []definition.Expr, value bool) *definition.Op {
	pkg, name := "nx", o.Name()
	if p := o.Pkg().Path(); p != defnPath {
		pkg = strings.TrimPrefix(p, defnPath+"/")
	}
	pkg, name = home(pkg, name), original(pkg, name)
	x := &definition.Op{Node: n, Pkg: pkg, Func: name, Args: args, Nullary: value,
		Roles: rolesOf(pkg, name)}
	if value {
		x.Kind = definition.Container
		return x
	}
	if r := o.Signature().Results(); r.Len() == 1 && isPredicateAlias(r.At(0).Type()) {
		x.Kind = definition.Predicate
	}
	return x
}

// selector builds a qualified name, a field or a method.
func (b *builder) selector(e *ast.SelectorExpr) definition.Expr {
	s := b.info.Selections[e]
	if s == nil {
		return b.ident(e.Sel, e)
	}
	x := &definition.Select{Node: b.node(e), Name: e.Sel.Name}
	switch o := s.Obj().(type) {
	case *types.Var:
		if o.Pkg() == b.Package.types && isBool(o.Type()) {
			x.Field = b.variable(o, nil)
		}
	case *types.Func:
		if x.Func = b.funcs[o.Origin()]; x.Func == nil {
			x.Func = b.external(o)
		}
		if s.Kind() == types.MethodExpr {
			t := b.info.TypeOf(e.X)
			x.X = &definition.Convert{Node: definition.Node{Pos: e.X.Pos(), Type: t}, To: t}
			x.Kind = definition.Container
			return x
		}
	}
	x.X = b.expr(e.X)
	return x
}

// index builds an element, or an instance of a generic function.
func (b *builder) index(e *ast.IndexExpr) definition.Expr {
	if _, isFunc := b.info.TypeOf(e.X).(*types.Signature); isFunc {
		return b.instance(e, e.X, []ast.Expr{e.Index})
	}
	return &definition.Index{Node: b.node(e), X: b.expr(e.X), Index: b.expr(e.Index)}
}

// isStruct reports whether a type is a struct.
func isStruct(t types.Type) bool {
	_, ok := t.Underlying().(*types.Struct)
	return ok
}

// instance builds a generic function with its type arguments.
func (b *builder) instance(e, f ast.Expr, list []ast.Expr) definition.Expr {
	x := b.expr(f)
	var args []definition.Type
	for _, t := range list {
		args = append(args, b.info.TypeOf(t))
	}
	switch x := x.(type) {
	case *definition.Name:
		if !x.Instance {
			x.TypeArgs = args
		}
	case *definition.Op:
		x.TypeArgs = args
	}
	return x
}

// binary builds an operator.
func (b *builder) binary(e *ast.BinaryExpr) definition.Expr {
	n := b.node(e)
	x, y := b.expr(e.X), b.expr(e.Y)
	tx, ty := b.info.TypeOf(e.X), b.info.TypeOf(e.Y)
	if isTensor(tx) || isTensor(ty) {
		return definition.Operator(e.Op, x, y, definition.Node{Pos: e.OpPos, Type: n.Type})
	}
	if isParam(tx) && !definition.IsComparison(e.Op) || isParam(tx) && hasTensor(tx) {
		b.report(e.Pos(), e.End(), "type-parameter", "write a function for tensors",
			"an operator on a value of a type parameter")
		return &definition.Binary{Node: n, Op: e.Op, X: x, Y: y}
	}
	if carries(tx) && !isPredicateAlias(tx) && !b.isNil(e.X) && !b.isNil(e.Y) {
		b.report(e.Pos(), e.End(), "compare", "compare the tensors in them", "containers of tensors are not comparable")
	}
	return &definition.Binary{Node: n, Op: e.Op, X: x, Y: y}
}

func (b *builder) isNil(e ast.Expr) bool { return b.info.Types[e].IsNil() }

// unary builds an operator.
func (b *builder) unary(e *ast.UnaryExpr) definition.Expr {
	n := b.node(e)
	switch {
	case e.Op == token.AND:
		if c, ok := ast.Unparen(e.X).(*ast.CompositeLit); ok {
			x := b.composite(c)
			if c, ok := x.(*definition.Composite); ok {
				c.Addr = true
			}
			return x
		}
		if carries(n.Type.(types.Type)) {
			b.report(e.Pos(), e.End(), "pointer", "pass the value: a definition returns what it changes",
				"a pointer to tensors")
		}
	case e.Op == token.ARROW:
		b.report(e.Pos(), e.End(), "channel", "", "a definition does not receive from channels")
	case isTensor(b.info.TypeOf(e)):
		x := b.expr(e.X)
		if e.Op == token.ADD {
			return x
		}
		return &definition.Op{Node: n, Pkg: "nx", Func: "Neg", Args: []definition.Expr{x}, Roles: "t"}
	}
	return &definition.Unary{Node: n, Op: e.Op, X: b.expr(e.X)}
}

// composite builds a literal of a struct, a slice, an array or a map.
func (b *builder) composite(e *ast.CompositeLit) definition.Expr {
	n := b.node(e)
	x := &definition.Composite{Node: n, Elided: e.Type == nil}
	t := n.Type.(types.Type)
	if p, ok := t.Underlying().(*types.Pointer); ok { // an element of []*T
		t, x.Addr = p.Elem(), true
	}
	s, isStruct := t.Underlying().(*types.Struct)
	if _, isMap := t.Underlying().(*types.Map); isMap && carries(t) {
		b.report(e.Pos(), e.End(), "map", "use a struct", "a map of tensors")
	}
	for i, elem := range e.Elts {
		var key ast.Expr
		if kv, ok := elem.(*ast.KeyValueExpr); ok {
			key, elem = kv.Key, kv.Value
		}
		switch {
		case isStruct && key != nil:
			x.Fields = append(x.Fields, key.(*ast.Ident).Name)
		case isStruct:
			x.Fields = append(x.Fields, s.Field(i).Name())
		case key != nil:
			x.Keys = append(x.Keys, b.expr(key))
		default:
			x.Keys = append(x.Keys, nil)
		}
		x.Elems = append(x.Elems, b.expr(elem))
	}
	if isStruct { // predicates in bools
		for i, name := range x.Fields {
			for f := range s.Fields() {
				if f.Name() == name && isBool(f.Type()) && f.Pkg() == b.Package.types {
					b.stores = append(b.stores, store{b.variable(f, nil), x.Elems[i]})
				}
			}
		}
	}
	return x
}

// literal builds a function literal.
func (b *builder) literal(e *ast.FuncLit) definition.Expr {
	f := &definition.Func{Pos: e.Pos(), End: e.End(), Outer: b.f}
	s := b.info.TypeOf(e).(*types.Signature)
	f.Variadic = s.Variadic()
	b.signature(f, s)
	b.all = append(b.all, f)
	in := &builder{unit: b.unit, f: f, outer: b}
	f.Body = in.body(e.Body, s)
	n := b.node(e)
	n.Kind = definition.Container
	return &definition.Lambda{Node: n, Func: f}
}
