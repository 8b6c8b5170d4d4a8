package autodiff

import (
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/stablehlo"
)

// value is an SSA value; a nil tangent or cotangent is zero.
type value = *stablehlo.Value

// emitter appends ops to a block. The files of rules add methods to it for the ops of their
// derivatives.
type emitter struct{ emit.Emitter }

// Error is an error at an op of the program.
type Error = emit.Error

func emitTo(b *stablehlo.Block) emitter { return emitter{emit.To(b)} }

// on returns an emitter that appends to another block.
func (e emitter) on(b *stablehlo.Block) emitter { return emitter{e.On(b)} }

// Mul returns x·y. The cotangents that a gradient starts from are ones, and many of their products
// are the other factor.
func (e emitter) Mul(x, y value) value {
	switch {
	case isOne(x):
		return y
	case isOne(y):
		return x
	}
	return e.Emitter.Mul(x, y)
}

// Add returns x + y, as a difference if one of them is a known negation.
func (e emitter) Add(x, y value) value {
	if op := x.Op(); op != nil && op.Code == stablehlo.OpNegate {
		x, y = y, x
	}
	if op := y.Op(); op != nil && op.Code == stablehlo.OpNegate {
		return e.Sub(x, op.Operands[0])
	}
	return e.Emitter.Add(x, y)
}

// Sum returns x + y, where nil is zero.
func (e emitter) Sum(x, y value) value {
	if x == nil || y == nil {
		return e.Emitter.Sum(x, y)
	}
	return e.Add(x, y)
}

// ones returns 1 where pred is true and 0 elsewhere, in the type of x.
func (e emitter) ones(pred, x value) value { return e.Convert(pred, emit.DTypeOf(x)) }

// differentiable reports whether values of a type have tangents: tensors of floats and complex
// numbers.
func differentiable(t stablehlo.Type) bool {
	tt, ok := t.(*stablehlo.TensorType)
	if !ok {
		return false
	}
	s, ok := tt.Elem.(stablehlo.Scalar)
	return ok && (dtype.Type(s).IsFloat() || dtype.Type(s).IsComplex())
}

// product returns the number of elements of a shape.
func product(dims []int64) int64 {
	n := int64(1)
	for _, d := range dims {
		n *= d
	}
	return n
}

func allZero(v []int64) bool { return !slices.ContainsFunc(v, func(x int64) bool { return x != 0 }) }

// intsOr returns an attribute that is a list of n integers, or n copies of def if it is absent.
func intsOr(op *stablehlo.Op, name string, n int, def int64) []int64 {
	if v := op.Ints(name); v != nil {
		return v
	}
	return emit.Repeat(n, def)
}

// paddingOf returns the low and high padding of a window op of n dimensions.
func paddingOf(op *stablehlo.Op, n int) (low, high []int64) {
	p := intsOr(op, "padding", 2*n, 0)
	for i := range n {
		low, high = append(low, p[2*i]), append(high, p[2*i+1])
	}
	return low, high
}

// dilatedSize returns the extent of n elements with a dilation.
func dilatedSize(n, by int64) int64 { return max(0, (n-1)*by+1) }

// indexType returns the narrower of i32 and i64 that represents n.
func indexType(n int64) dtype.Type {
	if n < 1<<31 {
		return dtype.S32
	}
	return dtype.S64
}
