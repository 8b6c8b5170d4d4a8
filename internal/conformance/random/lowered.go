package random

import (
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
)

// Ops that compilers write as others.

// broadcasting makes an op of operands whose shapes differ in dimensions of size 1.
func (m *maker) broadcasting() {
	x := m.recent()
	if x.dtype() == dtype.Bool || x.dtype().IsComplex() {
		return
	}
	dims := slices.Clone(x.dims())
	for d := range dims {
		if m.r.IntN(2) == 0 {
			dims[d] = 1
		}
	}
	dims = dims[m.r.IntN(len(dims)+1):]
	in := []value{x, m.of(x.Tensor().WithDims(dims...), false)}
	if m.r.IntN(2) == 0 {
		in[0], in[1] = in[1], in[0]
	}
	c := pick(m.r, []stablehlo.OpCode{stablehlo.OpChloBroadcastAdd, stablehlo.OpChloBroadcastMultiply,
		stablehlo.OpChloBroadcastMaximum})
	m.emit(c, in)
}

// batchNorm normalises with given statistics.
func (m *maker) batchNorm() {
	x, ok := m.find(func(v value) bool { return v.rank() > 0 && v.dtype().IsFloat() && v.dtype().Bits() >= 32 })
	if !ok {
		return
	}
	d := m.r.IntN(x.rank())
	t := x.Tensor().WithDims(x.dims()[d])
	one := func() value { return m.number(t, 0.5+m.r.Float64()) }
	m.emit(stablehlo.OpBatchNormInference, []value{x, m.of(t, false), m.of(t, false), one(), one()},
		stablehlo.Named("epsilon", stablehlo.FloatAttr{Value: 1e-3, Type: stablehlo.Scalar(dtype.F32)}),
		stablehlo.Named("feature_index", stablehlo.I64(int64(d))))
}

// indexSelect takes slices at a list of indices.
func (m *maker) indexSelect() {
	x, ok := m.indexable()
	if !ok {
		return
	}
	d := m.r.IntN(x.rank())
	t := stablehlo.Tensor(dtype.S32, int64(m.r.IntN(9)))
	n, _ := t.NumElems()
	data := make([]byte, 4*n)
	for i := range int(n) {
		dtype.S32.StoreInt(data, i, m.r.Int64N(x.dims()[d]))
	}
	at := m.known(m.b.Constant(&stablehlo.ElementsAttr{Type: t, Data: data}))
	dims := slices.Clone(x.dims())
	dims[d] = n
	m.emit(stablehlo.OpTorchIndexSelect, []value{x, at}, stablehlo.Results{x.Tensor().WithDims(dims...)},
		stablehlo.Named("dim", stablehlo.I64(int64(d))), stablehlo.Named("batch_dims", stablehlo.I64(0)))
}
