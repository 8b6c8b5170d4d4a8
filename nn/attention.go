package nn

import (
	"math"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/diag"
	"github.com/go-nx/nx/random"
)

// AttendOption is an option of [Attend].
type AttendOption interface{ attend(*attendOptions) }

type attendOptions struct {
	causal bool
	offset nx.Tensor
	window int
	mask   nx.Tensor
	bias   nx.Tensor
	scale  float64
	cap    float64
	drop   func(weights nx.Tensor) nx.Tensor
}

type causalOption bool
type causalFromOption struct{ offset nx.Tensor }
type windowOption int
type maskOption struct{ t nx.Tensor }
type biasOption struct{ t nx.Tensor }
type scaleOption float64
type softcapOption float64
type dropWeights struct{ f func(nx.Tensor) nx.Tensor }

// Causal lets query i attend to keys 0 to i.
const Causal causalOption = true

// CausalFrom is [Causal] of queries that begin at a position: query i attends to keys 0 to offset+i. The offset is an
// integer scalar, the number of keys in a cache.
func CausalFrom(offset nx.Tensor) AttendOption { return causalFromOption{offset} }

// Window lets a query attend to the last n keys only, its own included, beside [Causal].
func Window(n int) interface {
	AttendOption
	AttentionOption
} {
	return windowOption(n)
}

// Mask lets queries attend where a mask is true. It broadcasts to [batch, heads, queries, keys].
func Mask(m nx.Tensor) AttendOption { return maskOption{m} }

// Bias is added to the scores: ALiBi, relative positions, or a mask of 0 and -Inf. It broadcasts to [batch, heads,
// queries, keys].
func Bias(b nx.Tensor) AttendOption { return biasOption{b} }

// Scale multiplies the scores, by 1/√d without it.
func Scale(s float64) AttendOption { return scaleOption(s) }

// Softcap limits the scaled scores softly to ±c, before a bias is added and keys are masked: c·tanh(scores/c), as
// Gemma 2 does.
func Softcap(c float64) AttendOption { return softcapOption(c) }

func (causalOption) attend(o *attendOptions)       { o.causal = true }
func (c causalFromOption) attend(o *attendOptions) { o.causal, o.offset = true, c.offset }
func (w windowOption) attend(o *attendOptions)     { o.window = int(w) }
func (m maskOption) attend(o *attendOptions) {
	if !o.mask.IsZero() {
		o.mask = nx.LogicalAnd(o.mask, m.t)
		return
	}
	o.mask = m.t
}
func (b biasOption) attend(o *attendOptions) {
	if !o.bias.IsZero() {
		o.bias = nx.Add(o.bias, b.t)
		return
	}
	o.bias = b.t
}
func (s scaleOption) attend(o *attendOptions)   { o.scale = float64(s) }
func (s softcapOption) attend(o *attendOptions) { o.cap = float64(s) }
func (d dropWeights) attend(o *attendOptions)   { o.drop = d.f }

// Attend returns softmax(q·kᵀ/√d)·v for each head: scaled dot-product attention. Keys and values may have fewer heads
// than queries, which share them in order (grouped queries): query head i uses key head i·kvHeads/heads. A query that
// may attend to no key gives 0.
//
// Shapes: q […, heads, queries, d], k […, kvHeads, keys, d], v […, kvHeads, keys, e] → […, heads, queries, e]. DTypes:
// floats; scores are f32 at least. Gradient: forward and reverse; 0 for a query that attends to no key. Options:
// [Causal], [CausalFrom], [Window], [Mask], [Bias], [Scale], [Softcap].
//
// Source: A. Vaswani et al., 2017, arXiv:1706.03762; J. Ainslie et al., 2023, arXiv:2305.13245, for grouped queries.
func Attend(q, k, v nx.Tensor, opts ...AttendOption) nx.Tensor {
	y, _ := AttendWeights(q, k, v, opts...)
	return y
}

