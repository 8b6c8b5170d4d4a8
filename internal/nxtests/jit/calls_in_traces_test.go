package jit_test

import (
	"strings"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/nxtests/kit"
)

// A compiled function called inside another is traced once and stays one function
// of the program, however often it is called.
func TestCallsStayCalls(t *testing.T) {
	traced := 0
	layer := nx.Jit(func(w, x nx.Tensor) nx.Tensor {
		traced++
		return nx.Tanh(nx.Mul(w, x))
	})
	f := func(x nx.Tensor) nx.Tensor {
		for range 3 {
			x = layer(x, x)
		}
		return nx.Fori(2, x, func(_, x nx.Tensor) nx.Tensor { return layer(x, x) })
	}
	x := nx.New([]float64{0.5, 2})
	text := kit.Lowered(t, f, x)
	if n := strings.Count(text, "stablehlo.tanh"); n != 1 || traced != 1 {
		t.Errorf("traced %d times, tanh is there %d times:\n%s", traced, n, text)
	}
	if n := strings.Count(text, "call @"); n != 4 {
		t.Errorf("there are %d calls:\n%s", n, text)
	}
	plain := func(x nx.Tensor) nx.Tensor {
		for range 5 {
			x = nx.Tanh(nx.Mul(x, x))
		}
		return x
	}
	kit.CloseTo(t, "value", nx.Jit(f)(x), nx.Data[float64](plain(x))...)
	kit.CloseTo(t, "gradient", nx.Grad(f)(x), nx.Data[float64](nx.Grad(plain)(x))...)
}

// Functions with results and arguments of all kinds can be called inside a trace.
func TestCallOfContainers(t *testing.T) {
	type pair struct{ A, B nx.Tensor }
	f := nx.Jit(func(p pair, n int, none nx.Tensor) (map[string]pair, nx.Tensor, error) {
		return map[string]pair{"x": {nx.Mul(p.A, n), nx.Tensor{}}}, nx.Add(p.A, p.B), nil
	})
	g := nx.Jit(func(a nx.Tensor) nx.Tensor {
		m, s, err := f(pair{a, nx.New(10.0)}, 3, nx.Tensor{})
		if err != nil || !m["x"].B.IsZero() {
			t.Errorf("got %v, %v", m, err)
		}
		return nx.Add(m["x"].A, s)
	})
	kit.CloseTo(t, "sum", g(nx.New(2.0)), 6+12)
}

// The derivative of a function that is called several times is one function, or two that
// share what they keep, also beside other derivatives and batched.
func TestCallsAreDifferentiatedOnce(t *testing.T) {
	layer := nx.Jit(func(w, x nx.Tensor) nx.Tensor { return nx.Tanh(nx.Mul(w, x)) })
	f := func(x nx.Tensor) nx.Tensor {
		for range 5 {
			x = layer(x, x)
		}
		return nx.Sum(x)
	}
	plain := func(x nx.Tensor) nx.Tensor {
		for range 5 {
			x = nx.Tanh(nx.Mul(x, x))
		}
		return nx.Sum(x)
	}
	x := nx.New([]float64{0.5, 2})
	text := kit.Lowered(t, nx.Grad(f), x)
	if n, calls := strings.Count(text, "stablehlo.tanh"), strings.Count(text, "call @"); n != 1 || calls != 10 {
		t.Errorf("tanh is there %d times, and there are %d calls:\n%s", n, calls, text)
	}
	both := func(f func(nx.Tensor) nx.Tensor) func(nx.Tensor) nx.Tensor {
		return func(x nx.Tensor) nx.Tensor { return nx.Add(nx.Grad(f)(x), nx.Grad(nx.Grad(f))(x)) }
	}
	kit.CloseTo(t, "gradients", both(f)(x), nx.Data[float64](both(plain)(x))...)
	rows := nx.New([][]float64{{0.5, 2}, {0.1, -1}})
	kit.CloseTo(t, "batched", nx.Vmap(nx.Grad(f))(rows), nx.Data[float64](nx.Vmap(nx.Grad(plain))(rows))...)
	if n := strings.Count(kit.Lowered(t, both(f), x), "func.func"); n > 12 {
		t.Errorf("the first and second derivative have %d functions", n)
	}
}
