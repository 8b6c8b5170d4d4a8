package nx

import (
	"fmt"
	"math"
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
)

// reduction is a reduction of t as the options say it.
type reduction struct {
	op   string
	t    Tensor
	axes []int
	kept *Spec // the type of the result, but for its element type
	keep bool
}

// newReduction reads the options of a reduction; all axes when none is given.
func newReduction(op string, t Tensor, opts []ReduceOption) (reduction, reduceOptions) {
	s := t.must(op)
	var o reduceOptions
	for _, x := range opts {
		x.reduceOption(&o)
	}
	r := reduction{op: op, t: t, keep: o.keep}
	if o.set {
		r.axes = axisIndices(op, t, o.axes)
		slices.Sort(r.axes)
	} else {
		for i := range s.Shape {
			r.axes = append(r.axes, i)
		}
	}
	out := Spec{DType: s.DType}
	for i, d := range s.Shape {
		reduced := slices.Contains(r.axes, i)
		switch {
		case !reduced:
		case o.keep:
			d = 1
		default:
			continue
		}
		out.Shape = append(out.Shape, d)
		out.Names = append(out.Names, s.name(i))
	}
	r.kept = &out
	return r, o
}

// count returns the number of elements folded into one.
func (r reduction) count() int {
	n := 1
	for _, a := range r.axes {
		n *= r.t.p.spec.Shape[a]
	}
	return n
}

// apply folds elements converted to type d.
func (r reduction) apply(d DType, fold func(e *emitter, v *stablehlo.Value) *stablehlo.Value) Tensor {
	spec := intern(Spec{DType: d, Shape: r.kept.Shape, Names: r.kept.Names})
	return apply1(call{op: r.op, key: fmt.Sprint(d, r.axes, r.keep), ins: []Tensor{r.t}, outs: []*Spec{spec},
		emit: func(e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
			return []*stablehlo.Value{e.reshape(fold(e, e.convert(in[0], d)), spec.Shape)}
		}})
}

// aggregate is the element type of a sum: integers grow to 32 bits at least.
func aggregate(d DType) DType {
	switch {
	case d == Bool, d.IsUnsigned() && d.Bits() < 32:
		return U32
	case d.IsSigned() && d.Bits() < 32:
		return S32
	}
	return d
}

// Sum adds the elements along axes, all when none is given. Options: [Axis],
// [KeepAxes], [As].
//
// DTypes: integers narrower than 32 bits are summed in 32, bools count; floats
// keep their type. An empty sum is 0. Gradient: 1. Accuracy: pairwise.
func Sum(t Tensor, opts ...ReduceOption) Tensor {
	r, o := newReduction("Sum", t, opts)
	d := aggregate(t.p.spec.DType)
	if o.dtype != dtype.Invalid {
		d = o.dtype
	}
	return r.apply(d, func(e *emitter, v *stablehlo.Value) *stablehlo.Value {
		return e.reduce(stablehlo.OpAdd, v, number{kind: dtype.KindSigned}, r.axes)
	})
}

// Prod multiplies the elements along axes. As [Sum]; an empty product is 1.
func Prod(t Tensor, opts ...ReduceOption) Tensor {
	r, o := newReduction("Prod", t, opts)
	d := aggregate(t.p.spec.DType)
	if o.dtype != dtype.Invalid {
		d = o.dtype
	}
	return r.apply(d, func(e *emitter, v *stablehlo.Value) *stablehlo.Value {
		return e.reduce(stablehlo.OpMultiply, v, number{kind: dtype.KindSigned, i: 1}, r.axes)
	})
}

// Mean returns the mean along axes. DTypes: integers become f32. The mean of
// nothing is NaN. Gradient: 1/n.
func Mean(t Tensor, opts ...ReduceOption) Tensor {
	r, _ := newReduction("Mean", t, opts)
	d := floating(t.p.spec.DType)
	n := number{kind: dtype.KindFloat, f: float64(r.count())}
	return r.apply(d, func(e *emitter, v *stablehlo.Value) *stablehlo.Value {
		s := e.reduce(stablehlo.OpAdd, v, number{kind: dtype.KindSigned}, r.axes)
		return e.op(stablehlo.OpDivide, []*stablehlo.Value{s, e.fitRight(e.scalar(d, n), shapeOf(s))})
	})
}

// Variance returns the mean squared distance from the mean along axes.
// DTypes: integers become f32.
func Variance(t Tensor, opts ...ReduceOption) Tensor {
	r, _ := newReduction("Variance", t, opts)
	mean := Mean(t, AxesOption{positions(r.axes)}, KeepAxes)
	c := Abs(Sub(t, mean))
	return Mean(Mul(c, c), opts...)
}

