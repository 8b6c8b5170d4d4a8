package ops_test

import (
	"math"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/nxtests/kit"
)

// besselValues are I₀ and I₁, and I₀″ = I₁′ and I₁″, as of mpmath 1.3 with 50 digits.
var besselValues = [][5]float64{
	{0.0, 1.0, 0.0, 0.5, 0.0},
	{1e-300, 1.0, 5.0000000000000001e-301, 0.5, 3.7500000000000001e-301},
	{1e-10, 1.0, 5.0000000000000002e-11, 0.5, 3.7500000000000001e-11},
	{-0.001, 1.0000002500000156, -0.00050000006250000261, 0.50000018750001302, -0.00037500005208333562},
	{0.5, 1.0634833707413235, 0.25789430539089632, 0.54769475995953089, 0.19408200703541981},
	{-0.99, 1.2604492607081457, -0.55817141647784226, 0.69663974911436563, -0.42399945938634169},
	{1.01, 1.2717525859257404, 0.57218973295069208, 0.70522809785574828, 0.43485942623212167},
	{3.7, 8.7386175241693969, 7.4357457965353369, 6.7289564980787654, 6.1602605338358413},
	{-12.5, 30596.335155785154, -29345.749642071127, 28248.675184419463, -27273.668425026825},
	{29.9, 708478330489.01453, 696528308361.09269, 685183069339.8141, 674391592368.09558},
	{44.9, 1.8872610671067709e+18, 1.8661250784511949e+18, 1.8456992613506195e+18, 1.8259438433600041e+18},
	{45.1, 2.2999600453563893e+18, 2.2743170051050323e+18, 2.2495317303873198e+18, 2.2255563972243616e+18},
	{100.25, 1.3769999662779008e+42, 1.370114835703483e+42, 1.3633329853731279e+42, 1.3566518331651453e+42},
	{-350, 2.148325271319876e+150, -2.1452540367578785e+150, 2.1421959740719963e+150, -2.1391509891098096e+150},
	{700.5, 2.5209725792992757e+302, 2.5191725267858915e+302, 2.5173763301532573e+302, 2.5155839756352745e+302},
	{713.9, 1.6481551866951378e+308, 1.6470004499232344e+308, 1.6458481402601704e+308, 1.6446982492034904e+308},
}

// TestBessel: values and derivatives of three orders.
func TestBessel(t *testing.T) {
	var xs []float64
	for _, row := range besselValues {
		xs = append(xs, row[0])
	}
	x := nx.New(xs)
	grad := func(f func(nx.Tensor) nx.Tensor) func(nx.Tensor) nx.Tensor {
		return nx.Grad(func(x nx.Tensor) nx.Tensor { return nx.Sum(f(x)) })
	}
	along := func(f func(nx.Tensor) nx.Tensor) func(nx.Tensor) nx.Tensor {
		return func(x nx.Tensor) nx.Tensor { _, d := nx.JVP(f, x, nx.OnesLike(x)); return d }
	}
	for name, c := range map[string]struct {
		f      func(nx.Tensor) nx.Tensor
		column int
		ulps   float64
	}{
		"I0": {nx.BesselI0, 1, 8}, "I1": {nx.BesselI1, 2, 8},
		"I0 compiled": {nx.Jit(nx.BesselI0), 1, 8},
		"I0′":         {grad(nx.BesselI0), 2, 12}, "I1′": {grad(nx.BesselI1), 3, 16},
		"I0″": {along(grad(nx.BesselI0)), 3, 16}, "I1″": {grad(along(nx.BesselI1)), 4, 64},
		"I0‴": {grad(grad(along(nx.BesselI0))), 4, 64},
	} {
		for i, got := range nx.Data[float64](c.f(x)) {
			want := besselValues[i][c.column]
			if math.Abs(got-want) > c.ulps*0x1p-52*math.Abs(want) {
				t.Errorf("%s(%v) is %v, not %v", name, xs[i], got, want)
			}
		}
		for i, got := range nx.Data[float64](nx.Cast(c.f(nx.Cast(x, nx.F32)), nx.F64)) {
			want := float64(float32(besselValues[i][c.column]))
			if math.Abs(xs[i]) > 91 && math.IsInf(want, 0) || xs[i] != float64(float32(xs[i])) {
				continue // where f32 has another argument
			}
			if math.Abs(got-want) > 0x1p-23*math.Abs(want)+0x1p-149 {
				t.Errorf("f32: %s(%v) is %v, not %v", name, xs[i], got, want)
			}
		}
	}
	inf, nan := math.Inf(1), math.NaN()
	kit.RequireNear(t, "I0", nx.BesselI0(nx.New([]float64{inf, -inf, 1e300, nan})),
		nx.New([]float64{inf, inf, inf, nan}))
	kit.RequireNear(t, "I1", nx.BesselI1(nx.New([]float64{inf, -inf, -1e300, nan})),
		nx.New([]float64{inf, -inf, -inf, nan}))
	kit.RequireNear(t, "I1e", nx.BesselI1e(nx.New([]float64{0, 2, -50, inf})),
		nx.New([]float64{0, 0.21526928924893765, -0.0559931238928954, 0}))
}

// TestLogAddExp: values as of numpy.logaddexp 2.4, and the derivatives, with infinities.
func TestLogAddExp(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	a := nx.New([]float64{inf, inf, -inf, -inf, 1, 800, -800, 0, 3, inf})
	b := nx.New([]float64{inf, -inf, -inf, 3, nan, 800.5, -800, -1, 3, 5})
	want := []float64{inf, inf, -inf, 3, nan, 800.9740769841801, -799.3068528194401, 0.31326168751822286,
		3.6931471805599454, inf}
	add := func(a, b nx.Tensor) nx.Tensor { return nx.LogAddExp(a, b) }
	kit.RequireNear(t, "LogAddExp", add(a, b), nx.New(want))
	kit.RequireNear(t, "LogAddExp, compiled", nx.Jit(add)(a, b), nx.New(want))
	half := []float64{0.5, 1, 0.5, 0, nan, 1 / (1 + math.Exp(0.5)), 0.5, 1 / (1 + math.Exp(-1)), 0.5, 1}
	other := make([]float64, len(half))
	for i, h := range half {
		other[i] = 1 - h
	}
	_, pull := nx.VJP(func(p [2]nx.Tensor) nx.Tensor { return add(p[0], p[1]) }, [2]nx.Tensor{a, b})
	g := pull(nx.OnesLike(a))
	kit.RequireNear(t, "the derivative by a", g[0], nx.New(half))
	kit.RequireNear(t, "the derivative by b", g[1], nx.New(other))
	if got := nx.LogAddExp(nx.New([]int32{0}), 0); got.DType() != nx.F32 {
		t.Error(got)
	}
	if got := nx.LogAddExp(nx.Cast(a, nx.BF16), nx.Cast(b, nx.F16)); got.DType() != nx.F32 {
		t.Error(got)
	}
}
