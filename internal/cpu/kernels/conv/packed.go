package conv

import (
	"slices"

	"github.com/go-nx/nx/internal/cpu/kernels/gemm"
	"github.com/go-nx/nx/internal/cpu/kernels/move"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// packedConv is a [largeKernelConv] for kernels and results whose features are not contiguous, as in gradients where
// features come first. It copies both to a packed layout, which is cheap beside long sums.
type packedConv[T gemm.Accumulator] struct {
	image *largeKernelConv[T]
	packedShape
}

// packedShape is a convolution with packed copies of the kernel and of the result.
type packedShape struct {
	Shape
	kernel, out        []packedDim
	kernelElems, elems int // of the copies
}

// packedDim is a dimension of a packed copy: its stride there, and its stride in the original.
type packedDim struct{ size, dense, stride int }

// newPackedConv returns nil if the layout is already dense or the algorithm does not apply.
func newPackedConv[T gemm.Accumulator](step rt.GemmStep[T], c *Shape) algorithm[T] {
	if c.OutFeature == 1 && c.RhsOut == 1 {
		return nil
	}
	t := &packedConv[T]{packedShape: packShape(c)}
	if t.kernel == nil {
		return nil
	}
	if t.image = newLargeKernelConv(step, &t.Shape); t.image == nil {
		return nil
	}
	return t
}

// packShape returns the convolution on packed copies; its kernel is nil where a stride is negative.
func packShape(c *Shape) packedShape {
	t := packedShape{Shape: *c}
	t.Spatial = slices.Clone(c.Spatial)
	t.kernel = []packedDim{{size: c.Groups, stride: c.RhsGroup}}
	t.out = []packedDim{{size: c.Groups, stride: c.OutGroup}, {size: c.Batch, stride: c.OutBatch}}
	kernel, out := []*int{&t.RhsGroup}, []*int{&t.OutGroup, &t.OutBatch}
	for i, a := range c.Spatial {
		t.kernel = append(t.kernel, packedDim{size: a.Kernel, stride: a.KernelStride})
		kernel = append(kernel, &t.Spatial[i].KernelStride)
		t.out = append(t.out, packedDim{size: a.Out, stride: a.OutStride})
		out = append(out, &t.Spatial[i].OutStride)
	}
	t.kernel = append(t.kernel, packedDim{size: c.In, stride: c.RhsIn}, packedDim{size: c.Out, stride: c.RhsOut})
	t.out = append(t.out, packedDim{size: c.Out, stride: c.OutFeature})
	t.kernelElems = packLayout(t.kernel, append(kernel, &t.RhsIn, &t.RhsOut))
	t.elems = packLayout(t.out, append(out, &t.OutFeature))
	if slices.ContainsFunc(slices.Concat(t.kernel, t.out), func(d packedDim) bool { return d.stride < 0 }) {
		return packedShape{}
	}
	return t
}

// packLayout sets the strides of the dimensions of a copy, the last one 1, and returns its number of elements.
func packLayout(dims []packedDim, strides []*int) (elems int) {
	elems = 1
	for i := len(dims) - 1; i >= 0; i-- {
		dims[i].dense, *strides[i] = elems, elems
		elems *= dims[i].size
	}
	return elems
}

func (t *packedConv[T]) run(env *rt.Env, out, lhs, rhs View[T]) error {
	kernel := rt.RoundUp(t.kernelElems, rt.Align)
	scratch, err := env.Scratch((kernel + t.elems) * rt.SizeOf[T]())
	if err != nil {
		return err
	}
	defer env.Free(scratch)
	buf := rt.View[T](scratch)
	copyPacked(buf, rhs.Data[rhs.Offset:], t.kernel, true)
	if err := t.image.run(env, View[T]{Data: buf[kernel:]}, lhs, View[T]{Data: buf[:kernel]}); err != nil {
		return err
	}
	copyPacked(buf[kernel:], out.Data[out.Offset:], t.out, false)
	return nil
}

// copyPacked copies to the packed array, or from it.
func copyPacked[T any](dense, strided []T, dims []packedDim, toDense bool) {
	d := dims[0]
	if len(dims) > 1 {
		for i := range d.size {
			copyPacked(dense[i*d.dense:], strided[i*d.stride:], dims[1:], toDense)
		}
		return
	}
	if toDense {
		move.Row(dense, strided, 0, 0, d.dense, d.stride, d.size)
	} else {
		move.Row(strided, dense, 0, 0, d.stride, d.dense, d.size)
	}
}
