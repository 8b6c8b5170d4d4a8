package softfloat

import "math/rand/v2"

// Random returns a number, often a special one.
func Random(r *rand.Rand, f *Format) uint64 {
	sign := uint64(r.IntN(2)) * f.Sign()
	one := uint64(f.Bias()) << f.FractionBits
	switch r.IntN(12) {
	case 0:
		return sign | []uint64{0, f.Inf(), f.Inf() | f.Quiet(), f.Inf() | 1, 1, f.Fraction(), f.Inf() - 1,
			1 << f.FractionBits, one, one + 1, 1<<f.FractionBits + 1, one - 1}[r.IntN(12)]
	case 1: // subnormal
		return sign | r.Uint64()&f.Fraction()
	case 2: // NaN
		return sign | f.Inf() | r.Uint64()&f.Fraction()
	case 3: // next to subnormal numbers, and to infinity
		return sign | r.Uint64()&f.Fraction() | []uint64{1, 2, f.Inf()>>f.FractionBits - 1}[r.IntN(3)]<<f.FractionBits
	case 4: // sometimes an integer and a half
		e := Environment{}
		x := e.FromInt(f, false, r.Uint64N(1<<r.IntN(20)))
		if f.IsZero(x) || f.IsInf(x) {
			return sign | x
		}
		return sign | x - uint64(r.IntN(2))<<f.FractionBits
	case 5: // anything
		return r.Uint64() & (f.Sign()<<1 - 1)
	case 6: // half of the exponents, whose products are next to subnormal numbers
		return sign | (uint64(f.Bias()/2+r.IntN(4)) << f.FractionBits) | r.Uint64()&f.Fraction()
	case 7: // around the limits of integers
		e := Environment{}
		x := e.FromInt(f, false, 1<<[]int{7, 8, 15, 16, 31, 32, 63}[r.IntN(7)])
		if f.IsInf(x) {
			return sign | x
		}
		return sign | x + uint64(r.IntN(3)) - 1
	}
	return sign | (one+uint64(r.IntN(8)-4)<<f.FractionBits)&^f.Fraction() | r.Uint64()&f.Fraction()
}
