package core

import (
	"reflect"
	"slices"
	"unsafe"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/weak"
)

// Data implements nx.Data.
func Data[T Number](t Tensor) []T {
	s := t.must("Data")
	var out []T
	lend("Data", t, func(data []byte) {
		out = make([]T, s.count())
		elementsAs("Data", t, data, out)
	})
	return out
}

// elementsAs converts the elements of t, which are data, to those of out.
func elementsAs[T Number](op string, t Tensor, data []byte, out []T) {
	from, to := t.p.spec.DType, goType(reflect.TypeFor[T]())
	if from.IsComplex() && to == Bool { // as bool, any part counts
		bools := make([]byte, len(out))
		for i := range bools {
			if from.LoadComplex(data, i) != 0 {
				bools[i] = 1
			}
		}
		from, data = Bool, bools
	}
	buf := bytesOf(out)
	if !sameSize[T](to) {
		buf = make([]byte, len(out)*to.Size())
	}
	if from == to {
		copy(buf, data)
	} else if err := dtype.Convert(buf, to, data, from); err != nil {
		failRun(op, []Tensor{t}, err)
	}
	if !sameSize[T](to) {
		for i := range out {
			out[i] = fromInt[T](to.LoadInt(buf, i))
		}
	}
}

// Item implements nx.Item.
func Item[T Number](t Tensor) T {
	s := t.must("Item")
	if n := s.count(); n != 1 {
		failOn(ErrShape, "Item", []Tensor{t}, "reduce it (nx.Sum, nx.Mean), or take an element (Tensor.At)",
			"the tensor must have one element, got %d", n)
	}
	var out [1]T
	lend("Item", t, func(data []byte) { elementsAs("Item", t, data, out[:]) })
	return out[0]
}

// Nested implements nx.Nested.
func Nested[S any](t Tensor) (out S) {
	t.must("Nested")
	t = devectorized(t)
	s := t.p.spec
	v := reflect.ValueOf(&out).Elem()
	elem, depth := v.Type(), 0
	for ; elem.Kind() == reflect.Slice || elem.Kind() == reflect.Array; elem = elem.Elem() {
		if n := depth; elem.Kind() == reflect.Array && n < len(s.Shape) && elem.Len() != s.Shape[n] {
			failOn(ErrShape, "Nested", []Tensor{t}, "", "the arrays of level %d have %d elements, %s has %d", n,
				elem.Len(),
				axisLabel(s, n), s.Shape[n])
		}
		depth++
	}
	to := goType(elem)
	if to == dtype.Invalid {
		failOn(ErrArgument, "Nested", []Tensor{t}, "use nested slices of a type of numbers, such as [][]float32",
			"the type must be nested slices of numbers, got %s", v.Type())
	}
	if depth != len(s.Shape) {
		failOn(ErrShape, "Nested", []Tensor{t}, "", "%s has %s, the tensor has rank %d", v.Type(),
			plural(depth, "level", "levels"), len(s.Shape))
	}
	t = cast(t, to)
	lend("Nested", t, func(data []byte) { fillNested(v, to, s.Shape, data) })
	return out
}

// fillNested sets nested slices to elements of type d.
func fillNested(v reflect.Value, d DType, shape Shape, data []byte) {
	if len(shape) == 0 {
		switch x := weak.Decode(d, data); {
		case v.Kind() == reflect.Bool:
			v.SetBool(x.Int != 0)
		case v.CanInt():
			v.SetInt(x.Int)
		case v.CanUint():
			v.SetUint(uint64(x.Int))
		case v.CanFloat():
			v.SetFloat(x.Re)
		default:
			v.SetComplex(x.Complex())
		}
		return
	}
	n := shape[0]
	if v.Kind() == reflect.Slice {
		v.Set(reflect.MakeSlice(v.Type(), n, n))
	}
	if len(shape) == 1 && int(v.Type().Elem().Size()) == d.Size() && n > 0 {
		copy(unsafe.Slice((*byte)(v.Index(0).Addr().UnsafePointer()), len(data)), data)
		return
	}
	for i := range n {
		step := len(data) / n
		fillNested(v.Index(i), d, shape[1:], data[i*step:(i+1)*step])
	}
}

// Bytes implements nx.Bytes.
func Bytes(t Tensor) (out []byte) {
	t.must("Bytes")
	lend("Bytes", t, func(data []byte) { out = slices.Clone(data) })
	return out
}

// FromBytes implements nx.FromBytes.
func FromBytes(data []byte, shape Shape, d DType, opts ...NewOption) Tensor {
	spec := newSpec("FromBytes", Spec{DType: d, Shape: shape, Names: readNames("FromBytes", d, opts)})
	if len(data) != spec.sizeBytes() {
		fail(ErrShape, "FromBytes", "", "%s takes %d bytes, there are %d", spec, spec.sizeBytes(), len(data))
	}
	return newBuffer(local(), spec, local().upload("FromBytes", spec, data))
}
