package transformers

import (
	"github.com/go-nx/nx"
	"github.com/go-nx/nx/nn"
)

// encoderSpec is what the families of encoders read alike.
type encoderSpec struct {
	vocab, width, layers, heads, hidden, context int

	activation string
	epsilon    float64
	tied       bool
	classes    int
}

// encoderSpec reads the fields of BERT and its relatives.
func (c *config) encoderSpec() encoderSpec {
	s := encoderSpec{vocab: c.size(30522, "vocab_size"), width: c.size(768, "hidden_size"),
		layers: c.count(12, "num_hidden_layers"), heads: c.count(12, "num_attention_heads"),
		hidden: c.size(3072, "intermediate_size"), context: c.size(512, "max_position_embeddings"),
		activation: c.activation("gelu", "hidden_act"), epsilon: c.number(1e-12, "layer_norm_eps"),
		tied: c.flag(true, "tie_word_embeddings"), classes: c.classes()}
	c.must("is_decoder", false)
	c.must("add_cross_attention", false)
	c.must("position_embedding_type", "absolute")
	return s
}

// classes is the number of labels, 2 without any.
func (c *config) classes() int {
	if o := c.object("id2label"); o != nil && len(o.fields) > 0 {
		return len(o.fields)
	}
	return c.size(2, "num_labels")
}

func (s *encoderSpec) norm() nn.Layer { return newLayerNorm(s.width, s.epsilon, true) }

// encoder makes the network with blocks of BERT.
func (s *encoderSpec) encoder(c *config, h head) *Encoder {
	c.headDim(s.width, s.heads)
	e := &Encoder{EmbedTokens: newEmbedding(s.vocab, s.width), EmbedPositions: newEmbedding(s.context, s.width),
		EmbedNorm: s.norm(), Padding: -1}
	for range s.layers {
		e.Layers = append(e.Layers, &Block{
			Arrangement: postNorm, Rope: -1, Norm1: s.norm(), Norm2: s.norm(),
			SelfAttn: newAttention(s.width, s.heads, true, true),
			MLP: &MLP{UpProj: newLinear(s.width, s.hidden, true), DownProj: newLinear(s.hidden, s.width, true),
				Activation: s.activation},
		})
	}
	switch h {
	case headMaskedLM:
		e.Head = &Head{Kind: h, Dense: newLinear(s.width, s.width, true), Activation: s.activation, Norm: s.norm(),
			Bias: nx.Zeros(nx.Shape{s.vocab}, nx.F32)}
		if !s.tied {
			e.Head.Out = newLinear(s.width, s.vocab, true)
		}
	case headClasses:
		e.Head = &Head{Kind: h, Dense: newLinear(s.width, s.width, true), Activation: "tanh",
			Out: newLinear(s.width, s.classes, true)}
	case headTokens, headAnswer:
		e.Head = &Head{Kind: h, Out: newLinear(s.width, s.classes, true)}
		if h == headAnswer && s.classes != 2 {
			c.fail("answers have 2 scores, the configuration %d labels", s.classes)
		}
	}
	return e
}

// newAttention makes attention with a head of keys for each of queries.
func newAttention(width, heads int, qkvBias, outBias bool) *nn.Attention {
	return &nn.Attention{QProj: newLinear(width, width, qkvBias), KProj: newLinear(width, width, qkvBias),
		VProj: newLinear(width, width, qkvBias), OProj: newLinear(width, width, outBias), Heads: heads, KVHeads: heads}
}

