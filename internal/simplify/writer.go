package simplify

import (
	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
)

// writer makes the ops of a rewritten block. What it writes is right by
// construction; tests verify the result.
type writer struct {
	ops    []*stablehlo.Op
	values map[*stablehlo.Value]*stablehlo.Value // what stands for the results of ops that are gone
	loc    stablehlo.Location
}

// current returns what stands for v now.
func (w *writer) current(v *stablehlo.Value) *stablehlo.Value {
	if u, ok := w.values[v]; ok {
		return u
	}
	return v
}

// op writes an op with one result.
func (w *writer) op(c stablehlo.OpCode, t stablehlo.Type, in []*stablehlo.Value, attrs ...stablehlo.NamedAttr) *stablehlo.Value {
	return w.append(stablehlo.NewOp(c, in, []stablehlo.Type{t}, attrs...)).Result()
}

func (w *writer) append(op *stablehlo.Op) *stablehlo.Op {
	op.Loc = w.loc
	w.ops = append(w.ops, op)
	return op
}

// unary, binary and ternary write element-wise ops of the type of their first
// (for select the second) operand.

func (w *writer) unary(c stablehlo.OpCode, x *stablehlo.Value) *stablehlo.Value {
	return w.op(c, x.Type(), []*stablehlo.Value{x})
}

func (w *writer) binary(c stablehlo.OpCode, x, y *stablehlo.Value) *stablehlo.Value {
	return w.op(c, x.Type(), []*stablehlo.Value{x, y})
}

func (w *writer) choose(p, x, y *stablehlo.Value) *stablehlo.Value {
	return w.op(stablehlo.OpSelect, x.Type(), []*stablehlo.Value{p, x, y})
}

// constant writes a constant.
func (w *writer) constant(a *stablehlo.ElementsAttr) *stablehlo.Value {
	return w.op(stablehlo.OpConstant, a.Type, nil, stablehlo.Named("value", a))
}

// number writes a constant of the type and shape of t, its elements all v.
func (w *writer) number(t *stablehlo.TensorType, v float64) *stablehlo.Value {
	a, err := stablehlo.Full(t, v)
	if err != nil {
		panic("simplify: " + err.Error()) // t is the type of a value that is computed
	}
	return w.constant(a)
}

// convert writes a conversion of the elements, where there is one to make.
func (w *writer) convert(x *stablehlo.Value, elem stablehlo.Type) *stablehlo.Value {
	t := x.Tensor()
	if stablehlo.SameType(t.Elem, elem) {
		return x
	}
	return w.op(stablehlo.OpConvert, stablehlo.Tensor(stablehlo.DType(elem), t.Dims...), []*stablehlo.Value{x})
}

// broadcast writes x with shape dims; at are the dimensions that those of x become.
func (w *writer) broadcast(x *stablehlo.Value, dims []int64, at ...int64) *stablehlo.Value {
	return w.op(stablehlo.OpBroadcastInDim, x.Tensor().WithDims(dims...), []*stablehlo.Value{x},
		stablehlo.Named("broadcast_dimensions", stablehlo.I64s(at...)))
}

// reshape writes x with shape dims, where it has another.
func (w *writer) reshape(x *stablehlo.Value, dims ...int64) *stablehlo.Value {
	return w.op(stablehlo.OpReshape, x.Tensor().WithDims(dims...), []*stablehlo.Value{x})
}

// transpose writes x with its dimensions in the order perm.
func (w *writer) transpose(x *stablehlo.Value, perm ...int64) *stablehlo.Value {
	dims := make([]int64, len(perm))
	for i, d := range perm {
		dims[i] = x.Tensor().Dims[d]
	}
	return w.op(stablehlo.OpTranspose, x.Tensor().WithDims(dims...), []*stablehlo.Value{x},
		stablehlo.Named("permutation", stablehlo.I64s(perm...)))
}

// sum writes the sum of x over dimensions.
func (w *writer) sum(x *stablehlo.Value, over ...int64) *stablehlo.Value {
	t := x.Tensor()
	scalar := t.WithDims()
	var kept []int64
	for d, n := range t.Dims {
		if !contains(over, int64(d)) {
			kept = append(kept, n)
		}
	}
	op := stablehlo.NewOp(stablehlo.OpReduce, []*stablehlo.Value{x, w.number(scalar, 0)}, []stablehlo.Type{t.WithDims(kept...)},
		stablehlo.Named("dimensions", stablehlo.I64s(over...)))
	b := op.AddRegion(scalar, scalar)
	s := b.Append(stablehlo.NewOp(stablehlo.OpAdd, []*stablehlo.Value{b.Args[0], b.Args[1]}, []stablehlo.Type{scalar})).Result()
	b.Append(stablehlo.NewOp(stablehlo.OpReturn, []*stablehlo.Value{s}, nil))
	return w.append(op).Result()
}

func contains(list []int64, v int64) bool {
	for _, x := range list {
		if x == v {
			return true
		}
	}
	return false
}

// ints writes a constant list of integers.
func (w *writer) ints(d dtype.Type, v ...int64) *stablehlo.Value {
	t := stablehlo.Tensor(d, int64(len(v)))
	a := &stablehlo.ElementsAttr{Type: t, Data: make([]byte, len(v)*d.Size())}
	for i, x := range v {
		d.StoreInt(a.Data, i, x)
	}
	return w.constant(a)
}
