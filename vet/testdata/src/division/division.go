// Package division has divisions of integers as operands.
package division

import "github.com/go-nx/nx"

const half = 1 / 2

func f(t nx.Tensor, n int) {
	nx.Mul(1/2, t)                   // want `1 / 2 divides integers: its value is 0`
	nx.Add(t, 1+3/2)                 // want `3 / 2 divides integers: its value is 1`
	nx.Pow(t, (1 / 3))               // want `1 / 3 divides integers`
	nx.Mul(-(7 / 2), nx.Sub(t, 5/3)) // want `7 / 2 divides integers: its value is 3` `5 / 3 divides integers`
	nx.Mul(1.0/2, t)
	nx.Mul(4/2, t)
	nx.Mul(n/2, t)
	nx.Mul(half, t)
	nx.Reshape(t, n, 10/2)
	nx.Mul(float64(1)/2, t)
	_ = 1 / 2
}
