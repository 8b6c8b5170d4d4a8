"""Models of Keras 3 on JAX: KERAS_BACKEND=jax python keras_models.py OUT"""

import os
import sys
from importlib.metadata import version

os.environ["KERAS_BACKEND"] = "jax"

import keras
import numpy as np
from keras import layers

from jax_export import export_function

out = sys.argv[1]
versions = {p: version(p) for p in ("keras", "jax")}
rng = np.random.default_rng(1)
keras.utils.set_random_seed(1)


def normal(*shape):
    return rng.standard_normal(shape).astype(np.float32)


def export_keras(name, model, x):
    for v in model.variables:
        if v.dtype == "float32":
            v.assign(np.abs(v) + 0.1 if "variance" in v.path else v + 0.1 * normal(*v.shape))
    # The weights by the names that Keras gives them.
    trainable = {v.path: v.value for v in model.trainable_variables}
    fixed = {v.path: v.value for v in model.non_trainable_variables}

    def predict(trainable, fixed, x):
        ordered = [trainable[v.path] for v in model.trainable_variables]
        others = [fixed[v.path] for v in model.non_trainable_variables]
        return model.stateless_call(ordered, others, x)[0]

    def with_weights(weights, x):
        return predict({k: weights[k] for k in trainable}, {k: weights[k] for k in fixed}, x)

    export_function(out, "keras-" + name, "Keras", versions, with_weights, {**trainable, **fixed}, x,
                    arguments=("weights", "x"), route="jax.export of stateless_call")


export_keras("dense", keras.Sequential([
    keras.Input((6,)), layers.Dense(8, activation="gelu"), layers.LayerNormalization(), layers.Dense(3, activation="softmax"),
]), normal(4, 6))

export_keras("cnn", keras.Sequential([
    keras.Input((16, 16, 3)), layers.Conv2D(8, 3, activation="relu", padding="same"), layers.BatchNormalization(),
    layers.DepthwiseConv2D(3, strides=2), layers.Conv2DTranspose(4, 3, strides=2), layers.AveragePooling2D(2),
    layers.GlobalMaxPooling2D(), layers.Dense(5),
]), normal(3, 16, 16, 3))

tokens = keras.Input((10,), dtype="int32")
x = layers.Embedding(50, 16)(tokens)
x = layers.LayerNormalization()(x + layers.MultiHeadAttention(2, 8)(x, x))
x = layers.Bidirectional(layers.LSTM(8, return_sequences=True))(x)
x = layers.GRU(6)(x)
export_keras("attention", keras.Model(tokens, layers.Dense(2)(x)), rng.integers(0, 50, (2, 10)).astype(np.int32))
