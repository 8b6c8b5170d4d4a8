package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/diag"
)

// Limits bound what requests may take. Zero fields have the defaults that they name.
type Limits struct {
	// Body is the largest request in bytes, also after decompression: 64 MiB.
	Body int64
	// Rows is the largest size of the first axis of an input: 4096.
	Rows int
	// Concurrent is how many requests of inference are read or computed at a time: 1024. Others are refused with 503.
	Concurrent int
	// InFlight is how many bytes of requests are in memory at a time: 1 GiB. Others are refused with 503.
	InFlight int64
	// Write is how long a client may take to read an answer, or a part of a stream: a minute.
	Write time.Duration
	// Drain is how long, after [Repository.Drain], clients may take to send the rest of a request, and to read an
	// answer: 10 seconds.
	Drain time.Duration
	// RefuseNaN refuses inputs with NaN or infinities.
	RefuseNaN bool
	// Control allows requests that load and unload models.
	Control bool
	// Log takes a line for each request, if it is set.
	Log *slog.Logger
}

// Server answers requests for the models of a repository. It is a handler of HTTP, as [Handler] returns it; package
// serve/grpc, a separate module, answers gRPC by the same server, with its limits and statistics.
type Server struct {
	models   *Repository
	limits   Limits
	http     http.Handler
	routed   *http.ServeMux
	running  atomic.Int64
	bytes    atomic.Int64 // of requests that run
	requests atomic.Int64
	refused  atomic.Int64
	answered atomic.Int64 // requests of inference, with results
	start    time.Time
}

// NewServer returns a server of the models of a repository.
func NewServer(models *Repository, l Limits) *Server {
	if l.Body == 0 {
		l.Body = 64 << 20
	}
	if l.Rows == 0 {
		l.Rows = 4096
	}
	if l.Concurrent == 0 {
		l.Concurrent = 1024
	}
	if l.InFlight == 0 {
		l.InFlight = 1 << 30
	}
	if l.Write == 0 {
		l.Write = time.Minute
	}
	if l.Drain == 0 {
		l.Drain = 10 * time.Second
	}
	s := &Server{models: models, limits: l, start: time.Now()}
	s.routed = s.routes()
	s.http = s.around(s.routed)
	return s
}

// ServeHTTP answers a request, as described at [Handler].
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.http.ServeHTTP(w, r) }

// Handle adds an endpoint of another protocol, by a pattern of [http.ServeMux]. Its requests have an id and a line in
// the log. Those of other methods than GET count against Limits.Concurrent, and in [Server.Running] and
// [Server.Answered].
func (s *Server) Handle(pattern string, h http.Handler) {
	s.routed.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			h.ServeHTTP(w, r)
			return
		}
		defer s.running.Add(-1)
		if n := s.running.Add(1); n > int64(s.limits.Concurrent) {
			s.refused.Add(1)
			writeError(w, fmt.Errorf("%w: %d requests run", ErrOverloaded, n-1))
			return
		}
		h.ServeHTTP(w, r)
		if seen, ok := w.(*recorder); ok && seen.status == http.StatusOK {
			s.answered.Add(1)
		}
	})
}

// Limits returns the limits, with the defaults of those that were not given.
func (s *Server) Limits() Limits { return s.limits }

// Running returns how many requests of inference are read, computed or answered now.
func (s *Server) Running() int { return int(s.running.Load()) }

// Answered returns how many requests of inference were answered with results.
func (s *Server) Answered() int64 { return s.answered.Load() }

// Repository returns the models.
func (s *Server) Repository() *Repository { return s.models }

// Infer answers a request of inference that did not come by HTTP. It counts among the statistics of the model and
// against Limits.Concurrent, its Data against Limits.InFlight. [Status] tells what kind of error an error is.
func (s *Server) Infer(ctx context.Context, r *Request) (*Response, error) {
	c, err := s.begin(r.Model, r.Version)
	if err != nil {
		return nil, err
	}
	defer s.end(c)
	inner, done := traced(ctx, c, nil)
	n := int64(0)
	for i := range r.Inputs {
		n += int64(len(r.Inputs[i].Data))
	}
	var response *Response
	if s.reserve(n, c) {
		response, err = s.compute(inner, c, r)
	} else {
		err = fmt.Errorf("%w: requests with %d bytes run", ErrOverloaded, s.bytes.Load())
	}
	c.written = time.Now()
	s.count(c, Status(err))
	done(Status(err), err)
	return response, err
}

