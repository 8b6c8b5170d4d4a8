// Package bench has the workloads that are compared with other array libraries: the same work on the same inputs under
// the same names.
package bench

import (
	"github.com/go-nx/nx"
)

// uniform returns element i as the i-th output of splitmix64 from state 0,
// mapped to [-scale, scale).
func uniform(scale float64, n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		z := uint64(i+1) * 0x9E3779B97F4A7C15
		z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
		z = (z ^ z>>27) * 0x94D049BB133111EB
		z ^= z >> 31
		out[i] = (float64(z>>11)*0x1p-53*2 - 1) * scale
	}
	return out
}

// input returns a tensor of uniform numbers in [-1, 1).
func input(d nx.DType, shape ...int) nx.Tensor { return scaled(1, d, shape...) }

// scaled returns a tensor of uniform numbers in [-scale, scale).
func scaled(scale float64, d nx.DType, shape ...int) nx.Tensor {
	s := nx.Shape(shape)
	v := uniform(scale, s.Size())
	if d != nx.F32 {
		return nx.Cast(nx.FromSlice(v, s), d)
	}
	f := make([]float32, len(v))
	for i, x := range v {
		f[i] = float32(x)
	}
	return nx.FromSlice(f, s)
}

// indices returns n integers in [0, high).
func indices(n, high int) nx.Tensor {
	out := make([]int32, n)
	for i, x := range uniform(1, n) {
		out[i] = int32((x + 1) / 2 * float64(high))
	}
	return nx.FromSlice(out, nx.Shape{n})
}

// classes returns the one-hot rows of the classes 0, 1, … n-1, 0, 1, …
func classes(rows, n int) nx.Tensor {
	out := make([]float32, rows*n)
	for i := range rows {
		out[i*n+i%n] = 1
	}
	return nx.FromSlice(out, nx.Shape{rows, n})
}

// positiveDefinite returns a square matrix of side n: a·aᵀ + n·I, a uniform.
func positiveDefinite(n int) func() nx.Tensor {
	return func() nx.Tensor {
		a, v := uniform(1, n*n), make([]float32, n*n)
		for i := range n {
			for j := range n {
				sum := 0.0
				for k := range n {
					sum += a[i*n+k] * a[j*n+k]
				}
				v[i*n+j] = float32(sum)
			}
			v[i*n+i] += float32(n)
		}
		return nx.FromSlice(v, nx.Shape{n, n})
	}
}
