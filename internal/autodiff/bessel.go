package autodiff

import (
	"math"

	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/stablehlo"
)

// jvpBesselI1e multiplies by the derivative of e^-|x| I₁(x), which has no op. It is even in x; for
// x ≥ 0 it is, from the integral of I₁,
//
//	1/π ∫ cos θ (cos θ - 1) e^(x (cos θ - 1)) dθ over 0 ≤ θ ≤ π,
//
// which the trapezoidal rule computes to full precision if x is small compared with the square of
// the number of points, since the integrand is periodic and entire; and for large x it is Hankel's
// expansion of I₁, differentiated by terms. NIST DLMF 10.32.3 and 10.40.1.
func jvpBesselI1e(e emitter, x, y, d value) value {
	if emit.IsComplex(x) {
		emit.Fail("no derivative of chlo.bessel_i1e of complex numbers")
	}
	const points = 48
	x = e.Do(stablehlo.OpAbs, x)

	var rates, weights []float64
	for k := range points + 1 {
		c := math.Cos(math.Pi * float64(k) / points)
		w := c * (c - 1) / points
		if k == points { // the end points have weight ½; at the other one w is 0
			w /= 2
		}
		rates, weights = append(rates, c-1), append(weights, w)
	}
	dims := emit.Sizes(x)
	grid := append(append([]int64{}, dims...), points+1)
	last := int64(len(dims))
	dt := emit.DTypeOf(x)
	near := e.Do(stablehlo.OpMinimum, x, e.Fill(x, besselLarge))
	exponent := e.Mul(e.Broadcast(near, grid, emit.UpTo(len(dims))...), e.Broadcast(e.Floats(dt, rates...), grid, last))
	integral := e.SumOver(e.Mul(e.Exp(exponent), e.Broadcast(e.Floats(dt, weights...), grid, last)), last)

	slope := e.Select(e.Compare("LT", x, e.Fill(x, besselLarge)), integral, hankelSlope(e, x, 4))
	return e.Mul(d, slope)
}

// jvpBesselI0e multiplies by e^-|x| I₁(x) - sign(x)·e^-|x| I₀(x), which is 0 at 0, the mean of the
// slopes there. For large |x|, where the difference cancels, the derivative is that of Hankel's
// expansion of I₀. NIST DLMF 10.29.3 and 10.40.1.
func jvpBesselI0e(e emitter, x, y, d value) value {
	sign, size := e.Do(stablehlo.OpSign, x), e.Do(stablehlo.OpAbs, x)
	near := e.Sub(e.Do(stablehlo.OpChloBesselI1e, x), e.Mul(sign, y))
	far := e.Mul(sign, hankelSlope(e, size, 0))
	return e.Mul(d, e.Select(e.Compare("LT", size, e.Fill(x, besselLarge)), near, far))
}

// besselGrowth returns v and the code of a scaled Bessel function B for the operands r·B(v) and r with r =
// e^(|v|/2): the product of these is I₀(v) or I₁(v), as package core writes them. Else v is nil.
func besselGrowth(x, root value) (v value, scaled stablehlo.OpCode) {
	v = operandOf(operandOf(operandOf(root, stablehlo.OpExponential), stablehlo.OpMultiply), stablehlo.OpAbs)
	if v == nil || operandOf(x, stablehlo.OpMultiply) != root {
		return nil, 0
	}
	if half, ok := splat(root.Op().Operands[0].Op().Operands[1]); !ok || half != 0.5 {
		return nil, 0
	}
	bessel := x.Op().Operands[1].Op()
	if bessel == nil || bessel.Code != stablehlo.OpNxBesselI0e && bessel.Code != stablehlo.OpChloBesselI1e ||
		bessel.Operands[0] != v {
		return nil, 0
	}
	return v, bessel.Code
}

// besselGrowthSlope returns the derivative of [besselGrowth]: that of I₀ is I₁, and that of I₁ is I₀ - I₁/v,
// where I₁/v is ½ Σ (v²/4)^k/(k! (k+1)!) near 0. As products their terms would cancel there. NIST DLMF
// 10.25.2 and 10.29.3.
func besselGrowthSlope(e emitter, v, root, y value, scaled stablehlo.OpCode) value {
	of := func(scaled stablehlo.OpCode) value { return e.Mul(e.Mul(root, e.Do(scaled, v)), root) }
	if scaled == stablehlo.OpNxBesselI0e {
		return of(stablehlo.OpChloBesselI1e)
	}
	const terms = 10
	square, series := e.Scale(0.25, e.Mul(v, v)), e.Fill(v, 0)
	for k := terms; k >= 0; k-- {
		c := 0.5 / (math.Gamma(float64(k+1)) * math.Gamma(float64(k+2)))
		series = e.Plus(c, e.Mul(series, square))
	}
	near := e.Compare("LT", e.Do(stablehlo.OpAbs, v), e.Fill(v, 1))
	quotient := e.Select(near, series, e.Div(y, e.Select(near, e.Fill(v, 1), v)))
	return e.Sub(of(stablehlo.OpNxBesselI0e), quotient)
}

// besselLarge is the minimum x for which 14 terms of Hankel's expansions are accurate.
const besselLarge = 30

// hankelSlope returns the derivative of e^-x I_ν(x) for x ≥ [besselLarge], by Hankel's expansion,
// e^-x I_ν(x) = (2πx)^-½ Σ (-1)^k a_k x^-k with a_k = a_(k-1) (4ν² - (2k-1)²)/(8k); mu is 4ν².
func hankelSlope(e emitter, x value, mu float64) value {
	const terms = 14
	coefficients := make([]float64, terms)
	a := 1.0
	for k := range terms {
		if k > 0 {
			a *= -(mu - float64((2*k-1)*(2*k-1))) / (8 * float64(k))
		}
		coefficients[k] = -a * (float64(k) + 0.5) / math.Sqrt(2*math.Pi)
	}
	large := e.Fill(x, besselLarge)
	far := e.Select(e.Compare("LT", x, large), large, x)
	inverse := e.Div(e.Fill(x, 1), far)
	series := e.Fill(x, coefficients[terms-1])
	for k := terms - 2; k >= 0; k-- {
		series = e.Plus(coefficients[k], e.Mul(series, inverse))
	}
	return e.Mul(series, e.Mul(inverse, e.Rsqrt(far)))
}
