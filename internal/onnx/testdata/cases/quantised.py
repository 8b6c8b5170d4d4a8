"""Cases of quantised numbers."""
import ml_dtypes
import numpy as np
from onnx import TensorProto as T

BF16 = ml_dtypes.bfloat16
FLOAT8 = [ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e4m3fnuz, ml_dtypes.float8_e5m2, ml_dtypes.float8_e5m2fnuz]
NARROW = [ml_dtypes.int4, ml_dtypes.uint4]


def limits(d):
    return {"int8": (-128, 127), "uint8": (0, 255), "int16": (-32768, 32767), "uint16": (0, 65535), "int4": (-8, 7), "uint4": (0, 15),
            "int2": (-2, 1), "uint2": (0, 3), "int32": (-100000, 100000)}[np.dtype(d).name]


def narrow(m, d, *shape, part=1.0):
    """Numbers of a type with a scale, over a part of its range."""
    if np.dtype(d).name not in ("int32",) and "float" in np.dtype(d).name:
        return np.asarray(m.uniform(-8, 8, *shape)).astype(d)
    lo, hi = limits(d)
    return m.integers(int(lo * part), int(hi * part), *shape).astype(d)


def make(m):
    def scales(x, v, axis, mode, block, dtype):
        if mode == "tensor":
            shape = m.pick([], [1])
        elif mode == "axis":
            shape = [x.shape[axis]]
        else:
            shape = list(x.shape)
            shape[axis] = -(-shape[axis] // block)
        return m.uniform(0.02, 0.4, *shape, dtype=dtype), shape

    def layout(v):
        shape = m.ints(m.int(1, 4), 1, 6)
        axis = m.int(0, len(shape) - 1)
        mode = m.pick("tensor", *(["axis"] if v >= 13 else []), *(["block"] if v >= 21 else []))
        block = m.int(1, shape[axis]) if mode == "block" else 0
        attrs = {}
        if mode != "tensor":
            attrs["axis"] = axis if m.chance(0.7) else axis - len(shape)
            if axis == 1 and m.chance():
                del attrs["axis"]
        elif v >= 13 and m.chance(0.3):
            attrs["axis"] = m.int(0, len(shape) - 1)
        if block:
            attrs["block_size"] = block
        return shape, axis, mode, block, attrs

    def quantize(op, v):
        shape, axis, mode, block, attrs = layout(v)
        dtype = np.float32 if v < 19 else m.pick(np.float32, np.float32, np.float16)
        to = m.pick(np.uint8, np.int8, *(FLOAT8 if v >= 19 else []), *([np.uint16, np.int16] + NARROW if v >= 21 else []))
        x = m.uniform(-20, 20, *shape, dtype=dtype)
        if m.chance(0.3):
            x = (np.round(x) / 2).astype(dtype)
        s, zs = scales(x, v, axis, mode, block, dtype)
        if m.chance(0.3) or dtype == np.float16:  # in which the runtime divides as f32
            s = np.full_like(s, 0.5)
        if m.chance(0.1) and np.dtype(to).kind in "iu" and np.dtype(to).itemsize == 1:
            x.flat[0] = np.nan
        elif v < 19 and m.chance(0.2):
            x, s = np.round(x).astype(np.int32), np.full_like(s, 0.25)
        zero = None
        is_float = "float" in np.dtype(to).name
        if m.chance(0.7) or to != np.uint8 and v < 21:
            zero = np.zeros(zs, to) if is_float else narrow(m, to, *zs, part=0.3)
        elif to != np.uint8:
            attrs["output_dtype"] = onnx_type(np.zeros(1, to))
        if v >= 19 and is_float and m.chance():
            attrs["saturate"] = m.int(0, 1)
        m.r.op(op, v, [x, s, zero], known=[1, 2] if m.chance() else [], **attrs)

    def dequantize(op, v):
        shape, axis, mode, block, attrs = layout(v)
        dtype = np.float32 if v < 19 else m.pick(np.float32, np.float32, np.float16)
        of = m.pick(np.uint8, np.int8, np.int32, *(FLOAT8 if v >= 19 else []), *([np.uint16, np.int16] + NARROW if v >= 21 else []))
        x = narrow(m, of, *shape)
        s, zs = scales(x, v, axis, mode, block, dtype)
        zero = None
        if m.chance(0.7) and of != np.int32:
            zero = np.zeros(zs, of) if "float" in np.dtype(of).name else narrow(m, of, *zs, part=0.5)
        m.r.op(op, v, [x, s, zero], known=[1, 2] if m.chance() else range(3), **attrs)

    def dynamic(op, v):
        lo = m.pick(-10, 0, 1, -20)
        m.r.op(op, v, [m.uniform(lo, lo + m.pick(10, 20), *m.ints(m.int(1, 3), 1, 5))], 3)

    def integer(op, v):
        da, db = m.pick((np.uint8, np.int8), (np.uint8, np.uint8), (np.int8, np.int8))
        n, k, p = m.ints(3, 1, 5)
        batch = m.ints(m.int(0, 2), 1, 3)
        a = narrow(m, da, *(batch if m.chance(0.7) else []), n, k)
        b = narrow(m, db, *(batch if m.chance(0.4) else []), k, p)
        ins = [a, b]
        za = narrow(m, da, *m.pick([], [1])) if m.chance(0.7) else None
        zb = narrow(m, db, *m.pick([], [1], *([[p]] if b.ndim == 2 else []))) if m.chance(0.6) else None
        m.r.op(op, v, ins + [za, zb], known=m.pick([1, 3], [], [2, 3]))

    def window(k):
        kernel = m.ints(k, 1, 3)
        a = {}
        if m.chance():
            a["strides"] = m.ints(k, 1, 2)
        if m.chance(0.3):
            a["dilations"] = m.ints(k, 1, 2)
        mode = m.pick("pads", "none", "SAME_UPPER", "SAME_LOWER", "VALID")
        if mode == "pads":
            a["pads"] = m.ints(2 * k, 0, 1)
        elif mode != "none":
            a["auto_pad"] = mode
        extent = [(kernel[i] - 1) * a.get("dilations", [1] * k)[i] + 1 for i in range(k)]
        return kernel, a, [e + m.int(0, 4) for e in extent]

    def conv_integer(op, v):
        k = m.pick(1, 2, 2, 3)
        kernel, a, size = window(k)
        group = m.pick(1, 1, 2)
        c, f = group * m.int(1, 2), group * m.int(1, 2)
        da, db = m.pick((np.uint8, np.uint8), (np.uint8, np.int8))
        ins = [narrow(m, da, m.int(1, 2), c, *size), narrow(m, db, f, c // group, *kernel)]
        ins.append(narrow(m, da, part=0.6) if m.chance(0.7) else None)
        ins.append(narrow(m, db, *m.pick([], [f])) if m.chance(0.5) else None)
        if group > 1:
            a["group"] = group
        floats = [x if i > 1 else x.astype(np.float32) - (0 if ins[2 + i] is None else ins[2 + i].reshape([-1] + [1] * (k + 1) if i and ins[3].ndim else []).astype(np.float32)) for i, x in enumerate(ins[:2])]
        y = m.r.answer("Conv", 11, floats, **a)
        if y is None:
            return
        m.r.op(op, v, ins, known=[1, 3], want=[y[0].astype(np.int32)], kernel_shape=kernel if m.chance() else None, **a)

    def qlinear_conv(op, v):
        k = m.pick(1, 2, 2, 2)
        kernel, a, size = window(k)
        group = m.pick(1, 1, 2)
        c, f = group * m.int(1, 2), group * m.int(1, 3)
        da, db = m.pick((np.uint8, np.uint8), (np.uint8, np.int8), (np.int8, np.int8))
        per = [f] if m.chance() and db == np.int8 else []
        one = lambda *s: m.uniform(0.01, 0.1, *s)
        ins = [narrow(m, da, m.int(1, 2), c, *size), one(), narrow(m, da, part=0.5), narrow(m, db, f, c // group, *kernel), one(*per),
               np.zeros(per, db) if per else narrow(m, db, part=0.5), np.float32(m.uniform(0.2, 2)), narrow(m, da, part=0.5)]
        if m.chance():
            ins.append(m.integers(-500, 500, f, dtype=np.int32))
        if group > 1:
            a["group"] = group
        m.r.op(op, v, ins, known=range(1, 9), step=1, prefer="runtime", **a)

    def qlinear_matmul(op, v):
        da, db = m.pick((np.uint8, np.int8), (np.uint8, np.uint8), (np.int8, np.int8))
        n, k, p = m.ints(3, 1, 5)
        batch = m.ints(m.int(0, 2), 1, 3)
        a, b = narrow(m, da, *batch, n, k), narrow(m, db, *(batch if m.chance(0.4) else []), k, p)
        per = [p] if m.chance(0.3) and b.ndim == 2 else m.pick([], [1])
        one = m.pick([], [1])
        dtype = np.float32
        m.r.op(op, v, [a, m.uniform(0.01, 0.1, *one, dtype=dtype), narrow(m, da, *one, part=0.5), b, m.uniform(0.01, 0.1, *per, dtype=dtype),
                       narrow(m, db, *per, part=0.5), m.uniform(0.2, 2, dtype=dtype), narrow(m, da, part=0.5)], known=m.pick(range(1, 8), [1, 2, 4, 5, 6, 7]),
               step=1, prefer="runtime")

    m.each("QuantizeLinear", quantize)
    m.each("DequantizeLinear", dequantize)
    m.each("DynamicQuantizeLinear", dynamic)
    m.each("MatMulInteger", integer)
    m.each("ConvInteger", conv_integer)
    m.each("QLinearConv", qlinear_conv)
    m.each("QLinearMatMul", qlinear_matmul)


def onnx_type(a):
    from record import onnx_type as of
    return of(a)
