package special

import (
	"math"

	"github.com/go-nx/nx/internal/refmath"
)

// Ratio is a rational function: the coefficients of a numerator and a denominator, by powers.
type Ratio struct{ Num, Den []float64 }

// eval returns the numerator and the denominator at x.
func (c *Ratio) eval(x float64) (above, below float64) {
	for k := len(c.Num) - 1; k >= 0; k-- {
		above = float64(above*x) + c.Num[k]
	}
	for k := len(c.Den) - 1; k >= 0; k-- {
		below = float64(below*x) + c.Den[k]
	}
	return above, below
}

// Gamma64 has the coefficients of [Lgamma] and [Digamma]. The ratios are fitted to values of 50 digits.
var Gamma64 = struct {
	// LgammaNear is ln Γ(1+v)/(v(v-1)) - 1/2 for v from -1/4 to 7/4, with an error of 6e-18.
	LgammaNear Ratio
	// LgammaFar is the error of Stirling's formula for ln Γ(u), times u, as a function of 1/u² up to 0.133, with a
	// relative error of 5e-18.
	LgammaFar  Ratio
	LgammaRest float64 // ln √2π - 1/2
	// DigammaNear is ψ(1+v)/(1+v-z) - 1 for the positive zero z, for v from 0 to 1, with an error of 2e-18.
	DigammaNear                 Ratio
	DigammaZero, DigammaZeroLow float64 // z - 1
	// DigammaFar is (ln u - 1/2u - ψ(u))·u² as a function of 1/u² up to 1/4, with a relative error of 5e-17.
	DigammaFar Ratio
	PiLow      float64 // π minus its nearest float64
}{
	LgammaNear: Ratio{[]float64{0.07721566490153287, 0.028487807565545885, -0.3268543736931554, -0.5151285432928705,
		-0.31385355941949167, -0.08755964818545804, -0.010467719561289876, -0.000392368299300461},
		[]float64{1, 3.5451248970944502, 5.013983801505752, 3.6089892241396204, 1.397138288883989, 0.28222383368291265,
			0.02633494990491813, 0.0008131811108640524, -2.6549058689617884e-07}},
	LgammaFar: Ratio{[]float64{0.08333333333333333, 1.1663018502584852, 4.704324132112688, 6.278405664470129,
		2.3516750622489266, 0.12035492657849024},
		[]float64{1, 14.028955536435141, 56.909997627048405, 77.11140165046034, 30.338586714520247,
			2.0089508171130706}},
	LgammaRest: 0.41893853320467274178,
	DigammaNear: Ratio{[]float64{0.2503801375034054, -0.3347487468989093, -0.6567373689866162, -0.29106455236428475,
		-0.04547385890025327, -0.0020794197319648038},
		[]float64{1, 2.0766208489513502, 1.4604529514828168, 0.4358344840811546, 0.054130111771047235,
			0.002127143127487157, -5.544933888784814e-07}},
	DigammaZero: 0x1.d8b618dp-2, DigammaZeroLow: 0x1.6be3f6e1a9c88p-32,
	DigammaFar: Ratio{[]float64{0.08333333333333333, 1.6487005098624157, 10.454458582428394, 25.937920314815642,
		24.53540645239369, 7.132172836058371, 0.2892375725515343},
		[]float64{1, 19.884406118348878, 127.39432455340058, 323.0975997444463, 321.57155278056877, 107.17275606898451,
			7.4828779877991245}},
	PiLow: 0x1.1a62633145c07p-53,
}

// TinyDigamma is the magnitude up to which ψ(x) = -1/x.
const TinyDigamma = 0x1p-60

// log64Sum returns ln x as a sum for a positive, normal x; the second part is below 2^-14.
func log64Sum(t *[128]logEntry, x float64) (hi, lo float64) {
	bits := math.Float64bits(x)
	n := bits - logFrom
	entry := &t[n>>45&127]
	power := n & (0xfff << 52)
	e := float64(int64(n) >> 52)
	base, rest := float64(e*ln2Part)+entry.ln, float64(e*ln2Rest)+entry.lnRest
	r := math.FMA(math.Float64frombits(bits-power), entry.inverse, -1)
	hi = base + r
	rest += r - (hi - base)
	c := &log1pTerms
	p := c[7]
	for k := 6; k >= 0; k-- {
		p = c[k] + float64(r*p)
	}
	return hi, rest + float64(float64(r*r)*p)
}

