package portable

import (
	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernel"
)

// instr is an instruction of this tier.
type instr struct {
	*kernel.Instr
	args       []kernel.Value
	inReduce   bool // the reduction that reads it computes it
	aliasesArg bool // the value has the bits of its operand and shares its register
}

// instrsOf returns the instructions of a kernel.
func instrsOf(k *kernel.Kernel) []instr {
	out := make([]instr, len(k.Body.Instrs))
	for i := range out {
		in := &k.Body.Instrs[i]
		out[i] = instr{Instr: in, args: in.Operands()}
	}
	return out
}

// simplify finds the instructions that need no loop of their own. Values keep their numbers; unused ones are not
// computed.
func (c *compiler) simplify() {
	c.fuseIndices(c.uses())
	for i := range c.instrs {
		in := &c.instrs[i]
		in.aliasesArg = keepsBits(in.Instr) && !c.isRoot(kernel.Value(i))
	}
}

// keepsBits reports whether the register of an instruction has the bits of its operand.
func keepsBits(in *kernel.Instr) bool {
	switch in.Op {
	case kernel.Bitcast:
		return !kernel.NeedsRound(in.From) && !kernel.NeedsRound(in.Type)
	case kernel.Convert:
		return in.From == in.Type && !kernel.NeedsRound(in.Type) && in.Type != dtype.Bool
	}
	return false
}

// source returns the value whose register holds v.
func (c *compiler) source(v kernel.Value) kernel.Value {
	for c.instrs[v].aliasesArg {
		v = c.instrs[v].args[0]
	}
	return v
}

// uses counts the uses of each value by computed instructions, stores and reductions.
func (c *compiler) uses() []int {
	uses := make([]int, len(c.instrs))
	for i := range c.k.Stores {
		st := &c.k.Stores[i]
		uses[st.Value]++
		for _, l := range st.At.Lookups {
			uses[l.Index]++
		}
	}
	for i := range c.k.Reduces {
		for _, v := range c.k.Reduces[i].Values {
			uses[v]++
		}
	}
	for i := len(c.instrs) - 1; i >= 0; i-- {
		in := &c.instrs[i]
		if uses[i] == 0 {
			continue
		}
		for _, a := range in.args {
			uses[a]++
		}
	}
	return uses
}

// isRoot reports whether a store or a reduction reads the value.
func (c *compiler) isRoot(v kernel.Value) bool {
	for i := range c.k.Stores {
		if c.k.Stores[i].Value == v {
			return true
		}
	}
	for i := range c.k.Reduces {
		for _, w := range c.k.Reduces[i].Values {
			if v == w {
				return true
			}
		}
	}
	return false
}

// schedule returns the computed instructions in execution order, operands before the instructions that read them.
func (c *compiler) schedule() []kernel.Value {
	uses := c.uses()
	done := make([]bool, len(c.instrs))
	order := make([]kernel.Value, 0, len(c.instrs))
	var visit func(v kernel.Value)
	visit = func(v kernel.Value) {
		if done[v] {
			return
		}
		done[v] = true
		for _, a := range c.instrs[v].args {
			visit(a)
		}
		order = append(order, v)
	}
	for v := range c.instrs {
		if uses[v] > 0 {
			visit(kernel.Value(v))
		}
	}
	return order
}