// built makes the result of a family.
func (s *encoderSpec) built(c *config, e *Encoder, rules [][2]string) built {
	var list []nn.LoadOption
	for _, r := range rules {
		list = append(list, nn.Rename(r[0], r[1]))
	}
	switch {
	case e.Head == nil:
	case e.Head.Out == nil:
		list = append(list, nn.Rename("head.out", ""))
	case !e.Head.Bias.IsZero() && !e.Head.Out.Bias.IsZero(): // files have one of them or both
		list = append(list, nn.Tied("head.out.bias", "head.bias"), nn.Tied("head.bias", "head.out.bias"))
	}
	limit := s.context
	switch {
	case e.EmbedPositions == nil:
		limit = 0
	case e.Padding >= 0: // positions up to that of padding are not those of tokens
		if limit -= e.Padding + 1; limit < 1 {
			c.fail("the field max_position_embeddings is %d: no position is left beyond pad_token_id %d", s.context,
				e.Padding)
		}
	}
	return built{e, list, s.context, limit, s.vocab}
}

// bertNames are the names of the weights of BERT in files.
var bertNames = [][2]string{
	{"bert.{rest...}", "{rest...}"}, {"roberta.{rest...}", "{rest...}"}, {"{rest...}.LayerNorm.gamma",
		"{rest...}.LayerNorm.weight"}, {"{rest...}.LayerNorm.beta", "{rest...}.LayerNorm.bias"},
	{"embeddings.word_embeddings", "embed_tokens"}, {"embeddings.position_embeddings", "embed_positions"},
	{"embeddings.token_type_embeddings", "embed_types"}, {"embeddings.LayerNorm", "embed_norm"},
	{"embeddings.position_ids", ""}, {"embeddings.token_type_ids", ""},
	{"encoder.layer.{n}.attention.self.query", "layers.{n}.self_attn.q_proj"},
	{"encoder.layer.{n}.attention.self.key", "layers.{n}.self_attn.k_proj"},
	{"encoder.layer.{n}.attention.self.value", "layers.{n}.self_attn.v_proj"},
	{"encoder.layer.{n}.attention.output.dense", "layers.{n}.self_attn.o_proj"},
	{"encoder.layer.{n}.attention.output.LayerNorm", "layers.{n}.norm1"},
	{"encoder.layer.{n}.intermediate.dense", "layers.{n}.mlp.up_proj"},
	{"encoder.layer.{n}.output.dense", "layers.{n}.mlp.down_proj"},
	{"encoder.layer.{n}.output.LayerNorm", "layers.{n}.norm2"},
	{"qa_outputs", "head.out"},
	// The heads of masked language models.
	{"cls.predictions.transform.dense", "head.dense"}, {"cls.predictions.transform.LayerNorm", "head.norm"},
	{"cls.predictions.decoder", "head.out"}, {"cls.predictions.bias", "head.bias"},
	{"cls.seq_relationship", ""},
	{"lm_head.dense", "head.dense"}, {"lm_head.layer_norm", "head.norm"}, {"lm_head.decoder", "head.out"},
	{"lm_head.bias", "head.bias"},
}

// bert has learned positions and segments, and norms behind its parts.
//
// Source: J. Devlin et al., 2018, arXiv:1810.04805.
func bert(c *config, h head) built {
	s := c.encoderSpec()
	e := s.encoder(c, h)
	e.EmbedTypes = newEmbedding(c.size(2, "type_vocab_size"), s.width)
	rules := append([][2]string{{"classifier", "head.out"}}, bertNames...)
	switch h {
	case headNone:
		e.Pooler = newLinear(s.width, s.width, true)
		rules = append(rules, [2]string{"pooler.dense", "pooler"})
	case headClasses:
		rules = append(rules, [2]string{"pooler.dense", "head.dense"})
	default:
		rules = append(rules, [2]string{"pooler", ""})
	}
	return s.built(c, e, rules)
}

// roberta is bert with positions that are counted from that of padding.
//
// Source: Y. Liu et al., 2019, arXiv:1907.11692.
func roberta(c *config, h head) built {
	s := c.encoderSpec()
	e := s.encoder(c, h)
	e.EmbedTypes = newEmbedding(c.size(2, "type_vocab_size"), s.width)
	e.Padding = c.integer(1, "pad_token_id")
	return s.robertaHeads(c, e, h, bertNames)
}

