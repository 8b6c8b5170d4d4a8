package generate

import (
	"github.com/go-nx/nx"
	"github.com/go-nx/nx/transformers"
)

var forget = nx.Jit(forgetStep, nx.Donate(0))

// forgetStep makes the keys and values of a slot zeros. A mask gives those of other sequences the weight 0, which is
// enough for numbers, but 0·NaN is NaN.
func forgetStep(cache transformers.Cache, slot nx.Tensor) transformers.Cache {
	zeros := func(list []nx.Tensor) (out []nx.Tensor) {
		for _, t := range list {
			row := nx.Zeros(append(nx.Shape{1}, t.Shape()[1:]...), t.DType())
			out = append(out, nx.SetSlice(t, row, slot, 0, 0, 0))
		}
		return out
	}
	cache.K, cache.V = zeros(cache.K), zeros(cache.V)
	return cache
}
