package random_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/random"
)

func ExampleFoldIn() {
	key := random.Key(42)
	for step := range 2 {
		fmt.Println(nx.Data[uint32](random.FoldIn(key, step)))
	}
	// Output:
	// [1832780943 270669613]
	// [64467757 2916123636]
}

func ExampleRandInt() {
	fmt.Println(random.RandInt(random.Key(1), 1, 7, nx.Shape{8}, nx.S32)) // dice
	// Output:
	// s32[8]
	// [5, 2, 1, 3, 1, 4, 2, 4]
}

func ExamplePermutation() {
	fmt.Println(random.Permutation(random.Key(42), nx.Iota(nx.Shape{6}, nx.S32), 0, false))
	// Output:
	// s32[6]
	// [3, 0, 2, 1, 5, 4]
}

func ExampleChoice() {
	letters := nx.New([]int32{10, 20, 30, 40})
	p := nx.New([]float32{0.05, 0.05, 0.05, 0.85})
	fmt.Println(random.Choice(random.Key(7), letters, 6, true, p))
	// Output:
	// s32[6]
	// [40, 40, 40, 40, 40, 40]
}

func ExampleCategorical() {
	logits := nx.Log(nx.New([]float32{0.1, 0.8, 0.1}))
	fmt.Println(random.Categorical(random.Key(3), logits, nx.Shape{6}))
	// Output:
	// s32[6]
	// [1, 1, 1, 1, 1, 1]
}

func ExampleBernoulli() {
	fmt.Println(random.Bernoulli(random.Key(3), 0.5, nx.Shape{4}))
	// Output:
	// bool[4]
	// [ true,  true, false,  true]
}

func ExampleGumbel() {
	fmt.Printf("%.3f\n", random.Gumbel(random.Key(1), nx.Shape{3}, nx.F32))
	// Output:
	// [ 0.572, -0.302,  2.143]
}

func ExampleExponential() {
	fmt.Printf("%.3f\n", random.Exponential(random.Key(1), nx.Shape{3}, nx.F32))
	// Output:
	// [0.841, 0.299, 2.201]
}

func ExampleMultivariateNormal() {
	mean, covariance := nx.New([]float32{1, 2}), nx.New([][]float32{{2, 0.5}, {0.5, 1}})
	fmt.Printf("%.3f\n", random.MultivariateNormal(random.Key(1), mean, covariance, nx.Shape{2}, nx.F32))
	// Output:
	// [
	//   [1.244, 1.630],
	//   [2.730, 2.366]
	// ]
}

