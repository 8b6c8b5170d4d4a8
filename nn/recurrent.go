package nn

import (
	"fmt"
	"math"
	"strings"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/diag"
	"github.com/go-nx/nx/random"
)

// Gates are the weights of a layer of a recurrent network in one direction, for its argument and its state.
type Gates struct {
	WeightIH, WeightHH nx.Tensor // [gates·hidden, in], [gates·hidden, state]
	BiasIH, BiasHH     nx.Tensor // [gates·hidden], or absent
	WeightHR           nx.Tensor // [state, hidden], the projection of an LSTM's state, or absent
}

// Recurrent has the weights of a recurrent network: layers in one direction, or in both. It is part of [RNN], [LSTM]
// and [GRU].
type Recurrent struct {
	Forward, Reverse []Gates
	Rate             float64 // of results dropped between layers in training
}

// StateName returns the names of PyTorch: weight_ih_l0, weight_ih_l0_reverse.
func (r Recurrent) StateName(path string) string {
	direction, rest, _ := strings.Cut(strings.TrimPrefix(path, "Recurrent."), "[")
	layer, field, _ := strings.Cut(rest, "].")
	name := fmt.Sprintf("%s_l%s", snake(field), layer)
	if direction == "Reverse" {
		name += "_reverse"
	}
	return name
}

// RecurrentOption is an option of the recurrent networks.
type RecurrentOption interface{ recurrent(*recurrentOptions) }

type recurrentOptions struct {
	paramOptions
	layers, projection int
	both               bool
	rate               float64
	activation         func(nx.Tensor) nx.Tensor
}

type layersOption int
type projectionOption int
type bothOption bool

// Layers is the number of layers of a recurrent network, 1 without it.
func Layers(n int) RecurrentOption { return layersOption(n) }

// Projection makes the state of an [LSTM] of n numbers by a product.
func Projection(n int) RecurrentOption { return projectionOption(n) }

// BothDirections runs a second network from the end to the beginning; the results of both are joined.
const BothDirections bothOption = true

func (o layersOption) recurrent(r *recurrentOptions)     { r.layers = int(o) }
func (o projectionOption) recurrent(r *recurrentOptions) { r.projection = int(o) }
func (bothOption) recurrent(r *recurrentOptions)         { r.both = true }
func (o rateOption) recurrent(r *recurrentOptions)       { r.rate = float64(o) }
func (o activationOption) recurrent(r *recurrentOptions) { r.activation = o.f }
func (o initOption) recurrent(r *recurrentOptions)       { o.linear(&r.paramOptions) }
func (o dtypeOption) recurrent(r *recurrentOptions)      { o.linear(&r.paramOptions) }
func (noBias) recurrent(r *recurrentOptions)             { r.noBias = true }

// newRecurrent makes the weights of a network with a number of gates. They are uniform in ±1/√hidden, as in PyTorch.
func newRecurrent(op string, key nx.Tensor, in, hidden, gates int, opts []RecurrentOption) (Recurrent,
	recurrentOptions) {
	positive(op, "in", in)
	positive(op, "hidden", hidden)
	bound := 1 / math.Sqrt(float64(hidden))
	o := recurrentOptions{paramOptions: paramOptions{weight: Uniform(-bound, bound), bias: Uniform(-bound, bound),
		dtype: nx.F32}, layers: 1, activation: nx.Tanh}
	for _, opt := range opts {
		if opt != nil {
			opt.recurrent(&o)
		}
	}
	positive(op, "the number of layers", o.layers)
	if o.projection != 0 && gates != 4 {
		panic(diag.New(nx.ErrArgument, op, "", "nn.Projection is an option of NewLSTM"))
	}
	state, directions := hidden, 1
	if o.projection > 0 {
		state = o.projection
	}
	if o.both {
		directions = 2
	}
	r := Recurrent{Rate: o.rate}
	for i := range o.layers {
		from := in
		if i > 0 {
			from = state * directions
		}
		for d := range directions {
			keys := random.Split(random.FoldIn(key, 2*i+d), 5)
			rows := gates * hidden
			g := Gates{
				WeightIH: o.weight(keys.At(0), nx.Shape{rows, from}, Fan{from, hidden, hidden}, o.dtype),
				WeightHH: o.weight(keys.At(1), nx.Shape{rows, state}, Fan{state, hidden, hidden}, o.dtype),
			}
			if !o.noBias {
				g.BiasIH = o.bias(keys.At(2), nx.Shape{rows}, Fan{from, hidden, hidden}, o.dtype)
				g.BiasHH = o.bias(keys.At(3), nx.Shape{rows}, Fan{state, hidden, hidden}, o.dtype)
			}
			if o.projection > 0 {
				g.WeightHR = o.weight(keys.At(4), nx.Shape{state, hidden}, Fan{hidden, state, hidden}, o.dtype)
			}
			if d == 0 {
				r.Forward = append(r.Forward, g)
			} else {
				r.Reverse = append(r.Reverse, g)
			}
		}
	}
	return r, o
}

