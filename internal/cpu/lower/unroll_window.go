package lower

import (
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/internal/lazy"
	"github.com/go-nx/nx/internal/simplify"
	"github.com/go-nx/nx/stablehlo"
)

// Small windows are reduced by ops on slices of the operand, each of which has one element of every
// window: these are fused into kernels, with their consumers.

// UnrollWindows writes reductions of small windows as elementwise ops, for machine code or for
// plain Go; for machine code also reductions of few rows.
func UnrollWindows(f stablehlo.Func, machineCode bool, checkCancel simplify.CheckCancel) error {
	rules := plainWindowRules.Get(newPlainWindowRules)
	if machineCode {
		rules = smallWindowRules.Get(newSmallWindowRules)
	}
	return simplify.Apply("unroll windows", f, rules, checkCancel)
}

var smallWindowRules, plainWindowRules lazy.Value[simplify.RuleTable]

func newSmallWindowRules() simplify.RuleTable {
	return simplify.NewRuleTable([]simplify.Rule{
		{Name: "small_window", Code: stablehlo.OpReduceWindow, Apply: unrollWindow},
		{Name: "few_rows", Code: stablehlo.OpReduce, Apply: simplify.SingleResult(unrollRows)}})
}

func newPlainWindowRules() simplify.RuleTable {
	return simplify.NewRuleTable([]simplify.Rule{
		{Name: "plain_window", Code: stablehlo.OpReduceWindow, Apply: unrollPlainWindow}})
}

func unrollPlainWindow(e simplify.Emitter, op *stablehlo.Op) []*stablehlo.Value {
	if windowElems(op) > maxPlainWindowElems || !simplify.IsInside(op) {
		return nil
	}
	return unrollWindow(e, op)
}

// windowElems returns the number of elements of a window, or a lower bound above the maximum.
func windowElems(op *stablehlo.Op) int64 {
	n := int64(1)
	for _, size := range op.Ints("window_dimensions") {
		if n *= size; n > maxWindowElems {
			break
		}
	}
	return n
}

func unrollWindow(e simplify.Emitter, op *stablehlo.Op) []*stablehlo.Value {
	n, body, dims := len(op.Operands)/2, op.Regions[0].Block(), op.Results[0].Tensor().Dims
	rank := len(dims)
	size, stride := op.Ints("window_dimensions"), simplify.ListOr(op, "window_strides", rank, 1)
	padding, dilation := simplify.ListOr(op, "padding", 2*rank, 0), simplify.ListOr(op, "window_dilations", rank, 1)
	count := windowElems(op)
	if count > maxWindowElems {
		return reduceByDimension(e, op)
	}
	if count < 2 || slices.Contains(dims, 0) || !simplify.IsLiftable(body) ||
		slices.ContainsFunc(op.Ints("base_dilations"), func(n int64) bool { return n != 1 }) || isRowScan(op) {
		return nil
	}
	isPadded := slices.ContainsFunc(padding, func(n int64) bool { return n != 0 })
	overlaps := false
	for d, k := range size {
		overlaps = overlaps || stride[d] < k
	}
	xs := slices.Clone(op.Operands[:n])
	for i, x := range xs {
		if isPadded {
			low, high, interior := make([]int64, rank), make([]int64, rank), make([]int64, rank)
			for d := range rank {
				low[d], high[d] = padding[2*d], padding[2*d+1]
			}
			xs[i] = e.PadWith(x, op.Operands[n+i], low, high, interior)
		} else if d := x.Op(); overlaps && d != nil && d.Code.Info().Traits&stablehlo.Elementwise != 0 {
			return nil // it would be recomputed for each window that contains it
		}
	}
	reduced := make([]*stablehlo.Value, 0, 2*n)
	for _, init := range op.Operands[n:] {
		reduced = append(reduced, e.Broadcast(init, dims))
	}
	at := make([]int64, rank) // in the window
	for range count {
		start := make([]int64, rank)
		for d := range start {
			start[d] = at[d] * dilation[d]
		}
		args := reduced
		for _, x := range xs {
			args = append(args, e.SliceSized(x, slices.Clone(start), stride, dims))
		}
		reduced = append(make([]*stablehlo.Value, 0, 2*n), e.Lifted(body, args)...)
		for d := rank - 1; d >= 0; d-- {
			if at[d]++; at[d] < size[d] {
				break
			}
			at[d] = 0
		}
	}
	return reduced
}

// unrollRows reduces few contiguous rows of integers, by an associative operation.
func unrollRows(e simplify.Emitter, op *stablehlo.Op) *stablehlo.Value {
	reduced := op.Ints("dimensions")
	if len(op.Operands) != 2 || !simplify.IsStatic(op) || !isOrderFree(op) {
		return nil
	}
	x, body, dims := op.Operands[0], op.Regions[0].Block(), op.Results[0].Tensor().Dims
	in := x.Tensor()
	if t := in.DType(); !t.IsInteger() && t != dtype.Bool {
		return nil // reductions of floats are steps of fused row loops, as in softmaxes
	}
	rows, row := int64(1), int64(1)
	for _, d := range reduced {
		rows *= min(in.Dims[d], maxUnrolledRows+1)
	}
	for d := in.Rank() - 1; d >= 0 && !slices.Contains(reduced, int64(d)); d-- {
		row *= in.Dims[d]
	}
	elems, ok := in.NumElems()
	if !ok || elems < minUnrolledElems || rows < 2 || rows > maxUnrolledRows || row < minUnrolledRow {
		return nil
	}
	at, unit, part := make([]int64, in.Rank()), emit.Repeat(in.Rank(), 1), slices.Clone(in.Dims)
	for _, d := range reduced {
		part[d] = 1
	}
	reduction := e.Broadcast(op.Operands[1], dims)
	for range rows {
		r := e.Reshape(e.SliceSized(x, slices.Clone(at), unit, part), dims...)
		reduction = e.Lifted(body, []*stablehlo.Value{reduction, r})[0]
		for i := len(reduced) - 1; i >= 0; i-- {
			d := reduced[i]
			if at[d]++; at[d] < in.Dims[d] {
				break
			}
			at[d] = 0
		}
	}
	return reduction
}

