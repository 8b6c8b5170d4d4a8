"""Times the models of BenchmarkTraining in JAX and Keras: python training_jax.py [jax|keras [name …]]

JAX trains with optax's adamw in one compiled step whose state is donated; Keras, with the backend of JAX, by
train_on_batch, which compiles too; the state of its optimiser by itself is stepped by a compiled stateless_apply.
Prints a row per model: name, items a second (images, tokens or parameters), milliseconds a step: the median of steps
over five seconds, and the mean of processor time, on the number of threads in THREADS (2).
"""
import os, statistics, sys, time

THREADS = int(os.environ.get("THREADS", "2"))
os.environ["KERAS_BACKEND"] = "jax"
if THREADS < (os.cpu_count() or 1):  # XLA takes the number of processors
    os.sched_setaffinity(0, set(sorted(os.sched_getaffinity(0))[:THREADS]))

import jax
import jax.numpy as jnp
import numpy as np
import optax

rng = np.random.default_rng(0)


def weight(*shape, scale=.05):
    return jnp.asarray(rng.uniform(-scale, scale, shape), jnp.float32)


def dense(n, m):
    return {"w": weight(n, m), "b": jnp.zeros(m)}


def apply_dense(p, x):
    return x @ p["w"] + p["b"]


def norm(n):
    return {"g": jnp.ones(n), "b": jnp.zeros(n)}


def mlp():
    def forward(p, x):
        for l in p[:-1]:
            x = jax.nn.relu(apply_dense(l, x))
        return apply_dense(p[-1], x)
    return [dense(784, 1024), dense(1024, 1024), dense(1024, 10)], forward


