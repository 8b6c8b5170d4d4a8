package autodiff

import (
	"slices"

	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/stablehlo"
)

// expandRaggedDot gives each group a copy of the ragged operand, with zeros outside of the group.
func expandRaggedDot(e emitter, op *stablehlo.Op) []value {
	d, ok := op.Attr("ragged_dot_dimension_numbers").(*stablehlo.RaggedDotDims)
	x, y, groups := op.Operands[0], op.Operands[1], op.Operands[2]
	if !ok || len(d.LHSRagged) != 1 {
		emit.Fail("no derivative of chlo.ragged_dot with these dimension numbers")
	}
	ragged := d.LHSRagged[0]
	dims := &stablehlo.DotDims{LHSBatching: d.LHSBatching, RHSBatching: d.RHSBatching,
		LHSContracting: d.LHSContracting, RHSContracting: d.RHSContracting}
	if slices.Contains(d.LHSBatching, ragged) {
		return []value{e.dot(x, y, dims, precisionOf(op, false)...)}
	}
	// x as [group, …] with the rows of each group. Group sizes may differ along the dimensions of x
	// before the ragged one, batch dimensions first.
	sizes := emit.Sizes(groups)
	own := len(sizes) - 1
	g, n := sizes[own], emit.Sizes(x)[ragged]
	count := emit.DTypeOf(groups)
	square := append(slices.Clone(sizes), g)
	before := e.Compare("GE", e.Iota(count, square, own), e.Iota(count, square, own+1))
	ends := e.SumOver(e.Keep(before, e.Broadcast(groups, square, append(emit.UpTo(own), int64(own+1))...)),
		int64(own+1))
	starts := e.Sub(ends, groups)
	grid := append(slices.Clone(sizes), n)
	at := e.Iota(count, grid, own+1)
	mine := e.Do(stablehlo.OpAnd, e.Compare("GE", at, e.Broadcast(starts, grid, emit.UpTo(own+1)...)),
		e.Compare("LT", at, e.Broadcast(ends, grid, emit.UpTo(own+1)...)))
	var to []int64 // the dimensions of the copies for those of mine
	if own > 0 {
		to = append(to, d.LHSBatching...)
		to = append(to, raggedBefore(d, ragged)...)
	}
	for i := range to {
		to[i]++
	}
	to = append(to, 0, ragged+1)
	shape := append([]int64{g}, emit.Sizes(x)...)
	one := func(v []int64) []int64 {
		out := make([]int64, len(v))
		for i, a := range v {
			out[i] = a + 1
		}
		return out
	}
	parts := e.Broadcast(x, shape, one(emit.UpTo(len(emit.Sizes(x))))...)
	parts = e.Keep(e.Broadcast(mine, shape, to...), parts)
	dims.LHSBatching, dims.LHSContracting = one(d.LHSBatching), one(d.LHSContracting)
	if slices.Contains(d.LHSContracting, ragged) {
		// One dot per group, with the group dimension first.
		z := e.dot(parts, y, dims, precisionOf(op, false)...)
		nb := len(d.LHSBatching)
		perm := slices.Insert(slices.Delete(emit.UpTo(len(emit.Sizes(z))), nb, nb+1), 0, int64(nb))
		return []value{e.Transpose(z, perm...)}
	}
	dims.LHSContracting = append([]int64{0}, dims.LHSContracting...)
	dims.RHSContracting = append(slices.Clone(d.RHSGroup), dims.RHSContracting...)
	return []value{e.dot(parts, y, dims, precisionOf(op, false)...)}
}

// raggedBefore returns the dimensions of the left operand before the ragged one that are, like it,
// free or contracted.
func raggedBefore(d *stablehlo.RaggedDotDims, ragged int64) (dims []int64) {
	if i := slices.Index(d.LHSContracting, ragged); i >= 0 {
		return d.LHSContracting[:i]
	}
	for i := range ragged {
		if !slices.Contains(d.LHSBatching, i) && !slices.Contains(d.LHSContracting, i) {
			dims = append(dims, i)
		}
	}
	return dims
}
