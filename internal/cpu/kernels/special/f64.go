package special

import "math"

// Functions of float64 slices, within 2 ulp: those of package math where they are as accurate.

const (
	// ln 2/256 in two parts, the first of 32 bits, so that its products with integers
	// below 2^20 are exact.
	ln2By256     = 0x1.62e42feep-9
	ln2By256Rest = 0x1.a39ef35793c76p-41
)

// exp64 computes eˣ for |x| < 700.
func exp64(x float64) float64 { return exp64Sum(x, 0) }

// exp64Sum computes e^(x+lo) for |x| < 700 and a small lo: x + lo = n·ln 2/256 + r,
// e^(x+lo) = 2^(n/256)·eʳ, with the Taylor polynomial of degree 5 for |r| ≤ 0.0014
// (9e-21 off).
func exp64Sum(x, lo float64) float64 {
	s, p := exp64Parts(x, lo)
	return s + p
}

// exp64Parts returns the result of [exp64Sum] as a number and a small correction.
func exp64Parts(x, lo float64) (s, p float64) {
	n, r := splitLn2(x)
	s = math.Float64frombits(exp2Table[uint8(n)] + n<<44)
	return s, float64(s * (expm1Small(r+lo) + exp2Rest[uint8(n)]))
}

// exp2Rest[i] is the rounding error of exp2Table[i] for 2^(i/256), relative to it.
var exp2Rest = func() (rest [256]float64) {
	const root, rootRest = 0x1.00b1afa5abcbfp0, -0x1.4f6b2a7609f71p-55 // 2^(1/256)
	hi, lo := 1.0, 0.0
	for i := range rest {
		s := math.Float64frombits(exp2Table[i] + uint64(i)<<44)
		rest[i] = ((hi - s) + lo) / s
		p := float64(hi * root)
		e := math.FMA(hi, root, -p) + float64(hi*rootRest) + float64(lo*root)
		hi = p + e
		lo = e - (hi - p)
	}
	return rest
}()

// splitLn2 returns n and r with x = n·ln 2/256 + r.
func splitLn2(x float64) (n uint64, r float64) {
	t := float64(x*math.Log2E) + roundTo256ths
	steps := (t - roundTo256ths) * 256
	return math.Float64bits(t), x - float64(steps*ln2By256) - float64(steps*ln2By256Rest)
}

// Exp64 has the coefficients of eˣ, for expansions.
var Exp64 = struct {
	Ln2By256, Ln2By256Rest float64
	Rest                   []uint64 // bits
}{ln2By256, ln2By256Rest, float64Bits(exp2Rest[:])}

// float64Bits returns the bits of numbers.
func float64Bits(x []float64) []uint64 {
	out := make([]uint64, len(x))
	for i, v := range x {
		out[i] = math.Float64bits(v)
	}
	return out
}

func expm1Small(r float64) float64 {
	p := 1.0/2 + float64(r*(1.0/6+float64(r*(1.0/24+float64(r*(1.0/120))))))
	return r + float64(float64(r*r)*p)
}

// exp64Wide computes eˣ for any x. Package math overflows from 709.5 on.
func exp64Wide(x float64) float64 {
	switch {
	case x > 710:
		return math.Inf(1)
	case x < -746:
		return 0
	case x != x:
		return x
	}
	n, r := splitLn2(x)
	s := math.Float64frombits(exp2Table[uint8(n)] + uint64(uint8(n))<<44)
	return math.Ldexp(s+float64(s*(expm1Small(r)+exp2Rest[uint8(n)])), int(int64(n<<13)>>21))
}

