"""Splits texts into tokens by package token and by the tokenizers of Hugging Face, in turn.

    python internal/bench/peers/tokens.py [ROUNDS [CORPUS]]

from the root of the repository. Needs the package tokenizers. A table of MB/s, the medians of all rounds: one thread with
all that is known of each token, one thread with only ids (of the reference: without offsets), and a batch on all cores.
"""
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

os.environ["TOKENIZERS_PARALLELISM"] = "true"
from tokenizers import Tokenizer  # noqa: E402

rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 3
corpus = sys.argv[2] if len(sys.argv) > 2 else "../shared/conformance/tokenizers"


def texts(folder):
    out, text = [], ""
    with open(os.path.join(corpus, folder, "cases.jsonl"), encoding="utf-8") as f:
        for line in f.read().split("\n"):
            if line:
                text += json.loads(line).get("text", "") + "\n"
                if len(text.encode()) > 2000:
                    out.append(text)
                    text = ""
    return out


def rate(size, f):
    best = None
    start = time.perf_counter()
    while best is None or time.perf_counter() - start < 0.3:
        t = time.perf_counter()
        f()
        t = time.perf_counter() - t
        best = t if best is None else min(best, t)
    return size / best / 1e6


folders = sorted(d for d in os.listdir(corpus) if os.path.exists(os.path.join(corpus, d, "tokenizer.json")))
ours = {(d, k): [] for d in folders for k in ("encode", "ids", "batch")}
theirs = {k: [] for k in ours}
with tempfile.TemporaryDirectory() as tmp:
    binary = os.path.join(tmp, "bench")
    subprocess.run(["go", "test", "-c", "-o", binary, "./internal/bench"], check=True)
    for _ in range(rounds):
        for d in folders:
            out = subprocess.run([binary, "-test.run", "-", "-test.bench", "Tokens/%s$/" % d, "-test.benchtime", "300ms"],
                                 cwd="internal/bench", capture_output=True, text=True, check=True).stdout
            for name, kind, mbs in re.findall(r"BenchmarkTokens/([^/\s]+)/(\w+?)(?:-\d+)?\s.*?([\d.]+) MB/s", out):
                ours[name, kind].append(float(mbs))
            t = Tokenizer.from_file(os.path.join(corpus, d, "tokenizer.json"))
            t.no_truncation()
            t.no_padding()
            x = texts(d)
            size = sum(len(s.encode()) for s in x)
            theirs[d, "encode"].append(rate(size, lambda: [t.encode(s) for s in x]))
            theirs[d, "batch"].append(rate(size, lambda: t.encode_batch(x)))
            os.environ["TOKENIZERS_PARALLELISM"] = "false"
            theirs[d, "ids"].append(rate(size, lambda: t.encode_batch_fast(x)))
            os.environ["TOKENIZERS_PARALLELISM"] = "true"
print("| tokenizer | one thread | | | ids | | | batch | | |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|")
ratios = {k: [] for k in ("encode", "ids", "batch")}
for d in folders:
    row = [d]
    for kind in ("encode", "ids", "batch"):
        a, b = statistics.median(ours[d, kind]), statistics.median(theirs[d, kind])
        ratios[kind].append(a / b)
        row += ["%.1f" % a, "%.1f" % b, "%.2f" % (a / b)]
    print("| " + " | ".join(row) + " |")
print("| median | " + " | ".join("| | **%.2f**" % statistics.median(ratios[k]) for k in ("encode", "ids", "batch")) + " |")
