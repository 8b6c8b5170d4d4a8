package nx

import (
	"math"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
)

// reduction is a reduction of t as the options say it.
type reduction struct {
	op   string
	t    Tensor
	opts reduceOptions
	mask uint64 // of the axes
	sig  signature
}

// maxDDOF bounds the option DDOF, so that it fits in a signature.
const maxDDOF = 127

// newReduction reads the options of a reduction; all axes when none is given.
func newReduction(op string, t Tensor, opts []ReduceOption) reduction {
	s := t.must(op)
	r := reduction{op: op, t: t}
	for _, x := range opts {
		if x != nil {
			x.reduceOption(&r.opts)
		}
	}
	if !r.opts.set {
		r.mask = 1<<len(s.Shape) - 1
	}
	for _, a := range r.opts.axes {
		i := axisIndex(op, t, a)
		if r.mask>>i&1 != 0 {
			failOn(ErrAxis, op, []Tensor{t}, "", "axis %s is given twice", a)
		}
		r.mask |= 1 << i
	}
	if d := r.opts.dtype; d != dtype.Invalid && !d.IsValid() {
		failOn(ErrDType, op, []Tensor{t}, "use one of the constants, such as nx.F32", "there is no element type %d", d)
	}
	if d := r.opts.ddof; d < 0 || d > maxDDOF {
		failOn(ErrArgument, op, []Tensor{t}, "", "the degrees of freedom %d are not between 0 and %d", d, maxDDOF)
	}
	r.sig = signature{op: op, ins: [3]*Spec{s}, bits: r.mask<<16 | uint64(r.opts.ddof)<<9 | uint64(r.opts.dtype)}
	if r.opts.keep {
		r.sig.bits |= 1 << 8
	}
	return r
}

// noDType refuses the option As where the result has the operand's type.
func (r *reduction) noDType() {
	if r.opts.dtype != dtype.Invalid {
		failOn(ErrArgument, r.op, []Tensor{r.t}, "cast the result (nx.Cast)", "takes no element type: the result has that of the operand")
	}
}

// again returns the result when the reduction has been compiled before.
func (r *reduction) again() (Tensor, bool) { return again(&r.sig, operand{t: r.t.p}) }

// axes returns the reduced axes in order.
func (r *reduction) axes() []int {
	out := make([]int, 0, maxRank)
	for i := range r.t.p.spec.Shape {
		if r.mask>>i&1 != 0 {
			out = append(out, i)
		}
	}
	return out
}

// option returns the reduced axes as an option of another op.
func (r *reduction) option() AxesOption {
	var o AxesOption
	for _, i := range r.axes() {
		o.axes = append(o.axes, axisRef{i: i})
	}
	return o
}

// result returns the type of the result.
func (r *reduction) result(d DType) *Spec {
	s := r.t.p.spec
	out := Spec{DType: d, weak: s.weak && r.opts.dtype == dtype.Invalid}
	for i, n := range s.Shape {
		switch {
		case r.mask>>i&1 == 0:
		case r.opts.keep:
			n = 1
		default:
			continue
		}
		out.Shape = append(out.Shape, n)
		out.Names = append(out.Names, s.name(i))
	}
	return intern(out)
}

// count returns the number of elements folded into one.
func (r *reduction) count() int {
	n := 1
	for i, d := range r.t.p.spec.Shape {
		if r.mask>>i&1 != 0 {
			n *= d
		}
	}
	return n
}

// apply folds elements converted to type in; the result has type out.
func (r *reduction) apply(in DType, out *Spec, fold func(e *emitter, v *stablehlo.Value) *stablehlo.Value) Tensor {
	return apply1(call{op: r.op, sig: r.sig, ins: []Tensor{r.t}, outs: []*Spec{out},
		emit: func(e *emitter, v []*stablehlo.Value) []*stablehlo.Value {
			return []*stablehlo.Value{e.convert(e.reshape(fold(e, e.convert(v[0], in)), out.Shape), out.DType)}
		}})
}

// sumType is the element type of a sum: integers grow to 32 bits at least.
func (r *reduction) sumType() DType {
	d := r.t.p.spec.DType
	switch {
	case r.opts.dtype != dtype.Invalid:
		return r.opts.dtype
	case d == Bool, d.IsUnsigned() && d.Bits() < 32:
		return U32
	case d.IsSigned() && d.Bits() < 32:
		return S32
	}
	return d
}

