package transformers

import (
	"math"

	"github.com/go-nx/nx/nn"
)

// gpt2 has learned positions, and weights [in, out].
//
// Source: A. Radford et al., "Language models are unsupervised multitask learners", 2019.
func gpt2(c *config, h head) built {
	s := decoderSpec{vocab: c.size(50257, "vocab_size"), width: c.size(768, "n_embd", "hidden_size"),
		layers: c.count(12, "n_layer", "num_hidden_layers"), heads: c.count(12, "n_head", "num_attention_heads"),
		context:    c.size(1024, "n_positions", "max_position_embeddings", "n_ctx"),
		activation: c.activation("gelu_new", "activation_function"),
		qkvBias:    true, outBias: true, mlpBias: true, tied: c.flag(true, "tie_word_embeddings")}
	s.hidden = c.size(4*s.width, "n_inner")
	s.kvHeads, s.positions, s.headDim = s.heads, s.context, c.headDim(s.width, s.heads)
	c.must("add_cross_attention", false)
	c.get("reorder_and_upcast_attn", "scale_attn_by_inverse_layer_idx") // the first only says how sums are rounded
	epsilon := c.number(1e-5, "layer_norm_epsilon")
	s.norm = func(width int) nn.Layer { return newLayerNorm(width, epsilon, true) }
	scale := 1.0
	if c.flag(true, "scale_attn_weights") {
		scale = scaleOf(float64(s.headDim))
	}
	for i := range s.layers {
		s.scale = append(s.scale, scale)
		if c.flag(false, "scale_attn_by_inverse_layer_idx") {
			s.scale[i] /= float64(i + 1)
		}
	}
	return s.decoder(c, h, [][2]string{
		{"transformer.{rest...}", "{rest...}"}, {"wte", "embed_tokens"}, {"wpe", "embed_positions"}, {"ln_f", "norm"},
		{"h.{n}.ln_1", "layers.{n}.norm1"}, {"h.{n}.ln_2", "layers.{n}.norm2"}, {"lm_head", "head"},
		{"h.{n}.attn.bias", ""}, {"h.{n}.attn.masked_bias", ""},
	},
		nn.Rename("h.{n}.attn.c_attn", "layers.{n}.self_attn.{q_proj,k_proj,v_proj}", nn.Transposed),
		nn.Rename("h.{n}.attn.c_proj", "layers.{n}.self_attn.o_proj", nn.Transposed),
		nn.Rename("h.{n}.mlp.c_fc", "layers.{n}.mlp.up_proj", nn.Transposed),
		nn.Rename("h.{n}.mlp.c_proj", "layers.{n}.mlp.down_proj", nn.Transposed))
}

// headDim is the number of numbers of a head where it is not given.
func (c *config) headDim(width, heads int) int {
	if width%heads != 0 {
		c.fail("the width %d is not a multiple of %d heads", width, heads)
		return 1
	}
	return width / heads
}

// common reads the fields that the family of Llama shares.
func (c *config) common(tied bool) (s decoderSpec) {
	s = decoderSpec{vocab: c.size(0, "vocab_size"), width: c.size(0, "hidden_size"),
		layers: c.count(0, "num_hidden_layers"), heads: c.count(0, "num_attention_heads"),
		hidden: c.size(0, "intermediate_size"), context: c.size(2048, "max_position_embeddings"), gated: true,
		tied: c.flag(tied, "tie_word_embeddings")}
	s.kvHeads = c.count(s.heads, "num_key_value_heads")
	if c.has("head_dim") {
		s.headDim = c.size(0, "head_dim")
	} else {
		s.headDim = c.headDim(s.width, s.heads)
	}
	return s
}

// rms makes the norms of the family of Llama.
func (c *config) rms(shift bool) func(int) nn.Layer {
	epsilon := c.number(1e-6, "rms_norm_eps")
	return func(width int) nn.Layer { return newRMSNorm(width, epsilon, shift) }
}

// llamaNames are the names of the weights of Llama in files.
var llamaNames = [][2]string{
	{"model.{rest...}", "{rest...}"}, {"layers.{n}.input_layernorm", "layers.{n}.norm1"},
	{"layers.{n}.post_attention_layernorm", "layers.{n}.norm2"}, {"lm_head", "head"},
	{"layers.{n}.self_attn.rotary_emb", ""}, {"rotary_emb", ""},
}

