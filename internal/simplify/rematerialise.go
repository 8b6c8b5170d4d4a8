package simplify

import (
	"slices"

	"github.com/go-nx/nx/internal/cost"
	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/stablehlo"
)

// againOf is [cost.AgainOf] of the ops that Rematerialise computes again. Squares are not among them: that they are
// kept was not measured.
func againOf(op *stablehlo.Op) cost.Again {
	if op.Code == stablehlo.OpChloSquare {
		return cost.Never
	}
	return cost.AgainOf(op.Code)
}

// Rematerialise recomputes large values that a derivative uses long after the function computed
// them: values that are few elementwise ops away from values that are saved anyway. They are in
// memory twice for a short time, instead of throughout: the result of an activation, with its
// operand; a softmax, with its exponentials; a normalised row, with the row. The bits do not
// change, since the same ops run on the same numbers.
//
// Between the uses of such a value is a contraction: consecutive ops are one kernel. Values of at
// least minBytes bytes are recomputed. The recomputing ops have the attribute mark: a planner that
// fused one with the original op would keep the result in memory.
func Rematerialise(f stablehlo.Func, minBytes int64, mark string, checkCancel ...CheckCancel) error {
	p, effects := checkCancelOf(checkCancel), f.Effects()
	return Rewriting("rematerialise", f, func() {
		for _, op := range f.Body().Ops {
			for x := range op.Walk() {
				for _, r := range x.Regions {
					rematerialiseIn(r.Block(), effects, minBytes, mark, p)
				}
			}
		}
		rematerialiseIn(f.Body(), effects, minBytes, mark, p)
	})
}

func rematerialiseIn(b *stablehlo.Block, effects *stablehlo.Effects, minBytes int64, mark string,
	checkCancel CheckCancel) {
	r := &rematerialiser{b: b, mark: mark, checkCancel: checkCancel}
	if !r.hasLarge(minBytes) {
		return
	}
	r.survey()
	for i, op := range b.Ops {
		checkCancel()
		if len(op.Results) != 1 {
			continue
		}
		if from, ok := r.lateUses(op, i); ok {
			r.late[op.Result()] = from
		}
	}
	if len(r.late) > 0 {
		r.rewrite()
		DeadCode(b, effects, checkCancel)
	}
}

func isContraction(op *stablehlo.Op) bool {
	return op.Code == stablehlo.OpDotGeneral || op.Code == stablehlo.OpConvolution
}

// rematerialiser works on a block.
type rematerialiser struct {
	b            *stablehlo.Block
	mark         string
	checkCancel  CheckCancel
	contractions []int                      // the number of contractions before each op
	uses         map[*stablehlo.Value][]int // the indices of the ops that use a large value, in order
	last         map[*stablehlo.Value]int   // the last op that uses a value, or one of its views
	captured     map[*stablehlo.Value]bool  // large values that a region uses, or that are returned
	late         map[*stablehlo.Value]int   // the first op for which a value is recomputed
}

// hasLarge finds the candidates, of minBytes bytes or more. It reports whether there are any before
// a contraction.
func (r *rematerialiser) hasLarge(minBytes int64) bool {
	found := false
	r.uses = map[*stablehlo.Value][]int{}
	for _, op := range r.b.Ops {
		r.checkCancel()
		if isContraction(op) {
			found = found || len(r.uses) > 0
			continue
		}
		if len(op.Results) != 1 {
			continue
		}
		t := op.Result().Tensor()
		if t == nil {
			continue
		}
		if n, ok := t.NumElems(); ok && n >= minBytes/16 && r.isRecomputable(op) &&
			n*int64(t.DType().Size()) >= minBytes {
			r.uses[op.Result()] = nil
		}
	}
	return found
}

// survey finds the uses of values.
func (r *rematerialiser) survey() {
	r.captured, r.late = map[*stablehlo.Value]bool{}, map[*stablehlo.Value]int{}
	r.last = make(map[*stablehlo.Value]int, len(r.b.Ops))
	r.contractions = make([]int, len(r.b.Ops)+1)
	for i, op := range r.b.Ops {
		r.checkCancel()
		r.contractions[i+1] = r.contractions[i]
		if isContraction(op) {
			r.contractions[i+1]++
		}
		for x := range op.Walk() {
			for _, v := range x.Operands {
				r.last[v] = i
				list, large := r.uses[v]
				if !large {
					continue
				}
				if len(list) == 0 || list[len(list)-1] != i {
					r.uses[v] = append(list, i)
				}
				if x != op || isTerminator(op) {
					r.captured[v] = true
				}
			}
		}
	}
	for _, op := range slices.Backward(r.b.Ops) {
		if isRearranged(op) {
			r.last[op.Operands[0]] = max(r.last[op.Operands[0]], r.last[op.Result()])
		}
	}
}

// isRearranged reports whether the result of an op is its operand with other indices.
func isRearranged(op *stablehlo.Op) bool {
	return op.Code == stablehlo.OpReshape || op.Code == stablehlo.OpTranspose
}

