package conformance

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/optim"
)

func init() { learningFamilies["optimisers"] = runOptimiser }

// leaves are parameters, gradients or updates by name.
type leaves = map[string]nx.Tensor

// training is the state of the runs of a case.
type training struct {
	Params leaves
	Opt    optim.State
}

// runOptimiser computes the parameters after the steps that a case lists.
func runOptimiser(r *learningRun) learningResults {
	if r.Source.Symbol == "optax.lbfgs" {
		return r.runLBFGS()
	}
	out := leaves{}
	r.train(r.optimiser(), func(step int, before, after training, _ leaves) {
		for name, p := range after.Params {
			out[fmt.Sprintf("step%d.%s", step, name)] = p
		}
	})
	return learningResults{outputs: out}
}

// train applies a transform to the gradients of a case, and calls seen after each step, from 1 on, with the updates
// too.
func (r *learningRun) train(t optim.Transform, seen func(step int, before, after training, updates leaves)) training {
	params, gradients := r.named("param."), r.named("gradient.")
	value := r.in("value")
	s := training{params, optim.Init(t, params)}
	run := nx.Jit(func(s training, g leaves, loss nx.Tensor) (training, leaves) {
		updates, next := optim.Updates(t, g, s.Opt, s.Params, optim.Loss(loss))
		s.Params, s.Opt = optim.Update(t, g, s.Opt, s.Params, optim.Loss(loss))
		_ = next
		return s, updates
	})
	steps := 0
	for _, g := range gradients {
		steps = g.Shape()[0]
	}
	for i := range steps {
		g := leaves{}
		for name, list := range gradients {
			g[name] = list.At(i)
		}
		loss := nx.New(0.0)
		if !value.IsZero() {
			loss = value.At(i)
		}
		before := s
		var updates leaves
		s, updates = run(s, g, loss)
		seen(i+1, before, s, updates)
	}
	return s
}

// mask returns the choice of leaves of a mask of the configuration.
func (r *learningRun) mask(key string) func(optim.Leaf) bool {
	switch m := r.Config[key].(type) {
	case map[string]any:
		return func(l optim.Leaf) bool { return m[strings.Trim(l.Path, "[]")] == true }
	case bool:
		return func(optim.Leaf) bool { return m }
	}
	return optim.All
}

// with returns the run with another configuration.
func (r *learningRun) with(config any) *learningRun {
	c := *r
	c.Config = config.(map[string]any)
	return &c
}

// optimiser returns that of a case.
func (r *learningRun) optimiser() optim.Transform {
	library, name := r.Source.Symbol, r.Source.Symbol
	if i := strings.Index(name, "."); i >= 0 {
		library, name = name[:i], name[strings.LastIndex(name, ".")+1:]
	}
	switch library {
	case "torch":
		return r.torchOptimiser(name)
	case "keras":
		return r.kerasOptimiser(name)
	}
	return r.optaxTransform(name)
}

func (r *learningRun) has(key string) bool { return r.Config[key] != nil }

// adamOptions are the options that Optax' relatives of Adam share.
func (r *learningRun) betas(b1, b2 float64) (float64, float64) { return r.number("b1", b1), r.number("b2", b2) }

func option[O any](list *[]O, set bool, o O) {
	if set {
		*list = append(*list, o)
	}
}

// stepOf returns the step in a name such as update.step5.w.
func stepOf(name string) int {
	_, rest, _ := strings.Cut(name, "step")
	digits, _, _ := strings.Cut(rest, ".")
	n, _ := strconv.Atoi(digits)
	return n
}
