package nx_test

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/cpu"
	"github.com/go-nx/nx/random"
	"github.com/go-nx/nx/stablehlo"
	"github.com/go-nx/nx/stablehlo/interp"
)

// far is a client with a device of its own, whose executables return before
// they have begun.
type far struct {
	cpu    *cpu.Client
	gate   chan struct{} // nothing ends before it is closed
	closed atomic.Int32  // executables
	read   atomic.Int64  // bytes
}

func newFar() *far { return &far{cpu: cpu.New(1), gate: make(chan struct{})} }

type farDevice struct{ c *far }

func (d farDevice) String() string         { return "far:0" }
func (d farDevice) Client() backend.Client { return d.c }

func (c *far) Name() string              { return "far" }
func (c *far) Devices() []backend.Device { return []backend.Device{farDevice{c}} }

func (c *far) Put(ctx context.Context, t backend.Type, data []byte, _ backend.Device) (backend.Buffer, error) {
	b := c.promise(t)
	b.inner, b.err = c.cpu.Put(ctx, t, data, c.cpu.Devices()[0])
	close(b.done)
	return b, nil
}

func (c *far) Compile(ctx context.Context, m *stablehlo.Module) (backend.Executable, error) {
	exe, err := c.cpu.Compile(ctx, m)
	if err != nil {
		return nil, err
	}
	f, _ := m.Func("main")
	var types []backend.Type
	for _, v := range f.Body().Terminator().Operands {
		types = append(types, backend.Type{DType: v.Tensor().DType(), Dims: v.Tensor().Dims})
	}
	return &farExecutable{c, exe, types}, nil
}

type farExecutable struct {
	c     *far
	inner backend.Executable
	types []backend.Type
}

func (e *farExecutable) Close() error {
	e.c.closed.Add(1)
	return e.inner.Close()
}

func (e *farExecutable) Execute(ctx context.Context, args []backend.Buffer) ([]backend.Buffer, error) {
	args = slices.Clone(args)
	var out []backend.Buffer
	var promises []*farBuffer
	for _, t := range e.types {
		p := e.c.promise(t)
		promises, out = append(promises, p), append(out, p)
	}
	go func() {
		<-e.c.gate
		var bufs []backend.Buffer
		var err error
		for i := range args {
			b := args[i].(*farBuffer)
			<-b.done
			if err == nil {
				err = b.err
			}
			args[i] = b.inner
		}
		if err == nil {
			bufs, err = e.inner.Execute(ctx, args)
		}
		for i, p := range promises {
			if p.err = err; err == nil {
				p.inner = bufs[i]
			}
			close(p.done)
		}
	}()
	return out, nil
}

// farBuffer is a buffer to come.
type farBuffer struct {
	c     *far
	t     backend.Type
	done  chan struct{}
	inner backend.Buffer
	err   error
}

func (c *far) promise(t backend.Type) *farBuffer {
	return &farBuffer{c: c, t: t, done: make(chan struct{})}
}

func (b *farBuffer) Type() backend.Type     { return b.t }
func (b *farBuffer) Device() backend.Device { return farDevice{b.c} }
func (b *farBuffer) Release()               {}

func (b *farBuffer) Await(ctx context.Context) error {
	select {
	case <-b.done:
		return b.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (b *farBuffer) Read(ctx context.Context, dst []byte) error {
	if err := b.Await(ctx); err != nil {
		return err
	}
	b.c.read.Add(int64(len(dst)))
	return b.inner.Read(ctx, dst)
}

type farPair struct{ A, B nx.Tensor }

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
	if err := caught(func() { nx.Add(g, x) }); !errors.Is(err, nx.ErrDevice) ||
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
		"a captured tensor of there":           func() { nx.Jit(func(a nx.Tensor) nx.Tensor { return nx.Add(a, p.A) })(x) },
	} {
		if err := caught(f); !errors.Is(err, nx.ErrDevice) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := nx.Transfer(x, nil); !errors.Is(err, nx.ErrDevice) {
		t.Errorf("no device: %v", err)
	}
	if _, err := nx.Transfer(freed(), there); !errors.Is(err, nx.ErrReleased) {
		t.Errorf("a released tensor: %v", err)
	}
}

// TestAwait: results exist before their contents, whose failures Await returns.
func TestAwait(t *testing.T) {
	c := newFar()
	x, err := nx.Transfer(held(2), c.Devices()[0])
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
	if err := caught(func() { nx.Bytes(huge) }); err == nil {
		t.Error("what cannot be is read")
	}
	if _, err := nx.Await(context.Background(), held(2)); err != nil {
		t.Error(err)
	}
	if _, err := nx.Await(context.Background(), kept()); !errors.Is(err, nx.ErrTrace) {
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

// Executables that a compiled function has no room for any more are closed, and all of them
// when nobody has the function.
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

// TestConstantsOnOtherClients: ops on constants alone, in a function for another client, run where that does.
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

// TestConstantsBesideOtherClients: what a function, or its caller, computes of constants alone goes where the other
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
	o := testOperands()
	o = operandsOf{o.x.At(0, 0), o.y.At(0), o.v.At(0), o.i.At(0, 0)}
	far := operandsOf{move(o.x, there), move(o.y, there), move(o.v, there), move(o.i, there)}
	tests := map[string]func(o operandsOf) []nx.Tensor{
		"Choice": func(o operandsOf) []nx.Tensor { return []nx.Tensor{random.Choice(random.Key(1), o.v, 9, true, o.v)} },
		"key":    func(o operandsOf) []nx.Tensor { return []nx.Tensor{nx.Add(random.Key(1), nx.Cast(o.i.At(0), nx.U32))} },
		"caller": func(o operandsOf) []nx.Tensor {
			ones := nx.Jit(func() nx.Tensor { return nx.Add(nx.Iota(nx.Shape{4}, nx.F64), 1) })()
			ones = nx.Exp(nx.Exp(nx.Reshape(nx.Sub(ones, nx.Eye(nx.Shape{4, 4}, nx.F64)), 2, 8)))
			return []nx.Tensor{nx.Add(nx.Reshape(ones, 4, 4), o.x)}
		},
		"captured": func(o operandsOf) []nx.Tensor {
			ones := nx.Exp(nx.Eye(nx.Shape{4, 4}, nx.F64))
			return []nx.Tensor{nx.Jit(func(x nx.Tensor) nx.Tensor { return nx.Add(x, ones) },
				nx.On(o.x.Device().Client()))(nx.Mul(o.x, ones))}
		},
	}
	for name, op := range everyOp {
		if name != "CrossEntropy" && name != "IndexedPut" { // these have data of their own here
			tests[name] = op.f
		}
	}
	for name, f := range tests {
		var got []nx.Tensor
		if err := caught(func() { got = f(far) }); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for i, want := range f(o) {
			if d := got[i].Device(); d != there && d != nil {
				t.Errorf("%s: result %d is on %s", name, i, d)
			}
			if got := move(got[i], here); !nx.Item[bool](nx.AllClose(got, want, nx.EqualNaN, nx.Tolerance(1e-9, 1e-9))) {
				t.Errorf("%s: result %d is\n%v\nnot\n%v", name, i, got, want)
			}
		}
	}
	ones, data := nx.Exp(nx.Ones(nx.Shape{4}, nx.F64)), nx.New([]float64{1, 2, 3, 4})
	for name, x := range map[string]nx.Tensor{"data": data, "of both": nx.Add(data, ones), "moved": move(ones, here)} {
		if err := caught(func() { nx.Add(x, far.v) }); !errors.Is(err, nx.ErrDevice) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
