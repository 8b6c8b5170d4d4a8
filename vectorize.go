package nx

import "github.com/go-nx/nx/internal/core"

// Vectorize makes the first axes of a tensor vectorised axes with these names, after
// those it has: whatever is applied to the tensor is applied to each element
// along them separately, as if the axes were absent. Operands with different vectorised axes
// get the union of them. [Devectorize] makes them ordinary axes again.
//
//	rows := nx.Vectorize(x, "row")    // f32[4][3] → vectorized[row: 4] f32[3]
//	nx.Sub(rows, nx.Mean(rows))       // each row less its own mean
//
// Shapes: [n, …] → vectorized [n], […]. Names: those of the axes are dropped. DTypes: any.
// Gradient: passes. Accuracy: exact. Errors: [ErrShape] where there are fewer axes than names,
// [ErrNames] where a name is taken.
func Vectorize(t Tensor, names ...string) Tensor {
	return Tensor(core.Vectorize(core.Tensor(t), names...))
}

// Devectorize makes all vectorised axes the first axes of the tensor, with their names.
//
// Shapes: vectorized [n], […] → [n, …]. DTypes: any. Gradient: passes. Accuracy: exact.
func Devectorize(t Tensor) Tensor {
	return Tensor(core.Devectorize(core.Tensor(t)))
}

// Revectorize gives a tensor other vectorised axes and another shape: its elements in
// their order, the vectorised axes first. One size in all may be -1, found from the
// others. Names are dropped.
//
// Shapes: vectorized […], […] of as many elements. DTypes: any. Gradient: passes. Accuracy: exact.
// Errors: [ErrShape].
func Revectorize(t Tensor, vectors []VectorAxis, dims ...int) Tensor {
	return Tensor(core.Revectorize(core.Tensor(t), vectors, dims...))
}

// Vectors returns the vectorised axes, the outermost first.
func (t Tensor) Vectors() []VectorAxis {
	return core.Tensor(t).Vectors()
}

// ReshapeVectors gives tensors the same vectorised axes in the same order, that of their
// first appearance. An axis that a tensor lacks has size 1 in it.
//
// Shapes: those of the tensors, without their vectorised axes. DTypes: any. Gradient: reshaped
// back. Accuracy: exact. Errors: [ErrShape] where axes of one name have sizes that differ, and none
// is 1.
func ReshapeVectors(ts ...Tensor) []Tensor {
	return core.Retype[[]Tensor](core.ReshapeVectors(core.Retype[[]core.Tensor](ts)...))
}

// BroadcastVectors gives tensors the same vectorised axes, in the order of their first
// appearance and of the same sizes: a tensor is repeated along those that it lacks.
//
// Shapes: those of the tensors, without their vectorised axes. DTypes: any. Gradient: summed.
// Accuracy: exact. Errors: those of [ReshapeVectors].
func BroadcastVectors(ts ...Tensor) []Tensor {
	return core.Retype[[]Tensor](core.BroadcastVectors(core.Retype[[]core.Tensor](ts)...))
}
