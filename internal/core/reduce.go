package core

import (
	"math"
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
)

// reduceAttrs are the attributes of a reduction.
type reduceAttrs struct {
	mask uint64 // of the axes
	all  bool   // no axis is given: all are meant
	keep bool
	skip bool  // leave out NaN
	as   DType // of the result, Invalid for what the operand says
	ddof int
}

// reduction is a reduction as it is described.
type reduction = description[reduceAttrs]

// readReduction reads the options of a reduction of t; all axes when none is given.
func readReduction(op string, t Tensor, opts []ReduceOption) reduceAttrs {
	var o reduceOptions
	distinct(op, opts)
	for _, x := range opts {
		if x != nil {
			x.reduceOption(&o)
		}
	}
	return o.attrs(op, t)
}

// readVariance reads the options of a variance of t.
func readVariance(op string, t Tensor, opts []VarOption) reduceAttrs {
	var o reduceOptions
	distinct(op, opts)
	for _, x := range opts {
		if x != nil {
			x.varianceOption(&o)
		}
	}
	return o.attrs(op, t)
}

func (o *reduceOptions) attrs(op string, t Tensor) reduceAttrs {
	s := t.must(op)
	a := reduceAttrs{all: !o.set, keep: o.keep, skip: o.skip, as: o.dtype, ddof: o.ddof}
	if a.all {
		a.mask = 1<<len(s.Shape) - 1
	}
	for _, x := range o.axes {
		i := axisIndex(op, t, x)
		if a.mask>>i&1 != 0 {
			failOn(ErrAxis, op, []Tensor{t}, "", "axis %s is given twice", x)
		}
		a.mask |= 1 << i
	}
	if a.as != dtype.Invalid {
		requireType(op, a.as, t)
	}
	if a.ddof < 0 {
		failOn(ErrArgument, op, []Tensor{t}, "", "the degrees of freedom %d are negative", a.ddof)
	}
	return a
}

// skips reports whether elements of a type may have to be left out.
func (a reduceAttrs) skips(d DType) bool { return a.skip && mayBeNaN(d) }

// elements are the operand of a reduction.
type elements struct {
	*stablehlo.Value
	counts *stablehlo.Value // which of them count; nil for all
}

// reduceOp is a reduction: types sets d.in, the type in which elements are reduced, and returns
// that of the result; fold appends the reduction.
//
//go:noinline
func reduceOp(name string, types func(r *reduction) DType,
	fold func(r *reduction, e *emitter, v elements) *stablehlo.Value) *operation[reduceAttrs] {
	return &operation[reduceAttrs]{name: name,
		describe: func(r *reduction) { r.returns(r.attrs.result(r.ins[0], types(r))) },
		emit: func(r *reduction, e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
			v := elements{e.convert(in[0], r.in), e.counted(in[0], r.attrs.skip)}
			return []*stablehlo.Value{e.convert(e.reshape(fold(r, e, v), r.outs[0].Shape), r.outs[0].DType)}
		}}
}

// counted appends which elements count: all, for which nil stands, or those that are not NaN.
func (e *emitter) counted(v *stablehlo.Value, skip bool) *stablehlo.Value {
	if !mayBeNaN(v.Tensor().DType()) || !skip {
		return nil
	}
	return e.compare(equal, v, v)
}

// replaceSkipped appends the elements with n in place of those that do not count.
func (v elements) replaceSkipped(e *emitter, n number) *stablehlo.Value {
	if v.counts == nil {
		return v.Value
	}
	other := e.splat(v.Tensor().DType(), shapeOf(v.Value), n)
	return e.Value(stablehlo.OpSelect, []*stablehlo.Value{v.counts, v.Value, other})
}

// reduce applies a reduction with its options.
func reduce(o *operation[reduceAttrs], t Tensor, opts []ReduceOption) Tensor {
	return o.call1(readReduction(o.name, t, opts), t)
}

