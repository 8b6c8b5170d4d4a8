package onnx

import (
	"context"
	"fmt"
	"maps"
	"runtime"

	"github.com/go-nx/nx/diag"
	"github.com/go-nx/nx/encoding/onnx"
	"github.com/go-nx/nx/internal/core"
	"github.com/go-nx/nx/stablehlo"
)

// frame is a place in a list of nodes that is being walked.
type frame struct {
	body   *body
	pc     int // the next node
	scope  *scope
	caller *onnx.Node // whose results are those of the body; nil for the outermost
	into   *scope     // where they go
}

// machine walks nodes, and makes a part of a program of them.
type machine struct {
	p      *Program
	ctx    context.Context
	frames []*frame // the innermost is last
	depth  int      // in how many graphs of traced ops it is
	cut    *cut     // set when it has ended before a node
	result []Value  // of the outermost frame
}

// cut says why a part of a program ends.
type cut struct {
	read  *scope // in which name is to be read, nil for none
	name  string
	host  bool   // the next node runs on data
	sized uint64 // inputs of the model that must be known
	why   string
}

// run walks up to the end or a cut.
func (m *machine) run() (err error) {
	for len(m.frames) > 0 && m.cut == nil {
		if err := m.ctx.Err(); err != nil {
			return context.Cause(m.ctx)
		}
		f := m.frames[len(m.frames)-1]
		if f.pc < len(f.body.nodes) {
			if err := m.step(f, f.body.nodes[f.pc]); err != nil {
				return err
			}
			continue
		}
		if err := m.leave(f); err != nil {
			return err
		}
	}
	return nil
}

// leave ends a frame.
func (m *machine) leave(f *frame) error {
	list := make([]Value, len(f.body.outputs))
	for i, name := range f.body.outputs {
		if name == "" {
			continue
		}
		v, err := m.p.lookup(f.scope, name)
		if err != nil {
			return fmt.Errorf("result of %s: %w", f.body.name, err)
		}
		list[i] = v
	}
	m.frames = m.frames[:len(m.frames)-1]
	if f.caller == nil {
		m.result = list
		return nil
	}
	return set(f.caller, f.into, list)
}

// set gives names of results their values.
func set(n *onnx.Node, s *scope, list []Value) error {
	for i, name := range n.Outputs {
		if name == "" {
			continue
		}
		if i >= len(list) || list[i].kind == tensorKind && list[i].t.IsZero() {
			return fmt.Errorf("%s: the result %d is not computed", labelOf(n, s.version(n.Domain)), i)
		}
		s.values[name] = list[i]
	}
	return nil
}

// nodeAt returns a node with its operands.
func (p *Program) nodeAt(s *scope, of *onnx.Node) (*node, error) {
	n := &node{Node: of, p: p, scope: s, version: s.version(of.Domain), ins: make([]Value, len(of.Inputs))}
	for i, name := range of.Inputs {
		if name == "" {
			continue
		}
		v, err := p.lookup(s, name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", n.label(), err)
		}
		n.ins[i] = v
	}
	return n, nil
}

// step imports a node.
func (m *machine) step(f *frame, of *onnx.Node) error {
	n, err := m.p.nodeAt(f.scope, of)
	if err != nil {
		return err
	}
	n.m = m
	if fn := m.p.functions[functionName{domainOf(of.Domain), of.OpType, of.Overload}]; fn != nil {
		return m.enter(f, n, fn)
	}
	if n.row = rowOf(domainOf(of.Domain), of.OpType, n.version); n.row == nil {
		return fmt.Errorf("%s: the op is not supported", n.label())
	}
	known, data := true, true
	from := origin{}
	for i, v := range n.ins {
		if of.Inputs[i] == "" {
			continue
		}
		known = known && v.known()
		from = from.with(v.from)
		v.each(func(v Value) Value {
			data = data && !core.IsTraced(v.t)
			return v
		})
	}
	graphs := hasGraphs(of)
	from.other = from.other || graphs
	n.atOnce = known && !n.row.traced && !graphs
	if n.row.sized && !n.atOnce {
		if m.depth > 0 {
			panic(needed{name: of.Inputs[0], value: n.ins[0], scope: f.scope, host: true,
				why: fmt.Sprintf("the shape of a result of %s depends on values", n.label())})
		}
		m.cut = &cut{host: true, why: fmt.Sprintf("the shape of a result of %s depends on values", n.label())}
		return nil
	}
	var inner *frame
	list, need, err := n.compute(func() []Value {
		if n.row.frame != nil {
			if inner = n.row.frame(m, n); inner != nil {
				return nil
			}
		}
		return n.row.run(n)
	})
	switch {
	case need != nil && m.depth > 0:
		panic(*need)
	case need != nil:
		return m.cutAt(n, need)
	case err != nil:
		return err
	case inner != nil:
		f.pc++
		m.frames = append(m.frames, inner)
		return nil
	}
	for i := range list {
		list[i].from = from
	}
	if err := set(of, f.scope, list); err != nil {
		return err
	}
	f.pc++
	return nil
}

func hasGraphs(n *onnx.Node) bool {
	for _, a := range n.Attributes {
		if a.Graph != nil || len(a.Graphs) > 0 {
			return true
		}
	}
	return false
}

