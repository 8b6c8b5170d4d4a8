package autodiff

import (
	"slices"

	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/stablehlo"
)

// expandRaggedDot gives each group its own copy of the ragged operand, with
// zeros outside of the group.
func expandRaggedDot(e emitter, op *stablehlo.Op) []value {
	d, ok := op.Attr("ragged_dot_dimension_numbers").(*stablehlo.RaggedDotDims)
	x, y, groups := op.Operands[0], op.Operands[1], op.Operands[2]
	if !ok || len(d.LHSRagged) != 1 || len(emit.Sizes(groups)) != 1 {
		emit.Fail("no derivative of chlo.ragged_dot with these dimension numbers")
	}
	ragged := d.LHSRagged[0]
	dims := &stablehlo.DotDims{LHSBatching: d.LHSBatching, RHSBatching: d.RHSBatching,
		LHSContracting: d.LHSContracting, RHSContracting: d.RHSContracting}
	if slices.Contains(d.LHSBatching, ragged) {
		return []value{e.dot(x, y, dims, precisionOf(op, false)...)}
	}
	// x as [group, …] with the rows of each group.
	g := emit.Sizes(groups)[0]
	count := emit.DTypeOf(groups)
	n := emit.Sizes(x)[ragged]
	square := []int64{g, g}
	before := e.Compare("GE", e.Iota(count, square, 0), e.Iota(count, square, 1))
	ends := e.SumOver(e.Keep(before, e.Broadcast(groups, square, 1)), 1)
	starts := e.Sub(ends, groups)
	grid := []int64{g, n}
	at := e.Iota(count, grid, 1)
	mine := e.Do(stablehlo.OpAnd, e.Compare("GE", at, e.Broadcast(starts, grid, 0)),
		e.Compare("LT", at, e.Broadcast(ends, grid, 0)))
	shape := append([]int64{g}, emit.Sizes(x)...)
	one := func(v []int64) []int64 {
		out := make([]int64, len(v))
		for i, a := range v {
			out[i] = a + 1
		}
		return out
	}
	parts := e.Broadcast(x, shape, one(emit.UpTo(len(emit.Sizes(x))))...)
	parts = e.Keep(e.Broadcast(mine, shape, 0, ragged+1), parts)
	dims.LHSBatching, dims.LHSContracting = one(d.LHSBatching), one(d.LHSContracting)
	if slices.Contains(d.LHSContracting, ragged) {
		// One product a group, the group in front.
		z := e.dot(parts, y, dims, precisionOf(op, false)...)
		nb := len(d.LHSBatching)
		perm := slices.Insert(slices.Delete(emit.UpTo(len(emit.Sizes(z))), nb, nb+1), 0, int64(nb))
		return []value{e.Transpose(z, perm...)}
	}
	dims.LHSContracting = append([]int64{0}, dims.LHSContracting...)
	dims.RHSContracting = append(slices.Clone(d.RHSGroup), dims.RHSContracting...)
	return []value{e.dot(parts, y, dims, precisionOf(op, false)...)}
}
