package nx

import (
	"reflect"

	"github.com/go-nx/nx/stablehlo"
)

// ShardJit is [Jit] with annotations: in and out say how each argument and each result is cut
// over a mesh, a [Sharding] for all tensors of a container, or [LeafShardings], one for each. F is
// written for whole tensors, and computes what it computes without a mesh: how the devices share
// the work, and where they exchange parts, is the compiler's to find. Clients with fewer devices,
// as package cpu, run it on one.
//
//	train := nx.ShardJit(step, mesh, []nx.Sharding{{}, {"data"}, {"data"}}, []nx.Sharding{{}}, nx.On(cuda))
//
// Shapes: an axis that is cut is a multiple of the number of parts. DTypes: any. Gradient: that of
// f. Accuracy: that of f, with sums in another order where devices share them. Errors: [ErrArgument]
// for a mesh or a number of shardings that does not fit, [ErrNames] for an axis that the mesh does
// not have, [ErrShape] for what cannot be cut, [ErrTrace] inside of [ShardMap]. Source:
// sdy.sharding_constraint.
func ShardJit[F any, S Shardings](f F, mesh Mesh, in, out []S, opts ...JitOption) F {
	const op = "ShardJit"
	t, v := reflect.TypeFor[F](), reflect.ValueOf(f)
	functionName(op, t, v)
	mesh.check(op)
	c := newCallable(t, v)
	s := newShardings(op, &c, mesh, in, out)
	constrain := func(what string, of Sharding, t Tensor) Tensor {
		if t.p == nil {
			return t
		}
		return s.mesh.constrain(op, what, of, t)
	}
	annotated := reflect.MakeFunc(t, func(args []reflect.Value) []reflect.Value {
		first := b2i(c.hasContext)
		results := v.Call(append(args[:first:first], s.in.each(op, c.args, args[first:], constrain)...))
		n := len(c.results)
		return append(s.out.each(op, c.results, results[:n], constrain), results[n:]...)
	}).Interface().(F)
	return Jit(annotated, opts...)
}

// ShardingConstraint returns t and says, inside of a traced function, how it is cut over a mesh:
// an annotation, by which a compiler finds how devices share the work. It changes no element.
//
// Shapes: an axis that is cut is a multiple of the number of parts. DTypes: any. Gradient: passes
// through, cut alike. Accuracy: exact. Errors: [ErrArgument] for a mesh that is none, [ErrNames] for an axis
// that the mesh does not have, [ErrShape] for what cannot be cut, [ErrTrace] inside of [ShardMap].
// Source: sdy.sharding_constraint.
func ShardingConstraint(t Tensor, mesh Mesh, s Sharding) Tensor {
	const op = "ShardingConstraint"
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
		failOn(ErrTrace, op, []Tensor{t}, "what a device has there is a part already", "this is inside of ShardMap")
	}
	if traceFor([]Tensor{t}) == nil {
		return t.itself(op)
	}
	typ := t.p.spec
	return apply(call{op: op, ins: []Tensor{t}, outs: []*Spec{typ}, uses: []*stablehlo.Module{m.module()},
		emit: func(e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
			o := stablehlo.NewOp(stablehlo.OpSdyShardingConstraint, in, typesOf([]*Spec{typ}),
				stablehlo.Named("sharding", spec.Attr(m.symbol())))
			o.Loc = e.B.Loc
			return e.B.Block().Append(o).Results
		}})[0]
}
