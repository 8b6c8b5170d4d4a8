package serve

import (
	"math"
	"net/http"
	"slices"

	"github.com/go-nx/nx"
)

// Request is a request of inference by the Open Inference Protocol, in whatever encoding it came.
type Request struct {
	// Model is the name of the model, Version the version of it that is wanted, if that is not empty.
	Model, Version string
	// Inputs are the arguments, in any order.
	Inputs []Input
	// Outputs are the names of the wanted results; without any, all are wanted.
	Outputs []string
}

// Input is an argument of a [Request].
type Input struct {
	Name, Datatype string // Datatype is one of the protocol, such as FP32
	Shape          []int64
	// Data are the elements, as tensors have them in memory: row-major, little-endian.
	Data []byte
	// Elements returns them instead of Data, if it is set, from another encoding. It is called when the name, the
	// datatype and the shape are known to be right, and returns as many bytes as those want.
	Elements func(d nx.DType, shape nx.Shape) ([]byte, error)
}

// Response has the results of a [Request], in the order in which it wants them.
type Response struct {
	Model, Version string
	Outputs        []Output
}

// Output is a result of a [Response].
type Output struct {
	Name, Datatype string
	Tensor         nx.Tensor
}

// arguments checks a request, and returns its inputs in the order of those of the model.
func (m *Model) arguments(r *Request, l Limits) ([]nx.Tensor, error) {
	list := make([]nx.Tensor, len(m.Inputs))
	for i := range r.Inputs {
		in := &r.Inputs[i]
		at := indexOf(m.Inputs, in.Name)
		if at < 0 {
			return nil, badRequest("there is no input %q: the model takes %s", in.Name, names(m.Inputs))
		}
		if !list[at].IsZero() {
			return nil, badRequest("the input %q is given twice", in.Name)
		}
		var err error
		if list[at], err = in.tensor(m.Inputs[at], l); err != nil {
			return nil, err
		}
	}
	for i, p := range m.Inputs {
		switch {
		case list[i].IsZero():
			return nil, badRequest("the input %s is missing", p)
		case m.MaxBatch > 0 && list[i].Shape()[0] == 0:
			return nil, badRequest("the input %q has no rows", p.Name)
		case m.MaxBatch > 0 && list[i].Shape()[0] != list[0].Shape()[0]:
			return nil, badRequest("the input %q has %d rows, and %q %d", p.Name, list[i].Shape()[0], m.Inputs[0].Name,
				list[0].Shape()[0])
		}
	}
	for i, name := range r.Outputs {
		if indexOf(m.Outputs, name) < 0 {
			return nil, badRequest("there is no output %q: the model returns %s", name, names(m.Outputs))
		}
		if slices.Contains(r.Outputs[:i], name) { // at most as many as the model has
			return nil, badRequest("the output %q is wanted twice", name)
		}
	}
	return list, nil
}

func indexOf(list []nx.Parameter, name string) int {
	return slices.IndexFunc(list, func(p nx.Parameter) bool { return p.Name == name })
}

func names(list []nx.Parameter) string {
	text := ""
	for i, p := range list {
		if i > 0 {
			text += ", "
		}
		text += p.Name
	}
	return text
}

// tensor returns an input as the model wants it.
func (in *Input) tensor(want nx.Parameter, l Limits) (none nx.Tensor, err error) {
	d, ok := datatypes[in.Datatype]
	switch {
	case !ok && in.Datatype == "BYTES":
		return none, badRequest("the input %q has strings, which tensors do not have", in.Name)
	case !ok:
		return none, badRequest("the input %q has the datatype %q, which is not one of the protocol", in.Name, in.Datatype)
	case d != want.DType:
		return none, badRequest("the input %q has the datatype %s, want %s", in.Name, in.Datatype,
			datatypeOf(want.DType))
	case len(in.Shape) != len(want.Shape):
		return none, badRequest("the input %q has the shape %v, want %s", in.Name, in.Shape, want)
	}
	shape := make(nx.Shape, len(in.Shape))
	size, extent := int64(d.Size()), int64(d.Size()) // extent leaves out axes of size 0
	for i, n := range in.Shape {
		if n < 0 || want.Shape[i] >= 0 && n != int64(want.Shape[i]) {
			return none, badRequest("the input %q has the shape %v, want %s", in.Name, in.Shape, want)
		}
		if n > 0 && extent > math.MaxInt64/n {
			return none, badRequest("the shape %v of the input %q is too large", in.Shape, in.Name)
		}
		size, extent = size*n, extent*max(n, 1)
		shape[i] = int(n)
	}
	if extent > l.Body {
		return none, badRequest("the input %q of shape %v has %d bytes, of at most %d in a request", in.Name, in.Shape,
			extent, l.Body)
	}
	if len(shape) > 0 && shape[0] > l.Rows {
		return none, badRequest("the input %q has %d rows, of at most %d in a request", in.Name, shape[0], l.Rows)
	}
	data := in.Data
	if in.Elements != nil {
		if data, err = in.Elements(d, shape); err != nil {
			return none, badRequest("the data of the input %q: %v", in.Name, err)
		}
	}
	if int64(len(data)) != size {
		return none, badRequest("the input %q has %d bytes, want %d for its shape %v", in.Name, len(data), size,
			in.Shape)
	}
	if d == nx.Bool {
		for i, b := range data {
			if b > 1 {
				return none, badRequest("element %d of the input %q is %d, want 0 or 1", i, in.Name, b)
			}
		}
	}
	if l.RefuseNaN && d.IsFloat() {
		for i := range len(data) / d.Size() {
			if v := d.LoadFloat(data, i); math.IsNaN(v) || math.IsInf(v, 0) {
				return none, badRequest("element %d of the input %q is %v", i, in.Name, v)
			}
		}
	}
	return nx.FromBytes(data, shape, d), nil
}

// response selects the results that a request wants.
func (m *Model) response(r *Request, results []nx.Tensor) (*Response, error) {
	out := &Response{Model: m.Name, Version: m.Version}
	add := func(i int) error {
		name, datatype := m.Outputs[i].Name, datatypeOf(results[i].DType())
		if datatype == "" {
			return problemf(http.StatusInternalServerError, "the output %q is of %s, which the protocol does not have",
				name, results[i].DType())
		}
		out.Outputs = append(out.Outputs, Output{name, datatype, results[i]})
		return nil
	}
	if len(r.Outputs) == 0 {
		for i := range m.Outputs {
			if err := add(i); err != nil {
				return nil, err
			}
		}
	}
	for _, name := range r.Outputs {
		if err := add(indexOf(m.Outputs, name)); err != nil {
			return nil, err
		}
	}
	return out, nil
}
