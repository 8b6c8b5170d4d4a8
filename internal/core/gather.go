package core

import (
	"slices"

	"github.com/go-nx/nx/stablehlo"
)

// TakeAlong implements nx.TakeAlong.
func TakeAlong(t, indices Tensor, opts ...TakeOption) Tensor {
	const op = "TakeAlong"
	s, is := t.must(op), indices.must(op)
	ins := []Tensor{t, indices}
	requireIndices(op, ins, is)
	o := readTakeOptions(op, t, opts)
	axis := axisFrom(op, t, o.axisOptions, 0)
	if len(s.Shape) != len(is.Shape) {
		failOn(ErrShape, op, ins, "the indices have the shape of the tensor except for one axis",
			"the ranks %d and %d differ",
			len(s.Shape), len(is.Shape))
	}
	for i := range s.Shape {
		if i != axis && s.Shape[i] != is.Shape[i] {
			failOn(ErrShape, op, ins, "the indices have the shape of the tensor except for one axis",
				"%s has the sizes %d and %d",
				axisLabel(s, i), s.Shape[i], is.Shape[i])
		}
	}
	if s.Shape[axis] == 0 {
		if is.Shape.Size() > 0 && o.outside != Fill {
			failOn(ErrAxis, op, ins, "", "%s has no elements to choose from", axisLabel(s, axis))
		}
		return constantOf(op, intern(Spec{DType: s.DType, Shape: is.Shape, Names: s.Names}), fillValue(s.DType), ins...)
	}
	if o.outside == Checked && t.p.tr == nil && indices.p.tr == nil {
		checkIndices(op, t, indices, axis)
	}
	return takeAlongOp.call(takeAttrs{axis, o.outside}, operand{t: t.p}, operand{t: indices.p})
}

func requireIndices(op string, ins []Tensor, s *Spec) {
	if !s.DType.IsInteger() {
		failOn(ErrDType, op, ins, "cast to an integer type first (nx.Cast)", "indices must be integers, got %s",
			s.DType)
	}
}

var takeAlongOp = &operation[takeAttrs]{name: "TakeAlong",
	describe: func(d *description[takeAttrs]) {
		s := d.ins[0]
		d.returns(intern(Spec{DType: s.DType, Shape: d.ins[1].Shape, Names: s.Names, weak: s.weak}))
	},
	emit: func(d *description[takeAttrs], e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
		s, shape, axis := d.ins[0], d.outs[0].Shape, d.attrs.axis
		size := s.Shape[axis]
		if shape.Size() == 0 {
			return []*stablehlo.Value{e.splat(s.DType, shape, zero)}
		}
		at := e.fromEnd(e.indexFor(in[1], size), size)
		g := &stablehlo.GatherDims{CollapsedSliceDims: []int64{int64(axis)}, StartIndexMap: []int64{int64(axis)},
			IndexVectorDim: int64(len(shape))}
		sizes := make([]int, len(shape))
		for i := range shape {
			sizes[i] = 1
			if i != axis {
				g.OperandBatchingDims = append(g.OperandBatchingDims, int64(i))
				g.StartIndicesBatching = append(g.StartIndicesBatching, int64(i))
			}
		}
		v := e.Value(stablehlo.OpGather, []*stablehlo.Value{in[0], at}, stablehlo.Named("dimension_numbers", g),
			ints("slice_sizes", sizes), stablehlo.Named("indices_are_sorted", stablehlo.BoolAttr(false)))
		if d.attrs.outside == Fill {
			v = e.Value(stablehlo.OpSelect, []*stablehlo.Value{e.inside(at, size), v,
				e.splat(s.DType, shape, fillValue(s.DType))})
		}
		return []*stablehlo.Value{v}
	}}

// gatherAttrs are the axes that index vectors choose along.
type gatherAttrs struct{ axes intList }

