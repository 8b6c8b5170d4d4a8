package nx_test

import (
	"math"
	"reflect"
	"slices"

	"github.com/go-nx/nx"
)

var nxCreation = func() map[string]func(c *recorded) any {
	out := map[string]func(c *recorded) any{
		"tensor": func(c *recorded) any {
			o := c.options("type", "names", "backend")
			var opts []nx.NewOption
			if v, ok := o["type"]; ok {
				opts = append(opts, nx.As(dtypeOf(v)))
			}
			if v, ok := o["names"]; ok {
				opts = append(opts, nx.Names(namesOf(v)...))
			}
			if t, ok := c.Args[0].(nx.Tensor); ok { // Nx takes the elements of a tensor, without its names
				if v, given := o["type"]; given && dtypeOf(v) != t.DType() {
					refuse("a tensor is cast with nx.Cast")
				}
				return named(nx.Rename(t), o["names"])
			}
			if v, ok := o["type"]; ok {
				return named(newAs(c.Args[0], dtypeOf(v)), o["names"])
			}
			return nx.New(goSlices(c.Args[0]), opts...)
		},
		"from_binary": func(c *recorded) any {
			d := dtypeOf(c.Args[1])
			switch data := c.Args[0].(type) {
			case string:
				if d.Bits() < 8 {
					n := len(data) * 8 / d.Bits()
					return nx.FromBytes(unpackBits([]byte(data), d, n), nx.Shape{n}, d)
				}
				return nx.FromBytes([]byte(data), nx.Shape{len(data) / d.Size()}, d)
			case bits:
				n := data.n / d.Bits()
				return nx.FromBytes(unpackBits(data.data, d, n), nx.Shape{n}, d)
			}
			refuse("%T is not a string of bytes", c.Args[0])
			return nil
		},
		"iota": func(c *recorded) any {
			o := c.options("type", "axis", "names", "vectorized_axes", "backend")
			var opts []nx.AxisOption
			shape := shapeArgument(c.Args[0])
			if v, ok := o["axis"]; ok {
				if n, isName := v.(atom); isName {
					v = int64(slices.Index(namesOf(o["names"]), string(n)))
				}
				opts = append(opts, axisOf(v))
			}
			return vectorized(named(nx.Iota(shape, typeOr(o, nx.S32), opts...), o["names"]), o)
		},
		"eye": func(c *recorded) any {
			o := c.options("type", "names", "vectorized_axes", "backend")
			var shape nx.Shape
			if n, ok := c.Args[0].(int64); ok {
				shape = nx.Shape{int(n), int(n)}
			} else {
				shape = shapeArgument(c.Args[0])
			}
			d := typeOr(o, nx.S32)
			if v, ok := o["vectorized_axes"].(pairs); ok && len(shape) == 1 { // the vectors are the rows
				return vectorized(nx.OneHot(nx.Iota(nx.Shape{}, nx.S32), shape[0], d),
					map[string]any{"vectorized_axes": v})
			}
			return vectorized(named(nx.Eye(shape, d), o["names"]), o)
		},
		"linspace": func(c *recorded) any {
			o := c.options("n", "name", "type", "endpoint")
			v, ok := o["n"]
			if !ok {
				refuse("n is not given")
			}
			n, d := toInt(v), typeOr(o, nx.F32)
			var t nx.Tensor
			lo, isNumber := numberOf(c.Args[0])
			hi, alsoNumber := numberOf(c.Args[1])
			var opts []nx.NewOption
			if end, given := o["endpoint"].(bool); given && !end {
				opts = append(opts, nx.HalfOpen)
			}
			if !isNumber || !alsoNumber {
				a, b := c.t(0), c.t(1)
				if a.Spec().Shape.String() != b.Spec().Shape.String() {
					refuse("the shapes differ")
				}
				share := nx.Linspace(0.0, 1.0, n, nx.F64, opts...)
				a, b = nx.ExpandAxis(nx.Cast(a, nx.F64), nx.Axis(-1)), nx.ExpandAxis(nx.Cast(b, nx.F64), nx.Axis(-1))
				t = nx.Cast(nx.Add(a, nx.Mul(nx.Sub(b, a), share)), d)
			} else {
				t = nx.Linspace(lo, hi, n, d, opts...)
			}
			if v, ok := o["name"].(atom); ok {
				names := t.Names()
				names[len(names)-1] = string(v)
				return nx.Rename(t, names...)
			}
			return t
		},
		"tri": func(c *recorded) any { return nx.Tri(c.i(0), c.i(1), triangleK(c), nx.U8) },
		"template": func(c *recorded) any {
			s := nx.Spec{DType: dtypeOf(c.Args[1]), Shape: shapeArgument(c.Args[0])}
			if v, ok := c.options("names")["names"]; ok {
				s.Names = namesOf(v)
			}
			return template{s}
		},
		"to_template": func(c *recorded) any { return templateOf(c.Args[0]) },
		"to_tensor":   func(c *recorded) any { return c.t(0) },
		"compatible?": func(c *recorded) any { return compatible(c.Args[0], c.Args[1]) },
		"to_number": func(c *recorded) any {
			t := c.t(0)
			if len(t.Vectors()) > 0 {
				refuse("a number has no vectorised axes")
			}
			switch {
			case t.DType().IsComplex():
				return nx.Item[complex128](t)
			case t.DType().IsFloat():
				return nx.Item[float64](t)
			}
			return nx.Item[int64](t)
		},
		"to_flat_list": func(c *recorded) any { return flatList(nx.Devectorize(c.t(0))) },
		"to_list": func(c *recorded) any {
			t := nx.Devectorize(c.t(0))
			return nestedList(flatList(t), t.Shape())
		},
		"to_binary": func(c *recorded) any {
			t := nx.Flatten(nx.Devectorize(c.t(0)))
			if v, ok := c.options("limit")["limit"]; ok {
				t = t.At(nx.To(toInt(v)))
			}
			return packed(t)
		},
		"to_batched": func(c *recorded) any {
			o, t, n := c.options("leftover"), c.t(0), c.i(1)
			var opts []nx.BatchOption
			switch o["leftover"] {
			case nil, atom("repeat"):
				opts = append(opts, nx.RepeatFirst)
			case atom("discard"):
				opts = append(opts, nx.DropLast)
			default:
				refuse("there is no leftover %v", o["leftover"])
			}
			if n > nx.AxisSize(nx.Devectorize(t), 0) {
				refuse("a batch has more rows than there are")
			}
			names := t.Vectors()
			out := stream{}
			for b := range nx.Batches(nx.Devectorize(t), n, opts...) {
				for range names {
					b = nx.Vectorize(b, names[len(b.Vectors())].Name)
				}
				out = append(out, b)
			}
			return out
		},
		"bit_size": func(c *recorded) any {
			t := c.t(0)
			return int64(len(nx.Bytes(t)) / t.DType().Size() * t.DType().Bits())
		},
		"byte_size": func(c *recorded) any {
			t := c.t(0)
			return int64(len(nx.Bytes(t)) / t.DType().Size() * t.DType().Bits() / 8)
		},
		"flat_size": func(c *recorded) any { return int64(nx.Devectorize(c.t(0)).Size()) },
		"axes": func(c *recorded) any {
			var shape nx.Shape
			if s, ok := c.Args[0].(tuple); ok {
				shape = ints(s)
			} else {
				shape = c.t(0).Shape()
			}
			out := []any{}
			for i := range shape {
				out = append(out, int64(i))
			}
			return out
		},
		"axis_index": func(c *recorded) any {
			t := c.t(0)
			nx.Sum(t, axisOf(c.Args[1])) // rejects an axis out of range
			if n, ok := c.Args[1].(atom); ok {
				return int64(slices.Index(t.Names(), string(n)))
			}
			i := c.i(1)
			if i < 0 {
				i += t.Rank()
			}
			return int64(i)
		},
		"names": func(c *recorded) any {
			out := []any{}
			for _, n := range c.t(0).Names() {
				if n == "" {
					out = append(out, nil)
				} else {
					out = append(out, atom(n))
				}
			}
			return out
		},
	}
	for _, name := range []string{"u2", "u4", "u8", "u16", "u32", "u64", "s2", "s4", "s8", "s16", "s32", "s64", "f8",
		"bf16", "f16", "f32", "f64", "c64", "c128"} {
		out[name] = func(c *recorded) any { return newAs(c.Args[0], typeNamed(name)) }
	}
	return out
}()

