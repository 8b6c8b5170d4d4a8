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

// telling holds the goroutines in listeners.
var telling sync.Map

// tell tells who listens of an event, but not of one that a listener makes itself, by computing with tensors:
// that would never end.
func tell(ctx context.Context, e telemetry.Event) {
	me := goroutine()
	if _, inside := telling.LoadOrStore(me, true); inside {
		return
	}
	defer telling.Delete(me)
	telemetry.Emit(ctx, e)
}

// compileTold compiles the program of a function, which was traced since start, and tells who
// listens of it.
func compileTold(ctx context.Context, c backend.Client, name string, m *stablehlo.Module,
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
	tell(ctx, e)
	return exe, err
}

// executeTold runs compiled code on a device, and tells who listens of it.
func executeTold(ctx context.Context, op string, on backend.Device, exe backend.Executable,
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
	tell(ctx, telemetry.Event{Name: telemetry.Execution, Start: start, Duration: took, Err: err,
		Measurements: []telemetry.Measurement{telemetry.Microseconds("duration", took)},
		Attributes:   []slog.Attr{slog.String("op", op), slog.String("device", device.String())}})
	return bufs, err
}

// host is the memory of the program in events of transfers.
const host = "host"

// transferTold copies elements, and tells who listens of it. From and to are devices, nil for
// the host.
func transferTold(op string, size int64, from, to backend.Device, move func() error) error {
	if !telemetry.Enabled() {
		return move()
	}
	start := time.Now()
	err := move()
	took := time.Since(start)
	tell(background, telemetry.Event{Name: telemetry.Transfer, Start: start, Duration: took, Err: err,
		Measurements: []telemetry.Measurement{telemetry.Microseconds("duration", took),
			{Name: "size", Unit: "By", Value: size}},
		Attributes: []slog.Attr{slog.String("op", op), slog.String("from", placeOf(from)), slog.String("to", placeOf(to))}})
	return err
}

func placeOf(d backend.Device) string {
	if d == nil {
		return host
	}
	return d.String()
}
