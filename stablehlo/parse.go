package stablehlo

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"strconv"
)

// Parse reads a module from text, in the pretty or the generic form or a
// mixture. A file with one top-level module is that module; functions, or
// several modules, at top level become the body of an unnamed one. Parse does
// not verify: see [Module.Verify].
//
// The error is an *[Error] with the position of the first mistake. [Module.Source] holds the text, which must
// not be changed while the module is used.
func Parse(name string, text []byte) (*Module, error) {
	return ParseSource(&Source{Name: name, Text: text})
}

// ParseContext is [Parse] until the context ends; then it returns the cause.
func ParseContext(ctx context.Context, name string, text []byte) (*Module, error) {
	return ParseSourceContext(ctx, &Source{Name: name, Text: text})
}

// ParseSource is [Parse] of a source, one cut by [Split] for example.
func ParseSource(s *Source) (*Module, error) { return ParseSourceContext(context.Background(), s) }

// ParseSourceContext is [ParseSource] until the context ends; then it returns the cause.
func ParseSourceContext(ctx context.Context, s *Source) (*Module, error) {
	if what := foreignText(s.Text); what != "" {
		return nil, &Error{Source: s, Diagnostics: []Diagnostic{{Pos: 1, Message: what}}}
	}
	p := newParser(s)
	p.ctx = ctx
	m := p.module()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if p.failed() {
		return nil, p.err()
	}
	m.Source = s
	return m, nil
}

// ParseType reads one type: "tensor<2x?xf32>".
func ParseType(text string) (Type, error) {
	p := newParser(&Source{Text: []byte(text)})
	t := p.typ()
	p.end()
	if p.failed() {
		return nil, p.err()
	}
	return t, nil
}

// ParseAttr reads one attribute: "dense<0> : tensor<4xi32>".
func ParseAttr(text string) (Attr, error) {
	p := newParser(&Source{Text: []byte(text)})
	a := p.attr()
	p.end()
	if p.failed() {
		return nil, p.err()
	}
	return a, nil
}

// maxNesting limits the nesting of regions, types, attributes and locations, so
// that no text makes the parser, or a walk over what it built, recurse deeply.
const maxNesting = 200

// parser reads a source by recursive descent with one token of lookahead. The first error sticks: the parser
// then behaves as at the end of the text, so that every loop ends, and results built after it are dropped.
type parser struct {
	lexer
	tok    token
	last   int // the end of the token before
	source *Source
	diag   *Diagnostic // the first error
	depth  int
	tokens int             // read so far
	ctx    context.Context // of the call, or nil

	strings     map[string]string      // names and keywords, each allocated once
	types       map[string]alias[Type] // types by their text
	attrAliases map[string]alias[Attr]
	typeAliases map[string]alias[Type]
	expanded    int // bytes of text that the uses of aliases stand for
	locs        locAliases
	blobs       map[string][]blobUse // constants that wait for their resource
	scope       scope
	freeParts   []*opParts
}

func newParser(s *Source) *parser {
	p := &parser{
		lexer:   lexer{src: s.Text},
		source:  s,
		strings: map[string]string{},
		types:   map[string]alias[Type]{},
	}
	p.scope.ids = map[string]int32{}
	if bytes.HasPrefix(s.Text, byteOrderMark) {
		p.off = len(byteOrderMark)
	}
	p.advance()
	return p
}

func (p *parser) failed() bool { return p.diag != nil }

func (p *parser) err() error {
	return &Error{Source: p.source, Diagnostics: []Diagnostic{*p.diag}}
}

// fail reports an error at the current token.
//
//go:noinline
func (p *parser) fail(format string, args ...any) { p.failAt(p.pos(), format, args...) }

// failAt reports an error, unless there is one, and ends the text.
func (p *parser) failAt(at Pos, format string, args ...any) {
	if p.diag == nil {
		p.diag = &Diagnostic{Pos: at, Message: fmt.Sprintf(format, args...)}
	}
	p.off = len(p.src)
	p.tok = token{tokEOF, len(p.src), len(p.src)}
}

// pos returns the position of the current token.
func (p *parser) pos() Pos { return Pos(p.tok.start + 1) }

