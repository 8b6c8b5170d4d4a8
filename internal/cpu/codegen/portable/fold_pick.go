package portable

import (
	"math"
	"unsafe"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernel"
)

// setPick combines pairs by comparing them, and folds tiles by a search; it reports
// whether there are loops for the types.
func (c *compiler) setPick(f *fold, p *kernel.Pick) bool {
	switch f.types[0] {
	case dtype.F32:
		return pickBy[float32](c, f, p)
	case dtype.F64:
		return pickBy[float64](c, f, p)
	case dtype.S8:
		return pickBy[int8](c, f, p)
	case dtype.S16:
		return pickBy[int16](c, f, p)
	case dtype.S32:
		return pickBy[int32](c, f, p)
	case dtype.S64:
		return pickBy[int64](c, f, p)
	case dtype.Bool, dtype.U8:
		return pickBy[uint8](c, f, p)
	case dtype.U16:
		return pickBy[uint16](c, f, p)
	case dtype.U32:
		return pickBy[uint32](c, f, p)
	case dtype.U64:
		return pickBy[uint64](c, f, p)
	}
	return false
}

func pickBy[T ordered](c *compiler, f *fold, p *kernel.Pick) bool {
	switch f.types[1] {
	case dtype.S32:
		setPairs[T, int32](c, f, p)
	case dtype.S64:
		setPairs[T, int64](c, f, p)
	case dtype.U32:
		setPairs[T, uint32](c, f, p)
	default:
		return false
	}
	return true
}

func setPairs[T ordered, I integer](c *compiler, f *fold, p *kernel.Pick) {
	for _, t := range f.types {
		f.results = append(f.results, ref{reg: c.newReg(t, false)})
	}
	f.combine = []step{func(m *machine, n int) {
		elems := func(r int) []T { return unsafe.Slice((*T)(m.regs[r]), n) }
		indices := func(r int) []I { return unsafe.Slice((*I)(m.regs[r]), n) }
		combinePairs(p, elems(f.results[0].reg), elems(f.lhs[0]), elems(f.rhs[0]),
			indices(f.results[1].reg), indices(f.lhs[1]), indices(f.rhs[1]))
	}}
	v, at := f.values[0], f.values[1]
	if v.uniform || at.uniform {
		return
	}
	first := c.isAscending(f.red.Values[1]) && keepsFirst(p)
	f.sum = func(m *machine, n int) {
		var e T
		var i I
		if first {
			e, i = searchFirst(p, vec[T](m, v, n), vec[I](m, at, n))
		} else {
			e, i = search(p, vec[T](m, v, n), vec[I](m, at, n))
		}
		*(*T)(m.regs[f.tmp[0]]), *(*I)(m.regs[f.tmp[1]]) = e, i
	}
}

// least reports whether a pick searches the least element.
func least(p *kernel.Pick) bool { return p.Op == kernel.Min }

// keepsFirst reports whether the index of the first of equal elements is kept, and the
// first NaN, where indices ascend.
func keepsFirst(p *kernel.Pick) bool {
	first := func(s kernel.Side) bool { return s == kernel.Left || s == kernel.Lesser }
	return first(p.Ties.Index) && first(p.NaNs.Index) && first(p.NaNs.Elem)
}

// isAscending reports whether a value is an index that grows along every tile.
func (c *compiler) isAscending(v kernel.Value) bool {
	in := &c.instrs[v]
	if in.Op != kernel.Index {
		return false
	}
	access := 0
	for i := range c.instrs[:v] {
		if c.instrs[i].At != nil {
			access += 1 + len(c.instrs[i].At.Guards)
		}
	}
	a, greatest := &c.Accesses[access], int64(0)
	greatest = a.Offset
	for d, n := range c.k.Dims {
		greatest += max(a.Strides[d], 0) * max(n-1, 0)
	}
	return a.Inner > 0 && (c.Rows || len(c.Vec.Dims) == 1) && greatest <= math.MaxInt32
}

// combinePairs combines the pairs a, at and b, bt to d, dt.
func combinePairs[T ordered, I integer](p *kernel.Pick, d, a, b []T, dt, at, bt []I) {
	a, b, dt, at, bt = a[:len(d)], b[:len(d)], dt[:len(d)], at[:len(d)], bt[:len(d)]
	least := least(p)
	for i := range d {
		x, y, at, bt := a[i], b[i], at[i], bt[i]
		switch {
		case least && y > x, !least && y < x:
			d[i], dt[i] = x, at
		case least && y < x, !least && y > x:
			d[i], dt[i] = y, bt
		default:
			d[i], dt[i] = chosen(p, x, y, at, bt)
		}
	}
}

