package nx

import (
	"fmt"
	"math"
	"slices"

	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/stablehlo"
)

// Reshape changes the shape, keeping the elements in row-major order; one size
// may be -1, found from the others. Names are dropped. Gradient: reshaped back.
func Reshape(t Tensor, dims ...int) Tensor {
	s := t.must("Reshape")
	shape := slices.Clone(Shape(dims))
	if i := slices.Index(shape, -1); i >= 0 {
		if slices.Contains(shape[i+1:], -1) {
			failOn(ErrShape, "Reshape", []Tensor{t}, "give the other sizes as numbers", "the shape %v has more than one -1: one size may be -1, found from the others", dims)
		}
		shape[i] = 1
		rest := shape.Size()
		if rest <= 0 || s.Shape.Size()%rest != 0 {
			failOn(ErrShape, "Reshape", []Tensor{t}, "", "%d elements do not divide into %v", s.Shape.Size(), dims)
		}
		shape[i] = s.Shape.Size() / rest
	}
	if slices.ContainsFunc(shape, func(d int) bool { return d < 0 }) {
		failOn(ErrShape, "Reshape", []Tensor{t}, "one size may be -1, to be found from the others", "the shape %v has a negative size", dims)
	}
	spec := newSpec("Reshape", Spec{DType: s.DType, Shape: shape, weak: s.weak}, t)
	if n := spec.Shape.Size(); n != s.Shape.Size() {
		failOn(ErrShape, "Reshape", []Tensor{t}, "", "%d elements do not fit in the shape %v, which takes %d", s.Shape.Size(), dims, n)
	}
	return reshaped("Reshape", t, spec)
}

// reshaped returns the elements of t as a tensor of type spec.
func reshaped(op string, t Tensor, spec *Spec) Tensor {
	if slices.Equal(spec.Shape, t.p.spec.Shape) {
		return t.withNames(op, spec.Names)
	}
	if t.p.buf != nil {
		if b, ok := t.p.buf.take(op).(backend.Reshaper); ok {
			return share(op, t, spec, b)
		}
	}
	sig := signature{op: op, ins: [3]*Spec{t.p.spec, spec}}
	if out, ok := again(&sig, operand{t: t.p}); ok {
		return out
	}
	return apply1(call{op: op, sig: sig, ins: []Tensor{t}, outs: []*Spec{spec},
		emit: func(e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
			return []*stablehlo.Value{e.reshape(in[0], spec.Shape)}
		}})
}

// share returns a tensor of type spec in the memory of t, whose buffer is b.
// Each of the two can be released without the other.
func share(op string, t Tensor, spec *Spec, b backend.Reshaper) Tensor {
	r, err := b.Reshape(dims64(spec.Shape))
	if err != nil {
		failRun(op, []Tensor{t}, err)
	}
	return newBuffer(t.p.buf.home, spec, r)
}

// withNames returns the tensor with other names.
func (t Tensor) withNames(op string, names []string) Tensor {
	s := *t.p.spec
	s.Names = names
	spec := intern(s)
	if t.same(op); spec == t.p.spec {
		return t
	}
	if t.p.buf != nil {
		if b, ok := t.p.buf.buf.(backend.Reshaper); ok {
			return share(op, t, spec, b)
		}
	}
	c := *t.p
	c.spec = spec
	return wrap(&c)
}

// names returns the names of the axes to change, "" where one has none.
func (s *Spec) names() []string {
	names := make([]string, len(s.Shape))
	copy(names, s.Names)
	return names
}

// Rename gives the axes names, "" for an axis without one; without names it
// takes them away.
func Rename(t Tensor, names ...string) Tensor {
	s := t.must("Rename")
	if len(names) > 0 {
		newSpec("Rename", Spec{DType: s.DType, Shape: s.Shape, Names: names}, t)
	}
	return t.withNames("Rename", names)
}

// Flatten returns the elements in row-major order along one axis.
func Flatten(t Tensor) Tensor {
	s := t.must("Flatten")
	return reshaped("Flatten", t, intern(Spec{DType: s.DType, Shape: Shape{s.Shape.Size()}, weak: s.weak}))
}

