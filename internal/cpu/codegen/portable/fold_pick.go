package portable

import (
	"math"
	"unsafe"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernel"
)

// A pick is a fold of pairs, an element and its index, that keeps one of two pairs
// by comparing elements with elements and indices with indices: argmax and argmin,
// however they are written. A body that looks at nothing else is known completely
// when it is run once for each way in which two elements and two indices can
// compare; pick holds what it does then, and the fold becomes a search.
type pick struct {
	least bool
	table [numRelations][numOrders]choice
}

// choice says of element and index whether the right pair's is kept.
type choice [2]bool

// relation is how the left element compares with the right one.
type relation uint8

const (
	isLess relation = iota
	isEqual
	isGreater
	leftNaN
	rightNaN
	bothNaN
	numRelations
)

const numOrders = 3 // of the indices: isLess, isEqual, isGreater

// pickOf returns what a reduction picks, if it is a pick that keeps the greatest or
// the least element, and NaN before any other.
func pickOf(r *kernel.Reduction) (*pick, bool) {
	if len(r.Values) != 2 || r.Kind != kernel.Invalid {
		return nil, false
	}
	p := &pick{}
	for rel := range numRelations {
		for order := range relation(numOrders) {
			c, ok := runPick(r, rel, order)
			if !ok {
				return nil, false
			}
			p.table[rel][order] = c
		}
	}
	left, right := [numOrders]choice{}, [numOrders]choice{{true, true}, {true, true}, {true, true}}
	t := &p.table
	if !r.Types[0].IsFloat() { // nothing is NaN
		for order := range t[isEqual] {
			t[isEqual][order][0] = false // equal elements are the same bits
		}
		t[leftNaN], t[rightNaN], t[bothNaN] = left, right, left
	}
	switch {
	case t[leftNaN] != left || t[rightNaN] != right:
		return nil, false
	case t[isGreater] == left && t[isLess] == right:
		return p, true
	case t[isGreater] == right && t[isLess] == left:
		p.least = true
		return p, true
	}
	return nil, false
}

// runPick runs the body on elements and indices that compare as told. Its values are
// the numbers of arguments, or truths.
func runPick(r *kernel.Reduction, elems, order relation) (choice, bool) {
	type value struct {
		arg   int // -1 for a truth
		truth bool
	}
	vals := make([]value, len(r.Combine.Instrs))
	for i := range r.Combine.Instrs {
		in := &r.Combine.Instrs[i]
		x := func(k int) value { return vals[in.Args[k]] }
		vals[i].arg = -1
		switch in.Op {
		case kernel.Arg:
			vals[i].arg = in.Arg
		case kernel.EQ, kernel.NE, kernel.LT, kernel.LE, kernel.GT, kernel.GE:
			a, b := x(0).arg, x(1).arg
			if a < 0 || b < 0 || a%2 != b%2 {
				return choice{}, false
			}
			rel := elems
			if a%2 == 1 {
				rel = order
			}
			vals[i].truth = holds(in.Op, between(rel, a >= 2, b >= 2))
		case kernel.And, kernel.Or, kernel.Not:
			for k := range in.Op.NumArgs() {
				if x(k).arg >= 0 {
					return choice{}, false
				}
			}
			switch in.Op {
			case kernel.And:
				vals[i].truth = x(0).truth && x(1).truth
			case kernel.Or:
				vals[i].truth = x(0).truth || x(1).truth
			case kernel.Not:
				vals[i].truth = !x(0).truth
			}
		case kernel.Select:
			if x(0).arg >= 0 {
				return choice{}, false
			}
			vals[i] = x(2)
			if x(0).truth {
				vals[i] = x(1)
			}
		default:
			return choice{}, false
		}
	}
	e, at := vals[r.Results[0]].arg, vals[r.Results[1]].arg
	return choice{e == 2, at == 3}, e >= 0 && e%2 == 0 && at >= 0 && at%2 == 1
}

// between returns how two of the pair compare, each the left or the right one.
func between(rel relation, a, b bool) relation {
	switch {
	case a == b && (rel == bothNaN || rel == leftNaN && !a || rel == rightNaN && a):
		return bothNaN
	case a == b:
		return isEqual
	case !a:
		return rel
	}
	switch rel { // the other way round
	case isLess:
		return isGreater
	case isGreater:
		return isLess
	}
	return rel
}

// holds reports whether a comparison is true; with NaN only NE is.
func holds(op kernel.Op, rel relation) bool {
	switch op {
	case kernel.EQ:
		return rel == isEqual
	case kernel.NE:
		return rel != isEqual
	case kernel.LT:
		return rel == isLess
	case kernel.LE:
		return rel == isLess || rel == isEqual
	case kernel.GT:
		return rel == isGreater
	}
	return rel == isGreater || rel == isEqual
}

// setPick combines pairs by comparing them, and folds tiles by a search; it reports
// whether there are loops for the types.
func (c *compiler) setPick(f *fold, p *pick) bool {
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

func pickBy[T ordered](c *compiler, f *fold, p *pick) bool {
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

func setPairs[T ordered, I integer](c *compiler, f *fold, p *pick) {
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
	first := c.isAscending(f.red.Values[1]) && p.keepsFirst()
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

// keepsFirst reports whether the index of the first of equal elements is kept, and the
// first NaN.
func (p *pick) keepsFirst() bool {
	return !p.table[isEqual][isLess][1] && p.table[bothNaN][isLess] == choice{}
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
func combinePairs[T ordered, I integer](p *pick, d, a, b []T, dt, at, bt []I) {
	a, b, dt, at, bt = a[:len(d)], b[:len(d)], dt[:len(d)], at[:len(d)], bt[:len(d)]
	for i := range d {
		x, y, at, bt := a[i], b[i], at[i], bt[i]
		switch {
		case p.least && y > x, !p.least && y < x:
			d[i], dt[i] = x, at
		case p.least && y < x, !p.least && y > x:
			d[i], dt[i] = y, bt
		default:
			d[i], dt[i] = chosen(p, x, y, at, bt)
		}
	}
}

// chosen combines two pairs as the table says.
func chosen[T ordered, I integer](p *pick, x, y T, xt, yt I) (T, I) {
	c := p.table[compare(x, y)][compare(xt, yt)]
	if c[0] {
		x = y
	}
	if c[1] {
		xt = yt
	}
	return x, xt
}

// search returns what is left of the pairs, combined from left to right.
func search[T ordered, I integer](p *pick, v []T, at []I) (T, I) {
	best, where := v[0], at[0]
	lose := losersLess[T]
	if p.least {
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
func searchFirst[T ordered, I integer](p *pick, v []T, at []I) (T, I) {
	k := 0
	for i := 1; i < len(v) && v[k] == v[k]; i++ { // the first NaN is kept
		if p.least {
			i += notLess(v[i:], v[k])
		} else {
			i += notGreater(v[i:], v[k])
		}
		if i < len(v) {
			k = i
		}
	}
	if v[k] == 0 && p.table[isEqual][isLess][0] { // the last of the equal elements: zeros have signs
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

func compare[T ordered](a, b T) relation {
	switch {
	case a < b:
		return isLess
	case a == b:
		return isEqual
	case a > b:
		return isGreater
	case a == a: // b is NaN
		return rightNaN
	case b == b:
		return leftNaN
	}
	return bothNaN
}