// cutAt ends the part before a node that needs a value.
func (m *machine) cutAt(n *node, need *needed) error {
	owner := (*scope)(nil)
	if need.scope != nil && !need.host {
		owner = need.scope.owner(need.name)
	}
	switch {
	case owner != nil && owner.depth == 0 && !need.value.from.other && need.value.from.inputs != 0:
		m.cut = &cut{sized: need.value.from.inputs, why: need.why}
	case owner != nil && owner.depth == 0:
		m.cut = &cut{read: owner, name: need.name, why: need.why}
	case n.row.host != nil:
		m.cut = &cut{host: true, why: need.why}
	default:
		return fmt.Errorf("%s: %s, inside of the op, which is not supported", n.label(), need.why)
	}
	return nil
}

// enter begins the call of a function of the model.
func (m *machine) enter(f *frame, n *node, fn *onnx.Function) error {
	if len(m.frames) > maxDepth {
		return fmt.Errorf("%s: calls are nested deeper than %d", n.label(), maxDepth)
	}
	b := m.p.bodyOfFunction(fn)
	s := m.p.newScope(b, nil, m.depth)
	if len(n.Inputs) > len(fn.Inputs) || len(n.Outputs) > len(fn.Outputs) {
		return fmt.Errorf("%s: the function has %d operands and %d results, the node %d and %d", n.label(),
			len(fn.Inputs), len(fn.Outputs), len(n.Inputs), len(n.Outputs))
	}
	for i, v := range n.ins {
		if n.Inputs[i] != "" {
			s.values[fn.Inputs[i]] = v
		}
	}
	s.attrs = map[string]*onnx.Attribute{}
	for _, a := range fn.Defaults {
		s.attrs[a.Name] = a
	}
	for _, a := range n.Attributes {
		if a = n.attr(a.Name); a != nil {
			s.attrs[a.Name] = a
		}
	}
	for _, a := range fn.Required {
		if given := n.Attr(a); given != nil {
			s.attrs[a] = n.attr(a)
		}
	}
	f.pc++
	m.frames = append(m.frames, &frame{body: b, scope: s, caller: n.Node, into: f.scope})
	return nil
}

// maxDepth bounds nested calls and graphs.
const maxDepth = 100

// bodyError is the panic of a graph in a node.
type bodyError struct{ err error }

// compute runs an op; need is set if it needs a value that is not known.
func (n *node) compute(f func() []Value) (list []Value, need *needed, err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case needed:
			if r.scope == nil {
				r.scope = n.scope
			}
			list, need = nil, &r
		case nodeError:
			err = fmt.Errorf("%s: %s", n.label(), r.text)
		case bodyError:
			err = fmt.Errorf("%s: %w", n.label(), r.err)
		case runtime.Error:
			err = fmt.Errorf("%s: its operands and attributes do not fit: %w", n.label(), r)
		case error:
			if e := diag.As(r); e != nil {
				err = fmt.Errorf("%s: %w", n.label(), e)
				return
			}
			err = fmt.Errorf("%s: %w", n.label(), r)
		case string: // of a check inside of a package
			err = fmt.Errorf("%s: %s", n.label(), r)
		default:
			panic(r)
		}
	}()
	if n.atOnce {
		core.AtOnce(func() { list = f() })
		return list, nil, nil
	}
	if n.m == nil {
		return f(), nil, nil
	}
	core.At(&stablehlo.NameLoc{Name: n.label()}, func() { list = f() })
	return list, nil, nil
}

// sub imports a graph of a node as a part of what is traced: the body of a loop, a branch.
func (n *node) sub(b *body, args []Value) []Value {
	m := n.m
	if m.depth > maxDepth {
		n.fail("graphs are nested deeper than %d", maxDepth)
	}
	s := m.p.newScope(b, n.scope, m.depth+1)
	if len(args) > len(b.inputs) {
		n.fail("the graph %s has %d inputs, the op gives %d", b.name, len(b.inputs), len(args))
	}
	for i, v := range args {
		s.values[b.inputs[i]] = v
	}
	inner := &machine{p: m.p, ctx: m.ctx, depth: m.depth + 1, frames: []*frame{{body: b, scope: s}}}
	if err := inner.run(); err != nil {
		panic(bodyError{err})
	}
	return inner.result
}

// live returns frames with the values that the rest of them uses.
func live(frames []*frame, at *cut) []*frame {
	used := map[string]bool{}
	for _, f := range frames {
		maps.Copy(used, f.body.uses[f.pc])
		for _, name := range f.body.outputs {
			used[name] = true
		}
	}
	copies := map[*scope]*scope{}
	var copyOf func(s *scope) *scope
	copyOf = func(s *scope) *scope {
		if s == nil {
			return nil
		}
		if c := copies[s]; c != nil {
			return c
		}
		c := *s
		copies[s] = &c
		if at.read == s {
			at.read = &c
		}
		c.parent = copyOf(s.parent)
		c.values = map[string]Value{}
		for name, v := range s.values {
			if used[name] {
				c.values[name] = v
			}
		}
		return &c
	}
	out := make([]*frame, len(frames))
	for i, f := range frames {
		c := *f
		c.scope, c.into = copyOf(f.scope), copyOf(f.into)
		out[i] = &c
	}
	return out
}
