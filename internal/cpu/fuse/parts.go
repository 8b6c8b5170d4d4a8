package fuse

import (
	"github.com/go-nx/nx/stablehlo"
)

// part is the place of a value in a concatenation: a kernel writes the value only there.
type part struct {
	of    *stablehlo.Value
	start []int64
}

// findParts finds the operands of a concatenation that are written in place: those with no other
// reader that a kernel computes.
func (u *blockUses) findParts(p *planner, op *stablehlo.Op) {
	axis := op.Int("dimension", 0)
	count := map[*stablehlo.Value]int{}
	for _, v := range op.Operands {
		count[v]++
	}
	at := int64(0)
	for _, v := range op.Operands {
		start := make([]int64, v.Tensor().Rank())
		start[axis] = at
		n := v.Tensor().Dims[axis]
		at += n
		d := v.Op()
		if d == nil || n == 0 || d.Block() != op.Block() || !p.isKernel(d) || isLookup(d) || len(d.Operands) == 0 ||
			u.escapes[d] || len(u.consumers[d]) != 1 || count[v] != 1 {
			continue
		}
		switch d.Code {
		// these may be views, or have their own order
		case stablehlo.OpReshape, stablehlo.OpOptimizationBarrier, stablehlo.OpReduce:
		default:
			u.parts[d] = part{op.Result(), start}
		}
	}
}