// product is w·x of rows, plus a bias.
func (g Gates) product(x, w, b nx.Tensor) nx.Tensor {
	return linear(x, w, b)
}

// State is the state of a recurrent network: that of each layer, the two directions of a layer after each other.
type State struct {
	H nx.Tensor // [layers·directions, batch, state]
	C nx.Tensor // [layers·directions, batch, hidden], of an LSTM
}

// cell computes a step from the products of its argument, those of its state, and the state.
type cell func(g Gates, x nx.Tensor, s State) State

// run computes a network over time.
func (r *Recurrent) run(op string, c *Ctx, x nx.Tensor, start State, lengths nx.Tensor, hidden, gates int, step cell,
	long bool) (nx.Tensor, State) {
	single := x.Rank() == 2
	if single {
		x = nx.ExpandAxis(x, nx.Axis(0))
		if !start.H.IsZero() {
			start.H = nx.ExpandAxis(start.H, nx.Axis(1))
		}
		if !start.C.IsZero() {
			start.C = nx.ExpandAxis(start.C, nx.Axis(1))
		}
	}
	if x.Rank() != 3 {
		panic(diag.New(nx.ErrShape, op, "the axes are [batch, time, width]", "the argument is %v", x.Shape()))
	}
	if w := r.Forward[0].WeightIH.Shape(); x.Shape()[2] != w[1] {
		panic(diag.New(nx.ErrShape, op, "", "the last axis of the argument must be %d, got %v", w[1], x.Shape()))
	}
	x = nx.Transpose(x, nx.Axis(1, 0, 2)) // a step reads and writes contiguous memory
	var ends State
	var hs, cs []nx.Tensor
	directions := 1
	if len(r.Reverse) > 0 {
		directions = 2
	}
	for i := range r.Forward {
		var ys []nx.Tensor
		for d := range directions {
			g := r.Forward[i]
			if d == 1 {
				g = r.Reverse[i]
			}
			s := State{}
			if !start.H.IsZero() {
				s.H = start.H.At(i*directions + d)
			}
			if !start.C.IsZero() {
				s.C = start.C.At(i*directions + d)
			}
			y, end := direction(g, x, s, lengths, hidden, d == 1, step, long)
			ys = append(ys, y)
			hs, cs = append(hs, end.H), append(cs, end.C)
		}
		x = ys[0]
		if directions == 2 {
			x = nx.Concatenate(ys, nx.Axis(-1))
		}
		if r.Rate > 0 && i < len(r.Forward)-1 {
			x = c.drop(op, r, r.Rate, false, x)
		}
	}
	ends.H = nx.Stack(hs)
	if long {
		ends.C = nx.Stack(cs)
	}
	x = nx.Transpose(x, nx.Axis(1, 0, 2))
	if single {
		x = nx.Squeeze(x, nx.Axis(0))
		ends.H = nx.Squeeze(ends.H, nx.Axis(1))
		if long {
			ends.C = nx.Squeeze(ends.C, nx.Axis(1))
		}
	}
	return x, ends
}

