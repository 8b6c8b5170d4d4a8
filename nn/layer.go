package nn

import (
	"github.com/go-nx/nx"
	"github.com/go-nx/nx/tree"
)

// Layer is a function of a batch with parameters.
type Layer interface {
	Apply(c *Ctx, x nx.Tensor) nx.Tensor
}

// Func is a function as a [Layer]: nn.Func(nx.Relu). The compiled code of a model is kept for its functions by
// identity: name a function of a package, not a closure that is made again for each call.
type Func func(nx.Tensor) nx.Tensor

// Apply returns f(x).
func (f Func) Apply(_ *Ctx, x nx.Tensor) nx.Tensor { return f(x) }

// Seq is a list of layers, each applied to the result of the one before. Its weights are named by positions, as those
// of torch.nn.Sequential: "0.weight".
type Seq []Layer

// Apply applies the layers in order.
func (s Seq) Apply(c *Ctx, x nx.Tensor) nx.Tensor {
	for _, l := range s {
		x = l.Apply(c, x)
	}
	return x
}

// Residual adds its argument to the result of a layer: x + f(x).
type Residual struct{ Layer Layer }

// Apply returns x + f(x).
func (r *Residual) Apply(c *Ctx, x nx.Tensor) nx.Tensor { return nx.Add(x, r.Layer.Apply(c, x)) }

// Remat applies a layer so that reverse mode keeps none of its intermediate results but computes them again:
// [nx.Checkpoint] of a layer, with its buffers, random numbers and auxiliary losses.
//
// Gradient: that of the layer.
func Remat[T any, L interface {
	*T
	Layer
}](c *Ctx, layer L, x nx.Tensor) nx.Tensor {
	type arguments struct {
		Layer  T
		X, Key nx.Tensor
	}
	type results struct {
		Y       nx.Tensor
		Aux     nx.Tensor
		Buffers T
	}
	in := arguments{Layer: *layer, X: x}
	if c.Training() && !c.Key.IsZero() {
		in.Key = c.NextKey()
	}
	train, within := c.Training(), c.pathTo(layer)
	if within != "" {
		within = "." + within
	}
	out := nx.Checkpoint(func(a arguments) results {
		c := &Ctx{Train: train, Key: a.Key, Model: L(&a.Layer), within: within}
		y := L(&a.Layer).Apply(c, a.X)
		var aux nx.Tensor
		if len(c.losses) > 0 {
			aux = c.AuxLoss()
		}
		written, _ := Partition(a.Layer, func(l Leaf) bool { return l.Buffer })
		return results{y, aux, written}
	})(in)
	*layer = tree.Combine(out.Buffers, *layer)
	if !out.Aux.IsZero() {
		c.AddLoss(out.Aux)
	}
	return out.Y
}
