package translate

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/go-nx/nx/internal/definition"
)

func (e *emitter) stmts(list []definition.Stmt) {
	for i, s := range list {
		e.stmt(s, list[i+1:])
	}
}

// stmt writes a statement; rest follows it.
func (e *emitter) stmt(s definition.Stmt, rest []definition.Stmt) {
	switch s := s.(type) {
	case *definition.Assign:
		e.start(s.Pos)
		e.assign(s, rest)
		e.write("\n")
	case *definition.Declare:
		op := ":="
		here := e.isHere(s.Var) && !isResult(e.f, s.Var)
		if here || isResult(e.f, s.Var) {
			op = "="
			if s.Dead {
				return
			}
		}
		if op == ":=" && !definition.Direct(rest).Has(s.Var) && !definition.Uses(rest, s.Var) {
			return
		}
		if first := firstAssign(rest, s.Var); op == ":=" && s.Dead && first != nil {
			e.defines[first] = s.Var
			return
		}
		if op == ":=" && s.Dead {
			e.start(s.Pos)
			e.writef("var %s %s\n", e.declare(s.Var), e.typeText(s.Var.Type, s.Var.Kind))
			return
		}
		zero := ""
		if t, ok := s.Var.Type.(types.Type); ok && s.Var.Kind == definition.Container {
			zero = e.zero(t)
		}
		if op == "=" && s.Var.Kind != definition.Tensor && s.Var.Kind != definition.Predicate && zero == "" {
			if here {
				e.start(s.Pos)
				e.writef("%s = *new(%s)\n", e.declare(s.Var), e.typeText(s.Var.Type, s.Var.Kind))
			}
			return // it begins as the zero value
		}
		e.start(s.Pos)
		switch {
		case zero != "":
			e.writef("%s %s %s\n", e.declare(s.Var), op, zero)
		case s.Var.Kind == definition.Tensor:
			e.writef("%s %s %s(0)\n", e.declare(s.Var), op, e.nx("New"))
		case s.Var.Kind == definition.Predicate:
			e.writef("%s %s %s(false)\n", e.declare(s.Var), op, e.nx("New"))
		default:
			e.writef("var %s %s\n", e.declare(s.Var), e.typeText(s.Var.Type, s.Var.Kind))
		}
	case *definition.Do:
		e.start(s.Pos)
		e.expr(s.X, 0)
		e.write("\n")
	case *definition.Fail:
		e.start(s.Pos)
		e.write("panic(")
		e.expr(s.X, 0)
		e.write(")\n")
	case *definition.If:
		e.start(s.Pos)
		e.ifStmt(s)
	case *definition.For:
		e.forStmt(s)
	case *definition.Range:
		e.rangeStmt(s)
	case *definition.Jump:
		if u := e.unrolled[s.Loop]; u != nil {
			e.next(s, u)
			return
		}
		e.start(s.Pos)
		word := "break"
		if s.Continue {
			word = "continue"
		}
		if n := len(e.loops); n > 0 && e.loops[n-1] != s.Loop {
			word += " " + label(s.Loop)
		}
		e.write(word + "\n")
	case *definition.Return:
		e.returnStmt(s)
	case *definition.Choose:
		e.choose(s)
	case *definition.ChooseReturn:
		e.chooseReturn(s)
	case *definition.Repeat:
		e.repeat(s)
	case *definition.Unroll:
		e.unroll(s)
	}
}

// isHere reports whether a variable is declared in the current scope.
func (e *emitter) isHere(v *definition.Var) bool {
	n := e.printed[v]
	return n != "" && e.scope[len(e.scope)-1][n] == v
}

// isResult reports whether a variable is a named result of a function, which its signature declares.
func isResult(f *definition.Func, v *definition.Var) bool { return slices.Contains(f.Results, v) }

// assign writes an assignment without its line.
func (e *emitter) assign(s *definition.Assign, rest []definition.Stmt) {
	declares := false
	for i, x := range s.Left {
		if i > 0 {
			e.write(", ")
		}
		if r, ok := x.(*definition.Ref); ok && slices.Contains(s.New, r.Var) {
			if !definition.Direct(rest).Has(r.Var) && !definition.Uses(rest, r.Var) {
				e.write("_")
				continue
			}
			declares = declares || !e.isHere(r.Var) // a path that runs once more may declare it again
		}
		e.place(s, x)
	}
	op := " = "
	if declares {
		op = " := "
	} else if v := e.defines[s]; v != nil {
		delete(e.defines, s)
		e.declare(v)
		op = " := "
	}
	e.write(op)
	for i, x := range s.Right {
		if i > 0 {
			e.write(", ")
		}
		k := definition.KindOf(x)
		if len(s.Left) == len(s.Right) {
			if v, _ := target(s.Left[i]); v != nil {
				k = v.Kind
			}
		}
		if v := newVar(s, i); v != nil && v.Kind == definition.Static {
			e.typed(v, x)
			continue
		}
		e.value(x, k)
	}
}

