package stablehlo

import (
	"slices"
	"strings"
)

// The ops of the sdy dialect keep their shardings as text: <@mesh, [{"data"}, {}]>
// stands for #sdy.sharding<@mesh, [{"data"}, {}]>.

// sdyText reads <…> as the attribute #sdy.name<…>.
func (p *parser) sdyText(name string) Attr {
	if !p.is('<') {
		p.fail("expected \"<\", found %s", p.shown())
		return nil
	}
	text := p.balanced(p.tok.end, '>')
	p.expect('>', "at the end")
	return OpaqueAttr{Text: "sdy." + name + "<" + text + ">"}
}

// sdyText appends the <…> of the attribute #sdy.name<…>.
func (w *printer) sdyText(a Attr, name string) bool {
	o, ok := a.(OpaqueAttr)
	rest, ok1 := strings.CutPrefix(o.Text, "sdy."+name)
	if !ok || !ok1 || !strings.HasPrefix(rest, "<") {
		return false
	}
	w.text(rest)
	return true
}

// $sdy_mesh is @name = <["x"=2]>.

func (p *parser) sdyMesh(s *opParts) {
	s.attr("sym_name", StringAttr(p.symbol("the name of the mesh")))
	p.expect('=', "after the name of the mesh")
	s.attr("mesh", p.sdyText("mesh"))
	p.optAttrs(s)
}

func (w *printer) sdyMesh(op *Op) bool {
	name, ok := op.Attr("sym_name").(StringAttr)
	w.text(" ")
	w.buf = appendSymbol(w.buf, string(name))
	w.text(" = ")
	return ok && w.sdyText(op.Attr("mesh"), "mesh") && w.optAttrs(op) && len(op.Results) == 0
}

// $sdy_sharding is <@mesh, [{"data"}, {}]>.

func (p *parser) sdySharding(s *opParts) { s.attr("sharding", p.sdyText("sharding")) }

func (w *printer) sdySharding(op *Op) bool { return w.sdyText(op.Attr("sharding"), "sharding") }

// $sdy_manual is (%a) in_shardings=[<…>] out_shardings=[<…>] manual_axes={"x"}
// (%b: type) {…} : type.

func (p *parser) sdyManual(s *opParts) {
	p.list('(', ')', "after manual_computation", func() { s.operands = append(s.operands, p.operand()) })
	for _, name := range []string{"in_shardings", "out_shardings"} {
		p.expectWord(name, "after the operands")
		p.expect('=', "after "+name)
		if !p.is('[') {
			p.fail("expected a list of shardings, found %s", p.shown())
			return
		}
		text := p.balanced(p.tok.end, ']')
		p.expect(']', "after the shardings")
		s.attr(name, OpaqueAttr{Text: "sdy.sharding_per_value<[" + text + "]>"})
	}
	p.expectWord("manual_axes", "after the shardings")
	p.expect('=', "after manual_axes")
	if !p.is('{') {
		p.fail("expected a list of axes, found %s", p.shown())
		return
	}
	text := p.balanced(p.tok.end, '}')
	p.expect('}', "after the axes")
	s.attr("manual_axes", OpaqueAttr{Text: "sdy<manual_axes{" + text + "}>"})
	args := []regionArg{}
	p.list('(', ')', "before the arguments", func() {
		a := p.regionArg()
		p.expect(':', "before the type of an argument")
		a.val.typ = p.typ()
		p.optLocation(&a.val.Loc)
		args = append(args, a)
	})
	p.region(s, args)
	p.optAttrs(s)
	p.expect(':', "before the type of the operation")
	p.functionalType(s)
}

func (w *printer) sdyManual(op *Op) bool {
	if len(op.Regions) != 1 || len(op.Regions[0].Blocks) != 1 {
		return false
	}
	b := op.Regions[0].Block()
	if len(b.Args) == 0 && len(b.Ops) == 0 {
		return false
	}
	parts := []struct{ key, attr, prefix, suffix string }{
		{" in_shardings=", "in_shardings", "sdy.sharding_per_value<", ">"},
		{" out_shardings=", "out_shardings", "sdy.sharding_per_value<", ">"},
		{" manual_axes=", "manual_axes", "sdy<manual_axes", ">"},
	}
	w.text("(")
	w.values(op.Operands)
	w.text(")")
	for _, part := range parts {
		o, ok := op.Attr(part.attr).(OpaqueAttr)
		text, ok1 := strings.CutPrefix(o.Text, part.prefix)
		text, ok2 := strings.CutSuffix(text, part.suffix)
		if !ok || !ok1 || !ok2 || !strings.HasPrefix(text, "[") && !strings.HasPrefix(text, "{") {
			return false
		}
		w.text(part.key)
		w.text(text)
	}
	w.text(" (")
	mark := w.enter(op.Regions[0])
	for i, a := range b.Args {
		if i > 0 {
			w.text(", ")
		}
		w.arg(a)
	}
	w.text(") ")
	w.body(op.Regions[0])
	w.leave(mark)
	w.optAttrs(op)
	w.text(" : ")
	return w.functionalType(op)
}

// discardable reports whether an attribute is not covered by the form.
func discardable(a NamedAttr, covers []string) bool { return !slices.Contains(covers, a.Name) }
