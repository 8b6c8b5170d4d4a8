package random

import (
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
)

func ints(name string, v ...int64) stablehlo.NamedAttr {
	return stablehlo.Named(name, stablehlo.I64s(v...))
}

func (m *maker) broadcast() {
	x := m.recent()
	var dims, at []int64
	for _, n := range x.dims() {
		for m.r.IntN(3) == 0 && len(dims) < 4 {
			dims = append(dims, int64(1+m.r.IntN(5)))
		}
		at = append(at, int64(len(dims)))
		if n == 1 && m.r.IntN(2) == 0 {
			n = int64(1 + m.r.IntN(6))
		}
		dims = append(dims, n)
	}
	for m.r.IntN(2) == 0 && len(dims) < 5 {
		dims = append(dims, int64(1+m.r.IntN(9)))
	}
	if count(dims) > maxElems {
		return
	}
	m.emit(stablehlo.OpBroadcastInDim, []value{x}, ints("broadcast_dimensions", at...),
		stablehlo.Results{x.Tensor().WithDims(dims...)})
}

func (m *maker) transpose() {
	x := m.recent()
	var perm []int64
	for _, d := range m.r.Perm(len(x.dims())) {
		perm = append(perm, int64(d))
	}
	m.emit(stablehlo.OpTranspose, []value{x}, ints("permutation", perm...))
}

// reshape splits or merges dimensions.
func (m *maker) reshape() {
	x := m.recent()
	dims := slices.Clone(x.dims())
	for range 1 + m.r.IntN(3) {
		switch {
		case len(dims) > 1 && m.r.IntN(2) == 0:
			i := m.r.IntN(len(dims) - 1)
			dims[i] *= dims[i+1]
			dims = slices.Delete(dims, i+1, i+2)
		case len(dims) > 0 && len(dims) < 5:
			i := m.r.IntN(len(dims))
			q := pick(m.r, []int64{1, 2, 3, 5})
			if dims[i]%q == 0 {
				dims = slices.Insert(dims, i, dims[i]/q)
				dims[i+1] = q
			}
		}
	}
	m.emit(stablehlo.OpReshape, []value{x}, stablehlo.Results{x.Tensor().WithDims(dims...)})
}

func (m *maker) slice() {
	x := m.recent()
	var start, limit, stride []int64
	for _, n := range x.dims() {
		a := int64(m.r.IntN(int(n) + 1))
		start = append(start, a)
		limit = append(limit, a+int64(m.r.IntN(int(n-a)+1)))
		stride = append(stride, int64(1+m.r.IntN(3)))
	}
	if m.r.IntN(3) > 0 { // mostly not empty
		for d, n := range x.dims() {
			start[d], limit[d] = min(start[d], 1), n
			if start[d] >= n {
				start[d] = 0
			}
		}
	}
	m.emit(stablehlo.OpSlice, []value{x}, ints("start_indices", start...), ints("limit_indices", limit...),
		ints("strides", stride...))
}

func (m *maker) reverse() {
	x := m.recent()
	var dims []int64
	for d := range x.dims() {
		if m.r.IntN(2) == 0 {
			dims = append(dims, int64(d))
		}
	}
	m.emit(stablehlo.OpReverse, []value{x}, ints("dimensions", dims...))
}

func (m *maker) concatenate() {
	x := m.recent()
	if len(x.dims()) == 0 || count(x.dims()) > maxElems/4 {
		return
	}
	d := m.r.IntN(len(x.dims()))
	in := []value{x}
	for range m.r.IntN(3) {
		y, _ := m.find(func(v value) bool {
			if v.dtype() != x.dtype() || len(v.dims()) != len(x.dims()) {
				return false
			}
			for i := range v.dims() {
				if i != d && v.dims()[i] != x.dims()[i] {
					return false
				}
			}
			return true
		})
		in = append(in, y)
	}
	m.emit(stablehlo.OpConcatenate, in, stablehlo.Named("dimension", stablehlo.I64(int64(d))))
}

func (m *maker) pad() {
	x := m.recent()
	var low, high, interior []int64
	dims := slices.Clone(x.dims())
	for d, n := range dims {
		l, h, i := int64(m.r.IntN(6)-2), int64(m.r.IntN(6)-2), int64(max(m.r.IntN(4)-1, 0))
		size := n + max(n-1, 0)*i + l + h
		if size < 0 {
			l, h, i, size = 0, 0, 0, n
		}
		low, high, interior = append(low, l), append(high, h), append(interior, i)
		dims[d] = size
	}
	if count(dims) > maxElems {
		return
	}
	fill := m.constant(stablehlo.Tensor(x.dtype()))
	if v, ok := m.find(func(v value) bool { return v.dtype() == x.dtype() && len(v.dims()) == 0 }); ok {
		fill = v
	}
	m.emit(stablehlo.OpPad, []value{x, fill}, ints("edge_padding_low", low...), ints("edge_padding_high", high...),
		ints("interior_padding", interior...))
}

func (m *maker) iota() {
	dims := randomDims(m.r)
	if len(dims) == 0 {
		return
	}
	d := pick(m.r, dtypes)
	if d == dtype.Bool || isNarrow(d) {
		d = dtype.S32
	}
	m.emit(stablehlo.OpIota, nil, stablehlo.Named("iota_dimension", stablehlo.I64(int64(m.r.IntN(len(dims))))),
		stablehlo.Results{stablehlo.Tensor(d, dims...)})
}

// barrier keeps several values of any shapes together.
func (m *maker) barrier() {
	var in []*stablehlo.Value
	for range 1 + m.r.IntN(3) {
		in = append(in, m.recent().Value)
	}
	for _, v := range m.append(stablehlo.OpOptimizationBarrier, in) {
		m.add(v)
	}
}