// llama has rotary positions, root mean square norms, gated perceptrons and heads of keys that several heads share.
//
// Source: H. Touvron et al., 2023, arXiv:2302.13971, arXiv:2307.09288.
func llama(c *config, h head) built {
	s := c.common(false)
	s.activation, s.norm = c.activation("silu", "hidden_act"), c.rms(false)
	s.qkvBias = c.flag(false, "attention_bias")
	s.outBias, s.mlpBias = s.qkvBias, c.flag(false, "mlp_bias")
	s.rotaries = []Rotary{*c.rope("full_attention", ropeDefaults{headDim: s.headDim, positions: s.context, theta: 1e4,
		partial: 1})}
	return s.decoder(c, h, llamaNames)
}

// mistral is llama with a window.
//
// Source: A. Jiang et al., 2023, arXiv:2310.06825.
func mistral(c *config, h head) built {
	s := c.common(false)
	s.activation, s.norm = c.activation("silu", "hidden_act"), c.rms(false)
	window := c.window(4096)
	s.windows = windowsOf(c.layerTypes(s.layers, func(int) bool { return window > 0 }), window)
	s.rotaries = []Rotary{*c.rope("full_attention", ropeDefaults{headDim: s.headDim, positions: s.context, theta: 1e4,
		partial: 1})}
	return s.decoder(c, h, llamaNames)
}

// window is the field sliding_window, 0 where it is null.
func (c *config) window(or int) int {
	if v, ok := c.fields["sliding_window"]; ok && v == nil {
		return 0
	}
	if or == 0 && !c.has("sliding_window") {
		return 0
	}
	return c.size(or, "sliding_window")
}

// qwenWindows are the windows of layers of Qwen: of the layers from max_window_layers on.
func (c *config) qwenWindows(layers int) []int {
	window, from := c.window(4096), c.integer(28, "max_window_layers")
	if !c.flag(false, "use_sliding_window") {
		window = 0
	}
	types := c.layerTypes(layers, func(i int) bool { return window > 0 && i >= from })
	return windowsOf(types, window)
}

// qwen2 is llama with biases of queries, keys and values.
//
// Source: A. Yang et al., 2024, arXiv:2407.10671.
func qwen2(c *config, h head) built {
	s := c.common(false)
	s.activation, s.norm, s.qkvBias = c.activation("silu", "hidden_act"), c.rms(false), true
	s.windows = c.qwenWindows(s.layers)
	s.rotaries = []Rotary{*c.rope("full_attention", ropeDefaults{headDim: s.headDim, positions: s.context, theta: 1e4,
		partial: 1})}
	return s.decoder(c, h, llamaNames)
}

// qwen3 is llama with norms of queries and keys.
//
// Source: A. Yang et al., 2025, arXiv:2505.09388.
func qwen3(c *config, h head) built {
	if !c.has("head_dim") {
		c.fields["head_dim"] = 128.0
	}
	s := c.common(false)
	s.activation, s.norm = c.activation("silu", "hidden_act"), c.rms(false)
	s.qkNorm, s.qkvBias = s.norm, c.flag(false, "attention_bias")
	s.outBias, s.windows = s.qkvBias, c.qwenWindows(s.layers)
	s.rotaries = []Rotary{*c.rope("full_attention", ropeDefaults{headDim: s.headDim, positions: s.context, theta: 1e4,
		partial: 1})}
	return s.decoder(c, h, llamaNames)
}

// smolLM3 is llama with layers without rotary positions.
//
// Source: E. Bakouch et al., "SmolLM3: smol, multilingual, long-context reasoner", 2025; B. Yang et al., 2025,
// arXiv:2501.18795, for the layers without positions.
func smolLM3(c *config, h head) built {
	s := c.common(true)
	s.activation, s.norm = c.activation("silu", "hidden_act"), c.rms(false)
	s.qkvBias = c.flag(false, "attention_bias")
	s.outBias, s.mlpBias = s.qkvBias, c.flag(false, "mlp_bias")
	interval, with := c.size(4, "no_rope_layer_interval"), c.numbers("no_rope_layers")
	if with != nil && len(with) != s.layers {
		c.fail("the field no_rope_layers has %d numbers for %d layers", len(with), s.layers)
		with = nil
	}
	for i := range s.layers {
		s.ropes = append(s.ropes, 0)
		if with == nil && (i+1)%interval == 0 || with != nil && with[i] == 0 {
			s.ropes[i] = -1
		}
	}
	window := c.window(0)
	if !c.flag(false, "use_sliding_window") {
		window = 0
	}
	s.windows = windowsOf(c.layerTypes(s.layers, func(i int) bool { return window > 0 && s.ropes[i] < 0 }), window)
	s.rotaries = []Rotary{*c.rope("full_attention", ropeDefaults{headDim: s.headDim, positions: s.context, theta: 2e6,
		partial: 1})}
	return s.decoder(c, h, llamaNames)
}

