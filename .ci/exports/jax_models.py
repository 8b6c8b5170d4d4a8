"""Models of plain JAX and Flax: python jax_models.py OUT"""

import sys
from importlib.metadata import version

import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np

from jax_export import export_function, export_program

out = sys.argv[1]
versions = {p: version(p) for p in ("jax", "flax")}
suffix = "-" + versions["jax"]
key = jax.random.key(0)
rng = np.random.default_rng(1)


def normal(*shape):
    return rng.standard_normal(shape).astype(np.float32)


# Plain JAX: dictionaries and lists of arrays.
def mlp(params, x):
    for layer in params["layers"]:
        x = jnp.tanh(x @ layer["w"] + layer["b"])
    return {"logits": x @ params["out"]["w"], "hidden": x}


sizes = [4, 8, 8]
params = {
    "layers": [{"w": normal(a, b) / 2, "b": normal(b)} for a, b in zip(sizes, sizes[1:])],
    "out": {"w": normal(8, 3)},
}
export_function(out, "mlp" + suffix, "JAX", versions, mlp, params, normal(5, 4))


class CNN(nn.Module):
    @nn.compact
    def __call__(self, x, train=False):
        for features in (8, 16):
            x = nn.Conv(features, (3, 3))(x)
            x = nn.BatchNorm(use_running_average=not train)(x)
            x = nn.max_pool(nn.relu(x), (2, 2), strides=(2, 2))
        x = x.reshape((x.shape[0], -1))
        return nn.log_softmax(nn.Dense(10)(nn.Dropout(0.1, deterministic=True)(x)))


class Block(nn.Module):
    @nn.compact
    def __call__(self, x):
        y = nn.LayerNorm()(x)
        x = x + nn.MultiHeadDotProductAttention(num_heads=4)(y, y)
        y = nn.Dense(64)(nn.LayerNorm()(x))
        return x + nn.Dense(32)(nn.gelu(y, approximate=False))


class Transformer(nn.Module):
    @nn.compact
    def __call__(self, tokens):
        x = nn.Embed(100, 32)(tokens) + self.param("place", nn.initializers.normal(), (12, 32))
        for _ in range(2):
            x = Block()(x)
        return nn.Dense(100)(nn.LayerNorm()(x))


class LSTM(nn.Module):
    @nn.compact
    def __call__(self, x):
        return nn.Dense(4)(nn.RNN(nn.OptimizedLSTMCell(16))(x)[:, -1])


def flax_model(name, module, x, tolerance=1e-5):
    params = module.init(key, x)
    # Weights of zero and one tell nothing.
    leaves, tree = jax.tree_util.tree_flatten(params)
    params = jax.tree_util.tree_unflatten(tree, [np.abs(a + 0.1 * normal(*a.shape)) if "var" in str(p) else a + 0.1 * normal(*a.shape)
                                                 for p, a in jax.tree_util.tree_flatten_with_path(params)[0]])
    export_function(out, name + suffix, "Flax", versions, lambda params, x: module.apply(params, x), params, x,
                    tolerance=tolerance)


flax_model("cnn", CNN(), normal(3, 16, 16, 1))
flax_model("transformer", Transformer(), rng.integers(0, 100, (2, 12)).astype(np.int32))
flax_model("lstm", LSTM(), normal(3, 10, 5))


# Weights that are read in halves, a program with integer and half results.
def half(params, x):
    y = (x.astype(jnp.bfloat16) @ params["w"]).astype(jnp.float32)
    best, where = jax.lax.top_k(y, 3)
    return best, where


export_function(out, "topk" + suffix, "JAX", versions, half, {"w": jnp.asarray(normal(6, 20), jnp.bfloat16)}, normal(4, 6),
                gradient=False, tolerance=2e-2)


# Sizes that are known only when the program is called.
def dynamic(name, f, *inputs, shapes, **options):
    export_program(out, "dynamic-" + name + suffix, versions, f, *inputs, shapes=shapes, **options)


rows, key_data = normal(5, 3), np.array([1, 2], np.uint32)
dynamic("cumsum", lambda x: jnp.cumsum(x, axis=0), rows, shapes=["b, 3"])
dynamic("cummax", lambda x: jax.lax.cummax(x, axis=0), rows, shapes=["b, 3"])
dynamic("window", lambda x: jax.lax.reduce_window(x, 0.0, jax.lax.add, (x.shape[0],), (1,), "SAME"), normal(6), shapes=["b"])
dynamic("topk", lambda x: jax.lax.top_k(x, x.shape[1] // 2), normal(3, 9), shapes=["3, b"])
dynamic("approx_max", lambda x: jax.lax.approx_max_k(x, 3), normal(4, 9), shapes=["b, 9"])
dynamic("approx_min", lambda x: jax.lax.approx_min_k(x, 3), normal(4, 9), shapes=["b, 9"])
dynamic("normal", lambda k, x: x + jax.random.normal(k, x.shape), key_data, normal(5, 4), shapes=["2", "b, 4"])
dynamic("bits", lambda k, x: jax.random.bits(jax.random.wrap_key_data(k, impl="rbg"), x.shape), np.array([1, 2, 3, 4], np.uint32), rows,
        shapes=["4", "b, 3"])
dynamic("slices", lambda x: x[:, 2:-1:2], normal(2, 11), shapes=["2, b"])
dynamic("roll", lambda x: jnp.roll(x, 1, axis=0), rows, shapes=["b, 3"])
dynamic("sort", lambda x: jnp.sort(x, axis=0), rows, shapes=["b, 3"])
dynamic("median", lambda x: jnp.median(x, axis=0), rows, shapes=["b, 3"])
dynamic("scan", lambda x: jax.lax.scan(lambda c, r: (c + r, c * r), jnp.zeros(3), x), rows, shapes=["b, 3"])
dynamic("update", lambda x, i: jax.lax.dynamic_update_slice(x, x[:1] * 2, (i, 0)), rows, np.int32(2), shapes=["b, 3", ""])
dynamic("special", lambda x: jax.lax.erf_inv(jnp.tanh(x)) + jax.lax.lgamma(x * x + 1) + jax.lax.digamma(x * x + 1), rows, shapes=["b, 3"])
dynamic("halves", lambda x, y: jnp.concatenate([x, x]) + y, normal(4), normal(8), shapes=["c", "d"], constraints=["c >= 2", "d == 2*c"])
dynamic("conv", lambda x, k: jax.lax.conv(x, k, (1, 1), "SAME"), normal(3, 2, 8, 8), normal(3, 2, 3, 3), shapes=["b, 2, 8, 8", "3, 2, 3, 3"])
