package interp

import (
	"slices"

	"github.com/go-nx/nx/stablehlo"
)

// strategy is how a collective op turns lists of ids into groups of processes.
type strategy uint8

const (
	crossReplica strategy = iota
	crossPartition
	crossReplicaAndPartition
	flattenedIDs
)

func channelOf(op *stablehlo.Op) int64 {
	if h, ok := op.Attr("channel_handle").(*stablehlo.ChannelHandle); ok {
		return h.Handle
	}
	return 0
}

// reducing returns the strategy of all_gather, all_reduce, reduce_scatter and
// collective_reduce.
func reducing(op *stablehlo.Op) strategy {
	switch {
	case op.Bool("use_global_device_ids", false):
		return flattenedIDs
	case channelOf(op) > 0:
		return crossReplicaAndPartition
	}
	return crossReplica
}

// moving returns the strategy of the other collective ops.
func moving(op *stablehlo.Op) strategy {
	if channelOf(op) > 0 {
		return crossPartition
	}
	return crossReplica
}

// group returns the group that holds the process; nil when none does.
func (f *frame) group(op *stablehlo.Op, by strategy) ([]*process, error) {
	lists, err := f.replicaGroups(op, by)
	if err != nil {
		return nil, err
	}
	for _, ids := range lists {
		g, err := f.proc.groupOf(by, ids)
		if g != nil || err != nil {
			return g, err
		}
	}
	return nil, nil
}

// groupOf returns the group of a list of ids in which p is a member, else nil.
func (p *process) groupOf(by strategy, ids []int64) ([]*process, error) {
	limit := p.grid.replicas
	switch by {
	case crossPartition:
		limit = p.grid.partitions
	case flattenedIDs:
		limit *= p.grid.partitions
	}
	var out []*process
	member := false
	add := func(replica, partition int) {
		out = append(out, &process{grid: p.grid, replica: replica, partition: partition})
		member = member || replica == p.replica && partition == p.partition
	}
	for _, id := range ids {
		if id < 0 || id >= int64(limit) {
			return nil, faultf(NoParallel, "there is no process %d among %d; the grid has %d replicas and %d partitions",
				id, limit, p.grid.replicas, p.grid.partitions)
		}
		switch by {
		case crossReplica:
			add(int(id), p.partition)
		case crossPartition:
			add(p.replica, int(id))
		case flattenedIDs:
			add(int(id)/p.grid.partitions, int(id)%p.grid.partitions)
		}
	}
	if by == crossReplicaAndPartition {
		for partition := range p.grid.partitions {
			for _, id := range ids {
				add(int(id), partition)
			}
		}
	}
	if !member {
		return nil, nil
	}
	return out, nil
}

// replicaGroups returns the lists of ids of an op. None at all stand for one
// group of everyone.
func (f *frame) replicaGroups(op *stablehlo.Op, by strategy) ([][]int64, error) {
	var lists [][]int64
	switch a := op.Attr("replica_groups").(type) {
	case *stablehlo.ElementsAttr:
		lists = rowsOf(a)
	case *stablehlo.ReplicaGroupMeshAxes:
		return f.meshGroups(a)
	}
	if len(lists) > 0 {
		return lists, nil
	}
	n := f.proc.grid.replicas
	switch by {
	case crossPartition:
		n = f.proc.grid.partitions
	case flattenedIDs:
		n *= f.proc.grid.partitions
	}
	all := make([]int64, n)
	for i := range all {
		all[i] = int64(i)
	}
	return [][]int64{all}, nil
}

// rowsOf returns the rows of a matrix of ids without the -1 that fill them up.
func rowsOf(a *stablehlo.ElementsAttr) [][]int64 {
	if len(a.Type.Dims) != 2 || a.Type.Dims[1] == 0 {
		return nil
	}
	var out [][]int64
	for row := range slices.Chunk(a.Int64s(), int(a.Type.Dims[1])) {
		out = append(out, slices.DeleteFunc(slices.Clone(row), func(id int64) bool { return id == -1 }))
	}
	return out
}

