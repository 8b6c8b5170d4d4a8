package portable

import (
	"unsafe"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/functions"
	"github.com/go-nx/nx/internal/cpu/kernel"
)

// Complex numbers are ordered by their real parts and then by their imaginary parts.

func cless(z, w complex128) bool {
	if real(z) == real(w) {
		return imag(z) < imag(w)
	}
	return real(z) < real(w)
}

// complexMinMax sets d to the greater elements of a and b, or the lesser ones. It has no branches on the elements,
// which are unpredictable.
func complexMinMax[T float, U uint32 | uint64](d, a, b [][2]T, isMax bool) {
	minSide, maxSide, flip := a, b, ^U(0) // the result is of a if minSide is below maxSide
	if isMax {
		minSide, maxSide, flip = b, a, 0
	}
	minStep, maxStep := min(len(minSide)-1, 1), min(len(maxSide)-1, 1) // 0 for a uniform operand
	for i, j, k := 0, 0, 0; i < len(d); i, j, k = i+1, j+minStep, k+maxStep {
		low, high := &minSide[j], &maxSide[k]
		takes := flip ^ -U(b2u(low[0] < high[0])|b2u(low[0] == high[0])&b2u(low[1] < high[1]))
		x, y := (*[2]U)(unsafe.Pointer(low)), (*[2]U)(unsafe.Pointer(high))
		*(*[2]U)(unsafe.Pointer(&d[i])) = [2]U{x[0] ^ (x[0]^y[0])&takes, x[1] ^ (x[1]^y[1])&takes}
	}
}

// minMaxLoop is complexMinMax of complex numbers.
func minMaxLoop[C cplx](isMax bool) func(d, a, b []C) {
	return func(d, a, b []C) {
		if unsafe.Sizeof(C(0)) == 8 {
			complexMinMax[float32, uint32](parts[float32](d), parts[float32](a), parts[float32](b), isMax)
		} else {
			complexMinMax[float64, uint64](parts[float64](d), parts[float64](a), parts[float64](b), isMax)
		}
	}
}

// parts returns complex numbers as their real and imaginary parts.
func parts[T float, C cplx](x []C) [][2]T {
	return unsafe.Slice((*[2]T)(unsafe.Pointer(unsafe.SliceData(x))), len(x))
}

func complexInstr[C cplx, T float](in *kernel.Instr, dst, a, b ref) step {
	t := dtype.C128
	if width[T]() == 32 {
		t = dtype.C64
	}
	if f := functions.Complex(in, t); f != nil {
		return map1(dst, a, func(x C) C { return C(f(complex128(x))) })
	}
	if f := functions.Complex2(in, t); f != nil {
		return map2(dst, a, b, func(x, y C) C { return C(f(complex128(x), complex128(y))) })
	}
	switch in.Op {
	case kernel.Max:
		return binary(dst, a, b, minMaxLoop[C](true))
	case kernel.Min:
		return binary(dst, a, b, minMaxLoop[C](false))
	case kernel.Neg:
		return unary(dst, a, neg[C])
	case kernel.Abs:
		abs := functions.Abs(t)
		return map1(dst, a, func(x C) T { return T(abs(complex128(x))) })
	case kernel.Add:
		return binary(dst, a, b, add[C])
	case kernel.Sub:
		return binary(dst, a, b, sub[C])
	case kernel.EQ:
		return binary(dst, a, b, equal[C])
	case kernel.NE:
		return binary(dst, a, b, notEqual[C])
	case kernel.LT:
		return map2(dst, a, b, func(x, y C) uint8 { return b2u(cless(complex128(x), complex128(y))) })
	case kernel.GT:
		return map2(dst, a, b, func(x, y C) uint8 { return b2u(cless(complex128(y), complex128(x))) })
	case kernel.LE:
		return map2(dst, a, b, func(x, y C) uint8 { return b2u(x == y || cless(complex128(x), complex128(y))) })
	case kernel.GE:
		return map2(dst, a, b, func(x, y C) uint8 { return b2u(x == y || cless(complex128(y), complex128(x))) })
	}
	return nil
}
