package random_test

import (
	"math"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/random"
)

// TestSmallAndLargeBetween: draws that are in the type are right where a product or a difference on
// the way to them would not be: powers and degrees of freedom whose gamma variables are too small for
// f32, widths whose square is beyond it, roots that are much smaller than their equation's numbers.
func TestSmallAndLargeBetween(t *testing.T) {
	key, shape := random.Key(11), nx.Shape{20000}
	share := func(x nx.Tensor) float64 { return nx.Item[float64](nx.Mean(nx.Cast(x, nx.F64))) }
	near := func(name string, got, want float64) {
		t.Helper()
		if !(math.Abs(got-want) < 0.02) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	// Nearly uniform between -1 and 1: P(|x| < 0.1) is 0.1·p/Γ(1/p) of exp(-|x|^p).
	g := nx.Abs(random.GeneralizedNormal(key, 50, shape, nx.F32))
	near("GeneralizedNormal below 0.1", share(nx.Less(g, 0.1)), 0.1*50/math.Gamma(0.02))
	near("GeneralizedNormal of 0", share(nx.Equal(g, 0)), 0)
	b := nx.Abs(random.Ball(key, 2, 200, shape, nx.F32).At(nx.Whole, 0))
	near("Ball below 0.1", share(nx.Less(b, 0.1)), 0.1)
	near("Ball of 0", share(nx.Equal(b, 0)), 0)
	cube := random.Ball(key, 2, math.Inf(1), shape, nx.F32).At(nx.Whole, 1)
	near("cube below 1/2", share(nx.Less(nx.Abs(cube), 0.5)), 0.5)

	f := random.FisherF(key, 0.01, 0.01, shape, nx.F32) // symmetric around 1 in logarithms
	near("FisherF", share(nx.Less(f, 1)), 0.5)
	near("FisherF of NaN", share(nx.IsNaN(f)), 0)

	for _, width := range []float64{1e-25, 1e25} { // the median of a triangle that falls is 1-√½
		x := random.Triangular(key, 0, 0, width, shape, nx.F32)
		near("Triangular", share(nx.Less(nx.Div(x, width), 1-math.Sqrt2/2)), 0.5)
	}
	// P(1/x < y) for large means is that of the square of a normal number.
	w := random.Wald(key, 1e8, shape, nx.F32)
	near("Wald", share(nx.Greater(w, 1)), math.Erf(1/math.Sqrt2))
	near("Wald below 0", share(nx.LessEqual(w, 0)), 0)
	near("StudentT", share(nx.Less(random.StudentT(key, math.Inf(1), shape, nx.F32), 1)), math.Erfc(-1/math.Sqrt2)/2)
	// The largest uniform number of f32 is less than this probability, that of f64 is not.
	rare := nx.New([]float64{1 - 0x1p-40})
	near("Bernoulli", share(random.Bernoulli(nx.Rename(key, "largest"), rare, nx.Shape{4})), 0)
}