// meshGroups returns the groups that axes of a mesh make: devices that differ
// only in those axes, numbered with the first of them slowest.
func (f *frame) meshGroups(a *stablehlo.ReplicaGroupMeshAxes) ([][]int64, error) {
	mesh, err := f.mesh(a.Mesh)
	if err != nil {
		return nil, err
	}
	m, err := newMeshGrid(mesh, a.Axes)
	if err != nil {
		return nil, err
	}
	n := product(m.dims)
	devices := make([]int64, n)
	for i := range devices {
		devices[i] = int64(i)
	}
	if ids, ok := mesh.DeviceIDs.(*stablehlo.ElementsAttr); ok {
		devices = ids.Int64s()
	} else if ids, ok := mesh.DeviceIDs.(stablehlo.IntsAttr); ok {
		devices = ids.Values
	}
	if len(devices) != n {
		return nil, faultf(NoParallel, "a mesh of %d devices has %d device ids", n, len(devices))
	}
	steps := rowMajor(m.dims)
	var inner, outer []int // dimensions of the mesh
	for _, ref := range m.refs {
		inner = append(inner, ref...)
	}
	for d := range m.dims {
		if !slices.Contains(inner, d) {
			outer = append(outer, d)
		}
	}
	pick := func(ds []int) (dims []int64, st []int) {
		for _, d := range ds {
			dims, st = append(dims, m.dims[d]), append(st, steps[d])
		}
		return dims, st
	}
	od, os := pick(outer)
	id, is := pick(inner)
	var groups [][]int64
	at := newCounter(od, os)
	for range product(od) {
		var group []int64
		in := newCounter(id, is)
		for range product(id) {
			group = append(group, devices[at.at+in.at])
			in.next()
		}
		groups = append(groups, group)
		at.next()
	}
	return groups, nil
}

// mesh returns a mesh given in place or by the symbol of the op that holds it.
func (f *frame) mesh(a stablehlo.Attr) (*stablehlo.Mesh, error) {
	switch a := a.(type) {
	case *stablehlo.Mesh:
		return a, nil
	case stablehlo.SymbolAttr:
		for _, op := range f.it.module.Body().Ops {
			if op.Str("sym_name") != a.Name {
				continue
			}
			for _, name := range []string{"mesh", "stablehlo.mesh"} {
				if m, ok := op.Attr(name).(*stablehlo.Mesh); ok {
					return m, nil
				}
			}
		}
		return nil, faultf(NoParallel, "the module has no mesh @%s", a.Name)
	}
	return nil, faultf(NoParallel, "replica_groups without a mesh")
}

// meshGrid is a mesh whose axes are cut where references to sub-axes cut them.
type meshGrid struct {
	dims []int64
	refs [][]int // the dimensions that each reference stands for, in order
}

func newMeshGrid(mesh *stablehlo.Mesh, refs []stablehlo.Attr) (*meshGrid, error) {
	m := &meshGrid{refs: make([][]int, len(refs))}
	found := 0
	for _, x := range mesh.Axes {
		axis, ok := x.(*stablehlo.MeshAxis)
		if !ok || axis.Size < 1 {
			return nil, faultf(NoParallel, "a mesh axis has no size")
		}
		cuts := []int64{1, axis.Size} // products of the sizes of the parts before
		for _, r := range refs {
			if ref, ok := r.(*stablehlo.AxisRef); ok && ref.Name == axis.Name && ref.Size > 0 {
				cuts = append(cuts, max(ref.PreSize, 1), max(ref.PreSize, 1)*ref.Size)
			}
		}
		slices.Sort(cuts)
		cuts = slices.Compact(cuts)
		first := len(m.dims)
		for i, c := range cuts[1:] {
			if c%cuts[i] != 0 || c > axis.Size {
				return nil,
					faultf(NoParallel, "mesh axis %q of size %d cannot be cut at %d and %d", axis.Name, axis.Size, cuts[i], c)
			}
			m.dims = append(m.dims, c/cuts[i])
		}
		for i, r := range refs {
			ref, ok := r.(*stablehlo.AxisRef)
			if !ok || ref.Name != axis.Name {
				continue
			}
			found++
			lo, hi := int64(1), axis.Size
			if ref.Size > 0 {
				lo = max(ref.PreSize, 1)
				hi = lo * ref.Size
			}
			for k, c := range cuts[1:] {
				if cuts[k] >= lo && c <= hi {
					m.refs[i] = append(m.refs[i], first+k)
				}
			}
		}
	}
	if found != len(refs) {
		return nil, faultf(NoParallel, "replica_groups names an axis that the mesh does not have")
	}
	return m, nil
}
