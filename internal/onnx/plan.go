package onnx

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync/atomic"

	"github.com/go-nx/nx/internal/core"
)

// plan is a part of a program for a state: what it starts with, and its code.
type plan struct {
	run     func(ctx context.Context, args []core.Tensor) ([]core.Tensor, error)
	outcome atomic.Pointer[outcome] // set once it is traced
}

// outcome is how a part of a program ends. The tensors that it computes are numbered in the order of its results.
type outcome struct {
	cut    *cut     // nil at the end of the program
	frames []*frame // after a cut
	result []Value  // at the end
}

// maxPlans bounds how many plans are kept.
const maxPlans = 256

// driver runs programs on data.
type driver struct {
	p    *Program
	ctx  context.Context
	opts []core.JitOption
}

// Run implements core.Imported.
func (p *Program) Run(ctx context.Context, args []core.Tensor, opts []core.JitOption) ([]core.Tensor, error) {
	ins := make([]Value, len(args))
	for i, t := range args {
		ins[i].t = t
	}
	outs, err := p.RunValues(ctx, ins, opts)
	if err != nil {
		return nil, err
	}
	list := make([]core.Tensor, len(outs))
	for i, v := range outs {
		if v.kind != tensorKind {
			return nil, fmt.Errorf("%s: result %q is not a tensor", p.described.Path, p.main.outputs[i])
		}
		list[i] = v.t
	}
	return list, nil
}

// RunValues computes the results of the model from its inputs, and from the weights that are arguments.
func (p *Program) RunValues(ctx context.Context, ins []Value, opts []core.JitOption) (outs []Value, err error) {
	if want := len(p.inputs) + len(p.free); len(ins) != want {
		return nil, fmt.Errorf("%s takes %d inputs, got %d", p.described.Path, want, len(ins))
	}
	inline := false
	for _, v := range ins {
		v.each(func(v Value) Value {
			inline = inline || core.IsTraced(v.t)
			return v
		})
	}
	defer func() {
		if err != nil && ctx.Err() == nil {
			err = fmt.Errorf("%s: %w", p.described.Path, err)
		}
	}()
	if inline {
		return p.inline(ctx, ins)
	}
	for {
		p.mutex.Lock()
		sized := p.sized
		p.mutex.Unlock()
		d := &driver{p, ctx, opts}
		outs, more, err := d.walk([]*frame{{body: p.main, scope: p.start(ins, sized)}})
		if more == 0 || err != nil {
			return outs, err
		}
		p.mutex.Lock()
		p.sized |= more
		p.mutex.Unlock()
	}
}

// start returns the scope of the main graph with its inputs; those of sized are known.
func (p *Program) start(ins []Value, sized uint64) *scope {
	s := p.newScope(p.main, nil, 0)
	for i, v := range ins {
		if v.read { // given as known
			s.values[p.inputs[i].Name] = v
			continue
		}
		v.from = origin{other: true}
		v.opaque = true
		if i >= len(p.inputs) {
			s.values[p.free[i-len(p.inputs)].Name] = v
			continue
		}
		switch {
		case v.kind != tensorKind:
			v = v.each(func(v Value) Value { v.opaque, v.from = true, origin{other: true}; return v })
		case p.bound[i] || i < 64 && sized>>i&1 != 0:
			v.opaque, v.read, v.from = false, true, origin{}
		case i < 64 && v.t.Rank() <= 1 && v.t.Size() <= maxSizes && v.t.DType().IsInteger():
			v.from = origin{inputs: 1 << i}
		}
		s.values[p.inputs[i].Name] = v
	}
	return s
}

// maxSizes is the number of integers up to which an input may be one that decides shapes.
const maxSizes = 16

// inline imports the model as a part of what is traced around the call.
func (p *Program) inline(ctx context.Context, ins []Value) ([]Value, error) {
	m := &machine{p: p, ctx: ctx, frames: []*frame{{body: p.main, scope: p.start(ins, 0)}}}
	if err := m.run(); err != nil {
		return nil, err
	}
	if m.cut != nil {
		return nil, fmt.Errorf("%s: call the model outside of functions that are compiled or differentiated, or "+
			"give inputs that decide shapes by nx.Bind", m.cut.why)
	}
	return m.result, nil
}

