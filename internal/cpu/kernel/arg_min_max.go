package kernel

// An ArgMinMax is an argmax or argmin: a reduction of (element, index) pairs that keeps the greater
// or the smaller element with its index, and NaN before any other. Left is the accumulator, right
// the next pair. Any grouping of the pairs that keeps their order has the same result.
type ArgMinMax struct {
	Op   Op   // Max or Min
	Ties Ties // of equal elements, zeros of either sign included
	NaNs Ties // of two NaNs
}

// Ties is the side whose element and whose index is kept of two pairs that tie.
type Ties struct{ Elem, Index Side }

// Side is one of two pairs.
type Side uint8

const (
	Left        Side = iota
	Right            // the next pair
	LowerIndex       // the pair with the lower index, the left one if they are equal
	HigherIndex      // the pair with the higher index, the left one if they are equal
	noSide           // depends on more
)

// relation is how the left of two elements or indices compares with the right one.
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

const numOrders = 3 // orders of the indices: isLess, isEqual, isGreater

// choice is, for the element and the index, whether the right pair's is kept.
type choice [2]bool

// ArgMinMaxOf recognises a reduction that is an argmax or argmin. A body that only compares
// elements with elements and indices with indices, however it is written, is fully determined by
// running it once for each way in which two of each can compare.
func ArgMinMaxOf(r *Reduction) (p ArgMinMax, ok bool) {
	if len(r.Values) != 2 || len(r.Types) != 2 || len(r.Results) != 2 || r.Kind != Invalid || !r.Types[1].IsInteger() ||
		r.Combine.verify(0, 4) != nil || !r.Combine.has(r.Results[0]) || !r.Combine.has(r.Results[1]) {
		return p, false
	}
	var table [numRelations][numOrders]choice
	for rel := range numRelations {
		for order := range relation(numOrders) {
			if table[rel][order], ok = runCombine(r, rel, order); !ok {
				return p, false
			}
		}
	}
	left, right := [numOrders]choice{}, [numOrders]choice{{true, true}, {true, true}, {true, true}}
	isFloat := r.Types[0].IsFloat()
	switch {
	case isFloat && (table[leftNaN] != left || table[rightNaN] != right):
		return p, false
	case table[isGreater] == left && table[isLess] == right:
		p.Op = Max
	case table[isGreater] == right && table[isLess] == left:
		p.Op = Min
	default:
		return p, false
	}
	p.Ties.Index = sideOf(table[isEqual], 1)
	p.NaNs.Index = sideOf(table[bothNaN], 1)
	if isFloat {
		p.Ties.Elem = sideOf(table[isEqual], 0)
		p.NaNs.Elem = sideOf(table[bothNaN], 0)
	} else { // equal elements have the same bits, and there is no NaN
		p.NaNs = Ties{}
	}
	return p, max(p.Ties.Elem, p.Ties.Index, p.NaNs.Elem, p.NaNs.Index) < noSide
}

// sideOf returns the side of the element (of is 0) or index (of is 1) in a row of the table. Equal
// indices have the same bits.
func sideOf(row [numOrders]choice, of int) Side {
	less, equal, greater := row[isLess][of], row[isEqual][of], row[isGreater][of]
	switch {
	case of == 0 && equal != (less && greater):
		return noSide
	case less && greater:
		return Right
	case less:
		return HigherIndex
	case greater:
		return LowerIndex
	}
	return Left
}

// runCombine runs the body of a reduction on elements and indices that compare as given. Its values
// are the numbers of arguments, or bools.
func runCombine(r *Reduction, elems, order relation) (c choice, ok bool) {
	vals := make([]argValue, len(r.Combine.Instrs))
	for i := range r.Combine.Instrs {
		if vals[i], ok = r.Combine.Instrs[i].evalCompare(vals, elems, order); !ok {
			return c, false
		}
	}
	e, at := vals[r.Results[0]].arg, vals[r.Results[1]].arg
	return choice{e == 2, at == 3}, e >= 0 && e%2 == 0 && at >= 0 && at%2 == 1
}

// argValue is the value of an instruction of an argmax or argmin.
type argValue struct {
	arg    int // the number of the argument, -1 for a bool
	isTrue bool
}

func (in *Instr) evalCompare(vals []argValue, elems, order relation) (v argValue, ok bool) {
	x := func(k int) argValue { return vals[in.Args[k]] }
	v.arg = -1
	switch in.Op {
	case Arg:
		return argValue{arg: in.Arg}, true
	case EQ, NE, LT, LE, GT, GE:
		rel, ok := compared(x(0).arg, x(1).arg, elems, order)
		v.isTrue = ok && holds(in.Op, rel)
		return v, ok
	case Min, Max: // of indices: the result is one of them
		a, b := x(0).arg, x(1).arg
		rel, ok := compared(a, b, elems, order)
		if v.arg = b; (rel == isLess) == (in.Op == Min) {
			v.arg = a
		}
		return v, ok && a%2 == 1
	case And, Or:
		a, b := x(0), x(1)
		v.isTrue = a.isTrue && b.isTrue || in.Op == Or && (a.isTrue || b.isTrue)
		return v, a.arg < 0 && b.arg < 0
	case Not:
		v.isTrue = !x(0).isTrue
		return v, x(0).arg < 0
	case Select:
		v = x(2)
		if x(0).isTrue {
			v = x(1)
		}
		return v, x(0).arg < 0
	}
	return v, false
}

// compared returns how two arguments compare: elements, which have even numbers, or indices.
func compared(a, b int, elems, order relation) (relation, bool) {
	if a < 0 || b < 0 || a%2 != b%2 {
		return 0, false
	}
	if a%2 == 1 {
		elems = order
	}
	return relationOf(elems, a >= 2, b >= 2), true
}

// relationOf returns how two of the pair compare, each the left or the right one.
func relationOf(rel relation, a, b bool) relation {
	switch {
	case a == b && (rel == bothNaN || rel == leftNaN && !a || rel == rightNaN && a):
		return bothNaN
	case a == b:
		return isEqual
	case !a:
		return rel
	}
	switch rel { // swapped
	case isLess:
		return isGreater
	case isGreater:
		return isLess
	}
	return rel
}

// holds reports whether a comparison is true; with NaN only NE is.
func holds(op Op, rel relation) bool {
	switch op {
	case EQ:
		return rel == isEqual
	case NE:
		return rel != isEqual
	case LT:
		return rel == isLess
	case LE:
		return rel == isLess || rel == isEqual
	case GT:
		return rel == isGreater
	}
	return rel == isGreater || rel == isEqual
}
