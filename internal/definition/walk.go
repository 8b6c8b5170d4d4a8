package definition

// Root returns the variable that an assignment to a variable, a field or an element changes, nil where there is none.
func Root(x Expr) *Var {
	switch x := x.(type) {
	case *Ref:
		return x.Var
	case *Select:
		return Root(x.X)
	case *Index:
		return Root(x.X)
	case *Unary: // *p, and &x where it is passed
		return Root(x.X)
	}
	return nil
}

// Through returns the variables that the calls of a statement change by pointers.
func Through(s Stmt) []*Var {
	set := &Set{}
	for _, x := range Exprs(s) {
		Walk(x, func(x Expr) {
			c, ok := x.(*Call)
			if !ok {
				return
			}
			f := Callee(c)
			if f == nil {
				return
			}
			if m, ok := c.Fun.(*Select); ok && f.Recv != nil && f.Recv.Through {
				set.Add(Root(m.X))
			}
			for i, a := range c.Args {
				if i < len(f.Params) && f.Params[i].Through {
					set.Add(Root(a))
				}
			}
		}, func(*Func) {})
	}
	return set.list
}

// Parts returns the expressions that an expression consists of, but not the body of a literal.
func Parts(x Expr) []Expr {
	var out []Expr
	add := func(xs ...Expr) {
		for _, x := range xs {
			if x != nil {
				out = append(out, x)
			}
		}
	}
	switch x := x.(type) {
	case *Op:
		add(x.Args...)
	case *Lift:
		add(x.X)
	case *Call:
		add(x.Fun)
		add(x.Args...)
	case *Builtin:
		add(x.Args...)
	case *Select:
		add(x.X)
	case *Index:
		add(x.X, x.Index)
	case *Part:
		add(x.X, x.Lo, x.Hi, x.Max)
	case *Composite:
		add(x.Keys...)
		add(x.Elems...)
	case *Convert:
		add(x.X)
	case *Unary:
		add(x.X)
	case *Binary:
		add(x.X, x.Y)
	}
	return out
}

// Walk calls f with an expression and all of its parts, and with the statements of literals, g.
func Walk(x Expr, f func(Expr), g func(*Func)) {
	if x == nil {
		return
	}
	f(x)
	if l, ok := x.(*Lambda); ok {
		g(l.Func)
		return
	}
	for _, p := range Parts(x) {
		Walk(p, f, g)
	}
}

// Exprs returns the expressions of a statement, but not those of the statements in it.
func Exprs(s Stmt) []Expr {
	var out []Expr
	add := func(xs ...Expr) {
		for _, x := range xs {
			if x != nil {
				out = append(out, x)
			}
		}
	}
	switch s := s.(type) {
	case *Assign:
		for _, x := range s.Left {
			if _, whole := x.(*Ref); !whole {
				add(x)
			}
		}
		add(s.Right...)
	case *Do:
		add(s.X)
	case *If:
		add(s.Cond)
	case *For:
		add(s.Cond)
	case *Range:
		add(s.X)
	case *Return:
		add(s.Results...)
	case *Fail:
		add(s.X)
	case *Choose:
		add(s.Cond)
	case *ChooseReturn:
		add(s.Cond)
	case *Repeat:
		add(s.Cond)
	case *Unroll:
		add(s.Cond, s.X)
	}
	return out
}

// Lists returns the lists of statements in a statement.
func Lists(s Stmt) [][]Stmt {
	switch s := s.(type) {
	case *Block:
		return [][]Stmt{s.Body}
	case *If:
		return [][]Stmt{s.Then, s.Else}
	case *For:
		return [][]Stmt{s.Body, s.Post}
	case *Range:
		return [][]Stmt{s.Body}
	case *Choose:
		return [][]Stmt{s.Then, s.Else}
	case *ChooseReturn:
		return [][]Stmt{s.Then, s.Else}
	case *Repeat:
		return [][]Stmt{s.Body}
	case *Unroll:
		return [][]Stmt{s.Body, s.After}
	}
	return nil
}

// Each calls f with all statements of a list, also of nested lists, but not of literals.
func Each(list []Stmt, f func(Stmt)) {
	for _, s := range list {
		f(s)
		for _, l := range Lists(s) {
			Each(l, f)
		}
	}
}

// Set is a set of variables, in the order in which they were added.
type Set struct {
	has  map[*Var]bool
	list []*Var
}

