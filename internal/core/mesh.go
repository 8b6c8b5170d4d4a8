package core

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-nx/nx/internal/sharding"
	"github.com/go-nx/nx/stablehlo"
)

// Mesh is shard.Mesh.
type Mesh []MeshAxis

// MeshAxis is shard.Axis.
type MeshAxis struct {
	Name string
	Size int
}

// Sharding is shard.Sharding.
type Sharding []string

// text shows the axes: data: 2, model: 2.
func (m Mesh) text() string {
	all := make([]string, len(m))
	for i, a := range m {
		all[i] = fmt.Sprintf("%s: %d", a.Name, a.Size)
	}
	return strings.Join(all, ", ")
}

// grid returns the mesh in the form of package sharding.
func (m Mesh) grid() sharding.Mesh {
	g := make(sharding.Mesh, len(m))
	for i, a := range m {
		g[i] = sharding.Axis(a)
	}
	return g
}

// maxMesh bounds the devices of a mesh.
const maxMesh = 10_000

func (m Mesh) check(op string) {
	n := 1
	for i, a := range m {
		switch {
		case !isAxisName(a.Name):
			fail(ErrArgument, op, "as in shard.Mesh{{Name: \"data\", Size: 2}}",
				"the name of a mesh axis must consist of letters, digits and _, got %q", a.Name)
		case slices.ContainsFunc(m[:i], func(b MeshAxis) bool { return b.Name == a.Name }):
			fail(ErrArgument, op, "", "two axes of the mesh have the name %q", a.Name)
		case a.Size < 1 || a.Size > maxMesh/n:
			fail(ErrArgument, op, "", "axis %q of the mesh has the size %d: a mesh has 1 to %d devices", a.Name, a.Size,
				maxMesh)
		}
		n *= a.Size
	}
	if len(m) == 0 {
		fail(ErrArgument, op, "as in shard.Mesh{{Name: \"data\", Size: 2}}", "the mesh must have at least one axis")
	}
}

func isAxisName(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return !(r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z')
	})
}

// symbol returns the name of the mesh in a module: equal meshes are one. That of no mesh is "".
func (m Mesh) symbol() string {
	if m == nil {
		return ""
	}
	name := "mesh"
	for _, a := range m {
		name += fmt.Sprintf("_%s_%d", a.Name, a.Size)
	}
	return name
}

// module returns a module that names the mesh.
func (m Mesh) module() *stablehlo.Module {
	module := stablehlo.NewModule("")
	module.Body().Append(stablehlo.NewOp(stablehlo.OpSdyMesh, nil, nil,
		stablehlo.Named("sym_name", stablehlo.StringAttr(m.symbol())),
		stablehlo.Named("mesh", sharding.MeshAttr(m.grid()))))
	return module
}

// spec reads the sharding of a tensor, whose axes it names what.
func (m Mesh) spec(op, what string, s Sharding, t *Spec) sharding.Spec {
	if len(s) > len(t.Shape) {
		fail(ErrShape, op, "a sharding has at most one entry for each axis",
			"the sharding %q of %s has %d entries: that is a %s",
			[]string(s), what, len(s), t)
	}
	out := make(sharding.Spec, len(t.Shape))
	seen := map[string]bool{}
	for i := range out {
		if i >= len(s) || s[i] == "" {
			continue
		}
		for _, axis := range strings.Split(s[i], ",") {
			if m.grid().Size(axis) == 0 {
				fail(ErrNames, op, "", "the sharding %q of %s names the axis %q: the mesh has %s",
					[]string(s), what, axis, m.text())
			}
			if seen[axis] {
				fail(ErrNames, op, "", "the sharding %q of %s names the axis %q twice", []string(s), what, axis)
			}
			seen[axis] = true
			out[i] = append(out[i], axis)
		}
	}
	return out
}

// resized returns the type with each axis that is cut divided, or multiplied, by the number of parts.
func (m Mesh) resized(op, what string, s sharding.Spec, t *Spec, local bool) *Spec {
	r := *t
	r.Shape = slices.Clone(t.Shape)
	for i, axes := range s {
		for _, a := range axes {
			n := m.grid().Size(a)
			switch {
			case !local:
				r.Shape[i] *= n
			case r.Shape[i]%n != 0:
				fail(ErrShape, op, "pad it (nx.Pad), or cut another axis",
					"axis %d of %s cannot be cut into equal parts along %q of size %d: that is a %s", i, what, a, n, t)
			default:
				r.Shape[i] /= n
			}
		}
	}
	r.plain = nil
	return intern(r)
}

// meshTrace returns the trace that a collective belongs to, with its mesh.
func meshTrace(op string, ins []Tensor) (*trace, Mesh) {
	tr := traceFor(ins)
	if s := currentStage(); s.t != nil && (tr == nil || s.t.id > tr.id) {
		tr = s.t
	}
	if tr != nil {
		if m, ok := tr.ctx.Value(meshKey{}).(Mesh); ok {
			return tr, m
		}
	}
	failOn(ErrTrace, op, ins, "call it in a function given to shard.Map", "a mesh is required")
	return nil, nil
}

// currentMesh returns the mesh of the [ShardMap] whose function this goroutine traces, nil for
// none.
func currentMesh() Mesh {
	s := currentStage()
	if s.t == nil {
		return nil
	}
	m, _ := s.t.ctx.Value(meshKey{}).(Mesh)
	return m
}

type meshKey struct{} // of the context of a trace: the mesh of the ShardMap that it is in
