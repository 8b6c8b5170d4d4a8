package autodiff

import (
	"slices"

	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/internal/lazy"
	"github.com/go-nx/nx/internal/simplify"
	"github.com/go-nx/nx/stablehlo"
)

// transposes holds the transpose of each op that is linear in the rows of jvps.
var transposes lazy.Value[map[stablehlo.OpCode]transposeRow]

func listTransposes() map[stablehlo.OpCode]transposeRow {
	return map[stablehlo.OpCode]transposeRow{
		stablehlo.OpAdd:                   transposeAdd,
		stablehlo.OpSubtract:              transposeSubtract,
		stablehlo.OpNegate:                transposeNegate,
		stablehlo.OpMultiply:              transposeMultiply,
		stablehlo.OpDivide:                transposeDivide,
		stablehlo.OpSelect:                transposeSelect,
		stablehlo.OpConvert:               transposeConvert,
		stablehlo.OpReal:                  transposeReal,
		stablehlo.OpImag:                  transposeImag,
		stablehlo.OpComplex:               transposeComplex,
		stablehlo.OpChloConj:              transposeSame,
		stablehlo.OpCustomCall:            transposeSame, // identities
		stablehlo.OpOptimizationBarrier:   transposeSame,
		stablehlo.OpSdyShardingConstraint: transposeSame,
		stablehlo.OpReverse:               transposeSame,
		stablehlo.OpReducePrecision:       transposeSame,
		stablehlo.OpBroadcastInDim:        transposeBroadcast,
		stablehlo.OpDynamicBroadcastInDim: transposeBroadcast,
		stablehlo.OpReshape:               transposeReshape,
		stablehlo.OpDynamicReshape:        transposeReshape,
		stablehlo.OpTranspose:             transposeTranspose,
		stablehlo.OpSlice:                 transposeSlice,
		stablehlo.OpPad:                   transposePad,
		stablehlo.OpConcatenate:           transposeConcatenate,
		stablehlo.OpDynamicSlice:          transposeDynamicSlice,
		stablehlo.OpDynamicUpdateSlice:    transposeDynamicUpdateSlice,
		stablehlo.OpGather:                transposeGather,
		stablehlo.OpScatter:               transposeScatterAdd,
		stablehlo.OpReduce:                transposeSum,
		stablehlo.OpReduceWindow:          transposeWindowSum,
		stablehlo.OpSelectAndScatter:      transposeSelectAndScatter,
		stablehlo.OpDotGeneral:            transposeDotGeneral,
		stablehlo.OpConvolution:           transposeConvolution,
		stablehlo.OpFft:                   transposeFft,
		stablehlo.OpTriangularSolve:       transposeTriangularSolve,
		stablehlo.OpAllReduce:             transposeSame,
		stablehlo.OpAllGather:             transposeAllGather,
		stablehlo.OpReduceScatter:         transposeReduceScatter,
		stablehlo.OpCollectivePermute:     transposeCollectivePermute,
		stablehlo.OpAllToAll:              transposeAllToAll,
	}
}

// transposeAdd passes the cotangent to both operands.
func transposeAdd(t *transposer, op *stablehlo.Op, ct value) {
	t.accumulate(op.Operands[0], ct)
	t.accumulate(op.Operands[1], ct)
}

// transposeSubtract passes the cotangent to the first operand, and its negation to the second.
func transposeSubtract(t *transposer, op *stablehlo.Op, ct value) {
	t.accumulate(op.Operands[0], ct)
	if t.depends[op.Operands[1]] {
		t.accumulate(op.Operands[1], t.same(ct, t.Neg(ct)))
	}
}

// transposeNegate negates the cotangent.
func transposeNegate(t *transposer, op *stablehlo.Op, ct value) {
	t.accumulate(op.Operands[0], t.same(ct, t.Neg(ct)))
}

// transposeMultiply multiplies the cotangent by the operand that is a constant factor.
func transposeMultiply(t *transposer, op *stablehlo.Op, ct value) {
	x, y := op.Operands[0], op.Operands[1]
	if t.depends[y] {
		x, y = y, x
	}
	t.accumulate(x, t.scaled(ct, y, t.Mul(ct, y)))
}

// transposeDivide divides the cotangent by the divisor.
func transposeDivide(t *transposer, op *stablehlo.Op, ct value) {
	t.accumulate(op.Operands[0], t.scaled(ct, op.Operands[1], t.Div(ct, op.Operands[1])))
}

// transposeSelect passes the cotangent to the operand that was selected.
func transposeSelect(t *transposer, op *stablehlo.Op, ct value) {
	t.accumulateSelected(op.Operands[1], op.Operands[0], true, ct)
	t.accumulateSelected(op.Operands[2], op.Operands[0], false, ct)
}

// transposeConvert converts the cotangent back.
func transposeConvert(t *transposer, op *stablehlo.Op, ct value) {
	t.accumulate(op.Operands[0], t.same(ct, t.Convert(ct, emit.DTypeOf(op.Operands[0]))))
}

