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
	in := &maker{r: m.r, noise: m.noise, b: b, pool: slices.Concat(m.pool, args), depth: m.depth + 1, makers: m.makers}
	in.ops(ops)
	return in
}

// branch makes an if.
func (m *maker) branch() {
	p, ok := m.find(func(v value) bool { return v.exact && v.dtype() == dtype.Bool && v.rank() == 0 })
	if ok && m.depth < maxDepth {
		m.branches(stablehlo.OpIf, p, 2)
	}
}

// cases makes a case, its index sometimes out of range.
func (m *maker) cases() {
	if m.depth < maxDepth {
		m.branches(stablehlo.OpCase, m.index(), 1+m.r.IntN(3))
	}
}

func (m *maker) branches(c stablehlo.OpCode, p value, n int) {
	var types []*stablehlo.TensorType
	var exact []bool
	for range 1 + m.r.IntN(3) {
		types, exact = append(types, m.recent().Tensor()), append(exact, true)
	}
	body := stablehlo.Body{Build: func(b *stablehlo.Builder, _ []*stablehlo.Value) ([]*stablehlo.Value, error) {
		in := m.inside(b, nil, m.r.IntN(5))
		var out []*stablehlo.Value
		for i, t := range types {
			v := in.of(t, false)
			exact[i] = exact[i] && v.exact
			out = append(out, v.Value)
		}
		return out, nil
	}}
	var bodies []stablehlo.OpPart
	for range n {
		bodies = append(bodies, body)
	}
	for i, v := range m.append(c, []*stablehlo.Value{p.Value}, bodies...) {
		m.add(v, exact[i])
	}
}

// while makes a loop of some trips over a counter and some state. A float of the
// state that is exact at the start stays so.
func (m *maker) while(trips int, state []value, body func(in *maker, counter value) []value) {
	s32 := stablehlo.Tensor(dtype.S32)
	operands, types := []*stablehlo.Value{m.full(s32, 0)}, []stablehlo.Type{s32}
	for _, v := range state {
		operands, types = append(operands, v.Value), append(types, v.Type())
	}
	cond := stablehlo.Body{Args: types, Build: func(b *stablehlo.Builder, a []*stablehlo.Value) ([]*stablehlo.Value, error) {
		in := &maker{b: b}
		return in.append(stablehlo.OpCompare, []*stablehlo.Value{a[0], in.full(s32, float64(trips))}, direction("LT")), nil
	}}
	step := stablehlo.Body{Args: types, Build: func(b *stablehlo.Builder, a []*stablehlo.Value) ([]*stablehlo.Value, error) {
		args := []value{{a[0], true}}
		for i, v := range a[1:] {
			args = append(args, value{v, state[i].exact})
		}
		in := m.inside(b, args, 0)
		out := in.append(stablehlo.OpAdd, []*stablehlo.Value{a[0], in.full(s32, 1)})
		for _, v := range body(in, args[0]) {
			out = append(out, v.Value)
		}
		return out, nil
	}}
	for i, v := range m.append(stablehlo.OpWhile, operands, cond, step) {
		m.add(v, i == 0 || state[i-1].exact)
	}
}

// loop makes a loop with anything in its body.
func (m *maker) loop() {
	if m.depth == maxDepth {
		return
	}
	var state []value
	for range 1 + m.r.IntN(3) {
		state = append(state, m.recent())
	}
	for i, v := range state {
		state[i].exact = isExactType(v.Type()) || v.exact && m.r.IntN(2) == 0
	}
	m.while(m.r.IntN(5), state, func(in *maker, _ value) []value {
		in.ops(1 + m.r.IntN(5))
		var next []value
		for _, v := range state {
			next = append(next, in.of(v.Tensor(), v.exact))
		}
		return next
	})
}

// fill makes a loop that writes slices of a tensor one after the other.
func (m *maker) fill() {
	x, ok := m.find(func(v value) bool { return v.exact && v.rank() > 0 && v.count() > 0 })
	if !ok || m.depth == maxDepth {
		return
	}
	d := m.r.IntN(x.rank())
	dims := slices.Clone(x.dims())
	dims[d] = 1
	row := m.of(x.Tensor().WithDims(dims...), true)
	at := func(in *maker, counter value) []value {
		index := slices.Repeat([]value{in.number(stablehlo.Tensor(dtype.S32), 0)}, x.rank())
		index[d] = counter
		return index
	}
	m.while(m.r.IntN(4), []value{x, row}, func(in *maker, counter value) []value {
		tensor, row := in.pool[len(in.pool)-2], in.pool[len(in.pool)-1]
		old := tensor
		part := in.emit(true, stablehlo.OpDynamicSlice, append([]value{tensor}, at(in, counter)...), ints("slice_sizes", dims...))
		in.pool = append(in.pool, row, part) // close at hand
		in.ops(m.r.IntN(3))
		next := in.of(row.Tensor(), true)
		tensor = in.emit(true, stablehlo.OpDynamicUpdateSlice, append([]value{tensor, next}, at(in, counter)...))
		if m.r.IntN(4) == 0 { // what was there before is still in use
			tensor = in.like(old)
			if !tensor.exact {
				tensor = old
			}
		}
		return []value{tensor, next}
	})
}
