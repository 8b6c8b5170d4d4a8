# Writes the files in this directory, with gguf 0.19.0, torch 2.15.0, transformers 5.24.0, tokenizers 0.23.3 and
# sentencepiece 0.2.3, by: python3 make.py
#
# Models are small and random. They are converted as convert_hf_to_gguf.py of llama.cpp does it: its names, its order
# of rows of queries and keys, 1 added to the norms of Gemma. Their logits are those of transformers for the weights of
# the files, decoded by gguf.
import io
import json

import gguf
import numpy as np
import sentencepiece
import torch
import transformers
from gguf import GGMLQuantizationType as T
from gguf.quants import dequantize, quantize
from safetensors.numpy import save_file
from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers
from tokenizers.pre_tokenizers import ByteLevel, Digits, Sequence, Split

text = """The quick brown fox jumps over the lazy dog. It's the 1st of 12345 tests, isn't it? I'll say they've done.
A language model reads and writes tokens: numbers of pieces of text. Über naïve cafés, 你好世界, and the other things.
def main(args):\n    return [x + 1 for x in range(100)]\n\n\tprint("the end of the thing")  # comment
In the beginning there was the word and the word was with the others. There are more of them than there should be.
"""


def write(name, arch, fields, tensors, tokenizer=None):
    w = gguf.GGUFWriter(name + ".gguf", arch)
    fields(w)
    if tokenizer:
        tokenizer(w)
    for name, (values, kind) in tensors.items():
        data = quantize(np.asarray(values, np.float32), kind)
        w.add_tensor(name, data, raw_dtype=kind)
    w.write_header_to_file()
    w.write_kv_data_to_file()
    w.write_tensors_to_file()
    w.close()


# Metadata of all types, and tensors of all types that are read.
def values(w):
    w.add_uint8("u8", 250)
    w.add_int8("s8", -100)
    w.add_uint16("u16", 65000)
    w.add_int16("s16", -32000)
    w.add_uint32("u32", 4000000000)
    w.add_int32("s32", -2000000000)
    w.add_uint64("u64", 2**64 - 1)
    w.add_int64("s64", -(2**63))
    w.add_float32("f32", 0.1)
    w.add_float64("f64", 0.1)
    w.add_bool("true", True)
    w.add_string("text", "grüße")
    w.add_array("texts", ["a", "", "漢"])
    w.add_array("integers", [1, -2, 3])
    w.add_array("floats", [0.5, -1.5])
    w.add_array("bools", [True, False])
    w.add_array("lists", [[1, 2], [3]])
    w.add_custom_alignment(64)


r = np.random.default_rng(7)
w = gguf.GGUFWriter("types.gguf", "test")
values(w)
decoded = {}
for kind in (T.F32, T.F16, T.BF16, T.Q8_0, T.Q4_0):
    x = (r.standard_normal((3, 64)) * np.array([[1e-3], [1], [300]])).astype(np.float32)
    data = quantize(x, kind)
    w.add_tensor(kind.name, data, raw_dtype=kind)
    decoded[kind.name] = dequantize(data, kind)
for dtype in ("int8", "int16", "int32", "int64", "float64"):
    x = (r.standard_normal((2, 3)) * 50).astype(dtype)
    w.add_tensor(dtype, x)
    decoded[dtype] = x
# All bytes and scales that a block may have, infinities and numbers below the normal ones among them.
halves = np.array([0x0001, 0x83FF, 0x7BFF, 0xFC00, 0x8000, 0x3C00], "<u2").view(np.uint8).reshape(6, 2)
for kind, places in ((T.Q8_0, [0]), (T.Q4_0, [0]), (T.Q4_1, [0, 2]), (T.Q5_0, [0]), (T.Q5_1, [0, 2]), (T.Q4_K, [0, 2]),
                     (T.Q5_K, [0, 2]), (T.Q6_K, [208])):
    elems, size = gguf.GGML_QUANT_SIZES[kind]
    data = r.integers(0, 256, (6 if elems == 32 else 2, size), dtype=np.uint8)
    for i, at in enumerate(places):
        data[:, at:at + 2] = np.roll(halves, i + 2, 0)[:len(data)] if elems == 32 else [[0x21, 0x2C], [0x03, 0xB0]]
    w.add_tensor("any " + kind.name, data, raw_dtype=kind)
    with np.errstate(all="ignore"):
        decoded["any " + kind.name] = dequantize(data, kind)
w.add_tensor("other", np.zeros((1, 84), np.uint8), raw_dtype=T.Q2_K)
w.write_header_to_file()
w.write_kv_data_to_file()
w.write_tensors_to_file()
w.close()
save_file(decoded, "types.safetensors")

