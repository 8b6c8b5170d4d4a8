package translate

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"github.com/go-nx/nx/internal/definition"
)

// function builds the body of a declared function.
func (u *unit) function(f *definition.Func) {
	o := f.Object.(*types.Func)
	d := u.syntax[o].(*ast.FuncDecl)
	if d.Body == nil {
		u.report(d.Pos(), d.Name.End(), "body", "", "%s has no body", d.Name.Name)
		return
	}
	b := &builder{unit: u, f: f}
	f.Body = b.body(d.Body, o.Signature())
}

// body builds a body. Named results are variables that begin as zeros.
func (b *builder) body(s *ast.BlockStmt, sig *types.Signature) []definition.Stmt {
	var out []definition.Stmt
	for r := range sig.Results().Variables() {
		if r.Name() != "" && r.Name() != "_" {
			out = append(out, &definition.Declare{Mark: definition.Mark{Pos: r.Pos()}, Var: b.variable(r, b.f)})
		}
	}
	return append(out, b.stmts(s.List)...)
}

func (b *builder) stmts(list []ast.Stmt) []definition.Stmt {
	var out []definition.Stmt
	for _, s := range list {
		out = append(out, b.stmt(s, "")...)
	}
	return out
}

// stmt builds a statement, which may become several.
func (b *builder) stmt(s ast.Stmt, label string) []definition.Stmt {
	m := definition.Mark{Pos: s.Pos()}
	switch s := s.(type) {
	case *ast.EmptyStmt:
		return nil
	case *ast.ExprStmt:
		if c, ok := ast.Unparen(s.X).(*ast.CallExpr); ok && b.info.Types[c.Fun].IsBuiltin() {
			if id, ok := ast.Unparen(c.Fun).(*ast.Ident); ok && id.Name == "panic" {
				x := b.expr(c.Args[0])
				if definition.KindOf(x) != definition.Static {
					b.report(c.Args[0].Pos(), c.Args[0].End(), "value", "panic with a string or an error",
						"a panic with a tensor")
				}
				return []definition.Stmt{&definition.Fail{Mark: m, X: x}}
			}
		}
		return []definition.Stmt{&definition.Do{Mark: m, X: b.expr(s.X)}}
	case *ast.AssignStmt:
		return b.assign(s)
	case *ast.IncDecStmt:
		op := token.ADD
		if s.Tok == token.DEC {
			op = token.SUB
		}
		one := &definition.Lit{Node: definition.Node{Pos: s.Pos()}, Value: constant.MakeInt64(1), Text: "1"}
		return []definition.Stmt{b.update(m, s.X, op, s.TokPos, one, nil)}
	case *ast.DeclStmt:
		return b.decl(s)
	case *ast.BlockStmt:
		return []definition.Stmt{&definition.Block{Mark: m, Body: b.stmts(s.List)}}
	case *ast.IfStmt:
		return b.scoped(m, s.Init, func() []definition.Stmt {
			i := &definition.If{Mark: m, Cond: b.expr(s.Cond), Then: b.stmts(s.Body.List)}
			if s.Else != nil {
				i.Else = b.stmt(s.Else, "")
			}
			return []definition.Stmt{i}
		})
	case *ast.SwitchStmt:
		return b.switches(s, label)
	case *ast.ForStmt:
		return b.forLoop(s, label)
	case *ast.RangeStmt:
		return b.rangeLoop(s, label)
	case *ast.ReturnStmt:
		r := &definition.Return{Mark: m, Results: b.exprs(s.Results)}
		if len(s.Results) == 0 {
			for _, v := range b.f.Results {
				n := definition.Node{Pos: s.Pos(), Type: v.Type}
				r.Results = append(r.Results, &definition.Ref{Node: n, Var: v})
			}
		}
		return []definition.Stmt{r}
	case *ast.BranchStmt:
		return b.branch(s)
	case *ast.LabeledStmt:
		return b.stmt(s.Stmt, s.Label.Name)
	case *ast.GoStmt:
		b.report(s.Pos(), s.End(), "goroutine", "write the calls one after the other: a graph runs in parallel where it "+
			"can", "a definition starts no goroutines")
	case *ast.DeferStmt:
		b.report(s.Pos(), s.End(), "defer", "", "a definition defers no calls")
	case *ast.SendStmt:
		b.report(s.Pos(), s.End(), "channel", "", "a definition does not send to channels")
	case *ast.SelectStmt:
		b.report(s.Pos(), s.Pos()+6, "channel", "", "a definition has no select")
	case *ast.TypeSwitchStmt:
		b.report(s.Pos(), s.Pos()+6, "type-switch", "use a function for each type, or a static parameter",
			"a definition does not switch on types")
	default:
		b.report(s.Pos(), s.End(), "expression", "", "definitions do not have this statement")
	}
	return nil
}

