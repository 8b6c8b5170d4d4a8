package train

import (
	"slices"
	"strings"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/diag"
	"github.com/go-nx/nx/nn"
	"github.com/go-nx/nx/shard"
	"github.com/go-nx/nx/tree"
)

// Rule says how the tensors of a step are cut over a mesh, for [Sharded].
type Rule interface{ rule(*placement) }

// placement is how the tensors of a step are cut over a mesh.
type placement struct {
	mesh  shard.Mesh
	batch string // axis, or ""
	cuts  []cutRule
	large []largestRule
}

type batchRule string
type cutRule struct {
	pattern string
	to      shard.Sharding
}
type largestRule struct {
	axis     string
	patterns []string
}

// Sharded computes steps on the devices of a mesh, as shard.Jit does: the rules say where tensors are, and the compiler
// how the devices share the work, so that a step is the same as on one device, up to the order of sums. Tensors without
// a rule are whole on each device. Data-parallel training needs [BatchAlong] only:
//
//	mesh := shard.Mesh{{Name: "data", Size: 4}, {Name: "model", Size: 2}}
//	train.Sharded(mesh, train.BatchAlong("data"),
//		train.Cut("**.Up.Weight", shard.Sharding{"model"}), train.Cut("**.Down.Weight", shard.Sharding{"", "model"}),
//		train.CutLargest("data"))
//
// [On] says on which client. Clients with fewer devices, as package cpu, run the step on
// one. A checkpoint has whole tensors, and is read on any mesh.
//
// Errors of the first step: [nx.ErrArgument] for a pattern that matches no tensor of the model, [nx.ErrNames] for an
// axis that the mesh does not have, [nx.ErrShape] for a tensor that cannot be cut.
func Sharded(mesh shard.Mesh, rules ...Rule) Option { return shardedOption{mesh, rules} }

// BatchAlong cuts the tensors of batches along their first axes, the records: each device has a part of them.
func BatchAlong(axis string) Rule { return batchRule(axis) }

// Cut cuts the parameters whose paths match a pattern of nn.Match, with their averages and what the optimiser has of
// their shapes. The first rule that matches counts.
func Cut(pattern string, s shard.Sharding) Rule { return cutRule{pattern, s} }

// CutLargest cuts parameters, their averages and all that the optimiser has of them along the largest of their axes
// that can be divided and that no [Cut] has taken: each device keeps a part of the state, and gathers a layer when it
// needs it. Tensors that cannot be divided stay whole. Without patterns it cuts all tensors of the model.
//
// Source: S. Rajbhandari et al., "ZeRO: memory optimizations toward training trillion parameter models", SC 2020,
// arXiv:1910.02054; stage 3, which PyTorch has as FSDP.
func CutLargest(axis string, patterns ...string) Rule { return largestRule{axis, patterns} }

func (r batchRule) rule(p *placement)   { p.batch = string(r) }
func (r cutRule) rule(p *placement)     { p.cuts = append(p.cuts, r) }
func (r largestRule) rule(p *placement) { p.large = append(p.large, r) }

type shardedOption struct {
	mesh  shard.Mesh
	rules []Rule
}

func (o shardedOption) option(p *options) {
	p.placement = &placement{mesh: slices.Clone(o.mesh)}
	for _, r := range o.rules {
		if r != nil {
			r.rule(p.placement)
		}
	}
	if p.placement.batch != "" {
		p.placement.size(p.placement.batch)
	}
	for _, r := range p.placement.large {
		p.placement.size(r.axis)
	}
}

// size is the number of parts along an axis of the mesh.
func (p *placement) size(axis string) int {
	for _, a := range p.mesh {
		if a.Name == axis {
			return a.Size
		}
	}
	panic(diag.New(nx.ErrNames, "Sharded", "", "the mesh %v has no axis %q", p.mesh, axis))
}

