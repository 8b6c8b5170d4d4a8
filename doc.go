// Package nx is numerical computing for Go: typed n-dimensional tensors with
// named axes, and ordinary Go functions on them that are traced into one graph
// language, differentiated and compiled.
//
//	t := nx.New([][]float32{{1, 2}, {3, 4}}, nx.Names("batch", "features"))
//	e := nx.Exp(nx.Sub(t, nx.Max(t, nx.Axis("features"), nx.KeepAxes)))
//	softmax := nx.Div(e, nx.Sum(e, nx.Axis("features"), nx.KeepAxes))
//
// A [Tensor] is immutable and safe to share between goroutines. The same
// functions run at once on data, or build a graph when a transformation such
// as [Jit] or [Grad] runs them. Using an op wrongly panics with an [*Error]
// that names the op, its operands and the caller's line; [Catch] turns it into
// an error.
package nx
