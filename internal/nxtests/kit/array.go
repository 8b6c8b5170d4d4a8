package kit

import (
	"math"
	"slices"
	"testing"

	"github.com/go-nx/nx"
)

// Array is a tensor in plain Go: a shape and elements in row-major order.
type Array struct {
	Shape []int
	V     []float64
}

// ArrayOf returns the array of a shape with these elements.
func ArrayOf(shape []int, elements []float64) Array { return Array{Shape: shape, V: elements} }

// Ascending returns an array of 0, 1, 2, …
func Ascending(shape ...int) Array {
	a := ArrayOf(shape, make([]float64, nx.Shape(shape).Size()))
	for i := range a.V {
		a.V[i] = float64(i)
	}
	return a
}

// BuildArray returns the array whose elements f computes from their indices.
func BuildArray(shape []int, f func(at []int) float64) Array {
	a := ArrayOf(shape, make([]float64, nx.Shape(shape).Size()))
	at := make([]int, len(shape))
	for i := range a.V {
		a.V[i] = f(at)
		for d := len(at) - 1; d >= 0; d-- {
			if at[d]++; at[d] < shape[d] {
				break
			}
			at[d] = 0
		}
	}
	return a
}

// At returns the element at some indices.
func (a Array) At(at []int) float64 {
	i := 0
	for d, n := range a.Shape {
		i = i*n + at[d]
	}
	return a.V[i]
}

// Tensor returns the tensor of f64 with the elements of a, and with names of its axes where there are some.
func (a Array) Tensor(names ...string) nx.Tensor {
	t := nx.FromSlice(a.V, a.Shape)
	if names != nil {
		t = nx.Rename(t, names...)
	}
	return t
}

// SameArray compares a tensor with an array, NaN equal to NaN.
func SameArray(t *testing.T, what string, got nx.Tensor, want Array) {
	t.Helper()
	if !slices.Equal(got.Shape(), nx.Shape(want.Shape)) && len(want.Shape)+got.Rank() > 0 {
		t.Errorf("%s: the shape is %v, want %v", what, got.Shape(), want.Shape)
		return
	}
	for i, g := range nx.Data[float64](nx.Cast(got, nx.F64)) {
		if w := want.V[i]; g != w && !(math.Abs(g-w) <= 1e-12*math.Abs(w)) && !(g != g && w != w) {
			t.Errorf("%s: element %d is %v, want %v (%v)", what, i, g, w, want.V)
			return
		}
	}
}

// Reduced folds the elements of a along axes into lists.
func (a Array) Reduced(axes []int, keep bool, fold func(vs []float64) float64) Array {
	var shape []int
	for d, n := range a.Shape {
		switch {
		case !slices.Contains(axes, d):
			shape = append(shape, n)
		case keep:
			shape = append(shape, 1)
		}
	}
	return BuildArray(shape, func(at []int) float64 {
		var vs []float64
		BuildArray(a.Shape, func(in []int) float64 {
			k := 0
			for d := range a.Shape {
				if slices.Contains(axes, d) {
					if keep {
						k++
					}
					continue
				}
				if in[d] != at[k] {
					return 0
				}
				k++
			}
			vs = append(vs, a.At(in))
			return 0
		})
		return fold(vs)
	})
}