// walk runs frames to their end, a part after another; more has inputs that must be known for another try.
func (d *driver) walk(frames []*frame) (_ []Value, more uint64, err error) {
	for {
		key, args := stateOf(frames)
		pl := d.plan(key, frames)
		results, err := pl.run(d.ctx, args)
		if err != nil {
			return nil, 0, err
		}
		o := pl.outcome.Load()
		if o.cut == nil {
			return fill(o.result, results), 0, nil
		}
		if o.cut.sized != 0 {
			return nil, o.cut.sized, nil
		}
		frames, err = d.resume(o, results)
		if err != nil {
			return nil, 0, err
		}
	}
}

// resume returns the state after a cut: the values that a part has computed, one of them to be read, or the results of
// an op that ran on them.
func (d *driver) resume(o *outcome, results []core.Tensor) ([]*frame, error) {
	var read *scope
	frames := mapFrames(o.frames, func(of *scope, name string, v Value) Value {
		return fill([]Value{v}, results)[0]
	}, func(from, to *scope) {
		if from == o.cut.read {
			read = to
		}
	})
	top := frames[len(frames)-1]
	if !o.cut.host {
		v, err := d.p.lookup(read, o.cut.name)
		if err != nil {
			return nil, err
		}
		read.values[o.cut.name] = v.each(func(v Value) Value {
			v.opaque, v.read, v.from = false, true, origin{}
			return v
		})
		return frames, nil
	}
	n, err := d.p.nodeAt(top.scope, top.body.nodes[top.pc])
	if err != nil {
		return nil, err
	}
	for i, v := range n.ins {
		n.ins[i] = v.each(func(v Value) Value { v.opaque = false; return v })
	}
	n.row = rowOf(domainOf(n.Domain), n.OpType, n.version)
	var hostErr error
	list, need, err := n.compute(func() []Value {
		if n.row.host != nil && !n.row.sized {
			var list []Value
			list, hostErr = n.row.host(d, n)
			return list
		}
		return n.row.run(n)
	})
	switch {
	case hostErr != nil:
		return nil, hostErr
	case err != nil:
		return nil, err
	case need != nil:
		return nil, errors.New(need.why)
	}
	for i := range list {
		list[i] = list[i].each(func(v Value) Value { v.opaque, v.from = true, origin{other: true}; return v })
	}
	if err := set(n.Node, top.scope, list); err != nil {
		return nil, err
	}
	top.pc++
	return frames, nil
}

// plan returns the plan of a state.
func (d *driver) plan(key string, frames []*frame) *plan {
	p := d.p
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if pl := p.plans[key]; pl != nil {
		return pl
	}
	if len(p.plans) >= maxPlans {
		clear(p.plans)
	}
	// The plan keeps the types of arguments, not their data.
	frames = mapFrames(frames, func(_ *scope, _ string, v Value) Value {
		return v.each(func(v Value) Value {
			if v.known() {
				return v
			}
			v.t = core.Tensor{}
			return v
		})
	}, nil)
	pl := &plan{}
	pl.run = core.Jit(func(ctx context.Context, args []core.Tensor) ([]core.Tensor, error) {
		return pl.trace(ctx, p, frames, args)
	}, d.opts...)
	p.plans[key] = pl
	return pl
}

