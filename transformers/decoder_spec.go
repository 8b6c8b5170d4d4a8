package transformers

import (
	"slices"

	"github.com/go-nx/nx/nn"
)

// decoderSpec is what the families of decoders differ in. A family fills it from its configuration.
type decoderSpec struct {
	vocab, width, layers, heads, kvHeads, headDim, hidden, context int

	activation string
	gated      bool
	norm       func(width int) nn.Layer
	qkNorm     func(width int) nn.Layer // of heads of queries and keys, or nil
	sandwich   bool                     // norms of the results of both parts
	parallel   bool
	oneNorm    bool // the parts of parallel blocks share one
	positions  int  // learned ones, 0 for none

	qkvBias, outBias, mlpBias, headBias bool
	tied                                bool

	windows            []int // by layer, nil for none
	ropes              []int // the number of its rotary by layer, -1 for none; nil for 0 in all
	rotaries           []Rotary
	scale              []float64 // of scores by layer, nil for 1/√headDim
	softcap, logitsCap float64
	embedScale         float64
}

// decoder builds the network of a spec.
func (s *decoderSpec) decoder(c *config, h head, rules [][2]string, more ...nn.LoadOption) built {
	if s.kvHeads < 1 || s.heads%s.kvHeads != 0 {
		c.fail("%d heads of queries cannot share %d heads of keys", s.heads, s.kvHeads)
	}
	d := &Decoder{EmbedTokens: newEmbedding(s.vocab, s.width), Ropes: s.rotaries, EmbedScale: s.embedScale,
		Softcap: s.logitsCap, NoHead: h == headNone, Context: s.context}
	if s.positions > 0 {
		d.EmbedPositions = newEmbedding(s.positions, s.width)
	}
	for i := range s.layers {
		d.Layers = append(d.Layers, s.block(i))
	}
	d.Norm = s.norm(s.width)
	if !s.tied && !d.NoHead {
		d.Head = newLinear(s.width, s.vocab, s.headBias)
	}
	var list []nn.LoadOption
	for _, r := range rules {
		list = append(list, nn.Rename(r[0], r[1]))
	}
	list = append(list, more...)
	if s.tied || d.NoHead {
		list = append(list, nn.Rename("head", ""))
	}
	return built{d, list, s.context, s.positions, s.vocab}
}

func (s *decoderSpec) block(i int) *Block {
	a := &nn.Attention{
		QProj: newLinear(s.width, s.heads*s.headDim, s.qkvBias),
		KProj: newLinear(s.width, s.kvHeads*s.headDim, s.qkvBias),
		VProj: newLinear(s.width, s.kvHeads*s.headDim, s.qkvBias),
		OProj: newLinear(s.heads*s.headDim, s.width, s.outBias),
		Heads: s.heads, KVHeads: s.kvHeads, Softcap: s.softcap,
	}
	if s.qkNorm != nil {
		a.QNorm, a.KNorm = s.qkNorm(s.headDim), s.qkNorm(s.headDim)
	}
	if s.scale != nil {
		a.Scale = s.scale[i]
	}
	m := &MLP{UpProj: newLinear(s.width, s.hidden, s.mlpBias), DownProj: newLinear(s.hidden, s.width, s.mlpBias),
		Activation: s.activation}
	if s.gated {
		m.GateProj = newLinear(s.width, s.hidden, s.mlpBias)
	}
	b := &Block{Norm1: s.norm(s.width), SelfAttn: a, MLP: m, Rope: -1}
	if !s.oneNorm {
		b.Norm2 = s.norm(s.width)
	}
	if s.sandwich {
		b.PostNorm1, b.PostNorm2 = s.norm(s.width), s.norm(s.width)
	}
	if s.parallel {
		b.Arrangement = parallel
	}
	if s.windows != nil {
		b.Window = s.windows[i]
	}
	if s.ropes != nil {
		b.Rope = s.ropes[i]
	} else if len(s.rotaries) > 0 {
		b.Rope = 0
	}
	return b
}

// layerTypes reads the types of layers, or makes them by a rule, and checks them.
func (c *config) layerTypes(layers int, sliding func(i int) bool) []string {
	list := c.texts("layer_types")
	if list == nil {
		for i := range layers {
			list = append(list, "full_attention")
			if sliding(i) {
				list[i] = "sliding_attention"
			}
		}
	}
	for _, t := range list {
		if t != "full_attention" && t != "sliding_attention" {
			c.fail("the type of layers %q is not known", t)
		}
	}
	if len(list) != layers {
		c.fail("the field %s has %d types for %d layers", c.label("layer_types"), len(list), layers)
		return slices.Repeat([]string{"full_attention"}, layers)
	}
	return list
}

// windowsOf are the windows of layers by their types, nil for none.
func windowsOf(types []string, window int) []int {
	list := make([]int, len(types))
	for i, t := range types {
		if t == "sliding_attention" {
			list[i] = window
		}
	}
	return list
}
