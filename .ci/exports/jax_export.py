"""The route of JAX: a function of weights and inputs, exported with a batch of any size."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import export
from safetensors.numpy import save_file

from export import Model, timed

# Where ops come from is told without the folder of this machine.
jax.config.update("jax_hlo_source_file_canonicalization_regex", ".*/")


# What jax.result_info calls the results, by version.
RESULT = "result" if jax.__version_info__ >= (0, 5) else ""


def name_of(path):
    return "".join(str(k) for k in path)


def names_of(outs):
    return [RESULT + name_of(p) or f"out{i}" for i, (p, _) in enumerate(outs)]


def words(path):
    """The words of a path, layers.0.kernel, as files of weights name arrays."""
    return ".".join(str(getattr(k, "key", getattr(k, "idx", getattr(k, "name", k)))) for k in path)


def export_function(out, name, framework, versions, predict, params, *inputs,
                    symbolic="batch", arguments=("params", "x"), gradient=True, tolerance=1e-5,
                    route="jax.export"):
    """Writes predict(params, *inputs). The first axis of each input is the batch."""
    model = Model(out, name, framework, route, versions)
    size = export.symbolic_shape(symbolic)[0] if symbolic else None

    def spec(a):
        return jax.ShapeDtypeStruct((size, *a.shape[1:]) if symbolic else a.shape, a.dtype)

    shapes = jax.tree_util.tree_map(lambda a: jax.ShapeDtypeStruct(a.shape, a.dtype), params)
    inputs = [jnp.asarray(x) for x in inputs]
    exported = export.export(jax.jit(predict))(shapes, *map(spec, inputs))
    model.program(name + ".jaxexport", exported.serialize())

    leaves, _ = jax.tree_util.tree_flatten_with_path(params)
    save_file({words(p): np.asarray(a) for p, a in leaves}, model.weights("weights.safetensors"))

    results = predict(params, *inputs)
    outs, _ = jax.tree_util.tree_flatten_with_path(results)
    names_in = list(arguments[1:])
    names_out = names_of(outs)
    model.case(inputs, [a for _, a in outs], names_in, names_out, tolerance)

    if gradient:
        first = outs[0][1]
        cotangent = jnp.asarray(np.random.default_rng(7).standard_normal(first.shape), first.dtype)

        def loss(p):
            return (jax.tree_util.tree_leaves(predict(p, *inputs))[0] * cotangent).sum()

        found, _ = jax.tree_util.tree_flatten_with_path(jax.grad(loss, allow_int=True)(params))
        model.gradients(cotangent, {words(p): g for p, g in found if g.dtype != jax.dtypes.float0})

    start = jax.jit(predict).lower(params, *inputs)
    compile_seconds = timed(lambda: start.compile(), 1)
    compiled = start.compile()
    model.times(compile_seconds, timed(lambda: jax.block_until_ready(compiled(params, *inputs))))
    model.write()


def export_program(out, name, versions, f, *inputs, shapes, constraints=(), tolerance=1e-5):
    """Writes f, which has no weights, for inputs of symbolic shapes."""
    model = Model(out, name, "JAX", "jax.export", versions)
    scope = export.SymbolicScope(constraints)
    inputs = [jnp.asarray(x) for x in inputs]
    specs = [jax.ShapeDtypeStruct(export.symbolic_shape(s, scope=scope), x.dtype) for s, x in zip(shapes, inputs)]
    model.program(name + ".jaxexport", export.export(jax.jit(f))(*specs).serialize())
    results = f(*inputs)
    outs, _ = jax.tree_util.tree_flatten_with_path(results)
    arguments = f.__code__.co_varnames[:f.__code__.co_argcount]
    model.case(inputs, [a for _, a in outs], list(arguments), names_of(outs), tolerance)
    start = jax.jit(f).lower(*inputs)
    model.times(timed(lambda: start.compile(), 1), timed(lambda: jax.block_until_ready(f(*inputs)), 2))
    model.write()
