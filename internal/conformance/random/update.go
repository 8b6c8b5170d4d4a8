package random

import (
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
)

// Programs that update parts of tensors, in loops, in branches and in sequence: compilers do such updates in
// place when the difference is not observable.

// updating makes such a program. It updates its arguments, constants and computed values; the results are
// mostly the updated values, sometimes the old ones.
func (m *maker) updating() {
	m.makers = fusing
	var state []value
	t := stablehlo.Tensor(pick(m.r, dtypes), m.stateDims()...)
	for range 1 + m.r.IntN(3) {
		switch m.r.IntN(6) {
		case 0:
			t = stablehlo.Tensor(pick(m.r, dtypes), m.stateDims()...)
		case 1:
			if len(state) > 0 { // two names of one tensor
				state = append(state, state[0])
				continue
			}
		}
		make := pick(m.r, []func(m *maker, t *stablehlo.TensorType) value{
			(*maker).argument, (*maker).argument, (*maker).computed, (*maker).splat, (*maker).dense,
			(*maker).broadcastScalar})
		state = append(state, make(m, t))
	}
	m.pool = append(m.pool, state...)
	before := state
	for range 1 + m.r.IntN(3) {
		state = m.change(state, nil)
	}
	m.results = append(m.results, state...)
	if m.r.IntN(3) == 0 {
		m.results = append(m.results, pick(m.r, before))
	}
	m.end()
}

// stateDims returns a shape of a tensor with few elements, some at the borders of tiles.
func (m *maker) stateDims() []int64 {
	few := func() int64 { return int64(1 + m.r.IntN(6)) }
	switch m.r.IntN(8) {
	case 0:
		return nil
	case 1:
		return []int64{pick(m.r, boundarySizes)}
	case 2:
		return []int64{few(), pick(m.r, boundarySizes)}
	case 3:
		return []int64{few(), few(), few()}
	case 4, 5:
		return []int64{few(), few()}
	}
	return []int64{few() * few()}
}

// counters are loop counters, which may be indices of updates.
type counters []value

// startIndices returns an index for each dimension of a tensor: a counter, a number near
// one, a number known here or one of the program, in and out of range.
func (m *maker) startIndices(x value, at counters) []value {
	t := stablehlo.Tensor(dtype.S32)
	out := make([]value, x.rank())
	for d, n := range x.dims() {
		v := m.number(t, float64(m.r.Int64N(n+1)))
		switch m.r.IntN(6) {
		case 0:
			v = m.index()
		case 1, 2, 3:
			if len(at) > 0 {
				v = m.known(m.as(dtype.S32, pick(m.r, at).Value))
			}
		case 4:
			if len(at) > 0 {
				c := m.as(dtype.S32, pick(m.r, at).Value)
				v = m.known(m.op(pick(m.r, intBinary[:3]), c, m.full(t, float64(m.r.IntN(4)))))
			}
		}
		out[d] = v
	}
	return out
}

// change returns a state after some updates.
func (m *maker) change(state []value, at counters) []value {
	state = slices.Clone(state)
	for range 1 + m.r.IntN(4) {
		i := m.r.IntN(len(state))
		x := state[i]
		switch m.r.IntN(16) {
		case 0, 1:
			if m.depth < maxDepth {
				state = m.changeLoop(state, at)
			}
		case 2, 3:
			if m.depth < maxDepth {
				state = m.changeBranches(state, at)
			}
		case 4: // swap, or rotate
			state = append(state[1:], state[0])
		case 5: // the one becomes the other
			if y := pick(m.r, state); stablehlo.SameType(y.Type(), x.Type()) {
				state[i] = y
			}
		case 6:
			state[i] = m.known(m.computeExact(x.Value))
		case 7, 8:
			state[i] = m.scatterUpdate(x, at)
		case 9:
			state[i] = m.selectByMask(x, at)
		case 10, 11:
			state[i] = m.readModifyWrite(x, at)
		case 12: // one after the other
			for range 2 + m.r.IntN(4) {
				state[i] = m.writePart(state[i], nil)
			}
		default:
			state[i] = m.writePart(x, at)
		}
		m.pool = append(m.pool, state[i])
	}
	return state
}