// transposeReal makes the cotangent the real part of a complex number.
func transposeReal(t *transposer, op *stablehlo.Op, ct value) {
	if emit.IsComplex(op.Operands[0]) {
		ct = t.Do(stablehlo.OpComplex, ct, t.Fill(ct, 0))
	}
	t.accumulate(op.Operands[0], ct)
}

// transposeImag makes the negated cotangent the imaginary part of a complex number, since
// cotangents pair without conjugation.
func transposeImag(t *transposer, op *stablehlo.Op, ct value) {
	if emit.IsComplex(op.Operands[0]) { // of a real number it is 0
		t.accumulate(op.Operands[0], t.Do(stablehlo.OpComplex, t.Fill(ct, 0), t.Neg(ct)))
	}
}

// transposeComplex passes the real part to the first operand, and the negated imaginary part to the
// second.
func transposeComplex(t *transposer, op *stablehlo.Op, ct value) {
	if t.depends[op.Operands[0]] {
		t.accumulate(op.Operands[0], t.Real(ct))
	}
	if t.depends[op.Operands[1]] {
		t.accumulate(op.Operands[1], t.Neg(t.Do(stablehlo.OpImag, ct)))
	}
}

// transposeSame applies the op, which is its own transpose, to the cotangent.
func transposeSame(t *transposer, op *stablehlo.Op, ct value) {
	t.accumulate(op.Operands[0], t.CloneWith(op, ct)[0])
}

// transposeBroadcast sums over the copies of an element.
func transposeBroadcast(t *transposer, op *stablehlo.Op, ct value) {
	x := op.Operands[0]
	dims, at := emit.Sizes(x), op.Ints("broadcast_dimensions")
	// Added dimensions, and expanded dimensions of size 1.
	reduced := simplify.Except(len(emit.Sizes(ct)), at)
	for i, d := range at {
		if dims[i] == 1 && emit.Sizes(ct)[d] != 1 {
			reduced = append(reduced, d)
		}
	}
	slices.Sort(reduced)
	sum := t.SumOver(ct, reduced...)
	// The remaining dimensions are in the order of the result.
	left := slices.DeleteFunc(slices.Clone(at), func(d int64) bool { return slices.Contains(reduced, d) })
	sorted := slices.Sorted(slices.Values(left))
	perm := make([]int64, len(left))
	for i, d := range left {
		perm[i] = int64(slices.Index(sorted, d))
	}
	t.accumulate(x, t.Reshape(t.Transpose(sum, perm...), dims...))
}

// transposeReshape reshapes the cotangent to the shape of the operand.
func transposeReshape(t *transposer, op *stablehlo.Op, ct value) {
	t.accumulate(op.Operands[0], t.Reshape(ct, emit.Sizes(op.Operands[0])...))
}

// transposeTranspose applies the inverse permutation.
func transposeTranspose(t *transposer, op *stablehlo.Op, ct value) {
	perm := op.Ints("permutation")
	inverse := make([]int64, len(perm))
	for i, p := range perm {
		inverse[p] = int64(i)
	}
	t.accumulate(op.Operands[0], t.Transpose(ct, inverse...))
}

// transposeSlice pads the cotangent with zeros to the shape of the operand.
func transposeSlice(t *transposer, op *stablehlo.Op, ct value) {
	x := op.Operands[0]
	start, strides := op.Ints("start_indices"), op.Ints("strides")
	dims, taken := emit.Sizes(x), emit.Sizes(ct)
	high, interior := make([]int64, len(dims)), make([]int64, len(dims))
	for i := range dims {
		interior[i] = strides[i] - 1
		high[i] = dims[i] - start[i] - dilatedSize(taken[i], strides[i])
	}
	t.accumulate(x, t.Pad(ct, start, high, interior))
}

// transposePad slices the cotangent of the operand; the rest belongs to the padding value.
func transposePad(t *transposer, op *stablehlo.Op, ct value) {
	x, by := op.Operands[0], op.Operands[1]
	low, high := op.Ints("edge_padding_low"), op.Ints("edge_padding_high")
	n := len(low)
	start, limit, strides := make([]int64, n), slices.Clone(emit.Sizes(ct)), slices.Clone(op.Ints("interior_padding"))
	before, after := make([]int64, n), make([]int64, n) // the elements removed by negative padding
	for i := range n {
		strides[i]++
		start[i], before[i], after[i] = max(low[i], 0), max(-low[i], 0), max(-high[i], 0)
		limit[i] += before[i] + after[i] - max(high[i], 0)
	}
	inner := t.Slice(t.Pad(ct, before, after, make([]int64, n)), start, limit, strides)
	t.accumulate(x, inner)
	if t.depends[by] {
		t.accumulate(by, t.Sub(t.Total(ct), t.Total(inner)))
	}
}

