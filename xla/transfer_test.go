package xla_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/go-nx/nx/debug"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/pjrt/abi"
	"github.com/go-nx/nx/internal/testkit"
	"github.com/go-nx/nx/telemetry"
	"github.com/go-nx/nx/xla"
)

// Between devices of a client elements do not go through the program.
func TestTransferBetweenDevices(t *testing.T) {
	c, p := open(t, "old"), plugins["old"]
	first, second := c.Devices()[0], c.Devices()[1]
	x := put(t, nx.New([]float32{1, 2, 3}), first)
	up, down := p.Calls(abi.ClientBufferFromHostBuffer), p.Calls(abi.BufferToHostBuffer)
	var events []telemetry.Event
	stop := telemetry.Listen(func(_ context.Context, e telemetry.Event) { events = append(events, e) })
	y := put(t, x, second)
	stop()
	if p.Calls(abi.ClientBufferFromHostBuffer) != up || p.Calls(abi.BufferToHostBuffer) != down {
		t.Error("the elements went through the program")
	}
	if len(events) != 1 || events[0].Attributes[1].String() != "from=old:0" ||
		events[0].Attributes[2].String() != "to=old:1" {
		t.Errorf("the events are %v", events)
	}
	if y.Device() != second || x.Device() != first {
		t.Errorf("the copy is on %s, the tensor on %s", y.Device(), x.Device())
	}
	nx.Release(x)
	if got := nx.Data[float32](nx.Add(y, y)); !slices.Equal(got, []float32{2, 4, 6}) {
		t.Errorf("the copy computes %v", got)
	}
	other := open(t, "text").Devices()[0]
	if got := nx.Data[float32](put(t, y, other)); !slices.Equal(got, []float32{1, 2, 3}) {
		t.Errorf("on another client: %v", got)
	}
	p.Fail(abi.BufferCopyToDevice, abi.Internal, "out of luck", 0)
	defer p.Fail(abi.BufferCopyToDevice, abi.OK, "", 0)
	_, err := nx.Transfer(y, first)
	var e *xla.Error
	if !errors.As(err, &e) || !strings.Contains(e.Doing, "copying 12 bytes to old:0") {
		t.Errorf("a copy that fails: %v", err)
	}
}

// A call that fails is run once.
func TestFailedCallRunsOnce(t *testing.T) {
	c, p := open(t, "new"), plugins["new"]
	x := put(t, nx.New([]float32{1, 2, 3}), c.Devices()[0])
	sub := func() { nx.Sub(x, x) }
	sub()
	p.Fail(abi.LoadedExecutableExecute, abi.Internal, "out of luck", 0)
	defer p.Fail(abi.LoadedExecutableExecute, abi.OK, "", 0)
	before := p.Calls(abi.LoadedExecutableExecute)
	if err := caught(sub); !errors.Is(err, nx.ErrRun) || !strings.Contains(err.Error(), "out of luck") {
		t.Errorf("the call: %v", err)
	}
	if n := p.Calls(abi.LoadedExecutableExecute) - before; n != 1 {
		t.Errorf("the call ran %d times", n)
	}
}

// With AutomaticTransfers a program takes tensors of other clients: the copies live as long as the call. If an
// argument is on a device of the client, they are copied there.
func TestAutomaticTransfers(t *testing.T) {
	c := open(t, "moves")
	x := nx.Add(nx.New([]float32{1, 2}), 0) // on the processor
	y := put(t, nx.New([]float32{10, 20}), c.Devices()[1])
	add := func(x, y nx.Tensor) nx.Tensor { return nx.Add(x, y) }
	before := testkit.Settled(c.InUse)
	for name, tt := range map[string]struct {
		f    func(x, y nx.Tensor) nx.Tensor
		x, y nx.Tensor
		want []float32
		on   int
	}{
		"one of two": {nx.Jit(add, nx.On(c)), x, y, []float32{11, 22}, 1},
		"both":       {nx.Jit(add, nx.On(c)), x, x, []float32{2, 4}, 0},
		"a pinned":   {nx.Jit(add, nx.On(c.With(xla.DeviceID(1)))), x, x, []float32{2, 4}, 1},
		"with a hook": {nx.Jit(func(x, y nx.Tensor) nx.Tensor {
			return nx.Add(debug.Hook("h", x, func(nx.Tensor) {}), y)
		},
			nx.On(c)),
			x, y, []float32{11, 22}, 1},
	} {
		z := tt.f(tt.x, tt.y)
		if got := nx.Data[float32](z); !slices.Equal(got, tt.want) || z.Device() != c.Devices()[tt.on] {
			t.Errorf("%s: %v on %s, want %v on device %d", name, got, z.Device(), tt.want, tt.on)
		}
		nx.Release(z)
		plugins["moves"].Wait()
		if n := c.InUse(); n != before {
			t.Errorf("%s: %d bytes are in use, %d were", name, n, before)
		}
	}
	given := nx.Add(x, 0)
	nx.Jit(add, nx.On(c), nx.Donate(0))(given, y)
	if err := caught(func() { nx.Exp(given) }); !errors.Is(err, nx.ErrReleased) {
		t.Errorf("a donated tensor of another client: %v", err)
	}
}

