package translate

import (
	"fmt"
	"go/types"

	"github.com/go-nx/nx/internal/definition"
)

// inferer finds out which bools are predicates: those that one is stored in, and those that change under one. It goes
// through all functions until nothing changes.
type inferer struct {
	*unit
	changed bool
	depth   map[*definition.Var]int // the number of predicates around a declaration
}

// infer sets the kinds of variables.
func (u *unit) infer() {
	in := &inferer{unit: u, depth: map[*definition.Var]int{}}
	for in.changed = true; in.changed; {
		in.changed = false
		for _, s := range u.stores {
			in.store(s.to, definition.KindOf(s.x))
		}
		for _, f := range u.all {
			in.list(f, f.Body, 0)
			definition.Each(f.Body, in.through)
		}
	}
}

// through notes what a function changes by pointers that are its parameters.
func (in *inferer) through(s definition.Stmt) {
	change := func(v *definition.Var) {
		if v != nil && v.Pointer && !v.Through {
			v.Through, in.changed = true, true
		}
	}
	if a, ok := s.(*definition.Assign); ok {
		for _, x := range a.Left {
			if _, whole := x.(*definition.Ref); !whole && x != nil {
				change(definition.Root(x))
			}
		}
	}
	for _, v := range definition.Through(s) {
		change(v)
	}
}

// store notes that a value of a kind is stored in a variable.
func (in *inferer) store(v *definition.Var, k definition.Kind) {
	if v != nil && k == definition.Predicate && v.Kind == definition.Static {
		v.Kind = definition.Predicate
		in.changed = true
	}
}

// isBoolVar reports whether a variable is a bool.
func isBoolVar(v *definition.Var) bool {
	t, ok := v.Type.(types.Type)
	return ok && isBool(t)
}

func (in *inferer) list(f *definition.Func, list []definition.Stmt, depth int) {
	for _, s := range list {
		in.stmt(f, s, depth)
	}
}

func (in *inferer) stmt(f *definition.Func, s definition.Stmt, depth int) {
	for _, x := range definition.Exprs(s) {
		definition.Walk(x, in.expr, func(*definition.Func) {})
	}
	inner := depth
	if definition.IsDynamicStmt(s) {
		inner++
	}
	switch s := s.(type) {
	case *definition.Assign:
		for _, v := range s.New {
			in.depth[v] = depth
		}
		in.assign(s, depth)
	case *definition.Declare:
		in.depth[s.Var] = depth
	case *definition.Range:
		for _, v := range []*definition.Var{s.Key, s.Value} {
			if v != nil {
				in.depth[v] = depth
			}
		}
	case *definition.Return:
		for i, x := range s.Results {
			if i >= len(f.Results) || len(s.Results) != len(f.Results) {
				break
			}
			k := definition.KindOf(x)
			if depth > 0 && isBoolVar(f.Results[i]) {
				k = definition.Predicate
			}
			in.store(f.Results[i], k)
		}
	}
	for _, l := range definition.Lists(s) {
		in.list(f, l, inner)
	}
}

// assign notes what an assignment stores.
func (in *inferer) assign(s *definition.Assign, depth int) {
	for i, x := range s.Left {
		v, whole := target(x)
		if v == nil || !isBoolVar(v) {
			continue
		}
		k := definition.Static
		switch {
		case len(s.Right) == len(s.Left):
			k = definition.KindOf(s.Right[i])
		default:
			if c, ok := s.Right[0].(*definition.Call); ok {
				if f := definition.Callee(c); f != nil && i < len(f.Results) {
					k = f.Results[i].Kind
				}
			}
		}
		if root := definition.Root(x); root != nil && depth > in.depth[root] && whole {
			k = definition.Predicate
		}
		in.store(v, k)
	}
}

// target returns the variable or field that an assignment changes.
func target(x definition.Expr) (v *definition.Var, whole bool) {
	switch x := x.(type) {
	case *definition.Ref:
		return x.Var, true
	case *definition.Select:
		return x.Field, true
	}
	return nil, false
}

