package portable

import (
	"math/cmplx"

	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/kernels"
	"github.com/go-nx/nx/internal/refmath"
)

// complexFuncs are the functions of complex numbers: within a few units in the last
// place of the larger part where kernels has them, else rounded once, and slow.
var complexFuncs = map[kernel.Op]func(complex128) complex128{
	kernel.Exp: kernels.CExp, kernel.Log: kernels.CLog, kernel.Sqrt: kernels.CSqrt, kernel.Sin: kernels.CSin, kernel.Cos: kernels.CCos,
	kernel.Conj:  cmplx.Conj,
	kernel.Expm1: refmath.CExpm1, kernel.Log1p: refmath.CLog1p, kernel.Rsqrt: refmath.CRsqrt, kernel.Cbrt: refmath.CCbrt,
	kernel.Logistic: refmath.CLogistic, kernel.Tan: refmath.CTan, kernel.Tanh: refmath.CTanh,
	kernel.Sign: refmath.CSign, kernel.Square: refmath.CSquare,
}

var complexFuncs2 = map[kernel.Op]func(z, w complex128) complex128{
	kernel.Mul: kernels.CMul, kernel.Div: kernels.CDiv, kernel.Pow: refmath.CPow, kernel.Atan2: refmath.CAtan2,
	kernel.Max: cmax, kernel.Min: cmin,
}

// quickComplex and quickComplex2 replace those for parts of 32 bits, whose rounding
// hides their error.
var (
	quickComplex = map[kernel.Op]func(complex128) complex128{
		kernel.Tanh: kernels.CTanhShort, kernel.Tan: kernels.CTanShort, kernel.Rsqrt: kernels.CRsqrtShort,
		kernel.Square: func(z complex128) complex128 { return kernels.CMul(z, z) },
	}
	quickComplex2 = map[kernel.Op]func(z, w complex128) complex128{kernel.Pow: kernels.CPowShort, kernel.Div: kernels.CDivShort}
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
	quick := width[T]() == 32
	if f, ok := quickComplex[in.Op]; ok && quick {
		return map1(dst, a, func(x C) C { return C(f(complex128(x))) })
	}
	if f, ok := complexFuncs[in.Op]; ok {
		return map1(dst, a, func(x C) C { return C(f(complex128(x))) })
	}
	if f, ok := quickComplex2[in.Op]; ok && quick {
		return map2(dst, a, b, func(x, y C) C { return C(f(complex128(x), complex128(y))) })
	}
	if f, ok := complexFuncs2[in.Op]; ok {
		return map2(dst, a, b, func(x, y C) C { return C(f(complex128(x), complex128(y))) })
	}
	switch in.Op {
	case kernel.Call:
		if f := functions[in.Func].complex; f != nil {
			return map1(dst, a, func(x C) C { return C(f(complex128(x))) })
		}
	case kernel.Neg:
		return unary(dst, a, neg[C])
	case kernel.Abs:
		return map1(dst, a, func(x C) T { return T(kernels.CAbs(complex128(x))) })
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
