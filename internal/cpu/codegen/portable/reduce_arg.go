package portable

import (
	"unsafe"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
)

// setArgReduce sets the loops of an arg-reduction (argmax, argmin): it combines pairs of element and index by comparing
// them, and reduces tiles by a search. It reports whether there are loops for the types.
func (c *compiler) setArgReduce(f *reduction, p *kernel.ArgMinMax) bool {
	if !hasArgLoops(f.types[1]) {
		return false
	}
	switch f.types[0] {
	case dtype.F32:
		setArgLoops[float32](c, f, p)
	case dtype.F64:
		setArgLoops[float64](c, f, p)
	case dtype.S8:
		setArgLoops[int8](c, f, p)
	case dtype.S16:
		setArgLoops[int16](c, f, p)
	case dtype.S32:
		setArgLoops[int32](c, f, p)
	case dtype.S64:
		setArgLoops[int64](c, f, p)
	case dtype.Bool, dtype.U8:
		setArgLoops[uint8](c, f, p)
	case dtype.U16:
		setArgLoops[uint16](c, f, p)
	case dtype.U32:
		setArgLoops[uint32](c, f, p)
	case dtype.U64:
		setArgLoops[uint64](c, f, p)
	default:
		return false
	}
	return true
}

// hasArgLoops reports whether there are loops for indices of type t.
func hasArgLoops(t dtype.Type) bool { return t == dtype.S32 || t == dtype.S64 || t == dtype.U32 }

func setArgLoops[T ordered](c *compiler, f *reduction, p *kernel.ArgMinMax) {
	for _, t := range f.types {
		f.results = append(f.results, ref{reg: c.newReg(t, false)})
	}
	combine := combineArgPairs[T, int32]
	switch f.types[1] {
	case dtype.S64:
		combine = combineArgPairs[T, int64]
	case dtype.U32:
		combine = combineArgPairs[T, uint32]
	}
	f.combine = []step{func(m *machine, n int) {
		pair := func(regs []int) [2]unsafe.Pointer { return [2]unsafe.Pointer{m.regs[regs[0]], m.regs[regs[1]]} }
		combine(p, n, [2]unsafe.Pointer{m.regs[f.results[0].reg], m.regs[f.results[1].reg]}, pair(f.lhs), pair(f.rhs))
	}}
	if c.searches(f.def) {
		f.sum, f.intoAcc = searchStep[T](c, f, p), true
	}
}

// searches reports whether an arg-reduction searches tiles: neither its elements nor its indices are uniform.
func (c *compiler) searches(r *kernel.Reduction) bool {
	return c.Form == plan.Inner && !c.level[r.Values[0]].uniform && !c.level[r.Values[1]].uniform
}

// fuseIndices lets searches compute an index that has no other use, only for the elements that they find.
func (c *compiler) fuseIndices(uses []int) {
	for i := range c.k.Reduces {
		r := &c.k.Reduces[i]
		if r.ArgMinMax.Op == kernel.Invalid || !c.searches(r) {
			continue
		}
		in := &c.instrs[r.Values[1]]
		in.inReduce = in.Op == kernel.Index && uses[r.Values[1]] == 1 && c.isLine() && hasArgLoops(in.Type)
	}
}

// isLine reports whether accesses have a constant stride along a tile.
func (c *compiler) isLine() bool { return c.RowTiles || len(c.Vec.Dims) == 1 }

// searchStep returns the step that combines the accumulators with a tile.
func searchStep[T ordered](c *compiler, f *reduction, p *kernel.ArgMinMax) step {
	v, at, acc := f.values[0], f.values[1], f.acc
	index := c.IndexAccess(c.k, f.def.Values[1])
	first := keepsFirst(p) && c.IsIncreasing(c.k, f.def.Values[1])
	lazy := c.instrs[f.def.Values[1]].inReduce
	return func(m *machine, n int) {
		s := search[T]{ArgMinMax: p, elems: vec[T](m, v, n), indices: indices{of: f.types[1]}}
		if lazy {
			s.indices.first, s.indices.step = m.base[index], c.Accesses[index].Inner
		} else {
			s.indices.list = m.regs[at.reg]
		}
		e, i := (*T)(m.regs[acc[0]]), indices{of: f.types[1], list: m.regs[acc[1]]}
		if m.count[f.id] == 0 {
			*e = s.elems[0]
			i.set(0, s.indices.at(0))
			s.next = 1
		}
		m.count[f.id]++
		var bestIndex int64
		if first {
			*e, bestIndex = s.ascending(*e, i.at(0))
		} else {
			*e, bestIndex = s.any(*e, i.at(0))
		}
		i.set(0, bestIndex)
	}
}

