package core

import (
	"reflect"

	"github.com/go-nx/nx/internal/autodiff"
	"github.com/go-nx/nx/stablehlo"
)

// Checkpoint implements nx.Checkpoint.
func Checkpoint[F any](f F) F {
	const op = "Checkpoint"
	t, v := reflect.TypeFor[F](), reflect.ValueOf(f)
	requireFunction(op, t, v)
	c := newCallable(t, v)
	return reflect.MakeFunc(t, func(in []reflect.Value) (out []reflect.Value) {
		if c.hasError {
			defer c.recoverError(&out)
		}
		args := in[c.firstArg():]
		fn := c.trace(op, args)
		fn.asCallee(baseName(v))
		return c.returns(op, fn,
			applyForm(op, fn, c.tensors(op, args), func(e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
				return e.composite(autodiff.Checkpoint, fn.name, in, fn.outs)
			}))
	}).Interface().(F)
}
