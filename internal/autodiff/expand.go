package autodiff

import (
	"slices"

	"github.com/go-nx/nx/stablehlo"
)

// expansions hold the ops that are differentiated as others: each row appends
// those and returns the results.
var expansions = map[stablehlo.OpCode]func(e emitter, op *stablehlo.Op) []value{
	stablehlo.OpMap:                expandMap,
	stablehlo.OpBroadcast:          expandBroadcast,
	stablehlo.OpDot:                expandDot,
	stablehlo.OpEinsum:             expandEinsum,
	stablehlo.OpUnaryEinsum:        expandEinsum,
	stablehlo.OpTorchIndexSelect:   expandIndexSelect,
	stablehlo.OpBatchNormInference: expandBatchNormInference,
	stablehlo.OpBatchNormTraining:  expandBatchNormTraining,
	stablehlo.OpBatchNormGrad:      expandBatchNormGrad,
	stablehlo.OpRealDynamicSlice:   expandRealDynamicSlice,
	stablehlo.OpDynamicPad:         expandDynamicPad,
	stablehlo.OpDynamicGather:      expandDynamicGather,
	stablehlo.OpDynamicConv:        expandDynamicConv,
	stablehlo.OpChloScan:           expandScan,
	stablehlo.OpChloRaggedDot:      expandRaggedDot,

	stablehlo.OpChloBroadcastAdd:       expandBroadcasting(stablehlo.OpAdd),
	stablehlo.OpChloBroadcastAtan2:     expandBroadcasting(stablehlo.OpAtan2),
	stablehlo.OpChloBroadcastComplex:   expandBroadcasting(stablehlo.OpComplex),
	stablehlo.OpChloBroadcastDivide:    expandBroadcasting(stablehlo.OpDivide),
	stablehlo.OpChloBroadcastMaximum:   expandBroadcasting(stablehlo.OpMaximum),
	stablehlo.OpChloBroadcastMinimum:   expandBroadcasting(stablehlo.OpMinimum),
	stablehlo.OpChloBroadcastMultiply:  expandBroadcasting(stablehlo.OpMultiply),
	stablehlo.OpChloBroadcastNextAfter: expandBroadcasting(stablehlo.OpChloNextAfter),
	stablehlo.OpChloBroadcastPolygamma: expandBroadcasting(stablehlo.OpChloPolygamma),
	stablehlo.OpChloBroadcastPower:     expandBroadcasting(stablehlo.OpPower),
	stablehlo.OpChloBroadcastRemainder: expandBroadcasting(stablehlo.OpRemainder),
	stablehlo.OpChloBroadcastSelect:    expandBroadcasting(stablehlo.OpSelect),
	stablehlo.OpChloBroadcastSubtract:  expandBroadcasting(stablehlo.OpSubtract),
	stablehlo.OpChloBroadcastZeta:      expandBroadcasting(stablehlo.OpChloZeta),
}

// expandBroadcasting gives the operands the shape of the result and applies
// the plain op.
func expandBroadcasting(plain stablehlo.OpCode) func(e emitter, op *stablehlo.Op) []value {
	return func(e emitter, op *stablehlo.Op) []value {
		dims := sizes(op.Result())
		in := make([]value, len(op.Operands))
		for i, x := range op.Operands {
			rank := len(sizes(x))
			at := op.Ints("broadcast_dimensions")
			if len(at) != rank || rank == len(dims) {
				at = upTo(len(dims))[len(dims)-rank:]
			}
			in[i] = e.broadcast(x, dims, at...)
		}
		return []value{e.value(plain, in)}
	}
}

func expandBroadcast(e emitter, op *stablehlo.Op) []value {
	x, dims := op.Operands[0], sizes(op.Result())
	return []value{e.broadcast(x, dims, upTo(len(dims))[len(dims)-len(sizes(x)):]...)}
}

func expandDot(e emitter, op *stablehlo.Op) []value {
	x, y := op.Operands[0], op.Operands[1]
	dims := &stablehlo.DotDims{LHSContracting: []int64{int64(len(sizes(x)) - 1)}, RHSContracting: []int64{0}}
	z := e.dot(x, y, dims, append(precisionOf(op, false), stablehlo.Results{op.Result().Type()})...)
	return []value{z}
}

