package core

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"strconv"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/weak"
)

// jsonTensor is a tensor in JSON, without its elements.
type jsonTensor struct {
	DType DType           `json:"dtype"`
	Shape []int           `json:"shape"`
	Names []string        `json:"names,omitempty"`
	Data  json.RawMessage `json:"data"`
}

// MarshalJSON implements nx.Tensor.MarshalJSON.
func (t Tensor) MarshalJSON() (out []byte, err error) {
	defer Catch(&err)
	if t.p == nil {
		return []byte("null"), nil
	}
	t = devectorized(t)
	s := t.p.spec
	var data []byte
	lend("MarshalJSON", t, func(elements []byte) {
		data = appendJSON(nil, s.DType, s.Shape, elements)
	})
	return json.Marshal(jsonTensor{DType: s.DType, Shape: s.Shape, Names: s.Names, Data: data})
}

// appendJSON appends elements as nested arrays.
func appendJSON(out []byte, d DType, shape Shape, data []byte) []byte {
	if len(shape) == 0 {
		return appendElementJSON(out, d, data)
	}
	if len(data) == 0 { // the shape says how many empty arrays there are
		return append(out, "[]"...)
	}
	out = append(out, '[')
	for i := range shape[0] {
		if i > 0 {
			out = append(out, ',')
		}
		step := len(data) / shape[0]
		out = appendJSON(out, d, shape[1:], data[i*step:(i+1)*step])
	}
	return append(out, ']')
}

func appendElementJSON(out []byte, d DType, data []byte) []byte {
	float := func(v float64) {
		switch {
		case math.IsNaN(v):
			out = append(out, `"NaN"`...)
		case math.IsInf(v, 0):
			out = append(out, map[bool]string{true: `"Infinity"`, false: `"-Infinity"`}[v > 0]...)
		case d.Real() == F64:
			out = strconv.AppendFloat(out, v, 'g', -1, 64)
		default:
			out = strconv.AppendFloat(out, v, 'g', -1, 32)
		}
	}
	switch {
	case d.IsComplex():
		c := d.LoadComplex(data, 0)
		out = append(out, '[')
		float(real(c))
		out = append(out, ',')
		float(imag(c))
		out = append(out, ']')
	case d.IsFloat():
		float(d.LoadFloat(data, 0))
	default:
		out = append(out, formatElement(d, data, 0)...)
	}
	return out
}

// UnmarshalJSON implements nx.Tensor.UnmarshalJSON.
func (t *Tensor) UnmarshalJSON(text []byte) (err error) {
	defer Catch(&err)
	if bytes.Equal(bytes.TrimSpace(text), []byte("null")) {
		*t = Tensor{}
		return nil
	}
	var j jsonTensor
	const hint = `a tensor is like {"dtype":"f32","shape":[2],"data":[1,2]}`
	if err := json.Unmarshal(text, &j); err != nil {
		var mismatch *json.UnmarshalTypeError // names the type that is read into, which no user knows
		if errors.As(err, &mismatch) {
			what := "the tensor"
			if mismatch.Field != "" {
				what = strconv.Quote(mismatch.Field)
			}
			fail(ErrArgument, "UnmarshalJSON", hint, "%s is a JSON %s", what, mismatch.Value)
		}
		fail(ErrArgument, "UnmarshalJSON", hint, "%v", err)
	}
	if j.DType == dtype.Invalid {
		fail(ErrArgument, "UnmarshalJSON", hint, `"dtype" is required`)
	}
	spec := newSpec("UnmarshalJSON", Spec{DType: j.DType, Shape: j.Shape, Names: j.Names})
	r := elementReader{dec: json.NewDecoder(bytes.NewReader(j.Data)), d: j.DType}
	r.dec.UseNumber()
	if spec.Shape.Size() > len(j.Data) { // before memory is taken for them
		r.fail("there are fewer than %d elements", spec.Shape.Size())
	}
	r.out = make([]byte, 0, spec.sizeBytes())
	if spec.Shape.Size() > 0 {
		r.read(spec.Shape)
	}
	*t = FromBytes(r.out, spec.Shape, spec.DType, Names(spec.Names...))
	return nil
}

// elementReader reads nested arrays of elements.
type elementReader struct {
	dec *json.Decoder
	d   DType
	out []byte
}

func (r *elementReader) fail(format string, args ...any) {
	fail(ErrArgument, "UnmarshalJSON", "the arrays are nested as the shape says", "data: "+format, args...)
}

// unfit refuses an element.
func (r *elementReader) unfit(x json.Token) {
	fail(ErrArgument, "UnmarshalJSON", `give a "dtype" that holds it`, "data: %v does not fit in %s", x, r.d)
}

func (r *elementReader) token() json.Token {
	x, err := r.dec.Token()
	if err != nil {
		r.fail("%v", err)
	}
	return x
}

// delim reads a bracket.
func (r *elementReader) delim(want json.Delim) {
	if x := r.token(); x != want {
		r.fail("%v instead of %v", x, want)
	}
}

func (r *elementReader) read(shape Shape) {
	if len(shape) == 0 {
		r.element()
		return
	}
	r.delim('[')
	for range shape[0] {
		r.read(shape[1:])
	}
	r.delim(']')
}

func (r *elementReader) element() {
	at := len(r.out)
	r.out = append(r.out, make([]byte, r.d.Size())...)
	to := r.out[at:]
	switch {
	case r.d.IsComplex():
		r.delim('[')
		re := r.float()
		im := r.float()
		r.delim(']')
		r.d.StoreComplex(to, 0, complex(re, im))
	case r.d.IsFloat():
		r.d.StoreFloat(to, 0, r.float())
	default:
		r.integer(to)
	}
}

func (r *elementReader) float() float64 {
	x := r.token()
	switch x := x.(type) {
	case json.Number:
		v, err := x.Float64()
		if err != nil || !weak.Holds(r.d.Real(), v) {
			r.unfit(x)
		}
		return v
	case string:
		switch x {
		case "NaN":
			return math.NaN()
		case "Infinity":
			return math.Inf(1)
		case "-Infinity":
			return math.Inf(-1)
		}
	}
	r.fail("an element must be a number, got %v", x)
	return 0
}

func (r *elementReader) integer(to []byte) {
	x := r.token()
	n := number{}
	switch v := x.(type) {
	case bool:
		n = operandOf(v).n
	case json.Number:
		if i, err := strconv.ParseInt(string(v), 10, 64); err == nil {
			n = operandOf(i).n
		} else if u, err := strconv.ParseUint(string(v), 10, 64); err == nil {
			n = weak.Unsigned(u)
		}
	}
	if _, isBool := x.(bool); n.Kind == dtype.KindInvalid || !n.Fits(r.d) || isBool != (r.d == Bool) {
		r.unfit(x)
	}
	n.Encode(r.d, to)
}
