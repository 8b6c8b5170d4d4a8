package fuse

import (
	"fmt"

	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
	"github.com/go-nx/nx/internal/cpu/program"
	"github.com/go-nx/nx/stablehlo"
)

// template is the body of a function as nodes, planned once. Each call gets copies of them over its
// own buffers. These are ordinary nodes: later passes, row loops and parallel groups, cross calls.
type template struct {
	prog     *program.Program
	values   []*stablehlo.Value // of the buffers
	body     *program.Block
	numNodes struct{ kernels, contracts, operands int }
}

// templateOf returns the template of a function, made at its first call.
func (p *planner) templateOf(name string) (*template, error) {
	if t, ok := p.templates[name]; ok {
		if t == nil {
			return nil, fmt.Errorf("cpu: @%s calls itself: recursion is not supported", name)
		}
		return t, nil
	}
	f, ok := p.module.Func(name)
	if !ok || f.IsDeclaration() {
		return nil, fmt.Errorf("cpu: there is no function @%s with a body", name)
	}
	p.templates[name] = nil
	sub := newPlanner(p.module, p.checkCancel)
	sub.templates, sub.shared, sub.plans = p.templates, p.shared, p.plans
	body, err := sub.planNodes(f.Body(), nil)
	if err != nil {
		return nil, err
	}
	t := &template{prog: sub.prog, values: sub.values, body: body}
	for _, n := range body.Nodes {
		t.numNodes.operands += len(n.Reads()) + len(n.Writes())
		switch n := n.(type) {
		case *program.Kernel:
			t.numNodes.kernels++
			p.shared[n.Kernel] = true
		case *program.Contraction:
			t.numNodes.contracts++
		case *program.Call:
		default:
			return nil, fmt.Errorf("cpu: internal error: @%s: a node of type %T is not supported in a shared function", name, n)
		}
	}
	p.templates[name] = t
	return t, nil
}

// expandCall returns the nodes of a call.
func (p *planner) expandCall(op *stablehlo.Op) ([]program.Node, error) {
	t, err := p.templateOf(op.Str("callee"))
	if err != nil {
		return nil, err
	}
	if p.callNodes += len(t.body.Nodes); p.callNodes > maxCallNodes {
		return nil, fmt.Errorf("cpu: @%s: calls must take at most %d nodes", op.Str("callee"), maxCallNodes)
	}
	to := p.buffersFor(t, op)
	bufs := make([]int, 0, t.numNodes.operands)
	list := func(of []int) []int {
		first := len(bufs)
		for _, b := range of {
			bufs = append(bufs, to[b])
		}
		return bufs[first:len(bufs):len(bufs)]
	}
	operands := func(n program.Node) program.Operands {
		return program.Operands{Ins: list(n.Reads()), Outs: list(n.Writes())}
	}
	kernels := make([]program.Kernel, 0, t.numNodes.kernels)
	contracts := make([]program.Contraction, 0, t.numNodes.contracts)
	nodes := make([]program.Node, len(t.body.Nodes))
	for i, n := range t.body.Nodes {
		p.checkCancel()
		switch n := n.(type) {
		case *program.Kernel:
			kernels = append(kernels, program.Kernel{Operands: operands(n), Kernel: n.Kernel, Slices: n.Slices})
			nodes[i] = &kernels[len(kernels)-1]
		case *program.Contraction:
			contracts = append(contracts, *n)
			c := &contracts[len(contracts)-1]
			c.Operands = operands(n)
			nodes[i] = c
		case *program.Call:
			c := *n
			c.Operands = operands(n)
			nodes[i] = &c
		}
	}
	return nodes, nil
}

// buffersFor makes the buffers of a call's nodes, and returns them by those of the template.
func (p *planner) buffersFor(t *template, op *stablehlo.Op) []int {
	to := make([]int, len(t.prog.Buffers))
	isArg := make([]bool, len(t.prog.Buffers))
	for i, a := range t.body.Args {
		to[a], isArg[a] = p.buffer(op.Operands[i]), true
	}
	for i, b := range t.prog.Buffers {
		if isArg[i] {
			continue
		}
		if b.Alias >= 0 {
			b.Alias = p.prog.Origin(to[b.Alias])
		}
		to[i] = len(p.prog.Buffers)
		p.prog.Buffers, p.values = append(p.prog.Buffers, b), append(p.values, t.values[i])
	}
	for i, r := range t.body.Results {
		v := op.Results[i]
		if b := &t.prog.Buffers[r]; isArg[r] || b.Data != nil || p.values[to[r]] != t.values[r] {
			p.newBuffer(v, to[r]) // another name of an existing buffer
			continue
		}
		p.buf[v], p.values[to[r]] = to[r], v
	}
	return to
}

// ownKernel gives a node its own copy of a shared kernel, before the kernel is changed.
func (p *planner) ownKernel(n *program.Kernel) *kernel.Kernel {
	if p.shared[n.Kernel] {
		n.Kernel = n.Kernel.Clone()
	}
	return n.Kernel
}

// planOf returns the plan of a kernel, cached.
func (p *planner) planOf(n *program.Kernel) *plan.Plan {
	if q, ok := p.plans[n.Kernel]; ok {
		return q
	}
	q := plan.Of(n.Kernel)
	p.plans[n.Kernel] = q
	return q
}
