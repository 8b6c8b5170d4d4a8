package core

import (
	"fmt"
	"math"
	"reflect"
	"strconv"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
)

// New implements nx.New.
func New(data any, opts ...NewOption) Tensor {
	o := readNewOptions("New", opts)
	n := nestedOf(data)
	d := n.dtype
	if o.dtype != dtype.Invalid {
		d = o.dtype
	}
	spec := newSpec("New", Spec{DType: d, Shape: n.shape, Names: o.names})
	if len(n.shape) == 0 {
		v := numberOf(reflect.ValueOf(data))
		checkValue("New", v, d, "")
		t := scalarTensor(d, v)
		if k := reflect.TypeOf(data).Kind(); o.dtype == dtype.Invalid &&
			(k == reflect.Int || k == reflect.Float64 || k == reflect.Complex128) {
			t.p.spec = weakScalars[d]
		}
		return t
	}
	buf := make([]byte, spec.sizeBytes())
	n.encode(reflect.ValueOf(data), d, buf)
	return newBuffer(local(), spec, local().upload("New", spec, buf))
}

// FromSlice implements nx.FromSlice.
func FromSlice[T Number](data []T, shape Shape, opts ...NewOption) Tensor {
	spec := flatSpec("FromSlice", data, shape, opts)
	return newBuffer(local(), spec, local().upload("FromSlice", spec, encodeFlat(data, spec.DType)))
}

// Full implements nx.Full.
func Full[V Number](shape Shape, v V, d DType, opts ...NewOption) Tensor {
	return full("Full", shape, operandOf(v).n, d, opts)
}

func full(op string, shape Shape, n number, d DType, opts []NewOption) Tensor {
	spec := newSpec(op, Spec{DType: d, Shape: shape, Names: readNames(op, d, opts)})
	checkValue(op, n, d, "")
	return constant(spec, n)
}

// constantOf is the constant that an op on some operands is for each element of their vectorised axes.
func constantOf(op string, spec *Spec, n number, ins ...Tensor) Tensor {
	xs := make([]operand, len(ins))
	for i, x := range ins {
		xs[i] = operand{t: x.p}
	}
	return constant(spec.withVectors(unionOfVectors(op, xs)), n)
}

// Zeros implements nx.Zeros.
func Zeros(shape Shape, d DType, opts ...NewOption) Tensor {
	return full("Zeros", shape, zero, d, opts)
}

// Ones implements nx.Ones.
func Ones(shape Shape, d DType, opts ...NewOption) Tensor {
	return full("Ones", shape, one, d, opts)
}

// FullLike implements nx.FullLike.
func FullLike[V Number](t Tensor, v V) Tensor { return fullLike("FullLike", t, operandOf(v).n) }

// Scalar implements nx.Scalar.
func Scalar[V Number](v V, like Tensor) Tensor {
	d, n := like.must("Scalar").DType, operandOf(v).n
	checkValue("Scalar", n, d, "")
	return constantOf("Scalar", scalarSpecs[d], n, like)
}

// ZerosLike implements nx.ZerosLike.
func ZerosLike(t Tensor) Tensor { return fullLike("ZerosLike", t, zero) }

// OnesLike implements nx.OnesLike.
func OnesLike(t Tensor) Tensor { return fullLike("OnesLike", t, one) }

func fullLike(op string, t Tensor, n number) Tensor {
	s := t.must(op)
	checkValue(op, n, s.DType, "")
	return constant(s.strong(), n)
}

// Iota implements nx.Iota.
func Iota(shape Shape, d DType, opts ...AxisOption) Tensor {
	spec := newSpec("Iota", Spec{DType: d, Shape: shape})
	if d == Bool {
		fail(ErrDType, "Iota", "", "bool cannot count")
	}
	template := wrap(&tensor{spec: spec})
	if len(opts) == 0 {
		flat := Shape{shape.Size()}
		return fromRecipe(spec, "iota", func(e *emitter) *stablehlo.Value {
			return e.reshape(e.iota(d, flat, 0), spec.Shape)
		})
	}
	axis := oneAxis("Iota", template, opts, 0)
	return fromRecipe(spec, "iota "+strconv.Itoa(axis),
		func(e *emitter) *stablehlo.Value { return e.iota(d, spec.Shape, axis) })
}

