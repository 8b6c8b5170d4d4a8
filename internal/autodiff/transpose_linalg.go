package autodiff

import (
	"slices"

	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/internal/simplify"
	"github.com/go-nx/nx/stablehlo"
)

// precisionOf returns the precision_config of a dot as an attribute of another, in reverse order if
// its operands are exchanged.
func precisionOf(op *stablehlo.Op, reversed bool) []stablehlo.OpPart {
	p, ok := op.Attr("precision_config").(stablehlo.ArrayAttr)
	if !ok {
		return nil
	}
	p = slices.Clone(p)
	for i, a := range p {
		if e, ok := a.(stablehlo.EnumAttr); ok { // chlo.ragged_dot has another attribute
			e.Dialect = "stablehlo"
			p[i] = e
		}
	}
	if reversed {
		slices.Reverse(p)
	}
	return []stablehlo.OpPart{stablehlo.Named("precision_config", p)}
}

// transposeDotGeneral: the cotangent of x is the contraction of ct and y over the free dimensions
// of y, whose dimensions are in another order than those of x.
func transposeDotGeneral(t *transposer, op *stablehlo.Op, ct value) {
	d, ok := op.Attr("dot_dimension_numbers").(*stablehlo.DotDims)
	if !ok {
		emit.Fail("%s must have dimension numbers", op.Name())
	}
	x, y := op.Operands[0], op.Operands[1]
	nb := len(d.LHSBatching)
	xFree := simplify.Except(len(emit.Sizes(x)), d.LHSBatching, d.LHSContracting)
	yFree := simplify.Except(len(emit.Sizes(y)), d.RHSBatching, d.RHSContracting)
	precision := precisionOf(op, true)
	if t.depends[x] {
		ctFree := emit.UpTo(nb + len(xFree) + len(yFree))[nb+len(xFree):]
		t.accumulate(x, t.dotTransposed(ct, y, x, ctFree, yFree, d.RHSBatching, d.RHSContracting, d.LHSBatching,
			d.LHSContracting, xFree, precision))
	} else {
		ctFree := emit.UpTo(nb + len(xFree))[nb:]
		t.accumulate(y, t.dotTransposed(ct, x, y, ctFree, xFree, d.LHSBatching, d.LHSContracting, d.RHSBatching,
			d.RHSContracting, yFree, precision))
	}
}

// dotTransposed returns the cotangent of operand v of a dot whose other operand is w: Σ ct·w over
// the free dimensions of w, which are ctFree in ct.
func (t *transposer) dotTransposed(ct, w, v value, ctFree, wFree, wBatch, wContract, vBatch, vContract, vFree []int64,
	precision []stablehlo.OpPart) value {
	out := t.dot(ct, t.Convert(w, emit.DTypeOf(ct)), &stablehlo.DotDims{
		LHSBatching: emit.UpTo(len(wBatch)), RHSBatching: wBatch,
		LHSContracting: ctFree, RHSContracting: wFree,
	}, precision...)
	// out has the batch, then the free dimensions of v, then the contracting dimensions in the
	// order of w.
	order := slices.Concat(vBatch, vFree)
	for _, d := range slices.Sorted(slices.Values(wContract)) {
		order = append(order, vContract[slices.Index(wContract, d)])
	}
	perm := make([]int64, len(order))
	for i, d := range order {
		perm[d] = int64(i)
	}
	return t.Convert(t.Transpose(out, perm...), emit.DTypeOf(v))
}

// transposeTriangularSolve solves with the transpose of the matrix.
func transposeTriangularSolve(t *transposer, op *stablehlo.Op, ct value) {
	a, b := op.Operands[0], op.Operands[1]
	other := "TRANSPOSE"
	switch op.Str("transpose_a") {
	case "TRANSPOSE":
		other = "NO_TRANSPOSE"
	case "ADJOINT": // (aᴴ)ᵀ is the conjugate of a
		a, other = t.Conj(a), "NO_TRANSPOSE"
	}
	back := stablehlo.NewOp(op.Code, []value{a, ct}, []stablehlo.Type{ct.Type()}, op.Attrs...)
	back.SetAttr("transpose_a", transposeAttr(other))
	back.Loc = op.Loc
	t.B.Block().Append(back)
	t.accumulate(b, back.Result())
}

// transposeFft. The matrix of a complex transform is symmetric. A real transform is the complex one
// of a real tensor, truncated to the first half of the last dimension. Its inverse counts the
// elements of that half twice that represent two elements, and has the factor 1/n.
func transposeFft(t *transposer, op *stablehlo.Op, ct value) {
	x := op.Operands[0]
	length := op.Ints("fft_length")
	switch op.Str("fft_type") {
	case "RFFT":
		dims := emit.Sizes(ct)
		last := len(dims) - 1
		high := make([]int64, len(dims))
		high[last] = length[len(length)-1] - dims[last]
		full := t.Pad(ct, make([]int64, len(dims)), high, make([]int64, len(dims)))
		t.accumulate(x, t.Real(t.fft(full, "FFT", length)))
	case "IRFFT":
		half := emit.Sizes(x)
		n := length[len(length)-1]
		c := t.Conj(t.fft(ct, "RFFT", length))
		weights := make([]float64, half[len(half)-1])
		for k := range weights {
			weights[k] = 2 / float64(product(length))
			if k == 0 || int64(2*k) == n {
				weights[k] /= 2
			}
		}
		w := t.Convert(t.Floats(emit.DTypeOf(ct), weights...), emit.DTypeOf(c))
		t.accumulate(x, t.Mul(c, t.Broadcast(w, half, int64(len(half)-1))))
	default:
		t.accumulate(x, t.CloneWith(op, ct)[0])
	}
}

// fft transforms the last dimensions of x.
func (e emitter) fft(x value, kind string, length []int64) value {
	return e.Value(stablehlo.OpFft, []value{x},
		stablehlo.Named("fft_length", stablehlo.I64s(length...)),
		stablehlo.Named("fft_type", stablehlo.EnumAttr{Dialect: "stablehlo", Kind: "fft_type", Value: kind}))
}
