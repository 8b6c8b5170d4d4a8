package library

import (
	"fmt"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernels/conv"
	"github.com/go-nx/nx/internal/cpu/program"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// makeConvolution compiles convolutions of real numbers.
func makeConvolution(n *program.Contraction, types [3]dtype.Type, steps rt.GemmSteps) (Func, error) {
	acc, c := n.Acc, convolutionOf(n)
	var f func(env *rt.Env, y, x, k []byte) error
	switch acc {
	case dtype.F32:
		f = convolve(conv.New[float32](steps, c), n)
	case dtype.F64:
		f = convolve(conv.New[float64](steps, c), n)
	case dtype.S32, dtype.S64: // 64-bit sums modulo 2^32; narrower integers are summed as floats
		acc, f = dtype.S64, convolve(conv.NewOfInts(steps, c), n)
	default:
		return nil, fmt.Errorf("elements of type %s are not supported", types[2])
	}
	return func(env *rt.Env, ins, outs [][]byte) error {
		return withConverted(env, acc, types, ins, outs[0], func(x, k, y []byte) error { return f(env, y, x, k) })
	}, nil
}

func convolve[T float32 | float64 | int64](by *conv.Convolution[T],
	n *program.Contraction) func(env *rt.Env, y, x, k []byte) error {
	return func(env *rt.Env, y, x, k []byte) error {
		if len(y) == 0 {
			return nil
		}
		return by.Run(env, view[T](y, &n.Out), view[T](x, &n.Left), view[T](k, &n.Right))
	}
}

func view[T any](b []byte, m *program.Matrix) conv.View[T] {
	return conv.View[T]{Data: rt.View[T](b), Offset: int(m.Offset)}
}

// convolutionOf returns the shape of a convolution for package conv.
func convolutionOf(n *program.Contraction) *conv.Shape {
	l, r, o := &n.Left, &n.Right, &n.Out
	c := &conv.Shape{
		Groups: int(l.Batch[0].Size), Batch: int(l.Rows[0].Size), In: int(l.Cols[0].Size), Out: int(r.Cols[0].Size),
		LhsGroup: int(l.Batch[0].Stride), LhsBatch: int(l.Rows[0].Stride), LhsFeature: int(l.Cols[0].Stride),
		RhsGroup: int(r.Batch[0].Stride), RhsIn: int(r.Rows[0].Stride), RhsOut: int(r.Cols[0].Stride),
		OutGroup: int(o.Batch[0].Stride), OutBatch: int(o.Rows[0].Stride), OutFeature: int(o.Cols[0].Stride),
	}
	for _, w := range n.Windows {
		c.Spatial = append(c.Spatial, conv.Axis{
			In: int(w.In), Kernel: int(w.Taps), Out: int(w.Positions),
			InStride: int(w.Left), KernelStride: int(w.Right), OutStride: int(w.Out),
			Step: int(w.Step), Low: int(w.Low), Dilation: int(w.Dilation), BaseDilation: int(w.BaseDilation),
			Reversed: w.Reversed,
		})
	}
	return c
}
