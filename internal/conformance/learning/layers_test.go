package learning_test

import (
	"fmt"
	"maps"
	"strings"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/nn"
	"github.com/go-nx/nx/tree"
)

// learningLayer computes the outputs of a layer from its inputs and its weights, both by name.
type learningLayer func(r *learningRun, in, state map[string]nx.Tensor) map[string]nx.Tensor

// learningLayers are the layers by their library and name: "torch Conv2d", "keras Conv2D", "torch gelu".
var learningLayers = map[string]learningLayer{}

func init() { learningFamilies["layers"] = runLayer }

// layerKey is the name under which a layer is in learningLayers.
func (r *learningRun) layerKey() string {
	name := r.text("function")
	if name == "" {
		name = r.text("layer")
	}
	if name == "" || strings.Contains(name, "(") {
		name = r.Source.Symbol[strings.LastIndex(r.Source.Symbol, ".")+1:]
	}
	library := r.Source.Library
	if library != "keras" {
		library = "torch" // and formulas of NumPy
	}
	return library + " " + name
}

// layerArguments are what a layer is differentiated by.
type layerArguments struct{ In, State map[string]nx.Tensor }

// runLayer computes the outputs of a layer, and the gradients of their products with the cotangents.
func runLayer(r *learningRun) (res learningResults) {
	layer, ok := learningLayers[r.layerKey()]
	if !ok {
		panic(fmt.Sprintf("the layer %q has no runner", r.layerKey()))
	}
	args := layerArguments{map[string]nx.Tensor{}, r.named("state.")}
	cotangents := r.named("cotangent.")
	for name := range r.Inputs {
		if !strings.HasPrefix(name, "state.") && !strings.HasPrefix(name, "cotangent.") {
			args.In[name] = r.in(name)
		}
	}
	res.outputs = layer(r, maps.Clone(args.In), maps.Clone(args.State))
	if len(r.Grads) == 0 {
		return res
	}
	g := nx.Grad(func(a layerArguments) nx.Tensor {
		sum := nx.Full(nx.Shape{}, 0.0, r.dtype)
		out := layer(r, a.In, a.State)
		for name, c := range cotangents {
			sum = nx.Add(sum, nx.Sum(nx.Mul(out[name], c)))
		}
		return sum
	})(args)
	res.grads = map[string]nx.Tensor{}
	for name := range r.Grads {
		if weight, ok := strings.CutPrefix(name, "param."); ok {
			res.grads[name] = g.State[weight]
		} else {
			res.grads[name] = g.In[name]
		}
	}
	return res
}

// withState returns a layer with the weights of a state_dict of PyTorch; its tensors without a weight there are absent.
func withState[L any](layer L, state map[string]nx.Tensor) L {
	if len(state) == 0 {
		return layer
	}
	names := nn.StateNames(layer)
	used := map[string]bool{}
	layer = tree.MapLeaves(func(path string, t nx.Tensor) nx.Tensor {
		w := state[names[path]]
		if !w.IsZero() {
			used[names[path]] = true
		}
		return w
	}, layer)
	for name := range state {
		if !used[name] && !strings.HasSuffix(name, "num_batches_tracked") {
			panic(fmt.Sprintf("the layer has no tensor %q; it has %v", name, names))
		}
	}
	return layer
}

// function is a layer of one input and one output without weights; "special" is another input of activations.
func function(f func(r *learningRun, x nx.Tensor) nx.Tensor) learningLayer {
	return func(r *learningRun, in, _ map[string]nx.Tensor) map[string]nx.Tensor {
		out := map[string]nx.Tensor{"y": f(r, in["x"])}
		if s, ok := in["special"]; ok {
			out["special"] = f(r, s)
		}
		return out
	}
}

// module is a layer of one input and one output with the weights of PyTorch.
func module[L interface {
	*T
	nn.Layer
}, T any](make func(r *learningRun) L) learningLayer {
	return func(r *learningRun, in, state map[string]nx.Tensor) map[string]nx.Tensor {
		l := withState(*make(r), state)
		c := &nn.Ctx{Train: r.flag("training", false)}
		return map[string]nx.Tensor{"y": L(&l).Apply(c, in["x"])}
	}
}
