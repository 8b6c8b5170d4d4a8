package nx

import (
	"context"

	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/internal/callsite"
	"github.com/go-nx/nx/internal/core"
)

// SetDefault sets the client of all functions for which no other is given (see [On]), instead of
// package cpu or the client in the environment variable NX_CLIENT.
//
// Errors: [ErrDevice] after a tensor was created or a function compiled for the default client,
// since those stay where they are: call it in main or an init function.
func SetDefault(c backend.Client) (err error) {
	return core.SetDefault(c)
}

// Device is a place where tensors live: see package backend.
type Device = backend.Device

// Await waits until the tensors of a container are computed, and returns it.
// Devices may compute while the program goes on: their failures surface here, or
// when a tensor is read.
func Await[P any](ctx context.Context, p P) (out P, err error) {
	return core.Await[P](ctx, p)
}

// Transfer copies the tensors of a container to a device. Those that are there
// stay as they are, as do constants, which are created where they are used; a tensor computed only from
// constants also moves where it is used, until it is transferred. Between devices of one client
// elements are not copied through host memory.
func Transfer[P any](p P, to Device) (out P, err error) {
	return core.Transfer[P](p, to)
}

// Device returns where the tensor lives: nil for a constant, which is made where it is
// used, and for a traced tensor, which will live where its function runs.
//
// Errors: [ErrAbsent] for the zero Tensor, [ErrReleased] for one that was released or donated.
func (t Tensor) Device() Device {
	return core.Tensor(t).Device()
}

// OnOption is the option made by [On].
type OnOption = core.OnOption

// On compiles a function with a client, and runs it on the client's devices, where its arguments
// must be ([Transfer] moves them). Options of a compiler are those of its client.
//
//	f := nx.Jit(step, nx.On(cpu.New(1))) // one worker
func On(c backend.Client) OnOption {
	return core.On(c)
}

// Release frees the memory of the tensors of containers, without waiting for the garbage collector.
// Any later use of them is an error that names the line of the release; releasing a tensor twice is
// allowed. Traced tensors hold no memory and are ignored.
//
//go:noinline
func Release(trees ...any) {
	by := core.ReleasedAt(callsite.PC()) // of the caller, since Release is not inlined
	for _, p := range trees {
		if t, ok := p.(Tensor); ok {
			core.Tensor(t).Release(by)
		} else {
			core.ReleaseAll(p, by)
		}
	}
}
