package onnx

import (
	"slices"

	"github.com/go-nx/nx/encoding/onnx"
	"github.com/go-nx/nx/internal/core"
)

const trainingDomain = "ai.onnx.preview.training"

// trainingRows are gradients and steps of optimisers.
func trainingRows() []row {
	return []row{
		row{op: "Adagrad", run: func(n *node) []Value { return n.optimise(2, adagrad) }}.in(trainingDomain),
		row{op: "Adam", run: func(n *node) []Value { return n.optimise(3, adam) }}.in(trainingDomain),
		row{op: "Momentum", run: func(n *node) []Value { return n.optimise(2, momentum) }}.in(trainingDomain),
		row{op: "Gradient", run: gradient}.in(trainingDomain),
	}
}

// optimise calls f for each parameter. The operands are the rate, the number of steps before, and after these all
// parameters, all gradients, and all tensors of each kind of state. The results are the states, parameters first. f
// takes these for one parameter, the gradient second, and returns the new ones; states counts the parameter.
func (n *node) optimise(states int, f func(n *node, rate, step core.Tensor, ins []core.Tensor) []core.Tensor) []Value {
	ins := n.allIn()
	each := states + 1
	if len(ins) < 2+each || (len(ins)-2)%each != 0 {
		n.fail("there are %d operands: the rate, the step and %d for each parameter are needed", len(ins), each)
	}
	count := (len(ins) - 2) / each
	out := make([]Value, states*count)
	for k := range count {
		one := make([]core.Tensor, each)
		for i := range one {
			one[i] = ins[2+i*count+k]
		}
		d := one[0].DType()
		// The gradient of the regularization is added.
		one[1] = core.Add(core.Mul(one[0], n.attrFloat("norm_coefficient", 0)), one[1])
		rate, step := sameType(core.Reshape(ins[0]), d), sameType(core.Reshape(ins[1]), d)
		for i, t := range f(n, rate, step, one) {
			out[i*count+k].t = sameType(t, one[0].DType())
		}
	}
	return out
}

// adagrad divides by the root of the sum of all squares of gradients.
func adagrad(n *node, rate, step core.Tensor, ins []core.Tensor) []core.Tensor {
	x, g, h := ins[0], ins[1], ins[2]
	rate = core.Div(rate, core.Add(core.Mul(step, n.attrFloat("decay_factor", 0)), 1))
	h = core.Add(h, core.Square(g))
	root := core.Add(core.Sqrt(h), n.attrFloat("epsilon", 1e-6))
	return []core.Tensor{core.Sub(x, core.Div(core.Mul(rate, g), root)), h}
}

// adam has means of gradients and of their squares, corrected for their beginning after the first step.
func adam(n *node, rate, step core.Tensor, ins []core.Tensor) []core.Tensor {
	x, g, v, h := ins[0], ins[1], ins[2], ins[3]
	alpha, beta := n.attrFloat("alpha", 0.9), n.attrFloat("beta", 0.999)
	v = core.Add(core.Mul(v, alpha), core.Mul(g, 1-alpha))
	h = core.Add(core.Mul(h, beta), core.Mul(core.Square(g), 1-beta))
	root := core.Add(core.Sqrt(h), n.attrFloat("epsilon", 1e-6))
	later := core.Greater(step, 0)
	at := core.Where(later, step, 1)
	corrected := core.Div(core.Mul(rate, core.Sqrt(core.Sub(1, core.Pow(beta, at)))), core.Sub(1, core.Pow(alpha, at)))
	x = core.Sub(x, core.Mul(core.Where(later, corrected, rate), core.Div(v, root)))
	return []core.Tensor{core.Mul(x, 1-n.attrFloat("norm_coefficient_post", 0)), v, h}
}

// momentum follows a sum of gradients, which counts the first one whole; Nesterov's looks ahead.
func momentum(n *node, rate, step core.Tensor, ins []core.Tensor) []core.Tensor {
	x, g, v := ins[0], ins[1], ins[2]
	alpha := n.attrFloat("alpha", 0)
	v = core.Add(core.Mul(v, alpha), core.Mul(core.Where(core.Greater(step, 0), n.attrFloat("beta", 1), 1), g))
	by := v
	switch mode := n.attrString("mode", "standard"); mode {
	case "standard":
	case "nesterov":
		by = core.Add(g, core.Mul(v, alpha))
	default:
		n.fail("the mode %q", mode)
	}
	return []core.Tensor{core.Sub(x, core.Mul(rate, by)), v}
}

// gradient is Gradient: of the sum of the tensor y for those of xs, as functions of them and of zs; the operands are
// their values. The nodes between are imported once more with these.
func gradient(n *node) []Value {
	xs, zs := n.attrStrings("xs"), n.attrStrings("zs")
	y := n.attrString("y", "")
	if len(xs) == 0 || len(xs)+len(zs) != len(n.ins) {
		n.fail("%d tensors xs and %d zs have %d values", len(xs), len(zs), len(n.ins))
	}
	b := n.between(y, slices.Concat(xs, zs))
	args := slices.Clone(n.ins)
	at := make([]core.Tensor, len(xs))
	for i := range xs {
		at[i] = n.in(i)
	}
	value, back := core.VJP(func(at []core.Tensor) core.Tensor {
		for i, t := range at {
			args[i] = Value{t: t}
		}
		return n.subTensors(b, args)[0]
	}, at)
	return tensors(back(core.OnesLike(value))...)
}

// between returns the nodes of the node's graph that compute a value from others.
func (n *node) between(y string, from []string) *body {
	around := n.scope.body
	maker := map[string]*onnx.Node{}
	for _, o := range around.nodes {
		if o == n.Node {
			break
		}
		for _, name := range o.Outputs {
			if name != "" {
				maker[name] = o
			}
		}
	}
	n.p.mutex.Lock() // of what [Program.captured] keeps
	defer n.p.mutex.Unlock()
	needed, used := map[string]bool{}, map[*onnx.Node]bool{}
	given := map[string]bool{}
	for _, name := range from {
		given[name] = true
	}
	var need func(name string)
	need = func(name string) {
		o := maker[name]
		if given[name] || needed[name] || o == nil {
			return
		}
		needed[name] = true
		if used[o] {
			return
		}
		used[o] = true
		for _, name := range n.p.captured(o) {
			need(name)
		}
	}
	need(y)
	b := &body{name: around.name, inputs: from, outputs: []string{y}, opsets: around.opsets}
	for _, o := range around.nodes {
		if used[o] {
			b.nodes = append(b.nodes, o)
		}
	}
	b.uses = n.p.usesOf(b)
	return b
}
