package core

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/go-nx/nx/internal/container"
	"github.com/go-nx/nx/internal/sharding"
)

// LeafShardings is shard.LeafShardings.
type LeafShardings []Sharding

// Shardings is shard.Shardings.
type Shardings interface{ Sharding | LeafShardings }

// shardings are those of a function on a mesh.
type shardings struct {
	mesh    Mesh
	in, out shardingList
}

// shardingList holds shardings of arguments or results.
type shardingList struct {
	what   string // "argument" or "result"
	all    []Sharding
	leaves []LeafShardings // or nil, where there is one for all tensors
}

// newShardings reads the shardings of a function on a mesh.
func newShardings[S Shardings](op string, c *callable, mesh Mesh, in, out []S) *shardings {
	if len(in) != len(c.args) || len(out) != len(c.results) {
		fail(ErrArgument, op, "one for each argument and result, {} for a replicated one",
			"there are %d and %d shardings for a function of %d arguments and %d results", len(in), len(out),
			len(c.args), len(c.results))
	}
	return &shardings{slices.Clone(mesh), newShardingList("argument", in), newShardingList("result", out)}
}

func newShardingList[S Shardings](what string, list []S) shardingList {
	switch list := any(list).(type) {
	case []Sharding:
		return shardingList{what: what, all: list}
	case []LeafShardings:
		return shardingList{what: what, leaves: list}
	}
	panic("nx: a type of Shardings without a case")
}

// each returns copies of values with other tensors: f receives a description of each tensor, for
// messages, and its sharding. Those that are not present have none: they are not among the leaves of a container.
func (s *shardingList) each(op string, plans []*container.Plan, values []reflect.Value, present func(Tensor) bool,
	f func(what string, of Sharding, t Tensor) Tensor) []reflect.Value {
	copies := make([]reflect.Value, len(values))
	for i, v := range values {
		copies[i] = addressable(v)
		k := 0
		replaceAt(op, plans[i], copies[i].Addr().UnsafePointer(), func(t Tensor) Tensor {
			if !present(t) {
				return t
			}
			what, of := fmt.Sprintf("%s %d", s.what, i), Sharding(nil)
			switch {
			case s.leaves == nil:
				of = s.all[i]
			case k < len(s.leaves[i]):
				of = s.leaves[i][k]
				what = fmt.Sprintf("tensor %d of %s", k, what)
			}
			k++
			return f(what, of, t)
		})
		if s.leaves != nil && k != len(s.leaves[i]) {
			fail(ErrArgument, op, "one for each, {} for a replicated one",
				"there are %d shardings for the %s of %s %d",
				len(s.leaves[i]), plural(k, "tensor", "tensors"), s.what, i)
		}
	}
	return copies
}

// isPresent reports whether a tensor of a container is not left out.
func isPresent(t Tensor) bool { return t.p != nil }

// specs returns how the tensors of arguments are cut, without the absent ones.
func (s *shardings) specs(op string, c *callable, args []reflect.Value) (specs []sharding.Spec) {
	s.in.each(op, c.args, args, isPresent, func(what string, of Sharding, t Tensor) Tensor {
		specs = append(specs, s.mesh.spec(op, what, of, t.p.spec))
		return t
	})
	return specs
}
