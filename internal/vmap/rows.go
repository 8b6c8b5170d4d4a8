package vmap

import (
	"slices"

	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/internal/lazy"
	"github.com/go-nx/nx/stablehlo"
)

// rows holds the row of each primitive, and the ops that are decomposed before batching.
type rows struct {
	primitives   map[stablehlo.OpCode]row
	compositions map[stablehlo.OpCode]bool
}

var table lazy.Value[rows]

// rowOf returns the row of a primitive, nil for other ops.
func rowOf(code stablehlo.OpCode) row { return table.Get(gatherRows).primitives[code] }

// isComposition reports whether an op is decomposed before batching.
func isComposition(code stablehlo.OpCode) bool { return table.Get(gatherRows).compositions[code] }

func gatherRows() rows {
	compositions := map[stablehlo.OpCode]bool{
		stablehlo.OpMap:                  true,
		stablehlo.OpDot:                  true,
		stablehlo.OpEinsum:               true,
		stablehlo.OpUnaryEinsum:          true,
		stablehlo.OpTorchIndexSelect:     true,
		stablehlo.OpBatchNormInference:   true,
		stablehlo.OpBatchNormTraining:    true,
		stablehlo.OpBatchNormGrad:        true,
		stablehlo.OpChloRaggedDot:        true,
		stablehlo.OpChloScan:             true,
		stablehlo.OpChloConstantLike:     true,
		stablehlo.OpSdyManualComputation: true,
	}
	primitives := map[stablehlo.OpCode]row{
		// The leading dimensions of these are batch dimensions already.
		stablehlo.OpBitcastConvert:      leading,
		stablehlo.OpCholesky:            leading,
		stablehlo.OpTriangularSolve:     leading,
		stablehlo.OpFft:                 leading,
		stablehlo.OpChloTopK:            leading,
		stablehlo.OpReshape:             leading,
		stablehlo.OpAllReduce:           leading,
		stablehlo.OpCollectivePermute:   leading,
		stablehlo.OpCollectiveBroadcast: leading,
		stablehlo.OpCollectiveReduce:    leading,
		stablehlo.OpCrossReplicaSum:     leading,

		stablehlo.OpBroadcast:        batchBroadcast,
		stablehlo.OpBroadcastInDim:   batchBroadcastInDim,
		stablehlo.OpTranspose:        batchTranspose,
		stablehlo.OpReverse:          batchReverse,
		stablehlo.OpSlice:            batchSlice,
		stablehlo.OpPad:              batchPad,
		stablehlo.OpConcatenate:      dimension("dimension"),
		stablehlo.OpSort:             batchSort,
		stablehlo.OpAllGather:        dimension("all_gather_dim"),
		stablehlo.OpReduceScatter:    dimension("scatter_dimension"),
		stablehlo.OpAllToAll:         dimension("split_dimension", "concat_dimension"),
		stablehlo.OpGetDimensionSize: batchGetDimensionSize,

		stablehlo.OpReduce:           batchReduce,
		stablehlo.OpReduceWindow:     batchReduceWindow,
		stablehlo.OpSelectAndScatter: batchSelectAndScatter,

		stablehlo.OpDotGeneral:  batchDotGeneral,
		stablehlo.OpConvolution: batchConvolution,

		stablehlo.OpDynamicSlice:       batchDynamicSlice,
		stablehlo.OpDynamicUpdateSlice: batchDynamicUpdateSlice,
		stablehlo.OpGather:             batchGather,
		stablehlo.OpScatter:            batchScatter,

		stablehlo.OpWhile:               batchWhile,
		stablehlo.OpIf:                  batchCase,
		stablehlo.OpCase:                batchCase,
		stablehlo.OpOptimizationBarrier: batchBarrier,
		stablehlo.OpComposite:           batchComposite,

		stablehlo.OpRng:                   byElement,
		stablehlo.OpRngBitGenerator:       byElement,
		stablehlo.OpCustomCall:            byElement,
		stablehlo.OpSdyShardingConstraint: forward,
	}
	for c := range stablehlo.Ops() {
		_, broadcasts := c.Plain()
		switch {
		case broadcasts && primitives[c] == nil:
			compositions[c] = true
		case c.Info().Traits&stablehlo.Elementwise != 0 && primitives[c] == nil:
			primitives[c] = elementwise
		}
	}
	return rows{primitives, compositions}
}

