package autodiff

import (
	"slices"

	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/stablehlo"
)

// tracer appends a program to a block, op by op, and after each op those that compute the tangents
// of its results.
type tracer struct {
	emitter
	// tangent holds the nonzero tangents.
	tangent map[value]value
	// renamed maps the results of replaced ops to their replacements.
	renamed map[value]value
	// idle holds the values that need no tangent, by the analysis.
	idle map[value]bool
	*callees
	// pullbacks is nil in forward mode. In reverse mode it holds the transposes of the linear
	// stand-ins for control flow.
	pullbacks map[*stablehlo.Op]pullback
}

// jvpRow appends op and the ops that compute the tangents of its results.
type jvpRow func(t *tracer, op *stablehlo.Op)

func newTracer(b *stablehlo.Block, idle map[value]bool, c *callees) *tracer {
	return &tracer{
		emitter: emitTo(b),
		tangent: map[value]value{}, // not of the size of idle: there is one per region
		renamed: map[value]value{},
		idle:    idle,
		callees: c,
	}
}

// on returns a tracer that appends to another block: the region of an op.
func (t *tracer) on(b *stablehlo.Block) *tracer {
	inner := *t
	inner.emitter = t.emitter.on(b)
	return &inner
}

// run appends ops, which must be detached, with their tangents.
func (t *tracer) run(ops []*stablehlo.Op) {
	for _, op := range ops {
		t.checkCancel()
		if len(t.renamed) > 0 {
			op.Replace(t.renamed)
		}
		t.B.Loc = op.Loc
		if t.isActive(op) {
			t.differentiate(op)
		} else {
			t.append(op)
		}
	}
}

// differentiate appends op and the ops that compute the tangents of its results.
func (t *tracer) differentiate(op *stablehlo.Op) {
	defer emit.Blame(op)
	if row := jvpOf(op.Code); row != nil {
		t.B.Loc = emit.Derivative(op.Loc, t.pullbacks != nil)
		row(t, op)
		return
	}
	refuse(op)
}

// isActive reports whether a result of op has a tangent.
func (t *tracer) isActive(op *stablehlo.Op) bool {
	needed := slices.ContainsFunc(op.Results, func(r value) bool { return differentiable(r.Type()) && !t.idle[r] })
	if !needed {
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

// append appends op unchanged.
func (t *tracer) append(op *stablehlo.Op) { t.B.Block().Append(op) }

// replace replaces old, the results of an op that was not appended, by new.
func (t *tracer) replace(old, new []value) {
	for i, v := range old {
		t.renamed[v] = new[i]
		if was, now := v.Op(), new[i].Op(); was != nil && now != nil && now.Loc == t.B.Loc {
			now.Loc = was.Loc // it computes the value, not a derivative
		}
	}
}

// now returns the replacement of a value of the program.
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

// tangents returns the tangents of several values, nil if zero.
func (t *tracer) tangents(vs []value) []value {
	d := make([]value, len(vs))
	for i, v := range vs {
		d[i] = t.tangent[v]
	}
	return d
}

// expand replaces op by the ops that build appends, and traces these.
func (t *tracer) expand(op *stablehlo.Op, build func(e emitter, op *stablehlo.Op) []value) {
	scratch := newScratch()
	e := t.emitter.on(scratch)
	e.B.Loc = op.Loc
	results := build(e, op)
	t.run(takeOps(scratch))
	now := make([]value, len(results))
	for i, r := range results {
		now[i] = t.now(r)
	}
	t.replace(op.Results, now)
}

// newScratch returns a detached block.
func newScratch(args ...stablehlo.Type) *stablehlo.Block {
	return stablehlo.NewUnregistered("autodiff.scratch", nil, nil).AddRegion(args...)
}

// takeOps empties a block.
func takeOps(b *stablehlo.Block) []*stablehlo.Op {
	ops := b.Ops
	b.SetOps(nil)
	return ops
}

//go:noinline
func typesOf(vs []value) []stablehlo.Type {
	types := make([]stablehlo.Type, len(vs))
	for i, v := range vs {
		types[i] = v.Type()
	}
	return types
}

// moveInto moves the ops of a block to the end of another; args replace its arguments.
func moveInto(to, from *stablehlo.Block, args []value) {
	m := map[value]value{}
	for i, a := range from.Args {
		m[a] = args[i]
	}
	for _, op := range takeOps(from) {
		op.Replace(m)
		to.Append(op)
	}
}
