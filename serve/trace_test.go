package serve_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"

	"github.com/go-nx/nx/serve"
	"github.com/go-nx/nx/telemetry"
)

// eventTree prints the names of an event and its children, and fails if a child is outside of its parent.
func eventTree(t *testing.T, e telemetry.Event) string {
	t.Helper()
	text := strings.TrimPrefix(e.Name, "nx.serve.")
	for i, child := range e.Children {
		if child.Start.Before(e.Start) || child.Start.Add(child.Duration).After(e.Start.Add(e.Duration)) {
			t.Errorf("%s is outside of %s", child.Name, e.Name)
		}
		if i > 0 && child.Start.Before(e.Children[i-1].Start) {
			t.Errorf("%s starts before the child before it", child.Name)
		}
		text += " (" + eventTree(t, child) + ")"
	}
	return text
}

// requests returns the events of requests while f runs.
func requests(f func()) (list []telemetry.Event) {
	var mutex sync.Mutex
	defer telemetry.Listen(func(_ context.Context, e telemetry.Event) {
		if e.Name == telemetry.Request {
			mutex.Lock()
			defer mutex.Unlock()
			list = append(list, e)
		}
	})()
	f()
	return list
}

func attribute(e telemetry.Event, key string) string {
	for _, a := range e.Attributes {
		if a.Key == key {
			return a.Value.String()
		}
	}
	return ""
}

// TestTraces: a request is one event, whose children tell where its time was, with the parent that its header names.
func TestTraces(t *testing.T) {
	s, _ := serving(t, serve.Limits{})
	const parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
	url := s.URL + "/v2/models/classifier/infer"
	var id string
	list := requests(func() {
		_, header, _ := send(t, "POST", url, []byte(fmt.Sprintf(rowsJSON, "[1,2,3,4,5,6,7,8]")), "Traceparent", parent)
		id = header.Get("X-Request-Id")
		send(t, "POST", url, []byte("{"))
	})
	if len(list) != 2 {
		t.Fatalf("%d events", len(list))
	}
	if e := list[0]; eventTree(t, e) != "request (queue) (batch (compute))" || e.Parent != parent || e.Err != nil ||
		attribute(e, "model") != "classifier" || attribute(e, "status") != "200" || attribute(e, "request") != id ||
		attribute(e.Children[1], "rows") != "2" {
		t.Errorf("%s: %+v", eventTree(t, e), e)
	}
	if e := list[1]; eventTree(t, e) != "request" || e.Err == nil || attribute(e, "status") != "400" {
		t.Errorf("a bad request: %+v", e)
	}

	g := newGate()
	b := serve.BatchContext(g.run, serve.Size(4), serve.Pad(4), quiet)
	list = requests(func() {
		ctx, cancel := context.WithCancel(t.Context())
		var wait sync.WaitGroup
		wait.Go(func() { b.Do(ctx, rowsOf(1, 1)) })
		<-g.entered
		wait.Go(func() {
			_, _ = b.Do(ctx, rowsOf(1, 1)) // it leaves
		})
		waiting(t, b, 1)
		cancel()
		wait.Wait()
	})
	if len(list) != 2 || list[0].Err == nil || list[1].Err == nil {
		t.Errorf("calls that are cancelled: %+v", list)
	}
	// Without a server, and in parts.
	c := serve.Batch(double, serve.Size(4), quiet)
	var text bytes.Buffer
	stop := telemetry.Listen(telemetry.Log(slog.New(slog.NewTextHandler(&text, nil))))
	list = requests(func() {
		if _, err := c.Do(t.Context(), rowsOf(1, 6)); err != nil {
			t.Error(err)
		}
	})
	stop()
	if len(list) != 2 || !strings.Contains(text.String(), "nx.serve.compute=") {
		t.Errorf("%d events: %s", len(list), text.String())
	}
	for _, e := range list {
		if eventTree(t, e) != "request (queue) (batch (compute))" {
			t.Error(eventTree(t, e))
		}
	}
}

// TestRequestIDs: an id comes back, a bad one is replaced, and the log of JSON has it.
func TestRequestIDs(t *testing.T) {
	var text bytes.Buffer
	var mutex sync.Mutex
	log := slog.New(slog.NewJSONHandler(writerFunc(func(b []byte) (int, error) {
		mutex.Lock()
		defer mutex.Unlock()
		return text.Write(b)
	}), nil))
	s, _ := serving(t, serve.Limits{Log: log})
	_, header, _ := send(t, "GET", s.URL+"/v2/health/live", nil, "X-Request-Id", "seven")
	if got := header.Get("X-Request-Id"); got != "seven" {
		t.Errorf("the id %q", got)
	}
	_, header, _ = send(t, "GET", s.URL+"/v2/models/none", nil, "X-Request-Id", "with spaces")
	if got := header.Get("X-Request-Id"); got == "with spaces" || got == "" {
		t.Errorf("the id %q", got)
	}
	mutex.Lock()
	defer mutex.Unlock()
	lines := strings.Split(strings.TrimSpace(text.String()), "\n")
	if len(lines) != 2 || !strings.Contains(lines[0], `"id":"seven","method":"GET","path":"/v2/health/live","status":200`) ||
		!strings.Contains(lines[1], `"status":404`) {
		t.Errorf("the log: %s", lines)
	}
}

type writerFunc func(b []byte) (int, error)

func (f writerFunc) Write(b []byte) (int, error) { return f(b) }
