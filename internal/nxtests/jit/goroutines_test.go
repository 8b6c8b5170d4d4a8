package jit_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/diag"
	"github.com/go-nx/nx/internal/nxtests/kit"
)

// TestGoroutinesInTracedFunction: a traced function may build its graph on
// several goroutines.
func TestGoroutinesInTracedFunction(t *testing.T) {
	f := nx.Jit(func(x nx.Tensor) nx.Tensor {
		out := make([]nx.Tensor, 8)
		var wg sync.WaitGroup
		for i := range out {
			wg.Go(func() {
				s := x
				for range 20 {
					s = nx.Add(nx.Mul(s, 0.5), i)
				}
				out[i] = s
			})
		}
		wg.Wait()
		return nx.Stack(out, nx.Axis(0))
	})
	got := nx.Data[float32](f(kit.Held(1)))
	for i, v := range got {
		if math.Abs(float64(v)-2*float64(i)) > 1e-4 {
			t.Errorf("row %d is %v", i, v)
		}
	}
}

// TestLateGoroutine: an op on a tensor whose trace ends meanwhile is an error,
// whenever it comes.
func TestLateGoroutine(t *testing.T) {
	done := make(chan error)
	nx.Jit(func(x nx.Tensor) nx.Tensor {
		go func() {
			var err error
			for err == nil {
				err = kit.Caught(func() { nx.Exp(x) })
			}
			done <- err
		}()
		return nx.Neg(x)
	})(kit.Held(2))
	if err := <-done; !errors.Is(err, nx.ErrTrace) {
		t.Errorf("got %v", err)
	}
}

// TestJitOfJit: functions that reflect makes share their code, not what they do.
func TestJitOfJit(t *testing.T) {
	add := nx.Jit(func(_ context.Context, x nx.Tensor) nx.Tensor { return nx.Add(x, 1) })
	mul := nx.Jit(func(_ context.Context, x nx.Tensor) nx.Tensor { return nx.Mul(x, 10) })
	a, b := nx.Jit(add)(nil, kit.Held(1)), nx.Jit(mul)(nil, kit.Held(1))
	if nx.Item[int](a) != 2 || nx.Item[int](b) != 10 {
		t.Errorf("got %v and %v", a, b)
	}
}

// TestPanicInTracedFunction: a panic of the user's passes, and the next call
// traces again.
func TestPanicInTracedFunction(t *testing.T) {
	calls := 0
	f := nx.Jit(func(x nx.Tensor) nx.Tensor {
		if calls++; calls == 1 {
			panic("mine")
		}
		return nx.Neg(x)
	})
	func() {
		defer func() {
			if r := recover(); r != "mine" {
				t.Errorf("recovered %v", r)
			}
		}()
		f(kit.Held(2))
	}()
	if got := nx.Data[float32](f(kit.Held(2))); !slices.Equal(got, []float32{-1, -1}) {
		t.Errorf("got %v", got)
	}
}

// TestRecursionOnGoroutines: a compiled function that calls itself while it is
// traced, from goroutines it waits for, gets an error and ends.
func TestRecursionOnGoroutines(t *testing.T) {
	x := kit.Held(3)
	within := func(name string, f func()) {
		t.Helper()
		done := make(chan struct{})
		go func() {
			defer close(done)
			f()
		}()
		select {
		case <-done:
		case <-time.After(20 * time.Second):
			t.Fatalf("%s: no end", name)
		}
	}
	want := func(name string, err error) {
		t.Helper()
		if e := diag.As(err); e == nil || e.Code != nx.ErrTrace {
			t.Errorf("%s: %v, want an error of the trace", name, err)
		}
	}
	within("a goroutine", func() {
		var f func(nx.Tensor) (nx.Tensor, error)
		f = nx.Jit(func(y nx.Tensor) (out nx.Tensor, err error) {
			done := make(chan struct{})
			go func() { defer close(done); _, err = f(x) }()
			<-done
			return nx.Exp(y), err
		})
		_, err := f(x)
		want("a goroutine", err)
	})
	within("a goroutine's goroutine", func() {
		var f func(nx.Tensor) (nx.Tensor, error)
		f = nx.Jit(func(y nx.Tensor) (out nx.Tensor, err error) {
			var wg sync.WaitGroup
			wg.Go(func() {
				var inner sync.WaitGroup
				inner.Go(func() { _, err = f(x) })
				inner.Wait()
			})
			wg.Wait()
			return nx.Exp(y), err
		})
		_, err := f(x)
		want("a goroutine's goroutine", err)
	})
	within("two functions", func() {
		var f, g func(nx.Tensor) (nx.Tensor, error)
		var started atomic.Int32
		both := func() {
			for started.Add(1); started.Load() < 2; {
				time.Sleep(time.Millisecond)
			}
		}
		f = nx.Jit(func(y nx.Tensor) (nx.Tensor, error) { both(); return g(x) })
		g = nx.Jit(func(y nx.Tensor) (nx.Tensor, error) { both(); return f(x) })
		errs := make([]error, 2)
		var wg sync.WaitGroup
		wg.Go(func() { _, errs[0] = f(x) })
		wg.Go(func() { _, errs[1] = g(x) })
		wg.Wait()
		want("two functions", errors.Join(errs...))
	})
	within("once", func() { // the second trace needs no goroutine
		var f func(nx.Tensor) nx.Tensor
		var once sync.Once
		f = nx.Jit(func(y nx.Tensor) nx.Tensor {
			first := false
			once.Do(func() { first = true })
			if first {
				done := make(chan struct{})
				go func() { defer close(done); f(x) }()
				<-done
			}
			return nx.Add(y, 1)
		})
		kit.SameArray(t, "once", f(x), kit.ArrayOf([]int{3}, f64s(nx.Add(x, 1))))
	})
	within("workers", func() { // started by the goroutine that traces, but before
		gate, traced := make(chan struct{}), make(chan struct{}, 16)
		f := nx.Jit(func(y nx.Tensor) nx.Tensor {
			traced <- struct{}{}
			<-gate
			return nx.Add(y, 1)
		})
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				if err := kit.Caught(func() { f(x) }); err != nil {
					t.Errorf("a worker: %v", err)
				}
			})
		}
		<-traced
		go func() { time.Sleep(400 * time.Millisecond); close(gate) }()
		f(x)
		wg.Wait()
	})
}

func f64s(x nx.Tensor) []float64 { return nx.Data[float64](nx.Cast(x, nx.F64)) }
