package core

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/stablehlo"
	"github.com/go-nx/nx/telemetry"
)

// emitting holds the goroutines that run listeners.
var emitting sync.Map

// emitEvent reports an event to the listeners, unless a listener causes it by computing with tensors:
// that would recurse without end.
func emitEvent(ctx context.Context, e telemetry.Event) {
	me := goroutine()
	if _, inside := emitting.LoadOrStore(me, true); inside {
		return
	}
	defer emitting.Delete(me)
	telemetry.Emit(ctx, e)
}

// compileObserved compiles the program of a function, which was traced since start, and reports
// it to the listeners.
func compileObserved(ctx context.Context, c backend.Client, name string, m *stablehlo.Module,
	start time.Time) (backend.Executable, error) {
	traced := time.Now()
	ctx = backend.WithTracing(ctx, traced.Sub(start))
	if !telemetry.Enabled() {
		return c.Compile(ctx, m)
	}
	main, _ := m.Func("main")
	exe, err := c.Compile(ctx, m)
	e := telemetry.Event{Name: telemetry.Compilation, Start: start, Duration: time.Since(start), Err: err}
	e.Measurements = []telemetry.Measurement{telemetry.Microseconds("eval_time", traced.Sub(start)),
		telemetry.Microseconds("compile_time", e.Duration-traced.Sub(start)),
		telemetry.Microseconds("total_time", e.Duration)}
	e.Attributes = []slog.Attr{slog.String("key", name+" : "+main.Type().String()), slog.String("client", c.Name())}
	emitEvent(ctx, e)
	return exe, err
}

// executeObserved runs compiled code on a device, and reports it to the listeners.
func executeObserved(ctx context.Context, op string, on backend.Device, exe backend.Executable,
	args []backend.Buffer) ([]backend.Buffer, error) {
	if !telemetry.Enabled() {
		return execute(ctx, op, exe, args)
	}
	start := time.Now()
	bufs, err := execute(ctx, op, exe, args)
	device := on
	if len(bufs) > 0 {
		device = bufs[0].Device()
	}
	took := time.Since(start)
	emitEvent(ctx, telemetry.Event{Name: telemetry.Execution, Start: start, Duration: took, Err: err,
		Measurements: []telemetry.Measurement{telemetry.Microseconds("duration", took)},
		Attributes:   []slog.Attr{slog.String("op", op), slog.String("device", device.String())}})
	return bufs, err
}

// host is the memory of the program in events of transfers.
const host = "host"

// transferObserved copies elements, and reports it to the listeners. From and to are devices, nil for
// the host.
func transferObserved(op string, size int64, from, to backend.Device, move func() error) error {
	if !telemetry.Enabled() {
		return move()
	}
	start := time.Now()
	err := move()
	took := time.Since(start)
	emitEvent(background, telemetry.Event{Name: telemetry.Transfer, Start: start, Duration: took, Err: err,
		Measurements: []telemetry.Measurement{telemetry.Microseconds("duration", took),
			{Name: "size", Unit: "By", Value: size}},
		Attributes: []slog.Attr{slog.String("op", op), slog.String("from", deviceName(from)),
			slog.String("to", deviceName(to))}})
	return err
}

func deviceName(d backend.Device) string {
	if d == nil {
		return host
	}
	return d.String()
}
