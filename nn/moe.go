package nn

import (
	"math"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/diag"
	"github.com/go-nx/nx/random"
)

// MoE is a mixture of experts: a router chooses TopK of the experts for each position, and their results are added with
// its weights. Its weights are named as those of Mixtral's block_sparse_moe: gate.weight, experts.0.w1.weight.
//
// Without a Capacity each expert computes all positions, and the router leaves those out that it did not choose: exact,
// but Experts/TopK times the work. With one an expert computes a fixed number of positions, in the order of the batch,
// first choices before second ones; what it has no place for gets nothing of it.
//
// In training Apply adds the balance of [Routing], times its weight, to [Ctx.AuxLoss], which the loss must add.
//
// Source: N. Shazeer et al., "Outrageously large neural networks", 2017, arXiv:1701.06538; W. Fedus, B. Zoph, N.
// Shazeer, "Switch transformers", 2021, arXiv:2101.03961; A. Q. Jiang et al., "Mixtral of experts", 2024,
// arXiv:2401.04088.
type MoE struct {
	Gate    *Linear // the router, [experts, width]
	Experts []Layer // each […, width] → […, out]
	TopK    int     // experts of a position
	// Normalize divides the weights of the chosen experts by their sum, as Mixtral. Without it they are the
	// probabilities of the router, as in Switch transformers, whose only expert has a weight below 1.
	Normalize bool
	// Capacity is the number of places of an expert for each position that it would have if all had as many, 1.25 for
	// example; 0 computes all.
	Capacity float64
	// Jitter multiplies the argument of the router by numbers in [1-Jitter, 1+Jitter) in training.
	Jitter  float64
	Balance float64 // weight of the balance in [Ctx.AuxLoss]
	ZLoss   float64 // weight of the z-loss in [Ctx.AuxLoss]
}

// Expert is the gated network in blocks of Mixtral and Llama: W2·(silu(W1·x) · W3·x).
//
// Source: N. Shazeer, "GLU variants improve transformer", 2020, arXiv:2002.05202.
type Expert struct{ W1, W2, W3 *Linear }

// Apply applies the network.
//
// Shapes: x […, width]; the result is alike. DTypes: floats. Gradient: forward and reverse.
func (l *Expert) Apply(c *Ctx, x nx.Tensor) nx.Tensor {
	return l.W2.Apply(c, nx.Mul(nx.Silu(l.W1.Apply(c, x)), l.W3.Apply(c, x)))
}

// MoEOption is an option of [NewMoE].
type MoEOption interface{ moe(*moeOptions) }

type moeOptions struct {
	paramOptions
	capacity, jitter, balance, z float64
}

type capacityOption float64
type jitterOption float64
type balanceOption struct{ balance, z float64 }

// Capacity bounds the positions of an expert: that number times the positions that it would have if all had as many.
// 1.25 is usual in training. A position that an expert has no place for gets nothing of it.
func Capacity(f float64) MoEOption { return capacityOption(f) }

// Jitter multiplies the argument of the router by random numbers in [1-e, 1+e) in training.
func Jitter(e float64) MoEOption { return jitterOption(e) }

// BalanceLoss gives the weights of the balance and of the z-loss of [Routing] in [Ctx.AuxLoss], 0.01 and 0 without it.
func BalanceLoss(balance, z float64) MoEOption { return balanceOption{balance, z} }

func (o capacityOption) moe(m *moeOptions) { m.capacity = float64(o) }
func (o jitterOption) moe(m *moeOptions)   { m.jitter = float64(o) }
func (o balanceOption) moe(m *moeOptions)  { m.balance, m.z = o.balance, o.z }
func (o initOption) moe(m *moeOptions)     { o.linear(&m.paramOptions) }
func (o dtypeOption) moe(m *moeOptions)    { o.linear(&m.paramOptions) }

