package nx

import "github.com/go-nx/nx/internal/core"

// Cond returns the result of one of two functions: then if pred is not zero, otherwise if it is.
// Only that one is computed. Both may use tensors from outside, and return containers of the same
// structure and types; a number takes the element type of the other's tensor.
//
// Where pred has vectorised axes, both functions are computed for all elements, for which their loops
// must end, and each element takes its own result. Go functions ([debug.Hook], [RuntimeCall]) are called for the
// elements that take the branch.
//
// Shapes: pred is a scalar. DTypes: pred of any. Gradient: that of the branch
// taken; none for pred. Errors: [ErrState] where the branches differ in type,
// naming the path. Source: StableHLO if.
func Cond[R any](pred Tensor, then, otherwise func() R) R {
	return core.Cond[R](core.Tensor(pred), then, otherwise)
}

// Case returns the result of branch number index. An index below 0 takes the first, one beyond the
// end the last. Otherwise as [Cond], an index with vectorised axes too.
//
// Shapes: index is a scalar. DTypes: index of integers. Gradient: that of the
// branch taken. Source: StableHLO case.
func Case[R any](index Tensor, branches ...func() R) R {
	return core.Case[R](core.Tensor(index), branches...)
}

// While repeats step on a state as long as more returns true, and returns the last state. The state
// is any container; each step returns one of the same structure and types, where a number takes the
// element type of the state's tensor. Both functions may use tensors from outside.
//
// If the result of more has vectorised axes, all elements take steps until none goes on, and those
// that are done keep their states. Go functions ([debug.Hook], [RuntimeCall]) are called for those
// that go on.
//
// Shapes: more returns a scalar, of any element type; not zero goes on.
// Gradient: forward and reverse. Reverse mode keeps a bounded number of states
// and computes each step at most 1 + ⌈log_K n⌉ times more, K from the size of a
// state, whatever the number n of steps. Reverse mode of reverse mode multiplies the
// states that are kept; [HVP] goes forward over reverse and doubles them. Errors:
// [ErrState] where a step changes a type, naming the path. Source: StableHLO while.
func While[S any](init S, more func(S) Tensor, step func(S) S) S {
	return core.While[S](init, core.Retype[func(S) core.Tensor](more), step)
}

// Count is a number of steps: an int, or a scalar tensor of integers, which is
// known when the program runs.
type Count interface{ int | Tensor }

// Fori runs body for i = 0, 1, … n-1 on a state and returns the last state; with
// n ≤ 0 that is init. i is a scalar of the type of n, s32 for an int that fits.
// Otherwise as [While].
//
// Gradient: forward and reverse; with n an int, reverse mode keeps the needed parts of each step's
// state.
func Fori[N Count, S any](n N, init S, step func(i Tensor, s S) S) S {
	return core.Fori[N, S](n, init, core.Retype[func(i core.Tensor, s S) S](step))
}
