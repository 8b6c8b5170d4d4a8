// Package metric has measures of models: containers of sums, which are added over batches, and their values at the end.
//
//	type Sums struct {
//		Loss     metric.Ratio
//		Accuracy metric.Ratio
//		Classes  metric.Confusion
//	}
//
//	predicted := nx.ArgMax(logits, nx.Axis(-1))
//	sums := Sums{metric.Mean(losses), metric.Accuracy(logits, y), metric.NewConfusion(predicted, y, 10)}
//	total = metric.Add(total, sums)            // over batches
//	metric.Values(total)                       // Accuracy, Loss by name
//	total.Classes.Counts().FBeta(1, metric.Macro)
//
// A mean of the means of batches is wrong where the last one is shorter; the quotient of two sums is not. The sums of a
// step of package train are such a container. They are computed inside of the compiled step, and are merged by
// addition, also over micro-batches and over devices.
//
// [Weight] is an option of all: rows of weight 0, such as padding, count nothing, whatever their numbers are. Sums are
// f64, so that counts are exact and nothing is lost by adding up many batches.
//
// Measures that cannot be added, such as the exact area under a curve ([RocAUC]), are functions of all scores of a data
// set.
package metric