// scoped builds the initial statement of if, switch and for with what follows.
func (b *builder) scoped(m definition.Mark, init ast.Stmt, rest func() []definition.Stmt) []definition.Stmt {
	if init == nil {
		return rest()
	}
	first := b.stmt(init, "")
	return []definition.Stmt{&definition.Block{Mark: m, Body: append(first, rest()...)}}
}

// decl builds a declaration in a function.
func (b *builder) decl(s *ast.DeclStmt) []definition.Stmt {
	d := s.Decl.(*ast.GenDecl)
	var out []definition.Stmt
	for _, sp := range d.Specs {
		v, ok := sp.(*ast.ValueSpec)
		switch {
		case !ok:
			b.localType(sp.(*ast.TypeSpec))
		case d.Tok == token.CONST: // uses have its value
		case len(v.Values) == 0:
			for _, n := range v.Names {
				if o, ok := b.info.Defs[n].(*types.Var); ok {
					out = append(out, &definition.Declare{Mark: definition.Mark{Pos: n.Pos()}, Var: b.variable(o, b.f)})
				}
			}
		default:
			a := &definition.Assign{Mark: definition.Mark{Pos: v.Pos()}, Define: true, Right: b.exprs(v.Values)}
			for _, n := range v.Names {
				a.Left = append(a.Left, b.defined(n, a))
			}
			out = append(out, a)
		}
	}
	return out
}

// localType notes a type that a function declares, which becomes one of the whole function.
func (b *builder) localType(s *ast.TypeSpec) {
	o, _ := b.info.Defs[s.Name].(*types.TypeName)
	if o == nil || o.IsAlias() {
		return // an alias is written as what it stands for
	}
	b.checkTensorType(s)
	f := b.f
	for f.Outer != nil {
		f = f.Outer
	}
	f.Types = append(f.Types, o)
}

// defined returns the variable that an identifier declares as the left side of an assignment.
func (b *builder) defined(n *ast.Ident, a *definition.Assign) definition.Expr {
	if n.Name == "_" {
		return nil
	}
	o, ok := b.info.Defs[n].(*types.Var)
	if !ok {
		return b.place(n)
	}
	v := b.variable(o, b.f)
	a.New = append(a.New, v)
	return &definition.Ref{Node: definition.Node{Pos: n.Pos(), Type: v.Type}, Var: v}
}

// place builds the left side of an assignment.
func (b *builder) place(e ast.Expr) definition.Expr {
	if id, ok := ast.Unparen(e).(*ast.Ident); ok && id.Name == "_" {
		return nil
	}
	x := b.expr(e)
	switch root := definition.Root(x); {
	case root == nil && isDeref(e): // is refused as a pointer
	case root == nil:
		b.report(e.Pos(), e.End(), "assign", "assign to variables, and to fields and elements of them",
			"an assignment to a variable outside of the definition")
	case root.Func != b.f:
		b.report(e.Pos(), e.End(), "captured", "return the new value from the function literal",
			"a function literal assigns to %s, a variable outside of it", root.Name)
	default:
		root.Assigns++
	}
	return x
}

