package core

import (
	"context"
	"reflect"
)

// evaluateOption is the type of [Evaluate].
type evaluateOption bool

// Evaluate is nx.Evaluate.
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
