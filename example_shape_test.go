package nx_test

import (
	"fmt"

	"github.com/go-nx/nx"
)

func ExampleZeros() {
	fmt.Println(nx.Zeros(nx.Shape{2}, nx.F32))
	// Output:
	// f32[2]
	// [0.0, 0.0]
}

func ExampleOnes() {
	fmt.Println(nx.Ones(nx.Shape{2}, nx.S32))
	// Output:
	// s32[2]
	// [1, 1]
}

func ExampleFull() {
	fmt.Println(nx.Full(nx.Shape{2}, 7, nx.U8))
	// Output:
	// u8[2]
	// [7, 7]
}

func ExampleZerosLike() {
	fmt.Println(nx.ZerosLike(nx.New([]float32{1, 2})))
	// Output:
	// f32[2]
	// [0.0, 0.0]
}

func ExampleOnesLike() {
	fmt.Println(nx.OnesLike(nx.New([]int8{1, 2})))
	// Output:
	// s8[2]
	// [1, 1]
}

func ExampleFullLike() {
	fmt.Println(nx.FullLike(nx.New([][]float32{{1, 2}, {3, 4}}), 7))
	// Output:
	// f32[2][2]
	// [
	//   [7.0, 7.0],
	//   [7.0, 7.0]
	// ]
}

func ExampleScalar() {
	x := nx.New([]float32{1, 2, 3}, nx.As(nx.BF16))
	sum, _ := nx.Scan(nx.Scalar(0, x), x, func(sum, x nx.Tensor) (nx.Tensor, nx.Tensor) {
		sum = nx.Add(sum, x)
		return sum, sum
	})
	fmt.Println(sum)
	// Output: bf16 6.0
}

func ExampleEye() {
	fmt.Println(nx.Eye(nx.Shape{2, 3}, nx.F32))
	// Output:
	// f32[2][3]
	// [
	//   [1.0, 0.0, 0.0],
	//   [0.0, 1.0, 0.0]
	// ]
}

func ExampleFromSlice() {
	fmt.Println(nx.FromSlice([]float32{1, 2, 3, 4}, nx.Shape{2, 2}))
	// Output:
	// f32[2][2]
	// [
	//   [1.0, 2.0],
	//   [3.0, 4.0]
	// ]
}

func ExampleFromBytes() {
	fmt.Println(nx.FromBytes([]byte{1, 0, 2, 0}, nx.Shape{2}, nx.U16))
	// Output:
	// u16[2]
	// [1, 2]
}

func ExampleBytes() {
	fmt.Println(nx.Bytes(nx.New([]uint16{1, 258})))
	// Output:
	// [1 0 2 1]
}

func ExampleFromSliceShared() {
	data := []float64{1, 2, 3, 4} // millions of them, not copied
	fmt.Println(nx.Sum(nx.FromSliceShared(data, nx.Shape{4})))
	// Output:
	// f64 10.0
}

func ExampleAs() {
	fmt.Println(nx.New([]int{1, 2}, nx.As(nx.BF16)))
	// Output:
	// bf16[2]
	// [1.0, 2.0]
}

func ExampleNames() {
	fmt.Println(nx.New([][]int32{{1, 2}}, nx.Names("row", "column")))
	// Output:
	// s32[row: 1][column: 2]
	// [
	//   [1, 2]
	// ]
}

func ExampleData() {
	fmt.Println(nx.Data[int](nx.New([][]float32{{1, 2}, {3, 4}})))
	// Output:
	// [1 2 3 4]
}

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

func ExampleAddGather() {
	x := nx.Zeros(nx.Shape{2, 2}, nx.S32)
	fmt.Println(nx.AddGather(x, nx.New([][]int32{{0, 1}, {0, 1}}), nx.New([]int32{5, 7})))
	// Output:
	// s32[2][2]
	// [
	//   [ 0, 12],
	//   [ 0,  0]
	// ]
}

func ExampleSetGather() {
	x := nx.Zeros(nx.Shape{2, 2}, nx.S32)
	fmt.Println(nx.SetGather(x, nx.New([][]int32{{1}}), nx.New([][]int32{{5, 7}})))
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

func ExampleSlice() {
	x := nx.New([]int32{1, 2, 3, 4, 5})
	window := nx.Jit(func(x, i nx.Tensor) nx.Tensor { return nx.Slice(x, []nx.Tensor{i}, []int{3}) })
	for _, i := range []int{1, 4, -3} { // 4 is limited to 2, where the part fits; -3 counts from the end
		fmt.Println(nx.Data[int32](window(x, nx.New(i))))
	}
	// Output:
	// [2 3 4]
	// [3 4 5]
	// [3 4 5]
}

func ExampleSetSlice() {
	fmt.Println(nx.SetSlice(nx.New([]int32{1, 2, 3, 4}), nx.New([]int32{8, 9}), 1))
	// Output:
	// s32[4]
	// [1, 8, 9, 4]
}

func ExampleAddSlice() {
	fmt.Println(nx.AddSlice(nx.New([]int32{1, 2, 3, 4}), nx.New([]int32{10, 20}), 1))
	// Output:
	// s32[4]
	// [ 1, 12, 23,  4]
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

func ExampleRows() {
	table := nx.New([][]int32{{1, 2}, {3, 4}}, nx.Names("row", "column"))
	for i, row := range nx.Rows(table) {
		fmt.Println(i, nx.Data[int](row))
	}
	for j, column := range nx.Rows(table, nx.Axis("column")) {
		fmt.Println(j, nx.Data[int](column))
		break
	}
	// Output:
	// 0 [1 2]
	// 1 [3 4]
	// 0 [1 3]
}
