// Package autodiff differentiates StableHLO programs: module in, module out.
//
// [JVP] pushes tangents forward, [VJP] pulls cotangents back, [Gradient] is the
// pull-back of ones. The result is a plain module again, so derivatives of any
// order come from applying them to each other's results.
//
// There is one set of rules. Each op has a row in jvps that computes the
// tangents of its results with other ops (jvp_*.go), and each op that such a
// row is linear in has a row in transposes (transpose_*.go). Reverse mode is
// not a third set: the program is linearised, which is the forward mode on
// symbolic tangents, and the linear ops are then transposed in reverse order
// (reverse.go). Ops that are shorthand for others have a row in expansions
// (expand.go) and are differentiated as what they stand for, mostly as what
// package simplify makes of them for the compiler. Ops without a
// derivative are listed with the reason (zero.go).
//
// Control flow is differentiated as control flow. A case becomes a case of
// derivatives. A while becomes a while that carries tangents along or, in
// reverse mode, one that leaves the states it went through and one that walks
// back over them (while_reverse.go, checkpoint.go).
//
// # Conventions
//
// Where a function has a kink, |x|′ is 1 at 0, the maximum of equal operands
// has the derivative ½ in each, and the maximum over a dimension shares its
// derivative equally among the largest elements; the maximum of a window has it
// at the first. clamp has the derivative of its operand on the closed interval.
// Piecewise-constant functions have the derivative 0, and so have e^-|x| and
// e^-|x|·I₀(x) at 0, as the mean of their slopes, and |z| of a complex z at 0, which
// has no direction there. What a select does not take adds nothing, even where it
// is infinite or NaN.
//
// Eigenvectors and singular vectors of values that are equal, within 8 roundings of
// the largest, have no derivative: it is NaN. In reverse mode it counts only where
// the program takes something of them: of what it cuts out of v or chooses by a
// select the other columns are 0, whatever the data. A cotangent that is zero in
// the data has no such meaning: that of v in v·log(w)·vᵀ is zero at the identity,
// and the derivative there is not.
//
// At the end of a domain, at a pole and at an infinity, first and second derivatives
// are the limits from within the domain, from the side of a signed zero, or NaN
// where there is none.
//
// A tangent or cotangent has the type of its value. Cotangents of complex
// values pair without conjugation: ⟨c, t⟩ = Re(Σ c·t), so that the pull-back
// of a holomorphic f is multiplication by f′, and the gradient of a real
// function is the conjugate of its direction of steepest ascent.
//
// A derivative that is zero whatever the data is not computed: no tangent
// exists for integers, for values that do not depend on the chosen arguments,
// and for values on which no differentiated result depends.
package autodiff
