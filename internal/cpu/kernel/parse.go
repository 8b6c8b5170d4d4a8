package kernel

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/go-nx/nx/dtype"
)

// Parse reads the text of a kernel, as [Kernel.String] writes it. Lines that start with "//" are
// comments. It reports the first mistake with its line; [Kernel.Verify] checks the meaning.
func Parse(text string) (k *Kernel, err error) {
	p := &parser{}
	for i, line := range strings.Split(text, "\n") {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "//") {
			p.lines = append(p.lines, sourceLine{i + 1, line})
		}
	}
	defer func() {
		if e, ok := recover().(syntaxError); ok {
			k, err = nil, fmt.Errorf("line %d: %s", p.at, e)
		}
	}()
	return p.kernel(), nil
}

type sourceLine struct {
	number int
	text   string
}

// parser reads line by line; rest is the unread part of the current line. Mistakes are panics of
// syntaxError.
type parser struct {
	lines []sourceLine
	at    int
	rest  string
}

type syntaxError string

//go:noinline
func (p *parser) fail(format string, args ...any) {
	panic(syntaxError(fmt.Sprintf(format, args...)))
}

// next moves to the next line if that starts with the word.
func (p *parser) next(word string) bool {
	if len(p.lines) == 0 || !strings.HasPrefix(p.lines[0].text, word) {
		return false
	}
	p.at, p.rest = p.lines[0].number, strings.TrimPrefix(p.lines[0].text, word)
	p.lines = p.lines[1:]
	return true
}

// accept skips a token if it comes next, with the spaces around it.
func (p *parser) accept(token string) bool {
	rest, ok := strings.CutPrefix(strings.TrimLeft(p.rest, " "), token)
	if ok {
		p.rest = strings.TrimLeft(rest, " ")
	}
	return ok
}

func (p *parser) expect(token string) {
	if !p.accept(token) {
		p.fail("expected %q at %q", token, p.rest)
	}
}

// word reads up to one of the characters of stop.
func (p *parser) word(stop string) string {
	p.rest = strings.TrimLeft(p.rest, " ")
	n := strings.IndexAny(p.rest, stop)
	if n < 0 {
		n = len(p.rest)
	}
	w := p.rest[:n]
	p.rest = p.rest[n:]
	return w
}

func (p *parser) int() int64 {
	w := p.word(" ,;:[]()<%=")
	v, err := strconv.ParseInt(w, 10, 64)
	if err != nil {
		p.fail("%q is not a number", w)
	}
	return v
}

func (p *parser) nonNegative() int {
	v := p.int()
	if v < 0 || v > math.MaxInt32 {
		p.fail("%d is out of range", v)
	}
	return int(v)
}

func (p *parser) value() Value {
	p.expect("%")
	return Value(p.nonNegative())
}

func (p *parser) dtype() dtype.Type {
	w := p.word(" ,[")
	t, err := dtype.Parse(w)
	if err != nil {
		p.fail("%v", err)
	}
	return t
}

func (p *parser) end() {
	if strings.TrimSpace(p.rest) != "" {
		p.fail("unexpected %q", p.rest)
	}
}

func (p *parser) kernel() *Kernel {
	k := &Kernel{}
	if !p.next("kernel ") {
		p.fail("a kernel must start with %q", "kernel")
	}
	k.Name = p.word(" ")
	k.Dims = p.sizes()
	if p.accept("reduces") {
		reduced := p.sizes()
		k.NumReduced = len(reduced)
		if n := len(k.Dims) - len(reduced); n < 0 || !slices.Equal(k.Dims[n:], reduced) {
			p.fail("reduced sizes %v must be the last of %v", reduced, k.Dims)
		}
	}
	k.Flush = p.accept("flushes")
	p.end()
	if p.next("over ") {
		for p.rest != "" {
			t := p.dtype()
			p.expect("[")
			k.Params = append(k.Params, Param{t, p.int()})
			p.expect("]")
			if !p.accept(",") {
				break
			}
		}
		p.end()
	}
	k.Body = p.body()
	for p.next("store ") {
		v, t, at := p.store()
		k.Stores = append(k.Stores, Store{v, t, at})
	}
	for p.next("reduce") {
		k.Reduces = append(k.Reduces, p.reduction())
	}
	if len(p.lines) > 0 {
		p.next("")
		p.fail("unexpected %q", p.rest)
	}
	return k
}

// sizes reads "[4 5]".
func (p *parser) sizes() []int64 {
	out := []int64{}
	for p.expect("["); !p.accept("]"); {
		out = append(out, p.int())
	}
	return out
}

func (p *parser) store() (Value, dtype.Type, Access) {
	p.expect("p")
	at := Access{Param: p.nonNegative()}
	p.access(&at)
	p.expect("=")
	v := p.value()
	p.expect(":")
	t := p.dtype()
	p.end()
	return v, t, at
}

