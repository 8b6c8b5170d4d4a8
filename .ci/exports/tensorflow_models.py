"""Functions of TensorFlow and models of Keras on TensorFlow, as StableHLO: python tensorflow_models.py OUT"""

import os
import sys
from importlib.metadata import version

os.environ["KERAS_BACKEND"] = "tensorflow"
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")

import keras
import numpy as np
import tensorflow as tf
from keras import layers
from safetensors.numpy import save_file

from export import Model, timed

out = sys.argv[1]
versions = {"tensorflow": version("tensorflow-cpu"), "keras": version("keras")}
rng = np.random.default_rng(1)
keras.utils.set_random_seed(1)
tf.random.set_seed(1)


def normal(*shape):
    return rng.standard_normal(shape).astype(np.float32)


def export_function(name, f, *inputs, stage="stablehlo", tolerance=1e-5):
    """The program takes the inputs, then the variables that f uses, in the order of captured_inputs."""
    model = Model(out, "tf-" + name, "TensorFlow", f"get_compiler_ir, {stage}", versions)
    compiled = tf.function(f, jit_compile=True, autograph=False)
    inputs = [tf.constant(x) for x in inputs]
    program = compiled.experimental_get_compiler_ir(*inputs)(stage=stage)
    if stage == "stablehlo":
        model.program(name + ".mlir", program.encode())
    else:
        model.program(name + ".bc", program)

    concrete = compiled.get_concrete_function(*inputs)
    by_handle = {id(v.handle): v for v in concrete.variables}
    order = [by_handle[id(handle)] for handle in concrete.captured_inputs]
    save_file({f"arg{len(inputs) + i}": v.numpy() for i, v in enumerate(order)}, model.weights("weights.safetensors"))

    with tf.GradientTape() as tape:
        results = f(*inputs)
        results = results if isinstance(results, (tuple, list)) else (results,)
        cotangent = tf.constant(normal(*results[0].shape))
        loss = tf.reduce_sum(results[0] * cotangent)
    found = tape.gradient(loss, order)
    model.case([x.numpy() for x in inputs], [r.numpy() for r in results],
               [f"arg{i}" for i in range(len(inputs))], [f"out{i}" for i in range(len(results))], tolerance)
    model.gradients(cotangent.numpy(), {f"arg{len(inputs) + i}": tf.convert_to_tensor(g).numpy() for i, g in enumerate(found) if g is not None})
    model.times(0, timed(lambda: compiled(*inputs)))
    model.write()


w, b = tf.Variable(normal(6, 3), name="w"), tf.Variable(normal(3), name="b")
export_function("softmax", lambda x: (tf.nn.softmax(tf.matmul(x, w) + b), tf.math.top_k(x, 2).values, tf.math.erf(x)), normal(4, 6),
                stage="stablehlo_serialized")


def export_keras(name, model, x):
    for v in model.variables:
        if v.dtype == "float32":
            v.assign(np.abs(v) + 0.1 if "variance" in v.path else v + 0.1 * normal(*v.shape))
    export_function(name, lambda x: model(x, training=False), x)


export_keras("cnn", keras.Sequential([
    keras.Input((16, 16, 3)), layers.Conv2D(8, 3, activation="relu", padding="same"), layers.BatchNormalization(),
    layers.MaxPooling2D(2), layers.Conv2D(4, 3, activation="gelu"), layers.Flatten(), layers.Dense(5),
]), normal(3, 16, 16, 3))
tokens = keras.Input((10,), dtype="int32")
y = layers.Embedding(50, 16)(tokens)
y = layers.LayerNormalization()(y + layers.MultiHeadAttention(2, 8)(y, y))
export_keras("attention", keras.Model(tokens, layers.Dense(2)(layers.GRU(6)(y))), rng.integers(0, 50, (2, 10)).astype(np.int32))