// Document returns the JSON that HTTP has for a request other than one of inference, such as GET
// /v2/models/classifier: for other encodings of the protocol, whose messages have the same fields. body is JSON, or
// nil. [Status] tells what kind of error an error is.
func (s *Server) Document(ctx context.Context, method, path string, body []byte) ([]byte, error) {
	r, err := http.NewRequestWithContext(ctx, method, path, bytes.NewReader(body))
	if err != nil {
		return nil, badRequest("%v", err)
	}
	w := &document{header: http.Header{}}
	s.routed.ServeHTTP(w, r)
	if w.status == http.StatusOK || w.status == 0 {
		return w.body.Bytes(), nil
	}
	var failed struct{ Error string }
	if json.Unmarshal(w.body.Bytes(), &failed) != nil || failed.Error == "" {
		failed.Error = fmt.Sprintf("there is no %s %s", method, path) // such as a redirection of a path
		w.status = http.StatusNotFound
	}
	return nil, &problem{w.status, failed.Error}
}

// document keeps an answer.
type document struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (d *document) Header() http.Header         { return d.header }
func (d *document) Write(b []byte) (int, error) { return d.body.Write(b) }
func (d *document) WriteHeader(status int) {
	if d.status == 0 {
		d.status = status
	}
}

// Status returns the status of HTTP for an error of a [Server], 200 for nil: 400 and others above it are mistakes of
// the request, 499 is one whose client has left, 503 an overload, and 500 an error of the server.
func Status(err error) int {
	var p *problem
	var misuse *diag.Error
	var tooLarge *http.MaxBytesError
	switch {
	case err == nil:
		return http.StatusOK
	case errors.As(err, &p):
		return p.status
	case errors.As(err, &tooLarge):
		return http.StatusRequestEntityTooLarge
	case errors.Is(err, ErrNoModel):
		return http.StatusNotFound
	case errors.Is(err, ErrOverloaded), errors.Is(err, ErrClosed):
		return http.StatusServiceUnavailable
	case errors.Is(err, context.DeadlineExceeded):
		return http.StatusGatewayTimeout
	case errors.Is(err, context.Canceled):
		return 499 // the client has left
	case errors.As(err, &misuse):
		return http.StatusBadRequest // shapes that the model does not fit together
	}
	return http.StatusInternalServerError
}

// message is what a client reads of an error.
func message(err error) string {
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return fmt.Sprintf("the request has more than %d bytes", tooLarge.Limit)
	}
	return strings.ToValidUTF8(err.Error(), "�")
}

// call is a request of inference that runs.
type call struct {
	model *Model
	bytes int64 // of Limits.InFlight
	times
}

// times are the moments of a request.
type times struct{ start, read, computed, written time.Time }

// begin takes a request, until end.
func (s *Server) begin(model, version string) (*call, error) {
	m, err := s.models.Get(model, version)
	if err != nil {
		return nil, err
	}
	if n := s.running.Add(1); n > int64(s.limits.Concurrent) {
		s.running.Add(-1)
		s.refused.Add(1)
		err := fmt.Errorf("%w: %d requests run", ErrOverloaded, n-1)
		m.answered(Status(err), nil)
		return nil, err
	}
	return &call{model: m, times: times{start: time.Now()}}, nil
}

func (s *Server) end(c *call) {
	s.bytes.Add(-c.bytes)
	s.running.Add(-1)
}

// compute computes the results of a request. It takes the model that is served at the end, which may be newer than that
// of the beginning.
func (s *Server) compute(ctx context.Context, c *call, r *Request) (_ *Response, err error) {
	defer nx.Catch(&err)
	for {
		if c.model.streams {
			return nil, badRequest("the model %q has several results for a request: send it to …/generate_stream", r.Model)
		}
		inputs, err := c.model.arguments(r, s.limits)
		if err != nil {
			return nil, err
		}
		c.read = time.Now()
		results, err := c.model.Do(ctx, inputs)
		if errors.Is(err, ErrClosed) { // a new version has taken its place meanwhile
			next, missing := s.models.Get(r.Model, r.Version)
			if missing == nil && next != c.model {
				c.model = next
				continue
			}
		}
		if err != nil {
			return nil, err
		}
		c.computed = time.Now()
		return c.model.response(r, results)
	}
}

// count counts a request that ends.
func (s *Server) count(c *call, status int) {
	if status == http.StatusOK {
		s.answered.Add(1)
	}
	c.model.answered(status, &c.times)
}

// answered counts a request.
func (m *Model) answered(status int, t *times) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.codes[status]++
	if status != http.StatusOK {
		if t != nil {
			m.failed.add(time.Since(t.start))
		}
		return
	}
	m.last = t.written
	m.total.add(t.written.Sub(t.start))
	m.input.add(t.read.Sub(t.start))
	m.output.add(t.written.Sub(t.computed))
}
