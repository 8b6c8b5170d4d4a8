package refmath

import "math"

// Cosh32 and Sinh32 follow CHLO's formulas, whose terms are e^(x+ln ½) and e^(ln ½-x) with exponents rounded to f32.
// For large x they are a few ulp off the function, as are XLA's results.

// Cosh32 returns cosh x of narrow floats.
func Cosh32(x float32) float32 {
	up, down := halfExps(x)
	return up + down
}

// Sinh32 returns sinh x of narrow floats.
func Sinh32(x float32) float32 {
	if -1 < x && x < 1 {
		return float32(Sinh(float64(x)))
	}
	up, down := halfExps(x)
	return up - down
}

func halfExps(x float32) (up, down float32) {
	const lnHalf float32 = -math.Ln2
	return float32(Exp(float64(x + lnHalf))), float32(Exp(float64(lnHalf - x)))
}