// partDims returns the size of a part of a tensor: one element, a row or any.
func (m *maker) partDims(x value) []int64 {
	dims := slices.Clone(x.dims())
	for d, n := range dims {
		switch m.r.IntN(4) {
		case 0, 1:
			dims[d] = 1
		case 2:
			dims[d] = 1 + m.r.Int64N(n)
		}
	}
	return dims
}

// writePart writes a slice.
func (m *maker) writePart(x value, at counters) value {
	part := m.exactValue(x.Tensor().WithDims(m.partDims(x)...))
	return m.emit(stablehlo.OpDynamicUpdateSlice, append([]value{x, part}, m.startIndices(x, at)...))
}

// exactValue returns an exact value of a type, often one of the program.
func (m *maker) exactValue(t *stablehlo.TensorType) value {
	if v, ok := m.find(func(v value) bool { return v.exact && v.dtype() == t.DType() && v.rank() == 0 }); ok &&
		m.r.IntN(2) == 0 {
		return m.broadcastTo(v.Value, t)
	}
	return m.of(t, true)
}

// readModifyWrite updates a slice; sometimes it writes to another index, or to another tensor, than it has
// read.
func (m *maker) readModifyWrite(x value, at counters) value {
	dims, start := m.partDims(x), m.startIndices(x, at)
	part := m.emit(stablehlo.OpDynamicSlice, append([]value{x}, start...), ints("slice_sizes", dims...))
	for range 1 + m.r.IntN(2) {
		part = m.known(m.computeExact(part.Value))
	}
	if m.r.IntN(4) == 0 {
		start = m.startIndices(x, at)
	}
	return m.emit(stablehlo.OpDynamicUpdateSlice, append([]value{x, part}, start...))
}

// selectByMask replaces elements by a mask.
func (m *maker) selectByMask(x value, at counters) value {
	if x.rank() == 0 {
		return m.known(m.computeExact(x.Value))
	}
	t := stablehlo.Tensor(dtype.S32, x.dims()...)
	d := m.r.IntN(x.rank())
	indices := m.append(stablehlo.OpIota, nil, stablehlo.Named("iota_dimension", stablehlo.I64(int64(d))),
		stablehlo.Results{t})[0]
	here := m.broadcastTo(m.startIndices(x, at)[d].Value, t)
	mask := m.append(stablehlo.OpCompare, []*stablehlo.Value{indices, here.Value},
		direction(pick(m.r, []string{"EQ", "NE", "LT"})))[0]
	in := []value{m.known(mask), m.exactValue(x.Tensor()), x}
	if m.r.IntN(2) == 0 {
		in[1], in[2] = in[2], in[1]
	}
	return m.emit(stablehlo.OpSelect, in)
}

