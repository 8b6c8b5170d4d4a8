package core

import (
	"fmt"
	"math"
	"slices"

	"github.com/go-nx/nx/stablehlo"
)

// Reshape implements nx.Reshape.
func Reshape(t Tensor, dims ...int) Tensor {
	s := t.must("Reshape")
	shape := resolveShape("Reshape", t, dims, s.Shape.Size())
	return reshaped("Reshape", t, newSpec("Reshape", Spec{DType: s.DType, Shape: shape, weak: s.weak}, t))
}

// resolveShape finds the size that is -1, and refuses a shape that does not hold n
// elements.
func resolveShape(op string, t Tensor, dims []int, n int) Shape {
	shape := slices.Clone(Shape(dims))
	if i := slices.Index(shape, -1); i >= 0 {
		if slices.Contains(shape[i+1:], -1) {
			failOn(ErrShape, op, []Tensor{t}, "give the other sizes as numbers",
				"the shape %v has more than one -1: one size may be -1, found from the others", dims)
		}
		shape[i] = 1
		rest := shape.Size()
		if rest <= 0 || n%rest != 0 {
			failOn(ErrShape, op, []Tensor{t}, "", "%d elements do not divide into %v", n, dims)
		}
		shape[i] = n / rest
	}
	if slices.ContainsFunc(shape, func(d int) bool { return d < 0 }) {
		failOn(ErrShape, op, []Tensor{t}, "one size may be -1, to be found from the others",
			"the shape %v has a negative size", dims)
	}
	newSpec(op, Spec{DType: t.p.spec.DType, Shape: shape}, t)
	if m := shape.Size(); m != n {
		failOn(ErrShape, op, []Tensor{t}, "", "%d elements do not fit in the shape %v, which takes %d", n, dims, m)
	}
	return shape
}

// Rename implements nx.Rename.
func Rename(t Tensor, names ...string) Tensor {
	s := t.must("Rename")
	if len(names) > 0 {
		newSpec("Rename", Spec{DType: s.DType, Shape: s.Shape, Names: names}, t)
	}
	return t.withNames("Rename", names)
}

// Flatten implements nx.Flatten.
func Flatten(t Tensor, opts ...AxisOption) Tensor {
	s := t.must("Flatten")
	if axes, given := readAxes("Flatten", t, opts); given && len(axes) == 0 {
		return t.asResult("Flatten")
	} else if given {
		slices.Sort(axes)
		first, last := axes[0], axes[len(axes)-1]
		if last-first != len(axes)-1 {
			failOn(ErrAxis, "Flatten", []Tensor{t}, "transpose the tensor first (nx.Transpose)",
				"the axes must be adjacent, got %v", axes)
		}
		out := Spec{DType: s.DType, weak: s.weak}
		out.Shape = slices.Concat(s.Shape[:first], Shape{s.Shape[first : last+1].Size()}, s.Shape[last+1:])
		out.Names = slices.Concat(s.names()[:first], []string{""}, s.names()[last+1:])
		return reshaped("Flatten", t, intern(out))
	}
	return reshaped("Flatten", t, intern(Spec{DType: s.DType, Shape: Shape{s.Shape.Size()}, weak: s.weak}))
}

// Transpose implements nx.Transpose.
func Transpose(t Tensor, opts ...AxisOption) Tensor {
	s := t.must("Transpose")
	perm, given := readAxes("Transpose", t, opts)
	switch {
	case !given:
		for i := range s.Shape {
			perm = append(perm, len(s.Shape)-1-i)
		}
	case len(perm) != len(s.Shape):
		failOn(ErrAxis, "Transpose", []Tensor{t}, "name every axis, in the new order", "%s given for rank %d",
			plural(len(perm), "axis is", "axes are"), len(s.Shape))
	}
	if slices.IsSorted(perm) {
		return t.asResult("Transpose")
	}
	return transposeOp.call1(listOf(perm), t)
}

var transposeOp = &operation[intList]{name: "Transpose",
	describe: func(d *description[intList]) {
		s, perm := d.ins[0], d.attrs.ints()
		out := Spec{DType: s.DType, Shape: make(Shape, len(perm)), Names: make([]string, len(perm)), weak: s.weak}
		for i, p := range perm {
			out.Shape[i], out.Names[i] = s.Shape[p], s.name(p)
		}
		d.returns(intern(out))
	},
	emit: func(d *description[intList], e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
		return []*stablehlo.Value{e.Value(stablehlo.OpTranspose, in, ints("permutation", d.attrs.ints()))}
	}}

