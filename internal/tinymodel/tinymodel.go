// Package tinymodel writes folders of small models with random weights, for tests and examples.
package tinymodel

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/encoding/safetensors"
)

// Llama is a model of two layers with 96 tokens.
func Llama() (config map[string]any, shapes map[string][]int) { return llama(96, 32, 2) }

// llama is a model of layers with four heads of 8 numbers.
func llama(vocab, width, layers int) (config map[string]any, shapes map[string][]int) {
	const hidden, heads, kv, d = 48, 4, 2, 8
	config = map[string]any{
		"architectures": []string{"LlamaForCausalLM"}, "model_type": "llama", "vocab_size": vocab,
		"hidden_size": width, "intermediate_size": hidden, "num_hidden_layers": layers, "num_attention_heads": heads,
		"num_key_value_heads": kv, "head_dim": d, "max_position_embeddings": 128, "rms_norm_eps": 1e-6,
		"rope_theta": 1e4, "hidden_act": "silu", "tie_word_embeddings": false,
	}
	shapes = map[string][]int{"model.embed_tokens.weight": {vocab, width}, "lm_head.weight": {vocab, width},
		"model.norm.weight": {width}}
	for i := range layers {
		layer := fmt.Sprintf("model.layers.%d.", i)
		for name, shape := range map[string][]int{
			"input_layernorm": {width}, "post_attention_layernorm": {width},
			"self_attn.q_proj": {heads * d, width}, "self_attn.k_proj": {kv * d, width},
			"self_attn.v_proj": {kv * d, width}, "self_attn.o_proj": {width, heads * d},
			"mlp.gate_proj": {hidden, width}, "mlp.up_proj": {hidden, width}, "mlp.down_proj": {width, hidden},
		} {
			shapes[layer+name+".weight"] = shape
		}
	}
	return config, shapes
}

// Write writes a model with random weights of f32, which depend on their names only, to a folder.
func Write(dir string, config map[string]any, shapes map[string][]int) error {
	return write(dir, config, shapes, weights)
}

func write(dir string, config map[string]any, shapes map[string][]int,
	fill func(name string, shape []int) []byte) error {
	data, err := json.MarshalIndent(config, "", "  ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "config.json"), data, 0o600); err != nil {
		return err
	}
	var list []safetensors.Tensor
	for name, shape := range shapes {
		list = append(list, safetensors.Tensor{
			Info: safetensors.Info{Name: name, DType: dtype.F32, Shape: shape}, Data: fill(name, shape)})
	}
	return safetensors.WriteFile(filepath.Join(dir, "model.safetensors"), list, nil)
}

// weights are normal numbers; the weights of norms, which are vectors, are around 1, biases around 0.
func weights(name string, shape []int) (data []byte) {
	var seed [32]byte
	copy(seed[:], name)
	for i := 32; i < len(name); i++ {
		seed[i%32] ^= name[i]
	}
	r := rand.New(rand.NewChaCha8(seed))
	n := 1
	for _, size := range shape {
		n *= size
	}
	for range n {
		x := r.NormFloat64() * 0.4
		switch {
		case strings.HasSuffix(name, ".bias"):
			x /= 4
		case len(shape) == 1:
			x = 1 + x/4
		}
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(float32(x)))
	}
	return data
}