// newVar returns the variable that an assignment declares at a place.
func newVar(s *definition.Assign, i int) *definition.Var {
	if len(s.Left) != len(s.Right) {
		return nil
	}
	r, ok := s.Left[i].(*definition.Ref)
	if !ok {
		return nil
	}
	for _, v := range s.New {
		if v == r.Var {
			return v
		}
	}
	return nil
}

// typed writes the value of a new static variable, converted where its type would be another one.
func (e *emitter) typed(v *definition.Var, x definition.Expr) {
	t := v.Type.(types.Type)
	if b, ok := t.(*types.Basic); ok {
		switch {
		case b.Kind() == types.Int && !isFloat(x), b.Kind() == types.Float64 && isFloat(x),
			b.Info()&types.IsNumeric == 0:
			e.expr(x, 0)
			return
		}
	} else if !isConstant(x) {
		e.expr(x, 0)
		return
	}
	if !isConstant(x) {
		e.expr(x, 0)
		return
	}
	e.writef("%s(", e.typeText(t, definition.Static))
	e.expr(x, 0)
	e.write(")")
}

// isConstant reports whether an expression is a constant.
func isConstant(x definition.Expr) bool {
	switch x := x.(type) {
	case *definition.Lit:
		return true
	case *definition.Name:
		_, ok := x.Object.(*types.Const)
		return ok
	case *definition.Unary:
		return isConstant(x.X)
	case *definition.Binary:
		return isConstant(x.X) && isConstant(x.Y)
	}
	return false
}

// place writes the left side of an assignment.
func (e *emitter) place(s *definition.Assign, x definition.Expr) {
	if x == nil {
		e.write("_")
		return
	}
	if r, ok := x.(*definition.Ref); ok {
		for _, v := range s.New {
			if v == r.Var {
				e.write(e.declare(v))
				return
			}
		}
	}
	e.expr(x, 0)
}

// ifStmt writes a static if after its indentation.
func (e *emitter) ifStmt(s *definition.If) {
	e.write("if ")
	e.expr(s.Cond, 0)
	e.write(" {\n")
	e.block(s.Then)
	e.write(e.tabs() + "}")
	if len(s.Else) == 1 {
		if i, ok := s.Else[0].(*definition.If); ok {
			e.write(" else ")
			e.ifStmt(i)
			return
		}
	}
	if len(s.Else) > 0 {
		e.write(" else {\n")
		e.block(s.Else)
		e.write(e.tabs() + "}")
	}
	e.write("\n")
}

// block writes statements in a scope of their own.
func (e *emitter) block(list []definition.Stmt) {
	e.push()
	e.indent++
	e.stmts(list)
	e.indent--
	e.pop()
}

func label(s definition.Stmt) string { return "loop" }

// labelled reports whether a jump in an inner loop refers to a loop.
func labelled(loop definition.Stmt, list []definition.Stmt) bool {
	found := false
	for _, s := range list {
		switch s.(type) {
		case *definition.For, *definition.Range:
			for _, l := range definition.Lists(s) {
				definition.Each(l, func(x definition.Stmt) {
					if j, ok := x.(*definition.Jump); ok && j.Loop == definition.LoopOf(loop) {
						found = true
					}
				})
			}
		default:
			for _, l := range definition.Lists(s) {
				found = found || labelled(loop, l)
			}
		}
	}
	return found
}

// forStmt writes a loop of static steps.
func (e *emitter) forStmt(s *definition.For) {
	e.start(s.Pos)
	if labelled(s, s.Body) {
		e.write(label(s) + ":\n" + e.tabs())
	}
	e.push()
	e.write("for ")
	if len(s.Post) == 1 {
		e.write("; ")
	}
	if s.Cond != nil {
		e.expr(s.Cond, 0)
		e.write(" ")
	}
	if len(s.Post) == 1 {
		e.write("; ")
		switch p := s.Post[0].(type) {
		case *definition.Assign:
			e.assign(p, nil)
		case *definition.Do:
			e.expr(p.X, 0)
		}
		e.write(" ")
	}
	e.write("{\n")
	e.loops = append(e.loops, definition.LoopOf(s))
	e.block(s.Body)
	e.loops = e.loops[:len(e.loops)-1]
	e.write(e.tabs() + "}\n")
	e.pop()
}