// direction computes a layer in one direction, of an argument [time, batch, width]. The products with the argument are
// those of all steps at once.
func direction(g Gates, x nx.Tensor, start State, lengths nx.Tensor, hidden int, reverse bool, step cell,
	long bool) (nx.Tensor, State) {
	time, batch := x.Shape()[0], x.Shape()[1]
	if reverse {
		x = reversed(x, lengths)
	}
	products := g.product(x, g.WeightIH, g.BiasIH) // [time, batch, gates·hidden]
	d := products.DType()
	if start.H.IsZero() {
		start.H = nx.Zeros(nx.Shape{batch, g.WeightHH.Shape()[1]}, d)
	}
	start.H = nx.Cast(start.H, d)
	if long {
		if start.C.IsZero() {
			start.C = nx.Zeros(nx.Shape{batch, hidden}, d)
		}
		start.C = nx.Cast(start.C, d)
	}
	type row struct{ X, T nx.Tensor }
	end, y := nx.Scan(start, row{products, nx.Iota(nx.Shape{time}, nx.S32)}, func(s State, in row) (State, nx.Tensor) {
		next := step(g, in.X, s)
		if lengths.IsZero() {
			return next, next.H
		}
		valid := nx.ExpandAxis(nx.Less(in.T, nx.Cast(lengths, nx.S32)), nx.Axis(1))
		kept := State{H: nx.Where(valid, next.H, s.H)}
		if long {
			kept.C = nx.Where(valid, next.C, s.C)
		}
		return kept, nx.Where(valid, next.H, nx.ZerosLike(next.H))
	})
	if reverse {
		y = reversed(y, lengths)
	}
	return y, end
}

// reversed is x from its end to its beginning; with lengths the steps beyond a length stay.
func reversed(x, lengths nx.Tensor) nx.Tensor {
	if lengths.IsZero() {
		return nx.Reverse(x, nx.Axis(0))
	}
	shape := x.Shape()
	at := nx.BroadcastTo(nx.Iota(nx.Shape{shape[0], 1}, nx.S32, nx.Axis(0)), shape[0], shape[1])
	n := nx.Cast(lengths, nx.S32)
	index := nx.Where(nx.Less(at, n), nx.Sub(nx.Sub(n, 1), at), at)
	return nx.TakeAlong(x, nx.BroadcastTo(nx.ExpandAxis(index, nx.Axis(2)), shape...), nx.Axis(0))
}

// LSTM is a long short-term memory: i, f, o = σ(·), g = tanh(·); c ← f·c + i·g; h ← o·tanh c.
//
// Source: S. Hochreiter, J. Schmidhuber, 1997, doi:10.1162/neco.1997.9.8.1735; F. Gers, 2000, for f.
type LSTM struct {
	Recurrent `nn:",inline"`
	Hidden    int
}

// NewLSTM returns a network from in to hidden numbers. Options: [Layers], [BothDirections], [Projection], [DropRate],
// [NoBias], [Init], [DType].
func NewLSTM(key nx.Tensor, in, hidden int, opts ...RecurrentOption) *LSTM {
	r, _ := newRecurrent("NewLSTM", key, in, hidden, 4, opts)
	return &LSTM{r, hidden}
}

// Apply returns the states of the last layer at each time.
//
// Shapes: x [batch, time, in] → [batch, time, directions·state]; without the axis of batches too. DTypes: floats.
// Gradient: forward and reverse.
func (l *LSTM) Apply(c *Ctx, x nx.Tensor) nx.Tensor {
	y, _ := l.Run(c, x, State{}, nx.Tensor{})
	return y
}

// Run is Apply from a state, which is 0 where it is absent, and also returns the last one. Lengths, if present, are
// those of the sequences: results beyond are 0, the last state is that of the last valid step, and the reverse
// direction starts there.
//
// Shapes: lengths [batch].
func (l *LSTM) Run(c *Ctx, x nx.Tensor, start State, lengths nx.Tensor) (nx.Tensor, State) {
	defer c.named(l)
	return l.run("LSTM", c, x, start, lengths, l.Hidden, 4, lstmCell, true)
}

