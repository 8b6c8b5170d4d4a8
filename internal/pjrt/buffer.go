package pjrt

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"unsafe"

	"github.com/go-nx/nx/internal/pjrt/abi"
)

// Buffer is an array on a device.
type Buffer struct {
	owner
	device    *Device
	readyOnce sync.Once // for the event of the contents
	ready     *Event
	err       error
}

func newBuffer(on *Device, handle abi.Buffer) *Buffer {
	b := &Buffer{device: on}
	r := on.client.plugin.newResource("buffer", uintptr(handle), abi.BufferDestroy, on.client.resource)
	b.owner = own(b, r)
	return b
}

// WhenFreed registers f to be called when the memory is freed. It must be called before the buffer is shared.
func (b *Buffer) WhenFreed(f func()) { b.freed = f }

// Put copies an array in row-major order to a device. The data may be changed when it
// returns.
func (d *Device) Put(data []byte, typ abi.BufferType, dims []int64, elemSize int64) (*Buffer, error) {
	if err := d.client.hold(); err != nil {
		return nil, err
	}
	defer d.client.drop()
	var pin runtime.Pinner
	defer pin.Unpin()
	args := newArgs[abi.ClientBufferFromHostBufferArgs]()
	args.Client, args.Device, args.Type = abi.Client(d.client.handle), d.handle, typ
	args.HostBufferSemantics = abi.ImmutableOnlyDuringCall
	if len(data) == 0 {
		data = make([]byte, 1) // plugins refuse null
	}
	pin.Pin(&data[0])
	args.Data = unsafe.Pointer(&data[0])
	args.Dims, args.NumDims = list(dims), uintptr(len(dims))
	// Plugins that compute the strides themselves do it wrong for elements below a byte.
	strides := rowMajor(dims, elemSize)
	args.ByteStrides, args.NumByteStrides = list(strides), uintptr(len(strides))
	p := d.client.plugin
	if err := p.call(abi.ClientBufferFromHostBuffer, &args.Header); err != nil {
		return nil, err
	}
	b := newBuffer(d, args.Buffer)
	if _, err := p.watch(abi.ClientBufferFromHostBuffer, args.DoneWithHostBuffer, nil); err != nil {
		b.Close()
		return nil, err
	}
	return b, nil
}

// rowMajor returns the distances in bytes between elements along each dimension.
func rowMajor(dims []int64, elemSize int64) []int64 {
	strides := make([]int64, len(dims))
	step := elemSize
	for i := len(dims) - 1; i >= 0; i-- {
		strides[i] = step
		step *= max(dims[i], 1)
	}
	return strides
}

func readyEvent(r *resource) (*Event, error) {
	if err := r.hold(); err != nil {
		return nil, err
	}
	defer r.drop()
	args := newArgs[abi.BufferReadyEventArgs]()
	args.Buffer = abi.Buffer(r.handle)
	if err := r.plugin.call(abi.BufferReadyEvent, &args.Header); err != nil {
		return nil, err
	}
	return r.plugin.watch(abi.BufferReadyEvent, args.Event, nil)
}

// Device returns where the buffer is.
func (b *Buffer) Device() *Device { return b.device }

// Ready returns the event of the contents, which outlives the buffer.
func (b *Buffer) Ready() (*Event, error) {
	b.readyOnce.Do(func() { b.ready, b.err = readyEvent(b.resource) })
	return b.ready, b.err
}

// Wait returns when the contents are computed, or the error of the computation.
func (b *Buffer) Wait(ctx context.Context) error {
	e, err := b.Ready()
	if err != nil {
		return err
	}
	return e.Wait(ctx)
}

// Read copies the contents to dst in row-major order. When the context can end, they are copied through
// separate memory, since a plugin continues to write after that.
func (b *Buffer) Read(ctx context.Context, dst []byte, rank int) error {
	if len(dst) == 0 {
		return b.Wait(ctx)
	}
	to := dst
	if ctx.Done() != nil {
		to = make([]byte, len(dst))
	}
	e, err := b.copyTo(to, rank)
	if err != nil {
		return err
	}
	if err := e.Wait(ctx); err != nil {
		return err
	}
	if ctx.Done() != nil {
		copy(dst, to)
	}
	return nil
}

