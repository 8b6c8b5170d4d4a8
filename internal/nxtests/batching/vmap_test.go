package batching_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/nxtests/kit"
)

// vmapCases are functions of a vector of three, of every kind that has its own way of
// being batched.
var vmapCases = []struct {
	name string
	f    func(x nx.Tensor) nx.Tensor
}{
	{"elementwise", func(x nx.Tensor) nx.Tensor { return nx.Add(nx.Mul(nx.Sin(x), 2), 1) }},
	{"captured", func(x nx.Tensor) nx.Tensor { return nx.Dot(kit.Matrix(), nx.Add(x, kit.Point())) }},
	{"constant", func(x nx.Tensor) nx.Tensor { return nx.Iota(nx.Shape{2}, nx.S32) }},
	{"reduction", func(x nx.Tensor) nx.Tensor { return nx.Softmax(nx.Sub(x, nx.Max(x))) }},
	{"argmax", func(x nx.Tensor) nx.Tensor { return nx.ArgMax(x) }},
	{"indexed", func(x nx.Tensor) nx.Tensor { return nx.Take(kit.Point(), nx.ArgMin(x)) }},
	{"part", func(x nx.Tensor) nx.Tensor { return nx.Slice(x, []nx.Tensor{nx.ArgMin(x)}, []int{2}) }},
	{"branch", func(x nx.Tensor) nx.Tensor {
		return nx.Cond(nx.Greater(nx.Sum(x), 0), func() nx.Tensor { return nx.Log(nx.Sum(x)) },
			func() nx.Tensor { return x.At(0) })
	}},
	{"loop with its own end", func(x nx.Tensor) nx.Tensor {
		return nx.While(x, func(x nx.Tensor) nx.Tensor { return nx.Greater(nx.Sum(nx.Abs(x)), 0.5) },
			func(x nx.Tensor) nx.Tensor { return nx.Mul(x, 0.7) })
	}},
	{"scan", func(x nx.Tensor) nx.Tensor {
		_, y := nx.Scan(nx.New(0.),
			x, func(c, x nx.Tensor) (nx.Tensor, nx.Tensor) { c = nx.Add(nx.Mul(c, x), 1); return c, c })
		return y
	}},
	{"compiled", nx.Jit(func(x nx.Tensor) nx.Tensor { return nx.Sum(nx.Tanh(x)) })},
	{"gradient", nx.Grad(func(x nx.Tensor) nx.Tensor { return nx.Sum(nx.Mul(nx.Exp(x), x)) })},
	{"gradient of a loop", nx.Grad(func(x nx.Tensor) nx.Tensor {
		return nx.Sum(nx.Fori(3, x, func(_, s nx.Tensor) nx.Tensor { return nx.Mul(s, nx.Cos(s)) }))
	})},
	{"batch within", func(x nx.Tensor) nx.Tensor {
		return nx.Vmap(func(a nx.Tensor) nx.Tensor { return nx.Mul(a, nx.Sum(x)) })(x)
	}},
}

func TestVmapIsTheLoop(t *testing.T) {
	batch := nx.New([][]float64{{0.5, -1.2, 2}, {-0.1, 0.2, -0.3}, {0, 1, -1}, {3, 2, 1}})
	for _, c := range vmapCases {
		t.Run(c.name, func(t *testing.T) {
			var each []nx.Tensor
			for i := range 4 {
				each = append(each, c.f(batch.At(i)))
			}
			want := nx.Stack(each, nx.Axis(0))
			for form, f := range map[string]func(nx.Tensor) nx.Tensor{
				"eager": nx.Vmap(c.f), "compiled": nx.Jit(nx.Vmap(c.f)), "of compiled": nx.Vmap(nx.Jit(c.f)),
			} {
				got := f(batch)
				if !got.Spec().Equal(want.Spec()) {
					t.Fatalf("%s: %v, want %v", form, got.Spec(), want.Spec())
				}
				kit.RequireNear(t, form, got, want)
			}
			none := nx.Vmap(c.f)(nx.Zeros(nx.Shape{0, 3}, nx.F64))
			if got, want := none.Shape(), append(nx.Shape{0}, want.Shape()[1:]...); got.String() != want.String() {
				t.Errorf("of an empty batch: %v, want %v", got, want)
			}
		})
	}
}

type vmapModel struct {
	Layers []struct{ W, B nx.Tensor }
	Name   string
}