// transposeConcatenate slices the cotangents of the operands.
func transposeConcatenate(t *transposer, op *stablehlo.Op, ct value) {
	dim := int(op.Int("dimension", 0))
	at := int64(0)
	for _, x := range op.Operands {
		n := emit.Sizes(x)[dim]
		if t.depends[x] {
			t.accumulate(x, t.SliceDim(ct, dim, at, at+n, 1))
		}
		at += n
	}
}

// transposeDynamicSlice adds to the slice in place.
func transposeDynamicSlice(t *transposer, op *stablehlo.Op, ct value) {
	x, index := op.Operands[0], op.Operands[1:]
	if t.cotangent[x] == nil {
		t.update(x, func(zeros value) value { return t.DynamicUpdate(zeros, ct, index) })
		return
	}
	t.update(x, func(old value) value {
		sum := t.Add(t.DynamicSlice(old, index, emit.Sizes(ct)...), ct)
		return t.DynamicUpdate(old, sum, index)
	})
}

// transposeDynamicUpdateSlice slices the cotangent of the update, and sets it to zero for the
// operand.
func transposeDynamicUpdateSlice(t *transposer, op *stablehlo.Op, ct value) {
	x, u, index := op.Operands[0], op.Operands[1], op.Operands[2:]
	if t.depends[u] {
		t.accumulate(u, t.DynamicSlice(ct, index, emit.Sizes(u)...))
	}
	if t.depends[x] {
		t.accumulate(x, t.DynamicUpdate(ct, t.Fill(u, 0), index))
	}
}

// transposeGather adds to the gathered elements. gather clamps slices that are out of bounds and
// scatter drops them, so the indices are clamped first.
func transposeGather(t *transposer, op *stablehlo.Op, ct value) {
	x, index := op.Operands[0], op.Operands[1]
	dims, ok := op.Attr("dimension_numbers").(*stablehlo.GatherDims)
	if !ok {
		emit.Fail("%s must have dimension numbers", op.Name())
	}
	shape, window := emit.Sizes(x), op.Ints("slice_sizes")
	last := make([]int64, len(dims.StartIndexMap))
	for i, d := range dims.StartIndexMap {
		last[i] = shape[d] - window[d]
	}
	low, high := t.indexBounds(index, dims.IndexVectorDim, last)
	inside := t.Do(stablehlo.OpClamp, low, index, high)
	t.update(x, func(old value) value {
		return t.scatter(stablehlo.OpAdd, old, inside, ct, &stablehlo.ScatterDims{
			UpdateWindowDims:         dims.OffsetDims,
			InsertedWindowDims:       dims.CollapsedSliceDims,
			InputBatchingDims:        dims.OperandBatchingDims,
			ScatterIndicesBatching:   dims.StartIndicesBatching,
			ScatterDimsToOperandDims: dims.StartIndexMap,
			IndexVectorDim:           dims.IndexVectorDim,
		})
	})
}

// transposeScatterAdd passes the cotangent to the operand, and gathers that of the updates.
func transposeScatterAdd(t *transposer, op *stablehlo.Op, ct value) {
	t.accumulate(op.Operands[0], ct)
	if t.depends[op.Operands[2]] {
		t.accumulate(op.Operands[2], t.gatherUpdates(ct, op))
	}
}

// transposeSum broadcasts the cotangent along the summed dimensions.
func transposeSum(t *transposer, op *stablehlo.Op, ct value) {
	x := op.Operands[0]
	kept := simplify.Except(len(emit.Sizes(x)), op.Ints("dimensions"))
	t.accumulate(x, t.Broadcast(ct, emit.Sizes(x), kept...))
}

// transposeWindowSum: an element of x receives the sum of the cotangents, dilated by the strides,
// in a window. The window of element j of x starts k-1-low before it, where k is the extent of the
// window.
func transposeWindowSum(t *transposer, op *stablehlo.Op, ct value) {
	x := op.Operands[0]
	w := windowsOf(op)
	if product(emit.Sizes(ct)) == 0 {
		return
	}
	n := len(w.size)
	low, high, interior := make([]int64, n), make([]int64, n), make([]int64, n)
	for i := range n {
		k := dilatedSize(w.size[i], w.dilation[i])
		low[i] = k - 1 - w.low[i]
		high[i] = dilatedSize(emit.Sizes(x)[i], w.baseDilation[i]) + w.low[i] -
			dilatedSize(emit.Sizes(ct)[i], w.stride[i])
		interior[i] = w.stride[i] - 1
	}
	back := windows{size: w.size, stride: w.baseDilation, baseDilation: emit.Repeat(n, 1), dilation: w.dilation,
		low: low, high: high}
	if !allZero(interior) || slices.Min(append(low, 0)) < 0 || slices.Min(append(high, 0)) < 0 {
		ct = t.Pad(ct, low, high, interior)
		back.low, back.high = make([]int64, n), make([]int64, n)
	}
	sum := t.Value(stablehlo.OpReduceWindow, []value{ct, t.Scalar(emit.DTypeOf(ct), 0)},
		append(back.parts(), emit.ScalarBody(stablehlo.OpAdd, emit.DTypeOf(ct)))...)
	t.accumulate(x, sum)
}
