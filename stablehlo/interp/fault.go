package interp

import (
	"errors"
	"fmt"
	"strings"

	"github.com/go-nx/nx/stablehlo"
)

// FaultKind reports what went wrong in a [Fault].
type FaultKind uint8

// The kinds of faults.
const (
	Internal     FaultKind = iota // a broken invariant of the interpreter itself
	BadArgument                   // Call was given arguments that do not fit the function
	NoFunction                    // the function does not exist or has no body
	BadShape                      // sizes known only at run time do not fit
	TooLarge                      // a value would take more memory than allowed
	TooDeep                       // calls are nested too deeply
	CheckFailed                   // a check.* op found a difference
	UnknownCall                   // a custom_call target that is not registered
	CallFailed                    // a registered custom call or a reader or writer returned an error
	Unsupported                   // the op has no meaning in this interpreter
	NoParallel                    // a process-to-process op outside interpreter.run_parallel, or a bad group
	Deadlock                      // all processes wait for each other
	OtherProcess                  // another process of the same run failed first
	Canceled                      // the context ended
)

var faultNames = [...]string{"internal fault", "bad argument", "no function", "bad shape", "too large",
	"too deep", "check failed", "unknown custom call", "custom call failed", "unsupported",
	"not parallel", "deadlock", "other process failed", "canceled"}

func (k FaultKind) String() string { return faultNames[k] }

// Fault is the error of a program that failed while running.
type Fault struct {
	Kind   FaultKind
	Op     *stablehlo.Op     // the failed op; nil outside of an op
	Source *stablehlo.Source // the text of the module; nil when it was built
	Func   string            // the function that holds the op
	Detail string            // what was wrong
	Err    error             // the cause, if another error
}

// Error formats the fault: position, op, detail, and the op's line.
func (f *Fault) Error() string {
	var b strings.Builder
	detail := f.Detail
	if f.Err != nil {
		detail = strings.TrimPrefix(detail+": "+f.Err.Error(), ": ")
	}
	if f.Op == nil {
		fmt.Fprintf(&b, "interp: %s: %s", f.Kind, detail)
		return b.String()
	}
	d := stablehlo.Diagnostic{Pos: f.Op.Pos(), Loc: f.Op.Loc,
		Message: fmt.Sprintf("%s: %s: %s", f.Op.Name(), f.Kind, detail)}
	if f.Func != "" {
		d.Message += " (in @" + f.Func + ")"
	}
	if d.Pos == 0 {
		d.Op = f.Op.Name()
	}
	return (&stablehlo.Error{Source: f.Source, Diagnostics: []stablehlo.Diagnostic{d}}).Error()
}

// Unwrap returns the cause.
func (f *Fault) Unwrap() error { return f.Err }

// faultf returns a fault without a position; the frame that runs the op adds it.
//
//go:noinline
func faultf(k FaultKind, format string, args ...any) *Fault {
	return &Fault{Kind: k, Detail: fmt.Sprintf(format, args...)}
}

// at adds the position to an error of an op, only the innermost one.
func (f *frame) at(s *step, err error) error {
	var fault *Fault
	if !errors.As(err, &fault) {
		fault = &Fault{Kind: Internal, Err: err}
		if cause := f.ctx.Err(); cause != nil && errors.Is(err, cause) {
			fault.Kind = Canceled
		}
	}
	if fault.Op == nil {
		placed := *fault
		placed.Op, placed.Source, placed.Func = s.op, f.it.module.Source, f.plan.name
		return &placed
	}
	return err
}
