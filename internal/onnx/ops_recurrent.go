package onnx

import (
	"strings"

	"github.com/go-nx/nx/internal/core"
)

// recurrentRows are recurrent layers.
func recurrentRows() []row {
	return []row{
		{op: "LSTM", run: func(n *node) []Value {
			return n.recurrent(4, 2, []string{"Sigmoid", "Tanh", "Tanh"},
				lstmStep)
		}},
		{op: "GRU", run: func(n *node) []Value { return n.recurrent(3, 1, []string{"Sigmoid", "Tanh"}, gruStep) }},
		{op: "RNN", run: func(n *node) []Value { return n.recurrent(1, 1, []string{"Tanh"}, rnnStep) }},
	}
}

// cell is a recurrent layer in one direction.
type cell struct {
	n           *node
	hidden      int
	r           core.Tensor // R[gates·hidden,hidden]
	wb, rb      core.Tensor // the biases of W and R, absent for none
	peepholes   core.Tensor // P[3·hidden] of input, output and forget gate, absent for none
	activations []func(x core.Tensor) core.Tensor
}

// recurrent runs a layer along the first axis of X[length,batch,in], or with layout = 1 the second. The operands are
// W[directions,gates·hidden,in], R[directions,gates·hidden,hidden], B[directions,2·gates·hidden], the lengths of
// sequences, the initial states [directions,batch,hidden], and for LSTM the peepholes. The results are the states of
// all steps [length,directions,batch,hidden], and the last states. After the end of its sequence a state is kept, and
// is 0 in the first result; backwards the sequences begin at their ends. step takes x·W of a step and the states.
func (n *node) recurrent(gates, states int, defaults []string,
	step func(c *cell, x core.Tensor, states []core.Tensor) []core.Tensor) []Value {
	x, w, r := wideFloat(n.in(0)), n.in(1), n.in(2)
	if x.Rank() != 3 || w.Rank() != 3 || r.Rank() != 3 {
		n.fail("the operands have the ranks %d, %d and %d, not 3", x.Rank(), w.Rank(), r.Rank())
	}
	d := x.DType()
	layout := n.attrInt("layout", 0)
	if layout == 1 {
		x = moveAxis(x, 1, 0)
	}
	direction := strings.ToLower(n.attrString("direction", "forward"))
	directions := map[string]int{"forward": 1, "foward": 1, "reverse": 1, "bidirectional": 2}[direction]
	length, batch, hidden := dims(x)[0], dims(x)[1], dims(r)[2]
	if directions == 0 || dims(w)[0] != directions || dims(r)[0] != directions || dims(w)[1] != gates*hidden {
		n.fail("the direction %q, W of the shape %v and R of %v do not fit", direction, dims(w), dims(r))
	}
	if h := n.attrInt("hidden_size", hidden); h != hidden {
		n.fail("hidden_size is %d, R has %d", h, hidden)
	}
	functions := n.activations(defaults, directions)
	part := func(i, k int) core.Tensor { // the k-th direction of an operand, absent for none
		t, ok := n.opt(i)
		if !ok {
			return core.Tensor{}
		}
		return wideFloat(t.At(k))
	}
	var valid core.Tensor // [length,batch,1]
	if lens, ok := n.opt(4); ok {
		valid = core.Less(core.Iota(core.Shape{length, 1, 1}, lens.DType(), core.Axis(0)), core.Reshape(lens, 1,
			batch, 1))
	}
	all, last := make([]core.Tensor, directions), make([][]core.Tensor, states)
	for k := range directions {
		c := &cell{n: n, hidden: hidden, r: wideFloat(r.At(k)), peepholes: part(7, k)}
		c.activations = functions[k*len(defaults) : (k+1)*len(defaults)]
		if b := part(3, k); !b.IsZero() {
			c.wb, c.rb = b.At(core.To(gates*hidden)), b.At(core.From(gates*hidden))
		}
		init := make([]core.Tensor, states)
		for i := range init {
			t, ok := n.opt(5 + i)
			switch {
			case !ok:
				init[i] = core.Zeros(core.Shape{batch, hidden}, d)
			case layout == 1:
				init[i] = sameType(t.At(core.From(0), k), d)
			default:
				init[i] = sameType(t.At(k), d)
			}
		}
		// The products with the operand are those of all steps at once.
		xw := core.DotGeneral(x, wideFloat(w.At(k)), core.DotDims{ContractA: []int{2}, ContractB: []int{1}})
		if !c.wb.IsZero() {
			xw = core.Add(xw, c.wb)
		}
		var opts []core.ScanOption
		if direction == "reverse" || k == 1 {
			opts = append(opts, core.Reversed)
		}
		rows := []core.Tensor{xw}
		if !valid.IsZero() {
			rows = append(rows, valid)
		}
		end, ys := core.Scan(init, rows, func(state, row []core.Tensor) ([]core.Tensor, core.Tensor) {
			next := step(c, row[0], state)
			if len(row) == 1 {
				return next, next[0]
			}
			y := core.Where(row[1], next[0], 0)
			for i := range next {
				next[i] = core.Where(row[1], next[i], state[i])
			}
			return next, y
		}, opts...)
		all[k] = ys
		for i, t := range end {
			last[i] = append(last[i], t)
		}
	}
	axis, axisLast := 1, 0
	if layout == 1 { // [batch,length,directions,hidden] and [batch,directions,hidden]
		axis, axisLast = 2, 1
		for k := range all {
			all[k] = moveAxis(all[k], 1, 0)
		}
	}
	t := n.in(0).DType()
	out := tensors(sameType(core.Stack(all, core.Axis(axis)), t))
	for _, list := range last {
		out = append(out, Value{t: sameType(core.Stack(list, core.Axis(axisLast)), t)})
	}
	return out
}