// ExpandAxis implements nx.ExpandAxis.
func ExpandAxis(t Tensor, opts ...AxisOption) Tensor {
	t.must("ExpandAxis")
	return insertAxis("ExpandAxis", t, newAxis("ExpandAxis", t, opts))
}

// newAxis returns the position of an axis to be inserted into t.
func newAxis(op string, t Tensor, opts []AxisOption) int {
	o := readAxisOptions(op, opts)
	rank := len(t.p.spec.Shape)
	switch {
	case !o.set:
		return 0
	case len(o.axes) != 1:
		failOn(ErrAxis, op, []Tensor{t}, "", "inserts one axis, %d are given", len(o.axes))
	case o.axes[0].named:
		failOn(ErrAxis, op, []Tensor{t}, "give the new axis by position, and name it with nx.Rename",
			"the new axis must be a position, got the name %s", o.axes[0])
	}
	i := o.axes[0].i
	if i < 0 {
		i += rank + 1
	}
	if i < 0 || i > rank {
		failOn(ErrAxis, op, []Tensor{t},
			fmt.Sprintf("a new axis has a position from 0 to %d, or from -1 at the end", rank),
			"position %s is out of range for rank %d", o.axes[0], rank)
	}
	return i
}

func insertAxis(op string, t Tensor, i int) Tensor {
	s := t.p.spec
	return reshaped(op, t, newSpec(op, Spec{DType: s.DType, weak: s.weak,
		Shape: slices.Insert(slices.Clone(s.Shape), i, 1), Names: slices.Insert(s.names(), i, "")}, t))
}

// Squeeze implements nx.Squeeze.
func Squeeze(t Tensor, opts ...AxisOption) Tensor {
	s := t.must("Squeeze")
	drop, given := readAxes("Squeeze", t, opts)
	out := Spec{DType: s.DType, weak: s.weak}
	for i, d := range s.Shape {
		if slices.Contains(drop, i) && d != 1 {
			failOn(ErrShape, "Squeeze", []Tensor{t}, "only axes of size 1 can be removed; take an element (Tensor.At) or reduce",
				"%s has size %d, not 1", axisLabel(s, i), d)
		}
		if slices.Contains(drop, i) || !given && d == 1 {
			continue
		}
		out.Shape, out.Names = append(out.Shape, d), append(out.Names, s.name(i))
	}
	return reshaped("Squeeze", t, intern(out))
}

// BroadcastTo implements nx.BroadcastTo.
func BroadcastTo(t Tensor, dims ...int) Tensor {
	s := t.must("BroadcastTo")
	out := Spec{DType: s.DType, Shape: slices.Clone(Shape(dims)), Names: make([]string, len(dims)), weak: s.weak}
	lead := len(dims) - len(s.Shape)
	fits := lead >= 0
	for i := 0; fits && i < len(s.Shape); i++ {
		fits = s.Shape[i] == 1 || s.Shape[i] == dims[lead+i]
		out.Names[lead+i] = s.name(i)
	}
	if !fits {
		failOn(ErrShape, "BroadcastTo", []Tensor{t}, "sizes, aligned to the right, must be equal or 1",
			"the shape %v cannot be broadcast to %v", []int(s.Shape), dims)
	}
	spec := newSpec("BroadcastTo", out, t)
	if spec == s.withoutVectors() {
		return t.asResult("BroadcastTo")
	}
	return broadcastOp.call1(listOf(dims), t)
}

var broadcastOp = &operation[intList]{name: "BroadcastTo",
	describe: func(d *description[intList]) {
		s, shape := d.ins[0], d.attrs.ints()
		names := make([]string, len(shape))
		copy(names[len(shape)-len(s.Shape):], s.names())
		d.returns(intern(Spec{DType: s.DType, Shape: shape, Names: names, weak: s.weak}))
	},
	emit: func(d *description[intList], e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
		return []*stablehlo.Value{e.fitRight(in[0], d.outs[0].Shape)}
	}}