// meanType is the element type of a mean: integers become f32.
func (r *reduction) meanType() DType {
	d := r.opts.dtype
	if d == dtype.Invalid {
		return floating(r.t.p.spec.DType, r.t.p.spec.weak)
	}
	if !d.IsFloat() && !d.IsComplex() {
		failOn(ErrDType, r.op, []Tensor{r.t}, "cast the result (nx.Cast)", "the result is a float, not %s", d)
	}
	r.keepComplex(d)
	return d
}

// keepComplex refuses a real element type for the result of complex elements.
func (r *reduction) keepComplex(d DType) {
	if r.t.p.spec.DType.IsComplex() && !d.IsComplex() {
		failOn(ErrDType, r.op, []Tensor{r.t}, "take the real part first (nx.Real)", "the result would be complex, not %s", d)
	}
}

// wide is the type in which elements of type d are added up: floats narrower
// than 32 bits would lose all but the first few hundred.
func wide(d DType) DType {
	if d.IsFloat() && d.Bits() < 32 {
		return F32
	}
	return d
}

// meanIn is the type in which a mean of type d is computed: f64 for integers that
// f32 does not hold, whose differences it would lose.
func (r *reduction) meanIn(d DType) DType {
	if s := r.t.p.spec.DType; s.IsInteger() && s.Bits() > F32.MantissaBits() && !d.IsComplex() {
		return F64
	}
	return wide(d)
}

// Sum adds the elements along axes, all when none is given. Options: [Axis],
// [KeepAxes], [As].
//
// DTypes: integers narrower than 32 bits are summed in 32, bools count; floats
// keep their type and those narrower than f32 are added in f32. An empty sum is
// 0. Gradient: 1. Accuracy: pairwise.
func Sum(t Tensor, opts ...ReduceOption) Tensor {
	return sum("Sum", stablehlo.OpAdd, zero, t, opts)
}

// Prod multiplies the elements along axes. As [Sum]; an empty product is 1.
func Prod(t Tensor, opts ...ReduceOption) Tensor {
	return sum("Prod", stablehlo.OpMultiply, one, t, opts)
}

func sum(op string, code stablehlo.OpCode, init number, t Tensor, opts []ReduceOption) Tensor {
	r := newReduction(op, t, opts)
	if out, ok := r.again(); ok {
		return out
	}
	d := r.sumType()
	if d == Bool {
		failOn(ErrDType, op, []Tensor{t}, "use nx.Any or nx.All", "truth values do not add up")
	}
	r.keepComplex(d)
	return r.apply(wide(d), r.result(d), func(e *emitter, v *stablehlo.Value) *stablehlo.Value {
		return e.reduce(code, v, init, r.axes())
	})
}

// Mean returns the mean along axes. Options: [Axis], [KeepAxes], [As].
//
// DTypes: integers become f32; floats narrower than f32 are added in f32. The
// mean of nothing is NaN. Gradient: 1/n.
func Mean(t Tensor, opts ...ReduceOption) Tensor {
	r := newReduction("Mean", t, opts)
	if out, ok := r.again(); ok {
		return out
	}
	d := r.meanType()
	return r.apply(r.meanIn(d), r.result(d), func(e *emitter, v *stablehlo.Value) *stablehlo.Value {
		return e.mean(v, r.axes(), r.count())
	})
}

// mean appends the sum along axes divided by n.
func (e *emitter) mean(v *stablehlo.Value, axes []int, n int) *stablehlo.Value {
	s := e.reduce(stablehlo.OpAdd, v, zero, axes)
	count := e.splat(s.Tensor().DType(), shapeOf(s), number{kind: dtype.KindFloat, f: float64(n)})
	return e.op(stablehlo.OpDivide, []*stablehlo.Value{s, count})
}

// Variance returns the mean squared distance from the mean along axes. Options:
// [Axis], [KeepAxes], [As], [DDOF].
//
// DTypes as [Mean]; real for a complex tensor.
func Variance(t Tensor, opts ...ReduceOption) Tensor { return variance("Variance", t, opts, false) }

// StandardDeviation returns the square root of [Variance].
func StandardDeviation(t Tensor, opts ...ReduceOption) Tensor {
	return variance("StandardDeviation", t, opts, true)
}

