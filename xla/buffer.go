package xla

import (
	"context"
	"fmt"

	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/internal/pjrt"
)

// buffer is a tensor on a device.
type buffer struct {
	on *device
	b  *pjrt.Buffer
	t  backend.Type
}

// newBuffer counts the bytes of a buffer until it is freed.
func newBuffer(on *device, b *pjrt.Buffer, t backend.Type) *buffer {
	c, bytes := on.core, t.SizeBytes()
	c.count(bytes)
	b.WhenFreed(func() { c.count(-bytes) })
	return &buffer{on: on, b: b, t: t}
}

func (b *buffer) Type() backend.Type     { return b.t }
func (b *buffer) Device() backend.Device { return b.on }

// Await returns the error of the computation of the contents, if it failed.
func (b *buffer) Await(ctx context.Context) error {
	ctx, stop := b.on.untilLost(ctx)
	defer stop()
	return b.failure(ctx, "computing", b.b.Wait(ctx))
}

func (b *buffer) Read(ctx context.Context, dst []byte) error {
	if int64(len(dst)) != b.t.SizeBytes() {
		return fmt.Errorf("xla: a buffer of %d bytes cannot be read into %d bytes", b.t.SizeBytes(), len(dst))
	}
	ctx, stop := b.on.untilLost(ctx)
	defer stop()
	return b.failure(ctx, "copying from the device", b.b.Read(ctx, dst, len(b.t.Dims)))
}

// failure wraps the error of a plugin; the cause of an ended context is returned unchanged.
func (b *buffer) failure(ctx context.Context, doing string, err error) error {
	if err != nil && ctx.Err() != nil && err == context.Cause(ctx) {
		return err
	}
	return b.on.fail(doing, err)
}

// CanCopyTo reports whether a device is another one of the client.
func (b *buffer) CanCopyTo(to backend.Device) bool {
	d, ok := to.(*device)
	return ok && d.core == b.on.core
}

// CopyTo starts a copy to another device of the client.
func (b *buffer) CopyTo(to backend.Device) (backend.Buffer, error) {
	d, err := (&Client{core: b.on.core}).own(to)
	if err != nil {
		return nil, err
	}
	c, err := b.copyTo(d)
	if err != nil {
		return nil, err // not a nil *buffer
	}
	return c, nil
}

func (b *buffer) copyTo(d *device) (*buffer, error) {
	c, err := b.b.CopyTo(d.device)
	if err != nil {
		return nil, b.on.fail(fmt.Sprintf("copying %d bytes to %s", b.t.SizeBytes(), d), err)
	}
	return newBuffer(d, c, b.t), nil
}

// Release frees the memory when no computation uses it. Further calls have no effect.
func (b *buffer) Release() { b.b.Close() }
