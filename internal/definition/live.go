package definition

// liveness goes backwards through lists, with the variables that are read after a place. It finds the variables that
// Choose and Repeat change and that are read later, and removes assignments that nothing reads.
type liveness struct {
	loops    map[Stmt]*loopSets // the static loops around
	captured *Set               // what literals use, which may be read at any time
	sweep    bool               // remove assignments; not while a loop is gone through several times
}

// loopSets are what is read after a loop, and at the beginning of its next iteration.
type loopSets struct{ after, again *Set }

// list goes through a list. It makes the set after it the one before it, and returns what is left of the list.
func (l *liveness) list(list []Stmt, after *Set) []Stmt {
	dead := map[int]bool{}
	for i := len(list) - 1; i >= 0; i-- {
		if l.isDead(list[i], after) {
			dead[i] = true
			continue
		}
		l.stmt(list[i], after)
	}
	if !l.sweep || len(dead) == 0 {
		return list
	}
	out := make([]Stmt, 0, len(list)-len(dead))
	for i, s := range list {
		if !dead[i] {
			out = append(out, s)
			continue
		}
		for _, v := range s.(*Assign).New { // later assignments may remain
			out = append(out, &Declare{Mark: Mark{s.Start()}, Var: v, Dead: true})
		}
	}
	return out
}

// isDead reports whether a statement only assigns what nothing reads, by ops without effects.
func (l *liveness) isDead(s Stmt, after *Set) bool {
	a, ok := s.(*Assign)
	if !ok {
		return false
	}
	for _, x := range a.Left {
		if r, whole := x.(*Ref); x != nil && (!whole || after.Has(r.Var) || l.captured.Has(r.Var)) {
			return false
		}
	}
	pure := true
	for _, x := range a.Right {
		Walk(x, func(x Expr) {
			switch x := x.(type) {
			case *Call, *Source:
				pure = false
			case *Op:
				pure = pure && !x.Nullary && x.Pkg != "debug"
			}
		}, func(*Func) { pure = false })
	}
	return pure
}

func (l *liveness) stmt(s Stmt, after *Set) {
	switch s := s.(type) {
	case *Assign:
		for _, v := range s.New {
			after.Remove(v)
		}
		for _, x := range s.Left {
			if r, whole := x.(*Ref); whole {
				after.Remove(r.Var)
			}
		}
	case *Declare:
		s.Dead = !after.Has(s.Var)
		after.Remove(s.Var)
	case *Return, *Fail:
		*after = Set{}
	case *Jump:
		*after = Set{}
		if l := l.loops[s.Loop]; l != nil {
			after.Add(l.after.list...)
			if s.Continue {
				*after = *l.again.Clone()
			}
		}
	case *If:
		other := after.Clone()
		s.Then = l.list(s.Then, after)
		s.Else = l.list(s.Else, other)
		after.Add(other.list...)
	case *For:
		l.loop(s, s.Cond, []*[]Stmt{&s.Post, &s.Body}, after)
	case *Range:
		l.loop(s, nil, []*[]Stmt{&s.Body}, after)
		after.Remove(s.Key)
		after.Remove(s.Value)
	case *Choose:
		s.Vars, s.ThenLocals, s.ElseLocals = nil, nil, nil
		for _, v := range Assigned(s.Then, s.Else) {
			if after.Has(v) {
				s.Vars = append(s.Vars, v)
			}
		}
		s.ThenReads, s.ElseReads = l.branches(&s.Then, &s.Else, after)
		s.ThenLocals, s.ElseLocals = without(Assigned(s.Then), s.Vars), without(Assigned(s.Else), s.Vars)
	case *ChooseReturn:
		*after = Set{}
		s.ThenReads, s.ElseReads = l.branches(&s.Then, &s.Else, after)
		s.ThenLocals, s.ElseLocals = Assigned(s.Then), Assigned(s.Else)
	case *Repeat:
		l.repeat(s, after)
	case *Unroll:
		*after = Set{}
		l.unroll(s, after)
	}
	for _, x := range Exprs(s) {
		uses(x, after)
	}
}