func variance(op string, t Tensor, opts []ReduceOption, root bool) Tensor {
	r := newReduction(op, t, opts)
	if out, ok := r.again(); ok {
		return out
	}
	d := r.meanType()
	axes, s := r.axes(), t.p.spec
	return r.apply(r.meanIn(d), r.result(d.Real()), func(e *emitter, v *stablehlo.Value) *stablehlo.Value {
		kept := make([]int, 0, len(s.Shape))
		for i := range s.Shape {
			if r.mask>>i&1 == 0 {
				kept = append(kept, i)
			}
		}
		mean := e.broadcast(e.mean(v, axes, r.count()), s.Shape, kept)
		c := e.op(stablehlo.OpSubtract, []*stablehlo.Value{v, mean})
		out := e.mean(e.squared(c), axes, max(r.count()-r.opts.ddof, 0))
		if root {
			out = e.op(stablehlo.OpSqrt, []*stablehlo.Value{out})
		}
		return out
	})
}

// squared appends |v|².
func (e *emitter) squared(v *stablehlo.Value) *stablehlo.Value {
	square := func(v *stablehlo.Value) *stablehlo.Value {
		return e.op(stablehlo.OpMultiply, []*stablehlo.Value{v, v})
	}
	if !v.Tensor().DType().IsComplex() {
		return square(v)
	}
	re, im := e.op(stablehlo.OpReal, []*stablehlo.Value{v}), e.op(stablehlo.OpImag, []*stablehlo.Value{v})
	return e.op(stablehlo.OpAdd, []*stablehlo.Value{square(re), square(im)})
}

// Max returns the largest element along axes, NaN when there is one. Options:
// [Axis], [KeepAxes].
//
// DTypes: real. Gradient: shared by equal largest elements. The maximum of
// nothing is an error.
func Max(t Tensor, opts ...ReduceOption) Tensor { return extreme("Max", stablehlo.OpMaximum, t, opts) }

// Min returns the smallest element along axes. As [Max].
func Min(t Tensor, opts ...ReduceOption) Tensor { return extreme("Min", stablehlo.OpMinimum, t, opts) }

func extreme(op string, code stablehlo.OpCode, t Tensor, opts []ReduceOption) Tensor {
	r := newReduction(op, t, opts)
	if out, ok := r.again(); ok {
		return out
	}
	r.noDType()
	r.requireOrder()
	d := t.p.spec.DType
	out := r.result(d)
	if r.count() == 0 && out.Shape.Size() > 0 {
		failOn(ErrShape, op, []Tensor{t}, "", "a reduced axis has size 0: there is no largest or smallest element")
	}
	return r.apply(d, out, func(e *emitter, v *stablehlo.Value) *stablehlo.Value {
		return e.reduce(code, v, bound(d, code == stablehlo.OpMaximum), r.axes())
	})
}

func (r *reduction) requireOrder() {
	if r.t.p.spec.DType.IsComplex() {
		failOn(ErrDType, r.op, []Tensor{r.t}, "take the magnitudes first (nx.Abs)", "complex numbers have no order")
	}
}

