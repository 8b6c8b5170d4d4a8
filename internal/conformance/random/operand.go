package random

import (
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
)

// form makes an operand of an elementwise op of a type.
type form = func(m *maker, t *stablehlo.TensorType) value

// The forms in which an operand may come to its op: those that are the same along
// rows, which a compiler that takes a tile at a time may keep as one number, and
// those that are not.
var uniform, varying []form

func init() {
	uniform = choices(
		weighted[form]{1, (*maker).splat}, weighted[form]{1, (*maker).broadcastScalar},
		weighted[form]{2, (*maker).column},
		weighted[form]{4, (*maker).computedColumn}, weighted[form]{1, (*maker).columnComputed})
	varying = choices(
		weighted[form]{4, (*maker).argument}, weighted[form]{4, (*maker).iotaOperand}, weighted[form]{3, (*maker).row},
		weighted[form]{1, (*maker).dense},
		weighted[form]{2, (*maker).computed}, weighted[form]{1, (*maker).transposed},
		weighted[form]{1, (*maker).reversed},
		weighted[form]{1, (*maker).strided},
		weighted[form]{1, (*maker).shifted}, weighted[form]{1, (*maker).joined}, weighted[form]{1, (*maker).padded},
		weighted[form]{1, (*maker).converted},
		weighted[form]{1, (*maker).reshaped}, weighted[form]{1, (*maker).dynamic})
}

// operand returns a value of a type in a random form.
func (m *maker) operand(t *stablehlo.TensorType) value {
	if m.r.IntN(3) == 0 {
		return pick(m.r, uniform)(m, t)
	}
	return pick(m.r, varying)(m, t)
}

// splat is one number everywhere.
func (m *maker) splat(t *stablehlo.TensorType) value {
	return m.known(m.b.Constant(&stablehlo.ElementsAttr{Type: t, Splat: true, Data: elements(m.r, t.WithDims())}))
}

// dense is a constant of many numbers.
func (m *maker) dense(t *stablehlo.TensorType) value {
	if n, _ := t.NumElems(); n > 10_000 {
		return m.splat(t)
	}
	return m.known(m.b.Constant(&stablehlo.ElementsAttr{Type: t, Data: elements(m.r, t)}))
}

// iotaOperand counts along a dimension.
func (m *maker) iotaOperand(t *stablehlo.TensorType) value {
	if t.Rank() == 0 {
		return m.splat(t)
	}
	d := t.DType()
	if d == dtype.Bool || isNarrow(d) {
		d = dtype.S32
	}
	v := m.append(stablehlo.OpIota, nil, stablehlo.Named("iota_dimension", stablehlo.I64(int64(m.r.IntN(t.Rank())))),
		stablehlo.Results{stablehlo.Tensor(d, t.Dims...)})[0]
	if t.DType() == dtype.Bool { // below and above some index
		return m.known(m.append(stablehlo.OpCompare, []*stablehlo.Value{v, m.full(v.Tensor(), float64(m.r.IntN(5)))},
			direction("LT"))[0])
	}
	if d != t.DType() {
		v = m.op(stablehlo.OpRemainder, v, m.full(v.Tensor(), 5))
	}
	return m.known(m.as(t.DType(), v))
}

// broadcastTo broadcasts a value to the shape of t.
func (m *maker) broadcastTo(v *stablehlo.Value, t *stablehlo.TensorType, dims ...int64) value {
	return m.known(m.append(stablehlo.OpBroadcastInDim, []*stablehlo.Value{v}, ints("broadcast_dimensions", dims...),
		stablehlo.Results{t})[0])
}

// row is the same along all dimensions but the last.
func (m *maker) row(t *stablehlo.TensorType) value {
	if t.Rank() == 0 {
		return m.argument(t)
	}
	last := int64(t.Rank() - 1)
	return m.broadcastTo(m.argument(t.WithDims(t.Dims[last])).Value, t, last)
}

// leading returns the dimensions of a column, one number for each row.
func (m *maker) leading(t *stablehlo.TensorType) (part *stablehlo.TensorType, dims []int64) {
	n := m.r.IntN(max(t.Rank(), 1))
	for d := range n {
		dims = append(dims, int64(d))
	}
	return t.WithDims(t.Dims[:n]...), dims
}

// column is the same along the last dimensions.
func (m *maker) column(t *stablehlo.TensorType) value {
	part, dims := m.leading(t)
	return m.broadcastTo(m.argument(part).Value, t, dims...)
}

// broadcastScalar is one number of an argument.
func (m *maker) broadcastScalar(t *stablehlo.TensorType) value {
	return m.broadcastTo(m.argument(t.WithDims()).Value, t)
}

// computeExact computes something exact of a value.
func (m *maker) computeExact(v *stablehlo.Value) *stablehlo.Value {
	t := v.Tensor()
	switch d := t.DType(); {
	case d == dtype.Bool:
		return m.op(stablehlo.OpNot, v)
	case d.IsUnsigned():
		return m.op(stablehlo.OpXor, v, m.full(t, 1))
	case d == dtype.F8E8M0FNU:
		return m.op(stablehlo.OpMaximum, v, m.full(t, 1))
	case m.r.IntN(2) == 0:
		return m.op(stablehlo.OpAdd, v, m.full(t, 1))
	}
	return m.op(stablehlo.OpNegate, v)
}