// between returns the number of contractions between two ops.
func (r *rematerialiser) between(i, j int) int { return r.contractions[j] - r.contractions[i+1] }

// lateUses returns the first op for which the result of an op, the i-th, is recomputed; ok is false
// if it is not.
func (r *rematerialiser) lateUses(op *stablehlo.Op, i int) (from int, ok bool) {
	uses := r.uses[op.Result()]
	if len(uses) == 0 || r.captured[op.Result()] {
		return 0, false
	}
	n, _ := op.Result().Tensor().NumElems()
	widest := 0
	for _, use := range uses {
		if n := r.between(i, use); n > widest {
			widest, from = n, use
		}
		i = use
	}
	return from, widest > 0 && r.isCheap(op, n, uses[len(uses)-1])
}

// isRecomputable reports whether an op of the block can be recomputed.
func (r *rematerialiser) isRecomputable(op *stablehlo.Op) bool {
	if op.Block() != r.b || len(op.Results) != 1 || len(op.Regions) > 0 || !IsPlain(op) {
		return false
	}
	if op.Code == stablehlo.OpConstant {
		a, ok := op.Attr("value").(*stablehlo.ElementsAttr)
		return ok && a.Splat
	}
	return againOf(op) != cost.Never
}

// isCheap reports whether the n elements of the result of an op are few ops away from values that
// are available at a use, the last one.
func (r *rematerialiser) isCheap(op *stablehlo.Op, n int64, last int) bool {
	quick, slow := 0, 0
	seen := map[*stablehlo.Op]bool{}
	var visit func(op *stablehlo.Op) bool
	visit = func(op *stablehlo.Op) bool {
		if seen[op] {
			return true
		}
		seen[op] = true
		switch againOf(op) {
		case cost.Quick:
			quick++
		case cost.Slow:
			slow++
		}
		if slow > cost.MaxLateSlowOps || quick+slow > cost.MaxLateOps || len(seen) > 4*cost.MaxLateOps {
			return false
		}
		for _, v := range op.Operands {
			if r.isAvailable(v, n, last) {
				continue
			}
			if d := v.Op(); d == nil || !r.isRecomputable(d) || !visit(d) {
				return false
			}
		}
		return true
	}
	return visit(op) && quick+slow > 0
}

// isAvailable reports whether a value is in memory at an op anyway, or is small compared with n
// elements.
func (r *rematerialiser) isAvailable(v *stablehlo.Value, n int64, at int) bool {
	d := v.Op()
	if d == nil || d.Block() != r.b {
		return true
	}
	if from, ok := r.late[v]; ok { // it is recomputed too, except for earlier uses
		return slices.ContainsFunc(r.uses[v], func(i int) bool { return at <= i && i < from })
	}
	if r.isRecomputable(d) && (d.Code == stablehlo.OpConstant || againOf(d) == cost.Free && !isRearranged(d)) {
		return false // it has no memory
	}
	if t := v.Tensor(); t != nil {
		if m, ok := t.NumElems(); ok && cost.SmallSource*m <= n {
			return true
		}
	}
	last, used := r.last[v]
	return used && (last >= at || r.between(last, at) == 0)
}

// rewrite inserts the recomputation before the late uses.
func (r *rematerialiser) rewrite() {
	e := emit.Detached()
	type copied struct {
		v  *stablehlo.Value
		at int
	}
	memo := map[*stablehlo.Value]copied{}
	var recompute func(v *stablehlo.Value, i int) *stablehlo.Value
	recompute = func(v *stablehlo.Value, i int) *stablehlo.Value {
		if c, ok := memo[v]; ok && r.between(c.at, i) <= cost.MaxLateShared {
			return c.v
		}
		op := v.Op()
		n, _ := v.Tensor().NumElems()
		in := slices.Clone(op.Operands)
		for j, o := range in {
			if r.mustRecompute(o, n, i) {
				in[j] = recompute(o, i)
			}
		}
		w := e.CloneWith(op, in...)[0]
		w.Op().SetAttr(r.mark, stablehlo.UnitAttr{})
		memo[v] = copied{w, i}
		return w
	}
	ops := make([]*stablehlo.Op, 0, len(r.b.Ops))
	for i, op := range r.b.Ops {
		r.checkCancel()
		for j, v := range op.Operands {
			if from, ok := r.late[v]; ok && from <= i {
				op.Operands[j] = recompute(v, i)
			}
		}
		ops = append(append(ops, e.Take()...), op)
	}
	r.b.SetOps(ops)
}

// mustRecompute reports whether an operand of a recomputed op is recomputed too.
func (r *rematerialiser) mustRecompute(v *stablehlo.Value, n int64, at int) bool {
	d := v.Op()
	return d != nil && d.Block() == r.b && r.isRecomputable(d) && !r.isAvailable(v, n, at)
}
