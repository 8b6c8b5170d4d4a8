// Package telemetry reports events while a program runs: an [Event] for each compilation, execution and
// transfer, on any client. Without listeners no times are measured, and no events are made.
//
//	stop := telemetry.Listen(telemetry.Log(slog.Default()))
//	defer stop()
//
// Package telemetry/otel, a separate module, exports them as spans and metrics of OpenTelemetry.
package telemetry

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// The names of events.
const (
	// Compilation is of a function, or of an op that is called by itself, compiled for new types.
	// Measurements: eval_time, in which the function was traced; compile_time; total_time; in
	// microseconds. Attributes: key, the function and the types that it was compiled for; client.
	Compilation = "nx.compilation"
	// Execution is a call of compiled code. On clients that compute asynchronously it is the time of the call,
	// not that until the results are ready. Measurements: duration, in microseconds. Attributes: op, the
	// called function; device.
	Execution = "nx.execution"
	// Transfer is of elements copied to a device, from it to the program, or between devices.
	// Measurements: duration, in microseconds; size, in bytes. Attributes: op, the function called;
	// from and to: a device, or "host".
	Transfer = "nx.transfer"
	// Request is of package serve: a request of inference, or a call of Do. Measurements: duration, in microseconds.
	// Attributes: rows; of a request model, version, status and request, its id. Its children are Queue, the time until
	// its batch was begun, and Batch, until the results were there, with requests, rows and padded, the number of rows
	// of zeros; the child of that is Compute, the call of the function. A request in parts has several of each.
	Request = "nx.serve.request"
	Queue   = "nx.serve.queue"
	Batch   = "nx.serve.batch"
	Compute = "nx.serve.compute"
)

// Event is something that took time.
type Event struct {
	Name         string
	Start        time.Time
	Duration     time.Duration
	Measurements []Measurement
	Attributes   []slog.Attr
	Err          error // why it failed, or nil
	// Parent is the header traceparent of W3C's Trace Context, of the request that is the event: what the event is a
	// part of, if that is not in the context. It is as the client sent it.
	Parent string
	// Children are the parts of the event, with times of their own. They are not reported otherwise.
	Children []Event
}

// Measurement is a measured number. Times are in whole microseconds.
type Measurement struct {
	Name  string
	Unit  string // as UCUM has it: "us", "By"
	Value int64
}

// Listener receives events, on the goroutine of their call: it should be fast, and must be safe for concurrent
// use. The context is that of the call. A panic of a listener is a panic of that call. Tensor operations of a
// listener itself cause no events.
type Listener func(ctx context.Context, e Event)

// listeners holds the listeners; it is replaced, never changed. It is nil without listeners.
var (
	listeners atomic.Pointer[[]*Listener]
	changing  sync.Mutex
)

// Listen registers a listener for all events, until stop is called. Running calls may still report to it after
// that.
func Listen(l Listener) (stop func()) {
	if l == nil {
		panic("telemetry: Listen: the listener is nil")
	}
	change(func(all []*Listener) []*Listener { return append(all, &l) })
	return func() {
		change(func(all []*Listener) []*Listener {
			return slices.DeleteFunc(all, func(x *Listener) bool { return x == &l })
		})
	}
}

func change(f func(all []*Listener) []*Listener) {
	changing.Lock()
	defer changing.Unlock()
	var all []*Listener
	if now := listeners.Load(); now != nil {
		all = slices.Clone(*now)
	}
	if all = f(all); len(all) == 0 {
		listeners.Store(nil)
		return
	}
	listeners.Store(&all)
}

// Enabled reports whether there is a listener: check it before measuring for an event.
func Enabled() bool { return listeners.Load() != nil }

// Emit reports the listeners of an event, in the order in which they began to listen.
func Emit(ctx context.Context, e Event) {
	if all := listeners.Load(); all != nil {
		for _, l := range *all {
			(*l)(ctx, e)
		}
	}
}

// Microseconds is a time as a measurement.
func Microseconds(name string, d time.Duration) Measurement {
	return Measurement{name, "us", d.Microseconds()}
}

// Log returns a listener that writes events as messages of the level info, which [slog.Default] writes, and failures
// as warnings: the name is the message, measurements, attributes and the times of
// children follow.
func Log(l *slog.Logger) Listener {
	return func(ctx context.Context, e Event) {
		level := slog.LevelInfo
		if e.Err != nil {
			level = slog.LevelWarn
		}
		if !l.Enabled(ctx, level) {
			return
		}
		attrs := make([]slog.Attr, 0, len(e.Measurements)+len(e.Attributes)+1)
		for _, m := range e.Measurements {
			attrs = append(attrs, slog.Int64(m.Name, m.Value))
		}
		attrs = append(attrs, e.Attributes...)
		attrs = appendTimes(attrs, e.Children)
		if e.Err != nil {
			attrs = append(attrs, slog.Any("error", e.Err))
		}
		l.LogAttrs(ctx, level, e.Name, attrs...)
	}
}

// appendTimes appends the times of events by their names, in microseconds.
func appendTimes(attrs []slog.Attr, list []Event) []slog.Attr {
	for _, e := range list {
		attrs = append(attrs, slog.Int64(e.Name, e.Duration.Microseconds()))
		attrs = appendTimes(attrs, e.Children)
	}
	return attrs
}