// clipped bounds the operands of activations, where the attribute clip says so.
func (c *cell) clipped(x core.Tensor) core.Tensor {
	if c.n.attr("clip") == nil {
		return x
	}
	limit := c.n.attrFloat("clip", 0)
	return core.Clip(x, -limit, limit)
}

// fromState is h·R of gates, with its bias.
func (c *cell) fromState(h core.Tensor, from, to int) core.Tensor {
	y := core.DotGeneral(h, c.r.At(core.Range(from*c.hidden, to*c.hidden)), core.DotDims{ContractA: []int{1},
		ContractB: []int{1}})
	if !c.rb.IsZero() {
		y = core.Add(y, c.rb.At(core.Range(from*c.hidden, to*c.hidden)))
	}
	return y
}

// gate returns a gate of those in the last axis.
func (c *cell) gate(x core.Tensor, i int) core.Tensor {
	return x.At(core.From(0), core.Range(i*c.hidden, (i+1)*c.hidden))
}

// lstmStep is a step of LSTM; its gates are input, output, forget and cell.
func lstmStep(c *cell, x core.Tensor, states []core.Tensor) []core.Tensor {
	h, old := states[0], states[1]
	sums := core.Add(x, c.fromState(h, 0, 4))
	seen := func(i int, state core.Tensor) core.Tensor { // a gate, which may see the state of the cell
		g := c.gate(sums, i)
		if !c.peepholes.IsZero() {
			g = core.Add(g, core.Mul(c.peepholes.At(core.Range(i*c.hidden, (i+1)*c.hidden)), state))
		}
		return c.activations[0](c.clipped(g))
	}
	input := seen(0, old)
	forget := core.Tensor{}
	if c.n.attrBool("input_forget") {
		forget = core.Sub(1, input)
	} else {
		forget = seen(2, old)
	}
	state := core.Add(core.Mul(forget, old), core.Mul(input, c.activations[1](c.clipped(c.gate(sums, 3)))))
	return []core.Tensor{core.Mul(seen(1, state), c.activations[2](state)), state}
}

