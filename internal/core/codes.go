package core

import "github.com/go-nx/nx/diag"

// The codes of errors. docs/errors.md shows an example of each.
const (
	ErrAbsent    diag.Code = "absent"    // the zero Tensor as an operand
	ErrReleased  diag.Code = "released"  // a released or donated tensor
	ErrShape     diag.Code = "shape"     // sizes that do not fit
	ErrDType     diag.Code = "dtype"     // an element type the op has no meaning for
	ErrAxis      diag.Code = "axis"      // an axis that is not there
	ErrNames     diag.Code = "names"     // names that clash
	ErrValue     diag.Code = "value"     // a Go value that cannot be held
	ErrRagged    diag.Code = "ragged"    // slices of unequal lengths
	ErrArgument  diag.Code = "argument"  // any other wrong argument
	ErrTrace     diag.Code = "trace"     // a traced value used outside its trace
	ErrDevice    diag.Code = "device"    // a device or client that is not there
	ErrContainer diag.Code = "container" // a container of the wrong structure
	ErrState     diag.Code = "state"     // a state or a branch that changes its type
	ErrGradient  diag.Code = "gradient"  // no derivative
	ErrBatch     diag.Code = "batch"     // what cannot be batched
	ErrNaN       diag.Code = "nan"       // a NaN in a result: see CheckNaN
	ErrRun       diag.Code = "run"       // a fault while running
)
