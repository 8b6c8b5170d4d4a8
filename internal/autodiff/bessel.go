package autodiff

import (
	"math"

	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/stablehlo"
)

// jvpBesselI1e multiplies by the derivative of e^-|x| I₁(x), for which there
// is no op. It is even in x; for x ≥ 0 it is, from the integral of I₁,
//
//	1/π ∫ cos θ (cos θ - 1) e^(x (cos θ - 1)) dθ over 0 ≤ θ ≤ π,
//
// which the trapezoidal rule gives to all digits while x is small against the
// square of the number of points, the integrand being periodic and entire; and
// from Hankel's expansion of I₁ for large x, differentiated by terms.
// NIST DLMF 10.32.3 and 10.40.1.
func jvpBesselI1e(e emitter, x, y, d value) value {
	if emit.IsComplex(x) {
		emit.Fail("no derivative of chlo.bessel_i1e of complex numbers")
	}
	const points, large = 48, 50
	x = e.Do(stablehlo.OpAbs, x)

	var rates, weights []float64
	for k := range points + 1 {
		c := math.Cos(math.Pi * float64(k) / points)
		w := c * (c - 1) / points
		if k == points { // the ends count half; at the other one w is 0
			w /= 2
		}
		rates, weights = append(rates, c-1), append(weights, w)
	}
	dims := emit.Sizes(x)
	grid := append(append([]int64{}, dims...), points+1)
	last := int64(len(dims))
	dt := emit.DTypeOf(x)
	near := e.Do(stablehlo.OpMinimum, x, e.Fill(x, large))
	exponent := e.Mul(e.Broadcast(near, grid, emit.UpTo(len(dims))...), e.Broadcast(e.Floats(dt, rates...), grid, last))
	integral := e.SumOver(e.Mul(e.Exp(exponent), e.Broadcast(e.Floats(dt, weights...), grid, last)), last)

	// e^-x I₁(x) = (2πx)^-½ Σ (-1)^k a_k x^-k with a_k = a_(k-1) (4 - (2k-1)²)/(8k).
	const terms = 14
	coefficients := make([]float64, terms)
	a := 1.0
	for k := range terms {
		if k > 0 {
			a *= -(4 - float64((2*k-1)*(2*k-1))) / (8 * float64(k))
		}
		coefficients[k] = -a * (float64(k) + 0.5) / math.Sqrt(2*math.Pi)
	}
	far := e.Do(stablehlo.OpMaximum, x, e.Fill(x, large))
	inverse := e.Div(e.Fill(x, 1), far)
	series := e.Fill(x, coefficients[terms-1])
	for k := terms - 2; k >= 0; k-- {
		series = e.Plus(coefficients[k], e.Mul(series, inverse))
	}
	series = e.Mul(series, e.Mul(inverse, e.Rsqrt(far)))

	slope := e.Select(e.Compare("LT", x, e.Fill(x, large)), integral, series)
	return e.Mul(d, slope)
}
