package grpc

import (
	"context"
	"errors"
	"fmt"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/serve"
	"github.com/go-nx/nx/serve/grpc/inference"
)

// ModelInfer answers a request of inference.
func (g *Server) ModelInfer(ctx context.Context, r *inference.ModelInferRequest) (
	*inference.ModelInferResponse, error) {
	request, err := requestOf(r)
	if err != nil {
		return nil, err
	}
	answer, err := g.serve.Infer(ctx, request)
	if err != nil {
		return nil, err
	}
	out := &inference.ModelInferResponse{ModelName: answer.Model, ModelVersion: answer.Version, Id: r.GetId()}
	for _, o := range answer.Outputs {
		out.Outputs = append(out.Outputs, &inference.ModelInferResponse_InferOutputTensor{Name: o.Name,
			Datatype: o.Datatype, Shape: sizes(o.Tensor.Shape())})
		out.RawOutputContents = append(out.RawOutputContents, nx.Bytes(o.Tensor))
	}
	return out, nil
}

func sizes(shape nx.Shape) []int64 {
	out := make([]int64, len(shape))
	for i, n := range shape {
		out[i] = int64(n)
	}
	return out
}

func invalid(format string, args ...any) error {
	return status.Errorf(codes.InvalidArgument, format, args...)
}

// requestOf returns a request in the terms of package serve. The elements of its inputs are read when their shape is
// known to be right.
func requestOf(r *inference.ModelInferRequest) (*serve.Request, error) {
	out := &serve.Request{Model: r.GetModelName(), Version: r.GetModelVersion()}
	if out.Model == "" {
		return nil, invalid("model_name is empty")
	}
	raw := r.GetRawInputContents()
	if len(raw) > 0 && len(raw) != len(r.GetInputs()) {
		return nil, invalid("raw_input_contents has %d tensors, and inputs %d", len(raw), len(r.GetInputs()))
	}
	for i, t := range r.GetInputs() {
		if t.GetParameters()["shared_memory_region"] != nil {
			return nil, status.Errorf(codes.Unimplemented, "the input %.100q: shared memory is not supported",
				t.GetName())
		}
		in := serve.Input{Name: t.GetName(), Datatype: t.GetDatatype(), Shape: t.GetShape()}
		if len(raw) == 0 {
			in.Elements = func(d nx.DType, shape nx.Shape) ([]byte, error) {
				return elements(t.GetContents(), d, shape)
			}
		} else if in.Data = raw[i]; len(filled(t.GetContents())) > 0 {
			return nil, invalid("the input %.100q has contents, and the request raw_input_contents", t.GetName())
		}
		out.Inputs = append(out.Inputs, in)
	}
	for _, o := range r.GetOutputs() {
		for _, name := range []string{"classification", "shared_memory_region"} {
			if o.GetParameters()[name] != nil {
				return nil, status.Errorf(codes.Unimplemented, "the output %.100q: the parameter %s is not supported",
					o.GetName(), name)
			}
		}
		out.Outputs = append(out.Outputs, o.GetName())
	}
	return out, nil
}

// filled returns the names of the fields that have elements.
func filled(c *inference.InferTensorContents) (names []string) {
	for _, f := range []struct {
		name string
		n    int
	}{
		{"bool_contents", len(c.GetBoolContents())}, {"int_contents", len(c.GetIntContents())},
		{"int64_contents", len(c.GetInt64Contents())}, {"uint_contents", len(c.GetUintContents())},
		{"uint64_contents", len(c.GetUint64Contents())}, {"fp32_contents", len(c.GetFp32Contents())},
		{"fp64_contents", len(c.GetFp64Contents())}, {"bytes_contents", len(c.GetBytesContents())},
	} {
		if f.n > 0 {
			names = append(names, f.name)
		}
	}
	return names
}

// elements returns typed contents as tensors have them in memory.
func elements(c *inference.InferTensorContents, d nx.DType, shape nx.Shape) ([]byte, error) {
	w := writer{c: c, dtype: d, n: 1}
	for _, size := range shape {
		w.n *= size
	}
	switch {
	case d == nx.Bool:
		return write(w, "bool_contents", c.GetBoolContents(), func(data []byte, i int, v bool) error {
			if v {
				data[i] = 1
			}
			return nil
		})
	case d == nx.S64:
		return write(w, "int64_contents", c.GetInt64Contents(), func(data []byte, i int, v int64) error {
			d.StoreInt(data, i, v)
			return nil
		})
	case d.IsInteger() && d.IsSigned():
		return write(w, "int_contents", c.GetIntContents(), func(data []byte, i int, v int32) error {
			if v>>(d.Bits()-1) != v>>31 {
				return fmt.Errorf("element %d is %d, which %s does not have", i, v, d)
			}
			d.StoreInt(data, i, int64(v))
			return nil
		})
	case d == nx.U64:
		return write(w, "uint64_contents", c.GetUint64Contents(), func(data []byte, i int, v uint64) error {
			d.StoreUint(data, i, v)
			return nil
		})
	case d.IsInteger():
		return write(w, "uint_contents", c.GetUintContents(), func(data []byte, i int, v uint32) error {
			if uint64(v)>>d.Bits() != 0 {
				return fmt.Errorf("element %d is %d, which %s does not have", i, v, d)
			}
			d.StoreUint(data, i, uint64(v))
			return nil
		})
	case d == nx.F32:
		return write(w, "fp32_contents", c.GetFp32Contents(), func(data []byte, i int, v float32) error {
			d.StoreFloat(data, i, float64(v))
			return nil
		})
	case d == nx.F64:
		return write(w, "fp64_contents", c.GetFp64Contents(), func(data []byte, i int, v float64) error {
			d.StoreFloat(data, i, v)
			return nil
		})
	}
	if w.n == 0 {
		return nil, nil
	}
	return nil, errors.New("its datatype has no field in contents: send raw_input_contents")
}

// writer is what write needs besides elements.
type writer struct {
	c     *inference.InferTensorContents
	dtype nx.DType
	n     int
}

// write writes the elements of the field that is right for the datatype.
func write[T any](w writer, field string, list []T, put func(data []byte, i int, v T) error) ([]byte, error) {
	for _, other := range filled(w.c) {
		if other != field {
			return nil, fmt.Errorf("the elements are in %s, want %s", other, field)
		}
	}
	if len(list) != w.n {
		return nil, fmt.Errorf("%s has %d elements, want %d", field, len(list), w.n)
	}
	data := make([]byte, w.n*w.dtype.Size())
	for i, v := range list {
		if err := put(data, i, v); err != nil {
			return nil, err
		}
	}
	return data, nil
}
