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
//
// # Rules
//
// Element types. Go types map exactly: float64 to f64, int to s64. A Go number
// beside a tensor takes the tensor's element type; it may raise the kind
// (integers + 0.5 are f32), never the width, and a value that does not fit is an
// error. Two tensors get the smallest type that holds both. Integers wrap around,
// floats are IEEE: x/0 is ±Inf. Comparisons give bools.
//
// Shapes broadcast as NumPy's do, aligned to the right. Axes are given by
// position, negative from the end, or by name; names of operands must agree where
// both have one.
//
// Containers. Any struct, slice, array, map, pointer or interface that holds
// tensors is an argument, a result, a gradient: fields tagged `nx:"-"` are left
// out, and all values that are not tensors belong to the signature of a compiled function.
//
// Memory. [New] copies, [FromSliceShared] shares, [Data] copies, [View] lends. Unused
// memory is collected; [Release] and [Donate] return it at once.
//
// Results are the same bits for any number of workers.
//
// Read next: docs/guide.md, from the first tensor to a served model; docs/rosetta.md for the
// names in NumPy, JAX and Nx; docs/errors.md for the errors; examples/digits for a model that
// learns.
package nx
