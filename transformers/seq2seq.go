package transformers

import (
	"fmt"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/diag"
	"github.com/go-nx/nx/nn"
)

// Stack is the encoder or the decoder of a [Seq2Seq]. What a family does not have is nil.
type Stack struct {
	EmbedPositions *nn.Embedding
	Bias           *RelativeBias
	Layers         []*Block
	Norm           nn.Layer
}

// apply computes the blocks of embedded tokens at positions, s32 [batch, time].
func (s *Stack) apply(p *pass, h *hidden, x, positions nx.Tensor, keys int) nx.Tensor {
	if s.EmbedPositions != nil {
		x = nx.Add(x, s.EmbedPositions.Apply(p.Ctx, positions))
	}
	if s.Bias != nil {
		p.bias = s.Bias.apply(p.Ctx, positions, keys)
	}
	h.add(x)
	for i, b := range s.Layers {
		x = b.apply(p, i, x)
		h.add(x)
	}
	x = normed(p, s.Norm, x)
	h.last(x)
	return x
}

// Seq2Seq is a model whose decoder attends to the result of an encoder: T5, whose encoder reads text, and Whisper,
// whose encoder reads spectra.
type Seq2Seq struct {
	EmbedTokens      *nn.Embedding
	Conv1, Conv2     *nn.Conv // of spectra, or nil
	Encoder, Decoder *Stack   // the decoder is nil where a model is an encoder only
	Head             *nn.Linear
	NoHead           bool
	Scale            float64 // of the decoder's last hidden state, 0 for 1
}

// missing names an input that is needed and absent.
func (s *Seq2Seq) missing(in Inputs) string {
	switch {
	case s.Conv1 != nil && in.InputFeatures.IsZero():
		return "InputFeatures"
	case s.Conv1 == nil && in.InputIDs.IsZero():
		return "InputIDs"
	case s.Decoder != nil && in.DecoderInputIDs.IsZero():
		return "DecoderInputIDs"
	}
	return ""
}

// Apply computes the logits of the tokens of the decoder, or the last hidden state of a lone encoder.
func (s *Seq2Seq) Apply(c *nn.Ctx, in Inputs) (out Outputs) {
	eh, dh := hidden{keep: in.HiddenStates}, hidden{keep: in.HiddenStates}
	memory := s.encode(c, &eh, in)
	if s.Decoder == nil {
		out.LastHiddenState, out.HiddenStates = memory, eh.list
		return out
	}
	out.EncoderLastHiddenState, out.EncoderHiddenStates = memory, eh.list
	shape := in.DecoderInputIDs.Shape()
	p := &pass{Ctx: c, mask: causalMask(shape[1], nx.Tensor{}), memory: memory}
	if s.Conv1 == nil && !in.AttentionMask.IsZero() {
		p.among = keysOf(in.AttentionMask)
	}
	positions := nx.Iota(shape, nx.S32, nx.Axis(1))
	x := s.Decoder.apply(p, &dh, s.EmbedTokens.Apply(c, in.DecoderInputIDs), positions, shape[1])
	out.LastHiddenState, out.HiddenStates = x, dh.list
	if !s.NoHead {
		out.Logits = s.Logits(c, x)
	}
	return out
}

// encode is the last hidden state of the encoder.
func (s *Seq2Seq) encode(c *nn.Ctx, h *hidden, in Inputs) nx.Tensor {
	var x nx.Tensor
	p := &pass{Ctx: c}
	if s.Conv1 != nil {
		x = nx.Gelu(s.Conv2.Apply(c, nx.Gelu(s.Conv1.Apply(c, in.InputFeatures))))
		x = nx.Transpose(x, nx.Axis(0, 2, 1))
		if n := s.Encoder.EmbedPositions.Weight.Shape()[0]; x.Shape()[1] != n {
			panic(diag.New(nx.ErrShape, "Whisper", "pad or cut the sound to whole pieces, as transformers.Mel does",
				"spectra must have %d frames, got %v", n*s.Conv2.Strides[0], in.InputFeatures.Shape()))
		}
		p.mask = bidirectionalMask(x.Shape()[1], nx.Tensor{})
	} else {
		x = s.EmbedTokens.Apply(c, in.InputIDs)
		p.mask = bidirectionalMask(x.Shape()[1], in.AttentionMask)
	}
	n := x.Shape()[1]
	return s.Encoder.apply(p, h, x, nx.Iota(nx.Shape{1, n}, nx.S32, nx.Axis(1)), n)
}

