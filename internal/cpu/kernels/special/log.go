package special

import "math"

// logTable[i] is for the i-th of 32 intervals of [0x1.7cp-1, 0x1.7cp0) of equal length in bits: 1/c for a c near its
// middle, and ln c. The interval around 1 has c = 1, so that logarithms near 0 lose no digits.
var logTable = [32]struct{ inv, log float64 }{
	{0x1.5555555555555p+0, -0x1.269621134db91p-2}, {0x1.4e5e0a72f0539p+0, -0x1.1178e8227e47ap-2},
	{0x1.47ae147ae147bp+0, -0x1.f991c6cb3b37ap-3}, {0x1.4141414141414p+0, -0x1.d1037f2655e7bp-3},
	{0x1.3b13b13b13b14p+0, -0x1.a93ed3c8ad9e5p-3}, {0x1.3521cfb2b78c1p+0, -0x1.823c16551a3c0p-3},
	{0x1.2f684bda12f68p+0, -0x1.5bf406b543db0p-3}, {0x1.29e4129e4129ep+0, -0x1.365fcb0159014p-3},
	{0x1.2492492492492p+0, -0x1.1178e8227e47ap-3}, {0x1.1f7047dc11f70p+0, -0x1.da7276384469ep-4},
	{0x1.1a7b9611a7b96p+0, -0x1.9335e5d594988p-4}, {0x1.15b1e5f75270dp+0, -0x1.4d3115d207eacp-4},
	{0x1.1111111111111p+0, -0x1.08598b59e3a06p-4}, {0x1.0c9714fbcda3bp+0, -0x1.894aa149fb34bp-5},
	{0x1.0842108421084p+0, -0x1.0415d89e74440p-5}, {0x1.0410410410410p+0, -0x1.0205658935837p-6},
	{1, 0}, {0x1.f07c1f07c1f08p-1, 0x1.f829b0e7832f8p-6},
	{0x1.e1e1e1e1e1e1ep-1, 0x1.f0a30c01162a8p-5}, {0x1.d41d41d41d41dp-1, 0x1.6f0d28ae56b4ep-4},
	{0x1.c71c71c71c71cp-1, 0x1.e27076e2af2eap-4}, {0x1.bacf914c1bad0p-1, 0x1.29552f81ff521p-3},
	{0x1.af286bca1af28p-1, 0x1.5ff3070a793d6p-3}, {0x1.a41a41a41a41ap-1, 0x1.9525a9cf456b6p-3},
	{0x1.999999999999ap-1, 0x1.c8ff7c79a9a20p-3}, {0x1.8f9c18f9c18fap-1, 0x1.fb9186d5e3e29p-3},
	{0x1.8618618618618p-1, 0x1.1675cababa60fp-2}, {0x1.7d05f417d05f4p-1, 0x1.2e8e2bae11d31p-2},
	{0x1.745d1745d1746p-1, 0x1.4618bc21c5ec2p-2}, {0x1.6c16c16c16c17p-1, 0x1.5d1bdbf5809cap-2},
	{0x1.642c8590b2164p-1, 0x1.739d7f6bbd007p-2}, {0x1.5c9882b931057p-1, 0x1.89a3386c1425bp-2},
}

const (
	logStart = 0x3fe7c00000000000 // the bits of 0x1.7cp-1

	// (ln(1+r) − r)/r² for |r| ≤ 1/64, by interpolation at Chebyshev nodes: the error
	// of the logarithm is below 2.2e-11 of it.
	logC0 = -0x1.ffffffeaa9aaap-2
	logC1 = 0x1.555555430b4d3p-2
	logC2 = -0x1.000aab1aaf77bp-2
	logC3 = 0x1.99abe385510f2p-3
)

// Log has the coefficients of logarithms, for expansions.
var Log = struct {
	Start          uint64
	Inverses, Logs []uint64 // bits of the table
	C              [4]float64
}{logStart, logColumn(0), logColumn(1), [4]float64{logC0, logC1, logC2, logC3}}

// logColumn returns the bits of the inverses or of the logarithms of the table.
func logColumn(column int) []uint64 {
	out := make([]uint64, len(logTable))
	for i, e := range logTable {
		out[i] = math.Float64bits([2]float64{e.inv, e.log}[column])
	}
	return out
}

// logParts returns h and r with ln x = h + ln(1+r) for a positive, normal x.
func logParts(x float64) (h, r float64) {
	bits := math.Float64bits(x)
	n := bits - logStart
	e := &logTable[n>>47&31]
	z := math.Float64frombits(bits - n&(0xfff<<52))
	return e.log + float64(float64(int64(n)>>52)*math.Ln2), float64(z*e.inv) - 1
}

// log1pSmall returns ln(1+r) for |r| ≤ 1/64.
func log1pSmall(r float64) float64 {
	p := logC0 + float64(r*(logC1+float64(r*(logC2+float64(r*logC3)))))
	return r + float64(float64(r*r)*p)
}

// LogF32 computes the natural logarithm. Negative numbers take the same path as positive ones, since a branch on the
// sign is unpredictable.
func LogF32(dst, src []float32) {
	dst = dst[:len(src)]
	for i, b := range floatBits(src) {
		m := b &^ signBit32
		if m-1 >= inf32-1 { // ±0, ±∞, NaN
			dst[i] = float32(math.Log(float64(src[i])))
			continue
		}
		h, r := logParts(float64(math.Float32frombits(m)))
		bits := math.Float32bits(float32(h + log1pSmall(r)))
		if b != m {
			bits = nan32
		}
		dst[i] = math.Float32frombits(bits)
	}
}

// Log1pF32 computes ln(1+x).
func Log1pF32(dst, src []float32) {
	dst = dst[:len(src)]
	for i, v := range src {
		b := math.Float32bits(v)
		switch {
		case b&^signBit32 < 0x35800000: // 2^-20
			x := float64(v)
			dst[i] = withSign(float32(x-float64(0.5*x*x)), b)
		case b&^signBit32 >= inf32, b >= signBit32|0x3f800000: // ∞, NaN, ≤ −1
			dst[i] = float32(math.Log1p(float64(v)))
		default:
			h, r := logParts(1 + float64(v))
			dst[i] = float32(h + log1pSmall(r))
		}
	}
}

// PowF32 computes xʸ with the special cases of IEEE 754's pow.
func PowF32(dst, x, y []float32) {
	dst, y = dst[:len(x)], y[:len(x)]
	for i, v := range x {
		e, m := y[i], math.Float32bits(v)&^signBit32
		if m-1 >= inf32-1 || math.Float32bits(e)&^signBit32 >= inf32 {
			dst[i] = float32(math.Pow(float64(v), float64(e)))
			continue
		}
		sign := float32(1)
		if v < 0 {
			if sign = float32(signOfPower(float64(e))); sign != sign {
				dst[i] = sign
				continue
			}
		}
		h, r := logParts(float64(math.Float32frombits(m)))
		t := float64(e) * ((h + log1pSmall(r)) * math.Log2E)
		power := float32(0)
		switch {
		case t*t < 160*160:
			power = float32(exp2(t))
		case t > 0:
			power = float32(math.Inf(1))
		}
		dst[i] = sign * power
	}
}

// signOfPower returns the sign of (-1)ʸ, NaN if y is not an integer.
func signOfPower(y float64) float64 {
	half := y / 2
	switch {
	case math.Floor(y) != y:
		return math.NaN()
	case math.Floor(half) != half:
		return -1
	}
	return 1
}
