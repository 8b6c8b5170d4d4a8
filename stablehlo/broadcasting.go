package stablehlo

// Plain returns the op that a chlo.broadcast_* op is once its operands have one
// shape; ok is false for all other ops.
func (c OpCode) Plain() (plain OpCode, ok bool) {
	if c >= numOps {
		return Unregistered, false
	}
	plain = plainOps[c]
	return plain, plain != Unregistered
}

var plainOps = [numOps]OpCode{
	OpChloBroadcastAdd:                  OpAdd,
	OpChloBroadcastAnd:                  OpAnd,
	OpChloBroadcastAtan2:                OpAtan2,
	OpChloBroadcastCompare:              OpCompare,
	OpChloBroadcastComplex:              OpComplex,
	OpChloBroadcastDivide:               OpDivide,
	OpChloBroadcastMaximum:              OpMaximum,
	OpChloBroadcastMinimum:              OpMinimum,
	OpChloBroadcastMultiply:             OpMultiply,
	OpChloBroadcastNextAfter:            OpChloNextAfter,
	OpChloBroadcastOr:                   OpOr,
	OpChloBroadcastPolygamma:            OpChloPolygamma,
	OpChloBroadcastPower:                OpPower,
	OpChloBroadcastRemainder:            OpRemainder,
	OpChloBroadcastSelect:               OpSelect,
	OpChloBroadcastShiftLeft:            OpShiftLeft,
	OpChloBroadcastShiftRightArithmetic: OpShiftRightArithmetic,
	OpChloBroadcastShiftRightLogical:    OpShiftRightLogical,
	OpChloBroadcastSubtract:             OpSubtract,
	OpChloBroadcastXor:                  OpXor,
	OpChloBroadcastZeta:                 OpChloZeta,
}
