package autodiff

import (
	"slices"

	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/stablehlo"
)

// conv is a convolution without batch groups and without reversal, or one of its transposes.
type conv struct {
	dims                       stablehlo.ConvDims
	stride, low, high, dilateX []int64
	dilateKernel               []int64
	features, batches          int64 // numbers of groups
	precision                  []stablehlo.OpPart
}

func convOf(op *stablehlo.Op) conv {
	d, ok := op.Attr("dimension_numbers").(*stablehlo.ConvDims)
	if !ok {
		emit.Fail("%s must have dimension numbers", op.Name())
	}
	n := len(d.InputSpatial)
	c := conv{
		dims:         *d,
		stride:       intsOr(op, "window_strides", n, 1),
		dilateX:      intsOr(op, "lhs_dilation", n, 1),
		dilateKernel: intsOr(op, "rhs_dilation", n, 1),
		features:     op.Int("feature_group_count", 1),
		batches:      op.Int("batch_group_count", 1),
		precision:    precisionOf(op, false),
	}
	c.low, c.high = paddingOf(op, n)
	return c
}

// emit appends the convolution; the shape of its result follows from its attributes.
func (c conv) emit(e emitter, x, kernel value, dims []int64) value {
	pairs := make([]int64, 0, 2*len(c.low))
	for i := range c.low {
		pairs = append(pairs, c.low[i], c.high[i])
	}
	padding, err := stablehlo.Elements(pairs, int64(len(c.low)), 2)
	if err != nil {
		emit.Fail("derivative: %w", err)
	}
	parts := append(slices.Clone(c.precision),
		stablehlo.Named("dimension_numbers", &c.dims),
		stablehlo.Named("window_strides", stablehlo.I64s(c.stride...)),
		stablehlo.Named("padding", padding),
		stablehlo.Named("lhs_dilation", stablehlo.I64s(c.dilateX...)),
		stablehlo.Named("rhs_dilation", stablehlo.I64s(c.dilateKernel...)),
		stablehlo.Named("feature_group_count", stablehlo.I64(c.features)),
		stablehlo.Named("batch_group_count", stablehlo.I64(c.batches)),
		stablehlo.Results{stablehlo.Tensor(emit.DTypeOf(x), dims...)})
	return e.Value(stablehlo.OpConvolution, []value{x, kernel}, parts...)
}

// jvpConvolution is bilinear, after batch groups and reversal are removed.
func jvpConvolution(t *tracer, op *stablehlo.Op) {
	if op.Int("batch_group_count", 1) > 1 || slices.Contains(op.Ints("window_reversal"), 1) {
		t.expand(op, expandConvolution)
		return
	}
	jvpBilinear(t, op)
}

// expandConvolution reverses the kernel if the window is reversed, and converts batch groups to
// feature groups.
func expandConvolution(e emitter, op *stablehlo.Op) []value {
	x, kernel := op.Operands[0], op.Operands[1]
	c := convOf(op)
	var reversed []int64
	for i, r := range op.Ints("window_reversal") {
		if r != 0 {
			reversed = append(reversed, c.dims.KernelSpatial[i])
		}
	}
	kernel = e.Reverse(kernel, reversed...)
	if g := c.batches; g > 1 {
		x = e.splitInto(x, c.dims.InputBatch, g, c.dims.InputFeature)
		c.features, c.batches = g, 1
	}
	out := emit.TensorOf(op.Result())
	return []value{e.Convert(c.emit(e, x, e.Convert(kernel, emit.DTypeOf(x)), out.Dims), out.DType())}
}

// splitInto splits dimension from of x into groups and makes the group the major part of dimension
// to.
func (e emitter) splitInto(x value, from, groups, to int64) value {
	dims := emit.Sizes(x)
	split := slices.Concat(dims[:from], []int64{groups, dims[from] / groups}, dims[from+1:])
	x = e.Reshape(x, split...)
	// Move the group dimension before to, which is one further if after from.
	target := to
	if to > from {
		target = to + 1
	}
	var perm []int64
	for d := range int64(len(split)) {
		if d == target {
			perm = append(perm, from)
		}
		if d != from {
			perm = append(perm, d)
		}
	}
	x = e.Transpose(x, perm...)
	dims = slices.Clone(dims)
	dims[from] /= groups
	dims[to] *= groups
	return e.Reshape(x, dims...)
}

