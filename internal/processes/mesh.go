package processes

import (
	"slices"

	"github.com/go-nx/nx/stablehlo"
)

// meshGroups returns the groups that axes of a mesh make: devices that differ
// only in those axes, numbered with the first of them slowest.
func meshGroups(a *stablehlo.ReplicaGroupMeshAxes, meshOf MeshOf) ([][]int64, error) {
	mesh, err := meshIn(a.Mesh, meshOf)
	if err != nil {
		return nil, err
	}
	m, err := newMeshGrid(mesh, a.Axes)
	if err != nil {
		return nil, err
	}
	steps, n := make([]int, len(m.dims)), 1
	for d := len(m.dims) - 1; d >= 0; d-- {
		steps[d] = n
		n *= int(m.dims[d])
	}
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
		return nil, errorf("a mesh of %d devices has %d device ids", n, len(devices))
	}
	var inner, outer []int // dimensions of the mesh
	for _, ref := range m.refs {
		inner = append(inner, ref...)
	}
	for d := range m.dims {
		if !slices.Contains(inner, d) {
			outer = append(outer, d)
		}
	}
	var groups [][]int64
	for _, first := range m.offsets(outer, steps) {
		var group []int64
		for _, at := range m.offsets(inner, steps) {
			group = append(group, devices[first+at])
		}
		groups = append(groups, group)
	}
	return groups, nil
}

// offsets returns where the indices over some dimensions are, the last dimension fastest.
func (m *meshGrid) offsets(dims, steps []int) []int {
	at := []int{0}
	for _, d := range dims {
		next := make([]int, 0, len(at)*int(m.dims[d]))
		for _, x := range at {
			for i := range int(m.dims[d]) {
				next = append(next, x+i*steps[d])
			}
		}
		at = next
	}
	return at
}

// meshIn returns an inline mesh, or the mesh of a symbol in the enclosing op.
func meshIn(a stablehlo.Attr, meshOf MeshOf) (*stablehlo.Mesh, error) {
	switch a := a.(type) {
	case *stablehlo.Mesh:
		return a, nil
	case stablehlo.SymbolAttr:
		if m := meshOf(a.Name); m != nil {
			return m, nil
		}
		return nil, errorf("the module has no mesh @%s", a.Name)
	}
	return nil, errorf("replica_groups needs a mesh")
}

// MeshIn finds the meshes of a module.
func MeshIn(m *stablehlo.Module) MeshOf {
	return func(symbol string) *stablehlo.Mesh {
		for _, op := range m.Body().Ops {
			if op.Str("sym_name") != symbol {
				continue
			}
			for _, name := range []string{"mesh", "stablehlo.mesh"} {
				if m, ok := op.Attr(name).(*stablehlo.Mesh); ok {
					return m
				}
			}
		}
		return nil
	}
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
			return nil, errorf("the size of a mesh axis must be positive")
		}
		cuts := []int64{1, axis.Size} // cumulative sizes of the sub-axes
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
				return nil, errorf("mesh axis %q of size %d cannot be cut at %d and %d", axis.Name,
					axis.Size, cuts[i], c)
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
		return nil, errorf("replica_groups names an axis that is not in the mesh")
	}
	return m, nil
}