// StandardDeviation returns the square root of [Variance].
func StandardDeviation(t Tensor, opts ...ReduceOption) Tensor { return Sqrt(Variance(t, opts...)) }

func positions(axes []int) []axisRef {
	out := make([]axisRef, len(axes))
	for i, a := range axes {
		out[i].i = a
	}
	return out
}

// Max returns the largest element along axes, NaN when there is one. DTypes:
// real. Gradient: shared by equal largest elements. An empty maximum is an error.
func Max(t Tensor, opts ...ReduceOption) Tensor { return extreme("Max", stablehlo.OpMaximum, t, opts) }

// Min returns the smallest element along axes. As [Max].
func Min(t Tensor, opts ...ReduceOption) Tensor { return extreme("Min", stablehlo.OpMinimum, t, opts) }

func extreme(op string, code stablehlo.OpCode, t Tensor, opts []ReduceOption) Tensor {
	r, _ := newReduction(op, t, opts)
	d := t.p.spec.DType
	if d.IsComplex() {
		failOn(ErrDType, op, []Tensor{t}, "take magnitudes first (nx.Abs)", "complex numbers have no order")
	}
	if r.count() == 0 && r.kept.Shape.Size() > 0 {
		failOn(ErrShape, op, []Tensor{t}, "", "nothing has no largest or smallest element: a reduced axis has size 0")
	}
	return r.apply(d, func(e *emitter, v *stablehlo.Value) *stablehlo.Value {
		return e.reduce(code, v, bound(d, code == stablehlo.OpMaximum), r.axes)
	})
}

// bound returns the least value of a type, or the greatest: infinities where
// there are.
func bound(d DType, least bool) number {
	sign := 1
	if least {
		sign = -1
	}
	switch {
	case d == Bool:
		return number{kind: dtype.KindBool, i: int64((sign + 1) / 2)}
	case d.IsFloat():
		return number{kind: dtype.KindFloat, f: d.Float64(d.FromFloat64(math.Inf(sign)))}
	case d == U64 && !least:
		return number{kind: dtype.KindUnsigned, u: math.MaxUint64}
	case d.IsUnsigned() && least:
		return number{kind: dtype.KindSigned}
	case d.IsUnsigned():
		return number{kind: dtype.KindSigned, i: 1<<d.Bits() - 1}
	case least:
		return number{kind: dtype.KindSigned, i: -1 << (d.Bits() - 1)}
	}
	return number{kind: dtype.KindSigned, i: 1<<(d.Bits()-1) - 1}
}

// All returns whether all elements along axes are non-zero; true for none.
func All(t Tensor, opts ...ReduceOption) Tensor {
	r, _ := newReduction("All", NotEqual(t, 0), opts)
	return r.apply(Bool, func(e *emitter, v *stablehlo.Value) *stablehlo.Value {
		return e.reduce(stablehlo.OpAnd, v, number{kind: dtype.KindBool, i: 1}, r.axes)
	})
}

// Any returns whether any element along axes is non-zero; false for none.
func Any(t Tensor, opts ...ReduceOption) Tensor {
	r, _ := newReduction("Any", NotEqual(t, 0), opts)
	return r.apply(Bool, func(e *emitter, v *stablehlo.Value) *stablehlo.Value {
		return e.reduce(stablehlo.OpOr, v, number{kind: dtype.KindBool}, r.axes)
	})
}

// ArgMax returns the index of the first largest element along one axis, or in
// the flattened tensor when none is given; the first NaN where there is one.
// DTypes: s32, or that of [As]. Gradient: none.
func ArgMax(t Tensor, opts ...ReduceOption) Tensor { return argExtreme("ArgMax", "GT", t, opts) }

// ArgMin returns the index of the first smallest element. As [ArgMax].
func ArgMin(t Tensor, opts ...ReduceOption) Tensor { return argExtreme("ArgMin", "LT", t, opts) }

