package serve_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/serve"
)

func ExampleNewStream() {
	x := nx.Parameter{Name: "x", Shape: nx.Shape{-1, 1}, DType: nx.S32, Dims: []string{"batch", ""}}
	countdown := func(_ context.Context, x []nx.Tensor) iter.Seq2[[]nx.Tensor, error] {
		return func(yield func([]nx.Tensor, error) bool) {
			for i := range 3 {
				if !yield([]nx.Tensor{nx.Sub(x[0], i)}, nil) {
					return
				}
			}
		}
	}
	models := serve.NewRepository()
	models.Add(serve.NewStream("countdown", "1", []nx.Parameter{x}, []nx.Parameter{x}, countdown))
	w := httptest.NewRecorder()
	r := httptest.NewRequest("POST", "/v2/models/countdown/generate_stream", strings.NewReader(`{"x": 7}`))
	serve.Handler(models, serve.Limits{}).ServeHTTP(w, r)
	fmt.Print(w.Body)
	// Output:
	// data: {"model_name":"countdown","model_version":"1","x":7}
	//
	// data: {"model_name":"countdown","model_version":"1","x":6}
	//
	// data: {"model_name":"countdown","model_version":"1","x":5}
}

func ExampleAround() {
	b := serve.Batch(nx.Jit(func(x nx.Tensor) nx.Tensor { return nx.Mul(2, x) }))
	double := serve.Around(b,
		func(_ context.Context, text string) (x nx.Tensor, err error) {
			var v float32
			_, err = fmt.Sscan(text, &v)
			return nx.New([]float32{v}), err
		},
		func(_ context.Context, text string, y nx.Tensor) (string, error) {
			return fmt.Sprintf("2·%s = %v", text, nx.Data[float32](y)[0]), nil
		})
	fmt.Println(double(context.Background(), "21"))
	// Output: 2·21 = 42 <nil>
}

// TestGenerateStream: events come when their results are there, also an error behind them; a client that leaves ends
// the computation.
func TestGenerateStream(t *testing.T) {
	leaks(t)
	x := nx.Parameter{Name: "x", Shape: nx.Shape{-1, 2}, DType: nx.F32, Dims: []string{"batch", ""}}
	steps := make(chan error)
	ended := make(chan struct{}, 10)
	models := serve.NewRepository()
	models.Add(serve.NewStream("m", "1", []nx.Parameter{x}, []nx.Parameter{x},
		func(ctx context.Context, x []nx.Tensor) iter.Seq2[[]nx.Tensor, error] {
			return func(yield func([]nx.Tensor, error) bool) {
				defer func() { ended <- struct{}{} }()
				for {
					select {
					case err := <-steps:
						if !yield(x, err) {
							return
						}
					case <-ctx.Done():
						yield(nil, context.Cause(ctx))
						return
					}
				}
			}
		}, quiet))
	s := httptest.NewServer(serve.Handler(models, serve.Limits{}))
	defer s.Close()
	defer http.DefaultClient.CloseIdleConnections()
	url := s.URL + "/v2/models/m/generate_stream"
	start := func(ctx context.Context) (*http.Response, *bufio.Scanner) {
		t.Helper()
		r, err := http.NewRequestWithContext(ctx, "POST", url, strings.NewReader(`{"x":[1,2.5],"parameters":{"n":1}}`))
		if err != nil {
			t.Fatal(err)
		}
		type result struct {
			a   *http.Response
			err error
		}
		c := make(chan result)
		go func() { a, err := http.DefaultClient.Do(r); c <- result{a, err} }()
		steps <- nil
		got := <-c
		if got.err != nil {
			t.Fatal(got.err)
		}
		return got.a, bufio.NewScanner(got.a.Body)
	}
	event := func(lines *bufio.Scanner) string {
		t.Helper()
		if !lines.Scan() {
			t.Fatalf("no line: %v", lines.Err())
		}
		text := lines.Text()
		lines.Scan() // the empty one
		return text
	}
	a, lines := start(t.Context())
	if a.StatusCode != 200 || a.Header.Get("Content-Type") != "text/event-stream; charset=utf-8" {
		t.Errorf("%d %v", a.StatusCode, a.Header)
	}
	const want = `data: {"model_name":"m","model_version":"1","x":[1,2.5]}`
	for i := range 3 {
		if got := event(lines); got != want { // before the next result is computed
			t.Errorf("event %d: %s", i, got)
		}
		if i < 2 {
			steps <- nil
		}
	}
	steps <- errors.New("the end of the text")
	if got := event(lines); got != `data: {"error":"the end of the text"}` {
		t.Errorf("an error: %s", got)
	}
	a.Body.Close()
	<-ended
	// A client that leaves.
	ctx, cancel := context.WithCancel(t.Context())
	a, lines = start(ctx)
	event(lines)
	cancel()
	a.Body.Close()
	select {
	case <-ended:
	case <-time.After(10 * time.Second):
		t.Error("the computation goes on without its client")
	}
	// Errors before the first event have a status.
	for _, body := range []string{`{`, `{}`, `{"y":1}`, `{"x":[[[1,2]]]}`, `{"x":[1]}`, `{"x":["a",2]}`,
		`{"x":[[1,2],[3]]}`} {
		if got, _, out := send(t, "POST", url, []byte(body)); got != 400 || !strings.Contains(string(out), `"error"`) {
			t.Errorf("%s: %d %s", body, got, out)
		}
	}
	infer := []byte(`{"inputs":[{"name":"x","shape":[1,2],"datatype":"FP32","data":[1,2]}]}`)
	if got, _, out := send(t, "POST", s.URL+"/v2/models/m/infer", infer); got != 400 ||
		!strings.Contains(string(out), "generate_stream") {
		t.Errorf("infer of a stream: %d %s", got, out)
	}
	// A model with one result streams that.
	one, _ := serving(t, serve.Limits{})
	url = one.URL + "/v2/models/classifier/generate_stream"
	if got, _, out := send(t, "POST", url, []byte(`{"x":[1,2,3,4]}`)); got != 200 ||
		!strings.HasPrefix(string(out), `data: {"logits":[`) {
		t.Errorf("%d %s", got, out)
	}
}

// TestAround: both sides run on the goroutine of the caller, and their errors and misuse are its.
func TestAround(t *testing.T) {
	b := serve.Batch(double, quiet)
	f := serve.Around(b, func(_ context.Context, v int) (nx.Tensor, error) {
		switch v {
		case 1:
			return nx.Tensor{}, errors.New("before")
		case 2:
			return nx.Reshape(rowsOf(v, 1), 7), nil // misuse
		}
		return rowsOf(v, 1), nil
	}, func(_ context.Context, v int, y nx.Tensor) (float32, error) {
		if v == 3 {
			return 0, errors.New("after")
		}
		return nx.Data[float32](y)[0], nil
	})
	for v, want := range []string{"0 <nil>", "0 before", "", "0 after", "8 <nil>"} {
		y, err := f(t.Context(), v)
		if got := fmt.Sprint(y, " ", err); want == "" && err == nil || want != "" && got != want {
			t.Errorf("%d: %s, want %s", v, got, want)
		}
	}
}
