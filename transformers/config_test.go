package transformers_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/go-nx/nx/internal/tinymodel"
	"github.com/go-nx/nx/transformers"
)

// familyConfigs are a configuration of each family, with the fields that it reads.
var familyConfigs = []string{
	`{"model_type":"gpt2","architectures":["GPT2LMHeadModel"],"vocab_size":32,"n_embd":8,"n_head":2,"n_layer":1,
		"n_positions":16,"n_inner":12,"activation_function":"gelu_new","layer_norm_epsilon":1e-5,
		"scale_attn_weights":true,"scale_attn_by_inverse_layer_idx":true,"tie_word_embeddings":true,
		"add_cross_attention":false}`,
	decoderConfig("gpt_neox", "GPTNeoXForCausalLM", `"rotary_pct":0.5,"rotary_emb_base":1e4,"layer_norm_eps":1e-5,
		"use_parallel_residual":true,"is_decoder":false`),
	decoderConfig("llama", "LlamaForCausalLM", `"mlp_bias":true,"rope_scaling":{"rope_type":"llama3","factor":8,
		"low_freq_factor":1,"high_freq_factor":4,"original_max_position_embeddings":8}`),
	decoderConfig("mistral", "MistralModel", `"sliding_window":4,"rope_parameters":{"rope_type":"yarn","factor":4,
		"beta_fast":32,"beta_slow":1,"mscale":1,"mscale_all_dim":1,"truncate":false}`),
	decoderConfig("qwen2", "Qwen2ForCausalLM", `"use_sliding_window":true,"max_window_layers":1,"sliding_window":4,
		"rope_scaling":{"type":"dynamic","factor":2}`),
	decoderConfig("qwen3", "Qwen3ForCausalLM", `"layer_types":["full_attention","sliding_attention"],"sliding_window":4`),
	decoderConfig("smollm3", "SmolLM3ForCausalLM", `"no_rope_layers":[1,0],"no_rope_layer_interval":2,
		"use_sliding_window":false`),
	decoderConfig("gemma", "GemmaForCausalLM", `"hidden_activation":"gelu_pytorch_tanh"`),
	decoderConfig("gemma2", "Gemma2ForCausalLM", `"attn_logit_softcapping":50,"final_logit_softcapping":30,
		"query_pre_attn_scalar":4,"sliding_window":4`),
	decoderConfig("gemma3_text", "Gemma3ForCausalLM", `"query_pre_attn_scalar":4,"sliding_window":4,
		"sliding_window_pattern":2,"rope_local_base_freq":1e4,
		"rope_parameters":{"full_attention":{"rope_type":"linear","factor":8},"sliding_attention":{"rope_type":"default"}}`),
	decoderConfig("phi", "PhiForCausalLM", `"partial_rotary_factor":0.5,"qk_layernorm":true,"layer_norm_eps":1e-5`),
	decoderConfig("phi3", "Phi3ForCausalLM", `"original_max_position_embeddings":8,"sliding_window":4,
		"rope_scaling":{"type":"longrope","short_factor":[1,1],"long_factor":[2,3]}`),
	encoderConfig("bert", "BertModel", `"type_vocab_size":2`),
	encoderConfig("roberta", "RobertaForSequenceClassification", `"type_vocab_size":1,"pad_token_id":1,"num_labels":3`),
	encoderConfig("xlm-roberta", "XLMRobertaForTokenClassification", `"id2label":{"0":"no","1":"yes"}`),
	encoderConfig("camembert", "CamembertForQuestionAnswering", `"type_vocab_size":1`),
	encoderConfig("mpnet", "MPNetForMaskedLM", `"relative_attention_num_buckets":8`),
	`{"model_type":"distilbert","architectures":["DistilBertForMaskedLM"],"vocab_size":32,"dim":8,"n_layers":1,
		"n_heads":2,"hidden_dim":12,"max_position_embeddings":16,"activation":"gelu","sinusoidal_pos_embds":false,
		"tie_weights_":true}`,
	`{"model_type":"modernbert","architectures":["ModernBertForMaskedLM"],"vocab_size":32,"hidden_size":8,
		"num_hidden_layers":2,"num_attention_heads":2,"intermediate_size":12,"max_position_embeddings":16,
		"hidden_activation":"gelu","norm_eps":1e-5,"global_attn_every_n_layers":2,"local_attention":4,
		"global_rope_theta":1e4,"local_rope_theta":1e4,"classifier_pooling":"mean","classifier_activation":"gelu",
		"attention_bias":true,"mlp_bias":true,"norm_bias":true,"decoder_bias":true,"classifier_bias":true,
		"tie_word_embeddings":false}`,
	`{"model_type":"t5","architectures":["T5ForConditionalGeneration"],"vocab_size":32,"d_model":8,"d_kv":4,"d_ff":12,
		"num_layers":1,"num_decoder_layers":1,"num_heads":2,"relative_attention_num_buckets":8,
		"relative_attention_max_distance":16,"layer_norm_epsilon":1e-6,"feed_forward_proj":"gated-gelu",
		"tie_word_embeddings":false,"scale_decoder_outputs":false}`,
	`{"model_type":"mt5","architectures":["MT5EncoderModel"],"vocab_size":32,"d_model":8,"d_kv":4,"d_ff":12,
		"num_layers":1,"num_heads":2}`,
	`{"model_type":"whisper","architectures":["WhisperForConditionalGeneration"],"vocab_size":32,"d_model":8,
		"num_mel_bins":8,"max_source_positions":10,"max_target_positions":16,"encoder_layers":1,"decoder_layers":1,
		"encoder_attention_heads":2,"decoder_attention_heads":2,"encoder_ffn_dim":12,"decoder_ffn_dim":12,
		"activation_function":"gelu","scale_embedding":false,"tie_word_embeddings":true}`,
	`{"model_type":"vit","architectures":["ViTForImageClassification"],` + visionFields + `,"qkv_bias":true,
		"id2label":{"0":"a","1":"b"},"pooler_output_size":8,"pooler_act":"tanh"}`,
	`{"model_type":"clip","architectures":["CLIPModel"],"projection_dim":4,"text_config":{` + textFields +
		`},"vision_config":{` + visionFields + `}}`,
	`{"model_type":"clip_text_model","architectures":["CLIPTextModelWithProjection"],"projection_dim":4,` +
		textFields + `}`,
	`{"model_type":"clip_vision_model","architectures":["CLIPVisionModelWithProjection"],"projection_dim":4,` +
		visionFields + `}`,
}

