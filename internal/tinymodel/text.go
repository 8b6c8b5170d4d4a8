package tinymodel

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
)

// chatML is a template of conversations.
const chatML = "{% for message in messages %}{{'<|im_start|>' + message['role'] + '\\n' + message['content'] + " +
	"'<|im_end|>' + '\\n'}}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}"

// WriteText writes the model of [Llama] with a tokenizer whose tokens are bytes, and a template of conversations where
// that is wanted, as save_pretrained does.
func WriteText(dir string, template bool) error {
	if err := writeTokenizer(dir, template); err != nil {
		return err
	}
	config, shapes := Llama()
	config["vocab_size"] = byteTokens
	for _, name := range []string{"model.embed_tokens.weight", "lm_head.weight"} {
		shapes[name][0] = byteTokens
	}
	return Write(dir, config, shapes)
}

// greeting is what the model of WriteGreeter answers. No character is there twice.
const greeting = "Hi, Gopher!"

// WriteGreeter writes a model of text that answers every message with a greeting: its network is a table of the token
// that follows each, without random weights. It is for transcripts, which are the same on all machines.
func WriteGreeter(dir string) error {
	if err := writeTokenizer(dir, true); err != nil {
		return err
	}
	const width = byteTokens + 1 // a number for each token
	config, shapes := llama(byteTokens, width, 1)
	follows := map[int]int{'\n': int(greeting[0])}
	for i := range len(greeting) - 1 {
		follows[int(greeting[i])] = int(greeting[i+1])
	}
	return write(dir, config, shapes, func(name string, shape []int) []byte {
		n := 1
		for _, size := range shape {
			n *= size
		}
		numbers := make([]float32, n)
		switch {
		case len(shape) == 1:
			for i := range numbers {
				numbers[i] = 1
			}
		case name == "model.embed_tokens.weight":
			for token := range byteTokens {
				numbers[token*width+token] = 1
			}
		case name == "lm_head.weight":
			for token := range byteTokens {
				next, ok := follows[token]
				if !ok {
					next = endOfMessage
				}
				numbers[next*width+token] = 1
			}
		}
		data := make([]byte, 0, 4*n)
		for _, x := range numbers {
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(x))
		}
		return data
	})
}

// WriteEncoder writes a model of BERT's family with a layer, for vectors of texts, with the tokenizer of [WriteText].
func WriteEncoder(dir string) error {
	if err := writeTokenizer(dir, false); err != nil {
		return err
	}
	const width, hidden, length = 16, 24, 64
	config := map[string]any{"architectures": []string{"BertModel"}, "model_type": "bert", "vocab_size": byteTokens,
		"hidden_size": width, "intermediate_size": hidden, "num_hidden_layers": 1, "num_attention_heads": 2,
		"max_position_embeddings": length, "type_vocab_size": 2, "hidden_act": "gelu", "layer_norm_eps": 1e-12,
		"pad_token_id": 0, "position_embedding_type": "absolute"}
	shapes := map[string][]int{"embeddings.word_embeddings.weight": {byteTokens, width},
		"embeddings.position_embeddings.weight": {length, width}, "embeddings.token_type_embeddings.weight": {2, width}}
	layer := "encoder.layer.0."
	for name, out := range map[string]int{"embeddings.LayerNorm": 0, layer + "attention.self.query": width,
		layer + "attention.self.key": width, layer + "attention.self.value": width,
		layer + "attention.output.dense": width, layer + "attention.output.LayerNorm": 0,
		layer + "intermediate.dense": hidden, layer + "output.LayerNorm": 0, "pooler.dense": width} {
		shapes[name+".weight"], shapes[name+".bias"] = []int{out, width}, []int{out}
		if out == 0 {
			shapes[name+".weight"], shapes[name+".bias"] = []int{width}, []int{width}
		}
	}
	shapes[layer+"output.dense.weight"], shapes[layer+"output.dense.bias"] = []int{width, hidden}, []int{width}
	return Write(dir, config, shapes)
}