// reduceByDimension reduces windows one dimension after another, long ones by nested reductions:
// the reduction of a·b neighbours combines b reductions of a, a positions apart. The operation must
// be associative, and its initial value may be used as padding.
func reduceByDimension(e simplify.Emitter, op *stablehlo.Op) []*stablehlo.Value {
	rank, dims := len(op.Operands[0].Tensor().Dims), op.Results[0].Tensor().Dims
	size, padding := op.Ints("window_dimensions"), simplify.ListOr(op, "padding", 2*rank, 0)
	isOne := func(name string) bool {
		return !slices.ContainsFunc(op.Ints(name), func(n int64) bool { return n != 1 })
	}
	if !isOne("window_strides") || !isOne("base_dilations") || slices.Contains(dims, 0) || !isOrderFree(op) {
		return nil
	}
	if _, _, isScan := scanDim(op, 2); isScan {
		return nil
	}
	factors, combines := make([][]int64, rank), int64(0)
	for d, k := range size {
		for f := int64(maxWindowElems); k > 1; f-- {
			if f == 1 {
				return nil // a large prime number
			}
			for ; k%f == 0; k /= f {
				factors[d], combines = append(factors[d], f), combines+f
			}
		}
	}
	if combines > maxCombines {
		return nil
	}
	body, x, init := op.Regions[0].Block(), op.Operands[0], op.Operands[1]
	if slices.ContainsFunc(padding, func(n int64) bool { return n != 0 }) {
		low, high := make([]int64, rank), make([]int64, rank)
		for d := range rank {
			low[d], high[d] = padding[2*d], padding[2*d+1]
		}
		x = e.PadWith(x, init, low, high, make([]int64, rank))
	}
	unit := emit.Repeat(rank, 1)
	for d, dilation := range simplify.ListOr(op, "window_dilations", rank, 1) {
		for _, f := range factors[d] {
			dims := slices.Clone(x.Tensor().Dims)
			dims[d] -= (f - 1) * dilation
			var reduction *stablehlo.Value
			for i := range f {
				start := make([]int64, rank)
				start[d] = i * dilation
				if part := e.SliceSized(x, start, unit, dims); i == 0 {
					reduction = part
				} else {
					reduction = e.Lifted(body, []*stablehlo.Value{reduction, part})[0]
				}
			}
			x, dilation = reduction, dilation*f
		}
	}
	return e.Lifted(body, []*stablehlo.Value{e.Broadcast(init, dims), x})
}

// isOrderFree reports whether windows are reduced by one associative operation, whose initial value
// is neutral or idempotent. Sums of narrow floats are computed in wider ones.
func isOrderFree(op *stablehlo.Op) bool {
	t := op.Operands[0].Tensor().DType()
	if len(op.Operands) != 2 || !stablehlo.SameType(op.Operands[1].Type(), op.Regions[0].Block().Args[0].Type()) ||
		op.Results[0].Tensor().DType() != t {
		return false
	}
	switch simplify.ReducerCode(op.Regions[0].Block()) {
	case stablehlo.OpAdd:
		return (t.IsInteger() || t == dtype.F32 || t == dtype.F64) &&
			simplify.Holds(op.Operands[1], func(init simplify.Splat) bool { return init.Is(0) })
	case stablehlo.OpMaximum, stablehlo.OpMinimum, stablehlo.OpAnd, stablehlo.OpOr:
		return !t.IsComplex()
	}
	return false
}

// isRowScan reports whether a reduction is a prefix scan of short rows, which is faster in place:
// padding and slices would copy rows of other lengths one by one.
func isRowScan(op *stablehlo.Op) bool {
	dim, _, ok := scanDim(op, 2)
	x := op.Operands[0].Tensor()
	if t := x.DType(); !ok || len(op.Results) > 1 ||
		t != dtype.F32 && t != dtype.F64 && (!simplify.IsDiscrete(t) || t.Bits() < 8) {
		return false // other types round intermediate results, which plain Go does not
	}
	inner := int64(1)
	for _, n := range x.Dims[dim+1:] {
		inner *= n
	}
	elems, _ := x.NumElems()
	return inner == 1 && elems >= minScannedElems && simplify.Holds(op.Operands[1], func(init simplify.Splat) bool {
		switch simplify.ReducerCode(op.Regions[0].Block()) {
		case stablehlo.OpAdd:
			return init.Is(0)
		case stablehlo.OpMultiply:
			return init.Is(1)
		case stablehlo.OpMaximum, stablehlo.OpMinimum, stablehlo.OpAnd, stablehlo.OpOr:
			return true
		}
		return false
	})
}