# Tokenizers of GPT-2's kind, as their models have them.
llama3 = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+"
          r"|\s+(?!\S)|\s+")
qwen2 = llama3.replace("{1,3}", "")
kinds = {
    "gpt-2": ByteLevel(add_prefix_space=False),
    "qwen2": Sequence([Split(Regex(qwen2), "isolated"), ByteLevel(add_prefix_space=False, use_regex=False)]),
    "llama-bpe": Sequence([Split(Regex(llama3), "isolated"), ByteLevel(add_prefix_space=False, use_regex=False)]),
    "smollm": Sequence([Digits(individual_digits=True), ByteLevel(add_prefix_space=False)]),
}
template = ("{% for message in messages %}{{'<|im_start|>' + message['role'] + '\n' + message['content'] + "
            "'<|im_end|>' + '\n'}}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}")
tokenizers = {}
for pre, splitter in kinds.items():
    t = Tokenizer(models.BPE(ignore_merges=pre == "llama-bpe"))
    t.pre_tokenizer, t.decoder = splitter, decoders.ByteLevel()
    if pre == "qwen2":
        t.normalizer = normalizers.NFC()
    t.train_from_iterator([text], trainers.BpeTrainer(
        vocab_size=277, show_progress=False, initial_alphabet=ByteLevel.alphabet()))
    t.add_special_tokens(["<|endoftext|>", "<|im_start|>", "<|im_end|>"])
    if pre == "llama-bpe":
        from tokenizers.processors import TemplateProcessing

        t.post_processor = TemplateProcessing(single="<|endoftext|> $A", special_tokens=[("<|endoftext|>", 277)])
    t.save(f"{pre}.json", pretty=False)
    tokenizers[pre] = t


def byte_tokens(pre):
    def add(w):
        t = json.load(open(f"{pre}.json"))
        names = sorted(t["model"]["vocab"], key=t["model"]["vocab"].get)
        kind = [gguf.TokenType.NORMAL] * len(names)
        special = [a["content"] for a in t["added_tokens"]]
        names, kind = names + special, kind + [gguf.TokenType.CONTROL] * len(special)
        w.add_tokenizer_model("gpt2")
        w.add_tokenizer_pre(pre)
        w.add_token_list(names)
        w.add_token_types(kind)
        w.add_token_merges([" ".join(m) for m in t["model"]["merges"]])
        w.add_eos_token_id(names.index("<|im_end|>"))
        w.add_bos_token_id(names.index("<|endoftext|>"))
        if pre != "llama-bpe":
            w.add_add_bos_token(False)
        w.add_chat_template(template)
    return add


# A tokenizer of Llama's kind.
proto = io.BytesIO()
sentencepiece.SentencePieceTrainer.train(
    sentence_iterator=iter(text.split("\n")), model_writer=proto, model_type="bpe", vocab_size=326, byte_fallback=True,
    normalization_rule_name="identity", remove_extra_whitespaces=False, split_digits=True,
    allow_whitespace_only_pieces=True, character_coverage=0.98, minloglevel=2)
pieces = sentencepiece.SentencePieceProcessor(model_proto=proto.getvalue())


def piece_tokens(w):
    kind = []
    for i in range(len(pieces)):
        kind.append(gguf.TokenType.UNKNOWN if pieces.is_unknown(i) else gguf.TokenType.CONTROL if pieces.is_control(i)
                    else gguf.TokenType.BYTE if pieces.is_byte(i) else gguf.TokenType.NORMAL)
    w.add_tokenizer_model("llama")
    w.add_tokenizer_pre("default")
    w.add_token_list([pieces.id_to_piece(i) for i in range(len(pieces))])
    w.add_token_scores([pieces.get_score(i) for i in range(len(pieces))])
    w.add_token_types(kind)
    w.add_bos_token_id(1)
    w.add_eos_token_id(2)
    w.add_unk_token_id(0)
    w.add_add_bos_token(True)
    w.add_chat_template("{{ bos_token }}{% for m in messages %}<<SYS>>[INST] {{ m.content }} [/INST]{% endfor %}")


samples = [text[:150], text[-150:], "", " ", "  two  spaces ", "the", "It's 2024, they'LL say.\n\n\n  x",
           "naïve café 你好 🙂", "a\u0301e\u0308", "12345678901", "tabs\t\tand\r\nlines\n",
           "<|im_start|>user\nHi<|im_end|>\n", "<s>in the</s> end", "▁mark ▁▁"]
encoded = {pre: [t.encode(s).ids for s in samples] for pre, t in tokenizers.items()}
encoded["llama"] = [[1] + pieces.encode(s) for s in samples]
json.dump({"samples": samples, "ids": encoded}, open("tokens.json", "w"), ensure_ascii=False,
          separators=(",", ":"))
