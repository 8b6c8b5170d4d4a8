package core

import (
	"reflect"
	"unsafe"

	"github.com/go-nx/nx/backend"
)

// LiveBytes implements debug.LiveBytes.
func LiveBytes() int64 {
	if c, ok := local().client.(backend.Counter); ok {
		return c.InUse()
	}
	return 0
}

// View implements nx.View.
func View[T Number](t Tensor, f func(data []T)) {
	notNil("View", f == nil)
	s := t.must("View")
	requireGoType[T]("View", t)
	if !sameSize[T](s.DType) {
		f(Data[T](t))
		return
	}
	lend("View", t, func(data []byte) {
		f(unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(data))), s.count()))
	})
}

// FromSliceShared implements nx.FromSliceShared.
func FromSliceShared[T Number](data []T, shape Shape, opts ...NewOption) Tensor {
	spec := flatSpec("FromSliceShared", data, shape, opts)
	c, ok := local().client.(backend.Wrapper)
	if !ok || !sameSize[T](spec.DType) || len(data) == 0 {
		return newBuffer(local(), spec, local().upload("FromSliceShared", spec, encodeFlat(data, spec.DType)))
	}
	b, err := c.Wrap(spec.bufferType(), encodeFlat(data, spec.DType))
	if err != nil {
		failRun("FromSliceShared", nil, err)
	}
	return newBorrowed(local(), spec, b)
}

// flatSpec checks the shape of a flat slice.
func flatSpec[T Number](op string, data []T, shape Shape, opts []NewOption) *Spec {
	o := readNewOptions(op, opts)
	spec := newSpec(op, Spec{DType: goType(reflect.TypeFor[T]()), Shape: shape, Names: o.names})
	if o.dtype != 0 && o.dtype != spec.DType {
		fail(ErrDType, op, "cast the tensor (nx.Cast), or use nx.New", "the elements are %s, not %s", spec.DType,
			o.dtype)
	}
	if n := spec.Shape.Size(); n != len(data) {
		fail(ErrShape, op, "", "the shape %v takes %d elements, the slice has %d", []int(shape), n, len(data))
	}
	return spec
}
