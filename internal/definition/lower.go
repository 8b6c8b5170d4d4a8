package definition

import (
	"fmt"
	"go/constant"
	"go/token"
)

// Problem is control flow that Lower does not have a form for.
type Problem struct {
	Pos                 token.Pos
	Code, Message, Hint string
}

// Lower replaces the control flow of a function that depends on predicates, by Choose, ChooseReturn and Repeat, and
// removes blocks. Jumps under a predicate become state:
//
//   - What follows an if with a jump moves into the branches that go on, so that jumps are the last statements of
//     their paths.
//   - A break sets a variable that ends the loop, continue is the end of a path of the body.
//   - A return in a loop ends the loop; after it, the statements on the path to the return run once more, from the
//     values that the variables had before the last iteration.
//   - A loop of static steps that may return becomes an Unroll, whose steps call each other.
//
// types makes the type of the variables that it adds, predicates.
func Lower(f *Func, predicate Type) []Problem {
	l := &lowerer{f: f, predicate: predicate, blocks: map[Stmt][]Stmt{}, unrolled: map[Stmt]*unrolled{}}
	f.Body = l.list(f.Body)
	if len(l.problems) > 0 {
		return l.problems
	}
	f.Body = (&liveness{captured: capturedBy(f.Body), sweep: true}).list(f.Body, &Set{})
	l.checkPointers()
	l.checkCaptured()
	if len(l.problems) == 0 {
		l.checkEffects()
	}
	return l.problems
}

type lowerer struct {
	f         *Func
	predicate Type
	problems  []Problem
	steps     int             // statements made, a bound on copies
	blocks    map[Stmt][]Stmt // what follows blocks that jumps leave
	unrolled  map[Stmt]*unrolled
	depth     int // of the loops around that become an Unroll
}

// maxSteps bounds the copies of statements after ifs with jumps.
const maxSteps = 20_000

func (l *lowerer) problem(pos token.Pos, code, hint, format string, args ...any) {
	l.problems = append(l.problems, Problem{pos, code, fmt.Sprintf(format, args...), hint})
}

// isDynamic reports whether a statement is control flow by a predicate.
func isDynamic(s Stmt) bool {
	switch s := s.(type) {
	case *If:
		return KindOf(s.Cond) == Predicate
	case *For:
		return s.Cond != nil && KindOf(s.Cond) == Predicate || s.Cond == nil && leavesByPredicate(s)
	}
	return false
}

// leavesByPredicate reports whether a loop without a condition ends by a jump under a predicate.
func leavesByPredicate(loop *For) bool {
	j := jumps(loop.Body, false)
	for _, x := range j {
		if x.dynamic && !(x.to == LoopOf(loop) && x.again) {
			return true
		}
	}
	return false
}

// IsDynamic reports whether a statement is control flow by a predicate.
func IsDynamicStmt(s Stmt) bool { return isDynamic(s) }

// jump is a jump that leaves a list.
type jump struct {
	to      Stmt // nil for a return
	again   bool // continue
	dynamic bool // under a predicate
	at      Stmt
}

// jumps returns the jumps that leave a list.
func jumps(list []Stmt, dynamic bool) []jump {
	var out []jump
	for _, s := range list {
		switch s := s.(type) {
		case *Return, *ChooseReturn, *Unroll, *replay:
			out = append(out, jump{dynamic: dynamic, at: s})
		case *Jump:
			out = append(out, jump{to: s.Loop, again: s.Continue, dynamic: dynamic, at: s})
		case *If:
			d := dynamic || isDynamic(s)
			out = append(append(out, jumps(s.Then, d)...), jumps(s.Else, d)...)
		case *Block:
			out = append(out, leaving(s, jumps(s.Body, dynamic))...)
		case *For:
			d := dynamic || s.Cond != nil && KindOf(s.Cond) == Predicate
			out = append(out, leaving(s, jumps(s.Body, d || isDynamic(s)))...)
		case *Range:
			out = append(out, leaving(s, jumps(s.Body, dynamic))...)
		}
	}
	return out
}

