package autodiff

import (
	"slices"

	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/internal/simplify"
	"github.com/go-nx/nx/stablehlo"
)

// pullWhile linearises a loop. The loop saves the residuals of its steps, and the transpose is a
// loop over the steps in reverse order that repeats each to pull the cotangent of the state back
// over it.
func pullWhile(t *tracer, op *stablehlo.Op) {
	t.mustRepeat(op)
	trips, exact := tripCount(op)
	if trips == 0 { // the condition is initially false, whatever other terms it has
		if t.effects.Has(op) { // the condition may have effects
			t.append(op)
		}
		t.replace(op.Results, op.Operands)
		return
	}
	inits := op.Operands
	step := t.pullStep(op, trips, exact)
	var h history
	if trips >= 0 && (exact || step.canStack(trips)) {
		h = t.stackStates(op, step, trips, exact)
	} else {
		h = t.checkpoint(op, step, trips)
	}
	t.replace(op.Results, h.results)

	// The linear map from the tangents of the initial state and of captured values to those of the
	// last state.
	var in []value
	for _, i := range step.active {
		if d := t.tangent[inits[i]]; d != nil {
			in = append(in, d)
		}
	}
	in = append(in, t.tangents(step.captured)...)
	if len(in) == 0 {
		return
	}
	lasts := at(h.results, step.active)
	results := t.standIn(in, typesOf(lasts), func(tr *transposer, _ *stablehlo.Op, cts []value) {
		for k, v := range lasts {
			cts[k] = tr.OrZeros(cts[k], v)
		}
		for i, c := range t.takeCotangents(tr, step.captured) {
			cts = append(cts, tr.OrZeros(c, step.captured[i]))
		}
		cts = h.walkBack(tr.emitter, step, cts)
		n := len(step.active)
		t.accumulateAll(tr, step.captured, cts[n:])
		for k, i := range step.active {
			tr.accumulate(t.tangent[inits[i]], cts[k])
		}
	})
	for k, v := range lasts {
		t.set(v, results[k])
	}
}

// maxStackedBytes is the maximum memory of the saved states of a loop when only a bound of their
// number is known.
const maxStackedBytes = 64 << 20

// history holds the saved states of a loop.
type history struct {
	results []value // the last state
	// walkBack pulls cotangents back over all steps.
	walkBack func(e emitter, step *backStep, cts []value) []value
}

// backStep pulls cotangents back over one step of a loop.
type backStep struct {
	// block takes the state before the step, the cotangents of the active elements of the state
	// after it and those of captured values, and returns the cotangents of the active elements
	// before it and of captured values.
	block    *stablehlo.Block
	body     *stablehlo.Block
	active   []int
	captured []value
	needed   []int   // the state elements that block uses
	saved    []value // the contractions of the body that block takes as its last arguments
	// counters holds the increment of an integer element in each step, from which its value is
	// computed instead of saved.
	counters map[int]int64
	renames  simplify.Renames // of the arguments of block, applied later
}

// pullStep builds the reverse step of a loop of trips steps, or at most so many if that is not exact.
func (t *tracer) pullStep(op *stablehlo.Op, trips int64, exact bool) *backStep {
	body := op.Regions[1].Block()
	s := &backStep{renames: t.demanded.Renames, body: body, active: t.active(body.Args),
		captured: t.captured(op.Regions[1:])}
	n, k := len(body.Args), len(s.active)
	types := slices.Concat(typesOf(body.Args), typesOf(at(body.Args, s.active)), typesOf(s.captured))
	s.block = newScratch(types...)
	state, cts := s.block.Args[:n], s.block.Args[n:]
	outs := spread(make([]value, n), s.active, cts)
	e := t.emitter.on(s.block)
	argCts, capturedCts, copies := t.pullOps(e, body, false, state, s.active, outs, s.captured, cts[k:])
	for i, c := range argCts {
		argCts[i] = e.OrZeros(c, body.Args[s.active[i]])
	}
	s.block.Append(stablehlo.NewOp(stablehlo.OpReturn, append(argCts, capturedCts...), nil))
	s.findNeeded(t.liveArgs(s.block))
	if exact || s.canStack(trips) {
		if t.saveContractions(s, copies, trips, exact); len(s.saved) > 0 {
			s.findNeeded(t.liveArgs(s.block))
		}
	}
	return s
}

// findNeeded finds the needed elements of the state among the used arguments of the block.
func (s *backStep) findNeeded(used []bool) {
	s.needed, s.counters = nil, map[int]int64{}
	for i, v := range s.body.Args {
		if !used[i] {
			continue
		}
		s.needed = append(s.needed, i)
		if by, ok := increment(s.body, i); ok && isScalar(v) && emit.DTypeOf(v).Size() >= 4 {
			s.counters[i] = by
		}
	}
}

// canStack reports whether the states of a loop of at most trips steps are saved.
func (s *backStep) canStack(trips int64) bool {
	b := trips * s.stateBytes()
	return trips >= 0 && b >= 0 && b <= maxStackedBytes
}

