package stablehlo

import "slices"

// $module is module @name attributes {…} {…}.

func (p *parser) moduleOp(s *opParts) {
	p.visibility(s)
	if p.is(tokSymbol) {
		s.attr("sym_name", StringAttr(p.symbol("a name")))
	}
	p.keywordAttrs(s)
	p.region(s, nil)
	if r := s.op.Regions[0]; len(r.Blocks) == 0 {
		r.AddBlock()
	}
}

// visibility reads public, private or nested.
func (p *parser) visibility(s *opParts) {
	if p.isWord("public") || p.isWord("private") || p.isWord("nested") {
		s.attr("sym_visibility", StringAttr(p.word("a visibility")))
	}
}

// keywordAttrs reads attributes {…}.
func (p *parser) keywordAttrs(s *opParts) {
	if p.acceptWord("attributes") {
		p.attrDict(s)
	}
}

func (w *printer) moduleOp(op *Op) bool {
	if len(op.Regions) != 1 || len(op.Regions[0].Blocks) != 1 || len(op.Regions[0].Block().Args) > 0 ||
		len(op.Operands)+len(op.Results) > 0 || !w.visibility(op) {
		return false
	}
	if a := op.Attr("sym_name"); a != nil {
		name, ok := a.(StringAttr)
		if !ok {
			return false
		}
		w.text(" ")
		w.buf = appendSymbol(w.buf, string(name))
	}
	w.keywordAttrs(op)
	w.text(" ")
	w.region(op.Regions[0], false)
	return true
}

// visibility appends the visibility of a symbol, or reports one without a word.
func (w *printer) visibility(op *Op) bool {
	a := op.Attr("sym_visibility")
	if a == nil {
		return true
	}
	v, ok := a.(StringAttr)
	w.text(" ")
	w.text(string(v))
	return ok && (v == "public" || v == "private" || v == "nested")
}

func (w *printer) keywordAttrs(op *Op) {
	mark := len(w.buf)
	w.text(" attributes")
	before := len(w.buf)
	w.attrDict(op, formOf(op.Code).covers)
	if len(w.buf) == before {
		w.buf = w.buf[:mark]
	}
}

// $func is func.func public @f(%a: type {attrs}, …) -> (type {attrs}, …)
// attributes {…} {…}; without a body a declaration.

func (p *parser) funcOp(s *opParts) {
	p.visibility(s)
	s.attr("sym_name", StringAttr(p.symbol("the name of the function")))
	t := &FuncType{}
	var args []regionArg
	var argAttrs, resAttrs ArrayAttr
	at, named := p.pos(), 0
	p.list('(', ')', "before the arguments", func() {
		a := regionArg{val: &Value{}}
		if p.is(tokValue) {
			named++
			a = p.regionArg()
			p.expect(':', "before the type of an argument")
		}
		a.val.typ = p.typ()
		t.Ins = append(t.Ins, a.val.typ)
		argAttrs = append(argAttrs, p.optDict())
		p.optLocation(&a.val.Loc)
		args = append(args, a)
	})
	if p.accept(tokArrow) {
		t.Outs, resAttrs = p.funcResults()
	}
	if named > 0 && named < len(args) {
		p.failAt(at, "arguments with and without names")
	}
	p.keywordAttrs(s)
	s.attr("function_type", TypeAttr{t})
	s.dictList("arg_attrs", argAttrs)
	s.dictList("res_attrs", resAttrs)
	if !p.is('{') {
		s.op.Regions = append(s.op.Regions, &Region{parent: s.op})
		return
	}
	if named < len(args) {
		p.failAt(at, "the arguments of a function with a body need names")
	}
	body := p.pos()
	p.region(s, args)
	switch r := s.op.Regions[0]; {
	case p.failed():
	case len(r.Blocks) == 0 || len(r.Blocks[0].Ops) == 0 && len(args) == 0 && len(r.Blocks) == 1:
		p.failAt(body, "the body of a function is not empty: it ends in return")
	}
}

