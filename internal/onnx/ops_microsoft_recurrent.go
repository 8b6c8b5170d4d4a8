package onnx

import (
	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/core"
)

// dynamicQuantizeLSTM is an LSTM with quantised weights: the sequence is quantised by its range, and the state of each
// step by that of the state. The gates are those of input, output, forget and cell.
func dynamicQuantizeLSTM(n *node) []Value {
	x := n.in(0)
	if x.Rank() != 3 {
		n.fail("the sequence has the shape %v, it must be [time, batch, size]", dims(x))
	}
	directions := 1
	direction := n.attrString("direction", "forward")
	switch direction {
	case "bidirectional":
		directions = 2
	case "forward", "reverse":
	default:
		n.fail("direction is %q", direction)
	}
	if w, r := n.in(1), n.in(2); w.Rank() != 3 || r.Rank() != 3 || dims(w)[0] != directions ||
		dims(r)[0] != directions ||
		dims(r)[2] != 4*dims(r)[1] || dims(w)[2] != dims(r)[2] {
		n.fail("the weights have the shapes %v and %v", dims(w), dims(r))
	}
	if lengths, ok := n.opt(4); ok { // what is after all sequences is not in the range
		time := core.Iota(core.Shape{dims(x)[0], 1, 1}, dtype.S32, core.Axis(0))
		x = core.Where(core.Less(time, core.Max(lengths)), x, 0)
	}
	q, scale, zero := dynamicQuantized(x)
	var ys, hs, cs []core.Tensor
	for d := range directions {
		y, h, c := n.quantizedLSTM(quantizedInput{q, scale, zeroPoint{t: zero}}, d, direction == "reverse" || d == 1)
		ys, hs, cs = append(ys, y), append(hs, h), append(cs, c)
	}
	return tensors(core.Stack(ys, core.Axis(1)), core.Stack(hs), core.Stack(cs))
}

// quantizedInput is a tensor that is quantised by its range.
type quantizedInput struct {
	q, scale core.Tensor
	zero     zeroPoint
}

// ofDirection is the part of an operand for a direction; ok is false if it is not given.
func (n *node) ofDirection(i, d int) (t core.Tensor, ok bool) {
	t, ok = n.opt(i)
	if !ok {
		return t, false
	}
	if t.Rank() == 0 {
		return t, true
	}
	return t.At(d), true
}

// weightsOf are the weights of a direction with their scale and zero point.
func (n *node) weightsOf(i, scale, zero, d int) quantizedInput {
	w, _ := n.ofDirection(i, d)
	s, _ := n.ofDirection(scale, d)
	z := n.zeroPoint(zero)
	if !z.t.IsZero() {
		all := z.values
		z.t, _ = n.ofDirection(zero, d)
		if each := z.t.Size(); len(all) >= (d+1)*each {
			z.values = all[d*each : (d+1)*each]
		}
	}
	return quantizedInput{w, s, z}
}

// quantizedProduct is the product of a quantised tensor and weights, in floats.
func (n *node) quantizedProduct(a, w quantizedInput) core.Tensor {
	sums := n.products(a.q, w.q, a.zero, w.zero)
	return core.Mul(core.Cast(sums, dtype.F32), core.Mul(a.scale, ofColumns(w.scale)))
}