// bound returns the least value of a type, or the greatest: infinities where
// there are.
func bound(d DType, least bool) number {
	switch {
	case d == Bool:
		return number{kind: dtype.KindBool, i: int64(b2i(!least))}
	case d.IsFloat():
		n := number{kind: dtype.KindFloat, f: math.Inf(1 - 2*b2i(least))}
		if !d.HasInf() && least {
			n.f = d.MinFinite()
		} else if !d.HasInf() {
			n.f = d.MaxFinite()
		}
		return n
	case least:
		return number{kind: dtype.KindSigned, i: d.MinInt()}
	}
	return unsigned(d.MaxInt())
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// All returns whether all elements along axes are non-zero; true for none.
// Options: [Axis], [KeepAxes].
func All(t Tensor, opts ...ReduceOption) Tensor { return truths("All", stablehlo.OpAnd, t, opts) }

// Any returns whether any element along axes is non-zero; false for none.
// As [All].
func Any(t Tensor, opts ...ReduceOption) Tensor { return truths("Any", stablehlo.OpOr, t, opts) }

func truths(op string, code stablehlo.OpCode, t Tensor, opts []ReduceOption) Tensor {
	t.must(op)
	r := newReduction(op, wrap(truth(op, operand{t: t.p}).t), opts)
	if out, ok := r.again(); ok {
		return out
	}
	r.noDType()
	return r.apply(Bool, r.result(Bool), func(e *emitter, v *stablehlo.Value) *stablehlo.Value {
		return e.reduce(code, v, number{kind: dtype.KindBool, i: int64(b2i(code == stablehlo.OpAnd))}, r.axes())
	})
}

// LogSumExp returns log(Σ exp(t)) along axes without overflow. Options: [Axis],
// [KeepAxes].
//
// DTypes: integers become f32; floats narrower than f32 are computed in f32. That
// of nothing is -Inf. Gradient: softmax.
func LogSumExp(t Tensor, opts ...ReduceOption) Tensor {
	r := newReduction("LogSumExp", t, opts)
	r.noDType()
	r.requireOrder()
	if r.count() == 0 {
		return Log(Sum(Exp(t), opts...))
	}
	axes := r.option()
	x, m := belowMax(t, axes, true)
	s := Log(Sum(Exp(x), axes, KeepAxes))
	if !r.opts.keep {
		s, m = Squeeze(s, axes), Squeeze(m, axes)
	}
	return converted(Add(s, m), floating(t.p.spec.DType, t.p.spec.weak))
}

// Softmax returns exp(t)/Σ exp(t) along an axis, the last by default.
//
// DTypes: integers become f32; floats narrower than f32 are computed in f32.
// Gradient: of the composition.
func Softmax(t Tensor, opts ...AxisOption) Tensor {
	axis := softmaxAxis("Softmax", t, opts)
	if t.Size() == 0 {
		return Exp(t)
	}
	x, _ := belowMax(t, axis, false)
	e := Exp(x)
	return converted(Div(e, Sum(e, axis, KeepAxes)), floating(t.p.spec.DType, t.p.spec.weak))
}

// LogSoftmax returns log(Softmax(t)) without cancellation. As [Softmax].
func LogSoftmax(t Tensor, opts ...AxisOption) Tensor {
	axis := softmaxAxis("LogSoftmax", t, opts)
	if t.Size() == 0 {
		return Exp(t)
	}
	x, _ := belowMax(t, axis, false)
	return converted(Sub(x, Log(Sum(Exp(x), axis, KeepAxes))), floating(t.p.spec.DType, t.p.spec.weak))
}

// belowMax returns how far the elements are below the largest one along axes, as
// floats up to 0, and the largest one; 0 stands for an infinite one if finite says so.
func belowMax(t Tensor, axes AxesOption, finite bool) (x, largest Tensor) {
	s := t.p.spec
	if s.DType == Bool {
		t = Cast(t, U8)
		s = t.p.spec
	}
	if !s.DType.IsInteger() {
		t = converted(t, wide(s.DType))
		m := StopGradient(Max(t, axes, KeepAxes))
		if finite {
			m = Where(IsFinite(m), m, 0)
		}
		return Sub(t, m), m
	}
	// The distance fits in the unsigned type of the same width, but not in the signed one.
	m := Max(t, axes, KeepAxes)
	u := unsignedOf[s.DType]
	d := floating(s.DType, s.weak)
	return Neg(converted(Sub(Bitcast(m, u), Bitcast(t, u)), d)), converted(m, d)
}

// unsignedOf are the unsigned types of the width of integer types.
var unsignedOf = map[DType]DType{S2: U2, S4: U4, S8: U8, S16: U16, S32: U32, S64: U64, U2: U2, U4: U4, U8: U8, U16: U16, U32: U32, U64: U64}

// converted is [Cast] for a composition: the result gives way if t does.
func converted(t Tensor, d DType) Tensor {
	s := t.p.spec
	if s.DType == d {
		return t.same("Cast")
	}
	return apply1(call{op: "Cast", key: "weak " + d.String(), ins: []Tensor{t}, outs: []*Spec{s.with(d)},
		emit: func(e *emitter, v []*stablehlo.Value) []*stablehlo.Value {
			return []*stablehlo.Value{e.convert(v[0], d)}
		}})
}

func softmaxAxis(op string, t Tensor, opts []AxisOption) AxesOption {
	refuseComplex(op, t)
	return Axis(oneAxis(op, t, opts, -1))
}

// shapeOf returns the shape of a value.
func shapeOf(v *stablehlo.Value) Shape {
	s := make(Shape, v.Tensor().Rank())
	for i, d := range v.Tensor().Dims {
		s[i] = int(d)
	}
	return s
}
