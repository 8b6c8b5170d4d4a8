package definition

import "go/token"

// unrolled is a loop that becomes an Unroll.
type unrolled struct {
	post   []Stmt
	breaks bool
}

// unroll lowers a loop of static steps that may return, with what follows it.
func (l *lowerer) unroll(s Stmt, u *Unroll, body, post, rest []Stmt) (out []Stmt) {
	state := &unrolled{post: post}
	defer func(old *unrolled) { l.unrolled[u.Loop] = old }(l.unrolled[u.Loop])
	l.unrolled[u.Loop] = state
	if goesOn(body) {
		body = concat(body, []Stmt{&Jump{Mark: u.Mark, Loop: u.Loop, Continue: true}})
	}
	l.depth++
	u.Body = l.list(body)
	l.depth--
	if n := l.next(u.Body, u.Loop); n > 1 || state.breaks && l.depth > 0 {
		before, merged, ok := l.merge(s, u, body)
		if ok {
			state.breaks = false
			l.depth++
			u.Body = l.list(merged)
			l.depth--
			out = append(out, before...)
		}
	}
	u.Breaks = state.breaks
	u.After = l.list(rest)
	if len(l.f.Results) == 0 {
		l.noResult(u.Pos)
	}
	Each(u.After, func(x Stmt) { l.refuseFail(x) })
	return append(out, u)
}

// next returns the number of places of a lowered list that go on with the next step of an Unroll.
func (l *lowerer) next(list []Stmt, loop Stmt) int {
	n := 0
	Each(list, func(x Stmt) {
		if j, ok := x.(*Jump); ok && j.Loop == loop && j.Continue {
			n++
		}
	})
	return n
}

// merge makes state of the jumps of a step that do not return, so that only one place goes on with the next step. It
// reports false where variables would be declared in a branch and used after it.
func (l *lowerer) merge(s Stmt, u *Unroll, list []Stmt) (before, out []Stmt, ok bool) {
	for _, v := range Assigned(list) {
		if v.Kind == Static { // its value would depend on the predicate
			return nil, nil, false
		}
	}
	if n := len(list); n > 0 {
		if j, ok := list[n-1].(*Jump); ok && j.Loop == u.Loop && j.Continue {
			list = list[:n-1]
		}
	}
	stop, first := l.flag("stop", u.Pos)
	skip, begin := l.flag("skip", u.Pos)
	begin.(*Assign).Right[0] = l.ref(stop, u.Pos)
	before = []Stmt{first}
	out = []Stmt{begin}
	guard := func(list []Stmt) []Stmt {
		going := &Unary{Node: Node{Pos: u.Pos, Type: l.predicate}, Op: token.NOT, X: l.ref(skip, u.Pos)}
		return []Stmt{&If{Mark: u.Mark, Cond: going, Then: list}}
	}
	segment := func(seg, later []Stmt) bool {
		if len(seg) == 0 {
			return true
		}
		b := &body{lowerer: l, loop: s, outer: &Set{}, saved: map[*Var]*Var{}, inside: inside(s, seg), stop: stop,
			skip: skip}
		b.outer.Add(Assigned(seg)...)
		seg = b.rewrite(seg, nil)
		own := &Set{}
		Each(seg, func(x Stmt) {
			switch x := x.(type) {
			case *Assign:
				own.Add(x.New...)
			case *Declare:
				own.Add(x.Var)
			}
		})
		for _, v := range ReadsOf(later).list {
			if own.Has(v) {
				return false
			}
		}
		for _, v := range b.outer.list {
			if old := b.saved[v]; old != nil {
				out = append(out, &Assign{Mark: u.Mark, Define: true, New: []*Var{old}, Left: []Expr{l.ref(old, u.Pos)},
					Right: []Expr{l.ref(v, u.Pos)}})
			}
		}
		out = append(append(out, b.begin...), guard(seg)...)
		for _, e := range b.exits {
			out = append(out, &If{Mark: u.Mark, Cond: l.ref(e.flag, u.Pos), Then: e.replay})
		}
		return true
	}
	var seg []Stmt
	for i, x := range list {
		in := bodyOf(x)
		if in == nil || isDynamic(x) || !hasReturn(jumps(in, false)) {
			seg = append(seg, x)
			continue
		}
		if !segment(seg, list[i:]) {
			return nil, nil, false
		}
		seg = nil
		out = append(out, withBody(x, guard(in)))
	}
	if !segment(seg, nil) {
		return nil, nil, false
	}
	return before, append(out, &Jump{Mark: u.Mark, Loop: u.Loop, Continue: true}), true
}