// AttendWeights is [Attend] which also returns the weights of the keys.
//
// Shapes: weights […, heads, queries, keys].
func AttendWeights(q, k, v nx.Tensor, opts ...AttendOption) (y, weights nx.Tensor) {
	const op = "Attend"
	var o attendOptions
	for _, opt := range opts {
		if opt != nil {
			opt.attend(&o)
		}
	}
	n := q.Rank()
	if n < 3 || k.Rank() != n || v.Rank() != n {
		panic(diag.New(nx.ErrShape, op, "the axes are [batch, heads, time, width]",
			"queries, keys and values are %v, %v, %v", q.Shape(), k.Shape(), v.Shape()))
	}
	heads, shared := q.Shape()[n-3], k.Shape()[n-3]
	if shared == 0 || heads%shared != 0 || v.Shape()[n-3] != shared {
		panic(diag.New(nx.ErrShape, op, "", "%d heads of queries cannot share %d heads of keys and %d of values", heads,
			shared,
			v.Shape()[n-3]))
	}
	if shared != heads {
		k, v = repeatHeads(k, heads/shared), repeatHeads(v, heads/shared)
	}
	if o.scale == 0 {
		o.scale = 1 / math.Sqrt(float64(q.Shape()[n-1]))
	}
	scores := nx.Mul(widen(nx.Einsum("...qd,...kd->...qk", q, k)), o.scale)
	if o.cap > 0 {
		scores = nx.Mul(nx.Tanh(nx.Div(scores, o.cap)), o.cap)
	}
	if !o.bias.IsZero() {
		scores = nx.Add(scores, nx.Cast(o.bias, scores.DType()))
	}
	if allowed := o.allowed(q.Shape()[n-2], k.Shape()[n-2]); !allowed.IsZero() {
		scores = nx.Where(allowed, scores, nx.Full(nx.Shape{}, math.Inf(-1), scores.DType()))
	}
	weights = masked(scores, !o.mask.IsZero() || !o.bias.IsZero() || o.causal)
	if o.drop != nil {
		weights = o.drop(weights)
	}
	return nx.Einsum("...qk,...kd->...qd", nx.Cast(weights, v.DType()), v), weights
}

// repeatHeads repeats each head n times.
func repeatHeads(t nx.Tensor, n int) nx.Tensor {
	s := t.Shape()
	r := t.Rank()
	wide := nx.ExpandAxis(t, nx.Axis(r-2))
	shape := append(nx.Shape{}, s[:r-2]...)
	return nx.Reshape(nx.BroadcastTo(wide, append(append(shape, n), s[r-2:]...)...),
		append(append(append(nx.Shape{}, s[:r-3]...), s[r-3]*n), s[r-2:]...)...)
}

// allowed returns which keys a query may attend to, absent for all.
func (o attendOptions) allowed(queries, keys int) nx.Tensor {
	mask := o.mask
	if !mask.IsZero() && mask.DType() != nx.Bool {
		mask = nx.NotEqual(mask, 0)
	}
	if !o.causal && o.window == 0 {
		return mask
	}
	at := nx.ExpandAxis(nx.Iota(nx.Shape{queries}, nx.S32), nx.Axis(1))
	if !o.offset.IsZero() {
		at = nx.Add(at, nx.Cast(o.offset, nx.S32))
	}
	key := nx.Iota(nx.Shape{keys}, nx.S32)
	m := nx.LessEqual(key, at)
	if !o.causal {
		m = nx.Full(nx.Shape{queries, keys}, true, nx.Bool)
	}
	if o.window > 0 {
		m = nx.LogicalAnd(m, nx.Greater(key, nx.Sub(at, o.window)))
	}
	if mask.IsZero() {
		return m
	}
	return nx.LogicalAnd(mask, m)
}

