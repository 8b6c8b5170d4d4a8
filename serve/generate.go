package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"iter"
	"maps"
	"net/http"
	"slices"
	"time"

	"github.com/go-nx/nx"
)

// NewStream returns a model that has several results for a request, one after another, for [Repository.Add]: such as
// the tokens of a text. f is as that of [Stream], with inputs and results in the order of the parameters. Requests are
// batched if the first axis of all of them has a size that callers choose, of one name. A [Handler] answers requests at
// …/generate_stream, and none at …/infer.
func NewStream(name, version string, inputs, outputs []nx.Parameter,
	f func(ctx context.Context, x []nx.Tensor) iter.Seq2[[]nx.Tensor, error], opts ...Option) *Model {
	m := newModel(name, version, inputs, outputs, func() error { return nil })
	m.streams = true
	m.batcher = Stream(f, m.options(opts)...)
	return m
}

// Stream computes the results of inputs in the order of Inputs, each when it is there. A model that is not of
// [NewStream] has one.
func (m *Model) Stream(ctx context.Context, inputs []nx.Tensor) iter.Seq2[[]nx.Tensor, error] {
	if m.streams {
		return m.batcher.Stream(ctx, inputs)
	}
	return func(yield func([]nx.Tensor, error) bool) { yield(m.Do(ctx, inputs)) }
}

// generateStream answers by Triton's generate extension: JSON with inputs by name, and an event (SSE) for each result.
//
// Source: https://github.com/triton-inference-server/server/blob/main/docs/protocol/extension_generate.md
func (s *Server) generateStream(w http.ResponseWriter, r *http.Request) {
	c, err := s.begin(r.PathValue("model"), r.PathValue("version"))
	if err != nil {
		writeError(w, err)
		return
	}
	defer s.end(c)
	ctx, done := traced(r.Context(), c, r.Header)
	status, err := s.generate(w, r.WithContext(ctx), c)
	if err != nil && status == 0 {
		status = writeError(w, err)
	}
	c.written = time.Now()
	s.count(c, status)
	done(status, err)
}

// generate writes events. An error before the first has status 0 and is to be written; a later one is an event.
func (s *Server) generate(w http.ResponseWriter, r *http.Request, c *call) (status int, err error) {
	defer nx.Catch(&err)
	body, err := s.read(w, r, c)
	if err != nil {
		return 0, err
	}
	m := c.model
	request, err := m.decodeGenerate(body)
	if err != nil {
		return 0, err
	}
	inputs, err := m.arguments(request, s.limits)
	if err != nil {
		return 0, err
	}
	c.read = time.Now()
	control := http.NewResponseController(w)
	for results, err := range m.Stream(r.Context(), inputs) {
		var text []byte
		if err == nil {
			text, err = m.encodeGenerate(request, results)
		}
		if err != nil {
			if status == 0 {
				return 0, err
			}
			text, _ = json.Marshal(map[string]string{"error": message(err)})
			_, _ = w.Write(slices.Concat([]byte("data: "), text, []byte("\n\n"))) // the client may have left
			return Status(err), err
		}
		if status == 0 {
			status = http.StatusOK
			w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
			w.Header().Set("Cache-Control", "no-store")
		}
		if seen, ok := w.(*recorder); ok {
			seen.extend()
		}
		if _, err := w.Write(slices.Concat([]byte("data: "), text, []byte("\n\n"))); err != nil {
			return 499, err
		}
		_ = control.Flush() // a writer without it writes all at the end
		c.computed = time.Now()
	}
	if status == 0 {
		return 0, errNoResult
	}
	return status, nil
}

// decodeGenerate reads the inputs that a request has by name. They have the shapes of their arrays, with axes of size 1
// in front for those that are not there.
func (m *Model) decodeGenerate(body []byte) (*Request, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(body, &fields); err != nil {
		return nil, badRequest("the request is not valid: %v", err)
	}
	out := &Request{Model: m.Name, Version: m.Version}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if name == "parameters" || name == "id" {
			continue
		}
		at := indexOf(m.Inputs, name)
		if at < 0 {
			return nil, badRequest("there is no input %q: the model takes %s", name, names(m.Inputs))
		}
		p, data := m.Inputs[at], fields[name]
		shape, err := arrayShape(data, len(p.Shape))
		if err != nil {
			return nil, badRequest("the data of the input %q: %v", name, err)
		}
		out.Inputs = append(out.Inputs, Input{Name: name, Datatype: datatypeOf(p.DType), Shape: shape,
			Elements: func(d nx.DType, shape nx.Shape) ([]byte, error) { return parseFlat(data, d, shape) }})
	}
	return out, nil
}

// parseFlat reads an array whose outermost axes of size 1 may be missing.
func parseFlat(data []byte, d nx.DType, shape []int) ([]byte, error) {
	inner := shape
	for n := depth(data); len(inner) > n && inner[0] == 1; {
		inner = inner[1:]
	}
	return parseElements(data, d, inner)
}

// depth returns how many arrays begin at the front.
func depth(data []byte) (n int) {
	for _, c := range data {
		switch c {
		case '[':
			n++
		case ' ', '\t', '\r', '\n':
		default:
			return n
		}
	}
	return n
}

// arrayShape returns the shape of an array in JSON by its first elements, with as many axes as rank at least.
func arrayShape(data json.RawMessage, rank int) ([]int64, error) {
	var shape []int64
	for data = bytes.TrimSpace(data); len(data) > 0 && data[0] == '[' && len(shape) <= rank; {
		var list []json.RawMessage
		if err := json.Unmarshal(data, &list); err != nil {
			return nil, err
		}
		shape = append(shape, int64(len(list)))
		if len(list) == 0 {
			break
		}
		data = bytes.TrimSpace(list[0])
	}
	for len(shape) < rank {
		shape = append([]int64{1}, shape...)
	}
	return shape, nil
}

// encodeGenerate returns the JSON of a result: a number for a tensor of one element, else a flat array.
func (m *Model) encodeGenerate(r *Request, results []nx.Tensor) ([]byte, error) {
	response, err := m.response(r, results)
	if err != nil {
		return nil, err
	}
	out := map[string]any{"model_name": m.Name, "model_version": m.Version}
	for _, o := range response.Outputs {
		text, err := appendElements(nil, o.Tensor.DType(), nx.Bytes(o.Tensor))
		if err != nil {
			return nil, problemf(http.StatusInternalServerError, "the output %q: %v", o.Name, err)
		}
		if o.Tensor.Size() == 1 {
			text = text[1 : len(text)-1]
		}
		out[o.Name] = json.RawMessage(text)
	}
	return json.Marshal(out)
}
