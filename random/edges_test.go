package random_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/random"
)

// forcedKeys returns keys that draw the smallest or the largest words, or both among others.
func forcedKeys(which string) map[string]tensor {
	return map[string]tensor{
		which:                      nx.Rename(random.Key(5), which),
		which + " (partitionable)": nx.Rename(random.Key(5), which+" partitionable"),
	}
}

type (
	tensor = nx.Tensor
	dtype  = nx.DType
)

var floats = map[dtype]int{nx.F32: 23, nx.F64: 52, nx.F16: 10, nx.BF16: 7} // with their fraction bits

// TestForcedWords: the words are those of the test, except for derived keys.
func TestForcedWords(t *testing.T) {
	for which, word := range map[string]uint32{"smallest": 0, "largest": math.MaxUint32} {
		for name, key := range forcedKeys(which) {
			keys := random.Split(key, 2)
			for _, k := range []tensor{key, keys.At(0), random.FoldIn(key, 3)} {
				if b := nx.Data[uint32](random.Bits(k, nx.Shape{3})); !slices.Equal(b, []uint32{word, word, word}) {
					t.Errorf("%s: %d", name, b)
				}
			}
			if nx.ArrayEqual(keys.At(0), keys.At(1)) {
				t.Errorf("%s: keys are equal", name)
			}
		}
	}
}

// TestSmallestAndLargest: the draws of the smallest and of the largest uniform number are finite, inside the
// support, and not farther out than an eighth of their spacing allows.
func TestSmallestAndLargest(t *testing.T) {
	type draw = func(key tensor, d dtype) tensor
	shape := nx.Shape{4}
	plain := func(f func(key tensor, shape nx.Shape, d dtype) tensor) draw {
		return func(key tensor, d dtype) tensor { return f(key, shape, d) }
	}
	normal := func(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 }
	inf := math.Inf(1)
	byF32 := []string{"Pareto", "Rayleigh", "Triangular", "WeibullMin", "TruncatedNormal right", "TruncatedNormal left"}
	for name, c := range map[string]struct {
		draw   draw
		lo, hi float64 // limits; a draw may be one that is finite
		below  func(x float64) float64
	}{
		"Uniform": {func(key tensor, d dtype) tensor { return random.Uniform(key, 0.1, 0.3, shape, d) },
			0.09995, 0.3, func(x float64) float64 { return (x - 0.1) / 0.2 }},
		"Normal": {func(key tensor, d dtype) tensor { return random.Normal(key, 0, 1, shape, d) }, -inf, inf, normal},
		"LogNormal": {func(key tensor, d dtype) tensor { return random.LogNormal(key, 0.5, shape, d) }, 0, inf,
			func(x float64) float64 { return normal(math.Log(x) / 0.5) }},
		"Gumbel": {plain(random.Gumbel), -inf, inf, func(x float64) float64 { return math.Exp(-math.Exp(-x)) }},
		"Exponential": {plain(random.Exponential), 0, inf,
			func(x float64) float64 { return -math.Expm1(-x) }},
		"Laplace": {plain(random.Laplace), -inf, inf, func(x float64) float64 {
			if x < 0 {
				return math.Exp(x) / 2
			}
			return 1 - math.Exp(-x)/2
		}},
		"Logistic": {plain(random.Logistic), -inf, inf, func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }},
		"Cauchy":   {plain(random.Cauchy), -inf, inf, func(x float64) float64 { return 0.5 + math.Atan(x)/math.Pi }},
		"Pareto": {func(key tensor, d dtype) tensor { return random.Pareto(key, 3, shape, d) }, 1, inf,
			func(x float64) float64 { return 1 - math.Pow(x, -3) }},
		"Rayleigh": {func(key tensor, d dtype) tensor { return random.Rayleigh(key, 1, shape, d) }, 0, inf,
			func(x float64) float64 { return -math.Expm1(-x * x / 2) }},
		"Triangular": {func(key tensor, d dtype) tensor { return random.Triangular(key, 0.1, 0.1, 0.3, shape, d) },
			0.09995, 0.301, func(x float64) float64 { return 1 - (0.3-x)*(0.3-x)/0.04 }},
		"WeibullMin": {func(key tensor, d dtype) tensor { return random.WeibullMin(key, 1, 1.5, shape, d) }, 0, inf,
			func(x float64) float64 { return -math.Expm1(-math.Pow(x, 1.5)) }},
		"TruncatedNormal": {func(key tensor, d dtype) tensor {
			return random.TruncatedNormal(key, -inf, inf, shape, d)
		},
			-inf, inf, normal},
		"TruncatedNormal right": {func(key tensor, d dtype) tensor {
			return random.TruncatedNormal(key, 5, inf, shape, d)
		},
			5, inf, func(x float64) float64 { return 1 - normal(-x)/normal(-5) }},
		"TruncatedNormal left": {func(key tensor, d dtype) tensor {
			return random.TruncatedNormal(key, -inf, -5, shape, d)
		},
			-inf, -5, func(x float64) float64 { return normal(x) / normal(-5) }},
		"TruncatedNormal wide": {func(key tensor, d dtype) tensor {
			return random.TruncatedNormal(key, -900, 900, shape, d)
		},
			-900, 900, normal},
	} {
		for d, fraction := range floats {
			for _, which := range []string{"smallest", "largest"} {
				for scheme, key := range forcedKeys(which) {
					for _, x := range nx.Data[float64](c.draw(key, d))[:1] {
						p, bits := c.below(x), fraction
						if which == "largest" {
							p = 1 - p
						}
						if slices.Contains(byF32, name) {
							bits = max(bits, 23)
						}
						least := math.Ldexp(1, -bits-4)
						atEnd := x == c.lo || math.Abs(x-c.lo) < 1e-3*math.Abs(c.lo) ||
							math.Abs(x-c.hi) < 1e-2*math.Abs(c.hi)
						if math.IsInf(x, 0) || !(x >= c.lo && x <= c.hi) || !(p >= least*0.9) && !atEnd {
							t.Errorf("%s %s, %s: %v, which has %v beyond it", name, d, scheme, x, p)
						}
					}
				}
			}
		}
	}
}

