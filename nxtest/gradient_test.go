package nxtest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/nxtest"
)

func ExampleAssertGradient() {
	var t said
	// it is 2x
	square := nx.CustomJVP(nx.Square, func(x, _, dx nx.Tensor) nx.Tensor { return nx.Mul(nx.Mul(3, x), dx) })
	point := nx.New([]float64{1, 2})
	fmt.Println(nxtest.AssertGradient(&t, square, point), strings.HasPrefix(t.String(),
		"the derivative along a random direction is"))
	fmt.Println(nxtest.AssertGradient(&t, nx.Square, point, nxtest.SecondOrder))
	// Output:
	// false true
	// true
}

// layer is a point with tensors of several types.
type layer struct {
	W, B nx.Tensor
	N    nx.Tensor
	Z    map[string]nx.Tensor
}

func TestAssertGradient(t *testing.T) {
	point := layer{
		W: nx.New([][]float64{{0.5, -1}, {2, 0.25}}, nx.Names("out", "in")),
		B: nx.New([]float32{0.5, 1.5}), N: nx.New(3),
		Z: map[string]nx.Tensor{"z": nx.New([]complex128{1 + 2i, 3 - 1i})},
	}
	right := func(p layer) nx.Tensor {
		y := nx.Tanh(nx.Add(nx.Dot(p.W, nx.New([]float64{1, 2})), nx.Cast(p.B, nx.F64)))
		return nx.Mul(nx.Mul(y, p.N), nx.Exp(nx.Mul(0.1, p.Z["z"])))
	}
	if !nxtest.AssertGradient(t, right, point, nxtest.SecondOrder) {
		t.Error("right derivatives are found wrong")
	}
	rows := nx.Vectorize(nx.New([][]float64{{1, 2, 3}, {4, 5, 6}}), "row")
	nxtest.AssertGradient(t, func(x nx.Tensor) nx.Tensor { return nx.Mul(nx.Sin(x), x) }, rows, nxtest.SecondOrder)
	softmax := func(x nx.Tensor) nx.Tensor { return nx.Softmax(x) }
	nxtest.AssertGradient(t, softmax, nx.New([]float32{1, 2, 3}), nxtest.SecondOrder)

	x := nx.New([]float64{0.5, 1})
	for _, c := range []struct {
		name string
		text string
		run  func(tb nxtest.TB) bool
	}{
		{"a wrong rule of one tensor", "the derivative by B along a random direction is", func(tb nxtest.TB) bool {
			wrong := nx.CustomVJP(func(x nx.Tensor) (nx.Tensor, struct{}) { return nx.Sin(x), struct{}{} },
				func(_ struct{}, dr nx.Tensor) nx.Tensor { return nx.Mul(1.5, dr) })
			return nxtest.AssertGradient(tb, func(p struct{ A, B nx.Tensor }) nx.Tensor {
				return nx.Mul(nx.Cos(p.A), wrong(p.B))
			}, struct{ A, B nx.Tensor }{x, x})
		}},
		{"a stopped gradient", "is 0 in forward mode, but the difference quotient", func(tb nxtest.TB) bool {
			return nxtest.AssertGradient(tb, func(x nx.Tensor) nx.Tensor { return nx.StopGradient(nx.Square(x)) }, x)
		}},
		{"a wrong second derivative", "the second derivative along a random direction is", func(tb nxtest.TB) bool {
			f := nx.CustomJVP(nx.Square, func(x, _, dx nx.Tensor) nx.Tensor {
				return nx.Mul(nx.StopGradient(nx.Mul(2, x)), dx)
			})
			return nxtest.AssertGradient(tb, f, x, nxtest.SecondOrder)
		}},
		{"a kink", "cannot be checked", func(tb nxtest.TB) bool {
			return nxtest.AssertGradient(tb, nx.Abs, nx.New([]float64{0, 1e-6}))
		}},
		{"integers", "the point must have a tensor", func(tb nxtest.TB) bool {
			return nxtest.AssertGradient(tb, func(x nx.Tensor) nx.Tensor { return nx.Cast(x, nx.F64) },
				nx.New([]int{1}))
		}},
		{"a result of integers", "the result of f must have floats, got s64", func(tb nxtest.TB) bool {
			return nxtest.AssertGradient(tb, func(x nx.Tensor) nx.Tensor { return nx.Cast(x, nx.S64) }, x)
		}},
		{"misuse", "shape", func(tb nxtest.TB) bool {
			return nxtest.AssertGradient(tb, func(x nx.Tensor) nx.Tensor {
				return nx.Add(x,
					nx.New([]float64{1, 2, 3}))
			}, x)
		}},
	} {
		var s said
		if c.run(&s) || !strings.Contains(s.String(), c.text) {
			t.Errorf("%s: said %q, want %q", c.name, s.String(), c.text)
		}
	}
}