// ways are the jumps of a loop of static steps to loops around it, which go by flags: those to an Unroll do not where
// the loop is left by static values alone, as Go does that, and where it is an Unroll, too.
func (l *lowerer) ways(s Stmt, body []Stmt) []jump {
	all := jumps(body, false)
	if hasReturn(all) && hasDynamic(all) {
		return nil
	}
	var out []jump
	for _, j := range all {
		_, isBlock := j.to.(*Block)
		if j.to != nil && j.to != LoopOf(s) && (isBlock || hasDynamic(all)) {
			out = append(out, j)
		}
	}
	return out
}

// inside are the loops and blocks of a loop.
func inside(s Stmt, body []Stmt) map[Stmt]bool {
	in := map[Stmt]bool{LoopOf(s): true}
	Each(body, func(x Stmt) { in[LoopOf(x)] = true })
	return in
}

// flagged replaces the jumps of a loop of static steps that go further than it by flags: the loop ends, and ifs behind
// it jump. Returns run the loop once more from path, the statements before it in a step of a loop by a predicate.
func (l *lowerer) flagged(s Stmt, body []Stmt, path []Stmt) []Stmt {
	var before, after []Stmt
	flags := map[[2]any]*Var{}
	leave := func(at Stmt, to Stmt, again bool) []Stmt {
		key := [2]any{to, again}
		f := flags[key]
		if f == nil {
			var first Stmt
			f, first = l.flag("leave", at.Start())
			flags[key] = f
			before = append(before, first)
			then := Stmt(&Jump{Mark: Mark{at.Start()}, Loop: to, Continue: again})
			if to == nil {
				then = &replay{Mark: Mark{at.Start()}, path: path, loop: s}
			}
			after = append(after, &If{Mark: Mark{at.Start()}, Cond: l.ref(f, at.Start()), Then: []Stmt{then}})
		}
		return []Stmt{l.set(f, at.Start()), &Jump{Mark: Mark{at.Start()}, Loop: LoopOf(s)}}
	}
	in := inside(s, body)
	body = mapJumps(body, func(x Stmt) []Stmt {
		switch x := x.(type) {
		case *Return:
			return leave(x, nil, false)
		case *Jump:
			if !in[x.Loop] {
				return leave(x, x.Loop, x.Continue)
			}
		}
		return []Stmt{x}
	})
	return append(append(before, withBody(s, body)), after...)
}

// withBody returns a copy of a loop with another body.
func withBody(s Stmt, body []Stmt) Stmt {
	switch s := s.(type) {
	case *For:
		c := *s
		c.Copy, c.Body = LoopOf(s), body
		return &c
	case *Range:
		c := *s
		c.Copy, c.Body = LoopOf(s), body
		return &c
	}
	return s
}

// bodyOf returns the body of a loop.
func bodyOf(s Stmt) []Stmt {
	switch s := s.(type) {
	case *For:
		return s.Body
	case *Range:
		return s.Body
	}
	return nil
}

// mapJumps replaces the returns and jumps of a list.
func mapJumps(list []Stmt, f func(Stmt) []Stmt) []Stmt {
	var out []Stmt
	for _, x := range list {
		switch x := x.(type) {
		case *Return, *Jump:
			out = append(out, f(x)...)
		case *If:
			out = append(out, &If{x.Mark, x.Cond, mapJumps(x.Then, f), mapJumps(x.Else, f)})
		case *Block:
			out = append(out, &Block{Mark: x.Mark, Copy: LoopOf(x), Body: mapJumps(x.Body, f)})
		case *For, *Range:
			out = append(out, withBody(x, mapJumps(bodyOf(x), f)))
		default:
			out = append(out, x)
		}
	}
	return out
}

// onlyReturns returns a copy of a loop that returns: its jumps to loops around it are not taken.
func onlyReturns(s Stmt) []Stmt {
	body := bodyOf(s)
	in := inside(s, body)
	return []Stmt{withBody(s, mapJumps(body, func(x Stmt) []Stmt {
		if j, ok := x.(*Jump); ok && !in[j.Loop] {
			return []Stmt{&Jump{Mark: j.Mark, Loop: LoopOf(s), Continue: true}}
		}
		return []Stmt{x}
	}))}
}

// replay is a return of a loop of static steps, in a loop by a predicate.
type replay struct {
	Mark
	path []Stmt // from the beginning of the step
	loop Stmt   // which returns
}
