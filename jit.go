package nx

import (
	"log/slog"

	"github.com/go-nx/nx/internal/core"
)

// Executable is a function compiled for one signature.
type Executable[F any] core.Executable[F]

// Args is the list of arguments of [Compile] and [Lower]: tensors, containers of them and other values, and a [Spec]
// in the
// place of a tensor.
func Args(args ...any) []any { return args }

// Compile compiles f for arguments of the types of args, without running it.
// The arguments are those of f, without a leading context; a [Spec] stands for a
// tensor of that type. In containers, [Zeros] stand for tensors without holding
// memory. Options, as for [Jit], may stand among them: [Donate], [On].
func Compile[F any](f F, args []any, opts ...JitOption) (exe *Executable[F], err error) {
	r0, r1 := core.Compile[F](f, args, opts...)
	return (*Executable[F])(r0), r1
}

// Text returns the program as StableHLO.
func (e *Executable[F]) Text() string {
	return (*core.Executable[F])(e).Text()
}

// Evaluate makes [Jit] return a function that runs f at each call, op by op, on data: for Go's
// debugger, and for printing intermediate values; [CheckNaN] finds the op that produces the first NaN.
// Control flow is still traced. Nothing is compiled ahead and no argument is donated, whatever
// other options say.
const Evaluate = core.Evaluate

// CheckNaN makes [Jit] return a function that fails where a result has a NaN, with [ErrNaN] and a [NaNError],
// which says which op made it, at which line of the program, of which operands. The compiled code runs as it does
// without the option, on the devices of any client, and its results are read. Only when one has a NaN the program
// runs again, op by op on the processor, which takes much longer, and calls the functions of [RuntimeCall] again,
// but no hooks.
//
// A NaN that does not reach a result is not an error, as in the branch that [Where] or [Cond] does not choose. Nor
// is an infinity, as that of a mask; where an op makes a NaN of one, the error says where the infinity came from.
// Arguments are kept for the second run: memory that is donated is not reused, and where the check fails the
// donated tensors are valid again. Within another compiled function the option has no effect: that one needs it.
// The environment variable NX_NAN=1 is the option for all compiled functions, and checks each op on data.
const CheckNaN = core.CheckNaN

// JitOption is an option of [Jit].
type JitOption = core.JitOption

// Signatures sets the number of signatures for which a compiled function keeps code: the n used
// last, 256 by default. Use it for programs whose shapes take more values, or to save memory. A
// dropped signature is compiled again, which takes far longer than a call.
func Signatures(n int) JitOption {
	return core.Signatures(n)
}

// Donate passes the memory of arguments, counted from 0 without a leading context,
// to the compiled function, which stores results there: those of the same size that are
// computed after the last use of the argument, such as the new weights in the place of the
// old ones. A training step that donates its model allocates no second one. Other tensors in the
// memory of a donated one, such as a reshape of it, keep their elements: the result is then
// stored elsewhere.
//
// The tensors are gone after the call, whether it succeeds, fails or is cancelled: using one is
// [ErrReleased] with the line of the call. A donated tensor must not occur a second time in the call,
// nor among the tensors that the function uses from outside, constants included; a call that is
// refused for this, or before it begins, donates nothing. [Lower] writes donation into the program
// as JAX does (jax.buffer_donor).
func Donate(args ...int) JitOption {
	return core.Donate(args...)
}

// Jit returns f compiled: the first call with arguments of new types traces f
// and compiles the graph, later ones run the code. F is a function on
// containers of tensors; a leading context.Context is the call's, which may
// cancel it; a trailing error result receives failures, which are panics
// otherwise. The compiled function is safe for concurrent calls.
//
// Side effects of f happen while it is traced, once for each signature. The signature consists of
// the types of all tensors in the arguments and of everything else in them: numbers, strings,
// lengths, the identity of functions and of pointers. Tensors that f uses from outside are those of
// the first call: a function that uses some is traced once more at its second, to warn if one has
// changed. With a traced argument the call becomes one in the graph of that trace; f is traced once
// for each signature then, too.
//
//	step := nx.Jit(func(p Params, x nx.Tensor) (Params, nx.Tensor) { … }, nx.Donate(0))
func Jit[F any](f F, opts ...JitOption) F {
	return core.Jit[F](f, opts...)
}

// SetLogger sets where warnings go, such as that of a compiled function that is
// compiled again for every call; nil stands for [slog.Default], as at the start.
func SetLogger(l *slog.Logger) {
	core.SetLogger(l)
}
