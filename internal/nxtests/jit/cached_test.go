package jit_test

import (
	"context"
	"testing"

	"github.com/go-nx/nx/debug"

	"github.com/go-nx/nx"
)

func TestCached(t *testing.T) {
	v := func(n int) nx.Tensor { return nx.Ones(nx.Shape{n}, nx.F64) }
	f := nx.Jit(func(x nx.Tensor) nx.Tensor { return nx.Exp(x) })
	g := nx.Jit(func(_ context.Context, p map[string]nx.Tensor, x nx.Tensor) (nx.Tensor, error) {
		return nx.Add(p["w"], x), nil
	})
	check := func(what string, got, want bool) {
		t.Helper()
		if got != want {
			t.Errorf("%s: cached is %v", what, got)
		}
	}
	check("before the first call", debug.Cached(f, v(2)), false)
	f(v(2))
	check("after it", debug.Cached(f, v(2)), true)
	check("by its type", debug.Cached(f, nx.Spec{DType: nx.F64, Shape: nx.Shape{2}}), true)
	check("of another size", debug.Cached(f, v(3)), false)
	check("which compiled nothing", debug.Cached(f, v(3)), false)
	p := map[string]nx.Tensor{"w": v(2)}
	check("of containers before", debug.Cached(g, p, v(2)), false)
	if _, err := g(t.Context(), p, v(2)); err != nil {
		t.Fatal(err)
	}
	check("of containers", debug.Cached(g, p, v(2)), true)
	check("a function that is not compiled", debug.Cached(nx.Exp, v(2)), false)
	exe, err := nx.Compile(func(x nx.Tensor) nx.Tensor { return nx.Sin(x) }, nx.Args(v(2)))
	if err != nil {
		t.Fatal(err)
	}
	check("compiled ahead", debug.Cached(exe.Call, v(2)), true)
	check("compiled ahead for another size", debug.Cached(exe.Call, v(3)), false)

	zero := nx.New([]float64{0}).At(0)
	check("a stream before its first step", debug.StreamCached(cachedStep, zero, v(7)), false)
	s := nx.Stream(t.Context(), cachedStep, zero)
	s.Send(v(7))
	s.Recv()
	check("a stream", debug.StreamCached(cachedStep, zero, v(7)), true)
	check("a stream of other inputs", debug.StreamCached(cachedStep, zero, v(8)), false)
	check("a stream of a closure",
		debug.StreamCached(func(c, x nx.Tensor) (nx.Tensor, nx.Tensor) { return c, v(1) }, zero, v(7)), false)
}

func cachedStep(c, x nx.Tensor) (nx.Tensor, nx.Tensor) { return nx.Add(c, nx.Sum(x)), c }