// expr notes what calls pass.
func (in *inferer) expr(x definition.Expr) {
	switch x := x.(type) {
	case *definition.Call:
		f := definition.Callee(x)
		if f == nil || f.External {
			return
		}
		args, params := x.Args, f.Params
		if s, ok := x.Fun.(*definition.Select); ok {
			if c, isExpr := s.X.(*definition.Convert); isExpr && c.X == nil && len(args) > 0 { // T.Method(receiver, …)
				args = args[1:]
			}
		}
		for i, a := range args {
			if i < len(params) {
				in.store(params[i], definition.KindOf(a))
			}
		}
	case *definition.Lambda:
		in.valueResults(x.Func)
	case *definition.Name:
		// As the function of a call its results are its own.
	}
}

// valueResults makes the bools that a function value returns predicates, if it takes tensors.
func (in *inferer) valueResults(f *definition.Func) {
	takes := false
	for _, p := range f.Params {
		takes = takes || p.Kind != definition.Static
	}
	for _, r := range f.Results {
		if takes && isBoolVar(r) {
			in.store(r, definition.Predicate)
		}
	}
}

// check reports static values that a predicate would have to decide about.
func (u *unit) check() {
	c := &checker{unit: u, depth: map[*definition.Var]int{}}
	for _, f := range u.all {
		for _, p := range append([]*definition.Var{f.Recv}, f.Params...) {
			if p != nil {
				c.depth[p] = 0
			}
		}
		c.returns = nil
		c.list(f.Body, 0)
		c.checkReturns(f)
	}
}

type checker struct {
	*unit
	depth   map[*definition.Var]int
	returns []returned // of the function
}

// returned is a return, and the number of predicates around it.
type returned struct {
	*definition.Return
	depth int
}

// checkReturns reports static results that a predicate chooses.
func (c *checker) checkReturns(f *definition.Func) {
	for i, r := range f.Results {
		t, ok := r.Type.(types.Type)
		if !ok || kindOf(t) != definition.Static || isBool(t) {
			continue
		}
		seen := map[string]bool{}
		for _, s := range c.returns {
			if len(s.Results) == len(f.Results) {
				seen[c.sameText(s.Results[i])] = true
			}
		}
		if len(seen) < 2 {
			continue
		}
		for _, s := range c.returns {
			if s.depth > 0 && len(s.Results) == len(f.Results) {
				c.report(s.Results[i].At(), 0, "static-change", "return a Tensor, or make the condition static",
					"a result that is known while the graph is built, and cannot depend on a predicate: %s", shortType(t))
			}
		}
	}
}

// sameText returns a text that static results have in common where they are the same.
func (c *checker) sameText(x definition.Expr) string {
	switch x := x.(type) {
	case *definition.Lit:
		return x.Value.ExactString()
	case *definition.Name:
		return x.Path + "." + x.Name
	case *definition.Ref:
		if x.Var.Assigns == 0 {
			return "variable " + x.Var.Name
		}
	}
	return fmt.Sprint("expression ", x.At())
}

// shortType returns a type with the names of packages.
func shortType(t types.Type) string { return types.TypeString(t, (*types.Package).Name) }

func (c *checker) list(list []definition.Stmt, depth int) {
	for _, s := range list {
		c.stmt(s, depth)
	}
}

func (c *checker) stmt(s definition.Stmt, depth int) {
	for _, x := range definition.Exprs(s) {
		definition.Walk(x, c.expr, func(*definition.Func) {})
	}
	inner := depth
	if definition.IsDynamicStmt(s) {
		inner++
	}
	switch s := s.(type) {
	case *definition.Assign:
		for _, v := range s.New {
			c.depth[v] = depth
		}
		for i, x := range s.Left {
			if x == nil {
				continue
			}
			v := definition.Root(x)
			if v == nil || depth <= c.depth[v] {
				continue
			}
			if i < len(s.Right) && isAppend(s.Right[i]) {
				c.report(x.At(), 0, "static-change", "keep all elements, and choose with Where: Where(p, x, 0)",
					"the length of %s is known while the graph is built, and cannot change under a predicate", c.textAt(x))
			}
			t, _ := typeOf(x)
			if kindOf(t) == definition.Static && !isBool(t) {
				c.report(x.At(), 0, "static-change", "make it a Tensor, or make the condition static",
					"%s is known while the graph is built, and cannot change under a predicate", c.textAt(x))
			}
		}
	case *definition.Return:
		c.returns = append(c.returns, returned{s, depth})
	case *definition.Do:
		if call, ok := s.X.(*definition.Call); ok && depth > 0 {
			c.checkDo(call)
		}
	case *definition.Declare:
		c.depth[s.Var] = depth
	case *definition.Range:
		for _, v := range []*definition.Var{s.Key, s.Value} {
			if v != nil {
				c.depth[v] = depth
			}
		}
	}
	for _, l := range definition.Lists(s) {
		c.list(l, inner)
	}
}

