package serve_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/serve"
)

const classifier = "../internal/nxtests/onnx/testdata/classifier.onnx"

// serving returns a server of a classifier x f32[batch][4] → logits f32[batch][3].
func serving(t testing.TB, l serve.Limits) (*httptest.Server, *serve.Repository) {
	t.Helper()
	r := serve.NewRepository()
	name, err := r.Declare(serve.Source{Path: classifier, Batch: []serve.Option{serve.Size(8), quiet}})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Load(context.Background(), name); err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(serve.Handler(r, l))
	t.Cleanup(func() {
		s.Close()
		if err := r.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return s, r
}

// send sends a request and returns the status and the answer.
func send(t testing.TB, method, url string, body []byte, headers ...string) (int, http.Header, []byte) {
	t.Helper()
	r, err := http.NewRequest(method, url, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	a, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Body.Close()
	out, err := io.ReadAll(a.Body)
	if err != nil {
		t.Fatal(err)
	}
	return a.StatusCode, a.Header, out
}

type answerJSON struct {
	ID      string `json:"id"`
	Error   string `json:"error"`
	Outputs []struct {
		Name       string
		Datatype   string
		Shape      []int
		Data       []float64
		Parameters map[string]int
	} `json:"outputs"`
}

const rowsJSON = `{"id":"seven","inputs":[{"name":"x","shape":[2,4],"datatype":"FP32","data":%s}]}`

func TestInfer(t *testing.T) {
	s, r := serving(t, serve.Limits{})
	m, err := r.Get("classifier", "")
	if err != nil {
		t.Fatal(err)
	}
	x := nx.New([][]float32{{1, 2, 3, 4}, {0.5, 0, -1, 2}})
	results, err := m.Do(t.Context(), []nx.Tensor{x})
	if err != nil {
		t.Fatal(err)
	}
	want := nx.Data[float64](results[0])
	near := func(name string, got []float64) {
		t.Helper()
		if len(got) != len(want) {
			t.Fatalf("%s: %v, want %v", name, got, want)
		}
		for i := range want {
			if math.Abs(got[i]-want[i]) > 1e-5 {
				t.Fatalf("%s: %v, want %v", name, got, want)
			}
		}
	}
	url := s.URL + "/v2/models/classifier/infer"
	for name, data := range map[string]string{"nested": "[[1,2,3,4],[0.5,0,-1,2]]", "flat": "[1,2,3,4, 5e-1,0,-1,2]"} {
		status, header, out := send(t, "POST", url, []byte(fmt.Sprintf(rowsJSON, data)))
		var a answerJSON
		if err := json.Unmarshal(out, &a); err != nil || status != 200 || a.ID != "seven" ||
			header.Get("X-Request-Id") == "" {
			t.Fatalf("%s: %d %s %v", name, status, out, err)
		}
		near(name, a.Outputs[0].Data)
	}
	// The binary extension, compressed, by a version.
	head := []byte(`{"inputs":[{"name":"x","shape":[2,4],"datatype":"FP32","parameters":{"binary_data_size":32}}],` +
		`"outputs":[{"name":"logits","parameters":{"binary_data":true}}]}`)
	var body bytes.Buffer
	z := gzip.NewWriter(&body)
	z.Write(head)
	z.Write(nx.Bytes(x))
	z.Close()
	status, header, out := send(t, "POST", s.URL+"/v2/models/classifier/versions/1/infer", body.Bytes(),
		"Inference-Header-Content-Length", fmt.Sprint(len(head)), "Content-Encoding", "gzip")
	var n int
	if _, err := fmt.Sscan(header.Get("Inference-Header-Content-Length"), &n); err != nil || status != 200 {
		t.Fatalf("binary: %d %s %v", status, out, err)
	}
	var got []float64
	for rest := out[n:]; len(rest) >= 4; rest = rest[4:] {
		got = append(got, float64(math.Float32frombits(binary.LittleEndian.Uint32(rest))))
	}
	near("binary", got)
}

// TestInformation: what clients ask for besides inference.
func TestInformation(t *testing.T) {
	s, _ := serving(t, serve.Limits{})
	for path, want := range map[string]string{
		"/":                                   `<title>nx serve</title>`,
		"/v2":                                 `"extensions":[`,
		"/v2/health/live":                     `"live":true`,
		"/v2/health/ready":                    `"ready":true`,
		"/v2/models/classifier":               `"inputs":[{"name":"x","datatype":"FP32","shape":[-1,4]}]`,
		"/v2/models/classifier/versions/1":    `"versions":["1"]`,
		"/v2/models/classifier/ready":         `"ready":true`,
		"/v2/models/classifier/config":        `"max_batch_size":8`,
		"/v2/models/classifier/stats":         `"inference_stats"`,
		"/v2/models/stats":                    `"name":"classifier"`,
		"/metrics":                            `nx_serve_batch_rows_bucket{model="classifier",version="1",le="8"}`,
		"/v2/trace/setting":                   `"trace_level"`,
		"/v2/models/classifier/trace/setting": `"trace_level"`,
		"/v2/logging":                         `"log_info"`,
	} {
		if status, _, out := send(t, "GET", s.URL+path, nil); status != 200 || !strings.Contains(string(out), want) {
			t.Errorf("%s: %d %s", path, status, out)
		}
	}
	if status, _, out := send(t, "POST", s.URL+"/v2/repository/index", nil); status != 200 ||
		!strings.Contains(string(out), `{"name":"classifier","version":"1","state":"READY"`) {
		t.Errorf("index: %d %s", status, out)
	}
}

// TestBadRequests: each is an error of the client that names the field, and the server goes on.
func TestBadRequests(t *testing.T) {
	s, _ := serving(t, serve.Limits{Body: 1 << 20, Rows: 100, RefuseNaN: true})
	url := s.URL + "/v2/models/classifier/infer"
	input := func(fields string) string { return `{"inputs":[{` + fields + `}]}` }
	deep := strings.Repeat("[", 200000) + strings.Repeat("]", 200000)
	for _, c := range []struct {
		name, body, want string
		status           int
	}{
		{"no JSON", `{`, "not valid", 400},
		{"empty", ``, "not valid", 400},
		{"no inputs", `{}`, "missing", 400},
		{"another name", input(`"name":"y","shape":[1,4],"datatype":"FP32","data":[1,2,3,4]`), `"y"`, 400},
		{"another type", input(`"name":"x","shape":[1,4],"datatype":"INT32","data":[1,2,3,4]`), "INT32", 400},
		{"no type", input(`"name":"x","shape":[1,4],"datatype":"FP31","data":[1,2,3,4]`), "FP31", 400},
		{"strings", input(`"name":"x","shape":[1,4],"datatype":"BYTES","data":["a"]`), "strings", 400},
		{"another rank", input(`"name":"x","shape":[4],"datatype":"FP32","data":[1,2,3,4]`), "shape", 400},
		{"another size", input(`"name":"x","shape":[1,5],"datatype":"FP32","data":[1,2,3,4,5]`), "shape", 400},
		{"a negative size", input(`"name":"x","shape":[-1,4],"datatype":"FP32","data":[]`), "shape", 400},
		{"no rows", input(`"name":"x","shape":[0,4],"datatype":"FP32","data":[]`), "rows", 400},
		{"many rows", input(`"name":"x","shape":[101,4],"datatype":"FP32","data":[]`), "rows", 400},
		{"2^62 rows", input(`"name":"x","shape":[4611686018427387904,4],"datatype":"FP32","data":[]`), "large", 400},
		{"2^64 rows", input(`"name":"x","shape":[18446744073709551616,4],"datatype":"FP32","data":[]`), "not valid", 400},
		{"few elements", input(`"name":"x","shape":[1,4],"datatype":"FP32","data":[1,2,3]`), "elements", 400},
		{"many elements", input(`"name":"x","shape":[1,4],"datatype":"FP32","data":[1,2,3,4,5]`), "elements", 400},
		{"far too few", input(`"name":"x","shape":[100,4],"datatype":"FP32","data":[1,2,3]`), "elements", 400},
		{"ragged", input(`"name":"x","shape":[2,4],"datatype":"FP32","data":[[1,2,3],[4,5,6,7,8]]`), "elements", 400},
		{"nested", input(`"name":"x","shape":[1,4],"datatype":"FP32","data":[[[1,2,3,4]]]`), "nested", 400},
		{"mixed", input(`"name":"x","shape":[1,4],"datatype":"FP32","data":[[1,2],3,4]`), "data", 400},
		{"a word", input(`"name":"x","shape":[1,4],"datatype":"FP32","data":[1,2,3,"4"]`), "element 3", 400},
		{"null", input(`"name":"x","shape":[1,4],"datatype":"FP32","data":[1,2,3,null]`), "element 3", 400},
		{"an object", input(`"name":"x","shape":[1,4],"datatype":"FP32","data":{"a":1}`), "array", 400},
		{"no data", input(`"name":"x","shape":[1,4],"datatype":"FP32"`), "data", 400},
		{"too large a number", input(`"name":"x","shape":[1,4],"datatype":"FP32","data":[1,2,3,1e39]`), "element 3", 400},
		{"too large a body", input(`"name":"x","shape":[1,4],"datatype":"FP32","data":[` + strings.Repeat(" ",
			1<<20) + `]`),
			"bytes", 413},
		{"deep", input(`"name":"x","shape":[1,4],"datatype":"FP32","data":` + deep), "not valid", 400},
		{"twice", `{"inputs":[{"name":"x","shape":[1,4],"datatype":"FP32","data":[1,2,3,4]},` +
			`{"name":"x","shape":[1,4],"datatype":"FP32","data":[1,2,3,4]}]}`, "twice", 400},
		{"another output", `{"inputs":[{"name":"x","shape":[1,4],"datatype":"FP32","data":[1,2,3,4]}],` +
			`"outputs":[{"name":"z"}]}`, `"z"`, 400},
		{"an output twice", `{"inputs":[{"name":"x","shape":[1,4],"datatype":"FP32","data":[1,2,3,4]}],` +
			`"outputs":[{"name":"logits"},{"name":"logits"}]}`, "twice", 400},
		{"a long name", input(`"name":"` + strings.Repeat("é", 1<<17) + `"`), "…", 400},
		{"many axes", input(`"name":"x","datatype":"FP32","shape":[` + strings.Repeat("1,", 1<<17) + `4]`), "shape",
			400},
		{"2^50 columns of no rows", input(`"name":"x","shape":[0,1125899906842624],"datatype":"FP32","data":[]`), "shape",
			400},
		{"shared memory", input(`"name":"x","shape":[1,4],"datatype":"FP32",` +
			`"parameters":{"shared_memory_region":"r"}`), "shared memory", 501},
		{"binary without bytes", input(`"name":"x","shape":[1,4],"datatype":"FP32","parameters":{"binary_data_size":16}`),
			"ends", 400},
		{"binary of another size", input(`"name":"x","shape":[1,4],"datatype":"FP32",` +
			`"parameters":{"binary_data_size":-1}`), "binary_data_size", 400},
	} {
		status, _, out := send(t, "POST", url, []byte(c.body))
		var a answerJSON
		if err := json.Unmarshal(out, &a); err != nil || status != c.status || len(out) > 2000 ||
			!strings.Contains(a.Error, c.want) {
			t.Errorf("%s: %d %.200s, want %d and %q", c.name, status, out, c.status, c.want)
		}
	}
	good := fmt.Sprintf(rowsJSON, "[[1,2,3,4],[5,6,7,8]]")
	nan := append([]byte(`{"inputs":[{"name":"x","shape":[1,4],"datatype":"FP32","parameters":{"binary_data_size":16}}]}`),
		nx.Bytes(nx.New([]float32{1, 2, 3, float32(math.NaN())}))...)
	for _, c := range []struct {
		name, method, path string
		body               []byte
		headers            []string
		status             int
	}{
		{"no model", "POST", "/v2/models/none/infer", []byte(good), nil, 404},
		{"no version", "POST", "/v2/models/classifier/versions/2/infer", []byte(good), nil, 404},
		{"no page", "GET", "/v3", nil, nil, 404},
		{"another method", "GET", "/v2/models/classifier/infer", nil, nil, 404},
		{"control", "POST", "/v2/repository/models/classifier/unload", nil, nil, 403},
		{"shared memory", "GET", "/v2/systemsharedmemory/status", nil, nil, 501},
		{"a header that is not a number", "POST", "/v2/models/classifier/infer", []byte(good),
			[]string{"Inference-Header-Content-Length", "x"}, 400},
		{"a header beyond the end", "POST", "/v2/models/classifier/infer", []byte(good),
			[]string{"Inference-Header-Content-Length", "100000"}, 400},
		{"not gzip", "POST", "/v2/models/classifier/infer", []byte(good), []string{"Content-Encoding", "gzip"}, 400},
		{"another coding", "POST", "/v2/models/classifier/infer", []byte(good), []string{"Content-Encoding", "br"},
			415},
		{"NaN", "POST", "/v2/models/classifier/infer", nan,
			[]string{"Inference-Header-Content-Length", fmt.Sprint(len(nan) - 16)}, 400},
	} {
		if status, _, out := send(t, c.method, s.URL+c.path, c.body, c.headers...); status != c.status {
			t.Errorf("%s: %d %s, want %d", c.name, status, out, c.status)
		}
	}
	if status, _, out := send(t, "POST", url, []byte(good)); status != 200 {
		t.Errorf("after all: %d %s", status, out)
	}
}

// TestReload: a new version is served without a wrong answer, one that does not load leaves the old one, and a name
// cannot lead outside.
func TestReload(t *testing.T) {
	leaks(t)
	folder := t.TempDir()
	data, err := os.ReadFile(classifier)
	if err != nil {
		t.Fatal(err)
	}
	put := func(version string, data []byte) {
		t.Helper()
		at := filepath.Join(folder, version)
		if err := os.MkdirAll(at, 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(at, "model.onnx"), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	put("1", data)
	r := serve.NewRepository()
	name, err := r.Declare(serve.Source{Name: "m", Path: folder, Batch: []serve.Option{quiet}})
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(serve.Handler(r, serve.Limits{Control: true}))
	defer s.Close()
	defer http.DefaultClient.CloseIdleConnections()
	if status, _, _ := send(t, "GET", s.URL+"/v2/health/ready", nil); status != 503 {
		t.Errorf("ready before it is loaded: %d", status)
	}
	if err := r.Load(t.Context(), name); err != nil {
		t.Fatal(err)
	}
	body := []byte(fmt.Sprintf(rowsJSON, "[[1,2,3,4],[5,6,7,8]]"))
	stop := make(chan struct{})
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				if status, _, out := send(t, "POST", s.URL+"/v2/models/m/infer", body); status != 200 {
					t.Errorf("while loading: %d %s", status, out)
					return
				}
			}
		})
	}
	for i := range 5 {
		put(fmt.Sprint(i+2), data)
		if status, _, out := send(t, "POST", s.URL+"/v2/repository/models/m/load", nil); status != 200 {
			t.Errorf("load: %d %s", status, out)
		}
	}
	put("9", data[:100])
	if status, _, out := send(t, "POST", s.URL+"/v2/repository/models/m/load", nil); status != 400 {
		t.Errorf("a damaged version: %d %s", status, out)
	}
	close(stop)
	wait.Wait()
	if m, err := r.Get("m", ""); err != nil || m.Version != "6" {
		t.Errorf("served: %v %v", m, err)
	}
	for _, bad := range []string{"none", "..%2f..%2fetc"} {
		if status, _, _ := send(t, "POST", s.URL+"/v2/repository/models/"+bad+"/load", nil); status != 404 {
			t.Errorf("loading %s: %d", bad, status)
		}
	}
	if status, _, _ := send(t, "POST", s.URL+"/v2/repository/models/m/unload", nil); status != 200 {
		t.Errorf("unload: %d", status)
	}
	if status, _, _ := send(t, "POST", s.URL+"/v2/models/m/infer", body); status != 404 {
		t.Errorf("an unloaded model: %d", status)
	}
	s.Close()
	if err := r.Close(t.Context()); err != nil {
		t.Error(err)
	}
}

// FuzzInfer: no request ends the process, and none is an error of the server.
func FuzzInfer(f *testing.F) {
	r := serve.NewRepository()
	if _, err := r.Declare(serve.Source{Path: classifier, Batch: []serve.Option{quiet}}); err != nil {
		f.Fatal(err)
	}
	if err := r.Load(context.Background(), "classifier"); err != nil {
		f.Fatal(err)
	}
	h := serve.Handler(r, serve.Limits{Body: 1 << 16, Rows: 64})
	f.Add([]byte(fmt.Sprintf(rowsJSON, "[1,2,3,4,5,6,7,8]")), "")
	f.Add([]byte(fmt.Sprintf(rowsJSON, "[[1,2,3,4],[5,6,7,8]]")), "70")
	f.Add([]byte(`{"inputs":[{"name":"x","shape":[1,4],"datatype":"FP32","parameters":{"binary_data_size":16}}]}0123456789abcdef`),
		"94")
	f.Fuzz(func(t *testing.T, body []byte, head string) {
		request := httptest.NewRequest("POST", "/v2/models/classifier/infer", bytes.NewReader(body))
		if head != "" {
			request.Header.Set("Inference-Header-Content-Length", head)
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, request)
		var a answerJSON
		if w.Code != 200 && (json.Unmarshal(w.Body.Bytes(), &a) != nil || a.Error == "") {
			t.Errorf("an error without its field: %d %s", w.Code, w.Body)
		}
		// NaN has no JSON, which is the server's error.
		if w.Code != 200 && w.Code/100 != 4 && w.Code != 501 && !strings.Contains(w.Body.String(), "binary_data") {
			t.Errorf("%d %s", w.Code, w.Body)
		}
	})
}

// FuzzGenerate: the same for requests of events.
func FuzzGenerate(f *testing.F) {
	r := serve.NewRepository()
	if _, err := r.Declare(serve.Source{Path: classifier, Batch: []serve.Option{quiet}}); err != nil {
		f.Fatal(err)
	}
	if err := r.Load(context.Background(), "classifier"); err != nil {
		f.Fatal(err)
	}
	h := serve.Handler(r, serve.Limits{Body: 1 << 16, Rows: 64})
	for _, body := range []string{`{"x":[1,2,3,4]}`, `{"x":[[1,2,3,4],[5,6,7,8]],"parameters":{}}`, `{"x":1}`,
		`{"x":[[]]}`} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest("POST", "/v2/models/classifier/generate_stream", bytes.NewReader(body)))
		var a answerJSON
		switch {
		case w.Code == 200 && strings.HasPrefix(w.Body.String(), "data: {"):
		case json.Unmarshal(w.Body.Bytes(), &a) != nil || a.Error == "":
			t.Errorf("an error without its field: %d %s", w.Code, w.Body)
		case w.Code/100 != 4 && !strings.Contains(a.Error, "binary_data"):
			t.Errorf("%d %s", w.Code, w.Body)
		}
	})
}
