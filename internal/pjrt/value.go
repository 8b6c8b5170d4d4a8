package pjrt

import (
	"fmt"
	"math"
	"runtime"
	"unsafe"

	"github.com/go-nx/nx/internal/pjrt/abi"
	"github.com/go-nx/nx/internal/pjrt/ffi"
)

// Option is a named value given to a plugin: a string, int64, []int64, float32 or bool.
type Option struct {
	Name  string
	Value any
}

// namedValues converts options to C values. They are valid as long as the pinner, since the garbage collector
// does not look for pointers in a union.
func namedValues(options []Option, pin *runtime.Pinner) ([]abi.NamedValue, error) {
	values := make([]abi.NamedValue, len(options))
	for i, o := range options {
		v := &values[i]
		v.StructSize = abi.NamedValueSize
		v.Name, v.NameSize = bytesOf(o.Name, pin), uintptr(len(o.Name))
		v.ValueSize = 1
		switch x := o.Value.(type) {
		case string:
			v.Type, v.Value = abi.NamedString, addressOf(bytesOf(x, pin))
			v.ValueSize = uintptr(len(x))
		case int64:
			v.Type, v.Value = abi.NamedInt64, uint64(x)
		case []int64:
			v.Type, v.ValueSize = abi.NamedInt64List, uintptr(len(x))
			if len(x) > 0 {
				pin.Pin(&x[0])
				v.Value = addressOf(&x[0])
			}
		case float32:
			v.Type, v.Value = abi.NamedFloat, uint64(math.Float32bits(x))
		case bool:
			v.Type = abi.NamedBool
			if x {
				v.Value = 1
			}
		default:
			return nil, fmt.Errorf("the value of the option %s must be a string, int64, []int64, float32 or bool, got %T",
				o.Name, o.Value)
		}
	}
	return values, nil
}

func addressOf[T any](p *T) uint64 { return uint64(uintptr(unsafe.Pointer(p))) }

// bytesOf returns the bytes of a string with a zero after them.
func bytesOf(s string, pin *runtime.Pinner) *byte {
	b := append([]byte(s), 0)
	pin.Pin(&b[0])
	return &b[0]
}

// goValues copies named values that C owns.
func goValues(first *abi.NamedValue, n uintptr) map[string]any {
	all := make(map[string]any, n)
	at := unsafe.Pointer(first)
	for i := range n {
		v := (*abi.NamedValue)(at)
		all[goString(v.Name, v.NameSize)] = goValue(v)
		if i+1 < n {
			at = unsafe.Add(at, (max(v.StructSize, abi.NamedValueSize)+7)&^7) // a newer plugin's are larger
		}
	}
	return all
}

func goValue(v *abi.NamedValue) any {
	switch v.Type {
	case abi.NamedString:
		return goString((*byte)(ffi.Pointer(uintptr(v.Value))), v.ValueSize)
	case abi.NamedInt64:
		return int64(v.Value)
	case abi.NamedInt64List:
		return copyOf((*int64)(ffi.Pointer(uintptr(v.Value))), v.ValueSize)
	case abi.NamedFloat:
		return math.Float32frombits(uint32(v.Value))
	case abi.NamedBool:
		return v.Value&0xff != 0
	}
	return nil
}

// list returns a pointer to the first element, nil for an empty list.
func list[T any](s []T) *T { return unsafe.SliceData(s) }
