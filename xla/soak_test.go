package xla_test

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/stablehlo"
	"github.com/go-nx/nx/xla"
)

// 64 goroutines call, donate, cancel and drop results, a thousand times each (fewer under -short), while
// another collects garbage: no memory stays on the device, and no goroutine waits for ever.
func TestSoak(t *testing.T) {
	c, p := open(t, "soak"), plugins["soak"]
	d := c.Devices()[0]
	calls := 1000
	if testing.Short() {
		calls = 30
	}
	f := nx.Jit(func(_ context.Context, x, y nx.Tensor) nx.Tensor { return nx.Add(nx.Mul(x, y), 1) }, nx.On(c),
		nx.Donate(0))
	one := put(t, nx.New([]float32{2, 3}), d)
	nx.Release(f(context.Background(), put(t, nx.New([]float32{1, 1}), d), one)) // it is compiled
	settle := func() (buffers int, bytes int64) {                                // one is left
		for range 100 {
			runtime.GC()
			p.Wait()
			if buffers, bytes = p.Live()["buffer"], c.InUse(); buffers <= 1 && bytes <= 8 {
				break
			}
			time.Sleep(5 * time.Millisecond)
		}
		return buffers, bytes
	}
	before, bytes := settle()

	stop, collector := make(chan struct{}), sync.WaitGroup{}
	collector.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				runtime.GC()
			}
		}
	})
	var all sync.WaitGroup
	for g := range 64 {
		all.Go(func() {
			for i := range calls {
				if err := soakCall(f, one, d, g, i); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
	close(stop)
	collector.Wait()
	if after, now := settle(); after != before || now != bytes {
		t.Errorf("%d buffers of %d bytes are left, %d of %d were", after, now, before, bytes)
	}
	runtime.KeepAlive(one)
}

// soakCall makes a call: of five one is cancelled on its way, one forgotten, the others released.
func soakCall(f func(context.Context, nx.Tensor, nx.Tensor) nx.Tensor, one nx.Tensor, d backend.Device,
	g, i int) (err error) {
	defer nx.Catch(&err)
	v := float32(1000*g + i)
	x, err := nx.Transfer(nx.New([]float32{v, -v}), d)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if i%5 == 0 {
		go cancel()
	}
	var y nx.Tensor
	if err := caught(func() { y = f(ctx, x, one) }); err != nil {
		if i%5 == 0 && errors.Is(err, context.Canceled) {
			return nil
		}
		return err
	}
	if got := nx.Data[float32](y); got[0] != 2*v+1 || got[1] != 1-3*v {
		return errors.New("another call's result")
	}
	if i%5 != 1 {
		nx.Release(y)
	}
	return nil
}

// added is a program of two numbers on a plugin, with its argument.
func added(tb testing.TB) (backend.Executable, []backend.Buffer) {
	tb.Helper()
	c, err := xla.Open("soak")
	if err != nil {
		tb.Fatal(err)
	}
	m, err := stablehlo.Parse("m", []byte(`func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.add %a, %a : tensor<2xf32>
  return %0 : tensor<2xf32>
}`))
	if err != nil {
		tb.Fatal(err)
	}
	x, err := c.Compile(context.Background(), m)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { x.Close() })
	a, err := c.Put(context.Background(), backend.Type{DType: nx.F32, Dims: []int64{2}}, make([]byte, 8), nil)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(a.Release)
	return x, []backend.Buffer{a}
}

// call starts the program and frees the result.
func callAdded(tb testing.TB, x backend.Executable, args []backend.Buffer) {
	out, err := x.Execute(context.Background(), args)
	if err != nil {
		tb.Fatal(err)
	}
	out[0].Release()
}

// BenchmarkCall is a call by a plugin, and freeing its result; "plugin" is the part of it that the
// fake plugin takes, "ours" the rest.
func BenchmarkCall(b *testing.B) {
	x, args := added(b)
	p := plugins["soak"]
	callAdded(b, x, args)
	p.Wait()
	inside := p.Inside()
	b.ReportAllocs()
	for b.Loop() {
		callAdded(b, x, args)
	}
	plugin := float64((p.Inside() - inside).Nanoseconds()) / float64(b.N)
	total := float64(b.Elapsed().Nanoseconds()) / float64(b.N)
	b.ReportMetric(plugin, "plugin-ns/op")
	b.ReportMetric(total-plugin, "ours-ns/op")
}
