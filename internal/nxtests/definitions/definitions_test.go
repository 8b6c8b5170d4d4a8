package definitions

import (
	"math"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/defn"
	"github.com/go-nx/nx/internal/nxtests/definitions/defs"
	"github.com/go-nx/nx/linalg"
)

// same fails where two tensors differ in type, or by more than a rounding.
func same(t *testing.T, got, want nx.Tensor) {
	t.Helper()
	if got.Spec().String() != want.Spec().String() {
		t.Errorf("type: got %v, want %v", got.Spec(), want.Spec())
		return
	}
	g, w := nx.Data[float64](got), nx.Data[float64](want)
	for i := range g {
		if math.Abs(g[i]-w[i]) > 1e-6*(1+math.Abs(w[i])) || math.IsNaN(g[i]) != math.IsNaN(w[i]) {
			t.Errorf("got %v\nwant %v", got, want)
			return
		}
	}
}

var matrix = nx.New([][]float32{{1, 2, 3}, {-1, 0, 4}}, nx.Names("batch", "features"))

func TestSoftmax(t *testing.T) {
	same(t, Softmax(matrix), nx.Softmax(matrix))
	same(t, nx.Jit(Softmax)(matrix), nx.Softmax(matrix))
	grad := nx.Grad(func(x nx.Tensor) nx.Tensor { return nx.Sum(nx.Square(Softmax(x))) })
	want := nx.Grad(func(x nx.Tensor) nx.Tensor { return nx.Sum(nx.Square(nx.Softmax(x))) })
	same(t, grad(matrix), want(matrix))
}

func TestClip(t *testing.T) {
	norm := linalg.Norm(matrix)
	same(t, nx.Jit(Clip)(matrix, nx.New(float32(1))), nx.Div(nx.Mul(matrix, nx.New(float32(1))), norm))
	same(t, Clip(matrix, nx.New(float32(100))), matrix)
	for _, x := range []float64{-3, 0.5, 4} {
		want := float64(defs.Clip(defn.Tensor(x), 2))
		same(t, Clip(nx.New([]float64{x}).At(0), nx.New([]float64{2}).At(0)), nx.New([]float64{want}).At(0))
	}
}

func TestNewton(t *testing.T) {
	got := nx.Jit(Newton)(nx.New([]float64{3}).At(0))
	same(t, got, nx.New([]float64{float64(defs.Newton(3))}).At(0))
	same(t, got, nx.New([]float64{math.Sqrt2}).At(0))
}

// scalars are elementwise definitions, which run on single numbers.
func TestScalars(t *testing.T) {
	pairs := map[string]struct {
		graph func(nx.Tensor) nx.Tensor
		plain func(defn.Tensor) defn.Tensor
	}{
		"gelu": {Gelu, defs.Gelu},
		"mask": {func(x nx.Tensor) nx.Tensor { return Mask(x, false) },
			func(x defn.Tensor) defn.Tensor { return defs.Mask(x, false) }},
		"mask training": {func(x nx.Tensor) nx.Tensor { return Mask(x, true) },
			func(x defn.Tensor) defn.Tensor { return defs.Mask(x, true) }},
		"poly": {func(x nx.Tensor) nx.Tensor { return Poly(x, 1, -2, 0.5) },
			func(x defn.Tensor) defn.Tensor { return defs.Poly(x, 1, -2, 0.5) }},
		"find": {func(x nx.Tensor) nx.Tensor { return Find(x, nx.New(8)) },
			func(x defn.Tensor) defn.Tensor { return defs.Find(x, 8) }},
		"steps": {func(x nx.Tensor) nx.Tensor { s, top := Collatz(x); return nx.Add(nx.Mul(s, 1000), top) },
			func(x defn.Tensor) defn.Tensor { s, top := defs.Collatz(x); return s*1000 + top }},
	}
	for name, p := range pairs {
		compiled := nx.Jit(p.graph)
		for _, x := range []float64{-30, -1, 0, 0.25, 1, 3, 7, 19} {
			in := nx.New([]float64{x}).At(0)
			want := nx.New([]float64{float64(p.plain(defn.Tensor(x)))}).At(0)
			t.Run(name, func(t *testing.T) {
				same(t, nx.Cast(p.graph(in), nx.F64), want)
				same(t, nx.Cast(compiled(in), nx.F64), want)
			})
		}
	}
}

func TestStep(t *testing.T) {
	p := Params{W: nx.New([][]float32{{1}, {2}, {3}}), B: nx.New([]float32{0}), Act: "tanh"}
	y := nx.New([][]float32{{1}, {0}})
	loss := func(p Params) nx.Tensor {
		return nx.Mean(nx.Square(nx.Sub(nx.Tanh(nx.Add(nx.Dot(matrix, p.W), p.B)), y)))
	}
	value, grad := nx.ValueAndGrad(loss)(p)
	q, got := nx.Jit(Step)(p, matrix, y, 0.1)
	same(t, got, value)
	same(t, q.W, nx.Sub(p.W, nx.Mul(0.1, grad.W)))
	same(t, q.B, nx.Sub(p.B, nx.Mul(0.1, grad.B)))
}