// Tile implements nx.Tile.
func Tile(t Tensor, reps ...int) Tensor {
	s := t.must("Tile")
	for _, r := range reps {
		if r < 0 {
			failOn(ErrArgument, "Tile", []Tensor{t}, "", "the number of repetitions %d is negative", r)
		}
	}
	rank := max(len(reps), len(s.Shape))
	for i := range min(rank, len(reps)) {
		if j := len(s.Shape) - 1 - i; j >= 0 && s.Shape[j] > 0 && reps[len(reps)-1-i] > math.MaxInt/s.Shape[j] {
			failOn(ErrShape, "Tile", []Tensor{t}, "", "the result does not fit in memory")
		}
	}
	_, _, out := tiled(s, reps)
	newSpec("Tile", out, t)
	return tileOp.call1(listOf(reps), t)
}

// tiled returns the shapes through which a tensor is tiled: each axis after one of size
// 1, that one spread, and the type of the result.
func tiled(s *Spec, reps []int) (from, spread Shape, out Spec) {
	rank := max(len(reps), len(s.Shape))
	spread, from = make(Shape, 2*rank), make(Shape, 2*rank)
	out = Spec{DType: s.DType, Shape: make(Shape, rank), Names: make([]string, rank), weak: s.weak}
	for i := range rank {
		n, r := 1, 1
		if j := i - (rank - len(s.Shape)); j >= 0 {
			n, out.Names[i] = s.Shape[j], s.name(j)
		}
		if j := i - (rank - len(reps)); j >= 0 {
			r = reps[j]
		}
		from[2*i], from[2*i+1] = 1, n
		spread[2*i], spread[2*i+1] = r, n
		out.Shape[i] = n * r
	}
	return from, spread, out
}

var tileOp = &operation[intList]{name: "Tile",
	describe: func(d *description[intList]) {
		_, _, out := tiled(d.ins[0], d.attrs.ints())
		d.returns(intern(out))
	},
	emit: func(d *description[intList], e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
		from, spread, out := tiled(d.ins[0], d.attrs.ints())
		return []*stablehlo.Value{e.reshape(e.fitRight(e.reshape(in[0], from), spread), out.Shape)}
	}}

// Reverse implements nx.Reverse.
func Reverse(t Tensor, opts ...AxisOption) Tensor {
	s := t.must("Reverse")
	axes, given := readAxes("Reverse", t, opts)
	if !given {
		for i := range s.Shape {
			axes = append(axes, i)
		}
	}
	slices.Sort(axes)
	return reverseOp.call1(listOf(axes), t)
}

var reverseOp = &operation[intList]{name: "Reverse",
	describe: func(d *description[intList]) { d.returns(d.ins[0]) },
	emit: func(d *description[intList], e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
		return []*stablehlo.Value{e.Value(stablehlo.OpReverse, in, ints("dimensions", d.attrs.ints()))}
	}}

// Tril implements nx.Tril.
func Tril(t Tensor, k int) Tensor { return triangle("Tril", greaterEqual, t, k) }

// Triu implements nx.Triu.
func Triu(t Tensor, k int) Tensor { return triangle("Triu", lessEqual, t, k) }

func triangle(op string, dir direction, t Tensor, k int) Tensor {
	s := t.must(op)
	rank := len(s.Shape)
	if rank < 2 {
		failOn(ErrShape, op, []Tensor{t}, "", "the tensor must be a matrix, got rank %d", rank)
	}
	k = min(max(k, -s.Shape[rank-2]), s.Shape[rank-1]) // beyond, nothing changes
	return triangleOp.call1(triangleAttrs{dir, k}, t)
}

type triangleAttrs struct {
	dir direction // of the row plus k to the column, where elements are kept
	k   int
}

var triangleOp = &operation[triangleAttrs]{name: "Tril",
	describe: func(d *description[triangleAttrs]) { d.returns(d.ins[0]) },
	emit: func(d *description[triangleAttrs], e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
		s := d.ins[0]
		square := s.Shape[len(s.Shape)-2:]
		rows := e.Value(stablehlo.OpAdd,
			[]*stablehlo.Value{e.iota(S64, square, 0), e.splat(S64, square, operandOf(d.attrs.k).n)})
		keep := e.fitRight(e.compare(d.attrs.dir, rows, e.iota(S64, square, 1)), s.Shape)
		return []*stablehlo.Value{
			e.Value(stablehlo.OpSelect, []*stablehlo.Value{keep, in[0], e.splat(s.DType, s.Shape, zero)})}
	}}

// named gives the axes the names that a type has.
func (t Tensor) named(s *Spec) Tensor {
	if len(s.Names) == 0 {
		return t
	}
	return Rename(t, s.Names...)
}
