package serve

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/go-nx/nx"
)

// Handler serves the models of a repository by the Open Inference Protocol (KServe v2) over HTTP, with the extensions
// of Triton that its clients use: binary tensors, configuration, statistics, and the index of the repository.
// /metrics has metrics for Prometheus.
//
// Source: https://github.com/kserve/open-inference-protocol, and the extensions at
// https://github.com/triton-inference-server/server/tree/main/docs/protocol.
func Handler(models *Repository, l Limits) http.Handler { return NewServer(models, l) }

// routes returns what answers the paths of the protocol.
func (s *Server) routes() *http.ServeMux {
	mux := http.NewServeMux()
	get := func(pattern string, f func(r *http.Request) (any, error)) {
		mux.HandleFunc("GET "+pattern, func(w http.ResponseWriter, r *http.Request) { answer(w, r, f) })
	}
	post := func(pattern string, f func(r *http.Request) (any, error)) {
		mux.HandleFunc("POST "+pattern, func(w http.ResponseWriter, r *http.Request) { answer(w, r, f) })
	}
	get("/v2", s.metadata)
	get("/v2/health/live", func(*http.Request) (any, error) { return map[string]bool{"live": true}, nil })
	get("/v2/health/ready", s.ready)
	for _, at := range []string{"/v2/models/{model}", "/v2/models/{model}/versions/{version}"} {
		get(at, s.modelMetadata)
		get(at+"/ready", s.modelReady)
		get(at+"/config", s.modelConfig)
		get(at+"/stats", s.modelStats)
		mux.HandleFunc("POST "+at+"/infer", s.infer)
		mux.HandleFunc("POST "+at+"/generate_stream", s.generateStream)
	}
	get("/v2/models/stats", s.allStats)
	post("/v2/repository/index", s.repositoryIndex)
	post("/v2/repository/models/{model}/load", s.load)
	post("/v2/repository/models/{model}/unload", s.unload)
	get("/v2/logging", func(*http.Request) (any, error) {
		return map[string]any{"log_info": s.limits.Log != nil}, nil
	})
	get("/v2/trace/setting", func(*http.Request) (any, error) {
		return map[string]any{"trace_level": []string{"OFF"}}, nil
	})
	get("/v2/models/{model}/trace/setting", func(*http.Request) (any, error) {
		return map[string]any{"trace_level": []string{"OFF"}}, nil
	})
	mux.HandleFunc("GET /metrics", s.metrics)
	mux.HandleFunc("GET /{$}", writePage)
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		answer(w, r, func(r *http.Request) (any, error) {
			for _, part := range []string{"sharedmemory", "logging", "trace"} {
				if strings.Contains(r.URL.Path, part) {
					return nil, &problem{http.StatusNotImplemented, "this server has no " + part}
				}
			}
			return nil, problemf(http.StatusNotFound, "there is no %s %s", r.Method, r.URL.Path)
		})
	})
	return mux
}

// around is what all requests have: an id, a line in the log, and an answer to panics.
func (s *Server) around(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := r.Header.Get("X-Request-Id")
		if id == "" || len(id) > 128 || strings.ContainsFunc(id, func(c rune) bool { return c <= ' ' || c > '~' }) {
			id = rand.Text()
		}
		w.Header().Set("X-Request-Id", id)
		r.Header.Set("X-Request-Id", id)
		start := time.Now()
		seen := &recorder{ResponseWriter: w, server: s}
		_ = http.NewResponseController(w).SetWriteDeadline(time.Time{}) // that of the last answer
		defer func() {
			defer seen.end()
			if p := recover(); p != nil && p != http.ErrAbortHandler {
				slog.Error("serve: a request panicked", "request", id, "error", p, "stack", string(debug.Stack()))
				if seen.status == 0 {
					writeError(seen, &problem{http.StatusInternalServerError, "internal error, request " + id})
				}
			}
			s.requests.Add(1)
			if s.limits.Log != nil {
				s.limits.Log.LogAttrs(r.Context(), slog.LevelInfo, "request", slog.String("id", id),
					slog.String("method", r.Method), slog.String("path", r.URL.Path), slog.Int("status", seen.status),
					slog.Int64("bytes", seen.bytes), slog.Duration("took", time.Since(start)),
					slog.String("from", r.RemoteAddr))
			}
		}()
		next.ServeHTTP(seen, r)
	})
}

// answer writes what f returns as JSON.
func answer(w http.ResponseWriter, r *http.Request, f func(r *http.Request) (any, error)) {
	v, err := f(r)
	if err != nil {
		writeError(w, err)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	if v == nil {
		v = struct{}{}
	}
	_ = json.NewEncoder(w).Encode(v) // the client has left
}

// writeError writes an error with its status.
func writeError(w http.ResponseWriter, err error) int {
	status := Status(err)
	if status == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", "1")
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]string{"error": message(err)})
	return status
}

func (s *Server) metadata(*http.Request) (any, error) {
	extensions := []string{"binary_tensor_data", "model_configuration", "statistics", "generate", "model_repository",
		"model_repository(unload_dependents)"}
	return map[string]any{"name": "nx", "version": version(), "extensions": extensions}, nil
}

// version is that of the module in the program.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "devel"
	}
	for _, m := range append(info.Deps, &info.Main) {
		if m.Path == "github.com/go-nx/nx" && m.Version != "" {
			return m.Version
		}
	}
	return "devel"
}

func (s *Server) ready(*http.Request) (any, error) {
	if !s.models.Ready() {
		return nil, &problem{http.StatusServiceUnavailable, "the server is not ready"}
	}
	return map[string]bool{"ready": true}, nil
}

func (s *Server) model(r *http.Request) (*Model, error) {
	return s.models.Get(r.PathValue("model"), r.PathValue("version"))
}

