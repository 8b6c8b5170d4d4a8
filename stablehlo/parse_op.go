package stablehlo

import (
	"bytes"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// module reads a whole file.
func (p *parser) module() *Module {
	m := NewModule("")
	mark := p.scope.open(true)
	for !p.is(tokEOF) {
		switch {
		case p.is(tokHash):
			p.attrAlias()
		case p.is(tokBang):
			p.typeAlias()
		case p.is(tokMetaOpen):
			p.resources()
		default:
			p.op(m.Body())
		}
	}
	p.scope.close(mark)
	p.missingBlobs()
	p.resolveLocations()
	if ops := m.Body().Ops; len(ops) == 1 && ops[0].Code == OpModule {
		ops[0].block = nil
		m.Op = ops[0]
	}
	return m
}

// opParts collects the parts of an op while it is read. The slices are reused between ops; the op gets copies
// of the right size.
type opParts struct {
	op       *Op
	info     *OpInfo
	operands []operand
	types    []Type // of the operands
	results  []Type
	attrs    []NamedAttr
}

func (p *parser) newParts() *opParts {
	if n := len(p.freeParts); n > 0 {
		s := p.freeParts[n-1]
		p.freeParts = p.freeParts[:n-1]
		return s
	}
	return &opParts{}
}

func (p *parser) release(s *opParts) {
	clear(s.attrs)
	*s = opParts{operands: s.operands[:0], types: s.types[:0], results: s.results[:0], attrs: s.attrs[:0]}
	p.freeParts = append(p.freeParts, s)
}

// attr adds an attribute.
func (s *opParts) attr(name string, v Attr) {
	s.attrs = append(s.attrs, NamedAttr{name, v})
}

// resultName is a name on the left of an op: %a or %a:2.
type resultName struct {
	id    int32
	count int
	pos   Pos
}

// op reads one op with its results and location and appends it to b.
func (p *parser) op(b *Block) {
	var buf [4]resultName
	names := p.resultNames(buf[:0])
	s := p.newParts()
	s.op = &Op{pos: p.pos()}
	switch p.tok.kind {
	case tokString:
		p.genericOp(s)
	case tokIdent:
		p.prettyOp(s)
	default:
		p.fail("expected an operation, found %s", p.shown())
	}
	p.optLocation(&s.op.Loc)
	if p.failed() {
		return
	}
	p.finish(s)
	p.nameResults(s.op, names)
	b.Append(s.op)
	p.release(s)
}

func (p *parser) resultNames(names []resultName) []resultName {
	if !p.is(tokValue) {
		return names
	}
	for {
		r := resultName{count: 1, pos: p.pos()}
		if !p.is(tokValue) {
			p.fail("expected the name of a result (%%name), found %s", p.shown())
			return names
		}
		r.id = p.scope.id(p.text()[1:])
		p.advance()
		if p.accept(':') {
			at := p.pos()
			n := p.integer("the number of results")
			if n < 1 || n > 1<<20 {
				p.failAt(at, "expected a positive number of results")
				return names
			}
			r.count = int(n)
		}
		names = append(names, r)
		if !p.accept(',') {
			break
		}
	}
	p.expect('=', "after the names of the results")
	return names
}

// nameResults binds the names on the left to the results of op.
func (p *parser) nameResults(op *Op, names []resultName) {
	if len(names) == 0 {
		return
	}
	total := 0
	for _, r := range names {
		total += r.count
	}
	if total != len(op.Results) {
		p.failAt(names[0].pos, "%s has %d results but %d are named", op.Name(), len(op.Results), total)
		return
	}
	i := 0
	for _, r := range names {
		vals, name := op.Results[i:i+r.count], p.scope.names[r.id]
		if r.count == 1 {
			vals[0].name = name
		} else {
			for k, v := range vals {
				v.name = name + "#" + strconv.Itoa(k)
			}
		}
		p.define(r.id, r.pos, vals)
		i += r.count
	}
}

// finish builds the op from its parts.
func (p *parser) finish(s *opParts) {
	op := s.op
	if len(s.operands) != len(s.types) {
		p.failAt(op.pos, "%s has %d operands but %d operand types", op.Name(), len(s.operands), len(s.types))
		return
	}
	op.makeOperands(len(s.operands))
	for i, o := range s.operands {
		p.useAs(o, s.types[i])
		op.Operands[i] = o.val
	}
	op.setResults(s.results)
	op.Attrs = p.sorted(s.attrs, op.pos, nil)
}

// sorted returns the attributes ordered by name in a new slice, nil for an empty list, and fails when a name
// occurs twice.
func (p *parser) sorted(attrs []NamedAttr, at Pos, dst []NamedAttr) []NamedAttr {
	if len(attrs) == 0 {
		return dst
	}
	byName := func(a, b NamedAttr) int { return strings.Compare(a.Name, b.Name) }
	if !slices.IsSortedFunc(attrs, byName) {
		sort.SliceStable(attrs, func(i, j int) bool { return attrs[i].Name < attrs[j].Name })
	}
	for i := 1; i < len(attrs); i++ {
		if attrs[i].Name == attrs[i-1].Name {
			p.failAt(at, "attribute %q is given twice", attrs[i].Name)
		}
	}
	return append(dst, attrs...)
}

// closedDialects are the dialects whose ops are all in the table.
var closedDialects = [...]string{"stablehlo", "chlo", "check", "interpreter"}

// setName returns the op the code of a full name.
func (p *parser) setName(s *opParts, name []byte) {
	s.op.Code = LookupOp(string(name))
	if mnemonic, ok := bytes.CutPrefix(name, []byte("mhlo.")); ok {
		s.op.Code = OpOfMHLO(string(mnemonic))
	}
	s.info = s.op.Code.Info()
	if s.op.Code != Unregistered {
		return
	}
	s.op.name = p.intern(name)
	dialect, mnemonic, _ := strings.Cut(s.op.name, ".")
	switch {
	case dialect == "vhlo":
		p.fail("%s: the serialised form of StableHLO (VHLO) is not read: convert it to StableHLO first", s.op.name)
	case slices.Contains(closedDialects[:], dialect):
		p.fail("%s has no operation %s", dialect, mnemonic)
	}
}

// genericOp reads "name"(%a) <{props}> ({regions}) {attrs} : (types) -> types.
func (p *parser) genericOp(s *opParts) {
	lit := p.text()
	name := lit[1 : len(lit)-1]
	if bytes.IndexByte(name, '\\') >= 0 {
		name = []byte(p.unquote(p.tok.start, lit))
	}
	if len(name) == 0 {
		p.fail("an operation needs a name")
		return
	}
	p.setName(s, name)
	p.advance()
	p.genericRest(s)
}

// genericRest reads the generic form behind the name.
func (p *parser) genericRest(s *opParts) {
	p.list('(', ')', "before the operands", func() { s.operands = append(s.operands, p.operand()) })
	if p.is('[') {
		p.fail("successor blocks are not supported: StableHLO has structured control flow only")
	}
	if p.accept('<') {
		p.attrDict(s)
		p.expect('>', "after the properties")
	}
	if p.is('(') {
		p.list('(', ')', "before the regions", func() { p.region(s, nil) })
	}
	if p.is('{') {
		p.attrDict(s)
	}
	p.expect(':', "before the type of the operation")
	p.functionalType(s)
	if s.op.Code == OpModule && len(s.op.Regions) == 1 && len(s.op.Regions[0].Blocks) == 0 {
		s.op.Regions[0].AddBlock()
	}
}

// functionalType reads (operand types) -> result types.
func (p *parser) functionalType(s *opParts) {
	s.types = p.typeList(s.types, "before the operand types")
	p.expect(tokArrow, "in the type of the operation")
	s.results = p.resultTypes(s.results)
}

// attrDict reads {a = 1, b} into the attributes of the op.
func (p *parser) attrDict(s *opParts) {
	p.list('{', '}', "before attributes", func() {
		s.attrs = append(s.attrs, p.namedAttr())
	})
}

// regionArg is an argument of a block before its block is known.
type regionArg struct {
	val *Value
	id  int32
	pos Pos
}

// regionArg reads %name, without its type.
func (p *parser) regionArg() regionArg {
	if !p.is(tokValue) {
		p.fail("expected the name of an argument (%%name), found %s", p.shown())
		return regionArg{val: &Value{}}
	}
	id := p.scope.id(p.text()[1:])
	a := regionArg{&Value{name: p.scope.names[id]}, id, p.pos()}
	p.advance()
	return a
}

// addArg adds an argument to a block and binds its name.
func (p *parser) addArg(b *Block, a regionArg) {
	a.val.block, a.val.index = b, len(b.Args)
	b.Args = append(b.Args, a.val)
	if !p.failed() {
		p.define(a.id, a.pos, []*Value{a.val})
	}
}

// region reads a region of the op. With args it has a first block with these
// arguments, as in the pretty forms that name them outside the braces.
func (p *parser) region(s *opParts, args []regionArg) {
	r := &Region{parent: s.op}
	s.op.Regions = append(s.op.Regions, r)
	if !p.enter() {
		return
	}
	mark := p.scope.open(s.info.Traits&Isolated != 0)
	p.expect('{', "at the start of a region")
	var b *Block
	if len(args) > 0 {
		b = r.AddBlock()
		for _, a := range args {
			p.addArg(b, a)
		}
	}
	for !p.is('}') && !p.is(tokEOF) {
		if p.is(tokBlock) {
			b = p.blockHeader(r)
			continue
		}
		if b == nil {
			b = r.AddBlock()
		}
		p.op(b)
	}
	p.expect('}', "at the end of a region")
	p.scope.close(mark)
	p.leave()
}

// blockHeader reads ^bb0(%a: type loc(…), …): and starts the block.
func (p *parser) blockHeader(r *Region) *Block {
	b := r.AddBlock()
	p.advance()
	if p.is('(') {
		p.list('(', ')', "before block arguments", func() {
			a := p.regionArg()
			p.expect(':', "before the type of a block argument")
			a.val.typ = p.typ()
			p.optLocation(&a.val.Loc)
			p.addArg(b, a)
		})
	}
	p.expect(':', "after a block name")
	return b
}
