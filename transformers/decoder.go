package transformers

import (
	"math"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/nn"
)

// Decoder is a language model without an encoder: GPT-2, GPT-NeoX and the family of Llama.
type Decoder struct {
	EmbedTokens    *nn.Embedding
	EmbedPositions *nn.Embedding // learned positions, or nil
	Layers         []*Block
	Norm           nn.Layer
	Head           *nn.Linear // nil where the embedding is the head, too
	Ropes          []Rotary
	EmbedScale     float64 // of embeddings, 0 for 1
	Softcap        float64 // of logits, 0 for none
	NoHead         bool    // the model ends with its last hidden state
	Context        int     // the number of positions it was made for
}

// Apply computes the logits of all tokens.
func (d *Decoder) Apply(c *nn.Ctx, in Inputs) (out Outputs) {
	ids := in.InputIDs
	shape := ids.Shape()
	positions := in.PositionIDs
	if positions.IsZero() {
		positions = nx.BroadcastTo(nx.Iota(nx.Shape{shape[1]}, nx.S32), shape...)
	}
	p := &pass{Ctx: c, mask: causalMask(shape[1], in.AttentionMask)}
	h := hidden{keep: in.HiddenStates}
	x := d.blocks(p, &h, ids, nx.Cast(positions, nx.S32))
	out.LastHiddenState, out.HiddenStates = x, h.list
	if !d.NoHead {
		out.Logits = d.Logits(c, x)
	}
	return out
}

// blocks computes the last hidden state of tokens at positions, [batch, time].
func (d *Decoder) blocks(p *pass, h *hidden, ids, positions nx.Tensor) nx.Tensor {
	x := d.EmbedTokens.Apply(p.Ctx, ids)
	if d.EmbedScale != 0 {
		x = nx.Mul(x, nx.Full(nx.Shape{}, d.EmbedScale, x.DType()))
	}
	if d.EmbedPositions != nil {
		x = nx.Add(x, d.EmbedPositions.Apply(p.Ctx, positions))
	}
	for _, r := range d.Ropes {
		cos, sin := r.angles(positions, p.ends)
		p.cos, p.sin = append(p.cos, cos), append(p.sin, sin)
	}
	h.add(x)
	for i, b := range d.Layers {
		x = b.apply(p, i, x)
		h.add(x)
	}
	x = normed(p, d.Norm, x)
	h.last(x)
	return x
}

// Logits are the scores of the tokens that may follow: f32 of hidden states.
//
// Shapes: […, width] → […, vocabulary].
func (d *Decoder) Logits(c *nn.Ctx, x nx.Tensor) nx.Tensor {
	var y nx.Tensor
	if d.Head != nil {
		y = d.Head.Apply(c, x)
	} else {
		y = d.EmbedTokens.Attend(c, x)
	}
	y = nx.Cast(y, nx.F32)
	if d.Softcap != 0 {
		y = nx.Mul(nx.Tanh(nx.Div(y, d.Softcap)), d.Softcap)
	}
	return y
}

// causalMask is the mask of sequences without a cache: position i attends to the last ones of 0 to i that padding is
// not.
func causalMask(n int, padding nx.Tensor) func(window int) nx.Tensor {
	return func(window int) nx.Tensor {
		query := nx.Iota(nx.Shape{n, 1}, nx.S32)
		key := nx.Iota(nx.Shape{1, n}, nx.S32, nx.Axis(1))
		m := nx.LessEqual(key, query)
		if window > 0 {
			m = nx.LogicalAnd(m, nx.Greater(key, nx.Sub(query, window)))
		}
		m = nx.Reshape(m, 1, 1, n, n)
		if !padding.IsZero() {
			m = nx.LogicalAnd(m, keysOf(padding))
		}
		return m
	}
}

// keysOf is a mask of padding, [batch, keys], as a mask of keys, [batch, 1, 1, keys].
func keysOf(padding nx.Tensor) nx.Tensor {
	s := padding.Shape()
	return nx.Reshape(nx.NotEqual(padding, 0), s[0], 1, 1, s[1])
}

// bidirectionalMask is the mask of encoders: positions attend to those that are not padding, at most window/2 away.
func bidirectionalMask(n int, padding nx.Tensor) func(window int) nx.Tensor {
	return func(window int) (m nx.Tensor) {
		if !padding.IsZero() {
			m = keysOf(padding)
		}
		if window > 0 {
			distance := nx.Abs(nx.Sub(nx.Iota(nx.Shape{1, 1, n, n}, nx.S32, nx.Axis(3)),
				nx.Iota(nx.Shape{1, 1, n, n}, nx.S32, nx.Axis(2))))
			near := nx.LessEqual(distance, window/2)
			if m.IsZero() {
				return near
			}
			m = nx.LogicalAnd(m, near)
		}
		return m
	}
}

// scaleOf is 1/√n.
func scaleOf(n float64) float64 { return 1 / math.Sqrt(n) }
