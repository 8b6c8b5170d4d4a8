package kernel

import (
	"slices"

	"github.com/go-nx/nx/dtype"
)

// ReduceBy returns the body of a reduction of elements of type t by one operation, and its result:
// the operation of the accumulator and the next element, brought back into the range of the type.
// Sums of narrow floats add in F32 and are rounded when they are stored: a sum that is rounded
// after each addition stops growing where an element is half a unit in its last place.
func ReduceBy(op Op, t dtype.Type) (b Body, result Value) {
	r := Register(t)
	x := b.Add(Instr{Op: Arg, Type: r})
	y := b.Add(Instr{Op: Arg, Type: r, Arg: 1})
	v := b.Add(Instr{Op: op, Type: r, Args: [3]Value{x, y}})
	if NeedsRound(t) && (op == Mul || op == Add && t.IsInteger()) {
		v = b.Add(Instr{Op: Round, Type: t, Args: [3]Value{v}})
	}
	return b, v
}

// IsReducer reports whether [ReduceBy] supports the operation.
func IsReducer(op Op) bool {
	switch op {
	case Add, Mul, Max, Min, And, Or, Xor:
		return true
	}
	return false
}

// isBuiltin reports whether the body of the reduction is that of its Kind.
func (r *Reduction) isBuiltin() bool {
	if len(r.Types) != 1 || !IsReducer(r.Kind) {
		return false
	}
	b, v := ReduceBy(r.Kind, r.Types[0])
	return r.Results[0] == v && slices.Equal(b.Instrs, r.Combine.Instrs)
}
