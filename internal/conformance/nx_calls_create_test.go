package conformance_test

import (
	"math"
	"reflect"

	"github.com/go-nx/nx"
)

var nxCreation = map[string]func(c *recorded) any{
	"tensor": func(c *recorded) any {
		o := c.options("type", "names", "backend")
		var opts []nx.NewOption
		if v, ok := o["type"]; ok {
			opts = append(opts, nx.As(dtypeOf(v)))
		}
		if v, ok := o["names"]; ok {
			opts = append(opts, nx.Names(namesOf(v)...))
		}
		return nx.New(goSlices(c.Args[0]), opts...)
	},
	"from_binary": func(c *recorded) any {
		data, ok := c.Args[0].(string)
		if !ok {
			refuse("%T is no string of bytes", c.Args[0])
		}
		d := dtypeOf(c.Args[1])
		return nx.FromBytes([]byte(data), nx.Shape{len(data) / max(d.Size(), 1)}, d)
	},
}

// goSlices returns nested lists of numbers as Go slices of the widest kind in them:
// int, float64 or complex128, or bool alone.
func goSlices(v any) any {
	kind, depth := kindIn(v), 0
	for x := v; ; depth++ {
		l, ok := x.([]any)
		if !ok {
			break
		}
		if len(l) == 0 {
			depth++
			break
		}
		x = l[0]
	}
	elem := map[int]reflect.Type{0: reflect.TypeFor[bool](), 1: reflect.TypeFor[int](), 2: reflect.TypeFor[uint64](),
		3: reflect.TypeFor[float64](), 4: reflect.TypeFor[complex128]()}[kind]
	t := elem
	for range depth {
		t = reflect.SliceOf(t)
	}
	return build(v, t).Interface()
}

func build(v any, t reflect.Type) reflect.Value {
	if l, ok := v.([]any); ok {
		if t.Kind() != reflect.Slice {
			refuse("lists of different depths have no type")
		}
		s := reflect.MakeSlice(t, len(l), len(l))
		for i, x := range l {
			s.Index(i).Set(build(x, t.Elem()))
		}
		return s
	}
	switch x := v.(type) {
	case bool:
		if t.Kind() != reflect.Bool {
			v = int64(map[bool]int64{true: 1}[x])
		}
	case nx.Tensor:
		refuse("a tensor is no number")
	}
	if t.Kind() == reflect.Slice {
		refuse("lists of different depths have no type")
	}
	if t.Kind() == reflect.Complex128 {
		if _, ok := v.(complex128); !ok {
			v = complex(floatOf(v), 0)
		}
	}
	return reflect.ValueOf(v).Convert(t)
}

func kindIn(v any) int {
	switch v := v.(type) {
	case bool:
		return 0
	case int64:
		return 1
	case uint64:
		if v > math.MaxInt64 {
			return 2
		}
		return 1
	case float64:
		return 3
	case complex128:
		return 4
	case []any:
		k := 0
		for _, x := range v {
			k = max(k, kindIn(x))
		}
		return k
	}
	refuse("%T is no number", v)
	return 0
}
