package nx

import (
	"errors"
	"reflect"
	"unsafe"

	"github.com/go-nx/nx/backend"
)

// LiveBytes returns the memory of tensors on the default device, in bytes. What
// the garbage collector has not found unreachable yet counts, and of tensors
// below 4 KiB it takes off some at a time; [Release] gives memory back at once.
// Constants and what [Wrap] shares are not counted.
func LiveBytes() int64 {
	if c, ok := local().client.(backend.Counter); ok {
		return c.InUse()
	}
	return 0
}

// View calls f with the elements of a tensor in row-major order, without a copy
// where they lie in the memory of the program. f must neither change the slice
// nor keep it. T is as for [Data].
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

// Wrap returns a tensor that shares the memory of a flat slice, in row-major
// order, where the device computes in the memory of the program; it copies
// elsewhere. Nobody may change the elements as long as the tensor is used.
//
// Shapes: shape. DTypes: that of the Go type: float64 is f64, int s64. Gradient: none. Accuracy:
// exact. Errors: [ErrShape] where the shape does not fit the slice.
func Wrap[T Number](data []T, shape Shape, opts ...NewOption) Tensor {
	spec := flatSpec("Wrap", data, shape, opts)
	c, ok := local().client.(backend.Wrapper)
	if !ok || !sameSize[T](spec.DType) || len(data) == 0 {
		return newBuffer(local(), spec, local().upload("Wrap", spec, encodeFlat(data, spec.DType)))
	}
	b, err := c.Wrap(spec.bufferType(), encodeFlat(data, spec.DType))
	if err != nil {
		failRun("Wrap", nil, err)
	}
	return newBuffer(local(), spec, b)
}

// flatSpec checks the shape of a flat slice.
func flatSpec[T Number](op string, data []T, shape Shape, opts []NewOption) *Spec {
	o := readNewOptions(op, opts)
	spec := newSpec(op, Spec{DType: goType(reflect.TypeFor[T]()), Shape: shape, Names: o.names})
	if o.dtype != 0 && o.dtype != spec.DType {
		fail(ErrDType, op, "cast the tensor (nx.Cast), or use nx.New", "the elements are %s, not %s", spec.DType, o.dtype)
	}
	if n := spec.Shape.Size(); n != len(data) {
		fail(ErrShape, op, "", "the shape %v takes %d elements, the slice has %d", []int(shape), n, len(data))
	}
	return spec
}

// sameSize reports whether T is laid out as elements of type d: int has 4 bytes
// on some platforms.
func sameSize[T Number](d DType) bool {
	var v T
	return int(unsafe.Sizeof(v)) == d.Size()
}

// requireGoType refuses a Go type that is not that of the elements.
func requireGoType[T Number](op string, t Tensor) {
	s := t.p.spec
	want := goType(reflect.TypeFor[T]())
	if want != s.DType {
		failOn(ErrDType, op, []Tensor{t}, "cast first: nx."+op+"["+reflect.TypeFor[T]().String()+"](nx.Cast(t, nx."+
			constName(want)+"))",
			"the elements are %s, not %s", s.DType, reflect.TypeFor[T]())
	}
}

// checkLive refuses tensors that are not valid any more: when an execution fails, one may have
// been released after the call began.
func checkLive(op string, tensors []Tensor) {
	for _, t := range tensors {
		if t.p == nil {
			continue
		}
		if v := t.p.validity(); v != nil {
			v.check(op)
		}
	}
}

// failRun panics with an error of the backend.
func failRun(op string, operands []Tensor, err error) {
	checkLive(op, operands)
	hint := ""
	if m := (backend.MemoryError)(nil); errors.As(err, &m) {
		hint = "free tensors (nx.Release), give arguments away (nx.Donate) or use smaller batches; debug.SetMemoryLimit " +
			"sets another limit"
	}
	e := newError(ErrRun, op, operands, hint, "%v", err)
	e.Err = err
	panic(e)
}
