package interp

import (
	"github.com/go-nx/nx/stablehlo"
)

// evalFunc runs an op: it maps the values of the operands to those of the results. An error without a position
// gets that of the op.
type evalFunc func(f *frame, s *step, args []Value) ([]Value, error)

// evals holds the meaning of each op that is not elementwise; those are in
// the table elementwise.
var evals []evalFunc

// Rows reach the table through the frames that run regions, so it is filled
// here and not where it is declared.
func init() {
	evals = []evalFunc{
		stablehlo.OpConstant:     evalConstant,
		stablehlo.OpChloConstant: evalConstant,
		stablehlo.OpIota:         tensorFunc(evalIota).row(),
		stablehlo.OpDynamicIota:  tensorFunc(evalDynamicIota).row(),

		stablehlo.OpReshape:               tensorFunc(evalReshape).row(),
		stablehlo.OpDynamicReshape:        tensorFunc(evalDynamicReshape).row(),
		stablehlo.OpBroadcast:             tensorFunc(evalBroadcast).row(),
		stablehlo.OpBroadcastInDim:        tensorFunc(evalBroadcastInDim).row(),
		stablehlo.OpDynamicBroadcastInDim: tensorFunc(evalDynamicBroadcastInDim).row(),
		stablehlo.OpTranspose:             tensorFunc(evalTranspose).row(),
		stablehlo.OpReverse:               tensorFunc(evalReverse).row(),
		stablehlo.OpSlice:                 tensorFunc(evalSlice).row(),
		stablehlo.OpRealDynamicSlice:      tensorFunc(evalRealDynamicSlice).row(),
		stablehlo.OpDynamicSlice:          tensorFunc(evalDynamicSlice).row(),
		stablehlo.OpDynamicUpdateSlice:    tensorFunc(evalDynamicUpdateSlice).row(),
		stablehlo.OpConcatenate:           tensorFunc(evalConcatenate).row(),
		stablehlo.OpPad:                   tensorFunc(evalPad).row(),
		stablehlo.OpDynamicPad:            tensorFunc(evalDynamicPad).row(),
		stablehlo.OpGather:                tensorFunc(evalGather).row(),
		stablehlo.OpDynamicGather:         tensorFunc(evalDynamicGather).row(),
		stablehlo.OpTorchIndexSelect:      tensorFunc(evalTorchIndexSelect).row(),
		stablehlo.OpGetDimensionSize:      tensorFunc(evalGetDimensionSize).row(),
		stablehlo.OpSetDimensionSize:      tensorFunc(evalSetDimensionSize).row(),
		stablehlo.OpChloConstantLike:      tensorFunc(evalConstantLike).row(),

		stablehlo.OpDot:                dequantizing(evalDot),
		stablehlo.OpDotGeneral:         dequantizing(evalDotGeneral),
		stablehlo.OpChloRaggedDot:      evalRaggedDot,
		stablehlo.OpEinsum:             evalEinsum,
		stablehlo.OpUnaryEinsum:        evalUnaryEinsum,
		stablehlo.OpConvolution:        dequantizing(evalConvolution),
		stablehlo.OpDynamicConv:        dequantizing(evalDynamicConv),
		stablehlo.OpFft:                evalFft,
		stablehlo.OpCholesky:           dequantizing(evalCholesky),
		stablehlo.OpTriangularSolve:    dequantizing(evalTriangularSolve),
		stablehlo.OpBatchNormInference: dequantizing(evalBatchNormInference),
		stablehlo.OpBatchNormTraining:  dequantizing(evalBatchNormTraining),
		stablehlo.OpBatchNormGrad:      dequantizing(evalBatchNormGrad),

		stablehlo.OpRng:             evalRng,
		stablehlo.OpRngBitGenerator: evalRngBitGenerator,

		stablehlo.OpReduce:           evalReduce,
		stablehlo.OpReduceWindow:     evalReduceWindow,
		stablehlo.OpSelectAndScatter: evalSelectAndScatter,
		stablehlo.OpScatter:          evalScatter,
		stablehlo.OpMap:              evalMap,
		stablehlo.OpSort:             evalSort,
		stablehlo.OpChloTopK:         evalTopK,
		stablehlo.OpChloScan:         evalScan,

		stablehlo.OpCall:                  evalCall,
		stablehlo.OpComposite:             evalComposite,
		stablehlo.OpCustomCall:            evalCustomCall,
		stablehlo.OpIf:                    evalIf,
		stablehlo.OpCase:                  evalCase,
		stablehlo.OpWhile:                 evalWhile,
		stablehlo.OpTuple:                 evalTuple,
		stablehlo.OpGetTupleElement:       evalGetTupleElement,
		stablehlo.OpOptimizationBarrier:   evalIdentity,
		stablehlo.OpAsyncStart:            evalAsyncStart,
		stablehlo.OpAsyncDone:             evalAsyncDone,
		stablehlo.OpAfterAll:              evalToken,
		stablehlo.OpCreateToken:           evalToken,
		stablehlo.OpSdyMesh:               evalNoOp,
		stablehlo.OpSdyShardingConstraint: evalIdentity,
		stablehlo.OpSdyManualComputation:  evalManualComputation,

		stablehlo.OpAllGather:           evalAllGather,
		stablehlo.OpAllReduce:           evalAllReduce,
		stablehlo.OpCrossReplicaSum:     evalCrossReplicaSum,
		stablehlo.OpReduceScatter:       evalReduceScatter,
		stablehlo.OpAllToAll:            evalAllToAll,
		stablehlo.OpCollectiveBroadcast: evalCollectiveBroadcast,
		stablehlo.OpCollectivePermute:   evalCollectivePermute,
		stablehlo.OpCollectiveReduce:    evalCollectiveReduce,
		stablehlo.OpReplicaId:           evalReplicaID,
		stablehlo.OpPartitionId:         evalPartitionID,
		stablehlo.OpInfeed:              evalInfeed,
		stablehlo.OpOutfeed:             evalOutfeed,
		stablehlo.OpSend:                evalSend,
		stablehlo.OpRecv:                evalRecv,
		stablehlo.OpInterpRunParallel:   evalRunParallel,
		stablehlo.OpInterpPrint:         evalPrint,
		stablehlo.OpInterpProbe:         evalProbe,

		stablehlo.OpCheckExpectSerializedEq:  evalExpectSerializedEq,
		stablehlo.OpCheckExpectEq:            evalExpect,
		stablehlo.OpCheckExpectEqConst:       evalExpectConst,
		stablehlo.OpCheckExpectAlmostEq:      evalExpect,
		stablehlo.OpCheckExpectAlmostEqConst: evalExpectConst,
		stablehlo.OpCheckExpectClose:         evalExpect,
	}
	for c := range stablehlo.Ops() {
		if _, ok := c.Plain(); !ok {
			continue
		}
		if grow := int(c) + 1 - len(evals); grow > 0 {
			evals = append(evals, make([]evalFunc, grow)...)
		}
		evals[c] = evalBroadcasting
	}
}