// description is the metadata of a tensor.
type description struct {
	Name     string `json:"name"`
	Datatype string `json:"datatype"`
	Shape    []int  `json:"shape"`
}

func describe(list []nx.Parameter) []description {
	out := []description{}
	for _, p := range list {
		out = append(out, description{p.Name, datatypeOf(p.DType), append([]int{}, p.Shape...)})
	}
	return out
}

func (s *Server) modelMetadata(r *http.Request) (any, error) {
	m, err := s.model(r)
	if err != nil {
		return nil, err
	}
	return map[string]any{"name": m.Name, "versions": []string{m.Version}, "platform": m.Platform,
		"inputs": describe(m.Inputs), "outputs": describe(m.Outputs)}, nil
}

func (s *Server) modelReady(r *http.Request) (any, error) {
	m, err := s.model(r)
	if err != nil {
		return nil, err
	}
	return map[string]any{"name": m.Name, "ready": true}, nil
}

// modelConfig is the part of Triton's configuration that clients read.
func (s *Server) modelConfig(r *http.Request) (any, error) {
	m, err := s.model(r)
	if err != nil {
		return nil, err
	}
	io := func(list []nx.Parameter) []map[string]any {
		out := []map[string]any{}
		for _, p := range list {
			dims := append([]int{}, p.Shape...)
			if m.MaxBatch > 0 {
				dims = dims[1:]
			}
			datatype := datatypeOf(p.DType)
			out = append(out, map[string]any{"name": p.Name, "data_type": "TYPE_" + datatype, "dims": dims})
		}
		return out
	}
	config := map[string]any{"name": m.Name, "platform": m.Platform, "backend": "nx", "max_batch_size": m.MaxBatch,
		"version_policy": map[string]any{"latest": map[string]int{"num_versions": 1}}, "input": io(m.Inputs),
		"output": io(m.Outputs)}
	if m.streams {
		config["model_transaction_policy"] = map[string]bool{"decoupled": true}
	}
	if m.MaxBatch > 0 {
		config["dynamic_batching"] = map[string]any{"max_queue_delay_microseconds": m.batcher.o.delay.Microseconds(),
			"preferred_batch_size": m.batcher.o.pad}
	}
	return config, nil
}

func (s *Server) repositoryIndex(r *http.Request) (any, error) {
	var body struct {
		Ready bool `json:"ready"`
	}
	if err := json.NewDecoder(http.MaxBytesReader(nil, r.Body, 1<<16)).Decode(&body); err != nil && err != io.EOF {
		return nil, badRequest("the request is not valid: %v", err)
	}
	list := s.models.index()
	if body.Ready {
		kept := []entry{}
		for _, e := range list {
			if e.State == "READY" {
				kept = append(kept, e)
			}
		}
		list = kept
	}
	return list, nil
}

func (s *Server) load(r *http.Request) (any, error) { return nil, s.control(r, s.models.Load) }

func (s *Server) unload(r *http.Request) (any, error) {
	return nil, s.control(r, func(_ context.Context, name string) error { return s.models.Unload(name) })
}

func (s *Server) control(r *http.Request, f func(ctx context.Context, name string) error) error {
	if !s.limits.Control {
		return &problem{http.StatusForbidden, "this server does not load or unload models by request " +
			"(nx serve --repository-control)"}
	}
	var body struct {
		Parameters map[string]any `json:"parameters"`
	}
	if err := json.NewDecoder(http.MaxBytesReader(nil, r.Body, 1<<20)).Decode(&body); err != nil && err != io.EOF {
		return badRequest("the request is not valid: %v", err)
	}
	for name := range body.Parameters {
		if name != "unload_dependents" { // Triton takes a configuration and files of the model
			return problemf(http.StatusNotImplemented, "the parameter %q is not supported", name)
		}
	}
	err := f(context.WithoutCancel(r.Context()), r.PathValue("model"))
	if err != nil && !errors.Is(err, ErrNoModel) {
		return badRequest("%v", err)
	}
	return err
}

// infer answers a request of inference.
func (s *Server) infer(w http.ResponseWriter, r *http.Request) {
	c, err := s.begin(r.PathValue("model"), r.PathValue("version"))
	if err != nil {
		writeError(w, err)
		return
	}
	defer s.end(c)
	ctx, done := traced(r.Context(), c, r.Header)
	body, head, err := s.answerInfer(w, r.WithContext(ctx), c)
	if err != nil {
		status := writeError(w, err)
		s.count(c, status)
		done(status, err)
		return
	}
	c.written = time.Now()
	s.count(c, http.StatusOK)
	defer done(http.StatusOK, nil)
	if head >= 0 {
		w.Header().Set("Content-Type", "application/octet-stream")
		w.Header().Set(headerLength, strconv.Itoa(head))
	} else {
		w.Header().Set("Content-Type", "application/json")
	}
	s.write(w, r, body)
}

// answerInfer returns the answer to a request with the length of its JSON.
func (s *Server) answerInfer(w http.ResponseWriter, r *http.Request, c *call) (answer []byte, head int, err error) {
	body, err := s.read(w, r, c)
	if err != nil {
		return nil, 0, err
	}
	head = len(body)
	if text := r.Header.Get(headerLength); text != "" {
		if head, err = strconv.Atoi(text); err != nil || head < 0 || head > len(body) {
			return nil, 0, badRequest("%s is %q, and the request has %d bytes", headerLength, text, len(body))
		}
	}
	format, request, err := decode(body, head)
	if err != nil {
		return nil, 0, err
	}
	request.Model, request.Version = r.PathValue("model"), r.PathValue("version")
	response, err := s.compute(r.Context(), c, request)
	if err != nil {
		return nil, 0, err
	}
	return encode(format, response)
}
