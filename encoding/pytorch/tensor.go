package pytorch

import (
	"errors"
	"fmt"
	"math"

	"github.com/go-nx/nx/dtype"
)

// The names of Python that a file may use, beside those of storages.
const (
	rebuildTensor    = "torch._utils._rebuild_tensor_v2"
	rebuildParameter = "torch._utils._rebuild_parameter"
	sizeName         = "torch.Size"
	orderedDict      = "collections.OrderedDict"
)

// storageTypes are the element types of storages.
var storageTypes = map[string]dtype.Type{
	"torch.DoubleStorage":        dtype.F64,
	"torch.FloatStorage":         dtype.F32,
	"torch.HalfStorage":          dtype.F16,
	"torch.BFloat16Storage":      dtype.BF16,
	"torch.LongStorage":          dtype.S64,
	"torch.IntStorage":           dtype.S32,
	"torch.ShortStorage":         dtype.S16,
	"torch.CharStorage":          dtype.S8,
	"torch.ByteStorage":          dtype.U8,
	"torch.BoolStorage":          dtype.Bool,
	"torch.ComplexFloatStorage":  dtype.C64,
	"torch.ComplexDoubleStorage": dtype.C128,
}

// storage is the memory of tensors, a file of the archive.
type storage struct {
	key   string
	dtype dtype.Type
	count int64 // of elements
	at    int64 // where it begins in the archive
}

// tensor is a view of a storage.
type tensor struct {
	*storage
	offset        int64
	shape, stride []int
}

// elements is the number of elements, which newTensor has checked.
func (t *tensor) elements() int64 {
	n := int64(1)
	for _, d := range t.shape {
		n *= int64(d)
	}
	return n
}

// contiguous reports whether the elements lie in order, without gaps.
func (t *tensor) contiguous() bool {
	next := 1
	for i := len(t.shape) - 1; i >= 0; i-- {
		if t.shape[i] != 1 && t.stride[i] != next {
			return t.elements() == 0
		}
		next *= t.shape[i]
	}
	return true
}

// call does what the named function of Python would.
func call(f global, args tuple) (any, error) {
	switch f {
	case orderedDict:
		if len(args) != 0 {
			return nil, errors.New("want no arguments")
		}
		return &dict{}, nil
	case sizeName:
		if len(args) == 1 {
			if t, ok := args[0].(tuple); ok {
				return t, nil
			}
		}
		return nil, errors.New("want a tuple")
	case rebuildParameter:
		if len(args) == 3 {
			if t, ok := args[0].(*tensor); ok {
				return t, nil
			}
		}
		return nil, errors.New("want a tensor and two more arguments")
	case rebuildTensor:
		return newTensor(args)
	}
	return nil, errors.New("it is a type, which cannot be called here")
}

// newTensor makes a tensor of (storage, offset, size, stride, requires_grad, hooks[, metadata]).
func newTensor(args tuple) (*tensor, error) {
	if len(args) != 6 && len(args) != 7 {
		return nil, fmt.Errorf("want 6 or 7 arguments, got %d", len(args))
	}
	s, ok := args[0].(*storage)
	if !ok {
		return nil, fmt.Errorf("want a storage, got %s", kindOf(args[0]))
	}
	offset, ok := args[1].(int64)
	if !ok || offset < 0 {
		return nil, errors.New("the offset must be an integer of at least 0")
	}
	shape, err := sizes(args[2])
	if err != nil {
		return nil, fmt.Errorf("the shape: %w", err)
	}
	stride, err := sizes(args[3])
	if err != nil {
		return nil, fmt.Errorf("the strides: %w", err)
	}
	if len(shape) != len(stride) {
		return nil, fmt.Errorf("%d sizes and %d strides", len(shape), len(stride))
	}
	if len(args) == 7 && args[6] != nil {
		if d, ok := args[6].(*dict); !ok || len(d.keys) > 0 {
			return nil, errors.New("the tensor is a lazy conjugate or negative, or has attributes of its own; " +
				"save x.resolve_conj().resolve_neg()")
		}
	}
	t := &tensor{s, offset, shape, stride}
	return t, t.check()
}

// sizes returns a tuple of integers that are not negative.
func sizes(v any) ([]int, error) {
	list, ok := v.(tuple)
	if !ok || len(list) > maxDimensions {
		return nil, fmt.Errorf("want a tuple of at most %d integers, got %s", maxDimensions, kindOf(v))
	}
	out := make([]int, len(list))
	for i, x := range list {
		n, ok := x.(int64)
		if !ok || n < 0 || n > math.MaxInt {
			return nil, fmt.Errorf("size %d must be an integer of at least 0", i)
		}
		out[i] = int(n)
	}
	return out, nil
}

// check reports whether the tensor lies within its storage.
func (t *tensor) check() error {
	last, count := t.offset, int64(1) // a position is below 2⁶³/16, as is a number of elements
	const limit = math.MaxInt64 / 16
	empty := false
	for i, d := range t.shape {
		if d == 0 {
			empty = true
			continue
		}
		if int64(d) > limit/count {
			return fmt.Errorf("the shape %v is too large", t.shape)
		}
		count *= int64(d)
		if step := int64(t.stride[i]); step > 0 && d > 1 {
			if int64(d-1) > (math.MaxInt64-last)/step {
				return fmt.Errorf("the strides %v are too large", t.stride)
			}
			last += int64(d-1) * step
		}
	}
	if !empty && last >= t.count {
		return fmt.Errorf("element %d is beyond the storage %q of %d elements (offset %d, shape %v, strides %v)", last,
			t.key,
			t.count, t.offset, t.shape, t.stride)
	}
	return nil
}

// gather copies the elements in order from the bytes of the storage.
func (t *tensor) gather(from func(b []byte, off int64) error) ([]byte, error) {
	item := int64(t.dtype.Size())
	out := make([]byte, t.elements()*item)
	if len(out) == 0 {
		return out, nil
	}
	if t.contiguous() {
		return out, from(out, t.at+t.offset*item)
	}
	// The range of the storage that the tensor lies in.
	span := int64(1)
	for i, d := range t.shape {
		span += int64(d-1) * int64(t.stride[i])
	}
	data := make([]byte, span*item)
	if err := from(data, t.at+t.offset*item); err != nil {
		return nil, err
	}
	index := make([]int, len(t.shape))
	at := int64(0)
	for p := int64(0); p < int64(len(out)); p += item {
		copy(out[p:p+item], data[at*item:])
		for i := len(index) - 1; i >= 0; i-- {
			index[i]++
			at += int64(t.stride[i])
			if index[i] < t.shape[i] {
				break
			}
			at -= int64(index[i]) * int64(t.stride[i])
			index[i] = 0
		}
	}
	return out, nil
}
