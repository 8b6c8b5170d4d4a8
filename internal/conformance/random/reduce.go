package random

import (
	"math"
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
)

// reduction returns an operation that reduces that many elements of a type, and an initial
// value that may come in any number of times.
func (m *maker) reduction(d dtype.Type, terms int64) (c stablehlo.OpCode, init value) {
	scalar := stablehlo.Tensor(d)
	type choice struct {
		c    stablehlo.OpCode
		init float64 // NaN when any value does
	}
	anything := math.NaN()
	var choices []choice
	switch {
	case d == dtype.Bool:
		choices = []choice{{stablehlo.OpOr, anything}, {stablehlo.OpAnd, anything}}
	case d.IsComplex():
		choices = []choice{{stablehlo.OpAdd, 0}}
	case d.IsInteger():
		choices = []choice{{stablehlo.OpAdd, 0}, {stablehlo.OpXor, 0}, {stablehlo.OpOr, anything},
			{stablehlo.OpMultiply, 1}, {stablehlo.OpMaximum, anything}, {stablehlo.OpMinimum, anything}}
	default:
		choices = []choice{{stablehlo.OpMaximum, anything}, {stablehlo.OpMinimum, anything}}
		if !isNarrow(d) && (d.Bits() > 16 || terms <= 16) {
			choices = append(choices, choice{stablehlo.OpAdd, 0})
		}
		if d.Bits() > 16 && terms <= 64 {
			choices = append(choices, choice{stablehlo.OpMultiply, 1})
		}
	}
	one := pick(m.r, choices)
	if math.IsNaN(one.init) {
		return one.c, m.constant(scalar)
	}
	return one.c, m.number(scalar, one.init)
}

// scalarBody is a region that applies an op to two scalars.
func scalarBody(c stablehlo.OpCode, d dtype.Type) stablehlo.Body {
	t := stablehlo.Tensor(d)
	return stablehlo.Body{Args: []stablehlo.Type{t, t},
		Build: func(b *stablehlo.Builder, args []*stablehlo.Value) ([]*stablehlo.Value, error) {
			v, err := b.Value(c, args)
			return []*stablehlo.Value{v}, err
		}}
}

// reductionBody is a region that reduces elements of several tensors side by side.
func reductionBody(ops []stablehlo.OpCode, inputs []value) stablehlo.Body {
	var types []stablehlo.Type
	for range 2 {
		for _, v := range inputs {
			types = append(types, stablehlo.Tensor(v.dtype()))
		}
	}
	return stablehlo.Body{Args: types,
		Build: func(b *stablehlo.Builder, a []*stablehlo.Value) ([]*stablehlo.Value, error) {
			var out []*stablehlo.Value
			for i, c := range ops {
				v, err := b.Value(c, []*stablehlo.Value{a[i], a[len(ops)+i]})
				if err != nil {
					return nil, err
				}
				out = append(out, v)
			}
			return out, nil
		}}
}

func (m *maker) someDims(rank int) []int64 {
	var dims []int64
	for d := range rank {
		if m.r.IntN(2) == 0 {
			dims = append(dims, int64(d))
		}
	}
	return dims
}

// reductionSize returns the number of elements per result of a reduction over dims.
func reductionSize(x value, dims []int64) int64 {
	n := int64(1)
	for _, d := range dims {
		n *= x.dims()[d]
	}
	return n
}

func (m *maker) reduce() {
	x := m.recent()
	dims := m.someDims(x.rank())
	c, init := m.reduction(x.dtype(), reductionSize(x, dims))
	m.emit(stablehlo.OpReduce, []value{x, init}, ints("dimensions", dims...), scalarBody(c, x.dtype()))
}

// reduceSeveral reduces two tensors of one shape at once.
func (m *maker) reduceSeveral() {
	x := m.recent()
	y, _ := m.find(func(v value) bool { return slices.Equal(v.dims(), x.dims()) })
	dims := m.someDims(x.rank())
	n := reductionSize(x, dims)
	c, initX := m.reduction(x.dtype(), n)
	d, initY := m.reduction(y.dtype(), n)
	m.emitAll(stablehlo.OpReduce, []value{x, y, initX, initY}, ints("dimensions", dims...),
		reductionBody([]stablehlo.OpCode{c, d}, []value{x, y}))
}

// reducePair finds the largest element and its index, the first of equal ones.
func (m *maker) reducePair() {
	x, ok := m.find(func(v value) bool {
		return v.exact && v.rank() > 0 && !v.dtype().IsComplex() && v.dtype() != dtype.Bool
	})
	if !ok {
		return
	}
	d := m.r.IntN(x.rank())
	at := m.emit(stablehlo.OpIota, nil, stablehlo.Named("iota_dimension", stablehlo.I64(int64(d))),
		stablehlo.Results{stablehlo.Tensor(dtype.S32, x.dims()...)})
	t, i := stablehlo.Tensor(x.dtype()), stablehlo.Tensor(dtype.S32)
	body := stablehlo.Body{Args: []stablehlo.Type{t, i, t, i},
		Build: func(b *stablehlo.Builder, a []*stablehlo.Value) ([]*stablehlo.Value, error) {
			in := &maker{b: b}
			emit := func(c stablehlo.OpCode, operands []*stablehlo.Value, parts ...stablehlo.OpPart) *stablehlo.Value {
				return in.append(c, operands, parts...)[0]
			}
			greater := emit(stablehlo.OpCompare, []*stablehlo.Value{a[0], a[2]}, direction("GT"))
			isNaN := emit(stablehlo.OpCompare, []*stablehlo.Value{a[0], a[0]}, direction("NE"))
			wins := emit(stablehlo.OpOr, []*stablehlo.Value{greater, isNaN})
			equal := emit(stablehlo.OpCompare, []*stablehlo.Value{a[0], a[2]}, direction("EQ"))
			before := emit(stablehlo.OpCompare, []*stablehlo.Value{a[1], a[3]}, direction("LT"))
			first := emit(stablehlo.OpOr, []*stablehlo.Value{wins,
				emit(stablehlo.OpAnd, []*stablehlo.Value{equal, before})})
			return []*stablehlo.Value{emit(stablehlo.OpSelect, []*stablehlo.Value{wins, a[0], a[2]}),
				emit(stablehlo.OpSelect, []*stablehlo.Value{first, a[1], a[3]})}, nil
		}}
	lowest := -100.0
	if x.dtype().IsUnsigned() {
		lowest = 0
	}
	in := []*stablehlo.Value{x.Value, at.Value, m.full(t, lowest), m.full(i, 0)}
	out := m.append(stablehlo.OpReduce, in, ints("dimensions", int64(d)), body)
	// With NaNs on both sides the order shows, in the index and in which value is left.
	if !x.dtype().IsFloat() {
		m.add(out[0])
		m.add(out[1])
	}
}