func lstmCell(g Gates, x nx.Tensor, s State) State {
	z := nx.Add(x, g.product(s.H, g.WeightHH, g.BiasHH))
	n := z.Shape()[z.Rank()-1] / 4
	p := nx.Split(z, []int{n, n, n, n}, nx.Axis(-1))
	c := nx.Add(nx.Mul(nx.Sigmoid(p[1]), s.C), nx.Mul(nx.Sigmoid(p[0]), nx.Tanh(p[2])))
	h := nx.Mul(nx.Sigmoid(p[3]), nx.Tanh(c))
	if !g.WeightHR.IsZero() {
		h = g.product(h, g.WeightHR, nx.Tensor{})
	}
	return State{h, c}
}

// GRU is a gated recurrent unit: r, z = σ(·); n = tanh(Wx + b + r·(Uh + c)); h ← (1-z)·n + z·h.
//
// Source: K. Cho et al., 2014, arXiv:1406.1078, with r after the product as in PyTorch, cuDNN and Keras.
type GRU struct {
	Recurrent `nn:",inline"`
	Hidden    int
}

// NewGRU returns a network from in to hidden numbers. Options: [Layers], [BothDirections], [DropRate], [NoBias],
// [Init], [DType].
func NewGRU(key nx.Tensor, in, hidden int, opts ...RecurrentOption) *GRU {
	r, _ := newRecurrent("NewGRU", key, in, hidden, 3, opts)
	return &GRU{r, hidden}
}

// Apply returns the states of the last layer at each time.
//
// Shapes: x [batch, time, in] → [batch, time, directions·hidden]; without the axis of batches too. DTypes: floats.
// Gradient: forward and reverse.
func (l *GRU) Apply(c *Ctx, x nx.Tensor) nx.Tensor {
	y, _ := l.Run(c, x, State{}, nx.Tensor{})
	return y
}

// Run is Apply from a state and with lengths, as [LSTM.Run].
func (l *GRU) Run(c *Ctx, x nx.Tensor, start State, lengths nx.Tensor) (nx.Tensor, State) {
	defer c.named(l)
	return l.run("GRU", c, x, start, lengths, l.Hidden, 3, gruCell, false)
}

func gruCell(g Gates, x nx.Tensor, s State) State {
	u := g.product(s.H, g.WeightHH, g.BiasHH)
	n := x.Shape()[x.Rank()-1] / 3
	a, b := nx.Split(x, []int{n, n, n}, nx.Axis(-1)), nx.Split(u, []int{n, n, n}, nx.Axis(-1))
	r, z := nx.Sigmoid(nx.Add(a[0], b[0])), nx.Sigmoid(nx.Add(a[1], b[1]))
	new := nx.Tanh(nx.Add(a[2], nx.Mul(r, b[2])))
	return State{H: nx.Add(nx.Mul(nx.Sub(1, z), new), nx.Mul(z, s.H))}
}

// RNN is the simple recurrent network h ← act(Wx + b + Uh + c).
//
// Source: J. Elman, 1990, doi:10.1207/s15516709cog1402_1.
type RNN struct {
	Recurrent `nn:",inline"`
	Hidden    int
	Act       func(nx.Tensor) nx.Tensor
}

// NewRNN returns a network from in to hidden numbers. Options: [Activation], nx.Tanh without it, [Layers],
// [BothDirections], [DropRate], [NoBias], [Init], [DType].
func NewRNN(key nx.Tensor, in, hidden int, opts ...RecurrentOption) *RNN {
	r, o := newRecurrent("NewRNN", key, in, hidden, 1, opts)
	return &RNN{r, hidden, o.activation}
}

// Apply returns the states of the last layer at each time.
//
// Shapes: x [batch, time, in] → [batch, time, directions·hidden]; without the axis of batches too. DTypes: floats.
// Gradient: forward and reverse.
func (l *RNN) Apply(c *Ctx, x nx.Tensor) nx.Tensor {
	y, _ := l.Run(c, x, State{}, nx.Tensor{})
	return y
}

// Run is Apply from a state and with lengths, as [LSTM.Run].
func (l *RNN) Run(c *Ctx, x nx.Tensor, start State, lengths nx.Tensor) (nx.Tensor, State) {
	defer c.named(l)
	return l.run("RNN", c, x, start, lengths, l.Hidden, 1, func(g Gates, x nx.Tensor, s State) State {
		return State{H: l.Act(nx.Add(x, g.product(s.H, g.WeightHH, g.BiasHH)))}
	}, false)
}
