package nx_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/diag"
)

// TestNilOptions: nil stands for no option.
func TestNilOptions(t *testing.T) {
	x := held(4)
	for name, f := range map[string]func() nx.Tensor{
		"New":         func() nx.Tensor { return nx.New(1, nil) },
		"Zeros":       func() nx.Tensor { return nx.Zeros(nx.Shape{2}, nx.F32, nil) },
		"Sum":         func() nx.Tensor { return nx.Sum(x, nil) },
		"Softmax":     func() nx.Tensor { return nx.Softmax(x, nil) },
		"Transpose":   func() nx.Tensor { return nx.Transpose(x, nil) },
		"Concatenate": func() nx.Tensor { return nx.Concatenate([]nx.Tensor{x, x}, nil) },
		"Jit":         func() nx.Tensor { return nx.Jit(nx.Tanh, nil)(x) },
	} {
		if err := caught(func() { f() }); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

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
	got := nx.Data[float32](f(held(1)))
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
				err = caught(func() { nx.Exp(x) })
			}
			done <- err
		}()
		return nx.Neg(x)
	})(held(2))
	if err := <-done; !errors.Is(err, nx.ErrTrace) {
		t.Errorf("got %v", err)
	}
}

// TestJitOfJit: functions that reflect makes share their code, not what they do.
func TestJitOfJit(t *testing.T) {
	add := nx.Jit(func(_ context.Context, x nx.Tensor) nx.Tensor { return nx.Add(x, 1) })
	mul := nx.Jit(func(_ context.Context, x nx.Tensor) nx.Tensor { return nx.Mul(x, 10) })
	a, b := nx.Jit(add)(nil, held(1)), nx.Jit(mul)(nil, held(1))
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
		f(held(2))
	}()
	if got := nx.Data[float32](f(held(2))); !slices.Equal(got, []float32{-1, -1}) {
		t.Errorf("got %v", got)
	}
}

// TestRefusedDonation: a call that is refused takes nothing.
func TestRefusedDonation(t *testing.T) {
	x, y := held(2), held(2)
	f := nx.Jit(func(a, b, c nx.Tensor) nx.Tensor { return nx.Add(nx.Add(a, b), c) }, nx.Donate(0, 1))
	for _, args := range [][3]nx.Tensor{{x, x, y}, {x, y, x}, {y, x, y}} {
		if caught(func() { f(args[0], args[1], args[2]) }) == nil {
			t.Fatal("a donated tensor is used twice")
		}
	}
	z := nx.Ones(nx.Shape{2}, nx.F32)
	if caught(func() { f(z, z, z) }) == nil || caught(func() { nx.Exp(z) }) != nil {
		t.Error("a donated constant is used twice, or taken by the call that was refused")
	}
	if got := nx.Data[float32](f(x, y, held(2))); !slices.Equal(got, []float32{3, 3}) {
		t.Errorf("got %v", got)
	}
}

func TestItemConverts(t *testing.T) {
	for _, c := range []struct {
		name      string
		got, want any
	}{
		{"truncated", nx.Item[int](nx.New(-2.7)), -2},
		{"NaN", nx.Item[int32](nx.New(math.NaN())), int32(0)},
		{"too large", nx.Item[int64](nx.New(1e300)), int64(math.MaxInt64)},
		{"negative", nx.Item[uint64](nx.New(-1.5)), uint64(0)},
		{"integers wrap", nx.Item[uint8](nx.New(300)), uint8(44)},
		{"unsigned", nx.Item[float64](nx.New(uint64(math.MaxUint64))), float64(1 << 64)},
		{"real part", nx.Item[float32](nx.New(1.5 + 2i)), float32(1.5)},
		{"imaginary is true", nx.Item[bool](nx.New(2i)), true},
		{"bool", nx.Item[int](nx.New(true)), 1},
		{"complex", nx.Item[complex64](nx.New(3)), complex64(3)},
		{"bf16", nx.Item[float32](nx.Cast(nx.New(0.1), nx.BF16)), float32(0.100097656)},
	} {
		if c.got != c.want {
			t.Errorf("%s: got %v, want %v", c.name, c.got, c.want)
		}
	}
}

