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
