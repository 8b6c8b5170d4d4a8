package cpu

import (
	"context"
	"fmt"
	"runtime"
	"strings"
)

// InternalError is a bug in the compiler, not in the program it compiles: a pass or a stage
// panicked. No result was computed, and the client remains usable.
type InternalError struct {
	Stage string // the pass of the module, or the stage after the passes
	Func  string // the function that was compiled
	Value any    // the value of the panic
	Stack string // of the goroutine, up to the compiler
}

// Error reports the stage, the function and the stack of the panic.
func (e *InternalError) Error() string {
	return fmt.Sprintf("internal error: cpu: %s of @%s: %v; this is a bug in the compiler: "+
		"please report it with the program\n%s", e.Stage, e.Func, e.Value, e.Stack)
}

// Unwrap returns the value of the panic if it is an error.
func (e *InternalError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// catch converts a panic of a stage to an error. It must be deferred.
func (s *stages) catch(err *error) {
	switch r := recover().(type) {
	case nil:
	case cancelled:
		*err = context.Cause(s.ctx)
	default:
		name := "main" // of a saved program
		if s.m != nil {
			name = s.f.Name()
		}
		*err = &InternalError{Stage: s.stage, Func: name, Value: r, Stack: compilerStack()}
	}
}

// compilerStack returns the calls from the panic that is being recovered up to this package.
func compilerStack() string {
	const skip = 4 // Callers, compilerStack, catch and the panic itself
	pc := make([]uintptr, 32)
	frames := runtime.CallersFrames(pc[:runtime.Callers(skip, pc)])
	var b strings.Builder
	for {
		f, more := frames.Next()
		if strings.Contains(f.Function, "/cpu.(*stages).") || !more {
			return b.String()
		}
		fmt.Fprintf(&b, "\t%s (%s:%d)\n", f.Function, f.File, f.Line)
	}
}
