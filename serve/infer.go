package serve

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"slices"

	"github.com/go-nx/nx"
)

// headerLength is the HTTP header of Triton's binary extension: the bytes of the JSON before those of tensors.
const headerLength = "Inference-Header-Content-Length"

// problem is an error of a request with its HTTP status.
type problem struct {
	status int
	text   string
}

func (p *problem) Error() string { return p.text }

func badRequest(format string, args ...any) *problem {
	return &problem{http.StatusBadRequest, fmt.Sprintf(format, args...)}
}

// inferRequest is the JSON of a request of inference.
type inferRequest struct {
	ID         string          `json:"id"`
	Parameters parameters      `json:"parameters"`
	Inputs     []requestTensor `json:"inputs"`
	Outputs    []requestOutput `json:"outputs"`
}

type parameters struct {
	BinaryDataSize   *int64 `json:"binary_data_size,omitempty"`
	BinaryData       *bool  `json:"binary_data,omitempty"`
	BinaryDataOutput *bool  `json:"binary_data_output,omitempty"`
	Classification   *int   `json:"classification,omitempty"`
	SharedMemory     string `json:"shared_memory_region,omitempty"`
}

type requestTensor struct {
	Name       string          `json:"name"`
	Datatype   string          `json:"datatype"`
	Shape      []int64         `json:"shape"`
	Parameters parameters      `json:"parameters"`
	Data       json.RawMessage `json:"data"`
}

type requestOutput struct {
	Name       string     `json:"name"`
	Parameters parameters `json:"parameters"`
}

// inferResponse is the JSON of the answer.
type inferResponse struct {
	ModelName    string           `json:"model_name"`
	ModelVersion string           `json:"model_version"`
	ID           string           `json:"id,omitempty"`
	Outputs      []responseTensor `json:"outputs"`
}

type responseTensor struct {
	Name       string          `json:"name"`
	Datatype   string          `json:"datatype"`
	Shape      []int           `json:"shape"`
	Parameters *parameters     `json:"parameters,omitempty"`
	Data       json.RawMessage `json:"data,omitempty"`
}

