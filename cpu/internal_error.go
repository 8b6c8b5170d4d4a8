package cpu

import (
	"context"
	"fmt"
	"runtime"
	"strings"
)

// InternalError is a fault of the compiler, not of the program it compiles: a pass or a stage
// panicked. Nothing was computed, and the client goes on as before.
type InternalError struct {
	Stage string // the pass of the module, or the stage after all passes
	Func  string // the function that was compiled
	Value any    // what the stage panicked with
	Stack string // of the goroutine, up to the compiler
}

// Error tells the stage, the function and where in the compiler the fault was noticed.
func (e *InternalError) Error() string {
	return fmt.Sprintf("internal error: cpu: %s of @%s: %v; this is a fault of the compiler: "+
		"please report it together with the program\n%s", e.Stage, e.Func, e.Value, e.Stack)
}

// Unwrap returns what the stage panicked with if that is an error.
func (e *InternalError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// catch makes an error of what a stage panicked with. It is called by defer.
func (s *stages) catch(err *error) {
	switch r := recover().(type) {
	case nil:
	case cancelled:
		*err = context.Cause(s.ctx)
	default:
		name := "main" // of a program that was saved
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