// axesOf returns the reduced axes of a shape in order.
func (a reduceAttrs) axesOf(s Shape) []int {
	out := make([]int, 0, maxRank)
	for i := range s {
		if a.mask>>i&1 != 0 {
			out = append(out, i)
		}
	}
	return out
}

// option returns the reduced axes of a shape as an option of another op.
func (a reduceAttrs) option(s Shape) axesOption {
	var o axesOption
	for _, i := range a.axesOf(s) {
		o.axes = append(o.axes, axisRef{i: i})
	}
	return o
}

// options returns options that reduce the same axes of a shape.
func (a reduceAttrs) options(s Shape) []ReduceOption {
	return []ReduceOption{a.option(s), keepOption(a.keep)}
}

// axesOf returns the reduced axes in order.
func axesOf(r *reduction) []int { return r.attrs.axesOf(r.ins[0].Shape) }

// result returns the type of the result of reducing s.
func (a reduceAttrs) result(s *Spec, t DType) *Spec {
	out := Spec{DType: t, weak: s.weak && a.as == dtype.Invalid && t != Bool}
	for i, n := range s.Shape {
		switch {
		case a.mask>>i&1 == 0:
		case a.keep:
			n = 1
		default:
			continue
		}
		out.Shape = append(out.Shape, n)
		out.Names = append(out.Names, s.name(i))
	}
	return intern(out)
}

// countOf returns the number of elements reduced to one.
func (a reduceAttrs) countOf(s Shape) int {
	n := 1
	for i, d := range s {
		if a.mask>>i&1 != 0 {
			n *= d
		}
	}
	return n
}

// noDType refuses the option As where the result has the operand's type.
func noDType(r *reduction) {
	if r.attrs.as != dtype.Invalid {
		r.fail(ErrArgument, "cast the result (nx.Cast)", "takes no element type: the result has that of the operand")
	}
}

// sumType is the element type of sums and products of the operand's elements, up to each one or of
// all: integers grow to 32 bits at least. Another type given must be a number, and complex for
// complex elements.
func (d *described) sumType(as DType) DType {
	switch t := d.ins[0].DType; {
	case as == Bool:
		d.fail(ErrDType, "use nx.Any or nx.All", "the elements must be numbers, got bools")
	case as != dtype.Invalid:
		d.keepComplex(as)
		return as
	case t == Bool, t.IsUnsigned() && t.Bits() < 32:
		return U32
	case t.IsSigned() && t.Bits() < 32:
		return S32
	}
	return d.ins[0].DType
}

// meanType is the element type of a mean: integers become f32.
func meanType(r *reduction) DType {
	d := r.attrs.as
	if d == dtype.Invalid {
		return floating(r.ins[0].DType, r.ins[0].weak)
	}
	if !d.IsFloat() && !d.IsComplex() {
		r.fail(ErrDType, "cast the result (nx.Cast)", "the result must be a float, got %s", d)
	}
	r.keepComplex(d)
	return d
}

// keepComplex refuses a real element type for the result of complex elements.
func (d *described) keepComplex(as DType) {
	if d.ins[0].DType.IsComplex() && !as.IsComplex() {
		d.fail(ErrDType, "take the real part first (nx.Real)", "the result is complex and cannot be %s", as)
	}
}

// requireOrder refuses complex numbers.
func requireOrder(op string, t Tensor) {
	if t.must(op).DType.IsComplex() {
		failOn(ErrDType, op, []Tensor{t}, "take the magnitudes first (nx.Abs)", "complex numbers have no order")
	}
}

// meanIn is the type in which a mean of type d is computed: f64 for integers that
// f32 does not hold, whose differences it would lose.
func meanIn(r *reduction, d DType) DType {
	if s := r.ins[0].DType; s.IsInteger() && s.Bits() > F32.MantissaBits() && !d.IsComplex() {
		return F64
	}
	return wide(d)
}

