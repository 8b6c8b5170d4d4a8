package jit_test

import (
	"strings"
	"testing"

	"github.com/go-nx/nx"
)

// TestComposite: a block is one op of the graph, computes what its function computes,
// with its derivative, and may use tensors from outside.
func TestComposite(t *testing.T) {
	scale := nx.New([]float64{2, 3})
	f := func(x nx.Tensor) nx.Tensor { return nx.Mul(nx.Sin(x), scale) }
	block := nx.Composite("test.wave", f, nx.Attr("steps", 3), nx.Attr("fast", true), nx.Attr("rate", 0.5),
		nx.Attr("mode", "a b"))
	x := nx.New([]float64{0.5, 1.5})
	for name, g := range map[string]func(nx.Tensor) nx.Tensor{"eager": block, "jit": nx.Jit(block)} {
		if got, want := g(x), f(x); !nx.ArrayEqual(got, want) {
			t.Errorf("%s: %v, not %v", name, got, want)
		}
	}
	sum := func(f func(nx.Tensor) nx.Tensor) func(nx.Tensor) nx.Tensor {
		return func(x nx.Tensor) nx.Tensor { return nx.Sum(f(x)) }
	}
	if got, want := nx.Grad(sum(block))(x), nx.Grad(sum(f))(x); !nx.ArrayEqual(got, want) {
		t.Errorf("the gradient is %v, not %v", got, want)
	}
	xs := nx.Stack([]nx.Tensor{x, nx.Neg(x)})
	if got, want := nx.Vmap(block)(xs), f(xs); !nx.ArrayEqual(got, want) {
		t.Errorf("the batch gives %v, not %v", got, want)
	}
	l, err := nx.Lower(block, nx.Args(x))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`stablehlo.composite "test.wave"`, "steps = 3 : i64", "fast = true",
		"rate = 0.5 : f64", `mode = "a b"`} {
		if !strings.Contains(l.Text(), want) {
			t.Errorf("the program has no %s:\n%s", want, l.Text())
		}
	}
}

// TestCompositesOfOneName: attributes and functions tell blocks apart.
func TestCompositesOfOneName(t *testing.T) {
	x := nx.New(2.0)
	for i, f := range []func(nx.Tensor) nx.Tensor{nx.Sin, nx.Cos, nx.Exp} {
		if got, want := nx.Composite("test.same", f)(x), f(x); !nx.ArrayEqual(got, want) {
			t.Errorf("%d: %v, not %v", i, got, want)
		}
	}
}
