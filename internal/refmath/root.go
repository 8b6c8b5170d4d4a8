package refmath

import "math"

// Cbrt returns the cube root of x.
func Cbrt(x float64) float64 {
	if x == 0 || math.IsInf(x, 0) || math.IsNaN(x) {
		return x
	}
	// One Newton step from a float64 approximation.
	w, y := fromFloat(x), fromFloat(math.Cbrt(x))
	d := w.sub(y.sq().mul(y)).div(y.sq().mul(fromFloat(3)))
	return y.add(d).float()
}

// Rsqrt returns 1/√x.
func Rsqrt(x float64) float64 {
	switch {
	case x == 0:
		return math.Inf(int(math.Copysign(1, x)))
	case math.IsNaN(x) || x < 0:
		return math.NaN()
	case math.IsInf(x, 1):
		return 0
	}
	return one.div(fromFloat(x).sqrt()).float()
}