// branches goes through the branches of a Choose, of which each reads the variables that it leaves as they are.
func (l *liveness) branches(then, other *[]Stmt, after *Set) (thenReads, otherReads *Set) {
	b := after.Clone()
	*then = l.list(*then, after)
	*other = l.list(*other, b)
	thenReads, otherReads = after.Clone(), b
	after.Add(b.list...)
	return thenReads, otherReads
}

// repeat goes through a loop in a graph, until nothing is added.
func (l *liveness) repeat(s *Repeat, after *Set) {
	again := after.Clone()
	uses(s.Cond, again)
	step := &liveness{l.loops, l.captured, false}
	for {
		n := again.Len()
		in := again.Clone()
		step.list(s.Body, in)
		again.Add(in.list...)
		if again.Len() == n {
			break
		}
	}
	s.Reads = again.Clone()
	s.Body = l.list(s.Body, s.Reads)
	s.Vars, s.After = nil, nil
	changed := Assigned(s.Body)
	for _, v := range changed {
		if again.Has(v) {
			s.Vars = append(s.Vars, v)
			if after.Has(v) {
				s.After = append(s.After, v)
			}
		}
	}
	s.Locals = without(changed, s.Vars)
	after.Add(again.list...)
}

// loop goes through a static loop until nothing is added.
func (l *liveness) loop(s Stmt, cond Expr, parts []*[]Stmt, after *Set) {
	inner := map[Stmt]*loopSets{}
	for k, v := range l.loops {
		inner[k] = v
	}
	again := after.Clone()
	if cond != nil {
		uses(cond, again)
	}
	inner[LoopOf(s)] = &loopSets{after: after.Clone(), again: again}
	step := &liveness{inner, l.captured, false}
	for {
		n := again.Len()
		in := again.Clone()
		for _, p := range parts {
			step.list(*p, in)
		}
		again.Add(in.list...)
		if again.Len() == n {
			break
		}
	}
	step.sweep = l.sweep
	in := again.Clone()
	for _, p := range parts {
		*p = step.list(*p, in)
	}
	after.Add(again.list...)
}

// unroll goes through a loop of static steps that may return, until nothing is added.
func (l *liveness) unroll(s *Unroll, after *Set) {
	s.AfterReads = &Set{}
	s.After = l.list(s.After, s.AfterReads)
	again := s.AfterReads.Clone()
	if s.Cond != nil {
		uses(s.Cond, again)
	}
	inner := map[Stmt]*loopSets{}
	for k, v := range l.loops {
		inner[k] = v
	}
	inner[s.Loop] = &loopSets{after: s.AfterReads, again: again}
	step := &liveness{inner, l.captured, false}
	for {
		n := again.Len()
		in := &Set{}
		step.list(s.Body, in)
		in.Remove(s.Key)
		in.Remove(s.Value)
		again.Add(in.list...)
		if again.Len() == n {
			break
		}
	}
	step.sweep = l.sweep
	s.Reads = &Set{}
	s.Body = step.list(s.Body, s.Reads)
	s.Vars, s.AfterVars = nil, nil
	changed := without(Assigned(s.Body), []*Var{s.Key, s.Value})
	for _, v := range changed {
		if again.Has(v) {
			s.Vars = append(s.Vars, v)
			if s.AfterReads.Has(v) {
				s.AfterVars = append(s.AfterVars, v)
			}
		}
	}
	s.Locals = without(changed, s.Vars)
	s.AfterLocals = without(Assigned(s.After), s.AfterVars)
	after.Add(again.list...)
}

// without returns the variables of a that are not in b.
func without(a, b []*Var) []*Var {
	var set Set
	set.Add(b...)
	var out []*Var
	for _, v := range a {
		if !set.Has(v) {
			out = append(out, v)
		}
	}
	return out
}

// capturedBy returns the variables that the literals of a list use.
func capturedBy(list []Stmt) *Set {
	captured := &Set{}
	Each(list, func(s Stmt) {
		for _, x := range Exprs(s) {
			Walk(x, func(Expr) {}, func(f *Func) { uses(&Lambda{Func: f}, captured) })
		}
	})
	return captured
}
