package nx_test

import (
	"encoding/json"
	"math"
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
	if got := nx.Data[float32](nx.Jit(func(x nx.Tensor) nx.Tensor { return nx.Softmax(x, features) })(x)); !slices.Equal(
		got, want) {
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
	// Packages that call methods and iterators for the user are not the caller.
	two := nx.Zeros(nx.Shape{2}, nx.F32)
	for what, f := range map[string]func() error{
		"json.Unmarshal": func() error {
			return json.Unmarshal([]byte(`{"W":{"dtype":"f32","shape":[-3],"data":[]}}`), &struct{ W nx.Tensor }{})
		},
		"slices.Collect": func() (err error) {
			defer nx.Catch(&err)
			batches := nx.Batches(two, 1)
			nx.Release(two)
			_ = slices.Collect(batches)
			return nil
		},
	} {
		if err := f(); err == nil || !strings.HasPrefix(err.Error(), "nx_test.go:") {
			t.Errorf("%s: got %v", what, err)
		}
	}
}

func TestGammaFunctions(t *testing.T) {
	x := nx.New([]float64{1, 2, 5})
	if got, want := nx.Data[float64](nx.Lgamma(x)), []float64{0, 0, math.Log(24)}; !slices.Equal(got, want) {
		t.Errorf("Lgamma: got %v, want %v", got, want)
	}
	const euler = 0.57721566490153286
	if got, want := nx.Data[float64](nx.Grad(func(x nx.Tensor) nx.Tensor { return nx.Sum(nx.Lgamma(x)) })(x)),
		nx.Data[float64](nx.Digamma(x)); !slices.Equal(got, want) || math.Abs(got[0]+euler) > 1e-15 {
		t.Errorf("Digamma: got %v, the gradient of Lgamma is %v", want, got)
	}
	if got := nx.Item[int](nx.Square(nx.New(int8(-3)))); got != 9 {
		t.Errorf("Square(-3) is %d", got)
	}
}
