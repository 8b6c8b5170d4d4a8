# Makes the exports of JAX in this folder: python make.py (JAX 0.10.2, flatbuffers 25.9).
import jax
import jax.numpy as jnp
from jax import export


def f(p, x, *, scale=None):
    h = jnp.tanh(x @ p["w1"] + p["b1"])
    return {"y": h @ p["w2"], "n": (h.sum(),)}


p = {"w1": jnp.ones((3, 4)), "b1": jnp.zeros((4,)), "w2": jnp.ones((4, 2)), "unused": jnp.ones(7)}
shapes = jax.tree.map(lambda a: jax.ShapeDtypeStruct(a.shape, a.dtype), p)
(b,) = export.symbolic_shape("b,")
e = export.export(jax.jit(f), platforms=("cuda", "cpu"))(shapes, jax.ShapeDtypeStruct((b, 3), jnp.float32))
open("polymorphic.jaxexport", "wb").write(e.serialize())
e = export.export(jax.jit(f))(shapes, jax.ShapeDtypeStruct((2, 3), jnp.float32))
open("static.jaxexport", "wb").write(e.serialize(vjp_order=1))

# Sizes with constraints, whose assertions tell what is wrong with others.
scope = export.SymbolicScope(["b >= 4", "mod(b, 2) == 0", "a <= 2*b"])
b, a = export.symbolic_shape("b, a", scope=scope)
e = export.export(jax.jit(lambda x, y: (x.reshape(b // 2, 2).sum(0), y * 2)))(
    jax.ShapeDtypeStruct((b,), jnp.float32), jax.ShapeDtypeStruct((a,), jnp.float32))
open("constraints.jaxexport", "wb").write(e.serialize())
