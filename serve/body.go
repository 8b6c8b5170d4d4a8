package serve

import (
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

// whenDrained calls f if the server drains before done is called.
func (s *Server) whenDrained(f func()) (done func()) {
	var mutex sync.Mutex
	ended := false
	stop := context.AfterFunc(s.models.stopping, func() {
		mutex.Lock()
		defer mutex.Unlock()
		if !ended {
			f()
		}
	})
	return func() {
		stop()
		mutex.Lock()
		defer mutex.Unlock()
		ended = true
	}
}

// read returns the body of a request, decompressed. Its bytes count against Limits.InFlight until the call ends.
func (s *Server) read(w http.ResponseWriter, r *http.Request, c *call) (body []byte, err error) {
	if r.ContentLength > s.limits.Body {
		return nil, &http.MaxBytesError{Limit: s.limits.Body}
	}
	control := http.NewResponseController(w)
	done := s.whenDrained(func() { _ = control.SetReadDeadline(time.Now().Add(s.limits.Drain)) })
	defer func() {
		done()
		if err == nil && s.models.stopping.Err() != nil {
			// The server of HTTP reads on for the next request, and takes a deadline for a client that has left.
			// After an error the deadline stays, as it reads the rest of a body before it answers.
			_ = control.SetReadDeadline(time.Time{})
		}
	}()
	var from io.Reader = http.MaxBytesReader(nil, r.Body, s.limits.Body)
	size := max(r.ContentLength, 0)
	switch coding := r.Header.Get("Content-Encoding"); coding {
	case "", "identity":
	case "gzip":
		z, err := gzip.NewReader(from)
		if err != nil {
			return nil, readError(err)
		}
		from, size = z, 2*size
	case "deflate":
		z, err := zlib.NewReader(from)
		if err != nil {
			return nil, readError(err)
		}
		from, size = z, 2*size
	default:
		return nil, problemf(http.StatusUnsupportedMediaType, "the Content-Encoding %q is not supported", coding)
	}
	body, err = s.readAll(from, size, c)
	return body, err
}

// readAll reads a body of about size bytes. There is memory for what has come only, whatever the client says.
func (s *Server) readAll(from io.Reader, size int64, c *call) ([]byte, error) {
	var body []byte
	for next := min(size+1, 1<<20); ; next = min(2*int64(cap(body)), s.limits.Body+1) {
		next = max(next, 512)
		if !s.reserve(next-int64(cap(body)), c) {
			return nil, fmt.Errorf("%w: requests with %d bytes are read", ErrOverloaded, s.bytes.Load())
		}
		grown := make([]byte, len(body), next)
		copy(grown, body)
		body = grown
		for len(body) < cap(body) {
			n, err := from.Read(body[len(body):cap(body)])
			body = body[:len(body)+n]
			switch {
			case int64(len(body)) > s.limits.Body:
				return nil, &http.MaxBytesError{Limit: s.limits.Body}
			case err == io.EOF:
				return body, nil
			case err != nil:
				return nil, readError(err)
			}
		}
	}
}

// reserve counts n more bytes of a request, if there is room for them.
func (s *Server) reserve(n int64, c *call) bool {
	if all := s.bytes.Add(n); all > s.limits.InFlight && all > n+c.bytes { // one request may always run
		s.bytes.Add(-n)
		return false
	}
	c.bytes += n
	return true
}

// readError is an error of reading a body: the client's.
func readError(err error) error {
	var tooLarge *http.MaxBytesError
	if err == nil || errors.As(err, &tooLarge) {
		return err
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return problemf(http.StatusRequestTimeout, "the request did not end in time")
	}
	return badRequest("reading the request: %v", err)
}

// write writes an answer, compressed if the client takes that.
func (s *Server) write(w http.ResponseWriter, r *http.Request, body []byte) {
	accepted := r.Header.Get("Accept-Encoding")
	var z io.WriteCloser
	switch {
	case len(body) < 1024:
	case strings.Contains(accepted, "gzip"):
		w.Header().Set("Content-Encoding", "gzip")
		z, _ = gzip.NewWriterLevel(w, flate.BestSpeed)
	case strings.Contains(accepted, "deflate"):
		w.Header().Set("Content-Encoding", "deflate")
		z, _ = zlib.NewWriterLevel(w, flate.BestSpeed)
	}
	if z == nil {
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		_, _ = w.Write(body) // the client has left
		return
	}
	_, _ = z.Write(body)
	_ = z.Close()
}

// recorder notes the status and the bytes of an answer, and limits the time that a client takes to read it.
type recorder struct {
	http.ResponseWriter
	server *Server
	status int
	bytes  int64
	done   func() // after the first write
}

func (r *recorder) WriteHeader(status int) {
	if r.status == 0 {
		r.status = status
	}
	r.ResponseWriter.WriteHeader(status)
}

func (r *recorder) Write(b []byte) (int, error) {
	if r.status == 0 {
		r.status = http.StatusOK
	}
	if r.done == nil {
		r.extend()
	}
	n, err := r.ResponseWriter.Write(b)
	r.bytes += int64(n)
	return n, err
}

// extend gives the client the time for one write from now on.
func (r *recorder) extend() {
	r.end()
	control := http.NewResponseController(r.ResponseWriter)
	_ = control.SetWriteDeadline(time.Now().Add(r.server.limits.Write))
	r.done = r.server.whenDrained(func() {
		_ = control.SetWriteDeadline(time.Now().Add(min(r.server.limits.Drain, r.server.limits.Write)))
	})
}

// end forgets the writes. The deadline stays: the server of HTTP may write the last bytes later.
func (r *recorder) end() {
	if r.done != nil {
		r.done()
	}
}

func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }
