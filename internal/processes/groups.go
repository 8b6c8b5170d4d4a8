package processes

import (
	"slices"

	"github.com/go-nx/nx/stablehlo"
)

// Strategy is the mapping of lists of ids to groups of processes.
type Strategy uint8

const (
	CrossReplica Strategy = iota
	CrossPartition
	CrossReplicaAndPartition
	FlattenedIDs
)

// ChannelOf returns the channel of an op, or 0.
func ChannelOf(op *stablehlo.Op) int64 {
	if h, ok := op.Attr("channel_handle").(*stablehlo.ChannelHandle); ok {
		return h.Handle
	}
	return 0
}

// Reducing returns the strategy of all_gather, all_reduce, reduce_scatter and
// collective_reduce.
func Reducing(op *stablehlo.Op) Strategy {
	switch {
	case op.Bool("use_global_device_ids", false):
		return FlattenedIDs
	case ChannelOf(op) > 0:
		return CrossReplicaAndPartition
	}
	return CrossReplica
}

// Moving returns the strategy of the other collective ops.
func Moving(op *stablehlo.Op) Strategy {
	if ChannelOf(op) > 0 {
		return CrossPartition
	}
	return CrossReplica
}

// MeshOf finds the mesh of a symbol.
type MeshOf func(symbol string) *stablehlo.Mesh

// Group returns the group of an op that contains the process, or nil.
func (p *Process) Group(op *stablehlo.Op, by Strategy, meshOf MeshOf) ([]ID, error) {
	lists, err := p.Grid.replicaGroups(op, by, meshOf)
	if err != nil {
		return nil, err
	}
	for _, ids := range lists {
		g, err := p.GroupOf(by, ids)
		if g != nil || err != nil {
			return g, err
		}
	}
	return nil, nil
}

// GroupOf returns the group of a list of ids in which p is a member, else nil.
func (p *Process) GroupOf(by Strategy, ids []int64) ([]ID, error) {
	limit := p.Grid.Replicas
	switch by {
	case CrossPartition:
		limit = p.Grid.Partitions
	case FlattenedIDs:
		limit *= p.Grid.Partitions
	}
	var out []ID
	for _, id := range ids {
		if id < 0 || id >= int64(limit) {
			return nil, errorf("the process must be below %[2]d, got %[1]d; the grid has %[3]d replicas and %[4]d partitions",
				id, limit, p.Grid.Replicas, p.Grid.Partitions)
		}
		switch by {
		case CrossReplica:
			out = append(out, ID{int(id), p.Partition})
		case CrossPartition:
			out = append(out, ID{p.Replica, int(id)})
		case FlattenedIDs:
			out = append(out, ID{int(id) / p.Grid.Partitions, int(id) % p.Grid.Partitions})
		}
	}
	if by == CrossReplicaAndPartition {
		for partition := range p.Grid.Partitions {
			for _, id := range ids {
				out = append(out, ID{int(id), partition})
			}
		}
	}
	if !slices.Contains(out, p.ID) {
		return nil, nil
	}
	return out, nil
}

// IndexIn returns where the process is in a group.
func (p *Process) IndexIn(group []ID) int { return slices.Index(group, p.ID) }

// replicaGroups returns the lists of ids of an op. None at all stand for one
// group of everyone.
func (g *Grid) replicaGroups(op *stablehlo.Op, by Strategy, meshOf MeshOf) ([][]int64, error) {
	var lists [][]int64
	switch a := op.Attr("replica_groups").(type) {
	case *stablehlo.ElementsAttr:
		lists = RowsOf(a)
	case *stablehlo.ReplicaGroupMeshAxes:
		return meshGroups(a, meshOf)
	}
	if len(lists) > 0 {
		return lists, nil
	}
	n := g.Replicas
	switch by {
	case CrossPartition:
		n = g.Partitions
	case FlattenedIDs:
		n *= g.Partitions
	}
	all := make([]int64, n)
	for i := range all {
		all[i] = int64(i)
	}
	return [][]int64{all}, nil
}

// RowsOf returns the rows of a matrix of ids without the -1 that fill them up.
func RowsOf(a *stablehlo.ElementsAttr) [][]int64 {
	if len(a.Type.Dims) != 2 || a.Type.Dims[1] == 0 {
		return nil
	}
	var out [][]int64
	for row := range slices.Chunk(a.Int64s(), int(a.Type.Dims[1])) {
		out = append(out, slices.DeleteFunc(slices.Clone(row), func(id int64) bool { return id == -1 }))
	}
	return out
}
