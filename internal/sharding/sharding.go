// Package sharding reads and writes how tensors are cut over a mesh of devices, in the
// text that the dialect sdy has for it, and moves elements between tensors and their parts.
package sharding

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/go-nx/nx/stablehlo"
)

// Axis is an axis of a mesh.
type Axis struct {
	Name string
	Size int
}

// Mesh is a grid of devices, numbered with the last axis fastest.
type Mesh []Axis

// Devices returns the number of devices.
func (m Mesh) Devices() int {
	n := 1
	for _, a := range m {
		n *= a.Size
	}
	return n
}

// Size returns the size of an axis, 0 for one that the mesh does not have.
func (m Mesh) Size(axis string) int {
	if i := m.index(axis); i >= 0 {
		return m[i].Size
	}
	return 0
}

func (m Mesh) index(axis string) int {
	return slices.IndexFunc(m, func(a Axis) bool { return a.Name == axis })
}

// At returns the coordinate of a device along an axis.
func (m Mesh) At(device int, axis string) int {
	for i := len(m) - 1; i >= 0; i-- {
		if m[i].Name == axis {
			return device % m[i].Size
		}
		device /= m[i].Size
	}
	return 0
}

// Groups returns the devices that differ only along some axes: the members of a group are in the order of the
// given axes, the last one fastest.
func (m Mesh) Groups(axes []string) [][]int64 {
	var groups [][]int64
	for d := range m.Devices() {
		if slices.ContainsFunc(axes, func(a string) bool { return m.At(d, a) != 0 }) {
			continue
		}
		group := []int64{int64(d)}
		for _, a := range axes {
			var next []int64
			for _, first := range group {
				for i := range m.Size(a) {
					next = append(next, first+int64(i*m.stride(a)))
				}
			}
			group = next
		}
		groups = append(groups, group)
	}
	return groups
}

// stride returns the distance of consecutive devices along an axis.
func (m Mesh) stride(axis string) int { return m[m.index(axis)+1:].Devices() }

// Spec reports along which axes each dimension of a tensor is cut, the first axis into the
// largest parts.
type Spec [][]string

// Uses reports whether a dimension is cut along an axis.
func (s Spec) Uses(axis string) bool {
	return slices.ContainsFunc(s, func(axes []string) bool { return slices.Contains(axes, axis) })
}

// MeshAttr returns the attribute of an op sdy.mesh.
func MeshAttr(m Mesh) stablehlo.Attr {
	axes := make([]string, len(m))
	for i, a := range m {
		axes[i] = fmt.Sprintf("%q=%d", a.Name, a.Size)
	}
	return stablehlo.OpaqueAttr{Text: "sdy.mesh<[" + strings.Join(axes, ", ") + "]>"}
}

// Text returns a sharding as an attribute has it: <@mesh, [{"x"}, {}]>.
func (s Spec) Text(mesh string) string {
	dims := make([]string, len(s))
	for i, axes := range s {
		dims[i] = "{" + quoted(axes) + "}"
	}
	return "<@" + mesh + ", [" + strings.Join(dims, ", ") + "]>"
}

// AttrName is the name of the attribute of an argument or a result of a function.
const AttrName = "sdy.sharding"

// Attr returns that attribute.
func (s Spec) Attr(mesh string) stablehlo.Attr {
	return stablehlo.OpaqueAttr{Text: AttrName + s.Text(mesh)}
}

// PerValueAttr returns the shardings of the operands or results of an op.
func PerValueAttr(mesh string, specs []Spec) stablehlo.Attr {
	all := make([]string, len(specs))
	for i, s := range specs {
		all[i] = s.Text(mesh)
	}
	return stablehlo.OpaqueAttr{Text: "sdy.sharding_per_value<[" + strings.Join(all, ", ") + "]>"}
}

// ManualAxesAttr returns the attribute manual_axes.
func ManualAxesAttr(axes []string) stablehlo.Attr {
	return stablehlo.OpaqueAttr{Text: "sdy<manual_axes{" + quoted(axes) + "}>"}
}

func quoted(names []string) string {
	all := make([]string, len(names))
	for i, n := range names {
		all[i] = strconv.Quote(n)
	}
	return strings.Join(all, ", ")
}

// Manual holds the attributes of an op sdy.manual_computation.
type Manual struct {
	Name      string // of the mesh
	Mesh      Mesh
	Devices   []int64 // the number of the process that each device of the mesh is
	Ins, Outs []Spec
	Axes      []string // that the computation is manual along
}

// Local returns the types of parts: those that the computation takes or returns.
func (m *Manual) Local(s Spec, dims []int64) ([]int64, error) {
	if len(s) > len(dims) {
		return nil, fmt.Errorf("a sharding of %d dimensions does not fit the shape %v", len(s), dims)
	}
	local := slices.Clone(dims)
	for d, axes := range s {
		for _, a := range axes {
			n := int64(m.Mesh.Size(a))
			if n == 0 || local[d]%n != 0 {
				return nil, fmt.Errorf("dimension %d of shape %v cannot be cut along axis %q of size %d", d, dims, a, n)
			}
			local[d] /= n
		}
	}
	return local, nil
}

// GroupAttrs returns the attributes of a collective op among groups of partitions.
func GroupAttrs(groups [][]int64) []stablehlo.OpPart {
	ids, err := stablehlo.Elements(slices.Concat(groups...), int64(len(groups)), int64(len(groups[0])))
	if err != nil {
		panic(err) // the groups are of one size
	}
	return []stablehlo.OpPart{stablehlo.Named("replica_groups", ids), ChannelAttr(),
		stablehlo.Named("use_global_device_ids", stablehlo.UnitAttr{})}
}

// ChannelAttr returns the channel of an op between partitions.
func ChannelAttr() stablehlo.NamedAttr {
	return stablehlo.Named("channel_handle", &stablehlo.ChannelHandle{Handle: 1, Type: 1})
}
