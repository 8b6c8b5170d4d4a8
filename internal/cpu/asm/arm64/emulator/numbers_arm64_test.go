package emulator

import (
	"math/rand/v2"

	"github.com/go-nx/nx/internal/cpu/asm/memory"
	"github.com/go-nx/nx/internal/cpu/asm/softfloat"
)

// fill writes numbers of one kind: bits, small integers, floats of a format.
func fill(r *rand.Rand, b []byte) {
	switch style := r.IntN(6); style {
	case 0:
		for i := range b {
			b[i] = byte(r.Uint32())
		}
	case 1:
		w := 1 << r.IntN(4)
		for i := 0; i < len(b); i += w {
			memory.Store(b[i:], w, uint64(r.IntN(40)-20))
		}
	default:
		w := []int{2, 4, 4, 8}[style-2]
		f := formats[w]
		if w == 2 && r.IntN(2) == 0 {
			f = bf16
		}
		for i := 0; i < len(b); i += w {
			memory.Store(b[i:], w, randomFloat(r, f))
		}
	}
}

// randomFloat returns a number, often a special one.
func randomFloat(r *rand.Rand, f *softfloat.Format) uint64 {
	sign := uint64(r.IntN(2)) * f.Sign()
	one := uint64(f.Bias()) << f.FractionBits
	switch r.IntN(10) {
	case 0:
		return sign | []uint64{0, f.Inf(), f.Inf() | f.Quiet(), f.Inf() | 1, 1, f.Fraction(), f.Inf() - 1,
			1 << f.FractionBits, one, one + 1, 1<<f.FractionBits + 1, one - 1}[r.IntN(12)]
	case 1: // subnormal
		return sign | r.Uint64()&f.Fraction()
	case 2: // NaN
		return sign | f.Inf() | r.Uint64()&f.Fraction()
	case 3: // anything
		return r.Uint64() & (f.Sign()<<1 - 1)
	case 4: // half of the exponents, whose products are next to subnormal numbers
		return sign | (uint64(f.Bias()/2+r.IntN(4)) << f.FractionBits) | r.Uint64()&f.Fraction()
	case 5: // around the limits of integers
		e := softfloat.Environment{}
		x := e.FromInt(f, false, 1<<[]int{7, 8, 15, 16, 31, 32, 63}[r.IntN(7)])
		if f.IsInf(x) {
			return sign | x
		}
		return sign | x + uint64(r.IntN(3)) - 1
	}
	return sign | (one+uint64(r.IntN(8)-4)<<f.FractionBits)&^f.Fraction() | r.Uint64()&f.Fraction()
}
