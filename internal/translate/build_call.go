package translate

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/go-nx/nx/internal/definition"
)

// call builds a conversion, or a call of a built-in function, a function of package defn, or any other.
func (b *builder) call(e *ast.CallExpr) definition.Expr {
	n := b.node(e)
	n.Pos = e.Lparen
	if id, ok := ast.Unparen(e.Fun).(*ast.Ident); ok {
		n.Pos = id.Pos()
	}
	switch tv := b.info.Types[e.Fun]; {
	case tv.IsType():
		return b.convert(e, tv.Type)
	case tv.IsBuiltin():
		return b.builtin(e)
	}
	fun := b.expr(e.Fun)
	var args []definition.Expr
	for _, a := range e.Args {
		u, ok := ast.Unparen(a).(*ast.UnaryExpr)
		if _, isLit := a.(*ast.CompositeLit); ok && !isLit && u.Op == token.AND && isStruct(b.info.TypeOf(u.X)) {
			if x := b.expr(u.X); definition.Root(x) != nil { // no other name of it remains
				args = append(args, &definition.Unary{Node: b.node(a), Op: token.AND, X: x})
				continue
			}
		}
		args = append(args, b.expr(a))
	}
	if o, ok := fun.(*definition.Op); ok && o.Nullary {
		o.Node = definition.Node{Pos: e.Pos(), Type: n.Type, Kind: n.Kind}
		o.Nullary, o.Args, o.Spread = false, args, e.Ellipsis.IsValid()
		if f, ok := b.calleeOf(e).(*types.Func); ok {
			if r := f.Signature().Results(); r.Len() == 1 && isPredicateAlias(r.At(0).Type()) {
				o.Kind = definition.Predicate
			}
			b.intrinsic(e, f, o)
		}
		if o.Pkg == "debug" && o.Func == "Hook" { // without a function of its own
			o.Args = append(o.Args, &definition.Name{Node: o.Node, Name: "nil"})
		}
		return o
	}
	c := &definition.Call{Node: n, Fun: fun, Args: args, Spread: e.Ellipsis.IsValid()}
	c.Pos = e.Pos()
	b.checkCall(e, c)
	return c
}

// calleeOf returns the object that a call names, nil for a value.
func (b *builder) calleeOf(e *ast.CallExpr) types.Object {
	f := ast.Unparen(e.Fun)
	switch x := f.(type) {
	case *ast.IndexExpr:
		f = x.X
	case *ast.IndexListExpr:
		f = x.X
	}
	switch f := f.(type) {
	case *ast.Ident:
		return b.info.Uses[f]
	case *ast.SelectorExpr:
		return b.info.Uses[f.Sel]
	}
	return nil
}

// intrinsic notes what a call of a function of package defn says of its arguments.
func (b *builder) intrinsic(e *ast.CallExpr, f *types.Func, o *definition.Op) {
	if f.Name() == "Steps" && f.Pkg().Path() == defnPath {
		b.report(e.Pos(), e.End(), "steps", "for i := range Steps(n) { … }", "Steps is the range of a loop only")
	}
	ps := f.Signature().Params()
	for i, a := range o.Args {
		p := ps.At(min(i, ps.Len()-1)).Type()
		if s, ok := p.(*types.Signature); ok && s.Results().Len() == 1 && isPredicateAlias(s.Results().At(0).Type()) {
			b.predicateResult(a)
		}
	}
}

// predicateResult makes the result of a function that is passed a predicate.
func (b *builder) predicateResult(x definition.Expr) {
	switch x := x.(type) {
	case *definition.Lambda:
		x.Func.Results[0].Kind = definition.Predicate
	case *definition.Name:
		if x.Func != nil {
			x.Func.Results[0].Kind = definition.Predicate
		}
	}
}

// checkCall refuses tensors as arguments of ordinary Go functions.
func (b *builder) checkCall(e *ast.CallExpr, c *definition.Call) {
	o := b.calleeOf(e)
	f, ok := o.(*types.Func)
	if !ok || isDefn(f) || definition.Callee(c) != nil {
		return // a value, whose type says what it takes
	}
	if carries(f.Signature()) || f.Signature().Recv() != nil && carries(f.Signature().Recv().Type()) {
		return // a definition of another package
	}
	if f.Origin().Signature().TypeParams().Len() > 0 {
		b.checkGeneric(e, f)
		return // it can only pass them on
	}
	for i, a := range c.Args {
		if !b.carriesTensor(a) {
			continue
		}
		hint := "a Go function sees a tensor once, while the graph is built: compute with functions of package defn"
		if f.Pkg() != nil && (f.Pkg().Path() == "fmt" || f.Pkg().Path() == "log") {
			hint = "print with PrintValue, which runs with the graph"
		}
		b.report(e.Args[i].Pos(), e.Args[i].End(), "static-call", hint, "a tensor is passed to %s.%s, a function of Go",
			f.Pkg().Name(), f.Name())
	}
}

