package refmath

import (
	"math"
	"testing"
)

var (
	inf     = math.Inf(1)
	nan     = math.NaN()
	negZero = math.Copysign(0, -1)
)

// same reports equal numbers with equal signs of zeros, or two NaNs.
func same(a, b float64) bool {
	return a != a && b != b || a == b && math.Signbit(a) == math.Signbit(b)
}

func TestRealLimits(t *testing.T) {
	const tiny, huge = math.SmallestNonzeroFloat64, math.MaxFloat64
	for _, c := range []struct {
		name    string
		f       func(float64) float64
		x, want float64
	}{
		{"exp", Exp, -inf, 0}, {"exp", Exp, inf, inf}, {"exp", Exp, nan, nan}, {"exp", Exp, 710, inf},
		{"exp", Exp, -746, 0}, {"exp", Exp, -745.1, tiny}, {"exp", Exp, 0, 1}, {"exp", Exp, -huge, 0},
		{"exp", Exp, tiny, 1},
		{"expm1", Expm1, negZero, negZero}, {"expm1", Expm1, -inf, -1}, {"expm1", Expm1, tiny, tiny},
		{"expm1", Expm1, -50, -1}, {"expm1", Expm1, huge, inf},
		{"logistic", Logistic, -inf, 0}, {"logistic", Logistic, inf, 1}, {"logistic", Logistic, 0, 0.5},
		{"logistic", Logistic, -746, 0},
		{"sinh", Sinh, negZero, negZero}, {"sinh", Sinh, -inf, -inf}, {"sinh", Sinh, 711, inf},
		{"sinh", Sinh, -tiny, -tiny},
		{"cosh", Cosh, -inf, inf}, {"cosh", Cosh, 0, 1}, {"cosh", Cosh, huge, inf},
		{"tanh", Tanh, negZero, negZero}, {"tanh", Tanh, -inf, -1}, {"tanh", Tanh, 30, 1}, {"tanh", Tanh, tiny, tiny},
		{"log", Log, 0, -inf}, {"log", Log, negZero, -inf}, {"log", Log, -1, nan}, {"log", Log, inf, inf},
		{"log", Log, 1, 0},
		{"log1p", Log1p, negZero, negZero}, {"log1p", Log1p, -1, -inf}, {"log1p", Log1p, -2, nan},
		{"log1p", Log1p, inf, inf},
		{"log1p", Log1p, tiny, tiny},
		{"asinh", Asinh, negZero, negZero}, {"asinh", Asinh, -inf, -inf}, {"asinh", Asinh, tiny, tiny},
		{"asinh", Asinh, huge, 0x1.633ce8fb9f87ep+09},
		{"acosh", Acosh, 1, 0}, {"acosh", Acosh, 0.5, nan}, {"acosh", Acosh, inf, inf},
		{"atanh", Atanh, 1, inf}, {"atanh", Atanh, -1, -inf}, {"atanh", Atanh, 2, nan},
		{"atanh", Atanh, negZero, negZero},
		{"sin", Sin, negZero, negZero}, {"sin", Sin, inf, nan}, {"sin", Sin, tiny, tiny}, {"cos", Cos, inf, nan},
		{"cos", Cos, 0, 1},
		{"sin", Sin, 1e22, -0.8522008497671888}, {"cos", Cos, 0x1.6ac5b262ca1ffp+849, -0x1.14ae72e6ba22fp-61},
		{"tan", Tan, negZero, negZero}, {"tan", Tan, -inf, nan}, {"tan", Tan, math.Pi / 2, 1.633123935319537e16},
		{"atan", Atan, -inf, -math.Pi / 2}, {"atan", Atan, negZero, negZero}, {"atan", Atan, tiny, tiny},
		{"atan", Atan, huge, math.Pi / 2},
		{"asin", Asin, 1, math.Pi / 2}, {"asin", Asin, -1, -math.Pi / 2}, {"asin", Asin, 1.5, nan},
		{"asin", Asin, negZero, negZero}, {"asin", Asin, tiny, tiny},
		{"acos", Acos, 1, 0}, {"acos", Acos, -1, math.Pi}, {"acos", Acos, 0, math.Pi / 2}, {"acos", Acos, -1.5, nan},
		{"cbrt", Cbrt, -8, -2}, {"cbrt", Cbrt, negZero, negZero}, {"cbrt", Cbrt, -inf, -inf},
		{"cbrt", Cbrt, 0x1p-1074, 0x1p-358},
		{"rsqrt", Rsqrt, 0, inf}, {"rsqrt", Rsqrt, negZero, -inf}, {"rsqrt", Rsqrt, inf, 0}, {"rsqrt", Rsqrt, -1, nan},
		{"rsqrt", Rsqrt, 4, 0.5},
		{"erf", Erf, inf, 1}, {"erf", Erf, -7, -1}, {"erf", Erf, negZero, negZero}, {"erf", Erf, tiny, tiny},
		{"erfc", Erfc, inf, 0}, {"erfc", Erfc, -inf, 2}, {"erfc", Erfc, 0, 1}, {"erfc", Erfc, 27.2, 1e-323},
		{"erf_inv", ErfInv, 1, inf}, {"erf_inv", ErfInv, -1, -inf}, {"erf_inv", ErfInv, 1.1, nan},
		{"erf_inv", ErfInv, negZero, negZero},
		{"lgamma", Lgamma, 1, 0}, {"lgamma", Lgamma, 2, 0}, {"lgamma", Lgamma, 0, inf}, {"lgamma", Lgamma, -3, inf},
		{"lgamma", Lgamma, -inf, inf}, {"lgamma", Lgamma, huge, inf},
		// SciPy's psi: ∓Inf at ±0, NaN at the other poles.
		{"digamma", Digamma, 0, -inf}, {"digamma", Digamma, negZero, inf},
		{"digamma", Digamma, -2, nan}, {"digamma", Digamma, inf, inf},
		{"digamma", Digamma, -inf, nan},
		{"bessel_i0e", BesselI0e, inf, 0}, {"bessel_i0e", BesselI0e, -inf, 0}, {"bessel_i0e", BesselI0e, negZero, 1},
		{"bessel_i0e", BesselI0e, tiny, 1}, {"bessel_i0e", BesselI0e, -1e300, 3.9894228040143264e-151},
		{"bessel_i1e", BesselI1e, inf, 0}, {"bessel_i1e", BesselI1e, negZero, negZero},
		{"bessel_i1e", BesselI1e, tiny, 0},
		{"bessel_i1e", BesselI1e, 50, 0.0559931238928954}, {"bessel_i1e", BesselI1e, -1e300, -3.9894228040143264e-151},
	} {
		if got := c.f(c.x); !same(got, c.want) {
			t.Errorf("%s(%v) = %x, want %x", c.name, c.x, got, c.want)
		}
		if got := c.f(nan); got == got {
			t.Errorf("%s(NaN) = %v", c.name, got)
		}
	}
}

