package serve

import (
	"context"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/go-nx/nx/telemetry"
)

// trace collects the events of a request of a [Server], as it is computed.
type trace struct {
	mutex    sync.Mutex
	children []telemetry.Event
}

type traceKey struct{}

// report tells listeners where a call of Do that ends now spent its time; in a request of a server that is a part of
// its event. c is its batch, unless that goes on without it.
func (b *Batcher[X, Y]) report(ctx context.Context, r *request[X, Y], c *batch[X, Y], err error) {
	now := time.Now()
	attributes := []slog.Attr{slog.Int("rows", r.rows)}
	var children []telemetry.Event
	if c != nil {
		batch := span(telemetry.Batch, c.taken, now)
		batch.Attributes = []slog.Attr{slog.Int("requests", len(c.list)), slog.Int("rows", c.rows),
			slog.Int("padded", c.pad-c.rows)}
		if !c.to.IsZero() {
			batch.Children = []telemetry.Event{span(telemetry.Compute, c.from, c.to)}
		}
		children = append(children, span(telemetry.Queue, r.since, c.taken), batch)
	}
	if t, _ := ctx.Value(traceKey{}).(*trace); t != nil {
		t.mutex.Lock()
		defer t.mutex.Unlock()
		t.children = append(t.children, children...)
		return
	}
	e := span(telemetry.Request, r.since, now)
	e.Attributes, e.Children, e.Err = attributes, children, err
	telemetry.Emit(ctx, e)
}

func span(name string, from, to time.Time) telemetry.Event {
	d := to.Sub(from)
	return telemetry.Event{Name: name, Start: from, Duration: d,
		Measurements: []telemetry.Measurement{telemetry.Microseconds("duration", d)}}
}

// traced returns a context whose calls of Do are parts of one event, which done reports with an error.
func traced(ctx context.Context, c *call, header http.Header) (_ context.Context, done func(status int, err error)) {
	if !telemetry.Enabled() {
		return ctx, func(int, error) {}
	}
	t := &trace{}
	return context.WithValue(ctx, traceKey{}, t), func(status int, err error) {
		e := span(telemetry.Request, c.start, time.Now())
		e.Attributes = []slog.Attr{slog.String("model", c.model.Name), slog.String("version", c.model.Version),
			slog.Int("status", status)}
		if header != nil {
			e.Parent = header.Get("Traceparent")
			e.Attributes = append(e.Attributes, slog.String("request", header.Get("X-Request-Id")))
		}
		t.mutex.Lock()
		defer t.mutex.Unlock()
		e.Children, e.Err = t.children, err
		telemetry.Emit(ctx, e)
	}
}
