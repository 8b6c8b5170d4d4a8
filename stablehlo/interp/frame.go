package interp

import (
	"context"
	"fmt"
)

// frame is a running function. The regions of its ops run in the same frame,
// one at a time, each in its own slots.
type frame struct {
	it      *Interpreter
	ctx     context.Context
	proc    *process
	session *session
	plan    *plan
	slots   []Value
}

// maxDepth limits the nesting of running blocks, of functions and of regions: about a tenth of the capacity of
// the Go stack. Processes share it, but each has at least minDepth.
const (
	maxDepth = 50_000
	minDepth = 100
)

// call runs a function in a new frame.
func (f *frame) call(p *plan, args []Value) ([]Value, error) {
	if p.body == nil {
		return nil, faultf(NoFunction, "function @%s is declared but has no body", p.name)
	}
	if len(args) != len(p.body.args) {
		return nil, faultf(BadArgument, "@%s takes %d arguments, got %d", p.name, len(p.body.args), len(args))
	}
	callee := &frame{it: f.it, ctx: f.ctx, proc: f.proc, session: f.session, plan: p, slots: make([]Value, p.slots)}
	return callee.run(p.body, args...)
}

// run runs a block with arguments and returns the operands of its terminator.
func (f *frame) run(b *body, args ...Value) ([]Value, error) {
	for i, slot := range b.args {
		f.slots[slot] = args[i]
	}
	if err := f.steps(b); err != nil {
		return nil, err
	}
	outs := make([]Value, len(b.outs))
	for i, slot := range b.outs {
		outs[i] = f.slots[slot]
	}
	return outs, nil
}

// steps runs the ops of a block whose arguments are in their slots.
func (f *frame) steps(b *body) error {
	if f.proc.depth++; f.proc.depth > f.proc.deepest {
		return faultf(TooDeep, "more than %d nested blocks", f.proc.deepest)
	}
	defer func() { f.proc.depth-- }()
	for i := range b.steps {
		if err := f.step(&b.steps[i]); err != nil {
			return err
		}
	}
	return nil
}

func (f *frame) step(s *step) error {
	if err := f.tick(); err != nil {
		return f.at(s, err)
	}
	args := make([]Value, len(s.ins))
	for i, slot := range s.ins {
		args[i] = f.slots[slot]
	}
	outs, err := f.eval(s, args)
	if err != nil {
		return f.at(s, err)
	}
	if len(outs) != len(s.outs) {
		return f.at(s, fmt.Errorf("the op returned %d results, want %d", len(outs), len(s.outs)))
	}
	for i, slot := range s.outs {
		if x, ok := outs[i].(*Tensor); ok {
			if err := fits(s.op.Results[i].Tensor(), x.dims()); err != nil {
				return f.at(s, err)
			}
		}
		f.slots[slot] = outs[i]
	}
	f.report(s.op, args, outs)
	for _, slot := range s.dead {
		f.slots[slot] = nil
	}
	return nil
}

// tick returns the context's error now and then; loops that can be long call
// it once an iteration.
func (f *frame) tick() error { return f.tickN(1) }

// atOnce is how many elements are gone through between two looks at the context.
const atOnce = 1000

// each calls do for 0 … n-1, or until the context ends.
func (f *frame) each(n int, do func(i int)) error {
	for from := 0; from < n; from += atOnce {
		if err := f.tickN(min(atOnce, n-from)); err != nil {
			return err
		}
		for i := from; i < min(from+atOnce, n); i++ {
			do(i)
		}
	}
	return nil
}

// tickN is tick for n iterations at once.
func (f *frame) tickN(n int) error {
	if f.proc.ticks += n; f.proc.ticks < 1000 {
		return nil
	}
	f.proc.ticks = 0
	if f.ctx.Err() != nil {
		return canceled(f.ctx)
	}
	return nil
}
