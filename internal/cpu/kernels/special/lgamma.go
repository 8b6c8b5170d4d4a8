package special

import "math"

// LgammaNear has the coefficients of ln Γ(x)/((x-1)(x-2)) in x - 1.75 for |x - 1.75| ≤ 1, with a relative error of
// 2^-38: a truncated Chebyshev series, by powers.
var LgammaNear = [...]float64{0.4501393121095779, -0.11948158660296436, 0.044520447121897455, -0.019053959434712914,
	0.008776373432761357, -0.004226160216393581, 0.0020954880116135152, -0.0010608930629998415, 0.0005452538780816912,
	-0.0002814695160662392, 0.00014690870645455077, -8.385154814819824e-05, 4.617378901233444e-05,
	-1.1871026702133213e-05, 4.111002128876188e-06, -1.8789178679607987e-05, 1.2077224092950273e-05,
	6.614124151794293e-06, -4.500260552457017e-06, -3.3970015369353703e-06, 2.0360993563194653e-06}

// LgammaFar has the coefficients of Stirling's series in 1/x², times 1/x.
var LgammaFar = [...]float64{1.0 / 12, -1.0 / 360, 1.0 / 1260, -1.0 / 1680}

// The limits of [LgammaNarrow]: below LgammaSmall it is computed from Γ(x+1), from LgammaMiddle on by Stirling's
// series, which takes x+5 below LgammaShift.
const (
	LgammaSmall  = 0.75
	LgammaMiddle = 2.75
	LgammaShift  = 8
	LgammaLn2Pi2 = 0.91893853320467274178 // ln √2π
	// LgammaCancels bounds the cancellation for negative numbers: the smallest result relative to its terms.
	LgammaCancels = 0x1p-8
)

// lnNarrow is the natural logarithm of a normal, positive number, with an error of 2^-38.
func lnNarrow(x float64) float64 {
	h, r := logParts(x)
	return h + log1pSmall(r)
}

// LgammaNarrow is [Lgamma] for numbers and results of at most 32 bits. With |x| = u it is a polynomial about the zeros
// 1 and 2, or Stirling's series, with u·Γ(u) = Γ(u+1) and |Γ(-u)| = π/(u·|sin πu|·Γ(u)).
func LgammaNarrow(x float64) float64 {
	u := math.Abs(x)
	if !(u >= 0x1p-1022 && u <= math.MaxFloat64) {
		return Lgamma(x)
	}
	g, below := lgammaParts(u)
	if x > 0 {
		if u >= LgammaSmall && u < LgammaMiddle {
			return g
		}
		return g - lnNarrow(below)
	}
	d := math.Abs(u - math.RoundToEven(u))
	quarter, odd := d, uint64(0)
	if d > 0.25 {
		quarter, odd = 0.5-d, 1
	}
	if d == 0 {
		return Lgamma(x)
	}
	s := sineOf(odd, float64(quarter*math.Pi), 0)
	r := lnNarrow(float64(below*math.Pi)/float64(u*s)) - g
	if !(math.Abs(r) >= (math.Abs(g)+1)*LgammaCancels) {
		return Lgamma(x)
	}
	return r
}

// lgammaParts returns g and p with ln Γ(u) = g - ln p for u > 0.
func lgammaParts(u float64) (g, p float64) {
	p = 1
	if u < LgammaMiddle {
		t := u
		if u < LgammaSmall {
			t, p = u+1, u
		}
		z, h, c := t-1.75, 0.0, &LgammaNear
		for k := len(c) - 1; k >= 0; k-- {
			h = float64(h*z) + c[k]
		}
		return float64(float64((t-1)*(t-2))*h) + 0, p // avoids -0 for ln Γ(1)
	}
	y := u
	if u < LgammaShift {
		p = float64(float64(float64(float64(u*(u+1))*(u+2))*(u+3)) * (u + 4))
		y = u + 5
	}
	inverse, c := 1/y, &LgammaFar
	q := float64(inverse * inverse)
	series := c[0] + float64(q*(c[1]+float64(q*(c[2]+float64(q*c[3])))))
	return float64((y-0.5)*lnNarrow(y)) - y + (LgammaLn2Pi2 + float64(series*inverse)), p
}