// advance moves to the next token.
func (p *parser) advance() {
	p.last = p.tok.end
	p.tok = p.next()
	if p.tokens++; p.tokens&1023 == 0 && p.ctx != nil && p.ctx.Err() != nil {
		p.fail("stopped") // ParseContext returns the cause
	}
	if p.bad != "" {
		p.failAt(Pos(p.badOff+1), "%s", p.bad)
	}
}

// seek moves to the first token at or after the offset.
func (p *parser) seek(off int) {
	if !p.failed() {
		p.off = off
		p.advance()
	}
}

// text returns the bytes of the current token.
func (p *parser) text() []byte { return p.src[p.tok.start:p.tok.end] }

// shown describes the current token for a message.
func (p *parser) shown() string {
	if p.tok.kind == tokEOF {
		return "the end of the text"
	}
	return fmt.Sprintf("%q", clip(string(p.text()), 40))
}

func (p *parser) is(k tokenKind) bool { return p.tok.kind == k }

// accept moves over a token of kind k and reports whether there was one.
func (p *parser) accept(k tokenKind) bool {
	if p.tok.kind != k {
		return false
	}
	p.advance()
	return true
}

// expect consumes a token of kind k, or fails; where describes its context.
func (p *parser) expect(k tokenKind, where string) {
	if !p.accept(k) {
		p.missing("%s %s", k, where)
	}
}

// missing reports that something else was expected: behind the last token when
// the current one is on another line.
func (p *parser) missing(format string, args ...any) {
	at := p.pos()
	if bytes.IndexByte(p.src[min(p.last, p.tok.start):p.tok.start], '\n') >= 0 {
		at = Pos(p.last + 1)
	}
	p.failAt(at, "expected %s, found %s", fmt.Sprintf(format, args...), p.shown())
}

// isWord reports whether the current token is the identifier w.
func (p *parser) isWord(w string) bool {
	return p.tok.kind == tokIdent && string(p.text()) == w
}

func (p *parser) acceptWord(w string) bool {
	if !p.isWord(w) {
		return false
	}
	p.advance()
	return true
}

func (p *parser) expectWord(w, where string) {
	if !p.acceptWord(w) {
		p.missing("%q %s", w, where)
	}
}

// end fails unless the text ends here.
func (p *parser) end() {
	if !p.is(tokEOF) {
		p.fail("unexpected %s after the end", p.shown())
	}
}

// enter counts a level of nesting; every enter has its leave.
func (p *parser) enter() bool {
	p.depth++
	if p.depth > maxNesting {
		p.fail("nested more than %d levels deep", maxNesting)
		return false
	}
	return true
}

func (p *parser) leave() { p.depth-- }

// list reads items between the brackets open and close, separated by commas.
func (p *parser) list(open, close tokenKind, where string, item func()) {
	p.expect(open, where)
	if p.accept(close) {
		return
	}
	for {
		item()
		if !p.accept(',') {
			break
		}
	}
	p.expect(close, where)
}

// intern returns the bytes as a string, the same one for the same bytes.
func (p *parser) intern(b []byte) string {
	if s, ok := p.strings[string(b)]; ok {
		return s
	}
	s := string(b)
	p.strings[s] = s
	return s
}

// word returns the identifier at the current token and moves over it.
func (p *parser) word(what string) string {
	if !p.is(tokIdent) {
		p.fail("expected %s, found %s", what, p.shown())
		return ""
	}
	s := p.intern(p.text())
	p.advance()
	return s
}

// integer reads a signed 64-bit integer.
func (p *parser) integer(what string) int64 {
	at, neg := p.pos(), p.accept('-')
	if !p.is(tokInt) {
		p.fail("expected %s, found %s", what, p.shown())
		return 0
	}
	u, ok := parseUint(p.text())
	v := int64(u)
	if neg {
		v = -v
	}
	if !ok || u > 1<<63 || !neg && u == 1<<63 {
		p.failAt(at, "integer %s does not fit in 64 bits", clip(string(p.src[at-1:p.tok.end]), 40))
		return 0
	}
	p.advance()
	return v
}

// ints reads [1, -2].
func (p *parser) ints(where string) []int64 {
	out := []int64{}
	p.list('[', ']', where, func() { out = append(out, p.integer("an integer")) })
	return out
}