func isDeref(e ast.Expr) bool {
	_, ok := ast.Unparen(e).(*ast.StarExpr)
	return ok
}

// assign builds an assignment.
func (b *builder) assign(s *ast.AssignStmt) []definition.Stmt {
	m := definition.Mark{Pos: s.Pos()}
	if s.Tok != token.ASSIGN && s.Tok != token.DEFINE {
		ops := map[token.Token]token.Token{token.ADD_ASSIGN: token.ADD, token.SUB_ASSIGN: token.SUB,
			token.MUL_ASSIGN: token.MUL, token.QUO_ASSIGN: token.QUO, token.REM_ASSIGN: token.REM,
			token.AND_ASSIGN: token.AND, token.OR_ASSIGN: token.OR, token.XOR_ASSIGN: token.XOR,
			token.SHL_ASSIGN: token.SHL, token.SHR_ASSIGN: token.SHR, token.AND_NOT_ASSIGN: token.AND_NOT}
		return []definition.Stmt{b.update(m, s.Lhs[0], ops[s.Tok], s.TokPos, b.expr(s.Rhs[0]), s.Rhs[0])}
	}
	a := &definition.Assign{Mark: m, Define: s.Tok == token.DEFINE, Right: b.exprs(s.Rhs)}
	for _, l := range s.Lhs {
		if id, ok := l.(*ast.Ident); ok && a.Define {
			a.Left = append(a.Left, b.defined(id, a))
		} else {
			a.Left = append(a.Left, b.place(l))
		}
	}
	return []definition.Stmt{a}
}

// update builds x op= y.
func (b *builder) update(m definition.Mark, e ast.Expr, op token.Token, at token.Pos, y definition.Expr,
	_ ast.Expr) definition.Stmt {
	x := b.place(e)
	n := definition.Node{Pos: at, Type: b.info.TypeOf(e), Kind: kindOf(b.info.TypeOf(e))}
	var v definition.Expr
	if isTensor(b.info.TypeOf(e)) {
		if l, ok := y.(*definition.Lit); ok {
			y = &definition.Lift{Node: n, X: l}
		}
		v = definition.Operator(op, b.expr(e), y, n)
	} else {
		v = &definition.Binary{Node: n, Op: op, X: b.expr(e), Y: y}
	}
	return &definition.Assign{Mark: m, Left: []definition.Expr{x}, Right: []definition.Expr{v}}
}

// forLoop builds a for statement.
func (b *builder) forLoop(s *ast.ForStmt, label string) []definition.Stmt {
	m := definition.Mark{Pos: s.Pos()}
	return b.scoped(m, s.Init, func() []definition.Stmt {
		l := &definition.For{Mark: m, End: s.Body.Rbrace}
		if s.Cond != nil {
			l.Cond = b.expr(s.Cond)
		}
		if s.Post != nil {
			l.Post = b.stmt(s.Post, "")
		}
		b.loops = append(b.loops, loop{label: label, stmt: l, isLoop: true})
		l.Body = b.stmts(s.Body.List)
		b.loops = b.loops[:len(b.loops)-1]
		return []definition.Stmt{l}
	})
}

