"""Writes compositions.txt: what JAX 0.10 computes for compositions of transformations and control flow.

    cd internal/nxtests/derivatives
    go test . -v -run '^TestCompositionsOfJAX$' -args -names 60 | python testdata/compositions.py > testdata/compositions.txt
"""
import sys

import jax
import jax.numpy as jnp
from jax import lax

jax.config.update("jax_enable_x64", True)
W = jnp.array([[0.1, 0.2, -0.3], [0.4, -0.5, 0.6], [0.7, 0.8, 0.9]])

innermost = {
    "products": lambda x: jnp.sin(W @ x) * x,
    "softmax": lambda x: jax.nn.softmax(x) * x,
    "sort": lambda x: jnp.sort(x) * jnp.array([1, -2, 0.5]),
    "running": lambda x: jnp.cumsum(x) * jnp.cumprod(x),
    "norm": lambda x: x / jnp.sqrt(1 + jnp.sum(x * x)),
    "take": lambda x: x[jnp.array([2, 0, 2])] * jnp.exp(0.3 * x),
    "transform": lambda x: jnp.real(jnp.fft.fft(x * jnp.exp(1j * x.astype(complex)))),
    "convolution": lambda x: lax.conv(x.reshape(1, 1, 3), jnp.tanh(x).reshape(1, 1, 3), (1,), "SAME").reshape(3),
    "pool": lambda x: lax.reduce_window(jnp.concatenate([x, 0.7 * x]), -jnp.inf, lax.max, (2,), (2,), "VALID") * x,
}


def rows(x):
    return jnp.stack([x, 0.5 * x, -0.3 * x + 0.1])


def batched(g):
    return lambda x: jax.vmap(g)(rows(x)).sum(0)


def decay(g):
    """lax.while_loop has no reverse mode: a scan of steps that are left out when the loop has ended."""
    def f(x):
        def step(s, _):
            return lax.cond(jnp.sum(s * s) > 0.5, lambda s: 0.6 * s + 0.05 * jnp.sin(g(s)), lambda s: s, s), None
        return lax.scan(step, x, None, length=24)[0]
    return f


def side(g):
    return lambda x: lax.cond(jnp.sum(x) > 0.2, g, jnp.sin, x)


def running(g, reverse=False):
    def f(x):
        def step(c, r):
            c = 0.8 * c + 0.1 * jnp.sin(g(c * r + 0.2))
            return c, c * r
        c, ys = lax.scan(step, x, rows(x), reverse=reverse)
        return c + ys.sum(0)
    return f


around = {
    "Jit": jax.jit,
    "Checkpoint": jax.checkpoint,
    "Hook": lambda g: g,
    "Mark": lambda g: g,
    "Vmap": batched,
    "Vectorize": batched,
    "MapRows": lambda g: lambda x: lax.map(g, rows(x)).sum(0),
    "Vmap of columns": lambda g: lambda x: jax.vmap(lambda a: g(a * x), 1, 1)(rows(x))[:, 1],
    "Grad": lambda g: jax.grad(lambda x: jnp.sum(jnp.sin(g(x)))),
    "JVP": lambda g: lambda x: jax.jvp(g, (x,), (jnp.cos(x),))[1],
    "VJP": lambda g: lambda x: jax.vjp(g, x)[1](jnp.tanh(x))[0],
    "Linearize": lambda g: lambda x: jax.linearize(g, x)[1](jnp.sin(x)),
    "Jacobian, forward": lambda g: lambda x: jax.jacfwd(g)(x).sum(0),
    "Jacobian, reverse": lambda g: lambda x: jax.jacrev(g)(x).sum(0),
    # The rules are the functions' own derivatives. Forward mode does not pass a custom_vjp in JAX, and with a
    # custom_jvp JAX 0.10.2 is 4e-5 off in the Jacobian of a batched associative scan of running products,
    # where JAX without it and complex steps in NumPy agree with nx.
    "CustomJVP": lambda g: g,
    "CustomVJP": lambda g: g,
    "Scan": running,
    "Scan, reversed": lambda g: running(g, True),
    "Fori": lambda g: lambda x: lax.scan(lambda s, i: (0.5 * s + 0.1 * i * g(s), None), x, jnp.arange(3.0))[0],
    "Fori with a captured value": lambda g: lambda x: lax.scan(lambda s, _: (s + 0.2 * g(x) * s, None), x * 0.5, None, length=2)[0],
    "While": decay,
    "Cond": side,
    "Vmap of a While": lambda g: batched(decay(g)),
    "Vmap of a Cond": lambda g: batched(side(g)),
    "Case": lambda g: lambda x: lax.switch(1, [lambda x: x, lambda x: g(x) * x], x),
    "AssociativeScan": lambda g: lambda x: lax.associative_scan(jnp.multiply, 1 + 0.1 * jax.vmap(g)(rows(x)))[2],
}


def function(name):
    if name in innermost:
        return innermost[name]
    outer = max((a for a in around if name.startswith(a + " of ")), key=len)
    return around[outer](function(name[len(outer) + 4:]))


x, v, w = jnp.array([0.5, -1.2, 2.0]), jnp.array([0.3, -0.7, 0.2]), jnp.array([1.0, 2.0, 3.0])
for line in sys.stdin:
    if " of " not in line or line.startswith("ok"):
        continue
    name = line.strip()
    f = function(name)
    grad = jax.grad(lambda x: jnp.sum(f(x) * w))
    hvp = lambda x: jax.jvp(grad, (x,), (v,))[1]
    batch = lambda x: jax.vmap(grad)(jnp.stack([x, 0.3 * x]))[1]
    numbers = jax.jit(lambda x: jnp.concatenate([f(x), grad(x), hvp(x), batch(x)]))
    print(name + ":", *(repr(float(n)) for n in numbers(x)), flush=True)
