package main

import "math"

// Formulas in float64 that are within 2^-40 of the exact functions, so that a result of a
// narrower type that is theirs, rounded, need not be compared with 106 bits: those would
// take hours for all numbers of type f32. TestQuick holds them to the bound.

func sigmoid(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

func softplus(x float64) float64 { return max(x, 0) + math.Log1p(math.Exp(-math.Abs(x))) }

// lowest stands for all numbers below it in silu and both forms of gelu, -∞ too.
const lowest = -1e3

func silu(x float64) float64 {
	x = max(x, lowest)
	return x / (1 + math.Exp(-x))
}

func gelu(x float64) float64 {
	x = max(x, lowest)
	return x / 2 * math.Erfc(-x/math.Sqrt2)
}

func geluTanh(x float64) float64 {
	x = max(x, lowest)
	return x / (1 + math.Exp(-2*math.Sqrt2/math.SqrtPi*(x+0.044715*x*x*x)))
}

// log2 is that of package math but for numbers near 1.
func log2(x float64) float64 {
	if math.Abs(x-1) < 0.25 {
		return math.Log1p(x-1) * math.Log2E
	}
	return math.Log2(x)
}

func rsqrt(x float64) float64 { return 1 / math.Sqrt(x) }

func lgamma(x float64) float64 {
	y, _ := math.Lgamma(x)
	if math.IsInf(x, 0) {
		return math.Inf(1)
	}
	return y
}

// digamma is ψ(x) = ln y - 1/2y - 1/12y² + 1/120y⁴ - … - Σ 1/(x+i) with a y = x+n of at least
// 32, where the five terms have 60 bits; below 0 by reflection at ½ (NIST DLMF 5.11.2, 5.5.4).
func digamma(x float64) float64 {
	if x <= 0 {
		switch {
		case x == 0:
			return -1 / x
		case x == math.Trunc(x):
			return math.NaN()
		}
		r := x - math.RoundToEven(x)
		return digamma(1-x) - math.Pi*math.Cos(math.Pi*r)/math.Sin(math.Pi*r)
	}
	sum := 0.0
	for ; x < 32; x++ {
		sum += 1 / x
	}
	q := 1 / (x * x)
	return math.Log(x) - 1/(2*x) - q*(1./12-q*(1./120-q*(1./252-q/240))) - sum
}

// besselFrom is where the asymptotic series of the Bessel functions have 53 bits.
const besselFrom = 30

// besselI0e is e^-|x| Σ (x²/4)^k / k!², from besselFrom on the series in 1/x (NIST DLMF
// 10.25.2, 10.40.1).
func besselI0e(x float64) float64 {
	if x = math.Abs(x); x > besselFrom {
		return asymptotic(x, 0)
	}
	return math.Exp(-x) * powerSeries(x, 1, 0)
}

// besselI1e is e^-|x| x/2 Σ (x²/4)^k / (k! (k+1)!), from besselFrom on the series in 1/x.
func besselI1e(x float64) float64 {
	if math.Abs(x) > besselFrom {
		return math.Copysign(asymptotic(math.Abs(x), 4), x)
	}
	return math.Exp(-math.Abs(x)) * powerSeries(x, x/2, 1)
}

// powerSeries is Σ t (x²/4)^k n! / (k! (k+n)!).
func powerSeries(x, t float64, n int) float64 {
	sum := t
	for k := 1; math.Abs(t) > math.Abs(sum)*0x1p-56; k++ {
		t *= x * x / 4 / float64(k*(k+n))
		sum += t
	}
	return sum
}

// asymptotic is 1/√(2πx) Σ (-1)^k (μ-1²)(μ-3²)…(μ-(2k-1)²) / (k! (8x)^k).
func asymptotic(x, mu float64) float64 {
	sum, t := 1.0, 1.0
	for k := 1; math.Abs(t) > 0x1p-56; k++ {
		odd := float64(2*k - 1)
		t *= (odd*odd - mu) / (8 * x * float64(k))
		sum += t
	}
	return sum / math.Sqrt(2*math.Pi) / math.Sqrt(x)
}
