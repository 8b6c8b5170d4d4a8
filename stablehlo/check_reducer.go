package stablehlo

import "github.com/go-nx/nx/dtype"

// reducer describes the region of a reduction: its arguments are an accumulator for each input, then an
// element for each input; it returns the new accumulators.
type reducer struct {
	constraint     string // on the arguments and results of the region
	typeConstraint string // on the types of initial values; constraint when empty
	region         int
	inputs         []*TensorType // their elements must be promotable to the arguments
	inits          []*TensorType // the initial accumulators
	// shape of the reduced slice: arguments are scalars, or tensors whose shape is this one without some
	// dimensions.
	shape []int64
}

// body returns the block of a region and the values it returns.
func (c *check) body(i int, constraint string) (*Block, []*Value, bool) {
	var b *Block
	if i < len(c.Regions) && len(c.Regions[i].Blocks) == 1 {
		b = c.Regions[i].Block()
	}
	if !c.require(b != nil, constraint, "region %d must have one block", i) {
		return nil, nil, false
	}
	end := b.Terminator()
	if !c.require(end != nil && end.Code == OpReturn, constraint, "region %d must end in stablehlo.return", i) {
		return nil, nil, false
	}
	return b, end.Operands, true
}

// reducer checks the region and returns the types of its accumulators. Element types may differ in the
// precision of floats: a region may accumulate in wider floats.
func (c *check) reducer(r reducer) ([]*TensorType, bool) {
	n := len(r.inputs)
	body, results, ok := c.body(r.region, r.constraint)
	if !ok ||
		!c.require(len(body.Args) == 2*n, r.constraint, "the reduction region takes %d arguments, but must take %d",
			len(body.Args), 2*n) ||
		!c.require(len(results) == n, r.constraint, "the reduction region returns %d values, but must return %d",
			len(results), n) {
		return nil, false
	}
	if r.typeConstraint == "" {
		r.typeConstraint = r.constraint
	}
	acc := make([]*TensorType, n)
	for i, v := range results {
		if acc[i] = v.Tensor(); acc[i] == nil {
			c.fail(r.constraint, "the reduction region returns %s, but must return tensors", v.Type())
			return nil, false
		}
	}
	for i := range n {
		if !c.accumulator(r, body, acc[i], i) {
			return nil, false
		}
	}
	return acc, true
}

// accumulator checks the arguments and the result of the region that belong to input i.
func (c *check) accumulator(r reducer, body *Block, acc *TensorType, i int) bool {
	n := len(r.inputs)
	for _, k := range []int{i, n + i} {
		t := body.Args[k].Tensor()
		same := t != nil && compatibleDims(t.Dims, acc.Dims) &&
			(SameType(t.Elem, acc.Elem) || k > i && sameOrFloats(t.Elem, acc.Elem))
		if !c.require(same, r.constraint, "argument %d of the reduction region is %s, but result %d is %s",
			k, body.Args[k].Type(), i, acc) {
			return false
		}
	}
	arg := body.Args[n+i].Tensor()
	if !c.require(compatibleDims(r.inits[i].Dims, acc.Dims), r.constraint,
		"result %d of the reduction region is %s, but its initial value %s", i, acc, r.inits[i]) ||
		!c.require(promotable(r.inits[i].Elem, acc.Elem), r.typeConstraint,
			"result %d of the reduction region is %s, to which its initial value %s cannot be promoted", i, acc, r.inits[i]) ||
		!c.require(promotable(r.inputs[i].Elem, arg.Elem), r.constraint,
			"argument %d of the reduction region is %s, to which elements of %s cannot be promoted", n+i, arg, r.inputs[i]) {
		return false
	}
	return c.require(remains(arg.Dims, r.shape), r.constraint,
		"argument %d of the reduction region is %s, but the inputs have shape %s", n+i, arg, dimsText(r.shape))
}

// remains reports whether part is shape with some dimensions removed.
func remains(part, shape []int64) bool {
	for _, n := range shape {
		if len(part) > 0 && compatibleSize(n, part[0]) {
			part = part[1:]
		}
	}
	return len(part) == 0
}

// sameOrFloats reports whether two element types are equal or both floats.
func sameOrFloats(a, b Type) bool { return SameType(a, b) || isFloat(a) && isFloat(b) }

func isFloat(t Type) bool { s, ok := t.(Scalar); return ok && dtype.Type(s).IsFloat() }

// promotable reports whether values of element type a are values of type b too:
// the same kind, and no wider. Floats of any precision are promotable.
func promotable(a, b Type) bool {
	switch a := a.(type) {
	case *QuantType:
		b, ok := b.(*QuantType)
		return ok && a.Expressed == b.Expressed && a.Storage.Bits() <= b.Storage.Bits()
	case Scalar:
		b, ok := b.(Scalar)
		x, y := dtype.Type(a), dtype.Type(b)
		switch {
		case !ok:
			return false
		case x.IsFloat():
			return y.IsFloat()
		case x.IsComplex():
			return y.IsComplex() && x.Bits() <= y.Bits()
		}
		return (y.IsInteger() || y == dtype.Bool) && x.Bits() <= y.Bits()
	}
	return false
}
