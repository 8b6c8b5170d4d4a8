// Package loop compiles in loops.
package loop

import "github.com/go-nx/nx"

func square(x nx.Tensor) nx.Tensor { return nx.Mul(x, x) }

type model struct{ step func(nx.Tensor) nx.Tensor }

func f(x nx.Tensor, rates []float64) []func(nx.Tensor) nx.Tensor {
	var kept []func(nx.Tensor) nx.Tensor
	byRate := map[float64]func(nx.Tensor) nx.Tensor{}
	var m model
	for _, r := range rates {
		step := nx.Jit(func(x nx.Tensor) nx.Tensor { return nx.Mul(r, x) }) // want `nx.Jit in a loop compiles`
		x = step(x)
		x = nx.Jit(square, nx.Donate(0))(x) // want `nx.Jit in a loop`
		x = nx.Jit(square)(x)
		kept = append(kept, nx.Jit(func(x nx.Tensor) nx.Tensor { return nx.Mul(r, x) }))
		byRate[r] = nx.Jit(func(x nx.Tensor) nx.Tensor { return nx.Mul(r, x) })
		m.step = nx.Jit(func(x nx.Tensor) nx.Tensor { return nx.Mul(r, x) })
	}
	once := nx.Jit(func(x nx.Tensor) nx.Tensor { return nx.Exp(x) })
	for range 10 {
		x = once(x)
		for i := 0; i < 3; i++ {
			x = nx.Jit(func(x nx.Tensor) nx.Tensor { return nx.Sin(x) })(x) // want `nx.Jit in a loop`
		}
		later := func() func(nx.Tensor) nx.Tensor { return nx.Jit(func(x nx.Tensor) nx.Tensor { return x }) }
		_ = later
	}
	for step := nx.Jit(func(x nx.Tensor) nx.Tensor { return nx.Cos(x) }); len(kept) > 0; {
		return []func(nx.Tensor) nx.Tensor{step}
	}
	return kept
}