// quantizedLSTM is the layer of a direction: all outputs [time, batch, hidden], and the last states.
func (n *node) quantizedLSTM(x quantizedInput, d int, reverse bool) (y, h, c core.Tensor) {
	w, r := n.weightsOf(1, 8, 9, d), n.weightsOf(2, 10, 11, d)
	hidden := dims(r.q)[0]
	steps, batch := dims(x.q)[0], dims(x.q)[1]
	gates := n.quantizedProduct(x, w)
	if b, ok := n.ofDirection(3, d); ok {
		parts := core.Split(b, []int{4 * hidden, 4 * hidden})
		gates = core.Add(gates, core.Add(parts[0], parts[1]))
	}
	state := func(i int) core.Tensor {
		if t, ok := n.ofDirection(i, d); ok {
			return t
		}
		return core.Zeros(core.Shape{batch, hidden}, dtype.F32)
	}
	peeps := make([]core.Tensor, 3)
	if p, ok := n.ofDirection(7, d); ok {
		peeps = core.Split(p, []int{hidden, hidden, hidden})
	}
	acts := n.lstmActivations(d)
	limit := n.attrFloat("clip", 0)
	gate := func(t, peep, c core.Tensor) core.Tensor {
		if !peep.IsZero() {
			t = core.Add(t, core.Mul(peep, c))
		}
		if limit > 0 {
			t = core.Clip(t, -limit, limit)
		}
		return t
	}
	lengths, hasLengths := n.opt(4)
	time := core.Iota(core.Shape{steps}, dtype.S32)
	turn := func(t core.Tensor) core.Tensor { return t }
	switch {
	case reverse && hasLengths: // each sequence from its own end
		place := core.Reshape(time, -1, 1)
		at := core.Where(core.Less(place, lengths), core.Sub(core.Sub(lengths, 1), place), place)
		turn = func(t core.Tensor) core.Tensor {
			return core.TakeAlong(t, core.BroadcastTo(core.Reshape(at, steps, batch, 1), dims(t)...), core.Axis(0))
		}
	case reverse:
		turn = func(t core.Tensor) core.Tensor { return core.Reverse(t, core.Axis(0)) }
	}
	gates = turn(gates)
	type carry struct{ H, C core.Tensor }
	type row struct{ Gates, Time core.Tensor }
	end, y := core.Scan(carry{state(5), state(6)}, row{gates, time}, func(s carry, in row) (carry, core.Tensor) {
		q, scale, zero := dynamicQuantized(s.H)
		g := core.Add(in.Gates, n.quantizedProduct(quantizedInput{q, scale, zeroPoint{t: zero}}, r))
		part := core.Split(g, []int{hidden, hidden, hidden, hidden}, core.Axis(1))
		i := acts[0](gate(part[0], peeps[0], s.C))
		forget := core.Sub(1, i)
		if !n.attrBool("input_forget") {
			forget = acts[0](gate(part[2], peeps[2], s.C))
		}
		c := core.Add(core.Mul(forget, s.C), core.Mul(i, acts[1](gate(part[3], core.Tensor{}, s.C))))
		o := acts[0](gate(part[1], peeps[1], c))
		h := core.Mul(o, acts[2](c))
		out := h
		if hasLengths {
			on := core.Reshape(core.Less(in.Time, lengths), -1, 1)
			out = core.Where(on, h, 0)
			h, c = core.Where(on, h, s.H), core.Where(on, c, s.C)
		}
		return carry{h, c}, out
	})
	return turn(y), end.H, end.C
}

// lstmActivations are those of the gates, the cell and the output of a direction.
func (n *node) lstmActivations(d int) [3]func(core.Tensor) core.Tensor {
	names := n.attrStrings("activations")
	if len(names) == 0 {
		names = []string{"Sigmoid", "Tanh", "Tanh", "Sigmoid", "Tanh", "Tanh"}
	}
	if len(names) < 3*d+3 {
		n.fail("it has %d activations", len(names))
	}
	var out [3]func(core.Tensor) core.Tensor
	for i := range out {
		switch name := names[3*d+i]; name {
		case "Sigmoid", "sigmoid":
			out[i] = core.Sigmoid
		case "Tanh", "tanh":
			out[i] = core.Tanh
		case "Relu", "relu":
			out[i] = core.Relu
		case "HardSigmoid":
			out[i] = func(t core.Tensor) core.Tensor { return core.Clip(core.Add(core.Mul(t, 0.2), 0.5), 0, 1) }
		case "Softplus":
			out[i] = core.Softplus
		case "Softsign":
			out[i] = func(t core.Tensor) core.Tensor { return core.Div(t, core.Add(1, core.Abs(t))) }
		default:
			n.fail("the activation %q is not supported", name)
		}
	}
	return out
}
