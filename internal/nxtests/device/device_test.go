package device_test

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/cpu"
	"github.com/go-nx/nx/internal/nxtests/kit"
	"github.com/go-nx/nx/random"
	"github.com/go-nx/nx/stablehlo/interp"
)

// TestDevices: ops run where their operands live, and tensors move on request.
func TestDevices(t *testing.T) {
	c := newFar()
	close(c.gate)
	there := c.Devices()[0]
	x := nx.New([]float32{1, 2, 3})
	p, err := nx.Transfer(farPair{A: x, B: nx.New(2.0)}, there)
	if err != nil {
		t.Fatal(err)
	}
	y := nx.Add(nx.Mul(p.A, 2), nx.Iota(nx.Shape{3}, nx.F32))
	y = nx.Reshape(nx.Sum(y), 1)
	if got := nx.Item[int](y); got != 15 {
		t.Errorf("got %d", got)
	}
	nx.View(p.A, func(data []float32) {
		if !slices.Equal(data, []float32{1, 2, 3}) {
			t.Errorf("got %v", data)
		}
	})
	g := nx.Grad(func(a nx.Tensor) nx.Tensor { return nx.Sum(nx.Mul(a, a)) })(p.A)
	if err := kit.Caught(func() { nx.Add(g, x) }); !errors.Is(err, nx.ErrDevice) ||
		!strings.Contains(err.Error(), "far:0 and cpu:0") {
		t.Errorf("operands of two devices: %v", err)
	}
	back, err := nx.Transfer(g, cpu.Default().Devices()[0])
	if err != nil {
		t.Fatal(err)
	}
	if got := nx.Data[float32](nx.Add(back, x)); !slices.Equal(got, []float32{3, 6, 9}) {
		t.Errorf("got %v", got)
	}
	f := nx.Jit(func(a nx.Tensor) nx.Tensor { return nx.Mul(a, nx.Ones(nx.Shape{3}, nx.F32)) }, nx.On(c))
	if got := nx.Data[float32](nx.Exp(nx.Sub(f(p.A), p.A))); !slices.Equal(got, []float32{1, 1, 1}) {
		t.Errorf("got %v", got)
	}
	for name, f := range map[string]func(){
		"a local argument of a function there": func() { f(x) },
		"an argument there of a local one":     func() { nx.Jit(nx.Exp)(p.A) },
		"a captured tensor of there": func() {
			nx.Jit(func(a nx.Tensor) nx.Tensor { return nx.Add(a, p.A) })(x)
		},
	} {
		if err := kit.Caught(f); !errors.Is(err, nx.ErrDevice) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := nx.Transfer(x, nil); !errors.Is(err, nx.ErrDevice) {
		t.Errorf("no device: %v", err)
	}
	if _, err := nx.Transfer(kit.Freed(), there); !errors.Is(err, nx.ErrReleased) {
		t.Errorf("a released tensor: %v", err)
	}
}

// TestAwait: results exist before their contents, whose failures Await returns.
func TestAwait(t *testing.T) {
	c := newFar()
	x, err := nx.Transfer(kit.Held(2), c.Devices()[0])
	if err != nil {
		t.Fatal(err)
	}
	y := nx.Exp(nx.Neg(x)) // does not wait
	short, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := nx.Await(short, farPair{A: y}); !errors.Is(err, context.Canceled) {
		t.Errorf("awaiting with a cancelled context: %v", err)
	}
	huge := nx.BroadcastTo(y, 1<<45, 2)
	close(c.gate)
	if p, err := nx.Await(context.Background(), farPair{A: y, B: nx.Ones(nx.Shape{2}, nx.F32)}); err != nil ||
		p.B.Size() != 2 {
		t.Errorf("got %v, %v", p, err)
	}
	if _, err := nx.Await(context.Background(), huge); err == nil || !strings.Contains(err.Error(), "out of memory") {
		t.Errorf("awaiting what cannot be: %v", err)
	}
	if err := kit.Caught(func() { nx.Bytes(huge) }); err == nil {
		t.Error("what cannot be is read")
	}
	if _, err := nx.Await(context.Background(), kit.Held(2)); err != nil {
		t.Error(err)
	}
	if _, err := nx.Await(context.Background(), kit.Kept()); !errors.Is(err, nx.ErrTrace) {
		t.Errorf("awaiting a traced tensor: %v", err)
	}
}

// TestWorkers: any number of workers computes the same bits.
func TestWorkers(t *testing.T) {
	f := func(x nx.Tensor) nx.Tensor {
		return nx.Softmax(nx.Dot(nx.Tanh(x), nx.Transpose(x)))
	}
	x := nx.Sin(nx.Reshape(nx.Iota(nx.Shape{300 * 200}, nx.F32), 300, 200))
	var want []byte
	for _, workers := range []int{1, 2, 5} {
		got := nx.Bytes(nx.Jit(f, nx.On(cpu.New(workers)))(x))
		if want == nil {
			want = got
		}
		if !slices.Equal(got, want) {
			t.Errorf("%d workers differ from one", workers)
		}
	}
}

// Executables beyond the capacity of a compiled function are closed, and all of them when the
// function is unreachable.
func TestCodeIsClosed(t *testing.T) {
	c := newFar()
	close(c.gate)
	f := nx.Jit(func(x nx.Tensor) nx.Tensor { return nx.Add(x, 1) }, nx.On(c))
	const forms, kept = 300, 256
	for n := range forms {
		nx.Release(f(nx.Zeros(nx.Shape{n + 1}, nx.F32)))
	}
	closed := func(want int) {
		t.Helper()
		for range 500 {
			runtime.GC()
			if c.closed.Load() >= int32(want) {
				return
			}
			time.Sleep(time.Millisecond)
		}
		t.Errorf("%d executables were closed, want %d", c.closed.Load(), want)
	}
	closed(forms - kept - 4) // the function may still look at some
	if n := c.closed.Load(); n > forms-kept {
		t.Errorf("%d executables were closed while %d are in use", n, kept)
	}
	runtime.KeepAlive(f)
	f = nil
	closed(forms)
}

// TestConstantsOnOtherClients: ops on nothing but constants, in a function for another client, run where that does.
func TestConstantsOnOtherClients(t *testing.T) {
	c := interp.NewClient()
	x, err := nx.Transfer(nx.New([]float32{1, 2, 3}), c.Devices()[0])
	if err != nil {
		t.Fatal(err)
	}
	twice := func(f func(x nx.Tensor) nx.Tensor) func(x nx.Tensor) nx.Tensor {
		return func(x nx.Tensor) nx.Tensor { return nx.Grad(func(x nx.Tensor) nx.Tensor { return nx.Sum(f(x)) })(x) }
	}
	for name, f := range map[string]func(x nx.Tensor) nx.Tensor{
		"iota": func(x nx.Tensor) nx.Tensor { return nx.Mul(x, nx.Add(nx.Iota(nx.Shape{3}, nx.F32), 1)) },
		"mask": func(x nx.Tensor) nx.Tensor {
			i, j := nx.Iota(nx.Shape{3, 1}, nx.S32), nx.Iota(nx.Shape{1, 3}, nx.S32)
			return nx.Where(nx.GreaterEqual(i, j), x, 0)
		},
		"PadWith": func(x nx.Tensor) nx.Tensor { return nx.PadWith(x, nx.PadReflect, [2]int{2, 2}) },
		"inner": func(x nx.Tensor) nx.Tensor {
			return nx.Jit(func(x nx.Tensor) nx.Tensor { return nx.Add(x, nx.Tri(3, 3, 0, nx.F32)) })(x)
		},
	} {
		for how, f := range map[string]func(x nx.Tensor) nx.Tensor{name: f, "gradient of " + name: twice(f)} {
			got := nx.Jit(f, nx.On(c))(x)
			want := nx.Jit(f)(nx.New([]float32{1, 2, 3}))
			if got.Device() != c.Devices()[0] || !slices.Equal(nx.Data[float32](got), nx.Data[float32](want)) {
				t.Errorf("%s: %v on %s, want %v", how, got, got.Device(), want)
			}
		}
	}
}

// TestConstantsBesideOtherClients: what a function, or its caller, computes of nothing but constants goes where the
// other
// operands are; data stays.
func TestConstantsBesideOtherClients(t *testing.T) {
	c := interp.NewClient()
	move := func(x nx.Tensor, to nx.Device) nx.Tensor {
		moved, err := nx.Transfer(x, to)
		if err != nil {
			t.Fatal(err)
		}
		return moved
	}
	here, there := cpu.Default().Devices()[0], c.Devices()[0]
	o := kit.SampleOperands()
	o = kit.Operands{X: o.X.At(0, 0), Y: o.Y.At(0), V: o.V.At(0), I: o.I.At(0, 0)}
	far := kit.Operands{X: move(o.X, there), Y: move(o.Y, there), V: move(o.V, there), I: move(o.I, there)}
	tests := map[string]func(o kit.Operands) []nx.Tensor{
		"Choice": func(o kit.Operands) []nx.Tensor {
			return []nx.Tensor{random.Choice(random.Key(1), o.V, 9, true, o.V)}
		},
		"key": func(o kit.Operands) []nx.Tensor {
			return []nx.Tensor{nx.Add(random.Key(1), nx.Cast(o.I.At(0), nx.U32))}
		},
		"caller": func(o kit.Operands) []nx.Tensor {
			ones := nx.Jit(func() nx.Tensor { return nx.Add(nx.Iota(nx.Shape{4}, nx.F64), 1) })()
			ones = nx.Exp(nx.Exp(nx.Reshape(nx.Sub(ones, nx.Eye(nx.Shape{4, 4}, nx.F64)), 2, 8)))
			return []nx.Tensor{nx.Add(nx.Reshape(ones, 4, 4), o.X)}
		},
		"captured": func(o kit.Operands) []nx.Tensor {
			ones := nx.Exp(nx.Eye(nx.Shape{4, 4}, nx.F64))
			return []nx.Tensor{nx.Jit(func(x nx.Tensor) nx.Tensor { return nx.Add(x, ones) },
				nx.On(o.X.Device().Client()))(nx.Mul(o.X, ones))}
		},
	}
	for name, op := range kit.EveryOp {
		if name != "CrossEntropy" && name != "SetGather" { // these have data of their own here
			tests[name] = op.F
		}
	}
	for name, f := range tests {
		var got []nx.Tensor
		if err := kit.Caught(func() { got = f(far) }); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for i, want := range f(o) {
			if d := got[i].Device(); d != there && d != nil {
				t.Errorf("%s: result %d is on %s", name, i, d)
			}
			got := move(got[i], here)
			if !nx.Item[bool](nx.AllClose(got, want, nx.EqualNaN, nx.Tolerance(1e-9, 1e-9))) {
				t.Errorf("%s: result %d is\n%v\nnot\n%v", name, i, got, want)
			}
		}
	}
	ones, data := nx.Exp(nx.Ones(nx.Shape{4}, nx.F64)), nx.New([]float64{1, 2, 3, 4})
	for name, x := range map[string]nx.Tensor{"data": data, "of both": nx.Add(data, ones), "moved": move(ones, here)} {
		if err := kit.Caught(func() { nx.Add(x, far.V) }); !errors.Is(err, nx.ErrDevice) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
