package optim_test

import (
	"fmt"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/optim"
)

// A schedule is a function of the number of updates; it is sampled for a plot.
func ExampleSample() {
	s := optim.WarmupCosine(0, 1, 100, 500, .1)
	steps, values := optim.Sample(s, 600, 7)
	for i, v := range values {
		fmt.Printf("%d: %.3f\n", steps[i], v)
	}
	// Output:
	// 0: 0.000
	// 100: 1.000
	// 200: 0.868
	// 300: 0.550
	// 400: 0.232
	// 500: 0.100
	// 600: 0.100
}

// Biases learn ten times as fast, and the rest decays.
func ExampleGroups() {
	opt := optim.Groups(func(l optim.Leaf) string {
		if optim.Matrices(l) {
			return "weights"
		}
		return "biases"
	}, map[string]optim.Transform{
		"weights": optim.AdamW(.01, .1),
		"biases":  optim.Adam(.1),
	})
	type layer struct{ Weight, Bias nx.Tensor }
	l := layer{nx.Ones(nx.Shape{1, 1}, nx.F32), nx.Ones(nx.Shape{1}, nx.F32)}
	l, _ = optim.Update(opt, l, optim.Init(opt, l), l)
	fmt.Printf("%.3f %.3f\n", nx.Item[float64](l.Weight), nx.Item[float64](l.Bias))
	// Output:
	// 0.989 0.900
}
