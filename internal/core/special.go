package core

import (
	"math"

	"github.com/go-nx/nx/stablehlo"
)

var (
	besselI1eOp = realOp("BesselI1e", stablehlo.OpChloBesselI1e)
	besselI0Op  = besselOp("BesselI0", stablehlo.OpNxBesselI0e)
	besselI1Op  = besselOp("BesselI1", stablehlo.OpChloBesselI1e)
)

// BesselI1e implements nx.BesselI1e.
func BesselI1e(t Tensor) Tensor { return besselI1eOp.call1(none{}, t) }

// BesselI0 implements nx.BesselI0.
func BesselI0(t Tensor) Tensor { return besselI0Op.call1(none{}, t) }

// BesselI1 implements nx.BesselI1.
func BesselI1(t Tensor) Tensor { return besselI1Op.call1(none{}, t) }

// besselOp is e^|t| times a scaled Bessel function, computed in f64: e^|t| overflows before the product
// does, so the function is between two roots of it. Package autodiff knows the form.
//
//go:noinline
func besselOp(name string, scaled stablehlo.OpCode) *operation[none] {
	return &operation[none]{name: name,
		describe: func(d *description[none]) {
			s := d.ins[0]
			d.returns(s.with(realFloat.computeType(d.op, s.DType, s.weak, d.operands...)))
		},
		emit: func(d *description[none], e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
			op := func(code stablehlo.OpCode, in ...*stablehlo.Value) *stablehlo.Value { return e.Value(code, in) }
			x := e.convert(in[0], F64)
			size, shape := op(stablehlo.OpAbs, x), d.ins[0].Shape
			root := op(stablehlo.OpExponential, op(stablehlo.OpMultiply, size, e.splat(F64, shape, operandOf(0.5).n)))
			y := op(stablehlo.OpMultiply, op(stablehlo.OpMultiply, root, op(scaled, x)), root)
			// At an infinity the product is ∞·0.
			limit := size
			if scaled == stablehlo.OpChloBesselI1e {
				limit = x
			}
			isInfinite := e.compare(equal, size, e.splat(F64, shape, operandOf(math.Inf(1)).n))
			y = op(stablehlo.OpSelect, isInfinite, limit, y)
			return []*stablehlo.Value{e.convert(y, d.outs[0].DType)}
		}}
}

var logAddExpOp = elementwise("LogAddExp", func(d *description[none]) DType {
	result := realFloat.computeType(d.op, promoted(d.ins[0], d.ins[1]), d.weak(), d.operands...)
	d.in = wide(result)
	return result
}, func(e *emitter, x, y *stablehlo.Value) *stablehlo.Value {
	op := func(code stablehlo.OpCode, in ...*stablehlo.Value) *stablehlo.Value { return e.Value(code, in) }
	d, shape := x.Tensor().DType(), shapeOf(x)
	splat := func(v float64) *stablehlo.Value { return e.splat(d, shape, operandOf(v).n) }
	// Equal infinities have no difference: the formula takes zeros for them.
	size := op(stablehlo.OpAbs, x)
	same := op(stablehlo.OpAnd, e.compare(equal, x, y), e.compare(equal, size, splat(math.Inf(1))))
	a, b := op(stablehlo.OpSelect, same, splat(0), x), op(stablehlo.OpSelect, same, splat(0), y)
	distance := op(stablehlo.OpAbs, op(stablehlo.OpSubtract, a, b))
	rest := op(stablehlo.OpLogPlusOne, op(stablehlo.OpExponential, op(stablehlo.OpNegate, distance)))
	sum := op(stablehlo.OpAdd, op(stablehlo.OpMaximum, a, b), rest) // internal/autodiff knows the form
	mean := op(stablehlo.OpMultiply, op(stablehlo.OpAdd, x, y), splat(0.5))
	return op(stablehlo.OpSelect, same, mean, sum)
})

// LogAddExp implements nx.LogAddExp.
func LogAddExp[A, B Operand](a A, b B) Tensor {
	return logAddExpOp.call(none{}, operandOf(a), operandOf(b))
}
