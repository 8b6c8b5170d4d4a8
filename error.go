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
	ErrRun       = core.ErrRun       // a fault while running
)

// Error is the error of using an op wrongly: ops panic with *Error, boundaries
// return it. See package diag.
type Error = diag.Error

// Catch turns a panic with an *Error into *err; any other panic goes on.
//
//	func Load(path string) (t nx.Tensor, err error) {
//		defer nx.Catch(&err)
//		…
//	}
func Catch(err *error) {
	diag.Recover(recover(), err)
}
