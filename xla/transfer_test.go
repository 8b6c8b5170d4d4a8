package xla_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/pjrt/abi"
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

// With AutomaticTransfers a program takes tensors of other clients: copies that live as long as the
// call. Where one of its own says which device, they go there.
func TestAutomaticTransfers(t *testing.T) {
	c := open(t, "moves")
	x := nx.Add(nx.New([]float32{1, 2}), 0) // on the processor
	y := put(t, nx.New([]float32{10, 20}), c.Devices()[1])
	add := func(x, y nx.Tensor) nx.Tensor { return nx.Add(x, y) }
	before := c.InUse()
	for name, tt := range map[string]struct {
		f    func(x, y nx.Tensor) nx.Tensor
		x, y nx.Tensor
		want []float32
		on   int
	}{
		"one of two": {nx.Jit(add, nx.On(c)), x, y, []float32{11, 22}, 1},
		"both":       {nx.Jit(add, nx.On(c)), x, x, []float32{2, 4}, 0},
		"a pinned":   {nx.Jit(add, nx.On(c.With(xla.DeviceID(1)))), x, x, []float32{2, 4}, 1},
		"with a hook": {nx.Jit(func(x, y nx.Tensor) nx.Tensor { return nx.Add(nx.Hook("h", x, func(nx.Tensor) {}), y) },
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