// liveArgs drops dead ops from a block of a derivative, and reports for each argument of the block
// whether it is live.
func (t *tracer) liveArgs(b *stablehlo.Block) []bool {
	if used, ok := t.demanded.Live(b); ok {
		return used
	}
	t.demanded.Renames.Apply(b)
	simplify.DeadCode(b, t.effects, t.checkCancel)
	used := make([]bool, len(b.Args))
	for _, op := range b.Ops {
		for x := range op.Walk() {
			for _, v := range x.Operands {
				if v.Op() == nil && v.Block() == b {
					used[v.Index()] = true
				}
			}
		}
	}
	return used
}

// stateBytes returns the size of the saved elements of one state.
func (s *backStep) stateBytes() int64 { return bytesOf(at(s.body.Args, s.needed)) }

func bytesOf(vs []value) int64 {
	n := int64(0)
	for _, v := range vs {
		n += product(emit.Sizes(v)) * int64(emit.DTypeOf(v).Size())
	}
	return n
}

// emit appends the step: needed holds the saved elements of the state before it, and saved the contractions.
func (s *backStep) emit(e emitter, needed, cts, saved []value) []value {
	n := len(s.body.Args)
	args := slices.Concat(spread(make([]value, n), s.needed, needed), cts, saved)
	for i, a := range s.block.Args {
		if args[i] != nil {
			s.renames[a] = args[i]
		}
	}
	to := e.B.Block()
	for _, op := range takeOps(s.block) {
		to.Append(op)
	}
	ret := to.Terminator()
	to.SetOps(to.Ops[:len(to.Ops)-1])
	s.renames.Operands(ret)
	return ret.Operands
}

// stackStates runs the loop with a buffer for each saved element of the state and each saved contraction, with a row
// for each of at most trips steps.
func (t *tracer) stackStates(op *stablehlo.Op, step *backStep, trips int64, exact bool) history {
	n, body, inits := len(op.Operands), step.body, op.Operands
	d := indexType(trips + 1)
	state := append(slices.Clone(inits), t.Scalar(d, 0))
	var stacked []int
	for _, i := range step.needed {
		if _, counts := step.counters[i]; !counts {
			stacked = append(stacked, i)
		}
	}
	for _, v := range slices.Concat(at(body.Args, stacked), step.saved) {
		a := emit.TensorOf(v)
		state = append(state, t.Zeros(a.WithDims(append([]int64{trips}, a.Dims...)...)))
	}
	results := t.while(state,
		func(e emitter, args []value) value { return e.adopt(op.Regions[0].Block(), args[:n])[0] },
		func(e emitter, args []value) []value {
			count, stacks := args[n], args[n+1:]
			var next []value
			for k, i := range stacked {
				next = append(next, e.SetRow(stacks[k], args[i], count))
			}
			state := e.adopt(body, args[:n])
			for k, v := range step.saved {
				next = append(next, e.SetRow(stacks[len(stacked)+k], v, count))
			}
			return slices.Concat(state, []value{e.Plus(1, count)}, next)
		})
	count, stacks := results[n], results[n+1:]
	back := func(e emitter, step *backStep, cts []value) []value {
		last := e.Scalar(d, float64(trips-1))
		if !exact {
			last = e.Plus(-1, count)
		}
		saved := map[value]value{}
		for k, i := range stacked {
			saved[step.block.Args[i]] = stacks[k]
		}
		for k, v := range step.block.Args[len(step.block.Args)-len(step.saved):] {
			saved[v] = stacks[len(stacked)+k]
		}
		late := step.deferSums(inits, trips, saved, step.free(trips, exact))
		state := append([]value{last}, cts...)
		for _, v := range late.stacked {
			a := emit.TensorOf(v)
			state = append(state, e.Zeros(a.WithDims(append([]int64{trips}, a.Dims...)...)))
		}
		m := 1 + len(cts)
		results := e.while(state, notNegative, func(e emitter, args []value) []value {
			at := args[0]
			needed := make([]value, len(step.needed))
			for k, i := range step.needed {
				if by, counts := step.counters[i]; counts {
					needed[k] = e.Add(inits[i], e.Scale(float64(by), e.Convert(at, emit.DTypeOf(inits[i]))))
				} else {
					needed[k] = e.Row(stacks[slices.Index(stacked, i)], at)
				}
			}
			saved := make([]value, len(step.saved))
			for k := range saved {
				saved[k] = e.Row(stacks[len(stacked)+k], at)
			}
			next := append([]value{e.Plus(-1, at)}, step.emit(e, needed, args[1:m], saved)...)
			for k, v := range late.stacked {
				next = append(next, e.SetRow(args[m+k], step.renames.Of(v), at))
			}
			return next
		})
		for k, v := range late.stacked {
			saved[v] = results[m+k]
		}
		out := slices.Clone(results[1:m])
		for k := range out {
			if late.passed[k] {
				out[k] = cts[k]
			}
		}
		late.emit(e, out)
		return out
	}
	return history{results[:n], back}
}

func notNegative(e emitter, args []value) value { return e.Compare("GE", args[0], e.Fill(args[0], 0)) }