// TestEdgesOfCounts: draws of the smallest and the largest words that are counts, bools, indices and orders.
func TestEdgesOfCounts(t *testing.T) {
	shape := nx.Shape{3}
	p := nx.New([]float32{0, 0.5, 0, 0.5, 0})
	logits := nx.Log(p)
	places := nx.Iota(nx.Shape{5}, nx.S32)
	for which, want := range map[string]map[string]string{
		"smallest": {"Bernoulli 0": "[false false false]", "Bernoulli 1": "[true true true]",
			"RandInt":    "[-128 -128 -128]",
			"RandInt 64": "[-9223372036854775808 -9223372036854775808 -9223372036854775808]", "Choice p": "[3 3 3]",
			"Choice f64": "[3 3 3]", "Choice bf16": "[3 3 3]", "Categorical": "[1 1 1]", "Categorical bf16": "[1 1 1]",
			"Geometric 1": "[1 1 1]", "Geometric": "[1 1 1]", "Rademacher": "[1 1 1]"},
		"largest": {"Bernoulli 0": "[false false false]", "Bernoulli 1": "[true true true]", "RandInt": "[127 127 127]",
			"RandInt 64": "[-9223372036854775808 -9223372036854775808 -9223372036854775808]", "Choice p": "[1 1 1]",
			"Choice f64": "[1 1 1]", "Choice bf16": "[1 1 1]",
			"Categorical": "[1 1 1]", "Categorical bf16": "[1 1 1]", "Geometric 1": "[1 1 1]", "Geometric": "[1 1 1]",
			"Rademacher": "[-1 -1 -1]"},
	} {
		for scheme, key := range forcedKeys(which) {
			for name, x := range map[string]tensor{
				"Bernoulli 0": random.Bernoulli(key, 0, shape), "Bernoulli 1": random.Bernoulli(key, 1, shape),
				"RandInt":     random.RandInt(key, -128, 128, shape, nx.S8),
				"RandInt 64":  random.RandInt(key, math.MinInt64, math.MaxInt64, shape, nx.S64),
				"Choice p":    random.Choice(key, places, 3, true, p),
				"Choice f64":  random.Choice(key, places, 3, true, nx.Cast(p, nx.F64)),
				"Choice bf16": random.Choice(key, places, 3, true, nx.Cast(p, nx.BF16)),
				"Categorical": random.Categorical(key, logits, shape), "Categorical bf16": random.Categorical(key,
					nx.Cast(logits, nx.BF16), shape),
				"Geometric 1": random.Geometric(key, 1, shape, nx.S32), "Geometric": random.Geometric(key, 0.5, shape,
					nx.U8),
				"Rademacher": random.Rademacher(key, shape, nx.S8),
			} {
				got := fmt.Sprint(nx.Data[int](nx.Cast(x, nx.S64)))
				if x.DType() == nx.Bool {
					got = fmt.Sprint(nx.Data[bool](x))
				}
				if got != want[name] {
					t.Errorf("%s, %s: %s, want %s", name, scheme, got, want[name])
				}
			}
		}
	}
}