// leaving returns the jumps of the body of a loop or a block that go further than it. All depend on predicates if one
// of the jumps of the body does.
func leaving(s Stmt, list []jump) []jump {
	dynamic := hasDynamic(list)
	var out []jump
	for _, j := range list {
		if j.to != LoopOf(s) {
			j.dynamic = dynamic
			out = append(out, j)
		}
	}
	return out
}

// hasDynamic reports whether one of the jumps is under a predicate.
func hasDynamic(js []jump) bool {
	for _, j := range js {
		if j.dynamic {
			return true
		}
	}
	return false
}

// hasReturn reports whether one of the jumps is a return.
func hasReturn(js []jump) bool {
	for _, j := range js {
		if j.to == nil {
			return true
		}
	}
	return false
}

// leavesBlock reports whether one of the jumps leaves a block.
func leavesBlock(js []jump) bool {
	for _, j := range js {
		if _, ok := j.to.(*Block); ok {
			return true
		}
	}
	return false
}

// goesOn reports whether the end of a list can be reached.
func goesOn(list []Stmt) bool {
	if len(list) == 0 {
		return true
	}
	switch s := list[len(list)-1].(type) {
	case *Return, *Jump, *Fail, *ChooseReturn, *Unroll, *replay:
		return false
	case *Block:
		for _, j := range jumps(s.Body, false) {
			if j.to == LoopOf(s) {
				return true
			}
		}
		return goesOn(s.Body)
	case *If:
		return len(s.Else) == 0 || goesOn(s.Then) || goesOn(s.Else)
	case *For:
		if s.Cond != nil {
			return true
		}
		for _, j := range jumps(s.Body, false) {
			if j.to == LoopOf(s) && !j.again {
				return true
			}
		}
		return false
	}
	return true
}

// list lowers a list.
func (l *lowerer) list(list []Stmt) []Stmt {
	var out []Stmt
	for i := 0; i < len(list); i++ {
		if l.steps++; l.steps > maxSteps {
			if l.steps == maxSteps+1 {
				l.problem(list[i].Start(), "paths", "return from fewer places: assign the result to a variable",
					"too many paths through returns, breaks and continues under predicates")
			}
			return out
		}
		switch s := list[i].(type) {
		case *Block:
			l.blocks[LoopOf(s)] = list[i+1:]
			return append(out, l.list(concat(s.Body, list[i+1:]))...)
		case *If:
			js := append(jumps(s.Then, false), jumps(s.Else, false)...)
			if !(isDynamic(s) && len(js) > 0 || hasDynamic(js) || leavesBlock(js)) {
				out = append(out, l.branch(s, s.Then, s.Else))
				continue
			}
			rest := list[i+1:]
			then, other := s.Then, s.Else
			if goesOn(then) {
				then = concat(then, rest)
			}
			if goesOn(other) {
				other = concat(other, clone(rest))
			}
			return append(out, l.branch(s, then, other))
		case *For:
			if isDynamic(s) {
				return append(out, l.list(concat(l.repeat(s), list[i+1:]))...)
			}
			if len(l.ways(s, s.Body)) > 0 {
				return append(out, l.list(concat(l.flagged(s, s.Body, nil), list[i+1:]))...)
			}
			body := s.Body
			if js := jumps(s.Body, false); hasDynamic(js) {
				if hasReturn(js) {
					return append(out, l.unroll(s, &Unroll{Mark: s.Mark, Loop: LoopOf(s), Cond: s.Cond}, s.Body, s.Post,
						list[i+1:])...)
				}
				var before []Stmt
				before, body = l.staticLoop(s, s.Body)
				out = append(out, before...)
			}
			out = append(out, &For{Mark: s.Mark, Copy: LoopOf(s), Cond: s.Cond, Post: s.Post, Body: l.list(body),
				End: s.End})
		case *Range:
			if len(l.ways(s, s.Body)) > 0 {
				return append(out, l.list(concat(l.flagged(s, s.Body, nil), list[i+1:]))...)
			}
			body := s.Body
			if js := jumps(s.Body, false); hasDynamic(js) {
				if hasReturn(js) {
					u := &Unroll{Mark: s.Mark, Loop: LoopOf(s), Key: s.Key, Value: s.Value, X: s.X}
					return append(out, l.unroll(s, u, s.Body, nil, list[i+1:])...)
				}
				var before []Stmt
				before, body = l.staticLoop(s, s.Body)
				out = append(out, before...)
			}
			out = append(out, &Range{Mark: s.Mark, Copy: LoopOf(s), Key: s.Key, Value: s.Value, X: s.X,
				Body: l.list(body), End: s.End})
		case *Jump:
			if b, ok := s.Loop.(*Block); ok {
				return append(out, l.list(clone(l.blocks[b]))...)
			}
			if u := l.unrolled[s.Loop]; u != nil {
				if s.Continue {
					out = append(out, l.list(clone(u.post))...)
				} else {
					u.breaks = true
				}
			}
			return append(out, s)
		case *Return, *Fail:
			return append(out, s)
		default:
			out = append(out, s)
		}
	}
	return out
}

