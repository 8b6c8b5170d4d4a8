package random

import (
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
)

// maxDepth bounds the nesting of control flow.
const maxDepth = 2

// inside makes the ops of a region, which may use all values of the pool.
func (m *maker) inside(b *stablehlo.Builder, args []value, ops int) *maker {
	in := &maker{r: m.r, b: b, pool: slices.Concat(m.pool, args), depth: m.depth + 1}
	in.ops(ops)
	return in
}

// of returns a value of a type from the pool or made from one.
func (m *maker) of(t stablehlo.Type) value {
	v, ok := m.find(func(v value) bool { return stablehlo.SameType(v.Type(), t) })
	if !ok {
		return value{m.constant(t.(*stablehlo.TensorType)), true}
	}
	// The latest is mostly the most interesting.
	for i := len(m.pool) - 1; i >= 0 && m.r.IntN(3) > 0; i-- {
		if stablehlo.SameType(m.pool[i].Type(), t) {
			return m.pool[i]
		}
	}
	return v
}

// branch makes an if.
func (m *maker) branch() {
	p, ok := m.find(func(v value) bool { return v.exact && v.dtype() == dtype.Bool && len(v.dims()) == 0 })
	if !ok || m.depth == maxDepth {
		return
	}
	types := []stablehlo.Type{m.recent().Type(), m.recent().Type()}
	exact := []bool{true, true}
	body := stablehlo.Body{Build: func(b *stablehlo.Builder, _ []*stablehlo.Value) ([]*stablehlo.Value, error) {
		in := m.inside(b, nil, m.r.IntN(5))
		var out []*stablehlo.Value
		for i, t := range types {
			v := in.of(t)
			exact[i] = exact[i] && v.exact
			out = append(out, v.Value)
		}
		return out, nil
	}}
	op, err := m.b.Op(stablehlo.OpIf, []*stablehlo.Value{p.Value}, body, body)
	if err != nil {
		panic("random: " + err.Error())
	}
	for i, v := range op.Results {
		m.add(v, exact[i])
	}
}

// isExactType reports whether values of a type are exact however they are made:
// integers come from exact values alone.
func isExactType(t stablehlo.Type) bool {
	d := stablehlo.DType(t)
	return !d.IsFloat() && !d.IsComplex()
}

// loop makes a while of a few trips over a counter and some values. The floats
// of the state may be touched by rounding in any trip.
func (m *maker) loop() {
	if m.depth == maxDepth {
		return
	}
	s32 := stablehlo.Tensor(dtype.S32)
	state := []value{m.number(s32, 0)}
	for range 1 + m.r.IntN(3) {
		state = append(state, m.recent())
	}
	var operands []*stablehlo.Value
	var types []stablehlo.Type
	for _, v := range state {
		operands, types = append(operands, v.Value), append(types, v.Type())
	}
	trips := float64(m.r.IntN(5))
	cond := stablehlo.Body{Args: types, Build: func(b *stablehlo.Builder, a []*stablehlo.Value) ([]*stablehlo.Value, error) {
		in := &maker{r: m.r, b: b}
		v, err := b.Value(stablehlo.OpCompare, []*stablehlo.Value{a[0], in.number(s32, trips).Value}, direction("LT"))
		return []*stablehlo.Value{v}, err
	}}
	body := stablehlo.Body{Args: types, Build: func(b *stablehlo.Builder, a []*stablehlo.Value) ([]*stablehlo.Value, error) {
		var args []value
		for _, v := range a {
			args = append(args, value{v, isExactType(v.Type())})
		}
		in := m.inside(b, args, 1+m.r.IntN(5))
		next, err := b.Value(stablehlo.OpAdd, []*stablehlo.Value{a[0], in.number(s32, 1).Value})
		out := []*stablehlo.Value{next}
		for _, t := range types[1:] {
			out = append(out, in.of(t).Value)
		}
		return out, err
	}}
	op, err := m.b.Op(stablehlo.OpWhile, operands, cond, body)
	if err != nil {
		panic("random: " + err.Error())
	}
	for _, v := range op.Results {
		m.add(v, isExactType(v.Type()))
	}
}
