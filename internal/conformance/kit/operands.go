package kit

import (
	"math"
	"math/rand/v2"

	"github.com/go-nx/nx/dtype"
)

// Operands returns test elements for an op: special values of a type, small and large numbers, and random
// bits. Operands of one op pair up in different ways.
func Operands(r *rand.Rand, d dtype.Type, n, which int) []byte {
	b := make([]byte, n*d.Size())
	if !d.IsFloat() && !d.IsComplex() {
		for i := range n {
			v := int64(r.Uint64())
			if r.IntN(2) == 0 {
				v >>= 60
			}
			if r.IntN(8) == 0 && d != dtype.Bool {
				v = []int64{0, 1, -1, d.MinInt(), int64(d.MaxInt())}[r.IntN(5)]
			}
			if d == dtype.Bool {
				v &= 1
			}
			d.StoreInt(b, i, v) // wraps
		}
		return b
	}
	real := d.Real()
	parts := len(b) / real.Size()
	for i := range parts {
		if i < len(specials)*len(specials) && parts > 2*len(specials)*len(specials) {
			// All pairs, of two operands or of the parts of a complex number.
			k := i
			if d.IsComplex() {
				k, which = i/2, i%2
			}
			if which == 1 {
				k /= len(specials)
			}
			real.StoreFloat(b, i, specials[k%len(specials)])
			continue
		}
		switch r.IntN(4) {
		case 0:
			real.StoreFloat(b, i, r.NormFloat64()*10)
		case 1:
			real.StoreFloat(b, i, math.Ldexp(r.NormFloat64(), r.IntN(16)-8))
		case 2:
			real.StoreFloat(b, i, specials[r.IntN(len(specials))]*(1+(r.Float64()-0.5)/64))
		default:
			real.StoreBits(b, i, r.Uint64()>>(64-real.Bits()))
		}
	}
	return b
}

var specials = []float64{0, math.Copysign(0, -1), 1, -1, math.Inf(1), math.Inf(-1), math.NaN(), 2, -2, 0.5, -0.5, 1.5,
	2.5, 10, -10, 100, -100, 1e-3, 1e-8,
	1e-30, -1e-30, 1e30, -1e30, math.Pi, math.Pi / 2, -math.Pi / 2, math.E, 88.7, -87.3, -103.9, 709.7, -745.1, 1 << 24,
	1e15, 3, -3, 0x1p-149, 0x1p-126, -0x1p-1074, math.MaxFloat32, math.MaxFloat64}
