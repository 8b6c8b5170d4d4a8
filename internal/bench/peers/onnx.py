"""Times models beside ONNX Runtime: python onnx.py NX FOLDER [NAME…], with NX the program nx and FOLDER the models that
.ci/models records. Prints a row per model and batch: the medians of a call and of loading with the first call, and the
peak memory, each in a process of its own, on THREADS (2) threads, after one another, twice; the better of both counts.
"""
import glob
import json
import os
import resource
import subprocess
import sys
import tempfile
import time

import numpy as np

BUDGET = float(os.environ.get("BUDGET", "2"))
THREADS = int(os.environ.get("THREADS", "2"))


def one(path, inputs):
    start = time.perf_counter()
    import onnxruntime
    imported = time.perf_counter()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = THREADS
    options.log_severity_level = 3
    s = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    feeds = dict(np.load(inputs))
    s.run(None, feeds)
    first = time.perf_counter() - imported
    times = []
    end = time.perf_counter() + BUDGET
    while len(times) < 3 or time.perf_counter() < end:
        t = time.perf_counter()
        s.run(None, feeds)
        times.append(time.perf_counter() - t)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(json.dumps({"ns": sorted(times)[len(times) // 2] * 1e9, "first_ns": first * 1e9, "peak_rss_kb": memory}))


def measure(command):
    out = subprocess.run(command, capture_output=True, text=True)
    if out.returncode:
        return None, out.stderr.strip().splitlines()[-1][:100] if out.stderr.strip() else "failed"
    return json.loads(out.stdout.strip().splitlines()[-1]), None


def batches(folder):
    import onnxruntime
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    s = onnxruntime.InferenceSession(os.path.join(folder, "model.onnx"), options, providers=["CPUExecutionProvider"])
    case = np.load(sorted(glob.glob(os.path.join(folder, "cases", "*.npz")))[0])
    arrays = {k[3:]: case[k] for k in case.files if k.startswith("in ")}
    yield 1, arrays
    names = {i.name: i.shape for i in s.get_inputs()}
    symbol = next((sh[0] for sh in names.values() if sh and not isinstance(sh[0], int)), None)
    state = {n: 1 for n in names if n == "state"}
    if symbol is None or any(a.ndim and a.shape[0] != 1 and n not in state for n, a in arrays.items()):
        return
    yield 32, {n: np.repeat(a, 32, state.get(n, 0)) if a.ndim else a for n, a in arrays.items()}


def main():
    nx, folder, only = sys.argv[1], sys.argv[2], sys.argv[3:]
    print("model\tbatch\tnx_ms\tort_ms\tratio\tnx_first_ms\tort_first_ms\tnx_mb\tort_mb", flush=True)
    for path in sorted(glob.glob(os.path.join(folder, "*", "model.onnx"))):
        here = os.path.dirname(path)
        name = os.path.basename(here)
        if only and not any(o in name for o in only):
            continue
        for batch, arrays in batches(here):
            with tempfile.TemporaryDirectory() as temp:
                inputs = os.path.join(temp, "in.npz")
                np.savez(inputs, **arrays)
                rows = []
                error = None
                for _ in range(2):
                    a, error = measure([nx, "bench", "--json", "--budget", f"{BUDGET}s", "--in", inputs, path])
                    if error:
                        break
                    b, error = measure([sys.executable, __file__, "--one", path, inputs])
                    if error:
                        break
                    rows.append((a, b))
                if error:
                    print(f"{name}\t{batch}\t{error}", flush=True)
                    continue
                a = {k: min(r[0][k] for r in rows) for k in ("ns", "first_ns", "peak_rss_kb")}
                b = {k: min(r[1][k] for r in rows) for k in ("ns", "first_ns", "peak_rss_kb")}
                print(f"{name}\t{batch}\t{a['ns'] / 1e6:.3f}\t{b['ns'] / 1e6:.3f}\t{b['ns'] / a['ns']:.2f}\t"
                      f"{a['first_ns'] / 1e6:.1f}\t{b['first_ns'] / 1e6:.1f}\t{a['peak_rss_kb'] / 1024:.0f}\t"
                      f"{b['peak_rss_kb'] / 1024:.0f}", flush=True)


if sys.argv[1] == "--one":
    one(*sys.argv[2:])
else:
    main()
