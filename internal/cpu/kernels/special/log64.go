package special

import "math"

// log1pTerms are the coefficients of (ln(1+r) − r)/r² for |r| ≤ 2^-7: the first omitted term is below 2^-59 of r.
var log1pTerms = [8]float64{-1.0 / 2, 1.0 / 3, -1.0 / 4, 1.0 / 5, -1.0 / 6, 1.0 / 7, -1.0 / 8, 1.0 / 9}

// log64 computes ln(x·(1+q)) for a positive, normal x and its relative rounding error q.
func log64(t *[128]logEntry, x, q float64) float64 {
	bits := math.Float64bits(x)
	n := bits - logFrom
	entry := &t[n>>45&127]
	power := n & (0xfff << 52)
	e := float64(int64(n) >> 52)
	z := math.Float64frombits(bits - power)
	base := float64(e*ln2Part) + entry.ln // exact
	rest := float64(e*ln2Rest) + entry.lnRest
	main := math.FMA(z, entry.inverse, -1) // exact
	part := q + float64(q*main)
	r := main + part
	rest += part - (r - main)
	sum := base + r
	rest += r - (sum - base)
	c := &log1pTerms
	p := c[0] + float64(r*(c[1]+float64(r*(c[2]+float64(r*(c[3]+float64(r*(c[4]+float64(r*(c[5]+float64(r*(c[6]+
		float64(r*c[7])))))))))))))
	return sum + (rest + float64(float64(r*r)*p))
}

// LogF64 computes the natural logarithm, within 1 ulp. Negative numbers take the same path as positive ones, since a
// branch on the sign is unpredictable.
func LogF64(dst, src []float64) {
	dst = dst[:len(src)]
	t := logTable64()
	for i, x := range src {
		b := math.Float64bits(x)
		m := b &^ (1 << 63)
		if m-minNormal64 >= inf64-minNormal64 {
			dst[i] = logSlowPath(t, x)
			continue
		}
		negative := uint64(int64(b) >> 63) // all ones: the bits of a NaN
		dst[i] = math.Float64frombits(math.Float64bits(log64(t, math.Float64frombits(m), 0)) | negative)
	}
}

// Bits of float64: 2^-1022 and ∞.
const (
	minNormal64 = 1 << 52
	inf64       = 0x7ff << 52
)

// logSlowPath computes logarithms of numbers that are not positive and normal.
func logSlowPath(t *[128]logEntry, x float64) float64 {
	switch {
	case x == 0:
		return math.Inf(-1)
	case x < 0:
		return math.NaN()
	case x-x != 0: // ∞, NaN
		return x
	}
	return log64(t, x*0x1p54, 0) - 54*math.Ln2
}

// Log1pF64 computes ln(1+x), within 1 ulp.
func Log1pF64(dst, src []float64) {
	dst = dst[:len(src)]
	t := logTable64()
	for i, x := range src {
		u := 1 + x
		if !(u > 0 && u < math.Inf(1)) {
			dst[i] = logSlowPath(t, u)
			continue
		}
		v := u - 1
		dst[i] = math.Copysign(log64(t, u, ((x-v)+(1-(u-v)))/u), x)
	}
}
