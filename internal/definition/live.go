package definition

// live finds the variables that Choose and Repeat change and that are read later: it goes backwards through a list,
// with the variables that are read after it, and makes that set the one before it. loops has the sets at the ends of
// the static loops around.
func live(list []Stmt, after *Set, loops map[Stmt]*loopSets) {
	for i := len(list) - 1; i >= 0; i-- {
		liveStmt(list[i], after, loops)
	}
}

// loopSets are what is read after a loop, and at the beginning of its next iteration.
type loopSets struct{ after, again *Set }

func liveStmt(s Stmt, after *Set, loops map[Stmt]*loopSets) {
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
	case *Return:
		*after = Set{}
	case *Fail:
		*after = Set{}
	case *Jump:
		*after = Set{}
		if l := loops[s.Loop]; l != nil {
			after.Add(l.after.list...)
			if s.Continue {
				*after = *l.again.Clone()
			}
		}
	case *If:
		other := after.Clone()
		live(s.Then, after, loops)
		live(s.Else, other, loops)
		after.Add(other.list...)
	case *For:
		liveLoop(s, s.Cond, [][]Stmt{s.Post, s.Body}, after, loops)
	case *Range:
		liveLoop(s, nil, [][]Stmt{s.Body}, after, loops)
		after.Remove(s.Key)
		after.Remove(s.Value)
	case *Choose:
		s.Vars, s.ThenLocals, s.ElseLocals = nil, nil, nil
		for _, v := range Assigned(s.Then, s.Else) {
			if after.Has(v) {
				s.Vars = append(s.Vars, v)
			}
		}
		s.ThenLocals, s.ElseLocals = without(Assigned(s.Then), s.Vars), without(Assigned(s.Else), s.Vars)
		s.ThenReads, s.ElseReads = branches(s.Then, s.Else, after, loops)
	case *ChooseReturn:
		s.ThenLocals, s.ElseLocals = Assigned(s.Then), Assigned(s.Else)
		*after = Set{}
		s.ThenReads, s.ElseReads = branches(s.Then, s.Else, after, loops)
	case *Repeat:
		again := after.Clone()
		uses(s.Cond, again)
		for {
			n := again.Len()
			in := again.Clone()
			live(s.Body, in, loops)
			again.Add(in.list...)
			if again.Len() == n {
				break
			}
		}
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
		s.Reads = again.Clone()
		live(s.Body, s.Reads, loops)
		after.Add(again.list...)
	}
	for _, x := range Exprs(s) {
		uses(x, after)
	}
}

// branches goes through the branches of a Choose, of which each reads the variables that it leaves as they are.
func branches(then, other []Stmt, after *Set, loops map[Stmt]*loopSets) (thenReads, otherReads *Set) {
	b := after.Clone()
	live(then, after, loops)
	live(other, b, loops)
	thenReads, otherReads = after.Clone(), b
	after.Add(b.list...)
	return thenReads, otherReads
}

// liveLoop goes through a static loop until nothing is added.
func liveLoop(s Stmt, cond Expr, parts [][]Stmt, after *Set, loops map[Stmt]*loopSets) {
	inner := map[Stmt]*loopSets{}
	for k, v := range loops {
		inner[k] = v
	}
	again := after.Clone()
	if cond != nil {
		uses(cond, again)
	}
	inner[LoopOf(s)] = &loopSets{after: after.Clone(), again: again}
	for {
		n := again.Len()
		in := again.Clone()
		for _, p := range parts {
			live(p, in, inner)
		}
		again.Add(in.list...)
		if again.Len() == n {
			break
		}
	}
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