// expandIndexSelect writes torch_index_select as a gather.
func expandIndexSelect(e emitter, op *stablehlo.Op) []value {
	x, index := op.Operands[0], op.Operands[1]
	dim, batch := op.Int("dim", 0), int(op.Int("batch_dims", 0))
	dims, n := sizes(x), len(sizes(index))
	// The result has the dimensions of x with those of index behind the batch for dim.
	result := len(dims) + n - batch - 1
	var indexed []int64
	for d := range n - batch {
		indexed = append(indexed, dim+int64(d))
	}
	slice := slices.Clone(dims)
	for _, d := range append(upTo(batch), dim) {
		slice[d] = 1
	}
	return []value{e.value(stablehlo.OpGather, []value{x, index},
		stablehlo.Named("dimension_numbers", &stablehlo.GatherDims{
			OffsetDims:           except(result, upTo(batch), indexed),
			CollapsedSliceDims:   []int64{dim},
			OperandBatchingDims:  upTo(batch),
			StartIndicesBatching: upTo(batch),
			StartIndexMap:        []int64{dim},
			IndexVectorDim:       int64(n),
		}),
		stablehlo.Named("slice_sizes", stablehlo.I64s(slice...)))}
}

// known returns an operand that must be a constant vector of integers.
func known(op *stablehlo.Op, i int) []int64 {
	v, ok := constInts(op.Operands[i])
	if !ok {
		fail("no derivative of %s whose operand %d is not a constant: shapes must be known", op.Name(), i)
	}
	return v
}

func expandRealDynamicSlice(e emitter, op *stablehlo.Op) []value {
	return []value{e.slice(op.Operands[0], known(op, 1), known(op, 2), known(op, 3))}
}

func expandDynamicPad(e emitter, op *stablehlo.Op) []value {
	return []value{e.padWith(op.Operands[0], op.Operands[1], known(op, 2), known(op, 3), known(op, 4))}
}

func expandDynamicGather(e emitter, op *stablehlo.Op) []value {
	parts := attrParts(op)
	parts = append(parts, stablehlo.Named("slice_sizes", stablehlo.I64s(known(op, 2)...)))
	return []value{e.value(stablehlo.OpGather, op.Operands[:2], parts...)}
}

func expandDynamicConv(e emitter, op *stablehlo.Op) []value {
	pairs := known(op, 2)
	padding, err := stablehlo.Elements(pairs, int64(len(pairs)/2), 2)
	if err != nil {
		fail("derivative: %w", err)
	}
	parts := append(attrParts(op), stablehlo.Named("padding", padding), stablehlo.Results{op.Result().Type()})
	return []value{e.value(stablehlo.OpConvolution, op.Operands[:2], parts...)}
}

func attrParts(op *stablehlo.Op) []stablehlo.OpPart {
	var parts []stablehlo.OpPart
	for _, a := range op.Attrs {
		parts = append(parts, a)
	}
	return parts
}

// expandScan writes chlo.scan as a loop over its positions.
func expandScan(e emitter, op *stablehlo.Op) []value {
	inputs, carries := op.OperandGroup(0), op.OperandGroup(1)
	outs := op.ResultGroup(0)
	dim := int(op.Int("dimension", 0))
	n := op.Int("scan_dim_size", 0)
	if len(inputs) > 0 {
		n = sizes(inputs[0])[dim]
	}
	d := indexType(n + 1)
	state := []value{e.scalar(d, 0)}
	for _, o := range outs {
		state = append(state, e.zeros(o.Type()))
	}
	state = append(state, carries...)
	body := func(e emitter, args []value) []value {
		i := args[0]
		at := i
		if op.Bool("is_reverse", false) {
			at = e.minus(float64(n-1), i)
		}
		var in []value
		for _, x := range inputs {
			slice := slices.Clone(sizes(x))
			slice[dim] = 1
			line := e.dynamicSlice(x, e.indexAt(len(slice), dim, at), slice...)
			in = append(in, e.reshape(line, slices.Delete(slices.Clone(slice), dim, dim+1)...))
		}
		now := e.copyBody(op.Regions[0].Block(), append(in, args[1+len(outs):]...)...)
		next := []value{e.plus(1, i)}
		for j := range outs {
			line := slices.Insert(slices.Clone(sizes(now[j])), dim, 1)
			next = append(next, e.dynamicUpdate(args[1+j], e.reshape(now[j], line...), e.indexAt(len(line), dim, at)))
		}
		return append(next, now[len(outs):]...)
	}
	more := func(e emitter, args []value) value { return e.compare("LT", args[0], e.fill(args[0], float64(n))) }
	return e.while(state, more, body)[1:]
}

// indexAt returns the start indices of a slice at one place of a dimension.
func (e emitter) indexAt(rank, dim int, at value) []value {
	index := make([]value, rank)
	for d := range index {
		index[d] = e.scalar(dtypeOf(at), 0)
		if d == dim {
			index[d] = at
		}
	}
	return index
}