// branch lowers an if, whose jumps are at the ends of its lists.
func (l *lowerer) branch(s *If, then, other []Stmt) Stmt {
	then, other = l.list(then), l.list(other)
	if !isDynamic(s) {
		return &If{Mark: s.Mark, Cond: s.Cond, Then: then, Else: other}
	}
	for _, list := range [][]Stmt{then, other} {
		Each(list, l.refuseFail)
	}
	if l.returns(then) || l.returns(other) {
		if len(l.f.Results) == 0 {
			l.noResult(s.Pos)
		}
		return &ChooseReturn{Mark: s.Mark, Cond: s.Cond, Then: then, Else: other}
	}
	return &Choose{Mark: s.Mark, Cond: s.Cond, Then: then, Else: other}
}

func (l *lowerer) noResult(pos token.Pos) {
	l.problem(pos, "no-result", "return what changes",
		"a function without results returns under a predicate, which has no effect in a graph")
}

func (l *lowerer) refuseFail(s Stmt) {
	if f, ok := s.(*Fail); ok {
		l.problem(f.Pos, "conditional-panic", "a graph cannot fail by its data: return a value that says so, such as NaN",
			"a panic under a predicate happens while the graph is built, whatever the predicate is")
	}
}

// returns reports whether a lowered list ends in a return of the function, or in a step of an Unroll.
func (l *lowerer) returns(list []Stmt) bool {
	if len(list) == 0 {
		return false
	}
	switch s := list[len(list)-1].(type) {
	case *Return, *ChooseReturn, *Unroll:
		return true
	case *Jump:
		return l.unrolled[s.Loop] != nil
	case *If:
		return l.returns(s.Then) || l.returns(s.Else)
	}
	return false
}

// flag makes a predicate that begins as false.
func (l *lowerer) flag(name string, pos token.Pos) (*Var, Stmt) {
	v := &Var{Name: name, Type: l.predicate, Kind: Predicate, Pos: pos, Func: l.f}
	return v, &Assign{Mark: Mark{pos}, Define: true, New: []*Var{v}, Left: []Expr{l.ref(v, pos)},
		Right: []Expr{l.bool(false, pos)}}
}

func (l *lowerer) ref(v *Var, pos token.Pos) Expr {
	return &Ref{Node: Node{Pos: pos, Type: v.Type, Kind: v.Kind}, Var: v}
}

// bool is a constant predicate.
func (l *lowerer) bool(b bool, pos token.Pos) Expr {
	n := Node{Pos: pos, Type: l.predicate, Kind: Predicate}
	return &Lift{Node: n, X: &Lit{Node: Node{Pos: pos, Type: l.predicate}, Value: constant.MakeBool(b)}}
}

func (l *lowerer) set(v *Var, pos token.Pos) Stmt {
	return &Assign{Mark: Mark{pos}, Left: []Expr{l.ref(v, pos)}, Right: []Expr{l.bool(true, pos)}}
}

// exit is a jump out of a loop body that the loop itself does not end.
type exit struct {
	flag   *Var
	replay []Stmt
}

// body is a loop body whose jumps become state.
type body struct {
	*lowerer
	loop   Stmt
	post   []Stmt // what continue runs
	stop   *Var   // set by break
	skip   *Var   // set by break and continue, in a step of an Unroll
	begin  []Stmt // declares the flags
	exits  []*exit
	outer  *Set // the variables that the body assigns to and does not declare
	saved  map[*Var]*Var
	inside map[Stmt]bool // loops and blocks in the body
}

