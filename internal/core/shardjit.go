package core

import (
	"reflect"

	"github.com/go-nx/nx/stablehlo"
)

// ShardJit implements shard.Jit.
func ShardJit[F any, S Shardings](f F, mesh Mesh, in, out []S, opts ...JitOption) F {
	const op = "shard.Jit"
	t, v := reflect.TypeFor[F](), reflect.ValueOf(f)
	functionName(op, t, v)
	mesh.check(op)
	c := newCallable(t, v)
	s := newShardings(op, &c, mesh, in, out)
	constrain := func(what string, of Sharding, t Tensor) Tensor {
		return s.mesh.constrain(op, what, of, t)
	}
	annotated := reflect.MakeFunc(t, func(args []reflect.Value) []reflect.Value {
		first := c.firstArg()
		results := v.Call(append(args[:first:first], s.in.each(op, c.args, args[first:], isPresent, constrain)...))
		n := len(c.results)
		return append(s.out.each(op, c.results, results[:n], isPresent, constrain), results[n:]...)
	}).Interface().(F)
	return Jit(annotated, opts...)
}

// ShardingConstraint implements shard.Constrain.
func ShardingConstraint(t Tensor, mesh Mesh, s Sharding) Tensor {
	const op = "shard.Constrain"
	t.must(op)
	mesh.check(op)
	return mesh.constrain(op, "the tensor", s, t)
}

// constrain appends the annotation of a tensor; outside of a trace it only checks it.
func (m Mesh) constrain(op, what string, s Sharding, t Tensor) Tensor {
	refuseVectors(op, "vectorise inside of the function", t)
	spec := m.spec(op, what, s, t.p.spec)
	m.resized(op, what, spec, t.p.spec, true)
	if currentMesh() != nil {
		failOn(ErrTrace, op, []Tensor{t}, "tensors inside shard.Map are parts already", "this is inside of ShardMap")
	}
	if traceFor([]Tensor{t}) == nil {
		return t.asResult(op)
	}
	typ := t.p.spec
	return apply(&call{op: op, ins: []Tensor{t}, outs: []*Spec{typ}, uses: []*stablehlo.Module{m.module()},
		emit: func(e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
			o := stablehlo.NewOp(stablehlo.OpSdyShardingConstraint, in, typesOf([]*Spec{typ}),
				stablehlo.Named("sharding", spec.Attr(m.symbol())))
			o.Loc = e.B.Loc
			return e.B.Block().Append(o).Results
		}})[0]
}