// sumOp reduces by an op that has a neutral element.
func sumOp(name string, code stablehlo.OpCode, init number) *operation[reduceAttrs] {
	return reduceOp(name, func(r *reduction) DType {
		d := r.sumType(r.attrs.as)
		r.in = wide(d)
		return d
	}, func(r *reduction, e *emitter, v elements) *stablehlo.Value {
		return e.reduce(code, v.replaceSkipped(e, init), init, axesOf(r))
	})
}

var (
	sumReduction  = sumOp("Sum", stablehlo.OpAdd, zero)
	prodReduction = sumOp("Prod", stablehlo.OpMultiply, one)
)

// Sum implements nx.Sum.
func Sum(t Tensor, opts ...ReduceOption) Tensor { return reduce(sumReduction, t, opts) }

// Prod implements nx.Prod.
func Prod(t Tensor, opts ...ReduceOption) Tensor { return reduce(prodReduction, t, opts) }

var meanOp = reduceOp("Mean", func(r *reduction) DType {
	d := meanType(r)
	r.in = meanIn(r, d)
	return d
}, func(r *reduction, e *emitter, v elements) *stablehlo.Value { return e.mean(v, axesOf(r), 0) })

// Mean implements nx.Mean.
func Mean(t Tensor, opts ...ReduceOption) Tensor { return reduce(meanOp, t, opts) }

// mean appends the sum along axes divided by the number of elements that count, less some.
func (e *emitter) mean(v elements, axes []int, less int) *stablehlo.Value {
	s := e.reduce(stablehlo.OpAdd, v.replaceSkipped(e, zero), zero, axes)
	return e.Value(stablehlo.OpDivide, []*stablehlo.Value{s, e.countLess(v, axes, less)})
}

// countLess appends the number of elements that count along axes, less some. Where all count, it is
// at least 0; where some may be left out, it is NaN if too few count, as the variance of NumPy's nanvar.
func (e *emitter) countLess(v elements, axes []int, less int) *stablehlo.Value {
	d, shape := v.Tensor().DType(), shapeOf(v.Value)
	var kept Shape
	n := 1
	for i, size := range shape {
		if slices.Contains(axes, i) {
			n *= size
		} else {
			kept = append(kept, size)
		}
	}
	splat := func(x float64) *stablehlo.Value {
		return e.splat(d, kept, number{Kind: dtype.KindFloat, Re: x})
	}
	if v.counts == nil {
		return splat(float64(max(n-less, 0)))
	}
	count := e.reduce(stablehlo.OpAdd, e.convert(v.counts, d), zero, axes)
	if less == 0 {
		return count
	}
	count = e.Value(stablehlo.OpSubtract, []*stablehlo.Value{count, splat(float64(less))})
	enough := e.compare(greater, count, splat(0))
	return e.Value(stablehlo.OpSelect, []*stablehlo.Value{enough, count, splat(math.NaN())})
}

var (
	varianceOp  = varianceReduction("Var", false)
	deviationOp = varianceReduction("Std", true)
)

// Var implements nx.Var.
func Var(t Tensor, opts ...VarOption) Tensor {
	return varianceOp.call1(readVariance(varianceOp.name, t, opts), t)
}

// Std implements nx.Std.
func Std(t Tensor, opts ...VarOption) Tensor {
	return deviationOp.call1(readVariance(deviationOp.name, t, opts), t)
}

//go:noinline
func varianceReduction(name string, root bool) *operation[reduceAttrs] {
	return reduceOp(name, func(r *reduction) DType {
		d := meanType(r)
		r.in = meanIn(r, d)
		return d.Real()
	}, func(r *reduction, e *emitter, v elements) *stablehlo.Value {
		s, axes := r.ins[0], axesOf(r)
		kept := make([]int, 0, len(s.Shape))
		for i := range s.Shape {
			if r.attrs.mask>>i&1 == 0 {
				kept = append(kept, i)
			}
		}
		mean := e.broadcast(e.mean(v, axes, 0), s.Shape, kept)
		c := e.Value(stablehlo.OpSubtract, []*stablehlo.Value{v.replaceSkipped(e, zero), mean})
		square := e.squared(elements{c, v.counts}.replaceSkipped(e, zero))
		out := e.mean(elements{square, v.counts}, axes, r.attrs.ddof)
		if root {
			out = e.Value(stablehlo.OpSqrt, []*stablehlo.Value{out})
		}
		return out
	})
}

