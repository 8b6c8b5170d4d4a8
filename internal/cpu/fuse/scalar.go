package fuse

import (
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/stablehlo"
)

// scalarOps are the element-wise ops that are one instruction. Other functions of numbers are calls
// by name.
var scalarOps = [...]kernel.Op{
	stablehlo.OpNegate: kernel.Neg, stablehlo.OpAbs: kernel.Abs, stablehlo.OpSign: kernel.Sign,
	stablehlo.OpNot:    kernel.Not,
	stablehlo.OpPopcnt: kernel.Popcnt, stablehlo.OpCountLeadingZeros: kernel.Clz,
	stablehlo.OpCeil: kernel.Ceil, stablehlo.OpFloor: kernel.Floor,
	stablehlo.OpRoundNearestEven: kernel.RoundEven, stablehlo.OpRoundNearestAfz: kernel.RoundAway,
	stablehlo.OpSqrt: kernel.Sqrt, stablehlo.OpRsqrt: kernel.Rsqrt, stablehlo.OpCbrt: kernel.Cbrt,
	stablehlo.OpExponential: kernel.Exp, stablehlo.OpExponentialMinusOne: kernel.Expm1,
	stablehlo.OpLog: kernel.Log, stablehlo.OpLogPlusOne: kernel.Log1p, stablehlo.OpLogistic: kernel.Logistic,
	stablehlo.OpSine: kernel.Sin, stablehlo.OpCosine: kernel.Cos, stablehlo.OpTan: kernel.Tan,
	stablehlo.OpTanh:     kernel.Tanh,
	stablehlo.OpIsFinite: kernel.IsFinite, stablehlo.OpReal: kernel.Real, stablehlo.OpImag: kernel.Imag,
	stablehlo.OpChloErf: kernel.Erf, stablehlo.OpChloErfc: kernel.Erfc, stablehlo.OpChloErfInv: kernel.ErfInv,
	stablehlo.OpChloConj: kernel.Conj,
	stablehlo.OpChloTan:  kernel.Tan,

	stablehlo.OpAdd: kernel.Add, stablehlo.OpSubtract: kernel.Sub, stablehlo.OpMultiply: kernel.Mul,
	stablehlo.OpDivide:    kernel.Div,
	stablehlo.OpRemainder: kernel.Rem, stablehlo.OpMaximum: kernel.Max, stablehlo.OpMinimum: kernel.Min,
	stablehlo.OpPower: kernel.Pow, stablehlo.OpAtan2: kernel.Atan2,
	stablehlo.OpAnd: kernel.And, stablehlo.OpOr: kernel.Or, stablehlo.OpXor: kernel.Xor,
	stablehlo.OpShiftLeft: kernel.Shl, stablehlo.OpShiftRightArithmetic: kernel.ShrA,
	stablehlo.OpShiftRightLogical: kernel.ShrL,
	stablehlo.OpComplex:           kernel.Complex,
	stablehlo.OpChloNextAfter:     kernel.NextAfter,
	stablehlo.OpChloMulhi:         kernel.MulHi,
}

// scalarOp returns the instruction of an op, Invalid if there is none.
func scalarOp(code stablehlo.OpCode) kernel.Op {
	if int(code) < len(scalarOps) {
		return scalarOps[code]
	}
	return kernel.Invalid
}

// callOps are the instructions that call a function, by the number of operands.
var callOps = [...]kernel.Op{1: kernel.Call, 2: kernel.Call2}

// isCall reports whether the op is a function of numbers without its own instruction.
func isCall(op *stablehlo.Op) bool {
	const function = stablehlo.Elementwise | stablehlo.SameTypes | stablehlo.Transcendental
	return op.Code.Info().Traits&function == function && scalarOp(op.Code) == kernel.Invalid &&
		len(op.Operands) < len(callOps)
}

// isElementwise reports whether the op becomes instructions on single elements.
func isElementwise(op *stablehlo.Op) bool {
	if scalarOp(op.Code) != kernel.Invalid || isCall(op) {
		return true
	}
	switch op.Code {
	case stablehlo.OpCompare, stablehlo.OpSelect, stablehlo.OpClamp, stablehlo.OpConvert, stablehlo.OpReducePrecision,
		stablehlo.OpChloSquare, stablehlo.OpChloIsInf, stablehlo.OpChloIsPosInf, stablehlo.OpChloIsNegInf:
		return true
	case stablehlo.OpBitcastConvert:
		return op.Operands[0].Tensor().DType().Bits() == op.Result().Tensor().DType().Bits()
	}
	return false
}

// isView reports whether the op only rearranges elements by an affine map.
func isView(op *stablehlo.Op) bool {
	switch op.Code {
	case stablehlo.OpBroadcastInDim, stablehlo.OpReshape, stablehlo.OpTranspose, stablehlo.OpSlice, stablehlo.OpReverse,
		stablehlo.OpBroadcast:
		return true
	case stablehlo.OpOptimizationBarrier:
		return len(op.Results) == 1
	}
	return false
}

// isScalarBody reports whether a region computes on scalars by element-wise ops only, and uses no
// values from outside but the captured scalars.
func isScalarBody(b *stablehlo.Block, captures []*stablehlo.Value) bool {
	inside := map[*stablehlo.Value]bool{}
	for _, v := range captures {
		if v.Tensor() == nil || v.Tensor().Rank() != 0 {
			return false
		}
		inside[v] = true
	}
	for _, a := range b.Args {
		if a.Tensor() == nil || a.Tensor().Rank() != 0 {
			return false
		}
		inside[a] = true
	}
	for _, op := range b.Ops {
		for _, v := range op.Operands {
			if !inside[v] {
				return false
			}
		}
		if op.Code != stablehlo.OpReturn && op.Code != stablehlo.OpConstant && !isElementwise(op) && !isView(op) {
			return false
		}
		for _, r := range op.Results {
			if r.Tensor() == nil || r.Tensor().Rank() != 0 || r.Tensor().Quant() != nil {
				return false
			}
			inside[r] = true
		}
	}
	return true
}

// reducerOf returns the operation of a region that is just that operation of its two arguments,
// else Invalid.
func reducerOf(b *stablehlo.Block) kernel.Op {
	if kinds := reducersOf(b); len(kinds) == 1 {
		return kinds[0]
	}
	return kernel.Invalid
}

// reducersOf returns, for each result of the body of a reduction, the operation of its own two
// arguments that it is; nil if one is something else.
func reducersOf(b *stablehlo.Block) []kernel.Op {
	n := len(b.Args) / 2
	if len(b.Ops) != n+1 || len(b.Ops[n].Operands) != n {
		return nil
	}
	kinds := make([]kernel.Op, n)
	for i, v := range b.Ops[n].Operands {
		op := v.Op()
		if op == nil || len(op.Operands) != 2 {
			return nil
		}
		x, y := op.Operands[0], op.Operands[1]
		if !(x == b.Args[i] && y == b.Args[n+i] || x == b.Args[n+i] && y == b.Args[i]) ||
			!kernel.IsReducer(scalarOp(op.Code)) {
			return nil
		}
		kinds[i] = scalarOp(op.Code)
	}
	return kinds
}
