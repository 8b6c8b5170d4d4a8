package transformers

import (
	"github.com/go-nx/nx"
	"github.com/go-nx/nx/nn"
)

// CLIP puts texts and pictures into one space. A model of one side has no tower for the other.
type CLIP struct {
	Text             *TextTower
	Vision           *Vision
	TextProjection   *nn.Linear
	VisualProjection *nn.Linear
	LogitScale       nx.Tensor // the logarithm of the factor of cosines
}

// TextTower is a causal encoder of texts.
type TextTower struct {
	EmbedTokens, EmbedPositions *nn.Embedding
	Layers                      []*Block
	Norm                        nn.Layer
	EOS                         int // the first of these stands for the text; 2 for the largest token
}

func (m *CLIP) missing(in Inputs) string {
	switch {
	case m.Text != nil && in.InputIDs.IsZero():
		return "InputIDs"
	case m.Vision != nil && in.PixelValues.IsZero():
		return "PixelValues"
	}
	return ""
}

// Apply computes the vectors of texts and pictures and their products.
func (m *CLIP) Apply(c *nn.Ctx, in Inputs) (out Outputs) {
	h := hidden{keep: in.HiddenStates}
	if m.Text != nil {
		out.TextLastHiddenState, out.TextPooled = m.Text.apply(c, &h, in)
		out.LastHiddenState, out.PoolerOutput = out.TextLastHiddenState, out.TextPooled
		if m.TextProjection != nil {
			out.TextEmbeds = m.TextProjection.Apply(c, out.TextPooled)
		}
	}
	if m.Vision != nil {
		if m.Text != nil {
			h = hidden{}
		}
		out.ImageLastHiddenState, out.ImagePooled = m.Vision.rows(c, &h, in.PixelValues)
		out.LastHiddenState, out.PoolerOutput = out.ImageLastHiddenState, out.ImagePooled
		if m.VisualProjection != nil {
			out.ImageEmbeds = m.VisualProjection.Apply(c, out.ImagePooled)
		}
	}
	out.HiddenStates = h.list
	if m.Text != nil && m.Vision != nil {
		out.LastHiddenState, out.PoolerOutput, out.HiddenStates = nx.Tensor{}, nx.Tensor{}, nil
		out.TextPooled, out.ImagePooled = out.TextEmbeds, out.ImageEmbeds
		out.TextEmbeds = nn.Normalize(out.TextEmbeds, 2, 0, -1)
		out.ImageEmbeds = nn.Normalize(out.ImageEmbeds, 2, 0, -1)
		products := nx.Dot(out.TextEmbeds, nx.Transpose(out.ImageEmbeds))
		out.LogitsPerText = nx.Mul(products, nx.Exp(m.LogitScale))
		out.LogitsPerImage = nx.Transpose(out.LogitsPerText)
	}
	return out
}

func (t *TextTower) apply(c *nn.Ctx, h *hidden, in Inputs) (x, pooled nx.Tensor) {
	ids := in.InputIDs
	n := ids.Shape()[1]
	positions := in.PositionIDs
	if positions.IsZero() {
		positions = nx.Iota(nx.Shape{1, n}, nx.S32, nx.Axis(1))
	}
	p := &pass{Ctx: c, mask: causalMask(n, in.AttentionMask)}
	x = nx.Add(t.EmbedTokens.Apply(c, ids), t.EmbedPositions.Apply(c, positions))
	h.add(x)
	for i, b := range t.Layers {
		x = b.apply(p, i, x)
		h.add(x)
	}
	x = t.Norm.Apply(c, x)
	of := ids
	if t.EOS != 2 {
		of = nx.Cast(nx.Equal(ids, t.EOS), nx.S32)
	}
	at := nx.Cast(nx.ArgMax(of, nx.Axis(1)), nx.S32)
	batch := ids.Shape()[0]
	return x, nx.Gather(x, nx.Stack([]nx.Tensor{nx.Iota(nx.Shape{batch}, nx.S32), at}, nx.Axis(1)))
}

