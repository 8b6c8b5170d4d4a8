package vmap

import (
	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/stablehlo"
)

// byElement runs the op in a loop over the elements of the batch: the row of ops that have no
// batched form.
func byElement(t *batcher, op *stablehlo.Op) {
	state := []value{t.Scalar(dtype.S64, 0)}
	for _, r := range t.batchesOf(op.Results) {
		state = append(state, t.zero(r.(*stablehlo.TensorType)))
	}
	loop := stablehlo.NewOp(stablehlo.OpWhile, state, typesOf(state))
	loop.Loc = emit.Batched(op.Loc, t.size, emit.Iterations)
	more := t.on(loop.AddRegion(typesOf(state)...))
	i := more.B.Block().Args[0]
	more.end(more.Compare("LT", i, more.Scalar(dtype.S64, float64(t.size))))

	body := t.on(loop.AddRegion(typesOf(state)...))
	args := body.B.Block().Args
	element := map[value]value{}
	for x := range op.Walk() {
		for _, v := range x.Operands {
			switch _, done := element[v]; {
			case done:
			case t.marked[v]:
				element[v] = body.Row(t.get(v), args[0])
			case t.get(v) != v:
				element[v] = t.get(v)
			}
		}
	}
	one := op.Clone(map[value]value{})
	one.Replace(element)
	next := []value{body.Add(args[0], body.Scalar(dtype.S64, 1))}
	if t.active != nil && t.module.CallsHost(op) {
		one = body.runIf(body.Row(t.active, args[0]), one)
	}
	body.B.Block().Append(one)
	for k, r := range one.Results {
		next = append(next, body.SetRow(args[k+1], r, args[0]))
	}
	body.end(next...)
	t.set(op, t.B.Block().Append(loop).Results[1:]...)
}

// runIfAny appends an op that is the same for all elements, and runs it if any element is active.
func (t *batcher) runIfAny(op *stablehlo.Op) {
	c := t.runIf(t.Reduce(stablehlo.OpOr, t.active, t.Scalar(boolean, 0), 0), op)
	t.set(op, t.B.Block().Append(c).Results...)
}

// runIf returns an op that runs another one if a condition is true, and returns zeros otherwise.
func (t *batcher) runIf(when value, op *stablehlo.Op) *stablehlo.Op {
	c := stablehlo.NewOp(stablehlo.OpIf, []value{when}, typesOf(op.Results))
	c.Loc = op.Loc
	yes, no := t.on(c.AddRegion()), t.on(c.AddRegion())
	yes.end(yes.B.Block().Append(op).Results...)
	var zeros []value
	for _, r := range op.Results {
		zeros = append(zeros, no.zero(emit.TensorOf(r)))
	}
	no.end(zeros...)
	return c
}

// zero returns zeros of a type.
func (t *batcher) zero(x *stablehlo.TensorType) value {
	if x.Quant() != nil || !x.IsStatic() {
		emit.Fail("a value of type %s cannot be batched", x)
	}
	return t.Full(x, 0)
}
