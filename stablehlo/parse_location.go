package stablehlo

// maxLocChain limits how many location aliases may stand one inside the other.
const maxLocChain = 4096

// locAliases holds the location aliases of a file: #loc3 = loc("x"). They may be
// used before they are defined; such uses are filled in at the end.
type locAliases struct {
	defs    map[string]*locAlias
	uses    []locUse
	current *locAlias // the definition being read
}

// locAlias is the definition of an alias.
type locAlias struct {
	loc  Location
	pos  Pos
	deps []locUse // the aliases in it
	// bare: the definition is itself an alias, so loc is known only at the end.
	bare  bool
	state locState
	chain int // the longest chain of aliases that starts here
}

type locState uint8

const (
	locNew locState = iota
	locVisiting
	locDone
)

// locUse is a slot for the location of an alias.
type locUse struct {
	slot *Location
	name string
	pos  Pos
}

// locAlias reads the definition of a location alias behind its name.
func (p *parser) locAlias(name string, at Pos) {
	if _, ok := p.locs.defs[name]; ok {
		p.failAt(at, "alias #%s is defined twice", name)
		return
	}
	def := &locAlias{pos: at}
	p.locs.current = def
	n := len(p.locs.uses)
	p.locSpec(&def.loc)
	p.locs.current = nil
	def.bare = len(p.locs.uses) > n && p.locs.uses[len(p.locs.uses)-1].slot == &def.loc
	if p.locs.defs == nil {
		p.locs.defs = map[string]*locAlias{}
	}
	p.locs.defs[name] = def
}

// useLocAlias writes the location of an alias to the slot, now or at the end.
func (p *parser) useLocAlias(u locUse) {
	if p.locs.current != nil {
		p.locs.current.deps = append(p.locs.current.deps, u)
	}
	if def := p.locs.defs[u.name]; def != nil && !def.bare {
		*u.slot = def.loc
		return
	}
	p.locs.uses = append(p.locs.uses, u)
}

// resolveLocations fills in the uses of aliases that were defined later.
func (p *parser) resolveLocations() {
	for _, def := range p.locs.defs {
		p.checkLocAlias(def, 0)
	}
	for _, u := range p.locs.uses {
		def := p.locs.defs[u.name]
		for n := 0; def != nil && def.bare && n < maxLocChain; n++ {
			def = p.locs.defs[def.deps[0].name]
		}
		if def == nil {
			p.failAt(u.pos, "location alias #%s is not defined", u.name)
			return
		}
		*u.slot = def.loc
	}
}

// checkLocAlias fails when an alias stands inside itself, or too many stand one
// inside the other.
func (p *parser) checkLocAlias(def *locAlias, level int) {
	switch {
	case def.state == locDone || p.failed():
		return
	case def.state == locVisiting:
		p.failAt(def.pos, "the location alias contains itself")
		return
	case level > maxLocChain:
		p.failAt(def.pos, "more than %d nested location aliases", maxLocChain)
		return
	}
	def.state = locVisiting
	for _, u := range def.deps {
		dep := p.locs.defs[u.name]
		if dep == nil {
			p.failAt(u.pos, "location alias #%s is not defined", u.name)
			return
		}
		p.checkLocAlias(dep, level+1)
		if def.chain = max(def.chain, dep.chain+1); def.chain > maxLocChain {
			p.failAt(def.pos, "more than %d nested location aliases", maxLocChain)
		}
	}
	def.state = locDone
}

// optLocation reads an optional loc(…) into the slots.
func (p *parser) optLocation(slots ...*Location) {
	if !p.isWord("loc") {
		return
	}
	p.locSpec(slots...)
}

// locSpec reads loc(…) into the slots.
func (p *parser) locSpec(slots ...*Location) {
	p.advance()
	p.expect('(', "after loc")
	p.loc(slots...)
	p.expect(')', "at the end of a location")
}