// rewrite returns a list without jumps out of it; path has the statements before it in this iteration.
func (b *body) rewrite(list, path []Stmt) []Stmt {
	var out []Stmt
	for i, s := range list {
		if b.steps++; b.steps > maxSteps {
			return out
		}
		switch s := s.(type) {
		case *Jump:
			if t, ok := s.Loop.(*Block); ok && b.inside[t] {
				return append(out, b.rewrite(clone(b.blocks[t]), concat(path, out))...)
			}
			if s.Loop == LoopOf(b.loop) && b.skip != nil {
				out = append(out, b.set(b.skip, s.Pos))
				if !s.Continue {
					out = append(out, b.set(b.stop, s.Pos))
				}
				return out
			}
			if s.Loop == LoopOf(b.loop) && s.Continue {
				return append(out, b.rewrite(b.post, nil)...)
			}
			if s.Loop == LoopOf(b.loop) {
				if b.stop == nil {
					var first Stmt
					b.stop, first = b.flag("stop", s.Pos)
					b.begin = append(b.begin, first)
				}
				return append(out, b.set(b.stop, s.Pos))
			}
			return append(out, b.leave(s, concat(path, out))...)
		case *Return:
			return append(out, b.leave(s, concat(path, out))...)
		case *replay:
			return append(out, b.leave(s, concat(path, out))...)
		case *Block:
			b.blocks[LoopOf(s)] = list[i+1:]
			return append(out, b.rewrite(concat(s.Body, list[i+1:]), concat(path, out))...)
		case *If:
			if len(jumps(s.Then, false))+len(jumps(s.Else, false)) == 0 {
				out = append(out, s)
				continue
			}
			rest := list[i+1:]
			then, other := s.Then, s.Else
			if goesOn(then) {
				then = concat(then, rest)
			}
			if goesOn(other) {
				other = concat(other, clone(rest))
			}
			p := concat(path, out)
			return append(out, &If{Mark: s.Mark, Cond: s.Cond, Then: b.rewrite(then, p), Else: b.rewrite(other, p)})
		case *For:
			if isDynamic(s) && len(jumps([]Stmt{s}, false)) > 0 {
				// What leaves more than the inner loop becomes ifs after it.
				return append(out, b.rewrite(concat(b.repeat(s), list[i+1:]), concat(path, out))...)
			}
			if !isDynamic(s) && len(jumps([]Stmt{s}, false)) > 0 {
				p := concat(path, out)
				return append(out, b.rewrite(concat(b.flagged(s, s.Body, p), list[i+1:]), p)...)
			}
			out = append(out, s)
		case *Range:
			if len(jumps([]Stmt{s}, false)) > 0 {
				p := concat(path, out)
				return append(out, b.rewrite(concat(b.flagged(s, s.Body, p), list[i+1:]), p)...)
			}
			out = append(out, s)
		default:
			out = append(out, s)
		}
	}
	return out
}

// leave makes state of a return, or of a jump to an outer loop: the loop ends, and the jump happens after it.
func (b *body) leave(s Stmt, path []Stmt) []Stmt {
	r, again := s.(*replay)
	if !again && !b.needsReplay(s, path) {
		for _, e := range b.exits {
			if len(e.replay) == 1 && e.replay[0] == s {
				return []Stmt{b.set(e.flag, s.Start())} // another path to it
			}
		}
	}
	f, first := b.flag("done", s.Start())
	b.begin = append(b.begin, first)
	e := &exit{flag: f, replay: []Stmt{s}}
	path = clone(path)
	b.exits = append(b.exits, e)
	out := []Stmt{b.set(f, s.Start())}
	switch {
	case again:
		e.replay = concat(clone(r.path), onlyReturns(r.loop))
	case !b.needsReplay(s, path):
		return out
	default:
		e.replay = concat(path, e.replay)
	}
	for _, v := range Assigned(path) {
		if !b.outer.Has(v) {
			continue
		}
		old := b.saved[v]
		if old == nil {
			old = &Var{Name: v.Name + "0", Type: v.Type, Kind: v.Kind, Pos: s.Start(), Func: b.f}
			b.saved[v] = old
		}
		out = append(out, &Assign{Mark: Mark{s.Start()}, Left: []Expr{b.ref(v, s.Start())},
			Right: []Expr{b.ref(old, s.Start())}})
	}
	return out
}

