package random

import (
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
)

// fold returns an operation that folds elements of a type, whether its results
// do not depend on the order, and an initial value that changes nothing.
func (m *maker) fold(d dtype.Type) (c stablehlo.OpCode, exact bool, init float64) {
	switch {
	case d == dtype.Bool:
		if m.r.IntN(2) == 0 {
			return stablehlo.OpOr, true, 0
		}
		return stablehlo.OpAnd, true, 1
	case d.IsComplex():
		return stablehlo.OpAdd, false, 0
	case d.IsInteger():
		return pick(m.r, []stablehlo.OpCode{stablehlo.OpAdd, stablehlo.OpXor, stablehlo.OpOr}), true, 0
	}
	switch m.r.IntN(3) {
	case 0:
		return stablehlo.OpMaximum, true, -1e30
	case 1:
		return stablehlo.OpMinimum, true, 1e30
	}
	return stablehlo.OpAdd, false, 0
}

func scalarBody(c stablehlo.OpCode, d dtype.Type) stablehlo.Body {
	t := stablehlo.Tensor(d)
	return stablehlo.Body{Args: []stablehlo.Type{t, t}, Build: func(b *stablehlo.Builder, args []*stablehlo.Value) ([]*stablehlo.Value, error) {
		v, err := b.Value(c, args)
		return []*stablehlo.Value{v}, err
	}}
}

