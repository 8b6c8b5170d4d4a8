package simplify

import "github.com/go-nx/nx/stablehlo"

// Hoist moves loop-invariant code out of loops: contractions, reductions and other ops with memory
// passes, elementary functions, and elementwise ops whose result such an op reads in every trip.
// Ops that are cheap at their use stay. A loop may have no trips, so hoisted ops must terminate and
// have no effects: loops and branches stay.
func Hoist(f stablehlo.Func, checkCancel ...CheckCancel) {
	h := &hoister{effects: f.Effects(), renamed: Renames{}, checkCancel: checkCancelOf(checkCancel)}
	h.block(f.Body())
	h.renamed.Apply(f.Body())
}

type hoister struct {
	effects     *stablehlo.Effects
	renamed     Renames
	checkCancel CheckCancel
}

// block hoists out of the loops of a block, the innermost first.
func (h *hoister) block(b *stablehlo.Block) {
	var ops []*stablehlo.Op
	found := false
	for _, op := range b.Ops {
		h.checkCancel()
		for _, r := range op.Regions {
			for _, inner := range r.Blocks {
				h.block(inner)
			}
		}
		if op.Code == stablehlo.OpWhile {
			for _, r := range op.Regions {
				out := h.invariant(r.Block())
				found = found || len(out) > 0
				ops = append(ops, out...)
			}
		}
		ops = append(ops, op)
	}
	if found {
		b.SetOps(ops)
	}
}

// invariant returns copies of the ops to be computed before a loop with that block, and records the
// replacements of their results.
func (h *hoister) invariant(b *stablehlo.Block) []*stablehlo.Op {
	fixed := map[*stablehlo.Op]bool{} // ops whose results are the same in every trip
	isFixed := func(v *stablehlo.Value) bool {
		if d := v.Op(); d != nil && d.Block() == b {
			return fixed[d]
		}
		return blockOf(v) != b
	}
	var out []*stablehlo.Op
	copies := map[*stablehlo.Value]*stablehlo.Value{}
	var take func(op *stablehlo.Op)
	take = func(op *stablehlo.Op) {
		if copies[op.Results[0]] != nil {
			return
		}
		for _, v := range op.Operands {
			if d := v.Op(); d != nil && d.Block() == b {
				take(d)
			}
		}
		out = append(out, op.Clone(copies))
	}
	for _, op := range b.Ops {
		fixed[op] = isHoistable(op) && !h.effects.Has(op)
		for _, v := range op.Operands {
			fixed[op] = fixed[op] && isFixed(v)
		}
		passes := isPass(op)
		switch {
		case fixed[op] && (passes || isSlow(op)):
			take(op)
			h.renamed[op.Result()] = copies[op.Result()]
		case passes && op.Code != stablehlo.OpReduce && op.Code != stablehlo.OpConcatenate:
			// Its operands are in memory.
			for _, v := range op.Operands {
				if d := v.Op(); d != nil && d.Block() == b && fixed[d] && copies[v] == nil && isComputed(d) {
					take(d)
					h.renamed[v] = copies[v]
				}
			}
		}
	}
	return out
}

// isHoistable reports whether a terminating op without effects may be moved before a loop. Its
// regions must not capture values.
func isHoistable(op *stablehlo.Op) bool {
	if len(op.Results) != 1 || op.Code == stablehlo.OpOptimizationBarrier {
		return false
	}
	for _, r := range op.Regions {
		for _, inner := range r.Block().Ops {
			for _, v := range inner.Operands {
				if blockOf(v) != r.Block() {
					return false
				}
			}
		}
	}
	return isPass(op) || isComputed(op) || isArrangement(op)
}

// blockOf returns the block in which a value is defined.
func blockOf(v *stablehlo.Value) *stablehlo.Block {
	if d := v.Op(); d != nil {
		return d.Block()
	}
	return v.Block()
}

// isPass reports whether the op makes a pass over its operands in memory.
func isPass(op *stablehlo.Op) bool {
	switch op.Code {
	case stablehlo.OpDotGeneral, stablehlo.OpConvolution, stablehlo.OpReduce, stablehlo.OpReduceWindow,
		stablehlo.OpSort, stablehlo.OpGather,
		stablehlo.OpConcatenate, stablehlo.OpPad, stablehlo.OpFft, stablehlo.OpCholesky, stablehlo.OpTriangularSolve:
		return true
	}
	return false
}

// isComputed reports whether the op is elementwise.
func isComputed(op *stablehlo.Op) bool {
	return op.Code.Info().Traits&stablehlo.Elementwise != 0 && len(op.Operands) > 0
}

// isSlow reports whether the op takes longer than reading its result.
func isSlow(op *stablehlo.Op) bool {
	switch op.Code {
	case stablehlo.OpDivide, stablehlo.OpRemainder, stablehlo.OpPower, stablehlo.OpSqrt,
		stablehlo.OpRsqrt, stablehlo.OpCbrt:
		return true
	}
	return op.Code.Info().Traits&stablehlo.Transcendental != 0
}

// isArrangement reports whether the op creates or moves elements without computing.
func isArrangement(op *stablehlo.Op) bool {
	switch op.Code {
	case stablehlo.OpConstant, stablehlo.OpIota, stablehlo.OpBroadcastInDim, stablehlo.OpReshape, stablehlo.OpTranspose,
		stablehlo.OpSlice,
		stablehlo.OpReverse:
		return true
	}
	return false
}
