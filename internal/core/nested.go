package core

import (
	"fmt"
	"reflect"
	"unsafe"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/weak"
)

// nested describes a Go number or nested slices of numbers.
type nested struct {
	dtype DType
	shape Shape
}

// nestedOf finds the element type and the shape of nested slices.
func nestedOf(data any) nested {
	v := reflect.ValueOf(data)
	if !v.IsValid() {
		fail(ErrArgument, "New", "", "the data must be a number or nested slices of numbers, got nil")
	}
	t := v.Type()
	for t.Kind() == reflect.Slice || t.Kind() == reflect.Array {
		t = t.Elem()
	}
	n := nested{dtype: goType(t)}
	if n.dtype == dtype.Invalid {
		hint := ""
		if plans.IsLeaf(t) {
			hint = "join tensors with nx.Stack or nx.Concatenate"
		}
		if t.Kind() == reflect.Interface {
			hint = "use a slice of one type of numbers"
		}
		fail(ErrArgument, "New", hint, "the data must be a number or nested slices of numbers, got %s", v.Type())
	}
	for v.Kind() == reflect.Slice || v.Kind() == reflect.Array {
		n.shape = append(n.shape, v.Len())
		if v.Len() == 0 {
			for e := v.Type().Elem(); e.Kind() == reflect.Slice || e.Kind() == reflect.Array; e = e.Elem() {
				size := 0
				if e.Kind() == reflect.Array {
					size = e.Len()
				}
				n.shape = append(n.shape, size)
			}
			break
		}
		v = v.Index(0)
	}
	return n
}

// goType returns the element type of a Go number type, or Invalid.
func goType(t reflect.Type) DType {
	switch t.Kind() {
	case reflect.Bool:
		return Bool
	case reflect.Int, reflect.Int64:
		return S64
	case reflect.Int8:
		return S8
	case reflect.Int16:
		return S16
	case reflect.Int32:
		return S32
	case reflect.Uint, reflect.Uint64:
		return U64
	case reflect.Uint8:
		return U8
	case reflect.Uint16:
		return U16
	case reflect.Uint32:
		return U32
	case reflect.Float32:
		return F32
	case reflect.Float64:
		return F64
	case reflect.Complex64:
		return C64
	case reflect.Complex128:
		return C128
	}
	return dtype.Invalid
}

// numberOf returns a Go number.
func numberOf(v reflect.Value) number {
	switch {
	case v.Kind() == reflect.Bool:
		return operandOf(v.Bool()).n
	case v.CanInt():
		return operandOf(v.Int()).n
	case v.CanUint():
		return weak.Unsigned(v.Uint())
	case v.CanFloat():
		return operandOf(v.Float()).n
	}
	return operandOf(v.Complex()).n
}

// encode writes the elements of v, converted to type d, to buf.
func (n nested) encode(v reflect.Value, d DType, buf []byte) {
	if v.Kind() == reflect.Array {
		v = addressable(v)
	}
	if d != n.dtype && d.IsFloat() && d.HasNaN() && !n.dtype.IsComplex() {
		raw := make([]byte, len(buf)/d.Size()*n.dtype.Size())
		n.level(v, n.dtype, raw, make([]int, 0, len(n.shape)))
		if err := dtype.Convert(buf, d, raw, n.dtype); err != nil {
			failRun("New", nil, err)
		}
		if allFinite(d, buf) {
			return
		}
	} // else, or where a number may not fit, one after another
	n.level(v, d, buf, make([]int, 0, len(n.shape)))
}

// allFinite reports whether no element is infinite or NaN.
func allFinite(d DType, buf []byte) bool {
	for i := range len(buf) / d.Size() {
		if x := d.LoadFloat(buf, i); x-x != 0 {
			return false
		}
	}
	return true
}

// level writes the elements of v, which lies at the indices at.
func (n nested) level(v reflect.Value, d DType, buf []byte, at []int) {
	depth := len(at)
	if v.Len() != n.shape[depth] {
		fail(ErrRagged, "New", "all slices of one level must have the same length",
			"the slice at %s has length %d, the first of its level has %d", indices(at), v.Len(), n.shape[depth])
	}
	if v.Len() == 0 || n.dtype == d && copyElements(buf, v) {
		return
	}
	step := len(buf) / v.Len()
	for i := range v.Len() {
		if depth < len(n.shape)-1 {
			n.level(v.Index(i), d, buf[i*step:(i+1)*step], append(at, i))
			continue
		}
		x := numberOf(v.Index(i))
		if !x.Fits(d) {
			checkValue("New", x, d, indices(append(at, i)))
		}
		x.Encode(d, buf[i*step:])
	}
}

// indices returns indices for messages: [1][0].
func indices(at []int) string {
	return Shape(at).String()
}

// copyElements copies numbers that lie one after another: those of a slice or an
// addressable array of numbers, or of arrays of them.
func copyElements(buf []byte, v reflect.Value) bool {
	t := v.Type().Elem()
	size := int(t.Size()) * v.Len()
	for t.Kind() == reflect.Array {
		t = t.Elem()
	}
	if t.Kind() == reflect.Slice || size != len(buf) { // int has 4 bytes on some platforms
		return false
	}
	from := v
	if v.Kind() == reflect.Array {
		from = v.Addr()
	}
	copy(buf, unsafe.Slice((*byte)(from.UnsafePointer()), len(buf)))
	return true
}

// checkValue refuses a number that the element type cannot hold.
func checkValue(op string, n number, d DType, at string) {
	if n.Fits(d) {
		return
	}
	where := ""
	if at != "" {
		where = " at " + at
	}
	what, hint := "number", "choose an element type that holds it"
	switch {
	case n.Kind == dtype.KindFloat && (d.IsInteger() || d == Bool):
		what, hint = "float", "convert with nx.Cast, which truncates"
	case n.Kind == dtype.KindFloat:
		what = "float"
	case n.Kind == dtype.KindComplex:
		what = "complex number"
	}
	fail(ErrValue, op, hint, "the %s %s%s does not fit in %s", what, n.Text(), where, d)
}

// encodeFlat returns the elements of a slice as type d lays them out.
func encodeFlat[T Number](data []T, d DType) []byte {
	if sameSize[T](d) {
		return bytesOf(data)
	}
	b := make([]byte, len(data)*d.Size())
	for i, v := range data {
		operandOf(v).n.Encode(d, b[i*d.Size():])
	}
	return b
}

// bytesOf returns the elements of a slice as they lie in memory.
func bytesOf[T Number](data []T) []byte {
	var v T
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(data))), len(data)*int(unsafe.Sizeof(v)))
}

// constName returns the name of the package's constant for an element type.
func constName(d DType) string { return fmt.Sprintf("%c%s", d.String()[0]-'a'+'A', d.String()[1:]) }

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
