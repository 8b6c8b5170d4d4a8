package nn

import (
	"github.com/go-nx/nx"
	"github.com/go-nx/nx/diag"
	"github.com/go-nx/nx/random"
)

// MultiheadAttention is torch.nn.MultiheadAttention: one weight for queries, keys and values, or three where keys and
// values have other widths. Arguments have the batch first.
type MultiheadAttention struct {
	InProjWeight nx.Tensor // [3·width, width], or absent
	QProjWeight  nx.Tensor // [width, width], or absent
	KProjWeight  nx.Tensor // [width, keyWidth], or absent
	VProjWeight  nx.Tensor // [width, valueWidth], or absent
	InProjBias   nx.Tensor // [3·width], or absent
	BiasK, BiasV nx.Tensor // [1, 1, width], a further key and value, or absent
	OutProj      *Linear
	Heads        int
	AddZero      bool // a further key and value of zeros
	Rate         float64
}

// TransformerOption is an option of the layers of PyTorch's transformers.
type TransformerOption interface{ transformer(*transformerOptions) }

type transformerOptions struct {
	paramOptions
	rate, epsilon     float64
	normFirst         bool
	activation        func(nx.Tensor) nx.Tensor
	kWidth, vWidth    int
	biasKV, zeroAttnd bool
	given             bool // weights by Init
}

type transformerFlag int
type activationOption struct{ f func(nx.Tensor) nx.Tensor }
type widthsOption struct{ k, v int }

const (
	// NormFirst normalises the argument of each part of a layer, not the sum after it.
	NormFirst transformerFlag = iota
	// BiasKV adds a trained key and value to attention.
	BiasKV
	// ZeroKV adds a key and a value of zeros to attention.
	ZeroKV
)

// Activation is the function between the two linear layers of a transformer's layer, nx.Relu without it, or that of an
// [RNN]. Name a function of a package.
func Activation(f func(nx.Tensor) nx.Tensor) interface {
	RecurrentOption
	TransformerOption
} {
	return activationOption{f}
}

// KVWidths are the widths of keys and values that differ from that of queries.
func KVWidths(k, v int) TransformerOption { return widthsOption{k, v} }

func (o transformerFlag) transformer(t *transformerOptions) {
	switch o {
	case NormFirst:
		t.normFirst = true
	case BiasKV:
		t.biasKV = true
	case ZeroKV:
		t.zeroAttnd = true
	}
}
func (o activationOption) transformer(t *transformerOptions) { t.activation = o.f }
func (o widthsOption) transformer(t *transformerOptions)     { t.kWidth, t.vWidth = o.k, o.v }
func (o rateOption) transformer(t *transformerOptions)       { t.rate = float64(o) }
func (o epsilonOption) transformer(t *transformerOptions)    { t.epsilon = float64(o) }
func (o initOption) transformer(t *transformerOptions) {
	o.linear(&t.paramOptions)
	t.given = true
}
func (o dtypeOption) transformer(t *transformerOptions) { o.linear(&t.paramOptions) }
func (noBias) transformer(t *transformerOptions)        { t.noBias = true }

func newTransformerOptions(opts []TransformerOption) transformerOptions {
	o := transformerOptions{paramOptions: paramOptions{weight: GlorotUniform, bias: Zeros, dtype: nx.F32},
		epsilon: 1e-5, activation: nx.Relu}
	for _, opt := range opts {
		if opt != nil {
			opt.transformer(&o)
		}
	}
	return o
}

// NewMultiheadAttention returns a layer with the weights of torch.nn.MultiheadAttention. Options: [KVWidths], [BiasKV],
// [ZeroKV], [DropRate], [NoBias], [Init], [DType].
func NewMultiheadAttention(key nx.Tensor, width, heads int, opts ...TransformerOption) *MultiheadAttention {
	return newMultihead(key, width, heads, newTransformerOptions(opts))
}

func newMultihead(key nx.Tensor, width, heads int, o transformerOptions) *MultiheadAttention {
	const op = "NewMultiheadAttention"
	positive(op, "heads", heads)
	if width < 1 || width%heads != 0 {
		panic(diag.New(nx.ErrArgument, op, "", "the width %d is not a multiple of %d heads", width, heads))
	}
	keys := random.Split(key, 6)
	l := &MultiheadAttention{Heads: heads, Rate: o.rate, AddZero: o.zeroAttnd}
	weight := func(i, out, in int) nx.Tensor {
		return o.weight(keys.At(i), nx.Shape{out, in}, Fan{In: in, Out: out}, o.dtype)
	}
	if o.kWidth == 0 || o.kWidth == width && o.vWidth == width {
		l.InProjWeight = weight(0, 3*width, width)
	} else {
		l.QProjWeight, l.KProjWeight, l.VProjWeight = weight(0, width, width), weight(1, width, o.kWidth),
			weight(2, width, o.vWidth)
	}
	if !o.noBias {
		l.InProjBias = nx.Zeros(nx.Shape{3 * width}, o.dtype)
	}
	if o.biasKV {
		l.BiasK = Normal(0, 0.02)(keys.At(3), nx.Shape{1, 1, width}, Fan{}, o.dtype)
		l.BiasV = Normal(0, 0.02)(keys.At(4), nx.Shape{1, 1, width}, Fan{}, o.dtype)
	}
	out := o.paramOptions
	if !o.given { // PyTorch draws this one as that of a linear layer
		out.weight = PyTorchInit
	}
	l.OutProj = NewLinear(keys.At(5), width, width, paramsOption{out})
	return l
}