func TestPrintUnusual(t *testing.T) {
	for _, c := range []struct {
		t    nx.Tensor
		want string
	}{
		{nx.Zeros(nx.Shape{0, 3}, nx.F32), "f32[0][3]\n[]"},
		{nx.Zeros(nx.Shape{2, 0}, nx.F32), "f32[2][0]\n[\n  [],\n  []\n]"},
		{freed(), "f32[2] (released)"},
		{kept(), "f32[2] (traced by Jit)"},
		{nx.Tensor{}, "absent"},
	} {
		if got := fmt.Sprint(c.t); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
	huge := fmt.Sprint(nx.Zeros(nx.Shape{1 << 45}, nx.F32))
	if want := "f32[35184372088832] (out of memory"; len(huge) < len(want) || huge[:len(want)] != want {
		t.Errorf("got %s", huge)
	}
}

// TestCompileSpec: a Spec stands for a tensor.
func TestCompileSpec(t *testing.T) {
	exe, err := nx.Compile(nx.Dot, nx.Spec{DType: nx.F32, Shape: nx.Shape{2, 3}, Names: []string{"a", ""}}, held(3).Spec())
	if err != nil {
		t.Fatal(err)
	}
	got := exe.Call(nx.Rename(nx.Ones(nx.Shape{2, 3}, nx.F32), "a", ""), held(3))
	if got.Spec().String() != "f32[a: 2]" {
		t.Errorf("got %v", got)
	}
	if _, err := nx.Compile(nx.Exp, nx.Spec{Shape: nx.Shape{2}}); err == nil {
		t.Error("a Spec without an element type")
	}
}

func TestVJPOfSeveral(t *testing.T) {
	type out struct {
		Y nx.Tensor
		N nx.Tensor // integers: no cotangent
		Z []nx.Tensor
	}
	f := func(x nx.Tensor) out {
		return out{Y: nx.Mul(x, x), N: nx.ArgMax(x), Z: []nx.Tensor{nx.Sum(x)}}
	}
	r, pull := nx.VJP(f, nx.New([]float32{1, 2}))
	if nx.Item[int](r.N) != 1 || nx.Item[int](r.Z[0]) != 3 {
		t.Errorf("the result is %v", r)
	}
	g := pull(out{Y: nx.New([]float32{1, 10}), Z: []nx.Tensor{{}}})
	if got := nx.Data[float32](g); !slices.Equal(got, []float32{2, 40}) {
		t.Errorf("got %v", got)
	}
	_, pull2 := nx.VJP(func(z nx.Tensor) nx.Tensor { return nx.Mul(z, z) }, nx.New(1+2i))
	if got := nx.Item[complex128](pull2(nx.New(1 + 0i))); got != 2+4i {
		t.Errorf("got %v", got)
	}
}

// TestRecursionOnGoroutines: a compiled function that calls itself while it is
// traced, from goroutines it waits for, gets an error and ends.
func TestRecursionOnGoroutines(t *testing.T) {
	x := held(3)
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
		sameArray(t, "once", f(x), array{[]int{3}, f64s(nx.Add(x, 1))})
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
				if err := caught(func() { f(x) }); err != nil {
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

// TestPrintEmpty: a tensor without elements prints at once, however long its other axes
// are.
func TestPrintEmpty(t *testing.T) {
	for _, shape := range []nx.Shape{{0, 1 << 40, 8}, {1 << 40, 0, 8}, {1 << 40, 8, 0}, {2000, 2000, 0}} {
		x := nx.Zeros(shape, nx.F32)
		for _, format := range []string{"%v", "%+v"} {
			if s := fmt.Sprintf(format, x); !strings.Contains(s, "[]") || len(s) > 1000 {
				t.Errorf("%v prints with %s as %.1000s", shape, format, s)
			}
		}
	}
}