// checkGeneric refuses tensors as type arguments of Go functions that compute with them.
func (b *builder) checkGeneric(e *ast.CallExpr, f *types.Func) {
	fun := ast.Unparen(e.Fun)
	switch x := fun.(type) {
	case *ast.IndexExpr:
		fun = x.X
	case *ast.IndexListExpr:
		fun = x.X
	}
	if s, ok := fun.(*ast.SelectorExpr); ok {
		fun = s.Sel
	}
	id, ok := fun.(*ast.Ident)
	if !ok {
		return
	}
	args := b.info.Instances[id].TypeArgs
	params := f.Origin().Signature().TypeParams()
	for i := range args.Len() {
		c, ok := params.At(i).Constraint().Underlying().(*types.Interface)
		if ok && !c.IsMethodSet() && isTensor(args.At(i)) {
			b.report(e.Pos(), e.End(), "static-call",
				"a Go function sees a tensor once, while the graph is built: compute with functions of package defn",
				"%s.%s, a function of Go, compares or computes with tensors", f.Pkg().Name(), f.Name())
		}
	}
}

// carriesTensor reports whether an argument is a tensor or has tensors in it.
func (b *builder) carriesTensor(x definition.Expr) bool {
	k := definition.KindOf(x)
	if l, ok := x.(*definition.Lambda); ok {
		t, _ := l.Type.(types.Type)
		return carries(t)
	}
	return k != definition.Static
}

// convert builds a conversion.
func (b *builder) convert(e *ast.CallExpr, to types.Type) definition.Expr {
	from := b.info.TypeOf(e.Args[0])
	n := b.node(e)
	x := b.expr(e.Args[0])
	switch {
	case isTensor(to) && isTensor(from):
		return x
	case isTensor(to):
		return &definition.Lift{Node: n, X: x}
	case isTensor(from):
		hint := "a tensor has no value while the graph is built: keep it a Tensor, or make the parameter static"
		if t, ok := to.Underlying().(*types.Basic); ok && t.Info()&types.IsInteger != 0 {
			hint += "\nas an index x.At(i) takes a Tensor, Cast changes the element type"
		}
		b.report(e.Pos(), e.End(), "value", hint, "%s of a tensor", b.text(e.Fun))
	}
	return &definition.Convert{Node: n, To: to, X: x}
}

// builtin builds a call of a function of the language.
func (b *builder) builtin(e *ast.CallExpr) definition.Expr {
	n := b.node(e)
	id, ok := ast.Unparen(e.Fun).(*ast.Ident)
	if !ok {
		b.report(e.Pos(), e.End(), "builtin", "", "definitions do not use package unsafe")
		return &definition.Source{Node: n, Syntax: e}
	}
	name := id.Name
	if (name == "min" || name == "max") && isTensor(b.info.TypeOf(e)) {
		f := map[string]string{"min": "Minimum", "max": "Maximum"}[name]
		x := b.expr(e.Args[0])
		for _, a := range e.Args[1:] {
			x = &definition.Op{Node: n, Pkg: "nx", Func: f, Args: []definition.Expr{x, b.expr(a)},
				Roles: intrinsics["nx."+f].roles}
		}
		return x
	}
	x := &definition.Builtin{Node: n, Func: name, Spread: e.Ellipsis.IsValid()}
	args := e.Args
	switch name {
	case "make", "new":
		t := b.info.TypeOf(args[0])
		x.Of, args = t, args[1:]
		if name == "new" && carries(t) && !isStruct(t) {
			b.report(e.Pos(), e.End(), "pointer", "pass the value: a definition returns what it changes",
				"a pointer to tensors")
		}
		if _, ok := t.Underlying().(*types.Slice); !ok && name == "make" {
			b.report(e.Pos(), e.End(), "make", "make slices: make([]Tensor, n)", "definitions make no %s", shortType(t))
		}
	case "append", "len", "cap", "copy", "min", "max", "clear":
	case "complex", "real", "imag":
	default:
		b.report(e.Pos(), e.End(), "builtin", "", "definitions do not call %s", name)
	}
	x.Args = b.exprs(args)
	return x
}

// store is a value that is stored in a field.
type store struct {
	to *definition.Var
	x  definition.Expr
}
