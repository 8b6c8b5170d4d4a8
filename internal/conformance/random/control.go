package random

import (
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
)

// maxDepth bounds the nesting of control flow.
const maxDepth = 2

// region makes the ops of a region, which may use all values of the pool.
func (m *maker) region(b *stablehlo.Builder, args []value, ops int) *maker {
	in := &maker{r: m.r, certain: m.certain, smooth: m.smooth, b: b, pool: slices.Concat(m.pool, args),
		depth: m.depth + 1, makers: m.makers}
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
	for range 1 + m.r.IntN(3) {
		types = append(types, m.recent().Tensor())
	}
	body := stablehlo.Body{Build: func(b *stablehlo.Builder, _ []*stablehlo.Value) ([]*stablehlo.Value, error) {
		in := m.region(b, nil, m.r.IntN(5))
		var out []*stablehlo.Value
		for _, t := range types {
			out = append(out, in.of(t, false).Value)
		}
		return out, nil
	}}
	var bodies []stablehlo.OpPart
	for range n {
		bodies = append(bodies, body)
	}
	for _, v := range m.append(c, []*stablehlo.Value{p.Value}, bodies...) {
		m.add(v)
	}
}

// trips is how a loop counts and when it ends.
type trips struct {
	counter     *stablehlo.TensorType
	start, step int64
	end         int64 // of a loop that counts to a number known here
	bound       value // of one that counts to a value of the program
	// below ends the loop early, when an element of the first state of an ordered
	// type is not below it.
	below *float64
}

// trips returns a way to count to n, which zero, one and many are.
func (m *maker) trips(n int64) trips {
	t := trips{counter: stablehlo.Tensor(pick(m.r, []dtype.Type{dtype.S32, dtype.S32, dtype.S32, dtype.S64})),
		step: 1, end: n}
	switch m.r.IntN(5) {
	case 0: // in steps, up or down
		t.start, t.step = int64(m.r.IntN(9)-4), pick(m.r, []int64{-3, -1, 2, 7})
		t.end = t.start + n*t.step
	case 1: // up to a number of the program
		limit := m.number(t.counter, float64(n))
		at := m.known(m.as(t.counter.DType(), m.index().Value))
		t.bound = m.known(m.op(stablehlo.OpClamp, m.full(t.counter, 0), at.Value, limit.Value))
	case 2:
		below := m.r.NormFloat64() * 4
		t.below = &below
	}
	return t
}

// condition compares the counter with where it ends.
func (t trips) condition(m *maker, counter *stablehlo.Value) *stablehlo.Value {
	end, way := t.bound.Value, "LT"
	if end == nil {
		end = m.full(t.counter, float64(t.end))
	}
	if t.step < 0 {
		way = "GT"
	}
	return m.append(stablehlo.OpCompare, []*stablehlo.Value{counter, end}, direction(way))[0]
}

// allBelow reduces a state into whether all its elements are below a number.
func (m *maker) allBelow(v *stablehlo.Value, limit float64) *stablehlo.Value {
	t := v.Tensor()
	below := m.append(stablehlo.OpCompare, []*stablehlo.Value{v, m.full(t, limit)}, direction("LT"))[0]
	if t.Rank() == 0 {
		return below
	}
	dims := make([]int64, t.Rank())
	for d := range dims {
		dims[d] = int64(d)
	}
	yes := m.full(stablehlo.Tensor(dtype.Bool), 1)
	return m.append(stablehlo.OpReduce, []*stablehlo.Value{below, yes}, ints("dimensions", dims...),
		scalarBody(stablehlo.OpAnd, dtype.Bool))[0]
}

// while makes a loop over a counter and a state, and returns the final state. A float of the state that is
// exact at the start must stay so.
func (m *maker) while(t trips, state []value, body func(in *maker, counter value) []value) []value {
	operands, types := []*stablehlo.Value{m.full(t.counter, float64(t.start))}, []stablehlo.Type{t.counter}
	for _, v := range state {
		operands, types = append(operands, v.Value), append(types, v.Type())
	}
	cond := stablehlo.Body{Args: types,
		Build: func(b *stablehlo.Builder, a []*stablehlo.Value) ([]*stablehlo.Value, error) {
			in := &maker{b: b}
			more := t.condition(in, a[0])
			if t.below != nil {
				for i, v := range state {
					if v.exact && !v.dtype().IsComplex() && v.dtype() != dtype.Bool {
						more = in.op(stablehlo.OpAnd, more, in.allBelow(a[1+i], *t.below))
						break
					}
				}
			}
			return []*stablehlo.Value{more}, nil
		}}
	step := stablehlo.Body{Args: types,
		Build: func(b *stablehlo.Builder, a []*stablehlo.Value) ([]*stablehlo.Value, error) {
			args := []value{{a[0], true}}
			for i, v := range a[1:] {
				args = append(args, value{v, state[i].exact})
				if !state[i].exact && m.certain != nil {
					m.certain[v] = Near
				}
			}
			in := m.region(b, args, 0)
			out := in.append(stablehlo.OpAdd, []*stablehlo.Value{a[0], in.full(t.counter, float64(t.step))})
			for _, v := range body(in, args[0]) {
				out = append(out, v.Value)
			}
			return out, nil
		}}
	var out []value
	for i, v := range m.append(stablehlo.OpWhile, operands, cond, step) {
		if x := m.add(v); i > 0 {
			out = append(out, x)
		}
	}
	return out
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
		state[i].exact = !isInexact(v.dtype()) || v.exact && m.r.IntN(2) == 0
	}
	m.while(m.trips(m.r.Int64N(5)), state, func(in *maker, _ value) []value {
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
		index := slices.Repeat([]value{in.number(counter.Tensor(), 0)}, x.rank())
		index[d] = counter
		return index
	}
	m.while(m.trips(m.r.Int64N(4)), []value{x, row}, func(in *maker, counter value) []value {
		tensor, row := in.pool[len(in.pool)-2], in.pool[len(in.pool)-1]
		old := tensor
		part := in.emit(stablehlo.OpDynamicSlice, append([]value{tensor}, at(in, counter)...),
			ints("slice_sizes", dims...))
		in.pool = append(in.pool, row, part) // so that the next ops are likely to use them
		in.ops(m.r.IntN(3))
		next := in.of(row.Tensor(), true)
		tensor = in.emit(stablehlo.OpDynamicUpdateSlice, append([]value{tensor, next}, at(in, counter)...))
		if m.r.IntN(4) == 0 { // the old value is still in use
			tensor = in.like(old)
			if !tensor.exact {
				tensor = old
			}
		}
		return []value{tensor, next}
	})
}
