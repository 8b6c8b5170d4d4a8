package derivatives_test

import (
	"fmt"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/nxtests/kit"
)

// TestFiniteLogGradient: the logarithm of a probability that is 0 in the element
// type has the gradient of the exact function.
func TestFiniteLogGradient(t *testing.T) {
	for _, d := range []nx.DType{nx.F16, nx.F32, nx.F64} {
		x := nx.New([]float64{-1000, 0, 1000}, nx.As(d))
		for _, c := range []struct {
			name string
			f    func(x nx.Tensor) nx.Tensor
			want []float64
		}{
			{"Log(Sigmoid)", func(x nx.Tensor) nx.Tensor { return nx.Log(nx.Sigmoid(x)) }, []float64{1, 0.5, 0}},
			{"Log1p(-Sigmoid)", func(x nx.Tensor) nx.Tensor { return nx.Log1p(nx.Neg(nx.Sigmoid(x))) },
				[]float64{0, -0.5, -1}},
			{"Log(1-Sigmoid)", func(x nx.Tensor) nx.Tensor { return nx.Log(nx.Sub(1, nx.Sigmoid(x))) },
				[]float64{0, -0.5, -1}},
			{"Log1p(Exp)", func(x nx.Tensor) nx.Tensor { return nx.Log1p(nx.Exp(x)) }, []float64{0, 0.5, 1}},
			{"Log(Softmax)", func(x nx.Tensor) nx.Tensor { return nx.Log(nx.Softmax(x)).At(0) }, []float64{1, 0, -1}},
			{"Log(exp/sum)", func(x nx.Tensor) nx.Tensor {
				e := nx.Exp(nx.Sub(x, nx.Max(x)))
				return nx.Log(nx.Div(e, nx.Sum(e))).At(1)
			}, []float64{0, 1, -1}},
		} {
			kit.SameArray(t, fmt.Sprint(c.name, " of ", d), nx.Grad(c.f)(x), kit.ArrayOf([]int{3}, c.want))
		}
	}
}
