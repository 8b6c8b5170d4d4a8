package core

import (
	"slices"

	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/internal/vmap"
	"github.com/go-nx/nx/stablehlo"
)

// emitter appends ops to a block, with shapes and axes as this package has them. Operands have
// been checked before: an op that cannot be built is a bug of this package.
type emitter struct{ emit.Emitter }

// emitOn returns an emitter of ops at a place, or nil.
func emitOn(b *stablehlo.Block, at stablehlo.Location) *emitter {
	e := &emitter{emit.To(b)}
	e.B.Loc = at
	return e
}

// convert changes the element type.
func (e *emitter) convert(v *stablehlo.Value, to DType) *stablehlo.Value { return e.Convert(v, to) }

// broadcast broadcasts v to a shape; dims[i] is the axis of the result that
// axis i of v becomes.
func (e *emitter) broadcast(v *stablehlo.Value, shape Shape, dims []int) *stablehlo.Value {
	return e.Broadcast(v, dims64(shape), dims64(dims)...)
}

// fitRight broadcasts v to a shape with its axes aligned to the right.
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

// reduce reduces axes by an op of two scalars, starting at init.
func (e *emitter) reduce(code stablehlo.OpCode, v *stablehlo.Value, init number, axes []int) *stablehlo.Value {
	return e.Reduce(code, v, e.scalar(v.Tensor().DType(), init), dims64(axes)...)
}

func ints(name string, v []int) stablehlo.NamedAttr {
	return stablehlo.Named(name, stablehlo.I64s(dims64(v)...))
}

// graft appends a copy of the ops of a function to a block and returns the
// results; args stand for its arguments.
func graft(to *stablehlo.Block, f stablehlo.Func, args []*stablehlo.Value) []*stablehlo.Value {
	return emit.To(to).Inline(f.Body(), args...)
}

// region adds a region to op: what build appends, then the return of its results.
func region(op *stablehlo.Op, args []stablehlo.Type, build func(to *stablehlo.Block) []*stablehlo.Value) {
	to := op.AddRegion(args...)
	to.Append(stablehlo.NewOp(stablehlo.OpReturn, build(to), nil))
}

// call appends a call of a function of the module.
func (e *emitter) call(name string, in []*stablehlo.Value, outs []*Spec) []*stablehlo.Value {
	op := stablehlo.NewOp(stablehlo.OpCall, in, typesOf(outs))
	op.SetAttr("callee", stablehlo.SymbolAttr{Name: name})
	op.Loc = e.B.Loc
	return e.B.Block().Append(op).Results
}

// composite appends a composite: a call with a name for its meaning.
func (e *emitter) composite(name, decomposition string, in []*stablehlo.Value, outs []*Spec,
	attrs ...stablehlo.NamedAttr) []*stablehlo.Value {
	op := stablehlo.NewOp(stablehlo.OpComposite, in, typesOf(outs))
	op.SetAttr("name", stablehlo.StringAttr(name))
	op.SetAttr("decomposition", stablehlo.SymbolAttr{Name: decomposition})
	if len(attrs) > 0 {
		op.SetAttr("composite_attributes", stablehlo.DictAttr(attrs))
	}
	op.Loc = e.B.Loc
	return e.B.Block().Append(op).Results
}

// iota appends a count along an axis.
func (e *emitter) iota(d DType, shape Shape, axis int) *stablehlo.Value {
	if len(shape) == 0 {
		return e.scalar(d, zero)
	}
	return e.Value(stablehlo.OpIota, nil, stablehlo.Named("iota_dimension", stablehlo.I64(int64(axis))),
		stablehlo.Results{stablehlo.Tensor(d, dims64(shape)...)})
}

// direction of a comparison.
type direction string

const (
	equal        direction = "EQ"
	notEqual     direction = "NE"
	less         direction = "LT"
	lessEqual    direction = "LE"
	greater      direction = "GT"
	greaterEqual direction = "GE"
)

// compare appends a comparison.
func (e *emitter) compare(dir direction, a, b *stablehlo.Value) *stablehlo.Value {
	kind := "FLOAT"
	switch d := a.Tensor().DType(); {
	case d.IsSigned():
		kind = "SIGNED"
	case d.IsUnsigned() || d == Bool:
		kind = "UNSIGNED"
	}
	return e.Value(stablehlo.OpCompare, []*stablehlo.Value{a, b},
		stablehlo.Named("comparison_direction",
			stablehlo.EnumAttr{Dialect: "stablehlo", Kind: "comparison_direction", Value: string(dir)}),
		stablehlo.Named("compare_type", stablehlo.EnumAttr{Dialect: "stablehlo", Kind: "comparison_type", Value: kind}))
}

// shapeOf returns the shape of a value.
func shapeOf(v *stablehlo.Value) Shape {
	s := make(Shape, v.Tensor().Rank())
	for i, d := range v.Tensor().Dims {
		s[i] = int(d)
	}
	return s
}

// orderVectors brings the vectorised axes of an operand into the order of a union. The axes give
// for each axis of the union whether the operand has it: 0, its place when it is batched, or
// vmap.Shared. Axes of size 1 that are larger in others are dropped.
func (e *emitter) orderVectors(v *stablehlo.Value, have, union []VectorAxis) (*stablehlo.Value, []int) {
	axes := make([]int, len(union))
	var perm []int
	shape := Shape{}
	whole := shapeOf(v)
	for k, u := range union {
		axes[k] = vmap.Shared
		for j, h := range have {
			if h.Name != u.Name {
				continue
			}
			perm = append(perm, j)
			if h.Size == u.Size {
				axes[k] = 0
				shape = append(shape, h.Size)
			}
		}
	}
	for j := len(have); j < len(whole); j++ {
		perm = append(perm, j)
	}
	if !slices.IsSorted(perm) {
		v = e.Value(stablehlo.OpTranspose, []*stablehlo.Value{v}, ints("permutation", perm))
	}
	return e.reshape(v, append(shape, whole[len(have):]...)), axes
}