// rangeStmt writes a loop over a static range.
func (e *emitter) rangeStmt(s *definition.Range) {
	e.start(s.Pos)
	if labelled(s, s.Body) {
		e.write(label(s) + ":\n" + e.tabs())
	}
	e.push()
	e.write("for ")
	key, value := e.rangeVar(s, s.Key), e.rangeVar(s, s.Value)
	switch {
	case value != "_":
		e.writef("%s, %s := ", key, value)
	case key != "_":
		e.writef("%s := ", key)
	}
	e.write("range ")
	e.expr(s.X, 0)
	e.write(" {\n")
	e.loops = append(e.loops, definition.LoopOf(s))
	e.block(s.Body)
	e.loops = e.loops[:len(e.loops)-1]
	e.write(e.tabs() + "}\n")
	e.pop()
}

// rangeVar declares a variable of a range, if something uses it.
func (e *emitter) rangeVar(s *definition.Range, v *definition.Var) string {
	if v == nil || !definition.Uses(s.Body, v) {
		return "_"
	}
	return e.declare(v)
}

// returnStmt writes a return: in branches of several results it returns them as a struct.
func (e *emitter) returnStmt(s *definition.Return) {
	if e.results != "" && len(s.Results) == 1 && len(e.f.Results) > 1 { // of a call
		e.start(s.Pos)
		var names []string
		for range e.f.Results {
			names = append(names, e.fresh("r"))
		}
		e.write(strings.Join(names, ", ") + " := ")
		e.expr(s.Results[0], 0)
		e.newline()
		e.writef("return %s{%s}\n", e.results, strings.Join(names, ", "))
		return
	}
	e.start(s.Pos)
	e.write("return")
	if e.results != "" {
		e.write(" " + e.results + "{")
	} else if len(s.Results) > 0 {
		e.write(" ")
	}
	e.returned(s)
	if e.results != "" {
		e.write("}")
	}
	e.write("\n")
}

// chooseReturn writes a return of one of two branches.
func (e *emitter) chooseReturn(s *definition.ChooseReturn) {
	typ := e.results
	top := typ == "" && len(e.f.Results) > 1
	switch {
	case top:
		typ = e.resultsType()
	case typ == "":
		typ = e.resultText(e.f, false)
	}
	e.start(s.Pos)
	var out string
	if top {
		out = e.fresh("out")
		e.write(out + " := ")
	} else {
		e.write("return ")
	}
	old := e.results
	if len(e.f.Results) > 1 {
		e.results = typ
	}
	e.writef("%s(", e.nx("Cond"))
	e.value(s.Cond, definition.Predicate)
	e.write(",\n")
	e.indent++
	e.branch(s.Then, s.ThenLocals, nil, s.ThenReads, typ)
	e.write(",\n")
	e.branch(s.Else, s.ElseLocals, nil, s.ElseReads, typ)
	e.indent--
	e.write(")\n")
	e.results = old
	if top {
		e.write(e.tabs() + "return ")
		for i := range e.f.Results {
			if i > 0 {
				e.write(", ")
			}
			e.writef("%s.%s", out, resultName(e.f, i))
		}
		e.write("\n")
	}
}

func resultName(f *definition.Func, i int) string {
	if n := f.Results[i].Name; n != "" && n != "_" {
		return n
	}
	return "r" + string(rune('0'+i))
}

// resultsType declares the struct of the results of the function.
func (e *emitter) resultsType() string {
	name := e.fresh("results")
	e.writef("%stype %s struct{", e.tabs(), name)
	for i, r := range e.f.Results {
		if i > 0 {
			e.write(";")
		}
		e.writef(" %s %s", resultName(e.f, i), e.typeText(r.Type, r.Kind))
	}
	e.write(" }\n")
	return name
}

// branch writes a function literal that runs a list and returns variables, or what the list returns if there are none.
func (e *emitter) branch(list []definition.Stmt, locals, vars []*definition.Var, reads *definition.Set, typ string) {
	defer func(loops []definition.Stmt) { e.loops = loops }(e.loops)
	e.loops = nil
	if r, ok := single(list); ok && vars == nil && (len(r.Results) == len(e.f.Results)) {
		e.start(r.Pos)
		e.writef("func() %s { return ", typ)
		if e.results != "" {
			e.write(e.results + "{")
		}
		e.returned(r)
		if e.results != "" {
			e.write("}")
		}
		e.write(" }")
		return
	}
	if len(vars) > 0 && len(list) == 0 {
		e.writef("%sfunc() %s { return %s }", e.tabs(), typ, e.state(vars, typ))
		return
	}
	if len(vars) == 1 {
		if x, pos, ok := only(list, vars[0]); ok {
			e.start(pos)
			e.writef("func() %s { return ", typ)
			e.value(x, vars[0].Kind)
			e.write(" }")
			return
		}
	}
	e.writef(e.tabs()+"func() %s {\n", typ)
	e.push()
	e.indent++
	e.shadow(list, append(vars[:len(vars):len(vars)], locals...), reads, nil)
	e.stmts(list)
	if vars != nil {
		e.writef(e.tabs()+"return %s\n", e.state(vars, typ))
	}
	e.indent--
	e.pop()
	e.write(e.tabs() + "}")
}

