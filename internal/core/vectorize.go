package core

import (
	"slices"
)

// Vectorize implements nx.Vectorize.
func Vectorize(t Tensor, names ...string) Tensor {
	const op = "Vectorize"
	s := t.must(op)
	if len(names) == 0 {
		failOn(ErrArgument, op, []Tensor{t}, "name the vectorised axes", "at least one name is required")
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
			failOn(ErrNames, op, []Tensor{t}, "rename the axis (nx.Rename)", "the tensor has an axis %q already",
				v.Name)
		case slices.ContainsFunc(s.Vectors[:i], func(w VectorAxis) bool { return w.Name == v.Name }):
			failOn(ErrNames, op, []Tensor{t}, "", "two vectorised axes would be named %q", v.Name)
		}
	}
}

// Devectorize implements nx.Devectorize.
func Devectorize(t Tensor) Tensor { return devectorized(t).unshared("Devectorize", t) }

// devectorized is [Devectorize] for an operand of a following op; the result may be t itself.
func devectorized(t Tensor) Tensor {
	s := t.must("Devectorize")
	if s.Vectors == nil {
		return t.checked("Devectorize")
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

// Vectors implements nx.Tensor.Vectors.
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
		return t.checked(op)
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

// batchVectors makes the vectorised axes of the operands of a block the first axes of all
// of them, which blocks take as batches, and returns them.
func (c *call) batchVectors() []VectorAxis {
	if !slices.ContainsFunc(c.ins, func(t Tensor) bool { return t.p.spec.Vectors != nil }) {
		return nil
	}
	c.ins = BroadcastVectors(c.ins...)
	vectors := c.ins[0].p.spec.Vectors
	for i, t := range c.ins {
		s := t.p.spec
		c.ins[i] = t.as(c.op, intern(Spec{DType: s.DType, Shape: s.whole(), weak: s.weak}))
	}
	return vectors
}
