package stablehlo

import (
	"bytes"
	"fmt"
	"strings"
	"sync/atomic"
)

// format is the pretty form of an op, compiled from its line in formats.
type format struct {
	steps   []step
	covers  []string // attributes that have their own position in the form
	regions bool     // the form shows the regions
}

// step is one element of a form.
type step struct {
	kind stepKind
	text string    // of a literal, or the name of a directive
	toks []literal // of a literal
	spec *AttrSpec
	dir  *directive
	sub  []step // of a group
}

type stepKind uint8

const (
	stepLiteral   stepKind = iota
	stepOperand            // %
	stepRest               // %*
	stepRestThen           // %,*
	stepAttr               // $[name]
	stepDirective          // $name
	stepGroup              // ?(…)
)

// parser returns the function that parses a directive.
func (s *step) parser() func(*parser, *opParts) { return parsers.Get(listParsers)[s.text] }

// literal is a token that the parser expects.
type literal struct {
	kind tokenKind
	word string
}

// directive is a piece of syntax, with a function to print it; parsers has the one to parse it.
type directive struct {
	covers   []string // the attributes it shows
	operands bool     // it shows all operands
	regions  bool     // it shows the regions
	// print appends the syntax and reports whether it represents its part of the op completely; if not, the op
	// is printed in the generic form.
	print func(*printer, *Op) bool
}

// forms holds the compiled forms by op, genericOnly for those without one, nil for those not used yet.
var forms [numOps]atomic.Pointer[format]

var genericOnly = &format{}

// formOf returns the pretty form of an op, nil if it has the generic form only.
func formOf(code OpCode) *format {
	f := forms[code].Load()
	if f == nil {
		f = newForm(code)
		forms[code].Store(f)
	}
	if f == genericOnly {
		return nil
	}
	return f
}

func newForm(code OpCode) *format {
	text := formats[code]
	if text == "" {
		text = familyFormat(code)
	}
	if text == "" {
		return genericOnly
	}
	f := &format{}
	f.steps = f.compile(code, text)
	return f
}

// compile cuts a line of formats into steps. A mistake in the table panics; a
// test compiles all.
func (f *format) compile(code OpCode, text string) (steps []step) {
	bad := func(what string) {
		panic(fmt.Sprintf("stablehlo: form of %s: %s at %q", code, what, text))
	}
	for text != "" {
		var s step
		switch {
		case strings.HasPrefix(text, "%,*"):
			s, text = step{kind: stepRestThen}, text[3:]
		case strings.HasPrefix(text, "%*"):
			s, text = step{kind: stepRest}, text[2:]
		case text[0] == '%':
			s, text = step{kind: stepOperand}, text[1:]
		case strings.HasPrefix(text, "$["):
			name, rest, _ := strings.Cut(text[2:], "]")
			s = step{kind: stepAttr, spec: code.Info().Attr(name)}
			if s.spec == nil {
				bad("no such attribute")
			}
			f.covers = append(f.covers, name)
			text = rest
		case strings.HasPrefix(text, "?("):
			end := groupEnd(text)
			s = step{kind: stepGroup, sub: f.compile(code, text[2:end])}
			text = text[end+1:]
		case text[0] == '$':
			n := 1
			for n < len(text) && byteClass[text[n]]&clsLetter != 0 {
				n++
			}
			d, ok := directives.Get(listDirectives)[text[1:n]]
			if !ok {
				bad("no such directive")
			}
			s, text = step{kind: stepDirective, text: text[1:n], dir: &d}, text[n:]
			f.covers = append(f.covers, d.covers...)
			f.regions = f.regions || d.regions
		default:
			n := strings.IndexAny(text[1:], "%$?") + 1
			if n == 0 {
				n = len(text)
			}
			s, text = step{kind: stepLiteral, text: text[:n], toks: literals(text[:n])}, text[n:]
		}
		steps = append(steps, s)
	}
	return steps
}

