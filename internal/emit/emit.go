// Package emit appends ops to blocks for the transformations of modules. The methods of an
// [Emitter] are named for the ops they append. A transformation assumes that programs verify, so an
// op that cannot be built ends it: [Fail] panics, and the boundary of a package defers [Catch].
package emit

import (
	"fmt"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
)

// Value is an SSA Value.
type Value = *stablehlo.Value

// Emitter appends ops to a block.
type Emitter struct{ B *stablehlo.Builder }

// To returns an emitter that appends to a block.
func To(b *stablehlo.Block) Emitter { return Emitter{stablehlo.NewBuilder(b)} }

// Error is an error at an op of the program.
type Error struct {
	Op  *stablehlo.Op
	Err error
}

func (e *Error) Error() string { return e.Err.Error() }

// Unwrap returns the error without the op.
func (e *Error) Unwrap() error { return e.Err }

// failure carries an error to the boundary of a package. It is an error, so that a panic without a
// boundary prints it.
type failure struct{ err error }

func (f failure) Error() string { return f.err.Error() }

// Fail ends the transformation.
func Fail(format string, args ...any) { FailWith(fmt.Errorf(format, args...)) }

// FailWith ends the transformation with an error.
func FailWith(err error) { panic(failure{err}) }

// Blame adds the op to a failure. It must be deferred.
func Blame(op *stablehlo.Op) {
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

// Catch sets *err to the failure that ended the function, if any. It must be deferred.
func Catch(err *error) {
	switch r := recover().(type) {
	case nil:
	case failure:
		*err = r.err
	default:
		panic(r)
	}
}

// On returns an emitter that appends to another block, at the same location.
func (e Emitter) On(b *stablehlo.Block) Emitter { return Emitter{e.B.On(b)} }

// Op appends an op.
func (e Emitter) Op(code stablehlo.OpCode, in []Value, parts ...stablehlo.OpPart) *stablehlo.Op {
	op, err := e.B.Op(code, in, parts...)
	if err != nil {
		FailWith(err)
	}
	return op
}

// Value appends an op with one result.
//
//go:noinline
func (e Emitter) Value(code stablehlo.OpCode, in []Value, parts ...stablehlo.OpPart) Value {
	return e.Op(code, in, parts...).Result()
}

// Values appends an op with any number of results.
func (e Emitter) Values(code stablehlo.OpCode, in []Value, parts ...stablehlo.OpPart) []Value {
	return e.Op(code, in, parts...).Results
}

// Do appends an elementwise op whose results have the type of its operands.
//
//go:noinline
func (e Emitter) Do(code stablehlo.OpCode, in ...Value) Value { return e.Value(code, in) }

// Neg and the methods below append the op of their name.

func (e Emitter) Neg(x Value) Value { return e.Do(stablehlo.OpNegate, x) }

func (e Emitter) Add(x, y Value) Value { return e.Do(stablehlo.OpAdd, x, y) }

func (e Emitter) Sub(x, y Value) Value { return e.Do(stablehlo.OpSubtract, x, y) }

func (e Emitter) Mul(x, y Value) Value { return e.Do(stablehlo.OpMultiply, x, y) }

func (e Emitter) Div(x, y Value) Value { return e.Do(stablehlo.OpDivide, x, y) }

func (e Emitter) Exp(x Value) Value   { return e.Do(stablehlo.OpExponential, x) }
func (e Emitter) Log(x Value) Value   { return e.Do(stablehlo.OpLog, x) }
func (e Emitter) Rsqrt(x Value) Value { return e.Do(stablehlo.OpRsqrt, x) }

func (e Emitter) Real(x Value) Value   { return e.Do(stablehlo.OpReal, x) }
func (e Emitter) Imag(x Value) Value   { return e.Do(stablehlo.OpImag, x) }
func (e Emitter) Square(x Value) Value { return e.Mul(x, x) }

// Conj returns the conjugate of x, which is x itself if that is real.
func (e Emitter) Conj(x Value) Value {
	if !IsComplex(x) {
		return x
	}
	return e.Do(stablehlo.OpChloConj, x)
}

// Sum returns x + y, where nil is zero.
func (e Emitter) Sum(x, y Value) Value {
	switch {
	case x == nil:
		return y
	case y == nil:
		return x
	}
	return e.Add(x, y)
}

// Scale returns c·x.
func (e Emitter) Scale(c float64, x Value) Value {
	if c == 1 {
		return x
	}
	return e.Mul(x, e.Fill(x, c))
}

// Plus returns c + x.
func (e Emitter) Plus(c float64, x Value) Value { return e.Add(e.Fill(x, c), x) }

// Minus returns c - x.
func (e Emitter) Minus(c float64, x Value) Value { return e.Sub(e.Fill(x, c), x) }

// Fill returns the constant c in the type of x.
func (e Emitter) Fill(x Value, c float64) Value {
	t := TensorOf(x)
	if t.IsStatic() {
		return e.Full(t, c)
	}
	like := stablehlo.FloatAttr{Value: c, Type: stablehlo.Scalar(t.DType())}
	return e.Value(stablehlo.OpChloConstantLike, []Value{x}, stablehlo.Named("value", like))
}

// Full returns the constant c in type t.
func (e Emitter) Full(t *stablehlo.TensorType, c float64) Value {
	a, err := stablehlo.Full(t.WithDims(t.Dims...), c)
	if err != nil {
		FailWith(err)
	}
	return e.B.Constant(a)
}

// Scalar returns a rank-0 constant.
//
//go:noinline
func (e Emitter) Scalar(d dtype.Type, c float64) Value { return e.Full(stablehlo.Tensor(d), c) }

// Ints returns a constant vector of an integer type.
func (e Emitter) Ints(d dtype.Type, v ...int64) Value {
	t := stablehlo.Tensor(d, int64(len(v)))
	a := &stablehlo.ElementsAttr{Type: t, Data: make([]byte, len(v)*d.Size())}
	for i, x := range v {
		d.StoreInt(a.Data, i, x)
	}
	return e.B.Constant(a)
}

// Floats returns a constant vector of a float type.
func (e Emitter) Floats(d dtype.Type, v ...float64) Value {
	t := stablehlo.Tensor(d, int64(len(v)))
	a := &stablehlo.ElementsAttr{Type: t, Data: make([]byte, len(v)*d.Size())}
	for i, x := range v {
		d.StoreFloat(a.Data, i, x)
	}
	return e.B.Constant(a)
}

// Zeros returns the zero of a type.
func (e Emitter) Zeros(t stablehlo.Type) Value {
	tt, ok := t.(*stablehlo.TensorType)
	if !ok || !tt.IsStatic() {
		Fail("the shape of a value must be static, got %s", t)
	}
	return e.Full(tt, 0)
}

// OrZeros returns t, or zeros in the type of x when t is nil.
//
//go:noinline
func (e Emitter) OrZeros(t, x Value) Value {
	if t == nil {
		return e.Fill(x, 0)
	}
	return t
}

// Compare compares in the direction EQ, NE, LT, LE, GT or GE.
func (e Emitter) Compare(direction string, x, y Value) Value {
	return e.Value(stablehlo.OpCompare, []Value{x, y}, stablehlo.Named("comparison_direction",
		stablehlo.EnumAttr{Dialect: "stablehlo", Kind: "comparison_direction", Value: direction}))
}

// Select returns x where pred is true and y elsewhere.
//
//go:noinline
func (e Emitter) Select(pred, x, y Value) Value {
	return e.Value(stablehlo.OpSelect, []Value{pred, x, y})
}

// Keep returns x where pred is true and 0 elsewhere.
func (e Emitter) Keep(pred, x Value) Value { return e.Select(pred, x, e.Fill(x, 0)) }

// Convert returns x with another element type.
func (e Emitter) Convert(x Value, d dtype.Type) Value {
	t := TensorOf(x)
	if t.DType() == d {
		return x
	}
	return e.Value(stablehlo.OpConvert, []Value{x}, stablehlo.Results{t.WithElem(stablehlo.Scalar(d))})
}

// TensorOf returns the type of a tensor value.
func TensorOf(x Value) *stablehlo.TensorType {
	t := x.Tensor()
	if t == nil {
		Fail("a value must be a tensor, got %s", x.Type())
	}
	return t
}

// DTypeOf returns the element type of a tensor.
//
//go:noinline
func DTypeOf(x Value) dtype.Type { return stablehlo.DType(x.Type()) }

// IsComplex reports whether the elements of a tensor are complex.
func IsComplex(x Value) bool { return DTypeOf(x).IsComplex() }

// Sizes returns the shape of x, which must be static.
func Sizes(x Value) []int64 {
	t := TensorOf(x)
	if !t.IsStatic() {
		Fail("the shape of a value must be static, got %s", t)
	}
	return t.Dims
}
