package nx_test

import (
	"fmt"

	"github.com/go-nx/nx"
)

func ExampleWindowSum() {
	x := nx.New([]float32{1, 2, 3, 4})
	fmt.Println(nx.WindowSum(x, []int{2}))
	fmt.Println(nx.WindowSum(x, []int{2}, nx.Same()))
	// Output:
	// f32[3]
	// [3.0, 5.0, 7.0]
	// f32[4]
	// [3.0, 5.0, 7.0, 4.0]
}

func ExampleWindowProd() {
	fmt.Println(nx.WindowProd(nx.New([]float32{1, 2, 3, 4}), []int{2}))
	// Output:
	// f32[3]
	// [ 2.0,  6.0, 12.0]
}

func ExampleWindowMax() {
	image := nx.New([][]float32{{1, 5, 2, 4}, {3, 3, 0, 1}})
	fmt.Println(nx.WindowMax(image, []int{2, 2}, nx.Strides(2))) // max pooling
	// Output:
	// f32[1][2]
	// [
	//   [5.0, 4.0]
	// ]
}

func ExampleWindowMin() {
	fmt.Println(nx.WindowMin(nx.New([]float32{4, 2, 3, 1}), []int{2}))
	// Output:
	// f32[3]
	// [2.0, 2.0, 1.0]
}

func ExampleWindowMean() {
	fmt.Println(nx.WindowMean(nx.New([]float32{4, 2, 3, 1}), []int{2}, nx.Strides(2)))
	// Output:
	// f32[2]
	// [3.0, 2.0]
}

func ExampleWindowReduce() {
	x := nx.New([]int32{1, 2, 3, 4})
	fmt.Println(nx.WindowReduce(x, 0, []int{3}, func(acc, x nx.Tensor) nx.Tensor { return nx.Add(x, acc) }))
	// Output:
	// s32[2]
	// [6, 9]
}

func ExampleWindowScatterMax() {
	x := nx.New([]int32{1, 5, 2, 4})
	fmt.Println(nx.WindowScatterMax(x, nx.New([]int32{10, 20}), 0, []int{2}, nx.Strides(2)))
	// Output:
	// s32[4]
	// [ 0, 10,  0, 20]
}

func ExampleWindowScatterMin() {
	x := nx.New([]int32{1, 5, 2, 4})
	fmt.Println(nx.WindowScatterMin(x, nx.New([]int32{10, 20}), 0, []int{2}, nx.Strides(2)))
	// Output:
	// s32[4]
	// [10,  0, 20,  0]
}

func ExampleSame() {
	fmt.Println(nx.WindowMax(nx.New([]int32{1, 2, 3}), []int{3}, nx.Same()))
	// Output:
	// s32[3]
	// [2, 3, 3]
}

// With strides padding="SAME" of JAX, lax.reduce_window for one, pads less.
func ExampleSame_strides() {
	x := nx.New([]int32{1, 2, 3, 4, 5, 6})
	fmt.Println(nx.WindowSum(x, []int{3}, nx.Strides(2), nx.Same()))
	n, k, s := 6, 3, 2
	t := max(((n+s-1)/s-1)*s+k-n, 0)
	fmt.Println(nx.WindowSum(x, []int{k}, nx.Strides(s), nx.Padding([2]int{t / 2, t - t/2})))
	// Output:
	// s32[3]
	// [ 3,  9, 15]
	// s32[3]
	// [ 6, 12, 11]
}

func ExamplePadding() {
	fmt.Println(nx.WindowSum(nx.New([]int32{1, 2, 3}), []int{2}, nx.Padding([2]int{1, 0})))
	// Output:
	// s32[3]
	// [1, 3, 5]
}

func ExampleStrides() {
	fmt.Println(nx.WindowSum(nx.New([]int32{1, 2, 3, 4}), []int{2}, nx.Strides(2)))
	// Output:
	// s32[2]
	// [3, 7]
}

func ExampleDilation() {
	fmt.Println(nx.WindowSum(nx.New([]int32{1, 2, 3, 4}), []int{2}, nx.Dilation(2)))
	// Output:
	// s32[2]
	// [4, 6]
}

func ExampleConv() {
	image := nx.Reshape(nx.Iota(nx.Shape{9}, nx.F32), 1, 1, 3, 3)
	kernel := nx.Ones(nx.Shape{1, 1, 2, 2}, nx.F32)
	fmt.Println(nx.Squeeze(nx.Conv(image, kernel)))
	// Output:
	// f32[2][2]
	// [
	//   [ 8.0, 12.0],
	//   [20.0, 24.0]
	// ]
}

func ExampleInputDilation() {
	signal := nx.New([][][]float32{{{1, 2, 3}}})
	kernel := nx.New([][][]float32{{{1, 1}}})
	fmt.Println(nx.Conv(signal, kernel, nx.InputDilation(2), nx.Padding([2]int{1, 1})))
	// Output:
	// f32[1][1][6]
	// [
	//   [
	//     [1.0, 1.0, 2.0, 2.0, 3.0, 3.0]
	//   ]
	// ]
}

func ExampleFeatureGroups() {
	signal := nx.New([][][]float32{{{1, 2, 3}, {10, 20, 30}}})
	kernels := nx.New([][][]float32{{{1, 1}}, {{1, -1}}}) // one a channel
	fmt.Println(nx.Conv(signal, kernels, nx.FeatureGroups(2)))
	// Output:
	// f32[1][2][2]
	// [
	//   [
	//     [  3.0,   5.0],
	//     [-10.0, -10.0]
	//   ]
	// ]
}

func ExampleBatchGroups() {
	signals := nx.New([][][]float32{{{1, 2, 3}}, {{10, 20, 30}}})
	kernels := nx.New([][][]float32{{{1, 1}}, {{1, -1}}})
	fmt.Println(nx.Conv(signals, kernels, nx.BatchGroups(2)))
	// Output:
	// f32[1][2][2]
	// [
	//   [
	//     [  3.0,   5.0],
	//     [-10.0, -10.0]
	//   ]
	// ]
}

func ExampleLayout() {
	signal := nx.New([][][]float32{{{1}, {2}, {3}}}) // batch, spatial, channels
	kernel := nx.New([][][]float32{{{1, 1}}})
	fmt.Println(nx.Conv(signal, kernel, nx.Layout([]int{0, 2, 1}, nil, nil)))
	// Output:
	// f32[1][1][2]
	// [
	//   [
	//     [3.0, 5.0]
	//   ]
	// ]
}

func ExampleChannelsLast() {
	image := nx.Ones(nx.Shape{1, 4, 4, 3}, nx.F32)
	kernel := nx.Ones(nx.Shape{2, 2, 3, 8}, nx.F32)
	fmt.Println(nx.Conv(image, kernel, nx.ChannelsLast()).Shape())
	// Output:
	// [1][3][3][8]
}
