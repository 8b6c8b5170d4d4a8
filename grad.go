package nx

import "github.com/go-nx/nx/internal/core"

// Grad returns the gradient of f: a function that returns, for each tensor of
// a container, the derivative of f's result with respect to it. A result of
// more than one element is summed. Integer tensors have absent gradients.
//
//	dw := nx.Grad(func(w nx.Tensor) nx.Tensor { return nx.Sum(nx.Mul(w, w)) })(w)
func Grad[P any](f func(P) Tensor) func(P) P {
	return core.Grad[P](core.Retype[func(P) core.Tensor](f))
}

// ValueAndGrad returns f together with its gradient: see [Grad].
func ValueAndGrad[P any](f func(P) Tensor) func(P) (Tensor, P) {
	return core.Retype[func(P) (Tensor, P)](core.ValueAndGrad[P](core.Retype[func(P) core.Tensor](f)))
}

// ValueAndGradAux is [ValueAndGrad] of a function that returns more than the value to be
// differentiated.
func ValueAndGradAux[P, A any](f func(P) (Tensor, A)) func(P) (Tensor, A, P) {
	return core.Retype[func(P) (Tensor, A, P)](core.ValueAndGradAux[P, A](core.Retype[func(P) (core.Tensor, A)](f)))
}

// JacobianOption is an option of [Jacobian].
type JacobianOption = core.JacobianOption

// The modes of differentiation. The default is the cheaper one: forward where there are fewer
// numbers to differentiate by than results.
const (
	ForwardMode = core.ForwardMode // a pass for each number to differentiate by
	ReverseMode = core.ReverseMode // a pass for each number of the result
)

// Jacobian returns all derivatives of f's result: for each tensor of a container one of the shape
// of the result followed by the shape of the tensor. Of complex numbers f must be holomorphic. A
// tensor that is not a float has an absent derivative. All unit vectors are pushed, or pulled, at
// once, as by [Vmap]: the memory is that of a pass times their number. Vectorised axes stay, and
// each element has its own derivatives; f must not mix elements.
//
// Shapes: f: […] → [r…] gives [r…][…]. DTypes: that of the tensor; complex where
// the result is. Errors: those of [JVP] and [VJP]; [ErrShape] for a result without a vectorised
// axis that a tensor has.
func Jacobian[P any](f func(P) Tensor, opts ...JacobianOption) func(P) P {
	return core.Jacobian[P](core.Retype[func(P) core.Tensor](f), opts...)
}

// Hessian returns all second derivatives of f, whose result is summed when it has
// more than one element: forward mode over reverse mode. Of a container [tree.Ravel]
// makes a vector first.
//
// Shapes: [s…] → [s…][s…]. Errors: those of [Grad] and [JVP].
func Hessian(f func(Tensor) Tensor) func(Tensor) Tensor {
	return core.Retype[func(Tensor) Tensor](core.Hessian(core.Retype[func(core.Tensor) core.Tensor](f)))
}

// JVP returns f(p) and its derivative in the direction dp, in one pass. The
// direction has the structure and the types of the point; an absent tensor in it
// stands for zeros, and a tensor that is not a float has none. The derivative is absent where
// the result is not a float.
//
// DTypes: a derivative has the type of its value. Errors: [ErrContainer] where the
// direction does not fit, [ErrGradient] where an op has no derivative.
func JVP[P, R any](f func(P) R, p, dp P) (R, R) {
	return core.JVP[P, R](f, p, dp)
}

// VJP returns f(p) and the function that pulls a cotangent of f's result back to one of p: the
// product with the transposed Jacobian. f is computed once, and the values that its derivative
// needs are kept; the function may be called any number of times. A cotangent has the structure and
// the types of the result; an absent tensor in it stands for zeros.
//
// Errors: [ErrContainer] where the cotangent does not fit, [ErrGradient] where an
// op has no derivative.
func VJP[P, R any](f func(P) R, p P) (R, func(R) P) {
	return core.VJP[P, R](f, p)
}

// Linearize returns f(p) and its derivative there, a linear function of the direction: [JVP] for
// many directions. f is computed once, and the values that its derivative needs are kept.
//
// Errors: those of [JVP].
func Linearize[P, R any](f func(P) R, p P) (R, func(dp P) R) {
	return core.Linearize[P, R](f, p)
}

// HVP returns the product of the Hessian of f at p with v, without the Hessian:
// the derivative of the gradient in the direction v, at a small multiple of the
// cost of the gradient. A result of f of more than one element is summed.
//
// Errors: those of [Grad] and [JVP].
func HVP[P any](f func(P) Tensor, p, v P) P {
	return core.HVP[P](core.Retype[func(P) core.Tensor](f), p, v)
}
