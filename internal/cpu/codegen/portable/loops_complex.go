package portable

import (
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

func cmax(z, w complex128) complex128 {
	if cless(w, z) {
		return z
	}
	return w
}

func cmin(z, w complex128) complex128 {
	if cless(z, w) {
		return z
	}
	return w
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
		return map2(dst, a, b, func(x, y C) C { return C(cmax(complex128(x), complex128(y))) })
	case kernel.Min:
		return map2(dst, a, b, func(x, y C) C { return C(cmin(complex128(x), complex128(y))) })
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
