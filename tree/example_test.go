package tree_test

import (
	"fmt"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/tree"
)

func ExampleLeaves() {
	params := map[string]nx.Tensor{"w": nx.New([]float32{1, 2}), "b": nx.New(float32(0))}
	for path, t := range tree.Leaves(params) {
		fmt.Println(path, t.DType(), t.Shape(), t.Rank())
	}
	// Output:
	// [b] f32  0
	// [w] f32 [2] 1
}

func ExampleMapLeaves() {
	params := map[string]nx.Tensor{"w": nx.New([]float32{1, 2})}
	half := tree.MapLeaves(func(_ string, t nx.Tensor) nx.Tensor { return nx.Cast(t, nx.BF16) }, params)
	fmt.Println(half["w"])
	// Output:
	// bf16[2]
	// [1.0, 2.0]
}

// A type of a field's own marks tensors that a program treats differently.
func ExampleTypes() {
	type Constant nx.Tensor
	type layer struct {
		W nx.Tensor
		C Constant
	}
	l := layer{nx.New([]float32{1, 2}), Constant(nx.New(float32(3)))}
	for path, t := range tree.Types(l) {
		fmt.Println(path, t.Name())
	}
	// Output:
	// W Tensor
	// C Constant
}

func ExampleCombine() {
	type layer struct{ W, B nx.Tensor }
	weights, biases := layer{W: nx.New([]float32{1, 2})}, layer{B: nx.New([]float32{3})}
	fmt.Println(tree.Combine(weights, biases).B)
	// Output:
	// f32[1]
	// [3.0]
}

func ExampleZerosLike() {
	params := map[string]nx.Tensor{"b": nx.New([]float32{1, 2})}
	fmt.Println(tree.ZerosLike(params)["b"])
	// Output:
	// f32[2]
	// [0.0, 0.0]
}

func ExampleMap() {
	type layer struct{ W, B nx.Tensor }
	model := map[string]layer{"first": {W: nx.New([]float32{1, 2}), B: nx.New([]float32{3})}}
	for path, t := range tree.Leaves(tree.Map(nx.Square, model)) {
		fmt.Println(path, t)
	}
	// Output:
	// [first].W f32[2]
	// [1.0, 4.0]
	// [first].B f32[1]
	// [9.0]
}

// The Hessian of a function of a container, by its parameters as one vector.
func ExampleRavel() {
	type params struct{ A, B nx.Tensor }
	f := func(p params) nx.Tensor { return nx.Sum(nx.Mul(p.A, nx.Square(p.B))) }
	v, unravel := tree.Ravel(params{nx.New([]float64{1, 2}), nx.New(3.0)})
	fmt.Println(nx.Hessian(func(v nx.Tensor) nx.Tensor { return f(unravel(v)) })(v))
	// Output:
	// f64[3][3]
	// [
	//   [0.0, 0.0, 6.0],
	//   [0.0, 0.0, 6.0],
	//   [6.0, 6.0, 6.0]
	// ]
}
