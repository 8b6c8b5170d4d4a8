package core

import (
	"slices"

	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/internal/sharding"
	"github.com/go-nx/nx/stablehlo"
)

// AllReduce implements shard.AllReduce.
func AllReduce(t Tensor, axes ...string) Tensor {
	const op = "AllReduce"
	c := collectiveOf(op, t, axes...)
	c.requireNumbers("sum")
	return c.reduce(stablehlo.OpAdd)
}

// AllReduceMean implements shard.AllReduceMean.
func AllReduceMean(t Tensor, axes ...string) Tensor {
	const op = "AllReduceMean"
	c := collectiveOf(op, t, axes...)
	c.requireNumbers("mean")
	return Div(c.reduce(stablehlo.OpAdd), c.size())
}

// AllReduceMax implements shard.AllReduceMax.
func AllReduceMax(t Tensor, axes ...string) Tensor {
	c := collectiveOf("AllReduceMax", t, axes...)
	c.requireOrder()
	return c.reduce(stablehlo.OpMaximum)
}

// AllReduceMin implements shard.AllReduceMin.
func AllReduceMin(t Tensor, axes ...string) Tensor {
	c := collectiveOf("AllReduceMin", t, axes...)
	c.requireOrder()
	return c.reduce(stablehlo.OpMinimum)
}

// reduce is a reduction over the devices.
func (c *collective) reduce(code stablehlo.OpCode) Tensor {
	return c.apply(c.of, stablehlo.OpAllReduce, append(sharding.GroupAttrs(c.groups()),
		emit.ScalarBody(code, c.of.DType))...)
}

// requireNumbers refuses bools, which have no sum.
func (c *collective) requireNumbers(what string) {
	if c.of.DType == Bool {
		failOn(ErrDType, c.op, []Tensor{c.t}, "cast it to an integer type (nx.Cast)", "%s is not defined for bools",
			what)
	}
}

// requireOrder refuses complex numbers.
func (c *collective) requireOrder() {
	if c.of.DType.IsComplex() {
		failOn(ErrDType, c.op, []Tensor{c.t}, "take nx.Abs or nx.Real of it", "complex numbers have no order")
	}
}

// AllGather implements shard.AllGather.
func AllGather(t Tensor, dim int, axis string) Tensor {
	const op = "AllGather"
	c := collectiveOf(op, t, axis)
	s := c.sized(dim, func(n int) int { return n * c.size() })
	return c.apply(s, stablehlo.OpAllGather, append(sharding.GroupAttrs(c.groups()),
		stablehlo.Named("all_gather_dim", stablehlo.I64(int64(dim))))...)
}

// ReduceScatter implements shard.ReduceScatter.
func ReduceScatter(t Tensor, dim int, axis string) Tensor {
	const op = "ReduceScatter"
	c := collectiveOf(op, t, axis)
	c.requireNumbers("sum")
	s := c.sized(dim, c.part)
	return c.apply(s, stablehlo.OpReduceScatter, append(sharding.GroupAttrs(c.groups()),
		stablehlo.Named("scatter_dimension", stablehlo.I64(int64(dim))),
		emit.ScalarBody(stablehlo.OpAdd, s.DType))...)
}

// AllToAll implements shard.AllToAll.
func AllToAll(t Tensor, split, concat int, axis string) Tensor {
	c := collectiveOf("AllToAll", t, axis)
	s := c.sized(split, c.part)
	c.of = s
	s = c.sized(concat, func(n int) int { return n * c.size() })
	return c.apply(s, stablehlo.OpAllToAll, sharding.GroupAttrs(c.groups())[0],
		sharding.ChannelAttr(), stablehlo.Named("split_count", stablehlo.I64(int64(c.size()))),
		stablehlo.Named("split_dimension", stablehlo.I64(int64(split))),
		stablehlo.Named("concat_dimension", stablehlo.I64(int64(concat))))
}

