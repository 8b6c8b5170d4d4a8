package core

import (
	"math"
	"slices"

	"github.com/go-nx/nx/stablehlo"
)

// convAttrs are the attributes of a convolution.
type convAttrs struct {
	windows             windowAttrs // over the spatial axes
	inputDilation       intList
	groups, batchGroups int
	integers            bool    // they are summed in s32
	input, kernel, out  intList // batch or channels out, channels in, spatial axes
}

// Conv implements nx.Conv.
func Conv(input, kernel Tensor, opts ...ConvOption) Tensor {
	const op = "Conv"
	present(op, operand{t: input.p}, operand{t: kernel.p})
	ins := []Tensor{input, kernel}
	s, k := input.p.spec, kernel.p.spec
	rank := len(s.Shape)
	if rank < 3 || len(k.Shape) != rank {
		failOn(ErrShape, op, ins, "both have an axis of the batch or of kernels, one of channels, and the spatial axes",
			"the input has rank %d, the kernel %d", rank, len(k.Shape))
	}
	o := convOptions{groups: 1, batchGroups: 1}
	distinct(op, opts)
	for _, x := range opts {
		if x != nil {
			x.convOption(&o)
		}
	}
	order := func(what string, axes []int, last []int) intList {
		switch {
		case axes == nil:
			axes = make([]int, rank)
			for i := range axes {
				axes[i] = i
			}
		case len(axes) == 0:
			axes = last
		}
		sorted := slices.Clone(axes)
		for i, a := range sorted {
			if a < 0 {
				sorted[i] += rank
			}
		}
		axes = slices.Clone(sorted)
		slices.Sort(sorted)
		for i, a := range sorted {
			if a != i || len(sorted) != rank {
				failOn(ErrAxis, op, ins, "give each axis once",
					"the layout of the %s must be a permutation of %d axes, got %v", what, rank, axes)
			}
		}
		return listOf(axes)
	}
	batchLast, kernelLast := []int{0, rank - 1}, []int{rank - 1, rank - 2}
	for i := range rank - 2 {
		batchLast, kernelLast = append(batchLast, i+1), append(kernelLast, i)
	}
	a := convAttrs{integers: o.integers, groups: o.groups, batchGroups: o.batchGroups, input: order("input",
		o.inputAxes, batchLast),
		kernel: order("kernel", o.kernelAxes, kernelLast), out: order("result", o.outAxes, batchLast)}
	pick := func(s Shape, at intList) Shape {
		var out Shape
		for _, i := range at.ints() {
			out = append(out, s[i])
		}
		return out
	}
	in, kern := pick(s.Shape, a.input), pick(k.Shape, a.kernel)
	switch {
	case a.groups < 1 || a.batchGroups < 1:
		failOn(ErrArgument, op, ins, "", "there are %d groups of features and %d of the batch", a.groups, a.batchGroups)
	case a.groups > 1 && a.batchGroups > 1:
		failOn(ErrArgument, op, ins, "", "groups of features and groups of the batch do not mix")
	case in[1] != kern[1]*a.groups:
		failOn(ErrShape, op, ins, "the kernel is [out, in/groups, spatial…]",
			"the input has %d channels, the kernel %d in %s", in[1], kern[1], plural(a.groups, "group", "groups"))
	case kern[0]%a.groups != 0 || kern[0]%a.batchGroups != 0:
		failOn(ErrShape, op, ins, "", "%d kernels do not divide into %d groups", kern[0], a.groups*a.batchGroups)
	case in[0]%a.batchGroups != 0:
		failOn(ErrShape, op, ins, "", "a batch of %d does not divide into %d groups", in[0], a.batchGroups)
	}
	spatial := slices.Clone(in[2:])
	dilations := o.inputDilation
	if len(dilations) == 0 {
		dilations = []int{1}
	}
	if len(dilations) == 1 {
		dilations = slices.Repeat(dilations, len(spatial))
	}
	if len(dilations) != len(spatial) {
		failOn(ErrArgument, op, ins, "", "there are %d dilations of the input for %s", len(dilations),
			plural(len(spatial), "spatial axis", "spatial axes"))
	}
	for i, d := range dilations {
		if d < 1 || d > math.MaxInt32 {
			failOn(ErrArgument, op, ins, "", "the dilation %d of the input is not positive, or too large", d)
		}
		if spatial[i] > 0 {
			spatial[i] = (spatial[i]-1)*d + 1
		}
	}
	a.inputDilation = listOf(dilations)
	for _, n := range kern[2:] {
		if n == 0 {
			failOn(ErrShape, op, ins, "", "the kernel has no elements along a spatial axis")
		}
	}
	a.windows = o.windowOptions.resolve(op, ins, spatial, kern[2:])
	return convOp.call(a, operand{t: input.p}, operand{t: kernel.p})
}

var convOp = &operation[convAttrs]{name: "Conv",
	describe: func(d *description[convAttrs]) {
		a, s, k := d.attrs, d.ins[0], d.ins[1]
		input, kernel, out := a.input.ints(), a.kernel.ints(), a.out.ints()
		t := floating(promoted(s, k), d.weak())
		if a.integers {
			t = S32
		}
		r := Spec{DType: t, Shape: make(Shape, len(out)), Names: make([]string, len(out)), weak: d.weak()}
		spatial := Shape{}
		for i, n := range a.inputDilation.ints() {
			m := s.Shape[input[2+i]]
			if m > 0 {
				m = (m-1)*n + 1
			}
			spatial = append(spatial, m)
		}
		sizes := append(Shape{s.Shape[input[0]] / a.batchGroups, k.Shape[kernel[0]]}, a.windows.shape(spatial)...)
		for i, at := range out {
			r.Shape[at], r.Names[at] = sizes[i], s.name(input[i])
		}
		d.returns(newSpec(d.op, r, d.tensors()...))
	},
	emit: func(d *description[convAttrs], e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
		a, out := d.attrs, d.outs[0]
		places := func(l intList) (first, second int64, rest []int64) {
			p := dims64(l.ints())
			return p[0], p[1], p[2:]
		}
		dims := &stablehlo.ConvDims{}
		dims.InputBatch, dims.InputFeature, dims.InputSpatial = places(a.input)
		dims.KernelOutputFeature, dims.KernelInputFeature, dims.KernelSpatial = places(a.kernel)
		dims.OutputBatch, dims.OutputFeature, dims.OutputSpatial = places(a.out)
		w := a.windows
		t := stablehlo.Tensor(wide(out.DType), dims64(out.Shape)...)
		if !a.integers {
			in = []*stablehlo.Value{e.convert(in[0], wide(out.DType)), e.convert(in[1], wide(out.DType))}
		}
		v := e.Value(stablehlo.OpConvolution, in,
			stablehlo.Named("dimension_numbers", dims), ints("window_strides", w.strides.ints()), w.padding(),
			ints("lhs_dilation", a.inputDilation.ints()), ints("rhs_dilation", w.dilations.ints()),
			stablehlo.Named("feature_group_count", stablehlo.I64(int64(a.groups))),
			stablehlo.Named("batch_group_count", stablehlo.I64(int64(a.batchGroups))), stablehlo.Results{t})
		return []*stablehlo.Value{e.convert(v, out.DType)}
	}}
