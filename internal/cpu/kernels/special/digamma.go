package special

import "math"

// DigammaSeries has the coefficients of ψ(x) = ln x - 1/2x - … in 1/x², times 1/x².
var DigammaSeries = [...]float64{1.0 / 12, -1.0 / 120, 1.0 / 252, -1.0 / 240, 1.0 / 132, -691.0 / 32760, 1.0 / 12,
	-3617.0 / 8160}

// DigammaSteps is the shift of arguments below it, for the series.
const DigammaSteps = 10

// DigammaNarrow is [Digamma] for numbers and results of at most 32 bits. The sum of 1/x over the steps is the
// logarithmic derivative of their product, which takes one division.
func DigammaNarrow(x float64) float64 {
	if !(math.Abs(x) <= math.MaxFloat64) {
		return Digamma(x)
	}
	if x > 0 {
		return digammaNarrowAbove(x)
	}
	r := x - math.RoundToEven(x)
	d := math.Abs(r)
	if d == 0 {
		if x == 0 {
			return -1 / x
		}
		return math.NaN()
	}
	var cot float64
	if d > 0.25 {
		q := float64((0.5 - d) * math.Pi)
		cot = sineOf(0, q, 0) / sineOf(1, q, 0)
	} else {
		q := float64(d * math.Pi)
		cot = sineOf(1, q, 0) / sineOf(0, q, 0)
	}
	return digammaNarrowAbove(1-x) - float64(math.Copysign(cot, r)*math.Pi)
}

func digammaNarrowAbove(u float64) float64 {
	y, sum := u, 0.0
	if u < DigammaSteps {
		product, derivative := u, 1.0
		for k := 1; k < DigammaSteps; k++ {
			step := u + float64(k)
			derivative = float64(derivative*step) + product
			product = float64(product * step)
		}
		y, sum = u+DigammaSteps, derivative/product
	}
	inverse := 1 / y
	q, series := float64(inverse*inverse), 0.0
	for k := len(DigammaSeries) - 1; k >= 0; k-- {
		series = float64(series*q) + DigammaSeries[k]
	}
	return (log64(logTable64(), y, 0) - sum) - (float64(inverse*0.5) + float64(q*series))
}
