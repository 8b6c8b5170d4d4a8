package defs

import . "github.com/go-nx/nx/defn"

// Spread is an expression of several lines.
func Spread(a, b, c Tensor) Tensor {
	sum := a*2 +
		Dot(b, c) +
		Sum(Exp(c))
	for range Steps(3) {
		sum += Tanh(
			sum * Sum(c))
		sum = sum - 2*
			(sum*c)
	}
	return sum
}

// Watch calls a function.
func Watch(x Tensor, f func(Tensor) Tensor) Tensor {
	y := x + 1
	return f(
		y * 2)
}