// scatterUpdate combines rows or single elements with a tensor, at one index or several.
func (m *maker) scatterUpdate(x value, at counters) value {
	if x.rank() == 0 {
		return m.known(m.computeExact(x.Value))
	}
	indexed := 1 + m.r.IntN(x.rank())
	var dropped, mapped, window, inWindow []int64
	for d, n := range x.dims() {
		if d < indexed {
			dropped, mapped = append(dropped, int64(d)), append(mapped, int64(d))
		} else {
			inWindow = append(inWindow, n)
		}
	}
	n := pick(m.r, []int64{1, 1, 1, 2, 5, 20})
	if m.depth > 0 {
		n = min(n, 2)
	}
	for i := range inWindow {
		window = append(window, int64(1+i))
	}
	t := stablehlo.Tensor(dtype.S32, n, int64(indexed))
	var indices value
	if n == 1 { // a counter may be the index
		var parts []*stablehlo.Value
		for _, p := range m.startIndices(x, at)[:indexed] {
			parts = append(parts,
				m.append(stablehlo.OpReshape, []*stablehlo.Value{p.Value},
					stablehlo.Results{stablehlo.Tensor(dtype.S32, 1, 1)})[0])
		}
		indices = m.known(m.append(stablehlo.OpConcatenate, parts, stablehlo.Named("dimension", stablehlo.I64(1)))[0])
	} else {
		data := make([]byte, 4*n*int64(indexed))
		for i := range int(n) * indexed {
			dtype.S32.StoreInt(data, i, m.r.Int64N(x.dims()[i%indexed]+2)-1)
		}
		indices = m.known(m.b.Constant(&stablehlo.ElementsAttr{Type: t, Data: data}))
	}
	updates := m.exactValue(x.Tensor().WithDims(slices.Concat([]int64{n}, inWindow)...))
	body := replaceBody(x.dtype())
	if c, _ := m.reduction(x.dtype(), n); m.r.IntN(2) == 0 &&
		(!isInexact(x.dtype()) || c == stablehlo.OpMaximum || c == stablehlo.OpMinimum) {
		body = scalarBody(c, x.dtype())
	}
	return m.emit(stablehlo.OpScatter, []value{x, indices, updates}, body,
		stablehlo.Named("scatter_dimension_numbers",
			&stablehlo.ScatterDims{UpdateWindowDims: window, InsertedWindowDims: dropped,
				ScatterDimsToOperandDims: mapped, IndexVectorDim: 1}))
}

// replaceBody is a region that takes the update.
func replaceBody(d dtype.Type) stablehlo.Body {
	t := stablehlo.Tensor(d)
	return stablehlo.Body{Args: []stablehlo.Type{t, t},
		Build: func(_ *stablehlo.Builder, a []*stablehlo.Value) ([]*stablehlo.Value, error) {
			return a[1:], nil
		}}
}

// changeLoop changes the state in a loop of no, one or more trips.
func (m *maker) changeLoop(state []value, at counters) []value {
	n := pick(m.r, []int64{0, 1, 1, 2, 3, 5, 17})
	if m.depth > 0 {
		n = min(n, 3)
	}
	return m.while(m.trips(n), state, func(in *maker, counter value) []value {
		now := slices.Clone(in.pool[len(in.pool)-len(state):])
		next := in.change(now, append(slices.Clip(at), counter))
		return in.restoreTypes(state, next)
	})
}

// changeBranches changes the state in some branches of a case.
func (m *maker) changeBranches(state []value, at counters) []value {
	index := m.index()
	if len(at) > 0 && m.r.IntN(2) == 0 {
		index = m.known(m.as(dtype.S32, pick(m.r, at).Value))
	}
	var bodies []stablehlo.OpPart
	for i := range 1 + m.r.IntN(3) {
		bodies = append(bodies,
			stablehlo.Body{Build: func(b *stablehlo.Builder, _ []*stablehlo.Value) ([]*stablehlo.Value, error) {
				in := m.region(b, nil, 0)
				next := state
				if i > 0 || m.r.IntN(2) == 0 {
					next = in.restoreTypes(state, in.change(state, at))
				}
				var out []*stablehlo.Value
				for _, v := range next {
					out = append(out, v.Value)
				}
				return out, nil
			}})
	}
	var out []value
	for _, v := range m.append(stablehlo.OpCase, []*stablehlo.Value{index.Value}, bodies...) {
		out = append(out, m.add(v))
	}
	return out
}

// restoreTypes returns the next state with the types of the previous one.
func (m *maker) restoreTypes(state, next []value) []value {
	out := slices.Clone(next)
	for i, v := range state {
		if !stablehlo.SameType(out[i].Type(), v.Type()) {
			out[i] = m.of(v.Tensor(), true)
		}
	}
	return out
}
