package random

import (
	"math"

	"github.com/go-nx/nx/tree"

	"github.com/go-nx/nx"
)

// Keys renamed by these names draw other words: all the smallest, all the largest, or one of the two
// in half of the words at random, for draws that repeat until one is accepted. Splitting is as ever.
func init() {
	forced := map[string]func(words nx.Tensor) nx.Tensor{
		"smallest": tree.ZerosLike[nx.Tensor],
		"largest":  func(words nx.Tensor) nx.Tensor { return nx.FullLike(words, uint32(math.MaxUint32)) },
		"edges": func(words nx.Tensor) nx.Tensor {
			low := nx.BitwiseAnd(nx.RightShift(words, 3), uint32(3))
			words = nx.Where(nx.Equal(low, 0), uint32(0), words)
			return nx.Where(nx.Equal(low, 1), uint32(math.MaxUint32), words)
		},
	}
	for name, f := range forced {
		schemes[name] = scheme{words: f}
		schemes[name+" "+partitionable] = scheme{partitionable: true, words: f}
	}
}
