package simplify

import (
	"slices"

	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/stablehlo"
)

const (
	// MinSaved is the number of bytes from which a value is rather computed again than kept:
	// less stays in a cache, whoever needs it later.
	MinSaved = 1 << 19

	// maxOps bounds the ops that an element may take to be computed again, and maxSlow those
	// among them that are slowOps.
	maxOps     = 16
	maxSlowOps = 2

	// minSourceRatio is how many times larger than a source a value is that may keep it alive.
	minSourceRatio = 4

	// maxSharedContractions bounds the products between two uses that share a value computed again.
	maxSharedContractions = 3
)

// slowOps take about as long as an element takes to memory and back. The other elementwise
// ops are a few instructions at most, or slower and never computed again.
var slowOps = map[stablehlo.OpCode]bool{
	stablehlo.OpDivide: true, stablehlo.OpSqrt: true, stablehlo.OpRsqrt: true,
	stablehlo.OpExponential: true, stablehlo.OpExponentialMinusOne: true,
	stablehlo.OpLog: true, stablehlo.OpLogPlusOne: true,
	stablehlo.OpTanh: true, stablehlo.OpLogistic: true,
}

var quickOps = map[stablehlo.OpCode]bool{
	stablehlo.OpAdd: true, stablehlo.OpSubtract: true, stablehlo.OpMultiply: true, stablehlo.OpNegate: true,
	stablehlo.OpAbs: true, stablehlo.OpSign: true,
	stablehlo.OpMaximum: true, stablehlo.OpMinimum: true, stablehlo.OpClamp: true, stablehlo.OpSelect: true,
	stablehlo.OpCompare: true,
	stablehlo.OpAnd:     true, stablehlo.OpOr: true, stablehlo.OpXor: true, stablehlo.OpNot: true,
	stablehlo.OpConvert: true,
}

// freeOps only say where elements are.
var freeOps = map[stablehlo.OpCode]bool{
	stablehlo.OpReshape: true, stablehlo.OpBroadcastInDim: true, stablehlo.OpTranspose: true,
	stablehlo.OpIota: true,
}

// Rematerialise computes large values again that a derivative needs long after the function
// did: those that follow element by element, by few ops, from what is kept anyway. They are in
// memory for a short time twice, and not while everything between is computed: the result of
// an activation, beside what it was computed from; a softmax, beside its exponentials; a
// normalised row, beside the row. It changes no bit, as the same ops run on the same numbers.
//
// Between the uses of such a value is a product: ops that follow each other are one kernel.
// Values of at least so many bytes count. The ops that compute again have the attribute mark: a
// planner that put one into a kernel with what has computed the same before would keep the result.
func Rematerialise(f stablehlo.Func, minBytes int64, mark string, pause ...CheckCancel) error {
	p, effects := checkCancelOf(pause), f.Effects()
	err := caught(func() {
		for _, op := range f.Body().Ops {
			for x := range op.Walk() {
				for _, r := range x.Regions {
					rematerialiseIn(r.Block(), effects, minBytes, mark, p)
				}
			}
		}
		rematerialiseIn(f.Body(), effects, minBytes, mark, p)
	})
	if err != nil {
		return internalError("rematerialise", f.Name(), err)
	}
	return nil
}

func rematerialiseIn(b *stablehlo.Block, effects *stablehlo.Effects, minBytes int64, mark string, pause CheckCancel) {
	r := &rematerialiser{b: b, mark: mark, checkCancel: pause}
	if !r.hasLarge(minBytes) {
		return
	}
	r.survey()
	for i, op := range b.Ops {
		pause()
		if len(op.Results) != 1 {
			continue
		}
		if from, ok := r.lateUses(op, i); ok {
			r.late[op.Result()] = from
		}
	}
	if len(r.late) > 0 {
		r.rewrite()
		DeadCode(b, effects, pause)
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
	contractions []int                      // how many are before each op
	uses         map[*stablehlo.Value][]int // the indices of the ops that use a large value, in order
	last         map[*stablehlo.Value]int   // the last op that uses a value, or one of its views
	captured     map[*stablehlo.Value]bool  // large ones used in a region, or returned
	late         map[*stablehlo.Value]int   // the first op for which a value is computed again
}

// hasLarge finds the values that may be computed again, of so many bytes or more. It reports whether there
// are any before a product.
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
		if n, ok := t.NumElems(); ok && n >= minBytes/16 && r.isRecomputable(op) && n*int64(t.DType().Size()) >= minBytes {
			r.uses[op.Result()] = nil
		}
	}
	return found
}

