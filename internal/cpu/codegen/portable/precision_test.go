package portable

import (
	"math/rand/v2"
	"testing"

	"github.com/go-nx/nx/dtype"
)

func TestReducePrecision(t *testing.T) {
	testReducePrecision[uint32](t, dtype.F32)
	testReducePrecision[uint64](t, dtype.F64)
}

func testReducePrecision[B uint32 | uint64](t *testing.T, d dtype.Type) {
	r := rand.New(rand.NewPCG(1, 2))
	for exponent := 1; exponent <= d.ExponentBits()+1; exponent++ {
		for mantissa := 0; mantissa <= d.MantissaBits()+1; mantissa++ {
			var x []B
			for range 40 { // random bits, numbers near 1, and the limits
				x = append(x, B(r.Uint64()), B(d.FromFloat64(r.NormFloat64())))
			}
			for _, v := range []float64{0, 1, d.MaxFinite(), d.SmallestNormal(), d.SmallestSubnormal()} {
				bits := B(d.FromFloat64(v))
				x = append(x, bits, bits|1<<(d.Bits()-1), bits+1, bits-1)
			}
			x = append(x, B(1<<d.ExponentBits()-1)<<d.MantissaBits())
			got := make([]B, len(x))
			f := precision[B](d, exponent, mantissa)
			f.reduce(got, x)
			for i, v := range x {
				if want := B(d.ReducePrecision(uint64(v), exponent, mantissa)); got[i] != want {
					t.Fatalf("%s to %d exponent and %d mantissa bits: %#x becomes %#x, want %#x", d, exponent,
						mantissa, v, got[i], want)
				}
			}
		}
	}
}
