package core

import (
	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/diag"
	"github.com/go-nx/nx/internal/sharding"
)

// Shards implements shard.Split.
func Shards(t Tensor) []Tensor {
	const op = "shard.Split"
	spec := t.must(op)
	if t.p.rec != nil && t.p.buf == nil {
		return []Tensor{t.checked(op)}
	}
	parts, ok := materialise(op, nil, t).(backend.Sharded)
	if !ok {
		return []Tensor{t.checked(op)}
	}
	var all []Tensor
	for _, b := range parts.Shards() {
		s := *spec
		s.Shape, s.plain = nil, nil
		for _, d := range b.Type().Dims {
			s.Shape = append(s.Shape, int(d))
		}
		part := newBorrowed(homeOf(b.Device()), intern(s), b)
		if l := tracking.Load(); l != nil && t.p.buf != nil {
			l.shared(part, t)
		}
		all = append(all, part)
	}
	return all
}

// FromShards implements shard.Join.
func FromShards(parts []Tensor, mesh Mesh, s Sharding) Tensor {
	const op = "shard.Join"
	mesh.check(op)
	if len(parts) == 0 {
		fail(ErrArgument, op, "give one for each device of this process", "at least one part is required")
	}
	local := parts[0].must(op)
	for _, t := range parts {
		if !t.must(op).Equal(*local) {
			failOn(ErrShape, op, parts, "a tensor is cut into equal parts: pad them (nx.Pad)", "the parts differ")
		}
	}
	refuseVectors(op, "vectorise what computes with the tensor", parts[0])
	cut := mesh.spec(op, "the tensor", s, local)
	whole := mesh.resized(op, "the tensor", cut, local, false)
	bufs, giveBack := takeParts(op, parts)
	h := homeOf(bufs[0].Device())
	client, ok := h.client.(backend.Assembler)
	if !ok {
		return joinParts(op, h, parts, bufs, whole, &sharding.Manual{Mesh: mesh.grid()}, cut, giveBack)
	}
	b, err := client.Assemble(whole.bufferType(), cutOf(mesh, cut), bufs)
	if err != nil {
		giveBack()
		failOn(ErrDevice, op, parts, "", "%v", err)
	}
	return newBuffer(homeOf(b.Device()), whole, b)
}

// cutOf returns a sharding in the form of package backend.
func cutOf(mesh Mesh, s sharding.Spec) backend.Cut {
	c := backend.Cut{Dims: s}
	for _, a := range mesh {
		c.Axes, c.Sizes = append(c.Axes, a.Name), append(c.Sizes, a.Size)
	}
	return c
}

// takeParts marks parts as donated and returns their buffers. giveBack undoes it.
func takeParts(op string, parts []Tensor) (bufs []backend.Buffer, giveBack func()) {
	by := &Invalidation{how: "made a part of another", pcs: diag.Stack()}
	var taken []*validity
	giveBack = func() {
		for _, v := range taken {
			v.ended.CompareAndSwap(by, nil)
		}
	}
	done := false
	defer func() {
		if !done {
			giveBack()
		}
	}()
	for i, t := range parts {
		if t.p.tr == nil && t.p.buf == nil {
			failOn(ErrDevice, op, parts, "make it of data (nx.New) and move that",
				"part %d is a constant, which is on no device", i)
		}
		b := materialise(op, nil, t)
		v := t.p.validity()
		if !v.invalidate(by) {
			v.check(op)
		}
		bufs, taken = append(bufs, b), append(taken, v)
	}
	done = true
	return bufs, giveBack
}

// joinParts makes the tensor on one device, where the devices of a mesh are processes that share it.
func joinParts(op string, h *home, parts []Tensor, bufs []backend.Buffer, whole *Spec, m *sharding.Manual,
	cut sharding.Spec, giveBack func()) Tensor {
	n := m.Mesh.Devices()
	if len(parts) != n {
		giveBack()
		failOn(ErrArgument, op, parts, "the client has one device, which stands for all of the mesh",
			"there are %d parts for a mesh of %d devices", len(parts), n)
	}
	t := whole.bufferType()
	data := make([]byte, t.SizeBytes())
	for d, b := range bufs {
		part := make([]byte, b.Type().SizeBytes())
		if err := b.Read(background, part); err != nil {
			giveBack()
			failRun(op, parts, err)
		}
		if m.Owns(cut, d) {
			m.Join(data, part, cut, t.Dims, b.Type().Dims, t.DType.Size(), d)
		}
	}
	b := h.upload(op, whole, data)
	for _, part := range bufs {
		part.Release()
	}
	return newBuffer(h, whole, b)
}