// copyTo starts a copy to memory, which stays where it is until the event has happened.
func (b *Buffer) copyTo(dst []byte, rank int) (*Event, error) {
	if err := b.hold(); err != nil {
		return nil, err
	}
	args := newArgs[abi.BufferToHostBufferArgs]()
	args.Src, args.HostLayout = abi.Buffer(b.handle), rowMajorLayout(rank)
	size, err := b.hostSize(args)
	if err == nil && size != len(dst) {
		err = fmt.Errorf("the plugin has %d bytes for a buffer of %d: its representation of elements is different", size, len(dst))
	}
	if err != nil {
		b.drop()
		return nil, err
	}
	pin := &runtime.Pinner{}
	pin.Pin(&dst[0])
	done := func() { pin.Unpin(); b.resource.drop() }
	args.Dst, args.DstSize = unsafe.Pointer(&dst[0]), uintptr(len(dst))
	if err := b.plugin.call(abi.BufferToHostBuffer, &args.Header); err != nil {
		done()
		return nil, err
	}
	e, err := b.plugin.watch(abi.BufferToHostBuffer, args.Event, done)
	if err != nil {
		done()
	}
	return e, err
}

// hostSize queries the size of a copy. Plugins return it when the destination is null.
func (b *Buffer) hostSize(args *abi.BufferToHostBufferArgs) (int, error) {
	args.Dst, args.DstSize = nil, 0
	if err := b.plugin.call(abi.BufferToHostBuffer, &args.Header); err != nil {
		return 0, err
	}
	return int(args.DstSize), nil
}

// rowMajorLayout returns the layout with the last dimension innermost. Without it, a
// plugin hands over whatever order the device has.
func rowMajorLayout(rank int) *abi.MemoryLayout {
	l := newArgs[abi.MemoryLayout]()
	l.StructSize, l.Type = abi.MemoryLayoutSize, abi.LayoutTiled
	l.Tiled.StructSize = abi.TiledSize
	order := make([]int64, rank)
	for i := range order {
		order[i] = int64(rank - 1 - i)
	}
	l.Tiled.MinorToMajor, l.Tiled.MinorToMajorSize = list(order), uintptr(rank)
	return l
}

// CopyTo starts a copy to another device of the client, which does not go through the
// program's memory.
func (b *Buffer) CopyTo(to *Device) (*Buffer, error) {
	if err := b.hold(); err != nil {
		return nil, err
	}
	defer b.drop()
	if to.client != b.device.client {
		return nil, fmt.Errorf("a buffer of %s cannot be copied to %s, a device of another client", b.device.Text, to.Text)
	}
	args := newArgs[abi.BufferCopyToDeviceArgs]()
	args.Buffer, args.DstDevice = abi.Buffer(b.handle), to.handle
	if err := b.plugin.call(abi.BufferCopyToDevice, &args.Header); err != nil {
		return nil, err
	}
	return newBuffer(to, args.DstBuffer), nil
}

// DeviceSize returns the bytes that the buffer takes on the device.
func (b *Buffer) DeviceSize() (int64, error) {
	if err := b.hold(); err != nil {
		return 0, err
	}
	defer b.drop()
	args := newArgs[abi.BufferOnDeviceSizeInBytesArgs]()
	args.Buffer = abi.Buffer(b.handle)
	err := b.plugin.call(abi.BufferOnDeviceSizeInBytes, &args.Header)
	return int64(args.OnDeviceSizeInBytes), err
}

// IsDeleted reports whether the contents are gone: those of a donated buffer are.
func (b *Buffer) IsDeleted() (bool, error) {
	if err := b.hold(); err != nil {
		return true, nil
	}
	defer b.drop()
	args := newArgs[abi.BufferIsDeletedArgs]()
	args.Buffer = abi.Buffer(b.handle)
	err := b.plugin.call(abi.BufferIsDeleted, &args.Header)
	return args.IsDeleted, err
}
