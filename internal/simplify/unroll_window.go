package simplify

import (
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/stablehlo"
)

// Windows of few elements are folded by ops on slices of the operand, each of which has one element of every window:
// those are parts of kernels, with what comes after them.

const (
	maxWindowElems      = 9 // of windows that machine code folds so
	maxPlainWindowElems = 4 // of windows that plain Go does, where nothing is padded
)

// UnrollWindows writes folds of small windows as elementwise ops, for machine code or for plain Go, and for the
// former those of few rows.
func UnrollWindows(f stablehlo.Func, machineCode bool, pause ...CheckCancel) error {
	rules := plainWindowRules
	if machineCode {
		rules = smallWindowRules
	}
	s := newSimplifier(f, rules, pause)
	s.keepsEqual = true
	return s.run("unroll windows", f)
}

var (
	smallWindowRules = tableOf([]rule{{"small_window", stablehlo.OpReduceWindow, unrollWindow},
		{"few_rows", stablehlo.OpReduce, singleResult(unrollRows)}})
	plainWindowRules = tableOf([]rule{{"plain_window", stablehlo.OpReduceWindow, unrollPlainWindow}})
)

func unrollPlainWindow(e emitter, op *stablehlo.Op) []*stablehlo.Value {
	if windowElems(op) > maxPlainWindowElems || !isInside(op) {
		return nil
	}
	return unrollWindow(e, op)
}

// windowElems returns the number of elements of a window, or one of at least that which is too large.
func windowElems(op *stablehlo.Op) int64 {
	n := int64(1)
	for _, size := range op.Ints("window_dimensions") {
		if n *= size; n > maxWindowElems {
			break
		}
	}
	return n
}

func unrollWindow(e emitter, op *stablehlo.Op) []*stablehlo.Value {
	n, body, dims := len(op.Operands)/2, op.Regions[0].Block(), op.Results[0].Tensor().Dims
	rank := len(dims)
	size, stride := op.Ints("window_dimensions"), listOr(op, "window_strides", rank, 1)
	padding, dilation := listOr(op, "padding", 2*rank, 0), listOr(op, "window_dilations", rank, 1)
	count := windowElems(op)
	if count > maxWindowElems {
		return reduceByDimension(e, op)
	}
	if count < 2 || slices.Contains(dims, 0) || !isLiftable(body) ||
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
			return nil // it would be computed for each window that it is in
		}
	}
	folds := make([]*stablehlo.Value, 0, 2*n)
	for _, init := range op.Operands[n:] {
		folds = append(folds, e.Broadcast(init, dims))
	}
	at := make([]int64, rank) // in the window
	for range count {
		start := make([]int64, rank)
		for d := range start {
			start[d] = at[d] * dilation[d]
		}
		args := folds
		for _, x := range xs {
			args = append(args, e.slice(x, slices.Clone(start), stride, dims))
		}
		folds = append(make([]*stablehlo.Value, 0, 2*n), e.lifted(body, args)...)
		for d := rank - 1; d >= 0; d-- {
			if at[d]++; at[d] < size[d] {
				break
			}
			at[d] = 0
		}
	}
	return folds
}

// Folds of so few rows are written as ops on the rows, where these are long and there are many elements: a kernel
// without folds has no end that takes what was folded from memory.
const (
	maxUnrolledRows  = 5
	minUnrolledRow   = 64
	minUnrolledElems = 1 << 12
)

// unrollRows folds few rows of integers, whose elements are neighbours, by an operation whose order is free.
func unrollRows(e emitter, op *stablehlo.Op) *stablehlo.Value {
	reduced := op.Ints("dimensions")
	if len(op.Operands) != 2 || !isStatic(op) || !isOrderFree(op) {
		return nil
	}
	x, body, dims := op.Operands[0], op.Regions[0].Block(), op.Results[0].Tensor().Dims
	in := x.Tensor()
	if t := in.DType(); !t.IsInteger() && t != dtype.Bool {
		return nil // folds of floats are steps of row nests, as softmaxes are
	}
	rows, row := int64(1), int64(1)
	for _, d := range reduced {
		rows *= min(in.Dims[d], maxUnrolledRows+1)
	}
	for d := in.Rank() - 1; d >= 0 && !slices.Contains(reduced, int64(d)); d-- {
		row *= in.Dims[d]
	}
	if elems, ok := in.NumElems(); !ok || elems < minUnrolledElems || rows < 2 || rows > maxUnrolledRows || row < minUnrolledRow {
		return nil
	}
	at, unit, part := make([]int64, in.Rank()), emit.Repeat(in.Rank(), 1), slices.Clone(in.Dims)
	for _, d := range reduced {
		part[d] = 1
	}
	fold := e.Broadcast(op.Operands[1], dims)
	for range rows {
		r := e.Reshape(e.slice(x, slices.Clone(at), unit, part), dims...)
		fold = e.lifted(body, []*stablehlo.Value{fold, r})[0]
		for i := len(reduced) - 1; i >= 0; i-- {
			d := reduced[i]
			if at[d]++; at[d] < in.Dims[d] {
				break
			}
			at[d] = 0
		}
	}
	return fold
}