func argExtreme(op, direction string, t Tensor, opts []ReduceOption) Tensor {
	s := t.must(op)
	if s.DType.IsComplex() {
		failOn(ErrDType, op, []Tensor{t}, "take magnitudes first (nx.Abs)", "complex numbers have no order")
	}
	_, o := newReduction(op, t, opts)
	if !o.set && len(s.Shape) != 1 {
		t = Reshape(t, s.Shape.Size())
		s = t.p.spec
	}
	if o.set && len(o.axes) != 1 {
		failOn(ErrAxis, op, []Tensor{t}, "", "works along one axis, %d are given", len(o.axes))
	}
	r, _ := newReduction(op, t, opts)
	if r.count() == 0 {
		failOn(ErrShape, op, []Tensor{t}, "", "the axis has no elements")
	}
	d := o.dtype
	if d == dtype.Invalid {
		d = S32
	}
	spec := intern(Spec{DType: d, Shape: r.kept.Shape, Names: r.kept.Names})
	return apply1(call{op: op, key: fmt.Sprint(d, r.axes, r.keep), ins: []Tensor{t}, outs: []*Spec{spec},
		emit: func(e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
			return []*stablehlo.Value{e.reshape(e.argReduce(in[0], direction, r.axes[0], d), spec.Shape)}
		}})
}

// argReduce folds pairs of an element and its index.
func (e *emitter) argReduce(v *stablehlo.Value, direction string, axis int, d DType) *stablehlo.Value {
	t := v.Tensor()
	et, it := stablehlo.Tensor(t.DType()), stablehlo.Tensor(d)
	index := e.iota(d, shapeOf(v), axis)
	init := e.scalar(t.DType(), bound(t.DType(), direction == "GT"))
	zero := e.scalar(d, number{kind: dtype.KindSigned})
	return e.ops(stablehlo.OpReduce, []*stablehlo.Value{v, index, init, zero}, ints("dimensions", []int{axis}),
		stablehlo.Body{Args: []stablehlo.Type{et, it, et, it}, Build: func(b *stablehlo.Builder, a []*stablehlo.Value) ([]*stablehlo.Value, error) {
			f := &emitter{block: b.Block()}
			// The left one stays when it is beyond the right one, when it alone is
			// NaN, or when they are alike and it comes first.
			left := f.op(stablehlo.OpOr, []*stablehlo.Value{f.compare(direction, a[0], a[2]), f.compare("NE", a[0], a[0])})
			same := f.compare("EQ", a[0], a[2])
			bothNaN := f.op(stablehlo.OpAnd, []*stablehlo.Value{f.compare("NE", a[0], a[0]), f.compare("NE", a[2], a[2])})
			first := f.compare("LT", a[1], a[3])
			tie := f.op(stablehlo.OpOr, []*stablehlo.Value{same, bothNaN})
			pick := f.op(stablehlo.OpSelect, []*stablehlo.Value{tie, first, left})
			return []*stablehlo.Value{
				f.op(stablehlo.OpSelect, []*stablehlo.Value{f.op(stablehlo.OpOr, []*stablehlo.Value{left, tie}), a[0], a[2]}),
				f.op(stablehlo.OpSelect, []*stablehlo.Value{pick, a[1], a[3]}),
			}, nil
		}})[1]
}

func shapeOf(v *stablehlo.Value) Shape {
	s := Shape{}
	for _, d := range v.Tensor().Dims {
		s = append(s, int(d))
	}
	return s
}

// LogSumExp returns log(Σ exp(t)) along axes without overflow.
func LogSumExp(t Tensor, opts ...ReduceOption) Tensor {
	r, _ := newReduction("LogSumExp", t, opts)
	axes := AxesOption{positions(r.axes)}
	m := Max(t, axes, KeepAxes)
	m = StopGradient(Where(IsFinite(m), m, 0))
	s := Add(Log(Sum(Exp(Sub(t, m)), axes, KeepAxes)), m)
	if r.keep {
		return s
	}
	return Reshape(s, r.kept.Shape...).withNames(r.kept.Names)
}

// Softmax returns exp(t)/Σ exp(t) along an axis, the last by default.
func Softmax(t Tensor, opts ...AxisOption) Tensor {
	axis := Axis(oneAxis("Softmax", t.present("Softmax"), opts, -1))
	e := Exp(Sub(t, StopGradient(Max(t, axis, KeepAxes))))
	return Div(e, Sum(e, axis, KeepAxes))
}

// LogSoftmax returns log(Softmax(t)) without cancellation.
func LogSoftmax(t Tensor, opts ...AxisOption) Tensor {
	axis := Axis(oneAxis("LogSoftmax", t.present("LogSoftmax"), opts, -1))
	s := Sub(t, StopGradient(Max(t, axis, KeepAxes)))
	return Sub(s, Log(Sum(Exp(s), axis, KeepAxes)))
}

// present refuses an absent tensor.
func (t Tensor) present(op string) Tensor {
	t.must(op)
	return t
}
