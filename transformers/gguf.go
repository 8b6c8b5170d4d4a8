package transformers

import (
	"maps"
	"slices"
	"strings"

	"github.com/go-nx/nx/encoding/gguf"
	"github.com/go-nx/nx/nn"
)

// ggufFamily is a row of the table of architectures of GGUF files.
type ggufFamily struct {
	modelType, architecture string
	paired                  bool // the rows of queries and keys lie in pairs
	joined                  bool // gates are the upper half of the rows of ffn_up
	shifted                 bool // norms have 1 added to what config.json means
	wide                    bool // config.json has a default of its own for the width of heads
	bias                    bool // biases of queries, keys and values are an option
}

// ggufFamilies are the values of general.architecture that are known.
var ggufFamilies = map[string]ggufFamily{
	"llama":   {modelType: "llama", architecture: "LlamaForCausalLM", paired: true, bias: true},
	"smollm3": {modelType: "smollm3", architecture: "SmolLM3ForCausalLM", paired: true, bias: true},
	"qwen2":   {modelType: "qwen2", architecture: "Qwen2ForCausalLM"},
	"qwen3":   {modelType: "qwen3", architecture: "Qwen3ForCausalLM", wide: true, bias: true},
	"gemma":   {modelType: "gemma", architecture: "GemmaForCausalLM", shifted: true, wide: true},
	"gemma2":  {modelType: "gemma2", architecture: "Gemma2ForCausalLM", shifted: true, wide: true},
	"gemma3":  {modelType: "gemma3_text", architecture: "Gemma3ForCausalLM", shifted: true, wide: true},
	"phi3":    {modelType: "phi3", architecture: "Phi3ForCausalLM", joined: true},
	"gpt2":    {modelType: "gpt2", architecture: "GPT2LMHeadModel"},
}

// ggufFields are the metadata, behind the name of the architecture, that fields of config.json are for.
var ggufFields = map[string]string{
	"context_length": "max_position_embeddings", "embedding_length": "hidden_size", "block_count": "num_hidden_layers",
	"feed_forward_length": "intermediate_size", "attention.head_count": "num_attention_heads",
	"attention.head_count_kv": "num_key_value_heads", "attention.key_length": "head_dim",
	"attention.layer_norm_rms_epsilon": "rms_norm_eps", "attention.layer_norm_epsilon": "layer_norm_epsilon",
	"attention.sliding_window": "sliding_window", "attention.sliding_window_pattern": "sliding_window_pattern",
	"attn_logit_softcapping": "attn_logit_softcapping", "final_logit_softcapping": "final_logit_softcapping",
	"rope.freq_base": "rope_theta", "rope.freq_base_swa": "rope_local_base_freq",
	"rope.scaling.type": "rope_scaling.rope_type", "rope.scaling.factor": "rope_scaling.factor",
	"rope.scaling.original_context_length": "rope_scaling.original_max_position_embeddings",
	"rope.scaling.attn_factor":             "rope_scaling.attention_factor",
	"rope.scaling.yarn_beta_fast":          "rope_scaling.beta_fast",
	"rope.scaling.yarn_beta_slow":          "rope_scaling.beta_slow",
}

// openGGUF opens a GGUF file.
func openGGUF(path string, o options) (*Model, error) {
	f, err := gguf.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	g := &ggufConfig{File: f, config: &config{file: path, fields: map[string]any{}, asked: map[string]bool{},
		keys: map[string]string{}, err: new(error)}}
	g.read()
	if *g.err != nil {
		return nil, *g.err
	}
	m := &Model{}
	if _, err := m.build(g.config, o); err != nil {
		return nil, err
	}
	d := m.Network.(*Decoder)
	if g.shifted {
		d.unshift()
	}
	if err := g.frequencies(d); err != nil {
		return nil, err
	}
	return m, m.load(path, "its metadata", g.rules(d), o)
}

// ggufConfig makes a configuration of the metadata of a file.
type ggufConfig struct {
	*gguf.File
	*config
	ggufFamily
	arch string
}

// read fills the fields.
func (g *ggufConfig) read() {
	arch, err := gguf.Value[string](g.File, "general.architecture")
	if err != nil {
		g.fail("%w", err)
		return
	}
	family, ok := ggufFamilies[arch]
	if !ok {
		g.fail("the architecture general.architecture = %q is not known; known are %s", arch,
			strings.Join(slices.Sorted(maps.Keys(ggufFamilies)), ", "))
		return
	}
	g.arch, g.ggufFamily = arch+".", family
	if kind, err := gguf.Value[string](g.File, "general.type"); err == nil && kind != "model" {
		g.fail("the file has general.type = %q: want a model", kind)
	}
	if n, err := gguf.Value[int64](g.File, "split.count"); err == nil && n > 1 {
		g.fail("the file is one of %d parts of a model: join them with llama-gguf-split --merge", n)
	}
	scaling := map[string]any{}
	for key, field := range ggufFields {
		g.keys[field] = g.arch + key
	}
	for key, v := range g.Metadata() {
		key, ok := strings.CutPrefix(key, g.arch)
		if !ok {
			continue // of the file or of its tokens
		}
		field, known := ggufFields[key]
		in, inner := strings.CutPrefix(field, "rope_scaling.")
		switch {
		case known && inner:
			scaling[in] = ggufValue(v)
		case known:
			g.fields[field] = ggufValue(v)
		case !ggufHarmless[key] && v != int64(0): // left for the check of unknown options
			g.fields[g.arch+key] = ggufValue(v)
		}
	}
	g.fields["model_type"], g.fields["architectures"] = g.modelType, []any{g.architecture}
	g.sizes()
	g.rotation(scaling)
	g.variants()
}

