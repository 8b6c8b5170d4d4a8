package fuse

import (
	"slices"

	"github.com/go-nx/nx/stablehlo"
)

const (
	// maxRecomputeOps is the number of cheap ops up to which a value is computed again by
	// each of the clusters that read it; maxAgainClusters that of the clusters.
	maxRecomputeOps      = 8
	maxRecomputeClusters = 8

	// maxRecomputeVisits bounds the ops that are looked at to find out.
	maxRecomputeVisits = 32
)

// cheapOps are those that take less time than writing their result to memory and reading
// it again.
var cheapOps = map[stablehlo.OpCode]bool{
	stablehlo.OpAdd: true, stablehlo.OpSubtract: true, stablehlo.OpMultiply: true, stablehlo.OpNegate: true,
	stablehlo.OpAbs:     true,
	stablehlo.OpMaximum: true, stablehlo.OpMinimum: true, stablehlo.OpClamp: true, stablehlo.OpSelect: true,
	stablehlo.OpCompare: true,
	stablehlo.OpAnd:     true, stablehlo.OpOr: true, stablehlo.OpXor: true, stablehlo.OpNot: true,
	stablehlo.OpConvert:    true,
	stablehlo.OpChloSquare: true,
}

// isRecomputable reports whether the clusters that read op, which is no view, may each compute it
// again from one array of its size, that they read instead, and smaller ones: a residual
// that a derivative needs is then neither written nor kept.
func (p *planner) isRecomputable(op *stablehlo.Op) bool {
	is, ok := p.uses.cheap[op]
	if !ok {
		p.uses.cheap[op] = false // should it come back to op, which no program does
		is = cheapOps[op.Code] && op.Result() != nil && p.isCheapFromSources(op)
		p.uses.cheap[op] = is
	}
	return is
}

// isCheapFromSources walks from a cheap op to the arrays that it is computed from: those that are
// in memory or would have to be.
func (p *planner) isCheapFromSources(op *stablehlo.Op) bool {
	elems, _ := op.Result().Tensor().NumElems()
	cost := 0
	seen := make([]*stablehlo.Value, 0, maxRecomputeVisits)
	var large *stablehlo.Value
	var visit func(v *stablehlo.Value) bool
	visit = func(v *stablehlo.Value) bool {
		switch {
		case slices.Contains(seen, v):
			return true
		case len(seen) == maxRecomputeVisits:
			return false
		}
		seen = append(seen, v)
		d := v.Op()
		if d == nil || d.Block() != op.Block() || d != op && p.isSource(d) {
			if n, _ := v.Tensor().NumElems(); 4*n <= elems {
				return true
			}
			if large == nil {
				large = v
			}
			return large == v
		}
		if cheapOps[d.Code] {
			if cost++; cost > maxRecomputeOps {
				return false
			}
		}
		for _, o := range d.Operands {
			if !visit(o) {
				return false
			}
		}
		return true
	}
	return visit(op.Result())
}

// minViews is in how many views a value is seen whose reads cost less than computing more than maxSpread ops: as
// often as it is seen. An op that is not cheap counts as many as spreadCost.
const (
	minViews    = 6
	maxViewCost = 48
	slowOpCost  = 8
)

// costsMoreThanMemory reports whether a kernel takes longer to compute op once for each of the views in which it
// is seen than to read it from memory: what a window slides over that is itself computed from neighbours.
func (p *planner) costsMoreThanMemory(op *stablehlo.Op, views int) bool {
	if views < minViews || isFree(op) {
		return false
	}
	seen, cost := map[*stablehlo.Op]bool{}, 0
	var visit func(d *stablehlo.Op)
	visit = func(d *stablehlo.Op) {
		if d == nil || d.Block() != op.Block() || seen[d] || views*cost > maxViewCost || len(seen) == maxRecomputeVisits ||
			d != op && (!p.isKernel(d) || p.isInMemory(d)) {
			return
		}
		seen[d] = true
		switch {
		case isFree(d):
		case cheapOps[d.Code]:
			cost++
		default:
			cost += slowOpCost
		}
		for _, o := range d.Operands {
			visit(o.Op())
		}
	}
	visit(op)
	return views*cost > maxViewCost
}

// isSource reports whether the result of an op is in memory, or becomes so for what is
// computed again from it: as it costs more than that may, or is itself computed from
// several arrays and read more than once.
func (p *planner) isSource(op *stablehlo.Op) bool {
	switch {
	case !p.isKernel(op) || p.isInMemory(op):
		return true
	case len(op.Operands) == 0 || isView(op):
		return false
	case !cheapOps[op.Code]:
		return true
	}
	return len(p.uses.consumers[op]) > 1 && !p.isRecomputable(op)
}

// isInMemory reports whether the result of an op of a kernel is written to memory whatever
// the planner does.
func (p *planner) isInMemory(op *stablehlo.Op) bool {
	if p.uses.escapes[op] || p.forced[op] {
		return true
	}
	read, ok := p.uses.read[op]
	if !ok {
		read = slices.ContainsFunc(p.uses.consumers[op], func(c *stablehlo.Op) bool {
			return c == c.Block().Terminator() || p.readsFrom(op, c)
		})
		p.uses.read[op] = read // some values have as many consumers as the program has parts
	}
	return read
}

// isIndexMask reports whether op compares what little arithmetic makes of indices and numbers, as the masks of
// attention do: that takes no longer than reading what it says.
func isIndexMask(op *stablehlo.Op) bool {
	cost := 0
	var visit func(d *stablehlo.Op) bool
	visit = func(d *stablehlo.Op) bool {
		if cost++; d == nil || cost > maxRecomputeOps || !isFree(d) && !cheapOps[d.Code] {
			return false
		}
		for _, o := range d.Operands {
			if !visit(o.Op()) {
				return false
			}
		}
		return true
	}
	return op.Code == stablehlo.OpCompare && visit(op)
}