// evalOf returns the row of an op: a specific one, or that of elementwise ops.
func evalOf(op *stablehlo.Op) evalFunc {
	if hasRow(op.Code) {
		return evals[op.Code]
	}
	return evalAsElementwise
}

// hasRow reports whether an op is in the table evals, not elementwise.
func hasRow(c stablehlo.OpCode) bool { return int(c) < len(evals) && evals[c] != nil }

// evalAsElementwise calls the elementwise row with the shape of this run.
func evalAsElementwise(f *frame, s *step, args []Value) ([]Value, error) {
	operands, err := tensors(args)
	if err != nil {
		return nil, err
	}
	result, err := elementwiseType(s.op, operands)
	if err != nil {
		return nil, err
	}
	t, err := f.elementwise(s.op, operands, result)
	if err != nil {
		return nil, err
	}
	return []Value{t}, nil
}

// tensors returns the operands of an op that takes only tensors.
func tensors(args []Value) ([]*Tensor, error) {
	out := make([]*Tensor, len(args))
	for i, a := range args {
		t, ok := a.(*Tensor)
		if !ok {
			return nil, faultf(Internal, "operand %d is not a tensor", i)
		}
		out[i] = t
	}
	return out, nil
}

// elementwiseType returns the type of the only result of an elementwise op
// with the sizes of this run: the shape of the operands that are not scalars
// standing for all elements (the first and last of clamp, the predicate of
// select), which must agree.
func elementwiseType(op *stablehlo.Op, operands []*Tensor) (*stablehlo.TensorType, error) {
	if len(op.Results) != 1 || op.Result().Tensor() == nil {
		return nil, faultf(Unsupported, "the interpreter has no row for this op")
	}
	t := op.Result().Tensor()
	var shape *Tensor
	for i, x := range operands {
		if mayBeScalar(op.Code, i) && x.Type.Rank() == 0 {
			continue
		}
		if shape != nil && !equalDims(shape.dims(), x.dims()) {
			return nil, faultf(BadShape, "operands have shapes %v and %v", shape.dims(), x.dims())
		}
		shape = x
	}
	if shape == nil {
		return plainType(t), nil
	}
	dims := shape.dims()
	if op.Code == stablehlo.OpBitcastConvert {
		dims = bitcastDims(shape, t)
	}
	if err := fits(t, dims); err != nil {
		return nil, err
	}
	return withDims(t, dims), nil
}

func mayBeScalar(c stablehlo.OpCode, operand int) bool {
	switch c {
	case stablehlo.OpClamp:
		return operand != 1
	case stablehlo.OpSelect:
		return operand == 0
	}
	return false
}

// bitcastDims returns the shape of a bitcast_convert: a narrower element adds
// a dimension, a wider one takes the last away.
func bitcastDims(x *Tensor, t *stablehlo.TensorType) []int64 {
	from, to := x.Type.DType().Bits(), t.DType().Bits()
	switch d := x.dims(); {
	case to < from:
		return append(d[:len(d):len(d)], int64(from/to))
	case to > from && len(d) > 0:
		return d[:len(d)-1]
	default:
		return d
	}
}