// only returns the value of a list that is one assignment to a variable and fits into a line.
func only(list []definition.Stmt, v *definition.Var) (definition.Expr, token.Pos, bool) {
	if len(list) != 1 {
		return nil, 0, false
	}
	a, ok := list[0].(*definition.Assign)
	if !ok || len(a.Left) != 1 || len(a.Right) != 1 {
		return nil, 0, false
	}
	r, ok := a.Left[0].(*definition.Ref)
	if !ok || r.Var != v {
		return nil, 0, false
	}
	_, ok = single([]definition.Stmt{&definition.Return{Results: a.Right}})
	return a.Right[0], a.Pos, ok
}

// shadow declares copies of the variables that a list changes, so that the ones outside stay as they are while the
// graph of the branch is built; from has their values where they are not those outside.
func (e *emitter) shadow(list []definition.Stmt, vars []*definition.Var, reads *definition.Set,
	from func(*definition.Var) string) {
	changed := definition.Direct(list)
	read := definition.ReadsOf(list)
	var names, values, unused []string
	for _, v := range vars {
		if from == nil && !changed.Has(v) {
			continue
		}
		if !reads.Has(v) && changed.Has(v) {
			if a := firstAssign(list, v); a != nil {
				e.defines[a] = v
				continue
			}
			e.writef("%svar %s %s\n", e.tabs(), e.declare(v), e.typeText(v.Type, v.Kind))
			continue
		}
		n := e.declare(v)
		names = append(names, n)
		if from != nil {
			values = append(values, from(v))
		} else {
			values = append(values, e.copyOf(v, n))
		}
		if from == nil && !read.Has(v) && !reads.Has(v) {
			unused = append(unused, n)
		}
	}
	if len(names) > 0 {
		e.writef("%s%s := %s\n", e.tabs(), strings.Join(names, ", "), strings.Join(values, ", "))
	}
	for _, n := range unused {
		e.writef("%s_ = %s\n", e.tabs(), n)
	}
}

// firstAssign returns the assignment, or the Choose, that can declare a variable: the first statement of a list with
// the variable, if it assigns to nothing else.
func firstAssign(list []definition.Stmt, v *definition.Var) definition.Stmt {
	for _, s := range list {
		if c, ok := s.(*definition.Choose); ok && len(c.Vars) == 1 && c.Vars[0] == v && !c.ThenReads.Has(v) &&
			!c.ElseReads.Has(v) && !definition.Reads(c.Cond).Has(v) {
			return c
		}
		if a, ok := s.(*definition.Assign); ok && len(a.Left) == 1 && !a.Define {
			if r, ok := a.Left[0].(*definition.Ref); ok && r.Var == v {
				return a
			}
		}
		one := &definition.Set{}
		one.Add(definition.Assigned([]definition.Stmt{s})...)
		if one.Has(v) || definition.ReadsOf([]definition.Stmt{s}).Has(v) {
			return nil
		}
	}
	return nil
}

// copyOf returns a copy of a variable, whose elements may be changed.
func (e *emitter) copyOf(v *definition.Var, name string) string {
	if t, ok := v.Type.(types.Type); ok {
		if _, ok := t.Underlying().(*types.Slice); ok {
			return e.importPath("slices") + ".Clone(" + name + ")"
		}
	}
	return name
}

// state returns the value of variables: the variable, or a struct of all.
func (e *emitter) state(vars []*definition.Var, typ string) string {
	if len(vars) == 1 {
		return e.refText(vars[0])
	}
	var list []string
	for _, v := range vars {
		list = append(list, e.refText(v))
	}
	return typ + "{" + strings.Join(list, ", ") + "}"
}