// decode reads a request: JSON of head bytes, and the bytes of tensors behind it. Its inputs are in the order of
// those of the model.
func (m *Model) decode(body []byte, head int, l Limits) (*inferRequest, []nx.Tensor, error) {
	var r inferRequest
	if err := json.Unmarshal(body[:head], &r); err != nil {
		return nil, nil, badRequest("the request is not valid: %v", err)
	}
	rest := body[head:]
	list := make([]nx.Tensor, len(m.Inputs))
	for i := range r.Inputs {
		t := &r.Inputs[i]
		at := slices.IndexFunc(m.Inputs, func(p nx.Parameter) bool { return p.Name == t.Name })
		if at < 0 {
			return nil, nil, badRequest("there is no input %q: the model takes %s", t.Name, names(m.Inputs))
		}
		if !list[at].IsZero() {
			return nil, nil, badRequest("the input %q is given twice", t.Name)
		}
		var err error
		if list[at], rest, err = t.tensor(m.Inputs[at], rest, l); err != nil {
			return nil, nil, err
		}
	}
	for i, p := range m.Inputs {
		switch {
		case list[i].IsZero():
			return nil, nil, badRequest("the input %s is missing", p)
		case m.MaxBatch > 0 && list[i].Shape()[0] == 0:
			return nil, nil, badRequest("the input %q has no rows", p.Name)
		case m.MaxBatch > 0 && list[i].Shape()[0] != list[0].Shape()[0]:
			return nil, nil, badRequest("the input %q has %d rows, and %q %d", p.Name, list[i].Shape()[0],
				m.Inputs[0].Name,
				list[0].Shape()[0])
		}
	}
	if len(rest) > 0 {
		return nil, nil, badRequest("%d bytes are behind those of the tensors", len(rest))
	}
	for _, o := range r.Outputs {
		if !slices.ContainsFunc(m.Outputs, func(p nx.Parameter) bool { return p.Name == o.Name }) {
			return nil, nil, badRequest("there is no output %q: the model returns %s", o.Name, names(m.Outputs))
		}
		if o.Parameters.Classification != nil || o.Parameters.SharedMemory != "" {
			return nil, nil, &problem{http.StatusNotImplemented,
				"outputs by classification or shared memory are not supported"}
		}
	}
	return &r, list, nil
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

// tensor reads an input, whose bytes are at the front of rest if the request says so.
func (t *requestTensor) tensor(want nx.Parameter, rest []byte, l Limits) (_ nx.Tensor, left []byte, err error) {
	d, ok := datatypes[t.Datatype]
	switch {
	case t.Parameters.SharedMemory != "":
		return nx.Tensor{}, nil, &problem{http.StatusNotImplemented, "shared memory is not supported"}
	case !ok && t.Datatype == "BYTES":
		return nx.Tensor{}, nil, badRequest("the input %q has strings, which tensors do not have", t.Name)
	case !ok:
		return nx.Tensor{}, nil, badRequest("the input %q has the datatype %q, which is not one of the protocol", t.Name,
			t.Datatype)
	case d != want.DType:
		return nx.Tensor{}, nil, badRequest("the input %q has the datatype %s, want %s", t.Name, t.Datatype,
			datatypeOf(want.DType))
	case len(t.Shape) != len(want.Shape):
		return nx.Tensor{}, nil, badRequest("the input %q has the shape %v, want %s", t.Name, t.Shape, want)
	}
	shape := make(nx.Shape, len(t.Shape))
	size := int64(d.Size())
	for i, n := range t.Shape {
		if n < 0 || want.Shape[i] >= 0 && n != int64(want.Shape[i]) {
			return nx.Tensor{}, nil, badRequest("the input %q has the shape %v, want %s", t.Name, t.Shape, want)
		}
		if n > 0 && size > math.MaxInt64/n {
			return nx.Tensor{}, nil, badRequest("the shape %v of the input %q is too large", t.Shape, t.Name)
		}
		size *= n
		shape[i] = int(n)
	}
	if size > l.Body {
		return nx.Tensor{}, nil, badRequest("the input %q has %d bytes, of at most %d in a request", t.Name, size,
			l.Body)
	}
	if len(shape) > 0 && shape[0] > l.Rows {
		return nx.Tensor{}, nil, badRequest("the input %q has %d rows, of at most %d in a request", t.Name, shape[0],
			l.Rows)
	}
	var data []byte
	if n := t.Parameters.BinaryDataSize; n != nil {
		switch {
		case t.Data != nil:
			return nx.Tensor{}, nil, badRequest("the input %q has both data and binary_data_size", t.Name)
		case *n != size:
			return nx.Tensor{}, nil, badRequest("the input %q has a binary_data_size of %d, want %d for its shape %v", t.Name,
				*n, size, t.Shape)
		case size > int64(len(rest)):
			return nx.Tensor{}, nil, badRequest("the input %q has %d bytes, and the request ends after %d", t.Name,
				size,
				len(rest))
		}
		data, rest = rest[:size], rest[size:]
		if d == nx.Bool {
			for i, b := range data {
				if b > 1 {
					return nx.Tensor{}, nil, badRequest("element %d of the input %q is %d, want 0 or 1", i, t.Name, b)
				}
			}
		}
	} else if data, err = parseElements(t.Data, d, shape); err != nil {
		return nx.Tensor{}, nil, badRequest("the data of the input %q: %v", t.Name, err)
	}
	if l.RefuseNaN && d.IsFloat() {
		for i := range len(data) / d.Size() {
			if v := d.LoadFloat(data, i); math.IsNaN(v) || math.IsInf(v, 0) {
				return nx.Tensor{}, nil, badRequest("element %d of the input %q is %v", i, t.Name, v)
			}
		}
	}
	return nx.FromBytes(data, shape, d), rest, nil
}

// encode returns the answer to a request: JSON, and behind it the bytes of the tensors that are not in it. head is the
// length of the JSON, -1 if there is nothing else.
func (m *Model) encode(r *inferRequest, results []nx.Tensor) (body []byte, head int, err error) {
	out := inferResponse{ModelName: m.Name, ModelVersion: m.Version, ID: r.ID, Outputs: []responseTensor{}}
	wanted := r.Outputs
	if len(wanted) == 0 {
		for _, p := range m.Outputs {
			wanted = append(wanted, requestOutput{Name: p.Name})
		}
	}
	var rest []byte
	for _, o := range wanted {
		i := slices.IndexFunc(m.Outputs, func(p nx.Parameter) bool { return p.Name == o.Name })
		t := results[i]
		datatype := datatypeOf(t.DType())
		if datatype == "" {
			return nil, 0, &problem{http.StatusInternalServerError,
				fmt.Sprintf("the output %q is of %s, which the protocol does not have", o.Name, t.DType())}
		}
		data := nx.Bytes(t)
		binaryData := r.Parameters.BinaryDataOutput != nil && *r.Parameters.BinaryDataOutput
		if b := o.Parameters.BinaryData; b != nil {
			binaryData = *b
		}
		item := responseTensor{Name: o.Name, Datatype: datatype, Shape: append([]int{}, t.Shape()...)}
		if binaryData {
			n := int64(len(data))
			item.Parameters = &parameters{BinaryDataSize: &n}
			rest = append(rest, data...)
		} else if item.Data, err = appendElements(nil, t.DType(), data); err != nil {
			return nil, 0, &problem{http.StatusInternalServerError, fmt.Sprintf("the output %q: %v", o.Name, err)}
		}
		out.Outputs = append(out.Outputs, item)
	}
	text, err := json.Marshal(out)
	if err != nil {
		return nil, 0, err
	}
	if rest == nil {
		return text, -1, nil
	}
	return append(text, rest...), len(text), nil
}
