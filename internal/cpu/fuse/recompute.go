package fuse

import (
	"slices"

	"github.com/go-nx/nx/internal/cost"
	"github.com/go-nx/nx/stablehlo"
)

// isCheap reports whether the ops with a code take less time than writing their result to memory and reading it back.
// The sign is not among them: that it is read was not measured.
func isCheap(code stablehlo.OpCode) bool {
	return cost.AgainOf(code) == cost.Quick && code != stablehlo.OpSign
}

// isRecomputable reports whether the clusters that read op, which is not a view, may each recompute
// it from one array of its size, which they read instead, and smaller ones: a residual that a
// derivative needs is then neither written nor kept.
func (p *planner) isRecomputable(op *stablehlo.Op) bool {
	is, ok := p.uses.cheap[op]
	if !ok {
		p.uses.cheap[op] = false // in case the walk returns to op, which no valid program does
		is = isCheap(op.Code) && op.Result() != nil && p.isCheapFromSources(op)
		p.uses.cheap[op] = is
	}
	return is
}

// isCheapFromSources walks from a cheap op to the arrays that it is computed from: those that are
// in memory or would have to be.
func (p *planner) isCheapFromSources(op *stablehlo.Op) bool {
	elems, _ := op.Result().Tensor().NumElems()
	ops := 0
	seen := make([]*stablehlo.Value, 0, cost.MaxVisits)
	var large *stablehlo.Value
	var visit func(v *stablehlo.Value) bool
	visit = func(v *stablehlo.Value) bool {
		switch {
		case slices.Contains(seen, v):
			return true
		case len(seen) == cost.MaxVisits:
			return false
		}
		seen = append(seen, v)
		d := v.Op()
		if d == nil || d.Block() != op.Block() || d != op && p.isSource(d) {
			if n, _ := v.Tensor().NumElems(); cost.SmallSource*n <= elems {
				return true
			}
			if large == nil {
				large = v
			}
			return large == v
		}
		if isCheap(d.Code) {
			if ops++; ops > cost.MaxKernelOps {
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

// costsMoreThanMemory reports whether a kernel takes longer to compute op once per view than to
// read it from memory: the operand of a sliding window that is itself computed from neighbours.
func (p *planner) costsMoreThanMemory(op *stablehlo.Op, views int) bool {
	if views < cost.MinViews || isFree(op) {
		return false
	}
	seen, ops := map[*stablehlo.Op]bool{}, 0
	var visit func(d *stablehlo.Op)
	visit = func(d *stablehlo.Op) {
		if d == nil || d.Block() != op.Block() || seen[d] || views*ops > cost.MaxViewOps ||
			len(seen) == cost.MaxVisits ||
			d != op && (!p.isKernel(d) || p.isInMemory(d)) {
			return
		}
		seen[d] = true
		switch {
		case isFree(d):
		case isCheap(d.Code):
			ops++
		default:
			ops += cost.SlowOps
		}
		for _, o := range d.Operands {
			visit(o.Op())
		}
	}
	visit(op)
	return views*ops > cost.MaxViewOps
}

// isSource reports whether recomputation reads the result of an op from memory: because it is
// there, because it costs too much, or because it is computed from several arrays and read more
// than once.
func (p *planner) isSource(op *stablehlo.Op) bool {
	switch {
	case !p.isKernel(op) || p.isInMemory(op):
		return true
	case len(op.Operands) == 0 || isView(op):
		return false
	case !isCheap(op.Code):
		return true
	}
	return len(p.uses.consumers[op]) > 1 && !p.isRecomputable(op)
}

// isInMemory reports whether the result of an op of a kernel is written to memory in any plan.
func (p *planner) isInMemory(op *stablehlo.Op) bool {
	if p.uses.escapes[op] || p.forced[op] {
		return true
	}
	read, ok := p.uses.read[op]
	if !ok {
		read = slices.ContainsFunc(p.uses.consumers[op], func(c *stablehlo.Op) bool {
			return c == c.Block().Terminator() || p.readsFrom(op, c)
		})
		p.uses.read[op] = read // a value may have as many consumers as the program has parts
	}
	return read
}

// isIndexMask reports whether op compares simple functions of indices and constants, as the masks
// of attention do: that takes no longer than reading its result.
func isIndexMask(op *stablehlo.Op) bool {
	ops := 0
	var visit func(d *stablehlo.Op) bool
	visit = func(d *stablehlo.Op) bool {
		if ops++; d == nil || ops > cost.MaxKernelOps || !isFree(d) && !isCheap(d.Code) {
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