// clipNames are the names of the weights in files.
var clipNames = [][2]string{
	{"text_model.embeddings.position_ids", ""}, {"vision_model.embeddings.position_ids", ""},
	{"text_model.{rest...}", "text.{rest...}"}, {"vision_model.{rest...}", "vision.{rest...}"},
	{"text.embeddings.token_embedding", "text.embed_tokens"},
	{"text.embeddings.position_embedding", "text.embed_positions"}, {"text.final_layer_norm", "text.norm"},
	{"vision.embeddings.class_embedding", "vision.class"}, {"vision.embeddings.patch_embedding", "vision.patches"},
	{"vision.embeddings.position_embedding.weight", "vision.positions"}, {"vision.pre_layrnorm", "vision.pre_norm"},
	{"vision.post_layernorm", "vision.post_norm"},
	{"{s}.encoder.layers.{n}.self_attn.out_proj", "{s}.layers.{n}.self_attn.o_proj"},
	{"{s}.encoder.layers.{n}.layer_norm{i}", "{s}.layers.{n}.norm{i}"},
	{"{s}.encoder.layers.{n}.mlp.fc1", "{s}.layers.{n}.mlp.up_proj"},
	{"{s}.encoder.layers.{n}.mlp.fc2", "{s}.layers.{n}.mlp.down_proj"},
	{"{s}.encoder.{rest...}", "{s}.{rest...}"},
}

// towerNames are those of a model of one side, which may have no word before its names.
func towerNames(side string) [][2]string {
	return append([][2]string{
		{"embeddings.position_ids", ""}, {"embeddings.{rest...}", side + "_model.embeddings.{rest...}"},
		{"encoder.{rest...}", side + "_model.encoder.{rest...}"},
		{"final_layer_norm", side + "_model.final_layer_norm"}, {"pre_layrnorm", side + "_model.pre_layrnorm"},
		{"post_layernorm", side + "_model.post_layernorm"},
	}, clipNames...)
}

// clip reads the configurations of both towers.
//
// Source: A. Radford et al., 2021, arXiv:2103.00020.
func clip(c *config, _ head) built {
	text, vision := c.object("text_config"), c.object("vision_config")
	if text == nil || vision == nil {
		c.fail("the fields text_config and vision_config are needed")
		return built{}
	}
	width := c.size(512, "projection_dim")
	m := &CLIP{Text: text.textTower(), Vision: vision.clipTower(), LogitScale: nx.Zeros(nx.Shape{}, nx.F32)}
	m.TextProjection = newLinear(m.Text.EmbedTokens.Weight.Shape()[1], width, false)
	m.VisualProjection = newLinear(m.Vision.Patches.Weight.Shape()[0], width, false)
	for _, side := range []*config{text, vision} {
		side.get("model_type")
		side.unknown(nil)
	}
	vocab, context := m.Text.EmbedTokens.Weight.Shape()[0], m.Text.EmbedPositions.Weight.Shape()[0]
	c.get("text_config_dict", "vision_config_dict") // the same fields again, in old files
	return built{m, renames(clipNames), context, context, vocab}
}

func clipText(c *config, h head) built {
	m := &CLIP{Text: c.textTower()}
	w := m.Text.EmbedPositions.Weight.Shape()
	if h == headProjection {
		m.TextProjection = newLinear(w[1], c.size(512, "projection_dim"), false)
	}
	return built{m, renames(towerNames("text")), w[0], w[0], m.Text.EmbedTokens.Weight.Shape()[0]}
}

func clipVision(c *config, h head) built {
	m := &CLIP{Vision: c.clipTower()}
	if h == headProjection {
		m.VisualProjection = newLinear(m.Vision.Patches.Weight.Shape()[0], c.size(512, "projection_dim"), false)
	}
	return built{network: m, rules: renames(towerNames("vision"))}
}

func (c *config) clipTower() *Vision {
	s := c.visionSpec("quick_gelu", 1e-5)
	if !c.has("patch_size") {
		s.patch = 32
	}
	v := s.vision(c, false, true)
	v.PreNorm = s.norm()
	return v
}

func (c *config) textTower() *TextTower {
	width, heads := c.size(512, "hidden_size"), c.count(8, "num_attention_heads")
	hidden, epsilon := c.size(2048, "intermediate_size"), c.number(1e-5, "layer_norm_eps")
	activation := c.activation("quick_gelu", "hidden_act")
	c.headDim(width, heads)
	norm := func() nn.Layer { return newLayerNorm(width, epsilon, true) }
	t := &TextTower{EmbedTokens: newEmbedding(c.size(49408, "vocab_size"), width),
		EmbedPositions: newEmbedding(c.size(77, "max_position_embeddings"), width), Norm: norm(),
		EOS: c.integer(49407, "eos_token_id")}
	for range c.count(12, "num_hidden_layers") {
		t.Layers = append(t.Layers, &Block{Rope: -1, Norm1: norm(), Norm2: norm(),
			SelfAttn: newAttention(width, heads, true, true), MLP: &MLP{UpProj: newLinear(width, hidden, true),
				DownProj: newLinear(hidden, width, true), Activation: activation}})
	}
	return t
}
