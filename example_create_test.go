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

func ExampleFullLike() {
	fmt.Println(nx.FullLike(nx.New([][]float32{{1, 2}, {3, 4}}), 7))
	// Output:
	// f32[2][2]
	// [
	//   [7.0, 7.0],
	//   [7.0, 7.0]
	// ]
}

func ExampleZerosLike() {
	params := map[string]nx.Tensor{"b": nx.New([]float32{1, 2})}
	fmt.Println(nx.ZerosLike(params)["b"])
	// Output:
	// f32[2]
	// [0.0, 0.0]
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

func ExampleWrap() {
	data := []float64{1, 2, 3, 4} // millions of them, not copied
	fmt.Println(nx.Sum(nx.Wrap(data, nx.Shape{4})))
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
