package nx_test

import (
	"fmt"
	"math"

	"github.com/go-nx/nx"
)

func ExampleSub() {
	fmt.Println(nx.Sub(nx.New([]float32{5, 7}), 2))
	// Output:
	// f32[2]
	// [3.0, 5.0]
}

func ExampleMul() {
	fmt.Println(nx.Mul(nx.New([]float32{5, 7}), nx.New([]float32{2, 3})))
	// Output:
	// f32[2]
	// [10.0, 21.0]
}

func ExampleDiv() {
	fmt.Println(nx.Div(nx.New([]float32{1, -1, 0}), 0))
	// Output:
	// f32[3]
	// [ Inf, -Inf,  NaN]
}

func ExampleQuotient() {
	fmt.Println(nx.Quotient(nx.New([]int32{7, -7}), 2)) // toward zero
	// Output:
	// s32[2]
	// [ 3, -3]
}

func ExampleRemainder() {
	fmt.Println(nx.Remainder(nx.New([]int32{7, -7}), 3)) // the sign is that of the dividend
	// Output:
	// s32[2]
	// [ 1, -1]
}

func ExamplePow() {
	fmt.Println(nx.Pow(nx.New([]float32{2, 9}), nx.New([]float32{10, 0.5})))
	// Output:
	// f32[2]
	// [1024.0,    3.0]
}

func ExampleAtan2() {
	fmt.Printf("%.4f\n", nx.Atan2(nx.New([]float32{0, 1}), nx.New([]float32{-1, 0})))
	// Output:
	// [3.1416, 1.5708]
}

func ExampleMaximum() {
	fmt.Println(nx.Maximum(nx.New([]float32{1, 5}), nx.New([]float32{3, 2})))
	// Output:
	// f32[2]
	// [3.0, 5.0]
}

func ExampleMinimum() {
	fmt.Println(nx.Minimum(nx.New([]float32{1, 5}), nx.New([]float32{3, 2})))
	// Output:
	// f32[2]
	// [1.0, 2.0]
}

func ExampleComplex() {
	fmt.Println(nx.Complex(nx.New([]float32{1, 2}), nx.New([]float32{0, -3})))
	// Output:
	// c64[2]
	// [1.0+0.0i, 2.0-3.0i]
}

func ExampleBitwiseAnd() {
	fmt.Println(nx.BitwiseAnd(nx.New([]int32{12, 5}), 4))
	// Output:
	// s32[2]
	// [4, 4]
}

func ExampleBitwiseOr() {
	fmt.Println(nx.BitwiseOr(nx.New([]int32{12, 5}), 2))
	// Output:
	// s32[2]
	// [14,  7]
}

func ExampleBitwiseXor() {
	fmt.Println(nx.BitwiseXor(nx.New([]int32{12, 5}), 4))
	// Output:
	// s32[2]
	// [8, 1]
}

func ExampleLeftShift() {
	fmt.Println(nx.LeftShift(nx.New([]int32{1, -3}), 4))
	// Output:
	// s32[2]
	// [ 16, -48]
}

func ExampleRightShift() {
	fmt.Println(nx.RightShift(nx.New([]int32{256, -16}), 2))
	// Output:
	// s32[2]
	// [64, -4]
}

func ExampleLogicalAnd() {
	fmt.Println(nx.LogicalAnd(nx.New([]int32{0, 1, 2}), nx.New([]int32{3, 0, 4})))
	// Output:
	// bool[3]
	// [false, false,  true]
}

func ExampleLogicalOr() {
	fmt.Println(nx.LogicalOr(nx.New([]int32{0, 1, 0}), nx.New([]int32{3, 0, 0})))
	// Output:
	// bool[3]
	// [ true,  true, false]
}

func ExampleLogicalXor() {
	fmt.Println(nx.LogicalXor(nx.New([]int32{0, 1, 2}), nx.New([]int32{3, 0, 4})))
	// Output:
	// bool[3]
	// [ true,  true, false]
}

func ExampleEqual() {
	fmt.Println(nx.Equal(nx.New([]float32{1, float32(math.NaN())}), nx.New([]float32{1, float32(math.NaN())})))
	// Output:
	// bool[2]
	// [ true, false]
}

func ExampleNotEqual() {
	fmt.Println(nx.NotEqual(nx.New([]float32{1, float32(math.NaN())}), nx.New([]float32{1, float32(math.NaN())})))
	// Output:
	// bool[2]
	// [false,  true]
}

func ExampleGreater() {
	fmt.Println(nx.Greater(nx.New([]float32{1, 2, 3}), 2))
	// Output:
	// bool[3]
	// [false, false,  true]
}

func ExampleGreaterEqual() {
	fmt.Println(nx.GreaterEqual(nx.New([]float32{1, 2, 3}), 2))
	// Output:
	// bool[3]
	// [false,  true,  true]
}

func ExampleLess() {
	fmt.Println(nx.Less(nx.New([]float32{1, 2, 3}), 2))
	// Output:
	// bool[3]
	// [ true, false, false]
}

func ExampleLessEqual() {
	fmt.Println(nx.LessEqual(nx.New([]float32{1, 2, 3}), 2))
	// Output:
	// bool[3]
	// [ true,  true, false]
}

func ExampleClip() {
	fmt.Println(nx.Clip(nx.New([]float32{-3, 0.5, 7}), -1, 1))
	// Output:
	// f32[3]
	// [-1.0,  0.5,  1.0]
}

func ExampleOuter() {
	fmt.Println(nx.Outer(nx.New([]int32{1, 2}), nx.New([]int32{10, 20, 30})))
	// Output:
	// s32[2][3]
	// [
	//   [10, 20, 30],
	//   [20, 40, 60]
	// ]
}
