package special

import (
	"math"
	"unsafe"
)

// The elementary functions over float32 slices compute in float64 and round once. This makes short polynomials accurate
// (below 0.51 ulp unless a function says otherwise), and no intermediate value overflows or is subnormal. Their loops
// have one branch only, to the special arguments. Argument and result slices may be the same; dst must not be shorter
// than src.
//
// The float64 functions apply package math.

const (
	// roundTo256ths, added to a float64 and subtracted again, leaves the nearest multiple of 1/256. In between, the low
	// bits hold that multiple as an integer.
	roundTo256ths = 0x1.8p44

	// (2^r − 1)/r for |r| ≤ 1/512 by interpolation at Chebyshev nodes. The line has a relative error of 2e-10 in 2^r:
	// enough for a 2^r that is rounded to float32.
	exp2Line0 = 0x1.62e4337d04bc9p-1
	exp2Line1 = 0x1.ebfbe26e81c82p-3

	// The parabola has a relative error of 3e-11 in 2^r − 1.
	exp2C0 = 0x1.62e42fefa39efp-1
	exp2C1 = 0x1.ebfbe3a9ac80bp-3
	exp2C2 = 0x1.c6b08f7c960adp-5
)

// Exp2 has the coefficients of 2^y, for tiers that compute the same bits with vectors.
var Exp2 = struct {
	Table         *[256]uint64
	RoundTo256ths float64
	Line0, Line1  float64 // of exp2
	C0, C1, C2    float64 // of exp2Parts
}{&exp2Table, roundTo256ths, exp2Line0, exp2Line1, exp2C0, exp2C1, exp2C2}

// exp2Split returns s = 2^(n/256) and r with y = n/256 + r, |r| ≤ 1/512. |y| must
// stay below 1000.
func exp2Split(y float64) (s, r float64) {
	t := y + roundTo256ths
	n := math.Float64bits(t)
	r = y - (t - roundTo256ths)
	return math.Float64frombits(exp2Table[uint8(n)] + n<<44), r
}

// exp2 returns 2^y, with a relative error of 2e-10 (P. Tang's method: a table and a short polynomial,
// doi:10.1145/63522.214389).
func exp2(y float64) float64 {
	s, r := exp2Split(y)
	return s + float64(s*float64(r*(exp2Line0+float64(r*exp2Line1))))
}

// exp2Parts returns s, a power of two, and p with 2^y = s + p. Near y = 0, s is 1,
// so that 2^y − 1 = (s−1) + p loses nothing.
func exp2Parts(y float64) (s, p float64) {
	s, r := exp2Split(y)
	return s, s * float64(r*(exp2C0+float64(r*(exp2C1+float64(r*exp2C2)))))
}

const (
	signBit32 = 1 << 31
	inf32     = 0x7f800000
	nan32     = 0x7fc00000
)

// floatBits returns the bits of the elements of x. A loop that tests bits before it computes loads them from memory:
// moving values between the two kinds of registers occupies one of the few floating-point units.
func floatBits(x []float32) []uint32 {
	return unsafe.Slice((*uint32)(unsafe.Pointer(unsafe.SliceData(x))), len(x))
}

// All loops test the bits of the argument before they convert it, not the converted value. CVTSS2SD keeps half of its
// target register: where the compiler cannot reuse the argument's register for the result, every iteration waits for
// the one before (6.9 ns rather than 3.5 per element).

// ExpF32 computes eˣ.
func ExpF32(dst, src []float32) {
	dst = dst[:len(src)]
	for i, b := range floatBits(src) {
		if b&^signBit32 >= 0x42dc0000 { // 110: the result is 0 or ∞
			dst[i] = float32(math.Exp(float64(src[i])))
			continue
		}
		dst[i] = float32(exp2(float64(src[i]) * math.Log2E))
	}
}

// Expm1F32 computes eˣ − 1.
func Expm1F32(dst, src []float32) {
	dst = dst[:len(src)]
	for i, b := range floatBits(src) {
		if b&^signBit32 >= 0x42dc0000 {
			dst[i] = float32(math.Expm1(float64(src[i])))
			continue
		}
		s, p := exp2Parts(float64(src[i]) * math.Log2E)
		dst[i] = withSign(float32((s-1)+p), b)
	}
}

// withSign copies the sign of bits to x, which has that sign already or is 0.
func withSign(x float32, bits uint32) float32 {
	return math.Float32frombits(math.Float32bits(x) | bits&signBit32)
}

// TanhF32 computes the hyperbolic tangent, as e/(e+2) with e = e²ˣ − 1.
func TanhF32(dst, src []float32) {
	dst = dst[:len(src)]
	for i, b := range floatBits(src) {
		if b&^signBit32 >= 0x41a00000 { // 20: the result is ±1
			dst[i] = float32(math.Tanh(float64(src[i])))
			continue
		}
		s, p := exp2Parts(float64(src[i]) * (2 * math.Log2E))
		e := (s - 1) + p
		dst[i] = withSign(float32(e/(e+2)), b)
	}
}

// LogisticF32 computes 1/(1 + e⁻ˣ).
func LogisticF32(dst, src []float32) {
	dst = dst[:len(src)]
	for i, b := range floatBits(src) {
		if b&^signBit32 >= 0x42dc0000 {
			dst[i] = float32(1 / (1 + math.Exp(float64(-src[i]))))
			continue
		}
		dst[i] = float32(1 / (1 + exp2(float64(src[i])*-math.Log2E)))
	}
}