// NewMoE returns a mixture of experts of width numbers, each an [Expert] with a hidden layer, k of them for each
// position. With k of 1 weights are not normalised. Options: [Capacity], [Jitter], [BalanceLoss], [Init], [DType].
func NewMoE(key nx.Tensor, width, hidden, experts, k int, opts ...MoEOption) *MoE {
	const op = "NewMoE"
	o := moeOptions{paramOptions: paramOptions{weight: LeCunNormal, bias: Zeros, dtype: nx.F32}, balance: 0.01}
	for _, opt := range opts {
		if opt != nil {
			opt.moe(&o)
		}
	}
	positive(op, "width", width)
	positive(op, "hidden", hidden)
	positive(op, "experts", experts)
	if k < 1 || k > experts {
		panic(diag.New(nx.ErrArgument, op, "", "%d of %d experts cannot be chosen", k, experts))
	}
	if !(o.capacity >= 0) || math.IsInf(o.capacity, 0) {
		panic(diag.New(nx.ErrArgument, op, "", "the capacity must be a number of at least 0, got %v", o.capacity))
	}
	o.noBias = true
	params := paramsOption{o.paramOptions}
	keys := random.Split(key, 1+3*experts)
	l := &MoE{Gate: NewLinear(keys.At(0), width, experts, params), TopK: k, Normalize: k > 1,
		Capacity: o.capacity, Jitter: o.jitter, Balance: o.balance, ZLoss: o.z}
	for i := range experts {
		l.Experts = append(l.Experts, &Expert{
			W1: NewLinear(keys.At(3*i+1), width, hidden, params),
			W2: NewLinear(keys.At(3*i+2), hidden, width, params),
			W3: NewLinear(keys.At(3*i+3), width, hidden, params),
		})
	}
	return l
}

// Routing says how the router of a [MoE] divided positions. All are f32 at least.
type Routing struct {
	// Balance is experts · Σ f·p: f the share of positions that choose an expert, p the mean of its probability. It is
	// TopK where all have as many, and more otherwise.
	Balance nx.Tensor
	// ZLoss is the mean of the squared logarithms of the sums of exponentials of the router, which keeps its numbers
	// small.
	//
	// Source: B. Zoph et al., "ST-MoE", 2022, arXiv:2202.08906.
	ZLoss nx.Tensor
	Load  nx.Tensor // [experts], the share of choices of each expert; no gradient
	// Dropped is the share of choices for which an expert had no place; no gradient.
	Dropped nx.Tensor
}

// Apply adds the results of the experts that the router chooses for each position.
//
// Shapes: x […, width] → […, out]. DTypes: floats; the router computes in f32 at least. Gradient: forward and reverse,
// through the chosen experts and their weights. Errors: [nx.ErrShape] for another width, [nx.ErrArgument] for a Jitter
// without a key in training.
func (l *MoE) Apply(c *Ctx, x nx.Tensor) nx.Tensor {
	y, r := l.Route(c, x)
	if c.Training() {
		if l.Balance != 0 {
			c.AddLoss(nx.Mul(r.Balance, l.Balance))
		}
		if l.ZLoss != 0 {
			c.AddLoss(nx.Mul(r.ZLoss, l.ZLoss))
		}
	}
	return y
}

// Route is [MoE.Apply] that also returns how positions were divided, and adds no loss to the context.
//
// Shapes, DTypes, Gradient, Errors: those of [MoE.Apply]; gradients of the balance and the z-loss are those of the
// probabilities.
func (l *MoE) Route(c *Ctx, x nx.Tensor) (nx.Tensor, Routing) {
	const op = "MoE"
	defer c.named(l)
	n := len(l.Experts)
	if s := x.Shape(); len(s) == 0 || s[len(s)-1] != l.Gate.Weight.Shape()[1] {
		panic(diag.New(nx.ErrShape, op, "", "the last axis of the argument must be %d, got %v",
			l.Gate.Weight.Shape()[1], s))
	}
	if n != l.Gate.Weight.Shape()[0] || l.TopK < 1 || l.TopK > n {
		panic(diag.New(nx.ErrArgument, op, "", "the router has %d results, there are %d experts, %d are chosen",
			l.Gate.Weight.Shape()[0], n, l.TopK))
	}
	outer := x.Shape()[:x.Rank()-1]
	x = nx.Reshape(x, -1, x.Shape()[len(outer)])
	logits := l.logits(c, x)
	p := nx.Softmax(logits)
	weights, chosen := nx.TopK(p, l.TopK) // [positions, k]
	if l.Normalize {
		weights = nx.Div(weights, nx.Sum(weights, nx.Axis(-1), nx.KeepAxes))
	}
	choice := nx.Cast(nx.Equal(nx.ExpandAxis(chosen, nx.Axis(-1)), nx.Iota(nx.Shape{n}, nx.S32)), p.DType())
	f := nx.Mean(nx.Sum(choice, nx.Axis(1)), nx.Axis(0))
	r := Routing{
		Balance: nx.Mul(nx.Sum(nx.Mul(f, nx.Mean(p, nx.Axis(0)))), n),
		ZLoss:   nx.Mean(nx.Square(nx.LogSumExp(logits, nx.Axis(-1)))),
		Load:    nx.Div(f, l.TopK),
	}
	var y nx.Tensor
	if l.Capacity > 0 && x.Shape()[0] > 0 {
		y, r.Dropped = l.dispatch(c, x, weights, chosen, choice)
	} else {
		y, r.Dropped = l.all(c, x, nx.Sum(nx.Mul(choice, nx.ExpandAxis(weights, nx.Axis(-1))), nx.Axis(1))),
			nx.Zeros(nx.Shape{}, nx.F32)
	}
	return nx.Reshape(y, append(append([]int{}, outer...), y.Shape()[1])...), r
}

