package fake

import (
	"context"
	"sync/atomic"
	"unsafe"

	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/cpu"
	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/pjrt"
	"github.com/go-nx/nx/internal/pjrt/abi"
)

// array is a buffer: contents that come later.
type array struct {
	base
	on      *device
	work    *work
	typ     backend.Type
	data    backend.Buffer // when the work is done
	deleted atomic.Bool    // donated
}

func (p *Plugin) newArray(on *device, t backend.Type) (*array, abi.Buffer) {
	a := &array{base: base{plugin: p, name: "buffer"}, on: on, work: newWork(), typ: t}
	return a, abi.Buffer(newHandle(a))
}

// typeOf returns the element type of a number.
func typeOf(n abi.BufferType) (dtype.Type, error) {
	for t := dtype.Bool; t.IsValid(); t++ {
		if m, ok := pjrt.TypeOf(t); ok && m == n {
			return t, nil
		}
	}
	return 0, fail(abi.InvalidArgument, "there is no element type %d", n)
}

// put copies from the host with byte strides, which must be row-major.
func (p *Plugin) put(a *abi.ClientBufferFromHostBufferArgs) error {
	on, err := the[*device](uintptr(a.Device))
	if err == nil && !on.isLocal() {
		err = fail(abi.InvalidArgument, "device %d is of another process", on.id())
	}
	if err != nil {
		return err
	}
	t, err := typeOf(a.Type)
	if err != nil {
		return err
	}
	typ := backend.Type{DType: t, Dims: append([]int64(nil), unsafe.Slice(a.Dims, a.NumDims)...)}
	step := int64(t.Size())
	strides := unsafe.Slice(a.ByteStrides, a.NumByteStrides)
	for i := len(typ.Dims) - 1; i >= 0; i-- {
		if len(strides) != len(typ.Dims) || strides[i] != step {
			return fail(abi.InvalidArgument, "the strides %v are not those of %v", strides, typ.Dims)
		}
		step *= max(typ.Dims[i], 1)
	}
	size := typ.SizeBytes()
	if err := p.reserve(size); err != nil {
		return err
	}
	data, err := cpu.Default().Put(context.Background(), typ, unsafe.Slice((*byte)(a.Data), size), nil)
	if err != nil {
		return err
	}
	b, handle := p.newArray(on, typ)
	b.data = data
	b.work.end(nil)
	a.Buffer, a.DoneWithHostBuffer = handle, p.newEvent(b.work)
	return nil
}

// reserve counts the memory of a buffer.
func (p *Plugin) reserve(size int64) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if limit := p.config.Limit; limit != 0 && p.inUse+size > limit {
		return fail(abi.ResourceExhausted, "Out of memory while trying to allocate %d bytes.", size)
	}
	p.inUse += size
	return nil
}

func (p *Plugin) release(size int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.inUse -= size
}

// toHost copies to the host in row-major order, asynchronously.
func (p *Plugin) toHost(a *abi.BufferToHostBufferArgs) error {
	b, err := the[*array](uintptr(a.Src))
	if err != nil {
		return err
	}
	if b.deleted.Load() {
		return fail(abi.InvalidArgument, "Buffer has been deleted or donated.")
	}
	if err := checkRowMajor(a.HostLayout, len(b.typ.Dims)); err != nil {
		return err
	}
	size := b.typ.SizeBytes()
	if a.Dst == nil {
		a.DstSize = uintptr(size)
		return nil
	}
	if int64(a.DstSize) < size {
		return fail(abi.InvalidArgument, "dst_size is %d, at least %d are needed", a.DstSize, size)
	}
	dst, done := unsafe.Slice((*byte)(a.Dst), size), newWork()
	a.Event = p.newEvent(done)
	p.running.Add(1)
	go func() {
		defer p.running.Done()
		<-b.work.done
		if b.work.err != nil {
			done.end(b.work.err)
			return
		}
		done.end(b.data.Read(context.Background(), dst))
	}()
	return nil
}

func checkRowMajor(l *abi.MemoryLayout, rank int) error {
	if l == nil {
		return fail(abi.InvalidArgument, "no layout was asked for: the device's might be any")
	}
	if l.StructSize < abi.MemoryLayoutSize || l.Type != abi.LayoutTiled || int(l.Tiled.MinorToMajorSize) != rank {
		return fail(abi.InvalidArgument, "the layout of a host buffer is wrong")
	}
	for i, d := range unsafe.Slice(l.Tiled.MinorToMajor, rank) {
		if d != int64(rank-1-i) {
			return fail(abi.InvalidArgument, "the layout of a host buffer is not row-major")
		}
	}
	return nil
}

// copyTo makes a buffer of the same contents on another device.
func (p *Plugin) copyTo(a *abi.BufferCopyToDeviceArgs) error {
	b, err := the[*array](uintptr(a.Buffer))
	if err != nil {
		return err
	}
	to, err := the[*device](uintptr(a.DstDevice))
	if err != nil {
		return err
	}
	if err := p.reserve(b.typ.SizeBytes()); err != nil {
		return err
	}
	c, handle := p.newArray(to, b.typ)
	a.DstBuffer = handle
	p.running.Add(1)
	go func() {
		defer p.running.Done()
		<-b.work.done
		c.data = b.data
		c.work.end(b.work.err)
	}()
	return nil
}

var bufferFunctions = map[abi.Function]function{
	abi.ClientBufferFromHostBuffer: with((*Plugin).put),
	abi.BufferToHostBuffer:         with((*Plugin).toHost),
	abi.BufferCopyToDevice:         with((*Plugin).copyTo),
	abi.BufferDestroy: free(func(b *array) error {
		b.plugin.release(b.typ.SizeBytes())
		return nil
	}),
	abi.BufferReadyEvent: with(func(p *Plugin, a *abi.BufferReadyEventArgs) error {
		return of(uintptr(a.Buffer), func(b *array) { a.Event = p.newEvent(b.work) })
	}),
	abi.BufferIsDeleted: with(func(_ *Plugin, a *abi.BufferIsDeletedArgs) error {
		return of(uintptr(a.Buffer), func(b *array) { a.IsDeleted = b.deleted.Load() })
	}),
	abi.BufferOnDeviceSizeInBytes: with(func(_ *Plugin, a *abi.BufferOnDeviceSizeInBytesArgs) error {
		return of(uintptr(a.Buffer), func(b *array) { a.OnDeviceSizeInBytes = uintptr(b.typ.SizeBytes()) })
	}),
}