func isAppend(x definition.Expr) bool {
	b, ok := x.(*definition.Builtin)
	return ok && b.Func == "append"
}

// checkDo reports calls of Go's functions for their effects under a predicate.
func (c *checker) checkDo(call *definition.Call) {
	n, ok := call.Fun.(*definition.Name)
	if !ok || n.Func != nil {
		return
	}
	if o, ok := n.Object.(*types.Func); ok && o.Pkg() != nil {
		c.report(call.At(), 0, "static-call", "print with x = PrintValue(\"x\", x), which runs with the graph",
			"%s.%s is called once, while the graph is built, whatever the predicate is", o.Pkg().Name(), o.Name())
	}
}

// expr reports predicates where a static bool is needed.
func (c *checker) expr(x definition.Expr) {
	refuse := func(a definition.Expr, what string) {
		if definition.KindOf(a) == definition.Predicate {
			c.report(a.At(), 0, "predicate", "make it static: a parameter of type bool to which no comparison of tensors "+
				"is passed", "a predicate is not known while the graph is built, which %s needs", what)
		}
	}
	switch x := x.(type) {
	case *definition.Op:
		for i, a := range x.Args {
			if role(x.Roles, i) == 's' {
				refuse(a, x.Pkg+"."+x.Func)
			}
		}
	case *definition.Call:
		if f := definition.Callee(x); f != nil && f.External {
			for i, a := range x.Args {
				if i < len(f.Params) && f.Params[i].Kind == definition.Static {
					refuse(a, f.Name+" of another package")
				}
			}
		} else if f == nil {
			if n, ok := x.Fun.(*definition.Name); ok {
				if o, ok := n.Object.(*types.Func); ok && !carries(o.Signature()) {
					for _, a := range x.Args {
						switch a := a.(type) {
						case *definition.Ref, *definition.Select, *definition.Call: // others were refused as tensors
							refuse(a, n.Name)
						case *definition.Lambda:
							c.refuseLambda(a, n.Name)
						}
					}
				}
			}
		}
	case *definition.Index:
		refuse(x.Index, "an index")
	}
}

// refuseLambda reports a literal for a function of Go that returns a predicate.
func (c *checker) refuseLambda(l *definition.Lambda, what string) {
	for _, r := range l.Func.Results {
		if r.Kind == definition.Predicate {
			c.report(l.Pos, 0, "predicate", "write a loop, or choose with Where",
				"a predicate is not known while the graph is built, which %s needs", what)
		}
	}
}

// role returns the role of an argument: a variadic parameter has that of all after it.
func role(roles string, i int) byte {
	variadic := len(roles) > 0 && roles[len(roles)-1] == '+'
	if variadic {
		roles = roles[:len(roles)-1]
	}
	switch {
	case i < len(roles):
		return roles[i]
	case variadic && len(roles) > 0:
		return roles[len(roles)-1]
	}
	return 's'
}

// typeOf returns the type of a place.
func typeOf(x definition.Expr) (types.Type, bool) {
	var t definition.Type
	switch x := x.(type) {
	case *definition.Ref:
		t = x.Var.Type
	case *definition.Select:
		t = x.Type
	case *definition.Index:
		t = x.Type
	}
	u, ok := t.(types.Type)
	return u, ok
}
