package autodiff

import (
	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/stablehlo"
)

// pullCase linearises a case or an if. Its transpose has the same index, and its branches repeat
// the original ones and pull the cotangents back.
func pullCase(t *tracer, op *stablehlo.Op) {
	t.mustRepeat(op)
	t.append(op)
	captured := t.captured(op.Regions)
	active := t.active(op.Results)
	results := t.standIn(t.tangents(captured), typesOf(at(op.Results, active)),
		func(tr *transposer, _ *stablehlo.Op, cts []value) {
			outs := spread(make([]value, len(op.Results)), active, cts)
			old := t.takeCotangents(tr, captured)
			back := stablehlo.NewOp(op.Code, op.Operands, typesOf(captured))
			back.Loc = op.Loc
			for _, r := range op.Regions {
				e := tr.on(back.AddRegion())
				_, grads := t.pullBlock(e, r.Block(), nil, nil, outs, captured, old)
				for i, v := range captured {
					grads[i] = e.OrZeros(grads[i], v)
				}
				e.B.Block().Append(stablehlo.NewOp(stablehlo.OpReturn, grads, nil))
			}
			tr.B.Block().Append(back)
			t.accumulateAll(tr, captured, back.Results)
		})
	for k, i := range active {
		t.set(op.Results[i], results[k])
	}
}

// mustRepeat ends the transformation if a region has an op that cannot be repeated.
func (t *tracer) mustRepeat(op *stablehlo.Op) {
	for _, r := range op.Regions {
		t.mustRepeatBlock(op, r.Block())
	}
}

func (t *tracer) mustRepeatBlock(op *stablehlo.Op, b *stablehlo.Block) {
	for _, inner := range b.Ops {
		for x := range t.module.Reached(inner) {
			if cannotRepeat(x) {
				emit.Fail("no derivative of %s in reverse mode: it would have to repeat %s", op.Name(), x.Name())
			}
		}
	}
}

// cannotRepeat reports whether op must not run twice.
func cannotRepeat(op *stablehlo.Op) bool {
	switch op.Code {
	case stablehlo.OpRng, stablehlo.OpInfeed, stablehlo.OpOutfeed, stablehlo.OpSend, stablehlo.OpRecv:
		return true
	case stablehlo.OpCustomCall:
		return op.Bool("has_side_effect", false) && !isOnce(op)
	}
	return false
}

// captured returns the values with tangents that regions capture.
func (t *tracer) captured(regions []*stablehlo.Region) []value {
	var found []value
	seen := map[value]bool{}
	for _, r := range regions {
		for _, op := range r.Block().Ops {
			for x := range op.Walk() {
				for _, v := range x.Operands {
					if t.tangent[v] != nil && !seen[v] {
						seen[v] = true
						found = append(found, v)
					}
				}
			}
		}
	}
	return found
}

// takeCotangents removes the cotangents of the tangents of vs and returns them, nil if zero. Values
// that share a tangent share its cotangent: the first of them gets it.
func (t *tracer) takeCotangents(tr *transposer, vs []value) []value {
	cts := make([]value, len(vs))
	for i, v := range vs {
		d := t.tangent[v]
		cts[i] = tr.clean(tr.cotangent[d])
		delete(tr.cotangent, d)
	}
	return cts
}

func (t *tracer) accumulateAll(tr *transposer, vs, cts []value) {
	for i, v := range vs {
		tr.accumulate(t.tangent[v], cts[i])
	}
}

// pullBlock appends to e's block a copy of a region's ops and the ops that pull the cotangents outs
// of its results back: to its arguments at positions active, and to captured values, where it adds
// to the cotangents old. args replace the region's arguments; they must be new. The block has run
// before: effects are not repeated.
func (t *tracer) pullBlock(e emitter, b *stablehlo.Block, args []value, active []int, outs, captured,
	old []value) (argCts, capturedCts []value) {
	argCts, capturedCts, _ = t.pullOps(e, b, false, args, active, outs, captured, old)
	return argCts, capturedCts
}

// pullRule is pullBlock of a rule, which has no captured values: it runs for the first time, and
// has effects.
func (t *tracer) pullRule(e emitter, b *stablehlo.Block, args []value, active []int, outs []value) []value {
	cts, _, _ := t.pullOps(e, b, true, args, active, outs, nil, nil)
	return cts
}

// pullOps also returns the copies of the results of the ops.
func (t *tracer) pullOps(e emitter, b *stablehlo.Block, isFirst bool, args []value, active []int, outs, captured,
	old []value) (argCts, capturedCts []value, copies map[value]value) {
	m := map[value]value{}
	for i, a := range b.Args {
		m[a] = args[i]
	}
	ops := make([]*stablehlo.Op, 0, len(b.Ops))
	pulled := map[value]bool{} // in a rule, the values that depend on the directions: there are none
	for _, i := range active {
		pulled[b.Args[i]] = isFirst
	}
	for _, op := range b.Ops {
		if isFirst && !usesAny(op, pulled) {
			ops = append(ops, op.Clone(m))
			continue
		}
		for _, r := range op.Results {
			pulled[r] = isFirst
		}
		if !isOnce(op) {
			c := op.Clone(m)
			t.repeat(c)
			ops = append(ops, c)
		}
	}
	for _, a := range b.Args {
		delete(m, a) // their replacements have tangents outside of the block
	}
	for v, w := range m {
		if t.idle[v] {
			t.idle[w] = true
		}
	}
	ops, ret := ops[:len(ops)-1], ops[len(ops)-1]

	inner := newTracer(e.B.Block(), t.idle, t.callees)
	inner.B.Loc = e.B.Loc
	tr, linear, seeds := inner.linearise(ops, append(at(args, active), captured...))
	for i, s := range seeds[len(active):] {
		if old[i] != nil {
			tr.cotangent[s] = old[i]
		}
	}
	for i, v := range ret.Operands {
		if d := inner.tangent[inner.now(v)]; d != nil && outs[i] != nil {
			tr.accumulate(d, outs[i])
		}
	}
	tr.run(linear)
	cts := make([]value, len(seeds))
	for i, s := range seeds {
		cts[i] = tr.cotangent[s]
	}
	return cts[:len(active)], cts[len(active):], m
}
