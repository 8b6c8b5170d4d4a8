package nx_test

import (
	"fmt"

	"github.com/go-nx/nx"
)

func ExampleTakeAlong() {
	x := nx.New([][]float32{{3, 1, 2}, {4, 6, 5}})
	order := nx.ArgSort(x)
	fmt.Println(nx.TakeAlong(x, order, nx.Axis(-1)))
	// Output:
	// f32[2][3]
	// [
	//   [1.0, 2.0, 3.0],
	//   [4.0, 5.0, 6.0]
	// ]
}

func ExampleGather() {
	x := nx.New([][]int32{{1, 2}, {3, 4}})
	fmt.Println(nx.Gather(x, nx.New([][]int32{{0, 1}, {1, 0}})))
	// Output:
	// s32[2]
	// [2, 3]
}

func ExampleIndexedAdd() {
	x := nx.Zeros(nx.Shape{2, 2}, nx.S32)
	fmt.Println(nx.IndexedAdd(x, nx.New([][]int32{{0, 1}, {0, 1}}), nx.New([]int32{5, 7})))
	// Output:
	// s32[2][2]
	// [
	//   [ 0, 12],
	//   [ 0,  0]
	// ]
}

func ExampleIndexedPut() {
	x := nx.Zeros(nx.Shape{2, 2}, nx.S32)
	fmt.Println(nx.IndexedPut(x, nx.New([][]int32{{1}}), nx.New([][]int32{{5, 7}})))
	// Output:
	// s32[2][2]
	// [
	//   [0, 0],
	//   [5, 7]
	// ]
}

func ExampleSegmentSum() {
	fmt.Println(nx.SegmentSum(nx.New([]float32{1, 2, 3}), nx.New([]int32{0, 1, 0}), 2))
	// Output:
	// f32[2]
	// [4.0, 2.0]
}

func ExampleRoll() {
	fmt.Println(nx.Roll(nx.New([]int32{1, 2, 3, 4}), 1))
	// Output:
	// s32[4]
	// [4, 1, 2, 3]
}

func ExampleRepeat() {
	fmt.Println(nx.Repeat(nx.New([]int32{1, 2}), 2))
	// Output:
	// s32[4]
	// [1, 1, 2, 2]
}

func ExampleTri() {
	fmt.Println(nx.Tri(2, 3, 0, nx.S32))
	// Output:
	// s32[2][3]
	// [
	//   [1, 0, 0],
	//   [1, 1, 0]
	// ]
}

func ExampleDiagonal() {
	fmt.Println(nx.Diagonal(nx.New([][]int32{{1, 2, 3}, {4, 5, 6}}), 1))
	// Output:
	// s32[2]
	// [2, 6]
}

func ExampleDiag() {
	fmt.Println(nx.Diag(nx.New([]int32{1, 2}), 0))
	// Output:
	// s32[2][2]
	// [
	//   [1, 0],
	//   [0, 2]
	// ]
}

func ExampleSetDiagonal() {
	fmt.Println(nx.SetDiagonal(nx.Zeros(nx.Shape{2, 3}, nx.S32), nx.New([]int32{1, 2}), 1))
	// Output:
	// s32[2][3]
	// [
	//   [0, 1, 0],
	//   [0, 0, 2]
	// ]
}

func ExamplePadWith() {
	x := nx.New([]int32{1, 2, 3})
	for _, mode := range []nx.PadMode{nx.PadEdge, nx.PadReflect, nx.PadSymmetric, nx.PadWrap} {
		fmt.Println(nx.Data[int](nx.PadWith(x, mode, [2]int{2, 2})))
	}
	// Output:
	// [1 1 1 2 3 3 3]
	// [3 2 1 2 3 2 1]
	// [2 1 1 2 3 3 2]
	// [2 3 1 2 3 1 2]
}

func ExamplePadInterior() {
	fmt.Println(nx.PadInterior(nx.New([]int32{1, 2, 3}), 0, []int{1}, [2]int{1, 0}))
	// Output:
	// s32[6]
	// [0, 1, 0, 2, 0, 3]
}

func ExamplePad() {
	fmt.Println(nx.Pad(nx.New([]int32{1, 2, 3}), 0, [2]int{1, -1}))
	// Output:
	// s32[3]
	// [0, 1, 2]
}

func ExampleDotGeneral() {
	a := nx.Ones(nx.Shape{5, 2, 3}, nx.F32)
	b := nx.Ones(nx.Shape{5, 3, 4}, nx.F32)
	fmt.Println(nx.DotGeneral(a,
		b, nx.DotDims{ContractA: []int{2}, ContractB: []int{1}, BatchA: []int{0}, BatchB: []int{0}}).Shape())
	// Output:
	// [5][2][4]
}

func ExampleBatches() {
	for rows := range nx.Batches(nx.New([]int32{1, 2, 3, 4, 5}), 2) {
		fmt.Println(nx.Data[int](rows))
	}
	// Output:
	// [1 2]
	// [3 4]
	// [5]
}

func ExampleFlatten() {
	fmt.Println(nx.Flatten(nx.Ones(nx.Shape{2, 3, 4}, nx.F32), nx.Axis(0, 1)).Shape())
	// Output:
	// [6][4]
}

func ExampleLinspace() {
	fmt.Println(nx.Linspace(0, 1, 5, nx.F32))
	fmt.Println(nx.Linspace(0, 1, 4, nx.F32, nx.HalfOpen))
	// Output:
	// f32[5]
	// [ 0.0, 0.25,  0.5, 0.75,  1.0]
	// f32[4]
	// [ 0.0, 0.25,  0.5, 0.75]
}
