package special

import "math"

// Inverse hyperbolic functions of f32.

// tinyNarrow bounds arguments x for which x + O(x³) is x in 32 bits. Above it, a logarithm of 1 + x in 64 bits has more
// digits than 32 bits hold.
const (
	tinyNarrow = 0x1p-20
	tinyBits   = 0x35800000 // of a float32
	one32      = 0x3f800000
)

// AsinhF32 computes the inverse hyperbolic sine.
func AsinhF32(dst, src []float32) {
	dst = dst[:len(src)]
	for i, b := range floatBits(src) {
		m := b &^ signBit32
		if m-tinyBits >= inf32-tinyBits { // tiny, ∞, NaN: itself
			dst[i] = src[i]
			continue
		}
		a := float64(math.Float32frombits(m))
		h, r := logParts(a + math.Sqrt(float64(a*a)+1))
		dst[i] = withSign(float32(h+log1pSmall(r)), b)
	}
}

// AtanhF32 computes the inverse hyperbolic tangent.
func AtanhF32(dst, src []float32) {
	dst = dst[:len(src)]
	for i, b := range floatBits(src) {
		x := float64(src[i])
		switch m := b &^ signBit32; {
		case m < tinyBits:
			dst[i] = src[i]
		case m >= one32:
			dst[i] = float32(math.Atanh(x))
		default:
			h, r := logParts((1 + x) / (1 - x))
			dst[i] = float32((h + log1pSmall(r)) / 2)
		}
	}
}

// AcoshF32 computes the inverse hyperbolic cosine.
func AcoshF32(dst, src []float32) {
	dst = dst[:len(src)]
	for i, v := range src {
		x := float64(v)
		switch {
		case x < 1:
			dst[i] = float32(math.NaN())
		case x < math.Inf(1):
			h, r := logParts(x + math.Sqrt((x-1)*(x+1)))
			dst[i] = float32(h + log1pSmall(r))
		default: // ∞, NaN
			dst[i] = v
		}
	}
}
