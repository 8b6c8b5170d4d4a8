package blocks

import (
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/stablehlo"
)

// Quantized is the form of a quantised product.
type Quantized struct {
	Batch, M, N, K int64
	Groups         int64 // scales of a row of w, 0 if there are none
	FourBits       bool
}

// QuantizedForm returns the form of a [QuantizedDot] of operands of such types; false if there is none.
func QuantizedForm(x, w, scales *stablehlo.TensorType) (q Quantized, ok bool) {
	if x == nil || w == nil || scales == nil || x.Rank() < 2 || w.Rank() != x.Rank() || scales.Rank() != x.Rank() {
		return q, false
	}
	last := x.Rank() - 1
	q = Quantized{Batch: product(x.Dims[:last-1]), M: x.Dims[last-1], K: x.Dims[last], N: w.Dims[last-1],
		Groups: scales.Dims[last], FourBits: w.DType() == dtype.U8}
	row := q.K
	if q.FourBits {
		row = q.K / 2
	}
	ok = x.DType() == dtype.F32 && scales.DType() == dtype.F32 && (w.DType() == dtype.S8 || q.FourBits) &&
		w.Dims[last] == row && scales.Dims[last-1] == q.N && q.K > 0 && q.K%max(q.Groups, 1) == 0 &&
		!(q.FourBits && q.K%32 != 0) && slices.Equal(w.Dims[:last-1], x.Dims[:last-1]) &&
		slices.Equal(scales.Dims[:last-1], x.Dims[:last-1])
	return q, ok
}

// buildQuantizedDot multiplies by the dequantised matrix.
func buildQuantizedDot(b builder, _ stablehlo.DictAttr, in []value) []value {
	q, ok := QuantizedForm(in[0].Tensor(), in[1].Tensor(), in[2].Tensor())
	if !ok {
		emit.Fail("the operands of %s must be x f32[m,k], w s8[n,k] or u8[n,k/2] and scales f32[n,g] with k a multiple "+
			"of g, and of 32 for u8, and equal dimensions before; got %s, %s and %s", QuantizedDot, in[0].Type(),
			in[1].Type(), in[2].Type())
	}
	x, w, scales := b.flat(in[0], 2), b.flat(in[1], 2), b.flat(in[2], 2)
	if q.FourBits {
		bytes := b.Reshape(w, q.Batch, q.N, q.K/32, 16)
		low := b.Do(stablehlo.OpAnd, bytes, b.Fill(bytes, 15))
		high := b.Do(stablehlo.OpShiftRightLogical, bytes, b.Fill(bytes, 4))
		w = b.Reshape(b.Concat(3, low, high), q.Batch, q.N, q.K)
	}
	v := b.Convert(w, dtype.F32)
	if q.FourBits {
		v = b.Plus(-8, v)
	}
	if q.Groups > 0 {
		v = b.Reshape(v, q.Batch, q.N, q.Groups, q.K/q.Groups)
		v = b.Mul(v, b.Broadcast(scales, emit.Sizes(v), 0, 1, 2))
		v = b.Reshape(v, q.Batch, q.N, q.K)
	}
	return []value{b.unflat(b.matmul(x, b.swap(v)), in[0], 2)}
}
