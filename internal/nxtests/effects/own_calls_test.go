package effects_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/go-nx/nx/debug"
	"github.com/go-nx/nx/shard"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/nxtests/kit"
)

// fourDevices is the mesh of these tests.
var fourDevices = shard.Mesh{{Name: "d", Size: 4}}

// TestAsyncHookCallsItself: a hook may call a function whose calls of it are more than may be behind; waiting for
// itself is an error.
func TestAsyncHookCallsItself(t *testing.T) {
	f := nx.Jit(func(_ context.Context, x nx.Tensor) (nx.Tensor, error) {
		return nx.Fori(300, x, func(_, x nx.Tensor) nx.Tensor { return debug.Hook("h", nx.Add(x, 1), nil) }), nil
	})
	onMesh := shard.Map(func(x nx.Tensor) nx.Tensor { return debug.Hook("h", nx.Add(x, 1), nil) }, fourDevices,
		[]shard.Sharding{{"d"}}, []shard.Sharding{{"d"}})
	many := nx.Jit(func(_ context.Context, x nx.Tensor) (nx.Tensor, error) {
		return nx.Fori(70, x, func(_, x nx.Tensor) nx.Tensor { return onMesh(x) }), nil
	})
	for name, inner := range map[string]func(ctx context.Context) error{
		"a loop":  func(ctx context.Context) error { _, err := f(ctx, nx.New(0.)); return err },
		"devices": func(ctx context.Context) error { _, err := many(ctx, nx.Zeros(nx.Shape{4}, nx.F64)); return err },
	} {
		n := 0
		var failed, waits error
		var ctx context.Context
		var wait func() error
		ctx, wait = debug.WithAsyncHook(t.Context(), "h", func(nx.Tensor) {
			if n++; n == 1 {
				failed, waits = inner(ctx), wait()
			}
		})
		e := kit.EndingOf(func() (nx.Tensor, error) {
			y, err := f(ctx, nx.New(0.))
			return y, errors.Join(err, wait())
		})
		if e.Err != nil || e.Hangs || failed != nil {
			t.Fatalf("%s: it ends with %v; the call inside fails with %v", name, e, failed)
		}
		if want := 600 - 20*kit.BoolToInt(name == "devices"); n != want {
			t.Errorf("%s: %d calls, not %d", name, n, want)
		}
		if !errors.Is(waits, nx.ErrState) || !strings.Contains(waits.Error(), "the hook h calls wait") {
			t.Errorf("%s: wait inside of the hook: %v", name, waits)
		}
	}
}

// TestStreamWaitsForItself: a hook of a stream that would wait for its own step gets an error.
func TestStreamWaitsForItself(t *testing.T) {
	var s *nx.Streaming[nx.Tensor, nx.Tensor, nx.Tensor]
	var got [3]error
	var first sync.Once
	tried := make(chan struct{})
	s = nx.Stream(t.Context(), func(c, x nx.Tensor) (nx.Tensor, nx.Tensor) {
		return c, debug.Hook("h", x, func(nx.Tensor) {
			first.Do(func() {
				_, got[0] = s.Recv()
				_, got[1] = s.Done()
				for got[2] == nil {
					got[2] = s.Send(nx.New(1.))
				}
				close(tried)
			})
		})
	}, nx.New(0.))
	e := kit.EndingOf(func() (nx.Tensor, error) {
		if err := s.Send(nx.New(1.)); err != nil {
			return nx.Tensor{}, err
		}
		<-tried
		_, err := s.Done()
		y, failed := s.Recv()
		return y, errors.Join(err, failed)
	})
	if e.Err != nil || e.Hangs {
		t.Fatalf("it ends with %v", e)
	}
	for i, err := range got {
		if !errors.Is(err, nx.ErrState) || !strings.Contains(err.Error(), "waits until it returns") {
			t.Errorf("call %d: %v", i, err)
		}
	}
}
