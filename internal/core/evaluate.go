package core

import (
	"context"
	"reflect"
)

// evaluateOption is the type of [Evaluate].
type evaluateOption bool

// Evaluate makes [Jit] return a function that runs f at each call, op by op, on data: for Go's
// debugger, for printing intermediate values, and for finding the op that produces the first NaN.
// Control flow is still traced. Nothing is compiled ahead and no argument is donated, whatever
// other options say.
const Evaluate evaluateOption = true

func (o evaluateOption) jitOption(j *jitOptions) { j.evaluate = bool(o) }

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
