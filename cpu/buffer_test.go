package cpu

import (
	"context"
	"errors"
	"runtime"
	"testing"
	"time"

	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/rt"
	"github.com/go-nx/nx/stablehlo"
)

var ctx = context.Background()

func put(t *testing.T, c *Client, size int) backend.Buffer {
	t.Helper()
	b, err := c.Put(ctx, backend.Type{DType: dtype.U8, Dims: []int64{int64(size)}}, make([]byte, size), device{})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestBuffersAreCounted(t *testing.T) {
	c := New(1)
	tiny, small := put(t, c, 4), put(t, c, 100)
	if c.InUse() != 104 {
		t.Errorf("small buffers count %d bytes", c.InUse())
	}
	b := put(t, c, 1<<20)
	if c.InUse() < 1<<20 {
		t.Errorf("%d bytes in use", c.InUse())
	}
	b.Release()
	b.Release()
	small.Release()
	small.Release()
	tiny.Release()
	if c.InUse() != 0 {
		t.Errorf("%d bytes in use after the release", c.InUse())
	}
	if err := b.Read(ctx, make([]byte, 1<<20)); !errors.Is(err, errReleased) {
		t.Errorf("a released buffer reads: %v", err)
	}
}

func TestReleaseWaitsForReaders(t *testing.T) {
	c := New(1)
	b := put(t, c, 1<<16).(*buffer)
	err := b.View(func(data []byte) error {
		b.Release()
		if c.InUse() == 0 || len(data) != 1<<16 {
			t.Error("the memory was given back under a reader")
		}
		return nil
	})
	if err != nil || c.InUse() != 0 {
		t.Errorf("%v, %d bytes in use", err, c.InUse())
	}
}

func TestUnreachableBuffersComeBack(t *testing.T) {
	c := New(1)
	put(t, c, 1<<20)
	put(t, c, 100)
	for end := time.Now().Add(10 * time.Second); c.InUse() > 0; {
		if time.Now().After(end) {
			t.Fatalf("%d bytes in use after collections", c.InUse())
		}
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
}

func TestMemoryLimit(t *testing.T) {
	c := newClient(&rt.Env{Buffers: rt.NewBuffers(1 << 20)})
	m, err := stablehlo.Parse("", []byte(`func.func @main(%a: tensor<f32>) -> tensor<1048576xf32> {
		%b = stablehlo.broadcast_in_dim %a, dims = [] : (tensor<f32>) -> tensor<1048576xf32>
		return %b : tensor<1048576xf32>
	}`))
	if err != nil {
		t.Fatal(err)
	}
	exe, err := c.Compile(ctx, m)
	if err != nil {
		t.Fatal(err)
	}
	a, err := c.Put(ctx, backend.Type{DType: dtype.F32}, make([]byte, 4), device{})
	if err != nil {
		t.Fatal(err)
	}
	var full *rt.MemoryError
	if _, err = exe.Execute(ctx, []backend.Buffer{a}); !errors.As(err, &full) {
		t.Errorf("4 MiB of 1: %v", err)
	}
	// Unreachable buffers are freed.
	for range 20 {
		put(t, c, 600_000)
	}
}

func TestDonatedArgumentIsReleased(t *testing.T) {
	c := New(1)
	m, err := stablehlo.Parse("", []byte(`func.func @main(%a: tensor<65536xui8> {jax.buffer_donor = true}) -> tensor<65536xui8> {
		%b = stablehlo.add %a, %a : tensor<65536xui8>
		return %b : tensor<65536xui8>
	}`))
	if err != nil {
		t.Fatal(err)
	}
	exe, err := c.Compile(ctx, m)
	if err != nil {
		t.Fatal(err)
	}
	a := put(t, c, 65536)
	out, err := exe.Execute(ctx, []backend.Buffer{a})
	if err != nil {
		t.Fatal(err)
	}
	if one := out[0].(*buffer); c.InUse() != int64(cap(one.data)) {
		t.Errorf("%d bytes in use beside the result", c.InUse())
	}
	if _, err := exe.Execute(ctx, []backend.Buffer{a}); !errors.Is(err, errReleased) {
		t.Errorf("a donated argument runs: %v", err)
	}
	runtime.KeepAlive(out)
}

func TestReshapedBuffers(t *testing.T) {
	for _, size := range []int{24, 100, 1 << 16} {
		c := New(1)
		b := put(t, c, size)
		in := c.InUse()
		r, err := b.(backend.Reshaper).Reshape([]int64{2, int64(size / 2)})
		if err != nil {
			t.Fatal(err)
		}
		if c.InUse() != in {
			t.Errorf("%d bytes in use, %d before", c.InUse(), in)
		}
		if _, err := b.(backend.Reshaper).Reshape([]int64{3}); err == nil {
			t.Error("another number of elements")
		}
		b.Release()
		if err := r.Read(ctx, make([]byte, size)); err != nil || c.InUse() != in {
			t.Errorf("%v, %d bytes in use", err, c.InUse())
		}
		if _, err := b.(backend.Reshaper).Reshape([]int64{int64(size)}); !errors.Is(err, errReleased) {
			t.Errorf("a released buffer is reshaped: %v", err)
		}
		r.Release()
		r.Release()
		if c.InUse() != 0 {
			t.Errorf("%d bytes in use after the releases", c.InUse())
		}
	}
}

// TestWorkersEnd: the goroutines of an unreachable client end.
func TestWorkersEnd(t *testing.T) {
	before := runtime.NumGoroutine()
	for range 10 {
		put(t, New(4).WithOutput(nil), 100)
	}
	for end := time.Now().Add(20 * time.Second); runtime.NumGoroutine() > before; {
		if time.Now().After(end) {
			t.Fatalf("%d goroutines, %d before", runtime.NumGoroutine(), before)
		}
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
}
