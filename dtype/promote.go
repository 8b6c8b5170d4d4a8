package dtype

// Promote returns the type in which an operation on values of types a and b is
// computed. It is Invalid only where a or b is.
//
//   - Equal types: that type.
//   - Bool ranks below every other type: the other type.
//   - Both unsigned, or both signed: the wider one.
//   - Unsigned and signed: signed, of twice the unsigned width or of the signed
//     one's if that is more, at most S64.
//   - Integer and float or complex: the float or complex type, whatever the
//     width of the integer.
//   - Two floats: the smallest that contains both, that is the wider one in most
//     cases; BF16 and F16 make F32. Of several of the same width the one with
//     more mantissa bits, then the one with the larger range.
//   - Complex with complex or float: the complex type whose parts contain both.
//
// Promote is commutative. It is associative except among three float types of
// at most 16 bits: two that do not contain each other may meet in F16 or in
// BF16, and a third joins one of these at no cost and the other only in F32.
func Promote(a, b Type) Type {
	if !a.IsValid() || !b.IsValid() {
		return Invalid
	}
	if a.Kind() > b.Kind() {
		a, b = b, a // so that b has the higher kind
	}
	switch {
	case a == b, a == Bool:
		return b
	case b.IsComplex():
		return promoteFloats(realOf(a, b), b.Real()).Complex()
	case b.IsFloat():
		if a.IsFloat() {
			return promoteFloats(a, b)
		}
		return b
	case a.Kind() == b.Kind():
		if a.Bits() > b.Bits() {
			return a
		}
		return b
	}
	bits := min(2*b.Bits(), 64) // a is signed, b unsigned
	return signedOf(max(bits, a.Bits()))
}

// realOf returns the float type of a in a promotion with the complex type c; integers have none.
func realOf(a, c Type) Type {
	if a.IsInteger() {
		return c.Real()
	}
	return a.Real()
}

// signedOf returns the signed integer type of the given width.
func signedOf(bits int) Type {
	for t := S2; t <= S64; t++ {
		if t.Bits() == bits {
			return t
		}
	}
	return Invalid
}

// promoteFloats returns the smallest real float type that contains both.
func promoteFloats(a, b Type) Type {
	best := F64
	for t := F4E2M1FN; t < F64; t++ {
		if t.Contains(a) && t.Contains(b) && t.tighter(best) {
			best = t
		}
	}
	return best
}

// tighter reports whether t comes before o among types that contain the same
// operands.
func (t Type) tighter(o Type) bool {
	if t.Bits() != o.Bits() {
		return t.Bits() < o.Bits()
	}
	if t.MantissaBits() != o.MantissaBits() {
		return t.MantissaBits() > o.MantissaBits()
	}
	return t.MaxFinite() > o.MaxFinite()
}

// Contains reports whether every value of the real float type o, with its
// infinities, NaN and negative zero where it has them, is one of the real float
// type t.
func (t Type) Contains(o Type) bool {
	if t == o {
		return true
	}
	return t.MantissaBits() >= o.MantissaBits() &&
		t.MaxFinite() >= o.MaxFinite() &&
		t.MinFinite() <= o.MinFinite() &&
		t.SmallestSubnormal() <= o.SmallestSubnormal() &&
		(t.HasInf() || !o.HasInf()) &&
		(t.HasNaN() || !o.HasNaN()) &&
		(t.HasZero() || !o.HasZero()) &&
		(t.HasNegativeZero() || !o.HasNegativeZero())
}