// place annotates the tensors of a state.
func place[M any](p *placement, s State[M]) State[M] {
	if p == nil {
		return s
	}
	of := p.shardings(s.Model)
	return tree.MapLeaves(func(path string, t nx.Tensor) nx.Tensor {
		return shard.Constrain(t, p.mesh, of(path, t.Shape()))
	}, s)
}

// placeBatch annotates the tensors of a batch, whose records are along an axis.
func placeBatch[B any](p *placement, b B, records int) B {
	if p == nil || p.batch == "" {
		return b
	}
	n := p.size(p.batch)
	s := make(shard.Sharding, records+1)
	s[records] = p.batch
	return tree.MapLeaves(func(path string, t nx.Tensor) nx.Tensor {
		if t.Rank() <= records {
			return shard.Constrain(t, p.mesh, shard.Sharding{})
		}
		if t.Shape()[records]%n != 0 {
			panic(diag.New(nx.ErrShape, "Step", "choose another data.Size, and data.DropLast or data.PadLast",
				"%s of the batch, of shape %v, cannot be cut into %d parts along %q", path, t.Shape(), n, p.batch))
		}
		return shard.Constrain(t, p.mesh, s)
	}, b)
}

// shardings returns how a tensor of a state is cut, by its path and shape.
func (p *placement) shardings(model any) func(path string, shape nx.Shape) shard.Sharding {
	leaves := map[string]nn.Leaf{}
	for _, l := range nn.Leaves(model) {
		leaves[l.Path] = l
	}
	cuts, large := make([]func(nn.Leaf) bool, len(p.cuts)), make([]func(nn.Leaf) bool, len(p.large))
	for i, r := range p.cuts {
		cuts[i] = nn.Match(model, r.pattern)
	}
	for i, r := range p.large {
		large[i] = func(nn.Leaf) bool { return true }
		if len(r.patterns) > 0 {
			large[i] = nn.Match(model, r.patterns...)
		}
	}
	return func(path string, shape nx.Shape) shard.Sharding {
		l, ok := leaves[parameterOf(path)]
		if !ok {
			return shard.Sharding{}
		}
		s := make(shard.Sharding, len(shape))
		if slices.Equal(shape, l.Tensor.Shape()) {
			if i := slices.IndexFunc(cuts, func(match func(nn.Leaf) bool) bool { return match(l) }); i >= 0 {
				s = append(shard.Sharding{}, p.cuts[i].to...)
			}
		}
		for i, r := range p.large {
			if large[i](l) {
				s = p.cutLargest(s, shape, r.axis)
			}
		}
		return s
	}
}

// cutLargest cuts the largest axis of a shape that is not cut and can be divided, if there is one.
func (p *placement) cutLargest(s shard.Sharding, shape nx.Shape, axis string) shard.Sharding {
	for len(s) < len(shape) {
		s = append(s, "")
	}
	best := -1
	for i, n := range shape {
		if slices.Contains(strings.Split(s[i], ","), axis) {
			return s
		}
		if s[i] == "" && n > 0 && n%p.size(axis) == 0 && (best < 0 || n > shape[best]) {
			best = i
		}
	}
	if best >= 0 {
		s[best] = axis
	}
	return s
}

// parameterOf returns the path of the parameter in the model to which a tensor of a state belongs: "Model.W", "EMA.W"
// and "Opt[0].M[W]" belong to W.
func parameterOf(path string) string {
	for _, prefix := range []string{"Model.", "EMA."} {
		if p, ok := strings.CutPrefix(path, prefix); ok {
			return p
		}
	}
	for _, prefix := range []string{"Model", "EMA"} { // a model that is a slice or a map
		if p, ok := strings.CutPrefix(path, prefix); ok {
			return p
		}
	}
	if !strings.HasPrefix(path, "Opt") || !strings.HasSuffix(path, "]") {
		return ""
	}
	depth := 0
	for i := len(path) - 1; i >= 0; i-- { // the last key, which may have brackets
		switch path[i] {
		case ']':
			depth++
		case '[':
			if depth--; depth == 0 {
				return path[i+1 : len(path)-1]
			}
		}
	}
	return ""
}
