package program

import (
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/stablehlo"
)

// Listing returns the program as text that [Parse] reads: that of [Program.Kernels] with all
// parameters of calls, and with the contents of constants at the end. It leaves out names and
// locations of values, and unused buffers.
func (p *Program) Listing() string {
	var b strings.Builder
	b.WriteString(p.Text(func(n Node) string {
		switch n := n.(type) {
		case *Kernel:
			return n.Kernel.String()
		case *Contraction:
			return n.prologueText()
		case *Call:
			return n.listing()
		}
		return ""
	}))
	w := writer{p: p}
	for i := range p.Buffers {
		if data := p.Buffers[i].Data; data != nil {
			fmt.Fprintf(&b, "%s = 0x%s\n", w.names([]int{i}), hex.EncodeToString(data))
		}
	}
	return b.String()
}

// listing returns the parameters of a call: its effects, the keys of a sort, its bodies, and the op
// as a function of a module.
func (n *Call) listing() string {
	var b strings.Builder
	if n.Updates != nil {
		fmt.Fprintf(&b, "updates %v\n", n.Updates)
	}
	if n.Gathers {
		b.WriteString("gathers\n")
	}
	if n.Ordered {
		b.WriteString("ordered\n")
	}
	for _, k := range n.Keys {
		fmt.Fprintf(&b, "key of operand %d, body %d, type %s, total %t, descending %t\n", k.Operand, k.Body, k.Type,
			k.Total, k.Descending)
	}
	for _, body := range n.Bodies {
		fmt.Fprintf(&b, "body of %d to %d", body.Args, body.Results)
		if body.Kind != kernel.Invalid {
			fmt.Fprintf(&b, " by %s", body.Kind)
		}
		b.WriteByte('\n')
		indented(&b, body.Kernel.String())
	}
	b.WriteString("op\n")
	indented(&b, moduleOf(n.Op).String())
	return b.String()
}

// indented writes indented lines.
func indented(b *strings.Builder, text string) {
	for line := range strings.Lines(text) {
		b.WriteString("  " + line)
	}
}

// moduleOf returns an op as the function of a module, whose arguments are its operands, then the
// values that its regions capture.
func moduleOf(op *stablehlo.Op) *stablehlo.Module {
	values := slices.Clone(op.Operands)
	for _, v := range captures(op) {
		if !slices.Contains(values, v) {
			values = append(values, v)
		}
	}
	t := &stablehlo.FuncType{}
	for _, v := range values {
		t.Ins = append(t.Ins, v.Type())
	}
	for _, v := range op.Results {
		t.Outs = append(t.Outs, v.Type())
	}
	m := stablehlo.NewModule("")
	f := m.AddFunc("main", t)
	to := map[*stablehlo.Value]*stablehlo.Value{}
	for i, v := range values { // an operand that occurs twice is either argument
		to[v] = f.Args()[i]
	}
	c := op.Clone(to)
	copy(c.Operands, f.Args())
	f.Body().Append(c)
	f.Body().Append(stablehlo.NewOp(stablehlo.OpFuncReturn, c.Results, nil))
	return m
}

// captures returns the values that the regions of an op use from outside, each once.
func captures(op *stablehlo.Op) []*stablehlo.Value {
	var used []*stablehlo.Value
	defined := map[*stablehlo.Value]bool{}
	var walk func(o *stablehlo.Op)
	walk = func(o *stablehlo.Op) {
		for _, r := range o.Regions {
			for _, b := range r.Blocks {
				for _, a := range b.Args {
					defined[a] = true
				}
				for _, inner := range b.Ops {
					used = append(used, inner.Operands...)
					for _, v := range inner.Results {
						defined[v] = true
					}
					walk(inner)
				}
			}
		}
	}
	walk(op)
	var out []*stablehlo.Value
	for _, v := range used {
		if !defined[v] && !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	return out
}
