package autodiff

import (
	"slices"

	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/stablehlo"
)

// jvpCase also computes the tangents of the taken branch; in reverse mode the branch returns the
// residuals of its transpose.
func jvpCase(t *tracer, op *stablehlo.Op) {
	if t.pullbacks != nil {
		pullCase(t, op)
		return
	}
	active := t.active(op.Results)
	n := len(op.Results)
	types := append(typesOf(op.Results), typesOf(at(op.Results, active))...)
	c := stablehlo.NewOp(op.Code, op.Operands, types, op.Attrs...)
	c.Loc = op.Loc
	for _, r := range op.Regions {
		inner := t.on(c.AddRegion())
		ret := r.Block().Terminator()
		inner.finish(r.Block(), ret, active)
	}
	t.append(c)
	t.replace(op.Results, c.Results[:n])
	for k, i := range active {
		t.set(c.Results[i], c.Results[n+k])
	}
}

// active returns the positions of the values that may have tangents.
func (t *tracer) active(vs []value) []int {
	return slices.DeleteFunc(haveTangents(vs), func(i int) bool { return t.idle[vs[i]] })
}

// finish traces the ops of a block and ends the current block with its results and the tangents of
// those at positions active.
func (t *tracer) finish(b *stablehlo.Block, ret *stablehlo.Op, active []int) {
	ops := takeOps(b)
	t.run(ops[:len(ops)-1])
	outs := make([]value, len(ret.Operands))
	for i, v := range ret.Operands {
		outs[i] = t.now(v)
	}
	for _, i := range active {
		outs = append(outs, t.OrZeros(t.tangent[outs[i]], outs[i]))
	}
	ret.Operands = outs
	t.append(ret)
}

// jvpWhile also carries the tangents of the state; in reverse mode one loop saves its states, and
// another iterates over them in reverse.
func jvpWhile(t *tracer, op *stablehlo.Op) {
	if t.pullbacks != nil {
		pullWhile(t, op)
		return
	}
	cond, body := op.Regions[0].Block(), op.Regions[1].Block()
	n, active := len(op.Operands), t.active(body.Args)
	state := slices.Clone(op.Operands)
	for _, i := range active {
		state = append(state, t.OrZeros(t.tangent[op.Operands[i]], op.Operands[i]))
	}
	loop := stablehlo.NewOp(op.Code, state, typesOf(state), op.Attrs...)
	loop.Loc = op.Loc
	more := loop.AddRegion(typesOf(state)...)
	moveInto(more, cond, more.Args[:n])

	inner := t.on(loop.AddRegion(typesOf(state)...))
	args := inner.B.Block().Args
	for i, a := range body.Args {
		t.renamed[a] = args[i]
	}
	for k, i := range active {
		t.set(args[i], args[n+k])
	}
	inner.finish(body, body.Terminator(), active)
	t.append(loop)
	t.replace(op.Results, loop.Results[:n])
	for k, i := range active {
		t.set(loop.Results[i], loop.Results[n+k])
	}
}

// while appends a loop.
func (e emitter) while(state []value, more func(e emitter, args []value) value,
	body func(e emitter, args []value) []value) []value {
	types := typesOf(state)
	return e.Op(stablehlo.OpWhile, state,
		stablehlo.Body{Args: types, Build: func(b *stablehlo.Builder, args []value) ([]value, error) {
			return []value{more(emitter{emit.Emitter{B: b}}, args)}, nil
		}},
		stablehlo.Body{Args: types, Build: func(b *stablehlo.Builder, args []value) ([]value, error) {
			return body(emitter{emit.Emitter{B: b}}, args), nil
		}}).Results
}

// choice appends an if.
func (e emitter) choice(pred value, yes, no func(e emitter) []value) []value {
	body := func(f func(e emitter) []value) stablehlo.Body {
		return stablehlo.Body{
			Build: func(b *stablehlo.Builder, _ []value) ([]value, error) {
				return f(emitter{emit.Emitter{B: b}}), nil
			}}
	}
	return e.Op(stablehlo.OpIf, []value{pred}, body(yes), body(no)).Results
}

// adopt moves the ops of a block, without its terminator, to the current one and returns the
// results of the block; args replace its arguments.
func (e emitter) adopt(b *stablehlo.Block, args []value) []value {
	to := e.B.Block()
	moveInto(to, b, args)
	ret := to.Terminator()
	to.SetOps(to.Ops[:len(to.Ops)-1])
	return ret.Operands
}
