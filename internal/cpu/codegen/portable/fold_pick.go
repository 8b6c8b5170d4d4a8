package portable

import (
	"unsafe"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
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

// hasPairs reports whether there are loops for indices of type t.
func hasPairs(t dtype.Type) bool { return t == dtype.S32 || t == dtype.S64 || t == dtype.U32 }

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
	if c.searches(f.red) {
		f.sum, f.intoAcc = searchStep[T, I](c, f, p), true
	}
}

// searches reports whether a pick is a search of tiles: of more than one element and index.
func (c *compiler) searches(r *kernel.Reduction) bool {
	return c.Form == plan.Inner && !c.level[r.Values[0]].uniform && !c.level[r.Values[1]].uniform
}

// joinIndices lets searches that alone read an index compute it, where they find something.
func (c *compiler) joinIndices(uses []int) {
	for i := range c.k.Reduces {
		r := &c.k.Reduces[i]
		if r.Pick.Op == kernel.Invalid || !c.searches(r) {
			continue
		}
		in := &c.instrs[r.Values[1]]
		in.inFold = in.Op == kernel.Index && uses[r.Values[1]] == 1 && c.isLine() && hasPairs(in.Type)
	}
}

// isLine reports whether accesses go in equal steps from element to element of a tile.
func (c *compiler) isLine() bool { return c.Rows || len(c.Vec.Dims) == 1 }

// searchStep returns the step that combines the accumulators with a tile.
func searchStep[T ordered, I integer](c *compiler, f *fold, p *kernel.Pick) step {
	v, at, acc := f.values[0], f.values[1], f.acc
	index := c.IndexAccess(c.k, f.red.Values[1])
	first := keepsFirst(p) && c.Grows(c.k, f.red.Values[1])
	lazy := c.instrs[f.red.Values[1]].inFold
	return func(m *machine, n int) {
		s := search[T, I]{Pick: p, elems: vec[T](m, v, n)}
		if lazy {
			s.first, s.step = m.base[index], c.Accesses[index].Inner
		} else {
			s.indices = vec[I](m, at, n)
		}
		e, i := (*T)(m.regs[acc[0]]), (*I)(m.regs[acc[1]])
		if m.count[f.id] == 0 {
			*e, *i = s.elems[0], s.index(0)
			s.next = 1
		}
		m.count[f.id]++
		if first {
			*e, *i = s.ascending(*e, *i)
		} else {
			*e, *i = s.any(*e, *i)
		}
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

// search is a tile to be searched: its elements from next on, and their indices, which are
// a list or grow by steps from the first one.
type search[T ordered, I integer] struct {
	*kernel.Pick
	elems       []T
	next        int
	indices     []I
	first, step int64
}

func (s *search[T, I]) index(k int) I {
	if s.indices != nil {
		return s.indices[k]
	}
	return I(s.first + int64(k)*s.step)
}

// any combines a pair with those of the tile, from left to right.
func (s *search[T, I]) any(best T, where I) (T, I) {
	lose := losersLess[T]
	if least(s.Pick) {
		lose = losersGreater[T]
	}
	for i := s.next; ; i++ {
		if i += lose(s.elems[i:], best); i == len(s.elems) {
			return best, where
		}
		best, where = chosen(s.Pick, best, s.elems[i], where, s.index(i))
	}
}

// ascending is any for indices that ascend, of which the first is kept: what is equal is
// passed over, too.
func (s *search[T, I]) ascending(best T, where I) (T, I) {
	pass := notGreater[T]
	if least(s.Pick) {
		pass = notLess[T]
	}
	found := -1
	for i := s.next; best == best; i++ { // the first NaN is kept
		if i += pass(s.elems[i:], best); i == len(s.elems) {
			break
		}
		best, found = s.elems[i], i
	}
	if found >= 0 {
		where = s.index(found)
	}
	if e := s.Ties.Elem; best == 0 && (e == kernel.Right || e == kernel.Greater) { // zeros have signs
		for i := len(s.elems) - 1; i >= s.next; i-- {
			if s.elems[i] == 0 {
				return s.elems[i], where
			}
		}
	}
	return best, where
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
