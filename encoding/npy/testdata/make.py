# Writes the files in this directory. They were made with NumPy 2.4.6 and
# ml_dtypes 0.6.0 under Python 3.11 by: python3 make.py
import io
import ml_dtypes
import numpy as np

n = np.arange(6).reshape(2, 3)
arrays = {
    "bool": n % 2 == 0,
    "s8": (n - 3).astype("i1"),
    "s16": (n - 3).astype("<i2"),
    "s32": (n - 3).astype("<i4"),
    "s64": (n - 3).astype("<i8"),
    "u8": (n + 250).astype("u1"),
    "u16": (n + 65530).astype("<u2"),
    "u32": (n + 2**32 - 6).astype("<u4"),
    "u64": (n + 2**40).astype("<u8"),
    "f16": (n / 2).astype("<f2"),
    "f32": (n / 2).astype("<f4"),
    "f64": (n / 2).astype("<f8"),
    "c64": (n + 0.5j).astype("<c8"),
    "c128": (n - 0.5j).astype("<c16"),
    "bf16": (n / 2).astype(ml_dtypes.bfloat16),
    "f8e4m3fn": (n / 2).astype(ml_dtypes.float8_e4m3fn),
    "s4": (n - 3).astype(ml_dtypes.int4),
    "big_s16": (n - 3).astype(">i2"),
    "big_f64": (n / 2).astype(">f8"),
    "big_c64": (n + 0.5j).astype(">c8"),
    "fortran": np.asfortranarray(n.astype("<i4")),
    "fortran_3d": np.asfortranarray(np.arange(24).reshape(2, 3, 4).astype("u1")),
    "big_fortran": np.asfortranarray(n.astype(">f4")),
    "scalar": np.array(1.5, "<f4"),
    "vector": np.arange(3, dtype="<i4"),
    "empty": np.zeros((0, 3), "<f4"),
    "no_string": np.array(["ab", "c"], "S2"),
    "no_text": np.array(["ab", "c"]),
    "no_date": np.array(["2020-01-01"], "M8[D]"),
    "no_struct": np.array([(1, 2.0)], [("a", "<i4"), ("b", "<f8")]),
    "no_object": np.array([None]),
}
for name, a in arrays.items():
    np.save(name + ".npy", a)

for version in (2, 3):
    with open(f"version{version}.npy", "wb") as f:
        np.lib.format.write_array(f, arrays["f32"], version=(version, 0))

# What Python 2 wrote: sizes with an L, keys in any order.
header = b"{'shape': (2L, 3L), 'descr': '<f4', 'fortran_order': False}"
header += b" " * (-(len(header) + 11) % 16) + b"\n"
with open("python2.npy", "wb") as f:
    f.write(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + arrays["f32"].tobytes())

np.savez("stored.npz", a=arrays["f32"], b=arrays["scalar"])
np.savez_compressed("deflated.npz", z=np.zeros((64, 64), "<f4"), a=arrays["bool"])
