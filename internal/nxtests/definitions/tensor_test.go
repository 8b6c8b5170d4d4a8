package definitions

import (
	"context"
	"slices"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/debug"
	"github.com/go-nx/nx/fft"
	"github.com/go-nx/nx/internal/nxtests/definitions/defs"
	"github.com/go-nx/nx/linalg"
	"github.com/go-nx/nx/random"
)

func TestStatic(t *testing.T) {
	plain := nx.Rename(matrix, "", "")
	same(t, Reduced(matrix, defs.EndingMean), nx.Mean(matrix, nx.Axis(-1)))
	same(t, Reduced(matrix, defs.EndingSum), nx.Sum(matrix, nx.Axis(-1)))
	same(t, Scaled(plain, "half"), nx.Mul(nx.Rename(plain, "a", "b"), 0.5))
	same(t, Scaled(plain, ""), nx.Mul(nx.Rename(plain, "a", "b"), 2.0))
	same(t, Standard(matrix, 1), nx.Mul(nx.Sub(matrix, nx.Div(nx.Sum(matrix, nx.Axis(0)), 2)).At(nx.Range(0, 1)), 3))
	for i, w := range Windows(matrix, 1, 3) {
		same(t, w, nx.Mean(matrix.At(nx.Ellipsis, nx.To(1+2*i)), nx.Axis(-1)))
	}
	parts := []nx.Tensor{nx.Mul(plain, 0), nx.Add(plain, 1), nx.Mul(plain, 2)}
	same(t, Joined(plain), nx.Concatenate(parts, nx.Axis(-1)))
	same(t, OneHotAt(nx.New([]int32{0, 2}), 3, 2), nx.Reshape(nx.OneHot(nx.New([]int32{0, 2}), 3, nx.F32), 3, 2))
	same(t, Filled(3, nx.F64), nx.New([]float64{0.5, 1.5, 2.5}))
	same(t, Literal(), nx.New([]float32{2, 4, 6}))
	same(t, Choice(matrix, false), nx.Sum(matrix))
	same(t, Choice(matrix, true), nx.Mean(matrix))
	defer func() {
		if got := recover(); got != "a matrix is needed, not [3]" {
			t.Errorf("got %v", got)
		}
	}()
	Standard(nx.New([]float32{1, 2, 3}), 1)
}

func TestContainers(t *testing.T) {
	keys := random.Split(random.Key(1), 2)
	m := MLP{NewLinear(keys.At(0), 3, 4), NewLinear(keys.At(1), 4, 1), nx.Tanh}
	x := nx.Rename(matrix, "", "")
	y := nx.New([][]float32{{1}, {0}})
	forward := func(m MLP) nx.Tensor {
		h := nx.Tanh(nx.Add(nx.Dot(x, m.Hidden.W), m.Hidden.B))
		return nx.Add(nx.Dot(h, m.Out.W), m.Out.B)
	}
	same(t, m.Forward(x), forward(m))
	same(t, Sequence{m.Hidden, m.Out}.Forward(x), m.Out.Forward(m.Hidden.Forward(x)))
	loss, grads := nx.ValueAndGrad(func(m MLP) nx.Tensor { return nx.Mean(nx.Square(nx.Sub(forward(m), y))) })(m)
	trained, got := nx.Jit(Train)(m, x, y, 0.5)
	same(t, got, loss)
	same(t, trained.Hidden.W, nx.Sub(m.Hidden.W, nx.Mul(0.5, grads.Hidden.W)))
	same(t, trained.Out.B, nx.Sub(m.Out.B, nx.Mul(0.5, grads.Out.B)))

	v := nx.New([]float64{1, 4, 4, 9})
	same(t, nx.Jit(Variance)(v), nx.Var(v, nx.DDOF(1)))
	same(t, nx.Jit(Variance)(v.At(nx.To(1))), number(0))

	r := Rotate([3]nx.Tensor{number(1), number(0), number(5)}, number(1))
	same(t, nx.Stack(r[:]), nx.Stack([]nx.Tensor{nx.Cos(number(1)), nx.Sin(number(1)), number(5)}))
	list := []nx.Tensor{number(1), number(7), number(3)}
	same(t, nx.Jit(Largest)(list), number(7))
	bumped := Bump(list, number(2))
	same(t, bumped[0], number(3))
	same(t, list[0], number(1))
	same(t, Bump(list, number(-2))[0], number(1))
}

func TestTransforms(t *testing.T) {
	x := number(0.7)
	same(t, Derivative(x), nx.Add(nx.Mul(nx.Cos(x), x), nx.Sin(x)))
	same(t, Second(x), nx.Mul(6, x))
	same(t, GradOfNamed(x), nx.Add(nx.Mul(3, nx.Square(x)), nx.Mul(2, x)))
	w, xs := nx.New([]float32{1, 2, 3}), nx.Rename(matrix, "", "")
	same(t, PerExample(w, xs), nx.Mul(nx.Mul(2, nx.ExpandAxis(nx.Dot(xs, w), nx.Axis(-1))), xs))
	v := nx.New([]float64{1, 2, 3, 4})
	sum, all := Cumulative(v)
	same(t, sum, nx.Sum(v))
	same(t, all, nx.Mul(nx.CumSum(v), 2))
	same(t, GradOfLoop(x), nx.Grad(func(x nx.Tensor) nx.Tensor { // ((x² + 0)x + 1)x + 2
		return nx.Add(nx.Mul(nx.Add(nx.Mul(nx.Mul(x, x), x), 1), x), 2)
	})(x))
	same(t, Tangent(x, number(2)), nx.Mul(2, nx.Exp(x)))
	same(t, Pulled(x), nx.Mul(nx.Mul(2, x), nx.Square(x)))
	same(t, Stopped(x), x)
	a, b := nx.New([][]float64{{2, 1}, {1, 3}}), nx.New([][]float64{{1, 0}, {2, 1}})
	same(t, Products(a, b), nx.Dot(a, b))
	same(t, Solved(a, b), nx.Add(linalg.Norm(linalg.Solve(a, b)), linalg.Det(a)))
	same(t, Spectrum(v), nx.Abs(fft.FFT(v)))
	s := nx.SetAt(a, 0, nx.Whole, 0)
	s = nx.Sub(nx.Add(s, a.At(nx.Whole, nx.NewAxis, 1)), a.At(-1))
	same(t, Parts(a), s.At(nx.Ellipsis, nx.Range(0, 2).Step(2)))
	same(t, SortedTop(v), number(4+3+3+2+4))
	same(t, Masked(nx.New([]float32{-1, 2, 3})), nx.New([]float32{2 + 5./3 + 1000}).At(0))
	same(t, nx.Jit(AnyNegative)(v), v)
	same(t, nx.Jit(AnyNegative)(nx.Neg(v)), nx.Sub(4, v))
}

func TestHooks(t *testing.T) {
	var seen, middle []float64
	ctx := debug.WithHook(context.Background(), "x", func(x nx.Tensor) { seen = append(seen, nx.Item[float64](x)) })
	ctx = debug.WithHook(ctx, "middle", func(x nx.Tensor) { middle = append(middle, nx.Item[float64](x)) })
	watched := nx.Jit(func(_ context.Context, x nx.Tensor) nx.Tensor { return Watched(x) })
	same(t, watched(ctx, number(1)), number(10))
	if !slices.Equal(seen, []float64{2, 4, 10}) || !slices.Equal(middle, []float64{5}) {
		t.Errorf("hooks get %v and %v", seen, middle)
	}
	if got := defs.Watched(1); got != 10 {
		t.Errorf("got %v", got)
	}
}
