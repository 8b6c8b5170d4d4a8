"""Records what ONNX Runtime computes of models: used by onnx_packages.py and onnx_exports.py.

A model is a folder with model.onnx (or a file named in manifest.json) and cases/NN.npz: arrays "in NAME" and
"out NAME".
"""
import json
import os
import shutil

import numpy as np
import onnxruntime

TYPES = {"tensor(float)": np.float32, "tensor(double)": np.float64, "tensor(float16)": np.float16,
         "tensor(int64)": np.int64, "tensor(int32)": np.int32, "tensor(uint8)": np.uint8, "tensor(bool)": np.bool_}
INPUTS = 10


def session(path):
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    options.intra_op_num_threads = 1  # the quantised LSTM of ONNX Runtime depends on their number
    return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])


def draw(rng, name, kind, shape, ranges):
    dtype = TYPES[kind]
    if name in ranges and callable(ranges[name]):
        return np.asarray(ranges[name](rng, shape), dtype)
    low, high = ranges.get(name, (0, 10) if np.issubdtype(dtype, np.integer) else (-1, 1))
    if dtype == np.bool_:
        return rng.integers(0, 2, shape).astype(bool)
    if np.issubdtype(dtype, np.integer):
        return rng.integers(low, high, shape).astype(dtype)
    return rng.uniform(low, high, shape).astype(dtype)


def record(folder, name, path, sizes, ranges=None, tolerance=1e-4, note="", share=1.0,
           largest=0.0):
    """Records the model of a file for sizes: a list of {dimension or input name: size or shape}. A share of the cases
    must be within the tolerance, and all within the largest difference."""
    ranges = ranges or {}
    out = os.path.join(folder, name)
    shutil.rmtree(out, ignore_errors=True)
    os.makedirs(os.path.join(out, "cases"))
    here = os.path.dirname(path)
    shutil.copy(path, os.path.join(out, "model.onnx"))
    for other in os.listdir(here):  # external data
        if other.startswith(os.path.basename(path)) and other != os.path.basename(path) or other.endswith(".data"):
            shutil.copy(os.path.join(here, other), os.path.join(out, other))
    s = session(path)
    rng = np.random.default_rng(0)
    n = 0
    for size in sizes:
        for _ in range(INPUTS):
            feeds = {}
            for i in s.get_inputs():
                shape = size.get(i.name)
                if shape is None:
                    shape = [d if isinstance(d, int) and d > 0 else size.get(d, size.get(f"{i.name}_{k}", size.get("*")))
                             for k, d in enumerate(i.shape)]
                assert None not in shape, (name, i.name, i.shape, size)
                feeds[i.name] = draw(rng, i.name, i.type, shape, ranges)
            results = s.run(None, feeds)
            arrays = {"in " + k: v for k, v in feeds.items()}
            arrays |= {"out " + o.name: r for o, r in zip(s.get_outputs(), results)}
            np.savez(os.path.join(out, "cases", f"{n:02d}.npz"), **arrays)
            n += 1
    with open(os.path.join(out, "manifest.json"), "w") as f:
        json.dump({"name": name, "tolerance": tolerance, "note": note, "file": "model.onnx", "share": share,
                   "largest": largest}, f)
    print(name, n, "cases", flush=True)
