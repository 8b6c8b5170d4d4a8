package stablehlo

import (
	"slices"
)

// Constraints on quantised types that several ops share.

// quantOf returns the quantised element type of a tensor or an element type, or nil.
func quantOf(t Type) *QuantType { q, _ := elemOf(t).(*QuantType); return q }

// isPerAxis reports whether t is quantised with a scale for each slice.
func isPerAxis(t Type) bool { q := quantOf(t); return q != nil && q.IsPerAxis() }

// anyQuantized reports whether one of the types is quantised.
func anyQuantized(types ...Type) bool {
	return slices.ContainsFunc(types, func(t Type) bool { return quantOf(t) != nil })
}

// expressedElem returns the element type that the elements of t stand for.
func expressedElem(t Type) Type {
	if q := quantOf(t); q != nil {
		return Scalar(q.Expressed)
	}
	return elemOf(t)
}

// sameScales requires that two types quantised in the same way have the same
// scales and zero points; the quantised dimension may differ.
func (c *check) sameScales(id string, a, b *TensorType) bool {
	p, q := a.Quant(), b.Quant()
	if p == nil || q == nil || p.IsPerAxis() != q.IsPerAxis() {
		return true
	}
	return c.require(slices.Equal(p.Scales, q.Scales) && slices.Equal(p.ZeroPoints, q.ZeroPoints), id,
		"scales and zero points differ: %s and %s", p, q)
}

// quantBinary checks the constraints of add on quantised operands; ids are
// those of (C2) to (C7).
func (c *check) quantBinary(ids [6]string, lhs, rhs, result Type) {
	l, r, z := quantOf(lhs), quantOf(rhs), quantOf(result)
	switch {
	case l == nil || r == nil || z == nil:
		c.fail(ids[0], "all of lhs %s, rhs %s and result %s must be quantised, or none", lhs, rhs, result)
	case l.Storage != r.Storage || l.Storage != z.Storage:
		c.fail(ids[1], "storage types differ: lhs %s, rhs %s, result %s", lhs, rhs, result)
	case l.Expressed != r.Expressed || l.Expressed != z.Expressed:
		c.fail(ids[2], "expressed types differ: lhs %s, rhs %s, result %s", lhs, rhs, result)
	case (l.IsPerAxis() || r.IsPerAxis()) != z.IsPerAxis():
		c.fail(ids[3], "result %s must be quantised per axis exactly if lhs %s or rhs %s is", result, lhs, rhs)
	default:
		c.require(!l.IsPerAxis() || l.Axis == z.Axis, ids[4],
			"quantised dimensions differ: lhs %s, result %s", lhs, result)
		c.require(!r.IsPerAxis() || r.Axis == z.Axis, ids[5],
			"quantised dimensions differ: rhs %s, result %s", rhs, result)
	}
}

// quantDot checks the constraints that dot_general and convolution share for
// quantised operands; ids are those of dot_general's (C14) and (C17) to (C20).
func (c *check) quantDot(ids [5]string, lhs, rhs, result *TensorType) {
	l, r, z := lhs.Quant(), rhs.Quant(), result.Quant()
	switch {
	case r == nil || (l == nil) != (z == nil):
		c.fail(ids[0], "rhs must be quantised, and lhs exactly if the result is: lhs %s, rhs %s, result %s", lhs, rhs, result)
	case l == nil:
		c.require(SameType(lhs.Elem, Scalar(r.Expressed)) && SameType(lhs.Elem, result.Elem), ids[4],
			"the expressed type of rhs %s must be the element type of lhs %s and result %s", rhs, lhs, result)
	case l.Storage != r.Storage:
		c.fail(ids[1], "storage types differ: lhs %s, rhs %s", lhs, rhs)
	case l.Expressed != r.Expressed || l.Expressed != z.Expressed:
		c.fail(ids[2], "expressed types differ: lhs %s, rhs %s, result %s", lhs, rhs, result)
	default:
		c.require(r.IsPerAxis() || !z.IsPerAxis(), ids[3],
			"result %s is quantised per axis although rhs %s is not", result, rhs)
	}
}

// zeroZeroPoints requires that the zero points of a quantised type are 0.
func (c *check) zeroZeroPoints(id string, t *TensorType) {
	q := t.Quant()
	c.require(q == nil || !slices.ContainsFunc(q.ZeroPoints, func(z int64) bool { return z != 0 }), id,
		"the zero points of rhs %s must be 0", t)
}

// quantTypeError returns the constraint that a quantised element type breaks and
// why, or "" and "".
func quantTypeError(q *QuantType) (id, why string) {
	const spec = "quantized_type_"
	lo, hi, ok := storageRange(q)
	if !ok {
		return spec + "c1", "the storage type must be an integer of at most 32 bits"
	}
	if q.Min < lo || q.Min >= q.Max || q.Max > hi {
		return spec + "c3", "the storage range must be increasing and within that of the storage type"
	}
	if !q.Expressed.IsFloat() {
		return spec + "c4", "the expressed type must be a float type"
	}
	if len(q.Scales) != len(q.ZeroPoints) {
		return spec + "c9", "there must be as many zero points as scales"
	}
	if !q.IsPerAxis() && len(q.Scales) != 1 {
		return spec + "c10", "a type without quantised dimension must have one scale"
	}
	for _, s := range q.Scales {
		if !(s > 0) {
			return spec + "c5", "scales must be positive"
		}
		if s < q.Expressed.SmallestSubnormal() || s > q.Expressed.MaxFinite() {
			return spec + "c6", "scales must be finite numbers of the expressed type"
		}
	}
	for _, z := range q.ZeroPoints {
		if z < q.Min || z > q.Max {
			return spec + "c7", "zero points must be within the storage range"
		}
	}
	return "", ""
}

// storageRange returns the range of the storage type; ok is false when the type cannot store quantised values.
func storageRange(q *QuantType) (lo, hi int64, ok bool) {
	bits := q.Storage.Bits()
	switch {
	case bits > 32:
	case q.Storage.IsSigned():
		return -1 << (bits - 1), 1<<(bits-1) - 1, true
	case q.Storage.IsUnsigned():
		return 0, 1<<bits - 1, true
	}
	return 0, 0, false
}

// quantError returns the constraint on quantised types that a type breaks and
// why, or "" and "".
func quantError(t Type) (id, why string) {
	q := quantOf(t)
	if q == nil {
		return "", ""
	}
	if id, why = quantTypeError(q); why != "" {
		return id, why
	}
	tensor, ok := t.(*TensorType)
	if !ok || !q.IsPerAxis() {
		return "", ""
	}
	if q.Axis >= tensor.Rank() {
		return "quantized_type_c12", "the quantised dimension must be a dimension of the tensor"
	}
	if d := tensor.Dims[q.Axis]; d != Dynamic && d != int64(len(q.Scales)) {
		return "quantized_type_c13", "there must be as many scales as the quantised dimension is long"
	}
	return "", ""
}
