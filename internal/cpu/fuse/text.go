package fuse

import (
	"fmt"
	"strings"
)

// Name returns the name of the step for messages.
func (s *Step) Name() string {
	if s.Kernel != nil {
		return "kernel " + s.Kernel.Name
	}
	return s.Op.Name()
}

// String returns the program as text: its steps with the buffers they read and
// write, b3, and the types of these.
func (p *Program) String() string { return p.Text(func(*Step) string { return "" }) }

// Text returns the program as text, with a note below each step.
func (p *Program) Text(note func(s *Step) string) string {
	var b strings.Builder
	p.Main.write(&b, p, "", note)
	return b.String()
}

// Kernels returns the kernels of the program as text, each after the step that
// runs it.
func (p *Program) Kernels() string {
	return p.Text(func(s *Step) string {
		if s.Kernel == nil {
			return ""
		}
		return s.Kernel.String()
	})
}

func (bl *Block) write(b *strings.Builder, p *Program, indent string, note func(s *Step) string) {
	if len(bl.Args) > 0 {
		fmt.Fprintf(b, "%sargs %s\n", indent, p.names(bl.Args))
	}
	outside := indent
	for i := range bl.Steps {
		s := &bl.Steps[i]
		indent = outside
		if g := bl.Group(i); g != nil {
			if g.From == i {
				fmt.Fprintf(b, "%srow by row %v:\n", outside, g.Rows)
			}
			indent += "  "
		}
		fmt.Fprintf(b, "%s%s = %s(%s)\n", indent, p.names(s.Outs), s.Name(), p.names(s.Ins))
		for line := range strings.Lines(note(s)) {
			b.WriteString(indent + "  " + line)
		}
		for _, inner := range s.Blocks {
			fmt.Fprintf(b, "%s{\n", indent)
			inner.write(b, p, indent+"  ", note)
			fmt.Fprintf(b, "%s}\n", indent)
		}
	}
	fmt.Fprintf(b, "%sreturn %s\n", outside, p.names(bl.Results))
}

// names lists buffers: "b1 f32[2][3], b2 = b1" with what each is a view of.
func (p *Program) names(bufs []int) string {
	var parts []string
	for _, i := range bufs {
		buf := &p.Buffers[i]
		name := fmt.Sprintf("b%d", i)
		if buf.Alias >= 0 {
			name += fmt.Sprintf("=b%d", buf.Alias)
		}
		name += " " + buf.Type.DType().String()
		for _, d := range buf.Type.Dims {
			name += fmt.Sprintf("[%d]", d)
		}
		if buf.Data != nil {
			name += " const"
		}
		parts = append(parts, name)
	}
	return strings.Join(parts, ", ")
}
