package refmath

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestAnyBits runs all functions on random bits and on limits: they end, do not panic, and return NaN for NaN.
func TestAnyBits(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	limits := []float64{0, negZero, 1, -1, inf, -inf, nan, math.MaxFloat64, -math.MaxFloat64, 5e-324, 0.5, 1e7, 1e7 + 1,
		-1e7 - 0.5, 1e12, -1e12 - 0.5}
	number := func() float64 {
		switch r.IntN(3) {
		case 0:
			return limits[r.IntN(len(limits))]
		case 1:
			return randomFloat(r, -10, 40)
		}
		return math.Float64frombits(r.Uint64())
	}
	unary := []func(float64) float64{
		Exp, Expm1, Logistic, Sinh, Cosh, Tanh, Log, Log1p, Asinh, Acosh, Atanh, Sin, Cos, Tan,
		Atan, Asin, Acos, Cbrt, Rsqrt, Erf, Erfc, ErfInv, Lgamma, Digamma, BesselI0e, BesselI1e}
	complexes := []func(complex128) complex128{
		CExp, CExpm1, CLogistic, CSinh, CCosh, CTanh, CLog, CLog1p, CAsinh, CAcosh, CAtanh, CSin, CCos, CTan,
		CAtan, CAsin, CAcos, CCbrt, CRsqrt, CSqrt, CSign, CSquare, CAsinAcosKernel}
	for range 300 {
		x, y, u, v := number(), number(), number(), number()
		for i, f := range unary {
			if got := f(x); x != x && got == got {
				t.Errorf("function %d of NaN is %v", i, got)
			}
		}
		for _, f := range []func(x, y float64) float64{Pow, Atan2, Zeta, Polygamma} {
			f(x, y)
		}
		for i, f := range complexes {
			if got := f(complex(nan, nan)); real(got) == real(got) && imag(got) == imag(got) {
				t.Errorf("complex function %d of NaN is %v", i, got)
			}
			f(complex(x, y))
		}
		for _, f := range []func(z, w complex128) complex128{CMul, CDiv, CPow, CAtan2} {
			f(complex(x, y), complex(u, v))
		}
	}
}
