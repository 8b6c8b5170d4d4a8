package cost

import (
	"math"

	"github.com/go-nx/nx/stablehlo"
)

// perElement is the work of one element of an op, for real and complex numbers.
type perElement struct{ real, complex float64 }

var arithmeticOps = map[stablehlo.OpCode]perElement{
	stablehlo.OpAbs:                   {1, 4},
	stablehlo.OpAdd:                   {1, 2},
	stablehlo.OpClamp:                 {2, 2},
	stablehlo.OpCeil:                  {1, 0},
	stablehlo.OpCompare:               {1, 2},
	stablehlo.OpDivide:                {1, 11},
	stablehlo.OpFloor:                 {1, 0},
	stablehlo.OpMaximum:               {1, 2},
	stablehlo.OpMinimum:               {1, 2},
	stablehlo.OpMultiply:              {1, 6},
	stablehlo.OpNegate:                {1, 2},
	stablehlo.OpRemainder:             {1, 0},
	stablehlo.OpRoundNearestAfz:       {1, 0},
	stablehlo.OpRoundNearestEven:      {1, 0},
	stablehlo.OpSign:                  {1, 6},
	stablehlo.OpSubtract:              {1, 2},
	stablehlo.OpChloBroadcastAdd:      {1, 2},
	stablehlo.OpChloBroadcastCompare:  {1, 2},
	stablehlo.OpChloBroadcastDivide:   {1, 11},
	stablehlo.OpChloBroadcastMaximum:  {1, 2},
	stablehlo.OpChloBroadcastMinimum:  {1, 2},
	stablehlo.OpChloBroadcastMultiply: {1, 6},
	stablehlo.OpChloBroadcastSubtract: {1, 2},
	stablehlo.OpChloSquare:            {1, 6},
}

// bytesMoved returns the memory traffic of an op: all operands and results, but 0 for ops that only rename
// data, and only the accessed part for slices, gathers and updates.
func bytesMoved(op *stablehlo.Op) float64 {
	results := 0.0
	for _, v := range op.Results {
		results += SizeBytes(v.Type())
	}
	switch op.Code {
	case stablehlo.OpConstant, stablehlo.OpChloConstant, stablehlo.OpReshape, stablehlo.OpDynamicReshape,
		stablehlo.OpTuple, stablehlo.OpGetTupleElement, stablehlo.OpOptimizationBarrier,
		stablehlo.OpReturn, stablehlo.OpFuncReturn, stablehlo.OpSdyReturn, stablehlo.OpGetDimensionSize:
		return 0
	case stablehlo.OpSlice, stablehlo.OpDynamicSlice, stablehlo.OpRealDynamicSlice,
		stablehlo.OpGather, stablehlo.OpDynamicGather, stablehlo.OpTorchIndexSelect:
		return 2 * results
	case stablehlo.OpDynamicUpdateSlice:
		if len(op.Operands) > 1 {
			return 2 * SizeBytes(op.Operands[1].Type())
		}
	}
	total := results
	for _, v := range op.Operands {
		total += SizeBytes(v.Type())
	}
	return total
}

// SizeBytes returns the bytes of a value in memory, a dynamic dimension counted as 1.
func SizeBytes(t stablehlo.Type) float64 {
	switch t := t.(type) {
	case *stablehlo.TensorType:
		return elems(t) * float64(t.DType().Size())
	case *stablehlo.TupleType:
		total := 0.0
		for _, e := range t.Elems {
			total += SizeBytes(e)
		}
		return total
	}
	return 0
}

// elems returns the number of elements, a dynamic dimension counted as 1; 1 for nil.
func elems(t *stablehlo.TensorType) float64 {
	if t == nil {
		return 1
	}
	return product(t.Dims)
}

func product(dims []int64) float64 {
	n := 1.0
	for _, d := range dims {
		if d != stablehlo.Dynamic {
			n *= float64(d)
		}
	}
	return n
}

func operandSize(op *stablehlo.Op, i int) float64 { return elems(operandType(op, i)) }

func operandType(op *stablehlo.Op, i int) *stablehlo.TensorType {
	if i >= len(op.Operands) {
		return nil
	}
	return op.Operands[i].Tensor()
}

func resultSize(op *stablehlo.Op) float64 {
	if len(op.Results) == 0 {
		return 0
	}
	return elems(op.Results[0].Tensor())
}

func hasDynamic(op *stablehlo.Op) bool {
	for _, v := range append(op.Operands[:len(op.Operands):len(op.Operands)], op.Results...) {
		if t := v.Tensor(); t != nil && !t.IsStatic() {
			return true
		}
	}
	return false
}

// dim returns a dimension of operand i, 1 if it does not exist.
func dim(op *stablehlo.Op, i int, axis int64) float64 {
	t := operandType(op, i)
	if t == nil || axis < 0 || axis >= int64(len(t.Dims)) || t.Dims[axis] == stablehlo.Dynamic {
		return 1
	}
	return float64(t.Dims[axis])
}

func lastDim(op *stablehlo.Op, i int) float64 {
	t := operandType(op, i)
	if t == nil {
		return 1
	}
	return dim(op, i, int64(len(t.Dims)-1))
}

// contractedSize returns the number of terms of an element of a contraction.
func contractedSize(op *stablehlo.Op) float64 {
	if op.Code == stablehlo.OpDot {
		return lastDim(op, 0)
	}
	d, ok := op.Attr("dot_dimension_numbers").(*stablehlo.DotDims)
	if !ok {
		return 1
	}
	n := 1.0
	for _, axis := range d.LHSContracting {
		n *= dim(op, 0, axis)
	}
	return n
}

// kernelWork returns the number of terms of an element of a convolution.
func kernelWork(op *stablehlo.Op) float64 {
	d, ok := op.Attr("dimension_numbers").(*stablehlo.ConvDims)
	if !ok {
		return 1
	}
	return operandSize(op, 1) / math.Max(dim(op, 1, d.KernelOutputFeature), 1)
}

func windowSize(op *stablehlo.Op) float64 { return product(op.Ints("window_dimensions")) }

// updatesSize returns the elements of the first updates operand of a scatter,
// whose operands are inputs, indices, updates.
func updatesSize(op *stablehlo.Op) float64 { return operandSize(op, len(op.Operands)/2+1) }

func sortedSize(op *stablehlo.Op) float64 {
	axis := op.Int("dimension", -1)
	if t := operandType(op, 0); t != nil && axis < 0 {
		axis += int64(len(t.Dims))
	}
	return dim(op, 0, axis)
}

// log2 is 0 for sizes up to 1.
func log2(n float64) float64 {
	if n <= 1 {
		return 0
	}
	return math.Log2(n)
}