// Permute implements shard.Permute.
func Permute(t Tensor, axis string, pairs ...[2]int) Tensor {
	const op = "Permute"
	c := collectiveOf(op, t, axis)
	for side, what := range []string{"sends", "receives"} {
		seen := map[int]bool{}
		for _, p := range pairs {
			if p[side] < 0 || p[side] >= c.size() || seen[p[side]] {
				failOn(ErrArgument, op, []Tensor{t}, "each position sends and receives at most once",
					"the pair %v is not valid: %q has %d devices, each of which %s at most once", p, axis, c.size(),
					what)
			}
			seen[p[side]] = true
		}
	}
	var ids []int64
	for _, p := range pairs {
		for _, g := range c.groups() {
			ids = append(ids, g[p[0]], g[p[1]])
		}
	}
	attr, err := stablehlo.Elements(ids, int64(len(ids)/2), 2)
	if err != nil {
		panic(err) // two ids per pair
	}
	return c.apply(t.p.spec, stablehlo.OpCollectivePermute, stablehlo.Named("source_target_pairs", attr),
		sharding.ChannelAttr())
}

// MeshIndex implements shard.Index.
func MeshIndex(axis string) Tensor {
	const op = "shard.Index"
	tr, mesh := meshTrace(op, nil)
	c := collective{op: op, mesh: mesh, tr: tr, axes: []string{axis}}
	c.check()
	after := mesh[slices.IndexFunc(mesh, func(a MeshAxis) bool { return a.Name == axis })+1:]
	s := intern(Spec{DType: S32, Shape: Shape{}})
	return tr.append(&call{op: op, outs: []*Spec{s},
		emit: func(e *emitter, _ []*stablehlo.Value) []*stablehlo.Value {
			id := e.Value(stablehlo.OpPartitionId, nil, stablehlo.Results{stablehlo.Tensor(U32)})
			id = e.Div(e.Convert(id, S32), e.Scalar(S32, float64(after.grid().Devices())))
			return []*stablehlo.Value{e.Do(stablehlo.OpRemainder, id, e.Scalar(S32, float64(c.size())))}
		}})[0]
}

// collective is an op between the devices of a mesh.
type collective struct {
	op   string
	mesh Mesh
	tr   *trace
	t    Tensor
	of   *Spec // the type of t
	axes []string
}

func collectiveOf(op string, t Tensor, axes ...string) *collective {
	c := &collective{op: op, t: t, of: t.must(op), axes: axes}
	refuseVectors(op, "vectorise outside of it", t)
	c.tr, c.mesh = meshTrace(op, []Tensor{t})
	if len(axes) == 0 {
		for _, a := range c.mesh {
			c.axes = append(c.axes, a.Name)
		}
	}
	c.check()
	return c
}

func (c *collective) check() {
	for i, a := range c.axes {
		if c.mesh.grid().Size(a) == 0 || slices.Contains(c.axes[:i], a) {
			fail(ErrNames, c.op, "name each axis once", "the axes are %q: the mesh has %s", c.axes, c.mesh.text())
		}
	}
}

// size returns the number of devices along the axes.
func (c *collective) size() int {
	n := 1
	for _, a := range c.axes {
		n *= c.mesh.grid().Size(a)
	}
	return n
}

func (c *collective) groups() [][]int64 { return c.mesh.grid().Groups(c.axes) }

// part divides the size of an axis by the number of devices.
func (c *collective) part(n int) int {
	if n%c.size() != 0 {
		failOn(ErrShape, c.op, []Tensor{c.t}, "pad it (nx.Pad)", "an axis of size %d cannot be cut for %d devices",
			n, c.size())
	}
	return n / c.size()
}

// sized returns the type with another size of an axis.
func (c *collective) sized(dim int, size func(n int) int) *Spec {
	if dim < 0 || dim >= len(c.of.Shape) {
		failOn(ErrAxis, c.op, []Tensor{c.t}, "axes count from 0", "there is no axis %d", dim)
	}
	s := *c.of
	s.Shape, s.plain = slices.Clone(c.of.Shape), nil
	s.Shape[dim] = size(s.Shape[dim])
	return intern(s)
}

// apply appends the op; where there are no elements, devices exchange nothing.
func (c *collective) apply(out *Spec, code stablehlo.OpCode, parts ...stablehlo.OpPart) Tensor {
	if out.Shape.Size() == 0 {
		return Zeros(out.Shape, out.DType)
	}
	return c.tr.append(&call{op: c.op, ins: []Tensor{c.t}, outs: []*Spec{out},
		emit: func(e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
			return []*stablehlo.Value{e.Value(code, in, append(parts, stablehlo.Results{out.tensorType()})...)}
		}})[0]
}
