package transformers

import (
	"math"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/nn"
)

// RelativeBias adds to the scores of attention a number for each head and range of distances.
//
// Source: C. Raffel et al., 2019, arXiv:1910.10683, section 2.1.
type RelativeBias struct {
	Table         *nn.Embedding `nn:",inline"` // [buckets, heads]
	Distance      int           // from which all are in the last range
	Bidirectional bool          // positions to the left and right have ranges of their own
}

// bucket is the range of a distance, key - query. It is computed as f32, in which its rounding was trained.
func (r *RelativeBias) bucket(distance int) int {
	n, first := r.Table.Weight.Shape()[0], 0
	if r.Bidirectional {
		n /= 2
		if distance > 0 {
			first = n
		}
		distance = max(distance, -distance)
	} else {
		distance = max(-distance, 0)
	}
	exact := n / 2
	if distance < exact || exact == 0 {
		return first + min(distance, n-1)
	}
	log := float32(math.Log(float64(float32(distance) / float32(exact))))
	scale := float32(math.Log(float64(r.Distance) / float64(exact)))
	return first + min(exact+int(log/scale*float32(n-exact)), n-1)
}

// apply is the bias of queries at positions, s32 [batch, time], to keys 0 to keys-1: [batch, heads, time, keys].
func (r *RelativeBias) apply(c *nn.Ctx, positions nx.Tensor, keys int) nx.Tensor {
	// All distances from -(keys-1) to keys-1.
	buckets := make([]int32, 2*keys-1)
	for i := range buckets {
		buckets[i] = int32(r.bucket(i - keys + 1))
	}
	s := positions.Shape()
	distance := nx.Sub(nx.Iota(nx.Shape{s[0], s[1], keys}, nx.S32, nx.Axis(2)), nx.ExpandAxis(positions, nx.Axis(2)))
	of := nx.Take(nx.FromSlice(buckets, nx.Shape{len(buckets)}), nx.Add(distance, keys-1))
	return nx.Transpose(r.Table.Apply(c, of), nx.Axis(0, 3, 1, 2))
}