// location reads loc(…) as an attribute. Its aliases must be defined above and
// are written out when it is printed, so their size counts.
func (p *parser) location() Location {
	at, n := p.pos(), len(p.locs.uses)
	l := new(Location)
	p.locSpec(l)
	if len(p.locs.uses) > n {
		u := p.locs.uses[n]
		p.failAt(u.pos, "location alias #%s is used in an attribute and must be defined above", u.name)
	}
	p.spend(locSize(*l, 1<<20), at)
	return *l
}

// locSize returns about the length of a location as text, or limit when it is longer.
func locSize(l Location, limit int) int {
	const each = 16
	if limit < each {
		return limit
	}
	size := each
	part := func(l Location) { size += locSize(l, limit-size) }
	switch l := l.(type) {
	case *FileLoc:
		size += len(l.File)
	case *NameLoc:
		size += len(l.Name)
		part(l.Child)
	case *CallSiteLoc:
		part(l.Callee)
		part(l.Caller)
	case *FusedLoc:
		for _, l := range l.Locs {
			part(l)
		}
	}
	return size
}

// loc reads the text inside loc(…) into the slots. It fills the first slot immediately or at the end of the
// text.
func (p *parser) loc(slots ...*Location) {
	if !p.enter() {
		return
	}
	defer p.leave()
	var l Location
	switch {
	case p.is(tokHash):
		name, at := p.intern(p.text()[1:]), p.pos()
		p.advance()
		for _, s := range slots {
			p.useLocAlias(locUse{s, name, at})
		}
		return
	case p.is(tokString):
		l = p.stringLoc()
	case p.acceptWord("unknown"):
	case p.acceptWord("callsite"):
		c := &CallSiteLoc{}
		p.expect('(', "after callsite")
		p.loc(&c.Callee)
		p.expectWord("at", "between callee and caller")
		p.loc(&c.Caller)
		p.expect(')', "at the end of a call site")
		l = c
	case p.acceptWord("fused"):
		l = p.fusedLoc()
	default:
		p.fail("expected a location, found %s", p.shown())
	}
	for _, s := range slots {
		*s = l
	}
}

// stringLoc reads "name"(child) or "file":line:col to :col.
func (p *parser) stringLoc() Location {
	name := p.stringLit("a name")
	if !p.accept(':') {
		n := &NameLoc{Name: name}
		if p.accept('(') {
			p.loc(&n.Child)
			p.expect(')', "after the location of a name")
		}
		return n
	}
	f := &FileLoc{File: name, Line: p.lineNumber("a line number")}
	p.expect(':', "between line and column")
	f.Col = p.lineNumber("a column")
	if p.acceptWord("to") {
		f.EndLine = f.Line
		if !p.is(':') {
			f.EndLine = p.lineNumber("a line number")
		}
		p.expect(':', "before the end column")
		f.EndCol = p.lineNumber("a column")
	}
	return f
}

// lineNumber reads an integer from 0 to 1<<31-1.
func (p *parser) lineNumber(what string) int {
	at, v := p.pos(), p.integer(what)
	if v < 0 || v > 1<<31-1 {
		p.failAt(at, "expected %s below 2^31", what)
		return 0
	}
	return int(v)
}

// fusedLoc reads <metadata>[a, b] behind fused.
func (p *parser) fusedLoc() Location {
	f := &FusedLoc{}
	if p.accept('<') {
		f.Metadata = p.attr()
		p.expect('>', "after the metadata of a fused location")
	}
	type late struct{ use, part int }
	var lates []late // parts that are aliases defined later: their slots move with the slice
	p.list('[', ']', "before the parts of a fused location", func() {
		f.Locs = append(f.Locs, nil)
		slot := new(Location)
		n := len(p.locs.uses)
		p.loc(slot)
		f.Locs[len(f.Locs)-1] = *slot
		if k := len(p.locs.uses) - 1; k >= n && p.locs.uses[k].slot == slot {
			lates = append(lates, late{k, len(f.Locs) - 1})
		}
	})
	for _, l := range lates {
		p.locs.uses[l.use].slot = &f.Locs[l.part]
	}
	return f
}