// TestDistributions compares means and deviations of many draws with those of the
// distributions, within five standard errors.
func TestDistributions(t *testing.T) {
	const n = 40000
	shape := nx.Shape{n}
	key := random.Key(2024)
	for name, c := range map[string]struct {
		x               nx.Tensor
		mean, deviation float64
	}{
		"uniform f8":  {random.Uniform(key, 0, 1, shape, nx.F8E5M2), 0.375, math.Sqrt(0.078125)}, // 0, 1/4, 1/2 and 3/4
		"uniform c64": {nx.Imag(random.Uniform(key, 0, 1, shape, nx.C64)), 0.5, math.Sqrt(1.0 / 12)},
		"normal c128": {nx.Real(random.Normal(key, 3, 2, shape, nx.C128)), 3, 2},
		"integers":    {random.RandInt(key, -3, 5, shape, nx.S8), 0.5, math.Sqrt(63.0 / 12)},
		"integers 64": {nx.Div(nx.Cast(random.RandInt(key, 0, 1<<62, shape, nx.S64), nx.F64), math.Ldexp(1, 62)),
			0.5, math.Sqrt(1.0 / 12)},
		"gumbel":      {random.Gumbel(key, shape, nx.F32), nx.EulerGamma, math.Pi / math.Sqrt(6)},
		"exponential": {random.Exponential(key, shape, nx.F64), 1, 1},
		"bernoulli":   {nx.Cast(random.Bernoulli(key, 0.3, shape), nx.F32), 0.3, math.Sqrt(0.21)},
		"categorical": {random.Categorical(key, nx.Log(nx.New([]float64{0.2, 0.3, 0.5})), shape), 1.3, math.Sqrt(0.61)},
		"choice": {random.Choice(key, nx.New([]float32{-1, 1}), n, true, nx.New([]float32{0.25, 0.75})),
			0.5, math.Sqrt(0.75)},
		"gamma 1/2":  {random.Gamma(key, 0.5, shape, nx.F32), 0.5, math.Sqrt(0.5)},
		"gamma 7":    {random.Gamma(key, 7, shape, nx.F64), 7, math.Sqrt(7)},
		"gamma bf16": {random.Gamma(key, 3, shape, nx.BF16), 3, math.Sqrt(3)},
		"log gamma":  {random.LogGamma(key, 1, shape, nx.F32), -nx.EulerGamma, math.Pi / math.Sqrt(6)},
		"beta":       {random.Beta(key, 2, 3, shape, nx.F32), 0.4, 0.2},
		"dirichlet": {random.Dirichlet(key, nx.New([]float32{1, 2, 5}), shape, nx.F32).At(nx.Whole, 1), 0.25,
			math.Sqrt(0.25 * 0.75 / 9)},
		"chi square":  {random.ChiSquare(key, 5, shape, nx.F32), 5, math.Sqrt(10)},
		"student":     {random.StudentT(key, 12, shape, nx.F64), 0, math.Sqrt(1.2)},
		"poisson 2.5": {random.Poisson(key, 2.5, shape, nx.S32), 2.5, math.Sqrt(2.5)},
		"poisson 60":  {random.Poisson(key, 60, shape, nx.U8), 60, math.Sqrt(60)},
		"laplace":     {random.Laplace(key, shape, nx.F32), 0, math.Sqrt2},
		"logistic":    {random.Logistic(key, shape, nx.F32), 0, math.Pi / math.Sqrt(3)},
		"log normal": {random.LogNormal(key, 0.5, shape, nx.F64), math.Exp(0.125),
			math.Sqrt(math.Expm1(0.25) * math.Exp(0.25))},
		"rademacher":   {random.Rademacher(key, shape, nx.S8), 0, 1},
		"geometric":    {random.Geometric(key, 0.3, shape, nx.S32), 1 / 0.3, math.Sqrt(0.7) / 0.3},
		"truncated":    {random.TruncatedNormal(key, -1, 1, shape, nx.F32), 0, 0.539560},
		"cauchy angle": {nx.Atan(random.Cauchy(key, shape, nx.F64)), 0, math.Pi / math.Sqrt(12)},
		"pareto":       {random.Pareto(key, 5, shape, nx.F32), 1.25, 0.25 * math.Sqrt(5.0/3)},
		"rayleigh":     {random.Rayleigh(key, 2, shape, nx.F64), 2 * math.Sqrt(math.Pi/2), 2 * math.Sqrt(2-math.Pi/2)},
		"triangular":   {random.Triangular(key, -1, 0.5, 2, shape, nx.F32), 0.5, math.Sqrt(6.75 / 18)},
		"weibull":      {random.WeibullMin(key, 2, 2, shape, nx.BF16), math.Sqrt(math.Pi), math.Sqrt(4 - math.Pi)},
		"maxwell":      {random.Maxwell(key, shape, nx.F32), 2 * math.Sqrt(2/math.Pi), math.Sqrt(3 - 8/math.Pi)},
		"two maxwells": {random.DoubleSidedMaxwell(key, 1, 2, shape, nx.F64), 1, 2 * math.Sqrt(3)},
		"wald":         {random.Wald(key, 3, shape, nx.F32), 3, math.Sqrt(27)},
		"general 1":    {random.GeneralizedNormal(key, 1, shape, nx.F32), 0, math.Sqrt2},
		"general 2":    {random.GeneralizedNormal(key, 2, shape, nx.F64), 0, math.Sqrt(0.5)},
		"ball": {nx.Sqrt(nx.Sum(nx.Square(random.Ball(key, 2, 2, shape, nx.F32)), nx.Axis(-1))),
			2.0 / 3, math.Sqrt(0.5 - 4.0/9)},
		"orthogonal": {random.Orthogonal(key, 3, 2, shape, nx.F32).At(nx.Whole, 0, 0), 0, math.Sqrt(1.0 / 3)},
		"fisher": {random.FisherF(key, 6, 20, shape, nx.F32), 10.0 / 9,
			math.Sqrt(2 * 400 * 24.0 / (6 * 324 * 16))},
		"binomial 20":  {random.Binomial(key, 20, 0.2, shape, nx.U8), 4, math.Sqrt(3.2)},
		"binomial 500": {random.Binomial(key, 500, 0.7, shape, nx.S64), 350, math.Sqrt(105)},
		"multinomial": {random.Multinomial(key, 30, nx.New([]float32{0.5, 0.2, 0.3}), shape, nx.S32).At(nx.Whole, 1), 6,
			math.Sqrt(4.8)},
		"partitionable": {random.Normal(random.Partitionable(key), 0, 1, shape, nx.F32), 0, 1},
	} {
		x := nx.Cast(c.x, nx.F64)
		mean, deviation := nx.Item[float64](nx.Mean(x)), nx.Item[float64](nx.Std(x))
		if math.Abs(mean-c.mean) > 5*c.deviation/math.Sqrt(n) || math.Abs(deviation/c.deviation-1) > 0.03 {
			t.Errorf("%s: mean %v and deviation %v, want %v and %v", name, mean, deviation, c.mean, c.deviation)
		}
	}
}

