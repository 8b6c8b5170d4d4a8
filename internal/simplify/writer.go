package simplify

import (
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/stablehlo"
)

// writer makes the ops of a rewritten block. What it writes is right by
// construction; tests verify the result.
type writer struct {
	ops    []*stablehlo.Op
	values Renames       // what stands for the results of ops that are gone
	from   *stablehlo.Op // the op being rewritten, nil for none
	uses   uses          // of values, for rules
}

// current returns what stands for v now.
func (w *writer) current(v *stablehlo.Value) *stablehlo.Value {
	return w.values.Of(v)
}

// rename makes op use what stands for its operands now, in its regions too.
func (w *writer) rename(op *stablehlo.Op) {
	switch {
	case len(w.values) == 0:
	case len(op.Regions) > 0:
		op.Replace(w.values)
	default:
		w.values.Operands(op)
	}
}

// body writes a copy of the ops of a block on other arguments and returns what
// its terminator does.
func (w *writer) body(b *stablehlo.Block, args ...*stablehlo.Value) []*stablehlo.Value {
	m := map[*stablehlo.Value]*stablehlo.Value{}
	for i, a := range b.Args {
		m[a] = args[i]
	}
	last := len(b.Ops) - 1
	for _, op := range b.Ops[:last] {
		w.ops = append(w.ops, op.Clone(m))
	}
	out := make([]*stablehlo.Value, len(b.Ops[last].Operands))
	for i, v := range b.Ops[last].Operands {
		if out[i] = v; m[v] != nil {
			out[i] = m[v]
		}
	}
	return out
}

// op writes an op with one result.
func (w *writer) op(c stablehlo.OpCode, t stablehlo.Type, in []*stablehlo.Value,
	attrs ...stablehlo.NamedAttr) *stablehlo.Value {
	return w.append(stablehlo.NewOp(c, in, []stablehlo.Type{t}, attrs...)).Result()
}

func (w *writer) append(op *stablehlo.Op) *stablehlo.Op {
	if w.from != nil {
		op.PlaceAt(w.from)
	}
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
	if len(at) == len(dims) && slices.IsSorted(at) && slices.Equal(x.Tensor().Dims, dims) {
		return x
	}
	return w.op(stablehlo.OpBroadcastInDim, x.Tensor().WithDims(dims...), []*stablehlo.Value{x},
		stablehlo.Named("broadcast_dimensions", stablehlo.I64s(at...)))
}

// reshape writes x with shape dims, where it has another.
func (w *writer) reshape(x *stablehlo.Value, dims ...int64) *stablehlo.Value {
	if slices.Equal(x.Tensor().Dims, dims) {
		return x
	}
	return w.op(stablehlo.OpReshape, x.Tensor().WithDims(dims...), []*stablehlo.Value{x})
}

// transpose writes x with its dimensions in the order perm.
func (w *writer) transpose(x *stablehlo.Value, perm ...int64) *stablehlo.Value {
	if slices.IsSorted(perm) {
		return x
	}
	dims := make([]int64, len(perm))
	for i, d := range perm {
		dims[i] = x.Tensor().Dims[d]
	}
	return w.op(stablehlo.OpTranspose, x.Tensor().WithDims(dims...), []*stablehlo.Value{x},
		stablehlo.Named("permutation", stablehlo.I64s(perm...)))
}

// sum writes the sum of x over dimensions.
func (w *writer) sum(x *stablehlo.Value, over ...int64) *stablehlo.Value {
	if len(over) == 0 {
		return x
	}
	t := x.Tensor()
	scalar := t.WithDims()
	var kept []int64
	for d, n := range t.Dims {
		if !slices.Contains(over, int64(d)) {
			kept = append(kept, n)
		}
	}
	op := stablehlo.NewOp(stablehlo.OpReduce, []*stablehlo.Value{x, w.number(scalar, 0)},
		[]stablehlo.Type{t.WithDims(kept...)},
		stablehlo.Named("dimensions", stablehlo.I64s(over...)))
	b := op.AddRegion(scalar, scalar)
	s := b.Append(stablehlo.NewOp(stablehlo.OpAdd, []*stablehlo.Value{b.Args[0], b.Args[1]},
		[]stablehlo.Type{scalar})).Result()
	b.Append(stablehlo.NewOp(stablehlo.OpReturn, []*stablehlo.Value{s}, nil))
	return w.append(op).Result()
}

// compare writes a comparison of x and y.
func (w *writer) compare(direction string, x, y *stablehlo.Value) *stablehlo.Value {
	return w.op(stablehlo.OpCompare, stablehlo.Tensor(dtype.Bool, x.Tensor().Dims...), []*stablehlo.Value{x, y},
		stablehlo.Named("comparison_direction",
			stablehlo.EnumAttr{Dialect: "stablehlo", Kind: "comparison_direction", Value: direction}))
}

// iota writes the indices along dimension dim of a shape.
func (w *writer) iota(d dtype.Type, dims []int64, dim int) *stablehlo.Value {
	return w.op(stablehlo.OpIota, stablehlo.Tensor(d, dims...), nil,
		stablehlo.Named("iota_dimension", stablehlo.I64(int64(dim))))
}

// Except returns the numbers below n that are in none of the lists, in order.
func Except(n int, lists ...[]int64) []int64 {
	return slices.DeleteFunc(emit.UpTo(n), func(d int64) bool {
		return slices.ContainsFunc(lists, func(l []int64) bool { return slices.Contains(l, d) })
	})
}
