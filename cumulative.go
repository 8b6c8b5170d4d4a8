package nx

import (
	"github.com/go-nx/nx/stablehlo"
)

// CumulativeOption is an option of cumulative functions.
type CumulativeOption interface{ cumulativeOption(*cumulativeOptions) }

type cumulativeOptions struct {
	axisOptions
	reversed bool
}

func (a AxesOption) cumulativeOption(o *cumulativeOptions)     { a.axisOption(&o.axisOptions) }
func (r ReversedOption) cumulativeOption(o *cumulativeOptions) { o.reversed = bool(r) }

type cumulativeAttrs struct {
	axis     int
	reversed bool
}

// cumulativeOp folds all elements up to each one: windows from the beginning of an axis,
// which compilers know to be one pass.
//
//go:noinline
func cumulativeOp(name string, code stablehlo.OpCode, init func(d DType) number) *operation[cumulativeAttrs] {
	return &operation[cumulativeAttrs]{name: name,
		describe: func(d *description[cumulativeAttrs]) {
			s := d.ins[0]
			if d.in = s.DType; d.in == Bool && (code == stablehlo.OpAdd || code == stablehlo.OpMultiply) {
				d.in = U8
			}
			d.returns(s.with(d.in))
		},
		emit: func(d *description[cumulativeAttrs], e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
			v := e.convert(in[0], wide(d.in))
			n := d.ins[0].Shape[d.attrs.axis]
			if n == 0 {
				return []*stablehlo.Value{e.convert(v, d.in)}
			}
			size, ones := make([]int, v.Tensor().Rank()), make([]int, v.Tensor().Rank())
			lo, hi := make([]int, len(size)), make([]int, len(size))
			for i := range size {
				size[i], ones[i] = 1, 1
			}
			size[d.attrs.axis] = n
			if d.attrs.reversed {
				hi[d.attrs.axis] = n - 1
			} else {
				lo[d.attrs.axis] = n - 1
			}
			w := windowAttrs{listOf(size), listOf(ones), listOf(ones), listOf(lo), listOf(hi)}
			return []*stablehlo.Value{e.convert(e.windows(code, v, init(d.in), w), d.in)}
		}}
}

// cumulate applies a cumulative function, by default along the first axis.
func cumulate(o *operation[cumulativeAttrs], t Tensor, opts []CumulativeOption) Tensor {
	t.must(o.name)
	var c cumulativeOptions
	distinct(o.name, opts)
	for _, x := range opts {
		if x != nil {
			x.cumulativeOption(&c)
		}
	}
	return o.one(cumulativeAttrs{theAxis(o.name, t, c.axisOptions, 0), c.reversed}, t)
}

var (
	cumSumOp  = cumulativeOp("CumSum", stablehlo.OpAdd, func(DType) number { return zero })
	cumProdOp = cumulativeOp("CumProd", stablehlo.OpMultiply, func(DType) number { return one })
	cumMaxOp  = cumulativeOp("CumMax", stablehlo.OpMaximum, func(d DType) number { return bound(d, true) })
	cumMinOp  = cumulativeOp("CumMin", stablehlo.OpMinimum, func(d DType) number { return bound(d, false) })
)

// CumSum returns for each element the sum of those up to it along an axis, the first by
// default. Options: [Axis], [Reversed] to sum from the end.
//
// Shapes: that of t. DTypes: that of t; integers wrap around, bools become u8; floats
// narrower than f32 are added in f32. Gradient: the sum from the other end. Accuracy: at
// most one rounding an element. Errors: [ErrAxis].
func CumSum(t Tensor, opts ...CumulativeOption) Tensor { return cumulate(cumSumOp, t, opts) }

// CumProd returns for each element the product of those up to it along an axis, the first
// by default. Options: [Axis], [Reversed] to multiply from the end.
//
// Shapes: that of t. DTypes: that of t; integers wrap around, bools become u8; floats
// narrower than f32 are multiplied in f32. Gradient: the products of the others. Accuracy:
// at most one rounding an element. Errors: [ErrAxis].
func CumProd(t Tensor, opts ...CumulativeOption) Tensor { return cumulate(cumProdOp, t, opts) }

// CumMax returns for each element the largest of those up to it along an axis, the first
// by default; NaN from the first one on. Options: [Axis], [Reversed].
//
// Shapes: that of t. DTypes: real. Gradient: to the largest; of equals a half to each side
// of a step, in the order of JAX, by some 25 ops for each of log2 n levels of steps.
// Accuracy: exact. Errors: [ErrAxis], [ErrDType] for complex numbers.
func CumMax(t Tensor, opts ...CumulativeOption) Tensor {
	requireOrder("CumMax", t)
	return cumulate(cumMaxOp, t, opts)
}

// CumMin returns for each element the smallest of those up to it along an axis, the first
// by default; NaN from the first one on. Options: [Axis], [Reversed].
//
// Shapes: that of t. DTypes: real. Gradient: to the smallest; of equals a half to each side
// of a step, in the order of JAX. Accuracy: exact. Errors:
// [ErrAxis], [ErrDType] for complex numbers.
func CumMin(t Tensor, opts ...CumulativeOption) Tensor {
	requireOrder("CumMin", t)
	return cumulate(cumMinOp, t, opts)
}

// Diff returns the differences of neighbours along an axis, the last by default, n times
// over: t[i+1] - t[i].
//
// Shapes: [m] → [max(m-n, 0)]. DTypes: that of t; integers wrap around, bools become u8.
// Gradient: 1 and -1. Accuracy: one rounding a time. Errors: [ErrAxis], [ErrArgument] for
// a negative n.
func Diff(t Tensor, n int, opts ...AxisOption) Tensor {
	t.must("Diff")
	axis := oneAxis("Diff", t, opts, -1)
	if n < 0 {
		failOn(ErrArgument, "Diff", []Tensor{t}, "", "the number of times %d is negative", n)
	}
	for range min(n, t.p.spec.Shape[axis]) {
		index := make([]any, axis+1)
		for i := range index {
			index[i] = Whole
		}
		index[axis] = From(1)
		next := t.At(index...)
		index[axis] = To(max(t.p.spec.Shape[axis]-1, 0))
		t = Sub(next, t.At(index...))
	}
	return t
}
