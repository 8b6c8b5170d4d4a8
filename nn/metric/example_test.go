package metric_test

import (
	"fmt"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/nn/metric"
)

// Sums of batches are added; the value is that of all rows, also if the last batch is short or padded.
func Example() {
	type sums struct {
		Loss, Accuracy metric.Ratio
	}
	measure := nx.Jit(func(logits, classes, mask nx.Tensor) sums {
		w := metric.Weight(mask)
		return sums{metric.CrossEntropy(logits, classes, w), metric.Accuracy(logits, classes, w)}
	})
	first := measure(nx.FromSlice([]float32{2, 0, 0, 2}, nx.Shape{2, 2}), nx.FromSlice([]int32{0, 1}, nx.Shape{2}),
		nx.FromSlice([]float32{1, 1}, nx.Shape{2}))
	last := measure(nx.FromSlice([]float32{2, 0, 0, 0}, nx.Shape{2, 2}), nx.FromSlice([]int32{1, 0}, nx.Shape{2}),
		nx.FromSlice([]float32{1, 0}, nx.Shape{2}))
	v := metric.Values(metric.Add(first, last))
	fmt.Printf("accuracy %.4f, loss %.4f\n", v["Accuracy"], v["Loss"])
	// Output: accuracy 0.6667, loss 0.7936
}

func ExampleConfusion() {
	predicted := nx.FromSlice([]int32{0, 1, 2, 2, 1, 0}, nx.Shape{6})
	targets := nx.FromSlice([]int32{0, 1, 2, 1, 1, 2}, nx.Shape{6})
	c := metric.NewConfusion(predicted, targets, 3)
	fmt.Println(nx.Data[float64](c.Matrix))
	fmt.Printf("precision %.3f\n", nx.Data[float64](c.Counts().Precision(metric.Each)))
	fmt.Printf("F1 %.3f, balanced accuracy %.3f, Matthews %.3f\n",
		nx.Item[float64](c.Counts().FBeta(1, metric.Macro)), nx.Item[float64](c.BalancedAccuracy()),
		nx.Item[float64](c.Matthews()))
	// Output:
	// [1 0 0 0 2 1 1 0 1]
	// precision [0.500 1.000 0.500]
	// F1 0.656, balanced accuracy 0.722, Matthews 0.522
}

// The area by thresholds is a sum; the exact one needs all scores.
func ExampleRocAUC() {
	scores := nx.FromSlice([]float32{0.1, 0.4, 0.35, 0.8}, nx.Shape{4})
	labels := nx.FromSlice([]int32{0, 0, 1, 1}, nx.Shape{4})
	fmt.Println(nx.Item[float64](metric.RocAUC(scores, labels)))
	fmt.Printf("%.3f\n", nx.Item[float64](metric.NewCurve(scores, labels, 200).Value()))
	for _, p := range metric.Points(scores, labels) {
		fmt.Printf("%.2f: %.1f %.1f\n", p.Threshold, p.FalsePositive, p.TruePositive)
	}
	// Output:
	// 0.75
	// 0.750
	// +Inf: 0.0 0.0
	// 0.80: 0.0 0.5
	// 0.40: 0.5 0.5
	// 0.35: 0.5 1.0
	// 0.10: 1.0 1.0
}

func ExampleRegression() {
	predictions := nx.FromSlice([]float32{2.5, 0, 2, 8}, nx.Shape{4})
	targets := nx.FromSlice([]float32{3, -0.5, 2, 7}, nx.Shape{4})
	r := metric.NewRegression(predictions, targets)
	fmt.Printf("R² %.3f, explained %.3f, correlation %.3f, RMSE %.3f\n", nx.Item[float64](r.R2()),
		nx.Item[float64](r.ExplainedVariance()), nx.Item[float64](r.Pearson()), nx.Item[float64](r.RMSE()))
	// Output: R² 0.949, explained 0.957, correlation 0.985, RMSE 0.612
}
