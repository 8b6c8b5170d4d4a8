package portable

import (
	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernel"
)

// setFastFold gives a fold of one value by one operation its own loop.
func setFastFold(f *fold) {
	kind := f.red.Kind
	switch f.types[0] {
	case dtype.Bool, dtype.U8:
		fastInt[uint8](f, kind)
	case dtype.U16:
		fastInt[uint16](f, kind)
	case dtype.U32:
		fastInt[uint32](f, kind)
	case dtype.U64:
		fastInt[uint64](f, kind)
	case dtype.S8:
		fastInt[int8](f, kind)
	case dtype.S16:
		fastInt[int16](f, kind)
	case dtype.S32:
		fastInt[int32](f, kind)
	case dtype.S64:
		fastInt[int64](f, kind)
	case dtype.F32:
		fastFloatFold[float32](f, kind)
	case dtype.F64:
		fastFloatFold[float64](f, kind)
	case dtype.C64:
		if kind == kernel.Add {
			setSum[complex64](f)
		}
	case dtype.C128:
		if kind == kernel.Add {
			setSum[complex128](f)
		}
	}
}

func fastInt[T integer](f *fold, kind kernel.Op) {
	if f.types[0] == dtype.Bool {
		switch kind {
		case kernel.Or, kernel.Max, kernel.Add:
			setFold(f, func(v []T) T {
				var r T
				for _, x := range v {
					r |= x
				}
				return r
			})
		case kernel.And, kernel.Min, kernel.Mul:
			setFold(f, func(v []T) T {
				r := T(1)
				for _, x := range v {
					r &= x
				}
				return r
			})
		}
		return
	}
	switch kind {
	case kernel.Add:
		setFold(f, sumLanes[T])
	case kernel.Max:
		setFold(f, maxLanes[T])
	case kernel.Min:
		setFold(f, minLanes[T])
	case kernel.And:
		setFold(f, func(v []T) T {
			r := ^T(0)
			for _, x := range v {
				r &= x
			}
			return r
		})
	case kernel.Or:
		setFold(f, func(v []T) T {
			r := T(0)
			for _, x := range v {
				r |= x
			}
			return r
		})
	case kernel.Mul:
		setFold(f, func(v []T) T {
			r := T(1)
			for _, x := range v {
				r *= x
			}
			return r
		})
	}
}

func fastFloatFold[T float](f *fold, kind kernel.Op) {
	switch kind {
	case kernel.Add:
		setSum[T](f)
	case kernel.Max:
		setFold(f, maxLanes[T])
	case kernel.Min:
		setFold(f, minLanes[T])
	}
}

// setFold folds tiles with loop.
func setFold[T any](f *fold, loop func(v []T) T) {
	src, dst := f.values[0], f.tmp[0]
	f.sum = func(m *machine, n int) {
		if src.uniform {
			f.pairNeighbours(m, n)
			return
		}
		*(*T)(m.regs[dst]) = loop(vec[T](m, src, n))
	}
}

// setSum folds tiles with a sum of lanes, and tiles pairwise: acc holds the
// sums of 2^k tiles for the bits k of the count.
func setSum[T float | cplx](f *fold) {
	setFold(f, sumLanes[T])
	acc, tmp := f.acc[0], f.tmp[0]
	stack := func(m *machine) []T { return vec[T](m, ref{reg: acc}, tileElems) }
	f.push = func(m *machine, id int) {
		x := *(*T)(m.regs[tmp])
		s := stack(m)
		level := 0
		for n := m.count[id]; n&1 != 0; n >>= 1 {
			x = s[level] + x
			level++
		}
		s[level] = x
		m.count[id]++
	}
	f.collect = func(m *machine, id int) {
		s := stack(m)
		var x T
		first := true
		level := 0
		for n := m.count[id]; n != 0; n >>= 1 {
			if n&1 != 0 {
				if first {
					x, first = s[level], false
				} else {
					x = s[level] + x
				}
			}
			level++
		}
		s[0] = x
	}
}

// sumLanes adds eight interleaved lanes and then the lanes pairwise.
func sumLanes[T number](v []T) T {
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
	rest := [8]T{}
	copy(rest[:], v)
	l0 += rest[0]
	l1 += rest[1]
	l2 += rest[2]
	l3 += rest[3]
	l4 += rest[4]
	l5 += rest[5]
	l6 += rest[6]
	return ((l0 + l1) + (l2 + l3)) + ((l4 + l5) + (l6 + l7))
}

// maxLanes decides by one comparison for most elements: max alone takes several
// instructions for NaN and the zeros, each waiting for the one before.
func maxLanes[T ordered](v []T) T {
	a, b, c, d := v[0], v[0], v[0], v[0]
	for ; len(v) >= 4; v = v[4:] {
		if x := v[0]; !(x < a) {
			a = max(a, x)
		}
		if x := v[1]; !(x < b) {
			b = max(b, x)
		}
		if x := v[2]; !(x < c) {
			c = max(c, x)
		}
		if x := v[3]; !(x < d) {
			d = max(d, x)
		}
	}
	for _, x := range v {
		a = max(a, x)
	}
	return max(max(a, b), max(c, d))
}

// minLanes is maxLanes for the least element.
func minLanes[T ordered](v []T) T {
	a, b, c, d := v[0], v[0], v[0], v[0]
	for ; len(v) >= 4; v = v[4:] {
		if x := v[0]; !(x > a) {
			a = min(a, x)
		}
		if x := v[1]; !(x > b) {
			b = min(b, x)
		}
		if x := v[2]; !(x > c) {
			c = min(c, x)
		}
		if x := v[3]; !(x > d) {
			d = min(d, x)
		}
	}
	for _, x := range v {
		a = min(a, x)
	}
	return min(min(a, b), min(c, d))
}