// Transpose permutes the axes: those given by [Axis], in order, or reversed
// when none is given. Names move along. Gradient: permuted back.
func Transpose(t Tensor, opts ...AxisOption) Tensor {
	s := t.must("Transpose")
	perm, given := readAxes("Transpose", t, opts)
	switch {
	case !given:
		for i := range s.Shape {
			perm = append(perm, len(s.Shape)-1-i)
		}
	case len(perm) != len(s.Shape):
		failOn(ErrAxis, "Transpose", []Tensor{t}, "name every axis, in the new order", "%s given for rank %d", plural(len(perm), "axis is", "axes are"), len(s.Shape))
	}
	out := Spec{DType: s.DType, Shape: make(Shape, len(perm)), Names: make([]string, len(perm)), weak: s.weak}
	moved := false
	for i, p := range perm {
		out.Shape[i], out.Names[i] = s.Shape[p], s.name(p)
		moved = moved || p != i
	}
	if !moved {
		return t.same("Transpose")
	}
	return apply1(call{op: "Transpose", key: fmt.Sprint(perm), ins: []Tensor{t}, outs: []*Spec{intern(out)},
		emit: func(e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
			return []*stablehlo.Value{e.op(stablehlo.OpTranspose, in, ints("permutation", perm))}
		}})
}

// ExpandAxis inserts an axis of size 1, the first by default: [Axis] gives its
// position in the result, negative from the end. Gradient: squeezed.
func ExpandAxis(t Tensor, opts ...AxisOption) Tensor {
	t.must("ExpandAxis")
	return insertAxis("ExpandAxis", t, newAxis("ExpandAxis", t, opts))
}

// newAxis returns the position of an axis to be inserted into t.
func newAxis(op string, t Tensor, opts []AxisOption) int {
	o := readAxisOptions(opts)
	rank := len(t.p.spec.Shape)
	switch {
	case !o.set:
		return 0
	case len(o.axes) != 1:
		failOn(ErrAxis, op, []Tensor{t}, "", "inserts one axis, %d are given", len(o.axes))
	case o.axes[0].name != "":
		failOn(ErrAxis, op, []Tensor{t}, "give the new axis by position, and name it with nx.Rename", "inserts an axis, which has no name yet: %s", o.axes[0])
	}
	i := o.axes[0].i
	if i < 0 {
		i += rank + 1
	}
	if i < 0 || i > rank {
		failOn(ErrAxis, op, []Tensor{t}, fmt.Sprintf("a new axis has a position from 0 to %d, or from -1 at the end", rank),
			"position %s is out of range for rank %d", o.axes[0], rank)
	}
	return i
}

func insertAxis(op string, t Tensor, i int) Tensor {
	s := t.p.spec
	return reshaped(op, t, newSpec(op, Spec{DType: s.DType, weak: s.weak,
		Shape: slices.Insert(slices.Clone(s.Shape), i, 1), Names: slices.Insert(s.names(), i, "")}, t))
}

// Squeeze removes axes of size 1: those given by [Axis], or all.
func Squeeze(t Tensor, opts ...AxisOption) Tensor {
	s := t.must("Squeeze")
	drop, given := readAxes("Squeeze", t, opts)
	out := Spec{DType: s.DType, weak: s.weak}
	for i, d := range s.Shape {
		if slices.Contains(drop, i) && d != 1 {
			failOn(ErrShape, "Squeeze", []Tensor{t}, "only axes of size 1 can be removed; take an element (Tensor.At) or reduce", "%s has size %d, not 1", axisLabel(s, i), d)
		}
		if slices.Contains(drop, i) || !given && d == 1 {
			continue
		}
		out.Shape, out.Names = append(out.Shape, d), append(out.Names, s.name(i))
	}
	return reshaped("Squeeze", t, intern(out))
}

// BroadcastTo spreads a tensor over a shape, its axes aligned to the right.
// Gradient: summed.
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
		failOn(ErrShape, "BroadcastTo", []Tensor{t}, "sizes, aligned to the right, must be equal or 1", "the shape %v cannot spread over %v", []int(s.Shape), dims)
	}
	spec := newSpec("BroadcastTo", out, t)
	if spec == s {
		return t.same("BroadcastTo")
	}
	return apply1(call{op: "BroadcastTo", sig: signature{op: "BroadcastTo", ins: [3]*Spec{s, spec}}, ins: []Tensor{t}, outs: []*Spec{spec},
		emit: func(e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
			return []*stablehlo.Value{e.fitRight(in[0], spec.Shape)}
		}})
}

