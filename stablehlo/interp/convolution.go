package interp

import (
	"math/cmplx"
	"slices"

	"github.com/go-nx/nx/stablehlo"
)

// convolution holds the attributes of a convolution and the shapes of this
// run. Sums run over the kernel's positions in order and, at each, over the
// input features; they are accumulated as those of a [contraction].
type convolution struct {
	dims                    *stablehlo.ConvDims
	stride, low             []int64
	lhsDilation             []int64
	rhsDilation             []int64
	reversed                []int64 // 1 where the window runs backwards
	featureGroups           int
	batchGroups             int
	batch, features         int // of the input
	kernelIn, kernelOut     int // features
	in, kernel, out         []int64
	inSteps, kernelSteps    []int // in positions
	outBatch                int
	perFeatureGroup, perOut int // output features of a feature group, of a batch group
}

func evalConvolution(f *frame, s *step, args []Value) ([]Value, error) {
	return convolve(f, s.op, args[0].(*Tensor), args[1].(*Tensor), s.op.Ints("padding"))
}

func evalDynamicConv(f *frame, s *step, args []Value) ([]Value, error) {
	return convolve(f, s.op, args[0].(*Tensor), args[1].(*Tensor), ints(args[2].(*Tensor)))
}

func convolve(f *frame, op *stablehlo.Op, x, k *Tensor, padding []int64) ([]Value, error) {
	c, err := newConvolution(op, x.dims(), k.dims(), padding)
	if err != nil {
		return nil, err
	}
	// Input as [batch, space…, feature], kernel as [space…, out, in].
	d := c.dims
	xs, err := permuted(f, x, slices.Concat([]int64{d.InputBatch}, d.InputSpatial, []int64{d.InputFeature}))
	if err != nil {
		return nil, err
	}
	ks, err := permuted(f, k, slices.Concat(d.KernelSpatial, []int64{d.KernelOutputFeature, d.KernelInputFeature}))
	if err != nil {
		return nil, err
	}
	t := op.Result().Tensor()
	packed, err := makeTensor(t, slices.Concat([]int64{int64(c.outBatch)}, c.out, []int64{int64(c.kernelOut)})...)
	if err != nil {
		return nil, err
	}
	switch kindOf(t.DType()) {
	case asFloat32:
		err = convolveNumbers[float32](f, c, packed, xs, ks, !allFinite(ks))
	case asFloat64:
		err = convolveNumbers[float64](f, c, packed, xs, ks, !allFinite(ks))
	case asComplex64:
		err = convolveNumbers[complex64](f, c, packed, xs, ks, !allFinite(ks))
	case asComplex128:
		err = convolveNumbers[complex128](f, c, packed, xs, ks, !allFinite(ks))
	default:
		err = convolveNumbers[int64](f, c, packed, xs, ks, false)
	}
	if err != nil {
		return nil, err
	}
	// Transpose back to the requested layout.
	from := rowMajor(packed.dims())
	dims, steps := make([]int64, len(from)), make([]int, len(from))
	for i, to := range slices.Concat([]int64{d.OutputBatch}, d.OutputSpatial, []int64{d.OutputFeature}) {
		dims[to], steps[to] = packed.dims()[i], from[i]
	}
	r, err := rearrange(f, op, packed, dims, 0, steps)
	return []Value{r}, err
}

// permuted returns x transposed.
func permuted(f *frame, x *Tensor, perm []int64) (*Tensor, error) {
	steps, ls := rowMajor(x.dims()), make([]label, len(perm))
	for i, p := range perm {
		ls[i] = label{n: x.dims()[p], x: steps[p]}
	}
	return pack(f, x, ls, func(l label) int { return l.x })
}

func allFinite(x *Tensor) bool {
	d := x.Type.DType()
	for i := range x.numElems() {
		v := loadComplex(d, x.Data, i)
		if cmplx.IsInf(v) || cmplx.IsNaN(v) {
			return false
		}
	}
	return true
}

