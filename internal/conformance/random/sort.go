package random

import (
	"slices"

	"github.com/go-nx/nx/stablehlo"
)

// sortable returns an exact value of numbers that have an order.
func (m *maker) sortable() (value, bool) {
	return m.find(func(v value) bool { return v.exact && v.rank() > 0 && !v.dtype().IsComplex() })
}

// order is a region that compares the first of n pairs of scalars, totally.
func (m *maker) order(in []value) stablehlo.Body {
	var types []stablehlo.Type
	for _, v := range in {
		t := stablehlo.Tensor(v.dtype())
		types = append(types, t, t)
	}
	way := pick(m.r, []string{"LT", "GT"})
	return stablehlo.Body{Args: types,
		Build: func(b *stablehlo.Builder, a []*stablehlo.Value) ([]*stablehlo.Value, error) {
			parts := []stablehlo.OpPart{direction(way)}
			if in[0].dtype().IsFloat() {
				parts = append(parts,
					stablehlo.Named("compare_type",
						stablehlo.EnumAttr{Dialect: "stablehlo", Kind: "comparison_type", Value: "TOTALORDER"}))
			}
			v, err := b.Value(stablehlo.OpCompare, a[:2], parts...)
			return []*stablehlo.Value{v}, err
		}}
}

func (m *maker) sort() {
	if x, ok := m.sortable(); ok {
		m.sorted(x)
	}
}

// sortPair sorts a tensor along with another.
func (m *maker) sortPair() {
	x, ok := m.sortable()
	if !ok {
		return
	}
	y, _ := m.find(func(v value) bool { return slices.Equal(v.dims(), x.dims()) })
	m.sorted(x, y)
}

func (m *maker) sorted(in ...value) { m.sortedAlong(in, -1) }

// sortedAlong sorts tensors by the first one along a dimension, any one where it is -1.
func (m *maker) sortedAlong(in []value, dim int) []value {
	in[0] = m.withoutNaNs(in[0])
	order := m.order(in)
	if dim < 0 {
		dim = m.r.IntN(in[0].rank())
	}
	return m.emitAll(stablehlo.OpSort, in, order, stablehlo.Named("is_stable", stablehlo.BoolAttr(true)),
		stablehlo.Named("dimension", stablehlo.I64(int64(dim))))
}

// withoutNaNs replaces each NaN by a number: sorts distinguish signs and payloads of NaNs, and executors may
// produce different ones.
func (m *maker) withoutNaNs(x value) value {
	if !x.dtype().IsFloat() {
		return x
	}
	isNumber := m.emit(stablehlo.OpCompare, []value{x, x}, direction("EQ"))
	return m.emit(stablehlo.OpSelect, []value{isNumber, x, m.number(x.Tensor(), 2)})
}

func (m *maker) topK() {
	x, ok := m.sortable()
	if !ok {
		return
	}
	x = m.withoutNaNs(x)
	k := m.r.Int64N(x.dims()[x.rank()-1] + 1)
	m.emitAll(stablehlo.OpChloTopK, []value{x}, stablehlo.Named("k", stablehlo.I64(k)))
}