// Attend attends from queries to keys and values.
//
// Shapes: query [batch, time, width], key [batch, keys, keyWidth], value [batch, keys, valueWidth] → [batch, time,
// width], weights [batch, heads, time, keys]. DTypes: floats. Gradient: forward and reverse. Options: those of
// [Attend].
func (l *MultiheadAttention) Attend(c *Ctx, query, key, value nx.Tensor, opts ...AttendOption) (y, weights nx.Tensor) {
	const op = "MultiheadAttention"
	defer c.named(l)
	width := l.OutProj.Weight.Shape()[1]
	ws := []nx.Tensor{l.QProjWeight, l.KProjWeight, l.VProjWeight}
	if !l.InProjWeight.IsZero() {
		ws = nx.Split(l.InProjWeight, []int{width, width, width})
	}
	bs := make([]nx.Tensor, 3)
	if !l.InProjBias.IsZero() {
		bs = nx.Split(l.InProjBias, []int{width, width, width})
	}
	var parts [3]nx.Tensor
	for i, x := range []nx.Tensor{query, key, value} {
		parts[i] = linear(x, ws[i], bs[i])
	}
	q, k, v := parts[0], parts[1], parts[2]
	more := 0
	if !l.BiasK.IsZero() {
		shape := []int{k.Shape()[0], 1, width}
		k = nx.Concatenate([]nx.Tensor{k, nx.Cast(nx.BroadcastTo(l.BiasK, shape...), k.DType())}, nx.Axis(1))
		v = nx.Concatenate([]nx.Tensor{v, nx.Cast(nx.BroadcastTo(l.BiasV, shape...), v.DType())}, nx.Axis(1))
		more++
	}
	if l.AddZero {
		zero := nx.Zeros(nx.Shape{k.Shape()[0], 1, width}, k.DType())
		k, v = nx.Concatenate([]nx.Tensor{k, zero}, nx.Axis(1)), nx.Concatenate([]nx.Tensor{v, zero}, nx.Axis(1))
		more++
	}
	if more > 0 {
		opts = widened(opts, more)
	}
	if l.Rate > 0 && c.Training() {
		opts = append(opts, dropWeights{func(w nx.Tensor) nx.Tensor { return c.drop(op, l, l.Rate, false, w) }})
	}
	z, w := AttendWeights(splitHeads(op, q, l.Heads), splitHeads(op, k, l.Heads), splitHeads(op, v, l.Heads), opts...)
	return l.OutProj.Apply(c, joinHeads(z)), w
}

// widened lets all queries attend to further keys.
func widened(opts []AttendOption, more int) (list []AttendOption) {
	for _, opt := range opts {
		switch o := opt.(type) {
		case maskOption:
			mask := nx.Cast(o.t, nx.Bool)
			list = append(list, Mask(nx.Pad(mask, nx.Full(nx.Shape{}, true, nx.Bool), behind(mask, more)...)))
		case biasOption:
			list = append(list, Bias(nx.Pad(o.t, 0, behind(o.t, more)...)))
		default:
			list = append(list, opt)
		}
	}
	return list
}

// behind pads the last axis at its end.
func behind(t nx.Tensor, n int) [][2]int {
	pairs := make([][2]int, t.Rank())
	pairs[t.Rank()-1] = [2]int{0, n}
	return pairs
}

// Apply attends from each position of x to the positions of x.
//
// Shapes: x [batch, time, width]; the result is alike. DTypes: floats. Gradient: forward and reverse.
func (l *MultiheadAttention) Apply(c *Ctx, x nx.Tensor) nx.Tensor {
	y, _ := l.Attend(c, x, x, x)
	return y
}

// feedForward are the two linear layers of a transformer's layer.
type feedForward struct {
	Linear1, Linear2 *Linear
	Act              func(nx.Tensor) nx.Tensor
	Rate             float64
	NormFirst        bool
}

func newFeedForward(key nx.Tensor, width, hidden int, o transformerOptions) feedForward {
	keys := random.Split(key, 2)
	return feedForward{NewLinear(keys.At(0), width, hidden, paramsOption{o.paramOptions}),
		NewLinear(keys.At(1), hidden, width, paramsOption{o.paramOptions}), o.activation, o.rate, o.normFirst}
}