// groupEnd returns the offset of the ")" that ends the group text starts with.
func groupEnd(text string) int {
	depth := 0
	for i, c := range text {
		switch c {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	panic(fmt.Sprintf("stablehlo: group without end: %q", text))
}

func literals(text string) (toks []literal) {
	l := lexer{src: []byte(text)}
	for t := l.next(); t.kind != tokEOF; t = l.next() {
		toks = append(toks, literal{t.kind, text[t.start:t.end]})
	}
	return toks
}

// prettyOp reads an op whose name is a word.
func (p *parser) prettyOp(s *opParts) {
	name := p.text()
	switch string(name) {
	case "module":
		name = []byte("builtin.module")
	case "return":
		name = []byte("func.return")
	case "call":
		name = []byte("func.call")
	}
	p.setName(s, name)
	if bytes.HasPrefix(name, []byte("mhlo.")) && p.prettyMHLO(s) {
		return
	}
	if s.op.Code == Unregistered { // unless setName has a better message
		p.fail("unknown operation %s: only registered operations have a pretty form; write \"%s\"(…)",
			name, name)
		return
	}
	f := formOf(s.op.Code)
	if f == nil {
		p.fail("%s has no pretty form: write \"%s\"(…)", name, name)
		return
	}
	p.advance()
	p.steps(f.steps, s)
}

func (p *parser) steps(steps []step, s *opParts) {
	for i := range steps {
		if p.failed() {
			return
		}
		switch st := &steps[i]; st.kind {
		case stepLiteral:
			for _, t := range st.toks {
				p.literal(t)
			}
		case stepOperand:
			s.operands = append(s.operands, p.operand())
		case stepRest:
			p.operands(s)
		case stepRestThen:
			for p.is(tokValue) {
				s.operands = append(s.operands, p.operand())
				p.expect(',', "after an operand")
			}
		case stepAttr:
			s.attr(st.spec.Name, p.bareAttr(st.spec))
		case stepDirective:
			st.parser()(p, s)
		case stepGroup:
			if p.isLiteral(st.sub[0].toks[0]) {
				p.steps(st.sub, s)
			}
		}
	}
}

func (p *parser) isLiteral(t literal) bool {
	return p.is(t.kind) && (t.kind != tokIdent || p.isWord(t.word))
}

func (p *parser) literal(t literal) {
	if !p.isLiteral(t) {
		p.missing("%q", t.word)
		return
	}
	p.advance()
}

// operands reads %a, %b; the list may be empty.
func (p *parser) operands(s *opParts) {
	if !p.is(tokValue) {
		return
	}
	for {
		s.operands = append(s.operands, p.operand())
		if !p.accept(',') {
			return
		}
	}
}

// print appends the pretty form of op behind its name; false when the op has
// parts that the form cannot show.
func (f *format) print(w *printer, op *Op) bool {
	n := 0
	return w.steps(f.steps, op, &n) && n == len(op.Operands)
}

// steps appends the elements of a form; *n counts the operands shown.
func (w *printer) steps(steps []step, op *Op, n *int) bool {
	for i := range steps {
		ok := true
		switch st := &steps[i]; st.kind {
		case stepLiteral:
			w.literal(st.text)
		case stepOperand:
			if ok = *n < len(op.Operands); ok {
				w.value(op.Operands[*n])
				*n++
			}
		case stepRest:
			w.values(op.Operands[*n:])
			*n = len(op.Operands)
		case stepRestThen:
			for ; *n < len(op.Operands); *n++ {
				w.literal(" ")
				w.value(op.Operands[*n])
				w.text(",")
			}
		case stepAttr:
			ok = w.bareAttr(st.spec, op.Attr(st.spec.Name))
		case stepDirective:
			if ok = st.dir.print(w, op); st.dir.operands {
				*n = len(op.Operands)
			}
		case stepGroup:
			spec := groupAttr(st.sub)
			if a := op.Attr(spec.Name); a != nil && !spec.isDefault(a) {
				ok = w.steps(st.sub, op, n)
			}
		}
		if !ok {
			return false
		}
	}
	return true
}

// groupAttr returns the attribute whose presence prints a group.
func groupAttr(steps []step) *AttrSpec {
	for i := range steps {
		if steps[i].kind == stepAttr {
			return steps[i].spec
		}
	}
	panic("stablehlo: group without attribute")
}

// isDefault reports whether a is what an absent attribute means.
func (s *AttrSpec) isDefault(a Attr) bool { return s.Default != nil && SameAttr(s.Default, a) }
