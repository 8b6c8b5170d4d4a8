package core

import (
	"slices"

	"github.com/go-nx/nx/internal/vmap"
	"github.com/go-nx/nx/stablehlo"
)

// Vectorize implements nx.Vectorize.
func Vectorize(t Tensor, names ...string) Tensor {
	const op = "Vectorize"
	s := t.must(op)
	if len(names) == 0 {
		failOn(ErrArgument, op, []Tensor{t}, "name the vectorised axes", "there is no name")
	}
	if len(names) > len(s.Shape) {
		failOn(ErrShape, op, []Tensor{t}, "", "got %s for rank %d", plural(len(names), "name", "names"), len(s.Shape))
	}
	out := *s
	out.Vectors = slices.Clone(s.Vectors)
	for i, n := range names {
		out.Vectors = append(out.Vectors, VectorAxis{n, s.Shape[i]})
	}
	out.Shape = s.Shape[len(names):]
	if s.Names != nil {
		out.Names = s.Names[len(names):]
	}
	checkVectors(op, t, &out)
	return t.as(op, intern(out))
}

// checkVectors refuses vectorised axes whose names are absent or taken.
func checkVectors(op string, t Tensor, s *Spec) {
	for i, v := range s.Vectors {
		switch {
		case v.Name == "":
			failOn(ErrNames, op, []Tensor{t}, "", "a vectorised axis has no name")
		case slices.Contains(s.Names, v.Name):
			failOn(ErrNames, op, []Tensor{t}, "rename the axis (nx.Rename)", "the tensor has an axis %q already", v.Name)
		case slices.ContainsFunc(s.Vectors[:i], func(w VectorAxis) bool { return w.Name == v.Name }):
			failOn(ErrNames, op, []Tensor{t}, "", "two vectorised axes would be named %q", v.Name)
		}
	}
}

// Devectorize implements nx.Devectorize.
func Devectorize(t Tensor) Tensor { return devectorized(t).apart("Devectorize", t) }

// devectorized is [Devectorize] for an operand of what follows, which t itself may be.
func devectorized(t Tensor) Tensor {
	s := t.must("Devectorize")
	if s.Vectors == nil {
		return t.same("Devectorize")
	}
	out := Spec{DType: s.DType, Shape: s.whole(), weak: s.weak}
	for _, v := range s.Vectors {
		out.Names = append(out.Names, v.Name)
	}
	out.Names = append(out.Names, s.names()...)
	return t.as("Devectorize", newSpec("Devectorize", out, t))
}

// Revectorize implements nx.Revectorize.
func Revectorize(t Tensor, vectors []VectorAxis, dims ...int) Tensor {
	const op = "Revectorize"
	s := t.must(op)
	all := Shape{}
	for _, v := range vectors {
		all = append(all, v.Size)
	}
	all = resolveShape(op, t, append(all, dims...), s.count())
	out := Spec{DType: s.DType, weak: s.weak, Shape: all[len(vectors):]}
	for i, v := range vectors {
		out.Vectors = append(out.Vectors, VectorAxis{v.Name, all[i]})
	}
	checkVectors(op, t, &out)
	newSpec(op, Spec{DType: s.DType, Shape: all}, t)
	return t.as(op, intern(out))
}

// Vectors returns the vectorised axes, the outermost first.
func (t Tensor) Vectors() []VectorAxis { return slices.Clone(t.must("Vectors").Vectors) }

// ReshapeVectors implements nx.ReshapeVectors.
func ReshapeVectors(ts ...Tensor) []Tensor {
	return alignVectors("ReshapeVectors", ts, func(int) int { return 1 })
}

// BroadcastVectors implements nx.BroadcastVectors.
func BroadcastVectors(ts ...Tensor) []Tensor {
	return alignVectors("BroadcastVectors", ts, func(n int) int { return n })
}

func alignVectors(op string, ts []Tensor, missing func(n int) int) []Tensor {
	xs := make([]operand, len(ts))
	for i, t := range ts {
		xs[i] = operand{t: t.p}
	}
	present(op, xs...)
	union := unionOfVectors(op, xs)
	out := slices.Clone(ts)
	for i, t := range ts {
		s := t.p.spec
		want := make([]VectorAxis, len(union))
		for k, v := range union {
			want[k] = VectorAxis{v.Name, missing(v.Size)}
			if j := vectorIndex(s, v.Name); j >= 0 && missing(v.Size) == 1 {
				want[k].Size = s.Vectors[j].Size
			}
		}
		out[i] = t.alignedTo(op, want)
	}
	return out
}