// Tile repeats a tensor along its axes, as often as reps says, aligned to the
// right: more of them than axes add leading axes. Gradient: summed.
func Tile(t Tensor, reps ...int) Tensor {
	s := t.must("Tile")
	rank := max(len(reps), len(s.Shape))
	spread, from := make(Shape, 2*rank), make(Shape, 2*rank)
	out := Spec{DType: s.DType, Shape: make(Shape, rank), Names: make([]string, rank), weak: s.weak}
	for i := range rank {
		n, r := 1, 1
		if j := i - (rank - len(s.Shape)); j >= 0 {
			n, out.Names[i] = s.Shape[j], s.name(j)
		}
		if j := i - (rank - len(reps)); j >= 0 {
			r = reps[j]
		}
		if r < 0 {
			failOn(ErrArgument, "Tile", []Tensor{t}, "", "the number of repetitions %d is negative", r)
		}
		from[2*i], from[2*i+1] = 1, n
		spread[2*i], spread[2*i+1] = r, n
		if n > 0 && r > math.MaxInt/n {
			failOn(ErrShape, "Tile", []Tensor{t}, "", "the result has more elements than any memory")
		}
		out.Shape[i] = n * r
	}
	spec := newSpec("Tile", out, t)
	return apply1(call{op: "Tile", key: fmt.Sprint(reps), ins: []Tensor{t}, outs: []*Spec{spec},
		emit: func(e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
			return []*stablehlo.Value{e.reshape(e.fitRight(e.reshape(in[0], from), spread), spec.Shape)}
		}})
}

// Reverse reverses the order along axes, all when none is given.
func Reverse(t Tensor, opts ...AxisOption) Tensor {
	s := t.must("Reverse")
	axes, given := readAxes("Reverse", t, opts)
	if !given {
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

// Pad adds elements of a value before and after each axis, as many as lo and hi
// say, one pair an axis; negative numbers cut. The value must fit the element
// type. Gradient: that of the part that is left.
func Pad[V Operand](t Tensor, v V, lohi ...[2]int) Tensor {
	s := t.must("Pad")
	x := operandOf(v)
	present("Pad", operand{t: t.p}, x)
	if x.t != nil && len(x.t.spec.Shape) != 0 {
		failOn(ErrShape, "Pad", []Tensor{t, wrap(x.t)}, "", "the value to pad with is a scalar")
	}
	if len(lohi) != len(s.Shape) {
		failOn(ErrArgument, "Pad", []Tensor{t}, "give one pair {before, after} an axis, {0, 0} for one that stays", "got %s for %s", plural(len(lohi), "pair", "pairs"), plural(len(s.Shape), "axis", "axes"))
	}
	d := promoted(s, x.spec())
	checkFits("Pad", d, operand{t: t.p}, x)
	out := Spec{DType: d, Shape: slices.Clone(s.Shape), Names: s.Names}
	lo, hi := make([]int, len(lohi)), make([]int, len(lohi))
	for i, p := range lohi {
		lo[i], hi[i] = p[0], p[1]
		const most = math.MaxInt / 4
		if p[0] > most || p[1] > most || p[0] < -most || p[1] < -most {
			failOn(ErrShape, "Pad", []Tensor{t}, "", "the result has more elements than any memory: axis %d would get %d and %d more", i, p[0], p[1])
		}
		out.Shape[i] += p[0] + p[1]
		if out.Shape[i] < 0 {
			failOn(ErrShape, "Pad", []Tensor{t}, "", "%s of size %d cannot lose %d elements", axisLabel(s, i), s.Shape[i], -p[0]-p[1])
		}
	}
	ins := []Tensor{t, x.tensor(d)}
	return apply1(call{op: "Pad", key: fmt.Sprint(lohi, d), ins: ins, outs: []*Spec{newSpec("Pad", out, t)},
		emit: func(e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
			return []*stablehlo.Value{e.pad(e.convert(in[0], d), e.convert(in[1], d), lo, hi, make([]int, len(lo)))}
		}})
}

// Tril returns the lower triangle of matrices, the last two axes, with zeros
// elsewhere: elements at columns up to row + k.
func Tril(t Tensor, k int) Tensor { return triangle("Tril", greaterEqual, t, k) }

// Triu returns the upper triangle of matrices, with zeros elsewhere: elements at
// columns from row + k.
func Triu(t Tensor, k int) Tensor { return triangle("Triu", lessEqual, t, k) }

func triangle(op string, dir direction, t Tensor, k int) Tensor {
	s := t.must(op)
	rank := len(s.Shape)
	if rank < 2 {
		failOn(ErrShape, op, []Tensor{t}, "", "takes matrices, this has rank %d", rank)
	}
	k = min(max(k, -s.Shape[rank-2]), s.Shape[rank-1]) // beyond, nothing changes
	return apply1(call{op: op, key: fmt.Sprint(k), ins: []Tensor{t}, outs: []*Spec{s},
		emit: func(e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
			square := s.Shape[rank-2:]
			rows := e.op(stablehlo.OpAdd, []*stablehlo.Value{e.iota(S64, square, 0), e.splat(S64, square, operandOf(k).n)})
			keep := e.fitRight(e.compare(dir, rows, e.iota(S64, square, 1)), s.Shape)
			return []*stablehlo.Value{e.op(stablehlo.OpSelect, []*stablehlo.Value{keep, in[0], e.splat(s.DType, s.Shape, zero)})}
		}})
}
