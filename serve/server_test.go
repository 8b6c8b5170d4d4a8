package serve_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/serve"
)

func ExampleServer_Infer() {
	models := serve.NewRepository()
	name, err := models.Declare(serve.Source{Path: classifier})
	if err != nil {
		panic(err)
	}
	if err := models.Load(context.Background(), name); err != nil {
		panic(err)
	}
	s := serve.NewServer(models, serve.Limits{}) // http.ListenAndServe(address, s) serves it, too
	x := nx.New([][]float32{{1, 2, 3, 4}})
	answer, err := s.Infer(context.Background(), &serve.Request{Model: name,
		Inputs: []serve.Input{{Name: "x", Datatype: "FP32", Shape: []int64{1, 4}, Data: nx.Bytes(x)}}})
	if err != nil {
		panic(err)
	}
	fmt.Println(answer.Outputs[0].Name, nx.Data[float32](answer.Outputs[0].Tensor))
	_, err = s.Infer(context.Background(), &serve.Request{Model: "another"})
	fmt.Println(serve.Status(err), err)
	// Output:
	// logits [0.466063 0.24876142 0.14825542]
	// 404 serve: no such model: "another"
}

func ExampleServer_Document() {
	s := serve.NewServer(serve.NewRepository(), serve.Limits{})
	text, err := s.Document(context.Background(), "POST", "/v2/repository/index", nil)
	fmt.Print(string(text), err)
	// Output:
	// []
	// <nil>
}

// TestServer: requests that do not come by HTTP have its checks, limits and statistics.
func TestServer(t *testing.T) {
	_, models := serving(t, serve.Limits{})
	s := serve.NewServer(models, serve.Limits{Concurrent: 1, Rows: 10})
	if l := s.Limits(); l.Body != 64<<20 || l.Concurrent != 1 || s.Repository() != models {
		t.Errorf("limits: %+v", l)
	}
	good := serve.Input{Name: "x", Datatype: "FP32", Shape: []int64{1, 4}, Data: nx.Bytes(nx.Ones(nx.Shape{4}, nx.F32))}
	with := func(f func(in *serve.Input)) *serve.Request {
		in := good
		f(&in)
		return &serve.Request{Model: "classifier", Inputs: []serve.Input{in}}
	}
	inElements := errors.New("no such elements")
	for name, c := range map[string]struct {
		r      *serve.Request
		status int
		want   string
	}{
		"good":         {with(func(in *serve.Input) {}), 200, ""},
		"by version":   {&serve.Request{Model: "classifier", Version: "1", Inputs: []serve.Input{good}}, 200, ""},
		"no version":   {&serve.Request{Model: "classifier", Version: "2"}, 404, "version"},
		"few bytes":    {with(func(in *serve.Input) { in.Data = in.Data[:15] }), 400, "15 bytes, want 16"},
		"no bytes":     {with(func(in *serve.Input) { in.Data = nil }), 400, `"x"`},
		"many rows":    {with(func(in *serve.Input) { in.Shape = []int64{11, 4} }), 400, "11 rows"},
		"another type": {with(func(in *serve.Input) { in.Datatype = "FP64" }), 400, "FP64"},
		"elements": {with(func(in *serve.Input) {
			in.Data, in.Elements = nil, func(nx.DType, nx.Shape) ([]byte, error) { return good.Data, nil }
		}), 200, ""},
		"wrong elements": {with(func(in *serve.Input) {
			in.Elements = func(nx.DType, nx.Shape) ([]byte, error) { return nil, inElements }
		}), 400, inElements.Error()},
		"few elements": {with(func(in *serve.Input) {
			in.Elements = func(nx.DType, nx.Shape) ([]byte, error) { return nil, nil }
		}), 400, "0 bytes"},
		"while another runs": {with(func(in *serve.Input) {
			in.Elements = func(nx.DType, nx.Shape) ([]byte, error) {
				_, err := s.Infer(t.Context(), with(func(*serve.Input) {}))
				return nil, fmt.Errorf("status %d", serve.Status(err))
			}
		}), 400, "status 503"},
	} {
		a, err := s.Infer(t.Context(), c.r)
		if got := serve.Status(err); got != c.status || err != nil && !strings.Contains(err.Error(), c.want) ||
			err == nil && (a.Model != "classifier" || a.Version != "1" || a.Outputs[0].Datatype != "FP32") {
			t.Errorf("%s: %d %v %v, want %d %s", name, got, a, err, c.status, c.want)
		}
	}
	small := serve.NewServer(models, serve.Limits{InFlight: 24})
	within := with(func(in *serve.Input) {})
	within.Inputs[0].Data = nil
	within.Inputs[0].Elements = func(nx.DType, nx.Shape) ([]byte, error) {
		_, err := small.Infer(t.Context(), with(func(*serve.Input) {}))
		return nil, fmt.Errorf("status %d", serve.Status(err))
	}
	within.Inputs = append(within.Inputs, serve.Input{Name: "more", Data: make([]byte, 16)})
	if _, err := small.Infer(t.Context(), within); err == nil || !strings.Contains(err.Error(), "status 503") {
		t.Errorf("more bytes than may be in memory: %v", err)
	}
	if _, err := small.Infer(t.Context(), with(func(*serve.Input) {})); err != nil {
		t.Errorf("afterwards: %v", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Infer(ended, with(func(*serve.Input) {})); serve.Status(err) != 499 {
		t.Errorf("a client that has left: %v", err)
	}
	for _, c := range []struct {
		method, path, want string
		status             int
	}{
		{"GET", "/v2/models/classifier/config", `"max_batch_size":8`, 200},
		{"GET", "/v2/models/classifier/stats", `"success":{"count":4,`, 200},
		{"GET", "/v2/models/none", "none", 404},
		{"GET", "/v2/models//config", "/v2/models//config", 404},
		{"GET", "/v2/models/%2e%2e/config", `".."`, 404},
		{"GET", "%", "%", 400},
		{"POST", "/v2/repository/models/classifier/load", "--repository-control", 403},
	} {
		text, err := s.Document(t.Context(), c.method, c.path, nil)
		if got := serve.Status(err); got != c.status ||
			!bytes.Contains(fmt.Appendf(text, "%v", err), []byte(c.want)) {
			t.Errorf("%s %s: %d %s %v", c.method, c.path, got, text, err)
		}
	}
	if s := serve.Status(&http.MaxBytesError{Limit: 1}); s != 413 {
		t.Errorf("too large: %d", s)
	}
}