// needsReplay reports whether a jump reads what the path to it declares.
func (b *body) needsReplay(s Stmt, path []Stmt) bool {
	var own Set
	Each(path, func(s Stmt) {
		switch s := s.(type) {
		case *Assign:
			own.Add(s.New...)
		case *Declare:
			own.Add(s.Var)
		}
	})
	var read Set
	for _, x := range Exprs(s) {
		uses(x, &read)
	}
	for _, v := range read.list {
		if own.Has(v) {
			return true
		}
	}
	return false
}

// repeat lowers a loop by a predicate to a Repeat and what follows it.
func (l *lowerer) repeat(s *For) []Stmt {
	b := &body{lowerer: l, loop: s, post: s.Post, outer: &Set{}, saved: map[*Var]*Var{}, inside: inside(s, s.Body)}
	b.outer.Add(Assigned(s.Body, s.Post)...)
	list := s.Body
	if goesOn(list) {
		list = concat(list, s.Post)
	}
	list = b.rewrite(list, nil)
	var first []Stmt
	for _, v := range b.outer.list {
		if old := b.saved[v]; old != nil {
			first = append(first, &Assign{Mark: s.Mark, Define: true, New: []*Var{old},
				Left: []Expr{l.ref(old, s.Pos)}, Right: []Expr{l.ref(v, s.Pos)}})
		}
	}
	cond := s.Cond
	and := func(f *Var) {
		c := Expr(&Unary{Node: Node{Pos: s.Pos, Type: l.predicate}, Op: token.NOT, X: l.ref(f, s.Pos)})
		if cond == nil {
			cond = c
		} else {
			cond = &Binary{Node: Node{Pos: s.Pos, Type: l.predicate}, Op: token.LAND, X: c, Y: cond}
		}
	}
	for _, e := range b.exits {
		and(e.flag)
	}
	if b.stop != nil {
		and(b.stop)
	}
	out := append(b.begin, &Repeat{Mark: s.Mark, Cond: cond, Body: l.list(concat(first, list))})
	for i, e := range b.exits {
		if i == len(b.exits)-1 && s.Cond == nil && b.stop == nil { // nothing else ends the loop
			return append(out, e.replay...)
		}
		at := e.replay[len(e.replay)-1].Start()
		out = append(out, &If{Mark: Mark{at}, Cond: l.ref(e.flag, s.Pos), Then: e.replay})
	}
	return out
}

// staticLoop lowers the body of a loop of static steps that a predicate may leave.
func (l *lowerer) staticLoop(loop Stmt, list []Stmt) (before, out []Stmt) {
	b := &body{lowerer: l, loop: loop, outer: &Set{}, saved: map[*Var]*Var{}, inside: inside(loop, list)}
	list = b.rewrite(list, nil)
	if b.stop != nil {
		pos := loop.Start()
		going := &Unary{Node: Node{Pos: pos, Type: l.predicate}, Op: token.NOT, X: l.ref(b.stop, pos)}
		list = []Stmt{&If{Mark: Mark{pos}, Cond: going, Then: list}}
	}
	return b.begin, list
}

// clone returns a copy of a list whose statements can be changed without changing those of the list.
func clone(list []Stmt) []Stmt {
	out := make([]Stmt, len(list))
	for i, s := range list {
		switch s := s.(type) {
		case *Declare:
			c := *s
			out[i] = &c
		case *Block:
			out[i] = &Block{s.Mark, LoopOf(s), clone(s.Body)}
		case *If:
			out[i] = &If{s.Mark, s.Cond, clone(s.Then), clone(s.Else)}
		case *For:
			c := *s
			c.Copy, c.Body, c.Post = LoopOf(s), clone(s.Body), clone(s.Post)
			out[i] = &c
		case *Range:
			c := *s
			c.Copy, c.Body = LoopOf(s), clone(s.Body)
			out[i] = &c
		case *Choose:
			c := *s
			c.Then, c.Else = clone(s.Then), clone(s.Else)
			out[i] = &c
		case *ChooseReturn:
			c := *s
			c.Then, c.Else = clone(s.Then), clone(s.Else)
			out[i] = &c
		case *Repeat:
			c := *s
			c.Body = clone(s.Body)
			out[i] = &c
		case *Unroll:
			c := *s
			c.Body, c.After = clone(s.Body), clone(s.After)
			out[i] = &c
		default:
			out[i] = s
		}
	}
	return out
}

