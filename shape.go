package nx

import (
	"fmt"
	"slices"

	"github.com/go-nx/nx/stablehlo"
)

// Reshape changes the shape, keeping the elements in row-major order; one size
// may be -1, found from the others. Names are dropped. Gradient: reshaped back.
func Reshape(t Tensor, dims ...int) Tensor {
	s := t.must("Reshape")
	shape := slices.Clone(Shape(dims))
	if i := slices.Index(shape, -1); i >= 0 {
		rest := 1
		for j, d := range shape {
			if j != i {
				rest *= d
			}
		}
		if rest == 0 || s.Shape.Size()%rest != 0 {
			failOn(ErrShape, "Reshape", []Tensor{t}, "", "%d elements do not divide into %v", s.Shape.Size(), dims)
		}
		shape[i] = s.Shape.Size() / rest
	}
	if slices.ContainsFunc(shape, func(d int) bool { return d < 0 }) {
		failOn(ErrShape, "Reshape", []Tensor{t}, "at most one size may be -1", "the shape %v has a negative size", dims)
	}
	if shape.Size() != s.Shape.Size() {
		failOn(ErrShape, "Reshape", []Tensor{t}, "", "%d elements do not fit in the shape %v, which takes %d", s.Shape.Size(), dims, shape.Size())
	}
	spec := intern(Spec{DType: s.DType, Shape: shape})
	return apply1(call{op: "Reshape", key: fmt.Sprint(shape), ins: []Tensor{t}, outs: []*Spec{spec},
		emit: func(e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
			return []*stablehlo.Value{e.reshape(in[0], spec.Shape)}
		}})
}

// withNames returns the tensor with other names.
func (t Tensor) withNames(names []string) Tensor {
	c := *t.p
	c.spec = intern(Spec{DType: c.spec.DType, Shape: c.spec.Shape, Names: names})
	if c.rec != nil {
		return fromRecipe(c.spec, c.rec.key, c.rec.emit)
	}
	return wrap(&c)
}

// Rename gives the axes names, "" for an axis without one.
func Rename(t Tensor, names ...string) Tensor {
	s := t.must("Rename")
	newSpec("Rename", Spec{DType: s.DType, Shape: s.Shape, Names: names})
	return t.withNames(names)
}

// Transpose permutes the axes: those given by [Axis], in order, or reversed
// when none is given. Names move along.
func Transpose(t Tensor, opts ...AxisOption) Tensor {
	s := t.must("Transpose")
	var o axisOptions
	for _, x := range opts {
		x.axisOption(&o)
	}
	perm := make([]int, len(s.Shape))
	for i := range perm {
		perm[i] = len(perm) - 1 - i
	}
	if o.set {
		perm = axisIndices("Transpose", t, o.axes)
		if len(perm) != len(s.Shape) {
			failOn(ErrAxis, "Transpose", []Tensor{t}, "", "%d axes are given for rank %d", len(perm), len(s.Shape))
		}
	}
	out := Spec{DType: s.DType, Shape: make(Shape, len(perm)), Names: make([]string, len(perm))}
	for i, p := range perm {
		out.Shape[i], out.Names[i] = s.Shape[p], s.name(p)
	}
	return apply1(call{op: "Transpose", key: fmt.Sprint(perm), ins: []Tensor{t}, outs: []*Spec{intern(out)},
		emit: func(e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
			return []*stablehlo.Value{e.op(stablehlo.OpTranspose, in, ints("permutation", perm))}
		}})
}

// ExpandAxis inserts an axis of size 1 before position axis, negative from the
// end: -1 appends one.
func ExpandAxis(t Tensor, axis int) Tensor {
	s := t.must("ExpandAxis")
	if axis < 0 {
		axis += len(s.Shape) + 1
	}
	if axis < 0 || axis > len(s.Shape) {
		failOn(ErrAxis, "ExpandAxis", []Tensor{t}, "", "position %d is out of range for rank %d", axis, len(s.Shape))
	}
	names := make([]string, len(s.Shape))
	copy(names, s.Names)
	return Reshape(t, slices.Insert(slices.Clone(s.Shape), axis, 1)...).withNames(slices.Insert(names, axis, ""))
}

