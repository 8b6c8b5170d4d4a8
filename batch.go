package nx

import (
	"iter"

	"github.com/go-nx/nx/internal/core"
)

// PadBatch pads the tensors of a container along their first axis with zeros, to the smallest of
// sizes that holds them, and returns the number of rows there were: a function compiled for full
// batches serves the last, short one, too. Of its results t.At(nx.To(rows)) are the valid ones.
//
// Shapes: [n, …] → [size, …]. Errors: [ErrShape] where the tensors have different
// numbers of rows, or more than every size.
func PadBatch[P any](p P, sizes ...int) (padded P, rows int) {
	return core.PadBatch[P](p, sizes...)
}

// BatchOption is an option of [Batches].
type BatchOption = core.BatchOption

const (
	// KeepShort returns them as a shorter batch.
	KeepShort = core.KeepShort
	// DropLast drops them.
	DropLast = core.DropLast
	// RepeatFirst fills the last batch with rows from the beginning.
	RepeatFirst = core.RepeatFirst
)

// Batches returns the rows of a tensor, n at a time, in order: a loop ranges over them. Options:
// [KeepShort], the default, [DropLast] or [RepeatFirst] for rows at the end that do not fill a
// batch.
//
//	for x := range nx.Batches(images, 32) { … }
//
// Shapes: [m, …] → [n, …] each. DTypes: that of the tensor. Gradient: passes. Accuracy: exact.
// Errors: [ErrShape] for a scalar, [ErrArgument] for an n below 1.
func Batches(t Tensor, n int, opts ...BatchOption) iter.Seq[Tensor] {
	return core.Retype[iter.Seq[Tensor]](core.Batches(core.Tensor(t), n, opts...))
}

// Rows returns the slices of a tensor along an axis, the first by default, with their
// indices, in order: a loop ranges over them.
//
//	for i, row := range nx.Rows(table) { … }
//
// Shapes: [m, …] → […] each. DTypes: that of t. Gradient: passes. Accuracy: exact. Errors:
// [ErrAxis], [ErrShape] for a scalar. Source: iterating over an array of NumPy.
func Rows(t Tensor, opts ...AxisOption) iter.Seq2[int, Tensor] {
	return core.Retype[iter.Seq2[int, Tensor]](core.Rows(core.Tensor(t), opts...))
}
