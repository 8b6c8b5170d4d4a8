"""Cases of the layers of networks: layers.py ARCHIVE COUNT [SEED [REGEXP]] makes COUNT cases of each version of an op.

`layers.py ../layers.tar.gz 4` makes what the repository has; other seeds and counts are for exploring: their archives also
have the answers of the reference where it has others, and `go test -run TestCases -cases ARCHIVE` says what agrees with it."""
import re
import sys

import ml_dtypes
import numpy as np
import onnx
from onnx import TensorProto as T

import contributed
import learned
import quantised
from record import Recorder

BF16 = ml_dtypes.bfloat16


class Maker:
    def __init__(self, recorder, count, seed):
        self.r, self.count, self.seed = recorder, count, seed
        self.rng = np.random.default_rng(seed)

    def versions(self, op, domain=""):
        return sorted(s.since_version for s in onnx.defs.get_all_schemas_with_history() if s.name == op and s.domain == domain)

    def pick(self, *options):
        return options[self.rng.integers(len(options))]

    def chance(self, p=0.5):
        return self.rng.random() < p

    def int(self, lo, hi):
        return int(self.rng.integers(lo, hi + 1))

    def ints(self, k, lo, hi):
        return [self.int(lo, hi) for _ in range(k)]

    def normal(self, *shape, dtype=np.float32):
        return np.asarray(np.round(self.rng.standard_normal(shape), 2)).astype(dtype)

    def uniform(self, lo, hi, *shape, dtype=np.float32):
        return np.asarray(np.round(self.rng.uniform(lo, hi, shape), 2)).astype(dtype)

    def integers(self, lo, hi, *shape, dtype=np.int64):
        return np.asarray(self.rng.integers(lo, hi + 1, shape)).astype(dtype)

    def float(self, version=99, bf16=13):
        """A type of floats; the new ones from a version on."""
        return self.pick(np.float32, np.float32, np.float32, np.float64, np.float16)

    def each(self, op, f, domain="", versions=None):
        for v in versions or self.versions(op, domain):
            for i in range(self.count):
                self.rng = np.random.default_rng([self.seed, v, i] + list(op.encode()))
                f(op, v)

    def shape_with(self, k, lo=1, hi=5):
        return self.ints(k, lo, hi)

    def broadcastable(self, shape):
        """A shape that broadcasts to another."""
        return [1 if self.chance(0.3) else d for d in shape[self.int(0, len(shape)):]]


def products(m):
    def matmul(op, v):
        dtype = m.pick(np.float32, np.float32, np.float64, np.float16) if v < 9 else m.pick(np.float32, np.float32, np.float64, np.float16, np.int32, np.int64, np.uint32, np.uint64)
        k, n, p = m.ints(3, 1, 6)
        batch = m.ints(m.int(0, 2), 1, 3)
        a = m.broadcastable(batch) + [n, k] if m.chance(0.8) else [k]
        b = m.broadcastable(batch) + [k, p] if m.chance(0.8) else [k]
        m.r.op(op, v, [m.uniform(-9, 9, *a, dtype=dtype) if np.dtype(dtype).kind != "u" else m.integers(0, 9, *a, dtype=dtype),
                       m.uniform(-9, 9, *b, dtype=dtype) if np.dtype(dtype).kind != "u" else m.integers(0, 9, *b, dtype=dtype)],
               known=[1] if m.chance() else [])

    def gemm(op, v):
        dtype = m.pick(np.float32, np.float32, np.float64, np.float16) if v < 9 else m.pick(np.float32, np.float64, np.float16, np.int32, np.int64)
        k, n, p = m.ints(3, 1, 6)
        ta, tb = m.int(0, 1), m.int(0, 1)
        c = m.pick([p], [1, p], [n, 1], [n, p], [], [1]) if v >= 7 else m.pick([n, p], [p], [])
        ins = [m.uniform(-9, 9, *([k, n] if ta else [n, k]), dtype=dtype), m.uniform(-9, 9, *([p, k] if tb else [k, p]), dtype=dtype),
               m.uniform(-9, 9, *c, dtype=dtype)]
        if v >= 11 and m.chance(0.3):
            ins = ins[:2]
        alpha, beta = (m.pick(1.0, 0.5, 2.0), m.pick(1.0, 0.25, 0.0)) if np.dtype(dtype).kind == "f" else (m.pick(1.0, 2.0), m.pick(1.0, 3.0))
        want = None
        if v < 7:
            y = alpha * np.matmul(ins[0].T if ta else ins[0], ins[1].T if tb else ins[1], dtype=np.float64) + beta * ins[2].astype(np.float64)
            want = [y.astype(dtype)]
        m.r.op(op, v, ins, want=want, alpha=alpha, beta=beta, transA=ta, transB=tb, broadcast=int(c != [n, p]) if v < 7 else None)

    def einsum(op, v):
        sizes = dict(zip("ijklb", m.ints(5, 1, 4)))
        eq, ranks = m.pick(
            ("ij,jk->ik", 0), ("ij,jk", 0), ("bij,bjk->bik", 0), ("...ij,...jk->...ik", 2), ("ii->i", 0), ("ii", 0), ("ij->ji", 0),
            ("ij->", 0), ("i,j->ij", 0), ("bij,kj->bik", 0), ("ij,ij->", 0), ("bi,bj,bij->b", 0), ("ijk,l,jkl->il", 0), ("...i->...", 1),
            ("i...->...", 1), ("ij , jk -> ik", 0), ("bii->bi", 0), ("b...i,i->b...", 1), ("ijk->kji", 0), ("...ii->...i", 1), ("ij,kl->ijkl", 0),
            ("ij,j->ij", 0), ("i,i", 0), ("...,...->...", 2), ("bijk,bljk->bil", 0), ("ji", 0), ("ij...,jk...->ik...", 1))
        lead = m.ints(ranks, 1, 3)
        ins = []
        for term in eq.replace(" ", "").split("->")[0].split(","):
            shape, dots = [], term.find("...")
            for part in re.findall(r"\.\.\.|[a-z]", term):
                shape += lead[m.int(0, len(lead)) if m.chance(0.3) and dots == 0 else 0:] if part == "..." else [sizes[part]]
            ins.append(m.uniform(-3, 3, *shape, dtype=m.pick(np.float32)))
        dtype = m.pick(np.float32, np.float32, np.float64, np.int32, np.int64)
        m.r.op(op, v, [x.astype(dtype) for x in ins], equation=eq)

    m.each("MatMul", matmul)
    m.each("Gemm", gemm)
    m.each("Einsum", einsum)