// chosen combines two pairs.
func chosen[T ordered, I integer](p *kernel.Pick, x, y T, xt, yt I) (T, I) {
	right := kernel.Ties{}
	switch better := x > y != least(p); {
	case x == y:
		right = p.Ties
	case x != x && y != y:
		right = p.NaNs
	case x == x && (y != y || !better):
		right = kernel.Ties{Elem: kernel.Right, Index: kernel.Right}
	}
	e, at := x, xt
	if isRight(right.Elem, xt, yt) {
		e = y
	}
	if isRight(right.Index, xt, yt) {
		at = yt
	}
	return e, at
}

// isRight reports whether a side is the right one, given the indices of both.
func isRight[I integer](s kernel.Side, left, right I) bool {
	return s == kernel.Right || s == kernel.Lesser && right < left || s == kernel.Greater && right > left
}

// search returns what is left of the pairs, combined from left to right.
func search[T ordered, I integer](p *kernel.Pick, v []T, at []I) (T, I) {
	best, where := v[0], at[0]
	lose := losersLess[T]
	if least(p) {
		lose = losersGreater[T]
	}
	at = at[:len(v)]
	for i := 1; ; i++ {
		if i += lose(v[i:], best); i == len(v) {
			return best, where
		}
		best, where = chosen(p, best, v[i], where, at[i])
	}
}

// searchFirst is search for indices that ascend where the index of the first of equal
// elements is kept: what is equal is passed over, too.
func searchFirst[T ordered, I integer](p *kernel.Pick, v []T, at []I) (T, I) {
	k := 0
	for i := 1; i < len(v) && v[k] == v[k]; i++ { // the first NaN is kept
		if least(p) {
			i += notLess(v[i:], v[k])
		} else {
			i += notGreater(v[i:], v[k])
		}
		if i < len(v) {
			k = i
		}
	}
	if v[k] == 0 && (p.Ties.Elem == kernel.Right || p.Ties.Elem == kernel.Greater) { // the last zero: they have signs
		return search(p, v, at)
	}
	return v[k], at[k]
}

// losersLess returns how many elements at the beginning of v are less than best: nearly
// all, and to know that takes one comparison of each.
func losersLess[T ordered](v []T, best T) int {
	n := len(v)
	for len(v) >= 4 && v[0] < best && v[1] < best && v[2] < best && v[3] < best {
		v = v[4:]
	}
	for len(v) > 0 && v[0] < best {
		v = v[1:]
	}
	return n - len(v)
}

// losersGreater is losersLess for a search of the least element.
func losersGreater[T ordered](v []T, best T) int {
	n := len(v)
	for len(v) >= 4 && v[0] > best && v[1] > best && v[2] > best && v[3] > best {
		v = v[4:]
	}
	for len(v) > 0 && v[0] > best {
		v = v[1:]
	}
	return n - len(v)
}

// notGreater returns how many elements at the beginning of v are at most best.
func notGreater[T ordered](v []T, best T) int {
	i := 0
	for ; i+8 <= len(v); i += 8 {
		w := (*[8]T)(v[i:])
		if !(w[0] <= best) || !(w[1] <= best) || !(w[2] <= best) || !(w[3] <= best) ||
			!(w[4] <= best) || !(w[5] <= best) || !(w[6] <= best) || !(w[7] <= best) {
			break
		}
	}
	for i < len(v) && v[i] <= best {
		i++
	}
	return i
}

// notLess returns how many elements at the beginning of v are at least best.
func notLess[T ordered](v []T, best T) int {
	i := 0
	for ; i+8 <= len(v); i += 8 {
		w := (*[8]T)(v[i:])
		if !(w[0] >= best) || !(w[1] >= best) || !(w[2] >= best) || !(w[3] >= best) ||
			!(w[4] >= best) || !(w[5] >= best) || !(w[6] >= best) || !(w[7] >= best) {
			break
		}
	}
	for i < len(v) && v[i] >= best {
		i++
	}
	return i
}