// masked is the softmax of scores, 0 in rows of -Inf, whose gradient would be NaN.
func masked(scores nx.Tensor, may bool) nx.Tensor {
	if !may {
		return nx.Softmax(scores)
	}
	none := nx.Equal(nx.Max(nx.StopGradient(scores), nx.Axis(-1), nx.KeepAxes), math.Inf(-1))
	none = nx.BroadcastTo(none, scores.Shape()...)
	return nx.Where(none, nx.ZerosLike(scores), nx.Softmax(nx.Where(none, nx.ZerosLike(scores), scores)))
}

// AttentionOption is an option of [NewAttention].
type AttentionOption interface{ attention(*attentionOptions) }

type attentionOptions struct {
	paramOptions
	kvHeads, width, window int
	causal                 bool
	rope                   *Rope
	rate                   float64
}

type kvHeadsOption int
type headWidthOption int
type ropeOption struct{ r Rope }
type rateOption float64

// KVHeads is the number of heads of keys and values, that of queries without it.
func KVHeads(n int) AttentionOption { return kvHeadsOption(n) }

// HeadWidth is the number of numbers of a head, the width divided by the heads without it.
func HeadWidth(n int) AttentionOption { return headWidthOption(n) }

// Rotary rotates queries and keys by their positions.
func Rotary(r Rope) AttentionOption { return ropeOption{r} }

// DropRate drops weights of attention, or results of recurrent layers, in training.
func DropRate(p float64) interface {
	AttentionOption
	RecurrentOption
	TransformerOption
} {
	return rateOption(p)
}

func (o kvHeadsOption) attention(a *attentionOptions)   { a.kvHeads = int(o) }
func (o headWidthOption) attention(a *attentionOptions) { a.width = int(o) }
func (o ropeOption) attention(a *attentionOptions)      { a.rope = &o.r }
func (o rateOption) attention(a *attentionOptions)      { a.rate = float64(o) }
func (causalOption) attention(a *attentionOptions)      { a.causal = true }
func (o windowOption) attention(a *attentionOptions)    { a.causal, a.window = true, int(o) }
func (o initOption) attention(a *attentionOptions)      { o.linear(&a.paramOptions) }
func (o dtypeOption) attention(a *attentionOptions)     { o.linear(&a.paramOptions) }
func (noBias) attention(a *attentionOptions)            { a.noBias = true }

// Attention is multi-head attention with a weight for each of queries, keys, values and results, as language models
// have it. [MultiheadAttention] has the weights of PyTorch's module.
type Attention struct {
	QProj, KProj, VProj, OProj *Linear
	QNorm, KNorm               Layer // of each head of queries and keys, before they are rotated, or nil
	Heads, KVHeads             int
	Causal                     bool
	Window                     int // of the last keys, 0 for all
	Rotary                     *Rope
	Rate                       float64 // of weights dropped in training
	Scale                      float64 // of the scores, 1/√d where it is 0
	Softcap                    float64 // of the scaled scores, none where it is 0
}

// NewAttention returns a layer of width numbers with heads. Options: [KVHeads], [HeadWidth], [Causal], [Window] (which
// is causal), [Rotary], [DropRate], [NoBias], [Init], [DType].
func NewAttention(key nx.Tensor, width, heads int, opts ...AttentionOption) *Attention {
	const op = "NewAttention"
	o := attentionOptions{paramOptions: paramOptions{weight: LeCunNormal, bias: Zeros, dtype: nx.F32}}
	for _, opt := range opts {
		if opt != nil {
			opt.attention(&o)
		}
	}
	positive(op, "width", width)
	positive(op, "heads", heads)
	if o.kvHeads == 0 {
		o.kvHeads = heads
	}
	if o.width == 0 {
		if width%heads != 0 {
			panic(diag.New(nx.ErrArgument, op, "give nn.HeadWidth", "the width %d is not a multiple of %d heads", width,
				heads))
		}
		o.width = width / heads
	}
	if heads%o.kvHeads != 0 {
		panic(diag.New(nx.ErrArgument, op, "", "%d heads are not a multiple of %d heads of keys", heads, o.kvHeads))
	}
	keys := random.Split(key, 4)
	params := paramsOption{o.paramOptions}
	return &Attention{
		QProj: NewLinear(keys.At(0), width, heads*o.width, params),
		KProj: NewLinear(keys.At(1), width, o.kvHeads*o.width, params),
		VProj: NewLinear(keys.At(2), width, o.kvHeads*o.width, params),
		OProj: NewLinear(keys.At(3), heads*o.width, width, params),
		Heads: heads, KVHeads: o.kvHeads, Causal: o.causal, Window: o.window, Rotary: o.rope, Rate: o.rate,
	}
}