// maxCombines bounds the elements that are folded for one of a large window: by more, sliding over them is faster.
const maxCombines = 32

// reduceByDimension folds the windows of all places along one dimension after another, those of many elements by folds of
// folds: the folds of a·b neighbours are those of b folds of a, a apart. The fold is one whose order is free and whose
// initial value may come in as padding.
func reduceByDimension(e emitter, op *stablehlo.Op) []*stablehlo.Value {
	rank, dims := len(op.Operands[0].Tensor().Dims), op.Results[0].Tensor().Dims
	size, padding := op.Ints("window_dimensions"), listOr(op, "padding", 2*rank, 0)
	isOne := func(name string) bool {
		return !slices.ContainsFunc(op.Ints(name), func(n int64) bool { return n != 1 })
	}
	if !isOne("window_strides") || !isOne("base_dilations") || slices.Contains(dims, 0) || !isOrderFree(op) {
		return nil
	}
	if _, _, running := scanDim(op, 2); running {
		return nil
	}
	factors, folds := make([][]int64, rank), int64(0)
	for d, k := range size {
		for f := int64(maxWindowElems); k > 1; f-- {
			if f == 1 {
				return nil // a large prime number
			}
			for ; k%f == 0; k /= f {
				factors[d], folds = append(factors[d], f), folds+f
			}
		}
	}
	if folds > maxCombines {
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
	for d, apart := range listOr(op, "window_dilations", rank, 1) {
		for _, f := range factors[d] {
			dims := slices.Clone(x.Tensor().Dims)
			dims[d] -= (f - 1) * apart
			var fold *stablehlo.Value
			for i := range f {
				start := make([]int64, rank)
				start[d] = i * apart
				if part := e.slice(x, start, unit, dims); i == 0 {
					fold = part
				} else {
					fold = e.lifted(body, []*stablehlo.Value{fold, part})[0]
				}
			}
			x, apart = fold, apart*f
		}
	}
	return e.lifted(body, []*stablehlo.Value{e.Broadcast(init, dims), x})
}

// isOrderFree reports whether windows are folded by one operation whose order is free, from what changes nothing,
// or may count more than once. Sums of narrow floats are of wider ones.
func isOrderFree(op *stablehlo.Op) bool {
	t := op.Operands[0].Tensor().DType()
	if len(op.Operands) != 2 || !stablehlo.SameType(op.Operands[1].Type(), op.Regions[0].Block().Args[0].Type()) ||
		op.Results[0].Tensor().DType() != t {
		return false
	}
	switch reducerCode(op.Regions[0].Block()) {
	case stablehlo.OpAdd:
		return (t.IsInteger() || t == dtype.F32 || t == dtype.F64) &&
			holds(op.Operands[1], func(init splat) bool { return init.is(0) })
	case stablehlo.OpMaximum, stablehlo.OpMinimum, stablehlo.OpAnd, stablehlo.OpOr:
		return !t.IsComplex()
	}
	return false
}

// minScannedElems is how many elements are worth a call of what scans rows.
const minScannedElems = 1 << 10

// isRowScan reports whether a fold is that of all elements of short rows up to each one, which is scanned better as
// it lies: padding and slices are rows of other lengths, that are copied one by one.
func isRowScan(op *stablehlo.Op) bool {
	dim, _, ok := scanDim(op, 2)
	x := op.Operands[0].Tensor()
	if t := x.DType(); !ok || len(op.Results) > 1 || t != dtype.F32 && t != dtype.F64 && (!isDiscrete(t) || t.Bits() < 8) {
		return false // others are rounded on the way, by what code of vectors has and Go has not
	}
	inner := int64(1)
	for _, n := range x.Dims[dim+1:] {
		inner *= n
	}
	elems, _ := x.NumElems()
	return inner == 1 && elems >= minScannedElems && holds(op.Operands[1], func(init splat) bool {
		switch reducerCode(op.Regions[0].Block()) {
		case stablehlo.OpAdd:
			return init.is(0)
		case stablehlo.OpMultiply:
			return init.is(1)
		case stablehlo.OpMaximum, stablehlo.OpMinimum, stablehlo.OpAnd, stablehlo.OpOr:
			return true
		}
		return false
	})
}