const visionFields = `"hidden_size":8,"num_hidden_layers":1,"num_attention_heads":2,"intermediate_size":12,"image_size":8,
	"patch_size":4,"num_channels":3,"hidden_act":"gelu","layer_norm_eps":1e-12`

const textFields = `"hidden_size":8,"num_hidden_layers":1,"num_attention_heads":2,"intermediate_size":12,"vocab_size":32,
	"max_position_embeddings":16,"hidden_act":"quick_gelu","layer_norm_eps":1e-5,"eos_token_id":2`

func decoderConfig(kind, class, more string) string {
	return `{"model_type":"` + kind + `","architectures":["` + class + `"],"vocab_size":32,"hidden_size":8,
		"num_hidden_layers":2,"num_attention_heads":2,"num_key_value_heads":1,"head_dim":4,"intermediate_size":12,
		"max_position_embeddings":16,"rope_theta":1e4,"attention_bias":false,"tie_word_embeddings":false,` + more + `}`
}

func encoderConfig(kind, class, more string) string {
	return `{"model_type":"` + kind + `","architectures":["` + class + `"],` + strings.Replace(textFields,
		"quick_gelu", "gelu", 1) + `,"tie_word_embeddings":true,"position_embedding_type":"absolute","is_decoder":false,
		"add_cross_attention":false,` + more + `}`
}

