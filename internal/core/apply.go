package core

import (
	"github.com/go-nx/nx/stablehlo"
)

// apply applies a traced function, or another program whose types are those of its
// operands with their vectorised axes; a function of the package is an
// [operation]. With traced operands it becomes part of their graph; on data it is
// compiled once and run.
func apply(c *call) []Tensor {
	for _, x := range c.ins {
		if x.p == nil {
			failOn(ErrAbsent, c.op, c.ins, "a field that was never set, or the gradient of one?",
				"an operand is absent")
		}
	}
	if t := traceFor(c.ins); t != nil {
		return t.append(c)
	}
	return c.runEager(homeFor(c.op, c.ins))
}

// applyModule applies the function @main of a module as one op: its ops join
// the graph under construction, or it is compiled and run at once.
func applyModule(op string, m *stablehlo.Module, ins []Tensor, outs []*Spec) []Tensor {
	f, _ := m.Func("main")
	c := call{op: op, ins: ins, outs: outs, uses: []*stablehlo.Module{m},
		emit: func(e *emitter, in []*stablehlo.Value) []*stablehlo.Value { return graft(e.B.Block(), f, in) }}
	if traceFor(ins) == nil {
		c.key = m.String() // the text is the identity
	}
	return apply(&c)
}

// append adds an op to the graph. What it emits carries the user's line.
func (t *trace) append(c *call) []Tensor {
	e := emitOn(t.block, t.location())
	t.fn.mu.Lock()
	defer t.fn.mu.Unlock()
	t.alive(c.op)
	in := make([]*stablehlo.Value, len(c.ins))
	for i, x := range c.ins {
		in[i] = t.value(c.op, x, e)
	}
	for _, m := range c.uses {
		t.fn.use(m)
	}
	values := c.emit(e, in)
	out := make([]Tensor, len(values))
	for i, v := range values {
		out[i] = t.result(c.outs[i], v)
	}
	return out
}