// optDict reads an optional {…} as a dictionary.
func (p *parser) optDict() Attr {
	if p.is('{') {
		return p.dictAttr()
	}
	return DictAttr{}
}

// funcResults reads one type or (type {attrs}, …).
func (p *parser) funcResults() (types []Type, attrs ArrayAttr) {
	if !p.is('(') {
		return []Type{p.typ()}, nil
	}
	p.list('(', ')', "before the result types", func() {
		types = append(types, p.typ())
		attrs = append(attrs, p.optDict())
	})
	return types, attrs
}

// dictList adds a list of dictionaries unless all are empty.
func (s *opParts) dictList(name string, dicts ArrayAttr) {
	for _, d := range dicts {
		if d, ok := d.(DictAttr); ok && len(d) > 0 {
			s.attr(name, dicts)
			return
		}
	}
}

func (w *printer) funcOp(op *Op) bool {
	t, _ := op.Attr("function_type").(TypeAttr)
	f, ok := t.Type.(*FuncType)
	name, named := op.Attr("sym_name").(StringAttr)
	argAttrs, ok1 := dictsOf(op, "arg_attrs")
	resAttrs, ok2 := dictsOf(op, "res_attrs")
	if !ok || !named || !ok1 || !ok2 || len(op.Regions) != 1 || len(op.Operands)+len(op.Results) > 0 ||
		argAttrs != nil && len(argAttrs) != len(f.Ins) || resAttrs != nil && len(resAttrs) != len(f.Outs) ||
		!w.visibility(op) {
		return false
	}
	var args []*Value
	body := op.Regions[0].Block()
	if body != nil {
		args = body.Args
		if len(body.Ops) == 0 || len(op.Regions[0].Blocks) > 1 || !slices.EqualFunc(args, f.Ins, hasType) {
			return false
		}
		defer w.leave(w.enter(op.Regions[0]))
	}
	w.text(" ")
	w.buf = appendSymbol(w.buf, string(name))
	w.text("(")
	for i, t := range f.Ins {
		if i > 0 {
			w.text(", ")
		}
		if body != nil {
			w.define(args[i])
			w.value(args[i])
			w.text(": ")
		}
		w.typ(t)
		w.dictOf(argAttrs, i)
		if body != nil {
			w.optLocation(args[i].Loc)
		}
	}
	w.text(")")
	w.funcResults(f.Outs, resAttrs)
	w.keywordAttrs(op)
	if body != nil {
		w.text(" ")
		w.body(op.Regions[0])
	}
	return true
}

func hasType(v *Value, t Type) bool { return SameType(v.typ, t) }

// dictsOf returns an attribute that is a list of dictionaries; nil when it is absent.
func dictsOf(op *Op, name string) (list ArrayAttr, ok bool) {
	a := op.Attr(name)
	if a == nil {
		return nil, true
	}
	list, ok = a.(ArrayAttr)
	empty := true
	for _, d := range list {
		d, isDict := d.(DictAttr)
		ok = ok && isDict
		empty = empty && len(d) == 0
	}
	return list, ok && !empty // a list of empty ones has only the generic form
}

func (w *printer) dictOf(list ArrayAttr, i int) {
	if list == nil {
		return
	}
	if d := list[i].(DictAttr); len(d) > 0 {
		w.text(" ")
		w.attr(d)
	}
}

func (w *printer) funcResults(types []Type, attrs ArrayAttr) {
	if len(types) == 0 {
		return
	}
	w.text(" -> ")
	if len(types) == 1 && !isFuncType(types[0]) && (attrs == nil || len(attrs[0].(DictAttr)) == 0) {
		w.typ(types[0])
		return
	}
	w.text("(")
	for i, t := range types {
		if i > 0 {
			w.text(", ")
		}
		w.typ(t)
		w.dictOf(attrs, i)
	}
	w.text(")")
}
