package nx

import (
	"reflect"

	"github.com/go-nx/nx/internal/autodiff"
	"github.com/go-nx/nx/stablehlo"
)

// Checkpoint returns f such that reverse mode keeps nothing of what f computes on
// the way but computes it again when the derivative needs it: less memory for more
// time. Of a chain of n equal layers, each a checkpoint, the results are kept and
// the inside of one layer at a time. F is a function of containers; values and
// derivatives of all orders are those of f. Hooks in f are not called again; a [RuntimeCall] is
// where the derivative needs its result.
//
// Errors: [ErrGradient] in reverse mode where f draws from a generator with a
// state, which cannot be repeated.
func Checkpoint[F any](f F) F {
	const op = "Checkpoint"
	t, v := reflect.TypeFor[F](), reflect.ValueOf(f)
	requireFunction(op, t, v)
	c := newCallable(t, v)
	return reflect.MakeFunc(t, func(in []reflect.Value) (out []reflect.Value) {
		if c.hasError {
			defer c.recoverError(&out)
		}
		args := in[b2i(c.hasContext):]
		fn := c.trace(op, args)
		fn.asCallee(baseName(v))
		return c.returns(op, fn,
			applyForm(op, fn, c.tensors(op, args), func(e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
				return e.composite(autodiff.Checkpoint, fn.name, in, fn.outs)
			}))
	}).Interface().(F)
}