// sinCosPi returns the sine and the cosine of π·d for d from 0 to ½.
func sinCosPi(d float64) (sin, cos float64) {
	far := d > 0.25
	if far {
		d = 0.5 - d
	}
	r := float64(d * math.Pi)
	lo := math.FMA(d, math.Pi, -r) + float64(d*Gamma64.PiLow)
	sin, cos = sineOf(0, r, lo), sineOf(1, r, lo)
	if far {
		return cos, sin
	}
	return sin, cos
}

// Lgamma computes ln |Γ(x)|. With |x| = u: up to 2.75 it is a ratio about the zeros 1 and 2, with u·Γ(u) = Γ(u+1);
// beyond, Stirling's formula. |Γ(-u)| is π/(u·|sin πu|·Γ(u)).
func Lgamma(x float64) float64 {
	c, u := &Gamma64, math.Abs(x)
	switch {
	case u > 0 && u < 0x1p-1022:
		return refmath.Lgamma(x)
	case !(u < math.Inf(1)):
		return u
	}
	t := logTable64()
	ln, lnRest := log64Sum(t, u)
	var g, product float64 // ln Γ(u), and ln uΓ(u)
	if u < LgammaMiddle {
		v := u - 1
		if u < LgammaSmall {
			v = u
		}
		above, below := c.LgammaNear.eval(v)
		p := float64(v*(v-1)) + 0 // avoids -0 for ln Γ(1)
		near := float64(p*0.5) + float64(p*(above/below))
		g, product = near, near+(ln+lnRest)
		if u < LgammaSmall {
			g, product = (near-lnRest)-ln, near
		}
	} else {
		inverse, h := 1/u, u-0.5
		above, below := c.LgammaFar.eval(float64(inverse * inverse))
		series := float64(above*inverse) / below
		g = float64(h*(ln-1)) + (c.LgammaRest + (float64(h*lnRest) + series))
		product = g + (ln + lnRest)
	}
	if x > 0 {
		return g
	}
	d := math.Abs(u - math.RoundToEven(u))
	if d == 0 {
		return math.Inf(1)
	}
	sin, _ := sinCosPi(d)
	return log64(t, math.Pi/sin, 0) - product
}

// Digamma computes the derivative of [Lgamma]. Up to 2 it is a ratio about its zero, with ψ(u) = ψ(u+1) - 1/u; beyond,
// a ratio that approximates the asymptotic series, NIST DLMF 5.11.2; below 0, reflection, 5.5.4.
func Digamma(x float64) float64 {
	switch {
	case x > 0:
		return digammaAbove(x)
	case x > -TinyDigamma && x <= 0:
		return -1 / x
	}
	r := x - math.RoundToEven(x)
	d := math.Abs(r)
	if !(d > 0) { // also true for NaN
		return math.NaN()
	}
	sin, cos := sinCosPi(d)
	return digammaAbove(1-x) - math.Copysign(float64(cos/sin*math.Pi), r)
}

func digammaAbove(u float64) float64 {
	c := &Gamma64
	switch {
	case !(u < math.Inf(1)):
		return u
	case u > 2:
		inverse := 1 / u
		q := float64(inverse * inverse)
		above, below := c.DigammaFar.eval(q)
		return log64(logTable64(), u, 0) - (float64(inverse*0.5) + float64(q*above)/below)
	}
	v := u - 1
	if u < 1 {
		v = u
	}
	above, below := c.DigammaNear.eval(v)
	s := (v - c.DigammaZero) - c.DigammaZeroLow
	near := s + float64(s*(above/below))
	if u < 1 {
		return near - 1/u
	}
	return near
}
