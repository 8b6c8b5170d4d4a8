package special

import "math"

// SqrtF32 computes the square root, correctly rounded.
func SqrtF32(dst, src []float32) {
	dst = dst[:len(src)]
	for i, v := range src {
		dst[i] = float32(math.Sqrt(float64(v)))
	}
}

// RsqrtF32 computes 1/√x: ±∞ at ±0.
func RsqrtF32(dst, src []float32) {
	dst = dst[:len(src)]
	for i, v := range src {
		dst[i] = float32(1 / math.Sqrt(float64(v)))
	}
}

// CbrtThird is (1023 − 1023/3 − 0.03306235651)·2^20. It is added to a third of the upper half of a number's bits.
const CbrtThird = 715094163

// CbrtF32 computes the cube root by two of Halley's iterations, each of which triples the number of correct bits, from
// 5 bits that a third of the exponent gives (FreeBSD's s_cbrtf.c, by I. Taylor and B. Evans).
func CbrtF32(dst, src []float32) {
	dst = dst[:len(src)]
	for i, v := range src {
		b := math.Float32bits(v)
		if b&^signBit32-1 >= inf32-1 {
			dst[i] = v // ±0, ±∞, NaN
			continue
		}
		x := math.Abs(float64(v))
		t := math.Float64frombits((math.Float64bits(x)>>32/3 + CbrtThird) << 32)
		for range 2 {
			c := t * t * t
			t *= (x + x + c) / (x + c + c)
		}
		dst[i] = withSign(float32(t), b)
	}
}

// erf x / x in powers of t = x², a quotient of polynomials fitted on |x| ≤ 3.96, with an error of 2.0e-9.
const (
	erfP0 = 0x1.20dd750db9d3bp+0
	erfP1 = 0x1.7b3b2ce3e5460p-3
	erfP2 = 0x1.bcc4ad7b91a20p-5
	erfP3 = 0x1.f813813bc725cp-9
	erfP4 = 0x1.8d1e81b037489p-12
	erfP5 = 0x1.38d2d74a13bf8p-18
	erfP6 = -0x1.c14f6d2e27283p-27
	erfQ1 = 0x1.fd603748436adp-2
	erfQ2 = 0x1.d2a603eed1630p-4
	erfQ3 = 0x1.fa4ef83c973bdp-7
	erfQ4 = 0x1.56421772ba09dp-10
	erfQ5 = 0x1.07c8d58a4df14p-14
)

// ErfCoefs and ErfInvCoefs are the coefficients of the error function and its inverse, for expansions.
var (
	ErfCoefs = struct{ P, Q []float64 }{[]float64{erfP0, erfP1, erfP2, erfP3, erfP4, erfP5, erfP6},
		[]float64{1, erfQ1, erfQ2, erfQ3, erfQ4, erfQ5}}
	ErfInvCoefs = struct{ P, Q []float64 }{
		[]float64{erfInvP0, erfInvP1, erfInvP2, erfInvP3, erfInvP4, erfInvP5, erfInvP6},
		[]float64{1, erfInvQ1, erfInvQ2, erfInvQ3, erfInvQ4, erfInvQ5, erfInvQ6}}
)

// ErfF32 computes the error function, within 0.55 ulp.
func ErfF32(dst, src []float32) {
	dst = dst[:len(src)]
	for i, v := range src {
		if math.Float32bits(v)&^signBit32 >= 0x407ccccd { // 3.95: the result is ±1
			dst[i] = float32(math.Erf(float64(v)))
			continue
		}
		dst[i] = float32(erfNear(float64(v)))
	}
}

// erfNear is the error function for |x| ≤ 3.96, with an error of 2.0e-9.
func erfNear(x float64) float64 {
	t := x * x
	p := erfP0 +
		float64(t*(erfP1+float64(t*(erfP2+float64(t*(erfP3+float64(t*(erfP4+float64(t*(erfP5+float64(t*erfP6)))))))))))
	q := 1 + float64(t*(erfQ1+float64(t*(erfQ2+float64(t*(erfQ3+float64(t*(erfQ4+float64(t*erfQ5)))))))))
	return x * p / q
}

// ErfcTail has the coefficients of ErfcF32 beyond 1: (1+2x)·e^(x²)·erfc x - 1 as a polynomial of (x-3)/(x+3), with an
// error of 2.4e-10 from 1 to 10.1. Larger arguments round to 0.
var ErfcTail = struct {
	Q        []float64
	Vanishes float64
}{[]float64{0x1.03148b5b7bb04p-2, -0x1.15c084be195b7p-3, -0x1.85a1440272e89p-5, 0x1.098363f0bdf98p-3,
	-0x1.e88cf531216b5p-4, 0x1.17cb2b97078efp-4, -0x1.8535df7638efap-6, 0x1.49d2b9477b044p-9, 0x1.dda95c77231cdp-10,
	-0x1.75358d6c4d973p-11}, 10.1}

