package ops_test

import (
	"fmt"
	"math"
	"os"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/nxtests/kit"
)

// columns reads a table of numbers from testdata.
func columns(t *testing.T, file string, n int) [][]float64 {
	t.Helper()
	f, err := os.Open("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	out := make([][]float64, n)
	for {
		for i := range n {
			var x float64
			if _, err := fmt.Fscan(f, &x); err != nil {
				if i > 0 || len(out[0]) < 100 {
					t.Fatal("a short table: ", file)
				}
				return out
			}
			out[i] = append(out[i], x)
		}
	}
}

// TestIncompleteGamma compares P and Q with those of mpmath with 60 digits, in f64 and in f32.
func TestIncompleteGamma(t *testing.T) {
	table := columns(t, "incomplete_gamma.txt", 4)
	a, x := nx.New(table[0]), nx.New(table[1])
	for i, f := range []func(a, x nx.Tensor) nx.Tensor{nx.GammaInc[nx.Tensor, nx.Tensor],
		nx.GammaIncC[nx.Tensor, nx.Tensor]} {
		got := nx.Data[float64](f(a, x))
		for k, want := range table[2+i] {
			if want < 1e-300 { // or one that is subnormal
				want = math.Max(want, 1e-308)
				got[k] = math.Max(got[k], 1e-308)
			}
			if e := math.Abs(got[k] - want); !(e <= want*(5e-14-4*0x1p-52*math.Log(want))) {
				t.Errorf("%c(%v, %v) is %v, not %v", 'P'+i, table[0][k], table[1][k], got[k], want)
			}
		}
		if compiled := nx.Jit(f)(a, x); !nx.ArrayEqual(compiled, f(a, x)) {
			t.Error("compiled it differs")
		}
		na, nw := nx.Cast(a, nx.F32), nx.Cast(x, nx.F32)
		narrow, exact := nx.Data[float32](f(na, nw)), nx.Data[float64](f(nx.Cast(na, nx.F64), nx.Cast(nw, nx.F64)))
		for k, y := range narrow {
			if y != float32(exact[k]) {
				t.Errorf("f32: %c(%v, %v) is %v, not %v", 'P'+i, table[0][k], table[1][k], y, exact[k])
			}
		}
	}
}

// TestIncompleteBeta compares I with that of SciPy 1.17 (Boost).
func TestIncompleteBeta(t *testing.T) {
	table := columns(t, "incomplete_beta.txt", 4)
	a, b, x := nx.New(table[0]), nx.New(table[1]), nx.New(table[2])
	got := nx.Data[float64](nx.BetaInc(a, b, x))
	other := nx.Data[float64](nx.BetaInc(b, a, nx.Sub(1, x)))
	for k, want := range table[3] {
		pa, pb, px := table[0][k], table[1][k], table[2][k]
		tolerance := 1e-14
		if px <= (pa+1)/(pa+pb+2) {
			tolerance = 1e-308
			if want > 0 {
				tolerance += want * (5e-14 - 4*0x1p-52*math.Log(want) + 2e-15*math.Sqrt(math.Max(pa, pb)))
			}
		}
		if !(math.Abs(got[k]-want) <= tolerance+2e-14*want) {
			t.Errorf("I(%v, %v, %v) is %v, not %v", pa, pb, px, got[k], want)
		}
		if px >= 0.5 && !(math.Abs(other[k]-(1-want)) <= 1e-13) { // below, 1-x rounds
			t.Errorf("I(%v, %v, %v) is %v, not %v", pb, pa, 1-px, other[k], 1-want)
		}
	}
}

// TestIncompleteDomain: the limits of SciPy 1.17, at zeros, at infinities and outside of the domain.
func TestIncompleteDomain(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	a := []float64{0, 0, 0, 0, 1.5, 1.5, 1.5, inf, inf, inf, -1, nan, 1.5, inf}
	x := []float64{0, 2, inf, -1, 0, inf, -1, 0, 2, inf, 2, 2, nan, -1}
	p := []float64{nan, 1, 1, nan, 0, 1, nan, 0, 0, nan, nan, nan, nan, nan}
	q := make([]float64, len(p))
	for i, v := range p {
		q[i] = 1 - v
	}
	kit.RequireNear(t, "P", nx.GammaInc(nx.New(a), nx.New(x)), nx.New(p))
	kit.RequireNear(t, "Q", nx.GammaIncC(nx.New(a), nx.New(x)), nx.New(q))
	rows := [][4]float64{{0, 0, 0.5, nan}, {0, 2, 0, 0}, {0, 2, 0.5, 1}, {0, 2, 1, 1}, {0, inf, 0.5, 1},
		{1.5, 0, 0.5, 0},
		{1.5, 0, 1, 1}, {1.5, inf, 0.5, 1}, {1.5, inf, 0, 0}, {inf, 0, 0.5, 0}, {inf, 2, 0.5, 0}, {inf, 2, 1, 1},
		{inf, inf, 0.5, nan}, {-1, 2, 0.5, nan}, {2, -1, 0.5, nan}, {2, 2, -0.1, nan}, {2, 2, 1.5, nan},
		{nan, 2, 0.5, nan},
		{2, nan, 0.5, nan}, {2, 2, nan, nan}, {0, 0, 0, nan}}
	for _, r := range rows {
		kit.RequireNear(t, fmt.Sprint("I of ", r), nx.BetaInc(r[0], r[1], nx.New([]float64{r[2]})), nx.New(r[3:]))
	}
}

// TestIncompleteDerivatives: those of the first order by all operands, in both modes, and one of the second, are
// central differences of mpmath with 40 digits.
func TestIncompleteDerivatives(t *testing.T) {
	near := func(what string, got nx.Tensor, want float64) {
		t.Helper()
		if g := nx.Item[float64](got); !(math.Abs(g-want) <= 2e-11*math.Abs(want)) {
			t.Errorf("%s is %v, not %v", what, g, want)
		}
	}
	one := nx.New(1.)
	for _, c := range [][5]float64{
		{2.5, 1.5, -0.252175400423628, 0.308360659607539, 0.136554033455},
		{30, 30, -0.0730393707725808, 0.0726345264715915, 6.79848667398e-6},
		{100, 200, -1.30508187819839e-15, 9.39873782745051e-16, -9.053521104946e-16},
		{.3, .2, -1.02338030722039, 0.844347232469917, 0.958991143292},
		{.001, .5, -0.560359400108003, 0.00121291969843824, -0.58485123987},
		{5, 8, -0.0741840277371291, 0.057252288495362, -0.0352078268209},
		{1000, 1010, -0.0119457313372254, 0.0118845150360351, -0.000118872890086},
	} {
		at := [2]nx.Tensor{nx.New(c[0]), nx.New(c[1])}
		f := func(p [2]nx.Tensor) nx.Tensor { return nx.GammaInc(p[0], p[1]) }
		g := nx.Grad(f)(at)
		near(fmt.Sprint("∂P/∂a of ", c), g[0], c[2])
		near(fmt.Sprint("∂P/∂x of ", c), g[1], c[3])
		_, d := nx.JVP(f, at, [2]nx.Tensor{one, nx.Neg(one)})
		near(fmt.Sprint("a direction at ", c), d, c[2]-c[3])
		byA := func(a nx.Tensor) nx.Tensor { return nx.GammaIncC(a, c[1]) }
		near(fmt.Sprint("∂²Q/∂a² of ", c), nx.Neg(nx.Grad(nx.Grad(byA))(at[0])), c[4])
	}
	for _, c := range [][6]float64{
		{2.5, 1.5, .2, -0.0494426339523751, 0.0359370668580752, 0.407436654315252},
		{30, 30, .5, -0.0518627457498856, 0.0518627457498856, 6.15469038051417},
		{.3, .4, .7, -0.705685248236409, 0.725112056504338, 0.517082717226794},
		{12, .01, .99, -0.000761541884652558, 1.6772838099406, 0.881188135944709},
		{3, 2, .3, -0.0818725237220808, 0.0695712511310605, .756}, // the continued fractions end
		{2, 1, .8, -0.142811872841094, 0.419397648476276, 1.6},
		{1, 3, .4, -0.262371933789338, 0.110338334733454, 1.08},
		{100, 200, .35, -0.0264770763875838, 0.013727547391577, 11.8936143543286},
	} {
		g := nx.Grad(func(p [3]nx.Tensor) nx.Tensor { return nx.BetaInc(p[0], p[1], p[2]) })([3]nx.Tensor{nx.New(c[0]),
			nx.New(c[1]), nx.New(c[2])})
		for i, by := range []string{"a", "b", "x"} {
			near(fmt.Sprintf("∂I/∂%s of %v", by, c), g[i], c[3+i])
		}
	}
	inf := math.Inf(1)
	edges := nx.Grad(func(x nx.Tensor) nx.Tensor { return nx.Sum(nx.GammaInc(nx.New([]float64{.5, 1, 2, 2}), x)) })
	kit.RequireNear(t, "∂P/∂x at the ends", edges(nx.New([]float64{0, 0, 0, inf})), nx.New([]float64{inf, 1, 0, 0}))
	ends := nx.Grad(func(x nx.Tensor) nx.Tensor {
		return nx.Sum(nx.BetaInc(nx.New([]float64{.5, 1, 2, 3}), nx.New([]float64{3, 3, 3, 1}), x))
	})
	kit.RequireNear(t, "∂I/∂x at the ends", ends(nx.New([]float64{0, 0, 0, 1})), nx.New([]float64{inf, 3, 0, 3}))
}

// TestIncompleteTransformed: operands broadcast, also those of batches; names stay; and types are promoted.
func TestIncompleteTransformed(t *testing.T) {
	a, x := nx.New([]float64{0.5, 3, 50}), nx.New([][]float64{{1, 2, 45}, {0.1, 8, 60}}, nx.Names("row", ""))
	whole := nx.GammaInc(a, x)
	if got := whole.Spec().String(); got != "f64[row: 2][3]" {
		t.Error(got)
	}
	each := nx.Vmap(func(x nx.Tensor) nx.Tensor { return nx.GammaInc(a, x) })(nx.Rename(x))
	vectors := nx.Devectorize(nx.GammaInc(a, nx.Vectorize(nx.Rename(x), "v")))
	if !nx.ArrayEqual(each, nx.Rename(whole)) || !nx.ArrayEqual(nx.Rename(vectors), nx.Rename(whole)) {
		t.Error(each, vectors, whole)
	}
	for want, got := range map[nx.DType]nx.Tensor{
		nx.F32: nx.GammaInc(nx.New([]int32{2}), 1), nx.BF16: nx.BetaInc(nx.Ones(nx.Shape{2}, nx.BF16), 2, 0.5),
		nx.F64: nx.BetaInc(nx.Ones(nx.Shape{2}, nx.BF16), nx.New([]float64{2}), nx.New([]float32{.5})),
	} {
		if got.DType() != want {
			t.Errorf("%s, not %s", got.DType(), want)
		}
	}
	if got := nx.GammaInc(nx.Zeros(nx.Shape{0, 2}, nx.F32), 2); got.Size() != 0 {
		t.Error(got)
	}
}
