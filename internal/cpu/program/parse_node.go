package program

import (
	"errors"
	"fmt"
	"strings"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/stablehlo"
)

// contraction reads a contraction, as [Contraction.String] writes it. Its op, for messages, is a
// dot_general.
func (r *reader) contraction(operands Operands, text string) *Contraction {
	n := &Contraction{Operands: operands}
	text, prologue, has := strings.Cut(text, "\n  prologue\n")
	if has {
		n.Prologue = &Body{Kernel: r.kernel(prologue), Args: len(operands.Ins) - 1, Results: 1}
	}
	for i, line := range strings.Split(strings.TrimSpace(text), "\n") {
		if line = strings.TrimSpace(line); i > 0 {
			if m, ok := strings.CutPrefix(line, "and "); ok {
				n.PrologueIns = append(n.PrologueIns, r.matrix(strings.TrimSuffix(m, "]")))
			} else if !strings.HasPrefix(line, "right computed by ") { // the prologue has the name
				n.Windows = append(n.Windows, r.window(line))
			}
			continue
		}
		var acc string
		for _, part := range []struct {
			before string
			m      *Matrix
		}{{"sums ", nil}, {" of left ", &n.Left}, {", right ", &n.Right}, {" to ", &n.Out}} {
			rest, ok := strings.CutPrefix(line, part.before)
			switch {
			case !ok:
				r.fail("expected %q at %q", part.before, line)
			case part.m == nil:
				acc, line, _ = strings.Cut(rest, " ")
				line = " " + line
			default:
				matrix, after, ok := strings.Cut(rest, "]")
				if !ok {
					r.fail("expected \"]\" at %q", rest)
				}
				*part.m, line = r.matrix(matrix), after
			}
		}
		t, err := dtype.Parse(acc)
		if err != nil || line != "" {
			r.fail("expected the type of sums and three matrices: %v %q", err, line)
		}
		n.Acc = t
	}
	var types []stablehlo.Type
	for _, b := range operands.Outs {
		types = append(types, r.p.Buffers[b].Type)
	}
	n.Op = stablehlo.NewOp(stablehlo.OpDotGeneral, nil, types)
	return n
}

// matrix reads "5 + [8:32 | 4:8 | 8:1", without the last bracket.
func (r *reader) matrix(text string) Matrix {
	var m Matrix
	offset, dims, ok := strings.Cut(text, "[")
	if offset = strings.TrimSuffix(offset, " + "); offset != "" {
		m.Offset = r.number(offset)
	}
	groups := strings.Split(dims, "|")
	if !ok || len(groups) != 3 {
		r.fail("expected a matrix at %q", text)
	}
	for i, list := range []*[]Dim{&m.Batch, &m.Rows, &m.Cols} {
		for _, d := range strings.Fields(groups[i]) {
			size, stride, _ := strings.Cut(d, ":")
			*list = append(*list, Dim{r.number(size), r.number(stride)})
		}
	}
	return m
}

// window reads a window of a convolution.
func (r *reader) window(line string) Window {
	w := Window{Dilation: 1, BaseDilation: 1}
	head, reversed := strings.CutSuffix(line, ", reversed")
	w.Reversed = reversed
	head, dilations, has := strings.Cut(head, ", dilations ")
	_, err := fmt.Sscanf(head, "window of %d:%d at %d:%d in %d:%d, step %d, low %d", &w.Taps, &w.Right, &w.Positions,
		&w.Out, &w.In, &w.Left, &w.Step, &w.Low)
	if err == nil && has {
		_, err = fmt.Sscanf(dilations, "%d and %d", &w.Dilation, &w.BaseDilation)
	}
	if err != nil {
		r.fail("a window is not valid: %v at %q", err, line)
	}
	return w
}

// call reads the lines below a call.
func (r *reader) call(operands Operands, indent int) *Call {
	n := &Call{Operands: operands}
	for len(r.lines) > 0 && r.lines[0].indent > indent {
		l := r.next()
		word, rest, _ := strings.Cut(l.text, " ")
		switch word {
		case "updates":
			n.Updates = []int{}
			for _, u := range strings.Fields(strings.Trim(rest, "[]")) {
				n.Updates = append(n.Updates, int(r.number(u)))
			}
		case "gathers":
			n.Gathers = true
		case "ordered":
			n.Ordered = true
		case "key":
			n.Keys = append(n.Keys, r.sortKey(rest))
		case "body":
			n.Bodies = append(n.Bodies, r.body(rest, r.inside(l.indent)))
		case "op":
			n.Op = r.op(r.inside(l.indent))
		default:
			r.fail("unexpected %q in a call", word)
		}
	}
	if n.Op == nil {
		r.fail("a call must have an op")
	}
	return n
}

func (r *reader) sortKey(text string) SortKey {
	var k SortKey
	var name string
	text = strings.ReplaceAll(text, ",", "")
	_, err := fmt.Sscanf(text, "of operand %d body %d type %s total %t descending %t", &k.Operand, &k.Body, &name,
		&k.Total, &k.Descending)
	if err == nil {
		k.Type, err = dtype.Parse(name)
	}
	if err != nil {
		r.fail("a key is not valid: %v at %q", err, text)
	}
	return k
}

func (r *reader) body(head, text string) *Body {
	b := &Body{Kernel: r.kernel(text)}
	head, kind, has := strings.Cut(head, " by ")
	if _, err := fmt.Sscanf(head, "of %d to %d", &b.Args, &b.Results); err != nil {
		r.fail("a body is not valid: %v at %q", err, head)
	}
	if has {
		if b.Kind = kernel.OpNamed(kind); b.Kind == kernel.Invalid {
			r.fail("unknown operation %q", kind)
		}
	}
	return b
}

// op reads the op of a call.
func (r *reader) op(text string) *stablehlo.Op {
	op, err := parseOp(text)
	if err != nil {
		r.fail("the op is not valid: %v", err)
	}
	return op
}

// parseOp reads the op of a call, the first of a function.
func parseOp(text string) (*stablehlo.Op, error) {
	m, err := stablehlo.Parse("", []byte(text))
	if err != nil {
		return nil, err
	}
	f, ok := m.Func("main")
	if !ok || f.Body() == nil || len(f.Body().Ops) != 2 {
		return nil, errors.New("expected a function @main of one op")
	}
	return f.Body().Ops[0], nil
}