// trace imports a part of a program.
func (pl *plan) trace(ctx context.Context, p *Program, frames []*frame, args []core.Tensor) ([]core.Tensor, error) {
	next := 0
	m := &machine{p: p, ctx: ctx}
	m.frames = mapFrames(frames, func(_ *scope, _ string, v Value) Value {
		return v.each(func(v Value) Value {
			if v.t.IsZero() {
				v.t, v.opaque = args[next], false
				next++
			}
			return v
		})
	}, nil)
	if err := m.run(); err != nil {
		return nil, err
	}
	var results []core.Tensor
	number := func(v Value, all bool) Value {
		return v.each(func(v Value) Value {
			if !all && v.known() {
				return v
			}
			results = append(results, v.t)
			v.t, v.slot = core.Tensor{}, len(results)
			return v
		})
	}
	o := &outcome{cut: m.cut}
	switch {
	case m.cut == nil:
		for _, v := range m.result {
			o.result = append(o.result, number(v, true))
		}
	case m.cut.sized == 0:
		o.frames = mapFrames(live(m.frames, m.cut), func(_ *scope, _ string, v Value) Value { return number(v, false) },
			func(from, to *scope) {
				if from == m.cut.read {
					m.cut.read = to
				}
			})
	}
	pl.outcome.Store(o)
	return results, nil
}

// fill returns values with the results of a part in their places; these are data.
func fill(list []Value, results []core.Tensor) []Value {
	out := make([]Value, len(list))
	for i, v := range list {
		out[i] = v.each(func(v Value) Value {
			if v.slot > 0 {
				v.t, v.slot, v.opaque = results[v.slot-1], 0, true
			}
			return v
		})
	}
	return out
}

// mapFrames returns a copy of frames with values that f returns; each is called for each scope and its copy.
func mapFrames(frames []*frame, f func(of *scope, name string, v Value) Value, each func(from, to *scope)) []*frame {
	copies := map[*scope]*scope{}
	out := make([]*frame, len(frames))
	for i, fr := range frames {
		c := *fr
		out[i] = &c
	}
	for _, s := range scopesOf(frames) {
		c := *s
		copies[s] = &c
		c.values = make(map[string]Value, len(s.values))
		for _, name := range slices.Sorted(maps.Keys(s.values)) {
			c.values[name] = f(s, name, s.values[name])
		}
		if s.parent != nil {
			c.parent = copies[s.parent]
		}
		if each != nil {
			each(s, &c)
		}
	}
	for _, fr := range out {
		fr.scope, fr.into = copies[fr.scope], copies[fr.into]
	}
	return out
}

// scopesOf returns the scopes of frames, those around others before them.
func scopesOf(frames []*frame) []*scope {
	var list []*scope
	seen := map[*scope]bool{}
	var add func(s *scope)
	add = func(s *scope) {
		if s == nil || seen[s] {
			return
		}
		seen[s] = true
		add(s.parent)
		list = append(list, s)
	}
	for _, f := range frames {
		add(f.into)
		add(f.scope)
	}
	return list
}

// stateOf returns the identity of a state, and the tensors that are arguments of its part.
func stateOf(frames []*frame) (key string, args []core.Tensor) {
	var b []byte
	for _, f := range frames {
		b = fmt.Appendf(b, "%p %d;", f.body, f.pc)
	}
	for i, s := range scopesOf(frames) {
		b = fmt.Appendf(b, "|%d %p", i, s.body)
		for _, name := range slices.Sorted(maps.Keys(s.values)) {
			b = append(append(b, ' '), name...)
			b, args = appendValue(b, args, s.values[name])
		}
	}
	return string(b), args
}

func appendValue(b []byte, args []core.Tensor, v Value) ([]byte, []core.Tensor) {
	b = append(b, byte('0'+v.kind))
	switch v.kind {
	case sequenceKind:
		b = binary.AppendUvarint(b, uint64(len(v.list)))
		for _, e := range v.list {
			b, args = appendValue(b, args, e)
		}
	case stringKind:
		b = fmt.Appendf(b, "%v%q", v.shape, v.strings)
	case tensorKind:
		b = append(b, byte(v.t.DType()), byte(v.t.Rank()))
		for _, d := range v.t.Shape() {
			b = binary.AppendUvarint(b, uint64(d))
		}
		if v.known() {
			return append(b, core.Bytes(v.t)...), args
		}
		b = append(b, '?')
		args = append(args, v.t)
	}
	return b, args
}
