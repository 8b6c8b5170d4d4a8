package autodiff

import (
	"slices"

	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/internal/sharding"
	"github.com/go-nx/nx/stablehlo"
)

// jvpManual computes the tangents of the shards in the body, sharded like the values.
func jvpManual(t *tracer, op *stablehlo.Op) {
	if t.pullbacks != nil {
		pullManual(t, op)
		return
	}
	m := t.manual(op)
	varying, active, n := t.varying(op), t.active(op.Results), len(op.Results)
	body := op.Regions[0].Block()
	operands := append(slices.Clone(op.Operands), t.tangents(at(op.Operands, varying))...)
	c := m.cloneWith(op, operands, append(typesOf(op.Results), typesOf(at(op.Results, active))...),
		append(slices.Clone(m.Ins), at(m.Ins, varying)...), append(slices.Clone(m.Outs), at(m.Outs, active)...))
	inner := t.on(c.AddRegion(append(typesOf(body.Args), typesOf(at(body.Args, varying))...)...))
	args := inner.B.Block().Args
	inner.replace(body.Args, args[:len(body.Args)])
	for k, i := range varying {
		inner.set(args[i], args[len(body.Args)+k])
	}
	inner.finish(body, body.Terminator(), active)
	t.append(c)
	t.replace(op.Results, c.Results[:n])
	for k, i := range active {
		t.set(c.Results[i], c.Results[n+k])
	}
}

// pullManual linearises a computation on a mesh. Its transpose repeats the body on each device and
// pulls the shards of the cotangents back. Devices with a replicated result each have an equal
// share of its cotangent; the cotangent of a replicated operand is the sum of theirs.
func pullManual(t *tracer, op *stablehlo.Op) {
	t.mustRepeat(op)
	t.append(op)
	m := t.manual(op)
	varying, active := t.varying(op), t.active(op.Results)
	body := op.Regions[0].Block()
	results := t.standIn(t.tangents(at(op.Operands, varying)), typesOf(at(op.Results, active)),
		func(tr *transposer, linear *stablehlo.Op, cts []value) {
			var given []int // the results with a cotangent
			operands := slices.Clone(op.Operands)
			for k, i := range active {
				if ct := tr.clean(cts[k]); ct != nil {
					given = append(given, i)
					operands = append(operands, ct)
				}
			}
			back := m.cloneWith(op, operands, typesOf(at(op.Operands, varying)),
				append(slices.Clone(m.Ins), at(m.Outs, given)...), at(m.Ins, varying))
			ret := body.Terminator()
			e := tr.on(back.AddRegion(append(typesOf(body.Args), typesOf(at(ret.Operands, given))...)...))
			args, n := e.B.Block().Args, len(body.Args)
			outs := make([]value, len(op.Results))
			for k, i := range given {
				outs[i] = e.Scale(1/float64(m.copies(m.Outs[i])), args[n+k])
			}
			grads, _ := t.pullBlock(e, body, args[:n], varying, outs, nil, nil)
			for k, i := range varying {
				grads[k] = m.sum(e, e.OrZeros(grads[k], body.Args[i]), m.Ins[i])
			}
			e.B.Block().Append(stablehlo.NewOp(stablehlo.OpSdyReturn, grads, nil))
			tr.B.Block().Append(back)
			for k := range varying {
				tr.accumulate(linear.Operands[k], back.Results[k])
			}
		})
	for k, i := range active {
		t.set(op.Results[i], results[k])
	}
}

// varying returns the positions of the operands with tangents.
func (t *tracer) varying(op *stablehlo.Op) []int {
	return slices.DeleteFunc(haveTangents(op.Operands), func(i int) bool { return t.tangent[op.Operands[i]] == nil })
}

// manual is a computation on a mesh.
type manual struct{ *sharding.Manual }

func (t *tracer) manual(op *stablehlo.Op) *manual {
	m, err := sharding.ManualOf(op, t.module)
	if err != nil {
		emit.FailWith(&emit.Error{Op: op, Err: err})
	}
	return &manual{m}
}

// cloneWith returns a computation along the same axes of the same mesh.
func (m *manual) cloneWith(op *stablehlo.Op, operands []value, results []stablehlo.Type,
	ins, outs []sharding.Spec) *stablehlo.Op {
	c := stablehlo.NewOp(op.Code, operands, results, op.Attrs...)
	c.SetAttr("in_shardings", sharding.PerValueAttr(m.Name, ins))
	c.SetAttr("out_shardings", sharding.PerValueAttr(m.Name, outs))
	c.Loc = op.Loc
	return c
}

// replicatedAxes returns the axes along which devices have the same shard.
func (m *manual) replicatedAxes(s sharding.Spec) (axes []string) {
	for _, a := range m.Mesh {
		if !s.Uses(a.Name) && slices.Contains(m.Axes, a.Name) {
			axes = append(axes, a.Name)
		}
	}
	return axes
}

// copies returns how many devices have the same shard.
func (m *manual) copies(s sharding.Spec) int {
	n := 1
	for _, a := range m.replicatedAxes(s) {
		n *= m.Mesh.Size(a)
	}
	return n
}

// sum sums over the devices with the same shard.
func (m *manual) sum(e emitter, x value, s sharding.Spec) value {
	axes := m.replicatedAxes(s)
	if m.copies(s) == 1 {
		return x
	}
	groups := m.Mesh.Groups(axes)
	for _, g := range groups {
		for i, d := range g {
			g[i] = m.Devices[d]
		}
	}
	parts := append(sharding.GroupAttrs(groups), emit.ScalarBody(stablehlo.OpAdd, emit.DTypeOf(x)),
		stablehlo.Results{x.Type()})
	return e.Value(stablehlo.OpAllReduce, []value{x}, parts...)
}
