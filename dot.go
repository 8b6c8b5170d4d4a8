package nx

import "github.com/go-nx/nx/internal/core"

// Dot contracts the last axis of a with the second to last of b (its only one
// when b is a vector), as NumPy's matmul does: leading axes are batches and
// broadcast. A scalar multiplies all elements of the other, as in NumPy's dot.
//
// Shapes: a [..., m, k], b [..., k, n] → [..., m, n]; vectors drop their axis. The names are
// those of the axes that stay. DTypes: promoted; bools become u8, integers wrap around.
// Gradient: two products. Accuracy: a sum of k products. Errors: [ErrShape] where the contracted
// sizes differ or batch axes cannot be broadcast, [ErrNames] where two axes of the result have
// one name.
func Dot(a, b Tensor) Tensor {
	return Tensor(core.Dot(core.Tensor(a), core.Tensor(b)))
}

// DotDims lists the axes that a product of two tensors contracts, and the batch axes: the k-th of A
// is paired with the k-th of B. Negative ones count from the end.
type DotDims = core.DotDims

// DotGeneral sums the products of elements over pairs of axes of two tensors, for each place along
// pairs of batch axes: every other product is a special case.
//
// Shapes: the batch axes, the other axes of a, the other axes of b. DTypes: promoted;
// bools become u8, integers wrap around. Gradient: two products. Accuracy: a sum of
// products. Errors: [ErrShape] where paired axes differ in size, [ErrAxis], [ErrNames]
// where two axes of the result have one name. Source: StableHLO dot_general.
func DotGeneral(a, b Tensor, dims DotDims) Tensor {
	return Tensor(core.DotGeneral(core.Tensor(a), core.Tensor(b), dims))
}

// Outer returns all products of an element of a and one of b, both flattened.
//
// Shapes: a [m], b [n] → [m, n]; the names are the first of a and the last of b. DTypes: promoted.
// Gradient: b to a and a to b, added up. Accuracy: one rounding.
func Outer(a, b Tensor) Tensor {
	return Tensor(core.Outer(core.Tensor(a), core.Tensor(b)))
}

// Einsum sums products of elements of any number of tensors, as a formula says: "ij,jk->ik" is the
// product of matrices, "ij,jk,kl->il" a chain of them, "ii->i" a diagonal. A letter stands for an
// axis; letters that are not in the result are summed over, a letter that repeats within an operand
// takes the diagonal. "..." stands for the axes without letters, which broadcast, and are summed
// over where the result has no "...". Without "->" the result has the axes of "..." and the letters
// that occur once, in alphabetical order. Tensors are contracted two at a time, in the order that
// takes the fewest products: the best one of up to eight operands, a greedy one of more.
//
// Shapes: axes of one letter have one size, or 1, which broadcasts. Names of axes are kept. DTypes:
// promoted; bools become u8, integers wrap around. Gradient: products. Accuracy: sums of products,
// which the order of contraction groups. Errors: [ErrArgument] for an invalid formula, pointing at
// the character, [ErrShape] where sizes differ. Source: NumPy's einsum; the order as of Smith and
// Gray, "opt_einsum", JOSS 2018, doi:10.21105/joss.00753.
func Einsum(formula string, ts ...Tensor) Tensor {
	return Tensor(core.Einsum(formula, core.Retype[[]core.Tensor](ts)...))
}
