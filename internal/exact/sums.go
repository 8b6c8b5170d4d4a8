// Package exact determines which floats represent integer sums exactly: GEMM of floats has machine code that GEMM of
// integers does not have.
package exact

import "github.com/go-nx/nx/dtype"

// FloatOfSums returns the float type, F32 or F64, that represents all sums of the given number of products of two
// integer or bool types of up to 32 bits; Invalid if there is none.
func FloatOfSums(x, y dtype.Type, terms int64) dtype.Type {
	bits := 0
	for _, t := range []dtype.Type{x, y} {
		switch {
		case t == dtype.Bool:
			bits++
		case !t.IsInteger() || t.Size() > 4:
			return dtype.Invalid
		case t.IsSigned():
			bits += 8*t.Size() - 1 // the magnitude of the minimum is a power of two
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
