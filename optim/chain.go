package optim

import (
	"fmt"
	"maps"
	"slices"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/diag"
)

type chain []Transform

// Chain applies transforms one after another. Its state is the list of theirs.
func Chain(ts ...Transform) Transform { return chain(ts) }

func (c chain) Init(params []Leaf) State {
	states := make([]State, len(c))
	for i, t := range c {
		states[i] = t.Init(params)
	}
	return states
}

func (c chain) Update(updates []Leaf, s State, step Step) ([]Leaf, State) {
	old := stateOf[[]State](s, "Chain")
	if len(old) != len(c) {
		panic(diag.New(nx.ErrArgument, "Update", "make the state by Init of this transform",
			"the state has %d parts, the chain %d", len(old), len(c)))
	}
	states := make([]State, len(c))
	for i, t := range c {
		updates, states[i] = t.Update(updates, old[i], step)
	}
	return updates, states
}

// stateOf returns a state in its type.
func stateOf[S any](s State, what string) S {
	state, ok := s.(S)
	if !ok {
		panic(diag.New(nx.ErrArgument, "Update", "make the state by Init of this transform",
			"the state of %s is %T, not %T", what, s, state))
	}
	return state
}

// Matrices reports whether a leaf has two axes or more: weights, not biases and scales of norms.
func Matrices(l Leaf) bool { return l.Tensor.Rank() >= 2 }

// All is true for every leaf.
func All(Leaf) bool { return true }

// Not returns the opposite of a choice of leaves.
func Not(keep func(Leaf) bool) func(Leaf) bool { return func(l Leaf) bool { return !keep(l) } }

// Where applies a transform to those parameters for which keep is true; the updates of the others pass unchanged. The
// leaf has the parameter. nn.Match gives a choice by patterns of paths.
func Where(keep func(Leaf) bool, t Transform) Transform {
	return groups{func(l Leaf) string {
		if keep(l) {
			return kept
		}
		return ""
	}, map[string]Transform{kept: t}, true}
}

const kept = "kept"

// groups applies transforms to the leaves with their labels; leaves with the empty label pass where pass is set.
type groups struct {
	label      func(Leaf) string
	transforms map[string]Transform
	pass       bool
}

// Groups applies to each parameter the transform of its label. The label is that of the parameter, so it may depend on
// its path and shape. The state has those of the transforms by label.
//
// Errors: [nx.ErrArgument] for a parameter whose label has no transform, with its path.
func Groups(label func(Leaf) string, transforms map[string]Transform) Transform {
	return groups{label, maps.Clone(transforms), false}
}

// of returns the positions of the leaves of each label.
func (g groups) of(params []Leaf) map[string][]int {
	lists := map[string][]int{}
	for i, p := range params {
		label := g.label(p)
		if g.pass && label == "" {
			continue
		}
		if g.transforms[label] == nil {
			panic(diag.New(nx.ErrArgument, "Groups",
				fmt.Sprintf("the labels with a transform are %q", slices.Sorted(maps.Keys(g.transforms))),
				"the parameter %s has the label %q, which has no transform", p.Path, label))
		}
		lists[label] = append(lists[label], i)
	}
	return lists
}

func (g groups) Init(params []Leaf) State {
	lists := g.of(params)
	states := map[string]State{}
	for label, t := range g.transforms {
		states[label] = t.Init(pick(params, lists[label]))
	}
	if g.pass {
		return states[kept]
	}
	return states
}

func (g groups) Update(updates []Leaf, s State, step Step) ([]Leaf, State) {
	old := map[string]State{kept: s}
	if !g.pass {
		old = stateOf[map[string]State](s, "Groups")
	}
	lists := g.of(step.Params)
	states := map[string]State{}
	result := slices.Clone(updates)
	for _, label := range slices.Sorted(maps.Keys(g.transforms)) {
		list := lists[label]
		part := step
		part.Params = pick(step.Params, list)
		some, state := g.transforms[label].Update(pick(updates, list), old[label], part)
		for i, at := range list {
			result[at] = some[i]
		}
		states[label] = state
	}
	if g.pass {
		return result, states[kept]
	}
	return result, states
}

func pick(leaves []Leaf, at []int) []Leaf {
	list := make([]Leaf, len(at))
	for i, k := range at {
		list[i] = leaves[k]
	}
	return list
}

// Zero makes all updates 0.
func Zero() Transform {
	return mapped(func(u, _ nx.Tensor) nx.Tensor { return nx.ZerosLike(u) })
}

// Freeze applies a transform to those parameters for which frozen is false; the updates of the others are 0.
func Freeze(frozen func(Leaf) bool, t Transform) Transform {
	return Chain(Where(Not(frozen), t), Where(frozen, Zero()))
}