// transposeConvolution. With x dilated by the input dilation, y[i] = Σ_k x[i·s + k·r - low]·w[k]
// for strides s and kernel dilation r, so the cotangent of x is the convolution of ct, dilated by
// s, with the reversed kernel, and that of w the convolution of x with ct, dilated by s, at strides
// r.
func transposeConvolution(t *transposer, op *stablehlo.Op, ct value) {
	x, kernel := op.Operands[0], op.Operands[1]
	if product(emit.Sizes(ct)) == 0 {
		return
	}
	c := convOf(op)
	d := emit.DTypeOf(ct)
	if t.depends[x] {
		g := c.byInput(t.emitter, emit.Sizes(x), t.Convert(kernel, d), ct)
		t.accumulate(x, t.Convert(g, emit.DTypeOf(x)))
	} else {
		g := c.byKernel(t.emitter, t.Convert(x, d), emit.Sizes(kernel), ct)
		t.accumulate(kernel, t.Convert(g, emit.DTypeOf(kernel)))
	}
}

func (c conv) byInput(e emitter, dims []int64, kernel, ct value) value {
	d := c.dims
	// Each group of output features becomes a group of input features.
	size := emit.Sizes(kernel)
	back := conv{
		stride: c.dilateX, dilateX: c.stride, dilateKernel: c.dilateKernel,
		features: c.features, batches: 1, precision: c.precision,
		dims: stablehlo.ConvDims{
			InputBatch: d.OutputBatch, InputFeature: d.OutputFeature, InputSpatial: d.OutputSpatial,
			KernelInputFeature: d.KernelOutputFeature, KernelOutputFeature: d.KernelInputFeature,
			KernelSpatial: d.KernelSpatial, OutputBatch: d.InputBatch,
			OutputFeature: d.InputFeature, OutputSpatial: d.InputSpatial,
		},
	}
	for i := range c.stride {
		k := dilatedSize(size[d.KernelSpatial[i]], c.dilateKernel[i])
		x := dilatedSize(dims[d.InputSpatial[i]], c.dilateX[i])
		y := dilatedSize(emit.Sizes(ct)[d.OutputSpatial[i]], c.stride[i])
		back.low = append(back.low, k-1-c.low[i])
		back.high = append(back.high, x+c.low[i]-y)
	}
	kernel = e.Reverse(kernel, d.KernelSpatial...)
	if c.features > 1 {
		kernel = e.splitInto(kernel, d.KernelOutputFeature, c.features, d.KernelInputFeature)
	}
	return back.emit(e, ct, kernel, dims)
}

func (c conv) byKernel(e emitter, x value, dims []int64, ct value) value {
	d := c.dims
	// The batch is summed over; features of x are the batch, and their groups become batch groups.
	back := conv{
		stride: c.dilateKernel, dilateX: c.dilateX, dilateKernel: c.stride,
		low: c.low, features: 1, batches: c.features, precision: c.precision,
		dims: stablehlo.ConvDims{
			InputBatch: d.InputFeature, InputFeature: d.InputBatch, InputSpatial: d.InputSpatial,
			KernelInputFeature: d.OutputBatch, KernelOutputFeature: d.OutputFeature, KernelSpatial: d.OutputSpatial,
			OutputBatch: d.KernelInputFeature, OutputFeature: d.KernelOutputFeature, OutputSpatial: d.KernelSpatial,
		},
	}
	for i := range c.stride {
		k := dilatedSize(dims[d.KernelSpatial[i]], c.dilateKernel[i])
		n := dilatedSize(emit.Sizes(x)[d.InputSpatial[i]], c.dilateX[i])
		y := dilatedSize(emit.Sizes(ct)[d.OutputSpatial[i]], c.stride[i])
		back.high = append(back.high, k+y-1-n-c.low[i])
	}
	return back.emit(e, x, ct, dims)
}