// squared appends |v|².
func (e *emitter) squared(v *stablehlo.Value) *stablehlo.Value {
	square := func(v *stablehlo.Value) *stablehlo.Value {
		return e.Value(stablehlo.OpMultiply, []*stablehlo.Value{v, v})
	}
	if !v.Tensor().DType().IsComplex() {
		return square(v)
	}
	re, im := e.Value(stablehlo.OpReal, []*stablehlo.Value{v}), e.Value(stablehlo.OpImag, []*stablehlo.Value{v})
	return e.Value(stablehlo.OpAdd, []*stablehlo.Value{square(re), square(im)})
}

var (
	maxReduction = extremeOp("Max", stablehlo.OpMaximum)
	minReduction = extremeOp("Min", stablehlo.OpMinimum)
)

// Max implements nx.Max.
func Max(t Tensor, opts ...ReduceOption) Tensor { return reduce(maxReduction, t, opts) }

// Min implements nx.Min.
func Min(t Tensor, opts ...ReduceOption) Tensor { return reduce(minReduction, t, opts) }

//go:noinline
func extremeOp(name string, code stablehlo.OpCode) *operation[reduceAttrs] {
	return reduceOp(name, func(r *reduction) DType {
		noDType(r)
		s := r.ins[0]
		if r.in = s.DType; s.DType.IsComplex() {
			r.fail(ErrDType, "take the magnitudes first (nx.Abs)", "complex numbers have no order")
		}
		if r.attrs.countOf(s.Shape) == 0 && r.attrs.result(s, s.DType).Shape.Size() > 0 {
			r.fail(ErrShape, "", "a reduced axis has size 0: there is no largest or smallest element")
		}
		return s.DType
	}, func(r *reduction, e *emitter, v elements) *stablehlo.Value {
		init := bound(r.in, code == stablehlo.OpMaximum)
		out := e.reduce(code, v.replaceSkipped(e, init), init, axesOf(r))
		if v.counts == nil {
			return out
		}
		some := e.reduce(stablehlo.OpOr, v.counts, number{Kind: dtype.KindBool}, axesOf(r))
		return e.Value(stablehlo.OpSelect, []*stablehlo.Value{some, out, e.splat(r.in, shapeOf(out), fillValue(r.in))})
	})
}

var (
	allOp = boolsOp("All", stablehlo.OpAnd)
	anyOp = boolsOp("Any", stablehlo.OpOr)
)

// All implements nx.All.
func All(t Tensor, opts ...ReduceOption) Tensor { return reduce(allOp, t, opts) }

// Any implements nx.Any.
func Any(t Tensor, opts ...ReduceOption) Tensor { return reduce(anyOp, t, opts) }

//go:noinline
func boolsOp(name string, code stablehlo.OpCode) *operation[reduceAttrs] {
	return reduceOp(name, func(r *reduction) DType {
		noDType(r)
		r.in = r.ins[0].DType
		return Bool
	}, func(r *reduction, e *emitter, v elements) *stablehlo.Value {
		init := boolNumber(code == stablehlo.OpAnd)
		bools := v.Value
		if d := v.Tensor().DType(); d != Bool {
			bools = e.compare(notEqual, bools, e.splat(d, shapeOf(bools), zero))
		}
		return e.reduce(code, elements{bools, v.counts}.replaceSkipped(e, init), init, axesOf(r))
	})
}