// gruStep is a step of GRU; its gates are update, reset and hidden. The reset is of the state, or of its product if
// linear_before_reset is set, as PyTorch's.
func gruStep(c *cell, x core.Tensor, states []core.Tensor) []core.Tensor {
	h := states[0]
	linear := c.n.attrBool("linear_before_reset")
	gates := 2
	if linear {
		gates = 3
	}
	sums := c.fromState(h, 0, gates)
	update := c.activations[0](c.clipped(core.Add(c.gate(x, 0), c.gate(sums, 0))))
	reset := c.activations[0](c.clipped(core.Add(c.gate(x, 1), c.gate(sums, 1))))
	var part core.Tensor
	if linear {
		part = core.Mul(reset, c.gate(sums, 2))
	} else {
		part = c.fromState(core.Mul(reset, h), 2, 3)
	}
	next := c.activations[1](c.clipped(core.Add(c.gate(x, 2), part)))
	return []core.Tensor{core.Add(core.Mul(core.Sub(1, update), next), core.Mul(update, h))}
}

// rnnStep is a step of RNN.
func rnnStep(c *cell, x core.Tensor, states []core.Tensor) []core.Tensor {
	return []core.Tensor{c.activations[0](c.clipped(core.Add(x, c.fromState(states[0], 0, 1))))}
}

// activations returns the functions of all directions. Those with parameters take these from activation_alpha and
// activation_beta, one after another.
func (n *node) activations(defaults []string, directions int) []func(x core.Tensor) core.Tensor {
	names := n.attrStrings("activations")
	if len(names) == 0 {
		for range directions {
			names = append(names, defaults...)
		}
	}
	if want := directions * len(defaults); len(names) > want && n.OpType == "RNN" {
		names = names[:want] // its default has two
	} else if len(names) != want {
		n.fail("there are %d activations, not %d", len(names), want)
	}
	alphas, betas := n.attrFloats("activation_alpha"), n.attrFloats("activation_beta")
	take := func(from *[]float64, otherwise float64) float64 {
		if len(*from) == 0 {
			return otherwise
		}
		v := (*from)[0]
		*from = (*from)[1:]
		return v
	}
	out := make([]func(x core.Tensor) core.Tensor, len(names))
	for i, name := range names {
		alpha := func(otherwise float64) float64 { return take(&alphas, otherwise) }
		beta := func(otherwise float64) float64 { return take(&betas, otherwise) }
		out[i] = activationOf(name, alpha, beta)
		if out[i] == nil {
			n.fail("the activation %q", name)
		}
	}
	return out
}

// activationOf returns an activation by name, nil if there is none; alpha and beta take its parameters.
func activationOf(name string, alpha, beta func(otherwise float64) float64) func(x core.Tensor) core.Tensor {
	switch strings.ToLower(name) {
	case "sigmoid":
		return core.Sigmoid
	case "tanh":
		return core.Tanh
	case "relu":
		return core.Relu
	case "softplus":
		return core.Softplus
	case "softsign":
		return func(x core.Tensor) core.Tensor { return core.Div(x, core.Add(core.Abs(x), 1)) }
	case "affine":
		a, b := alpha(1), beta(0)
		return func(x core.Tensor) core.Tensor { return core.Add(core.Mul(x, a), b) }
	case "leakyrelu":
		a := alpha(0.01)
		return func(x core.Tensor) core.Tensor { return core.Where(core.Less(x, 0), core.Mul(x, a), x) }
	case "thresholdedrelu":
		a := alpha(1)
		return func(x core.Tensor) core.Tensor { return core.Where(core.Greater(x, a), x, 0) }
	case "scaledtanh":
		a, b := alpha(1), beta(1)
		return func(x core.Tensor) core.Tensor { return core.Mul(core.Tanh(core.Mul(x, b)), a) }
	case "hardsigmoid":
		a, b := alpha(0.2), beta(0.5)
		return func(x core.Tensor) core.Tensor { return core.Clip(core.Add(core.Mul(x, a), b), 0, 1) }
	case "elu":
		a := alpha(1)
		return func(x core.Tensor) core.Tensor {
			return core.Where(core.Less(x, 0), core.Mul(core.Expm1(core.Minimum(x, 0)), a), x)
		}
	}
	return nil
}