// stateType returns the type of the state of variables, which it declares where they are several.
func (e *emitter) stateType(vars []*definition.Var) string {
	if len(vars) == 1 {
		return e.typeText(vars[0].Type, vars[0].Kind)
	}
	name := e.fresh("state")
	var fields []string
	for i, v := range vars {
		t := e.typeText(v.Type, v.Kind)
		if i > 0 && e.typeText(vars[i-1].Type, vars[i-1].Kind) == t {
			last := fields[len(fields)-1]
			fields[len(fields)-1] = strings.TrimSuffix(last, " "+t) + ", " + e.refText(v) + " " + t
			continue
		}
		fields = append(fields, e.refText(v)+" "+t)
	}
	e.writef("%stype %s struct{ %s }\n", e.tabs(), name, strings.Join(fields, "; "))
	return name
}

// fields returns the fields of a state for an assignment.
func (e *emitter) fields(vars []*definition.Var, s string) string {
	var list []string
	for _, v := range vars {
		list = append(list, s+"."+e.refText(v))
	}
	return strings.Join(list, ", ")
}

func (e *emitter) list(vars []*definition.Var) string {
	var list []string
	for _, v := range vars {
		list = append(list, e.refText(v))
	}
	return strings.Join(list, ", ")
}

// choose writes an if that changes variables.
func (e *emitter) choose(s *definition.Choose) {
	if len(s.Vars) == 0 {
		return // nothing that it computes is used
	}
	typ := e.stateType(s.Vars)
	e.start(s.Pos)
	out := ""
	if len(s.Vars) == 1 {
		op := " = "
		if v := e.defines[s]; v != nil {
			delete(e.defines, s)
			op = " := "
		}
		e.write(e.declare(s.Vars[0]) + op)
	} else {
		out = e.fresh("out")
		e.write(out + " := ")
	}
	e.writef("%s(", e.nx("Cond"))
	e.value(s.Cond, definition.Predicate)
	e.write(",\n")
	e.indent++
	e.branch(s.Then, s.ThenLocals, s.Vars, s.ThenReads, typ)
	e.write(",\n")
	e.branch(s.Else, s.ElseLocals, s.Vars, s.ElseReads, typ)
	e.indent--
	e.write(")\n")
	if out != "" {
		e.writef(e.tabs()+"%s = %s\n", e.list(s.Vars), e.fields(s.Vars, out))
	}
}

// repeat writes a loop by a predicate.
func (e *emitter) repeat(s *definition.Repeat) {
	if len(s.Vars) == 0 {
		return // nothing that it computes is used
	}
	defer func(loops []definition.Stmt) { e.loops = loops }(e.loops)
	e.loops = nil
	typ := e.stateType(s.Vars)
	one := len(s.Vars) == 1
	e.start(s.Pos)
	name := ""
	if one {
		name = e.refText(s.Vars[0])
		if len(s.After) > 0 {
			e.write(name + " = ")
		}
		e.writef("%s(%s,\n", e.nx("While"), name)
	} else {
		name = e.fresh("s")
		if len(s.After) > 0 {
			e.write(name + " := ")
		}
		e.writef("%s(%s,\n", e.nx("While"), e.state(s.Vars, typ))
	}
	e.indent++
	if one {
		e.at(s.Pos)
	}
	e.writef("%sfunc(%s %s) %s {", e.tabs(), name, typ, e.nx("Tensor"))
	e.push()
	if one {
		e.write(" return ")
		e.value(s.Cond, definition.Predicate)
		e.write(" },\n")
	} else {
		e.write("\n")
		e.indent++
		read := definition.Reads(s.Cond)
		var used []*definition.Var
		for _, v := range s.Vars {
			if read.Has(v) {
				used = append(used, v)
			}
		}
		if len(used) > 0 {
			e.writef("%s%s := %s\n", e.tabs(), e.list(used), e.fields(used, name))
		}
		e.start(s.Pos)
		e.write("return ")
		e.value(s.Cond, definition.Predicate)
		e.indent--
		e.newline()
		e.write("},\n")
	}
	e.pop()
	e.writef("%sfunc(%s %s) %s {\n", e.tabs(), name, typ, typ)
	e.push()
	e.indent++
	if !one {
		e.shadow(s.Body, s.Vars, s.Reads, func(v *definition.Var) string { return name + "." + e.refText(v) })
	}
	e.shadow(s.Body, s.Locals, s.Reads, nil)
	e.stmts(s.Body)
	e.writef("%sreturn %s\n", e.tabs(), e.state(s.Vars, typ))
	e.indent--
	e.pop()
	e.write(e.tabs() + "})\n")
	e.indent--
	if !one && len(s.After) > 0 {
		e.writef("%s%s = %s\n", e.tabs(), e.list(s.After), e.fields(s.After, name))
	}
}