// Add adds variables.
func (s *Set) Add(vs ...*Var) {
	for _, v := range vs {
		if v == nil || s.has[v] {
			continue
		}
		if s.has == nil {
			s.has = map[*Var]bool{}
		}
		s.has[v] = true
		s.list = append(s.list, v)
	}
}

// Has reports whether a variable is in the set.
func (s *Set) Has(v *Var) bool { return s.has[v] }

// Remove removes a variable.
func (s *Set) Remove(v *Var) {
	if !s.has[v] {
		return
	}
	delete(s.has, v)
	for i, w := range s.list {
		if w == v {
			s.list = append(s.list[:i:i], s.list[i+1:]...)
		}
	}
}

// Clone returns a copy.
func (s *Set) Clone() *Set {
	c := &Set{}
	c.Add(s.list...)
	return c
}

// Len returns the number of variables.
func (s *Set) Len() int { return len(s.list) }

// uses adds the variables that an expression reads, those that literals use included.
func uses(x Expr, to *Set) {
	Walk(x, func(x Expr) {
		if r, ok := x.(*Ref); ok {
			to.Add(r.Var)
		}
	}, func(f *Func) {
		Each(f.Body, func(s Stmt) {
			for _, x := range Exprs(s) {
				uses(x, to)
			}
		})
	})
}

// Assigned returns the variables that a list assigns to and does not declare.
func Assigned(lists ...[]Stmt) []*Var {
	var set, own Set
	for _, l := range lists {
		Each(l, func(s Stmt) {
			switch s := s.(type) {
			case *Assign:
				own.Add(s.New...)
				for _, x := range s.Left {
					if x != nil {
						set.Add(Root(x))
					}
				}
			case *Declare:
				own.Add(s.Var)
			case *Range:
				own.Add(s.Key, s.Value)
			case *Unroll:
				own.Add(s.Key, s.Value)
			}
		})
	}
	for _, v := range own.list {
		set.Remove(v)
	}
	return set.list
}

// Direct returns the variables that a list assigns to where Go assigns: not those that only the branches and steps of
// Choose, ChooseReturn, Repeat and Unroll change, which have copies of their own.
func Direct(list []Stmt) *Set {
	set := &Set{}
	for _, s := range list {
		switch s := s.(type) {
		case *Assign:
			for _, x := range s.Left {
				if x != nil {
					set.Add(Root(x))
				}
			}
		case *Choose:
			set.Add(s.Vars...)
		case *ChooseReturn, *Unroll:
		case *Repeat:
			set.Add(s.Vars...)
		default:
			for _, l := range Lists(s) {
				set.Add(Direct(l).list...)
			}
		}
	}
	return set
}

// Uses reports whether Go uses a variable in a list: reads it, or takes it along into a branch or a step.
func Uses(list []Stmt, v *Var) bool {
	for _, s := range list {
		in := &Set{}
		for _, x := range Exprs(s) {
			uses(x, in)
		}
		switch s := s.(type) {
		case *Choose:
			if len(s.Vars) == 0 {
				continue
			}
			in.Add(s.Vars...)
			in.Add(s.ThenReads.list...)
			in.Add(s.ElseReads.list...)
		case *ChooseReturn:
			in.Add(s.ThenReads.list...)
			in.Add(s.ElseReads.list...)
		case *Repeat:
			if len(s.Vars) == 0 {
				continue
			}
			in.Add(s.Vars...)
			in.Add(s.Reads.list...)
		case *Unroll:
			in.Add(s.Reads.list...)
			in.Add(s.AfterReads.list...)
		case *Assign:
			for _, x := range s.Left {
				if _, whole := x.(*Ref); !whole && x != nil {
					in.Add(Root(x))
				}
			}
			if in.Has(v) {
				return true
			}
			continue
		default:
			for _, l := range Lists(s) {
				if Uses(l, v) {
					return true
				}
			}
		}
		if in.Has(v) {
			return true
		}
	}
	return false
}

// Reads returns the variables that an expression reads.
func Reads(x Expr) *Set {
	s := &Set{}
	uses(x, s)
	return s
}

// ReadsOf returns the variables that the expressions of a list read.
func ReadsOf(list []Stmt) *Set {
	s := &Set{}
	Each(list, func(t Stmt) {
		for _, x := range Exprs(t) {
			uses(x, s)
		}
	})
	return s
}