// robertaHeads names the poolers and classifiers of roberta and mpnet.
func (s *encoderSpec) robertaHeads(c *config, e *Encoder, h head, names [][2]string) built {
	rules := append([][2]string{{"classifier.dense", "head.dense"}, {"classifier.out_proj", "head.out"},
		{"classifier", "head.out"}}, names...)
	if h == headNone {
		e.Pooler = newLinear(s.width, s.width, true)
		rules = append(rules, [2]string{"pooler.dense", "pooler"})
	} else {
		rules = append(rules, [2]string{"pooler", ""})
	}
	return s.built(c, e, rules)
}

// mpnet is roberta with relative positions, too.
//
// Source: K. Song et al., 2020, arXiv:2004.09297.
func mpnet(c *config, h head) built {
	s := c.encoderSpec()
	e := s.encoder(c, h)
	e.Padding = c.integer(1, "pad_token_id")
	buckets := c.count(32, "relative_attention_num_buckets")
	e.Bias = &RelativeBias{Table: newEmbedding(buckets, s.heads), Distance: 128, Bidirectional: true}
	return s.robertaHeads(c, e, h, append([][2]string{
		{"mpnet.{rest...}", "{rest...}"}, {"encoder.relative_attention_bias", "bias"},
		{"encoder.layer.{n}.attention.attn.{p}", "layers.{n}.self_attn.{p}_proj"},
		{"encoder.layer.{n}.attention.LayerNorm", "layers.{n}.norm1"},
	}, bertNames...))
}

// distilBERT is bert without segments and pooler.
//
// Source: V. Sanh et al., 2019, arXiv:1910.01108.
func distilBERT(c *config, h head) built {
	s := encoderSpec{vocab: c.size(30522, "vocab_size"), width: c.size(768, "dim", "hidden_size"),
		layers: c.count(6, "n_layers", "num_hidden_layers"), heads: c.count(12, "n_heads", "num_attention_heads"),
		hidden: c.size(3072, "hidden_dim"), context: c.size(512, "max_position_embeddings"),
		activation: c.activation("gelu", "activation"), epsilon: 1e-12, tied: c.flag(true, "tie_word_embeddings",
			"tie_weights_"), classes: c.classes()}
	c.get("sinusoidal_pos_embds") // the positions are in the file
	e := s.encoder(c, h)
	if h == headClasses {
		e.Head.Activation = "relu"
	}
	return s.built(c, e, append([][2]string{
		{"distilbert.{rest...}", "{rest...}"},
		{"transformer.layer.{n}.attention.out_lin", "layers.{n}.self_attn.o_proj"},
		{"transformer.layer.{n}.attention.q_lin", "layers.{n}.self_attn.q_proj"},
		{"transformer.layer.{n}.attention.k_lin", "layers.{n}.self_attn.k_proj"},
		{"transformer.layer.{n}.attention.v_lin", "layers.{n}.self_attn.v_proj"},
		{"transformer.layer.{n}.sa_layer_norm", "layers.{n}.norm1"},
		{"transformer.layer.{n}.ffn.lin1", "layers.{n}.mlp.up_proj"},
		{"transformer.layer.{n}.ffn.lin2", "layers.{n}.mlp.down_proj"},
		{"transformer.layer.{n}.output_layer_norm", "layers.{n}.norm2"},
		{"pre_classifier", "head.dense"}, {"classifier", "head.out"},
		{"vocab_transform", "head.dense"}, {"vocab_layer_norm", "head.norm"}, {"vocab_projector.bias", "head.bias"},
		{"vocab_projector", "head.out"},
	}, bertNames...))
}