// newAs returns a tensor of numbers of a type. In Nx integers wrap around and floats become infinite; here a
// cast does that, and New rejects such numbers.
func newAs(v any, d nx.DType) nx.Tensor {
	kind := kindIn(v)
	if isInt := kind <= 2; isInt && d.IsInteger() || (isInt || kind == 3) && d.IsFloat() || d.IsComplex() {
		return nx.Cast(nx.New(goSlices(v)), d)
	}
	return nx.New(goSlices(v), nx.As(d))
}

func typeOr(o map[string]any, def nx.DType) nx.DType {
	if v, ok := o["type"]; ok {
		return dtypeOf(v)
	}
	return def
}

func numberOf(v any) (float64, bool) {
	switch v := v.(type) {
	case int64:
		return float64(v), true
	case float64:
		return v, true
	}
	return 0, false
}

// vectorized repeats a tensor along the vectorised axes of an option.
func vectorized(t nx.Tensor, o map[string]any) any {
	list, _ := o["vectorized_axes"].(pairs)
	var vectors []nx.VectorAxis
	dims := []int{}
	for _, p := range list {
		vectors = append(vectors, nx.VectorAxis{Name: p.key, Size: toInt(p.value)})
		dims = append(dims, toInt(p.value))
	}
	if len(vectors) == 0 {
		return t
	}
	names := t.Names()
	return nx.Rename(nx.Revectorize(nx.BroadcastTo(nx.Rename(t), append(dims, t.Shape()...)...), vectors, t.Shape()...),
		names...)
}