// ExpF64 computes eˣ as [exp64] does, inlined, which saves a quarter of the time.
func ExpF64(dst, src []float64) {
	dst = dst[:len(src)]
	for i, x := range src {
		if !(x*x < 700*700) {
			dst[i] = exp64Wide(x)
			continue
		}
		t := float64(x*math.Log2E) + roundTo256ths
		steps := (t - roundTo256ths) * 256
		n := math.Float64bits(t)
		r := x - float64(steps*ln2By256) - float64(steps*ln2By256Rest)
		s := math.Float64frombits(exp2Table[uint8(n)] + n<<44)
		p := 1.0/2 + float64(r*(1.0/6+float64(r*(1.0/24+float64(r*(1.0/120))))))
		dst[i] = s + float64(s*((r+float64(float64(r*r)*p))+exp2Rest[uint8(n)]))
	}
}

// Expm1F64 computes eˣ − 1, within 1 ulp.
func Expm1F64(dst, src []float64) {
	dst = dst[:len(src)]
	for i, x := range src {
		if !(x*x < 700*700) {
			dst[i] = max(exp64Wide(x)-1, -1)
			continue
		}
		dst[i] = expm1Of(x)
	}
}

// expm1Near computes eˣ − 1 for |x| < 700 as a number and a small correction, from the parts of [exp64Sum].
func expm1Near(x float64) (e, rest float64) {
	t := float64(x*math.Log2E) + roundTo256ths
	steps := (t - roundTo256ths) * 256
	n := math.Float64bits(t)
	s := math.Float64frombits(exp2Table[uint8(n)] + n<<44)
	high, low := x-float64(steps*ln2By256), float64(steps*ln2By256Rest) // high is exact
	r := high - low
	p := 1.0/2 + float64(r*(1.0/6+float64(r*(1.0/24+float64(r*(1.0/120))))))
	exact := s - 1
	e = math.FMA(s, high, exact)
	error := math.FMA(s, high, exact-e) + (s - (exact + 1)) // rounding errors of e and of s - 1
	return e, float64(s*((float64(float64(r*r)*p)+exp2Rest[uint8(n)])-low)) + error
}

// TanhF64 computes the hyperbolic tangent, within 1 ulp, from e = e^2|x| − 1: below 1 it is e/(e+2) with the rounding
// errors of the terms and the quotient added, from 1 on it is 1 − 2/(e+2).
func TanhF64(dst, src []float64) {
	dst = dst[:len(src)]
	for i, x := range src {
		a := math.Abs(x)
		if a > 22 { // false for NaN
			a = 22
		}
		e, rest := expm1Near(a + a)
		sum := e + rest
		below := sum + 2
		inverse := 1 / below
		if a < 1 {
			rest -= sum - e
			q := float64(sum * inverse)
			residual := math.FMA(-q, below, sum) + (rest - float64(q*((sum-(below-2))+rest)))
			dst[i] = math.Copysign(q+float64(residual*inverse), x)
		} else {
			dst[i] = math.Copysign(1-2*inverse, x)
		}
	}
}

// LogisticF64 computes 1/(1 + e⁻ˣ).
func LogisticF64(dst, src []float64) {
	dst = dst[:len(src)]
	for i, x := range src {
		if !(x*x < 700*700) {
			dst[i] = min(exp64Wide(x), 1) // 1/(1 + e⁻ˣ) is eˣ or 1 to the last bit
			continue
		}
		e := exp64(-math.Abs(x))
		if x < 0 {
			dst[i] = quotient(e, 0, e, 1)
		} else {
			dst[i] = quotient(1, 0, e, 1)
		}
	}
}

// SqrtF64 computes the square root, correctly rounded.
func SqrtF64(dst, src []float64) {
	dst = dst[:len(src)]
	for i, v := range src {
		dst[i] = math.Sqrt(v)
	}
}

// RsqrtF64 computes 1/√x: ±∞ at ±0.
func RsqrtF64(dst, src []float64) {
	dst = dst[:len(src)]
	for i, v := range src {
		dst[i] = 1 / math.Sqrt(v)
	}
}

// CbrtF64 computes the cube root.
func CbrtF64(dst, src []float64) { each64(dst, src, math.Cbrt) }

func each64(dst, src []float64, f func(float64) float64) {
	dst = dst[:len(src)]
	for i, v := range src {
		dst[i] = f(v)
	}
}
