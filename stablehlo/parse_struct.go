package stablehlo

import (
	"slices"
	"strings"

	"github.com/go-nx/nx/internal/lazy"
)

// newStructAttr returns an empty structured attribute of a dialect and mnemonic, nil if there is none.
func newStructAttr(dialect, mnemonic string) structAttr {
	make := structAttrs.Get(listStructAttrs)[[2]string{dialect, mnemonic}]
	if make == nil {
		return nil
	}
	return make()
}

var structAttrs lazy.Value[map[[2]string]func() structAttr]

func listStructAttrs() map[[2]string]func() structAttr {
	m := map[[2]string]func() structAttr{}
	for _, make := range []func() structAttr{
		func() structAttr { return new(DotDims) },
		func() structAttr { return new(GatherDims) },
		func() structAttr { return new(ScatterDims) },
		func() structAttr { return new(ConvDims) },
		func() structAttr { return new(DotAlgorithm) },
		func() structAttr { return new(RaggedDotDims) },
		func() structAttr { return new(ChannelHandle) },
		func() structAttr { return new(OutputOperandAlias) },
		func() structAttr { return new(ResultAccuracy) },
		func() structAttr { return new(AxisRef) },
		func() structAttr { return new(MeshAxis) },
		func() structAttr { return new(Mesh) },
		func() structAttr { return new(ReplicaGroupMeshAxes) },
	} {
		dialect, name := make().mnemonic()
		m[[2]string{dialect, name}] = make
	}
	return m
}

// structAttr reads the fields of a structured attribute, in any order.
func (p *parser) structAttr(a structAttr) {
	at := p.pos()
	p.expect('<', "before the fields of the attribute")
	if c, ok := a.(*ConvDims); ok && !p.acceptWord("raw") {
		p.convDims(c)
		p.expect('>', "after the dimension numbers")
		return
	}
	fields := a.fields()
	var seen uint64
	for !p.is('>') && !p.is(tokEOF) {
		i := slices.IndexFunc(fields, func(f field) bool { return p.isWord(f.name) })
		switch {
		case i < 0:
			p.fail("expected one of the fields %s, found %s", fieldNames(fields), p.shown())
			return
		case seen&(1<<i) != 0:
			p.fail("field %s is given twice", fields[i].name)
			return
		}
		seen |= 1 << i
		p.advance()
		p.expect('=', "after "+fields[i].name)
		p.field(fields[i])
		if !p.accept(',') {
			break
		}
	}
	p.expect('>', "at the end of the attribute")
	for i, f := range fields {
		if !f.optional && seen&(1<<i) == 0 {
			_, name := a.mnemonic()
			p.failAt(at, "%s lacks its field %s", name, f.name)
		}
	}
}

func fieldNames(fields []field) string {
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.name
	}
	return strings.Join(names, ", ")
}

// field reads the value of a field.
func (p *parser) field(f field) {
	switch at := f.at.(type) {
	case *[]int64:
		*at = p.dimSizes('[', ']')
	case *int64:
		*at = p.integer("an integer")
	case *bool:
		*at = p.boolInt() != 0
	case *float64:
		*at = p.float("a number")
	case *string:
		*at = p.stringLit("a string")
	case *Type:
		*at = p.typ()
	case *Attr:
		*at = p.attr()
	case *[]Attr:
		p.list('[', ']', "before the elements", func() { *at = append(*at, p.attr()) })
	case *EnumAttr:
		here := p.pos()
		e, ok := p.attr().(EnumAttr)
		if !ok {
			p.failAt(here, "expected a keyword attribute for %s", f.name)
		}
		*at = e
	case *subAxis:
		p.expect('(', "before the pre-size")
		at.PreSize = p.integer("a pre-size")
		p.expect(')', "after the pre-size")
		at.Size = p.integer("a size")
	}
}