func (m *maker) number(t *stablehlo.TensorType, v float64) value {
	a, err := stablehlo.Full(t, v)
	if err != nil {
		panic("random: " + err.Error())
	}
	return value{m.b.Constant(a), true}
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

func (m *maker) reduce() {
	x := m.recent()
	c, exact, init := m.fold(x.dtype())
	m.emit(exact, stablehlo.OpReduce, []value{x, m.number(stablehlo.Tensor(x.dtype()), init)},
		ints("dimensions", m.someDims(len(x.dims()))...), scalarBody(c, x.dtype()))
}

// reducePair finds the largest element and its index, the first of equal ones.
func (m *maker) reducePair() {
	x, ok := m.find(func(v value) bool {
		return v.exact && len(v.dims()) > 0 && !v.dtype().IsComplex() && v.dtype() != dtype.Bool
	})
	if !ok {
		return
	}
	d := m.r.IntN(len(x.dims()))
	at := m.emit(true, stablehlo.OpIota, nil, stablehlo.Named("iota_dimension", stablehlo.I64(int64(d))),
		stablehlo.Results{stablehlo.Tensor(dtype.S32, x.dims()...)})
	t, i := stablehlo.Tensor(x.dtype()), stablehlo.Tensor(dtype.S32)
	body := stablehlo.Body{Args: []stablehlo.Type{t, i, t, i}, Build: func(b *stablehlo.Builder, a []*stablehlo.Value) ([]*stablehlo.Value, error) {
		var err error
		value := func(c stablehlo.OpCode, in []*stablehlo.Value, parts ...stablehlo.OpPart) *stablehlo.Value {
			v, e := b.Value(c, in, parts...)
			if err == nil {
				err = e
			}
			return v
		}
		greater := value(stablehlo.OpCompare, []*stablehlo.Value{a[0], a[2]}, direction("GT"))
		isNaN := value(stablehlo.OpCompare, []*stablehlo.Value{a[0], a[0]}, direction("NE"))
		wins := value(stablehlo.OpOr, []*stablehlo.Value{greater, isNaN})
		equal := value(stablehlo.OpCompare, []*stablehlo.Value{a[0], a[2]}, direction("EQ"))
		before := value(stablehlo.OpCompare, []*stablehlo.Value{a[1], a[3]}, direction("LT"))
		first := value(stablehlo.OpOr, []*stablehlo.Value{wins, value(stablehlo.OpAnd, []*stablehlo.Value{equal, before})})
		return []*stablehlo.Value{value(stablehlo.OpSelect, []*stablehlo.Value{wins, a[0], a[2]}),
			value(stablehlo.OpSelect, []*stablehlo.Value{first, a[1], a[3]})}, err
	}}
	inits := []*stablehlo.Value{m.number(t, -100).Value, m.number(i, 0).Value}
	op, err := m.b.Op(stablehlo.OpReduce, append([]*stablehlo.Value{x.Value, at.Value}, inits...), ints("dimensions", int64(d)), body)
	if err != nil {
		panic("random: " + err.Error())
	}
	// With NaNs of both sides the order shows in the index.
	m.add(op.Results[1], !x.dtype().IsFloat())
	if !x.dtype().IsFloat() {
		m.add(op.Results[0], true)
	}
}

func (m *maker) reduceWindow() {
	x, ok := m.find(func(v value) bool { return len(v.dims()) > 0 && count(v.dims()) < 5000 })
	if !ok {
		return
	}
	c, exact, init := m.fold(x.dtype())
	n := len(x.dims())
	window, stride, padding := slices.Repeat([]int64{1}, n), slices.Repeat([]int64{1}, n), make([]int64, 2*n)
	for d, size := range x.dims() {
		switch m.r.IntN(3) {
		case 0:
			window[d], stride[d] = int64(1+m.r.IntN(4)), int64(1+m.r.IntN(2))
			padding[2*d], padding[2*d+1] = int64(m.r.IntN(2)), int64(m.r.IntN(2))
		case 1:
			if size > 0 {
				window[d], padding[2*d] = size, size-1
			}
		}
	}
	a, err := stablehlo.Elements(padding, int64(n), 2)
	if err != nil {
		panic("random: " + err.Error())
	}
	m.emit(exact, stablehlo.OpReduceWindow, []value{x, m.number(stablehlo.Tensor(x.dtype()), init)},
		ints("window_dimensions", window...), ints("window_strides", stride...), stablehlo.Named("padding", a), scalarBody(c, x.dtype()))
}

func (m *maker) dot() {
	x, ok := m.find(func(v value) bool { return len(v.dims()) > 0 && v.dtype() != dtype.Bool })
	if !ok {
		return
	}
	k := x.dims()[len(x.dims())-1]
	y, ok := m.find(func(v value) bool {
		return v.dtype() == x.dtype() && len(v.dims()) > 0 && v.dims()[0] == k &&
			count(x.dims())/max(k, 1)*count(v.dims())/max(k, 1) <= maxElems
	})
	if !ok {
		return
	}
	m.emit(x.dtype().IsInteger(), stablehlo.OpDotGeneral, []value{x, y}, stablehlo.Named("dot_dimension_numbers",
		&stablehlo.DotDims{LHSContracting: []int64{int64(len(x.dims()) - 1)}, RHSContracting: []int64{0}}))
}

// scatter combines rows of updates into a tensor, some outside of it.
func (m *maker) scatter() {
	x, ok := m.find(func(v value) bool { return len(v.dims()) > 0 && count(v.dims()) > 0 && count(v.dims()) < 5000 })
	if !ok {
		return
	}
	at, ok := m.find(func(v value) bool {
		return v.exact && v.dtype() == dtype.S32 && len(v.dims()) == 1 && count(v.dims())*count(x.dims()[1:]) < 5000
	})
	if !ok {
		return
	}
	dims := append([]int64{at.dims()[0]}, x.dims()[1:]...)
	updates := value{m.constant(x.Tensor().WithDims(dims...)), true}
	var window []int64
	for d := 1; d < len(dims); d++ {
		window = append(window, int64(d))
	}
	c, exact, _ := m.fold(x.dtype())
	m.emit(exact, stablehlo.OpScatter, []value{x, at, updates}, scalarBody(c, x.dtype()),
		stablehlo.Named("scatter_dimension_numbers", &stablehlo.ScatterDims{UpdateWindowDims: window,
			InsertedWindowDims: []int64{0}, ScatterDimsToOperandDims: []int64{0}, IndexVectorDim: 1}))
}

func (m *maker) sort() {
	x, ok := m.find(func(v value) bool { return v.exact && len(v.dims()) > 0 && !v.dtype().IsComplex() })
	if !ok {
		return
	}
	t := stablehlo.Tensor(x.dtype())
	less := stablehlo.Body{Args: []stablehlo.Type{t, t}, Build: func(b *stablehlo.Builder, a []*stablehlo.Value) ([]*stablehlo.Value, error) {
		parts := []stablehlo.OpPart{direction(pick(m.r, []string{"LT", "GT"}))}
		if x.dtype().IsFloat() {
			parts = append(parts, stablehlo.Named("compare_type", stablehlo.EnumAttr{Dialect: "stablehlo", Kind: "comparison_type", Value: "TOTALORDER"}))
		}
		v, err := b.Value(stablehlo.OpCompare, a, parts...)
		return []*stablehlo.Value{v}, err
	}}
	m.emit(true, stablehlo.OpSort, []value{x}, less, stablehlo.Named("is_stable", stablehlo.BoolAttr(true)),
		stablehlo.Named("dimension", stablehlo.I64(int64(m.r.IntN(len(x.dims()))))))
}
