package interp

import (
	"context"

	"github.com/go-nx/nx/stablehlo"
)

// Step is an op that has run, as [WithSteps] reports it.
type Step struct {
	Op            *stablehlo.Op
	Args, Results []Value
	// Within are the calls, branches and loops that it ran in, the outermost first. The slice is reused.
	Within []Within
	// Device is the place in its mesh of the device that the op ran on; -1 outside of sdy.manual_computation.
	Device int
}

// Within is an op that another one runs in: a call, a branch or a loop.
type Within struct {
	Op        *stablehlo.Op
	Iteration int // of a loop, from 0
}

// WithSteps calls f after each op, except for those of regions that compute on elements, such as that of a
// reduction. The parts into which sdy.manual_computation cuts its operands, and the results that it joins, are
// reported as results of that op. Calls are not concurrent.
func WithSteps(f func(s Step)) Option { return func(it *Interpreter) { it.steps = f } }

// Compute may compute the results of an op elsewhere, for example by compiled code; ok is false for those that it
// leaves to the interpreter.
type Compute func(ctx context.Context, op *stablehlo.Op, args []*Tensor) (results []*Tensor, ok bool, err error)

// WithCompute lets f compute ops, except for those of regions that compute on elements. Calls may be concurrent.
func WithCompute(f Compute) Option { return func(it *Interpreter) { it.compute = f } }

// eval runs an op.
func (f *frame) eval(s *step, args []Value) ([]Value, error) {
	if f.proc.silent > 0 || f.it.compute == nil && f.it.steps == nil {
		return s.eval(f, s, args)
	}
	if f.it.compute != nil {
		if x, err := tensors(args); err == nil {
			results, ok, err := f.it.compute(f.ctx, s.op, x)
			if err != nil {
				return nil, &Fault{Kind: CallFailed, Detail: "the function of WithCompute", Err: err}
			}
			if ok {
				return values(results), nil
			}
		}
	}
	if len(s.regions) == 0 && s.op.Code != stablehlo.OpCall && s.op.Code != stablehlo.OpComposite {
		return s.eval(f, s, args)
	}
	f.proc.within = append(f.proc.within, Within{Op: s.op})
	defer func() { f.proc.within = f.proc.within[:len(f.proc.within)-1] }()
	return s.eval(f, s, args)
}

// iterated counts an iteration of the loop that runs.
func (f *frame) iterated() {
	if n := len(f.proc.within); n > 0 && f.proc.silent == 0 {
		f.proc.within[n-1].Iteration++
	}
}

// silently runs a region that computes on elements.
func (f *frame) silently(run func() error) error {
	f.proc.silent++
	defer func() { f.proc.silent-- }()
	return run()
}

// report reports a step.
func (f *frame) report(op *stablehlo.Op, args, results []Value) {
	if f.it.steps == nil || f.proc.silent > 0 {
		return
	}
	f.session.mu.Lock()
	defer f.session.mu.Unlock()
	f.it.steps(Step{op, args, results, f.proc.within, f.proc.device - 1})
}
