package core

import (
	"context"
	"fmt"
	"reflect"

	"github.com/go-nx/nx/internal/sharding"
	"github.com/go-nx/nx/stablehlo"
)

// ShardMap implements shard.Map.
func ShardMap[F any, S Shardings](f F, mesh Mesh, in, out []S) F {
	const op = "shard.Map"
	t, v := reflect.TypeFor[F](), reflect.ValueOf(f)
	requireFunction(op, t, v)
	mesh.check(op)
	c := newCallable(t, v)
	s := &shardMap{newShardings(op, &c, mesh, in, out)}
	return reflect.MakeFunc(t, func(args []reflect.Value) (results []reflect.Value) {
		if c.hasError {
			defer c.recoverError(&results)
		}
		return s.call(&c, args[c.firstArg():])
	}).Interface().(F)
}

type shardMap struct{ *shardings }

func (s *shardMap) call(c *callable, args []reflect.Value) []reflect.Value {
	const op = "shard.Map"
	tr := newTrace(op)
	if _, nested := tr.ctx.Value(meshKey{}).(Mesh); nested {
		fail(ErrTrace, op, "name all axes in one mesh", "this is inside of another ShardMap")
	}
	tr.ctx = context.WithValue(tr.ctx, meshKey{}, s.mesh)
	ins := c.tensors(op, args)
	refuseVectors(op, "vectorise inside of the function", ins...)
	specs := s.specs(op, c, args)
	next := 0
	fn := c.traceIn(tr, args, func(t Tensor) *Spec {
		next++
		return s.mesh.resized(op, "an argument", specs[next-1], t.p.spec, true)
	})
	for _, x := range fn.captured {
		specs = append(specs, make(sharding.Spec, len(x.p.spec.Shape)))
	}
	refuseVectors(op, "pass it replicated", fn.captured...)
	outs, results := s.results(op, c, fn)
	call := call{op: op, ins: append(ins[:len(ins):len(ins)], fn.captured...), outs: outs,
		uses: []*stablehlo.Module{fn.module, s.mesh.module()},
		emit: func(e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
			return s.emit(e, fn, in, specs, results, outs)
		}}
	if traceFor(call.ins) == nil {
		call.key = fmt.Sprint(s.mesh, specs, results, fn.module)
	}
	return c.returns(op, fn, apply(&call))
}

// results returns the types of the whole results, and how they are cut.
func (s *shardMap) results(op string, c *callable, fn *form) (outs []*Spec, specs []sharding.Spec) {
	absent := fn.absent
	present := func(Tensor) bool {
		none := absent[0]
		absent = absent[1:]
		return !none
	}
	s.out.each(op, c.results, fn.results, present, func(what string, of Sharding, t Tensor) Tensor {
		local := fn.outs[len(outs)]
		spec := s.mesh.spec(op, what, of, local)
		specs = append(specs, spec)
		outs = append(outs, s.mesh.resized(op, what, spec, local, false))
		return t
	})
	return outs, specs
}

// emit appends the computation.
func (s *shardMap) emit(e *emitter, fn *form, in []*stablehlo.Value, ins, results []sharding.Spec,
	outs []*Spec) []*stablehlo.Value {
	axes := make([]string, len(s.mesh))
	for i, a := range s.mesh {
		axes[i] = a.Name
	}
	op := stablehlo.NewOp(stablehlo.OpSdyManualComputation, in, typesOf(outs),
		stablehlo.Named("in_shardings", sharding.PerValueAttr(s.mesh.symbol(), ins)),
		stablehlo.Named("manual_axes", sharding.ManualAxesAttr(axes)),
		stablehlo.Named("out_shardings", sharding.PerValueAttr(s.mesh.symbol(), results)))
	op.Loc = e.B.Loc
	main, _ := fn.module.Func("main")
	body := op.AddRegion(main.Type().Ins...)
	body.Append(stablehlo.NewOp(stablehlo.OpSdyReturn, graft(body, main, body.Args), nil))
	return e.B.Block().Append(op).Results
}