// ggufHarmless are metadata that say what tensors say too, or what does not change results.
var ggufHarmless = map[string]bool{"vocab_size": true, "attention.value_length": true, "rope.dimension_count": true,
	"rope.scaling.finetuned": true, "attention.causal": true}

// ggufValue is a value as encoding/json gives it. A list of one number for all layers is that number.
func ggufValue(v any) any {
	switch v := v.(type) {
	case int64:
		return float64(v)
	case uint64:
		return float64(v)
	case []int64:
		if len(v) > 0 && len(slices.Compact(slices.Clone(v))) == 1 {
			return float64(v[0])
		}
		return anys(v)
	case []float64:
		return anys(v)
	case []bool:
		return anys(v)
	case []string:
		return anys(v)
	}
	return v
}

func anys[T any](list []T) []any {
	out := make([]any, len(list))
	for i, x := range list {
		out[i] = ggufValue(any(x))
	}
	return out
}

// number64 is a field that is a number, 0 otherwise.
func (g *ggufConfig) number64(field string) float64 {
	x, _ := g.fields[field].(float64)
	return x
}

// whole is the value of a key of the architecture that is an integer.
func (g *ggufConfig) whole(key string) (n int64, ok bool) {
	n, err := gguf.Value[int64](g.File, g.arch+key)
	return n, err == nil
}

// sizes sets what follows from tensors.
func (g *ggufConfig) sizes() {
	table, ok := g.Info("token_embd.weight")
	if !ok || len(table.Shape) != 2 {
		g.fail("the tensor token_embd.weight is missing, or is not a matrix")
		return
	}
	g.fields["vocab_size"] = float64(table.Shape[0])
	_, untied := g.Info("output.weight")
	g.fields["tie_word_embeddings"] = !untied
	if _, biased := g.Info("blk.0.attn_q.bias"); biased && g.bias {
		g.fields["attention_bias"] = true
	}
	if _, biased := g.Info("blk.0.ffn_up.bias"); biased && g.paired {
		g.fields["mlp_bias"] = true
	}
	heads, width := g.number64("num_attention_heads"), g.number64("hidden_size")
	if _, given := g.fields["head_dim"]; !given && g.wide && heads > 0 {
		g.fields["head_dim"] = width / heads
	}
	if n, ok := g.whole("attention.value_length"); ok && heads > 0 {
		d := width / heads
		if given := g.number64("head_dim"); given > 0 {
			d = given
		}
		if float64(n) != d {
			g.fail("%sattention.value_length is %d, and queries have %v numbers: both must be equal", g.arch, n, d)
		}
	}
	if causal, err := gguf.Value[bool](g.File, g.arch+"attention.causal"); err == nil && !causal {
		g.fail("%sattention.causal is false: the model does not continue a text", g.arch)
	}
}

// rotation sets the parameters of rotary positions.
func (g *ggufConfig) rotation(scaling map[string]any) {
	if n, ok := g.whole("rope.dimension_count"); ok {
		d := g.number64("head_dim")
		if heads := g.number64("num_attention_heads"); d == 0 && heads > 0 {
			d = g.number64("hidden_size") / heads
		}
		if d > 0 && float64(n) != d {
			g.fields["partial_rotary_factor"] = (float64(n) + 0.5) / d // the product is rounded down
		}
	}
	if original, ok := scaling["original_max_position_embeddings"]; ok && g.arch == "phi3." {
		g.fields["original_max_position_embeddings"] = original
	}
	for name, field := range map[string]string{"long": "long_factor", "short": "short_factor"} {
		if factors := g.floats("rope_factors_" + name + ".weight"); factors != nil {
			scaling["rope_type"], scaling[field] = "longrope", anys(factors)
		}
	}
	kind := scaling["rope_type"]
	if _, ok := scaling["factor"]; ok && kind == nil {
		kind = "linear"
		scaling["rope_type"] = kind
	}
	if kind != nil && kind != "none" {
		g.fields["rope_scaling"] = scaling
	}
}

// floats are the numbers of a vector, nil where there is none.
func (g *ggufConfig) floats(name string) []float64 {
	info, ok := g.Info(name)
	if !ok {
		return nil
	}
	t, err := g.Tensor(name)
	if err != nil {
		g.fail("%w", err)
		return nil
	}
	if len(info.Shape) != 1 || !t.DType.IsFloat() {
		g.fail("the tensor %s is not a vector of floats", name)
		return nil
	}
	list := make([]float64, info.Shape[0])
	for i := range list {
		list[i] = t.DType.LoadFloat(t.Data, i)
	}
	return list
}