// WriteWhisper writes a model of Whisper's family with a layer on each side, for sounds of two seconds, with a
// tokenizer of bytes, of marks and of two languages, as save_pretrained does.
func WriteWhisper(dir string) error {
	marks := []string{"<|startoftranscript|>", "<|en|>", "<|de|>", "<|translate|>", "<|transcribe|>",
		"<|notimestamps|>"}
	if err := writeTokenizer(dir, false, marks...); err != nil {
		return err
	}
	const width, hidden, mels, frames, length = 16, 24, 80, 100, 40
	vocab := byteTokens + len(marks)
	for name, file := range map[string]any{
		"preprocessor_config.json": map[string]any{"feature_extractor_type": "WhisperFeatureExtractor",
			"sampling_rate": 16000, "n_fft": 400, "hop_length": 160, "feature_size": mels, "chunk_length": 2},
		"generation_config.json": map[string]any{"eos_token_id": 256, "decoder_start_token_id": byteTokens,
			"is_multilingual": true, "max_length": length,
			"lang_to_id": map[string]int{marks[1]: byteTokens + 1, marks[2]: byteTokens + 2}},
	} {
		if err := writeJSON(filepath.Join(dir, name), file); err != nil {
			return err
		}
	}
	config := map[string]any{"architectures": []string{"WhisperForConditionalGeneration"}, "model_type": "whisper",
		"vocab_size": vocab, "d_model": width, "num_mel_bins": mels, "max_source_positions": frames,
		"max_target_positions": length, "encoder_layers": 1, "decoder_layers": 1, "encoder_attention_heads": 2,
		"decoder_attention_heads": 2, "encoder_ffn_dim": hidden, "decoder_ffn_dim": hidden,
		"tie_word_embeddings": false}
	shapes := map[string][]int{"model.encoder.conv1.weight": {width, mels, 3}, "model.encoder.conv1.bias": {width},
		"model.encoder.conv2.weight": {width, width, 3}, "model.encoder.conv2.bias": {width},
		"model.encoder.embed_positions.weight": {frames, width},
		"model.decoder.embed_positions.weight": {length, width},
		"model.decoder.embed_tokens.weight":    {vocab, width}, "proj_out.weight": {vocab, width}}
	linear := func(name string, out, in int) {
		shapes[name+".weight"], shapes[name+".bias"] = []int{out, in}, []int{out}
	}
	norm := func(name string) { shapes[name+".weight"], shapes[name+".bias"] = []int{width}, []int{width} }
	attention := func(name string) {
		for _, p := range []string{".q_proj", ".k_proj", ".v_proj", ".out_proj"} {
			linear(name+p, width, width)
		}
		delete(shapes, name+".k_proj.bias")
		norm(name + "_layer_norm")
	}
	for _, side := range []string{"model.encoder.", "model.decoder."} {
		layer := side + "layers.0."
		attention(layer + "self_attn")
		linear(layer+"fc1", hidden, width)
		linear(layer+"fc2", width, hidden)
		norm(layer + "final_layer_norm")
		norm(side + "layer_norm")
	}
	attention("model.decoder.layers.0.encoder_attn")
	return Write(dir, config, shapes)
}

// byteTokens is the number of tokens: bytes, and three special ones. The last one ends a message.
const byteTokens, endOfMessage = 256 + 3, 256 + 2

// writeTokenizer writes all files of a model of text but its configuration and weights. More are special tokens behind
// the others.
func writeTokenizer(dir string, template bool, more ...string) error {
	vocab := map[string]int{}
	next := rune(256)
	for b := range 256 { // the alphabet of GPT-2: a printable character for each byte
		c := rune(b)
		if b < '!' || b > '~' && b < 0xa1 || b == 0xad {
			c, next = next, next+1
		}
		vocab[string(c)] = b
	}
	special := []map[string]any{}
	for i, name := range append([]string{"<|endoftext|>", "<|im_start|>", "<|im_end|>"}, more...) {
		vocab[name] = 256 + i
		special = append(special, map[string]any{"id": 256 + i, "content": name, "single_word": false, "lstrip": false,
			"rstrip": false, "normalized": false, "special": true})
	}
	level := map[string]any{"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true, "use_regex": true}
	tokenizer := map[string]any{"version": "1.0", "truncation": nil, "padding": nil, "added_tokens": special,
		"normalizer": nil, "pre_tokenizer": level, "post_processor": nil, "decoder": level,
		"model": map[string]any{"type": "BPE", "dropout": nil, "unk_token": nil, "continuing_subword_prefix": nil,
			"end_of_word_suffix": nil, "fuse_unk": false, "byte_fallback": false, "ignore_merges": false,
			"vocab": vocab, "merges": []string{}}}
	config := map[string]any{"eos_token": "<|im_end|>"}
	if template {
		config["chat_template"] = chatML
	}
	for name, file := range map[string]any{"tokenizer.json": tokenizer, "tokenizer_config.json": config,
		"generation_config.json": map[string]any{"eos_token_id": 256}} {
		if err := writeJSON(filepath.Join(dir, name), file); err != nil {
			return err
		}
	}
	return nil
}

func writeJSON(path string, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o600)
}
