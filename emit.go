package nx

import (
	"fmt"

	"github.com/go-nx/nx/stablehlo"
)

// emitter appends ops to a block. Operands have been checked before: an error
// of the builder is a fault of this package.
type emitter struct {
	block *stablehlo.Block
	loc   stablehlo.Location // of the ops, or nil
}

func (e *emitter) builder() *stablehlo.Builder {
	b := stablehlo.NewBuilder(e.block)
	b.Loc = e.loc
	return b
}

// op appends an op with one result.
func (e *emitter) op(code stablehlo.OpCode, in []*stablehlo.Value, parts ...stablehlo.OpPart) *stablehlo.Value {
	v, err := e.builder().Value(code, in, parts...)
	if err != nil {
		panic(fmt.Sprintf("nx: building %s: %v", code, err))
	}
	return v
}

// ops appends an op with any number of results.
func (e *emitter) ops(code stablehlo.OpCode, in []*stablehlo.Value, parts ...stablehlo.OpPart) []*stablehlo.Value {
	op, err := e.builder().Op(code, in, parts...)
	if err != nil {
		panic(fmt.Sprintf("nx: building %s: %v", code, err))
	}
	return op.Results
}

// convert changes the element type.
func (e *emitter) convert(v *stablehlo.Value, to DType) *stablehlo.Value {
	t := v.Tensor()
	if t.DType() == to {
		return v
	}
	return e.op(stablehlo.OpConvert, []*stablehlo.Value{v}, stablehlo.Results{t.WithElem(stablehlo.Scalar(to))})
}

// broadcast spreads v over a shape; dims[i] is the axis of the result that
// axis i of v becomes.
func (e *emitter) broadcast(v *stablehlo.Value, shape Shape, dims []int) *stablehlo.Value {
	if len(dims) == len(shape) && sameDims(v.Tensor().Dims, shape) {
		return v
	}
	return e.op(stablehlo.OpBroadcastInDim, []*stablehlo.Value{v}, ints("broadcast_dimensions", dims),
		stablehlo.Results{v.Tensor().WithDims(dims64(shape)...)})
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
	n.encode(t, b)
	return e.builder().Constant(&stablehlo.ElementsAttr{Type: stablehlo.Tensor(t), Data: b})
}

// splat appends a constant of equal elements.
func (e *emitter) splat(t DType, shape Shape, n number) *stablehlo.Value {
	return e.broadcast(e.scalar(t, n), shape, nil)
}

// reshape appends a reshape.
func (e *emitter) reshape(v *stablehlo.Value, shape Shape) *stablehlo.Value {
	if sameDims(v.Tensor().Dims, shape) {
		return v
	}
	return e.op(stablehlo.OpReshape, []*stablehlo.Value{v}, stablehlo.Results{v.Tensor().WithDims(dims64(shape)...)})
}

// pad appends padding with a scalar before, after and between the elements.
func (e *emitter) pad(v, with *stablehlo.Value, lo, hi, inner []int) *stablehlo.Value {
	return e.op(stablehlo.OpPad, []*stablehlo.Value{v, with},
		ints("edge_padding_low", lo), ints("edge_padding_high", hi), ints("interior_padding", inner))
}

// reduce folds axes by an op of two scalars, starting at init.
func (e *emitter) reduce(code stablehlo.OpCode, v *stablehlo.Value, init number, axes []int) *stablehlo.Value {
	s := stablehlo.Tensor(v.Tensor().DType())
	return e.op(stablehlo.OpReduce, []*stablehlo.Value{v, e.scalar(v.Tensor().DType(), init)}, ints("dimensions", axes),
		stablehlo.Body{Args: []stablehlo.Type{s, s},
			Build: func(b *stablehlo.Builder, args []*stablehlo.Value) ([]*stablehlo.Value, error) {
				r, err := b.Value(code, args)
				return []*stablehlo.Value{r}, err
			}})
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