// paramsOption are the options of a layer's parameters for the layers in it.
type paramsOption struct{ p paramOptions }

func (o paramsOption) linear(p *paramOptions) { *p = o.p }

// Apply attends from each position of x to the positions of x.
//
// Shapes: x [batch, time, width]; the result is alike. DTypes: floats. Gradient: forward and reverse.
func (l *Attention) Apply(c *Ctx, x nx.Tensor) nx.Tensor { return l.Attend(c, x, x) }

// Attend attends from each position of x to the positions of y.
//
// Shapes: x [batch, time, width], y [batch, keys, width] → [batch, time, width]. DTypes: floats. Gradient: forward and
// reverse. Options: those of [Attend], beside those of the layer.
func (l *Attention) Attend(c *Ctx, x, y nx.Tensor, opts ...AttendOption) nx.Tensor {
	defer c.named(l)
	q := l.Queries(c, x)
	k, v := l.KeysValues(c, y)
	if l.Rotary != nil {
		q = l.Rotary.Apply(q, nx.Iota(nx.Shape{x.Shape()[1]}, nx.S32))
		k = l.Rotary.Apply(k, nx.Iota(nx.Shape{y.Shape()[1]}, nx.S32))
	}
	return l.OProj.Apply(c, joinHeads(Attend(q, k, v, l.options(c, opts)...)))
}

// Queries are the queries of the positions of x, normalised and not yet rotated: the first step of Attend, for programs
// with other positions or caches. The following ones are KeysValues, [Rotate], the function [Attend] with Options, and
// Join.
//
// Shapes: x [batch, time, width] → [batch, heads, time, d]. DTypes: floats. Gradient: forward and reverse.
func (l *Attention) Queries(c *Ctx, x nx.Tensor) nx.Tensor {
	return normed(c, l.QNorm, l.heads(l.QProj.Apply(c, x), l.Heads))
}

// KeysValues are the keys, normalised and not yet rotated, and the values of the positions of y.
//
// Shapes: y [batch, keys, width] → [batch, kvHeads, keys, d] each. DTypes: floats. Gradient: forward and reverse.
func (l *Attention) KeysValues(c *Ctx, y nx.Tensor) (k, v nx.Tensor) {
	return normed(c, l.KNorm, l.heads(l.KProj.Apply(c, y), l.KVHeads)), l.heads(l.VProj.Apply(c, y), l.KVHeads)
}

// Join is the last step of Attend: the projection of the results of all heads.
//
// Shapes: z [batch, heads, time, d] → [batch, time, width]. DTypes: floats. Gradient: forward and reverse.
func (l *Attention) Join(c *Ctx, z nx.Tensor) nx.Tensor { return l.OProj.Apply(c, joinHeads(z)) }

// Options are the options of the function [Attend] that the layer's fields give, before others.
func (l *Attention) Options(c *Ctx, more ...AttendOption) []AttendOption { return l.options(c, more) }

func normed(c *Ctx, norm Layer, x nx.Tensor) nx.Tensor {
	if norm == nil {
		return x
	}
	return norm.Apply(c, x)
}

