package shapes_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/nxtests/kit"
)

// TestEveryOpNamed: results have the names that the rules give them, and the values that they
// have without names.
func TestEveryOpNamed(t *testing.T) {
	o := kit.SampleOperands()
	plain := kit.Operands{X: o.X.At(0, 0), Y: o.Y.At(0), V: o.V.At(0), I: o.I.At(0, 0)}
	named := plain
	named.X = nx.Rename(plain.X, "r", "c")
	for name, op := range kit.EveryOp {
		var got []string
		want := op.F(plain)
		for i, r := range op.F(named) {
			names := slices.Clone(r.Names())
			for k := range names {
				if names[k] == "" {
					names[k] = "_"
				}
			}
			got = append(got, strings.Join(names, ","))
			if !kit.NearlyEqual(r, want[i]) {
				t.Errorf("%s: result %d is\n%v\nnot\n%v", name, i, r, want[i])
			}
		}
		if s := strings.Join(got, ";"); s != strings.ReplaceAll(op.Names, " ", ";") {
			t.Errorf("%s: the names are %q, not %q", name, s, op.Names)
		}
	}
}

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
	compiled := nx.Jit(func(x nx.Tensor) nx.Tensor { return nx.Softmax(x, features) })
	if got := nx.Data[float32](compiled(x)); !slices.Equal(got, want) {
		t.Errorf("compiled: got %v, want %v", got, want)
	}
}
