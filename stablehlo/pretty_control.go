package stablehlo

import (
	"slices"

	"github.com/go-nx/nx/dtype"
)

// $constant is the value with its type, which is the type of the result; otherwise the generic form without
// quotes.

func (p *parser) constant(s *opParts) {
	if p.is('(') {
		p.genericRest(s)
		return
	}
	p.optAttrs(s)
	at := p.pos()
	a := p.attr()
	e, ok := a.(*ElementsAttr)
	if !ok {
		p.failAt(at, "expected a dense constant")
		return
	}
	s.attr("value", a)
	s.results = append(s.results, e.Type)
}

func (w *printer) constant(op *Op) bool {
	e, ok := op.Attr("value").(*ElementsAttr)
	if !ok || len(op.Results) != 1 {
		return false
	}
	if !SameType(e.Type, op.Results[0].typ) {
		w.genericRest(op)
		return true
	}
	w.optAttrs(op)
	w.text(" ")
	w.committed(func() { w.attr(e) })
	return true
}

// $regions is an optional list of regions in parentheses.

func (p *parser) compositeRegions(s *opParts) {
	if p.is('(') {
		p.list('(', ')', "before the regions", func() { p.region(s, nil) })
	}
}

func (w *printer) compositeRegions(op *Op) bool {
	if len(op.Regions) > 0 {
		w.text(" (")
		w.committed(func() { w.regions(op.Regions) })
		w.text(")")
	}
	return true
}

// $reduce is (%a init: %b), … across dimensions = [0] : type followed by the region, or the name of its only
// op before "across".

func (p *parser) reduce(s *opParts) {
	var inits []operand
	for p.accept('(') {
		s.operands = append(s.operands, p.operand())
		p.expectWord("init", "after an input")
		p.expect(':', "after init")
		inits = append(inits, p.operand())
		p.expect(')', "after an initial value")
		if !p.accept(',') {
			break
		}
	}
	s.operands = append(s.operands, inits...)
	var inner OpCode
	innerAt := p.pos()
	if p.acceptWord("applies") {
		innerAt = p.pos()
		inner = p.innerOp()
	}
	p.expectWord("across", "after the operands")
	p.expectWord("dimensions", "after across")
	p.expect('=', "after dimensions")
	s.attr("dimensions", IntsAttr{dtype.S64, p.ints("before dimensions")})
	p.optAttrs(s)
	p.expect(':', "before the type of the operation")
	p.functionalType(s)
	if p.failed() {
		return
	}
	if inner != Unregistered {
		p.appliedRegion(s, inner, innerAt)
		return
	}
	p.expectWord("reducer", "before the region")
	p.region(s, p.reducerArgs())
}

// innerOp reads the name of the op that a reduction applies.
func (p *parser) innerOp() OpCode {
	at := p.pos()
	var name string
	if p.is(tokString) {
		name = p.stringLit("an operation")
	} else {
		name = p.word("an operation")
	}
	code := LookupOp(name)
	if !hasShortForm(code) {
		p.failAt(at, "%s cannot be applied by its name: only commutative operations of two operands can", name)
	}
	return code
}

// hasShortForm reports whether a region of only this op has a short form.
func hasShortForm(code OpCode) bool {
	info := code.Info()
	return info.Traits&Commutative != 0 && info.Dialect() == "stablehlo" &&
		len(info.Operands) == 2 && len(info.Results) == 1 && len(info.Regions) == 0
}

// appliedRegion builds the region of a short form. Its locations are that of the op.
func (p *parser) appliedRegion(s *opParts, code OpCode, at Pos) {
	if len(s.types) == 0 {
		p.failAt(at, "a reduction needs an input")
		return
	}
	t := &TensorType{Dims: []int64{}, Elem: elemOf(s.types[0])}
	b := s.op.AddRegion(t, t)
	inner := b.Append(NewOp(code, []*Value{b.Args[0], b.Args[1]}, []Type{t}))
	ret := b.Append(NewOp(OpReturn, []*Value{inner.Result()}, nil))
	inner.pos, ret.pos = at, at
	p.optLocation(&s.op.Loc, &inner.Loc, &ret.Loc, &b.Args[0].Loc, &b.Args[1].Loc)
}