// survey finds who uses what.
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

// isRearranged reports whether the result of an op is its operand, its elements elsewhere.
func isRearranged(op *stablehlo.Op) bool {
	return op.Code == stablehlo.OpReshape || op.Code == stablehlo.OpTranspose
}

// between returns how many products are between two ops.
func (r *rematerialiser) between(i, j int) int { return r.contractions[j] - r.contractions[i+1] }

// lateUses returns the first op for which the result of an op, the i-th, is to be computed again;
// ok is false where it stays as it is.
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

// isRecomputable reports whether an op of the block can be written again.
func (r *rematerialiser) isRecomputable(op *stablehlo.Op) bool {
	if op.Block() != r.b || len(op.Results) != 1 || len(op.Regions) > 0 || !isPlain(op) {
		return false
	}
	if op.Code == stablehlo.OpConstant {
		a, ok := op.Attr("value").(*stablehlo.ElementsAttr)
		return ok && a.Splat
	}
	return quickOps[op.Code] || slowOps[op.Code] || freeOps[op.Code]
}

// isCheap reports whether the n elements of the result of an op follow by few ops from what
// is there at a use, the last one.
func (r *rematerialiser) isCheap(op *stablehlo.Op, n int64, last int) bool {
	quick, slow := 0, 0
	seen := map[*stablehlo.Op]bool{}
	var visit func(op *stablehlo.Op) bool
	visit = func(op *stablehlo.Op) bool {
		if seen[op] {
			return true
		}
		seen[op] = true
		switch {
		case quickOps[op.Code]:
			quick++
		case slowOps[op.Code]:
			slow++
		}
		if slow > maxSlowOps || quick+slow > maxOps || len(seen) > 4*maxOps {
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

// isAvailable reports whether a value is in memory at an op anyway, or is small beside n elements.
func (r *rematerialiser) isAvailable(v *stablehlo.Value, n int64, at int) bool {
	d := v.Op()
	if d == nil || d.Block() != r.b {
		return true
	}
	if from, ok := r.late[v]; ok { // it is computed again, too, if not for what comes before
		return slices.ContainsFunc(r.uses[v], func(i int) bool { return at <= i && i < from })
	}
	if r.isRecomputable(d) && (d.Code == stablehlo.OpConstant || freeOps[d.Code] && !isRearranged(d)) {
		return false // no memory of its own
	}
	if t := v.Tensor(); t != nil {
		if m, ok := t.NumElems(); ok && minSourceRatio*m <= n {
			return true
		}
	}
	last, used := r.last[v]
	return used && (last >= at || r.between(last, at) == 0)
}

// rewrite writes the values again before the ops that need them late.
func (r *rematerialiser) rewrite() {
	e := emit.Detached()
	type copied struct {
		v  *stablehlo.Value
		at int
	}
	memo := map[*stablehlo.Value]copied{}
	var recompute func(v *stablehlo.Value, i int) *stablehlo.Value
	recompute = func(v *stablehlo.Value, i int) *stablehlo.Value {
		if c, ok := memo[v]; ok && r.between(c.at, i) <= maxSharedContractions {
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

// mustRecompute reports whether an operand of what is computed again for an op is, too.
func (r *rematerialiser) mustRecompute(v *stablehlo.Value, n int64, at int) bool {
	d := v.Op()
	return d != nil && d.Block() == r.b && r.isRecomputable(d) && !r.isAvailable(v, n, at)
}