// mostMemory is what opening a configuration without fitting weights may allocate.
const mostMemory = 128 << 20

// openConfig opens a configuration beside weights that do not fit it. It must be an error that names the folder, within
// bounded memory, however large the sizes are that the configuration names.
func openConfig(t *testing.T, dir string, data []byte) error {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, "config.json"), data, 0o600); err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := transformers.Open(dir)
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; used > mostMemory {
		t.Errorf("%s: opening allocates %d MB", data, used>>20)
	}
	if err == nil || !strings.Contains(err.Error(), dir) {
		t.Errorf("%s: got %v, want an error with the folder", data, err)
	}
	return err
}

// foreignWeights is a folder with weights that fit no configuration of familyConfigs.
func foreignWeights(tb testing.TB) string {
	tb.Helper()
	dir := tb.TempDir()
	if err := tinymodel.Write(dir, nil, map[string][]int{"weight": {1}}); err != nil {
		tb.Fatal(err)
	}
	return dir
}

// changed is a configuration with another value of a field, whose name has dots where it is in an object.
func changed(t *testing.T, config, field string, value any) []byte {
	t.Helper()
	var whole map[string]any
	if err := json.Unmarshal([]byte(config), &whole); err != nil {
		t.Fatal(err)
	}
	fields := whole
	names := strings.Split(field, ".")
	for _, name := range names[:len(names)-1] {
		inner, ok := fields[name].(map[string]any)
		if !ok {
			inner = map[string]any{}
			fields[name] = inner
		}
		fields = inner
	}
	fields[names[len(names)-1]] = value
	data, err := json.Marshal(whole)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// fieldsOf are the names of the fields of a configuration, those in objects with dots.
func fieldsOf(object map[string]any, prefix string) (list []string) {
	for name, v := range object {
		list = append(list, prefix+name)
		if inner, ok := v.(map[string]any); ok {
			list = append(list, fieldsOf(inner, prefix+name+".")...)
		}
	}
	return list
}

// TestConfigValues opens the configuration of each family with each of its fields replaced by values of all kinds: too
// large, negative, zero, fractions, of another type, absent.
func TestConfigValues(t *testing.T) {
	dir := foreignWeights(t)
	values := []any{nil, 0, -1, 3, 0.5, 1 << 30, 1 << 40, -1e300, "x", true, []any{}, []any{1, "x", nil},
		map[string]any{"x": map[string]any{"x": 1}}}
	for _, config := range familyConfigs {
		err := openConfig(t, dir, []byte(config))
		if err != nil && !strings.Contains(err.Error(), "model.safetensors") {
			t.Errorf("%s: %v: want an error of the weights only", config, err)
		}
		var fields map[string]any
		if err := json.Unmarshal([]byte(config), &fields); err != nil {
			t.Fatal(err)
		}
		for _, field := range fieldsOf(fields, "") {
			for _, value := range values {
				_ = openConfig(t, dir, changed(t, config, field, value))
			}
		}
	}
}

// FuzzConfig opens configurations of all families with two fields of any values.
func FuzzConfig(f *testing.F) {
	for i := range familyConfigs {
		f.Add(uint8(i), "hidden_size", "0", "num_hidden_layers", "1e12")
		f.Add(uint8(i), "rope_scaling.factor", "-1", "rope_scaling.rope_type", `"yarn"`)
		f.Add(uint8(i), "layer_types", `["x"]`, "vision_config.patch_size", `999`)
	}
	dir := foreignWeights(f)
	f.Fuzz(func(t *testing.T, family uint8, name, value, otherName, otherValue string) {
		config := familyConfigs[int(family)%len(familyConfigs)]
		for _, c := range [][2]string{{name, value}, {otherName, otherValue}} {
			var v any = c[1]
			_ = json.Unmarshal([]byte(c[1]), &v) // other text remains a string
			config = string(changed(t, config, c[0], v))
		}
		_ = openConfig(t, dir, []byte(config))
	})
}