// logits are those of the router.
func (l *MoE) logits(c *Ctx, x nx.Tensor) nx.Tensor {
	x = widen(x)
	if c.Training() && l.Jitter > 0 {
		x = nx.Mul(x, random.Uniform(c.keyOf("MoE", l), 1-l.Jitter, 1+l.Jitter, x.Shape(), x.DType()))
	}
	z := nx.Dot(x, nx.Transpose(widen(l.Gate.Weight)))
	if !l.Gate.Bias.IsZero() {
		z = nx.Add(z, widen(l.Gate.Bias))
	}
	return z
}

// all adds the results of all experts by their weights [positions, experts].
func (l *MoE) all(c *Ctx, x, weights nx.Tensor) (y nx.Tensor) {
	for i, e := range l.Experts {
		part := e.Apply(c, x)
		w := nx.Slice(weights, []int{0, i}, []int{weights.Shape()[0], 1})
		part = nx.Mul(part, nx.Cast(w, part.DType()))
		if y.IsZero() {
			y = part
			continue
		}
		y = nx.Add(y, part)
	}
	return y
}

// dispatch lets each expert compute its places.
func (l *MoE) dispatch(c *Ctx, x, weights, chosen, choice nx.Tensor) (y, dropped nx.Tensor) {
	positions, n := x.Shape()[0], len(l.Experts)
	places := min(positions, int(math.Ceil(l.Capacity*float64(positions*l.TopK)/float64(n))))
	places = max(places, 1)
	// Choices in order: the first ones of all positions, then the second ones.
	flat := func(t nx.Tensor) nx.Tensor { return nx.Reshape(nx.Transpose(t), -1) }
	expert := flat(chosen) // [k·positions]
	one := nx.Cast(nx.Reshape(nx.Transpose(choice, nx.Axis(1, 0, 2)), -1, n), nx.S32)
	place := nx.Sub(nx.Sum(nx.Mul(nx.CumSum(one, nx.Axis(0)), one), nx.Axis(1)), 1) // among the choices of the expert
	fits := nx.Less(place, places)
	// The choices in the order of their experts: those of one follow each other.
	order := nx.ArgSort(expert)
	counts := nx.Sum(one, nx.Axis(0))
	starts := nx.Sub(nx.CumSum(counts), counts)
	slot := nx.Iota(nx.Shape{places}, nx.S32)
	zeroRow := func(t nx.Tensor) nx.Tensor {
		return nx.Concatenate([]nx.Tensor{t, nx.Zeros(nx.Shape{1, t.Shape()[1]}, t.DType())})
	}
	padded := zeroRow(x)
	var results []nx.Tensor
	for i, e := range l.Experts {
		at := nx.Minimum(nx.Add(slot, starts.At(i)), positions*l.TopK-1)
		row := nx.Remainder(nx.Take(order, at), positions)
		row = nx.Where(nx.Less(slot, counts.At(i)), row, nx.FullLike(row, positions))
		results = append(results, e.Apply(c, nx.Take(padded, row, nx.Axis(0))))
	}
	all := zeroRow(nx.Concatenate(results))
	from := nx.Where(fits, nx.Add(nx.Mul(expert, places), place), nx.FullLike(expert, n*places))
	parts := nx.Take(all, from, nx.Axis(0)) // [k·positions, out]
	parts = nx.Mul(parts, nx.Cast(nx.ExpandAxis(flat(weights), nx.Axis(1)), parts.DType()))
	y = nx.Sum(nx.Reshape(parts, l.TopK, positions, parts.Shape()[1]), nx.Axis(0))
	return y, nx.Sub(1, nx.Mean(nx.Cast(fits, nx.F32)))
}