// TestEdgesAmongOthers: draws that try until they accept, of words half of which are the smallest or
// the largest: they are inside the support, and finite.
func TestEdgesAmongOthers(t *testing.T) {
	n := nx.Shape{2000}
	alphas := nx.Tile(nx.New([]float64{1e-30, 1e-8, 0.01, 0.5, 1, 3, 100, 1e6}), 250)
	rates := nx.Tile(nx.New([]float64{1e-30, 0.5, 9.9, 10, 100, 1e4, 1e9, 5e12}), 250)
	counts := nx.Tile(nx.New([]float64{0, 1, 20, 1000, 1e9}), 400)
	ps := nx.Tile(nx.New([]float64{0, 1e-9, 0.3, 0.7, 1}), 400)
	far := func(x, mean, variance tensor) tensor { // at most 12 deviations from the mean, and some
		return nx.Less(nx.Abs(nx.Sub(x, mean)), nx.Add(nx.Mul(nx.Sqrt(variance), 12), nx.Add(nx.Mul(mean, 1e-6), 20)))
	}
	at := func(lo, hi float64) func(x tensor) tensor {
		return func(x tensor) tensor { return nx.LogicalAnd(nx.GreaterEqual(x, lo), nx.LessEqual(x, hi)) }
	}
	finite := func(x tensor) tensor { return nx.IsFinite(x) }
	positive := at(0, math.MaxFloat32)
	type check struct {
		draw   func(key tensor, d dtype) tensor
		inside func(x tensor) tensor
	}
	checks := map[string]check{
		"Gamma":    {func(key tensor, d dtype) tensor { return random.Gamma(key, alphas, n, d) }, at(0, 2e6)},
		"LogGamma": {func(key tensor, d dtype) tensor { return random.LogGamma(key, alphas, n, d) }, at(-1e33, 20)},
		"Beta": {func(key tensor, d dtype) tensor { return random.Beta(key, alphas, nx.Reverse(alphas), n, d) },
			at(0, 1)},
		"Dirichlet": {func(key tensor, d dtype) tensor {
			return random.Dirichlet(key, alphas, nx.Shape{3}, d)
		}, at(0, 1)},
		"ChiSquare": {func(key tensor, d dtype) tensor { return random.ChiSquare(key, alphas, n, d) }, at(0, 4e6)},
		"StudentT":  {func(key tensor, d dtype) tensor { return random.StudentT(key, 3, n, d) }, finite},
		"FisherF":   {func(key tensor, d dtype) tensor { return random.FisherF(key, 3, 4, n, d) }, positive},
		"Wald": {func(key tensor, d dtype) tensor { return random.Wald(key, nx.Clip(alphas, 1e-8, 1e6), n, d) },
			positive},
		"GeneralizedNormal": {func(key tensor, d dtype) tensor { return random.GeneralizedNormal(key, 50, n, d) },
			at(-1.2, 1.2)},
		"Ball":    {func(key tensor, d dtype) tensor { return random.Ball(key, 2, 3, n, d) }, at(-1.01, 1.01)},
		"Maxwell": {func(key tensor, d dtype) tensor { return random.Maxwell(key, n, d) }, at(0, 20)},
		"DoubleSidedMaxwell": {func(key tensor, d dtype) tensor { return random.DoubleSidedMaxwell(key, 0, 1, n, d) },
			at(-20, 20)},
		"MultivariateNormal": {func(key tensor, d dtype) tensor {
			return random.MultivariateNormal(key, nx.Zeros(nx.Shape{2}, nx.F32), nx.Eye(nx.Shape{2, 2}, nx.F32), n, d)
		}, at(-20, 20)},
		"Choice without": {func(key tensor, d dtype) tensor {
			return random.Choice(key, nx.Iota(nx.Shape{9}, nx.S32), 6, false,
				nx.New([]float32{0, 1, 1, 1e-9, 0, 1, 1e9, 1, 0}))
		}, func(x tensor) tensor {
			return nx.LogicalAnd(nx.NotEqual(nx.Remainder(x, 4), 0), nx.Equal(nx.Sum(x), 1+2+3+5+6+7))
		}},
		"Permutation": {func(key tensor, d dtype) tensor {
			return nx.Sort(random.Permutation(key, nx.Iota(nx.Shape{500}, nx.S32), 0, false))
		}, func(x tensor) tensor { return nx.Equal(x, nx.Iota(nx.Shape{500}, nx.S32)) }},
		"Poisson": {func(key tensor, d dtype) tensor {
			return nx.Cast(random.Poisson(key, rates, n, nx.S64), nx.F64)
		},
			func(x tensor) tensor { return nx.LogicalAnd(nx.GreaterEqual(x, 0), far(x, rates, rates)) }},
		"Binomial": {func(key tensor, d dtype) tensor {
			return nx.Cast(random.Binomial(key, counts, ps, n, nx.S64), nx.F64)
		}, func(x tensor) tensor {
			mean := nx.Mul(counts, ps)
			return nx.LogicalAnd(nx.LogicalAnd(nx.GreaterEqual(x, 0), nx.LessEqual(x, counts)), far(x, mean, mean))
		}},
		"Geometric": {func(key tensor, d dtype) tensor {
			return random.Geometric(key, 0.01, n, nx.S64)
		}, at(1, 1700)},
	}
	for name, c := range checks {
		for scheme, key := range forcedKeys("edges") {
			for _, d := range []dtype{nx.F32, nx.F64} {
				x := c.draw(key, d)
				if inside := c.inside(x); !nx.Item[bool](nx.All(inside)) {
					places, count := nx.NonZero(nx.LogicalNot(inside), 4)
					t.Errorf("%s %s, %s: %d outside, as at %v: %v", name, d, scheme, nx.Item[int](count), places,
						nx.Gather(x, places))
				}
			}
		}
	}
}
