package nx

import "github.com/go-nx/nx/internal/core"

// Checkpoint returns f such that reverse mode keeps no intermediate results of f but recomputes
// them when the derivative needs them: less memory for more time. Of a chain of n equal layers,
// each a checkpoint, the results are kept, and the intermediate results of one layer at a time. F
// is a function of containers; values and derivatives of all orders are those of f. Hooks in f are
// not called again; a [RuntimeCall] is where the derivative needs its result.
//
// Errors: [ErrGradient] in reverse mode where f draws from a generator with a
// state, which cannot be repeated.
func Checkpoint[F any](f F) F {
	return core.Checkpoint[F](f)
}

// Attribute is a named constant of a [Composite], made by [Attr].
type Attribute = core.Attribute

// Attr returns an attribute of a [Composite].
func Attr[T bool | int | float64 | string](name string, value T) Attribute {
	return core.Attr[T](name, value)
}

// Composite returns f as a block: one op of the graph, with a name such as "my_library.attention"
// and attributes, whose meaning is f. A compiler that knows the name may use its own algorithm; all
// others, and derivatives and batches, use f. Other programs can find a block: [Executable.Text]
// shows it as stablehlo.composite. F is a function of containers.
//
// The names that begin with "nx." are those of this module's own blocks, which have
// derivatives, batches and algorithms under their names; package linalg is written with
// them. For such a name f is nil, and F a function of tensors.
//
// Gradient: that of f, or of the block of that name.
//
// Errors: [ErrArgument] for a name that is not letters, digits and _ in two or more
// parts joined by dots, for one that begins with "nx." and is not known, or an f beside
// a known one.
func Composite[F any](name string, f F, attrs ...Attribute) F {
	return core.Composite[F](name, f, attrs...)
}

// CustomJVP returns f with a derivative of its own. rule receives the point, f's result there and a
// direction, and returns the derivative of the result in that direction, in which it must be
// linear; both modes and all orders follow from it. In a direction, tensors that are not floats are
// absent, and zeros stand for tensors that do not vary; in the result of rule an absent tensor is
// zero.
//
// Errors: [ErrContainer] where rule returns other types than f, [ErrGradient]
// where f or rule use a tensor from outside that the derivative is taken by: pass
// it in the argument.
func CustomJVP[P, R any](f func(P) R, rule func(p P, r R, dp P) R) func(P) R {
	return core.CustomJVP[P, R](f, rule)
}

// CustomVJP returns a function with a derivative of its own in reverse mode. forward returns the
// result and the values that the derivative needs; backward receives them and a cotangent of the
// result, and returns a cotangent of the argument, linear in that of the result. The derivative in
// forward mode is the transpose of backward's. In a cotangent, tensors that are not floats are
// absent, and zeros stand for unused ones, as in JAX: a result that zeros make infinite or NaN,
// such as a cotangent divided by 0, stays so even where a [Where] takes another value. A call
// without a used result has no derivative, and every transformation omits it, unless forward has
// effects ([debug.Hook], [RuntimeCall]), for which it is kept. In the result of backward an absent
// tensor is zero.
//
// Errors: [ErrContainer] where backward returns other types than the argument's,
// [ErrGradient] where the functions use a tensor from outside that the derivative
// is taken by: pass it in the argument.
func CustomVJP[P, S, R any](forward func(P) (R, S), backward func(saved S, dr R) P) func(P) R {
	return core.CustomVJP[P, S, R](forward, backward)
}

// RuntimeCall returns f of the values of the tensors in p, where f is a Go function called when a
// compiled function reaches the call. The result has the structure and the types of like, in which
// zeros stand for tensors (nx.Zeros). In a batch ([Vmap], vectorised axes) f is called like that of
// a [debug.Hook], once for each element: like is the result for one element. The call is made
// whether its result is used or not; a reverse pass that needs the result again may make it again.
//
// Gradient: none; [CustomVJP] gives it one. Errors: [ErrRun] where f fails, panics,
// ends a goroutine of the package (see [debug.Hook]) or returns other types; they name f; [ErrShape] where tensors in
// p have vectorised axes of one name and different sizes, or like has an axis that p does not have. Outside of
// a trace f is called at once.
func RuntimeCall[P, R any](p P, like R, f func(P) (R, error)) R {
	return core.RuntimeCall[P, R](p, like, f)
}
