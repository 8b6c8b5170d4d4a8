"""Generates tokens with package generate, with transformers and with llama.cpp, in turn.

    python internal/bench/peers/generation.py DIR [ROUNDS [SHAPE…]]

from the root of the repository. Needs torch, transformers, safetensors, tokenizers, gguf and llama-cpp-python. DIR keeps
models with random weights, which are made where they are missing: gpt2 (124 million weights) and llama1b (1.24
billion), 8 GB in all. A table of tokens a second, the medians of all rounds: 64 tokens behind a prompt of 32.
"""
import json
import os
import re
import statistics
import subprocess
import sys

os.environ["HF_HUB_OFFLINE"] = "1"
import gguf  # noqa: E402
import numpy as np  # noqa: E402
import torch  # noqa: E402
import transformers  # noqa: E402
from gguf import GGMLQuantizationType as T  # noqa: E402
from safetensors import safe_open  # noqa: E402
from tokenizers.pre_tokenizers import ByteLevel  # noqa: E402

folder = os.path.abspath(sys.argv[1])
rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 3
shapes = sys.argv[3:] or ["gpt2", "llama1b"]
kinds = {"gpt2": ["f32", "bf16", "int8", "int4"], "llama1b": ["int8"]}
types = {"f32": T.F32, "bf16": T.BF16, "int8": T.Q8_0, "int4": T.Q4_0}
tokens = 64


def make(shape, path):
    torch.manual_seed(0)
    if shape == "gpt2":
        transformers.GPT2LMHeadModel(transformers.GPT2Config()).save_pretrained(path)
        return
    torch.set_default_dtype(torch.bfloat16)
    transformers.LlamaForCausalLM(transformers.LlamaConfig(
        vocab_size=128256, hidden_size=2048, intermediate_size=8192, num_hidden_layers=16, num_attention_heads=32,
        num_key_value_heads=8, max_position_embeddings=4096, tie_word_embeddings=True, rms_norm_eps=1e-5,
        rope_parameters={"rope_type": "default", "rope_theta": 500000.0})).save_pretrained(path)
    torch.set_default_dtype(torch.float32)


names = [
    ("model.embed_tokens", "token_embd"), ("model.norm", "output_norm"), ("transformer.wte", "token_embd"),
    ("transformer.wpe", "position_embd"), ("transformer.ln_f", "output_norm"), ("model.layers.", "blk."),
    ("transformer.h.", "blk."), (".ln_1", ".attn_norm"), (".ln_2", ".ffn_norm"), ("attn.c_attn", "attn_qkv"),
    ("attn.c_proj", "attn_output"), ("mlp.c_fc", "ffn_up"), ("mlp.c_proj", "ffn_down"),
    ("input_layernorm", "attn_norm"), ("post_attention_layernorm", "ffn_norm"), ("self_attn.q_proj", "attn_q"),
    ("self_attn.k_proj", "attn_k"), ("self_attn.v_proj", "attn_v"), ("self_attn.o_proj", "attn_output"),
    ("mlp.gate_proj", "ffn_gate"), ("mlp.up_proj", "ffn_up"), ("mlp.down_proj", "ffn_down"),
]


