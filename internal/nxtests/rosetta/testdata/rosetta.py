"""Evaluates expressions for TestAgainstPython: reads the operands and the expressions from standard input, and writes
the results, both as JSON with numbers as text."""

import json
import os
import sys
import warnings

os.environ.setdefault("JAX_PLATFORMS", "cpu")
warnings.simplefilter("ignore")

import flax.linen
import flax.nnx
import jax
import jax.numpy as jnp
import numpy as np
import optax
import safetensors.numpy
import scipy.linalg
import scipy.special
import scipy.stats
from functools import partial
from jax import lax
from jax.experimental import checkify

jax.config.update("jax_enable_x64", True)
jax.config.update("jax_threefry_partitionable", False)


def put(a, i, v):
    """Return a copy of a with a[i] = v."""
    a = np.array(a)
    a[i] = v
    return a


def partitionable(f):
    """Call f with JAX's other way to draw."""
    with jax.threefry_partitionable(True):
        return f()


def leaves(x):
    if isinstance(x, (tuple, list)):
        return [y for z in x for y in leaves(z)]
    if isinstance(x, dict):
        return [y for k in sorted(x) for y in leaves(x[k])]
    return [x]


def value(x):
    if isinstance(x, (str, np.dtype, bytes)):
        return {"Kind": "s", "Data": [str(x) if not isinstance(x, bytes) else x.hex()]}
    x = np.asarray(x)
    kind = {"b": "b", "i": "i", "u": "i", "f": "f", "V": "f", "c": "c"}[x.dtype.kind]
    if kind == "c":
        data = [repr(float(p)) for z in x.ravel() for p in (z.real, z.imag)]
    else:
        data = [repr(float(v)) for v in x.ravel()]
    return {"Kind": kind, "Shape": list(x.shape), "Data": data}


def operand(v, dtype):
    data = [float(s) for s in v["Data"]]
    if v["Kind"] == "c":
        data = [complex(r, i) for r, i in zip(data[::2], data[1::2])]
    return np.array(data).astype(dtype).reshape(v["Shape"] or [])


request = json.load(sys.stdin)
names = {n: operand(v, request["Types"][n]) for n, v in request["Operands"].items()}
names |= {k: v for k, v in globals().items() if k not in names} | {"folder": request["Folder"]}
key = jax.random.key(42)
names |= {"key": key, "bits_of": jax.random.key_data}
results = []
for text in request["Expressions"]:
    jax.config.update("jax_enable_x64", "jax.random" not in text)  # draws are those of JAX as it comes
    try:
        results.append({"Values": [value(x) for x in leaves(eval(text, dict(names)))]})
    except Exception as e:
        results.append({"Error": f"{type(e).__name__}: {e}"[:500]})
json.dump(results, sys.stdout)
