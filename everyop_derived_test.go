package nx_test

import (
	"testing"

	"github.com/go-nx/nx"
)

// vectorOperands are those of [testOperands] with vectorised axes: x has i and j, y and v have j,
// i has k and j.
func vectorOperands(o operandsOf) operandsOf {
	return operandsOf{nx.Vectorize(o.x, "i", "j"), nx.Vectorize(o.y, "j"), nx.Vectorize(o.v, "j"),
		nx.Vectorize(o.i, "k", "j")}
}

// TestEveryOpJitted: compiled functions give what calls one by one give, vectorised axes and names
// included.
func TestEveryOpJitted(t *testing.T) {
	o := testOperands()
	named := operandsOf{nx.Rename(o.x.At(0, 0), "r", "c"), o.y.At(0), o.v.At(0), o.i.At(0, 0)}
	for name, op := range everyOp {
		t.Run(name, func(t *testing.T) {
			for how, in := range map[string]operandsOf{"vectorised": vectorOperands(o), "named": named} {
				got, err := caughtResults(func() []nx.Tensor { return nx.Jit(op.f)(in) })
				if err != nil {
					t.Fatalf("%s: %v", how, err)
				}
				for r, want := range op.f(in) {
					if g, w := got[r].Spec().String(), want.Spec().String(); g != w {
						t.Fatalf("%s: result %d is %s, not %s", how, r, g, w)
					}
					if !nearlyEqual(nx.Devectorize(got[r]), nx.Devectorize(want)) {
						t.Fatalf("%s: result %d is\n%v\nnot\n%v", how, r, got[r], want)
					}
				}
			}
		})
	}
}

// caughtResults returns what f returns, or the error that it panics with.
func caughtResults(f func() []nx.Tensor) (out []nx.Tensor, err error) {
	defer nx.Catch(&err)
	return f(), nil
}

// squares adds up the squares of all floats among results.
func squares(results []nx.Tensor) nx.Tensor {
	sum := nx.New(0.0)
	for _, r := range results {
		if d := r.DType(); d.IsFloat() || d.IsComplex() {
			sum = nx.Add(sum, nx.Sum(nx.Square(nx.Cast(nx.Abs(r), nx.F64))))
		}
	}
	return sum
}

// TestEveryOpDerived: the gradient of a vectorised call, and the gradient of what that gradient
// says of a direction, are those of each element.
func TestEveryOpDerived(t *testing.T) {
	o := testOperands()
	direction := nx.Sin(nx.Iota(nx.Shape{4, 4}, nx.F64))
	for name, op := range everyOp {
		t.Run(name, func(t *testing.T) {
			first := func(x nx.Tensor, o operandsOf) nx.Tensor {
				return nx.Grad(func(x nx.Tensor) nx.Tensor {
					o.x = x
					return squares(op.f(o))
				})(x)
			}
			second := func(x nx.Tensor, o operandsOf) nx.Tensor {
				return nx.Grad(func(x nx.Tensor) nx.Tensor { return nx.Sum(nx.Mul(first(x, o), direction)) })(x)
			}
			in := vectorOperands(o)
			in.i = nx.Vectorize(o.i.At(0), "j") // an axis that x lacks would add up what is there once
			for order, f := range map[string]func(nx.Tensor, operandsOf) nx.Tensor{"first": first, "second": second} {
				var got nx.Tensor
				if _, err := caughtResults(func() []nx.Tensor { got = nx.Devectorize(f(in.x, in)); return nil }); err != nil {
					t.Fatalf("%s: %v", order, err)
				}
				for at := range 2 * 3 {
					i, j := at/3, at%3
					x := o.x.At(i, j)
					want := f(x, operandsOf{x, o.y.At(j), o.v.At(j), o.i.At(0, j)})
					if have := got.At(i, j); !nx.Item[bool](nx.AllClose(have, want, nx.EqualNaN, nx.Tolerance(1e-9, 1e-9))) {
						t.Fatalf("%s order, element %d, %d: %v\nnot\n%v", order, i, j, have, want)
					}
				}
			}
		})
	}
}
