package kernels

import (
	"slices"

	"github.com/go-nx/nx/internal/cpu/rt"
)

// turnedImage is a [wholeImage] for kernels and results whose features are not neighbours, as in gradients where those
// come first: both are copied to where they are, which takes little beside long sums.
type turnedImage[T accumulator] struct {
	image *wholeImage[T]
	turnedConv
}

// turnedConv is a convolution by copies of the kernel and of the result.
type turnedConv struct {
	Conv
	kernel, out        []turnedDim
	kernelElems, elems int // of the copies
}

// turnedDim is a dimension of a copy: its stride there, and that of what it is a copy of.
type turnedDim struct{ size, dense, stride int }

// newTurnedImage returns nil for convolutions that are no such.
func newTurnedImage[T accumulator](step rt.ProductStep[T], c *Conv) convAlgorithm[T] {
	if c.OutFeature == 1 && c.RhsOut == 1 {
		return nil
	}
	t := &turnedImage[T]{turnedConv: turned(c)}
	if t.kernel == nil {
		return nil
	}
	if t.image = newWholeImage(step, &t.Conv); t.image == nil {
		return nil
	}
	return t
}

// turned returns the convolution by copies, no kernel where something lies backwards.
func turned(c *Conv) turnedConv {
	t := turnedConv{Conv: *c}
	t.Spatial = slices.Clone(c.Spatial)
	t.kernel = []turnedDim{{size: c.Groups, stride: c.RhsGroup}}
	t.out = []turnedDim{{size: c.Groups, stride: c.OutGroup}, {size: c.Batch, stride: c.OutBatch}}
	kernel, out := []*int{&t.RhsGroup}, []*int{&t.OutGroup, &t.OutBatch}
	for i, a := range c.Spatial {
		t.kernel = append(t.kernel, turnedDim{size: a.Kernel, stride: a.KernelStride})
		kernel = append(kernel, &t.Spatial[i].KernelStride)
		t.out = append(t.out, turnedDim{size: a.Out, stride: a.OutStride})
		out = append(out, &t.Spatial[i].OutStride)
	}
	t.kernel = append(t.kernel, turnedDim{size: c.In, stride: c.RhsIn}, turnedDim{size: c.Out, stride: c.RhsOut})
	t.out = append(t.out, turnedDim{size: c.Out, stride: c.OutFeature})
	t.kernelElems = pack(t.kernel, append(kernel, &t.RhsIn, &t.RhsOut))
	t.elems = pack(t.out, append(out, &t.OutFeature))
	if slices.ContainsFunc(slices.Concat(t.kernel, t.out), func(d turnedDim) bool { return d.stride < 0 }) {
		return turnedConv{}
	}
	return t
}

// pack gives the dimensions of a copy their strides, the last one 1, and returns how many elements it has.
func pack(dims []turnedDim, strides []*int) (elems int) {
	elems = 1
	for i := len(dims) - 1; i >= 0; i-- {
		dims[i].dense, *strides[i] = elems, elems
		elems *= dims[i].size
	}
	return elems
}

func (t *turnedImage[T]) run(env *rt.Env, out, lhs, rhs View[T]) error {
	kernel := roundUp(t.kernelElems, rt.Align)
	scratch, err := env.Scratch((kernel + t.elems) * sizeOf[T]())
	if err != nil {
		return err
	}
	defer env.Free(scratch)
	room := rt.View[T](scratch)
	copyTurned(room, rhs.Data[rhs.Offset:], t.kernel, true)
	if err := t.image.run(env, View[T]{Data: room[kernel:]}, lhs, View[T]{Data: room[:kernel]}); err != nil {
		return err
	}
	copyTurned(room[kernel:], out.Data[out.Offset:], t.out, false)
	return nil
}

// copyTurned copies to the dense array, or from it.
func copyTurned[T any](dense, strided []T, dims []turnedDim, toDense bool) {
	d := dims[0]
	if len(dims) > 1 {
		for i := range d.size {
			copyTurned(dense[i*d.dense:], strided[i*d.stride:], dims[1:], toDense)
		}
		return
	}
	if toDense {
		copyRow(dense, strided, 0, 0, d.dense, d.stride, d.size)
	} else {
		copyRow(strided, dense, 0, 0, d.stride, d.dense, d.size)
	}
}
