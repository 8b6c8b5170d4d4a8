package onnx

import (
	"math"
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/core"
)

// reduceRows are reductions, what is summed along axes, and the softmax family.
func reduceRows() []row {
	rows := []row{
		single("ArgMax", func(n *node) core.Tensor { return argExtreme(n, core.ArgMax) }),
		single("ArgMin", func(n *node) core.Tensor { return argExtreme(n, core.ArgMin) }),
		single("CumSum", func(n *node) core.Tensor { return cumulative(n, core.CumSum, 0) }),
		single("CumProd", func(n *node) core.Tensor { return cumulative(n, core.CumProd, 1) }),
		single("Softmax", func(n *node) core.Tensor { return alongLines(n, softmax) }),
		single("LogSoftmax", func(n *node) core.Tensor { return alongLines(n, logSoftmax) }),
		single("Det", det),
		single("Hardmax", func(n *node) core.Tensor { return alongLines(n, hardmax) }),
	}
	for _, r := range []struct {
		op    string
		since int64 // the version from which axes are an operand
		f     reduction
	}{
		{"ReduceSum", 13, sumOf}, {"ReduceProd", 18, prodOf}, {"ReduceMean", 18, meanOf},
		{"ReduceMax", 18, maxOf}, {"ReduceMin", 18, minOf},
		{"ReduceL1", 18, func(x core.Tensor, over ...core.ReduceOption) core.Tensor {
			return sumOf(core.Abs(x),
				over...)
		}},
		{"ReduceL2", 18, normOf},
		{"ReduceSumSquare", 18, squaresOf},
		{"ReduceLogSum", 18, func(x core.Tensor, over ...core.ReduceOption) core.Tensor {
			return core.Log(sumOf(x, over...))
		}},
		{"ReduceLogSumExp", 18, func(x core.Tensor, over ...core.ReduceOption) core.Tensor {
			return core.LogSumExp(widened(x), over...)
		}},
	} {
		rows = append(rows, single(r.op, func(n *node) core.Tensor { return reduce(n, r.since, r.f) }))
	}
	return rows
}

// reduction is a function of elements along axes, computed in f32, f64 or integers.
type reduction func(x core.Tensor, over ...core.ReduceOption) core.Tensor

// reduce is a Reduce* op. Without axes it is over all, or over none if noop_with_empty_axes is set: then of each
// element, as the tests of ONNX have it.
func reduce(n *node, since int64, f reduction) core.Tensor {
	x := n.in(0)
	operand := -1
	if n.version >= since {
		operand = 1
	}
	axes, _ := n.axes(operand, "axes", x.Rank())
	if len(axes) == 0 && !(operand > 0 && n.attrBool("noop_with_empty_axes")) {
		for i := range x.Rank() {
			axes = append(axes, i)
		}
	}
	slices.Sort(axes)
	axes = slices.Compact(axes)
	over := []core.ReduceOption{core.Axis(axes...)}
	if n.attrInt("keepdims", 1) != 0 {
		over = append(over, core.KeepAxes)
	}
	d := x.DType()
	work := x
	switch {
	case d.IsFloat():
		work = widened(x)
	case d.IsInteger() && d.Bits() < 32:
		work = core.Cast(x, dtype.S32)
	}
	return sameType(f(work, over...), d)
}

func sumOf(x core.Tensor, over ...core.ReduceOption) core.Tensor {
	return core.Sum(x, append(over, core.As(x.DType()))...)
}

func prodOf(x core.Tensor, over ...core.ReduceOption) core.Tensor {
	return core.Prod(x, append(over, core.As(x.DType()))...)
}

func squaresOf(x core.Tensor, over ...core.ReduceOption) core.Tensor {
	return sumOf(core.Square(x), over...)
}

// normOf is the root of the sum of squares.
func normOf(x core.Tensor, over ...core.ReduceOption) core.Tensor {
	return core.Sqrt(widened(squaresOf(x, over...)))
}

// meanOf is the mean, of integers cut off.
func meanOf(x core.Tensor, over ...core.ReduceOption) core.Tensor {
	if x.DType().IsInteger() {
		sum := sumOf(x, over...)
		return core.Quotient(sum, max(x.Size()/max(sum.Size(), 1), 1))
	}
	return core.Mean(x, over...)
}

// maxOf is the largest element, the least one that the type has for no elements.
func maxOf(x core.Tensor, over ...core.ReduceOption) core.Tensor {
	switch {
	case x.DType() == dtype.Bool:
		return core.Any(x, over...)
	case x.Size() == 0:
		return ofNothing(x, -1, over)
	}
	return core.Max(x, over...)
}

// minOf is the smallest element, the largest one that the type has for no elements.
func minOf(x core.Tensor, over ...core.ReduceOption) core.Tensor {
	switch {
	case x.DType() == dtype.Bool:
		return core.All(x, over...)
	case x.Size() == 0:
		return ofNothing(x, 1, over)
	}
	return core.Min(x, over...)
}