def convert(path, out, kind):
    """Writes a GGUF file with weights of one type, and tokens that only fill the vocabulary."""
    c = json.load(open(os.path.join(path, "config.json")))
    llama = c["model_type"] == "llama"
    w = gguf.GGUFWriter(out, "llama" if llama else "gpt2")
    if llama:
        w.add_context_length(c["max_position_embeddings"])
        w.add_embedding_length(c["hidden_size"])
        w.add_block_count(c["num_hidden_layers"])
        w.add_head_count(c["num_attention_heads"])
        w.add_head_count_kv(c["num_key_value_heads"])
        w.add_feed_forward_length(c["intermediate_size"])
        w.add_layer_norm_rms_eps(c["rms_norm_eps"])
        w.add_rope_freq_base(500000.0)
        w.add_rope_dimension_count(c["hidden_size"] // c["num_attention_heads"])
    else:
        w.add_context_length(c["n_positions"])
        w.add_embedding_length(c["n_embd"])
        w.add_block_count(c["n_layer"])
        w.add_head_count(c["n_head"])
        w.add_feed_forward_length(4 * c["n_embd"])
        w.add_layer_norm_eps(c["layer_norm_epsilon"])
    alphabet = sorted(ByteLevel.alphabet())
    w.add_tokenizer_model("gpt2")
    w.add_tokenizer_pre("llama-bpe" if llama else "gpt-2")
    w.add_token_list(alphabet + ["x%dx" % i for i in range(c["vocab_size"] - len(alphabet))])
    w.add_token_types([1] * c["vocab_size"])
    w.add_token_merges(["%s %s" % (alphabet[0], alphabet[1])])
    w.add_eos_token_id(c["vocab_size"] - 1)
    w.add_bos_token_id(c["vocab_size"] - 1)

    def permute(x, heads):
        return x.reshape(heads, 2, x.shape[0] // heads // 2, -1).swapaxes(1, 2).reshape(x.shape)

    f = safe_open(os.path.join(path, "model.safetensors"), "pt")
    for key in f.keys():
        if key.endswith((".attn.bias", ".masked_bias")) or "lm_head" in key:
            continue
        x = f.get_tensor(key).float().numpy()
        new = key if llama or key.startswith("transformer.") else "transformer." + key
        if not llama and x.ndim == 2 and ".h." in new:
            x = np.ascontiguousarray(x.T)
        for old, to in names:
            new = new.replace(old, to)
        if "attn_q." in new:
            x = permute(x, c["num_attention_heads"])
        if "attn_k." in new:
            x = permute(x, c["num_key_value_heads"])
        t = kind if x.ndim == 2 and "position" not in new else T.F32
        w.add_tensor(new, gguf.quants.quantize(x, t), raw_dtype=t)
    w.write_header_to_file()
    w.write_kv_data_to_file()
    w.write_tensors_to_file()
    w.close()


# Each measurement is a process of its own, so that no model is in memory beside another.
PYTORCH = """
import sys, time, torch, transformers
path, kind, n = sys.argv[1], sys.argv[2], int(sys.argv[3])
torch.set_num_threads(torch.get_num_threads())
m = transformers.AutoModelForCausalLM.from_pretrained(path, dtype=torch.bfloat16 if kind == "bf16" else torch.float32)
if kind == "int8":
    m = torch.ao.quantization.quantize_dynamic(m.eval(), {torch.nn.Linear}, dtype=torch.qint8)
ids = torch.tensor([[100 + 37 * i for i in range(32)]])
def run(n):
    m.generate(ids, attention_mask=torch.ones_like(ids), max_new_tokens=n, min_new_tokens=n, do_sample=False, pad_token_id=0)
run(4)
t = time.perf_counter()
run(n)
print(n / (time.perf_counter() - t))
"""
LLAMA = """
import os, sys, time, llama_cpp
n, cores = int(sys.argv[2]), os.cpu_count()
m = llama_cpp.Llama(sys.argv[1], n_ctx=512, n_threads=cores, n_threads_batch=cores, verbose=False)
def run(n):
    m.reset()
    m.eval([100 + 37 * i for i in range(32)])
    for _ in range(n):
        m.eval([m.sample(temp=0.0)])
run(4)
t = time.perf_counter()
run(n)
print(n / (time.perf_counter() - t))
"""


def python(program, *args):
    out = subprocess.run([sys.executable, "-c", program, *map(str, args)], capture_output=True, text=True, check=True)
    return float(out.stdout.split()[-1])


def nx(path, kind):
    out = subprocess.run([binary, "-test.run=-", f"-test.bench=Generate/{kind}$", "-test.benchtime=5x"], text=True,
                         capture_output=True, check=True, env={**os.environ, "NX_GENERATE": path}).stdout
    return float(re.search(r"([\d.]+) tokens/s", out)[1])


binary = os.path.join(folder, "bench.test")
subprocess.run(["go", "test", "-c", "-o", binary, "./internal/bench"], check=True)
for shape in shapes:
    path = os.path.join(folder, shape)
    if not os.path.exists(os.path.join(path, "model.safetensors")):
        make(shape, path)
    for kind in kinds[shape]:
        file = f"{path}-{kind}.gguf"
        if not os.path.exists(file):
            convert(path, file, types[kind])
        rows = {"nx": [], "transformers": [], "llama.cpp": []}
        for _ in range(rounds):
            rows["nx"].append(nx(path, kind))
            rows["llama.cpp"].append(python(LLAMA, file, tokens))
            if kind != "int4" and (shape, kind) != ("llama1b", "int8"):  # PyTorch has no such products; 10 GB of memory
                rows["transformers"].append(python(PYTORCH, path, kind, tokens))
        best = {k: statistics.median(v) for k, v in rows.items() if v}
        print(shape, kind, "  ".join(f"{k} {v:.1f}" for k, v in best.items()),
              "  ratios", "  ".join(f"{best['nx'] / v:.2f}" for k, v in best.items() if k != "nx"), flush=True)
