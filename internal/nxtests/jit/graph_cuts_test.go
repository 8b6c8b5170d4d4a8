package jit_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/go-nx/nx/debug"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/nxtests/kit"
	"github.com/go-nx/nx/stablehlo"
)

// atMarks cuts after the ops that debug.Mark names.
func atMarks(op *stablehlo.Op) nx.Cut {
	if debug.MarkName(op) != "" {
		return nx.CutAfter
	}
	return nx.NoCut
}

func TestGraph(t *testing.T) {
	var s kit.Recorder
	w := nx.New([]float64{2, 3})
	f := func(x nx.Tensor) (nx.Tensor, nx.Tensor) {
		h := debug.Mark("hidden", nx.Mul(w, nx.Sin(x)))
		h = debug.Hook("h", h, s.Add)
		y := nx.Fori(3, h, func(_, y nx.Tensor) nx.Tensor { return debug.Mark("inside", nx.Mul(y, 1.5)) })
		pair := debug.Mark("pair", []nx.Tensor{y, nx.Sum(h)})
		return nx.Add(pair[0], pair[1]), x
	}
	x := nx.New([]float64{0.5, 1})
	wantY, wantX := f(x)
	s.Take()
	l, err := nx.Lower(f, nx.Args(x))
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		at func(op *stablehlo.Op) nx.Cut
		n  int
	}{
		"nowhere":    {func(*stablehlo.Op) nx.Cut { return nx.NoCut }, 1},
		"at marks":   {atMarks, 3}, // a mark in a loop is not a cut
		"everywhere": {func(*stablehlo.Op) nx.Cut { return nx.CutAround }, -1},
		"around hooks": {func(op *stablehlo.Op) nx.Cut {
			if op.Code == stablehlo.OpCustomCall {
				return nx.CutAround
			}
			return nx.NoCut
		}, 3},
	} {
		g, err := l.Split(c.at)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		list, results := g.Stages()
		if c.n >= 0 && len(list) != c.n {
			t.Errorf("%s: %d stages", name, len(list))
		}
		if want := (nx.Source{Stage: -1}); results[1] != want {
			t.Errorf("%s: the second result comes from %v", name, results[1])
		}
		for range 2 {
			out, err := g.Run(t.Context(), x)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			kit.RequireNear(t, name, out[0], wantY)
			kit.RequireNear(t, name, out[1], wantX)
			if got := s.Take(); !slices.Equal(got, nx.Data[float64](nx.Mul(w, nx.Sin(x)))) {
				t.Errorf("%s: the hook got %v", name, got)
			}
		}
	}
	kit.RequireNear(t, "the gradient through marks",
		nx.Grad(func(x nx.Tensor) nx.Tensor {
			return nx.Sum(debug.Mark("x", nx.Sin(debug.Mark("y", x))))
		})(x), nx.Cos(x))
	kit.RequireNear(t, "a batch through marks",
		nx.Vmap(func(x nx.Tensor) nx.Tensor { return debug.Mark("x", nx.Sin(x)) })(x),
		nx.Sin(x))
}

func TestGraphErrors(t *testing.T) {
	x := nx.New([]float64{0.5, 1})
	l, err := nx.Lower(func(x nx.Tensor) nx.Tensor {
		y := nx.RuntimeCall(nx.Sin(x), nx.Zeros(nx.Shape{2}, nx.F64), func(x nx.Tensor) (nx.Tensor, error) {
			if nx.Data[float64](x)[0] < 0 {
				return x, errors.New("below zero")
			}
			return x, nil
		})
		return nx.Exp(y)
	}, nx.Args(x))
	if err != nil {
		t.Fatal(err)
	}
	g, err := l.Split(func(*stablehlo.Op) nx.Cut { return nx.CutAfter })
	if err != nil {
		t.Fatal(err)
	}
	if _, err := g.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "takes 1 input, got 0") {
		t.Errorf("without inputs: %v", err)
	}
	if _, err := g.Run(t.Context(), nx.Neg(x)); err == nil || !strings.Contains(err.Error(), "stage 1: ") ||
		!strings.Contains(err.Error(), "below zero") {
		t.Errorf("a stage that fails: %v", err)
	}
	if _, err := g.Run(t.Context(), x); err != nil {
		t.Errorf("after that: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := g.Run(ctx, x); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if err := kit.Caught(func() { new(nx.Graph).Stages() }); !errors.Is(err, nx.ErrArgument) {
		t.Errorf("the zero graph: %v", err)
	}
}