// alignedTo gives a tensor the vectorised axes of a union of its own and others.
func (t Tensor) alignedTo(op string, want []VectorAxis) Tensor {
	s := t.p.spec
	if slices.Equal(s.Vectors, want) {
		return t.same(op)
	}
	n := len(s.Vectors)
	var perm []axisRef
	spread, full := Shape{}, Shape{}
	for _, v := range want {
		size := 1
		if j := vectorIndex(s, v.Name); j >= 0 {
			perm = append(perm, axisRef{i: j})
			size = s.Vectors[j].Size
		}
		spread, full = append(spread, size), append(full, v.Size)
	}
	for i := range s.Shape {
		perm = append(perm, axisRef{i: n + i})
	}
	plain := t.as(op, intern(Spec{DType: s.DType, Shape: s.whole(), weak: s.weak}))
	plain = Reshape(Transpose(plain, axesOption{perm}), append(spread, s.Shape...)...)
	return BroadcastTo(plain, append(full, s.Shape...)...).as(op, s.withVectors(want))
}

func vectorIndex(s *Spec, name string) int {
	return slices.IndexFunc(s.Vectors, func(v VectorAxis) bool { return v.Name == name })
}

// unionOfVectors returns the vectorised axes of operands, in the order of their first
// appearance; nil when there are none.
func unionOfVectors(op string, xs []operand) []VectorAxis {
	var out []VectorAxis
	for _, x := range xs {
		if x.t == nil {
			continue
		}
		for _, v := range x.t.spec.Vectors {
			i := slices.IndexFunc(out, func(w VectorAxis) bool { return w.Name == v.Name })
			switch {
			case i < 0:
				out = append(out, v)
			case out[i].Size == 1:
				out[i].Size = v.Size
			case v.Size != 1 && v.Size != out[i].Size:
				failOn(ErrShape, op, operands(xs...), "sizes must be equal or 1", "the vectorised axis %q has the sizes %d and %d",
					v.Name, out[i].Size, v.Size)
			}
		}
	}
	for _, x := range xs {
		if x.t == nil || len(out) == 0 {
			continue
		}
		for _, v := range out {
			if slices.Contains(x.t.spec.Names, v.Name) {
				failOn(ErrNames, op, operands(xs...),
					"rename the axis (nx.Rename), or devectorize the other operand (nx.Devectorize)",
					"%q is an axis of one operand and a vectorised axis of another", v.Name)
			}
		}
	}
	return out
}

// vectorize makes an operation one on vectorised operands: the operation for a single
// element becomes a module, which is batched once an axis.
func (c *call) vectorize(union []VectorAxis, ins []*Spec) {
	emit := c.emit
	for i, s := range c.outs {
		c.outs[i] = s.withVectors(union)
	}
	have := make([][]VectorAxis, len(c.ins))
	for i, x := range c.ins {
		have[i] = x.p.spec.Vectors
	}
	op := c.op
	c.emit = func(e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
		t := newTrace(op)
		args, axes := make([]*stablehlo.Value, len(in)), make([][]int, len(in))
		for i, v := range in {
			args[i] = t.arg(plainType(v, len(have[i]), ins[i])).p.val
			in[i], axes[i] = e.inOrder(v, have[i], union)
		}
		t.finish(emit(emitOn(t.block, e.B.Loc), args))
		m := t.fn.module
		out := make([]int, len(c.outs))
		for k := len(union) - 1; k >= 0; k-- {
			at := make([]int, len(in))
			for i := range in {
				at[i] = axes[i][k]
			}
			var err error
			if m, err = vmap.Batch(m, "main", int64(union[k].Size), at, out); err != nil {
				refuseBatch(op, err)
			}
		}
		f, _ := m.Func("main")
		return graft(e.B.Block(), f, in)
	}
}

// plainType returns the type of an operand for a single element: that of the value, which
// is a number's where the operand is one.
func plainType(v *stablehlo.Value, vectors int, s *Spec) *Spec {
	return intern(Spec{DType: v.Tensor().DType(), Shape: shapeOf(v)[vectors:], weak: s.weak})
}

// inOrder brings the vectorised axes of an operand into the order of a union. The axes
// say for each of the union whether the operand has it: 0, its place when it is batched,
// or vmap.Shared. Axes of size 1 that are larger in others are dropped.
func (e *emitter) inOrder(v *stablehlo.Value, have, union []VectorAxis) (*stablehlo.Value, []int) {
	axes := make([]int, len(union))
	var perm []int
	shape := Shape{}
	whole := shapeOf(v)
	for k, u := range union {
		axes[k] = vmap.Shared
		for j, h := range have {
			if h.Name != u.Name {
				continue
			}
			perm = append(perm, j)
			if h.Size == u.Size {
				axes[k] = 0
				shape = append(shape, h.Size)
			}
		}
	}
	for j := len(have); j < len(whole); j++ {
		perm = append(perm, j)
	}
	if !slices.IsSorted(perm) {
		v = e.Value(stablehlo.OpTranspose, []*stablehlo.Value{v}, ints("permutation", perm))
	}
	return e.reshape(v, append(shape, whole[len(have):]...)), axes
}

// refuseVectors refuses tensors with vectorised axes.
func refuseVectors(op, hint string, ts ...Tensor) {
	for _, t := range ts {
		if t.p != nil && t.p.spec.Vectors != nil {
			failOn(ErrShape, op, []Tensor{t}, hint, "vectorised axes are not supported here")
		}
	}
}
