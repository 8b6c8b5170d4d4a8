package stablehlo

import "strconv"

// scope holds the SSA names that are visible. A name is visible from its
// definition to the end of its region, regions inside included, except those of
// isolated ops (functions), which see nothing from outside.
type scope struct {
	ids   map[string]int32 // a number for each name
	names []string         // by that number
	vals  []binding        // by that number
	undo  []undoBinding
	// island numbers the isolated regions; a binding is visible when it was made
	// in the current one.
	isolated, numIsolated int32
}

// binding is the value of a name: one value, or the results of %name:2 = ….
type binding struct {
	vals     []*Value
	pos      Pos
	isolated int32
}

type undoBinding struct {
	id  int32
	old binding
}

// scopeMark is the state to return to at the end of a region.
type scopeMark struct {
	undo     int
	isolated int32
}

func (s *scope) open(isolated bool) scopeMark {
	m := scopeMark{len(s.undo), s.isolated}
	if isolated {
		s.numIsolated++
		s.isolated = s.numIsolated
	}
	return m
}

func (s *scope) close(m scopeMark) {
	for i := len(s.undo) - 1; i >= m.undo; i-- {
		s.vals[s.undo[i].id] = s.undo[i].old
	}
	s.undo = s.undo[:m.undo]
	s.isolated = m.isolated
}

// id returns the number of a name.
func (s *scope) id(name []byte) int32 {
	if id, ok := s.ids[string(name)]; ok {
		return id
	}
	id := int32(len(s.vals))
	str := string(name)
	s.ids[str] = id
	s.names = append(s.names, str)
	s.vals = append(s.vals, binding{})
	return id
}

// define binds a name, or fails when it is taken.
func (p *parser) define(id int32, at Pos, vals []*Value) {
	s := &p.scope
	old := s.vals[id]
	if old.vals != nil && old.isolated == s.isolated {
		line, _ := p.source.LineCol(old.pos)
		p.failAt(at, "%%%s is defined twice: first on line %d", s.names[id], line)
		return
	}
	s.undo = append(s.undo, undoBinding{id, old})
	s.vals[id] = binding{vals, at, s.isolated}
}

// operand is a use of a value with its position.
type operand struct {
	val *Value
	pos Pos
}

// operand reads %name or %name#1, the use of a value that is defined above.
func (p *parser) operand() operand {
	at := p.pos()
	if !p.is(tokValue) {
		p.fail("expected an operand (%%name), found %s", p.shown())
		return operand{}
	}
	name := p.text()[1:]
	var vals []*Value
	if id, ok := p.scope.ids[string(name)]; ok {
		if b := p.scope.vals[id]; b.isolated == p.scope.isolated {
			vals = b.vals
		}
	}
	p.advance()
	n := 0
	if p.is(tokHash) && byteClass[p.src[p.tok.start+1]]&clsDigit != 0 {
		n, _ = strconv.Atoi(string(p.text()[1:]))
		p.advance()
	}
	switch {
	case p.failed():
	case vals == nil:
		p.failAt(at, "%%%s is not defined before this use", name)
	case n >= len(vals):
		p.failAt(at, "%%%s stands for %d values: there is no #%d", name, len(vals), n)
	default:
		return operand{vals[n], at}
	}
	return operand{}
}

// useAs checks that a use states the type with which the value was defined.
func (p *parser) useAs(o operand, t Type) {
	if o.val != nil && t != nil && !SameType(o.val.typ, t) {
		p.failAt(o.pos, "%%%s is used as %s but was defined as %s", o.val.name, t, o.val.typ)
	}
}
