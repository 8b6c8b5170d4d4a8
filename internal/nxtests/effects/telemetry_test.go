package effects_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/telemetry"
)

// heard returns the events of a function.
func heard(f func()) (events []telemetry.Event) {
	stop := telemetry.Listen(func(_ context.Context, e telemetry.Event) { events = append(events, e) })
	defer stop()
	f()
	return events
}

// eventText shows an event without its times.
func eventText(e telemetry.Event) string {
	text := e.Name
	for _, a := range e.Attributes {
		text += fmt.Sprintf(" %s=%s", a.Key, a.Value)
	}
	for _, m := range e.Measurements {
		if m.Unit != "us" {
			text += fmt.Sprintf(" %s=%d%s", m.Name, m.Value, m.Unit)
		}
	}
	return text
}

// A function that is called twice is compiled once; both clients tell the same.
func TestEvents(t *testing.T) {
	interpreter, err := backend.Open("interp")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []backend.Client{nil, interpreter} {
		name, opts := "cpu", []nx.JitOption(nil)
		if c != nil {
			name, opts = c.Name(), append(opts, nx.On(c))
		}
		t.Run(name, func(t *testing.T) {
			f := nx.Jit(func(x, y nx.Tensor) (nx.Tensor, nx.Tensor) { return nx.Exp(x), nx.Add(x, y) }, opts...)
			x := nx.New([]float32{1, 2})
			if c != nil {
				if x, err = nx.Transfer(x, c.Devices()[0]); err != nil {
					t.Fatal(err)
				}
			}
			events := heard(func() { f(x, x); f(x, x) })
			var all []string
			for _, e := range events {
				all = append(all, eventText(e))
			}
			compilation := "nx.compilation key=TestEvents.func1.1 : (tensor<2xf32>, tensor<2xf32>) -> " +
				"(tensor<2xf32>, tensor<2xf32>) client=" + name
			execution := "nx.execution op=Jit device=" + name + ":0"
			if got, want := strings.Join(all, "\n"),
				strings.Join([]string{compilation, execution, execution}, "\n"); got != want {
				t.Fatalf("the events are\n%s\nwant\n%s", got, want)
			}
			m := events[0].Measurements
			if m[0].Name != "eval_time" || m[1].Name != "compile_time" || m[2].Name != "total_time" ||
				m[2].Value <= 0 || m[2].Value < m[0].Value+m[1].Value || m[2].Value > m[0].Value+m[1].Value+1 {
				t.Errorf("the times are %v: the total should be their sum", m)
			}
			if e := events[1]; e.Duration <= 0 || time.Since(e.Start) > time.Hour ||
				e.Measurements[0].Name != "duration" {
				t.Errorf("the execution is %+v", e)
			}
		})
	}
}

// Ops by themselves tell the same on each of the ways they are run.
func TestEventsOfOps(t *testing.T) {
	x := nx.New([][]float32{{1, 2, 3, 4, 5, 6, 7}})
	events := heard(func() {
		y := nx.Atan2(x, x)
		y = nx.Atan2(y, x)
		nx.Data[float32](nx.Atan2(y, 0.25))
		nx.New([]float32{1, 2, 3})
	})
	counts := map[string]int{}
	for _, e := range events {
		counts[eventText(e)]++
	}
	if n := counts["nx.execution op=Atan2 device=cpu:0"]; n != 3 {
		t.Errorf("%d executions of 3: %v", n, counts)
	}
	if n := counts["nx.transfer op=FromSlice from=host to=cpu:0 size=12By"] +
		counts["nx.transfer op=New from=host to=cpu:0 size=12By"]; n != 1 {
		t.Errorf("%d transfers of 1: %v", n, counts)
	}
}

// What fails tells its error.
func TestEventsOfFailures(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	f := nx.Jit(func(_ context.Context, x nx.Tensor) (nx.Tensor, error) { return nx.Exp(x), nil })
	x := nx.New([]float32{1})
	if _, err := f(context.Background(), x); err != nil {
		t.Fatal(err)
	}
	events := heard(func() {
		if _, err := f(ctx, x); err == nil {
			t.Error("a cancelled call succeeded")
		}
	})
	if len(events) != 1 || !errors.Is(events[0].Err, context.Canceled) {
		t.Errorf("the events are %v", events)
	}
}

// Without listeners a call allocates no more than before.
func TestEventsCostNothing(t *testing.T) {
	x := nx.New([][]float32{{1, 2}, {3, 4}})
	nx.Add(x, 1)
	before := testing.AllocsPerRun(100, func() { nx.Add(x, 1) })
	telemetry.Listen(func(context.Context, telemetry.Event) {})()
	if after := testing.AllocsPerRun(100, func() { nx.Add(x, 1) }); after != before {
		t.Errorf("%v allocations a call after somebody listened, %v before", after, before)
	}
}
