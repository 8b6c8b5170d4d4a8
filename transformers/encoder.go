package transformers

import (
	"github.com/go-nx/nx"
	"github.com/go-nx/nx/nn"
)

// Encoder is a model of text whose positions see each other: BERT, RoBERTa, DistilBERT, MPNet and ModernBERT. What a
// family does not have is nil.
type Encoder struct {
	EmbedTokens    *nn.Embedding
	EmbedPositions *nn.Embedding
	EmbedTypes     *nn.Embedding // of segments
	EmbedNorm      nn.Layer
	Bias           *RelativeBias
	Layers         []*Block
	Norm           nn.Layer
	Pooler         *nn.Linear
	Head           *Head
	Ropes          []Rotary
	Padding        int // the token from whose number positions are counted, -1 to count all from 0
}

// Apply computes the last hidden state and what the head makes of it.
func (e *Encoder) Apply(c *nn.Ctx, in Inputs) (out Outputs) {
	ids := in.InputIDs
	shape := ids.Shape()
	p := &pass{Ctx: c, mask: bidirectionalMask(shape[1], in.AttentionMask)}
	positions := e.positions(in)
	x := e.EmbedTokens.Apply(c, ids)
	if e.EmbedTypes != nil {
		types := in.TokenTypeIDs
		if types.IsZero() {
			types = nx.Zeros(shape, nx.S32)
		}
		x = nx.Add(x, e.EmbedTypes.Apply(c, types))
	}
	if e.EmbedPositions != nil {
		x = nx.Add(x, e.EmbedPositions.Apply(c, positions))
	}
	x = normed(p, e.EmbedNorm, x)
	for _, r := range e.Ropes {
		cos, sin := r.angles(positions, nx.Tensor{})
		p.cos, p.sin = append(p.cos, cos), append(p.sin, sin)
	}
	if e.Bias != nil {
		p.bias = e.Bias.apply(c, nx.Iota(nx.Shape{1, shape[1]}, nx.S32, nx.Axis(1)), shape[1])
	}
	h := hidden{keep: in.HiddenStates}
	h.add(x)
	for i, b := range e.Layers {
		x = b.apply(p, i, x)
		h.add(x)
	}
	x = normed(p, e.Norm, x)
	h.last(x)
	out.LastHiddenState, out.HiddenStates = x, h.list
	if e.Pooler != nil {
		out.PoolerOutput = nx.Tanh(e.Pooler.Apply(c, firstToken(x)))
	}
	if e.Head != nil {
		e.Head.apply(c, x, in.AttentionMask, e.EmbedTokens, &out)
	}
	return out
}

// positions are given, or counted.
func (e *Encoder) positions(in Inputs) nx.Tensor {
	if !in.PositionIDs.IsZero() {
		return nx.Cast(in.PositionIDs, nx.S32)
	}
	shape := in.InputIDs.Shape()
	if e.Padding < 0 {
		return nx.Iota(shape, nx.S32, nx.Axis(1))
	}
	text := nx.Cast(nx.NotEqual(in.InputIDs, e.Padding), nx.S32)
	return nx.Add(nx.Mul(nx.CumSum(text, nx.Axis(1)), text), e.Padding)
}