// Eye implements nx.Eye.
func Eye(shape Shape, d DType, opts ...NewOption) Tensor {
	row := len(shape) - 2
	if row < 0 {
		fail(ErrShape, "Eye", "a square one is nx.Eye(nx.Shape{n, n}, nx.F32)", "is a matrix, the shape %v has rank %d",
			[]int(shape), len(shape))
	}
	spec := newSpec("Eye", Spec{DType: d, Shape: shape, Names: readNames("Eye", d, opts)})
	return fromRecipe(spec, "eye", func(e *emitter) *stablehlo.Value {
		rows, cols := e.iota(S32, spec.Shape, row), e.iota(S32, spec.Shape, row+1)
		return e.convert(e.compare("EQ", rows, cols), d)
	})
}

// halfOpenOption is the type of [HalfOpen].
type halfOpenOption bool

// HalfOpen is nx.HalfOpen.
const HalfOpen halfOpenOption = true

func (h halfOpenOption) newOption(o *newOptions) { o.halfOpen = bool(h) }

// Linspace implements nx.Linspace.
func Linspace[A, B Number](lo A, hi B, n int, d DType, opts ...NewOption) Tensor {
	a, b := operandOf(lo).n, operandOf(hi).n
	if a.Kind == dtype.KindComplex || b.Kind == dtype.KindComplex {
		fail(ErrValue, "Linspace", "", "a limit is complex")
	}
	o := readNewOptions("Linspace", opts)
	halfOpen := o.halfOpen
	spec := newSpec("Linspace", Spec{DType: d, Shape: Shape{n}, Names: o.namesFor("Linspace", d)})
	if !d.IsFloat() && !d.IsInteger() {
		fail(ErrDType, "Linspace", "", "is defined for floats and integers, not for %s", d)
	}
	if d.IsFloat() {
		checkValue("Linspace", a, d, "")
		checkValue("Linspace", b, d, "")
	}
	m := n
	if halfOpen {
		m++
	}
	if m > maxElements {
		fail(ErrShape, "Linspace", "", "%d numbers are more than any memory holds", n)
	}
	return fromRecipe(spec, fmt.Sprint("linspace ", m, a.Text(), " ", b.Text()), func(e *emitter) *stablehlo.Value {
		v := e.linspace(a.Float(), b.Float(), m)
		if m > n {
			v = e.Value(stablehlo.OpSlice, []*stablehlo.Value{v}, ints("start_indices", []int{0}),
				ints("limit_indices", []int{n}),
				ints("strides", []int{1}))
		}
		return e.convert(v, d)
	})
}

// maxElements bounds the elements of a tensor.
const maxElements = math.MaxInt / 16

// linspace appends the numbers of [Linspace] in f64.
func (e *emitter) linspace(lo, hi float64, n int) *stablehlo.Value {
	shape := Shape{n}
	last := float64(max(n-1, 1))
	num := func(v float64) *stablehlo.Value {
		return e.splat(F64, shape, number{Kind: dtype.KindFloat, Re: v})
	}
	op := func(code stablehlo.OpCode, in ...*stablehlo.Value) *stablehlo.Value { return e.Value(code, in) }
	// share returns i/last of v.
	share := func(i *stablehlo.Value, v float64) *stablehlo.Value {
		if math.IsInf(v*last, 0) {
			return op(stablehlo.OpMultiply, op(stablehlo.OpDivide, i, num(last)), num(v))
		}
		return op(stablehlo.OpDivide, op(stablehlo.OpMultiply, i, num(v)), num(last))
	}
	index := e.iota(F64, shape, 0)
	rest := op(stablehlo.OpSubtract, num(last), index)
	width, middle := hi-lo, (lo+hi)/2
	if math.IsNaN(lo - lo + hi - hi) { // a limit is infinite or NaN
		between := op(stablehlo.OpSelect, e.compare(equal, rest, num(0)), num(hi), num(lo+hi))
		return op(stablehlo.OpSelect, e.compare(equal, index, num(0)), num(lo), between)
	}
	if math.IsInf(width, 0) {
		return op(stablehlo.OpAdd, share(rest, lo), share(index, hi))
	}
	if math.IsInf(middle, 0) {
		middle = lo/2 + hi/2
	}
	fromLo := op(stablehlo.OpAdd, num(lo), share(index, width))
	fromHi := op(stablehlo.OpSubtract, num(hi), share(rest, width))
	v := op(stablehlo.OpSelect, e.compare(less, index, rest), fromLo, fromHi)
	return op(stablehlo.OpSelect, e.compare(equal, index, rest), num(middle), v)
}
