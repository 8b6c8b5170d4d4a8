package autodiff

import (
	"slices"

	"github.com/go-nx/nx/stablehlo"
)

// tracer appends a program to a block, op by op, and beside each op those that
// compute the tangents of its results.
type tracer struct {
	emitter
	// tangent holds the tangents that are not zero.
	tangent map[value]value
	// renamed holds what stands for the results of ops that were replaced.
	renamed map[value]value
	// idle holds the values that the analysis found to need no tangent.
	idle map[value]bool
	// bits holds integers made of the bits of a float that has a tangent.
	bits map[value]bool
	// pullbacks is nil in forward mode. In reverse mode it holds the meaning of
	// the linear stand-ins for control flow.
	pullbacks map[*stablehlo.Op]pullback
}

// jvpRow appends op and the ops that compute the tangents of its results.
type jvpRow func(t *tracer, op *stablehlo.Op)

func newTracer(b *stablehlo.Block, idle map[value]bool) *tracer {
	return &tracer{
		emitter: emitter{stablehlo.NewBuilder(b)},
		tangent: map[value]value{},
		renamed: map[value]value{},
		idle:    idle,
		bits:    map[value]bool{},
	}
}

// on returns a tracer that appends to another block: the region of an op.
func (t *tracer) on(b *stablehlo.Block) *tracer {
	inner := *t
	inner.emitter = t.emitter.on(b)
	return &inner
}

// run appends ops, which must be in no block any more, with their tangents.
func (t *tracer) run(ops []*stablehlo.Op) {
	for _, op := range ops {
		if len(t.renamed) > 0 {
			op.Replace(t.renamed)
		}
		t.b.Loc = op.Loc
		switch {
		case !t.isActive(op):
			t.append(op)
		case jvps[op.Code] != nil:
			jvps[op.Code](t, op)
		default:
			refuse(op)
		}
	}
}

// isActive reports whether a result of op has a tangent.
func (t *tracer) isActive(op *stablehlo.Op) bool {
	if len(t.bits) > 0 {
		t.trackBits(op)
	}
	needed := slices.ContainsFunc(op.Results, func(r value) bool { return differentiable(r.Type()) && !t.idle[r] })
	if !needed && op.Code != stablehlo.OpBitcastConvert {
		return false
	}
	for x := range op.Walk() {
		for _, v := range x.Operands {
			if t.tangent[v] != nil {
				return true
			}
		}
	}
	return false
}

// append appends op as it is.
func (t *tracer) append(op *stablehlo.Op) { t.b.Block().Append(op) }

// replace lets new stand for old, the results of an op that was not appended.
func (t *tracer) replace(old, new []value) {
	for i, v := range old {
		t.renamed[v] = new[i]
	}
}

// now returns what stands for a value of the program.
func (t *tracer) now(v value) value {
	if w, ok := t.renamed[v]; ok {
		return w
	}
	return v
}

// set makes d the tangent of v; nil means zero.
func (t *tracer) set(v, d value) {
	if d != nil && !t.idle[v] && differentiable(v.Type()) {
		t.tangent[v] = d
	}
}

// tangents returns those of several values, nil where zero.
func (t *tracer) tangents(vs []value) []value {
	d := make([]value, len(vs))
	for i, v := range vs {
		d[i] = t.tangent[v]
	}
	return d
}

// expand replaces op by the ops that build appends, and traces those.
func (t *tracer) expand(op *stablehlo.Op, build func(e emitter, op *stablehlo.Op) []value) {
	scratch := newScratch()
	results := build(t.emitter.on(scratch), op)
	t.run(takeOps(scratch))
	now := make([]value, len(results))
	for i, r := range results {
		now[i] = t.now(r)
	}
	t.replace(op.Results, now)
}

// newScratch returns a block that is part of no program.
func newScratch(args ...stablehlo.Type) *stablehlo.Block {
	return stablehlo.NewUnregistered("autodiff.scratch", nil, nil).AddRegion(args...)
}

// takeOps empties a block.
func takeOps(b *stablehlo.Block) []*stablehlo.Op {
	ops := b.Ops
	b.SetOps(nil)
	return ops
}

// trackBits notes integers that are computed from the bits of a float with a
// tangent. Turning those back into a float would lose the derivative without a
// word. Comparisons end the trail: a bool is piecewise constant in any case.
func (t *tracer) trackBits(op *stablehlo.Op) {
	if !slices.ContainsFunc(op.Operands, func(v value) bool { return t.bits[v] }) {
		return
	}
	for _, r := range op.Results {
		switch d := stablehlo.DType(r.Type()); {
		case d.IsInteger():
			t.bits[r] = true
		case op.Code == stablehlo.OpBitcastConvert && differentiable(r.Type()):
			fail("no derivative of stablehlo.bitcast_convert: the float is made of the bits of one that depends on the arguments of the derivative")
		}
	}
}

// jvpBitcastConvert lets the bits of a float have no tangent, see trackBits.
func jvpBitcastConvert(t *tracer, op *stablehlo.Op) {
	from, to := dtypeOf(op.Operands[0]), dtypeOf(op.Result())
	if !to.IsInteger() {
		fail("no derivative of stablehlo.bitcast_convert from %s to %s: the bits of a number have no derivative", from, to)
	}
	t.append(op)
	t.bits[op.Result()] = true
}
