package transformers

import (
	"math"
	"strings"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/nn"
)

// t5 has relative positions, norms by the root mean square and no biases.
//
// Source: C. Raffel et al., 2019, arXiv:1910.10683; N. Shazeer, 2020, arXiv:2002.05202, for gates.
func t5(c *config, h head) built {
	vocab, width, headDim := c.size(32128, "vocab_size"), c.size(512, "d_model"), c.size(64, "d_kv")
	heads, hidden := c.count(8, "num_heads"), c.size(2048, "d_ff")
	layers := c.count(6, "num_layers")
	below := c.count(layers, "num_decoder_layers")
	epsilon := c.number(1e-6, "layer_norm_epsilon")
	buckets := c.count(32, "relative_attention_num_buckets")
	distance := c.size(128, "relative_attention_max_distance")
	tied := c.flag(true, "tie_word_embeddings")
	scaled := c.flag(tied, "scale_decoder_outputs")
	if c.text("t5", "model_type") == "mt5" { // its files may say anything of the head
		tied, scaled = false, false
	}
	c.must("is_decoder", false)
	c.get("dense_act_fn", "is_gated_act") // follow from feed_forward_proj
	kind := c.text("relu", "feed_forward_proj")
	name, gated := strings.CutPrefix(kind, "gated-")
	if kind == "gated-gelu" {
		name = "gelu_new"
	}
	if activations[name] == nil {
		c.fail("the activation %q of the field feed_forward_proj is not known", kind)
	}
	attention := func() *nn.Attention {
		return &nn.Attention{QProj: newLinear(width, heads*headDim, false),
			KProj: newLinear(width, heads*headDim, false),
			VProj: newLinear(width, heads*headDim, false), OProj: newLinear(heads*headDim, width, false), Heads: heads,
			KVHeads: heads, Scale: 1}
	}
	stack := func(n int, decoder bool) *Stack {
		s := &Stack{Norm: newRMSNorm(width, epsilon, false), Bias: &RelativeBias{Table: newEmbedding(buckets, heads),
			Distance: distance, Bidirectional: !decoder}}
		for range n {
			b := &Block{Rope: -1, Norm1: newRMSNorm(width, epsilon, false), SelfAttn: attention(),
				Norm2: newRMSNorm(width, epsilon, false), MLP: &MLP{UpProj: newLinear(width, hidden, false),
					DownProj: newLinear(hidden, width, false), Activation: name}}
			if gated {
				b.MLP.GateProj = newLinear(width, hidden, false)
			}
			if decoder {
				b.CrossNorm, b.CrossAttn = newRMSNorm(width, epsilon, false), attention()
			}
			s.Layers = append(s.Layers, b)
		}
		return s
	}
	net := &Seq2Seq{EmbedTokens: newEmbedding(vocab, width), Encoder: stack(layers, false),
		NoHead: h != headConditional}
	if h != headEncoder {
		net.Decoder = stack(below, true)
	}
	if scaled {
		net.Scale = 1 / math.Sqrt(float64(width))
	}
	rules := [][2]string{
		{"encoder.embed_tokens", ""}, {"decoder.embed_tokens", ""}, {"shared", "embed_tokens"}, {"lm_head", "head"},
		{"{s}.block.0.layer.0.SelfAttention.relative_attention_bias", "{s}.bias"},
		{"{s}.block.{n}.layer.0.SelfAttention.{p}", "{s}.layers.{n}.self_attn.{p}_proj"},
		{"{s}.block.{n}.layer.0.layer_norm", "{s}.layers.{n}.norm1"},
		{"decoder.block.{n}.layer.1.EncDecAttention.{p}", "decoder.layers.{n}.cross_attn.{p}_proj"},
		{"decoder.block.{n}.layer.1.layer_norm", "decoder.layers.{n}.cross_norm"},
		{"encoder.block.{n}.layer.1.layer_norm", "encoder.layers.{n}.norm2"},
		{"decoder.block.{n}.layer.2.layer_norm", "decoder.layers.{n}.norm2"},
		{"{s}.block.{n}.layer.{i}.DenseReluDense.wi_0", "{s}.layers.{n}.mlp.gate_proj"},
		{"{s}.block.{n}.layer.{i}.DenseReluDense.wi_1", "{s}.layers.{n}.mlp.up_proj"},
		{"{s}.block.{n}.layer.{i}.DenseReluDense.wi", "{s}.layers.{n}.mlp.up_proj"},
		{"{s}.block.{n}.layer.{i}.DenseReluDense.wo", "{s}.layers.{n}.mlp.down_proj"},
		{"{s}.final_layer_norm", "{s}.norm"},
	}
	if h == headEncoder {
		rules = append(rules, [2]string{"decoder", ""})
	}
	list := renames(rules)
	switch {
	case net.NoHead || tied:
		list = append(list, nn.Rename("head", ""))
	default: // files without a head mean the embedding
		net.Head = newLinear(width, vocab, false)
		list = append(list, nn.Tied("head.weight", "embed_tokens.weight"))
	}
	return built{net, list, 0, 0, vocab}
}