// parseUint reads decimal digits or 0x and hexadecimal digits.
func parseUint(b []byte) (u uint64, ok bool) {
	if len(b) > 2 && b[1] == 'x' {
		for _, c := range b[2:] {
			if u>>60 != 0 {
				return 0, false
			}
			u = u<<4 | uint64(hexDigit(c))
		}
		return u, true
	}
	for _, c := range b {
		d := uint64(c - '0')
		if u > (math.MaxUint64-d)/10 {
			return 0, false
		}
		u = u*10 + d
	}
	return u, len(b) > 0
}

// float reads a signed number with a point, or a hexadecimal one of 64 bits.
func (p *parser) float(what string) float64 {
	neg := p.accept('-')
	if !p.is(tokFloat) && !p.is(tokInt) {
		p.fail("expected %s, found %s", what, p.shown())
		return 0
	}
	var v float64
	switch t := p.text(); {
	case len(t) > 2 && t[1] == 'x':
		u, ok := parseUint(t)
		if !ok {
			p.fail("%s does not fit in 64 bits", p.shown())
		}
		v = math.Float64frombits(u)
	default:
		var err error
		if v, err = strconv.ParseFloat(string(t), 64); err != nil {
			p.fail("number %s is out of range", p.shown())
		}
	}
	p.advance()
	if neg {
		return -v
	}
	return v
}

// hexDigit returns the value of a hexadecimal digit, or 16 and more.
func hexDigit(c byte) byte {
	switch {
	case c-'0' < 10:
		return c - '0'
	case c|0x20-'a' < 6:
		return c | 0x20 - 'a' + 10
	}
	return 255
}

// stringLit reads a string literal.
func (p *parser) stringLit(what string) string {
	if !p.is(tokString) {
		p.fail("expected %s, found %s", what, p.shown())
		return ""
	}
	s := p.unquote(p.tok.start, p.text())
	p.advance()
	return s
}

// unquote decodes a literal that starts at the offset: \" \\ \n \t and \XX of
// two hexadecimal digits.
func (p *parser) unquote(off int, lit []byte) string {
	body := lit[1 : len(lit)-1]
	var out []byte
	done := 0
	for i := 0; i < len(body); i++ {
		if body[i] != '\\' {
			continue
		}
		out = append(out, body[done:i]...)
		c := body[i+1]
		switch {
		case c == '"' || c == '\\':
			out = append(out, c)
		case c == 'n':
			out = append(out, '\n')
		case c == 't':
			out = append(out, '\t')
		case i+2 < len(body) && hexDigit(c) < 16 && hexDigit(body[i+2]) < 16:
			out = append(out, hexDigit(c)<<4|hexDigit(body[i+2]))
			i++
		default:
			p.failAt(Pos(off+i+2), `unknown escape in a string: use \" \\ \n \t or two hexadecimal digits`)
			return ""
		}
		i++
		done = i + 1
	}
	if out == nil && len(body) <= 64 {
		return p.intern(body)
	}
	return string(append(out, body[done:]...))
}

// symbol reads @name or @"name".
func (p *parser) symbol(what string) string {
	if !p.is(tokSymbol) {
		p.fail("expected %s (@name), found %s", what, p.shown())
		return ""
	}
	t := p.text()
	var s string
	if t[1] == '"' {
		s = p.unquote(p.tok.start+1, t[1:])
	} else {
		s = p.intern(t[1:])
	}
	p.advance()
	return s
}

// String names the kind for messages.
func (k tokenKind) String() string {
	switch k {
	case tokEOF:
		return "the end of the text"
	case tokIdent:
		return "a word"
	case tokValue:
		return "a value (%name)"
	case tokSymbol:
		return "a symbol (@name)"
	case tokBlock:
		return "a block (^name)"
	case tokInt:
		return "an integer"
	case tokFloat:
		return "a number"
	case tokString:
		return "a string"
	case tokArrow:
		return `"->"`
	case tokMetaOpen:
		return `"{-#"`
	case tokMetaClose:
		return `"#-}"`
	}
	return fmt.Sprintf("%q", string(rune(k)))
}