// An argument of another client is copied when the program first uses it, and never if it is unused; its copy
// is freed after the last use. Never and Always override the client's options.
func TestLazyTransfers(t *testing.T) {
	c, p := open(t, "lazy"), plugins["lazy"]
	always := c.With(xla.LazyTransfers(xla.Always))
	x, y := nx.Add(nx.New([]float32{1, 2}), 0), nx.Add(nx.New([]float32{10, 20, 30}), 0) // on the processor
	var moved []int
	var inUse []int64
	before := p.Calls(abi.ClientBufferFromHostBuffer)
	see := func(nx.Tensor) {
		moved = append(moved, p.Calls(abi.ClientBufferFromHostBuffer)-before)
		inUse = append(inUse, c.InUse())
	}
	first := func(x, _ nx.Tensor) nx.Tensor { return nx.Mul(x, 2) }
	later := func(x, y nx.Tensor) nx.Tensor {
		called := nx.RuntimeCall(nx.Mul(x, 2), x, func(x nx.Tensor) (nx.Tensor, error) {
			see(x)
			return x, nil
		})
		return nx.Mul(y, nx.Sum(called))
	}
	hostOnly := func(x, y nx.Tensor) nx.Tensor {
		return nx.Add(x, nx.Sum(nx.RuntimeCall(y, y, func(y nx.Tensor) (nx.Tensor, error) {
			see(y)
			return y, nil
		})))
	}
	for _, tt := range []struct {
		name  string
		f     func(x, y nx.Tensor) nx.Tensor
		want  []float32
		moves int // copies to the device, of results of functions of Go, too
		seen  []int
		inUse []int64
	}{
		{"one unused", first, []float32{2, 4}, 1, nil, nil},
		{"one later", later, []float32{60, 120, 180}, 3, []int{1}, []int64{8}},
		{"one of functions of Go", hostOnly, []float32{61, 62}, 2, []int{0}, []int64{0}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			moved, inUse, before = nil, nil, p.Calls(abi.ClientBufferFromHostBuffer)
			z := nx.Jit(tt.f, nx.On(always))(x, y)
			if got := nx.Data[float32](z); !slices.Equal(got, tt.want) || z.Device() != c.Devices()[0] {
				t.Errorf("%v on %s, want %v", got, z.Device(), tt.want)
			}
			if n := p.Calls(abi.ClientBufferFromHostBuffer) - before; n != tt.moves {
				t.Errorf("%d copies to the device, want %d", n, tt.moves)
			}
			if !slices.Equal(moved, tt.seen) || !slices.Equal(inUse, tt.inUse) {
				t.Errorf("in the function of Go %v copies were made and %v bytes in use, want %v and %v",
					moved, inUse, tt.seen, tt.inUse)
			}
			nx.Release(z)
			p.Wait()
			if n := c.InUse(); n != 0 {
				t.Errorf("%d bytes are in use afterwards", n)
			}
		})
	}
	for name, tt := range map[string]struct {
		c     *xla.Client
		taken bool
	}{
		"opt in, out": {c, false},
		"always":      {always, true},
		"opt in, in":  {open(t, "moves"), true},
		"never":       {open(t, "moves").With(xla.LazyTransfers(xla.Never)), false},
	} {
		err := caught(func() { nx.Jit(first, nx.On(tt.c))(x, y) })
		if taken := err == nil; taken != tt.taken || err != nil && !errors.Is(err, nx.ErrDevice) {
			t.Errorf("%s: %v, want taken %v", name, err, tt.taken)
		}
	}
	if err := caught(func() { c.With(xla.LazyTransfers(7)) }); err == nil ||
		!strings.Contains(err.Error(), "got 7") {
		t.Errorf("no level: %v", err)
	}
}

func sums(c, x nx.Tensor) (nx.Tensor, nx.Tensor) {
	c = nx.Add(c, x)
	return c, nx.Mul(c, 2)
}

// A stream runs on its client, its state stays there, and Cached and StreamCached report the compiled programs
// of each client.
func TestStreamsOnAClient(t *testing.T) {
	c, p := open(t, "old"), plugins["old"]
	d := c.Devices()[1]
	zero, v := put(t, nx.New([]float32{0, 0}), d), put(t, nx.New([]float32{1, 2}), d)
	if debug.StreamCached(sums, zero, v, nx.On(c)) {
		t.Error("the step of a stream that has not begun is there")
	}
	compiled := p.Calls(abi.ClientCompile)
	for range 2 { // the second compiles nothing
		s := nx.Stream(context.Background(), sums, zero, nx.On(c))
		for i := range 3 {
			if err := s.Send(v); err != nil {
				t.Fatal(err)
			}
			y, err := s.Recv()
			if err != nil {
				t.Fatal(err)
			}
			if want := []float32{float32(2*i + 2), float32(4*i + 4)}; y.Device() != d ||
				!slices.Equal(nx.Data[float32](y), want) {
				t.Errorf("result %d is %v on %s, want %v", i, y, y.Device(), want)
			}
		}
		state, err := s.Done()
		if err != nil || state.Device() != d || !slices.Equal(nx.Data[float32](state), []float32{3, 6}) {
			t.Errorf("the state is %v on %s, %v", state, state.Device(), err)
		}
	}
	if n := p.Calls(abi.ClientCompile) - compiled; n != 1 {
		t.Errorf("%d programs were compiled for two streams of a function", n)
	}
	if !debug.StreamCached(sums, zero, v, nx.On(c)) || debug.StreamCached(sums, zero, v) {
		t.Error("the step is there for this client, and for no other")
	}
	f := nx.Jit(nx.Exp, nx.On(c))
	before := debug.Cached(f, v)
	f(v)
	if before || !debug.Cached(f, v) {
		t.Errorf("cached before the first call: %v, after it: %v", before, debug.Cached(f, v))
	}
}