// TestPermutation: every element occurs once, also if lines are permuted separately.
func TestPermutation(t *testing.T) {
	x := nx.Reshape(nx.Iota(nx.Shape{3000}, nx.S32), 1000, 3)
	for _, independent := range []bool{false, true} {
		p := random.Permutation(random.Key(5), x, 0, independent)
		if nx.ArrayEqual(p, x) || !nx.ArrayEqual(nx.Sort(p, nx.Axis(0)), x) {
			t.Errorf("independent %v: no permutation", independent)
		}
		rows := nx.Item[bool](nx.All(nx.Equal(nx.Add(p.At(nx.Whole, 0), 1), p.At(nx.Whole, 1))))
		if rows == independent {
			t.Errorf("independent %v: rows stay together: %v", independent, rows)
		}
		named := random.Permutation(random.Key(5), nx.Rename(x, "row", "column"), "row", independent)
		if !nx.ArrayEqual(nx.Rename(named), p) || !slices.Equal(named.Names(), []string{"row", "column"}) {
			t.Errorf("independent %v: by name the axis is another", independent)
		}
	}
	if got := nx.Data[int32](random.Choice(random.Key(5), nx.Iota(nx.Shape{50}, nx.S32), 50, false,
		nx.Tensor{})); !slices.Equal(sorted(got), sorted(nx.Data[int32](nx.Iota(nx.Shape{50}, nx.S32)))) {
		t.Error("a choice without replacement repeats")
	}
}

// TestChoiceOfNothing: drawing from a tensor without slices is an error.
func TestChoiceOfNothing(t *testing.T) {
	none := nx.Zeros(nx.Shape{0, 2}, nx.F32)
	for _, replace := range []bool{false, true} {
		for _, p := range []nx.Tensor{{}, nx.Zeros(nx.Shape{0}, nx.F32)} {
			if got := random.Choice(random.Key(1), none, 0, replace, p); !slices.Equal(got.Shape(), nx.Shape{0, 2}) {
				t.Errorf("replace %v, p %v: %v", replace, p, got)
			}
			var err error
			func() {
				defer nx.Catch(&err)
				random.Choice(random.Key(1), none, 3, replace, p)
			}()
			if err == nil || !strings.Contains(err.Error(), "at least one slice, got f32[0][2]") {
				t.Errorf("replace %v, p %v: %v", replace, p, err)
			}
		}
	}
}

func sorted(x []int32) []int32 { return slices.Sorted(slices.Values(x)) }

// TestRandIntRange: the ends of types are reached and not passed.
// TestRandIntOfWideRanges: more numbers than an int64 counts. Those of the second key are JAX's.
func TestRandIntOfWideRanges(t *testing.T) {
	x := nx.Data[int64](random.RandInt(random.Key(1), -1<<62, 1<<62, nx.Shape{1000}, nx.S64))
	if low, high := slices.Min(x), slices.Max(x); low < -1<<62 || high >= 1<<62 || low > -1<<61 || high < 1<<61 {
		t.Errorf("from %d to %d", low, high)
	}
	y := random.RandInt(random.Partitionable(random.Key(42)), math.MinInt64, math.MaxInt64, nx.Shape{3}, nx.S64)
	want := []int64{4466307427195926069, 869870568124700350, -8118644187909895017}
	if got := nx.Data[int64](y); !slices.Equal(got, want) {
		t.Errorf("%d, want %d", got, want)
	}
}

