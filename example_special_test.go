package nx_test

import (
	"fmt"
	"math"

	"github.com/go-nx/nx"
)

func ExampleBesselI0() {
	fmt.Printf("%.4f\n", nx.BesselI0(nx.New([]float32{0, 1, 5})))
	// Output:
	// [ 1.0000,  1.2661, 27.2399]
}

func ExampleBesselI1() {
	fmt.Printf("%.4f\n", nx.BesselI1(nx.New([]float32{0, 1, -5})))
	// Output:
	// [  0.0000,   0.5652, -24.3356]
}

func ExampleBesselI1e() {
	fmt.Printf("%.4f\n", nx.BesselI1e(nx.New([]float32{0, 1, 100})))
	// Output:
	// [0.0000, 0.2079, 0.0397]
}

func ExampleGammaInc() {
	// How probable it is that at least 3 events take at most 2 times their mean distance.
	fmt.Printf("%.4f\n", nx.GammaInc(3, nx.New([]float64{2})))
	// Output:
	// [0.3233]
}

func ExampleGammaIncC() {
	fmt.Printf("%.3e\n", nx.GammaIncC(3, nx.New([]float64{2, 50})))
	// Output:
	// [6.767e-01, 2.509e-19]
}

func ExampleBetaInc() {
	fmt.Printf("%.4f\n", nx.BetaInc(2, 3, nx.New([]float64{0, 0.5, 1})))
	// Output:
	// [0.0000, 0.6875, 1.0000]
}

func ExampleLogAddExp() {
	fmt.Printf("%.4f\n", nx.LogAddExp(nx.New([]float64{1000, math.Inf(-1), 0}), nx.New([]float64{1000, 2, 0})))
	// Output:
	// [1000.6931,    2.0000,    0.6931]
}

func ExampleSegmentMax() {
	fmt.Println(nx.SegmentMax(nx.New([]float32{1, 2, 3}), nx.New([]int32{0, 1, 0}), 3))
	// Output:
	// f32[3]
	// [ 3.0,  2.0, -Inf]
}

func ExampleSegmentMin() {
	fmt.Println(nx.SegmentMin(nx.New([]int32{1, 2, 3}), nx.New([]int32{0, 1, 0}), 2))
	// Output:
	// s32[2]
	// [1, 2]
}

func ExampleSegmentProd() {
	fmt.Println(nx.SegmentProd(nx.New([]int32{5, 2, 3}), nx.New([]int32{0, 1, 0}), 3))
	// Output:
	// s32[3]
	// [15,  2,  1]
}

func ExampleSegmentMean() {
	fmt.Println(nx.SegmentMean(nx.New([]float32{1, 2, 4}), nx.New([]int32{0, 1, 0}), 3))
	// Output:
	// f32[3]
	// [2.5, 2.0, 0.0]
}

func ExampleBincount() {
	fmt.Println(nx.Bincount(nx.New([]int32{0, 1, 1, 3, 2, 1, 7}), 4))
	// Output:
	// s32[4]
	// [1, 3, 1, 1]
}

func ExampleWeightedBincount() {
	fmt.Println(nx.WeightedBincount(nx.New([]int32{0, 1, 1}), nx.New([]float32{0.5, 1, 2}), 3))
	// Output:
	// f32[3]
	// [0.5, 3.0, 0.0]
}

func ExampleDigitize() {
	edges := nx.New([]float64{0, 1, 2.5, 4})
	fmt.Println(nx.Digitize(nx.New([]float64{0.2, 6.4, 1, -3}), edges))
	fmt.Println(nx.Digitize(nx.New([]float64{0.2, 6.4, 1, -3}), edges, nx.Right))
	// Output:
	// s32[4]
	// [1, 4, 2, 0]
	// s32[4]
	// [1, 4, 1, 0]
}

func ExampleSaturate() {
	x := nx.New([]float32{1, 1000, float32(math.Inf(-1))})
	fmt.Printf("%.0f\n", nx.Cast(x, nx.F8E4M3FN, nx.Saturate))
	// Output:
	// [   1,  448, -448]
}
