package translate

import (
	"go/types"
	"strings"

	"github.com/go-nx/nx/internal/definition"
)

// unrolled is a loop of static steps that is written as functions.
type unrolled struct {
	*definition.Unroll
	step, rest string // their names; rest is what follows the loop, "" where the end of a step does that
	key        string // the counter of a range
}

// unroll writes a loop of static steps that may return: a function of the state of the loop, which returns what the
// step returns, or what the next step does.
func (e *emitter) unroll(s *definition.Unroll) {
	results, typ := e.results, e.results
	defer func(loops []definition.Stmt) { e.results, e.loops = results, loops }(e.loops)
	e.loops = nil
	top := typ == "" && len(e.f.Results) > 1
	if top {
		typ = e.resultsType()
		e.results = typ
	} else if typ == "" {
		typ = e.resultText(e.f, false)
	}
	u := &unrolled{Unroll: s}
	defer func(old *unrolled) { e.unrolled[s.Loop] = old }(e.unrolled[s.Loop])
	if s.Breaks {
		u.rest = e.fresh("rest")
		e.start(s.Pos)
		e.writef("%s := func(%s) %s {\n", u.rest, e.paramList(s.AfterVars, ""), typ)
		e.push()
		for _, v := range s.AfterVars {
			e.declare(v)
		}
		e.indent++
		e.after(s)
		e.indent--
		e.pop()
		e.write(e.tabs() + "}\n")
	}
	length, counter := e.rangeOf(s)
	u.step = e.fresh("step")
	e.push()
	first := ""
	var key *definition.Var
	if s.X != nil {
		key = s.Key
		if key == nil || definition.Direct(s.Body).Has(key) {
			key = &definition.Var{Name: "i"}
		}
		u.key = e.declare(key)
		first = u.key + " " + counter
	}
	sig := "func(" + e.paramList(s.Vars, first) + ") " + typ
	e.pop()
	e.start(s.Pos)
	e.writef("var %s %s\n", u.step, sig)
	e.start(s.Pos)
	e.writef("%s = %s {\n", u.step, sig)
	e.push()
	e.indent++
	if key != nil {
		e.declare(key)
	}
	for _, v := range s.Vars {
		e.declare(v)
	}
	e.start(s.Pos)
	switch {
	case s.X != nil:
		e.writef("if %s < %s {\n", u.key, length)
	case s.Cond != nil:
		e.write("if ")
		e.expr(s.Cond, 0)
		e.write(" {\n")
	default:
		e.write("if true {\n")
	}
	e.push()
	e.indent++
	e.elements(s, u)
	e.shadow(s.Body, s.Locals, s.Reads, nil)
	e.unrolled[s.Loop] = u
	e.stmts(s.Body)
	e.indent--
	e.pop()
	e.write(e.tabs() + "}\n")
	delete(e.unrolled, s.Loop) // what follows may have another copy of the loop
	if u.rest != "" {
		e.writef("%sreturn %s(%s)\n", e.tabs(), u.rest, e.list(s.AfterVars))
	} else {
		e.after(s)
	}
	e.indent--
	e.pop()
	e.write(e.tabs() + "}\n")
	e.start(s.Pos)
	start := u.step + "(" + e.list(s.Vars) + ")"
	if s.X != nil {
		start = u.step + "(" + strings.TrimSuffix("0, "+e.list(s.Vars), ", ") + ")"
	}
	if !top {
		e.write("return " + start + "\n")
		return
	}
	out := e.fresh("out")
	e.writef("%s := %s\n%sreturn ", out, start, e.tabs())
	for i := range e.f.Results {
		if i > 0 {
			e.write(", ")
		}
		e.writef("%s.%s", out, resultName(e.f, i))
	}
	e.write("\n")
}

// after writes what follows the loop.
func (e *emitter) after(s *definition.Unroll) {
	var locals []*definition.Var
	for _, v := range s.AfterLocals {
		if !e.isHere(v) { // as a parameter of the step
			locals = append(locals, v)
		}
	}
	e.shadow(s.After, locals, s.AfterReads, nil)
	e.stmts(s.After)
	if len(s.After) == 0 { // the loop always returns
		e.write(e.tabs() + "panic(\"not reached\")\n")
	}
}

// paramList is a list of parameters after the first.
func (e *emitter) paramList(vars []*definition.Var, first string) string {
	var list []string
	if first != "" {
		list = append(list, first)
	}
	for i, v := range vars {
		t := e.typeText(v.Type, v.Kind)
		if i > 0 && e.typeText(vars[i-1].Type, vars[i-1].Kind) == t {
			list[len(list)-1] = strings.TrimSuffix(list[len(list)-1], " "+t) + ", " + e.refText(v) + " " + t
			continue
		}
		list = append(list, e.refText(v)+" "+t)
	}
	return strings.Join(list, ", ")
}

// rangeOf returns the number of steps of a range as text, and the type of its counter. It writes what is ranged over to
// a variable first, if that is not a name or a number.
func (e *emitter) rangeOf(s *definition.Unroll) (length, counter string) {
	if s.X == nil {
		return "", ""
	}
	t, _ := exprType(s.X)
	counter = "int"
	isInt := t == nil
	if t != nil {
		if b, ok := t.Underlying().(*types.Basic); ok && b.Info()&types.IsInteger != 0 {
			isInt = true
			if b.Info()&types.IsUntyped == 0 {
				counter = e.typeText(t, definition.Static)
			}
		}
	}
	if s.Key != nil && isInt {
		counter = e.typeText(s.Key.Type, definition.Static)
	}
	_, isLit := s.X.(*definition.Lit)
	if r, ok := s.X.(*definition.Ref); ok && r.Var.Assigns == 0 {
		isLit = true
	}
	if !isLit {
		v := &definition.Var{Name: "n", Type: t}
		if !isInt {
			v.Name = "list"
		}
		e.start(s.Pos)
		e.writef("%s := ", e.declare(v))
		if isInt && counter != "int" && isConstant(s.X) {
			e.writef("%s(", counter)
			e.expr(s.X, 0)
			e.write(")\n")
		} else {
			e.expr(s.X, 0)
			e.write("\n")
		}
		s.X = &definition.Ref{Node: definition.Node{Pos: s.Pos, Type: t}, Var: v}
	}
	var text string
	switch x := s.X.(type) {
	case *definition.Lit:
		text = litText(x)
	case *definition.Ref:
		text = e.refText(x.Var)
	}
	if isInt {
		return text, counter
	}
	return "len(" + text + ")", counter
}

// elements declares the variables of a range in a step.
func (e *emitter) elements(s *definition.Unroll, u *unrolled) {
	if s.Key != nil && e.printed[s.Key] != u.key && definition.Uses(s.Body, s.Key) {
		e.start(s.Pos)
		e.writef("%s := %s\n", e.declare(s.Key), u.key)
	}
	if s.Value != nil && definition.Uses(s.Body, s.Value) {
		e.start(s.Pos)
		e.writef("%s := ", e.declare(s.Value))
		e.expr(s.X, 7)
		e.writef("[%s]\n", u.key)
	}
}

// next writes the end of a step.
func (e *emitter) next(s *definition.Jump, u *unrolled) {
	e.start(s.Pos)
	switch {
	case !s.Continue:
		e.writef("return %s(%s)\n", u.rest, e.list(u.AfterVars))
	case u.key != "":
		e.writef("return %s(%s)\n", u.step, strings.TrimSuffix(u.key+"+1, "+e.list(u.Vars), ", "))
	default:
		e.writef("return %s(%s)\n", u.step, e.list(u.Vars))
	}
}