func TestRandIntRange(t *testing.T) {
	for _, d := range []nx.DType{nx.S2, nx.U2, nx.S8, nx.U16, nx.S64} {
		lo := d.MinInt()
		x := random.RandInt(random.Key(9), lo, lo+3, nx.Shape{1000}, d)
		low, high := nx.Item[int64](nx.Min(x)), nx.Item[int64](nx.Max(x))
		if low != lo || high != lo+2 {
			t.Errorf("%s: from %d to %d, want from %d to %d", d, low, high, lo, lo+2)
		}
	}
	for name, f := range map[string]func(){
		"no range":      func() { random.RandInt(random.Key(1), 3, 3, nx.Shape{1}, nx.S32) },
		"beyond a type": func() { random.RandInt(random.Key(1), 0, 300, nx.Shape{1}, nx.U8) },
		"floats":        func() { random.RandInt(random.Key(1), 0, 3, nx.Shape{1}, nx.F32) },
		"too many":      func() { random.Choice(random.Key(1), nx.Zeros(nx.Shape{2}, nx.F32), 3, false, nx.Tensor{}) },
		"probabilities": func() {
			random.Choice(random.Key(1), nx.Zeros(nx.Shape{2}, nx.F32), 1, true, nx.Zeros(nx.Shape{3}, nx.F32))
		},
		"a matrix for a mean": func() {
			random.MultivariateNormal(random.Key(1), nx.Zeros(nx.Shape{2, 2}, nx.F32), nx.Zeros(nx.Shape{2, 2}, nx.F32),
				nx.Shape{}, nx.F32)
		},
		"floats to fold in":   func() { random.FoldIn(random.Key(1), 0.5) },
		"no key":              func() { random.Partitionable(nx.New([]uint32{1})) },
		"a gamma of f8":       func() { random.Gamma(random.Key(1), 1, nx.Shape{2}, nx.F8E5M2) },
		"a shape too small":   func() { random.Gamma(random.Key(1), nx.New([]float32{1, 2}), nx.Shape{3}, nx.F32) },
		"a complex parameter": func() { random.Gamma(random.Key(1), 1i, nx.Shape{2}, nx.F32) },
		"float counts":        func() { random.Poisson(random.Key(1), 1, nx.Shape{2}, nx.F32) },
		"a scalar of vectors": func() { random.Dirichlet(random.Key(1), nx.New(float32(1)), nx.Shape{2}, nx.F32) },
		"nothing between":     func() { random.TruncatedNormal(random.Key(1), 2, 1, nx.Shape{2}, nx.F32) },
		"no sign":             func() { random.Rademacher(random.Key(1), nx.Shape{2}, nx.U8) },
		"part of a trial":     func() { random.Geometric(random.Key(1), 0.5, nx.Shape{2}, nx.F32) },
	} {
		var err error
		func() {
			defer nx.Catch(&err)
			f()
		}()
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// TestOddParameters: parameters without a distribution give NaN or -1, and every call ends.
func TestOddParameters(t *testing.T) {
	key := random.Key(1)
	odd := nx.New([]float32{-1, 0, float32(math.NaN()), float32(math.Inf(1)), 1e-30, 2})
	if got := fmt.Sprint(random.Poisson(key, odd.At(nx.To(3)), nx.Shape{3}, nx.S32)); got != "s32[3]\n[-1,  0, -1]" {
		t.Error(got)
	}
	if got := nx.Data[int32](random.Binomial(key, odd, 0.5, nx.Shape{6}, nx.S32)); !slices.Equal(got[:5],
		[]int32{-1, 0, -1, -1, 0}) || got[5] < 0 || got[5] > 2 {
		t.Error(got)
	}
	outside := nx.New([]float64{-0.1, 1.1, math.NaN(), 0, 1})
	if got := nx.Data[int32](random.Binomial(key, 9, outside, nx.Shape{5}, nx.S32)); !slices.Equal(got,
		[]int32{-1, -1, -1, 0, 9}) {
		t.Error(got)
	}
	classes := random.Multinomial(key, 1000, nx.New([]float64{0.2, 0, 0.5, 0.3}), nx.Shape{7}, nx.U16)
	if s := nx.Sum(classes, nx.Axis(-1)); !nx.Item[bool](nx.All(nx.Equal(s, 1000))) ||
		nx.Item[bool](nx.Any(nx.NotEqual(classes.At(nx.Whole, 1), 0))) {
		t.Error(classes)
	}
	if x := random.Triangular(key, 0, 3, 2, nx.Shape{}, nx.F32); !math.IsNaN(nx.Item[float64](x)) {
		t.Error(x)
	}
	for _, x := range []nx.Tensor{random.Gamma(key, odd, nx.Shape{6}, nx.F32),
		random.LogGamma(key, odd, nx.Shape{6}, nx.F32), random.Beta(key, odd, odd, nx.Shape{6}, nx.F32),
		random.ChiSquare(key, odd, nx.Shape{6}, nx.F32)} {
		if v := nx.Data[float64](x); !math.IsNaN(v[0]) || !math.IsNaN(v[2]) || math.IsNaN(v[5]) {
			t.Error(x)
		}
	}
	if x := random.Gamma(key, 1, nx.Shape{0, 2}, nx.F16); x.Spec().String() != "f16[0][2]" {
		t.Error(x)
	}
	sums := nx.Sum(random.Dirichlet(key, nx.New([]float32{1e-3, 1e-3, 1e-3}), nx.Shape{100}, nx.F32), nx.Axis(-1))
	if !nx.Item[bool](nx.All(nx.IsClose(sums, 1))) {
		t.Error(sums)
	}
	g := nx.Grad(func(a nx.Tensor) nx.Tensor { return nx.Sum(random.Gamma(key, a, nx.Shape{2}, nx.F32)) })(
		nx.New([]float32{1, 2}))
	if !nx.ArrayEqual(g, nx.New([]float32{0, 0})) {
		t.Error(g)
	}
}
