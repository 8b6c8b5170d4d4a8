package refmath

import "math"

// BesselI0e returns e^-|x| I₀(x) with the modified Bessel function I₀. NIST DLMF
// 10.25.2 and 10.40.1, as is BesselI1e.
func BesselI0e(x float64) float64 {
	switch {
	case math.IsNaN(x):
		return x
	case math.IsInf(x, 0):
		return 0
	}
	a := fromFloat(math.Abs(x))
	sum, t := one, one
	if math.Abs(x) < 45 {
		// Σ (x²/4)^k / k!²
		q := a.sq().shift(-2)
		for k := 1; t.log2() > sum.log2()-110; k++ {
			t = t.mul(q).div(fromFloat(float64(k * k)))
			sum = sum.add(t)
		}
		return sum.mul(a.neg().exp()).float()
	}
	// 1/√(2πx) Σ 1² 3² … (2k-1)² / (k! (8x)^k)
	for k := 1; t.log2() > -110; k++ {
		odd := float64(2*k - 1)
		t = t.mul(fromFloat(odd * odd)).div(a.shift(3).mul(fromFloat(float64(k))))
		sum = sum.add(t)
	}
	return sum.div(a.mul(pi.wide(1)).sqrt()).float()
}

// BesselI1e returns e^-|x| I₁(x) with the modified Bessel function I₁.
func BesselI1e(x float64) float64 {
	switch {
	case x == 0 || math.IsNaN(x):
		return x
	case math.IsInf(x, 0):
		return math.Copysign(0, x)
	}
	a := fromFloat(math.Abs(x))
	if math.Abs(x) < 45 {
		// x/2 Σ (x²/4)^k / (k! (k+1)!)
		t, q := a.shift(-1), a.sq().shift(-2)
		sum := t
		for k := 1; t.log2() > sum.log2()-110; k++ {
			t = t.mul(q).div(fromFloat(float64(k * (k + 1))))
			sum = sum.add(t)
		}
		return math.Copysign(sum.mul(a.neg().exp()).float(), x)
	}
	// 1/√(2πx) Σ (-1)^k (4-1²)(4-3²)…(4-(2k-1)²) / (k! (8x)^k)
	sum, t := one, one
	for k := 1; t.log2() > -110; k++ {
		odd := float64(2*k - 1)
		t = t.mul(fromFloat(odd*odd - 4)).div(a.shift(3).mul(fromFloat(float64(k))))
		sum = sum.add(t)
	}
	return math.Copysign(sum.div(a.mul(pi.wide(1)).sqrt()).float(), x)
}