def cnn():
    def block(p, x):
        x = jax.lax.conv_general_dilated(x, p["w"], (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")) + p["c"]
        mean, var = x.mean((0, 1, 2)), x.var((0, 1, 2))
        x = jax.nn.relu((x - mean) * jax.lax.rsqrt(var + 1e-5) * p["g"] + p["b"])
        return jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")

    def forward(p, x):
        return apply_dense(p["out"], block(p["two"], block(p["one"], x)).mean((1, 2)))
    return {"one": {"w": weight(3, 3, 3, 32), "c": jnp.zeros(32), **norm(32)},
            "two": {"w": weight(3, 3, 32, 64), "c": jnp.zeros(64), **norm(64)}, "out": dense(64, 10)}, forward


def lstm():
    def forward(p, x):
        inputs = jnp.swapaxes(x, 0, 1) @ p["wx"] + p["b"]

        def step(state, x):
            h, c = state
            i, f, g, o = jnp.split(x + h @ p["wh"], 4, -1)
            c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
            h = jax.nn.sigmoid(o) * jnp.tanh(c)
            return (h, c), None
        zeros = jnp.zeros((x.shape[0], 256))
        (h, _), _ = jax.lax.scan(step, (zeros, zeros), inputs)
        return apply_dense(p["out"], h)
    return {"wx": weight(128, 1024), "wh": weight(256, 1024), "b": jnp.zeros(1024), "out": dense(256, 10)}, forward


def encoder():
    def layer_norm(p, x):
        mean, var = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)
        return (x - mean) * jax.lax.rsqrt(var + 1e-5) * p["g"] + p["b"]

    def forward(p, x):
        for l in p["layers"]:
            y = apply_dense(l["qkv"], layer_norm(l["n1"], x))
            q, k, v = jnp.split(y.reshape(*x.shape[:2], 24, 64), 3, 2)
            y = jax.nn.dot_product_attention(q, k, v).reshape(x.shape)
            x = x + apply_dense(l["proj"], y)
            x = x + apply_dense(l["two"], jax.nn.gelu(apply_dense(l["one"], layer_norm(l["n2"], x)), approximate=False))
        return apply_dense(p["out"], x.mean(1))
    return {"layers": [{"n1": norm(512), "n2": norm(512), "qkv": dense(512, 1536), "proj": dense(512, 512),
                        "one": dense(512, 2048), "two": dense(2048, 512)} for _ in range(3)],
            "out": dense(512, 10)}, forward


def keras_models():
    import keras
    from keras import layers as L

    def cnn():
        return keras.Sequential([
            L.Conv2D(32, 3, padding="same"), L.BatchNormalization(), L.ReLU(), L.MaxPool2D(),
            L.Conv2D(64, 3, padding="same"), L.BatchNormalization(), L.ReLU(), L.MaxPool2D(),
            L.GlobalAveragePooling2D(), L.Dense(10)])

    def encoder():
        inputs = x = keras.Input((128, 512))
        for _ in range(3):
            y = L.LayerNormalization()(x)
            x = x + L.MultiHeadAttention(8, 64)(y, y)
            y = L.Dense(2048, activation="gelu")(L.LayerNormalization()(x))
            x = x + L.Dense(512)(y)
        return keras.Model(inputs, L.Dense(10)(L.GlobalAveragePooling1D()(x)))
    return {"mlp": lambda: keras.Sequential([L.Dense(1024, "relu"), L.Dense(1024, "relu"), L.Dense(10)]), "cnn_bn": cnn,
            "lstm": lambda: keras.Sequential([L.LSTM(256), L.Dense(10)]), "transformer_10m": encoder}


ROWS = {  # name: model in JAX, shape of the argument, items of a step
    "mlp": (mlp, (128, 784), 128),
    "cnn_bn": (cnn, (32, 32, 32, 3), 32),
    "lstm": (lstm, (32, 64, 128), 32 * 64),
    "transformer_10m": (encoder, (8, 128, 512), 8 * 128),
}
PARAMETERS = 100_000_000


def measure(step):
    for _ in range(3):
        step()
    times, end, cpu = [], time.perf_counter() + 5, time.process_time()
    while time.perf_counter() < end or len(times) < 3:
        t = time.perf_counter()
        step()
        times.append(time.perf_counter() - t)
    return statistics.median(times), (time.process_time() - cpu) / len(times)


def stepper(update, state, *args):
    """steps a donated state: update returns the next one"""
    f, box = jax.jit(update, donate_argnums=0), [state]

    def step():
        box[0] = jax.block_until_ready(f(box[0], *args))
    return step


def in_jax(name):
    if name == "adamw_100m":
        opt = optax.adamw(1e-3, weight_decay=.1)
        p, g = jnp.ones(PARAMETERS), jnp.full(PARAMETERS, .1)

        def update(state, g):
            p, s = state
            u, s = opt.update(g, s, p)
            return optax.apply_updates(p, u), s
        return PARAMETERS, stepper(update, (p, opt.init(p)), g)
    make, shape, items = ROWS[name]
    params, forward = make()
    opt = optax.adamw(1e-3, weight_decay=.01)

    def loss(p, x, y):
        return optax.softmax_cross_entropy_with_integer_labels(forward(p, x), y).mean()

    def update(state, x, y):
        p, s, _ = state
        value, g = jax.value_and_grad(loss)(p, x, y)
        u, s = opt.update(g, s, p)
        return optax.apply_updates(p, u), s, value
    x, y = jnp.asarray(rng.uniform(-1, 1, shape), jnp.float32), jnp.asarray(rng.integers(0, 10, shape[0]))
    return items, stepper(update, (params, opt.init(params), jnp.zeros(())), x, y)


def in_keras(name):
    import keras
    if name == "adamw_100m":
        opt, p = keras.optimizers.AdamW(1e-3, weight_decay=.1), keras.Variable(np.ones(PARAMETERS, np.float32))
        opt.build([p])
        state = ([p.value], [v.value for v in opt.variables])
        return PARAMETERS, stepper(lambda s, g: opt.stateless_apply(s[1], [g], s[0]), state, jnp.full(PARAMETERS, .1))
    _, shape, items = ROWS[name]
    model = keras_models()[name]()
    model.compile(keras.optimizers.AdamW(1e-3, weight_decay=.01),
                  keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    x, y = rng.uniform(-1, 1, shape).astype(np.float32), rng.integers(0, 10, shape[0])
    return items, lambda: model.train_on_batch(x, y)


def main():
    peers = {"jax": in_jax, "keras": in_keras}
    for peer in sys.argv[1:2] or peers:
        for name in sys.argv[2:] or [*ROWS, "adamw_100m"]:
            items, step = peers[peer](name)
            t, cpu = measure(step)
            print(f"{peer:6} {name:18} {items / t:14,.0f} items/s {t * 1e3:10.2f} ms {cpu * 1e3:10.2f} CPU ms", flush=True)


main()
