package portable

import "slices"

// LLVM keeps the uses of a value in a list, whose order bytecode preserves: if it is not the order in which a
// reader would build it (the last use first), the artifact holds a permutation. The order has no meaning, but
// artifacts contain it, so identical output requires the order that StableHLO's passes leave: a downgrade
// replaces an op by a new one. The uses by the new op come first in the lists of its operands, and its results
// take over the uses of the old results one by one, which reverses their order. Casts are created after the
// ops of VHLO; those to VHLO also take over the uses.

// use is an operand of an op.
type use struct {
	op      *outOp
	operand int
}

// lastCreated is what made returns for ops that are made last.
const lastCreated = 2

// creationOrder reports when an op was made, compared with others that use the same value.
func (o *outOp) creationOrder() int {
	switch {
	case o.rewritten:
		return lastCreated
	case o.name == castName:
		return 1
	}
	return 0
}

// useOrder returns the permutation of the uses of a value, the last use first; nil for the default order.
func (v *value) useOrder() []int {
	n := len(v.uses)
	if n < 2 {
		return nil
	}
	list := make([]int, 0, n) // of indices of uses, which are in the order of the program
	first := 0
	for made := lastCreated; made >= 0; made-- {
		first = len(list)
		for i, u := range slices.Backward(v.uses) {
			if u.op.creationOrder() == made {
				list = append(list, i)
			}
		}
	}
	if v.by != nil && v.by.toVHLO {
		slices.Reverse(list[first:])
	}
	if v.by != nil && v.by.rewritten {
		slices.Reverse(list)
	}
	order, sorted := make([]int, n), true
	for place, i := range list {
		order[n-1-i] = place
		sorted = sorted && n-1-i == place
	}
	if sorted {
		return nil
	}
	return order
}

// useOrders writes the permutations for the results of an op or the arguments of
// a block, and reports whether there are any.
func (e *emitter) useOrders(values []*value) bool {
	count := 0
	for _, v := range values {
		if v.useOrder() != nil {
			count++
		}
	}
	if count == 0 {
		return false
	}
	if len(values) != 1 {
		e.varint(uint64(count))
	}
	for i, v := range values {
		order := v.useOrder()
		if order == nil {
			continue
		}
		if len(values) != 1 {
			e.varint(uint64(i))
		}
		moved := 0
		for i, place := range order {
			if place != i {
				moved++
			}
		}
		if moved < len(order)/2 { // as pairs
			e.flagged(uint64(2*moved), true)
			for i, place := range order {
				if place != i {
					e.varint(uint64(place))
					e.varint(uint64(i))
				}
			}
			continue
		}
		e.flagged(uint64(len(order)), false)
		for _, place := range order {
			e.varint(uint64(place))
		}
	}
	return true
}
