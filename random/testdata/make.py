"""Writes jax.json: what jax.random (0.10.2) draws by default, with jax_threefry_partitionable=True."""
import json
import jax, jax.numpy as jnp, numpy as np

R, key = jax.random, jax.random.key(42)
out = {}

def put(name, x):
    x = np.asarray(x)
    if x.dtype.kind in "iub":
        out[name] = [int(v) for v in x.ravel()]
    else:  # the bits
        bits = {2: np.uint16, 4: np.uint32, 8: np.uint64}[x.dtype.itemsize]
        out[name] = [str(v) for v in x.ravel().view(bits)]

f32, f64 = np.float32, np.float64
put("split", R.key_data(R.split(key, 3)))
put("fold_in", R.key_data(R.fold_in(key, 7)))
put("split of fold_in", R.key_data(R.split(R.fold_in(key, 7), 2)))
put("bits", R.bits(key, (7,), "uint32"))
for d in ("float32", "float64", "float16", "bfloat16"):
    with jax.enable_x64("64" in d):
        put("uniform " + d, R.uniform(key, (5, 3), d))
        put("normal " + d, R.normal(key, (9,), d))
for d in ("complex64", "complex128"):
    with jax.enable_x64("128" in d):
        z = np.asarray(R.normal(key, (9,), d))
        put("normal " + d, z.view(z.real.dtype))
put("uniform range", R.uniform(key, (50,), f32, -0.1, 0.7))
for d in ("int8", "uint8", "int16", "uint32", "int32", "int64", "uint64"):
    with jax.enable_x64("64" in d):
        put("randint " + d, R.randint(key, (9,), 3, 100, d))
put("randint wide", R.randint(key, (9,), -2**31, 2**31 - 1, "int32"))
put("randint all", R.randint(key, (9,), 0, 256, "uint8"))
with jax.enable_x64(True):
    put("randint long", R.randint(key, (9,), -2**62, 2**61, "int64"))
put("permutation", R.permutation(key, 100))
put("permutation rows", R.permutation(key, jnp.arange(30).reshape(10, 3)))
put("permutation apart", R.permutation(key, jnp.arange(30).reshape(10, 3), independent=True))
p = jnp.array([0.1, 0.5, 0.2, 0.2], f32)
put("choice", R.choice(key, 10, (20,)))
put("choice without", R.choice(key, 10, (6,), replace=False))
put("choice p", R.choice(key, 4, (20,), p=p))
put("choice p without", R.choice(key, 4, (3,), replace=False, p=p))
put("bernoulli", R.bernoulli(key, f32(0.3), (20,)))
put("categorical", R.categorical(key, jnp.log(p), shape=(20,)))
put("rademacher", R.rademacher(key, (20,)))
put("gumbel", R.gumbel(key, (9,), f32))
put("exponential", R.exponential(key, (9,), f32))
put("multivariate_normal", R.multivariate_normal(key, jnp.array([1., 2.], f32), jnp.array([[2., .5], [.5, 1.]], f32),
                                                (3,), f32))
a = jnp.array([0.01, 0.3, 1.0, 1.7, 5, 100, 0.9, 2, 3, 0.5], f32)
put("gamma", R.gamma(key, a, dtype=f32))
with jax.enable_x64(True):
    put("gamma f64", R.gamma(key, np.asarray(a).astype(f64), dtype=f64))
put("loggamma", R.loggamma(key, a, dtype=f32))
put("beta", R.beta(key, a, 2.0, dtype=f32))
put("dirichlet", R.dirichlet(key, a, (3,), f32))
put("chisquare", R.chisquare(key, a, dtype=f32))
put("t", R.t(key, a, dtype=f32))
put("poisson few", R.poisson(key, jnp.array([0., 0.1, 3, 9.9] * 4, f32), dtype="int32"))
put("poisson many", R.poisson(key, jnp.array([10, 20, 100, 900] * 4, f32), dtype="int32"))
put("laplace", R.laplace(key, (9,), f32))
put("logistic", R.logistic(key, (9,), f32))
put("cauchy", R.cauchy(key, (9,), f32))
put("truncated_normal", R.truncated_normal(key, -1, 2, (9,), f32))
put("lognormal", R.lognormal(key, 0.5, (9,), f32))
put("geometric", R.geometric(key, f32(0.2), (20,), "int32"))
put("pareto", R.pareto(key, f32(3), (9,), f32))
put("rayleigh", R.rayleigh(key, f32(2), (9,), f32))
put("triangular", R.triangular(key, f32(-1), f32(0.5), f32(2), (9,), f32))
put("weibull_min", R.weibull_min(key, f32(2), f32(1.5), (9,), f32))
put("maxwell", R.maxwell(key, (9,), f32))
put("double_sided_maxwell", R.double_sided_maxwell(key, f32(1), f32(2), (9,), f32))
put("wald", R.wald(key, f32(3), (9,), f32))
put("generalized_normal", R.generalized_normal(key, f32(1.5), (9,), f32))
put("ball", R.ball(key, 3, 1.5, (3,), f32))
put("orthogonal", R.orthogonal(key, 3, (2,), f32))
put("orthogonal wide", R.orthogonal(key, 2, (), f32, m=4))
put("orthogonal complex", np.asarray(R.orthogonal(key, 3, (2,), np.complex64)).view(f32))
put("orthogonal complex wide", np.asarray(R.orthogonal(key, 2, (), np.complex64, m=4)).view(f32))
put("f", R.f(key, a + 1, f32(6), dtype=f32))
put("binomial few", R.binomial(key, f32(20), jnp.array([0.0, 0.1, 0.4, 0.9, 1.0] * 4, f32), dtype=f32).astype(int))
put("binomial many", R.binomial(key, f32(1000), jnp.array([0.02, 0.3, 0.5, 0.9] * 4, f32), dtype=f32).astype(int))
put("multinomial", R.multinomial(key, f32(100), p[None] + jnp.zeros((3, 1), f32), dtype=f32).astype(int))
with open("jax.json", "w") as f:
    f.write("{\n" + ",\n".join(json.dumps(k) + ": " + json.dumps(v) for k, v in out.items()) + "\n}\n")