// ErfcF32 computes 1 − erf x, exact in the tail, within 0.7 ulp. Up to 1 it is that difference.
func ErfcF32(dst, src []float32) {
	dst = dst[:len(src)]
	for i, v := range src {
		switch x := float64(v); {
		case x > ErfcTail.Vanishes:
			dst[i] = 0
		case x > 1:
			q := horner(ErfcTail.Q, (x-3)/(x+3))
			e := exp2(float64(float64(x*x) * -math.Log2E))
			dst[i] = float32((e + float64(e*q)) / (1 + (x + x)))
		default:
			dst[i] = float32(1 - erfNear(max(x, -3.9)))
		}
	}
}

// erf⁻¹ x / x in powers of w = −ln(1 − x²), a quotient of polynomials fitted on w ≤ 15.95, which covers all numbers
// below 1, with an error of 3.2e-10. Using w as the distance of x from ±1 is M. Giles' idea ("Approximating the erfinv
// function", GPU Computing Gems, 2011).
const (
	erfInvP0 = 0x1.c5bf891dbb74cp-1
	erfInvP1 = 0x1.26440aea72d28p-2
	erfInvP2 = 0x1.b75e8fabda19ep-5
	erfInvP3 = 0x1.b677203bc953fp-8
	erfInvP4 = 0x1.0d1797e0c781ap-11
	erfInvP5 = 0x1.07c035f22ec61p-16
	erfInvP6 = -0x1.3c4ac9a20ad52p-21
	erfInvQ1 = 0x1.ffafc62dc87bap-5
	erfInvQ2 = 0x1.fe1d35562e6f0p-6
	erfInvQ3 = 0x1.3fa024dd778eap-10
	erfInvQ4 = 0x1.56184de1f7211p-13
	erfInvQ5 = -0x1.39952f63b22efp-19
	erfInvQ6 = -0x1.2b6e12c603eccp-25
)

// erf⁻¹ x / x in powers of t = x², a quotient of polynomials fitted on |x| ≤ 0.9375, where most random numbers lie: an
// error of 3.7e-10 without a logarithm.
const (
	erfInvNear   = 0x3f700000 // the bits of 0.9375
	erfInvNearP0 = 0x1.c5bf891e0f9aep-1
	erfInvNearP1 = -0x1.53095f00e65bcp+1
	erfInvNearP2 = 0x1.7425f485b5c7fp+1
	erfInvNearP3 = -0x1.66d9e6a0f6df5p+0
	erfInvNearP4 = 0x1.12e029d4907a0p-2
	erfInvNearP5 = -0x1.6f3ab554dc32dp-7
	erfInvNearQ1 = -0x1.a012790705597p+1
	erfInvNearQ2 = 0x1.fe6dac5302ecap+1
	erfInvNearQ3 = -0x1.20b438d8e3db1p+1
	erfInvNearQ4 = 0x1.208a8dae926f3p-1
	erfInvNearQ5 = -0x1.710811aa1f818p-5
)

// ErfInvNearCoefs are the coefficients of the inverse up to Near, which is given as bits.
var ErfInvNearCoefs = struct {
	Near uint32
	P, Q []float64
}{erfInvNear, []float64{erfInvNearP0, erfInvNearP1, erfInvNearP2, erfInvNearP3, erfInvNearP4, erfInvNearP5},
	[]float64{1, erfInvNearQ1, erfInvNearQ2, erfInvNearQ3, erfInvNearQ4, erfInvNearQ5}}

// ErfInvF32 computes the inverse of the error function.
func ErfInvF32(dst, src []float32) {
	dst = dst[:len(src)]
	for i, v := range src {
		if math.Float32bits(v)&^signBit32 > erfInvNear {
			dst[i] = erfInvFar(v)
			continue
		}
		x := float64(v)
		t := x * x
		p := erfInvNearP4 + float64(t*erfInvNearP5)
		p = erfInvNearP3 + float64(t*p)
		p = erfInvNearP2 + float64(t*p)
		p = erfInvNearP1 + float64(t*p)
		p = erfInvNearP0 + float64(t*p)
		q := erfInvNearQ4 + float64(t*erfInvNearQ5)
		q = erfInvNearQ3 + float64(t*q)
		q = erfInvNearQ2 + float64(t*q)
		q = erfInvNearQ1 + float64(t*q)
		q = 1 + float64(t*q)
		dst[i] = float32(x * p / q)
	}
}

// erfInvFar is ErfInvF32 beyond 0.9375.
func erfInvFar(v float32) float32 {
	if math.Float32bits(v)&^signBit32 >= 0x3f800000 { // ±1, beyond ±1, NaN
		return float32(math.Erfinv(float64(v)))
	}
	x := float64(v)
	h, r := logParts(float64((1 - x) * (1 + x)))
	w := -(h + log1pSmall(r))
	p := erfInvP5 + float64(w*erfInvP6)
	p = erfInvP4 + float64(w*p)
	p = erfInvP3 + float64(w*p)
	p = erfInvP2 + float64(w*p)
	p = erfInvP1 + float64(w*p)
	p = erfInvP0 + float64(w*p)
	q := erfInvQ5 + float64(w*erfInvQ6)
	q = erfInvQ4 + float64(w*q)
	q = erfInvQ3 + float64(w*q)
	q = erfInvQ2 + float64(w*q)
	q = erfInvQ1 + float64(w*q)
	q = 1 + float64(w*q)
	return float32(x * p / q)
}
