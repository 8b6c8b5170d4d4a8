package portable

import (
	"slices"

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
		arg   int
		truth bool
	}
	vals := make([]value, len(r.Combine.Instrs))
	for i := range r.Combine.Instrs {
		in := &r.Combine.Instrs[i]
		x := func(k int) value { return vals[in.Args[k]] }
		switch in.Op {
		case kernel.Arg:
			vals[i] = value{arg: in.Arg}
		case kernel.EQ, kernel.NE, kernel.LT, kernel.LE, kernel.GT, kernel.GE:
			a, b := x(0).arg, x(1).arg
			if in.From == dtype.Bool || a%2 != b%2 {
				return choice{}, false
			}
			rel := elems
			if a%2 == 1 {
				rel = order
			}
			vals[i].truth = holds(in.Op, between(rel, a >= 2, b >= 2))
		case kernel.And:
			vals[i].truth = x(0).truth && x(1).truth
		case kernel.Or:
			vals[i].truth = x(0).truth || x(1).truth
		case kernel.Not:
			vals[i].truth = !x(0).truth
		case kernel.Select:
			vals[i] = x(2)
			if x(0).truth {
				vals[i] = x(1)
			}
		default:
			return choice{}, false
		}
		if logical := slices.Contains([]kernel.Op{kernel.And, kernel.Or, kernel.Not}, in.Op); logical &&
			in.Type != dtype.Bool {
			return choice{}, false
		}
	}
	e, at := vals[r.Results[0]].arg, vals[r.Results[1]].arg
	return choice{e == 2, at == 3}, e%2 == 0 && at%2 == 1
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

// setPick folds tiles by a search, for the common types.
func setPick(f *fold, p *pick) {
	switch f.types[0] {
	case dtype.F32:
		pickBy[float32](f, p)
	case dtype.F64:
		pickBy[float64](f, p)
	case dtype.S32:
		pickBy[int32](f, p)
	case dtype.S64:
		pickBy[int64](f, p)
	case dtype.U8:
		pickBy[uint8](f, p)
	}
}

func pickBy[T ordered](f *fold, p *pick) {
	switch f.types[1] {
	case dtype.S32:
		setSearch[T, int32](f, p)
	case dtype.S64:
		setSearch[T, int64](f, p)
	case dtype.U32:
		setSearch[T, uint32](f, p)
	}
}

func setSearch[T ordered, I integer](f *fold, p *pick) {
	v, at := f.values[0], f.values[1]
	if v.uniform || at.uniform {
		return
	}
	f.sum = func(m *machine, n int) {
		e, i := search(p, vec[T](m, v, n), vec[I](m, at, n))
		*(*T)(m.regs[f.tmp[0]]), *(*I)(m.regs[f.tmp[1]]) = e, i
	}
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
		rel, order := compare(best, v[i]), compare(where, at[i])
		c := p.table[rel][order]
		if c[0] {
			best = v[i]
		}
		if c[1] {
			where = at[i]
		}
	}
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