// ofNothing is a reduction of no elements: the largest element of the type for a sign of 1, the least for -1.
func ofNothing(x core.Tensor, sign int, over []core.ReduceOption) core.Tensor {
	shape, d := core.Sum(x, over...).Shape(), x.DType()
	switch {
	case d.IsFloat():
		return core.Full(shape, math.Inf(sign), d)
	case sign > 0:
		return core.Full(shape, d.MaxInt(), d)
	}
	return core.Full(shape, d.MinInt(), d)
}

// argExtreme is ArgMax or ArgMin: the first index of several, or the last if select_last_index is set.
func argExtreme(n *node, f func(t core.Tensor, opts ...core.ReduceOption) core.Tensor) core.Tensor {
	x := n.in(0)
	axis := n.axis(n.attrInt("axis", 0), x.Rank())
	opts := []core.ReduceOption{core.Axis(axis), core.As(dtype.S64)}
	if n.attrInt("keepdims", 1) != 0 {
		opts = append(opts, core.KeepAxes)
	}
	if !n.attrBool("select_last_index") {
		return f(x, opts...)
	}
	return core.Sub(dims(x)[axis]-1, f(core.Reverse(x, core.Axis(axis)), opts...))
}

// cumulative is CumSum or CumProd: exclusive leaves out the element itself, reverse begins at the end.
func cumulative(n *node, f func(t core.Tensor, opts ...core.CumulativeOption) core.Tensor, start int) core.Tensor {
	x := n.in(0)
	axis := n.axis(n.int(1), x.Rank())
	d, reverse, size := x.DType(), n.attrBool("reverse"), dims(x)[axis]
	if size == 0 {
		return x
	}
	if reverse {
		x = core.Reverse(x, core.Axis(axis))
	}
	if n.attrBool("exclusive") { // shifted by one
		lohi := make([][2]int, x.Rank())
		lohi[axis] = [2]int{1, 0}
		index := slices.Repeat([]any{core.Whole}, x.Rank())
		index[axis] = core.To(size)
		x = core.Pad(x, start, lohi...).At(index...)
	}
	x = sameType(f(x, core.Axis(axis), core.As(d)), d)
	if reverse {
		x = core.Reverse(x, core.Axis(axis))
	}
	return x
}

// alongLines is Softmax, LogSoftmax or Hardmax along an axis, the last by default. Before version 13 it is along all
// axes from one on, 1 by default, as those of a matrix.
func alongLines(n *node, f func(x core.Tensor, axis int) core.Tensor) core.Tensor {
	x := n.in(0)
	shape := dims(x)
	if n.version >= 13 {
		return f(x, n.axis(n.attrInt("axis", -1), len(shape)))
	}
	axis := n.attrInt("axis", 1)
	if axis < 0 {
		axis += len(shape)
	}
	if axis < 0 || axis > len(shape) {
		n.fail("axis %d of a tensor of rank %d", n.attrInt("axis", 1), len(shape))
	}
	flat := core.Reshape(x, product(shape[:axis]), product(shape[axis:]))
	return core.Reshape(f(flat, 1), shape...)
}

// softmax is Softmax along an axis. Narrow floats are rounded after each operation, as its definition has it.
func softmax(x core.Tensor, axis int) core.Tensor {
	if x.DType().Bits() >= 32 {
		return core.Softmax(x, core.Axis(axis))
	}
	e := core.Exp(core.Sub(x, core.Max(x, core.Axis(axis), core.KeepAxes)))
	return core.Div(e, roundedSum(e, axis))
}

// logSoftmax is LogSoftmax along an axis, with the rounding of [softmax].
func logSoftmax(x core.Tensor, axis int) core.Tensor {
	if x.DType().Bits() >= 32 {
		return core.LogSoftmax(x, core.Axis(axis))
	}
	x = core.Sub(x, core.Max(x, core.Axis(axis), core.KeepAxes))
	return core.Sub(x, core.Log(roundedSum(core.Exp(x), axis)))
}

// roundedSum is the sum along an axis, which is kept. A sum of a few bfloat16 is rounded after each addition.
func roundedSum(x core.Tensor, axis int) core.Tensor {
	if axis < 0 {
		axis += x.Rank()
	}
	size := dims(x)[axis]
	if x.DType() != dtype.BF16 || size == 0 || size > maxRounded {
		return core.Sum(x, core.Axis(axis), core.KeepAxes)
	}
	parts := core.Split(x, slices.Repeat([]int{1}, size), core.Axis(axis))
	sum := parts[0]
	for _, part := range parts[1:] {
		sum = core.Add(sum, part)
	}
	return sum
}

// maxRounded is the number of bfloat16 up to which their sum is rounded after each addition: that of more would stop
// growing.
const maxRounded = 16

// hardmax is 1 for the first of the largest elements along an axis, 0 elsewhere.
func hardmax(x core.Tensor, axis int) core.Tensor {
	if x.Size() == 0 {
		return x
	}
	first := core.ArgMax(x, core.Axis(axis), core.As(dtype.S64), core.KeepAxes)
	return sameType(core.Equal(core.Iota(dims(x), dtype.S64, core.Axis(axis)), first), x.DType())
}
