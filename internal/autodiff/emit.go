package autodiff

import (
	"fmt"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
)

// value is an SSA value; nil as a tangent or cotangent that is zero.
type value = *stablehlo.Value

// emitter appends ops to a block. Its methods are named for what they compute.
// Rules are written for ops that verify, so an op that cannot be built ends
// the transformation (see failure).
type emitter struct{ b *stablehlo.Builder }

// Error is a failure at an op of the program.
type Error struct {
	Op  *stablehlo.Op
	Err error
}

func (e *Error) Error() string { return e.Err.Error() }

// Unwrap returns the failure without the op.
func (e *Error) Unwrap() error { return e.Err }

// failure carries an error to the boundary of the package.
type failure struct{ err error }

// blame adds the op to a failure of what is done for it: to be deferred.
func blame(op *stablehlo.Op) {
	switch r := recover().(type) {
	case nil:
	case failure:
		if _, ok := r.err.(*Error); !ok {
			r.err = &Error{op, r.err}
		}
		panic(r)
	default:
		panic(r)
	}
}

// catch sets *err to the failure that ended the function, if one did.
func catch(err *error) {
	switch r := recover().(type) {
	case nil:
	case failure:
		*err = r.err
	default:
		panic(r)
	}
}

// fail ends the transformation.
func fail(format string, args ...any) { panic(failure{fmt.Errorf(format, args...)}) }

// on returns an emitter that appends to another block.
func (e emitter) on(b *stablehlo.Block) emitter {
	inner := stablehlo.NewBuilder(b)
	inner.Loc = e.b.Loc
	return emitter{inner}
}

// op appends an op.
func (e emitter) op(code stablehlo.OpCode, in []value, parts ...stablehlo.OpPart) *stablehlo.Op {
	op, err := e.b.Op(code, in, parts...)
	if err != nil {
		fail("derivative: %w", err)
	}
	return op
}

// value appends an op with one result.
func (e emitter) value(code stablehlo.OpCode, in []value, parts ...stablehlo.OpPart) value {
	return e.op(code, in, parts...).Result()
}

// again appends op with other operands: the same attributes, regions copied.
func (e emitter) again(op *stablehlo.Op, in ...value) []value {
	c := op.Clone(map[value]value{})
	c.Operands = in
	c.Loc = op.Loc
	return e.b.Block().Append(c).Results
}

// do appends an elementwise op whose results have the type of its operands.
func (e emitter) do(code stablehlo.OpCode, in ...value) value { return e.value(code, in) }

func (e emitter) neg(x value) value    { return e.do(stablehlo.OpNegate, x) }
func (e emitter) add(x, y value) value { return e.do(stablehlo.OpAdd, x, y) }
func (e emitter) sub(x, y value) value { return e.do(stablehlo.OpSubtract, x, y) }
func (e emitter) mul(x, y value) value { return e.do(stablehlo.OpMultiply, x, y) }
func (e emitter) div(x, y value) value { return e.do(stablehlo.OpDivide, x, y) }
func (e emitter) exp(x value) value    { return e.do(stablehlo.OpExponential, x) }
func (e emitter) log(x value) value    { return e.do(stablehlo.OpLog, x) }
func (e emitter) rsqrt(x value) value  { return e.do(stablehlo.OpRsqrt, x) }
func (e emitter) real(x value) value   { return e.do(stablehlo.OpReal, x) }
func (e emitter) square(x value) value { return e.mul(x, x) }

// conj returns the conjugate of x, which is x itself if that is real.
func (e emitter) conj(x value) value {
	if !isComplex(x) {
		return x
	}
	return e.do(stablehlo.OpChloConj, x)
}

// sum returns x + y, where nil is zero.
func (e emitter) sum(x, y value) value {
	switch {
	case x == nil:
		return y
	case y == nil:
		return x
	}
	return e.add(x, y)
}

// scale returns c·x.
func (e emitter) scale(c float64, x value) value {
	if c == 1 {
		return x
	}
	return e.mul(x, e.fill(x, c))
}

// plus returns c + x.
func (e emitter) plus(c float64, x value) value { return e.add(e.fill(x, c), x) }

