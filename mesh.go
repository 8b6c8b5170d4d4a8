package nx

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/go-nx/nx/internal/sharding"
	"github.com/go-nx/nx/stablehlo"
)

// Mesh is a grid of devices with named axes, the last one fastest:
//
//	mesh := nx.Mesh{{Name: "data", Size: 2}, {Name: "model", Size: 2}}
//
// is four devices. Where a client has one device, as package cpu, the devices of a mesh are
// processes that share it.
type Mesh []MeshAxis

// MeshAxis is an axis of a [Mesh].
type MeshAxis struct {
	Name string
	Size int
}

// Sharding says along which axis of a mesh each axis of a tensor is cut into equal parts:
// Sharding{"data", ""} cuts the rows of a matrix. "" keeps an axis whole, as those beyond the
// list are; of "data,model" the parts along data are cut again along model. Devices along
// axes that are not named have the same part.
type Sharding []string

// text shows the axes: data: 2, model: 2.
func (m Mesh) text() string {
	all := make([]string, len(m))
	for i, a := range m {
		all[i] = fmt.Sprintf("%s: %d", a.Name, a.Size)
	}
	return strings.Join(all, ", ")
}

// grid returns the mesh as shardings of the dialect sdy have it.
func (m Mesh) grid() sharding.Mesh {
	g := make(sharding.Mesh, len(m))
	for i, a := range m {
		g[i] = sharding.Axis(a)
	}
	return g
}

// maxMesh bounds the devices of a mesh.
const maxMesh = 10_000

func (m Mesh) check(op string) {
	n := 1
	for i, a := range m {
		switch {
		case !isAxisName(a.Name):
			fail(ErrArgument, op, "as in nx.Mesh{{Name: \"data\", Size: 2}}",
				"%q is no name of an axis of a mesh: letters, digits and _ are", a.Name)
		case slices.ContainsFunc(m[:i], func(b MeshAxis) bool { return b.Name == a.Name }):
			fail(ErrArgument, op, "", "two axes of the mesh have the name %q", a.Name)
		case a.Size < 1 || a.Size > maxMesh/n:
			fail(ErrArgument, op, "", "axis %q of the mesh has the size %d: a mesh has 1 to %d devices", a.Name, a.Size, maxMesh)
		}
		n *= a.Size
	}
	if len(m) == 0 {
		fail(ErrArgument, op, "as in nx.Mesh{{Name: \"data\", Size: 2}}", "the mesh has no axis")
	}
}

func isAxisName(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return !(r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z')
	})
}

// symbol returns the name of the mesh in a module: equal meshes are one.
func (m Mesh) symbol() string {
	name := "mesh"
	for _, a := range m {
		name += fmt.Sprintf("_%s_%d", a.Name, a.Size)
	}
	return name
}

// module returns a module that names the mesh.
func (m Mesh) module() *stablehlo.Module {
	module := stablehlo.NewModule("")
	module.Body().Append(stablehlo.NewOp(stablehlo.OpSdyMesh, nil, nil,
		stablehlo.Named("sym_name", stablehlo.StringAttr(m.symbol())),
		stablehlo.Named("mesh", sharding.MeshAttr(m.grid()))))
	return module
}

// spec reads the sharding of a tensor, whose axes it names what.
func (m Mesh) spec(op, what string, s Sharding, t *Spec) sharding.Spec {
	if len(s) > len(t.Shape) {
		fail(ErrShape, op, "a sharding has at most one entry for each axis",
			"the sharding %q of %s has %d entries: that is a %s",
			[]string(s), what, len(s), t)
	}
	out := make(sharding.Spec, len(t.Shape))
	seen := map[string]bool{}
	for i := range out {
		if i >= len(s) || s[i] == "" {
			continue
		}
		for _, axis := range strings.Split(s[i], ",") {
			if m.grid().Size(axis) == 0 {
				fail(ErrNames, op, "", "the sharding %q of %s names the axis %q: the mesh has %s",
					[]string(s), what, axis, m.text())
			}
			if seen[axis] {
				fail(ErrNames, op, "", "the sharding %q of %s names the axis %q twice", []string(s), what, axis)
			}
			seen[axis] = true
			out[i] = append(out[i], axis)
		}
	}
	return out
}

// resized returns the type with each axis that is cut divided, or multiplied, by the number of parts.
func (m Mesh) resized(op, what string, s sharding.Spec, t *Spec, local bool) *Spec {
	r := *t
	r.Shape = slices.Clone(t.Shape)
	for i, axes := range s {
		for _, a := range axes {
			n := m.grid().Size(a)
			switch {
			case !local:
				r.Shape[i] *= n
			case r.Shape[i]%n != 0:
				fail(ErrShape, op, "pad it (nx.Pad), or cut another axis",
					"axis %d of %s cannot be cut into equal parts along %q of size %d: that is a %s", i, what, a, n, t)
			default:
				r.Shape[i] /= n
			}
		}
	}
	r.plain = nil
	return intern(r)
}

