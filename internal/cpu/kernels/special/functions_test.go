package special

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-nx/nx/internal/cpu/kernels/kit"
	"github.com/go-nx/nx/internal/cpu/rt"
	"github.com/go-nx/nx/internal/refmath"
)

var exhaustive = flag.Bool("exhaustive", false, "test elementary functions with every float32 (hours)")

var unary32 = []struct {
	name string
	f    func(dst, src []float32)
	want func(float64) float64
	ulp  float64
}{
	{"exp", ExpF32, refmath.Exp, 0.51},
	{"expm1", Expm1F32, refmath.Expm1, 0.51},
	{"tanh", TanhF32, refmath.Tanh, 0.51},
	{"logistic", LogisticF32, refmath.Logistic, 0.51},
	{"log", LogF32, refmath.Log, 0.51},
	{"log1p", Log1pF32, refmath.Log1p, 0.51},
	{"sin", SinF32, refmath.Sin, 0.51},
	{"cos", CosF32, refmath.Cos, 0.51},
	{"tan", TanF32, refmath.Tan, 0.51},
	{"sqrt", SqrtF32, math.Sqrt, 0.5},
	{"rsqrt", RsqrtF32, refmath.Rsqrt, 0.51},
	{"cbrt", CbrtF32, refmath.Cbrt, 0.51},
	{"asinh", AsinhF32, refmath.Asinh, 0.51},
	{"erf", ErfF32, math.Erf, 0.55},
	{"erfc", ErfcF32, math.Erfc, 0.7},
	{"erf_inv", ErfInvF32, math.Erfinv, 0.51},
}

// ulps32 returns the error of got in units of want's last place in float32.
func ulps32(got float32, want float64) float64 {
	if want != want || got != got {
		if (want != want) == (got != got) {
			return 0
		}
		return math.Inf(1)
	}
	if float64(got) == want {
		if want == 0 && math.Signbit(want) != math.Signbit(float64(got)) {
			return math.Inf(1)
		}
		return 0
	}
	// Beyond float32, 2^128 stands for infinity.
	g := float64(got)
	if math.IsInf(g, 0) {
		g = math.Copysign(0x1p128, g)
	}
	if math.Abs(want) > 0x1p128 {
		want = math.Copysign(0x1p128, want)
	}
	_, exp := math.Frexp(want)
	return math.Abs(g-want) / math.Ldexp(1, min(104, max(exp-24, -149)))
}

func TestUnaryFloat32(t *testing.T) {
	step := uint64(30011)
	if testing.Short() {
		step = 400009
	}
	if *exhaustive {
		step = 1
	}
	for _, c := range unary32 {
		t.Run(c.name, func(t *testing.T) {
			var in, out [256]float32
			worst, worstAt := 0.0, float32(0)
			for bits := uint64(0); bits < 1<<32; {
				n := 0
				for ; n < len(in) && bits < 1<<32; n++ {
					in[n] = math.Float32frombits(uint32(bits))
					bits += step
				}
				c.f(out[:n], in[:n])
				for i, x := range in[:n] {
					if u := ulps32(out[i], c.want(float64(x))); u > worst {
						worst, worstAt = u, x
					}
				}
			}
			t.Logf("worst error %.4f ulp at %v", worst, worstAt)
			if worst > c.ulp {
				c.f(out[:1], []float32{worstAt})
				t.Errorf("%.4f ulp at %v: got %v, want %v", worst, worstAt, out[0], c.want(float64(worstAt)))
			}
		})
	}
}

// Numbers at which functions change their formula, and special numbers.
func TestUnaryFloat32AtEdges(t *testing.T) {
	inf := float32(math.Inf(1))
	edges := []float32{0, 1e-45, 1.1754944e-38, 1e-10, 0x1p-24, 0x1p-20, 0x1p-12, 0.25, 0.5, 0x1.7cp-1,
		0.999, 1, 1.0001, 0x1.7cp0,
		math.Pi / 4, math.Pi / 2, math.Pi, 2, 3.92, 3.95, 9, 10, 20, 88.72283, 88.72284, 87.33655, 103.27893, 103.97208,
		104, 109.99999, 110, 1000,
		1 << 20, 1 << 25, 1e9, 1e30, math.MaxFloat32, inf, float32(math.NaN())}
	for _, c := range unary32 {
		for _, e := range edges {
			for _, x := range []float32{e, math.Nextafter32(e, 0), math.Nextafter32(e, inf)} {
				for _, x := range []float32{x, -x} {
					got := []float32{x}
					c.f(got, got)
					if want := c.want(float64(x)); ulps32(got[0], want) > c.ulp {
						t.Errorf("%s(%v) = %v, want %v", c.name, x, got[0], want)
					}
				}
			}
		}
	}
}