for pre in ("llama-bpe", "smollm"):
    write("tokens-" + pre, "llama", lambda w: None, {}, byte_tokens(pre))


# Models.
def permute(x, heads):
    return x.reshape(heads, 2, x.shape[0] // heads // 2, *x.shape[1:]).swapaxes(1, 2).reshape(x.shape)


names = [
    ("model.embed_tokens", "token_embd"), ("model.norm", "output_norm"), ("lm_head", "output"),
    ("transformer.wte", "token_embd"), ("transformer.wpe", "position_embd"), ("transformer.ln_f", "output_norm"),
    ("model.layers.", "blk."), ("transformer.h.", "blk."), (".ln_1", ".attn_norm"), (".ln_2", ".ffn_norm"),
    ("attn.c_attn", "attn_qkv"), ("attn.c_proj", "attn_output"), ("mlp.c_fc", "ffn_up"), ("mlp.c_proj", "ffn_down"),
    ("input_layernorm", "attn_norm"), ("self_attn.qkv_proj", "attn_qkv"), ("self_attn.q_proj", "attn_q"),
    ("self_attn.k_proj", "attn_k"), ("self_attn.v_proj", "attn_v"), ("self_attn.o_proj", "attn_output"),
    ("self_attn.q_norm", "attn_q_norm"), ("self_attn.k_norm", "attn_k_norm"), ("mlp.gate_up_proj", "ffn_up"),
    ("mlp.gate_proj", "ffn_gate"), ("mlp.up_proj", "ffn_up"), ("mlp.down_proj", "ffn_down"),
    ("post_feedforward_layernorm", "post_ffw_norm"), ("pre_feedforward_layernorm", "ffn_norm"),
]
logits = {}


def model(name, arch, config, fields, tokenizer=None, types=None, extra=None, ids=None, **options):
    torch.manual_seed(len(name) + 11)
    c = transformers.AutoConfig.for_model(config, **options)
    c.torch_dtype = torch.float32
    m = transformers.AutoModelForCausalLM.from_config(c, attn_implementation="eager").eval()
    tensors, seen = dict(extra or {}), set()
    with torch.no_grad():
        for key, p in m.named_parameters():
            if p.dim() == 1:
                p.copy_(torch.randn(p.shape) * 0.2 + (1 if "norm" in key.lower() or "ln_" in key else 0)
                        - (1 if "norm" in key and config.startswith("gemma") else 0))
            else:
                p.copy_(torch.randn(p.shape) * (0.6 / p.shape[-1] ** 0.5 if "embed" not in key else 0.5))
            new = key
            sandwich = config in ("gemma2", "gemma3_text")
            new = new.replace("post_attention_layernorm", "post_attention_norm" if sandwich else "ffn_norm")
            for old, to in names:
                new = new.replace(old, to)
            conv = config == "gpt2" and p.dim() == 2 and ".h." in key
            x = p.T.contiguous().numpy() if conv else p.numpy().copy()
            kind = T.F32
            if p.dim() == 2:
                kind = next((k for part, k in (types or {}).items() if part in new), T.Q4_0)
            x = dequantize(quantize(x, kind), kind)
            p.copy_(torch.from_numpy(x.T.copy() if conv else x.copy()))
            if arch in ("llama", "smollm3"):
                if "attn_q." in new:
                    x = permute(x, c.num_attention_heads)
                if "attn_k." in new:
                    x = permute(x, c.num_key_value_heads)
            if config.startswith("gemma") and new.endswith("norm.weight"):
                x = x + 1
            tensors[new] = (x, kind)
        n = c.vocab_size
        ids = [(i * 37 + i * i * 5) % n for i in range(1, 21)]
        out = m(torch.tensor([ids])).logits[0, -1]
    logits[name] = out.float().numpy()
    logits[name + ".ids"] = np.array([ids], np.int32)

    def all_fields(w):
        w.add_context_length(c.max_position_embeddings)
        w.add_embedding_length(c.hidden_size)
        w.add_block_count(c.num_hidden_layers)
        w.add_head_count(c.num_attention_heads)
        w.add_file_type(7)
        if config != "gpt2":
            w.add_feed_forward_length(c.intermediate_size)
            w.add_head_count_kv(c.num_key_value_heads)
            w.add_layer_norm_rms_eps(c.rms_norm_eps)
            theta = (c.rope_parameters.get("full_attention") or c.rope_parameters)["rope_theta"]
            w.add_rope_freq_base(theta)
            w.add_vocab_size(n)
        fields(w, c)

    write(name, arch, all_fields, tensors, tokenizer)


def heads(w, c):
    w.add_key_length(c.head_dim)
    w.add_value_length(c.head_dim)


small = dict(hidden_size=32, intermediate_size=32, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2,
             max_position_embeddings=256, bos_token_id=1, eos_token_id=2, pad_token_id=0)
rope = {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
        "original_max_position_embeddings": 64, "rope_theta": 10000.0}


def llama3_factors(dim):
    out = []
    for i in range(0, dim, 2):
        f = rope["rope_theta"] ** (-i / dim)
        wavelen = 2 * np.pi / f
        low, high = 64 / 1.0, 64 / 4.0
        if wavelen < high:
            out.append(1)
        elif wavelen > low:
            out.append(8)
        else:
            smooth = (64 / wavelen - 1) / (4 - 1)
            out.append(1 / ((1 - smooth) / 8 + smooth))
    return np.array(out, np.float32)


def sampled(w, c):
    w.add_rope_dimension_count(8)
    w.add_sampling_temp(0.5)
    w.add_sampling_top_p(0.75)
    w.add_sampling_top_k(40)


model("llama", "llama", "llama", sampled, piece_tokens,
      {"token_embd": T.Q8_0, "attn_k": T.F16, "ffn_up": T.BF16, "attn_v": T.Q8_0},
      {"rope_freqs.weight": (llama3_factors(8), T.F32)}, vocab_size=len(pieces), rope_parameters=rope,
      **dict(small, num_hidden_layers=1))


def layer_norm(w, c):
    w.add_feed_forward_length(c.n_inner)
    w.add_layer_norm_eps(c.layer_norm_epsilon)


model("gpt2", "gpt2", "gpt2", layer_norm, byte_tokens("gpt-2"), {"position": T.F16, "ffn_up": T.BF16}, vocab_size=280,
      n_embd=32, n_layer=1, n_head=4, n_positions=32, n_inner=64)
model("qwen2", "qwen2", "qwen2", lambda w, c: None, byte_tokens("qwen2"), vocab_size=280,
      tie_word_embeddings=True, **dict(small, num_hidden_layers=1))
tiny = dict(small, vocab_size=64, num_hidden_layers=1, num_attention_heads=2, num_key_value_heads=1)
model("smollm3", "smollm3", "smollm3", lambda w, c: w.add_rope_dimension_count(16),
      **dict(tiny, num_hidden_layers=4))
model("qwen3", "qwen3", "qwen3", heads, head_dim=16, **tiny)
model("gemma", "gemma", "gemma", heads, head_dim=16, **tiny)


def gemma2(w, c):
    heads(w, c)
    w.add_attn_logit_softcapping(c.attn_logit_softcapping)
    w.add_final_logit_softcapping(c.final_logit_softcapping)
    w.add_sliding_window(c.sliding_window)


model("gemma2", "gemma2", "gemma2", gemma2, head_dim=16, query_pre_attn_scalar=16, sliding_window=8,
      **dict(tiny, num_hidden_layers=2))


def gemma3(w, c):
    heads(w, c)
    w.add_sliding_window(c.sliding_window)
    w.add_rope_scaling_type(gguf.RopeScalingType.LINEAR)
    w.add_rope_scaling_factor(8.0)


model("gemma3", "gemma3", "gemma3_text", gemma3, head_dim=16, query_pre_attn_scalar=16, sliding_window=8,
      sliding_window_pattern=2, layer_types=["sliding_attention"] * 5 + ["full_attention"],
      rope_parameters={"full_attention": {"rope_type": "linear", "factor": 8.0, "rope_theta": 1e6},
                       "sliding_attention": {"rope_type": "default", "rope_theta": 1e4}},
      **dict(tiny, num_hidden_layers=6))


def phi3(w, c):
    w.add_rope_dimension_count(8)
    w.add_rope_scaling_orig_ctx_len(16)
    w.add_sliding_window(c.sliding_window)
    w.add_rope_scaling_attn_factors(np.sqrt(1 + np.log(256 / 16) / np.log(16)))


short, long = [1 + i / 8 for i in range(4)], [1 + i for i in range(4)]
model("phi3", "phi3", "phi3", phi3, extra={"rope_factors_short.weight": (short, T.F32),
                                           "rope_factors_long.weight": (long, T.F32)},
      sliding_window=12, original_max_position_embeddings=16,
      rope_parameters={"rope_type": "longrope", "short_factor": short, "long_factor": long, "rope_theta": 10000.0},
      **dict(tiny, num_attention_heads=4, num_key_value_heads=4))
save_file(logits, "logits.safetensors")