func templateOf(v any) any {
	if list, ok := v.(tuple); ok {
		var out tuple
		for _, x := range list {
			out = append(out, templateOf(x))
		}
		return out
	}
	return template{toTensor(v).Spec()}
}

// compatible reports whether two values have the same types, ignoring names that only one of them has.
func compatible(a, b any) bool {
	p, isMap := a.(pairs)
	q, alsoMap := b.(pairs)
	if isMap || alsoMap {
		if len(p) != len(q) {
			return false
		}
		for i := range p {
			if p[i].key != q[i].key || !compatible(p[i].value, q[i].value) {
				return false
			}
		}
		return true
	}
	x, y := toTensor(a).Spec(), toTensor(b).Spec()
	for i := range min(len(x.Names), len(y.Names)) {
		if x.Names[i] == "" || y.Names[i] == "" {
			x.Names[i], y.Names[i] = "", ""
		}
	}
	if x.Names == nil || y.Names == nil {
		x.Names, y.Names = nil, nil
	}
	return x.Equal(y)
}

func flatList(t nx.Tensor) []any {
	out := []any{}
	switch d := t.DType(); {
	case d.IsComplex():
		for _, v := range nx.Data[complex128](t) {
			out = append(out, v)
		}
	case d.IsFloat():
		for _, v := range nx.Data[float64](t) {
			out = append(out, v)
		}
	case d == nx.U64:
		for _, v := range nx.Data[uint64](t) {
			if v > math.MaxInt64 {
				out = append(out, v)
			} else {
				out = append(out, int64(v))
			}
		}
	default:
		for _, v := range nx.Data[int64](t) {
			out = append(out, v)
		}
	}
	return out
}

func nestedList(flat []any, shape nx.Shape) []any {
	if len(shape) == 0 {
		refuse("a scalar is not a list")
	}
	if len(shape) == 1 {
		return flat
	}
	out := []any{}
	step := len(flat) / max(shape[0], 1)
	for i := range shape[0] {
		out = append(out, nestedList(flat[i*step:(i+1)*step], shape[1:]))
	}
	return out
}

// packed returns the bytes of a flat tensor as Nx packs them.
func packed(t nx.Tensor) any {
	d, data := t.DType(), nx.Bytes(t)
	if d.Bits() == 8*d.Size() {
		return string(data)
	}
	width := d.Bits()
	out := make([]byte, (len(data)*width+7)/8)
	for i, b := range data {
		out[i*width/8] |= b & (1<<width - 1) << (8 - width - i*width%8)
	}
	if len(data)*width%8 == 0 {
		return string(out)
	}
	return bits{out, len(data) * width}
}

// goSlices returns nested lists of numbers as Go slices of the widest kind in them: int, float64 or
// complex128, or only bool.
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
		refuse("a tensor is not a number")
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
	refuse("%T is not a number", v)
	return 0
}
