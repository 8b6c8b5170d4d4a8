package program

import (
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/stablehlo"
)

// Parse reads the text of a program, as [Program.Listing] writes it: indentation marks nesting. It
// reports the first mistake with its line; [Program.Verify] checks the meaning. Buffers whose
// numbers do not occur in the text are scalars.
func Parse(text string) (p *Program, err error) {
	r := &reader{p: &Program{}, known: map[int]bool{}}
	for i, line := range strings.Split(text, "\n") {
		if rest := strings.TrimLeft(line, " "); rest != "" {
			r.lines = append(r.lines, sourceLine{i + 1, len(line) - len(rest), rest})
		}
	}
	defer func() {
		if e, ok := recover().(syntaxError); ok {
			p, err = nil, fmt.Errorf("line %d: %s", r.at, e)
		}
	}()
	r.p.Main = r.block(0)
	for r.more(0) {
		r.constant(r.next())
	}
	if len(r.lines) > 0 {
		r.fail("unexpected %q", r.next().text)
	}
	for i := range r.p.Buffers {
		if !r.known[i] {
			r.p.Buffers[i] = Buffer{Type: stablehlo.Tensor(dtype.F32), Alias: -1}
		}
	}
	return r.p, nil
}

type sourceLine struct {
	number, indent int
	text           string
}

// reader reads line by line. Mistakes are panics of syntaxError.
type reader struct {
	p     *Program
	known map[int]bool // buffers that have occurred in the text
	lines []sourceLine
	at    int
}

type syntaxError string

func (r *reader) fail(format string, args ...any) { panic(syntaxError(fmt.Sprintf(format, args...))) }

// more reports whether the next line has this indent.
func (r *reader) more(indent int) bool { return len(r.lines) > 0 && r.lines[0].indent == indent }

// next returns the next line and moves on.
func (r *reader) next() sourceLine {
	if len(r.lines) == 0 {
		r.fail("unexpected end of the text")
	}
	l := r.lines[0]
	r.at, r.lines = l.number, r.lines[1:]
	return l
}

// accept moves past the next line if it is text.
func (r *reader) accept(indent int, text string) bool {
	ok := r.more(indent) && strings.TrimRight(r.lines[0].text, " ") == text
	if ok {
		r.next()
	}
	return ok
}

// inside returns the lines indented further than indent, as a text.
func (r *reader) inside(indent int) string {
	var b strings.Builder
	for len(r.lines) > 0 && r.lines[0].indent > indent {
		l := r.next()
		fmt.Fprintf(&b, "%*s%s\n", l.indent-indent, "", l.text)
	}
	return b.String()
}

// block reads nodes up to the return.
func (r *reader) block(indent int) *Block {
	b := &Block{}
	if r.more(indent) && strings.HasPrefix(r.lines[0].text, "args ") {
		b.Args = r.buffers(strings.TrimPrefix(r.next().text, "args "))
	}
	for {
		if !r.more(indent) {
			r.fail("a block must end with return")
		}
		if rest, ok := strings.CutPrefix(r.lines[0].text, "return"); ok && (rest == "" || rest[0] == ' ') {
			r.next()
			b.Results = r.buffers(rest)
			return b
		}
		b.Nodes = append(b.Nodes, r.node(indent))
	}
}

// node reads a node with the lines below it.
func (r *reader) node(indent int) Node {
	l := r.next()
	switch head, isRowLoop := strings.CutPrefix(l.text, "row loop ["); {
	case isRowLoop:
		n := &RowLoop{}
		dims, ok := strings.CutSuffix(head, "] {")
		if !ok {
			r.fail("expected \"row loop [sizes] {\"")
		}
		for _, d := range strings.Fields(dims) {
			n.Rows = append(n.Rows, r.number(d))
		}
		n.Steps = r.parts(indent)
		return n
	case l.text == "parallel group {":
		return &ParallelGroup{r.parts(indent)}
	}
	outs, head, ok := strings.Cut(l.text, " = ")
	if !ok {
		outs, head = "", l.text
	}
	name, ins, ok := strings.Cut(head, "(")
	ins, closed := strings.CutSuffix(ins, ")")
	if !ok || !closed {
		r.fail("expected \"results = node(operands)\" at %q", l.text)
	}
	operands := Operands{r.buffers(ins), r.buffers(outs)}
	kind, _, _ := strings.Cut(name, " ")
	switch kind {
	case "kernel":
		n := &Kernel{Operands: operands}
		for len(r.lines) > 0 && r.lines[0].indent > indent && strings.HasPrefix(r.lines[0].text, "slice ") {
			n.Slices = append(n.Slices, r.slice(strings.TrimPrefix(r.next().text, "slice ")))
		}
		n.Kernel = r.kernel(r.inside(indent))
		return n
	case "contraction":
		return r.contraction(operands, r.inside(indent))
	case "loop":
		cond := r.braces(indent)
		return &Loop{operands, cond, r.braces(indent)}
	case "branch":
		n := &Branch{Operands: operands}
		for r.more(indent) && r.lines[0].text == "{" {
			n.Arms = append(n.Arms, r.braces(indent))
		}
		return n
	}
	return r.call(operands, indent)
}

// parts reads the nodes of a row loop or a parallel group up to the brace.
func (r *reader) parts(indent int) (list []Node) {
	for !r.accept(indent, "}") {
		if !r.more(indent + 2) {
			r.fail("expected a node or \"}\"")
		}
		list = append(list, r.node(indent+2))
	}
	return list
}

