package nx

import (
	"github.com/go-nx/nx/diag"
	"github.com/go-nx/nx/internal/core"
)

// The codes of errors. docs/errors.md shows an example of each.
const (
	ErrAbsent    = core.ErrAbsent    // the zero Tensor as an operand
	ErrReleased  = core.ErrReleased  // a released or donated tensor
	ErrShape     = core.ErrShape     // sizes that do not fit
	ErrDType     = core.ErrDType     // an element type the op has no meaning for
	ErrAxis      = core.ErrAxis      // an axis that is not there
	ErrNames     = core.ErrNames     // names that clash
	ErrValue     = core.ErrValue     // a Go value that cannot be held
	ErrRagged    = core.ErrRagged    // slices of unequal lengths
	ErrArgument  = core.ErrArgument  // any other wrong argument
	ErrTrace     = core.ErrTrace     // a traced value used outside its trace
	ErrDevice    = core.ErrDevice    // a device or client that is not there
	ErrContainer = core.ErrContainer // a container of the wrong structure
	ErrState     = core.ErrState     // a state or a branch that changes its type
	ErrGradient  = core.ErrGradient  // no derivative
	ErrBatch     = core.ErrBatch     // what cannot be batched
	ErrNaN       = core.ErrNaN       // a NaN in a result: see CheckNaN
	ErrRun       = core.ErrRun       // a fault while running
)

// Error is the error of using an op wrongly: ops panic with *Error, boundaries
// return it. See package diag.
type Error = diag.Error

// NaNError is the cause of an error of the kind [ErrNaN], found by [errors.As]: where the NaNs in the results of a
// function come from. It is the first NaN of those that reach a result, by data: one that a [Where] drops does not
// count.
//
// Op is empty where no op has a NaN when the ops run one by one: the compiled code computes in another order, or
// with other roundings. Err says why they could not run so.
type NaNError = core.NaNError

// NaNOrigin is an op that made something that is not finite of finite operands, or an argument that had it.
type NaNOrigin = core.NaNOrigin

// NaNLoop is a loop around an op ([While], [Fori], [Scan]) with the iteration that it is in. Of a [Scan] with [Unroll]
// an iteration is that many steps.
type NaNLoop = core.NaNLoop

// NaNMember is the element of a batch, of [Vmap] or of a vectorised axis, that an op computes for. The index is -1
// where it cannot be told: in derivatives of batches, and in ops of which no axis of the result is known to be the
// batch.
type NaNMember = core.NaNMember

// ValueRange describes the elements of a tensor.
type ValueRange = core.ValueRange

// Catch turns a panic with an *Error into *err; any other panic goes on.
//
//	func Load(path string) (t nx.Tensor, err error) {
//		defer nx.Catch(&err)
//		…
//	}
func Catch(err *error) {
	diag.Recover(recover(), err)
}
