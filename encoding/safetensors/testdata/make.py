# Writes the files in this directory. They were made with safetensors 0.8.0,
# NumPy 2.4.6 and ml_dtypes 0.6.0 under Python 3.11 by: python3 make.py
import ml_dtypes
import numpy as np
from safetensors import TensorSpec, serialize
from safetensors.numpy import save

n = np.arange(4).reshape(2, 2)
tensors = {
    "bool": n % 2 == 0,
    "u8": n.astype("u1"),
    "i8": (n - 2).astype("i1"),
    "f8_e5m2": n.astype(ml_dtypes.float8_e5m2),
    "f8_e4m3": n.astype(ml_dtypes.float8_e4m3fn),
    "f8_e8m0": (n + 1).astype(ml_dtypes.float8_e8m0fnu),
    "f8_e4m3fnuz": n.astype(ml_dtypes.float8_e4m3fnuz),
    "f8_e5m2fnuz": n.astype(ml_dtypes.float8_e5m2fnuz),
    "i16": (n - 2).astype("i2"),
    "u16": n.astype("u2"),
    "f16": (n / 2).astype("f2"),
    "bf16": (n / 2).astype(ml_dtypes.bfloat16),
    "i32": (n - 2).astype("i4"),
    "u32": n.astype("u4"),
    "f32": (n / 2).astype("f4"),
    "c64": (n + 1j).astype("c8"),
    "f64": (n / 2).astype("f8"),
    "i64": (n - 2).astype("i8"),
    "u64": n.astype("u8"),
    "scalar": np.array(1.5, "f4"),
    "empty": np.zeros((0, 3), "f4"),
    'name "\\\b\t\n\f\r\x01\x7f é \u2028 <&>': np.zeros(1, "u1"),
}


def write(name, data):
    with open(name + ".safetensors", "wb") as f:
        f.write(data)


write("types", save(tensors))
write("metadata", save({"x": np.arange(3, dtype="i2")}, metadata={"format": "np"}))
write("none", save({}))

# PyTorch packs two elements into a byte, the first in the low half; the
# library doubles the last size of the shape.
nibbles = np.array([0x21, 0x43, 0xF7], "u1")
spec = TensorSpec(dtype="float4_e2m1fn_x2", shape=[3], data_ptr=nibbles.ctypes.data, data_len=3)
write("f4", serialize({"x": spec}))
