package autodiff

import (
	"slices"

	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/stablehlo"
)

// jvpBilinear: the sum of the ops with the tangent of one operand and the other operand unchanged.
func jvpBilinear(t *tracer, op *stablehlo.Op) {
	t.append(op)
	var sum value
	for i := range 2 {
		if d := t.tangent[op.Operands[i]]; d != nil {
			in := slices.Clone(op.Operands)
			in[i] = d
			sum = t.Sum(sum, t.CloneWith(op, in...)[0])
		}
	}
	t.set(op.Result(), sum)
}

// jvpCholesky: with a = l·lᴴ, l̇ = l·Φ(l⁻¹·ȧ·l⁻ᴴ) where Φ takes the lower triangle and half of the
// diagonal. Only the triangle that the op reads is a variable: ȧ is made Hermitian from it. For
// upper factors u = lᴴ.
// I. Murray, Differentiation of the Cholesky decomposition, arXiv:1602.07527, eq. 9.
func jvpCholesky(t *tracer, op *stablehlo.Op) {
	t.append(op)
	a, y := op.Operands[0], op.Result()
	lower := op.Bool("lower", false)
	da, l := t.tangent[a], y
	if !lower {
		da, l = t.adjoint(da), t.adjoint(l)
	}
	l = t.triangle(l, "GE")
	strict := t.triangle(da, "GT")
	da = t.Add(t.realDiagonal(t.Sub(t.triangle(da, "GE"), strict)), t.Add(strict, t.adjoint(strict)))
	w := t.solve(l, da, true, "NO_TRANSPOSE")
	w = t.solve(l, w, false, "ADJOINT")
	half := t.Scale(0.5, t.Add(t.triangle(w, "GE"), t.triangle(w, "GT")))
	d := t.matmul(l, half)
	if !lower {
		d = t.adjoint(d)
	}
	t.set(y, d)
}

// realDiagonal drops the imaginary part of x, the diagonal of a Hermitian matrix.
func (e emitter) realDiagonal(x value) value {
	if !emit.IsComplex(x) {
		return x
	}
	return e.Convert(e.Real(x), emit.DTypeOf(x))
}

// jvpTriangularSolve: ẋ = op(a)⁻¹(ḃ - op(ȧ)·x), or from the right (ḃ - x·op(ȧ))·op(a)⁻¹,
// where ȧ is zero outside the triangle that the op reads.
func jvpTriangularSolve(t *tracer, op *stablehlo.Op) {
	t.append(op)
	a, b, x := op.Operands[0], op.Operands[1], op.Result()
	right := t.tangent[b]
	if da := t.tangent[a]; da != nil {
		direction := "GE"
		if op.Bool("unit_diagonal", false) {
			direction = "GT"
		}
		if op.Bool("lower", false) {
			da = t.triangle(da, direction)
		} else {
			da = t.swapLast(t.triangle(t.swapLast(da), direction))
		}
		switch op.Str("transpose_a") {
		case "TRANSPOSE":
			da = t.swapLast(da)
		case "ADJOINT":
			da = t.adjoint(da)
		}
		var moved value
		if op.Bool("left_side", true) {
			moved = t.matmul(da, x)
		} else {
			moved = t.matmul(x, da)
		}
		right = t.Sum(right, t.Neg(moved))
	}
	t.set(x, t.CloneWith(op, a, right)[0])
}

// solve returns l⁻¹·b or b·l⁻¹ for a lower triangular l or, by transpose, its adjoint.
func (e emitter) solve(l, b value, left bool, transpose string) value {
	return e.Value(stablehlo.OpTriangularSolve, []value{l, b},
		stablehlo.Named("left_side", stablehlo.BoolAttr(left)),
		stablehlo.Named("lower", stablehlo.BoolAttr(true)),
		stablehlo.Named("unit_diagonal", stablehlo.BoolAttr(false)),
		stablehlo.Named("transpose_a", transposeAttr(transpose)))
}

func transposeAttr(v string) stablehlo.Attr {
	return stablehlo.EnumAttr{Dialect: "stablehlo", Kind: "transpose", Value: v}
}

// matmul multiplies the matrices in the last two dimensions; the others are batch dimensions.
func (e emitter) matmul(x, y value) value {
	n := int64(emit.TensorOf(x).Rank())
	return e.dot(x, y, &stablehlo.DotDims{
		LHSBatching: emit.UpTo(int(n) - 2), RHSBatching: emit.UpTo(int(n) - 2),
		LHSContracting: []int64{n - 1}, RHSContracting: []int64{n - 2},
	})
}

func (e emitter) dot(x, y value, dims *stablehlo.DotDims, parts ...stablehlo.OpPart) value {
	return e.Value(stablehlo.OpDotGeneral, []value{x, y},
		append(parts, stablehlo.Named("dot_dimension_numbers", dims))...)
}

// swapLast transposes the matrices in the last two dimensions.
func (e emitter) swapLast(x value) value {
	perm := emit.UpTo(emit.TensorOf(x).Rank())
	n := len(perm)
	perm[n-2], perm[n-1] = perm[n-1], perm[n-2]
	return e.Transpose(x, perm...)
}

func (e emitter) adjoint(x value) value { return e.Conj(e.swapLast(x)) }

// triangle keeps the elements of matrices whose row compares with their column in a direction: GE
// the lower triangle, GT without the diagonal.
func (e emitter) triangle(x value, direction string) value {
	dims := emit.Sizes(x)
	n := len(dims)
	d := indexType(max(dims[n-2], dims[n-1]))
	pred := e.Compare(direction, e.Iota(d, dims[n-2:], 0), e.Iota(d, dims[n-2:], 1))
	return e.Keep(e.Broadcast(pred, dims, int64(n-2), int64(n-1)), x)
}
