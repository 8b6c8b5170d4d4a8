package program

import (
	"fmt"
	"strings"

	"github.com/go-nx/nx/stablehlo"
)

// String returns the program as text: its nodes with the buffers they read and write, b3, and the
// types of these.
func (p *Program) String() string { return p.Text(func(Node) string { return "" }) }

// Kernels returns the program as text, kernels and bodies below their nodes.
func (p *Program) Kernels() string {
	return p.Text(func(n Node) string {
		switch n := n.(type) {
		case *Kernel:
			return n.Kernel.String()
		case *Contraction:
			return n.prologueText()
		case *Call:
			var b strings.Builder
			for _, body := range n.Bodies {
				b.WriteString(body.Kernel.String())
			}
			return b.String()
		}
		return ""
	})
}

// Text returns the program as text, with a note below each node.
func (p *Program) Text(note func(n Node) string) string {
	w := writer{p: p, note: note}
	w.block(p.Main, "")
	return w.String()
}

type writer struct {
	strings.Builder
	p    *Program
	note func(n Node) string
}

func (w *writer) block(b *Block, indent string) {
	if len(b.Args) > 0 {
		fmt.Fprintf(w, "%sargs %s\n", indent, w.names(b.Args))
	}
	for _, n := range b.Nodes {
		w.node(n, indent)
	}
	fmt.Fprintf(w, "%sreturn %s\n", indent, w.names(b.Results))
}

func (w *writer) node(n Node, indent string) {
	if parts := Parts(n); parts != nil {
		w.WriteString(indent + n.Name())
		if r, ok := n.(*RowLoop); ok {
			fmt.Fprintf(w, " %v", r.Rows)
		}
		w.WriteString(" {\n")
		w.notes(n, indent)
		for _, m := range parts {
			w.node(m, indent+"  ")
		}
		fmt.Fprintf(w, "%s}\n", indent)
		return
	}
	w.WriteString(indent)
	if outs := n.Writes(); len(outs) > 0 {
		w.WriteString(w.names(outs) + " = ")
	}
	fmt.Fprintf(w, "%s(%s)\n", n.Name(), w.names(n.Reads()))
	switch n := n.(type) {
	case *Contraction:
		w.lines(n.String(), indent)
	case *Kernel:
		w.lines(n.sliceText(), indent)
	}
	w.notes(n, indent)
	for _, inner := range n.Blocks() {
		fmt.Fprintf(w, "%s{\n", indent)
		w.block(inner, indent+"  ")
		fmt.Fprintf(w, "%s}\n", indent)
	}
}

func (w *writer) notes(n Node, indent string) { w.lines(w.note(n), indent) }

func (w *writer) lines(text, indent string) {
	for line := range strings.Lines(text) {
		w.WriteString(indent + "  " + line)
	}
}

// names lists buffers, "b1 f32[2][3], b2=b1 f32[6]", with the buffer that each is a view of, and
// whether it is a constant, local to a row loop or donated.
func (w *writer) names(bufs []int) string {
	var parts []string
	for _, i := range bufs {
		buf := &w.p.Buffers[i]
		name := fmt.Sprintf("b%d", i)
		if buf.Alias >= 0 {
			name += fmt.Sprintf("=b%d", buf.Alias)
		}
		name += " " + typeText(buf.Type)
		if buf.Data != nil {
			name += " const"
		}
		if buf.Local {
			name += " local"
		}
		if buf.Donated {
			name += " donated"
		}
		parts = append(parts, name)
	}
	return strings.Join(parts, ", ")
}

// typeText returns a type as "f32[2][3]", or as StableHLO writes it if it has more attributes.
func typeText(t *stablehlo.TensorType) string {
	if t.String() != stablehlo.Tensor(t.DType(), t.Dims...).String() {
		return t.String()
	}
	text := t.DType().String()
	for _, d := range t.Dims {
		text += fmt.Sprintf("[%d]", d)
	}
	return text
}
