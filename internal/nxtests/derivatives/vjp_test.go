package derivatives_test

import (
	"slices"
	"testing"

	"github.com/go-nx/nx"
)

func TestVJPOfSeveral(t *testing.T) {
	type out struct {
		Y nx.Tensor
		N nx.Tensor // integers: no cotangent
		Z []nx.Tensor
	}
	f := func(x nx.Tensor) out {
		return out{Y: nx.Mul(x, x), N: nx.ArgMax(x), Z: []nx.Tensor{nx.Sum(x)}}
	}
	r, pull := nx.VJP(f, nx.New([]float32{1, 2}))
	if nx.Item[int](r.N) != 1 || nx.Item[int](r.Z[0]) != 3 {
		t.Errorf("the result is %v", r)
	}
	g := pull(out{Y: nx.New([]float32{1, 10}), Z: []nx.Tensor{{}}})
	if got := nx.Data[float32](g); !slices.Equal(got, []float32{2, 40}) {
		t.Errorf("got %v", got)
	}
	_, pull2 := nx.VJP(func(z nx.Tensor) nx.Tensor { return nx.Mul(z, z) }, nx.New(1+2i))
	if got := nx.Item[complex128](pull2(nx.New(1 + 0i))); got != 2+4i {
		t.Errorf("got %v", got)
	}
}