def spatial_attributes(m, k, kernel, size, dilations=True, symmetric=False):
    """strides, dilations, pads or auto_pad."""
    a = {}
    if m.chance(0.6):
        a["strides"] = m.ints(k, 1, 3)
    if dilations and m.chance(0.4):
        a["dilations"] = m.ints(k, 1, 2)
    d = a.get("dilations", [1] * k)
    extent = [(kernel[i] - 1) * d[i] + 1 for i in range(k)]
    mode = m.pick("pads", "pads", "none", "SAME_UPPER", "SAME_LOWER", "VALID", "NOTSET")
    if mode in ("pads", "NOTSET"):
        a["pads"] = [m.int(0, max(0, min(kernel[i % k] - 1, 2))) for i in range(2 * k)]
        if mode == "NOTSET":
            a["auto_pad"] = mode
    elif mode != "none":
        a["auto_pad"] = mode
    return a, extent


def convolutions(m):
    def conv(op, v):
        dtype = m.float()
        k, group = m.pick(1, 2, 2, 2, 3), m.pick(1, 1, 2, 3)
        c, f = group * m.int(1, 2), group * m.int(1, 3)
        kernel = m.ints(k, 1, 3)
        a, extent = spatial_attributes(m, k, kernel, None)
        size = [max(extent[i], m.int(3, 7)) for i in range(k)]
        ins = [m.normal(m.int(1, 2), c, *size, dtype=dtype), m.normal(f, c // group, *kernel, dtype=dtype)]
        if m.chance():
            ins.append(m.normal(f, dtype=dtype))
        if m.chance():
            a["kernel_shape"] = kernel
        if group > 1 or m.chance(0.2):
            a["group"] = group
        m.r.op(op, v, ins, known=[1, 2][:len(ins) - 1] if m.chance() else [], **a)

    def transpose(op, v):
        dtype = m.float()
        k, group = m.pick(1, 2, 2, 2, 3), m.pick(1, 1, 2)
        c, f = group * m.int(1, 2), m.int(1, 3)
        kernel = m.ints(k, 1, 4)
        a, extent = spatial_attributes(m, k, kernel, None)
        size = m.ints(k, 1, 5)
        strides = a.get("strides", [1] * k)
        if m.chance(0.3) and max(strides) > 1:
            a["output_padding"] = [m.int(0, s - 1) for s in strides]
        full = [strides[i] * (size[i] - 1) + a.get("output_padding", [0] * k)[i] + extent[i] for i in range(k)]
        if m.chance(0.25) and not a.get("auto_pad") == "VALID":
            a.pop("pads", None)
            a["output_shape"] = [max(1, full[i] - m.int(0, 3)) for i in range(k)]
        elif "pads" in a and any(full[i] - a["pads"][i] - a["pads"][k + i] < 1 for i in range(k)):
            del a["pads"]
        if m.chance():
            a["kernel_shape"] = kernel
        if group > 1 or m.chance(0.2):
            a["group"] = group
        ins = [m.normal(m.int(1, 2), c, *size, dtype=dtype), m.normal(c, f, *kernel, dtype=dtype)]
        if m.chance():
            ins.append(m.normal(f * group, dtype=dtype))
        if a.get("auto_pad", "").startswith("SAME") and "output_shape" not in a:  # the runtime has smaller results of small kernels
            a.pop("output_padding", None)
            if any(e < s for e, s in zip(extent, strides)):
                return
        m.r.op(op, v, ins, known=[1] if m.chance() else [], like=[11], **a)

    def deform(op, v):
        group, moved = m.pick(1, 2), m.pick(1, 2)
        c, f = 2 * m.int(1, 2), group * m.int(1, 2)
        kernel = m.ints(2, 1, 3)
        strides, dilations, pads = m.ints(2, 1, 2), m.ints(2, 1, 2), m.ints(4, 0, 1)
        size = [(kernel[i] - 1) * dilations[i] + 1 + m.int(0, 3) for i in range(2)]
        out = [(size[i] + pads[i] + pads[i + 2] - (kernel[i] - 1) * dilations[i] - 1) // strides[i] + 1 for i in range(2)]
        n, taps = m.int(1, 2), kernel[0] * kernel[1]
        ins = [m.normal(n, c, *size), m.normal(f, c // group, *kernel), m.uniform(-2, 2, n, moved * taps * 2, *out)]
        ins.append(m.normal(f) if m.chance() else None)
        if m.chance():
            ins.append(m.uniform(0, 1, n, moved * taps, *out))
        a = dict(strides=strides, dilations=dilations, pads=pads, group=group, offset_group=moved, kernel_shape=kernel if m.chance() else None)
        m.r.op(op, v, ins, **a)

    m.each("Conv", conv)
    m.each("ConvTranspose", transpose)
    m.each("DeformConv", deform)


def pools(m):
    def pool(op, v):
        k = m.pick(1, 2, 2, 2, 3)
        kernel = m.ints(k, 1, 3)
        first = {"AveragePool": 19, "MaxPool": 10, "LpPool": 18}[op]
        a, extent = spatial_attributes(m, k, kernel, None, v >= first)
        size = [max(extent[i], m.int(3, 8)) for i in range(k)]
        a["kernel_shape"] = kernel
        if v >= (18 if op == "LpPool" else 10) and m.chance():
            a["ceil_mode"] = m.int(0, 1)
        dtype = m.float()
        outs = 1
        if op == "AveragePool" and v >= 7 and m.chance():
            a["count_include_pad"] = 1
        if op == "MaxPool":
            if v >= 8 and m.chance():
                outs = 2
                a["storage_order"] = m.pick(0, 0, 1)
            if v >= 12 and m.chance(0.3):
                dtype = m.pick(np.int8, np.uint8)
        if op == "LpPool" and m.chance():
            a["p"] = m.pick(1, 2, 3) if v > 1 else m.pick(1.0, 2.0)
        if a.get("auto_pad", "").startswith("SAME"):  # in which the runtime forgets dilations
            a.pop("dilations", None)
            if any(e < s for e, s in zip(kernel, a.get("strides", [1] * k))):  # that of the runtime does not run
                return
        x = m.normal(m.int(1, 2), m.int(1, 2), *size) * (10 if np.dtype(dtype).kind != "f" else 1)
        if dtype == np.uint8:
            x = np.abs(x)
        m.r.op(op, v, [x.astype(dtype)], outs, like=[11] if op != "LpPool" else [], **a)

    def whole(op, v):
        x = m.normal(m.int(1, 2), m.int(1, 3), *m.ints(m.int(1, 3), 1, 5), dtype=m.float())
        p = m.pick(1, 2, 3) if v > 1 else m.pick(1.0, 2.0)
        p = p if op == "GlobalLpPool" and m.chance(0.7) else None
        axes, y = tuple(range(2, x.ndim)), x.astype(np.float64)
        want = {"GlobalAveragePool": lambda: y.mean(axes, keepdims=True), "GlobalMaxPool": lambda: y.max(axes, keepdims=True),
                "GlobalLpPool": lambda: (np.abs(y) ** (p or 2)).sum(axes, keepdims=True) ** (1 / (p or 2))}[op]()
        m.r.op(op, v, [x], want=[want.astype(x.dtype)], p=p)

    def unpool(op, v):
        k = m.pick(1, 2, 3)
        kernel = m.ints(k, 1, 3)
        strides = m.ints(k, 1, 3)
        size = m.ints(k, 1, 4)
        pads = [m.int(0, min(kernel[i % k] - 1, 1)) for i in range(2 * k)] if m.chance() else [0] * 2 * k
        out = [(size[i] - 1) * strides[i] - pads[i] - pads[k + i] + kernel[i] for i in range(k)]
        if min(out) < 1:
            return
        n, c = m.ints(2, 1, 2)
        count = int(np.prod(size))
        if n * c * int(np.prod(out)) < n * c * count:
            return
        at = m.rng.permutation(n * c * int(np.prod(out)))[:n * c * count].reshape(n, c, *size).astype(np.int64)
        ins = [m.normal(n, c, *size), at]
        if m.chance(0.4):
            ins.append(np.array([n, c] + [o + m.int(0, 2) for o in out], np.int64))
        m.r.op(op, v, ins, known=[2] if len(ins) > 2 else [],
               prefer="reference" if len(ins) > 2 else None, kernel_shape=kernel, strides=strides, pads=pads)

    def roi(op, v):
        n, c, h, w, count = m.int(1, 2), m.int(1, 2), m.int(3, 8), m.int(3, 8), m.int(1, 3)
        scale = m.pick(1.0, 0.5, 2.0)
        a = m.uniform(-1, 4, count, 2)
        boxes = np.concatenate([a, a + m.uniform(0.1, 5, count, 2)], 1) / np.float32(scale)
        mode = m.pick("avg", "avg", "max")
        m.r.op(op, v, [m.normal(n, c, h, w), boxes.astype(np.float32), m.integers(0, n - 1, count)], output_height=m.int(1, 3),
               output_width=m.int(1, 3), sampling_ratio=m.pick(0, 1, 2, 3), spatial_scale=scale, mode=mode,
               coordinate_transformation_mode=m.pick("half_pixel", "output_half_pixel") if v >= 16 and m.chance() else None)

    def maxroi(op, v):
        n, h, w, count = m.int(1, 2), m.int(3, 8), m.int(3, 8), m.int(1, 3)
        scale = m.pick(1.0, 0.5)
        a = m.integers(0, 3, count, 2)
        b = a + m.integers(0, 4, count, 2)
        boxes = np.concatenate([m.integers(0, n - 1, count, 1), a / scale, b / scale], 1).astype(np.float32)
        m.r.op(op, v, [m.normal(n, m.int(1, 2), h, w), boxes], like=[1], pooled_shape=m.ints(2, 1, 3), spatial_scale=scale)

    for op in ("AveragePool", "MaxPool", "LpPool"):
        m.each(op, pool)
    for op in ("GlobalAveragePool", "GlobalMaxPool", "GlobalLpPool"):
        m.each(op, whole)
    m.each("MaxUnpool", unpool)
    m.each("RoiAlign", roi)
    m.each("MaxRoiPool", maxroi)


def norms(m):
    def batch(op, v):
        shape = [m.int(1, 3), m.int(1, 4)] + m.ints(m.int(0, 3), 1, 4)
        if v < 9 and len(shape) < 4:
            shape = shape[:2] + m.ints(2, 2, 4)
        a = {"epsilon": m.pick(1e-5, 1e-3)}
        c = [shape[1]]
        if v < 9 and m.chance(0.3):
            a["spatial"] = 0
            c = shape[1:]
        if m.chance():
            a["momentum"] = m.pick(0.9, 0.5)
        dtype = m.float()
        outs = 1
        if v < 7:
            a["is_test"] = 1
            if v == 1:
                a["consumed_inputs"] = [0, 0, 0, 1, 1]
        elif v < 14 and m.chance(0.2):
            outs = ["y", "mean", "var", "saved"]
        elif v >= 14 and m.chance(0.4):
            a["training_mode"], outs = 1, m.pick(3, 1)
        scale, stat = dtype, dtype
        if v >= 15 and m.chance(0.3):
            scale = m.pick(np.float32, dtype)
            stat = m.pick(np.float32, scale)
        ins = [m.normal(*shape, dtype=dtype), m.normal(*c, dtype=scale), m.normal(*c, dtype=scale), m.normal(*c, dtype=stat),
               m.uniform(0.2, 2, *c, dtype=stat)]
        want = None
        if v < 7 or "spatial" in a:
            x, *rest = [t.astype(np.float64) for t in ins]
            k = [t if "spatial" in a else t.reshape([-1] + [1] * (x.ndim - 2)) for t in rest]
            want = [((x - k[2]) / np.sqrt(k[3] + a["epsilon"]) * k[0] + k[1]).astype(dtype)]
            outs = 1
        m.r.op(op, v, ins, outs, want=want, **a)

    def instance(op, v):
        shape = [m.int(1, 3), m.int(1, 4)] + m.ints(m.int(1, 3), 2, 4)
        dtype = m.float()
        ins = [m.normal(*shape, dtype=dtype), m.normal(shape[1], dtype=dtype), m.normal(shape[1], dtype=dtype)]
        want = [y.astype(dtype) for y in m.r.answer(op, 6, ins)] if v == 1 else None
        m.r.op(op, v, ins, want=want, epsilon=m.pick(None, 1e-2) if v > 1 else None, consumed_inputs=[0, 0, 0] if v == 1 else None)

    def group(op, v):
        g = m.int(1, 3)
        shape = [m.int(1, 3), g * m.int(1, 3)] + m.ints(m.int(1, 3), 2, 4)
        dtype = m.float()
        c = g if v < 21 else shape[1]
        m.r.op(op, v, [m.normal(*shape, dtype=dtype), m.normal(c, dtype=dtype), m.normal(c, dtype=dtype)], num_groups=g, epsilon=m.pick(None, 1e-2),
               stash_type=m.pick(None, 1) if v >= 21 else None)

    def layer(op, v):
        shape = m.ints(m.int(1, 4), 2, 4)
        axis = m.int(-len(shape), len(shape) - 1)
        inner = shape[axis:]
        if m.chance(0.2):
            inner = m.broadcastable(inner) or [1]
        dtype = m.float()
        ins = [m.normal(*shape, dtype=dtype), m.normal(*inner, dtype=dtype)]
        if m.chance(0.7) and op == "LayerNormalization":
            ins.append(m.normal(*inner, dtype=dtype))
        m.r.op(op, v, ins, m.pick(1, 1, 2, 3) if op == "LayerNormalization" else 1, axis=axis if axis != -1 or m.chance() else None, epsilon=m.pick(None, 1e-2))

    def lp(op, v):
        x = m.normal(*m.ints(m.int(1, 4), 1, 4), dtype=m.float())
        axis, p = m.pick(None, m.int(-x.ndim, x.ndim - 1)), m.pick(None, 1, 2)
        norm = (np.abs(x.astype(np.float64)) ** (p or 2)).sum(-1 if axis is None else axis, keepdims=True) ** (1 / (p or 2))
        m.r.op(op, v, [x], want=[np.where(norm == 0, 0, x / norm).astype(x.dtype)], axis=axis, p=p)

    def mvn(op, v):
        shape = m.ints(4, 2, 4)
        m.r.op(op, v, [m.normal(*shape, dtype=np.float32)], axes=m.pick(None, [0, 2, 3], [2, 3], [1], [0, 1, 2, 3], [-1]))

    def lrn(op, v):
        x = m.normal(m.int(1, 2), m.int(1, 6), *m.ints(m.int(1, 3) if m.chance(0.3) else 2, 1, 4), dtype=m.float())
        size, alpha, beta, bias = m.int(1, 5), m.pick(None, 0.5), m.pick(None, 0.5, 1.0), m.pick(None, 2.0)
        y, c = np.zeros(x.shape), x.shape[1]
        for i in range(c):
            part = x[:, max(0, i - (size - 1) // 2):i + size // 2 + 1].astype(np.float64)
            y[:, i] = x[:, i] / ((bias or 1) + (alpha or 1e-4) / size * (part ** 2).sum(1)) ** (beta or 0.75)
        m.r.op(op, v, [x], want=[y.astype(x.dtype)], size=size, alpha=alpha, beta=beta, bias=bias)

    m.each("BatchNormalization", batch)
    m.each("InstanceNormalization", instance)
    m.each("GroupNormalization", group)
    m.each("LayerNormalization", layer)
    m.each("RMSNormalization", layer)
    m.each("LpNormalization", lp)
    m.each("MeanVarianceNormalization", mvn)
    m.each("LRN", lrn)


def softmaxes(m):
    def soft(op, v):
        x = m.uniform(-4, 4, *m.ints(m.int(1, 4), 1, 5), dtype=m.float())
        if x.ndim == 1 and v < 13:
            x = x[None]
        if op == "Hardmax" and m.chance():
            x = np.round(x)
        if m.chance(0.1):
            x[..., 0] = -np.inf
        lo = -x.ndim if v >= 11 else 0
        m.r.op(op, v, [x], axis=m.pick(None, m.int(lo, x.ndim - 1)))

    def loss(op, v):
        n, c = m.int(1, 4), m.int(2, 5)
        rest = m.ints(m.int(0, 2), 1, 3)
        dtype = m.pick(np.float32, np.float32, np.float64)
        target = m.integers(0, c - 1, n, *rest, dtype=m.pick(np.int64, np.int32))
        ignore = m.pick(None, None, 0, 1, -1, 99)
        if ignore is not None and (ignore < 0 or ignore >= c) and m.chance() :
            target.flat[0] = ignore
        x = m.normal(n, c, *rest, dtype=dtype)
        if op == "NegativeLogLikelihoodLoss":
            x = -np.abs(x)
        ins = [x, target]
        if m.chance():
            ins.append(m.uniform(0.1, 1, c, dtype=dtype))
        m.r.op(op, v, ins, m.pick(1, 2) if op[0] == "S" else 1, ignore_index=ignore, reduction=m.pick(None, "none", "sum", "mean"))

    for op in ("Softmax", "LogSoftmax", "Hardmax"):
        m.each(op, soft)
    m.each("NegativeLogLikelihoodLoss", loss)
    m.each("SoftmaxCrossEntropyLoss", loss)


ACTIVATIONS = ["Relu", "Tanh", "Sigmoid", "Affine", "LeakyRelu", "ThresholdedRelu", "ScaledTanh", "HardSigmoid", "Elu", "Softsign", "Softplus"]


def recurrent(m):
    def run(op, v):
        gates, acts = {"RNN": (1, ["Tanh"]), "GRU": (3, ["Sigmoid", "Tanh"]), "LSTM": (4, ["Sigmoid", "Tanh", "Tanh"])}[op]
        direction = m.pick("forward", "reverse", "bidirectional", None)
        d = 2 if direction == "bidirectional" else 1
        layout = m.pick(0, 0, 1) if v >= 14 else 0
        s, b, i, h = m.int(1, 5), m.int(1, 3), m.int(1, 3), m.int(1, 4)
        dtype = m.pick(np.float32, np.float32, np.float32, np.float64)
        a = {"hidden_size": h, "direction": direction}
        if layout:
            a["layout"] = 1
        if m.chance(0.3):
            a["clip"] = m.pick(0.3, 1.0)
        if op == "GRU" and v >= 3 and m.chance():
            a["linear_before_reset"] = m.int(0, 1)
        if op == "LSTM" and m.chance(0.2):
            a["input_forget"] = 1
        if m.chance(0.3):
            names = [m.pick(*ACTIVATIONS) if m.chance() else x for _ in range(d) for x in acts]
            a["activations"] = names
            if m.chance() or any(n in ("Affine", "ScaledTanh", "ThresholdedRelu") for n in names):
                uses = {"Affine": 2, "LeakyRelu": 1, "ThresholdedRelu": 1, "ScaledTanh": 2, "HardSigmoid": 2, "Elu": 1}
                a["activation_alpha"] = [m.pick(0.5, 0.25, 1.5) for n in names if n in uses] or None
                a["activation_beta"] = [m.pick(0.5, 0.25) for n in names if uses.get(n) == 2] or None
        x = m.normal(*([b, s, i] if layout else [s, b, i]), dtype=dtype)
        ins = [x, m.normal(d, gates * h, i, dtype=dtype), m.uniform(-0.5, 0.5, d, gates * h, h, dtype=dtype)]
        state = [b, d, h] if layout else [d, b, h]
        ins.append(m.normal(d, 2 * gates * h, dtype=dtype) if m.chance(0.7) else None)
        ins.append(m.integers(1, s, b, dtype=np.int32) if m.chance(0.4) else None)
        ins.append(m.normal(*state, dtype=dtype) if m.chance() else None)
        if op == "LSTM":
            ins.append(m.normal(*state, dtype=dtype) if m.chance() else None)
            ins.append(m.normal(d, 3 * h, dtype=dtype) if m.chance(0.3) else None)
        names = ["y", "h", "c"][:3 if op == "LSTM" else 2]
        outs = m.pick(names, names, names[:1], [""] + names[1:])
        want = None
        if layout or v < 7:  # which the runtime has not
            b = {k: x for k, x in a.items() if k != "layout"}
            plain = [x if x is None or not layout or i not in (0, 5, 6) or i == 6 and op != "LSTM" else x.swapaxes(0, 1) for i, x in enumerate(ins)]
            want = m.r.answer(op, max(v, 7), plain, outs, **b)
            if want is None:
                return
            if layout:
                want = [y.transpose(2, 0, 1, 3) if name == "y" else y.swapaxes(0, 1) for name, y in zip([o for o in outs if o], want)]
            want = [y.astype(dtype) for y in want]
        if v == 1:
            a["output_sequence"] = 1
        m.r.op(op, v, ins, outs, known=[1, 2], like=[7], want=want, **a)

    for op in ("RNN", "GRU", "LSTM"):
        m.each(op, run)


def attention(m):
    def attend(op, v):
        dtype = m.pick(np.float32, np.float32, np.float32, np.float16)
        kv = m.pick(1, 2)
        heads = kv * m.pick(1, 1, 2, 3)
        b, q, k, d, e = m.int(1, 2), m.int(1, 4), m.int(1, 5), 2 * m.int(1, 3), m.int(1, 4)
        three = m.chance()
        a = {}
        past = m.int(1, 3) if m.chance(0.3) else 0
        x = [m.normal(b, n, h * w, dtype=dtype) if three else m.normal(b, h, n, w, dtype=dtype) for n, h, w in ((q, heads, d), (k, kv, d), (k, kv, e))]
        if three:
            a.update(q_num_heads=heads, kv_num_heads=kv)
        total = past + k
        mask = None
        if m.chance(0.6):
            shape = m.pick([q, total], [b, 1, q, total], [b, heads, q, total], [heads, q, total], [1, 1, q, total])
            mask = m.rng.random(shape) < 0.7 if m.chance() else m.normal(*shape, dtype=dtype)
            if mask.dtype == bool:
                mask[..., 0] = True
        if m.chance():
            a["is_causal"] = m.int(0, 1)
        if m.chance(0.3):
            a["scale"] = 0.25
        if m.chance(0.3):
            a["softcap"] = 2.0
        ins = x + [mask]
        if past:
            ins += [m.normal(b, kv, past, d, dtype=dtype), m.normal(b, kv, past, e, dtype=dtype)]
        elif v >= 24 and m.chance(0.3):
            ins += [None, None, m.integers(1, total, b)]
        outs = 1
        if past or m.chance(0.2):
            outs = ["y", "pk", "pv"]
            if m.chance(0.3):
                outs.append("qk")
                a["qk_matmul_output_mode"] = m.pick(0, 1, 3)
        seen = len(ins) > 6 or a.get("is_causal") and q != total  # the runtime has older definitions of these
        m.r.op(op, v, ins, outs, prefer="reference" if seen else None, **a)

    def rotary(op, v):
        dtype = m.pick(np.float32, np.float32, np.float16)
        b, s, h, d = m.int(1, 2), m.int(1, 4), m.int(1, 3), 2 * m.int(1, 4)
        turned = m.pick(0, 0, 2 * m.int(1, d // 2))
        a = {"interleaved": m.pick(None, 0, 1), "rotary_embedding_dim": turned or None}
        three = m.chance()
        x = m.normal(b, s, h * d, dtype=dtype) if three else m.normal(b, h, s, d, dtype=dtype)
        if three:
            a["num_heads"] = h
        half = (turned or d) // 2
        if m.chance():
            ins = [x, m.normal(9, half, dtype=dtype), m.normal(9, half, dtype=dtype), m.integers(0, 8, b, s)]
        else:
            ins = [x, m.normal(b, s, half, dtype=dtype), m.normal(b, s, half, dtype=dtype)]
        m.r.op(op, v, ins, **a)

    m.each("Attention", attend)
    m.each("RotaryEmbedding", rotary)


def images(m):
    def resize(op, v):
        k = m.pick(1, 2, 2, 3)
        mode = m.pick("nearest", "linear", "linear", "cubic" if v >= 11 else "nearest")
        size = m.ints(k, 2, 6)
        lead = [m.int(1, 2), m.int(1, 2)]
        if k == 3 and mode != "nearest" and v < 18:
            k, size = 2, size[:2]
        if mode == "cubic":
            k, size = 2, m.ints(2, 2, 6)
        shape = lead + size
        dtype = m.pick(np.float32, np.float32, np.float32, np.uint8, np.int32, np.float16)
        x = m.uniform(0, 50, *shape, dtype=dtype)
        a = {"mode": mode}
        out = [m.int(1, 11) for _ in size]
        by_scale = m.chance() or v < 11
        scales = [1.0, 1.0] + [m.pick(0.5, 0.6, 1.5, 2.0, 2.5, 0.8, 3.0) for _ in size]
        sizes = lead + out
        if v < 11:
            if np.dtype(dtype).kind in "iu" and mode == "linear":  # the runtime does not round
                x = x.astype(np.float32)
            m.r.op(op, v, [x, np.array(scales, np.float32)], known=[1], **a)
            return
        a["coordinate_transformation_mode"] = m.pick(None, "half_pixel", "pytorch_half_pixel", "align_corners", "asymmetric",
                                                     *(["half_pixel_symmetric"] if v >= 19 else []), *(["tf_crop_and_resize"] if m.chance(0.3) else []))
        if mode == "nearest":
            a["nearest_mode"] = m.pick(None, "round_prefer_floor", "round_prefer_ceil", "floor", "ceil")
        if mode == "cubic":
            a["cubic_coeff_a"] = m.pick(None, -0.5)
            a["exclude_outside"] = m.pick(None, 1)
        axes = None
        if v >= 18:
            if m.chance(0.4):
                axes = m.pick(list(range(2, 2 + k)), [3, 2] if k == 2 else list(range(2, 2 + k)), [2])
                a["axes"] = axes
                if len(axes) < k and mode == "cubic":
                    axes = a["axes"] = list(range(2, 2 + k))
                pick = [t for t in axes]
                scales, sizes = [scales[t] for t in pick], [sizes[t] for t in pick]
            if mode != "nearest" and m.chance(0.4):
                a["antialias"] = 1
            if not by_scale and m.chance(0.3):
                a["keep_aspect_ratio_policy"] = m.pick("not_larger", "not_smaller", "stretch")
        roi = None
        if a["coordinate_transformation_mode"] == "tf_crop_and_resize":
            n = len(axes) if axes else len(shape)
            start, end = m.uniform(0, 0.4, n), m.uniform(0.6, 1.2, n)
            if not axes:
                start[:2], end[:2] = 0, 1
            roi = np.concatenate([start, end]).astype(np.float32)
            a["extrapolation_value"] = m.pick(None, 7.0)
        if by_scale:
            ins = [x, roi, np.array(scales, np.float32)]
        else:
            ins = [x, roi, None, np.array(sizes, np.int64)]
        if v < 13:
            ins[1] = roi if roi is not None else np.zeros(0, np.float32)
            if ins[2] is None:
                ins[2] = np.zeros(0, np.float32)
        m.r.op(op, v, ins, known=[1, 2, 3][:len(ins) - 1],
               prefer="reference" if np.dtype(dtype).kind in "iu" or roi is not None or
               a["coordinate_transformation_mode"] in ("align_corners", "pytorch_half_pixel") else None, **a)

    def upsample(op, v):
        x = m.normal(m.int(1, 2), m.int(1, 2), *m.ints(2, 1, 4))
        scales = [1.0, 1.0, m.pick(1.0, 2.0, 1.5, 3.0), m.pick(1.0, 2.0, 2.5)]
        if v == 1:
            mode = m.pick("nearest", "bilinear")
            want = m.r.answer(op, 7, [x], mode={"bilinear": "linear"}.get(mode, mode), scales=scales)
            m.r.op(op, v, [x], want=want, mode=mode, width_scale=scales[3], height_scale=scales[2])
        elif v == 7:
            m.r.op(op, v, [x], mode=m.pick("nearest", "linear"), scales=scales)
        else:
            m.r.op(op, v, [x, np.array(scales, np.float32)], known=[1], mode=m.pick("nearest", "linear"))

    def grid(op, v):
        rank = m.pick(2, 2, 2, 3) if v >= 20 else 2
        n, c, size, out = m.int(1, 2), m.int(1, 2), m.ints(rank, 2, 5), m.ints(rank, 1, 4)
        modes = ["bilinear", "nearest", "bicubic"] if v < 20 else ["linear", "nearest", "cubic"]
        if rank == 3:
            modes = modes[:2]
        m.r.op(op, v, [m.normal(n, c, *size), m.uniform(-1.3, 1.3, n, *out, rank)], mode=m.pick(None, *modes),
               padding_mode=m.pick(None, "zeros", "border", "reflection"), align_corners=m.pick(None, 0, 1))

    def affine(op, v):
        k = m.pick(2, 3)
        n = m.int(1, 2)
        m.r.op(op, v, [m.normal(n, k, k + 1), np.array([n, m.int(1, 2)] + m.ints(k, 2, 4), np.int64)], known=[1], align_corners=m.pick(None, 0, 1))

    def col2im(op, v):
        k = m.pick(1, 2, 2, 3)
        block, strides, dilations, pads = m.ints(k, 1, 3), m.ints(k, 1, 2), m.ints(k, 1, 2), m.ints(2 * k, 0, 1)
        image = [(block[i] - 1) * dilations[i] + 1 + m.int(0, 3) for i in range(k)]
        count = int(np.prod([(image[i] + pads[i] + pads[k + i] - (block[i] - 1) * dilations[i] - 1) // strides[i] + 1 for i in range(k)]))
        m.r.op(op, v, [m.normal(m.int(1, 2), m.int(1, 2) * int(np.prod(block)), count), np.array(image), np.array(block)], known=[1, 2], prefer="reference",
               strides=strides, dilations=dilations, pads=pads)

    m.each("Resize", resize)
    m.each("Upsample", upsample, versions=[1, 7, 9])
    m.each("GridSample", grid)
    m.each("AffineGrid", affine)
    m.each("Col2Im", col2im)


def signals(m):
    def dft(op, v):
        shape = m.ints(m.int(1, 3), 2, 6)
        comps = m.pick(1, 2)
        inverse = m.pick(None, 0, 1)
        onesided = m.pick(None, 0, 1)
        if onesided:
            comps, inverse = (1, m.pick(None, 0)) if v < 20 or m.chance() else (2, 1)
        x = m.normal(m.int(1, 2), *shape, comps, dtype=m.pick(np.float32, np.float32, np.float64))
        axis = m.int(0, len(shape))
        if onesided and inverse:  # in which the runtime takes both sides
            shape = [max(2, d) for d in shape]
        if m.chance(0.3):
            axis -= len(shape) + 2
        if axis == -1:
            axis = 1
        length = np.array(m.int(2, 7), np.int64) if m.chance(0.4) else None
        if v < 20:
            m.r.op(op, v, [x, length], known=[1] if length is not None else [], axis=m.pick(None, axis), inverse=inverse, onesided=onesided)
        else:
            m.r.op(op, v, [x, length, np.array(axis, np.int64) if m.chance(0.7) else None], known=[1, 2],
                   prefer="reference" if onesided and inverse else None, inverse=inverse, onesided=onesided)

    def stft(op, v):
        n, frame = m.int(8, 20), m.int(2, 8)
        window = m.uniform(0, 1, frame) if m.chance(0.7) else None
        comps = m.pick(None, 1)
        x = m.normal(m.int(1, 2), n, 1)
        onesided = m.pick(None, 0, 1)
        length = np.array(frame, np.int64) if window is None or m.chance() else None
        m.r.op(op, v, [x, np.array(m.int(1, 4), np.int64), window, length], known=[1, 2, 3], onesided=onesided)

    def window(op, v):
        m.r.op(op, v, [np.array(m.int(1, 12), m.pick(np.int64, np.int32))], known=[0] if m.chance() else [], periodic=m.pick(None, 0, 1),
               output_datatype=m.pick(None, T.FLOAT, T.DOUBLE, T.FLOAT16))

    def mel(op, v):
        low = m.pick(0.0, 100.0)
        m.r.op(op, v, [np.array(m.int(2, 8)), np.array(m.pick(16, 32, 64)), np.array(m.pick(8000, 16000)), np.array(low, np.float32),
                       np.array(m.pick(3000, 4000), np.float32)], known=range(5), output_datatype=m.pick(None, T.FLOAT, T.DOUBLE))

    m.each("DFT", dft)
    m.each("STFT", stft)
    for op in ("HannWindow", "HammingWindow", "BlackmanWindow"):
        m.each(op, window)
    m.each("MelWeightMatrix", mel)


FAMILIES = [products, convolutions, pools, norms, softmaxes, recurrent, attention, images, signals, quantised.make, learned.make, contributed.make]


def main():
    recorder = Recorder(re.compile(sys.argv[4]) if len(sys.argv) > 4 else None)
    recorder.strict = len(sys.argv) == 3
    m = Maker(recorder, int(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 0)
    for f in FAMILIES:
        f(m)
    recorder.write(sys.argv[1])


main()
