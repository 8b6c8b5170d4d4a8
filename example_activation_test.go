package nx_test

import (
	"fmt"

	"github.com/go-nx/nx"
)

func ExampleLog2() {
	fmt.Println(nx.Log2(nx.New([]float32{1, 8, 0})))
	// Output:
	// f32[3]
	// [ 0.0,  3.0, -Inf]
}

func ExampleLog10() {
	fmt.Println(nx.Log10(nx.New([]float32{1, 1000})))
	// Output:
	// f32[2]
	// [0.0, 3.0]
}

func ExampleSoftplus() {
	fmt.Printf("%.4f\n", nx.Softplus(nx.New([]float32{-1, 0, 100})))
	// Output:
	// [  0.3133,   0.6931, 100.0000]
}

func ExampleSilu() {
	fmt.Printf("%.4f\n", nx.Silu(nx.New([]float32{-1, 0, 1})))
	// Output:
	// [-0.2689,  0.0000,  0.7311]
}

func ExampleGelu() {
	fmt.Printf("%.4f\n", nx.Gelu(nx.New([]float32{-1, 0, 1})))
	// Output:
	// [-0.1587,  0.0000,  0.8413]
}

func ExampleCrossEntropy() {
	logits := nx.New([][]float32{{2, 0}, {0, 0}})
	fmt.Printf("%.4f\n", nx.CrossEntropy(logits, nx.New([]int32{0, 1})))
	// Output:
	// [0.1269, 0.6931]
}

func ExampleSoftCrossEntropy() {
	logits := nx.New([][]float32{{2, 0}, {0, 0}})
	fmt.Printf("%.4f\n", nx.SoftCrossEntropy(logits, nx.New([][]float32{{0.9, 0.1}, {0, 1}})))
	// Output:
	// [0.3269, 0.6931]
}

func ExampleLayerNorm() {
	fmt.Printf("%.4f\n", nx.LayerNorm(nx.New([]float32{1, 2, 3}), 0))
	// Output:
	// [-1.2247,  0.0000,  1.2247]
}

func ExampleNonZero() {
	positions, count := nx.NonZero(nx.New([][]int32{{0, 5}, {7, 0}}), 3)
	fmt.Println(positions)
	fmt.Println(count)
	// Output:
	// s32[3][2]
	// [
	//   [0, 1],
	//   [1, 0],
	//   [0, 0]
	// ]
	// s32 2
}

func ExamplePopulationCount() {
	fmt.Println(nx.PopulationCount(nx.New([]int8{7, -1})))
	// Output:
	// s8[2]
	// [3, 8]
}

func ExampleCountLeadingZeros() {
	fmt.Println(nx.CountLeadingZeros(nx.New([]uint8{1, 0})))
	// Output:
	// u8[2]
	// [7, 8]
}

func ExamplePhase() {
	fmt.Printf("%.4f\n", nx.Phase(nx.New([]complex64{1i, -1})))
	// Output:
	// [1.5708, 3.1416]
}