func TestVmapAxes(t *testing.T) {
	m := vmapModel{Layers: make([]struct{ W, B nx.Tensor }, 1), Name: "m"}
	m.Layers[0].W = nx.New([][]float64{{1, 2}, {3, 4}, {5, 6}})
	m.Layers[0].B = nx.New([]float64{10, 20})
	x := nx.New([][]float64{{1, 2, 3}, {4, 5, 6}}, nx.Names("features", "batch")) // three elements of two
	f := func(m vmapModel, x nx.Tensor) (nx.Tensor, nx.Tensor) {
		return nx.Add(nx.Dot(m.Layers[0].W, x), nx.Sum(m.Layers[0].B)), nx.Sum(m.Layers[0].W)
	}
	y, s := nx.Vmap(f, nx.InAxes(nil, "batch"), nx.OutAxes(-1, nil))(m, x)
	if got := y.Spec().String(); got != "f64[3][batch: 3]" {
		t.Errorf("the result is %s", got)
	}
	kit.RequireNear(t, "shared weights", y, nx.Add(nx.Dot(m.Layers[0].W, x), 30))
	kit.RequireNear(t, "what does not depend on the batch", s, nx.New(21.))

	// One bias for each element of the batch, the weights shared.
	m.Layers[0].B = nx.New([][]float64{{1, 1}, {2, 2}, {3, 3}})
	y, _ = nx.Vmap(f, nx.InAxes(map[string]any{"Layers[0].B": 0}, 1))(m, x)
	kit.RequireNear(t, "one bias each", y, nx.Transpose(nx.Add(nx.Dot(m.Layers[0].W, x), nx.New([]float64{2, 4, 6}))))
}

// TestVmapGradients compares gradients of and through batches with sums over the loop.
func TestVmapGradients(t *testing.T) {
	w := nx.New([]float64{0.3, -0.2, 0.9})
	xs := nx.New([][]float64{{1, 2, 3}, {-1, 0.5, 2}})
	loss := func(w, x nx.Tensor) nx.Tensor { return nx.Tanh(nx.Sum(nx.Mul(w, nx.Mul(x, w)))) }
	each := nx.Vmap(func(x nx.Tensor) nx.Tensor {
		return nx.Grad(func(w nx.Tensor) nx.Tensor { return loss(w, x) })(w)
	})(xs)
	sum := nx.Grad(func(w nx.Tensor) nx.Tensor { return nx.Sum(nx.Vmap(loss, nx.InAxes(nil, 0))(w, xs)) })(w)
	kit.RequireNear(t, "the sum of the gradients is the gradient of the sum", nx.Sum(each, nx.Axis(0)), sum)
	for i := range 2 {
		kit.RequireNear(t, fmt.Sprint("example ", i), each.At(i),
			nx.Grad(func(w nx.Tensor) nx.Tensor { return loss(w, xs.At(i)) })(w))
	}
}

// TestVmapOfCustomRules wants the rules, not the derivatives of what they stand for.
func TestVmapOfCustomRules(t *testing.T) {
	xs, w := nx.New([]float64{1, 2, 3}), nx.New(5.)
	double := nx.CustomJVP(nx.Sin, func(x, y, dx nx.Tensor) nx.Tensor { return nx.Mul(dx, 2) })
	got := nx.Grad(func(x nx.Tensor) nx.Tensor { return nx.Sum(nx.Vmap(double)(x)) })(xs)
	kit.RequireNear(t, "CustomJVP", got, nx.New([]float64{2, 2, 2}))
	kit.RequireNear(t, "CustomJVP, value", nx.Vmap(double)(xs), nx.Sin(xs))

	type pair struct{ X, W nx.Tensor }
	rule := nx.CustomVJP(
		func(p pair) (nx.Tensor, nx.Tensor) { return nx.Mul(p.X, p.W), p.X },
		func(x nx.Tensor, ct nx.Tensor) pair { return pair{nx.Mul(ct, 10), nx.Mul(ct, x)} })
	g := nx.Grad(func(p pair) nx.Tensor {
		return nx.Sum(nx.Vmap(rule, nx.InAxes(map[string]any{"X": 0}))(p))
	})(pair{xs, w})
	kit.RequireNear(t, "CustomVJP, batched", g.X, nx.New([]float64{10, 10, 10}))
	kit.RequireNear(t, "CustomVJP, shared", g.W, nx.New(6.))

	layer := nx.Checkpoint(func(x nx.Tensor) nx.Tensor { return nx.Sin(nx.Mul(x, x)) })
	kit.RequireNear(t, "Checkpoint", nx.Grad(func(x nx.Tensor) nx.Tensor { return nx.Sum(nx.Vmap(layer)(x)) })(xs),
		nx.Mul(nx.Mul(2, xs), nx.Cos(nx.Mul(xs, xs))))
}

func TestVmapConcurrently(t *testing.T) {
	f := nx.Jit(nx.Vmap(func(x nx.Tensor) nx.Tensor { return nx.Sum(nx.Exp(x)) }))
	xs := nx.New([][]float64{{1, 2}, {3, 4}})
	want := nx.Sum(nx.Exp(xs), nx.Axis(1))
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() { kit.RequireNear(t, "concurrent", f(xs), want) })
	}
	wg.Wait()
}

func TestVmapReturnsErrors(t *testing.T) {
	f := nx.Vmap(func(x nx.Tensor) (nx.Tensor, error) { return nx.Exp(x), nil })
	if _, err := f(nx.New(1.)); !errors.As(err, new(*nx.Error)) || !strings.Contains(err.Error(), "axis 0") {
		t.Errorf("of a scalar: %v", err)
	}
}