// form reads "[5; 30, 1]".
func (p *parser) form() (offset int64, strides []int64) {
	strides = []int64{}
	p.expect("[")
	if p.accept("]") {
		return 0, strides
	}
	n := p.int()
	if p.accept(";") {
		offset = n
		if p.accept("]") {
			return offset, strides
		}
		n = p.int()
	}
	for strides = append(strides, n); p.accept(","); {
		strides = append(strides, p.int())
	}
	p.expect("]")
	return offset, strides
}

func (p *parser) access(a *Access) {
	a.Offset, a.Strides = p.form()
	for p.accept("+") {
		l := Lookup{Stride: p.int()}
		p.expect("*")
		p.expect("clamp(")
		l.Index = p.value()
		p.expect(",")
		l.Limit = p.int()
		p.expect(")")
		a.Lookups = append(a.Lookups, l)
	}
	if !p.accept("where") {
		return
	}
	for {
		var g Guard
		g.Offset, g.Strides = p.form()
		p.expect("<")
		g.Size = p.int()
		a.Guards = append(a.Guards, g)
		if !p.accept("and") {
			break
		}
	}
	p.expect("else")
	a.Fill = p.value()
}

func (p *parser) body() Body {
	var b Body
	for p.next("%") {
		if n := p.nonNegative(); n != len(b.Instrs) {
			p.fail("value %%%d must be defined as %%%d", n, len(b.Instrs))
		}
		p.expect("=")
		b.Add(p.instr())
		p.end()
	}
	return b
}

func (p *parser) instr() Instr {
	name := p.word(" ")
	in := Instr{Op: OpNamed(name)}
	if in.Op == Invalid {
		p.fail("unknown operation %q", name)
	}
	number := ""
	switch in.Op {
	case Const:
		number = strings.TrimSpace(p.word(":"))
	case Load:
		p.expect("p")
		in.At = &Access{Param: p.nonNegative()}
		p.access(in.At)
	case Index:
		in.At = &Access{Param: -1}
		p.access(in.At)
	case Arg:
		in.Arg = p.nonNegative()
	case Call, Call2:
		in.Func = p.word(" ")
	case ReducePrecision:
		p.expect("e")
		w := p.word("m")
		n, err := strconv.Atoi(w)
		if err != nil {
			p.fail("%q is not a number", w)
		}
		in.ExponentBits = n
		p.expect("m")
		in.MantissaBits = p.nonNegative()
	}
	for i := range in.Op.NumArgs() {
		if i > 0 {
			p.expect(",")
		}
		in.Args[i] = p.value()
	}
	p.expect(":")
	in.Type = p.dtype()
	if p.accept("→") {
		in.From = in.Type
		in.Type = p.dtype()
	} else if rows[in.Op].fields&hasFrom != 0 {
		in.From = in.Type
	}
	if in.Op == Const {
		in.Bits = p.number(in.Type, number)
	}
	return in
}

// number returns the bits of a constant.
func (p *parser) number(t dtype.Type, text string) [2]uint64 {
	if !t.IsValid() || NeedsRound(t) {
		p.fail("a constant must have a register type, got %s", t)
	}
	if words, ok := strings.CutPrefix(text, "bits "); ok {
		var bits [2]uint64
		fields := strings.Fields(words)
		if len(fields) != len(bits) {
			p.fail("the bits of a constant must be two words")
		}
		for i, w := range fields {
			v, err := strconv.ParseUint(w, 0, 64)
			if err != nil {
				p.fail("%v", err)
			}
			bits[i] = v
		}
		return bits
	}
	bits, err := constBits(t, text)
	if err != nil {
		p.fail("%q is not a constant of type %s", text, t)
	}
	return bits
}

func (p *parser) reduction() Reduction {
	var r Reduction
	if p.accept("arg") {
		name := p.word(" ")
		if r.ArgMinMax.Op = OpNamed(name); r.ArgMinMax.Op != Max && r.ArgMinMax.Op != Min {
			p.fail("there is no reduction %q", "arg"+name)
		}
	} else if !strings.HasPrefix(strings.TrimLeft(p.rest, " "), "%") {
		name := p.word(" ")
		if r.Kind = OpNamed(name); !IsReducer(r.Kind) {
			p.fail("unknown reduction %q", name)
		}
	}
	for {
		r.Values = append(r.Values, p.value())
		p.expect("from")
		p.expect("p")
		at := Access{Param: p.nonNegative()}
		p.access(&at)
		r.Inits = append(r.Inits, at)
		if !p.accept(",") {
			break
		}
	}
	p.end()
	if r.Kind == Invalid {
		r.Combine = p.body()
	}
	for range r.Values {
		if !p.next("store ") {
			p.fail("a reduction of %d values must have %d results", len(r.Values), len(r.Values))
		}
		v, t, at := p.store()
		r.Results, r.Types, r.At = append(r.Results, v), append(r.Types, t), append(r.At, at)
	}
	if r.Kind != Invalid {
		r.Combine, _ = ReduceBy(r.Kind, r.Types[0])
	}
	if r.ArgMinMax.Op != Invalid {
		if found, ok := ArgMinMaxOf(&r); ok && found.Op == r.ArgMinMax.Op {
			r.ArgMinMax = found
		}
	}
	return r
}
