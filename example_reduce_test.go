package nx_test

import (
	"fmt"
	"math"

	"github.com/go-nx/nx"
)

func ExampleProd() {
	fmt.Println(nx.Prod(nx.New([]int32{2, 3, 7})))
	// Output:
	// s32 42
}

func ExampleMean() {
	fmt.Println(nx.Mean(nx.New([][]float32{{1, 2}, {3, 4}}), nx.Axis(0)))
	// Output:
	// f32[2]
	// [2.0, 3.0]
}

func ExampleVariance() {
	fmt.Println(nx.Variance(nx.New([]float32{1, 2, 3, 4})))
	fmt.Println(nx.Variance(nx.New([]float32{1, 2, 3, 4}), nx.DDOF(1)))
	// Output:
	// f32 1.25
	// f32 1.6666666
}

func ExampleStandardDeviation() {
	fmt.Println(nx.StandardDeviation(nx.New([]float32{1, 3})))
	// Output:
	// f32 1.0
}

func ExampleMax() {
	fmt.Println(nx.Max(nx.New([][]float32{{1, 2}, {3, 4}}), nx.Axis(-1), nx.KeepAxes))
	// Output:
	// f32[2][1]
	// [
	//   [2.0],
	//   [4.0]
	// ]
}

func ExampleMin() {
	fmt.Println(nx.Min(nx.New([][]float32{{1, 2}, {3, 4}}), nx.Axis(0)))
	// Output:
	// f32[2]
	// [1.0, 2.0]
}

func ExampleAll() {
	fmt.Println(nx.All(nx.New([][]float32{{1, 2}, {3, 4}})))
	// Output:
	// bool true
}

func ExampleAny() {
	fmt.Println(nx.Any(nx.Greater(nx.New([][]float32{{1, 2}, {3, 4}}), 3), nx.Axis(1)))
	// Output:
	// bool[2]
	// [false,  true]
}

func ExampleSum_skipNaN() {
	x := nx.New([][]float64{{1, math.NaN(), 3}, {4, 5, 6}})
	fmt.Println(nx.Sum(x, nx.Axis(1)))
	fmt.Println(nx.Sum(x, nx.Axis(1), nx.SkipNaN))
	// Output:
	// f64[2]
	// [ NaN, 15.0]
	// f64[2]
	// [ 4.0, 15.0]
}

func ExampleArgMin() {
	fmt.Println(nx.ArgMin(nx.New([]float32{4, 1, 1})))
	// Output:
	// s32 1
}

func ExampleLogSumExp() {
	fmt.Printf("%.4f\n", nx.LogSumExp(nx.New([]float32{1000, 1000})))
	// Output:
	// 1000.6932
}
