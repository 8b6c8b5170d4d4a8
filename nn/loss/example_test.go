package loss_test

import (
	"fmt"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/nn/loss"
)

// Losses are numbers for each row; padding has the class -100, which is ignored.
func ExampleCrossEntropy() {
	logits := nx.FromSlice([]float32{2, 0, 0, 0, 3, 0, 1, 1, 1}, nx.Shape{3, 3})
	classes := nx.FromSlice([]int32{0, 1, -100}, nx.Shape{3})
	fmt.Printf("%.4f\n", nx.Data[float32](loss.CrossEntropy(logits, classes, loss.Ignore(-100))))
	fmt.Printf("%.4f\n", nx.Item[float32](loss.MeanCrossEntropy(logits, classes, loss.Ignore(-100))))
	fmt.Printf("%.4f\n", nx.Item[float32](loss.MeanCrossEntropy(logits, classes, loss.Ignore(-100),
		loss.Smoothing(0.1))))
	// Output:
	// [0.2395 0.0949 0.0000]
	// 0.1672
	// 0.3339
}

// Logits may be of any size: the loss and its gradient are finite.
func ExampleBinary() {
	logits := nx.FromSlice([]float32{0, 1e4, -1e4}, nx.Shape{3})
	labels := nx.FromSlice([]float32{1, 1, 1}, nx.Shape{3})
	fmt.Printf("%.4f\n", nx.Data[float32](loss.Binary(logits, labels)))
	grad := nx.Grad(func(z nx.Tensor) nx.Tensor { return nx.Sum(loss.Binary(z, labels)) })(logits)
	fmt.Printf("%.1f\n", nx.Data[float32](grad))
	// Output:
	// [0.6931 0.0000 10000.0000]
	// [-0.5 0.0 -1.0]
}

// Two sequences of three and two steps, with two labels and one.
func ExampleCTC() {
	logits := nx.Zeros(nx.Shape{2, 3, 3}, nx.F32)
	lengths := nx.FromSlice([]int32{3, 2}, nx.Shape{2})
	labels := nx.FromSlice([]int32{1, 2, 2, 0}, nx.Shape{2, 2})
	l := loss.CTC(logits, lengths, labels, nx.FromSlice([]int32{2, 1}, nx.Shape{2}), 0)
	// By equal probabilities: 5 of 27 paths are "12", and 3 of 9 are "2".
	fmt.Printf("%.4f %.4f\n", nx.Data[float32](nx.Exp(nx.Neg(l))), []float64{5.0 / 27, 3.0 / 9})
	// Output: [0.1852 0.3333] [0.1852 0.3333]
}

func ExampleHuber() {
	p := nx.FromSlice([]float32{0, 0.5, 3}, nx.Shape{3})
	y := nx.Zeros(nx.Shape{3}, nx.F32)
	fmt.Println(nx.Data[float32](loss.Huber(p, y, 1)), nx.Data[float32](loss.Squared(p, y)))
	// Output: [0 0.125 2.5] [0 0.25 9]
}
