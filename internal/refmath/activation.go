package refmath

import "math"

// Log2 returns the logarithm of x to base 2.
func Log2(x float64) float64 { return logarithm(x, two.log()) }

// Log10 returns the logarithm of x to base 10.
func Log10(x float64) float64 { return logarithm(x, fromFloat(10).log()) }

// logarithm divides the natural logarithm by that of a base.
func logarithm(x float64, base wide) float64 {
	if !(x > 0) || math.IsInf(x, 1) {
		return Log(x)
	}
	return fromFloat(x).log().div(base).float()
}

// Softplus returns ln(1 + e^x).
func Softplus(x float64) float64 {
	switch {
	case math.IsNaN(x) || x > 1e4:
		return x
	case x < -1e4:
		return 0
	}
	return fromFloat(x).exp().log1p().float()
}

// Silu returns x/(1 + e^-x).
func Silu(x float64) float64 {
	switch {
	case x == 0 || math.IsNaN(x) || x > 1e4:
		return x
	case x < -1e4:
		return math.Copysign(0, x)
	}
	w := fromFloat(x)
	return w.div(one.add(w.neg().exp())).float()
}

// Gelu returns x·Φ(x) with the cumulative normal distribution Φ.
func Gelu(x float64) float64 {
	switch {
	case x == 0 || math.IsNaN(x) || x > 40:
		return x
	case x < -40:
		return math.Copysign(0, x)
	}
	w, z := fromFloat(x), fromFloat(x).abs().mul(half.sqrt())
	if x < 0 {
		return w.mul(z.erfc()).shift(-1).float()
	}
	return w.mul(one.add(z.erf())).shift(-1).float()
}

// GeluTanh returns x·(1 + tanh(√(2/π)·(x + 0.044715·x³)))/2, as x/(1 + e^-u) with u = 2·√(2/π)·(x + 0.044715·x³).
func GeluTanh(x float64) float64 {
	switch {
	case x == 0 || math.IsNaN(x) || x > 40:
		return x
	case x < -40:
		return math.Copysign(0, x)
	}
	w := fromFloat(x)
	cubic := fromFloat(44715).div(fromFloat(1e6)).mul(w).mul(w)
	u := w.mul(one.add(cubic)).mul(two.div(pi.wide(0)).sqrt()).shift(1)
	return w.div(one.add(u.neg().exp())).float()
}
