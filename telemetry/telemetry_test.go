package telemetry_test

import (
	"bytes"
	"context"
	"errors"
	"log"
	"log/slog"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-nx/nx/telemetry"
)

func TestListeners(t *testing.T) {
	var heard []string
	hear := func(who string) telemetry.Listener {
		return func(_ context.Context, e telemetry.Event) { heard = append(heard, who+" "+e.Name) }
	}
	if telemetry.Enabled() {
		t.Fatal("somebody listens at the start")
	}
	first, second := telemetry.Listen(hear("first")), telemetry.Listen(hear("second"))
	telemetry.Emit(context.Background(), telemetry.Event{Name: "a"})
	first()
	first() // again does nothing
	telemetry.Emit(context.Background(), telemetry.Event{Name: "b"})
	second()
	telemetry.Emit(context.Background(), telemetry.Event{Name: "c"})
	if got := strings.Join(heard, ", "); got != "first a, second a, second b" {
		t.Errorf("heard %s", got)
	}
	if telemetry.Enabled() {
		t.Error("somebody listens at the end")
	}
}

// Listeners come and go while events are emitted; one that stays hears all of them.
func TestConcurrentListeners(t *testing.T) {
	var mu sync.Mutex
	heard := 0
	defer telemetry.Listen(func(context.Context, telemetry.Event) {
		mu.Lock()
		defer mu.Unlock()
		heard++
	})()
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 100 {
				stop := telemetry.Listen(func(context.Context, telemetry.Event) {})
				telemetry.Emit(context.Background(), telemetry.Event{Name: "a"})
				stop()
			}
		})
	}
	all.Wait()
	if heard != 800 {
		t.Errorf("heard %d of 800 events", heard)
	}
}

func TestLog(t *testing.T) {
	var out bytes.Buffer
	defer telemetry.Listen(telemetry.Log(slog.New(slog.NewTextHandler(&out, nil))))()
	e := telemetry.Event{Name: telemetry.Transfer, Attributes: []slog.Attr{slog.String("to", "cuda:0")},
		Measurements: []telemetry.Measurement{telemetry.Microseconds("duration", 1500*time.Nanosecond),
			{Name: "size", Value: 8}}}
	telemetry.Emit(context.Background(), e)
	e.Err = errors.New("out of memory")
	telemetry.Emit(context.Background(), e)
	for _, want := range []string{"level=INFO msg=nx.transfer duration=1 size=8 to=cuda:0\n",
		`level=WARN msg=nx.transfer duration=1 size=8 to=cuda:0 error="out of memory"`} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the log is\n%swant %s", &out, want)
		}
	}
	out.Reset()
	quiet := telemetry.Log(slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{Level: slog.LevelWarn})))
	quiet(context.Background(), telemetry.Event{Name: "a"})
	if out.Len() > 0 {
		t.Errorf("a logger without the level info wrote %s", &out)
	}
}

// The default logger, as the documentation calls it, writes events.
func TestLogByDefault(t *testing.T) {
	var out bytes.Buffer
	defer log.SetOutput(log.Writer())
	log.SetOutput(&out)
	stop := telemetry.Listen(telemetry.Log(slog.Default()))
	defer stop()
	telemetry.Emit(context.Background(), telemetry.Event{Name: telemetry.Compilation})
	if !strings.Contains(out.String(), "INFO nx.compilation") {
		t.Errorf("the default logger wrote %q", &out)
	}
}

func ExampleLog() {
	handler := slog.NewTextHandler(os.Stdout, &slog.HandlerOptions{
		ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
			if a.Key == slog.TimeKey {
				return slog.Attr{}
			}
			return a
		}})
	stop := telemetry.Listen(telemetry.Log(slog.New(handler)))
	defer stop()
	telemetry.Emit(context.Background(), telemetry.Event{Name: "app.epoch",
		Measurements: []telemetry.Measurement{telemetry.Microseconds("duration", time.Second)}})
	// Output: level=INFO msg=app.epoch duration=1000000
}
