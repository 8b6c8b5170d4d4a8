package kernels

import "math"

// The functions of float64 slices, within 2 ulp: package math's but for the
// exponential.

const (
	// ln 2/256 in two parts, the first of 32 bits, so that its products with integers
	// below 2^20 are exact.
	ln2By256     = 0x1.62e42feep-9
	ln2By256Rest = 0x1.a39ef35793c76p-41
)

// exp64 computes eˣ for |x| < 700: x = n·ln 2/256 + r, eˣ = 2^(n/256)·eʳ, with the
// Taylor polynomial of degree 5 for |r| ≤ 0.0014 (9e-21 off).
func exp64(x float64) float64 {
	t := float64(x*math.Log2E) + roundTo256ths
	n := math.Float64bits(t)
	turns := (t - roundTo256ths) * 256
	r := x - float64(turns*ln2By256) - float64(turns*ln2By256Rest)
	s := math.Float64frombits(exp2Table[uint8(n)] + n<<44)
	p := 1.0/2 + float64(r*(1.0/6+float64(r*(1.0/24+float64(r*(1.0/120))))))
	return s + float64(s*(r+float64(float64(r*r)*p)))
}

// ExpF64 computes eˣ.
func ExpF64(dst, src []float64) {
	dst = dst[:len(src)]
	for i, x := range src {
		if !(x*x < 700*700) {
			dst[i] = math.Exp(x)
			continue
		}
		dst[i] = exp64(x)
	}
}

// Expm1F64 computes eˣ − 1.
func Expm1F64(dst, src []float64) { each64(dst, src, math.Expm1) }

// LogF64 computes the natural logarithm.
func LogF64(dst, src []float64) { each64(dst, src, log64) }

// log64 scales subnormal numbers, which math.Log takes for normal ones on amd64.
func log64(x float64) float64 {
	if 0 < x && x < 0x1p-1022 {
		return math.Log(x*0x1p54) - 54*math.Ln2
	}
	return math.Log(x)
}

// Log1pF64 computes ln(1+x).
func Log1pF64(dst, src []float64) { each64(dst, src, math.Log1p) }

// TanhF64 computes the hyperbolic tangent.
func TanhF64(dst, src []float64) { each64(dst, src, math.Tanh) }

// LogisticF64 computes 1/(1 + e⁻ˣ).
func LogisticF64(dst, src []float64) {
	dst = dst[:len(src)]
	for i, x := range src {
		if !(x*x < 700*700) {
			dst[i] = 1 / (1 + math.Exp(-x))
			continue
		}
		dst[i] = 1 / (1 + exp64(-x))
	}
}

// SinF64 computes the sine.
func SinF64(dst, src []float64) { each64(dst, src, math.Sin) }

// CosF64 computes the cosine.
func CosF64(dst, src []float64) { each64(dst, src, math.Cos) }

// TanF64 computes the tangent. Package math drops x³/3 too early.
func TanF64(dst, src []float64) {
	each64(dst, src, func(x float64) float64 {
		if math.Abs(x) < 0x1p-13 {
			return x + float64(x*x*x)/3
		}
		return math.Tan(x)
	})
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

// ErfF64 computes the error function.
func ErfF64(dst, src []float64) { each64(dst, src, math.Erf) }

// ErfcF64 computes 1 − erf x, exact in the tail.
func ErfcF64(dst, src []float64) { each64(dst, src, math.Erfc) }

// ErfInvF64 computes the inverse of the error function, within 5 ulp.
func ErfInvF64(dst, src []float64) { each64(dst, src, math.Erfinv) }

// PowF64 computes xʸ with the special cases of IEEE 754's pow.
func PowF64(dst, x, y []float64) {
	dst, y = dst[:len(x)], y[:len(x)]
	for i, v := range x {
		dst[i] = math.Pow(v, y[i])
	}
}

// Atan2F64 computes the angle of the point (x, y).
func Atan2F64(dst, y, x []float64) {
	dst, x = dst[:len(y)], x[:len(y)]
	for i, v := range y {
		dst[i] = math.Atan2(v, x[i])
	}
}

func each64(dst, src []float64, f func(float64) float64) {
	dst = dst[:len(src)]
	for i, v := range src {
		dst[i] = f(v)
	}
}
