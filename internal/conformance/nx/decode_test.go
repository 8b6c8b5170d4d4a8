package nx_test

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"strconv"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/dtype"
)

// The values of recorded calls, in addition to nil, bool, int64, uint64, float64, complex128, string (a string
// of bytes), []any (a list), nx.DType and nx.Tensor.
type (
	atom  string
	tuple []any
	pair  struct {
		key   string
		value any
	}
	pairs    []pair
	template struct{ spec nx.Spec }
	stream   []any
	function string
	bits     struct {
		data []byte
		n    int
	}
)

// recorded is one call of Nx and its outcome.
type recorded struct {
	ID     string          `json:"id"`
	Fn     string          `json:"fn"`
	Args   []any           `json:"-"`
	Opts   pairs           `json:"-"`
	Result any             `json:"-"`
	Raises string          `json:"-"`
	Raw    json.RawMessage `json:"-"`
}

func decodeCall(line []byte) (c *recorded, err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *nx.Error:
			err = r
		default:
			err = fmt.Errorf("%v", r)
		}
	}()
	var raw struct {
		ID     string         `json:"id"`
		Fn     string         `json:"fn"`
		Args   []any          `json:"args"`
		Opts   map[string]any `json:"opts"`
		Keys   []string       `json:"opts_keys"`
		Result any            `json:"result"`
		Raises *struct {
			Type string `json:"type"`
		} `json:"raises"`
	}
	d := json.NewDecoder(bytes.NewReader(line))
	d.UseNumber()
	if err := d.Decode(&raw); err != nil {
		return nil, err
	}
	c = &recorded{ID: raw.ID, Fn: raw.Fn, Raw: line}
	for _, a := range raw.Args {
		c.Args = append(c.Args, decodeValue(a))
	}
	for _, k := range raw.Keys {
		c.Opts = append(c.Opts, pair{k, decodeValue(raw.Opts[k])})
	}
	if raw.Raises != nil {
		c.Raises = raw.Raises.Type
	} else {
		c.Result = decodeValue(raw.Result)
	}
	return c, nil
}

func decodeValue(v any) any {
	switch v := v.(type) {
	case nil, bool:
		return v
	case string:
		return v
	case json.Number:
		if n, err := v.Int64(); err == nil {
			return n
		}
		f, _ := v.Float64()
		return f
	case []any:
		out := make([]any, len(v))
		for i, x := range v {
			out[i] = decodeValue(x)
		}
		return out
	}
	m := v.(map[string]any)
	data := func() []byte {
		b, err := base64.StdEncoding.DecodeString(m["b64"].(string))
		if err != nil {
			panic(err)
		}
		return b
	}
	text, _ := m["v"].(string)
	list := func() []any {
		l, _ := decodeValue(m["v"]).([]any)
		return l
	}
	switch kind := m["$"].(string); kind {
	case "tensor":
		return decodeTensor(m, data())
	case "template":
		spec := specOfVector(m)
		if vec := vectorAxes(m); len(vec) > 0 {
			panic("a template with vectorized axes")
		}
		return template{spec}
	case "float":
		return math.Float64frombits(binary.LittleEndian.Uint64(data()))
	case "int":
		if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			return n
		}
		n, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			panic(err)
		}
		return n
	case "complex":
		return complex(floatOf(decodeValue(m["re"])), floatOf(decodeValue(m["im"])))
	case "atom":
		switch text {
		case "nan":
			return math.NaN()
		case "infinity":
			return math.Inf(1)
		case "neg_infinity":
			return math.Inf(-1)
		}
		return atom(text)
	case "type":
		return typeNamed(text)
	case "tuple":
		return tuple(list())
	case "stream":
		return stream(list())
	case "kw", "map":
		var out pairs
		for _, x := range list() {
			p := x.([]any)
			key, ok := p[0].(string)
			if !ok {
				key = fmt.Sprint(p[0])
			}
			out = append(out, pair{key, p[1]})
		}
		return out
	case "bin":
		return string(data())
	case "bits":
		n, _ := m["bits"].(json.Number).Int64()
		return bits{data(), int(n)}
	case "fun":
		return function(text)
	default:
		panic("a value of kind " + kind)
	}
}

// typeNames are the names of element types that differ from Go's.
var typeNames = map[string]nx.DType{"f8": nx.F8E5M2, "f8_e4m3fn": nx.F8E4M3FN}

// typeNamed returns an element type; Invalid for an unknown name.
func typeNamed(name string) nx.DType {
	if d, ok := typeNames[name]; ok {
		return d
	}
	for _, d := range []nx.DType{nx.U2, nx.U4, nx.U8, nx.U16, nx.U32, nx.U64, nx.S2, nx.S4, nx.S8,
		nx.S16, nx.S32, nx.S64,
		nx.BF16, nx.F16, nx.F32, nx.F64, nx.C64, nx.C128} {
		if typeName(d) == name {
			return d
		}
	}
	return dtype.Invalid
}

// typeName is the name of an element type in Nx.
func typeName(d nx.DType) string {
	for name, t := range typeNames {
		if t == d {
			return name
		}
	}
	s := d.String()
	if s[0] == 'i' {
		s = "s" + s[1:]
	}
	return s
}

func floatOf(v any) float64 {
	switch v := v.(type) {
	case int64:
		return float64(v)
	case uint64:
		return float64(v)
	case float64:
		return v
	}
	panic(fmt.Sprintf("%v is not a real number", v))
}

func specOfVector(m map[string]any) nx.Spec {
	s := nx.Spec{DType: typeNamed(m["type"].(string)), Shape: nx.Shape{}}
	for _, n := range m["shape"].([]any) {
		d, _ := n.(json.Number).Int64()
		s.Shape = append(s.Shape, int(d))
	}
	if names, ok := m["names"].([]any); ok {
		for _, n := range names {
			name, _ := n.(string)
			s.Names = append(s.Names, name)
		}
	}
	return s
}

// vectorAxes returns the vectorised axes of a recorded tensor.
func vectorAxes(m map[string]any) []nx.VectorAxis {
	var out []nx.VectorAxis
	list, _ := m["vec"].([]any)
	for _, x := range list {
		p := x.([]any)
		n, _ := p[1].(json.Number).Int64()
		out = append(out, nx.VectorAxis{Name: p[0].(string), Size: int(n)})
	}
	return out
}

// decodeTensor returns a recorded tensor.
func decodeTensor(m map[string]any, data []byte) nx.Tensor {
	s := specOfVector(m)
	vec := vectorAxes(m)
	shape, names := nx.Shape{}, []string{}
	for _, v := range vec {
		shape, names = append(shape, v.Size), append(names, "")
	}
	shape = append(shape, s.Shape...)
	if s.Names == nil {
		names = append(names, make([]string, len(s.Shape))...)
	} else {
		names = append(names, s.Names...)
	}
	if s.DType.Bits() < 8 {
		data = unpackBits(data, s.DType, shape.Size())
	}
	t := nx.FromBytes(data, shape, s.DType, nx.Names(names...))
	for _, v := range vec {
		t = nx.Vectorize(t, v.Name)
	}
	return t
}

// unpackBits returns elements narrower than a byte, the first in the highest bits,
// as one byte each.
func unpackBits(data []byte, d nx.DType, n int) []byte {
	width, out := d.Bits(), make([]byte, n)
	for i := range out {
		at := i * width
		v := int64(data[at/8] >> (8 - width - at%8) & (1<<width - 1))
		if d.IsSigned() && v>>(width-1) != 0 {
			v -= 1 << width
		}
		d.StoreInt(out, i, v)
	}
	return out
}
