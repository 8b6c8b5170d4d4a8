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

// isReplicated reports whether every device has the full tensor.
func (l *layout) isReplicated() bool {
	return !slices.ContainsFunc(l.spec, func(axes []string) bool { return len(axes) > 0 })
}

// local returns the type of a part.
func (l *layout) local(t backend.Type) (backend.Type, error) {
	dims, err := l.mesh.Local(l.spec, t.Dims)
	return backend.Type{DType: t.DType, Dims: dims}, err
}

// sharded is a tensor in shards, one on each of the devices of a mesh: the result of a sharded program. The
// shards on devices of other processes belong to these. Sharded programs use the shards directly; other uses
// join them to the full tensor.
type sharded struct {
	layout
	t     backend.Type
	parts []*buffer // by the number of the partition; nil for those of other processes

	mu     sync.Mutex
	joined *buffer // the full tensor on the first device, once it was needed
}

// own returns the shards of this process; there is at least one.
func (s *sharded) own() []*buffer {
	return slices.DeleteFunc(slices.Clone(s.parts), func(b *buffer) bool { return b == nil })
}

// first returns the first part of this process.
func (s *sharded) first() *buffer { return s.own()[0] }

func (s *sharded) Type() backend.Type { return s.t }

// Device returns the first of the devices of this process.
func (s *sharded) Device() backend.Device { return s.first().on }

// Await awaits the parts of this process.
func (s *sharded) Await(ctx context.Context) error {
	for _, p := range s.own() {
		if err := p.Await(ctx); err != nil {
			return err
		}
	}
	return nil
}

// Read joins the parts, which must all be on devices of this process.
func (s *sharded) Read(ctx context.Context, dst []byte) error {
	if int64(len(dst)) != s.t.SizeBytes() {
		return fmt.Errorf("xla: a buffer of %d bytes cannot be read into %d bytes", s.t.SizeBytes(), len(dst))
	}
	if s.isReplicated() {
		return s.first().Read(ctx, dst)
	}
	holders, err := s.holders()
	if err != nil {
		return err
	}
	for _, d := range holders {
		p := s.parts[s.mesh.Devices[d]]
		part := make([]byte, p.t.SizeBytes())
		if err := p.Read(ctx, part); err != nil {
			return err
		}
		s.mesh.Join(dst, part, s.spec, s.t.Dims, p.t.Dims, p.t.DType.Size(), d)
	}
	return nil
}

// holders returns for each of the different parts a device of this process that has it.
func (s *sharded) holders() ([]int, error) {
	all := slices.Repeat([]int{-1}, s.mesh.Parts(s.spec))
	missing := len(all)
	for d, number := range s.mesh.Devices {
		if part := s.mesh.Part(s.spec, d); all[part] < 0 && s.parts[number] != nil {
			all[part] = d
			missing--
		}
	}
	if missing > 0 {
		return nil, &NotAddressableError{Client: s.first().on.name, Parts: len(all), Missing: missing}
	}
	return all, nil
}

// gather returns the tensor on the first device.
func (s *sharded) gather(ctx context.Context) (*buffer, error) {
	if s.isReplicated() {
		return s.first(), nil
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
	b, err := s.first().on.put(s.t, data)
	s.joined = b
	return b, err
}

// Release frees all parts.
func (s *sharded) Release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	release(append(s.own(), s.joined))
}

func release(list []*buffer) {
	for _, b := range list {
		if b != nil {
			b.Release()
		}
	}
}

// Shards returns the parts of this process, which live as long as the tensor.
func (s *sharded) Shards() []backend.Buffer {
	var all []backend.Buffer
	for _, p := range s.own() {
		all = append(all, &tensorPart{p, s})
	}
	return all
}

// tensorPart is a part of a tensor that has more.
type tensorPart struct {
	*buffer
	of *sharded
}

// Release leaves the part to the tensor that it is of.
func (*tensorPart) Release() {}

// executeSharded is Execute on the devices of a mesh that are of this process.
func (e *executable) executeSharded(ctx context.Context, args []backend.Buffer) ([]backend.Buffer, error) {
	lists := make([][]*pjrt.Buffer, len(e.on.own))
	for k := range lists {
		lists[k] = make([]*pjrt.Buffer, len(args))
	}
	var made []*buffer // for this call
	defer func() { release(made) }()
	for i, a := range args {
		parts, new, err := e.cut(ctx, i, a)
		made = append(made, new...)
		if err != nil {
			return nil, err
		}
		for k, p := range e.on.own {
			lists[k][i] = parts[p].b
		}
	}
	out, err := e.x.ExecuteSharded(e.on.pluginDevices(), lists, e.donates)
	if err != nil {
		return nil, e.client.fail("running", err)
	}
	results := make([]backend.Buffer, len(e.outs))
	for i, t := range e.outs {
		r := &sharded{layout: newLayout(e.sharding, e.sharding.Outs[i]), t: t,
			parts: make([]*buffer, len(e.on.devices))}
		local, _ := r.local(t) // it was checked when the program was compiled
		for k, p := range e.on.own {
			r.parts[p] = newBuffer(e.on.devices[p], out[k][i], local)
		}
		results[i] = r
	}
	return results, nil
}

// cut returns the shards of an argument by partition, those of this process, and those of them that were
// created for the call. An argument on one device is the full tensor, the same in every process.
func (e *executable) cut(ctx context.Context, i int, a backend.Buffer) (parts, made []*buffer, err error) {
	l := e.inputs[i]
	if s, ok := a.(*sharded); ok && s.text == l.text && e.has(s) {
		return s.parts, nil, nil
	}
	b, err := e.argBuffer(ctx, i, a)
	if err != nil {
		return nil, nil, err
	}
	if l.isReplicated() {
		return e.copies(b)
	}
	data := make([]byte, b.t.SizeBytes())
	if err := b.Read(ctx, data); err != nil {
		return nil, nil, err
	}
	return e.cutData(l, b.t, data)
}

// has reports whether the parts of a tensor are on the program's devices.
func (e *executable) has(s *sharded) bool {
	return slices.EqualFunc(s.parts, e.on.devices, func(b *buffer, d *device) bool {
		return b == nil && d == nil || b != nil && b.on == d
	})
}

// copies returns a buffer on each device.
func (e *executable) copies(b *buffer) (parts, made []*buffer, err error) {
	parts = make([]*buffer, len(e.on.devices))
	for _, p := range e.on.own {
		d := e.on.devices[p]
		if d == b.on {
			parts[p] = b
			continue
		}
		c, err := b.copyTo(d)
		if err != nil {
			return nil, made, err
		}
		parts[p], made = c, append(made, c)
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
		on := e.on.devices[number]
		if on == nil {
			continue
		}
		l.mesh.Split(part, data, l.spec, t.Dims, local.Dims, t.DType.Size(), d)
		b, err := on.put(local, part)
		if err != nil {
			return nil, made, err
		}
		parts[number], made = b, append(made, b)
	}
	return parts, made, nil
}
