package core

import (
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
)

func (a axesOption) cumulativeOption(o *cumulativeOptions)     { a.axisOption(&o.axisOptions) }
func (r reversedOption) cumulativeOption(o *cumulativeOptions) { o.reversed = bool(r) }
func (s skipNaNOption) cumulativeOption(o *cumulativeOptions)  { o.skip = bool(s) }
func (d dtypeOption) cumulativeOption(o *cumulativeOptions)    { o.dtype = d.t }

type cumulativeAttrs struct {
	axis           int
	reversed, skip bool
	as             DType // of the result, Invalid for what the operand says
}

// cumulativeOp reduces all elements up to each one: windows from the beginning of an axis, which
// compilers compute in one pass. An extreme has the type of the elements, a sum or a product that
// of a sum of all; with NaN skipped, an extreme is NaN before the first number.
//
//go:noinline
func cumulativeOp(name string, code stablehlo.OpCode, isExtreme bool,
	init func(d DType) number) *operation[cumulativeAttrs] {
	return &operation[cumulativeAttrs]{name: name,
		describe: func(d *description[cumulativeAttrs]) {
			s, as := d.ins[0], d.attrs.as
			switch {
			case !isExtreme:
				d.in = d.sumType(as)
			case as != dtype.Invalid:
				d.fail(ErrArgument, "cast the result (nx.Cast)",
					"takes no element type: the result has that of the operand")
			default:
				d.in = s.DType
			}
			d.returns(s.with(d.in))
		},
		emit: func(d *description[cumulativeAttrs], e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
			v := elements{e.convert(in[0], wide(d.in)), e.counted(in[0], d.attrs.skip)}
			if d.ins[0].Shape[d.attrs.axis] == 0 {
				return []*stablehlo.Value{e.convert(v.Value, d.in)}
			}
			w := d.attrs.windows(d.ins[0].Shape)
			out := e.windows(code, v.replaceSkipped(e, init(d.in)), init(d.in), w)
			if isExtreme && v.counts != nil {
				some := e.windows(stablehlo.OpOr, v.counts, number{Kind: dtype.KindBool}, w)
				t := out.Tensor().DType()
				out = e.Value(stablehlo.OpSelect, []*stablehlo.Value{some, out, e.splat(t, shapeOf(out), fillValue(t))})
			}
			return []*stablehlo.Value{e.convert(out, d.in)}
		}}
}

// windows are those from the beginning of the axis, or the end, to each element.
func (a cumulativeAttrs) windows(s Shape) windowAttrs {
	n := s[a.axis]
	size, ones := slices.Repeat([]int{1}, len(s)), slices.Repeat([]int{1}, len(s))
	lo, hi := make([]int, len(s)), make([]int, len(s))
	size[a.axis] = n
	if a.reversed {
		hi[a.axis] = n - 1
	} else {
		lo[a.axis] = n - 1
	}
	return windowAttrs{listOf(size), listOf(ones), listOf(ones), listOf(lo), listOf(hi)}
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
	if c.dtype != dtype.Invalid {
		requireType(o.name, c.dtype, t)
	}
	return o.call1(cumulativeAttrs{axisFrom(o.name, t, c.axisOptions, 0), c.reversed, c.skip, c.dtype}, t)
}

var (
	cumSumOp  = cumulativeOp("CumSum", stablehlo.OpAdd, false, func(DType) number { return zero })
	cumProdOp = cumulativeOp("CumProd", stablehlo.OpMultiply, false, func(DType) number { return one })
	cumMaxOp  = cumulativeOp("CumMax", stablehlo.OpMaximum, true, func(d DType) number { return bound(d, true) })
	cumMinOp  = cumulativeOp("CumMin", stablehlo.OpMinimum, true, func(d DType) number { return bound(d, false) })
)

// CumSum implements nx.CumSum.
func CumSum(t Tensor, opts ...CumulativeOption) Tensor { return cumulate(cumSumOp, t, opts) }

// CumProd implements nx.CumProd.
func CumProd(t Tensor, opts ...CumulativeOption) Tensor { return cumulate(cumProdOp, t, opts) }

// CumMax implements nx.CumMax.
func CumMax(t Tensor, opts ...CumulativeOption) Tensor {
	requireOrder("CumMax", t)
	return cumulate(cumMaxOp, t, opts)
}

// CumMin implements nx.CumMin.
func CumMin(t Tensor, opts ...CumulativeOption) Tensor {
	requireOrder("CumMin", t)
	return cumulate(cumMinOp, t, opts)
}

// Diff implements nx.Diff.
func Diff(t Tensor, n int, opts ...AxisOption) Tensor {
	t.must("Diff")
	axis := oneAxis("Diff", t, opts, -1)
	if n < 0 {
		failOn(ErrArgument, "Diff", []Tensor{t}, "", "the number of times %d is negative", n)
	}
	out := t
	for range min(n, t.p.spec.Shape[axis]) {
		index := make([]any, axis+1)
		for i := range index {
			index[i] = Whole
		}
		index[axis] = From(1)
		next := out.At(index...)
		index[axis] = To(max(out.p.spec.Shape[axis]-1, 0))
		out = Sub(next, out.At(index...))
	}
	return out.unshared("Diff", t)
}