// braces reads a block in braces.
func (r *reader) braces(indent int) *Block {
	if !r.accept(indent, "{") {
		r.fail("expected a block in braces")
	}
	b := r.block(indent + 2)
	if !r.accept(indent, "}") {
		r.fail("expected \"}\"")
	}
	return b
}

func (r *reader) kernel(text string) *kernel.Kernel {
	k, err := kernel.Parse(text)
	if err != nil {
		r.fail("the kernel is not valid: %v", err)
	}
	return k
}

func (r *reader) number(text string) int64 {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		r.fail("%q is not a number", text)
	}
	return n
}

// maxBuffers bounds the numbers of buffers.
const maxBuffers = 1 << 20

// buffers reads "b1 f32[2][3], b2=b1 f32[6]".
func (r *reader) buffers(text string) []int {
	var out []int
	for text = strings.TrimSpace(text); text != ""; {
		part := text
		if i := separator(text); i >= 0 {
			part, text = text[:i], text[i+2:]
		} else {
			text = ""
		}
		out = append(out, r.buffer(part))
	}
	return out
}

// separator returns the index of the first ", " outside of brackets, -1 if there is none.
func separator(text string) int {
	depth := 0
	for i, c := range text {
		switch c {
		case '<', '[', '{':
			depth++
		case '>', ']', '}':
			depth--
		case ',':
			if depth == 0 && strings.HasPrefix(text[i:], ", ") {
				return i
			}
		}
	}
	return -1
}

// buffer reads one buffer, which must be the same wherever it occurs.
func (r *reader) buffer(text string) int {
	name, rest, _ := strings.Cut(text, " ")
	name, view, isView := strings.Cut(name, "=")
	b := Buffer{Alias: -1}
	if isView {
		b.Alias = r.bufferNumber(view)
	}
	i := r.bufferNumber(name)
	typ := rest
	for {
		before, flag, ok := cutLast(typ)
		switch {
		case ok && flag == "const":
			b.Data = []byte{}
		case ok && flag == "local":
			b.Local = true
		case ok && flag == "donated":
			b.Donated = true
		default:
			b.Type = r.tensorType(typ)
			r.note(i, &b)
			return i
		}
		typ = before
	}
}

// cutLast cuts a text before its last word.
func cutLast(text string) (before, word string, ok bool) {
	i := strings.LastIndexByte(text, ' ')
	if i < 0 {
		return text, "", false
	}
	return text[:i], text[i+1:], true
}

func (r *reader) bufferNumber(name string) int {
	digits, ok := strings.CutPrefix(name, "b")
	i, err := strconv.Atoi(digits)
	if !ok || err != nil || i < 0 || i >= maxBuffers {
		r.fail("%q is not a buffer", name)
	}
	return i
}

// tensorType reads a type.
func (r *reader) tensorType(text string) *stablehlo.TensorType {
	t, err := parseType(text)
	if err != nil {
		r.fail("%v", err)
	}
	return t
}

// parseType reads "f32[2][3]" or, for types with more attributes, "tensor<…>".
func parseType(text string) (*stablehlo.TensorType, error) {
	if strings.HasPrefix(text, "tensor<") {
		t, err := stablehlo.ParseType(text)
		tensor, ok := t.(*stablehlo.TensorType)
		if err != nil || !ok {
			return nil, fmt.Errorf("%q is not a tensor type", text)
		}
		return tensor, nil
	}
	elem, rest, hasDims := strings.Cut(text, "[")
	t, err := dtype.Parse(elem)
	if err != nil {
		return nil, err
	}
	if !hasDims {
		return stablehlo.Tensor(t), nil
	}
	rest, ok := strings.CutSuffix(rest, "]")
	if !ok {
		return nil, fmt.Errorf("expected \"]\" at %q", text)
	}
	var dims []int64
	for _, d := range strings.Split(rest, "][") {
		n, err := strconv.ParseInt(d, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("%q is not a number", d)
		}
		dims = append(dims, n)
	}
	return stablehlo.Tensor(t, dims...), nil
}

// note records a buffer, or compares it with an earlier occurrence.
func (r *reader) note(i int, b *Buffer) {
	for len(r.p.Buffers) <= i {
		r.p.Buffers = append(r.p.Buffers, Buffer{Alias: -1})
	}
	if !r.known[i] {
		r.known[i] = true
		r.p.Buffers[i] = *b
		return
	}
	a := &r.p.Buffers[i]
	if a.Type.String() != b.Type.String() || a.Alias != b.Alias || (a.Data == nil) != (b.Data == nil) ||
		a.Local != b.Local || a.Donated != b.Donated {
		r.fail("b%d must be declared the same everywhere", i)
	}
}

// constant reads the contents of a buffer.
func (r *reader) constant(l sourceLine) {
	name, digits, ok := strings.Cut(l.text, " = 0x")
	if !ok {
		r.fail("expected a constant at %q", l.text)
	}
	data, err := hex.DecodeString(strings.TrimSpace(digits))
	if err != nil {
		r.fail("the contents are not valid: %v", err)
	}
	i := r.buffer(name)
	if r.p.Buffers[i].Data == nil {
		r.fail("b%d is not a constant", i)
	}
	r.p.Buffers[i].Data = data
}
