package xla

import (
	"fmt"

	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/internal/sharding"
)

// Assemble makes a tensor of parts, one on each of this process's devices of a mesh, which takes them
// over.
func (c *Client) Assemble(t backend.Type, cut backend.Cut, parts []backend.Buffer) (backend.Buffer, error) {
	m := &sharding.Manual{}
	for i, name := range cut.Axes {
		m.Mesh = append(m.Mesh, sharding.Axis{Name: name, Size: cut.Sizes[i]})
	}
	for d := range m.Mesh.Devices() {
		m.Devices = append(m.Devices, int64(d))
	}
	span, err := c.meshDevices(m)
	if err != nil {
		return nil, err
	}
	if len(parts) != len(span.own) {
		return nil, fmt.Errorf("xla: there must be one part for each device of the mesh in this process: got %d parts for %d devices", len(parts),
			len(span.own))
	}
	s := &sharded{layout: newLayout(m, cut.Dims), t: t, parts: make([]*buffer, len(span.devices))}
	local, err := s.local(t)
	if err != nil {
		return nil, err
	}
	for k, p := range span.own {
		b, ok := parts[k].(*buffer)
		if !ok {
			return nil, fmt.Errorf("xla: part %d must be a tensor on one device, not sharded or a shard of another one: copy it (nx.Transfer)", k)
		}
		if b.on != span.devices[p] {
			return nil, fmt.Errorf("xla: part %d must be on its device of the mesh, %[3]s, got %[2]s: move it (nx.Transfer)", k, b.on,
				span.devices[p])
		}
		if b.t.DType != t.DType || b.t.SizeBytes() != local.SizeBytes() {
			return nil, fmt.Errorf("xla: part %d has %d bytes, want %d", k, b.t.SizeBytes(), local.SizeBytes())
		}
		s.parts[p] = b
	}
	return s, nil
}