// elementwise keeps the op; scalar operands are broadcast to larger ones.
func elementwise(t *batcher, op *stablehlo.Op) {
	operands := make([]value, len(op.Operands))
	dims := emit.Sizes(op.Result())
	for i, v := range op.Operands {
		isScalar := emit.TensorOf(v).Rank() == 0 && len(dims) > 0
		switch {
		case isScalar && t.marked[v]:
			operands[i] = t.Broadcast(t.get(v), prepend(t.size, dims), 0)
		case isScalar:
			operands[i] = t.get(v)
		default:
			operands[i] = t.lift(v)
		}
	}
	t.emit(op, operands, nil)
}

// leading keeps the op: leading dimensions are batch dimensions already.
func leading(t *batcher, op *stablehlo.Op) { t.emit(op, t.lifted(op.Operands), nil) }

// dimension shifts the dimensions in the attributes of these names.
func dimension(names ...string) row {
	return func(t *batcher, op *stablehlo.Op) {
		t.emit(op, t.lifted(op.Operands), func(c *stablehlo.Op) {
			for _, name := range names {
				c.SetAttr(name, stablehlo.I64(op.Int(name, 0)+1))
			}
		})
	}
}

// forward returns the operand, as the op does.
func forward(t *batcher, op *stablehlo.Op) { t.set(op, t.lift(op.Operands[0])) }

// batchBarrier treats its operands separately: batches pass as batches.
func batchBarrier(t *batcher, op *stablehlo.Op) {
	operands := make([]value, len(op.Operands))
	for i, v := range op.Operands {
		operands[i] = t.get(v)
	}
	c := stablehlo.NewOp(op.Code, operands, typesOf(operands), op.Attrs...)
	c.Loc = op.Loc
	t.set(op, t.B.Block().Append(c).Results...)
}

// batchBroadcast inserts the new dimensions after the batch.
func batchBroadcast(t *batcher, op *stablehlo.Op) {
	dims, rank := emit.Sizes(op.Result()), emit.TensorOf(op.Operands[0]).Rank()
	at := emit.UpTo(len(dims) + 1)[len(dims)-rank+1:]
	t.set(op, t.Broadcast(t.lift(op.Operands[0]), prepend(t.size, dims), prepend(0, at)...))
}

// batchBroadcastInDim keeps the batch as the first dimension.
func batchBroadcastInDim(t *batcher, op *stablehlo.Op) {
	t.emit(op, t.lifted(op.Operands), func(c *stablehlo.Op) {
		c.SetAttr("broadcast_dimensions", stablehlo.I64s(prepend(0, shifted(op.Ints("broadcast_dimensions")))...))
	})
}

// batchTranspose permutes the dimensions after the batch.
func batchTranspose(t *batcher, op *stablehlo.Op) {
	t.emit(op, t.lifted(op.Operands), func(c *stablehlo.Op) {
		c.SetAttr("permutation", stablehlo.I64s(prepend(0, shifted(op.Ints("permutation")))...))
	})
}

// batchReverse reverses the same dimensions after the batch.
func batchReverse(t *batcher, op *stablehlo.Op) {
	t.emit(op, t.lifted(op.Operands), func(c *stablehlo.Op) {
		c.SetAttr("dimensions", stablehlo.I64s(shifted(op.Ints("dimensions"))...))
	})
}

// batchSlice takes the entire batch.
func batchSlice(t *batcher, op *stablehlo.Op) {
	t.emit(op, t.lifted(op.Operands), func(c *stablehlo.Op) {
		c.SetAttr("start_indices", stablehlo.I64s(prepend(0, op.Ints("start_indices"))...))
		c.SetAttr("limit_indices", stablehlo.I64s(prepend(t.size, op.Ints("limit_indices"))...))
		c.SetAttr("strides", stablehlo.I64s(prepend(1, op.Ints("strides"))...))
	})
}