// rangeLoop builds a for statement over a range.
func (b *builder) rangeLoop(s *ast.RangeStmt, label string) []definition.Stmt {
	m := definition.Mark{Pos: s.Pos()}
	if c, ok := ast.Unparen(s.X).(*ast.CallExpr); ok {
		if o := b.calleeOf(c); isDefn(o) && o.Name() == "Steps" {
			return b.steps(s, c, label)
		}
	}
	t := b.info.TypeOf(s.X)
	switch u := t.Underlying().(type) {
	case *types.Map, *types.Chan, *types.Signature, *types.Pointer:
		_ = u
		b.report(s.X.Pos(), s.X.End(), "range", "range over an int, a slice, an array, or Steps(n)",
			"a definition does not range over %s", shortType(t))
		return nil
	}
	r := &definition.Range{Mark: m, X: b.expr(s.X), End: s.Body.Rbrace}
	for _, v := range []struct {
		to   **definition.Var
		from ast.Expr
	}{{&r.Key, s.Key}, {&r.Value, s.Value}} {
		id, ok := v.from.(*ast.Ident)
		if v.from == nil || ok && id.Name == "_" {
			continue
		}
		o, isNew := b.info.Defs[id].(*types.Var)
		if !ok || !isNew {
			b.report(v.from.Pos(), v.from.End(), "range-variable", "write :=", "a range declares its variables")
			continue
		}
		*v.to = b.variable(o, b.f)
	}
	b.loops = append(b.loops, loop{label: label, stmt: r, isLoop: true})
	r.Body = b.stmts(s.Body.List)
	b.loops = b.loops[:len(b.loops)-1]
	return []definition.Stmt{r}
}

// steps builds a loop over Steps(n): a counter that goes up to n.
func (b *builder) steps(s *ast.RangeStmt, c *ast.CallExpr, label string) []definition.Stmt {
	m := definition.Mark{Pos: s.Pos()}
	n := definition.Node{Pos: s.Pos(), Type: b.info.TypeOf(c.Args[0]), Kind: definition.Tensor}
	number := func(i int64) definition.Expr {
		l := &definition.Lit{Node: definition.Node{Pos: s.Pos()}, Value: constant.MakeInt64(i)}
		return &definition.Lift{Node: n, X: l}
	}
	i := &definition.Var{Name: "i", Type: n.Type, Kind: definition.Tensor, Pos: s.Pos(), Func: b.f, Assigns: 1}
	if id, ok := s.Key.(*ast.Ident); ok && id.Name != "_" {
		o, isNew := b.info.Defs[id].(*types.Var)
		if !isNew {
			b.report(id.Pos(), id.End(), "range-variable", "write :=", "a range declares its variables")
			return nil
		}
		i = b.variable(o, b.f)
	}
	end := &definition.Var{Name: "n", Type: n.Type, Kind: definition.Tensor, Pos: s.Pos(), Func: b.f}
	ref := func(v *definition.Var) definition.Expr { return &definition.Ref{Node: n, Var: v} }
	op := func(k definition.Kind, name string, x, y definition.Expr) definition.Expr {
		o := &definition.Op{Node: n, Pkg: "nx", Func: name, Args: []definition.Expr{x, y}, Roles: "oo"}
		o.Kind = k
		return o
	}
	l := &definition.For{Mark: m, End: s.Body.Rbrace}
	bound := b.expr(c.Args[0])
	first := &definition.Assign{Mark: m, Define: true, Left: []definition.Expr{ref(i)},
		Right: []definition.Expr{number(0)}, New: []*definition.Var{i}}
	body := []definition.Stmt{first}
	switch x := bound.(type) {
	case *definition.Lift:
	case *definition.Ref:
		if x.Var.Assigns > 0 {
			body = append(body, &definition.Assign{Mark: m, Define: true, Left: []definition.Expr{ref(end)},
				Right: []definition.Expr{bound}, New: []*definition.Var{end}})
			bound = ref(end)
		}
	default:
		body = append(body, &definition.Assign{Mark: m, Define: true, Left: []definition.Expr{ref(end)},
			Right: []definition.Expr{bound}, New: []*definition.Var{end}})
		bound = ref(end)
	}
	l.Cond = op(definition.Predicate, "Less", ref(i), bound)
	l.Post = []definition.Stmt{&definition.Assign{Mark: m, Left: []definition.Expr{ref(i)},
		Right: []definition.Expr{op(definition.Tensor, "Add", ref(i), number(1))}}}
	b.loops = append(b.loops, loop{label: label, stmt: l, isLoop: true})
	l.Body = b.stmts(s.Body.List)
	b.loops = b.loops[:len(b.loops)-1]
	return []definition.Stmt{&definition.Block{Mark: m, Body: append(body, l)}}
}

