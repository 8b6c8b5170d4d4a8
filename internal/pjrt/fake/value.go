package fake

import (
	"fmt"
	"math"
	"unsafe"

	"github.com/go-nx/nx/internal/pjrt/abi"
	"github.com/go-nx/nx/internal/pjrt/ffi"
	"github.com/go-nx/nx/stablehlo"
)

// namedValues are values as C has them, with the memory they point to.
type namedValues struct {
	list []abi.NamedValue
	keep []any // the memory that numbers in values are addresses of
}

func (n *namedValues) add(name string, value any) {
	v := abi.NamedValue{NameSize: uintptr(len(name)), ValueSize: 1}
	v.StructSize = abi.NamedValueSize
	v.Name = unsafe.StringData(name)
	switch x := value.(type) {
	case string:
		v.Type, v.ValueSize = abi.NamedString, uintptr(len(x))
		b := append([]byte(x), 0)
		n.keep = append(n.keep, b)
		v.Value = uint64(uintptr(unsafe.Pointer(&b[0])))
	case int64:
		v.Type, v.Value = abi.NamedInt64, uint64(x)
	case []int64:
		v.Type, v.ValueSize = abi.NamedInt64List, uintptr(len(x))
		n.keep = append(n.keep, x)
		v.Value = uint64(uintptr(unsafe.Pointer(&x[0])))
	case float32:
		v.Type, v.Value = abi.NamedFloat, uint64(math.Float32bits(x))
	case bool:
		v.Type = abi.NamedBool
		if x {
			v.Value = 1
		}
	}
	n.list = append(n.list, v)
}

func (n *namedValues) first() (*abi.NamedValue, uintptr) {
	return unsafe.SliceData(n.list), uintptr(len(n.list))
}

// announce returns the attributes of the plugin.
func (p *Plugin) announce() *namedValues {
	n := &namedValues{}
	n.add("xla_version", int64(2))
	if v := p.config.StableHLO; v != (stablehlo.Version{}) {
		n.add("stablehlo_current_version", []int64{int64(v.Major), int64(v.Minor), int64(v.Patch)})
		n.add("stablehlo_minimum_version", []int64{0, 9, 0})
	}
	return n
}

// options reads named values, as a client is created with.
func options(first *abi.NamedValue, count uintptr) (map[string]any, error) {
	all := map[string]any{}
	for _, v := range unsafe.Slice(first, count) {
		if v.StructSize < abi.NamedValueSize {
			return nil, fail(abi.InvalidArgument, "Unexpected PJRT_NamedValue size: expected %d, got %d",
				abi.NamedValueSize, v.StructSize)
		}
		name := text(v.Name, v.NameSize)
		switch at := ffi.Pointer(uintptr(v.Value)); v.Type {
		case abi.NamedString:
			all[name] = text((*byte)(at), v.ValueSize)
		case abi.NamedInt64:
			all[name] = int64(v.Value)
		case abi.NamedInt64List:
			all[name] = append([]int64(nil), unsafe.Slice((*int64)(at), v.ValueSize)...)
		case abi.NamedFloat:
			all[name] = math.Float32frombits(uint32(v.Value))
		case abi.NamedBool:
			all[name] = v.Value&1 != 0
		default:
			return nil, fail(abi.InvalidArgument, "the option %s has the type %d", name, v.Type)
		}
	}
	return all, nil
}

func text(first *byte, n uintptr) string {
	if n == 0 {
		return ""
	}
	return string(unsafe.Slice(first, n))
}

// knownOptions are the options of a GPU's client, with the types that XLA checks.
var knownOptions = map[string]string{"platform_name": "string", "allocator": "string", "memory_fraction": "float32",
	"preallocate": "bool", "collective_memory_size": "int64", "visible_devices": "[]int64", "node_id": "int64",
	"num_nodes": "int64"}

func checkOptions(all map[string]any) error {
	for name, value := range all {
		want, ok := knownOptions[name]
		if got := fmt.Sprintf("%T", value); !ok {
			return fail(abi.InvalidArgument, "Unexpected option name passed to PJRT_Client_Create: %s", name)
		} else if got != want {
			return fail(abi.InvalidArgument, "Option passed to PJRT_Client_Create with name %s has type %s, expected %s",
				name, got, want)
		}
	}
	return nil
}