func newConvolution(op *stablehlo.Op, x, k, padding []int64) (*convolution, error) {
	d, ok := op.Attr("dimension_numbers").(*stablehlo.ConvDims)
	if !ok {
		return nil, faultf(Unsupported, "convolution without dimension numbers")
	}
	n := len(d.InputSpatial)
	if padding == nil {
		padding = make([]int64, 2*n)
	}
	c := &convolution{dims: d, low: make([]int64, n), out: make([]int64, n),
		stride:        intsOr(op, "window_strides", n, 1),
		lhsDilation:   intsOr(op, "lhs_dilation", n, 1),
		rhsDilation:   intsOr(op, "rhs_dilation", n, 1),
		reversed:      intsOr(op, "window_reversal", n, 0),
		featureGroups: int(op.Int("feature_group_count", 1)), batchGroups: int(op.Int("batch_group_count", 1)),
		batch: int(x[d.InputBatch]), features: int(x[d.InputFeature]),
		kernelIn: int(k[d.KernelInputFeature]), kernelOut: int(k[d.KernelOutputFeature])}
	if len(padding) != 2*n || c.featureGroups < 1 || c.batchGroups < 1 || c.features != c.kernelIn*c.featureGroups ||
		c.batch%c.batchGroups != 0 || c.kernelOut%c.featureGroups != 0 || c.kernelOut%c.batchGroups != 0 {
		return nil,
			faultf(BadShape, "an input of shape %v and a kernel of shape %v do not fit %d feature groups and %d batch groups",
				x, k, c.featureGroups, c.batchGroups)
	}
	c.outBatch = c.batch / c.batchGroups
	c.perFeatureGroup, c.perOut = c.kernelOut/c.featureGroups, c.kernelOut/c.batchGroups
	for i := range n {
		size, window := x[d.InputSpatial[i]], k[d.KernelSpatial[i]]
		c.in, c.kernel, c.low[i] = append(c.in, size), append(c.kernel, window), padding[2*i]
		if size > 0 {
			size = (size-1)*c.lhsDilation[i] + 1
		}
		size += padding[2*i] + padding[2*i+1]
		reach := window
		if window > 0 {
			reach = (window-1)*c.rhsDilation[i] + 1
		}
		if size > 0 && reach <= size {
			c.out[i] = (size-reach)/c.stride[i] + 1
		}
	}
	c.inSteps, c.kernelSteps = rowMajor(c.in), rowMajor(c.kernel)
	return c, nil
}

// tap is a position of the kernel that meets one of the input.
type tap struct{ in, kernel int }

// convolveNumbers computes a packed result from packed operands. Padding contributes terms multiplied by 0,
// which matter only when the kernel has infinities or NaNs.
func convolveNumbers[T number](f *frame, c *convolution, r, x, k *Tensor, withPadding bool) error {
	if err := checkMemoryFor[T](x, k, r); err != nil {
		return err
	}
	xs, err := load[T](f, x)
	if err != nil {
		return err
	}
	ks, err := load[T](f, k)
	if err != nil {
		return err
	}
	padding := -1 // the position that stands for padding: one of zeros behind the input
	space := numElems(c.in)
	if withPadding {
		padding = c.batch * space
		xs = append(xs, make([]T, c.features)...)
	}
	out := make([]T, r.numElems())
	at := newCounter(c.out, rowMajor(c.out))
	var taps []tap
	for p := range numElems(c.out) {
		taps = c.taps(taps[:0], at.index, 0, 0, 0, padding)
		at.next()
		for n := range c.outBatch {
			if err := f.tickN(len(taps) * c.kernelOut * c.kernelIn / 64); err != nil {
				return err
			}
			to := out[(n*numElems(c.out)+p)*c.kernelOut:][:c.kernelOut]
			for o := range to {
				image := n + o/c.perOut*c.outBatch
				feature := o / c.perFeatureGroup * c.kernelIn
				var sum T
				for _, t := range taps {
					pos := t.in + image*space
					if t.in == padding {
						pos = padding
					}
					row := xs[pos*c.features+feature:][:c.kernelIn]
					col := ks[(t.kernel*c.kernelOut+o)*c.kernelIn:][:c.kernelIn]
					for i, v := range row {
						sum += T(v * col[i])
					}
				}
				to[o] = sum
			}
		}
	}
	return store(f, r, out)
}

// taps appends, in kernel order, the positions of the kernel at an output
// index that meet the input; those that meet padding only when padding >= 0.
func (c *convolution) taps(taps []tap, index []int64, d, in, kernel, padding int) []tap {
	if d == len(c.in) {
		return append(taps, tap{in, kernel})
	}
	for w := range c.kernel[d] {
		p := w
		if c.reversed[d] != 0 {
			p = c.kernel[d] - 1 - w
		}
		p = index[d]*c.stride[d] + p*c.rhsDilation[d] - c.low[d]
		q := p / c.lhsDilation[d]
		k := kernel + int(w)*c.kernelSteps[d]
		switch inside := p >= 0 && q < c.in[d] && q*c.lhsDilation[d] == p; {
		case inside && in != padding:
			taps = c.taps(taps, index, d+1, in+int(q)*c.inSteps[d], k, padding)
		case padding >= 0:
			taps = c.taps(taps, index, d+1, padding, k, padding)
		}
	}
	return taps
}
