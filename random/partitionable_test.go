package random_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/random"
)

func ExamplePartitionable() {
	key := random.Partitionable(random.Key(42)) // jax.random.key(42)
	fmt.Println(random.Split(key, 2))
	fmt.Println(random.RandInt(key, 0, 100, nx.Shape{5}, nx.S32))
	// Output:
	// u32[2][partitionable: 2]
	// [
	//   [1832780943,  270669613],
	//   [  64467757, 2916123636]
	// ]
	// s32[5]
	// [44, 14, 71, 69,  9]
}

// jaxDraws returns what JAX drew, see testdata/make.py: integers, or the bits of floats.
func jaxDraws(t *testing.T) map[string][]json.RawMessage {
	text, err := os.ReadFile("testdata/jax.json")
	if err != nil {
		t.Fatal(err)
	}
	var out map[string][]json.RawMessage
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// TestAsJAX compares draws by partitionable keys with those of JAX: bits, integers and
// uniform floats exactly, others up to so many units of their last place.
func TestAsJAX(t *testing.T) {
	key := random.Partitionable(random.Key(42))
	f32 := func(v ...float32) nx.Tensor { return nx.New(v) }
	p := f32(0.1, 0.5, 0.2, 0.2)
	a := f32(0.01, 0.3, 1, 1.7, 5, 100, 0.9, 2, 3, 0.5)
	nine, ten, twenty := nx.Shape{9}, nx.Shape{10}, nx.Shape{20}
	covariance := nx.New([][]float32{{2, 0.5}, {0.5, 1}})
	places := nx.Iota(nx.Shape{10}, nx.S32)
	rows := nx.Reshape(nx.Iota(nx.Shape{30}, nx.S32), 10, 3)
	type draw struct {
		x    nx.Tensor
		ulps float64
	}
	draws := map[string]draw{
		"split":            {random.Split(key, 3), 0},
		"fold_in":          {random.FoldIn(key, 7), 0},
		"split of fold_in": {random.Split(random.FoldIn(key, 7), 2), 0},
		"bits":             {random.Bits(key, nx.Shape{7}), 0},
		"uniform range": {random.Uniform(key, float64(float32(-0.1)), float64(float32(0.7)), nx.Shape{50},
			nx.F32), 1},
		"randint wide":        {random.RandInt(key, math.MinInt32, math.MaxInt32, nine, nx.S32), 0},
		"randint all":         {random.RandInt(key, 0, 256, nine, nx.U8), 0},
		"randint long":        {random.RandInt(key, -1<<62, 1<<61, nine, nx.S64), 0},
		"permutation":         {random.Permutation(key, nx.Iota(nx.Shape{100}, nx.S32), 0, false), 0},
		"permutation rows":    {random.Permutation(key, rows, 0, false), 0},
		"permutation apart":   {random.Permutation(key, rows, 0, true), 0},
		"choice":              {random.Choice(key, places, 20, true, nx.Tensor{}), 0},
		"choice without":      {random.Choice(key, places, 6, false, nx.Tensor{}), 0},
		"choice p":            {random.Choice(key, places.At(nx.To(4)), 20, true, p), 0},
		"choice p without":    {random.Choice(key, places.At(nx.To(4)), 3, false, p), 0},
		"bernoulli":           {random.Bernoulli(key, float32(0.3), twenty), 0},
		"categorical":         {random.Categorical(key, nx.Log(p), twenty), 0},
		"rademacher":          {random.Rademacher(key, twenty, nx.S32), 0},
		"gumbel":              {random.Gumbel(key, nine, nx.F32), 8},
		"exponential":         {random.Exponential(key, nine, nx.F32), 4},
		"multivariate_normal": {random.MultivariateNormal(key, f32(1, 2), covariance, nx.Shape{3}, nx.F32), 8},
		"gamma":               {random.Gamma(key, a, ten, nx.F32), 16},
		"gamma f64":           {random.Gamma(key, nx.Cast(a, nx.F64), ten, nx.F64), 16},
		"loggamma":            {random.LogGamma(key, a, ten, nx.F32), 16},
		"beta":                {random.Beta(key, a, 2, ten, nx.F32), 32},
		"dirichlet":           {random.Dirichlet(key, a, nx.Shape{3}, nx.F32), 32},
		"chisquare":           {random.ChiSquare(key, a, ten, nx.F32), 32},
		"t":                   {random.StudentT(key, a, ten, nx.F32), 32},
		"poisson few":         {random.Poisson(key, nx.Tile(f32(0, 0.1, 3, 9.9), 4), nx.Shape{16}, nx.S32), 0},
		"poisson many":        {random.Poisson(key, nx.Tile(f32(10, 20, 100, 900), 4), nx.Shape{16}, nx.S32), 0},
		"laplace":             {random.Laplace(key, nine, nx.F32), 4},
		"logistic":            {random.Logistic(key, nine, nx.F32), 8},
		"cauchy":              {random.Cauchy(key, nine, nx.F32), 8},
		"truncated_normal":    {random.TruncatedNormal(key, -1, 2, nine, nx.F32), 8},
		"lognormal":           {random.LogNormal(key, 0.5, nine, nx.F32), 8},
		"geometric":           {random.Geometric(key, float32(0.2), twenty, nx.S32), 0},

		"pareto":               {random.Pareto(key, 3, nine, nx.F32), 4},
		"rayleigh":             {random.Rayleigh(key, 2, nine, nx.F32), 8},
		"triangular":           {random.Triangular(key, -1, 0.5, 2, nine, nx.F32), 8},
		"weibull_min":          {random.WeibullMin(key, 2, 1.5, nine, nx.F32), 8},
		"maxwell":              {random.Maxwell(key, nine, nx.F32), 8},
		"double_sided_maxwell": {random.DoubleSidedMaxwell(key, 1, 2, nine, nx.F32), 16},
		"wald":                 {random.Wald(key, 3, nine, nx.F32), 64},
		"generalized_normal":   {random.GeneralizedNormal(key, 1.5, nine, nx.F32), 32},
		"ball":                 {random.Ball(key, 3, 1.5, nx.Shape{3}, nx.F32), 32},
		"orthogonal":           {random.Orthogonal(key, 3, 3, nx.Shape{2}, nx.F32), 32},
		"orthogonal wide":      {random.Orthogonal(key, 2, 4, nx.Shape{}, nx.F32), 32},
		"orthogonal complex":   {parts(random.Orthogonal(key, 3, 3, nx.Shape{2}, nx.C64)), 32},
		"orthogonal complex wide": {
			parts(random.Orthogonal(key, 2, 4, nx.Shape{}, nx.C64)), 32,
		},
		"f":             {random.FisherF(key, nx.Add(a, 1), 6, ten, nx.F32), 64},
		"binomial few":  {random.Binomial(key, 20, nx.Tile(f32(0, 0.1, 0.4, 0.9, 1), 4), twenty, nx.S32), 0},
		"binomial many": {random.Binomial(key, 1000, nx.Tile(f32(0.02, 0.3, 0.5, 0.9), 4), nx.Shape{16}, nx.S32), 0},
		"multinomial":   {random.Multinomial(key, 100, p, nx.Shape{3}, nx.S32), 0},
	}
	for name, d := range map[string]nx.DType{"float32": nx.F32, "float64": nx.F64, "float16": nx.F16,
		"bfloat16": nx.BF16} {
		draws["uniform "+name] = draw{random.Uniform(key, 0, 1, nx.Shape{5, 3}, d), 0}
		draws["normal "+name] = draw{random.Normal(key, 0, 1, nine, d), 4}
	}
	for name, d := range map[string]nx.DType{"complex64": nx.C64, "complex128": nx.C128} {
		draws["normal "+name] = draw{parts(random.Normal(key, 0, 1, nine, d)), 4}
	}
	for name, d := range map[string]nx.DType{"int8": nx.S8, "uint8": nx.U8, "int16": nx.S16, "uint32": nx.U32,
		"int32": nx.S32, "int64": nx.S64, "uint64": nx.U64} {
		draws["randint "+name] = draw{random.RandInt(key, 3, 100, nine, d), 0}
	}
	all := jaxDraws(t)
	for name, want := range all {
		d, ok := draws[name]
		if !ok {
			t.Errorf("%s of JAX is compared with nothing", name)
			continue
		}
		typ := d.x.DType()
		if n := d.x.Size(); n != len(want) {
			t.Errorf("%s: %d numbers, want %d", name, n, len(want))
			continue
		}
		got := nx.Bytes(d.x)
		for i, w := range want {
			if !typ.IsFloat() {
				if g := fmt.Sprint(typ.LoadInt(got, i)); g != string(w) {
					t.Errorf("%s: number %d is %s, want %s", name, i, g, w)
				}
				continue
			}
			text, _ := strconv.Unquote(string(w))
			bits, err := strconv.ParseUint(text, 10, 64)
			if err != nil {
				t.Fatal(name, err)
			}
			g, v := typ.LoadFloat(got, i), typ.Float64(bits)
			unit := math.Max(math.Abs(v), typ.SmallestNormal()) * typ.Epsilon()
			if strings.HasPrefix(name, "orthogonal complex") || name == "orthogonal" || name == "loggamma" ||
				name == "logistic" || name == "uniform range" {
				unit = math.Max(unit, 1e-7) // which cross 0; XLA contracts products and sums
			}
			if g != v && !(math.Abs(g-v) <= d.ulps*unit) {
				t.Errorf("%s: number %d is %v, want %v: %.1f ulp", name, i, g, v, math.Abs(g-v)/unit)
			}
		}
	}
	if len(draws) != len(all) {
		t.Errorf("%d draws, %d of JAX", len(draws), len(all))
	}
}

// parts returns the real and the imaginary parts of complex numbers, side by side.
func parts(z nx.Tensor) nx.Tensor {
	return nx.Stack([]nx.Tensor{nx.Real(z), nx.Imag(z)}, nx.Axis(-1))
}

// TestPartitionable: part of the numbers can be drawn by themselves, and the scheme stays
// with the key.
func TestPartitionable(t *testing.T) {
	key := random.Partitionable(random.Key(1))
	a, b := nx.Data[uint32](random.Bits(key, nx.Shape{5})), nx.Data[uint32](random.Bits(key, nx.Shape{3, 3}))
	for i := range a {
		if a[i] != b[i] {
			t.Fatalf("number %d is %d of 5, %d of 9", i, a[i], b[i])
		}
	}
	same := random.Uniform(random.Split(key, 3).At(1), 0, 1, nx.Shape{4}, nx.F64)
	jitted := nx.Jit(func(key nx.Tensor) nx.Tensor {
		return random.Uniform(random.Split(key, 3).At(1), 0, 1, nx.Shape{4}, nx.F64)
	})
	if !nx.ArrayEqual(same, jitted(key)) || nx.ArrayEqual(same, jitted(random.Key(1))) {
		t.Error("the scheme is lost in a compiled function")
	}
	keys := random.Split(key, 3)
	each := nx.Vmap(func(k nx.Tensor) nx.Tensor { return random.Normal(k, 0, 1, nx.Shape{2}, nx.F32) })(keys)
	for i := range 3 {
		if want := random.Normal(keys.At(i), 0, 1, nx.Shape{2}, nx.F32); !nx.ArrayEqual(each.At(i), want) {
			t.Errorf("key %d: %v, want %v", i, each.At(i), want)
		}
	}
}
