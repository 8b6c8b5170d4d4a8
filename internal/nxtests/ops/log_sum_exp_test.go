package ops_test

import (
	"math"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/nxtests/kit"
)

// ulpsApart compares numbers of a type by their spacing: NaN is NaN, and zeros have signs.
func ulpsApart(t *testing.T, what string, got nx.Tensor, ulps float64, want ...float64) {
	t.Helper()
	data := nx.Data[float64](nx.Cast(got, nx.F64))
	if len(data) != len(want) {
		t.Errorf("%s: %v, want %v", what, data, want)
		return
	}
	for i, w := range want {
		g, step := data[i], math.Nextafter(math.Abs(w), inf)-math.Abs(w)
		if got.DType() == nx.F32 {
			step = float64(math.Nextafter32(float32(math.Abs(w)), float32(inf))) - math.Abs(float64(float32(w)))
		}
		switch {
		case g != g && w != w, g == w && math.Signbit(g) == math.Signbit(w), math.Abs(g-w) <= ulps*step && w != 0:
		default:
			t.Errorf("%s: element %d is %v, want %v", what, i, g, w)
		}
	}
}

// TestLogSumExpBesideOne has the numbers of mpmath 1.4 (60 digits), which are also those of logsumexp of SciPy 1.17
// but for its rounding.
func TestLogSumExpBesideOne(t *testing.T) {
	for _, c := range []struct {
		x, weights []float64
		want       float64
	}{
		{[]float64{0, -40}, nil, 4.248354255291589e-18},
		{[]float64{-40, 0}, nil, 4.248354255291589e-18},
		{[]float64{0, -40, -41}, nil, 5.811236444626578e-18},
		{[]float64{-40, 0, -745}, nil, 4.248354255291589e-18},
		{[]float64{0, 0, -40}, nil, math.Ln2},
		{[]float64{0, 0, 0}, nil, 1.0986122886681098},
		{[]float64{5, -40}, nil, 5},
		{[]float64{0, -1e-9}, nil, 0.6931471800599454},
		{[]float64{0, -800}, nil, 0},
		{[]float64{3, 1, 2}, nil, 3.40760596444438},
		{[]float64{-inf, 0, -40}, nil, 4.248354255291589e-18},
		{[]float64{-inf, -inf}, nil, -inf},
		{[]float64{-inf, inf, 0}, nil, inf},
		{[]float64{inf, inf, 0}, nil, inf},
		{[]float64{0, nan}, nil, nan},
		{[]float64{inf, nan}, nil, nan},
		{nil, nil, -inf},
		{[]float64{0, -40}, []float64{1, 1}, 4.248354255291589e-18},
		{[]float64{0, -40}, []float64{1, -1}, -4.248354255291589e-18},
		{[]float64{0, -40}, []float64{1, 3}, 1.2745062765874767e-17},
		{[]float64{0, -40}, []float64{.75, 2.5e16}, -0.155240941500577},
		{[]float64{0, 0, -40}, []float64{.5, .5, 1}, 4.248354255291589e-18},
		{[]float64{1000, 0, -40}, []float64{0, 1, 1}, 4.248354255291589e-18},
		{[]float64{inf, nan, 0, -40}, []float64{0, 0, 1, 1}, 4.248354255291589e-18},
		{[]float64{0, 1}, []float64{1e-30, 1e-30}, -67.76429110230315},
		{[]float64{-1, -2}, []float64{2, -1}, -0.51011987435525},
		{[]float64{0, -1}, []float64{-1, 1}, nan},
		{[]float64{0, -1}, []float64{0, 0}, -inf},
	} {
		x := nx.FromSlice(c.x, nx.Shape{len(c.x)})
		f := func(x nx.Tensor) nx.Tensor { return nx.LogSumExp(x) }
		if c.weights != nil {
			f = func(x nx.Tensor) nx.Tensor { return nx.WeightedLogSumExp(x, nx.New(c.weights)) }
		}
		ulpsApart(t, "at once", f(x), 4, c.want)
		ulpsApart(t, "jitted", nx.Jit(f)(x), 4, c.want)
	}
	ulpsApart(t, "f32", nx.LogSumExp(nx.New([]float32{0, -20})), 2, 2.0611536181902035e-09)
	ulpsApart(t, "f16", nx.LogSumExp(nx.Cast(nx.New([]float32{0, -9}), nx.F16)), 0, 0.0001233816146850586)
	ulpsApart(t, "integers", nx.LogSumExp(nx.New([]int32{0, -20})), 2, 2.0611536181902035e-09)
	ulpsApart(t, "rows and columns", nx.LogSumExp(nx.New([][][]float64{{{0, -40}, {-41, -inf}}}), nx.Axis(0, 2)), 2,
		4.248354255291589e-18, -41)
	ulpsApart(t, "LogSoftmax", nx.LogSoftmax(nx.New([]float64{40, 0})), 2, -4.248354255291589e-18, -40)
	ulpsApart(t, "LogSoftmax of many", nx.LogSoftmax(nx.New([][]float64{{0, 0, 0}, {7, 7 - 40, 7 - 41}})).At(1), 2,
		-5.811236444626578e-18, -40, -41)
}

// TestLogSumExpDerivatives: the first derivative is the softmax, the second diag(s) - s·sᵀ, also of equals and of
// many.
func TestLogSumExpDerivatives(t *testing.T) {
	lse := func(x nx.Tensor) nx.Tensor { return nx.LogSumExp(x) }
	for _, v := range [][]float64{{0, -40}, {0, 0}, {1, 2, 3, 3}, {-1, 5, 5, 0.5, -inf}} {
		x, n := nx.New(v), len(v)
		s := make([]float64, n)
		sum := 0.0
		for i, x := range v {
			s[i] = math.Exp(x - 5)
			sum += s[i]
		}
		hessian := make([]float64, n*n)
		for i := range s {
			s[i] /= sum
		}
		for i := range s {
			for j := range s {
				hessian[i*n+j] = -s[i] * s[j]
			}
			hessian[i*n+i] += s[i]
		}
		kit.CloseTo(t, "gradient", nx.Grad(lse)(x), s...)
		kit.CloseTo(t, "Hessian", nx.Flatten(nx.Hessian(lse)(x)), hessian...)
		kit.CloseTo(t, "reverse over reverse", nx.Grad(func(x nx.Tensor) nx.Tensor { return nx.Grad(lse)(x).At(0) })(x),
			hessian[:n]...)
	}
	// A small part of a gradient keeps its digits.
	ulpsApart(t, "gradient", nx.Grad(lse)(nx.New([]float64{0, -40})), 2, 1, 4.248354255291589e-18)
	w := nx.New([]float64{0, 2, 1})
	g := nx.Grad(func(w nx.Tensor) nx.Tensor { return nx.WeightedLogSumExp(nx.New([]float64{3, 0, -1}), w) })(w)
	total := 2 + math.Exp(-1)
	kit.CloseTo(t, "gradient of weights", g, math.Exp(3)/total, 1/total, math.Exp(-1)/total)
}
