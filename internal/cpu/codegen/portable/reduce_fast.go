package portable

import (
	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/functions"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// setFastReduce gives a reduction of one value by one operation its own loop.
func setFastReduce(f *reduction) {
	kind := f.def.Kind
	switch f.types[0] {
	case dtype.Bool, dtype.U8:
		fastIntReduce[uint8](f, kind)
	case dtype.U16:
		fastIntReduce[uint16](f, kind)
	case dtype.U32:
		fastIntReduce[uint32](f, kind)
	case dtype.U64:
		fastIntReduce[uint64](f, kind)
	case dtype.S8:
		fastIntReduce[int8](f, kind)
	case dtype.S16:
		fastIntReduce[int16](f, kind)
	case dtype.S32:
		fastIntReduce[int32](f, kind)
	case dtype.S64:
		fastIntReduce[int64](f, kind)
	case dtype.F32:
		fastFloatReduce[float32](f, kind)
	case dtype.F64:
		fastFloatReduce[float64](f, kind)
	case dtype.C64:
		if kind == kernel.Add {
			setSumRows[complex64](f)
			setLaneReduce(f, add[complex64], laneSums[complex64], 0)
		}
	case dtype.C128:
		if kind == kernel.Add {
			setSumRows[complex128](f)
			setLaneReduce(f, add[complex128], laneSums[complex128], 0)
		}
	}
}

func fastIntReduce[T integer](f *reduction, kind kernel.Op) {
	if f.types[0] == dtype.Bool {
		switch kind {
		case kernel.Or, kernel.Max, kernel.Add:
			setTileReduce(f, orAll[T])
		case kernel.And, kernel.Min, kernel.Mul:
			setTileReduce(f, andAll[T])
		}
		return
	}
	switch kind {
	case kernel.Add:
		setTileReduce(f, sumLanes[T])
	case kernel.Max:
		setTileReduce(f, maxLanes[T])
	case kernel.Min:
		setTileReduce(f, minLanes[T])
	case kernel.And:
		setTileReduce(f, andAll[T])
	case kernel.Or:
		setTileReduce(f, orAll[T])
	case kernel.Mul:
		setTileReduce(f, func(v []T) T {
			r := T(1)
			for _, x := range v {
				r *= x
			}
			return r
		})
	}
}

func fastFloatReduce[T float](f *reduction, kind kernel.Op) {
	switch kind {
	case kernel.Add:
		setSumRows[T](f)
		setLaneReduce(f, add[T], laneSums[T], 0)
	case kernel.Max:
		setTileReduce(f, maxLanes[T])
	case kernel.Min:
		setTileReduce(f, minLanes[T])
	}
}

// setTileReduce reduces tiles with loop.
//
//go:noinline
func setTileReduce[T any](f *reduction, loop func(v []T) T) {
	src, dst := f.values[0], f.tmp[0]
	f.sum = func(m *machine, n int) {
		if src.uniform {
			f.reducePairwise(m, n)
			return
		}
		*(*T)(m.regs[dst]) = loop(vec[T](m, src, n))
	}
}

// setNonSumLanes reduces in lanes by operations other than addition: products of floats, which narrow types round at
// each step, and products, maxima and minima of complex numbers.
func setNonSumLanes(f *reduction) {
	switch f.types[0] {
	case dtype.F64:
		setLaneReduce(f, mul[float64], laneCombine(mul[float64]), 1)
		return
	case dtype.C64:
		setComplexLanes[complex64](f)
		return
	case dtype.C128:
		setComplexLanes[complex128](f)
		return
	}
	times := mul[float32]
	if t := f.def.Types[0]; kernel.NeedsRound(t) {
		round := functions.Rounding(t)
		times = func(d, a, b []float32) {
			mul(d, a, b)
			round(d, d)
		}
	}
	setLaneReduce(f, times, laneCombine(times), 1)
}

// setComplexLanes is setNonSumLanes of complex numbers.
func setComplexLanes[C cplx](f *reduction) {
	combine := minMaxLoop[C](f.def.Kind == kernel.Max)
	if f.def.Kind == kernel.Mul {
		times := functions.Complex2(&kernel.Instr{Op: kernel.Mul, Type: f.types[0]}, f.types[0])
		combine = func(d, a, b []C) {
			for i, x := range a {
				d[i] = C(times(complex128(x), complex128(b[i])))
			}
		}
	}
	setLaneReduce(f, combine, laneCombine(combine), C(plan.LaneIdentity(f.def.Kind)))
}

// laneCombine combines lanes with the elements of a tile, in the order of laneSums.
func laneCombine[T float | cplx](times func(d, a, b []T)) func(lanes, v []T) {
	return func(lanes, v []T) {
		width := len(lanes) / plan.LaneParts
		for ; len(v) > 0; lanes = lanes[width:] {
			part := v[:min(quarter, len(v))]
			v = v[len(part):]
			for len(part) > 0 {
				n := min(width, len(part))
				times(lanes[:n], lanes[:n], part[:n])
				part = part[n:]
			}
		}
	}
}

// setLaneReduce reduces groups of tiles into lanes, and the lanes of groups pairwise, as the plan says: for each bit k
// of the count, acc holds the lanes of 2^k groups. Between blocks, acc holds the sums of blocks in the same way, one
// element each.
func setLaneReduce[T float | cplx](f *reduction, combine func(d, a, b []T), tile func(lanes, v []T), start T) {
	lanes := plan.Lanes(f.types[0])
	src, acc, tmp := f.values[0], f.acc[0], f.tmp[0]
	list := func(m *machine, reg int) []T { return vec[T](m, ref{reg: reg}, plan.TileElems) }
	push := func(m *machine, width int) {
		x, stack := list(m, tmp)[:width], list(m, acc)
		for n := m.count[f.id]; n&1 != 0; n >>= 1 {
			combine(x, x, stack[:width])
			stack = stack[width:]
		}
		copy(stack, x)
		m.count[f.id]++
	}
	// collect adds the entries of the stack, the smallest groups first, into element 0.
	collect := func(m *machine, width int) []T {
		x, stack := list(m, tmp)[:width], list(m, acc)
		first := true
		for n := m.count[f.id]; n != 0; n >>= 1 {
			switch {
			case n&1 == 0:
			case first:
				copy(x, stack)
				first = false
			default:
				combine(x, x, stack[:width])
			}
			stack = stack[width:]
		}
		return x
	}
	f.addTile = func(m *machine, n int) {
		v := vec[T](m, src, n)
		if src.uniform {
			v = list(m, f.pairBufs[0][0])[:n]
			rt.Fill(v, vec[T](m, src, 1)[0])
		}
		tile(list(m, tmp)[:lanes], v)
	}
	f.intoAcc = true
	f.sum = func(m *machine, n int) {
		if m.tiles[f.id] == 0 {
			rt.Fill(list(m, tmp)[:lanes], start)
		}
		f.addTile(m, n)
		m.filled[f.id] = max(m.filled[f.id], plan.LanesUsed(lanes, n))
		if m.tiles[f.id]++; m.tiles[f.id] == plan.GroupTiles {
			push(m, lanes)
			m.tiles[f.id] = 0
		}
	}
	f.collect = func(m *machine) {
		x := list(m, tmp)[:lanes]
		switch {
		case m.count[f.id] == 0 && m.tiles[f.id] == 0:
			return // empty reduction
		case m.count[f.id] == 0:
			m.count[f.id] = 1
		default:
			if m.tiles[f.id] > 0 {
				push(m, lanes)
			}
			x = collect(m, lanes)
		}
		used := m.filled[f.id] // unused lanes have their start value, which changes no other lane
		if f.def.Kind == kernel.Mul {
			used = lanes // except for zeros of complex numbers
		}
		half := lanes / 2
		if f.short > 0 { // a lane for each element
			for i := 1; i < f.short; i++ {
				combine(x[:1], x[:1], x[i:i+1])
			}
			half = 0
		}
		for ; half > 0; half /= 2 {
			if used > half {
				combine(x[:half], x[half:2*half], x[:half])
			}
		}
		list(m, acc)[0] = x[0]
	}
	f.pushBlock = func(m *machine) { push(m, 1) }
	f.collectBlocks = func(m *machine) { list(m, acc)[0] = collect(m, 1)[0] }
}

// laneSums adds the elements of a tile to lanes: each quarter of the tile has a quarter of the lanes, which take its
// elements in turn. Eight lanes at a time are in registers.
func laneSums[T number](lanes, v []T) {
	width := len(lanes) / plan.LaneParts
	for ; len(v) > 0; lanes = lanes[width:] {
		part := v[:min(quarter, len(v))]
		v = v[len(part):]
		if len(part) == quarter && width == 16 {
			addRowsOf16((*[8]T)(lanes), (*[quarter - 8]T)(part))
			addRowsOf16((*[8]T)(lanes[8:]), (*[quarter - 8]T)(part[8:]))
			continue
		}
		if len(part) == quarter && width == 8 {
			addRowsOf8((*[8]T)(lanes), (*[quarter]T)(part))
			continue
		}
		g := 0
		for ; g+8 <= width && g < len(part); g += 8 {
			l := (*[8]T)(lanes[g:])
			l0, l1, l2, l3, l4, l5, l6, l7 := l[0], l[1], l[2], l[3], l[4], l[5], l[6], l[7]
			i := g
			for ; i+8 <= len(part); i += width {
				w := part[i : i+8 : i+8]
				l0 += w[0]
				l1 += w[1]
				l2 += w[2]
				l3 += w[3]
				l4 += w[4]
				l5 += w[5]
				l6 += w[6]
				l7 += w[7]
			}
			l[0], l[1], l[2], l[3], l[4], l[5], l[6], l[7] = l0, l1, l2, l3, l4, l5, l6, l7
			if i < len(part) {
				for j, x := range part[i:] {
					l[j] += x
				}
			}
		}
		if g == 0 { // fewer than eight lanes
			for i, x := range part {
				lanes[i%width] += x
			}
		}
	}
}

// quarter is the number of elements of a full tile that share a quarter of the lanes.
const quarter = plan.TileElems / plan.LaneParts

// addRowsOf16 adds eight columns of a quarter in rows of 16 to lanes, four rows at a time.
func addRowsOf16[T number](l *[8]T, p *[quarter - 8]T) {
	l0, l1, l2, l3, l4, l5, l6, l7 := l[0], l[1], l[2], l[3], l[4], l[5], l[6], l[7]
	for i := 0; i < quarter-63; i += 64 {
		l0 = l0 + p[i] + p[i+16] + p[i+32] + p[i+48]
		l1 = l1 + p[i+1] + p[i+17] + p[i+33] + p[i+49]
		l2 = l2 + p[i+2] + p[i+18] + p[i+34] + p[i+50]
		l3 = l3 + p[i+3] + p[i+19] + p[i+35] + p[i+51]
		l4 = l4 + p[i+4] + p[i+20] + p[i+36] + p[i+52]
		l5 = l5 + p[i+5] + p[i+21] + p[i+37] + p[i+53]
		l6 = l6 + p[i+6] + p[i+22] + p[i+38] + p[i+54]
		l7 = l7 + p[i+7] + p[i+23] + p[i+39] + p[i+55]
	}
	l[0], l[1], l[2], l[3], l[4], l[5], l[6], l[7] = l0, l1, l2, l3, l4, l5, l6, l7
}

// addRowsOf8 adds a quarter in rows of eight to lanes, four rows at a time.
func addRowsOf8[T number](l *[8]T, p *[quarter]T) {
	l0, l1, l2, l3, l4, l5, l6, l7 := l[0], l[1], l[2], l[3], l[4], l[5], l[6], l[7]
	for i := 0; i < quarter; i += 32 {
		l0 = l0 + p[i] + p[i+8] + p[i+16] + p[i+24]
		l1 = l1 + p[i+1] + p[i+9] + p[i+17] + p[i+25]
		l2 = l2 + p[i+2] + p[i+10] + p[i+18] + p[i+26]
		l3 = l3 + p[i+3] + p[i+11] + p[i+19] + p[i+27]
		l4 = l4 + p[i+4] + p[i+12] + p[i+20] + p[i+28]
		l5 = l5 + p[i+5] + p[i+13] + p[i+21] + p[i+29]
		l6 = l6 + p[i+6] + p[i+14] + p[i+22] + p[i+30]
		l7 = l7 + p[i+7] + p[i+15] + p[i+23] + p[i+31]
	}
	l[0], l[1], l[2], l[3], l[4], l[5], l[6], l[7] = l0, l1, l2, l3, l4, l5, l6, l7
}

// sumLanes adds integers in eight lanes.
func sumLanes[T integer](v []T) T {
	var l0, l1, l2, l3, l4, l5, l6, l7 T
	for len(v) >= 8 {
		w := v[:8:8]
		l0 += w[0]
		l1 += w[1]
		l2 += w[2]
		l3 += w[3]
		l4 += w[4]
		l5 += w[5]
		l6 += w[6]
		l7 += w[7]
		v = v[8:]
	}
	for _, x := range v {
		l0 += x
	}
	return ((l0 + l1) + (l2 + l3)) + ((l4 + l5) + (l6 + l7))
}

// andAll returns the bitwise and of elements, of which there is at least one.
func andAll[T integer](v []T) T {
	r := v[0]
	for _, x := range v[1:] {
		r &= x
	}
	return r
}

// orAll returns the bitwise or of elements.
func orAll[T integer](v []T) T {
	r := T(0)
	for _, x := range v {
		r |= x
	}
	return r
}
