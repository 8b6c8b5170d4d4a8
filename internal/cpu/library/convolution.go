package library

import (
	"fmt"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernels"
	"github.com/go-nx/nx/internal/cpu/rt"
	"github.com/go-nx/nx/stablehlo"
)

func init() { makers[stablehlo.OpConvolution] = makeConvolution }

// makeConvolution compiles convolutions of real numbers. Elements are
// multiplied and summed in the accumulation type of dot_general.
func makeConvolution(op *stablehlo.Op) (Func, error) {
	x, k, y := op.Operands[0].Tensor(), op.Operands[1].Tensor(), op.Result().Tensor()
	d, ok := op.Attr("dimension_numbers").(*stablehlo.ConvDims)
	if !ok {
		return nil, fmt.Errorf("there are no dimension numbers")
	}
	c := convolutionOf(op, d, ints(x.Dims), ints(k.Dims), ints(y.Dims))
	acc := accumulation(x.DType(), k.DType(), y.DType())
	var f func(env *rt.Env, y, x, k []byte) error
	switch acc {
	case dtype.F32:
		f = convolve[float32](c)
	case dtype.F64:
		f = convolve[float64](c)
	case dtype.S32:
		f = convolve[int32](c)
	case dtype.S64:
		f = convolve[int64](c)
	default:
		return nil, fmt.Errorf("elements of type %s are not supported", y.DType())
	}
	types := [3]dtype.Type{x.DType(), k.DType(), y.DType()}
	return func(env *rt.Env, ins, outs [][]byte) error {
		return converted(env, acc, types, ins, outs[0], func(x, k, y []byte) error { return f(env, y, x, k) })
	}, nil
}

func convolve[T float32 | float64 | int32 | int64](c *kernels.Conv) func(env *rt.Env, y, x, k []byte) error {
	return func(env *rt.Env, y, x, k []byte) error {
		if len(y) == 0 {
			return nil
		}
		return kernels.Convolve(env, c, view[T](y), view[T](x), view[T](k))
	}
}

func view[T any](b []byte) kernels.View[T] { return kernels.View[T]{Data: rt.View[T](b)} }

// convolutionOf describes a convolution by the sizes and strides of its operands.
func convolutionOf(op *stablehlo.Op, d *stablehlo.ConvDims, x, k, y []int) *kernels.Conv {
	n := len(d.InputSpatial)
	xs, ks, ys := rowMajor(x), rowMajor(k), rowMajor(y)
	featureGroups, batchGroups := int(op.Int("feature_group_count", 1)), int(op.Int("batch_group_count", 1))
	groups := featureGroups * batchGroups // one of them is 1
	c := &kernels.Conv{
		Groups: groups, Batch: x[d.InputBatch] / batchGroups, In: k[d.KernelInputFeature], Out: k[d.KernelOutputFeature] / groups,
		LhsBatch: xs[d.InputBatch], LhsFeature: xs[d.InputFeature],
		RhsIn: ks[d.KernelInputFeature], RhsOut: ks[d.KernelOutputFeature],
		OutBatch: ys[d.OutputBatch], OutFeature: ys[d.OutputFeature],
	}
	c.LhsGroup = c.In * c.LhsFeature
	if batchGroups > 1 {
		c.LhsGroup = c.Batch * c.LhsBatch
	}
	c.RhsGroup, c.OutGroup = c.Out*c.RhsOut, c.Out*c.OutFeature
	stride, low := intsOr(op, "window_strides", n, 1), intsOr(op, "padding", 2*n, 0)
	base, dilation := intsOr(op, "lhs_dilation", n, 1), intsOr(op, "rhs_dilation", n, 1)
	reversed := intsOr(op, "window_reversal", n, 0)
	for i := range n {
		in, kernel, out := d.InputSpatial[i], d.KernelSpatial[i], d.OutputSpatial[i]
		c.Spatial = append(c.Spatial, kernels.ConvAxis{
			In: x[in], Kernel: k[kernel], Out: y[out],
			InStride: xs[in], KernelStride: ks[kernel], OutStride: ys[out],
			Step: int(stride[i]), Low: int(low[2*i]), Dilation: int(dilation[i]), BaseDilation: int(base[i]),
			Reversed: reversed[i] != 0,
		})
	}
	return c
}

func rowMajor(dims []int) []int {
	s := make([]int, len(dims))
	n := 1
	for d := len(dims) - 1; d >= 0; d-- {
		s[d] = n
		n *= dims[d]
	}
	return s
}
