package openai

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"math"
	"net/http"
	"slices"
	"time"
	"unicode/utf8"
)

// Limits bound what requests may take. Zero fields have the defaults that they name.
type Limits struct {
	Body  int64         // the largest request in bytes: 4 MiB
	Write time.Duration // how long a client may take to read a part of an answer: a minute
}

// Handler serves models at /v1/: requests name one of them, and may leave the name out where there is one. It answers
// errors in the form of the protocol, and writes no log; [serve.Server.Handle] puts it beside other endpoints.
func Handler(l Limits, models ...*Model) http.Handler {
	l.Body, l.Write = cmp.Or(l.Body, 4<<20), cmp.Or(l.Write, time.Minute)
	h := &handler{limits: l, models: models}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/models", func(w http.ResponseWriter, r *http.Request) {
		list := []any{}
		for _, m := range models {
			list = append(list, m.description())
		}
		write(w, map[string]any{"object": "list", "data": list})
	})
	mux.HandleFunc("GET /v1/models/{model...}", func(w http.ResponseWriter, r *http.Request) {
		m, err := h.model(r.PathValue("model"))
		if err != nil {
			writeError(w, err)
			return
		}
		write(w, m.description())
	})
	mux.HandleFunc("POST /v1/completions", func(w http.ResponseWriter, r *http.Request) { h.complete(w, r, false) })
	mux.HandleFunc("POST /v1/chat/completions", func(w http.ResponseWriter, r *http.Request) { h.complete(w, r, true) })
	mux.HandleFunc("POST /v1/embeddings", h.embeddings)
	mux.HandleFunc("/v1/", func(w http.ResponseWriter, r *http.Request) {
		e := invalid("", "there is no %s %s", r.Method, r.URL.Path)
		e.status = http.StatusNotFound
		writeError(w, e)
	})
	return mux
}

type handler struct {
	limits Limits
	models []*Model
}

func (m *Model) description() map[string]any {
	return map[string]any{"id": m.name, "object": "model", "created": m.created, "owned_by": "nx"}
}

// model returns the model of a name.
func (h *handler) model(name string) (*Model, error) {
	if name == "" && len(h.models) == 1 {
		return h.models[0], nil
	}
	if i := slices.IndexFunc(h.models, func(m *Model) bool { return m.name == name }); i >= 0 {
		return h.models[i], nil
	}
	e := invalid("model", "there is no model %q: /v1/models lists those that are served", name)
	e.status, e.Code = http.StatusNotFound, "model_not_found"
	return nil, e
}

// read reads the body of a request, and finds its model.
func (h *handler) read(w http.ResponseWriter, r *http.Request) (*Model, fields, error) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, h.limits.Body))
	if err != nil {
		e := invalid("", "the request cannot be read: %v", err)
		if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
			e.status = http.StatusRequestEntityTooLarge
		}
		return nil, nil, e
	}
	if !utf8.Valid(body) {
		return nil, nil, invalid("", "the request is not UTF-8")
	}
	var f fields
	if err := json.Unmarshal(body, &f); err != nil || f == nil {
		return nil, nil, invalid("", "the request is not an object of JSON: %v", err)
	}
	var name string
	if _, err := f.take("model", &name); err != nil {
		return nil, nil, err
	}
	m, err := h.model(name)
	return m, f, err
}

// embeddings answers with the vectors of texts.
func (h *handler) embeddings(w http.ResponseWriter, r *http.Request) {
	answer, err := h.vectors(w, r)
	if err != nil {
		writeError(w, err)
		return
	}
	write(w, answer)
}

// mostTexts is the largest number of texts of a request.
const mostTexts = 2048

func (h *handler) vectors(w http.ResponseWriter, r *http.Request) (any, error) {
	m, f, err := h.read(w, r)
	if err != nil {
		return nil, err
	}
	if m.generator != nil {
		return nil, invalid("model", "%q is a decoder: embeddings want an encoder, such as BERT", m.name)
	}
	format := "float"
	if _, err := f.take("encoding_format", &format); err != nil {
		return nil, err
	}
	if format != "float" && format != "base64" {
		return nil, invalid("encoding_format", "want float or base64")
	}
	inputs, err := m.inputs(f, "input")
	if err != nil {
		return nil, err
	}
	if err := f.rest(); err != nil {
		return nil, err
	}
	if len(inputs) == 0 || len(inputs) > mostTexts {
		return nil, invalid("input", "want 1 to %d texts, got %d", mostTexts, len(inputs))
	}
	data, tokens := []any{}, 0
	for i, ids := range inputs {
		vector, err := m.embedInTurn(r.Context(), ids)
		if err != nil {
			return nil, err
		}
		tokens += len(ids)
		var embedding any = vector
		if format == "base64" {
			var bytes []byte
			for _, x := range vector {
				bytes = binary.LittleEndian.AppendUint32(bytes, math.Float32bits(x))
			}
			embedding = base64.StdEncoding.EncodeToString(bytes)
		}
		data = append(data, map[string]any{"object": "embedding", "index": i, "embedding": embedding})
	}
	return map[string]any{"object": "list", "model": m.name, "data": data,
		"usage": map[string]int{"prompt_tokens": tokens, "total_tokens": tokens}}, nil
}

func (m *Model) embedInTurn(ctx context.Context, ids []int) ([]float32, error) {
	leave, err := m.enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	return m.embed(ids)
}

func write(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v) // the client has left
}

// asAPI is an error in the form of the protocol.
func asAPI(err error) *apiError {
	if e, ok := errors.AsType[*apiError](err); ok {
		return e
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return &apiError{status: 499, Type: "server_error", Message: "the client has left"}
	}
	return &apiError{status: http.StatusInternalServerError, Type: "server_error", Message: err.Error()}
}

func writeError(w http.ResponseWriter, err error) {
	e := asAPI(err)
	if e.status == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", "1")
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(e.status)
	_ = json.NewEncoder(w).Encode(map[string]any{"error": e})
}