// modernBERT has rotary positions, gated perceptrons, norms before its parts, and windows in most layers.
//
// Source: B. Warner et al., 2024, arXiv:2412.13663.
func modernBERT(c *config, h head) built {
	s := encoderSpec{vocab: c.size(50368, "vocab_size"), width: c.size(768, "hidden_size"),
		layers: c.count(22, "num_hidden_layers"), heads: c.count(12, "num_attention_heads"),
		hidden: c.size(1152, "intermediate_size"), context: c.size(8192, "max_position_embeddings"),
		activation: c.activation("gelu", "hidden_activation"), epsilon: c.number(1e-5, "norm_eps"),
		tied: c.flag(true, "tie_word_embeddings"), classes: c.classes()}
	c.must("position_embedding_type", "absolute")
	biasA, biasM, biasN := c.flag(false, "attention_bias"), c.flag(false, "mlp_bias"), c.flag(false, "norm_bias")
	norm := func() nn.Layer { return newLayerNorm(s.width, s.epsilon, biasN) }
	every, window := c.size(3, "global_attn_every_n_layers"), c.size(128, "local_attention")
	types := c.layerTypes(s.layers, func(i int) bool { return i%every != 0 })
	windows := windowsOf(types, window)
	e := &Encoder{EmbedTokens: newEmbedding(s.vocab, s.width), EmbedNorm: norm(), Norm: norm(), Padding: -1}
	d := ropeDefaults{headDim: c.headDim(s.width, s.heads), positions: s.context, partial: 1}
	for _, r := range []struct {
		layers, field string
		theta         float64
	}{{"full_attention", "global_rope_theta", 160000}, {"sliding_attention", "local_rope_theta", 10000}} {
		d.theta = c.number(r.theta, r.field)
		e.Ropes = append(e.Ropes, *c.rope(r.layers, d))
	}
	for i := range s.layers {
		b := &Block{Norm1: norm(), Norm2: norm(), SelfAttn: newAttention(s.width, s.heads, biasA, biasA),
			Window: windows[i], MLP: &MLP{UpProj: newLinear(s.width, s.hidden, biasM),
				GateProj: newLinear(s.width, s.hidden, biasM), DownProj: newLinear(s.hidden, s.width, biasM),
				Activation: s.activation}}
		if i == 0 {
			b.Norm1 = nil // the embedding is normalised
		}
		if types[i] == "sliding_attention" {
			b.Rope = 1
		}
		e.Layers = append(e.Layers, b)
	}
	pooling := c.text("cls", "classifier_pooling")
	if pooling != "cls" && pooling != "mean" {
		c.fail("the classifier_pooling %q is not known", pooling)
	}
	biasH, act := c.flag(false, "classifier_bias"), c.activation("gelu", "classifier_activation")
	biasD := c.flag(true, "decoder_bias")
	if h != headNone {
		e.Head = &Head{Kind: h, Dense: newLinear(s.width, s.width, biasH), Activation: act, Norm: norm(),
			Mean: pooling == "mean", Out: newLinear(s.width, s.classes, true)}
	}
	if h == headMaskedLM {
		e.Head.Out = nil
		if biasD {
			e.Head.Bias = nx.Zeros(nx.Shape{s.vocab}, nx.F32)
		}
		if !s.tied {
			e.Head.Out = newLinear(s.width, s.vocab, false)
		}
	}
	return s.built(c, e, [][2]string{
		{"model.{rest...}", "{rest...}"}, {"embeddings.tok_embeddings", "embed_tokens"},
		{"embeddings.norm", "embed_norm"}, {"final_norm", "norm"}, {"layers.{n}.attn_norm", "layers.{n}.norm1"},
		{"layers.{n}.mlp_norm", "layers.{n}.norm2"},
		{"layers.{n}.attn.Wqkv", "layers.{n}.self_attn.{q_proj,k_proj,v_proj}"},
		{"layers.{n}.attn.Wo", "layers.{n}.self_attn.o_proj"},
		{"layers.{n}.mlp.Wi", "layers.{n}.mlp.{gate_proj,up_proj}"}, {"layers.{n}.mlp.Wo", "layers.{n}.mlp.down_proj"},
		{"decoder.bias", "head.bias"}, {"decoder", "head.out"}, {"classifier", "head.out"},
	})
}
