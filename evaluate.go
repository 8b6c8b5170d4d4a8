package nx

import (
	"context"
	"reflect"
)

// EvaluateOption is the type of [Evaluate].
type EvaluateOption struct{}

// Evaluate makes [Jit] return a function that runs f anew for each call, op by op,
// on data: for Go's debugger, for printing what is on the way, and for finding the
// op that makes the first NaN. Control flow is still traced. Nothing is compiled
// ahead and arguments are not taken, whatever other options say.
var Evaluate EvaluateOption

func (EvaluateOption) jitOption(j *jitOptions) { j.evaluate = true }

// evaluate is the body of a function that is not compiled.
func (c *callable) evaluate(in []reflect.Value) (out []reflect.Value) {
	if c.hasError {
		defer c.recoverError(&out)
	}
	if c.hasContext {
		if ctx, _ := in[0].Interface().(context.Context); ctx != nil && ctx.Err() != nil {
			failRun("Jit", nil, context.Cause(ctx))
		}
	}
	return c.f.Call(in)
}