// Squeeze removes axes of size 1: those given by [Axis], or all.
func Squeeze(t Tensor, opts ...AxisOption) Tensor {
	s := t.must("Squeeze")
	var o axisOptions
	for _, x := range opts {
		x.axisOption(&o)
	}
	drop := axisIndices("Squeeze", t, o.axes)
	var shape Shape
	var names []string
	for i, d := range s.Shape {
		given := slices.Contains(drop, i)
		if given && d != 1 {
			failOn(ErrShape, "Squeeze", []Tensor{t}, "", "axis %d has size %d, not 1", i, d)
		}
		if given || !o.set && d == 1 {
			continue
		}
		shape, names = append(shape, d), append(names, s.name(i))
	}
	return Reshape(t, shape...).withNames(names)
}

// BroadcastTo spreads a tensor over a shape, its axes aligned to the right.
// Gradient: summed.
func BroadcastTo(t Tensor, dims ...int) Tensor {
	s := t.must("BroadcastTo")
	shape := Shape(dims)
	fits := len(shape) >= len(s.Shape)
	for i := range s.Shape {
		fits = fits && (s.Shape[i] == 1 || s.Shape[i] == shape[len(shape)-len(s.Shape)+i])
	}
	if !fits {
		failOn(ErrShape, "BroadcastTo", []Tensor{t}, "sizes, aligned to the right, must be equal or 1", "the shape %v cannot spread over %v", []int(s.Shape), dims)
	}
	names := make([]string, len(shape))
	for i := range s.Shape {
		names[len(shape)-len(s.Shape)+i] = s.name(i)
	}
	spec := intern(Spec{DType: s.DType, Shape: shape, Names: names})
	return apply1(call{op: "BroadcastTo", key: fmt.Sprint(shape), ins: []Tensor{t}, outs: []*Spec{spec},
		emit: func(e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
			return []*stablehlo.Value{e.fitRight(in[0], spec.Shape)}
		}})
}

// Concatenate joins tensors along an axis, the first by default. Other sizes
// must be equal; element types are promoted; names merge.
func Concatenate(ts []Tensor, opts ...AxisOption) Tensor {
	if len(ts) == 0 {
		fail(ErrArgument, "Concatenate", "", "nothing to join")
	}
	d := ts[0].must("Concatenate").DType
	for _, t := range ts[1:] {
		d = promoted("Concatenate", operand{t: wrap(&tensor{spec: intern(Spec{DType: d})}).p}, operand{t: t.present("Concatenate").p})
	}
	axis := oneAxis("Concatenate", ts[0], opts, 0)
	out := Spec{DType: d, Shape: slices.Clone(ts[0].p.spec.Shape)}
	for i, t := range ts[1:] {
		s := t.p.spec.Shape
		if len(s) != len(out.Shape) {
			failOn(ErrShape, "Concatenate", ts, "", "operand %d has rank %d, the first has %d", i+1, len(s), len(out.Shape))
		}
		for a := range s {
			if a != axis && s[a] != out.Shape[a] {
				failOn(ErrShape, "Concatenate", ts, "", "operand %d has size %d along axis %d, the first has %d", i+1, s[a], a, out.Shape[a])
			}
		}
		out.Shape[axis] += s[axis]
	}
	out.Names = mergeNames("Concatenate", ts)
	return apply1(call{op: "Concatenate", key: fmt.Sprint(axis, d), ins: ts, outs: []*Spec{intern(out)},
		emit: func(e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
			args := make([]*stablehlo.Value, len(in))
			for i, v := range in {
				args[i] = e.convert(v, d)
			}
			return []*stablehlo.Value{e.op(stablehlo.OpConcatenate, args, stablehlo.Named("dimension", stablehlo.I64(int64(axis))))}
		}})
}

// Stack joins tensors of one shape along a new axis before position axis.
func Stack(ts []Tensor, axis int) Tensor {
	expanded := make([]Tensor, len(ts))
	for i, t := range ts {
		expanded[i] = ExpandAxis(t, axis)
	}
	if len(ts) > 0 && axis < 0 {
		axis += ts[0].Rank() + 1
	}
	return Concatenate(expanded, Axis(axis))
}

// Reverse reverses the order along axes, all when none is given.
func Reverse(t Tensor, opts ...AxisOption) Tensor {
	s := t.must("Reverse")
	var o axisOptions
	for _, x := range opts {
		x.axisOption(&o)
	}
	axes := axisIndices("Reverse", t, o.axes)
	if !o.set {
		for i := range s.Shape {
			axes = append(axes, i)
		}
	}
	slices.Sort(axes)
	return apply1(call{op: "Reverse", key: fmt.Sprint(axes), ins: []Tensor{t}, outs: []*Spec{s},
		emit: func(e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
			return []*stablehlo.Value{e.op(stablehlo.OpReverse, in, ints("dimensions", axes))}
		}})
}