// reducerArgs reads (%a: type, %b: type) for each input: its element and the
// accumulator, which stand in two groups in the region.
func (p *parser) reducerArgs() []regionArg {
	args, accs := []regionArg{}, []regionArg{}
	one := func() regionArg {
		a := p.regionArg()
		p.expect(':', "before the type of an argument")
		a.val.typ = p.typ()
		p.optLocation(&a.val.Loc)
		return a
	}
	for p.accept('(') {
		args = append(args, one())
		p.expect(',', "between the arguments of a reducer")
		accs = append(accs, one())
		p.expect(')', "after the arguments of a reducer")
	}
	return append(args, accs...)
}

func (w *printer) reduce(op *Op) bool {
	n := len(op.Operands) / 2
	dims, ok := op.Attr("dimensions").(IntsAttr)
	if !ok || dims.Elem != dtype.S64 || n == 0 || len(op.Operands)%2 != 0 || len(op.Regions) != 1 ||
		len(op.Regions[0].Blocks) != 1 {
		return false
	}
	b := op.Regions[0].Block()
	inner := w.applied(op, b)
	if inner == nil && len(b.Args) != 2*n {
		return false
	}
	for i := range n {
		w.text("(")
		w.value(op.Operands[i])
		w.text(" init: ")
		w.value(op.Operands[n+i])
		w.text(")")
		if i+1 < n {
			w.text(", ")
		}
	}
	if inner != nil {
		w.text(" applies ")
		w.text(inner.Name())
	}
	w.text(" across dimensions = ")
	w.ints(dims.Values)
	w.optAttrs(op)
	w.text(" : ")
	w.functionalType(op)
	if inner != nil {
		return true
	}
	w.newline()
	w.text(" reducer")
	defer w.leave(w.enter(op.Regions[0]))
	for i := range n {
		w.text("(")
		w.arg(b.Args[i])
		w.text(", ")
		w.arg(b.Args[n+i])
		w.text(") ")
	}
	w.text(" ")
	w.body(op.Regions[0])
	return true
}

// applied returns the only op of a reduction's region when its name can stand
// for the region, else nil.
func (w *printer) applied(op *Op, b *Block) *Op {
	if len(b.Args) != 2 || len(b.Ops) != 2 {
		return nil
	}
	inner, ret := b.Ops[0], b.Ops[1]
	if !hasShortForm(inner.Code) || len(inner.Attrs)+len(inner.Regions) > 0 || !slices.Equal(inner.Operands, b.Args) ||
		len(inner.Results) != 1 || ret.Code != OpReturn || len(ret.Attrs)+len(ret.Regions)+len(ret.Results) > 0 ||
		!slices.Equal(ret.Operands, inner.Results) {
		return nil
	}
	t := &TensorType{Elem: elemOf(op.Operands[0].typ)}
	if !sameTyped(b.Args, t) || !sameTyped(inner.Results, t) {
		return nil
	}
	if w.opts.Locations { // the short form has one location for all
		for _, l := range []Location{inner.Loc, ret.Loc, b.Args[0].Loc, b.Args[1].Loc} {
			if w.locs.id(l) != w.locs.id(op.Loc) {
				return nil
			}
		}
	}
	return inner
}

// $while is (%arg = %init, …) : types attributes {…} cond {…} do {…}; both
// regions have the same arguments.

func (p *parser) while(s *opParts) {
	at := p.pos()
	var names []regionArg
	p.list('(', ')', "after while", func() {
		names = append(names, p.regionArg())
		p.expect('=', "between an argument and its initial value")
		s.operands = append(s.operands, p.operand())
	})
	if len(names) > 0 {
		p.expect(':', "before the types of the operands")
		s.types = p.types1(s.types)
	}
	if len(s.types) != len(names) {
		p.failAt(at, "while has %d operands but %d types", len(names), len(s.types))
	}
	if p.failed() {
		return
	}
	s.results = append(s.results, s.types...)
	p.keywordAttrs(s)
	for _, word := range []string{"cond", "do"} {
		p.expectWord(word, "in a while")
		args := make([]regionArg, len(names))
		for i, n := range names {
			args[i] = regionArg{&Value{name: n.val.name, typ: s.types[i]}, n.id, n.pos}
		}
		p.region(s, args)
	}
}

