package core

import (
	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/stablehlo"
)

// emitter appends ops to a block, with shapes and axes as this package has them. Operands have
// been checked before: what cannot be built is a fault of this package.
type emitter struct{ emit.Emitter }

// emitOn returns an emitter of ops at a place, or nil.
func emitOn(b *stablehlo.Block, at stablehlo.Location) *emitter {
	e := &emitter{emit.To(b)}
	e.B.Loc = at
	return e
}

// convert changes the element type.
//
//go:noinline
func (e *emitter) convert(v *stablehlo.Value, to DType) *stablehlo.Value { return e.Convert(v, to) }

// broadcast spreads v over a shape; dims[i] is the axis of the result that
// axis i of v becomes.
func (e *emitter) broadcast(v *stablehlo.Value, shape Shape, dims []int) *stablehlo.Value {
	return e.Broadcast(v, dims64(shape), dims64(dims)...)
}

// fitRight spreads v over a shape with its axes aligned to the right.
func (e *emitter) fitRight(v *stablehlo.Value, shape Shape) *stablehlo.Value {
	rank := v.Tensor().Rank()
	dims := make([]int, rank)
	for i := range dims {
		dims[i] = len(shape) - rank + i
	}
	return e.broadcast(v, shape, dims)
}

// scalar appends a constant of rank 0.
func (e *emitter) scalar(t DType, n number) *stablehlo.Value {
	b := make([]byte, t.Size())
	n.Encode(t, b)
	return e.B.Constant(&stablehlo.ElementsAttr{Type: stablehlo.Tensor(t), Data: b})
}

// splat appends a constant of equal elements.
func (e *emitter) splat(t DType, shape Shape, n number) *stablehlo.Value {
	return e.broadcast(e.scalar(t, n), shape, nil)
}

// reshape appends a reshape.
func (e *emitter) reshape(v *stablehlo.Value, shape Shape) *stablehlo.Value {
	return e.Reshape(v, dims64(shape)...)
}

// pad appends padding with a scalar before, after and between the elements.
func (e *emitter) pad(v, with *stablehlo.Value, lo, hi, inner []int) *stablehlo.Value {
	return e.PadWith(v, with, dims64(lo), dims64(hi), dims64(inner))
}

// reduce folds axes by an op of two scalars, starting at init.
func (e *emitter) reduce(code stablehlo.OpCode, v *stablehlo.Value, init number, axes []int) *stablehlo.Value {
	return e.Reduce(code, v, e.scalar(v.Tensor().DType(), init), dims64(axes)...)
}

func ints(name string, v []int) stablehlo.NamedAttr {
	return stablehlo.Named(name, stablehlo.I64s(dims64(v)...))
}

func dims64[S ~[]int](v S) []int64 {
	out := make([]int64, len(v))
	for i, d := range v {
		out[i] = int64(d)
	}
	return out
}

func sameDims(dims []int64, shape Shape) bool {
	if len(dims) != len(shape) {
		return false
	}
	for i, d := range dims {
		if int(d) != shape[i] {
			return false
		}
	}
	return true
}
