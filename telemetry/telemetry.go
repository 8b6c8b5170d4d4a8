// Package telemetry tells what tensors do while a program runs: an [Event] for each
// compilation, execution and transfer, on whatever client. Nothing is measured, and nothing
// made, while nobody listens.
//
//	stop := telemetry.Listen(telemetry.Log(slog.Default()))
//	defer stop()
//
// Package telemetry/otel, a module of its own, makes spans and metrics of OpenTelemetry of them.
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
	// Execution is of a call of compiled code. On clients that compute beside the program it is
	// the time of the call, not that until the results are there. Measurements: duration, in
	// microseconds. Attributes: op, the function called; device.
	Execution = "nx.execution"
	// Transfer is of elements copied to a device, from it to the program, or between devices.
	// Measurements: duration, in microseconds; size, in bytes. Attributes: op, the function called;
	// from and to: a device, or "host".
	Transfer = "nx.transfer"
)

// Event is something that took time.
type Event struct {
	Name         string
	Start        time.Time
	Duration     time.Duration
	Measurements []Measurement
	Attributes   []slog.Attr
	Err          error // why it failed, or nil
}

// Measurement is a number that was measured. Times are in whole microseconds.
type Measurement struct {
	Name  string
	Unit  string // as UCUM has it: "us", "By"
	Value int64
}

// Listener hears of events, on the goroutine whose call they are of: it should be quick, and
// must be safe for concurrent use. The context is that of the call. A panic of a listener is one of
// that call. Of what a listener itself computes with tensors nobody hears.
type Listener func(ctx context.Context, e Event)

// listeners holds those that listen; it is replaced, never changed. Nil for none.
var (
	listeners atomic.Pointer[[]*Listener]
	changing  sync.Mutex
)

// Listen makes a listener hear of all events from now on, until stop is called. Calls that are
// under way then may still tell it.
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

// Enabled reports whether anybody listens: whoever emits events asks first, so that nothing is
// measured for nobody.
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

// Log returns a listener that writes events as messages of the level debug, failures as
// warnings: the name is the message, measurements and attributes follow.
func Log(l *slog.Logger) Listener {
	return func(ctx context.Context, e Event) {
		level := slog.LevelDebug
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
		if e.Err != nil {
			attrs = append(attrs, slog.Any("error", e.Err))
		}
		l.LogAttrs(ctx, level, e.Name, attrs...)
	}
}
