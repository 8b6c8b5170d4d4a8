// Package loss has the losses of training: numbers for each example, which the caller reduces by nx.Mean, nx.Sum or
// nx.WeightedMean.
//
//	loss := nx.Mean(loss.CrossEntropy(logits, classes))
//
// Losses of classes take logits, not probabilities, whose logarithm would lose what the logits have. All compute in f32
// at least, and are finite for large logits.
package loss
