// Package exact tells which floats compute with integers exactly: products of them have machine code that integers
// have none of.
package exact

import "github.com/go-nx/nx/dtype"

// FloatOfSums returns the float, F32 or F64, that has all sums of so many products of elements of two types of
// integers or truths of up to 32 bits; Invalid where there is none.
func FloatOfSums(x, y dtype.Type, terms int64) dtype.Type {
	bits := 0
	for _, t := range []dtype.Type{x, y} {
		switch {
		case t == dtype.Bool:
			bits++
		case !t.IsInteger() || t.Size() > 4:
			return dtype.Invalid
		case t.IsSigned():
			bits += 8*t.Size() - 1 // the size of the least number is a power of two
		default:
			bits += 8 * t.Size()
		}
	}
	const bitsF32, bitsF64 = 24, 53
	switch {
	case bits <= bitsF32 && terms <= 1<<(bitsF32-bits):
		return dtype.F32
	case bits <= bitsF64 && terms <= 1<<(bitsF64-bits):
		return dtype.F64
	}
	return dtype.Invalid
}