// variants sets what the files leave to the programs that read them.
func (g *ggufConfig) variants() {
	layers, heads := g.number64("num_hidden_layers"), g.number64("num_attention_heads")
	switch g.arch {
	case "gpt2.":
		g.fields["n_inner"] = g.fields["intermediate_size"]
		delete(g.fields, "intermediate_size")
	case "llama.":
		if g.number64("sliding_window") > 0 {
			g.fields["model_type"], g.fields["architectures"] = "mistral", []any{"MistralForCausalLM"}
		}
	case "gemma2.", "gemma3.":
		// Scores are divided by the root of the width of heads, in the models of 27 billion parameters by that of the
		// share that a head has of the model's width.
		g.fields["query_pre_attn_scalar"] = g.fields["head_dim"]
		if (layers == 46 || layers == 62) && heads > 0 {
			g.fields["query_pre_attn_scalar"] = g.number64("hidden_size") / heads
		}
	}
	if list, ok := g.fields["sliding_window_pattern"].([]any); ok { // by layer
		types := make([]any, len(list))
		for i, sliding := range list {
			types[i] = "full_attention"
			if sliding == true || sliding == 1.0 {
				types[i] = "sliding_attention"
			}
		}
		g.fields["layer_types"], g.fields["sliding_window_pattern"] = types, nil
	}
	if v, ok := g.fields["sliding_window"]; ok && v == 0.0 {
		g.fields["sliding_window"] = nil
	}
}

// frequencies divides those of a model by the factors of a tensor, as the files of Llama 3 have them.
func (g *ggufConfig) frequencies(d *Decoder) error {
	factors := g.floats("rope_freqs.weight")
	if factors != nil && (len(d.Ropes) != 1 || len(d.Ropes[0].Frequencies) != len(factors)) {
		g.fail("the tensor rope_freqs.weight has %d factors, which is not the number of pairs of a head", len(factors))
	}
	if *g.err != nil {
		return *g.err
	}
	for i, f := range factors {
		if !(f > 0) {
			g.fail("the tensor rope_freqs.weight has the factor %v", f)
			return *g.err
		}
		d.Ropes[0].Frequencies[i] /= f
	}
	return nil
}

// rules name the tensors of a file as the network does.
func (g *ggufConfig) rules(d *Decoder) (rules []nn.LoadOption) {
	rename := func(from, to string, how ...nn.ArrayOption) { rules = append(rules, nn.Rename(from, to, how...)) }
	for _, pair := range [][2]string{
		{"token_embd", "embed_tokens"}, {"position_embd", "embed_positions"}, {"output_norm", "norm"},
		{"output", "head"}, {"rope_freqs", ""}, {"rope_factors_long", ""}, {"rope_factors_short", ""},
		{"blk.{n}.attn_norm", "layers.{n}.norm1"}, {"blk.{n}.ffn_norm", "layers.{n}.norm2"},
		{"blk.{n}.post_attention_norm", "layers.{n}.post_norm1"}, {"blk.{n}.post_ffw_norm", "layers.{n}.post_norm2"},
		{"blk.{n}.attn_qkv", "layers.{n}.self_attn.{q_proj,k_proj,v_proj}"},
		{"blk.{n}.attn_v", "layers.{n}.self_attn.v_proj"}, {"blk.{n}.attn_output", "layers.{n}.self_attn.o_proj"},
		{"blk.{n}.attn_q_norm", "layers.{n}.self_attn.q_norm"}, {"blk.{n}.attn_k_norm", "layers.{n}.self_attn.k_norm"},
		{"blk.{n}.ffn_gate", "layers.{n}.mlp.gate_proj"}, {"blk.{n}.ffn_down", "layers.{n}.mlp.down_proj"},
	} {
		rename(pair[0], pair[1])
	}
	var queries, keys []nn.ArrayOption
	if g.paired {
		a := d.Layers[0].SelfAttn
		queries, keys = []nn.ArrayOption{nn.Paired(a.Heads)}, []nn.ArrayOption{nn.Paired(a.KVHeads)}
	}
	rename("blk.{n}.attn_q", "layers.{n}.self_attn.q_proj", queries...)
	rename("blk.{n}.attn_k", "layers.{n}.self_attn.k_proj", keys...)
	up := "layers.{n}.mlp.up_proj"
	if g.joined {
		up = "layers.{n}.mlp.{gate_proj,up_proj}"
	}
	rename("blk.{n}.ffn_up", up)
	return rules
}

// unshift says that the norms multiply by their weights, and not by 1 more.
func (d *Decoder) unshift() {
	norms := []nn.Layer{d.Norm}
	for _, b := range d.Layers {
		norms = append(norms, b.Norm1, b.Norm2, b.PostNorm1, b.PostNorm2, b.SelfAttn.QNorm, b.SelfAttn.KNorm)
	}
	for _, n := range norms {
		if n, ok := n.(*nn.RMSNorm); ok {
			n.Shift = false
		}
	}
}