// batchPad pads with a batch of scalars by selecting them in the padding.
func batchPad(t *batcher, op *stablehlo.Op) {
	x, by := op.Operands[0], op.Operands[1]
	low := prepend(0, op.Ints("edge_padding_low"))
	high := prepend(0, op.Ints("edge_padding_high"))
	interior := prepend(0, op.Ints("interior_padding"))
	if !t.marked[by] {
		t.set(op, t.PadWith(t.lift(x), t.get(by), low, high, interior))
		return
	}
	lifted := t.lift(x)
	padded := t.PadWith(lifted, t.zero(emit.TensorOf(by)), low, high, interior)
	dims := emit.Sizes(padded)
	yes := t.Full(stablehlo.Tensor(boolean, emit.Sizes(x)...), 1)
	inside := t.PadWith(yes, t.Scalar(boolean, 0), low[1:], high[1:], interior[1:])
	inside = t.Broadcast(inside, dims, shifted(emit.UpTo(len(dims)-1))...)
	t.set(op, t.Select(inside, padded, t.Broadcast(t.get(by), dims, 0)))
}

// batchSort sorts along the same dimension after the batch.
func batchSort(t *batcher, op *stablehlo.Op) {
	dim := op.Int("dimension", -1)
	if dim < 0 {
		dim += int64(emit.TensorOf(op.Operands[0]).Rank())
	}
	t.emit(op, t.lifted(op.Operands), func(c *stablehlo.Op) { c.SetAttr("dimension", stablehlo.I64(dim+1)) })
}

// batchGetDimensionSize returns the size of the same dimension after the batch: one size for all.
func batchGetDimensionSize(t *batcher, op *stablehlo.Op) {
	t.set(op, t.Value(op.Code, []value{t.get(op.Operands[0])},
		stablehlo.Named("dimension", stablehlo.I64(op.Int("dimension", 0)+1))))
}

// batchReduce reduces the same dimensions after the batch. The initial values are shared by all
// reductions, so they cannot differ between elements.
func batchReduce(t *batcher, op *stablehlo.Op) {
	n := len(op.Operands) / 2
	if t.anyMarked(op.Operands[n:]) {
		byElement(t, op)
		return
	}
	operands := append(t.lifted(op.Operands[:n]), t.all(op.Operands[n:])...)
	t.emit(op, operands, func(c *stablehlo.Op) {
		c.SetAttr("dimensions", stablehlo.I64s(shifted(op.Ints("dimensions"))...))
	})
}

// batchReduceWindow adds a window dimension of size one for the batch. If the initial values differ
// between elements, it runs element by element.
func batchReduceWindow(t *batcher, op *stablehlo.Op) {
	n := len(op.Operands) / 2
	if t.anyMarked(op.Operands[n:]) {
		byElement(t, op)
		return
	}
	operands := append(t.lifted(op.Operands[:n]), t.all(op.Operands[n:])...)
	t.emit(op, operands, func(c *stablehlo.Op) {
		prependOnes(c, "window_dimensions", "window_strides", "base_dilations", "window_dilations")
		prependPadding(c)
	})
}

// batchSelectAndScatter adds a window dimension of size one for the batch. If the initial values
// differ between elements, it runs element by element.
func batchSelectAndScatter(t *batcher, op *stablehlo.Op) {
	if t.marked[op.Operands[2]] {
		byElement(t, op)
		return
	}
	t.emit(op, append(t.lifted(op.Operands[:2]), t.get(op.Operands[2])), func(c *stablehlo.Op) {
		prependOnes(c, "window_dimensions", "window_strides")
		prependPadding(c)
	})
}

// prependOnes prepends a 1 for the batch to lists with an entry per dimension.
func prependOnes(c *stablehlo.Op, names ...string) {
	for _, name := range names {
		if list := c.Ints(name); list != nil {
			c.SetAttr(name, stablehlo.I64s(prepend(1, list)...))
		}
	}
}

// prependPadding prepends zero padding for the batch.
func prependPadding(c *stablehlo.Op) {
	list := c.Ints("padding")
	if list == nil {
		return
	}
	padding, err := stablehlo.Elements(append([]int64{0, 0}, list...), int64(len(list)/2+1), 2)
	if err != nil {
		emit.FailWith(err)
	}
	c.SetAttr("padding", padding)
}

func (t *batcher) anyMarked(vs []value) bool {
	return slices.ContainsFunc(vs, func(v value) bool { return t.marked[v] })
}

// all returns the replacements of several values.
func (t *batcher) all(vs []value) []value {
	out := make([]value, len(vs))
	for i, v := range vs {
		out[i] = t.get(v)
	}
	return out
}