// gemmaCommon are what the families of Gemma share: scaled embeddings, and norms whose factor is 1 + weight.
func gemmaCommon(c *config) decoderSpec {
	if !c.has("head_dim") {
		c.fields["head_dim"] = 256.0
	}
	s := c.common(true)
	s.activation = c.activation("gelu_pytorch_tanh", "hidden_activation", "hidden_act")
	s.norm, s.embedScale = c.rms(true), math.Sqrt(float64(s.width))
	s.qkvBias = c.flag(false, "attention_bias")
	s.outBias = s.qkvBias
	c.must("use_bidirectional_attention", false)
	return s
}

// gemma is the first version.
//
// Source: Gemma Team, 2024, arXiv:2403.08295.
func gemma(c *config, h head) built {
	s := gemmaCommon(c)
	if s.activation == "gelu" { // the first files say so and mean its approximation
		s.activation = "gelu_pytorch_tanh"
	}
	s.rotaries = []Rotary{*c.rope("full_attention", ropeDefaults{headDim: s.headDim, positions: s.context, theta: 1e4,
		partial: 1})}
	return s.decoder(c, h, llamaNames)
}

// gemmaNames are the names of blocks with norms before and after both parts.
var gemmaNames = append([][2]string{
	{"model.{rest...}", "{rest...}"}, {"layers.{n}.post_attention_layernorm", "layers.{n}.post_norm1"},
	{"layers.{n}.pre_feedforward_layernorm", "layers.{n}.norm2"},
	{"layers.{n}.post_feedforward_layernorm", "layers.{n}.post_norm2"},
}, llamaNames...)

// nullable is a number, 0 where the field is null.
func (c *config) nullable(or float64, name string) float64 {
	if v, ok := c.fields[name]; ok && v == nil {
		c.get(name)
		return 0
	}
	return c.number(or, name)
}

// gemma2 limits scores and logits softly, and has windows in every other layer.
//
// Source: Gemma Team, 2024, arXiv:2408.00118.
func gemma2(c *config, h head) built {
	s := gemmaCommon(c)
	s.sandwich = true
	s.softcap, s.logitsCap = c.nullable(50, "attn_logit_softcapping"), c.nullable(30, "final_logit_softcapping")
	scale := scaleOf(c.number(256, "query_pre_attn_scalar"))
	for range s.layers {
		s.scale = append(s.scale, scale)
	}
	window := c.window(4096)
	s.windows = windowsOf(c.layerTypes(s.layers, func(i int) bool { return i%2 == 0 }), window)
	s.rotaries = []Rotary{*c.rope("full_attention", ropeDefaults{headDim: s.headDim, positions: s.context, theta: 1e4,
		partial: 1})}
	return s.decoder(c, h, gemmaNames)
}

// gemma3 has norms of queries and keys, and a base of rotary positions for layers with windows.
//
// Source: Gemma Team, 2025, arXiv:2503.19786.
func gemma3(c *config, h head) built {
	s := gemmaCommon(c)
	s.sandwich, s.qkNorm = true, s.norm
	s.softcap, s.logitsCap = c.nullable(0, "attn_logit_softcapping"), c.nullable(0, "final_logit_softcapping")
	scale := scaleOf(c.number(256, "query_pre_attn_scalar"))
	window, pattern := c.window(4096), c.size(6, "sliding_window_pattern", "_sliding_window_pattern")
	types := c.layerTypes(s.layers, func(i int) bool { return (i+1)%pattern != 0 })
	s.windows = windowsOf(types, window)
	full := c.rope("full_attention", ropeDefaults{headDim: s.headDim, positions: s.context, theta: 1e6, partial: 1})
	d := ropeDefaults{headDim: s.headDim, positions: s.context, theta: c.number(1e4, "rope_local_base_freq"),
		partial: 1}
	local := &config{file: c.file, fields: map[string]any{}, asked: map[string]bool{}, err: c.err}
	if p, ok := c.fields["rope_parameters"].(map[string]any); ok {
		if _, nested := p["sliding_attention"].(map[string]any); nested {
			local.fields["rope_parameters"] = p
		}
	}
	s.rotaries = []Rotary{*full, *local.rope("sliding_attention", d)}
	for _, t := range types {
		s.scale = append(s.scale, scale)
		s.ropes = append(s.ropes, 0)
		if t == "sliding_attention" {
			s.ropes[len(s.ropes)-1] = 1
		}
	}
	return s.decoder(c, h, gemmaNames)
}

