package batching_test

import (
	"slices"
	"testing"

	"github.com/go-nx/nx"
)

// TestVectorized: a function of vectorised tensors computes the same as a call for each element, at
// once and compiled, with the operands' axes in any order and some shared.
func TestVectorized(t *testing.T) {
	data := nx.Reshape(nx.Linspace(-2, 3, 2*3*4*4, nx.F32), 2, 3, 4, 4)
	other := nx.Reshape(nx.Linspace(1, 2, 3*4*4, nx.F32), 3, 4, 4)
	x := nx.Vectorize(data, "i", "j")
	y := nx.Vectorize(other, "j")
	index := nx.Vectorize(nx.New([]int32{0, 3, -1}), "j")
	for name, f := range map[string]func(x, y, i nx.Tensor) nx.Tensor{
		"binary":     func(x, y, _ nx.Tensor) nx.Tensor { return nx.Mul(x, y) },
		"swapped":    func(x, y, _ nx.Tensor) nx.Tensor { return nx.Sub(y, x) },
		"number":     func(x, _, _ nx.Tensor) nx.Tensor { return nx.Pow(nx.Exp(x), 2) },
		"reduce":     func(x, _, _ nx.Tensor) nx.Tensor { return nx.Max(x, nx.Axis(-1), nx.KeepAxes) },
		"argmax":     func(x, _, _ nx.Tensor) nx.Tensor { return nx.ArgMax(x) },
		"reduce all": func(x, _, _ nx.Tensor) nx.Tensor { return nx.Var(x) },
		"transpose":  func(x, _, _ nx.Tensor) nx.Tensor { return nx.Transpose(x) },
		"reshape":    func(x, _, _ nx.Tensor) nx.Tensor { return nx.Reshape(x, 2, -1) },
		"flatten":    func(x, _, _ nx.Tensor) nx.Tensor { return nx.Flatten(x) },
		"dot":        func(x, y, _ nx.Tensor) nx.Tensor { return nx.Dot(x, y) },
		"einsum":     func(x, y, _ nx.Tensor) nx.Tensor { return nx.Einsum("ab,cb->ac", y, x) },
		"at":         func(x, _, i nx.Tensor) nx.Tensor { return x.At(i, nx.From(1)) },
		"slice":      func(x, _, i nx.Tensor) nx.Tensor { return nx.Slice(x, []any{1, i}, []int{2, 3}) },
		"take":       func(x, _, i nx.Tensor) nx.Tensor { return nx.Take(x, nx.Stack([]nx.Tensor{i, i}), nx.Axis(1)) },
		"set":        func(x, y, i nx.Tensor) nx.Tensor { return nx.SetAt(x, y.At(0), i) },
		"join":       func(x, y, _ nx.Tensor) nx.Tensor { return nx.Concatenate([]nx.Tensor{x, y, x}, nx.Axis(1)) },
		"pad":        func(x, _, _ nx.Tensor) nx.Tensor { return nx.Pad(x, 1, [2]int{1, 0}, [2]int{-1, 2}) },
		"where":      func(x, y, _ nx.Tensor) nx.Tensor { return nx.Where(nx.Greater(x, y), 0, y) },
		"softmax":    func(x, _, _ nx.Tensor) nx.Tensor { return nx.Softmax(x) },
		"tile":       func(x, _, _ nx.Tensor) nx.Tensor { return nx.Tile(x, 2, 1) },
		"grad": func(x, y, _ nx.Tensor) nx.Tensor {
			return nx.Grad(func(x nx.Tensor) nx.Tensor { return nx.Dot(x, nx.Sin(y)) })(x)
		},
		"full": func(x, _, _ nx.Tensor) nx.Tensor { return nx.FullLike(x, 3) },
		"cast": func(x, _, _ nx.Tensor) nx.Tensor { return nx.Cast(x, nx.S8) },
	} {
		t.Run(name, func(t *testing.T) {
			got := f(x, y, index)
			if v := got.Vectors(); len(v) != 2 {
				t.Fatalf("the result is %v", got.Spec())
			}
			order := got.Vectors()
			swapped := order[0].Name == "j"
			plain := nx.Devectorize(got)
			for i := range 2 {
				for j := range 3 {
					want := f(data.At(i, j), other.At(j), nx.New([]int32{0, 3, -1}).At(j))
					var have nx.Tensor
					if swapped {
						have = plain.At(j, i)
					} else {
						have = plain.At(i, j)
					}
					if !nx.ArrayEqual(nx.Rename(have), nx.Rename(want)) {
						t.Fatalf("element %d, %d is\n%v\nwant\n%v", i, j, have, want)
					}
				}
			}
			if again := f(x, y, index); !nx.ArrayEqual(again, got) {
				t.Errorf("the second time %v, want %v", again, got)
			}
			if compiled := nx.Jit(f)(x, y, index); !slices.Equal(compiled.Vectors(), order) ||
				!vectorsClose(compiled, got) {
				t.Errorf("compiled %v, want %v", compiled, got)
			}
		})
	}
}

// vectorsClose reports whether two float tensors differ by little.
func vectorsClose(a, b nx.Tensor) bool {
	return nx.Item[bool](nx.All(nx.Devectorize(nx.LessEqual(nx.Abs(nx.Sub(a, b)), 1e-5))))
}