// readCoordinates reads the axes of index vectors, the first ones by default.
func readCoordinates(op string, t, indices Tensor, opts []AxisOption) gatherAttrs {
	s, is := t.must(op), indices.must(op)
	ins := []Tensor{t, indices}
	requireIndices(op, ins, is)
	if len(is.Shape) == 0 {
		failOn(ErrShape, op, ins, "the last axis of the indices is a position in the tensor",
			"the indices are a scalar")
	}
	n := is.Shape[len(is.Shape)-1]
	axes, given := readAxes(op, t, opts)
	if !given {
		if n > len(s.Shape) {
			failOn(ErrShape, op, ins, "the last axis of the indices is a position in the tensor",
				"positions have %s, the tensor has rank %d", plural(n, "index", "indices"), len(s.Shape))
		}
		for i := range n {
			axes = append(axes, i)
		}
	}
	if len(axes) != n {
		failOn(ErrShape, op, ins, "the last axis of the indices is a position in the tensor",
			"positions have %s for %s",
			plural(n, "index", "indices"), plural(len(axes), "axis", "axes"))
	}
	if !slices.IsSorted(axes) {
		failOn(ErrAxis, op, ins, "", "the axes %v are not in order", axes)
	}
	return gatherAttrs{axes: listOf(axes)}
}

// Gather implements nx.Gather.
func Gather(t, indices Tensor, opts ...AxisOption) Tensor {
	const op = "Gather"
	a := readCoordinates(op, t, indices, opts)
	for _, i := range a.axes.ints() {
		if s := t.p.spec; s.Shape[i] == 0 && indices.p.spec.Shape.Size() > 0 {
			failOn(ErrAxis, op, []Tensor{t, indices}, "", "%s has no elements to choose from", axisLabel(s, i))
		}
	}
	return gatherOp.call(a, operand{t: t.p}, operand{t: indices.p})
}

var gatherOp = &operation[gatherAttrs]{name: "Gather",
	describe: func(d *description[gatherAttrs]) {
		s, is, axes := d.ins[0], d.ins[1], d.attrs.axes.ints()
		out := Spec{DType: s.DType, Shape: slices.Clone(is.Shape[:len(is.Shape)-1]), weak: s.weak}
		for i, n := range s.Shape {
			if !slices.Contains(axes, i) {
				out.Shape = append(out.Shape, n)
			}
		}
		d.returns(newSpec(d.op, out, d.tensors()...))
	},
	emit: func(d *description[gatherAttrs], e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
		s, is, axes := d.ins[0], d.ins[1], d.attrs.axes.ints()
		last := len(is.Shape) - 1
		if d.outs[0].Shape.Size() == 0 {
			return []*stablehlo.Value{e.splat(s.DType, d.outs[0].Shape, zero)}
		}
		g := &stablehlo.GatherDims{CollapsedSliceDims: dims64(axes), StartIndexMap: dims64(axes),
			IndexVectorDim: int64(last)}
		sizes := slices.Clone(s.Shape)
		for _, i := range axes {
			sizes[i] = 1
		}
		for i := range len(s.Shape) - len(axes) {
			g.OffsetDims = append(g.OffsetDims, int64(last+i))
		}
		return []*stablehlo.Value{e.Value(stablehlo.OpGather,
			[]*stablehlo.Value{in[0], e.positions(in[1], s.Shape, axes)},
			stablehlo.Named("dimension_numbers", g),
			ints("slice_sizes", sizes), stablehlo.Named("indices_are_sorted", stablehlo.BoolAttr(false)))}
	}}

// positions appends positions along axes, counted from the start.
func (e *emitter) positions(v *stablehlo.Value, s Shape, axes []int) *stablehlo.Value {
	v = e.wideIndex(v)
	shape := shapeOf(v)
	last := len(shape) - 1
	if len(axes) == 0 {
		return v
	}
	sizes := make([]*stablehlo.Value, len(axes))
	for k, i := range axes {
		sizes[k] = e.splat(S64, Shape{1}, operandOf(s[i]).n)
	}
	size := sizes[0]
	if len(sizes) > 1 {
		size = e.Value(stablehlo.OpConcatenate, sizes, stablehlo.Named("dimension", stablehlo.I64(0)))
	}
	size = e.broadcast(size, shape, []int{last})
	wrapped := e.Value(stablehlo.OpAdd, []*stablehlo.Value{v, size})
	return e.Value(stablehlo.OpSelect, []*stablehlo.Value{e.compare(less, v, e.splat(S64, shape, zero)), wrapped, v})
}