// options are the options of a layer, before others.
func (l *Attention) options(c *Ctx, more []AttendOption) []AttendOption {
	var opts []AttendOption
	if l.Causal {
		opts = append(opts, Causal)
	}
	if l.Window > 0 {
		opts = append(opts, Window(l.Window))
	}
	opts = l.scaling(opts)
	if l.Rate > 0 && c.Training() {
		opts = append(opts, dropWeights{func(w nx.Tensor) nx.Tensor {
			return c.drop("Attention", l, l.Rate, false, w)
		}})
	}
	return append(opts, more...)
}

// scaling adds what the layer does with scores.
func (l *Attention) scaling(opts []AttendOption) []AttendOption {
	if l.Scale != 0 {
		opts = append(opts, Scale(l.Scale))
	}
	if l.Softcap != 0 {
		opts = append(opts, Softcap(l.Softcap))
	}
	return opts
}

// heads divides the last axis into heads: [batch, time, heads·d] → [batch, heads, time, d].
func (l *Attention) heads(t nx.Tensor, n int) nx.Tensor { return splitHeads("Attention", t, n) }

func splitHeads(op string, t nx.Tensor, n int) nx.Tensor {
	s := t.Shape()
	if len(s) != 3 || s[2]%n != 0 {
		panic(diag.New(nx.ErrShape, op, "the axes are [batch, time, width]", "%v cannot be divided into %d heads", s,
			n))
	}
	return nx.Transpose(nx.Reshape(t, s[0], s[1], n, s[2]/n), nx.Axis(0, 2, 1, 3))
}

// joinHeads is the inverse of splitHeads.
func joinHeads(t nx.Tensor) nx.Tensor {
	s := t.Shape()
	return nx.Reshape(nx.Transpose(t, nx.Axis(0, 2, 1, 3)), s[0], s[2], s[1]*s[3])
}

// Cache keeps the keys and values of a sequence, so that each step of a generation computes those of its own positions
// only.
type Cache struct {
	K, V   nx.Tensor // [batch, heads, capacity, d]
	Length nx.Tensor // the number of positions that are there, s32
}

// NewCache returns an empty cache for a batch of sequences of at most capacity positions.
func (l *Attention) NewCache(batch, capacity int, d nx.DType) Cache {
	width := l.KProj.Weight.Shape()[0] / l.KVHeads
	shape := nx.Shape{batch, l.KVHeads, capacity, width}
	return Cache{nx.Zeros(shape, d), nx.Zeros(shape, d), nx.Zeros(nx.Shape{}, nx.S32)}
}

// Step attends from the positions of x, which follow those in a cache, to all of them, and returns the cache with them.
// Positions beyond its capacity are undefined.
//
// Shapes: x [batch, time, width]; the result is alike. DTypes: floats. Gradient: forward and reverse.
func (l *Attention) Step(c *Ctx, x nx.Tensor, cache Cache) (nx.Tensor, Cache) {
	defer c.named(l)
	if x.Rank() != 3 {
		panic(diag.New(nx.ErrShape, "Attention", "the axes are [batch, time, width]", "the argument is %v", x.Shape()))
	}
	n := x.Shape()[1]
	q := l.Queries(c, x)
	k, v := l.KeysValues(c, x)
	if l.Rotary != nil {
		at := nx.Add(nx.Iota(nx.Shape{n}, nx.S32), cache.Length)
		q, k = l.Rotary.Apply(q, at), l.Rotary.Apply(k, at)
	}
	put := func(t, rows nx.Tensor) nx.Tensor {
		return nx.SetSlice(t, nx.Cast(rows, t.DType()), 0, 0, cache.Length, 0)
	}
	next := Cache{put(cache.K, k), put(cache.V, v), nx.Add(cache.Length, n)}
	opts := []AttendOption{CausalFrom(cache.Length)}
	if l.Window > 0 {
		opts = append(opts, Window(l.Window))
	}
	opts = l.scaling(opts)
	y := Attend(q, nx.Cast(next.K, q.DType()), nx.Cast(next.V, q.DType()), opts...)
	return l.OProj.Apply(c, joinHeads(y)), next
}