// ShardMap returns f computed by each device of a mesh on its parts of the arguments; the
// results are joined of the parts. In and out say how each argument and each result is cut,
// all tensors of a container alike. In f devices meet in collectives: [AllReduce], [AllGather],
// [ReduceScatter], [AllToAll] and [Permute]. What f uses from outside every device has whole. F is
// a function of containers.
//
//	train := nx.ShardMap(step, mesh, []nx.Sharding{{}, {"data"}}, []nx.Sharding{{}})
//
// A result that devices have the same part of, by its sharding, is the one of the first of
// them: f must compute it alike on all, as [AllReduce] does.
//
// Shapes: an axis that is cut is a multiple of the number of parts. DTypes: any. Gradient: that
// of f with its collectives, as of a function of the whole tensors: the cotangent of an
// argument that devices have whole is the sum of theirs. It is that of JAX's shard_map with
// check_vma=False, in which [AllReduce] is its own transpose. Errors: [ErrArgument]
// for a mesh or a number of shardings that does not fit, [ErrNames] for an axis that the mesh does
// not have, [ErrShape] for what cannot be cut, [ErrTrace] inside of another. Source:
// sdy.manual_computation.
func ShardMap[F any](f F, mesh Mesh, in, out []Sharding) F {
	const op = "ShardMap"
	t, v := reflect.TypeFor[F](), reflect.ValueOf(f)
	requireFunction(op, t, v)
	mesh.check(op)
	c := newCallable(t, v)
	if len(in) != len(c.args) || len(out) != len(c.results) {
		fail(ErrArgument, op, "one for each argument and result, {} for what every device has whole",
			"there are %d and %d shardings for a function of %d arguments and %d results", len(in), len(out),
			len(c.args), len(c.results))
	}
	s := &shardMap{mesh: slices.Clone(mesh), in: in, out: out}
	return reflect.MakeFunc(t, func(args []reflect.Value) (results []reflect.Value) {
		if c.hasError {
			defer c.recoverError(&results)
		}
		return s.call(&c, args[b2i(c.hasContext):])
	}).Interface().(F)
}

type shardMap struct {
	mesh    Mesh
	in, out []Sharding
}

type meshKey struct{} // of the context of a trace: the mesh of the ShardMap that it is in

func (s *shardMap) call(c *callable, args []reflect.Value) []reflect.Value {
	const op = "ShardMap"
	tr := newTrace(op)
	if _, nested := tr.ctx.Value(meshKey{}).(Mesh); nested {
		fail(ErrTrace, op, "name all axes in one mesh", "this is inside of another ShardMap")
	}
	tr.ctx = context.WithValue(tr.ctx, meshKey{}, s.mesh)
	ins := c.tensors(op, args)
	refuseVectors(op, "vectorise inside of the function", ins...)
	var specs []sharding.Spec
	for i, a := range args {
		for range c.tensorsOf(op, i, a) {
			x := ins[len(specs)]
			specs = append(specs, s.mesh.spec(op, fmt.Sprintf("argument %d", i), s.in[i], x.p.spec))
		}
	}
	next := 0
	fn := c.traceIn(tr, args, func(t Tensor) *Spec {
		next++
		return s.mesh.resized(op, "an argument", specs[next-1], t.p.spec, true)
	})
	for _, x := range fn.captured {
		specs = append(specs, make(sharding.Spec, len(x.p.spec.Shape)))
	}
	refuseVectors(op, "pass it whole", fn.captured...)
	outs, results := s.results(op, c, fn)
	call := call{op: op, ins: append(ins[:len(ins):len(ins)], fn.captured...), outs: outs,
		uses: []*stablehlo.Module{fn.module, s.mesh.module()},
		emit: func(e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
			return s.emit(e, fn, in, specs, results, outs)
		}}
	if traceFor(call.ins) == nil {
		call.key = fmt.Sprint(s.mesh, specs, results, fn.module)
	}
	return c.returns(op, fn, apply(call))
}

// tensorsOf returns the tensors of argument i.
func (c *callable) tensorsOf(op string, i int, arg reflect.Value) []Tensor {
	one := callable{args: c.args[i : i+1]}
	return one.tensors(op, []reflect.Value{arg})
}

// results returns the types of the whole results, and how they are cut.
func (s *shardMap) results(op string, c *callable, fn *form) (outs []*Spec, specs []sharding.Spec) {
	absent := fn.absent
	for i, r := range fn.results {
		replaceAt(op, c.results[i], addressable(r).Addr().UnsafePointer(), func(t Tensor) Tensor {
			if none := absent[0]; !none {
				what := fmt.Sprintf("result %d", i)
				local := fn.outs[len(outs)]
				spec := s.mesh.spec(op, what, s.out[i], local)
				specs = append(specs, spec)
				outs = append(outs, s.mesh.resized(op, what, spec, local, false))
			}
			absent = absent[1:]
			return t
		})
	}
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
