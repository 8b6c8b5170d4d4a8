package xla

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/internal/pjrt"
	"github.com/go-nx/nx/internal/sharding"
)

// layout is how a tensor is cut over the first devices of a client.
type layout struct {
	mesh *sharding.Manual
	spec sharding.Spec
	text string // equal for equal layouts
}

func newLayout(s *sharding.Manual, spec sharding.Spec) layout {
	return layout{s, spec, fmt.Sprint(s.Mesh, s.Devices, spec)}
}

// isWhole reports whether every device has the whole tensor.
func (l *layout) isWhole() bool {
	return !slices.ContainsFunc(l.spec, func(axes []string) bool { return len(axes) > 0 })
}

// local returns the type of a part.
func (l *layout) local(t backend.Type) (backend.Type, error) {
	dims, err := l.mesh.Local(l.spec, t.Dims)
	return backend.Type{DType: t.DType, Dims: dims}, err
}

// sharded is a tensor in parts, one on each of the first devices of a client: what a program
// that is spread over devices returns. Such programs take the parts as they are; what needs
// the whole tensor joins it.
type sharded struct {
	layout
	t     backend.Type
	parts []*buffer // by the number of the partition, as the devices

	mu     sync.Mutex
	joined *buffer // the whole tensor on the first device, once it was needed
}

func (s *sharded) Type() backend.Type { return s.t }

// Device returns the first of the devices.
func (s *sharded) Device() backend.Device { return s.parts[0].on }

// Await awaits all parts.
func (s *sharded) Await(ctx context.Context) error {
	for _, p := range s.parts {
		if err := p.Await(ctx); err != nil {
			return err
		}
	}
	return nil
}

// Read joins the parts.
func (s *sharded) Read(ctx context.Context, dst []byte) error {
	if int64(len(dst)) != s.t.SizeBytes() {
		return fmt.Errorf("xla: a buffer of %d bytes read into %d", s.t.SizeBytes(), len(dst))
	}
	if s.isWhole() {
		return s.parts[0].Read(ctx, dst)
	}
	for d, number := range s.mesh.Devices {
		if !s.mesh.Owns(s.spec, d) {
			continue
		}
		p := s.parts[number]
		part := make([]byte, p.t.SizeBytes())
		if err := p.Read(ctx, part); err != nil {
			return err
		}
		s.mesh.Join(dst, part, s.spec, s.t.Dims, p.t.Dims, p.t.DType.Size(), d)
	}
	return nil
}

// whole returns the tensor on the first device.
func (s *sharded) whole(ctx context.Context) (*buffer, error) {
	if s.isWhole() {
		return s.parts[0], nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.joined != nil {
		return s.joined, nil
	}
	data := make([]byte, s.t.SizeBytes())
	if err := s.Read(ctx, data); err != nil {
		return nil, err
	}
	b, err := s.parts[0].on.put(s.t, data)
	s.joined = b
	return b, err
}

// Release frees all parts.
func (s *sharded) Release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	release(append(s.parts[:len(s.parts):len(s.parts)], s.joined))
}

func release(list []*buffer) {
	for _, b := range list {
		if b != nil {
			b.Release()
		}
	}
}

// Shards returns the parts, which live as long as the tensor.
func (s *sharded) Shards() []backend.Buffer {
	all := make([]backend.Buffer, len(s.parts))
	for i, p := range s.parts {
		all[i] = &shard{p, s}
	}
	return all
}

// shard is a part of a tensor that has more.
type shard struct {
	*buffer
	of *sharded
}

// Release leaves the part to the tensor that it is of.
func (*shard) Release() {}

// executeSharded is Execute on all devices of a mesh.
func (e *executable) executeSharded(ctx context.Context, args []backend.Buffer) ([]backend.Buffer, error) {
	n := e.spread.Mesh.Devices()
	on, lists := make([]*pjrt.Device, n), make([][]*pjrt.Buffer, n)
	for p := range on {
		on[p], lists[p] = e.device(p).device, make([]*pjrt.Buffer, len(args))
	}
	var made []*buffer // for this call
	defer func() { release(made) }()
	for i, a := range args {
		parts, new, err := e.cut(ctx, i, a)
		made = append(made, new...)
		if err != nil {
			return nil, err
		}
		for p, b := range parts {
			lists[p][i] = b.b
		}
	}
	out, err := e.x.ExecuteSharded(on, lists, e.donates)
	if err != nil {
		return nil, e.client.fail("running", err)
	}
	results := make([]backend.Buffer, len(e.outs))
	for i, t := range e.outs {
		r := &sharded{layout: newLayout(e.spread, e.spread.Outs[i]), t: t}
		local, _ := r.local(t) // it was checked when the program was compiled
		for p := range out {
			r.parts = append(r.parts, newBuffer(e.device(p), out[p][i], local))
		}
		results[i] = r
	}
	return results, nil
}

// device returns the device of a partition.
func (e *executable) device(partition int) *device { return e.client.core.devices[partition].(*device) }

// cut returns the parts of an argument, and those of them that were made for the call.
func (e *executable) cut(ctx context.Context, i int, a backend.Buffer) (parts, made []*buffer, err error) {
	l := e.inputs[i]
	if s, ok := a.(*sharded); ok && s.parts[0].on.core == e.client.core && s.text == l.text {
		return s.parts, nil, nil
	}
	b, err := e.whole(ctx, i, a)
	if err != nil {
		return nil, nil, err
	}
	if l.isWhole() {
		return e.copies(b)
	}
	data := make([]byte, b.t.SizeBytes())
	if err := b.Read(ctx, data); err != nil {
		return nil, nil, err
	}
	return e.cutData(l, b.t, data)
}

// copies returns a buffer on each device.
func (e *executable) copies(b *buffer) (parts, made []*buffer, err error) {
	for p := range e.spread.Mesh.Devices() {
		if e.device(p) == b.on {
			parts = append(parts, b)
			continue
		}
		c, err := b.copyTo(e.device(p))
		if err != nil {
			return nil, made, err
		}
		parts, made = append(parts, c), append(made, c)
	}
	return parts, made, nil
}

// cutData puts the parts of a tensor on their devices.
func (e *executable) cutData(l layout, t backend.Type, data []byte) (parts, made []*buffer, err error) {
	local, err := l.local(t)
	if err != nil {
		return nil, nil, err
	}
	parts = make([]*buffer, len(l.mesh.Devices))
	part := make([]byte, local.SizeBytes())
	for d, number := range l.mesh.Devices {
		l.mesh.Split(part, data, l.spec, t.Dims, local.Dims, t.DType.Size(), d)
		b, err := e.device(int(number)).put(local, part)
		if err != nil {
			return nil, made, err
		}
		parts[number], made = b, append(made, b)
	}
	return parts, made, nil
}
