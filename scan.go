package nx

import "github.com/go-nx/nx/internal/core"

// AssociativeScanOption is an option of [AssociativeScan].
type AssociativeScanOption = core.AssociativeScanOption

// AssociativeScan returns, at place i along an axis, the first i+1 parts of xs
// combined: all running sums where combine is addition. combine takes and returns
// containers like xs, works on many parts at once (its operands have any size
// along the axis, the same in both), and must be associative. There are
// 2·log₂ n calls of it, one after the other, instead of n.
//
// Shapes: those of xs. The axis is 0 unless nx.Axis says otherwise; with
// nx.Reversed the combining goes from the end, and combine(a, b) gets the later
// part as a. Gradient: forward and reverse, through combine. Source: G. Blelloch,
// Prefix sums and their applications, CMU-CS-90-190.
func AssociativeScan[X any](xs X, combine func(a, b X) X, opts ...AssociativeScanOption) X {
	return core.AssociativeScan[X](xs, combine, opts...)
}

// ScanOption is an option of [Scan] and of what is like it.
type ScanOption = core.ScanOption

// Reversed makes a scan go from the last row to the first; results stay in the order of the rows.
const Reversed = core.Reversed

// Unroll lets each trip of a scan's loop do n steps, which gives the compiler
// more to fuse; n equal to the number of rows leaves no loop.
func Unroll(n int) ScanOption {
	return core.Unroll(n)
}

// Length sets the number of steps of a scan over no tensors.
func Length(n int) ScanOption {
	return core.Length(n)
}

// Scan runs step over the rows of the tensors in xs, the parts along their first
// axis, carrying a state from row to row. It returns the last state and what the
// steps returned beside it, stacked along a new first axis. All three are any
// containers. The carried state keeps its structure and types, as in [While].
//
// Shapes: xs [n, …], a row […], a result […] → [n, …]. With n = 0 the state is
// init. Vectorised axes stay what they are: rows are along the first of the other axes, and a state has
// those that a step gives it. Gradient: forward and reverse, keeping of each step's state what the
// derivative of the step needs. Errors: [ErrState] where a step changes a type,
// [ErrShape] where the tensors have different numbers of rows.
func Scan[C, X, Y any](init C, xs X, step func(C, X) (C, Y), opts ...ScanOption) (C, Y) {
	return core.Scan[C, X, Y](init, xs, step, opts...)
}

// Map returns f of each row of the tensors in xs, stacked: one row at a time
// in a loop, where f need not work on batches. It is what JAX calls lax.map.
//
// Shapes, gradient and errors: those of [Scan].
func Map[X, Y any](xs X, f func(X) Y, opts ...ScanOption) Y {
	return core.MapRows[X, Y](xs, f, opts...)
}