// AddGather implements nx.AddGather.
func AddGather(t, indices, updates Tensor, opts ...AxisOption) Tensor {
	return scatterBy("AddGather", indexedAddOp, t, indices, updates, opts)
}

// SetGather implements nx.SetGather.
func SetGather(t, indices, updates Tensor, opts ...AxisOption) Tensor {
	return scatterBy("SetGather", indexedPutOp, t, indices, updates, opts)
}

func scatterBy(op string, o *operation[gatherAttrs], t, indices, updates Tensor, opts []AxisOption) Tensor {
	present(op, operand{t: t.p}, operand{t: indices.p}, operand{t: updates.p})
	a := readCoordinates(op, t, indices, opts)
	s, is, us := t.p.spec, indices.p.spec, updates.p.spec
	ins := []Tensor{t, indices, updates}
	lead := is.Shape[:len(is.Shape)-1]
	axes := a.axes.ints()
	rest := Shape{}
	for i, n := range s.Shape {
		if !slices.Contains(axes, i) {
			rest = append(rest, n)
		}
	}
	fits := len(us.Shape) == len(lead)+len(rest) && slices.Equal(us.Shape[:len(lead)], lead)
	for i := 0; fits && i < len(rest); i++ {
		fits = us.Shape[len(lead)+i] <= rest[i]
	}
	if !fits {
		failOn(ErrShape, op, ins, "an update has the shape of the part at a position",
			"the updates have the shape %v, not %v", []int(us.Shape), []int(slices.Concat(lead, rest)))
	}
	return o.call(a, operand{t: t.p}, operand{t: indices.p}, operand{t: updates.p})
}

var (
	indexedAddOp = scatterOp("AddGather", stablehlo.OpAdd)
	indexedPutOp = scatterOp("SetGather", put)
)

// put is the code of a scatter whose updates replace the elements.
const put stablehlo.OpCode = 0

// scatterOp combines elements and their updates by the op of a code.
//
//go:noinline
func scatterOp(name string, combine stablehlo.OpCode) *operation[gatherAttrs] {
	return &operation[gatherAttrs]{name: name,
		describe: func(d *description[gatherAttrs]) {
			s, us := d.ins[0], d.ins[2]
			t := promoted(s, us)
			if t == Bool && (combine == stablehlo.OpAdd || combine == stablehlo.OpMultiply) {
				t = U8
			}
			d.returns(intern(Spec{DType: t, Shape: s.Shape, Names: s.Names, weak: s.weak && us.weak}))
		},
		emit: func(d *description[gatherAttrs], e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
			s, is, us, t, axes := d.ins[0], d.ins[1], d.ins[2], d.outs[0].DType, d.attrs.axes.ints()
			x := e.convert(in[0], t)
			if us.Shape.Size() == 0 || s.Shape.Size() == 0 {
				return []*stablehlo.Value{x}
			}
			lead := len(is.Shape) - 1
			g := &stablehlo.ScatterDims{InsertedWindowDims: dims64(axes), ScatterDimsToOperandDims: dims64(axes),
				IndexVectorDim: int64(lead)}
			for i := lead; i < len(us.Shape); i++ {
				g.UpdateWindowDims = append(g.UpdateWindowDims, int64(i))
			}
			st := stablehlo.Tensor(t)
			return []*stablehlo.Value{
				e.Value(stablehlo.OpScatter, []*stablehlo.Value{x, e.positions(in[1], s.Shape, axes),
					e.convert(in[2], t)},
					stablehlo.Named("scatter_dimension_numbers", g),
					stablehlo.Named("indices_are_sorted", stablehlo.BoolAttr(false)),
					stablehlo.Named("unique_indices", stablehlo.BoolAttr(false)),
					stablehlo.Body{Args: []stablehlo.Type{st, st},
						Build: func(b *stablehlo.Builder, args []*stablehlo.Value) ([]*stablehlo.Value, error) {
							if combine == put {
								return args[1:], nil
							}
							r, err := b.Value(combine, args)
							return []*stablehlo.Value{r}, err
						}})}
		}}
}