func TestPowFloat32(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	special := []float32{0, 1, -1, 2, -2, 0.5, 3, -3, 1e-40, 1e38, -1e38, 0.1, 1.0000001, 0.99999994, 1e9, -1e9, inf,
		-inf, nan, float32(math.Copysign(0, -1))}
	var x, y []float32
	for _, a := range special {
		for _, b := range special {
			x, y = append(x, a), append(y, b)
		}
	}
	for range 20000 {
		a := float32(math.Exp2(r.Float64()*60 - 30))
		x, y = append(x, a), append(y, float32((r.Float64()*320-160)/math.Log2(float64(a))))
		x, y = append(x, float32(1+r.NormFloat64()*1e-6)), append(y, float32(r.NormFloat64()*1e7))
	}
	got := make([]float32, len(x))
	PowF32(got, x, y)
	worst := 0.0
	for i := range x {
		want := refmath.Pow(float64(x[i]), float64(y[i]))
		u := ulps32(got[i], want)
		worst = max(worst, u)
		if u > 0.6 {
			t.Fatalf("pow(%v, %v) = %v, want %v (%v ulp)", x[i], y[i], got[i], want, u)
		}
	}
	t.Logf("worst error %.4f ulp", worst)
}

// TestHyperbolicFormulas: the loops compute CHLO's formulas.
func TestHyperbolicFormulas(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 100000 {
		x := math.Float32frombits(r.Uint32())
		if r.IntN(2) == 0 {
			x = float32(r.NormFloat64() * 30)
		}
		var s, c [1]float32
		SinhF32(s[:], []float32{x})
		CoshF32(c[:], []float32{x})
		for _, v := range [2][2]float32{{s[0], refmath.Sinh32(x)}, {c[0], refmath.Cosh32(x)}} {
			if math.Float32bits(v[0]) != math.Float32bits(v[1]) && (v[0] == v[0] || v[1] == v[1]) {
				t.Fatalf("at %v: %v, want %v", x, v[0], v[1])
			}
		}
	}
}

// each returns the loop of a function.
func each(f func(float64) float64) func(dst, src []float64) {
	return func(dst, src []float64) { each64(dst, src, f) }
}

func TestUnaryFloat64(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	cases := []struct {
		name string
		f    func(dst, src []float64)
		want func(float64) float64
	}{
		{"exp", ExpF64, refmath.Exp}, {"expm1", Expm1F64, refmath.Expm1}, {"tanh", TanhF64, refmath.Tanh},
		{"logistic", LogisticF64, refmath.Logistic}, {"log", LogF64, refmath.Log}, {"log1p", Log1pF64, refmath.Log1p},
		{"sin", SinF64, refmath.Sin}, {"cos", CosF64, refmath.Cos}, {"tan", TanF64, refmath.Tan},
		{"sinh", SinhF64, refmath.Sinh},
		{"cosh", CoshF64, refmath.Cosh},
		{"sqrt", SqrtF64, math.Sqrt}, {"rsqrt", RsqrtF64, refmath.Rsqrt}, {"cbrt", CbrtF64, refmath.Cbrt},
		{"erf", ErfF64, refmath.Erf}, {"erfc", ErfcF64, refmath.Erfc}, {"erf_inv", each(ErfInv64), refmath.ErfInv},
		{"atan", each(Atan64), refmath.Atan}, {"asin", each(Asin64), refmath.Asin},
		{"acos", each(Acos64), refmath.Acos}, {"asinh", each(Asinh64), refmath.Asinh},
		{"acosh", each(Acosh64), refmath.Acosh}, {"atanh", each(Atanh64), refmath.Atanh},
	}
	for _, c := range cases {
		worst, worstAt := 0.0, 0.0
		for i := range 30000 {
			x := r.NormFloat64() * math.Exp2(float64(i%24-16))
			switch i % 3 {
			case 1: // any
				x = math.Float64frombits(r.Uint64())
			case 2: // near zeros of the sine, and where the exponential ends
				x = float64(r.IntN(1<<(i%50))) * (math.Pi / 2)
				if i%4 == 0 {
					x = math.Copysign(700+r.Float64()*46, r.NormFloat64())
				}
			}
			got := []float64{x}
			c.f(got, got)
			want := c.want(x)
			if got[0] == want || got[0] != got[0] && want != want {
				continue
			}
			if math.IsInf(got[0]-want, 0) || math.IsNaN(got[0]-want) {
				t.Errorf("%s(%v) = %v, want %v", c.name, x, got[0], want)
				continue
			}
			_, exp := math.Frexp(want)
			if u := math.Abs(got[0]-want) / math.Ldexp(1, max(exp-53, -1074)); u > worst {
				worst, worstAt = u, x
			}
		}
		t.Logf("%s: worst error %.3f ulp at %v", c.name, worst, worstAt)
		if !(worst <= 2) {
			t.Errorf("%s: %v ulp at %v", c.name, worst, worstAt)
		}
	}
}

