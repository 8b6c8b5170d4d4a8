package xla_test

import (
	"context"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/pjrt/abi"
	"github.com/go-nx/nx/xla"
)

// records is a handler of logs that hands them on.
type records chan slog.Record

func (r records) Enabled(context.Context, slog.Level) bool { return true }

func (r records) Handle(_ context.Context, record slog.Record) error {
	r <- record
	return nil
}

func (r records) WithAttrs([]slog.Attr) slog.Handler { return r }
func (r records) WithGroup(string) slog.Handler      { return r }

// next returns the next record.
func (r records) next(t *testing.T, message string) map[string]slog.Value {
	t.Helper()
	select {
	case record := <-r:
		if record.Message != message || record.Level != slog.LevelDebug {
			t.Fatalf("the log says %q at the level %s, want %q", record.Message, record.Level, message)
		}
		all := map[string]slog.Value{}
		record.Attrs(func(a slog.Attr) bool { all[a.Key] = a.Value; return true })
		return all
	case <-time.After(20 * time.Second):
		t.Fatalf("the log does not say %q", message)
	}
	return nil
}

// Debug reports the times to trace, to translate and to compile a function, and the times that a call waited
// for its arguments and ran, although the arguments are donated and the call has returned long before.
func TestDebug(t *testing.T) {
	c, p := open(t, "debug"), plugins["debug"]
	log := make(records, 10)
	debug := c.With(xla.Debug(slog.New(log)))
	traced := 0
	f := nx.Jit(func(x nx.Tensor) nx.Tensor {
		if traced++; traced == 1 {
			time.Sleep(30 * time.Millisecond)
		}
		return nx.Add(x, x)
	}, nx.On(debug), nx.Donate(0))
	f(put(t, nx.New([]float32{1}), c.Devices()[0]))
	compiled := log.next(t, "xla: compiled")
	if took := compiled["tracing"].Duration(); took < 30*time.Millisecond || took > 30*time.Second {
		t.Errorf("tracing took %v, want 30ms and more", took)
	}
	for _, key := range []string{"translating", "compiling"} {
		if took := compiled[key].Duration(); took <= 0 || took > 30*time.Second {
			t.Errorf("%s took %v", key, took)
		}
	}
	if compiled["client"].String() != "debug" || compiled["bytes"].Int64() < 100 || compiled["cached"].Bool() {
		t.Errorf("the log says %v", compiled)
	}
	log.next(t, "xla: started")
	log.next(t, "xla: ran")

	x := put(t, nx.New([]float32{1}), c.Devices()[0])
	late := 0 // the argument is ready after 2 s, the result 40 ms later
	p.Time(func() (time.Duration, bool) {
		late++
		return []time.Duration{2000, 2040}[late-1] * time.Millisecond, true
	})
	defer p.Time(nil)
	y := f(x)
	if took := log.next(t, "xla: started")["took"].Duration(); took > 1900*time.Millisecond {
		t.Errorf("the call took %v to start: it waited", took)
	}
	ran := log.next(t, "xla: ran")
	if waiting := ran["waiting"].Duration(); waiting < 1900*time.Millisecond || waiting > 20*time.Second {
		t.Errorf("the call waited %v for its argument, want 2 s and more", waiting)
	}
	if running := ran["running"].Duration(); running <= 0 {
		t.Errorf("the call ran %v", running)
	}
	p.Time(nil)
	if got := fmt.Sprint(nx.Data[float32](y)); got != "[2]" {
		t.Errorf("the result is %s", got)
	}

	// A call that does not start logs nothing.
	p.Fail(abi.LoadedExecutableExecute, abi.Internal, "no", 0)
	if err := caught(func() { f(put(t, nx.New([]float32{1}), c.Devices()[0])) }); err == nil {
		t.Error("the call succeeds")
	}
	p.Fail(abi.LoadedExecutableExecute, abi.OK, "", 0)
	if len(log) != 0 {
		t.Errorf("the log says %q", (<-log).Message)
	}
}
