// Package flow has what defn makes of the definitions in package flowdefs.
package flow

import (
	"math"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/defn"
	"github.com/go-nx/nx/internal/nxtests/definitions/flowdefs"
)

// TestFlow compares what is made of definitions with the definitions, which Go runs on numbers.
func TestFlow(t *testing.T) {
	numbers := []float64{-3.25, -1, 0, 0.75, 1.5, 2.5, 7}
	for name, f := range map[string]struct {
		plain func(x, y defn.Tensor) defn.Tensor
		graph func(x, y nx.Tensor) nx.Tensor
	}{
		"ReturnRange":            {of(flowdefs.ReturnRange), of(ReturnRange)},
		"StaticSwitch":           {of(flowdefs.StaticSwitch), of(StaticSwitch)},
		"Bisect":                 {of(flowdefs.Bisect), of(Bisect)},
		"Forever":                {of(flowdefs.Forever), of(Forever)},
		"ReturnFor":              {flowdefs.ReturnFor, ReturnFor},
		"ReturnNested":           {flowdefs.ReturnNested, ReturnNested},
		"Labelled":               {flowdefs.Labelled, Labelled},
		"LabelledMixed":          {flowdefs.LabelledMixed, LabelledMixed},
		"LabelledMixed2":         {flowdefs.LabelledMixed2, LabelledMixed2},
		"ReturnInBoth":           {flowdefs.ReturnInBoth, ReturnInBoth},
		"ReturnInBoth2":          {flowdefs.ReturnInBoth2, ReturnInBoth2},
		"SwitchBreak":            {flowdefs.SwitchBreak, SwitchBreak},
		"SwitchInLoop":           {flowdefs.SwitchInLoop, SwitchInLoop},
		"SwitchLabelled":         {flowdefs.SwitchLabelled, SwitchLabelled},
		"SwitchFromLoop":         {flowdefs.SwitchFromLoop, SwitchFromLoop},
		"Pair":                   {flowdefs.Pair, Pair},
		"Named":                  {flowdefs.Named, Named},
		"StaticReturnAfterBreak": {flowdefs.StaticReturnAfterBreak, StaticReturnAfterBreak},
	} {
		compiled := nx.Jit(f.graph)
		for _, x := range numbers {
			for _, y := range numbers {
				want := float64(f.plain(defn.Tensor(x), defn.Tensor(y)))
				got := nx.Item[float64](compiled(nx.New(x), nx.New(y)))
				if !(math.Abs(got-want) <= 1e-9*(1+math.Abs(want))) {
					t.Errorf("%s(%v, %v) = %v, on numbers %v", name, x, y, got, want)
				}
			}
		}
	}
}

// of makes a function of two arguments of one of the first.
func of[T any](f func(x T) T) func(x, y T) T { return func(x, _ T) T { return f(x) } }

// TestFlowGradients compares gradients through returns of loops with differences.
func TestFlowGradients(t *testing.T) {
	const h = 1e-5
	for name, f := range map[string]func(x, y nx.Tensor) nx.Tensor{
		"ReturnNested": ReturnNested, "ReturnInBoth": ReturnInBoth, "SwitchLabelled": SwitchLabelled, "Pair": Pair,
	} {
		grad := nx.Jit(nx.Grad(func(x nx.Tensor) nx.Tensor { return f(x, nx.New(0.6)) }))
		for _, x := range []float64{-1.37, 0.41, 1.83} {
			at := func(x float64) float64 { return nx.Item[float64](f(nx.New(x), nx.New(0.6))) }
			want := (at(x+h) - at(x-h)) / (2 * h)
			if got := nx.Item[float64](grad(nx.New(x))); math.Abs(got-want) > 1e-6*(1+math.Abs(want)) {
				t.Errorf("the derivative of %s at %v is %v, by differences %v", name, x, got, want)
			}
		}
	}
}