// computed is computed from an argument.
func (m *maker) computed(t *stablehlo.TensorType) value {
	return m.known(m.computeExact(m.argument(t).Value))
}

// computedColumn is computed along the last dimensions, though it is the same there.
func (m *maker) computedColumn(t *stablehlo.TensorType) value {
	return m.known(m.computeExact(m.column(t).Value))
}

// columnComputed is computed before it is the same along the last dimensions.
func (m *maker) columnComputed(t *stablehlo.TensorType) value {
	part, dims := m.leading(t)
	return m.broadcastTo(m.computeExact(m.argument(part).Value), t, dims...)
}

// transposed is a transpose of an argument that moves the last dimension first.
func (m *maker) transposed(t *stablehlo.TensorType) value {
	var dims, perm []int64
	for i := range t.Dims {
		p := (i + 1) % t.Rank()
		dims = append(dims, t.Dims[(i+t.Rank()-1)%t.Rank()])
		perm = append(perm, int64(p))
	}
	return m.known(m.append(stablehlo.OpTranspose, []*stablehlo.Value{m.argument(t.WithDims(dims...)).Value},
		ints("permutation", perm...))[0])
}

// reversed runs backwards along some dimensions.
func (m *maker) reversed(t *stablehlo.TensorType) value {
	return m.known(m.append(stablehlo.OpReverse, []*stablehlo.Value{m.argument(t).Value},
		ints("dimensions", m.someDims(t.Rank())...))[0])
}

// sliceOperand takes a slice of a type out of a larger argument.
func (m *maker) sliceOperand(t *stablehlo.TensorType, start, stride int64) value {
	dims, limit, from, by := slices.Clone(t.Dims), slices.Clone(t.Dims), make([]int64, t.Rank()), ones(t.Rank())
	for d, n := range t.Dims {
		from[d], by[d] = start, stride
		limit[d] = start + max(n-1, 0)*stride + min(n, 1)
		dims[d] = limit[d] + int64(m.r.IntN(2))
	}
	if count(dims) > 4*maxElems {
		return m.argument(t)
	}
	return m.known(m.append(stablehlo.OpSlice, []*stablehlo.Value{m.argument(t.WithDims(dims...)).Value},
		ints("start_indices", from...), ints("limit_indices", limit...), ints("strides", by...))[0])
}

// strided is every other element of an argument.
func (m *maker) strided(t *stablehlo.TensorType) value { return m.sliceOperand(t, 0, 2) }

// shifted starts in the middle of an argument.
func (m *maker) shifted(t *stablehlo.TensorType) value { return m.sliceOperand(t, 1, 1) }

// joined is a concatenation of two parts.
func (m *maker) joined(t *stablehlo.TensorType) value {
	if t.Rank() == 0 {
		return m.argument(t)
	}
	d := m.r.IntN(t.Rank())
	n := m.r.Int64N(t.Dims[d] + 1)
	part := func(n int64) *stablehlo.Value {
		dims := slices.Clone(t.Dims)
		dims[d] = n
		return m.argument(t.WithDims(dims...)).Value
	}
	return m.known(m.append(stablehlo.OpConcatenate, []*stablehlo.Value{part(n), part(t.Dims[d] - n)},
		stablehlo.Named("dimension", stablehlo.I64(int64(d))))[0])
}

// padded has a border.
func (m *maker) padded(t *stablehlo.TensorType) value {
	low, dims := make([]int64, t.Rank()), slices.Clone(t.Dims)
	for d, n := range dims {
		low[d] = min(n, m.r.Int64N(2))
		dims[d] -= low[d]
	}
	zeros := make([]int64, t.Rank())
	return m.known(m.append(stablehlo.OpPad,
		[]*stablehlo.Value{m.argument(t.WithDims(dims...)).Value, m.argument(t.WithDims()).Value},
		ints("edge_padding_low", low...), ints("edge_padding_high", zeros...), ints("interior_padding", zeros...))[0])
}

// converted has another type in memory.
func (m *maker) converted(t *stablehlo.TensorType) value {
	to := t.DType()
	var from []dtype.Type
	for _, d := range dtypes {
		if d != to && (to.IsComplex() || !d.IsComplex()) {
			from = append(from, d)
		}
	}
	return m.known(m.as(to, m.argument(stablehlo.Tensor(pick(m.r, from), t.Dims...)).Value))
}

// reshaped has other dimensions in memory.
func (m *maker) reshaped(t *stablehlo.TensorType) value {
	return m.known(m.append(stablehlo.OpReshape, []*stablehlo.Value{m.argument(t.WithDims(count(t.Dims))).Value},
		stablehlo.Results{t})[0])
}

// dynamic is a slice at an index that is known at run time.
func (m *maker) dynamic(t *stablehlo.TensorType) value {
	in := []*stablehlo.Value{m.argument(t).Value}
	for range t.Dims {
		in = append(in, m.index().Value)
	}
	return m.known(m.append(stablehlo.OpDynamicSlice, in, ints("slice_sizes", t.Dims...))[0])
}
