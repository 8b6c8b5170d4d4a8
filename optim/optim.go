package optim

import (
	"slices"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/diag"
	"github.com/go-nx/nx/nn"
	"github.com/go-nx/nx/tree"
)

// Leaf is a tensor of a container with its path: Blocks[0].Up.Weight.
type Leaf = nn.Leaf

// State is the state of a transform: a container of tensors.
type State any

// Step is what a transform sees of a step besides the updates.
type Step struct {
	// Params are the parameters before the step, in the order of the updates and in their types.
	Params []Leaf
	// Loss is what [Loss] gave, or absent.
	Loss nx.Tensor
}

// Transform turns gradients, or the updates of the transform before it, into updates. Implementations have no state of
// their own: all that changes is in the State.
type Transform interface {
	// Init returns the state before the first step.
	Init(params []Leaf) State
	// Update returns updates for the leaves given, in their order and types, and the state after the step. There may
	// be fewer leaves than at Init.
	Update(updates []Leaf, s State, step Step) ([]Leaf, State)
}

// UpdateOption is an option of [Update].
type UpdateOption interface{ update(*Step) }

type lossOption struct{ loss nx.Tensor }

// Loss tells transforms the loss at the parameters, a scalar: [ReduceOnPlateau] and [ScaleByPolyak] need it.
func Loss(loss nx.Tensor) UpdateOption { return lossOption{loss} }

func (o lossOption) update(s *Step) { s.Loss = o.loss }

// Init returns the state of a transform before the first step for a container of parameters.
func Init[P any](t Transform, params P) State {
	return t.Init(trainable(params))
}

// Update returns the parameters after a step, and the state: it adds the updates that the transform makes of the
// gradients. Parameters have the types of the old ones.
//
// Errors: [nx.ErrShape] for a gradient that has not the shape of its parameter.
func Update[P any](t Transform, grads P, s State, params P, opts ...UpdateOption) (P, State) {
	changed, next := updates(t, grads, s, params, opts)
	return tree.MapLeaves(func(path string, p nx.Tensor) nx.Tensor {
		u, ok := changed[path]
		if !ok {
			return p
		}
		return nx.Cast(nx.Add(nx.Cast(p, wide(p.DType())), u), p.DType())
	}, params), next
}

// Updates is [Update] without the addition: it returns the updates, absent for tensors other than parameters with a
// gradient.
func Updates[P any](t Transform, grads P, s State, params P, opts ...UpdateOption) (P, State) {
	changed, next := updates(t, grads, s, params, opts)
	return tree.MapLeaves(func(path string, p nx.Tensor) nx.Tensor { return changed[path] }, params), next
}

func updates(t Transform, grads any, s State, params any, opts []UpdateOption) (map[string]nx.Tensor, State) {
	var step Step
	for _, o := range opts {
		if o != nil {
			o.update(&step)
		}
	}
	given := map[string]nx.Tensor{}
	for path, g := range tree.Leaves(grads) {
		given[path] = g
	}
	var list []Leaf
	for _, p := range trainable(params) {
		g, ok := given[p.Path]
		if !ok {
			continue
		}
		if !slices.Equal(g.Shape(), p.Tensor.Shape()) {
			panic(diag.New(nx.ErrShape, "Update", "give gradients of these parameters",
				"the gradient of %s has the shape %v, the parameter %v", p.Path, g.Shape(), p.Tensor.Shape()))
		}
		step.Params = append(step.Params, p)
		list = append(list, Leaf{Path: p.Path, Tensor: nx.Cast(g, p.Tensor.DType())})
	}
	list, next := t.Update(list, s, step)
	changed := map[string]nx.Tensor{}
	for _, u := range list {
		changed[u.Path] = u.Tensor
	}
	return changed, next
}

// trainable returns the parameters of a container, in the types of the computation.
func trainable(params any) []Leaf {
	var list []Leaf
	for _, l := range nn.Leaves(params) {
		if nn.Trainable(l) {
			list = append(list, Leaf{Path: l.Path, Tensor: nx.Cast(l.Tensor, wide(l.Tensor.DType()))})
		}
	}
	return list
}

// wide is the type in which a step of parameters of a type is computed.
func wide(d nx.DType) nx.DType {
	if d.IsFloat() && d.Bits() < 32 {
		return nx.F32
	}
	return d
}
