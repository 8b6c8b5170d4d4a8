// Package autodiff differentiates StableHLO programs: module in, module out.
//
// [JVP] pushes tangents forward, [VJP] pulls cotangents back, [Gradient] pulls back ones. The
// result is a plain module, so higher derivatives are computed by applying them to each other's
// results.
//
// There is one set of rules. Each op has a row in jvps that computes the tangents of its results
// with other ops (jvp_*.go), and each op that is linear in such a row has a row in transposes
// (transpose_*.go). Reverse mode linearises the program by the forward mode on symbolic tangents,
// and then transposes the linear ops in reverse order (reverse.go). Ops that are compositions of
// others have a row in expansions (expand.go) and are differentiated as their expansion, mostly the
// lowering of package simplify. Ops without a derivative are listed with the reason (zero.go).
//
// Control flow is differentiated as control flow. A case becomes a case of derivatives. A while
// becomes a while that also carries tangents or, in reverse mode, one that saves its states and one
// that iterates over them in reverse (while_reverse.go, checkpoint.go).
//
// # Conventions
//
// At a kink, |x|′ is 1 at 0, the maximum of equal operands has the derivative ½ in each, and the
// maximum over a dimension shares its derivative equally among the largest elements; the maximum of
// a window has it at the first. clamp has the derivative of its operand on the closed interval.
// Piecewise-constant functions have the derivative 0, and so have e^-|x| and e^-|x|·I₀(x) at 0, as
// the mean of their slopes, and |z| of a complex z at 0, which has no direction there. The operand
// that a select does not choose contributes nothing, even if it is infinite or NaN.
//
// Eigenvectors and singular vectors of values that are equal, within 8 roundings of the largest,
// have the derivative NaN. In reverse mode it counts only if the program uses them: in slices of v
// and in selects, the other columns are 0 for all data. A cotangent that is zero in the data is
// different: that of v in v·log(w)·vᵀ is zero at the identity, but the derivative there is not.
//
// At the end of a domain, at a pole and at an infinity, first and second derivatives are the limits
// from within the domain, from the side of a signed zero, or NaN if there is no limit.
//
// A tangent or cotangent has the type of its value. Cotangents of complex values pair without
// conjugation: ⟨c, t⟩ = Re(Σ c·t), so that the pull-back of a holomorphic f is multiplication by
// f′, and the gradient of a real function is the conjugate of its direction of steepest ascent.
//
// A derivative that is zero for all data is not computed: there is no tangent for integers, for
// values that do not depend on the chosen arguments, and for values on which no differentiated
// result depends.
package autodiff
