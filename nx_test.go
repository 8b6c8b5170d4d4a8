package nx_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/go-nx/nx"
)

func TestSoftmaxByName(t *testing.T) {
	x := nx.New([][]float32{{1, 2}, {3, 4}}, nx.Names("batch", "features"))
	features := nx.Axis("features")
	e := nx.Exp(nx.Sub(x, nx.Max(x, features, nx.KeepAxes)))
	s := nx.Div(e, nx.Sum(e, features, nx.KeepAxes))
	if got := s.Spec().String(); got != "f32[batch: 2][features: 2]" {
		t.Errorf("the softmax is %s", got)
	}
	want := []float32{0.26894143, 0.7310586, 0.26894143, 0.7310586}
	if got := nx.Data[float32](s); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := nx.Data[float32](nx.Jit(func(x nx.Tensor) nx.Tensor { return nx.Softmax(x, features) })(x)); !slices.Equal(got, want) {
		t.Errorf("compiled: got %v, want %v", got, want)
	}
}

func TestMisuseNamesTheCaller(t *testing.T) {
	add := func() (err error) {
		defer nx.Catch(&err)
		nx.Add(nx.Zeros(nx.Shape{2}, nx.F32), nx.Zeros(nx.Shape{3}, nx.F32))
		return nil
	}
	err := add()
	if err == nil || !strings.HasPrefix(err.Error(), "nx_test.go:") || !strings.Contains(err.Error(), "sizes 2 and 3") {
		t.Errorf("got %v", err)
	}
}
