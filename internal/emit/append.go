package emit

import "github.com/go-nx/nx/stablehlo"

// Ops that already exist, or that have no block yet.

// Detached returns an emitter to a block of no region, for ops that are inserted later, by
// [Emitter.Take].
func Detached() Emitter { return To(new(stablehlo.Block)) }

// Take returns the ops of the block and empties it.
func (e Emitter) Take() []*stablehlo.Op {
	b := e.B.Block()
	ops := b.Ops
	b.SetOps(nil)
	return ops
}

// Append appends an op unchanged: one that was checked before, or that is derived from one.
//
//go:noinline
func (e Emitter) Append(op *stablehlo.Op) *stablehlo.Op { return e.B.Block().Append(op) }

// CloneWith appends op with other operands: the same attributes, regions copied.
func (e Emitter) CloneWith(op *stablehlo.Op, in ...Value) []Value {
	c := op.Clone(map[Value]Value{})
	c.Operands = in
	return e.Append(c).Results
}

// As appends an op without regions with other operands and result types.
func (e Emitter) As(op *stablehlo.Op, in []Value, results ...stablehlo.Type) *stablehlo.Op {
	return e.Op(op.Code, in, append(Parts(op), stablehlo.Results(results))...)
}

// Parts returns the attributes of an op as parts of another op.
func Parts(op *stablehlo.Op) []stablehlo.OpPart {
	parts := make([]stablehlo.OpPart, len(op.Attrs), len(op.Attrs)+2)
	for i, a := range op.Attrs {
		parts[i] = a
	}
	return parts
}

// Inline appends a copy of the ops of a block, with other arguments, and returns the operands of
// its terminator.
func (e Emitter) Inline(b *stablehlo.Block, args ...Value) []Value {
	m := make(map[Value]Value, len(args)+len(b.Ops))
	for i, a := range b.Args {
		m[a] = args[i]
	}
	return e.InlineAs(b, m)
}

// InlineAs is Inline with a map from values to their copies, which it extends.
func (e Emitter) InlineAs(b *stablehlo.Block, m map[Value]Value) []Value {
	last := len(b.Ops) - 1
	for _, op := range b.Ops[:last] {
		e.Append(op.Clone(m))
	}
	out := make([]Value, len(b.Ops[last].Operands))
	for i, v := range b.Ops[last].Operands {
		if out[i] = v; m[v] != nil {
			out[i] = m[v]
		}
	}
	return out
}
