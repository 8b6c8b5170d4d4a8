package xla

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/go-nx/nx/internal/pjrt"
	"github.com/go-nx/nx/internal/sharding"
)

// member is a device that meshes are laid over.
type member struct {
	id, process int
	device      *device // nil for one of another process
}

// findMembers lists the devices of all processes as every one of them does: by processes, and in
// each by numbers. Those of a single process are in the order of the plugin.
func (c *core) findMembers() {
	own := map[int]*device{}
	for _, d := range c.devices {
		d := d.(*device)
		own[d.device.ID] = d
		c.members = append(c.members, member{d.device.ID, d.device.Process, d})
	}
	all := c.client.AllDevices()
	if len(all) <= len(own) {
		return
	}
	c.members = nil
	for _, d := range all {
		c.members = append(c.members, member{d.ID, d.Process, own[d.ID]})
	}
	slices.SortStableFunc(c.members, func(a, b member) int {
		return cmp.Or(cmp.Compare(a.process, b.process), cmp.Compare(a.id, b.id))
	})
}

// meshMembers returns the devices that a mesh takes, the first ones.
func (c *Client) meshMembers() []member {
	switch {
	case c.pinned:
		d := c.core.devices[c.device].(*device)
		return []member{{d.device.ID, d.device.Process, d}}
	case c.local:
		return slices.DeleteFunc(slices.Clone(c.members), func(m member) bool { return m.device == nil })
	}
	return c.members
}

// LocalDevices restricts meshes to devices of this process, for a client whose devices belong to several
// processes.
func LocalDevices() Option {
	return option(func(_ *core, o *options) error { o.local = true; return nil })
}

// AllDevices describes the devices of all processes that share them, in the order in which meshes
// take them. Those of other processes have no counts of memory.
func (c *Client) AllDevices() []DeviceInfo {
	described := map[int]pjrt.Description{}
	for _, d := range c.client.AllDevices() {
		described[d.ID] = d
	}
	all := make([]DeviceInfo, len(c.members))
	for i, m := range c.members {
		if m.device != nil {
			all[i] = m.device.info()
		} else {
			all[i] = infoOf(described[m.id])
		}
	}
	return all
}

// meshDevices is the devices of a program that is spread over some, by partition.
type meshDevices struct {
	devices []*device // nil for one of another process
	own     []int     // the partitions of this process
}

// meshDevices returns the devices of a program over a mesh.
func (c *Client) meshDevices(s *sharding.Manual) (span meshDevices, err error) {
	all := c.meshMembers()
	n := s.Mesh.Devices()
	if n > len(all) {
		return span, fmt.Errorf("xla: the program needs a mesh of %d devices, the client %s has %d", n, c.name, len(all))
	}
	for p, m := range all[:n] {
		span.devices = append(span.devices, m.device)
		if m.device != nil {
			span.own = append(span.own, p)
		}
	}
	if span.own == nil {
		return span, fmt.Errorf("xla: no device of the mesh belongs to this process, number %d: meshes take the "+
			"first devices of all processes\n    hint: a mesh of all %d devices, or this process's own with xla.LocalDevices",
			c.Process(), len(all))
	}
	return span, nil
}

// isShared reports whether a program over a mesh is one of several processes.
func (c *Client) isShared(s *sharding.Manual) bool {
	span, err := c.meshDevices(s)
	return err == nil && len(span.own) < len(span.devices)
}

// pluginDevices returns the plugin's devices of this process.
func (s *meshDevices) pluginDevices() []*pjrt.Device {
	list := make([]*pjrt.Device, len(s.own))
	for k, p := range s.own {
		list[k] = s.devices[p].device
	}
	return list
}

// check refuses an executable that the plugin has on other devices than a mesh takes: parts would
// be somebody else's.
func (s *meshDevices) check(x *pjrt.Loaded) error {
	theirs, err := x.Devices()
	if err != nil || theirs == nil || slices.Equal(theirs, s.pluginDevices()) {
		return err
	}
	name := func(list []*pjrt.Device) (ids []int) {
		for _, d := range list {
			ids = append(ids, d.ID)
		}
		return ids
	}
	return fmt.Errorf("the program runs on the devices %v, but the mesh has %v in this process", name(theirs),
		name(s.pluginDevices()))
}
