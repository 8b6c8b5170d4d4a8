// Package flow has what defn makes of the definitions in package flowdefs.
package flow

import (
	"math"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/nxtests/definitions/flowdefs"
	"github.com/go-nx/nx/internal/nxtests/kit"
)

// TestFlow compares what is made of definitions with the definitions, which Go runs on numbers.
func TestFlow(t *testing.T) {
	kit.OnNumbers(t, "ReturnRange", kit.OfFirst(flowdefs.ReturnRange), kit.OfFirst(ReturnRange))
	kit.OnNumbers(t, "StaticSwitch", kit.OfFirst(flowdefs.StaticSwitch), kit.OfFirst(StaticSwitch))
	kit.OnNumbers(t, "Bisect", kit.OfFirst(flowdefs.Bisect), kit.OfFirst(Bisect))
	kit.OnNumbers(t, "Forever", kit.OfFirst(flowdefs.Forever), kit.OfFirst(Forever))
	kit.OnNumbers(t, "ReturnFor", flowdefs.ReturnFor, ReturnFor)
	kit.OnNumbers(t, "ReturnNested", flowdefs.ReturnNested, ReturnNested)
	kit.OnNumbers(t, "Labelled", flowdefs.Labelled, Labelled)
	kit.OnNumbers(t, "LabelledMixed", flowdefs.LabelledMixed, LabelledMixed)
	kit.OnNumbers(t, "LabelledMixed2", flowdefs.LabelledMixed2, LabelledMixed2)
	kit.OnNumbers(t, "ReturnInBoth", flowdefs.ReturnInBoth, ReturnInBoth)
	kit.OnNumbers(t, "ReturnInBoth2", flowdefs.ReturnInBoth2, ReturnInBoth2)
	kit.OnNumbers(t, "SwitchBreak", flowdefs.SwitchBreak, SwitchBreak)
	kit.OnNumbers(t, "SwitchInLoop", flowdefs.SwitchInLoop, SwitchInLoop)
	kit.OnNumbers(t, "SwitchLabelled", flowdefs.SwitchLabelled, SwitchLabelled)
	kit.OnNumbers(t, "SwitchFromLoop", flowdefs.SwitchFromLoop, SwitchFromLoop)
	kit.OnNumbers(t, "Pair", flowdefs.Pair, Pair)
	kit.OnNumbers(t, "Named", flowdefs.Named, Named)
	kit.OnNumbers(t, "StaticReturnAfterBreak", flowdefs.StaticReturnAfterBreak, StaticReturnAfterBreak)
}

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
