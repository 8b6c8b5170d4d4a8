package main

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

var small = options{model: "mlp.jaxexport", weights: "mlp.safetensors", addr: "localhost:0"}

// TestLoad sends requests of many sizes at once; the memory stays as it is.
func TestLoad(t *testing.T) {
	o := small
	o.load, o.clients = 1500, 8
	var out bytes.Buffer
	if err := run(t.Context(), o, &out); err != nil {
		t.Fatal(err)
	}
	text := out.String()
	left := regexp.MustCompile(`memory ([+-]\d+) KiB`).FindStringSubmatch(text)
	if left == nil || !strings.Contains(text, "p99") {
		t.Fatalf("printed %q", text)
	}
	// The heap varies by the memory of connections; a leaked result of each request would be ten times this.
	if kib, err := strconv.Atoi(left[1]); err != nil || kib > 1500 {
		t.Errorf("%s after %d requests", left[0], o.load)
	}
	t.Log(text)
}

// start runs the server until its context ends.
func start(t *testing.T) (url string, stop context.CancelFunc, done chan error) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	r, w := io.Pipe()
	done = make(chan error, 1)
	go func() { done <- run(ctx, small, w); w.Close() }()
	buf, found := make([]byte, 1000), ""
	for !strings.HasSuffix(strings.TrimSpace(found), "/predict") {
		n, err := r.Read(buf)
		if err != nil {
			t.Fatal(err)
		}
		found += string(buf[:n])
	}
	go io.Copy(io.Discard, r)
	fields := strings.Fields(found)
	return fields[len(fields)-1], stop, done
}

// TestShutdown stops the server while requests are under way: those are answered.
func TestShutdown(t *testing.T) {
	url, stop, done := start(t)
	body, in := io.Pipe()
	sent := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		close(sent)
		response, err := http.Post(url, "application/json", body)
		if err != nil {
			t.Error(err)
			return
		}
		defer response.Body.Close()
		if text, _ := io.ReadAll(response.Body); response.StatusCode != http.StatusOK {
			t.Errorf("%s: %s", response.Status, text)
		}
	})
	<-sent
	if _, err := io.WriteString(in, "[[1, 2, 3"); err != nil {
		t.Fatal(err)
	}
	time.Sleep(500 * time.Millisecond) // it reached the handler
	stop()
	select {
	case err := <-done:
		t.Fatalf("stopped with a request under way (%v)", err)
	case <-time.After(100 * time.Millisecond):
	}
	if _, err := io.WriteString(in, ", 4]]"); err != nil {
		t.Fatal(err)
	}
	in.Close()
	wg.Wait()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// TestBadRequests: bad requests get an answer that describes the error.
func TestBadRequests(t *testing.T) {
	url, stop, done := start(t)
	for body, want := range map[string]string{
		"[[1, 2": "unexpected EOF", "[]": "0 rows", "[[1, 2]]": "row 0 has 2 numbers: want 4",
		`{"a": 1}`: "cannot unmarshal",
		"[" + strings.Repeat("[1, 2, 3, 4],", 64) + "[1, 2, 3, 4]]": "65 rows",
	} {
		response, err := http.Post(url, "application/json", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		text, _ := io.ReadAll(response.Body)
		response.Body.Close()
		if response.StatusCode != http.StatusBadRequest || !strings.Contains(string(text), want) {
			t.Errorf("%.20s: %s %q, want %q", body, response.Status, text, want)
		}
	}
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestPercentiles(t *testing.T) {
	var l latency
	for i := range 1000 {
		l.add(time.Duration(i+1) * time.Microsecond)
	}
	for p, want := range map[float64]time.Duration{50: 500 * time.Microsecond, 99: 990 * time.Microsecond} {
		if got := l.percentile(p); got < want*7/8 || got > want*9/8 {
			t.Errorf("p%v is %v, want %v", p, got, want)
		}
	}
	if l.count() != 1000 || l.percentile(100) != time.Millisecond {
		t.Errorf("%d times, the longest %v", l.count(), l.percentile(100))
	}
}
