package special

import "math"

// FMA32 returns x·y + z, rounded once, as FMA instructions do. The product is exact in float64; the sum is rounded to
// odd there (S. Boldo and G. Melquiond, doi:10.1109/TC.2007.70819), so that the second rounding is correct.
func FMA32(x, y, z float32) float32 {
	p, c := float64(x)*float64(y), float64(z)
	s := p + c
	bits := math.Float64bits(s)
	if bits&1 != 0 {
		return float32(s)
	}
	t := s - p
	switch rest := (p - (s - t)) + (c - t); { // 0 if exact, NaN if not finite
	case rest > 0 == (s > 0) && rest != 0 && rest == rest:
		bits++
	case rest < 0 || rest > 0:
		bits--
	}
	return float32(math.Float64frombits(bits))
}