func (f *feedForward) drop(c *Ctx, x nx.Tensor) nx.Tensor {
	return c.drop("Dropout", f, f.Rate, false, x)
}

func (f *feedForward) forward(c *Ctx, x nx.Tensor) nx.Tensor {
	return f.drop(c, f.Linear2.Apply(c, f.drop(c, f.Act(f.Linear1.Apply(c, x)))))
}

// part adds f(x) to x, with the norm before or after.
func (f *feedForward) part(c *Ctx, norm *LayerNorm, x nx.Tensor, part func(nx.Tensor) nx.Tensor) nx.Tensor {
	if f.NormFirst {
		return nx.Add(x, part(norm.Apply(c, x)))
	}
	return norm.Apply(c, nx.Add(x, part(x)))
}

func (o transformerOptions) newNorm(width int) *LayerNorm {
	opts := []NormOption{Epsilon(o.epsilon), DType(o.dtype)}
	if o.noBias {
		opts = append(opts, NoBias)
	}
	return NewLayerNorm(nx.Shape{width}, opts...)
}

// TransformerEncoderLayer is torch.nn.TransformerEncoderLayer with the batch first.
type TransformerEncoderLayer struct {
	SelfAttn     *MultiheadAttention
	feedForward  `nn:",inline"`
	Norm1, Norm2 *LayerNorm
}

// NewTransformerEncoderLayer returns a layer of width numbers, with a hidden layer of the number given. Options:
// [NormFirst], [Activation], [DropRate] (0 without it, unlike PyTorch's 0.1), [Epsilon], [NoBias], [Init], [DType].
func NewTransformerEncoderLayer(key nx.Tensor, width, heads, hidden int,
	opts ...TransformerOption) *TransformerEncoderLayer {
	o := newTransformerOptions(opts)
	keys := random.Split(key, 2)
	return &TransformerEncoderLayer{newMultihead(keys.At(0), width, heads, o),
		newFeedForward(keys.At(1), width, hidden, o),
		o.newNorm(width), o.newNorm(width)}
}

// Apply computes the layer.
//
// Shapes: x [batch, time, width]; the result is alike. DTypes: floats. Gradient: forward and reverse.
func (l *TransformerEncoderLayer) Apply(c *Ctx, x nx.Tensor) nx.Tensor { return l.Attend(c, x) }

// Attend is Apply with options of attention, such as a mask of padding.
//
// Shapes: x [batch, time, width]; the result is alike. DTypes: floats. Gradient: forward and reverse.
func (l *TransformerEncoderLayer) Attend(c *Ctx, x nx.Tensor, opts ...AttendOption) nx.Tensor {
	x = l.part(c, l.Norm1, x, func(x nx.Tensor) nx.Tensor {
		y, _ := l.SelfAttn.Attend(c, x, x, x, opts...)
		return l.drop(c, y)
	})
	return l.part(c, l.Norm2, x, func(x nx.Tensor) nx.Tensor { return l.forward(c, x) })
}

// TransformerDecoderLayer is torch.nn.TransformerDecoderLayer with the batch first.
type TransformerDecoderLayer struct {
	SelfAttn, MultiheadAttn *MultiheadAttention
	feedForward             `nn:",inline"`
	Norm1, Norm2, Norm3     *LayerNorm
}

// NewTransformerDecoderLayer returns a layer of width numbers, with a hidden layer of the number given. Options: those
// of [NewTransformerEncoderLayer].
func NewTransformerDecoderLayer(key nx.Tensor, width, heads, hidden int,
	opts ...TransformerOption) *TransformerDecoderLayer {
	o := newTransformerOptions(opts)
	keys := random.Split(key, 3)
	return &TransformerDecoderLayer{newMultihead(keys.At(0), width, heads, o),
		newMultihead(keys.At(1), width, heads, o),
		newFeedForward(keys.At(2), width, hidden, o), o.newNorm(width), o.newNorm(width), o.newNorm(width)}
}

// Decode computes the layer of x with a memory, the result of an encoder. Self has the options of the attention to x,
// such as [Causal]; cross those of the attention to the memory.
//
// Shapes: x [batch, time, width], memory [batch, keys, width] → [batch, time, width]. DTypes: floats. Gradient: forward
// and reverse.
func (l *TransformerDecoderLayer) Decode(c *Ctx, x, memory nx.Tensor, self, cross []AttendOption) nx.Tensor {
	x = l.part(c, l.Norm1, x, func(x nx.Tensor) nx.Tensor {
		y, _ := l.SelfAttn.Attend(c, x, x, x, self...)
		return l.drop(c, y)
	})
	x = l.part(c, l.Norm2, x, func(x nx.Tensor) nx.Tensor {
		y, _ := l.MultiheadAttn.Attend(c, x, memory, memory, cross...)
		return l.drop(c, y)
	})
	return l.part(c, l.Norm3, x, func(x nx.Tensor) nx.Tensor { return l.forward(c, x) })
}
