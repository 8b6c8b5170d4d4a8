package autodiff

import (
	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/stablehlo"
)

// jvpSumAcross sums the tangents across processes, as all_reduce and reduce_scatter do with the
// operands; other reductions have no derivative. In groups of one process a value is unchanged for
// any computation.
func jvpSumAcross(t *tracer, op *stablehlo.Op) {
	if groupsOfOne(op) {
		jvpKeep(t, op)
		return
	}
	if reducer(op.Regions[0].Block()) != stablehlo.OpAdd {
		emit.Fail("no derivative of %s: its computation must be a sum", op.Name())
	}
	t.append(op)
	for i, v := range op.Operands {
		if d := t.tangent[v]; d != nil {
			t.set(op.Results[i], t.across(op, d, op.Results[i].Type(), op.Attrs...))
		}
	}
}

// groupsOfOne reports whether each group consists of one process.
func groupsOfOne(op *stablehlo.Op) bool {
	groups, ok := op.Attr("replica_groups").(*stablehlo.ElementsAttr)
	return ok && len(groups.Type.Dims) == 2 && groups.Type.Dims[1] == 1
}

// jvpKeep forwards tangents: each result is its operand.
func jvpKeep(t *tracer, op *stablehlo.Op) {
	t.append(op)
	for i, v := range op.Operands {
		if d := t.tangent[v]; d != nil {
			t.set(op.Results[i], d)
		}
	}
}

// jvpMove moves tangents as the op moves each operand to a separate result, possibly of another
// process.
func jvpMove(t *tracer, op *stablehlo.Op) {
	t.append(op)
	for i, v := range op.Operands {
		if d := t.tangent[v]; d != nil {
			one := stablehlo.NewOp(op.Code, []value{d}, []stablehlo.Type{op.Results[i].Type()}, op.Attrs...)
			one.Loc = op.Loc
			t.append(one)
			t.set(op.Results[i], one.Result())
		}
	}
}

// across sums x over processes with the collective op.
func (e emitter) across(op *stablehlo.Op, x value, out stablehlo.Type, attrs ...stablehlo.NamedAttr) value {
	parts := []stablehlo.OpPart{emit.ScalarBody(stablehlo.OpAdd, emit.DTypeOf(x)), stablehlo.Results{out}}
	for _, a := range attrs {
		parts = append(parts, a)
	}
	return e.Value(op.Code, []value{x}, parts...)
}

// transposeAllGather: each process receives the sum of the cotangents of its part.
func transposeAllGather(t *transposer, op *stablehlo.Op, ct value) {
	x := op.Operands[0]
	parts := collectiveParts(op, "scatter_dimension", op.Int("all_gather_dim", 0))
	parts = append(parts, emit.ScalarBody(stablehlo.OpAdd, emit.DTypeOf(ct)), stablehlo.Results{x.Type()})
	t.accumulate(x, t.Value(stablehlo.OpReduceScatter, []value{ct}, parts...))
}

// transposeReduceScatter gathers the parts of the cotangent from all processes.
func transposeReduceScatter(t *transposer, op *stablehlo.Op, ct value) {
	x := op.Operands[0]
	parts := collectiveParts(op, "all_gather_dim", op.Int("scatter_dimension", 0))
	t.accumulate(x, t.Value(stablehlo.OpAllGather, []value{ct}, append(parts, stablehlo.Results{x.Type()})...))
}

// collectiveParts returns the common attributes of all_gather and reduce_scatter, and a dimension.
func collectiveParts(op *stablehlo.Op, name string, dim int64) []stablehlo.OpPart {
	parts := []stablehlo.OpPart{stablehlo.Named(name, stablehlo.I64(dim))}
	for _, same := range []string{"channel_handle", "replica_groups", "use_global_device_ids"} {
		if a := op.Attr(same); a != nil {
			parts = append(parts, stablehlo.Named(same, a))
		}
	}
	return parts
}

// transposeCollectivePermute sends back along the reversed pairs.
func transposeCollectivePermute(t *transposer, op *stablehlo.Op, ct value) {
	pairs := op.Ints("source_target_pairs")
	back := make([]int64, len(pairs))
	for i := range pairs {
		back[i] = pairs[i^1]
	}
	attr, err := stablehlo.Elements(back, int64(len(back)/2), 2)
	if err != nil {
		emit.Fail("derivative: %w", err)
	}
	parts := []stablehlo.OpPart{stablehlo.Named("source_target_pairs", attr)}
	if a := op.Attr("channel_handle"); a != nil {
		parts = append(parts, stablehlo.Named("channel_handle", a))
	}
	t.accumulate(op.Operands[0], t.Value(op.Code, []value{ct}, parts...))
}

// transposeAllToAll exchanges the split and the concatenated dimension.
func transposeAllToAll(t *transposer, op *stablehlo.Op, ct value) {
	x := op.Operands[0]
	back := stablehlo.NewOp(op.Code, []value{ct}, []stablehlo.Type{x.Type()}, op.Attrs...)
	back.SetAttr("split_dimension", op.Attr("concat_dimension"))
	back.SetAttr("concat_dimension", op.Attr("split_dimension"))
	back.Loc = op.Loc
	t.B.Block().Append(back)
	t.accumulate(x, back.Result())
}