func concat(a, b []Stmt) []Stmt { return append(append(make([]Stmt, 0, len(a)+len(b)), a...), b...) }

// checkEffects refuses calls, such as of hooks, in branches that change nothing: graphs have no such branches.
func (l *lowerer) checkEffects() {
	Each(l.f.Body, func(s Stmt) {
		var lists [][]Stmt
		switch s := s.(type) {
		case *Choose:
			if len(s.Vars) == 0 {
				lists = [][]Stmt{s.Then, s.Else}
			}
		case *Repeat:
			if len(s.Vars) == 0 {
				lists = [][]Stmt{s.Body}
			}
		}
		for _, list := range lists {
			Each(list, func(x Stmt) {
				if d, ok := x.(*Do); ok {
					l.problem(d.Pos, "no-effect", "use what it returns: x = PrintValue(…)",
						"nothing that is used later changes here, so that the graph would not have this")
				}
			})
		}
	})
}

// checkPointers refuses changes by pointers that a predicate decides about, or that a literal makes.
func (l *lowerer) checkPointers() {
	refuse := func(s Stmt, v *Var) {
		l.problem(s.Start(), "pointer", "change a copy and assign it after: v := *p, v.X = …, *p = v; or return the new value",
			"%s changes by a pointer under a predicate, or in a loop by one", v.Name)
	}
	check := func(s Stmt) {
		if a, ok := s.(*Assign); ok {
			for _, x := range a.Left {
				if x == nil {
					continue
				}
				if v := Root(x); v != nil && v.Pointer && !declares(a, v) {
					refuse(s, v)
				}
			}
		}
		for _, v := range Through(s) {
			refuse(s, v)
		}
	}
	Each(l.f.Body, func(s Stmt) {
		switch s := s.(type) {
		case *Choose, *ChooseReturn, *Repeat:
			for _, list := range Lists(s) {
				Each(list, check)
			}
		case *Unroll:
			Each(s.Body, check)
			Each(s.After, check)
		}
	})
	Each(l.f.Body, func(s Stmt) {
		for _, v := range Through(s) {
			if v.Func != l.f && v.Func != nil {
				l.problem(s.Start(), "captured", "return the new value from the function literal",
					"a function literal changes %s, a variable outside of it", v.Name)
			}
		}
	})
}

// declares reports whether an assignment declares a variable.
func declares(a *Assign, v *Var) bool {
	for _, w := range a.New {
		if v == w {
			return true
		}
	}
	return false
}

// checkCaptured refuses changes by control flow of variables that literals use: a literal sees the variable that it
// was made with, not the copy of a branch.
func (l *lowerer) checkCaptured() {
	captured := capturedBy(l.f.Body)
	Each(l.f.Body, func(s Stmt) {
		var list []*Var
		switch s := s.(type) {
		case *Choose:
			list = Assigned(s.Then, s.Else)
		case *ChooseReturn:
			list = Assigned(s.Then, s.Else)
		case *Repeat:
			list = Assigned(s.Body)
		case *Unroll:
			list = Assigned(s.Body)
		}
		for _, v := range list {
			if captured.Has(v) && v.Func == l.f && usedOutside(l.f.Body, s, v) {
				l.problem(s.Start(), "captured-change", "pass it to the literal as a parameter",
					"%s is used by a function literal and changes under a predicate", v.Name)
			}
		}
	})
}

// usedOutside reports whether a literal that is not part of s uses a variable.
func usedOutside(list []Stmt, s Stmt, v *Var) bool {
	found := false
	var visit func(list []Stmt)
	visit = func(list []Stmt) {
		for _, t := range list {
			if t == s {
				continue
			}
			for _, x := range Exprs(t) {
				Walk(x, func(Expr) {}, func(f *Func) {
					in := &Set{}
					uses(&Lambda{Func: f}, in)
					found = found || in.Has(v)
				})
			}
			for _, in := range Lists(t) {
				visit(in)
			}
		}
	}
	visit(list)
	return found
}