func TestPowFloat64(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	special := []float64{0, math.Copysign(0, -1), 1, -1, 2, -2, 3, 0.5, -0.5, 1.5, math.Inf(1), math.Inf(-1),
		math.NaN(), 1 << 53, 1<<53 - 1,
		math.MaxFloat64, 0x1p-1074, 0x1p-1022, 1 - 0x1p-53, 1 + 0x1p-52, -1 - 0x1p-52, 1e16, -1e16,
		0x1p60, 709, 1e300, 1e-300}
	check := func(x, y float64) (rounded bool) {
		got := []float64{0}
		PowF64(got, []float64{x}, []float64{y})
		want := refmath.Pow(x, y)
		if got[0] == want || got[0] != got[0] && want != want {
			return false
		}
		if next := math.Nextafter(got[0], want); next != want || math.Signbit(next) != math.Signbit(want) {
			t.Errorf("pow(%v, %v) = %v, want %v", x, y, got[0], want)
		}
		return true
	}
	for _, x := range special {
		for _, y := range special {
			check(x, y)
		}
	}
	const n = 100_000
	off := 0
	for i := range n {
		x, y := math.Exp(r.NormFloat64()), r.NormFloat64()*10
		switch i % 5 {
		case 0: // near 1
			x, y = 1+r.NormFloat64()/math.Exp2(float64(i%40)), math.Exp2(float64(i%48))*r.NormFloat64()
		case 1:
			x, y = math.Exp(r.NormFloat64()*100), r.NormFloat64()
		case 2:
			y = float64(r.IntN(64) - 32)
			x = math.Copysign(x, r.NormFloat64())
		}
		if check(x, y) {
			off++
		}
	}
	t.Logf("%d of %d are not rounded correctly", off, n)
	if off > n/50 { // 0.52 ulp
		t.Errorf("%d of %d are not rounded correctly", off, n)
	}
}

// GELU by tanh, tile by tile as in the portable executor.
func geluTile(dst, src, tmp []float32) {
	tmp, dst = tmp[:len(src)], dst[:len(src)]
	for i, x := range src {
		tmp[i] = 0.7978846 * (x + float32(0.044715*float32(float32(x*x)*x)))
	}
	TanhF32(tmp, tmp)
	for i, x := range src {
		dst[i] = float32(0.5*x) * (1 + tmp[i])
	}
}

type geluTask struct{ dst, src []float32 }

func (g *geluTask) Do(_ rt.Worker, chunk int) {
	var tmp [512]float32
	for lo := chunk * 1 << 13; lo < min(len(g.src), (chunk+1)<<13); lo += len(tmp) {
		hi := min(lo+len(tmp), len(g.src))
		geluTile(g.dst[lo:hi], g.src[lo:hi], tmp[:])
	}
}

func BenchmarkElementary(b *testing.B) {
	const n = 1_000_000
	src, dst := make([]float32, n), make([]float32, n)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range src {
		src[i] = r.Float32()*2 - 1
	}
	for _, c := range unary32 {
		b.Run(c.name, func(b *testing.B) {
			kit.Bench(b, 0, "", func() error { c.f(dst, src); return nil })
		})
	}
	b.Run("pow", func(b *testing.B) {
		kit.Bench(b, 0, "", func() error { PowF32(dst, src, src); return nil })
	})
	b.Run("gelu_tanh", func(b *testing.B) {
		env := kit.NewEnv(b, 0)
		g := &geluTask{dst, src}
		kit.Bench(b, 0, "", func() error { env.Run((n+1<<13-1)>>13, g); return nil })
	})
	x64, d64 := make([]float64, n), make([]float64, n)
	for i := range x64 {
		x64[i] = float64(src[i])
	}
	b.Run("pow_f64", func(b *testing.B) {
		kit.Bench(b, 0, "", func() error { PowF64(d64, x64, x64); return nil })
	})
	for i, f := range []func(dst, src []float64){ExpF64, LogF64, TanhF64, SinF64} {
		b.Run(fmt.Sprint([]string{"exp", "log", "tanh", "sin"}[i], "_f64"), func(b *testing.B) {
			kit.Bench(b, 0, "", func() error { f(d64, x64); return nil })
		})
	}
}
