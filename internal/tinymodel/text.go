package tinymodel

import (
	"encoding/json"
	"os"
	"path/filepath"
)

// chatML is a template of conversations.
const chatML = "{% for message in messages %}{{'<|im_start|>' + message['role'] + '\\n' + message['content'] + " +
	"'<|im_end|>' + '\\n'}}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}"

// WriteText writes the model of [Llama] with a tokenizer whose tokens are bytes, and a template of conversations where
// that is wanted, as save_pretrained does.
func WriteText(dir string, template bool) error {
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
	for i, name := range []string{"<|endoftext|>", "<|im_start|>", "<|im_end|>"} {
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
		data, err := json.Marshal(file)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			return err
		}
	}
	model, shapes := Llama()
	model["vocab_size"] = len(vocab)
	for _, name := range []string{"model.embed_tokens.weight", "lm_head.weight"} {
		shapes[name][0] = len(vocab)
	}
	return Write(dir, model, shapes)
}
