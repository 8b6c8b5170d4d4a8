package random_test

import (
	"math"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/random"
)

// TestExtremeParameters: what each function documents of parameters that are 0, tiny, huge, infinite,
// negative or NaN. "In" stands for any number of the support.
func TestExtremeParameters(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	type results = [9]float64
	const in = 12345 // a number of the support
	values := []float64{-1, nan, 0, math.Copysign(0, -1), 1e-300, 1e-30, 1e30, 1e300, inf}
	shape := nx.Shape{len(values), 50}
	p := nx.ExpandAxis(nx.New(values), nx.Axis(-1))
	type draw = func(key tensor, d dtype) tensor
	of := func(f func(key, p tensor, shape nx.Shape, d dtype) tensor) draw {
		return func(key tensor, d dtype) tensor { return f(key, p, shape, d) }
	}
	real := func(x float64) bool { return !math.IsNaN(x) }
	atLeast := func(lo float64) func(x float64) bool { return func(x float64) bool { return x >= lo } }
	between := func(lo, hi float64) func(x float64) bool { return func(x float64) bool { return x >= lo && x <= hi } }
	for name, c := range map[string]struct {
		draw    draw
		support func(x float64) bool
		want    results // for the values
	}{
		"Pareto":   {of(random.Pareto[tensor]), atLeast(1), results{nan, nan, nan, nan, in, in, in, in, 1}},
		"Rayleigh": {of(random.Rayleigh[tensor]), atLeast(0), results{nan, nan, 0, 0, in, in, in, in, inf}},
		"WeibullMin scale": {func(key tensor, d dtype) tensor { return random.WeibullMin(key, p, 2, shape, d) },
			atLeast(0), results{nan, nan, 0, 0, in, in, in, in, nan}},
		"WeibullMin concentration": {func(key tensor, d dtype) tensor {
			return random.WeibullMin(key, 2, p, shape, d)
		},
			atLeast(0), results{nan, nan, nan, nan, in, in, in, in, 2}},
		"Triangular left": {func(key tensor, d dtype) tensor { return random.Triangular(key, p, 2, 3, shape, d) },
			between(-1, 3), results{in, nan, in, in, in, in, nan, nan, nan}},
		"Triangular mode": {func(key tensor, d dtype) tensor { return random.Triangular(key, -1, p, 1e30, shape, d) },
			between(-1, inf), results{in, nan, in, in, in, in, in, nan, nan}},
		"Triangular right": {func(key tensor, d dtype) tensor { return random.Triangular(key, 0, 0, p, shape, d) },
			between(0, inf), results{nan, nan, 0, 0, in, in, in, in, nan}},
		"Gamma":     {of(random.Gamma[tensor]), atLeast(0), results{nan, nan, 0, 0, in, in, in, in, inf}},
		"LogGamma":  {of(random.LogGamma[tensor]), real, results{nan, nan, -inf, -inf, in, in, in, in, inf}},
		"ChiSquare": {of(random.ChiSquare[tensor]), atLeast(0), results{nan, nan, 0, 0, in, in, in, in, inf}},
		"StudentT":  {of(random.StudentT[tensor]), real, results{nan, nan, nan, nan, in, in, in, in, in}},
		"Beta": {func(key tensor, d dtype) tensor { return random.Beta(key, p, 2, shape, d) }, between(0, 1),
			results{nan, nan, 0, 0, in, in, in, in, nan}},
		"FisherF": {func(key tensor, d dtype) tensor { return random.FisherF(key, 2, p, shape, d) }, atLeast(0),
			results{nan, nan, nan, nan, in, in, in, in, nan}},
		"Wald": {of(random.Wald[tensor]), atLeast(0), results{nan, nan, nan, nan, in, in, in, in, in}},
		"GeneralizedNormal": {of(random.GeneralizedNormal[tensor]), real, results{nan, nan, nan, nan, in, in, in, in,
			nan}},
		"Bernoulli": {func(key tensor, d dtype) tensor {
			return nx.Cast(random.Bernoulli(key, nx.Cast(p, d), shape), d)
		},
			between(0, 1), results{0, 0, 0, 0, in, in, 1, 1, 1}},
		"Geometric": {func(key tensor, d dtype) tensor { return nx.Cast(random.Geometric(key, p, shape, nx.S16), d) },
			atLeast(1), results{-1, -1, 32767, 32767, in, in, -1, -1, -1}},
		"Poisson": {func(key tensor, d dtype) tensor { return nx.Cast(random.Poisson(key, p, shape, nx.S16), d) },
			atLeast(0), results{-1, -1, 0, 0, 0, 0, 32767, 32767, 32767}},
		"Binomial count": {func(key tensor, d dtype) tensor {
			return nx.Cast(random.Binomial(key, p, 0.5, shape, nx.S16), d)
		}, atLeast(0), results{-1, -1, 0, 0, 0, 0, 32767, -1, -1}},
		"Binomial p": {func(key tensor, d dtype) tensor {
			return nx.Cast(random.Binomial(key, 9, p, shape, nx.S16), d)
		},
			between(0, 9), results{-1, -1, 0, 0, 0, 0, -1, -1, -1}},
	} {
		for _, d := range []dtype{nx.F32, nx.F64} {
			edges := nx.Rename(random.Key(3), "edges partitionable")
			for which, key := range map[string]tensor{"any": random.Key(2), "edges": edges} {
				x := nx.Data[float64](c.draw(key, d))
				for i, want := range c.want {
					switch {
					case d == nx.F32 && values[i] == 1e-300:
						want = c.want[2] // as f32 it is 0
					case d == nx.F32 && values[i] == 1e300:
						want = c.want[8] // and this infinite
					}
					for _, got := range x[50*i : 50*i+50] {
						if !(want == in && c.support(got)) && got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
							t.Errorf("%s %s of %v, %s: %v, want %v", name, d, values[i], which, got, want)
							break
						}
					}
				}
			}
		}
	}
}
