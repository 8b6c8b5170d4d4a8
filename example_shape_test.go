package nx_test

import (
	"fmt"

	"github.com/go-nx/nx"
)

func ExampleBroadcastTo() {
	fmt.Println(nx.BroadcastTo(nx.New([]int32{1, 2}), 2, 2))
	// Output:
	// s32[2][2]
	// [
	//   [1, 2],
	//   [1, 2]
	// ]
}

func ExampleExpandAxis() {
	fmt.Println(nx.ExpandAxis(nx.New([]int32{1, 2}), nx.Axis(-1)))
	// Output:
	// s32[2][1]
	// [
	//   [1],
	//   [2]
	// ]
}

func ExampleSqueeze() {
	fmt.Println(nx.Squeeze(nx.New([][]int32{{1, 2}})))
	// Output:
	// s32[2]
	// [1, 2]
}

func ExampleRename() {
	fmt.Println(nx.Rename(nx.New([][]int32{{1, 2}, {3, 4}}), "row", "column"))
	// Output:
	// s32[row: 2][column: 2]
	// [
	//   [1, 2],
	//   [3, 4]
	// ]
}

func ExampleReverse() {
	fmt.Println(nx.Reverse(nx.New([][]int32{{1, 2}, {3, 4}}), nx.Axis(1)))
	// Output:
	// s32[2][2]
	// [
	//   [2, 1],
	//   [4, 3]
	// ]
}

func ExampleTranspose() {
	fmt.Println(nx.Transpose(nx.New([][]int32{{1, 2}, {3, 4}})))
	// Output:
	// s32[2][2]
	// [
	//   [1, 3],
	//   [2, 4]
	// ]
}

func ExampleTile() {
	fmt.Println(nx.Tile(nx.New([]int32{1, 2}), 2, 2))
	// Output:
	// s32[2][4]
	// [
	//   [1, 2, 1, 2],
	//   [1, 2, 1, 2]
	// ]
}

func ExampleStack() {
	fmt.Println(nx.Stack([]nx.Tensor{nx.New([]int32{1, 2}), nx.New([]int32{3, 4})}, nx.Axis(1)))
	// Output:
	// s32[2][2]
	// [
	//   [1, 3],
	//   [2, 4]
	// ]
}

func ExampleSplit() {
	for _, part := range nx.Split(nx.New([]int32{1, 2, 3}), []int{1, 2}) {
		fmt.Println(part)
	}
	// Output:
	// s32[1]
	// [1]
	// s32[2]
	// [2, 3]
}

func ExampleTril() {
	fmt.Println(nx.Tril(nx.New([][]int32{{1, 2}, {3, 4}}), 0))
	// Output:
	// s32[2][2]
	// [
	//   [1, 0],
	//   [3, 4]
	// ]
}

func ExampleTriu() {
	fmt.Println(nx.Triu(nx.New([][]int32{{1, 2}, {3, 4}}), 1))
	// Output:
	// s32[2][2]
	// [
	//   [0, 2],
	//   [0, 0]
	// ]
}

func ExamplePutSlice() {
	fmt.Println(nx.PutSlice(nx.New([]int32{1, 2, 3, 4}), nx.New([]int32{8, 9}), 1))
	// Output:
	// s32[4]
	// [1, 8, 9, 4]
}

func ExampleAddAt() {
	fmt.Println(nx.AddAt(nx.New([]int32{1, 2, 3}), 10, nx.From(1)))
	// Output:
	// s32[3]
	// [ 1, 12, 13]
}

func ExampleAxisSize() {
	fmt.Println(nx.AxisSize(nx.Rename(nx.New([][]int32{{1, 2}, {3, 4}}), "row", "column"), "column"))
	// Output:
	// 2
}