// Logits are the scores of the tokens that may follow: f32 of hidden states.
//
// Shapes: […, width] → […, vocabulary].
func (s *Seq2Seq) Logits(c *nn.Ctx, x nx.Tensor) nx.Tensor {
	if s.Scale != 0 {
		x = nx.Mul(x, nx.Full(nx.Shape{}, s.Scale, x.DType()))
	}
	if s.Head != nil {
		return nx.Cast(s.Head.Apply(c, x), nx.F32)
	}
	return nx.Cast(s.EmbedTokens.Attend(c, x), nx.F32)
}

// NewCache returns a cache of zeros for sequences of at most capacity tokens of the decoder, and at most keys positions
// of the encoder; those of Whisper are as many as it has.
func (s *Seq2Seq) NewCache(slots, capacity, keys int) Cache {
	d := computed(s.EmbedTokens)
	c := newCache(s.Decoder.Layers, slots, capacity, d)
	if s.Conv1 != nil {
		keys = s.Encoder.EmbedPositions.Weight.Shape()[0]
	} else {
		c.CrossMask = nx.Zeros(nx.Shape{slots, 1, 1, keys}, nx.Bool)
	}
	c.CrossK, c.CrossV = c.cross(s.Decoder.Layers, slots, keys, d)
	return c
}

func (c *Cache) cross(layers []*Block, slots, keys int, d nx.DType) (k, v []nx.Tensor) {
	for _, b := range layers {
		a := b.CrossAttn
		shape := nx.Shape{slots, a.KVHeads, keys, a.KProj.Weight.Shape()[0] / a.KVHeads}
		k, v = append(k, nx.Zeros(shape, d)), append(v, nx.Zeros(shape, d))
	}
	return k, v
}

// Encode computes what the decoder attends to, of inputs of a batch: the parts of a cache that belong to the encoder,
// of keys positions at most.
func (s *Seq2Seq) Encode(c *nn.Ctx, in Inputs, keys int) (out Cache) {
	x := s.encode(c, &hidden{}, in)
	n := x.Shape()[1]
	if s.Conv1 != nil {
		keys = n
	} else {
		mask := in.AttentionMask
		if mask.IsZero() {
			mask = nx.Ones(in.InputIDs.Shape(), nx.S32)
		}
		if n > keys {
			panic(diag.New(nx.ErrShape, "Encode", "", "the text has %d tokens, there is place for %d", n, keys))
		}
		out.CrossMask = nx.Pad(keysOf(mask), false, [2]int{}, [2]int{}, [2]int{}, [2]int{0, keys - n})
	}
	for _, b := range s.Decoder.Layers {
		k, v := b.CrossAttn.KeysValues(c, x)
		pad := func(t nx.Tensor) nx.Tensor {
			if keys == n {
				return t
			}
			return nx.Pad(t, 0, [2]int{}, [2]int{}, [2]int{0, keys - n}, [2]int{})
		}
		out.CrossK, out.CrossV = append(out.CrossK, pad(k)), append(out.CrossV, pad(v))
	}
	return out
}

// Step is [Decoder.Step] of the decoder.
func (s *Seq2Seq) Step(c *nn.Ctx, cache Cache, ids, start, _ nx.Tensor, keys int) (nx.Tensor, Cache) {
	p, positions := cachedPass(c, &cache, ids, start, keys)
	return s.Decoder.apply(p, &hidden{}, s.EmbedTokens.Apply(c, ids), positions, keys), cache
}

// Check reports inputs of an encoder that cannot be computed.
func (s *Seq2Seq) Check(in Inputs) error {
	in.DecoderInputIDs = nx.Zeros(nx.Shape{1, 1}, nx.S32)
	if name := s.missing(in); name != "" {
		return fmt.Errorf("transformers: the input %s is missing", name)
	}
	return nil
}