func TestPairLimits(t *testing.T) {
	for _, c := range []struct {
		name       string
		f          func(x, y float64) float64
		x, y, want float64
	}{
		{"pow", Pow, 0, 0, 1}, {"pow", Pow, nan, 0, 1}, {"pow", Pow, 1, nan, 1}, {"pow", Pow, negZero, -3, -inf},
		{"pow", Pow, negZero, -2, inf},
		{"pow", Pow, -8, 1.0 / 3, nan}, {"pow", Pow, -2, 3, -8}, {"pow", Pow, -1, inf, 1}, {"pow", Pow, 2, 1024, inf},
		{"pow", Pow, -2, 1025, -inf},
		{"pow", Pow, 2, -1074, 0x1p-1074}, {"pow", Pow, 2, -1075, 0}, {"pow", Pow, -1, 1e300, 1},
		{"pow", Pow, 250001, 3, 15625187500750001},
		{"pow", Pow, 94906267, 2, 9007199515875289}, {"pow", Pow, inf, -1, 0}, {"pow", Pow, -inf, 3, -inf},
		{"pow", Pow, 4, 0.5, 2}, {"pow", Pow, 10, -2, 0.01},
		{"atan2", Atan2, 0, -1, math.Pi}, {"atan2", Atan2, negZero, -1, -math.Pi},
		{"atan2", Atan2, inf, -inf, 3 * math.Pi / 4}, {"atan2", Atan2, 1, 0, math.Pi / 2},
		{"atan2", Atan2, 5e-324, 1e300, 0}, {"atan2", Atan2, 1e300, 5e-324, math.Pi / 2},
		{"atan2", Atan2, -5e-324, -1e300, -math.Pi}, {"atan2", Atan2, nan, 1, nan},
		{"zeta", Zeta, 1, 2, inf}, {"zeta", Zeta, 0.5, 2, nan}, {"zeta", Zeta, 2, 0, inf}, {"zeta", Zeta, 3, -1, nan},
		{"zeta", Zeta, 2.5, -0.5, nan}, {"zeta", Zeta, 2, negZero, inf}, {"zeta", Zeta, 3, 0, inf},
		{"zeta", Zeta, 3, negZero, -inf}, {"zeta", Zeta, 2.5, 0, inf},
		{"zeta", Zeta, inf, 2, 0}, {"zeta", Zeta, inf, 1, 1}, {"zeta", Zeta, 2, inf, 0},
		{"zeta", Zeta, 2, 1, math.Pi * math.Pi / 6}, {"zeta", Zeta, 1e300, 0.5, inf},
		{"polygamma", Polygamma, 0, 0, -inf}, {"polygamma", Polygamma, -1, 2, nan},
		{"polygamma", Polygamma, 0.5, 2, nan},
		{"polygamma", Polygamma, 1, 0, inf}, {"polygamma", Polygamma, 2, 0, -inf},
		{"polygamma", Polygamma, 2, negZero, inf}, {"polygamma", Polygamma, 2, -1, nan},
		{"polygamma", Polygamma, 1, 1, math.Pi * math.Pi / 6}, {"polygamma", Polygamma, 2, inf, 0},
	} {
		if got := c.f(c.x, c.y); !same(got, c.want) {
			t.Errorf("%s(%v, %v) = %v, want %v", c.name, c.x, c.y, got, c.want)
		}
	}
}

