package core

import (
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/weak"
	"github.com/go-nx/nx/stablehlo"
)

const (
	// Clamp implements nx.Clamp.
	Clamp outsideOption = iota
	// Fill implements nx.Fill.
	Fill
	// Checked implements nx.Checked.
	Checked
)

// readTakeOptions reads the options of taking elements of t.
func readTakeOptions(op string, t Tensor, opts []TakeOption) (o takeOptions) {
	distinct(op, opts)
	for _, x := range opts {
		if x != nil {
			x.takeOption(&o)
		}
	}
	if o.outside > Checked {
		failOn(ErrArgument, op, []Tensor{t}, "use nx.Clamp, nx.Fill or nx.Checked", "there is no option %d", o.outside)
	}
	return o
}

func (o outsideOption) takeOption(t *takeOptions) { t.outside = o }

func (outsideOption) label() string            { return "the treatment of indices outside the axis" }
func (o axesOption) takeOption(t *takeOptions) { o.axisOption(&t.axisOptions) }

// Take implements nx.Take.
func Take(t, indices Tensor, opts ...TakeOption) Tensor {
	s, is := t.must("Take"), indices.must("Take")
	if !is.DType.IsInteger() {
		failOn(ErrDType, "Take", []Tensor{t, indices}, "cast to an integer type first (nx.Cast)",
			"indices must be integers, got %s", is.DType)
	}
	o := readTakeOptions("Take", t, opts)
	axis := axisFrom("Take", t, o.axisOptions, 0)
	if a, b := s.name(axis), is.name(0); len(is.Shape) == 1 && a != "" && b != "" && a != b {
		failOn(ErrNames, "Take", []Tensor{t, indices}, "rename the indices or the axis (nx.Rename)",
			"the axis %q would be named %q", a, b)
	}
	attrs := takeAttrs{axis, o.outside}
	spec := newSpec("Take", *attrs.result(s, is), t, indices)
	if s.Shape[axis] == 0 {
		if is.Shape.Size() > 0 && o.outside != Fill {
			failOn(ErrAxis, "Take", []Tensor{t, indices}, "", "%s has no elements to choose from", axisLabel(s, axis))
		}
		t.checked("Take") // there is nothing to gather from
		return constantOf("Take", spec.withoutVectors(), fillValue(s.DType), t, indices)
	}
	if o.outside == Checked && t.p.tr == nil && indices.p.tr == nil {
		checkIndices("Take", t, indices, axis)
	}
	return takeOp.call(attrs, operand{t: t.p}, operand{t: indices.p})
}

// takeAttrs are the attributes of [Take].
type takeAttrs struct {
	axis    int
	outside outsideOption
}

// result returns the type of the result: the axis is replaced by those of the indices.
func (a takeAttrs) result(s, indices *Spec) *Spec {
	out := Spec{DType: s.DType, weak: s.weak}
	for d, n := range s.Shape {
		if d != a.axis {
			out.Shape, out.Names = append(out.Shape, n), append(out.Names, s.name(d))
			continue
		}
		for i, m := range indices.Shape {
			name := indices.name(i)
			if len(indices.Shape) == 1 && name == "" { // a list of places: the axis stays what it is
				name = s.name(d)
			}
			out.Shape, out.Names = append(out.Shape, m), append(out.Names, name)
		}
	}
	return &out
}

var takeOp = &operation[takeAttrs]{name: "Take",
	describe: func(d *description[takeAttrs]) { d.returns(intern(*d.attrs.result(d.ins[0], d.ins[1]))) },
	emit: func(d *description[takeAttrs], e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
		s, axis, picks := d.ins[0], d.attrs.axis, len(d.ins[1].Shape)
		size, shape := s.Shape[axis], d.outs[0].Shape
		g := &stablehlo.GatherDims{CollapsedSliceDims: []int64{int64(axis)}, StartIndexMap: []int64{int64(axis)},
			IndexVectorDim: int64(picks)}
		sizes, picked := slices.Clone(s.Shape), make([]int, picks)
		sizes[axis] = 1
		for i := range picked { // the axes of the result that are those of the indices
			picked[i] = axis + i
		}
		for i := range shape {
			if i < axis || i >= axis+picks {
				g.OffsetDims = append(g.OffsetDims, int64(i))
			}
		}
		at := e.fromEnd(e.indexFor(in[1], size), size)
		v := e.Value(stablehlo.OpGather, []*stablehlo.Value{in[0], at}, stablehlo.Named("dimension_numbers", g),
			ints("slice_sizes", sizes), stablehlo.Named("indices_are_sorted", stablehlo.BoolAttr(false)))
		if d.attrs.outside == Fill {
			inside := e.broadcast(e.inside(at, size), shape, picked)
			v = e.Value(stablehlo.OpSelect, []*stablehlo.Value{inside, v, e.splat(s.DType, shape, fillValue(s.DType))})
		}
		return []*stablehlo.Value{v}
	}}

// checkIndices refuses indices beyond an axis.
func checkIndices(op string, t, indices Tensor, axis int) {
	s, is := t.p.spec, indices.p.spec
	size := s.Shape[axis]
	lend(op, indices, func(data []byte) {
		for i := range is.count() {
			n := weak.Decode(is.DType, data[i*is.DType.Size():])
			if n.Kind == dtype.KindUnsigned || n.Int >= int64(size) || n.Int < -int64(size) {
				failOn(ErrAxis, op, []Tensor{t, indices}, "",
					"the index %s, number %d, is out of range for %s of size %d",
					n.Text(), i, axisLabel(s, axis), size)
			}
		}
	})
}
