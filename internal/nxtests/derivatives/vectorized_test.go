package derivatives_test

import (
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/nxtests/kit"
)

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
	o := kit.SampleOperands()
	direction := nx.Sin(nx.Iota(nx.Shape{4, 4}, nx.F64))
	for name, op := range kit.EveryOp {
		t.Run(name, func(t *testing.T) {
			first := func(x nx.Tensor, o kit.Operands) nx.Tensor {
				return nx.Grad(func(x nx.Tensor) nx.Tensor {
					o.X = x
					return squares(op.F(o))
				})(x)
			}
			second := func(x nx.Tensor, o kit.Operands) nx.Tensor {
				return nx.Grad(func(x nx.Tensor) nx.Tensor { return nx.Sum(nx.Mul(first(x, o), direction)) })(x)
			}
			in := kit.VectorOperands(o)
			in.I = nx.Vectorize(o.I.At(0), "j") // an axis that x lacks would add up what is there once
			for order, f := range map[string]func(nx.Tensor, kit.Operands) nx.Tensor{"first": first, "second": second} {
				var got nx.Tensor
				if _, err := kit.CaughtResults(func() []nx.Tensor {
					got = nx.Devectorize(f(in.X, in))
					return nil
				}); err != nil {
					t.Fatalf("%s: %v", order, err)
				}
				for at := range 2 * 3 {
					i, j := at/3, at%3
					x := o.X.At(i, j)
					want := f(x, kit.Operands{X: x, Y: o.Y.At(j), V: o.V.At(j), I: o.I.At(0, j)})
					have := got.At(i, j)
					if !nx.Item[bool](nx.AllClose(have, want, nx.EqualNaN, nx.Tolerance(1e-9, 1e-9))) {
						t.Fatalf("%s order, element %d, %d: %v\nnot\n%v", order, i, j, have, want)
					}
				}
			}
		})
	}
}
