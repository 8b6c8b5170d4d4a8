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

func ExampleVar() {
	fmt.Println(nx.Var(nx.New([]float32{1, 2, 3, 4})))
	fmt.Println(nx.Var(nx.New([]float32{1, 2, 3, 4}), nx.DDOF(1)))
	// Output:
	// f32 1.25
	// f32 1.6666666
}

func ExampleStd() {
	fmt.Println(nx.Std(nx.New([]float32{1, 3})))
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

func ExampleSort() {
	x := nx.New([]float32{3, 1, 2})
	fmt.Println(nx.Sort(x))
	fmt.Println(nx.Sort(x, nx.Descending))
	// Output:
	// f32[3]
	// [1.0, 2.0, 3.0]
	// f32[3]
	// [3.0, 2.0, 1.0]
}

func ExampleArgSort() {
	fmt.Println(nx.ArgSort(nx.New([]float32{3, 1, 2})))
	// Output:
	// s32[3]
	// [1, 2, 0]
}

func ExampleTopK() {
	values, indices := nx.TopK(nx.New([]float32{3, 1, 2}), 2)
	fmt.Println(values)
	fmt.Println(indices)
	// Output:
	// f32[2]
	// [3.0, 2.0]
	// s32[2]
	// [0, 2]
}

func ExampleSearchSorted() {
	ages := nx.New([]int32{17, 30, 12, 65})
	limits := nx.New([]int32{12, 18, 65}) // a child, a youth, an adult, a pensioner
	fmt.Println(nx.SearchSorted(limits, ages, nx.Right))
	fmt.Println(nx.SearchSorted(limits, ages))
	// Output:
	// s32[4]
	// [1, 2, 1, 3]
	// s32[4]
	// [1, 2, 0, 2]
}

func ExampleCumSum() {
	x := nx.New([]int32{1, 2, 3})
	fmt.Println(nx.CumSum(x))
	fmt.Println(nx.CumSum(x, nx.Reversed))
	// Output:
	// s32[3]
	// [1, 3, 6]
	// s32[3]
	// [6, 5, 3]
}

func ExampleCumProd() {
	fmt.Println(nx.CumProd(nx.New([]int32{1, 2, 3})))
	// Output:
	// s32[3]
	// [1, 2, 6]
}

func ExampleCumMax() {
	fmt.Println(nx.CumMax(nx.New([]int32{1, 3, 2})))
	// Output:
	// s32[3]
	// [1, 3, 3]
}

func ExampleCumMin() {
	fmt.Println(nx.CumMin(nx.New([]int32{2, 3, 1})))
	// Output:
	// s32[3]
	// [2, 2, 1]
}

func ExampleDiff() {
	fmt.Println(nx.Diff(nx.New([]int32{1, 4, 9, 16}), 1))
	// Output:
	// s32[3]
	// [3, 5, 7]
}

func ExampleMedian() {
	fmt.Println(nx.Median(nx.New([]float32{3, 1, 2, 10})))
	// Output:
	// f32 2.5
}

func ExampleMode() {
	fmt.Println(nx.Mode(nx.New([]int32{3, 1, 3, 1, 2})))
	// Output:
	// s32 1
}

func ExampleQuantile() {
	fmt.Println(nx.Quantile(nx.New([]float32{1, 2, 3, 4, 5}), 0.9))
	// Output:
	// f32 4.6
}

func ExampleWeightedMean() {
	fmt.Println(nx.WeightedMean(nx.New([]float32{1, 2}), nx.New([]float32{3, 1})))
	// Output:
	// f32 1.25
}

func ExampleCov() {
	fmt.Println(nx.Cov(nx.New([][]float32{{1, 2}, {3, 2}, {5, 8}}), nx.DDOF(1)))
	// Output:
	// f32[2][2]
	// [
	//   [ 4.0,  6.0],
	//   [ 6.0, 12.0]
	// ]
}

func ExampleAround() {
	fmt.Println(nx.Cov(nx.New([][]float32{{1, 2}, {3, 2}}), nx.Around(nx.New([]float32{0, 0}))))
	// Output:
	// f32[2][2]
	// [
	//   [5.0, 4.0],
	//   [4.0, 4.0]
	// ]
}

func ExampleHistogram() {
	fmt.Println(nx.Histogram(nx.New([]float32{0.1, 0.2, 0.9, 1, 7}), 2, 0, 1))
	// Output:
	// s32[2]
	// [2, 2]
}

func ExampleWeightedLogSumExp() {
	fmt.Printf("%.4f\n", nx.WeightedLogSumExp(nx.New([]float32{1, 2}), nx.New([]float32{1, 0})))
	// Output:
	// 1.0000
}

func ExampleIsClose() {
	fmt.Println(nx.IsClose(nx.New([]float32{1, 2}), nx.New([]float32{1.000001, 3})))
	// Output:
	// bool[2]
	// [ true, false]
}

func ExampleAllClose() {
	fmt.Println(nx.Item[bool](nx.AllClose(nx.New([]float32{1, 2}), 1.5, nx.Tolerance(0, 0.5))))
	// Output:
	// true
}

func ExampleTolerance() {
	fmt.Println(nx.AllClose(nx.New([]float32{100}), 101, nx.Tolerance(0.01, 0)))
	// Output:
	// bool true
}

func ExampleReduce() {
	x := nx.New([][]int32{{1, 2}, {3, 4}})
	fmt.Println(nx.Reduce(x, 1, func(acc, x nx.Tensor) nx.Tensor { return nx.Mul(x, acc) }, nx.Axis(0)))
	// Output:
	// s32[2]
	// [3, 8]
}