// minus returns c - x.
func (e emitter) minus(c float64, x value) value { return e.sub(e.fill(x, c), x) }

// fill returns the constant c in the type of x.
func (e emitter) fill(x value, c float64) value {
	t := tensorOf(x)
	if t.IsStatic() {
		return e.full(t, c)
	}
	like := stablehlo.FloatAttr{Value: c, Type: stablehlo.Scalar(t.DType())}
	return e.value(stablehlo.OpChloConstantLike, []value{x}, stablehlo.Named("value", like))
}

// full returns the constant c in type t.
func (e emitter) full(t *stablehlo.TensorType, c float64) value {
	a, err := stablehlo.Full(t.WithDims(t.Dims...), c)
	if err != nil {
		fail("derivative: %w", err)
	}
	return e.b.Constant(a)
}

// scalar returns a rank-0 constant.
func (e emitter) scalar(d dtype.Type, c float64) value { return e.full(stablehlo.Tensor(d), c) }

// ints returns a constant vector of an integer type.
func (e emitter) ints(d dtype.Type, v ...int64) value {
	t := stablehlo.Tensor(d, int64(len(v)))
	a := &stablehlo.ElementsAttr{Type: t, Data: make([]byte, len(v)*d.Size())}
	for i, x := range v {
		d.StoreInt(a.Data, i, x)
	}
	return e.b.Constant(a)
}

// floats returns a constant vector of a float type.
func (e emitter) floats(d dtype.Type, v ...float64) value {
	t := stablehlo.Tensor(d, int64(len(v)))
	a := &stablehlo.ElementsAttr{Type: t, Data: make([]byte, len(v)*d.Size())}
	for i, x := range v {
		d.StoreFloat(a.Data, i, x)
	}
	return e.b.Constant(a)
}

// zeros returns the zero of a type.
func (e emitter) zeros(t stablehlo.Type) value {
	tt, ok := t.(*stablehlo.TensorType)
	if !ok || !tt.IsStatic() {
		fail("no derivative over values of type %s: its shape is not known", t)
	}
	return e.full(tt, 0)
}

// orZeros returns t, or zeros in the type of x when t is nil.
func (e emitter) orZeros(t, x value) value {
	if t == nil {
		return e.fill(x, 0)
	}
	return t
}

func (e emitter) compare(direction string, x, y value) value {
	return e.value(stablehlo.OpCompare, []value{x, y}, stablehlo.Named("comparison_direction",
		stablehlo.EnumAttr{Dialect: "stablehlo", Kind: "comparison_direction", Value: direction}))
}

func (e emitter) sel(pred, x, y value) value { return e.value(stablehlo.OpSelect, []value{pred, x, y}) }

// keep returns x where pred holds and 0 elsewhere.
func (e emitter) keep(pred, x value) value { return e.sel(pred, x, e.fill(x, 0)) }

// convert returns x with another element type.
func (e emitter) convert(x value, d dtype.Type) value {
	t := tensorOf(x)
	if t.DType() == d {
		return x
	}
	return e.value(stablehlo.OpConvert, []value{x}, stablehlo.Results{stablehlo.Tensor(d, t.Dims...)})
}

// tensorOf returns the type of a value that is a tensor.
func tensorOf(x value) *stablehlo.TensorType {
	t := x.Tensor()
	if t == nil {
		fail("no derivative over values of type %s", x.Type())
	}
	return t
}

func dtypeOf(x value) dtype.Type { return stablehlo.DType(x.Type()) }

func isComplex(x value) bool { return dtypeOf(x).IsComplex() }

// differentiable reports whether values of a type have tangents: tensors of
// floats and complex numbers.
func differentiable(t stablehlo.Type) bool {
	tt, ok := t.(*stablehlo.TensorType)
	if !ok {
		return false
	}
	s, ok := tt.Elem.(stablehlo.Scalar)
	return ok && (dtype.Type(s).IsFloat() || dtype.Type(s).IsComplex())
}

// sizes returns the shape of x, which must be static.
func sizes(x value) []int64 {
	t := tensorOf(x)
	if !t.IsStatic() {
		fail("no derivative over values of type %s: its shape is not known", t)
	}
	return t.Dims
}