// phi3 is llama with joined projections.
//
// Source: M. Abdin et al., 2024, arXiv:2404.14219.
func phi3(c *config, h head) built {
	s := c.common(false)
	s.activation = c.activation("silu", "hidden_act")
	epsilon := c.number(1e-5, "rms_norm_eps")
	s.norm = func(width int) nn.Layer { return newRMSNorm(width, epsilon, false) }
	c.must("attention_bias", false)
	window := c.window(0)
	s.windows = windowsOf(c.layerTypes(s.layers, func(int) bool { return window > 0 }), window)
	s.rotaries = []Rotary{*c.rope("full_attention", ropeDefaults{headDim: s.headDim, positions: s.context, theta: 1e4,
		partial: 1, yarnIsLong: true, original: c.size(4096, "original_max_position_embeddings")})}
	s.rotaries[0].Again = true
	return s.decoder(c, h, append([][2]string{
		{"model.{rest...}", "{rest...}"},
		{"layers.{n}.self_attn.qkv_proj", "layers.{n}.self_attn.{q_proj,k_proj,v_proj}"},
		{"layers.{n}.mlp.gate_up_proj", "layers.{n}.mlp.{gate_proj,up_proj}"},
	}, llamaNames...))
}

// phi has parallel parts with one norm.
//
// Source: S. Gunasekar et al., 2023, arXiv:2306.11644.
func phi(c *config, h head) built {
	s := c.common(false)
	s.gated, s.parallel, s.oneNorm = false, true, true
	s.activation = c.activation("gelu_new", "hidden_act")
	s.qkvBias, s.outBias, s.mlpBias, s.headBias = true, true, true, true
	epsilon := c.number(1e-5, "layer_norm_eps")
	s.norm = func(width int) nn.Layer { return newLayerNorm(width, epsilon, true) }
	if c.flag(false, "qk_layernorm") {
		s.qkNorm = s.norm
	}
	s.rotaries = []Rotary{*c.rope("full_attention", ropeDefaults{headDim: s.headDim, positions: s.context, theta: 1e4,
		partial: 0.5})}
	return s.decoder(c, h, append([][2]string{
		{"model.{rest...}", "{rest...}"}, {"layers.{n}.self_attn.dense", "layers.{n}.self_attn.o_proj"},
		{"layers.{n}.self_attn.q_layernorm", "layers.{n}.self_attn.q_norm"},
		{"layers.{n}.self_attn.k_layernorm", "layers.{n}.self_attn.k_norm"},
		{"layers.{n}.mlp.fc1", "layers.{n}.mlp.up_proj"}, {"layers.{n}.mlp.fc2", "layers.{n}.mlp.down_proj"},
		{"final_layernorm", "norm"},
	}, llamaNames...))
}

// gptNeoX has parallel parts and rotates a part of each head.
//
// Source: S. Black et al., 2022, arXiv:2204.06745.
func gptNeoX(c *config, h head) built {
	s := c.common(false)
	s.gated, s.parallel = false, c.flag(true, "use_parallel_residual")
	s.activation = c.activation("gelu", "hidden_act")
	s.qkvBias = c.flag(true, "attention_bias")
	s.outBias, s.mlpBias = s.qkvBias, true
	epsilon := c.number(1e-5, "layer_norm_eps")
	s.norm = func(width int) nn.Layer { return newLayerNorm(width, epsilon, true) }
	s.rotaries = []Rotary{*c.rope("full_attention", ropeDefaults{headDim: s.headDim, positions: s.context,
		theta: c.number(1e4, "rotary_emb_base"), partial: c.number(0.25, "rotary_pct")})}
	c.must("is_decoder", false)
	return s.decoder(c, h, append([][2]string{
		{"gpt_neox.{rest...}", "{rest...}"}, {"embed_in", "embed_tokens"}, {"embed_out", "head"},
		{"final_layer_norm", "norm"}, {"layers.{n}.attention.dense", "layers.{n}.self_attn.o_proj"},
		{"layers.{n}.mlp.dense_h_to_4h", "layers.{n}.mlp.up_proj"},
		{"layers.{n}.mlp.dense_4h_to_h", "layers.{n}.mlp.down_proj"},
		{"layers.{n}.attention.bias", ""}, {"layers.{n}.attention.masked_bias", ""},
		{"layers.{n}.attention.rotary_emb", ""},
	}, llamaNames...), nn.Rename("layers.{n}.attention.query_key_value", "layers.{n}.self_attn.{q_proj,k_proj,v_proj}",
		nn.Grouped(s.heads)))
}