// TestComplexLimits tests C99, Annex G, and arguments at which the textbook formulas overflow or lose the sign of a
// zero.
func TestComplexLimits(t *testing.T) {
	c := func(x, y float64) complex128 { return complex(x, y) }
	const pi4 = math.Pi / 4
	for _, k := range []struct {
		name    string
		f       func(complex128) complex128
		z, want complex128
	}{
		{"exp", CExp, c(-inf, inf), c(nan, nan)}, {"exp", CExp, c(inf, nan), c(nan, nan)},
		{"exp", CExp, c(1, inf), c(nan, nan)}, {"exp", CExp, c(inf, negZero), c(inf, negZero)},
		{"exp", CExp, c(-inf, 1), c(0, 0)}, {"exp", CExp, c(inf, 2), c(-inf, inf)}, {"exp", CExp, c(nan, 0), c(nan, 0)},
		{"exp", CExp, c(720, math.Pi/2), c(3.0130603219044924e+296, inf)},
		{"log", CLog, c(0, 0), c(-inf, 0)}, {"log", CLog, c(negZero, negZero), c(-inf, -math.Pi)},
		{"log", CLog, c(-1, negZero), c(0, -math.Pi)},
		{"log", CLog, c(-inf, inf), c(inf, 3*pi4)}, {"log", CLog, c(nan, inf), c(inf, nan)},
		{"log", CLog, c(1, 1e-200), c(0, 1e-200)}, {"log", CLog, c(1, 1e-160), c(5e-321, 1e-160)},
		{"log1p", CLog1p, c(-1, 0), c(-inf, 0)}, {"log1p", CLog1p, c(inf, -inf), c(inf, -pi4)},
		{"log1p", CLog1p, c(-2, negZero), c(0, -math.Pi)}, {"log1p", CLog1p, c(-0.5e-300, 1e-150),
			c(-6.23419e-318, 1e-150)},
		{"sqrt", CSqrt, c(negZero, negZero), c(0, negZero)}, {"sqrt", CSqrt, c(-4, negZero), c(0, -2)},
		{"sqrt", CSqrt, c(nan, -inf), c(inf, -inf)},
		{"sqrt", CSqrt, c(-inf, 1), c(0, inf)}, {"sqrt", CSqrt, c(inf, -1), c(inf, negZero)},
		{"sqrt", CSqrt, c(inf, nan), c(inf, nan)},
		{"sqrt", CSqrt, c(1e308, 1e308), c(1.09868411346781e+154, 4.5508986056222734e+153)},
		{"sinh", CSinh, c(inf, 0), c(inf, 0)}, {"sinh", CSinh, c(0, inf), c(0, nan)},
		{"sinh", CSinh, c(inf, inf), c(inf, nan)}, {"sinh", CSinh, c(nan, negZero), c(nan, negZero)},
		{"sinh", CSinh, c(inf, 2), c(-inf, inf)},
		{"cosh", CCosh, c(-inf, 2), c(-inf, -inf)}, {"cosh", CCosh, c(0, negZero), c(1, negZero)},
		{"cosh", CCosh, c(nan, 0), c(nan, 0)},
		{"tanh", CTanh, c(inf, 2), c(1, negZero)}, {"tanh", CTanh, c(-inf, nan), c(-1, 0)},
		{"tanh", CTanh, c(0, inf), c(0, nan)}, {"tanh", CTanh, c(400, 1), c(1, 0)},
		{"tanh", CTanh, c(nan, 0), c(nan, 0)},
		{"asin", CAsin, c(0, inf), c(0, inf)}, {"asin", CAsin, c(2, negZero), c(math.Pi/2, -1.3169578969248168)},
		{"asin", CAsin, c(negZero, negZero), c(negZero, negZero)},
		{"acos", CAcos, c(2, 0), c(0, -1.3169578969248168)}, {"acos", CAcos, c(2, negZero), c(0, 1.3169578969248168)},
		{"acos", CAcos, c(-inf, 1), c(math.Pi, -inf)}, {"acos", CAcos, c(inf, inf), c(pi4, -inf)},
		{"acos", CAcos, c(0, nan), c(math.Pi/2, nan)},
		{"acos", CAcos, c(1, 0), c(0, negZero)}, {"acosh", CAcosh, c(1, negZero), c(0, negZero)},
		{"acosh", CAcosh, c(-2, negZero), c(1.3169578969248168, -math.Pi)},
		{"acosh", CAcosh, c(-inf, inf), c(inf, 3*pi4)},
		{"asinh", CAsinh, c(-inf, 1), c(-inf, 0)}, {"asinh", CAsinh, c(nan, 0), c(nan, 0)},
		{"asinh", CAsinh, c(1, inf), c(inf, math.Pi/2)}, {"asinh", CAsinh, c(0, 2), c(1.3169578969248168, math.Pi/2)},
		{"asinh", CAsinh, c(1e308, 1e308), c(710.235929413006, pi4)},
		{"atan", CAtan, c(0, 1), c(0, inf)}, {"atan", CAtan, c(inf, 1), c(math.Pi/2, 0)},
		{"atan", CAtan, c(1e308, 1e308), c(math.Pi/2, 5e-309)},
		{"atanh", CAtanh, c(1, negZero), c(inf, negZero)}, {"atanh", CAtanh, c(0, nan), c(0, nan)},
		{"atanh", CAtanh, c(2, -inf), c(0, -math.Pi/2)}, {"atanh", CAtanh, c(2, negZero),
			c(0.5493061443340549, -math.Pi/2)},
		{"atanh", CAtanh, c(-inf, nan), c(negZero, nan)},
		{"sign", CSign, c(0, negZero), c(0, 0)}, {"sign", CSign, c(nan, 0), c(nan, nan)},
		{"sign", CSign, c(3e-320, 4e-320), c(0.6, 0.8)},
		{"rsqrt", CRsqrt, c(4, 0), c(0.5, negZero)}, {"rsqrt", CRsqrt, c(inf, 1), 0},
		{"cbrt", CCbrt, c(0, negZero), c(0, negZero)},
	} {
		got := k.f(k.z)
		if !same(real(got), real(k.want)) || !same(imag(got), imag(k.want)) {
			t.Errorf("%s%v = %v, want %v", k.name, k.z, got, k.want)
		}
	}
	for _, k := range []struct {
		name       string
		f          func(z, w complex128) complex128
		z, w, want complex128
	}{
		{"div", CDiv, 1, 0, c(inf, nan)}, {"div", CDiv, c(1, 1), c(inf, inf), c(0, 0)},
		{"div", CDiv, c(inf, 1), c(1, 1), c(inf, -inf)},
		{"div", CDiv, c(1e308, 1e308), c(1e308, 1e308), 1}, {"div", CDiv, c(1e-310, 0), c(1e-310, 1e-310),
			c(0.5, -0.5)},
		{"mul", CMul, c(1e200, 1e-200), c(1e-200, 1e200), c(0, inf)}, {"mul", CMul, c(inf, 0), c(1, 0), c(inf, nan)},
		{"pow", CPow, 0, 0, 1}, {"pow", CPow, 0, c(1, 1), 0}, {"pow", CPow, c(2, 0), c(10, 0), 1024},
	} {
		got := k.f(k.z, k.w)
		if !same(real(got), real(k.want)) || !same(imag(got), imag(k.want)) {
			t.Errorf("%s(%v, %v) = %v, want %v", k.name, k.z, k.w, got, k.want)
		}
	}
}
