package serve

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

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

// problemf returns a problem whose text is of a moderate size, whatever the request says.
func problemf(status int, format string, args ...any) *problem {
	const most = 1000
	text := fmt.Sprintf(format, args...)
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return &problem{status, text}
}

func badRequest(format string, args ...any) *problem {
	return problemf(http.StatusBadRequest, format, args...)
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

// decode reads a request: JSON of head bytes, and the bytes of tensors behind it.
func decode(body []byte, head int) (*inferRequest, *Request, error) {
	var r inferRequest
	if err := json.Unmarshal(body[:head], &r); err != nil {
		return nil, nil, badRequest("the request is not valid: %v", err)
	}
	rest := body[head:]
	out := &Request{}
	for i := range r.Inputs {
		t := &r.Inputs[i]
		in := Input{Name: t.Name, Datatype: t.Datatype, Shape: t.Shape}
		n := t.Parameters.BinaryDataSize
		switch {
		case t.Parameters.SharedMemory != "":
			return nil, nil, problemf(http.StatusNotImplemented, "shared memory is not supported")
		case n == nil:
			in.Elements = func(d nx.DType, shape nx.Shape) ([]byte, error) { return parseElements(t.Data, d, shape) }
		case t.Data != nil:
			return nil, nil, badRequest("the input %q has both data and binary_data_size", t.Name)
		case *n < 0:
			return nil, nil, badRequest("the input %q has a binary_data_size of %d", t.Name, *n)
		case *n > int64(len(rest)):
			return nil, nil, badRequest("the input %q has a binary_data_size of %d, and the request ends after %d", t.Name,
				*n, len(rest))
		default:
			in.Data, rest = rest[:*n:*n], rest[*n:]
		}
		out.Inputs = append(out.Inputs, in)
	}
	if len(rest) > 0 {
		return nil, nil, badRequest("%d bytes are behind those of the tensors", len(rest))
	}
	for _, o := range r.Outputs {
		if o.Parameters.Classification != nil || o.Parameters.SharedMemory != "" {
			return nil, nil, problemf(http.StatusNotImplemented,
				"outputs by classification or shared memory are not supported")
		}
		out.Outputs = append(out.Outputs, o.Name)
	}
	return &r, out, nil
}

// encode returns the answer to a request: JSON, and behind it the bytes of the tensors that are not in it. head is the
// length of the JSON, -1 if there is nothing else.
func encode(r *inferRequest, response *Response) (body []byte, head int, err error) {
	out := inferResponse{ModelName: response.Model, ModelVersion: response.Version, ID: r.ID,
		Outputs: []responseTensor{}}
	var rest []byte
	behind := false
	for i, o := range response.Outputs {
		data := nx.Bytes(o.Tensor)
		binaryData := r.Parameters.BinaryDataOutput != nil && *r.Parameters.BinaryDataOutput
		if len(r.Outputs) > 0 && r.Outputs[i].Parameters.BinaryData != nil {
			binaryData = *r.Outputs[i].Parameters.BinaryData
		}
		item := responseTensor{Name: o.Name, Datatype: o.Datatype, Shape: append([]int{}, o.Tensor.Shape()...)}
		if binaryData {
			n := int64(len(data))
			behind = true
			item.Parameters = &parameters{BinaryDataSize: &n}
			rest = append(rest, data...)
		} else if item.Data, err = appendElements(nil, o.Tensor.DType(), data); err != nil {
			return nil, 0, problemf(http.StatusInternalServerError, "the output %q: %v", o.Name, err)
		}
		out.Outputs = append(out.Outputs, item)
	}
	text, err := json.Marshal(out)
	if err != nil {
		return nil, 0, err
	}
	if !behind {
		return text, -1, nil
	}
	return append(text, rest...), len(text), nil
}
