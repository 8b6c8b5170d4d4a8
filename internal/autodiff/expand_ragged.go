package autodiff

import (
	"slices"

	"github.com/go-nx/nx/internal/simplify"
	"github.com/go-nx/nx/stablehlo"
)

// expandRaggedDot gives each group its own copy of the ragged operand, with
// zeros outside of the group.
func expandRaggedDot(e emitter, op *stablehlo.Op) []value {
	d, ok := op.Attr("ragged_dot_dimension_numbers").(*stablehlo.RaggedDotDims)
	x, y, groups := op.Operands[0], op.Operands[1], op.Operands[2]
	if !ok || len(d.LHSRagged) != 1 || len(sizes(groups)) != 1 {
		fail("no derivative of chlo.ragged_dot with these dimension numbers")
	}
	ragged := d.LHSRagged[0]
	dims := &stablehlo.DotDims{LHSBatching: d.LHSBatching, RHSBatching: d.RHSBatching,
		LHSContracting: d.LHSContracting, RHSContracting: d.RHSContracting}
	if slices.Contains(d.LHSBatching, ragged) {
		return []value{e.dot(x, y, dims, precisionOf(op, false)...)}
	}
	// x as [group, …] with the rows of each group.
	g := sizes(groups)[0]
	count := dtypeOf(groups)
	n := sizes(x)[ragged]
	square := []int64{g, g}
	before := e.compare("GE", e.iota(count, square, 0), e.iota(count, square, 1))
	ends := e.sumOver(e.keep(before, e.broadcast(groups, square, 1)), 1)
	starts := e.sub(ends, groups)
	grid := []int64{g, n}
	at := e.iota(count, grid, 1)
	mine := e.do(stablehlo.OpAnd, e.compare("GE", at, e.broadcast(starts, grid, 0)), e.compare("LT", at, e.broadcast(ends, grid, 0)))
	shape := append([]int64{g}, sizes(x)...)
	one := func(v []int64) []int64 {
		out := make([]int64, len(v))
		for i, a := range v {
			out[i] = a + 1
		}
		return out
	}
	parts := e.broadcast(x, shape, one(simplify.UpTo(len(sizes(x))))...)
	parts = e.keep(e.broadcast(mine, shape, 0, ragged+1), parts)
	dims.LHSBatching, dims.LHSContracting = one(d.LHSBatching), one(d.LHSContracting)
	if slices.Contains(d.LHSContracting, ragged) {
		// One product a group, the group in front.
		z := e.dot(parts, y, dims, precisionOf(op, false)...)
		nb := len(d.LHSBatching)
		perm := slices.Insert(slices.Delete(simplify.UpTo(len(sizes(z))), nb, nb+1), 0, int64(nb))
		return []value{e.transpose(z, perm...)}
	}
	dims.LHSContracting = append([]int64{0}, dims.LHSContracting...)
	dims.RHSContracting = append(slices.Clone(d.RHSGroup), dims.RHSContracting...)
	return []value{e.dot(parts, y, dims, precisionOf(op, false)...)}
}