// searchesMin reports whether an arg-reduction searches the minimum.
func searchesMin(p *kernel.ArgMinMax) bool { return p.Op == kernel.Min }

// keepsFirst reports whether it keeps the index of the first of equal elements, and the first NaN, for ascending
// indices.
func keepsFirst(p *kernel.ArgMinMax) bool {
	first := func(s kernel.Side) bool { return s == kernel.Left || s == kernel.LowerIndex }
	return first(p.Ties.Index) && first(p.NaNs.Index) && first(p.NaNs.Elem)
}

// combineArgPairs combines n pairs of elements and indices a and b to d.
func combineArgPairs[T ordered, I integer](p *kernel.ArgMinMax, n int, d, a, b [2]unsafe.Pointer) {
	elems := func(p [2]unsafe.Pointer) []T { return unsafe.Slice((*T)(p[0]), n) }
	indices := func(p [2]unsafe.Pointer) []I { return unsafe.Slice((*I)(p[1]), n) }
	e, x, y, et, xt, yt := elems(d), elems(a), elems(b), indices(d), indices(a), indices(b)
	isMin := searchesMin(p)
	for i := range e {
		x, y, xt, yt := x[i], y[i], xt[i], yt[i]
		switch {
		case isMin && y > x, !isMin && y < x:
			e[i], et[i] = x, xt
		case isMin && y < x, !isMin && y > x:
			e[i], et[i] = y, yt
		default:
			e[i], et[i] = combinePair(p, x, y, xt, yt)
		}
	}
}

// combinePair combines two pairs.
func combinePair[T ordered, I integer](p *kernel.ArgMinMax, x, y T, xt, yt I) (T, I) {
	right := kernel.Ties{}
	switch better := x > y != searchesMin(p); {
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

// isRight reports whether a side is the right one, given both indices.
func isRight[I integer](s kernel.Side, left, right I) bool {
	return s == kernel.Right || s == kernel.LowerIndex && right < left || s == kernel.HigherIndex && right > left
}

// indices are the indices of a tile: a list, or an arithmetic sequence.
type indices struct {
	of          dtype.Type // a type that hasArgLoops accepts
	list        unsafe.Pointer
	first, step int64
}

// at returns index k, wrapped to its type.
func (x indices) at(k int) int64 {
	switch n := x.first + int64(k)*x.step; {
	case x.list == nil && x.of == dtype.S32:
		return int64(int32(n))
	case x.list == nil && x.of == dtype.U32:
		return int64(uint32(n))
	case x.list == nil:
		return n
	case x.of == dtype.S32:
		return int64(*(*int32)(unsafe.Add(x.list, 4*k)))
	case x.of == dtype.U32:
		return int64(*(*uint32)(unsafe.Add(x.list, 4*k)))
	}
	return *(*int64)(unsafe.Add(x.list, 8*k))
}

// set sets index k of a list.
func (x indices) set(k int, i int64) {
	if x.of == dtype.S64 {
		*(*int64)(unsafe.Add(x.list, 8*k)) = i
	} else {
		*(*int32)(unsafe.Add(x.list, 4*k)) = int32(i)
	}
}

// search is the search of a tile: its elements from next on, and their indices.
type search[T ordered] struct {
	*kernel.ArgMinMax
	elems   []T
	next    int
	indices indices
}

// any combines a pair with those of the tile, from left to right.
func (s *search[T]) any(best T, index int64) (T, int64) {
	lose := countLess[T]
	if searchesMin(s.ArgMinMax) {
		lose = countGreater[T]
	}
	for i := s.next; ; i++ {
		if i += lose(s.elems[i:], best); i == len(s.elems) {
			return best, index
		}
		best, index = combinePair(s.ArgMinMax, best, s.elems[i], index, s.indices.at(i))
	}
}

// ascending is any for ascending indices that keeps the first: it skips equal elements.
func (s *search[T]) ascending(best T, index int64) (T, int64) {
	pass := countNotGreater[T]
	if searchesMin(s.ArgMinMax) {
		pass = countNotLess[T]
	}
	found := -1
	for i := s.next; best == best; i++ { // the first NaN is kept
		if i += pass(s.elems[i:], best); i == len(s.elems) {
			break
		}
		best, found = s.elems[i], i
	}
	if found >= 0 {
		index = s.indices.at(found)
	}
	if e := s.Ties.Elem; best == 0 && (e == kernel.Right || e == kernel.HigherIndex) { // signed zeros
		for i := len(s.elems) - 1; i >= s.next; i-- {
			if s.elems[i] == 0 {
				return s.elems[i], index
			}
		}
	}
	return best, index
}