func (w *printer) while(op *Op) bool {
	if len(op.Regions) != 2 || !slices.EqualFunc(op.Operands, op.Results, sameValueType) {
		return false
	}
	for _, r := range op.Regions {
		if len(r.Blocks) != 1 || !slices.EqualFunc(r.Block().Args, op.Operands, sameValueType) {
			return false
		}
		if w.opts.Locations && slices.ContainsFunc(r.Block().Args, func(a *Value) bool { return a.Loc != nil }) {
			return false
		}
	}
	cond, body := op.Regions[0], op.Regions[1]
	if len(op.Operands) == 0 && (len(cond.Block().Ops) == 0 || len(body.Block().Ops) == 0) {
		return false
	}
	mark := w.enter(body)
	w.text("(")
	for i, a := range body.Block().Args {
		if i > 0 {
			w.text(", ")
		}
		w.define(a)
		w.value(a)
		w.shareName(a, cond.Block().Args[i])
		w.text(" = ")
		w.value(op.Operands[i])
	}
	w.text(")")
	if len(op.Operands) > 0 {
		w.text(" : ")
		w.typeList(op.Operands)
	}
	w.keywordAttrs(op)
	w.newline()
	w.text("cond ")
	inner := w.names.open(false)
	w.body(cond)
	w.names.close(inner)
	w.text(" do ")
	w.body(body)
	w.leave(mark)
	return true
}

func sameValueType(a, b *Value) bool { return SameType(a.typ, b.typ) }

// $scan is (%inputs) inits (%carries) dimension=0 attributes {…} {…} : type.

func (p *parser) scan(s *opParts) {
	at := p.pos()
	p.list('(', ')', "after scan", func() { s.operands = append(s.operands, p.operand()) })
	inputs := int64(len(s.operands))
	p.expectWord("inits", "after the inputs")
	p.list('(', ')', "after inits", func() { s.operands = append(s.operands, p.operand()) })
	carries := int64(len(s.operands)) - inputs
	p.expectWord("dimension", "after the initial values")
	p.expect('=', "after dimension")
	s.attr("dimension", I64(p.integer("a dimension")))
	p.keywordAttrs(s)
	p.region(s, nil)
	p.expect(':', "before the type of the operation")
	p.functionalType(s)
	outputs := int64(len(s.results)) - carries
	if outputs < 0 {
		p.failAt(at, "a scan with %d initial values has at least as many results, not %d", carries, len(s.results))
	}
	s.attr("operandSegmentSizes", IntsAttr{dtype.S32, []int64{inputs, carries}})
	s.attr("resultSegmentSizes", IntsAttr{dtype.S32, []int64{outputs, carries}})
}

func (w *printer) scan(op *Op) bool {
	in, ok1 := op.Attr("operandSegmentSizes").(IntsAttr)
	out, ok2 := op.Attr("resultSegmentSizes").(IntsAttr)
	dim, ok3 := op.Attr("dimension").(IntAttr)
	if !ok1 || !ok2 || !ok3 || len(in.Values) != 2 || len(out.Values) != 2 || in.Elem != dtype.S32 ||
		out.Elem != dtype.S32 ||
		dim.Type != Type(Scalar(dtype.S64)) || len(op.Regions) != 1 || in.Values[1] != out.Values[1] ||
		!sums(in.Values, len(op.Operands)) || !sums(out.Values, len(op.Results)) {
		return false
	}
	n := in.Values[0]
	w.text("(")
	w.values(op.Operands[:n])
	w.text(") inits (")
	w.values(op.Operands[n:])
	w.text(") dimension=")
	w.buf = appendInt(w.buf, dim.Value, dim.Type)
	w.keywordAttrs(op)
	w.text(" ")
	w.committed(func() { w.region(op.Regions[0], true) })
	w.text(" : ")
	return w.functionalType(op)
}

// sums reports whether two sizes are a division of n.
func sums(sizes []int64, n int) bool {
	return sizes[0] >= 0 && sizes[1] >= 0 && sizes[0] <= int64(n) && sizes[0]+sizes[1] == int64(n)
}
