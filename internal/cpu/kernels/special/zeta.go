package special

import (
	"math"

	"github.com/go-nx/nx/internal/refmath"
)

// zetaTerms is the number of terms before the Euler–Maclaurin formula, whose factors are zetaSeries, B(2k)/(2k)!.
const zetaTerms = 10

var zetaSeries = [...]float64{
	1.0 / 12, -1.0 / 720, 1.0 / 30240, -1.0 / 1209600, 1.0 / 47900160, -691.0 / 1307674368000, 1.0 / 74724249600,
	-3617.0 / 10670622842880000, 43867.0 / 5109094217170944000, -174611.0 / 802857662698291200000,
	77683.0 / 14101100039391805440000}

// ZetaNarrow is [Zeta] for results of at most 32 bits. Integer powers are products, and terms are summed until the
// formula is accurate.
func ZetaNarrow(x, q float64) float64 {
	const minRatio, from = 0x1p-20, 9
	if n := int(x); n >= 2 && n <= 12 && float64(n) == x && q > -1024 && q < 1e10 {
		sum, largest, at := 0.0, 0.0, q
		for ; at < from; at++ {
			t := intPower(1/at, n)
			sum, largest = sum+t, max(largest, math.Abs(t))
		}
		inv := 1 / at
		p := intPower(inv, n)
		r := sum + (float64(float64(p*at)/(x-1)) + float64(p*zetaTail(x, inv, 0x1p-34)))
		if a := math.Abs(r); a > minRatio*largest && a < 0x1p300 {
			return r
		}
	}
	return Zeta(x, q)
}

// intPower returns x^n by squaring.
func intPower(x float64, n int) float64 {
	r := 1.0
	for ; n > 1; n /= 2 {
		if n%2 == 1 {
			r = float64(r * x)
		}
		x = float64(x * x)
	}
	return float64(r * x)
}

// zetaTail returns the sum of the Euler–Maclaurin formula in units of its first power, up to terms below minTerm of it.
func zetaTail(x, inv, minTerm float64) float64 {
	t, r := float64(x*inv), 0.5
	for k, c := range zetaSeries {
		d := float64(t * c)
		r += d
		if math.Abs(d) < r*minTerm {
			break
		}
		n := float64(2*k + 1)
		t *= float64((x+n)*inv) * float64((x+n+1)*inv)
	}
	return r
}

// Zeta computes the Hurwitz zeta function.
func Zeta(x, q float64) float64 {
	if q < 0 {
		return zetaNegative(x, q)
	}
	if !(x > 1 && x < 1e4 && q > 0x1p-100 && q < 1e100) {
		return refmath.Zeta(x, q)
	}
	logs := logTable64()
	// power returns (q+i)^-x and q+i. The rounding error of q+i counts x times.
	power := func(i int) (p, at float64) {
		at, error := twoSum(q, float64(i))
		p = pow64(logs, at, -x)
		return p - float64(p*float64(x*(error/at))), at
	}
	sum, rest := 0.0, 0.0 // rest has the rounding errors
	for i := range zetaTerms {
		t, _ := power(i)
		s := sum + t
		if t > sum {
			rest += (t - s) + sum
		} else {
			rest += (sum - s) + t
		}
		if sum = s; t < sum*0x1p-60 || t == 0 {
			break
		}
	}
	if !(sum >= 0x1p-900 && sum <= 0x1p900) { // terms may have left the range
		return refmath.Zeta(x, q)
	}
	p, q := power(zetaTerms)
	if p < sum*0x1p-70 {
		return sum + rest
	}
	r := zetaTail(x, 1/q, 0x1p-58)
	return sum + (rest + (float64(float64(p*q)/(x-1)) + float64(p*r)))
}

// zetaNegative computes ζ(x, q) of a negative q, for which x is an integer. The terms before the first positive q+n = f
// are summed directly, or as ζ(x, 1-f) - ζ(x, 1-q); ζ(x, f) is added.
func zetaNegative(x, q float64) float64 {
	const direct = 16
	first := math.Ceil(-q)
	f, error := twoSum(q, first) // exact, except above -½
	if !(x > 1 && x <= 64 && x == math.Trunc(x) && q < -0x1p-100 && q > -0x1p52 && f > 0) {
		return refmath.Zeta(x, q)
	}
	before := 0.0
	if first > direct {
		before = Zeta(x, 1-f) - Zeta(x, 1-q)
	} else {
		logs := logTable64()
		for at := -q; at > 0; at-- {
			before += pow64(logs, at, -x)
		}
	}
	if math.Mod(x, 2) != 0 {
		before = -before
	}
	from := Zeta(x, f)
	from -= float64(from * float64(x*(error/f)))
	r := before + from
	// Terms of both signs may cancel, or leave the range.
	if a := math.Abs(r); !(a > 0.5*max(from, math.Abs(before)) && a < 0x1p900) {
		return refmath.Zeta(x, q)
	}
	return r
}

// Polygamma computes the n-th derivative of [Digamma], (-1)^(n+1) n! ζ(n+1, x).
func Polygamma(n, x float64) float64 { return polygamma(n, x, Zeta) }

// PolygammaNarrow is [Polygamma] for results of at most 32 bits.
func PolygammaNarrow(n, x float64) float64 { return polygamma(n, x, ZetaNarrow) }

func polygamma(n, x float64, zeta func(x, q float64) float64) float64 {
	switch {
	case n == 0:
		return Digamma(x)
	case !(n > 0 && n <= 20 && n == math.Trunc(n) && math.Abs(x) > 1e-10 && math.Abs(x) < 1e10):
		return refmath.Polygamma(n, x)
	}
	f := 1.0
	for k := 2.0; k <= n; k++ {
		f *= k
	}
	if int(n)%2 == 0 {
		f = -f
	}
	return f * zeta(n+1, x)
}
