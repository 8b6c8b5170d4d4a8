package fuse

import (
	"math"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/stablehlo"
)

// apply returns the instructions of an element-wise op on its operands.
func (e *exprs) apply(op *stablehlo.Op, args []kernel.Value) kernel.Value {
	t := op.Result().Tensor().DType()
	arg := t
	if len(op.Operands) > 0 {
		arg = op.Operands[0].Tensor().DType()
	}
	emit := func(o kernel.Op, v ...kernel.Value) kernel.Value { return e.emit(o, t, arg, v...) }
	switch op.Code {
	case stablehlo.OpCompare:
		return e.compare(op, arg, args)
	case stablehlo.OpSelect:
		return emit(kernel.Select, args...)
	case stablehlo.OpClamp:
		return e.emit(kernel.Min, t, t, e.emit(kernel.Max, t, t, args[1], args[0]), args[2])
	case stablehlo.OpConvert:
		return e.convert(args[0], arg, t)
	case stablehlo.OpBitcastConvert:
		return e.bitcast(args[0], arg, t)
	case stablehlo.OpReducePrecision:
		return e.body.Add(kernel.Instr{Op: kernel.ReducePrecision, Type: t, Args: [3]kernel.Value{args[0]},
			ExponentBits: int(op.Int("exponent_bits", 0)), MantissaBits: int(op.Int("mantissa_bits", 0))})
	case stablehlo.OpChloNextAfter:
		return e.body.Add(kernel.Instr{Op: kernel.NextAfter, Type: t, Args: [3]kernel.Value{args[0], args[1]}})
	case stablehlo.OpChloConj:
		if !arg.IsComplex() {
			return args[0]
		}
	case stablehlo.OpChloSquare:
		if arg.IsComplex() {
			return emit(kernel.Square, args...)
		}
		return emit(kernel.Mul, args[0], args[0])
	case stablehlo.OpChloIsInf:
		return e.emit(kernel.EQ, dtype.Bool, arg, e.emit(kernel.Abs, arg, arg, args[0]),
			e.number(kernel.Register(arg), math.Inf(1)))
	case stablehlo.OpChloIsPosInf:
		return e.emit(kernel.EQ, dtype.Bool, arg, args[0], e.number(kernel.Register(arg), math.Inf(1)))
	case stablehlo.OpChloIsNegInf:
		return e.emit(kernel.EQ, dtype.Bool, arg, args[0], e.number(kernel.Register(arg), math.Inf(-1)))
	case stablehlo.OpReal:
		if !arg.IsComplex() {
			return args[0]
		}
	case stablehlo.OpImag:
		if !arg.IsComplex() {
			return e.number(t, 0)
		}
	}
	if isCall(op) {
		in := kernel.Instr{Op: callOps[len(args)], Type: kernel.Register(t), Func: op.Name()}
		copy(in.Args[:], args)
		return e.round(t, e.body.Add(in))
	}
	return emit(scalarOp(op.Code), args...)
}

// emit adds an instruction on operands of element type arg with a result of element type t, rounded
// to t.
func (e *exprs) emit(o kernel.Op, t, arg dtype.Type, args ...kernel.Value) kernel.Value {
	in := kernel.Instr{Op: o, Type: kernel.Register(t)}
	copy(in.Args[:], args)
	if kernel.Register(arg) != in.Type && o != kernel.Select {
		in.From = kernel.Register(arg)
	}
	if o.DependsOnWidth() {
		in.Type = t
	}
	v := e.body.Add(in)
	if o.IsClosedOn(t) {
		return v
	}
	return e.round(t, v)
}

func (e *exprs) compare(op *stablehlo.Op, arg dtype.Type, args []kernel.Value) kernel.Value {
	total := op.Str("compare_type") == "TOTALORDER" && arg.IsFloat()
	a, b := args[0], args[1]
	cmp := func(o kernel.Op, a, b kernel.Value) kernel.Value { return e.emit(o, dtype.Bool, arg, a, b) }
	direction := op.Str("comparison_direction")
	if !total {
		return cmp(map[string]kernel.Op{"EQ": kernel.EQ, "NE": kernel.NE, "LT": kernel.LT, "LE": kernel.LE,
			"GT": kernel.GT, "GE": kernel.GE}[direction], a, b)
	}
	switch direction {
	case "EQ":
		return cmp(kernel.TotalEQ, a, b)
	case "NE":
		return e.emit(kernel.Not, dtype.Bool, dtype.Bool, cmp(kernel.TotalEQ, a, b))
	case "LT":
		return cmp(kernel.TotalLT, a, b)
	case "LE":
		return cmp(kernel.TotalLE, a, b)
	case "GT":
		return cmp(kernel.TotalLT, b, a)
	}
	return cmp(kernel.TotalLE, b, a)
}

// convert adds the conversion between element types.
func (e *exprs) convert(v kernel.Value, from, to dtype.Type) kernel.Value {
	if from == to {
		return v
	}
	rf, rt := kernel.Register(from), kernel.Register(to)
	if rt == dtype.F32 && kernel.NeedsRound(to) && (from.IsComplex() || from.Bits() >= 32 && from != dtype.F32) {
		return e.body.Add(kernel.Instr{Op: kernel.Convert, Type: to, From: from, Args: [3]kernel.Value{v}})
	}
	if rf != rt || to == dtype.Bool {
		v = e.body.Add(kernel.Instr{Op: kernel.Convert, Type: rt, From: rf, Args: [3]kernel.Value{v}})
		if from.IsFloat() && to.IsInteger() && kernel.NeedsRound(to) { // saturates, where Round would wrap
			lo, hi := -math.Ldexp(1, to.Bits()-1), math.Ldexp(1, to.Bits()-1)-1
			if to.IsUnsigned() {
				lo, hi = 0, math.Ldexp(1, to.Bits())-1
			}
			v = e.emit(kernel.Max, rt, rt, v, e.number(rt, lo))
			return e.emit(kernel.Min, rt, rt, v, e.number(rt, hi))
		}
	}
	return e.round(to, v)
}

// bitcast adds the reinterpretation of the bits of an element.
func (e *exprs) bitcast(v kernel.Value, from, to dtype.Type) kernel.Value {
	if from == to {
		return v
	}
	return e.body.Add(kernel.Instr{Op: kernel.Bitcast, Type: to, From: from, Args: [3]kernel.Value{v}})
}