// branch builds break and continue.
func (b *builder) branch(s *ast.BranchStmt) []definition.Stmt {
	if s.Tok != token.BREAK && s.Tok != token.CONTINUE {
		b.report(s.Pos(), s.End(), s.Tok.String(), "use if, for and switch", "a definition has no %s", s.Tok)
		return nil
	}
	for i := len(b.loops) - 1; i >= 0; i-- {
		l := b.loops[i]
		if s.Label != nil && l.label != s.Label.Name || s.Label == nil && s.Tok == token.CONTINUE && !l.isLoop {
			continue
		}
		return []definition.Stmt{&definition.Jump{Mark: definition.Mark{Pos: s.Pos()}, Loop: l.stmt,
			Continue: s.Tok == token.CONTINUE}}
	}
	return nil
}

// switches builds a switch as a chain of ifs, in a block that break leaves.
func (b *builder) switches(s *ast.SwitchStmt, label string) []definition.Stmt {
	m := definition.Mark{Pos: s.Pos()}
	return b.scoped(m, s.Init, func() []definition.Stmt {
		var out []definition.Stmt
		var tag func(ast.Expr) definition.Expr
		if s.Tag != nil {
			out, tag = b.tag(s)
		}
		block := &definition.Block{Mark: m}
		b.loops = append(b.loops, loop{label: label, stmt: block})
		defer func() { b.loops = b.loops[:len(b.loops)-1] }()
		var first, last *definition.If
		var other []definition.Stmt
		for _, c := range s.Body.List {
			c := c.(*ast.CaseClause)
			body := b.stmts(c.Body)
			if c.List == nil {
				other = body
				continue
			}
			i := &definition.If{Mark: definition.Mark{Pos: c.Pos()}, Then: body}
			for _, e := range c.List {
				x := b.expr(e)
				if tag != nil {
					x = tag(e)
				}
				if i.Cond == nil {
					i.Cond = x
				} else {
					i.Cond = &definition.Binary{Node: definition.Node{Pos: e.Pos(), Type: types.Typ[types.Bool]},
						Op: token.LOR, X: i.Cond, Y: x}
				}
			}
			if first == nil {
				first = i
			} else {
				last.Else = []definition.Stmt{i}
			}
			last = i
		}
		if first == nil {
			block.Body = other
		} else {
			last.Else = other
			block.Body = []definition.Stmt{first}
		}
		return append(out, block)
	})
}

// tag evaluates the tag of a switch once, and returns the comparison of it with the value of a case.
func (b *builder) tag(s *ast.SwitchStmt) ([]definition.Stmt, func(ast.Expr) definition.Expr) {
	t := b.info.TypeOf(s.Tag)
	n := definition.Node{Pos: s.Tag.Pos(), Type: t, Kind: kindOf(t)}
	v := &definition.Var{Name: "tag", Type: t, Kind: kindOf(t), Pos: s.Tag.Pos(), Func: b.f}
	a := &definition.Assign{Mark: definition.Mark{Pos: s.Pos()}, Define: true,
		Left: []definition.Expr{&definition.Ref{Node: n, Var: v}}, Right: []definition.Expr{b.expr(s.Tag)},
		New: []*definition.Var{v}}
	return []definition.Stmt{a}, func(e ast.Expr) definition.Expr {
		x := &definition.Ref{Node: n, Var: v}
		c := definition.Node{Pos: e.Pos(), Type: types.Typ[types.Bool], Kind: definition.Static}
		if isTensor(t) {
			c.Kind = definition.Predicate
			return &definition.Op{Node: c, Pkg: "nx", Func: "Equal", Args: []definition.Expr{x, b.expr(e)}, Roles: "oo"}
		}
		return &definition.Binary{Node: c, Op: token.EQL, X: x, Y: b.expr(e)}
	}
}