// renames are rules as options.
func renames(rules [][2]string) (list []nn.LoadOption) {
	for _, r := range rules {
		list = append(list, nn.Rename(r[0], r[1]))
	}
	return list
}

// whisper reads spectra by two convolutions; its positions are in the file.
//
// Source: A. Radford et al., 2022, arXiv:2212.04356.
func whisper(c *config, h head) built {
	vocab, width := c.size(51865, "vocab_size"), c.size(384, "d_model")
	mels := c.count(80, "num_mel_bins")
	source, target := c.size(1500, "max_source_positions"), c.size(448, "max_target_positions")
	activation := c.activation("gelu", "activation_function")
	c.get("scale_embedding") // read by the configuration, not by the model
	c.get("num_hidden_layers")
	tied := c.flag(true, "tie_word_embeddings")
	norm := func() nn.Layer { return newLayerNorm(width, 1e-5, true) }
	attention := func(heads int) *nn.Attention {
		c.headDim(width, heads)
		a := newAttention(width, heads, true, true)
		a.KProj = newLinear(width, width, false)
		return a
	}
	stack := func(side string, positions int, decoder bool) *Stack {
		heads, hidden := c.count(6, side+"_attention_heads"), c.size(1536, side+"_ffn_dim")
		s := &Stack{EmbedPositions: newEmbedding(positions, width), Norm: norm()}
		for range c.count(4, side+"_layers") {
			b := &Block{Rope: -1, Norm1: norm(), SelfAttn: attention(heads), Norm2: norm(),
				MLP: &MLP{UpProj: newLinear(width, hidden, true), DownProj: newLinear(hidden, width, true),
					Activation: activation}}
			if decoder {
				b.CrossNorm, b.CrossAttn = norm(), attention(heads)
			}
			s.Layers = append(s.Layers, b)
		}
		return s
	}
	conv := func(in, stride int) *nn.Conv {
		return &nn.Conv{Weight: nx.Zeros(nx.Shape{width, in, 3}, nx.F32), Bias: nx.Zeros(nx.Shape{width}, nx.F32),
			Strides: []int{stride}, Dilation: []int{1}, Padding: [][2]int{{1, 1}}, Groups: 1}
	}
	net := &Seq2Seq{EmbedTokens: newEmbedding(vocab, width), Conv1: conv(mels, 1), Conv2: conv(width, 2),
		Encoder: stack("encoder", source, false), Decoder: stack("decoder", target, true), NoHead: h == headNone}
	list := renames([][2]string{
		{"model.{rest...}", "{rest...}"}, {"decoder.embed_tokens", "embed_tokens"}, {"proj_out", "head"},
		{"encoder.conv1", "conv1"}, {"encoder.conv2", "conv2"}, {"{s}.layer_norm", "{s}.norm"},
		{"{s}.layers.{n}.self_attn.out_proj", "{s}.layers.{n}.self_attn.o_proj"},
		{"{s}.layers.{n}.encoder_attn.out_proj", "{s}.layers.{n}.cross_attn.o_proj"},
		{"{s}.layers.{n}.encoder_attn.{p}", "{s}.layers.{n}.cross_attn.{p}"},
		{"{s}.layers.{n}.self_attn_layer_norm", "{s}.layers.{n}.norm1"},
		{"{s}.layers.{n}.encoder_attn_layer_norm", "{s}.layers.{n}.cross_norm"},
		{"{s}.layers.{n}.final_layer_norm", "{s}.layers.{n}.norm2"},
		{"{s}.layers.{n}.fc1", "{s}.layers.{n}.mlp.up_proj"}, {"{s}.layers.{n}.fc2", "{s}.layers.{n}.mlp.down_proj"},
	})
	if net.NoHead || tied {
		list = append(list, nn.Rename("head", ""))
	} else {
		net.Head = newLinear(width, vocab, false)
	}
	return built{net, list, target, target, vocab}
}
