package derivatives_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/go-nx/nx/tree"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/nxtests/kit"
)

func TestJacobianShapes(t *testing.T) {
	type params struct {
		W nx.Tensor
		N nx.Tensor
		B []nx.Tensor
	}
	p := params{nx.Ones(nx.Shape{2, 3}, nx.F32), nx.New(1),
		[]nx.Tensor{nx.Ones(nx.Shape{2}, nx.F64), nx.New(float32(2))}}
	f := func(p params) nx.Tensor {
		y := nx.Add(nx.Dot(p.W, nx.Ones(nx.Shape{3, 4}, nx.F32)), nx.ExpandAxis(nx.Cast(p.B[0], nx.F32), nx.Axis(1)))
		return nx.Mul(y, p.B[1])
	}
	for _, mode := range []nx.JacobianOption{nil, nx.ForwardMode, nx.ReverseMode} {
		j := nx.Jacobian(f, mode)(p)
		got := fmt.Sprint(j.W.Spec(), j.N.IsZero(), j.B[0].Spec(), j.B[1].Spec())
		if want := "f32[2][4][2][3] true f64[2][4][2] f32[2][4]"; mode == nx.ReverseMode && got != want {
			t.Errorf("reverse: got %s, want %s", got, want)
		}
		if nx.Item[float64](j.W.At(1, 2, 1, 0)) != 2 || nx.Item[float64](j.W.At(1, 2, 0, 0)) != 0 ||
			nx.Item[float64](j.B[1].At(0, 0)) != 4 {
			t.Errorf("the Jacobian of mode %v is wrong: %v", mode, j)
		}
	}
	z := nx.New([]complex128{1 + 2i, 3})
	empty := nx.Zeros(nx.Shape{0, 2}, nx.F64)
	for _, mode := range []nx.JacobianOption{nil, nx.ForwardMode, nx.ReverseMode} {
		if j := nx.Jacobian(nx.Sin, mode)(empty); !slices.Equal(j.Shape(), nx.Shape{0, 2, 0, 2}) {
			t.Errorf("the Jacobian of nothing is %v", j)
		}
	}
	for _, mode := range []nx.JacobianOption{nil, nx.ForwardMode, nx.ReverseMode} {
		j := nx.Data[complex128](nx.Jacobian(func(z nx.Tensor) nx.Tensor { return nx.Square(z) }, mode)(z))
		if j[0] != 2+4i || j[1] != 0 || j[3] != 6 {
			t.Errorf("the complex Jacobian is %v", j)
		}
	}
	c := nx.Data[complex128](nx.Jacobian(func(x nx.Tensor) nx.Tensor { return nx.Mul(x, 2i) })(nx.New([]float64{1})))
	if c[0] != 2i {
		t.Errorf("the derivative of 2i·x is %v", c[0])
	}
}

// TestJacobianOfVectors: each element of vectorised axes has a Jacobian of its own, of what it
// shares with others, too.
func TestJacobianOfVectors(t *testing.T) {
	type params struct{ X, W, B nx.Tensor }
	xs := nx.Reshape(nx.Linspace(-1, 1, 12, nx.F64), 4, 3)
	w := nx.Reshape(nx.Linspace(0.5, 2, 6, nx.F64), 2, 3)
	scale := nx.New([]float64{1, 2, 3, 4}) // of each element, captured
	f := func(scale nx.Tensor) func(p params) nx.Tensor {
		return func(p params) nx.Tensor {
			return nx.Mul(scale, nx.Tanh(nx.Add(nx.Dot(p.W, nx.Square(p.X)), p.B)))
		}
	}
	b := nx.New(0.25)
	for _, mode := range []nx.JacobianOption{nil, nx.ForwardMode, nx.ReverseMode} {
		for _, c := range []struct {
			name string
			f    func(p params) nx.Tensor
			x    nx.Tensor
		}{
			{"argument", f(nx.New(3.0)), nx.Vectorize(xs, "row")},
			{"captured", f(nx.Vectorize(scale, "row")), xs.At(2)},
			{"both", f(nx.Vectorize(scale, "row")), nx.Vectorize(xs, "row")},
		} {
			jacobian := func(p params) params { return nx.Jacobian(c.f, mode)(p) }
			for _, jacobian := range []func(params) params{jacobian, nx.Jit(jacobian)} {
				got := jacobian(params{c.x, w, b})
				for i := range 4 {
					x, s := xs.At(2), nx.New(3.0)
					if c.name != "captured" {
						x = xs.At(i)
					}
					if c.name != "argument" {
						s = scale.At(i)
					}
					want := nx.Jacobian(f(s), nx.ForwardMode)(params{x, w, b})
					name := fmt.Sprint(c.name, " mode ", mode, " element ", i)
					kit.CloseTo(t, name+" X", nx.Devectorize(got.X).At(i), nx.Data[float64](want.X)...)
					kit.CloseTo(t, name+" W", nx.Devectorize(got.W).At(i), nx.Data[float64](want.W)...)
					kit.CloseTo(t, name+" B", nx.Devectorize(got.B).At(i), nx.Data[float64](want.B)...)
				}
			}
		}
	}
	rows := nx.Vectorize(xs, "row")
	h := nx.Hessian(func(x nx.Tensor) nx.Tensor { return nx.Prod(x) })
	for i := range 4 {
		kit.CloseTo(t, "Hessian", nx.Devectorize(h(rows)).At(i), nx.Data[float64](h(xs.At(i)))...)
	}
	v, unravel := tree.Ravel(params{rows, w, nx.New(float32(0.25))})
	if got := v.Spec().String(); got != "vectorized[row: 4] f64[10]" {
		t.Errorf("Ravel gives a %s", got)
	}
	back := unravel(nx.Mul(2, v))
	kit.CloseTo(t, "unravelled X", nx.Devectorize(back.X), nx.Data[float64](nx.Mul(2, xs))...)
	kit.CloseTo(t, "unravelled W", nx.Devectorize(back.W).At(3), nx.Data[float64](nx.Mul(2, w))...)
	if got := back.B.Spec().String(); got != "vectorized[row: 4] f32" {
		t.Errorf("a number comes back as a %s", got)
	}
}
