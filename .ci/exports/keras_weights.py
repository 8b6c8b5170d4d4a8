"""Gives a Keras model the weights that Go saved, for TestWeightsOfKeras: python keras_weights.py FOLDER

keras.saved.safetensors has them, keras.npz an input x and the output y of the model in Go.
"""

import pathlib
import sys

import keras
import numpy as np
from keras import layers
from safetensors.numpy import load_file

folder = pathlib.Path(sys.argv[1])
model = keras.Sequential([keras.Input((9, 9, 3)), layers.Conv2D(8, 3, padding="same"), layers.BatchNormalization(epsilon=1e-5),
                          layers.ReLU(), layers.GlobalAveragePooling2D(), layers.Dense(5)])

# The lines of the guide: kernels have the axes of Keras, [h, w, in, out] and [in, out].
w = load_file(folder / "keras.saved.safetensors")
for layer, name in ((model.layers[0], "conv"), (model.layers[1], "bn"), (model.layers[4], "fc")):
    if name == "bn":
        parts = ["weight", "bias", "running_mean", "running_var"]
    else:
        parts = ["weight", "bias"]
    arrays = [w[f"{name}.{p}"] for p in parts]
    order = {4: (2, 3, 1, 0), 2: (1, 0), 1: (0,)}
    layer.set_weights([a.transpose(order[a.ndim]) for a in arrays])

data = np.load(folder / "keras.npz")
np.testing.assert_allclose(data["Y"], np.asarray(model(data["X"].transpose(0, 2, 3, 1))), rtol=2e-5, atol=2e-5)
print(f"Keras {keras.__version__} computes the same")
