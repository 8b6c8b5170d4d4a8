"""Cases of com.microsoft."""
import ml_dtypes
import numpy as np

from quantised import narrow

MS = "com.microsoft"


def make(m):
    def op(name, ins, outs=1, **a):
        m.r.op(name, 1, ins, outs, domain=MS, prefer="runtime", **a)

    def each(name, f):
        m.each(name, lambda op, v: f(), MS, [1])

    n, u = m.normal, m.uniform

    # Activations and products.
    def one(name):
        def f():
            x = n(*m.ints(m.int(1, 3), 1, 5))
            op(name, [x], alpha=m.pick(None, 0.7) if name == "QuickGelu" else None)
        return f

    def bias_gelu():
        x = n(m.int(1, 3), m.int(1, 3), m.int(1, 6))
        op("BiasGelu", [x, n(x.shape[-1])])

    def fast_gelu():
        x = n(m.int(1, 3), m.int(1, 6))
        op("FastGelu", [x] + [n(x.shape[-1])] * m.int(0, 1))

    def fused_matmul():
        batch = m.ints(m.int(0, 2), 1, 3)
        a, b, c = m.ints(3, 1, 4)
        ta, tb = m.int(0, 1), m.int(0, 1)
        x, y = [a, b] if not ta else [b, a], [b, c] if not tb else [c, b]
        left, right = batch, batch
        at = {"transA": ta, "transB": tb, "alpha": m.pick(None, 0.5)}
        if len(batch) and m.chance(0.2):
            at["transBatchA"] = 1
            left, x = [x[0], *batch[:-1]], [batch[-1], x[1]]
            if ta:
                left, x = [], None
        if x is None:
            return
        op("FusedMatMul", [n(*left, *x), n(*right, *y)], **at)

    def fused_gemm():
        a, b, c = m.ints(3, 1, 4)
        ta, tb = m.int(0, 1), m.int(0, 1)
        act = m.pick(("Relu", None), ("Sigmoid", None), ("Tanh", None), ("LeakyRelu", 0.2), ("Elu", 0.7))
        op("FusedGemm", [n(*([b, a] if ta else [a, b])), n(*([c, b] if tb else [b, c])), n(*m.pick([c], [a, c], [1, c]))], transA=ta, transB=tb,
           alpha=m.pick(None, 0.5), beta=m.pick(None, 2.0), activation=act[0], activation_alpha=act[1])

    def fused_conv():
        k, g = 2, m.pick(1, 1, 2)
        c, f, kernel = g * m.int(1, 2), g * m.int(1, 2), m.ints(k, 1, 3)
        size = [x + m.int(0, 4) for x in kernel]
        act = m.pick(("Relu", None), ("Sigmoid", None), ("Tanh", None), ("LeakyRelu", [0.2]), ("Clip", [-0.5, 0.5]), ("HardSigmoid", [0.2, 0.4]))
        x, w = n(m.int(1, 2), c, *size), n(f, c // g, *kernel)
        ins = [x, w, n(f) if m.chance(0.7) else None]
        if m.chance(0.3):
            ins = [x, w, ins[2], n(x.shape[0], f, *[s - q + 1 for s, q in zip(size, kernel)])]
        op("FusedConv", ins, known=[1, 2][:1 + (ins[2] is not None)], group=g, activation=act[0], activation_params=act[1],
           strides=m.ints(k, 1, 2) if len(ins) == 3 and m.chance() else None, pads=m.ints(2 * k, 0, 1) if len(ins) == 3 and m.chance() else None)

    def nhwc_pool():
        kernel = m.ints(2, 1, 3)
        x = narrow(m, m.pick(np.uint8, np.int8), m.int(1, 2), *[q + m.int(0, 4) for q in kernel], m.int(1, 3))
        op("NhwcMaxPool", [x], kernel_shape=kernel, strides=m.ints(2, 1, 2), pads=[m.int(0, kernel[i % 2] - 1) for i in range(4)], ceil_mode=m.pick(None, 1))

    def trilu():
        x = n(*m.ints(m.int(2, 3), 1, 5))
        op("Trilu", [x] + [np.array(m.int(-3, 3), np.int64)] * m.int(0, 1), known=[1], upper=m.pick(None, 0, 1))

    def inverse():
        k = m.int(1, 4)
        op("Inverse", [n(*m.ints(m.int(0, 2), 1, 3), k, k) + 2 * np.eye(k, dtype=np.float32)])

    # Norms.
    def skip(name):
        def f():
            h = m.int(2, 6)
            x = n(m.int(1, 2), m.int(1, 4), h)
            s = n(*m.pick(x.shape, x.shape[1:], [1, *x.shape[1:]]))
            ins = [x, s, n(h)]
            if name == "SkipLayerNormalization":
                ins.append(n(h) if m.chance() else None)
            ins.append(n(h) if m.chance() else None)
            op(name, ins, m.pick(1, ["y", "", "", "sum"]), epsilon=m.pick(None, 1e-3))
        return f

    def simplified():
        x = n(m.int(1, 2), m.int(1, 4), m.int(2, 6))
        m.r.op("SimplifiedLayerNormalization", 17, [x, n(x.shape[-1])], prefer="runtime", axis=-1, epsilon=m.pick(None, 1e-3), stash_type=1)

    def embed():
        b, s, h = m.int(1, 3), m.int(1, 5), m.int(2, 6)
        ids = m.integers(0, 6, b, s, dtype=np.int32)
        seg = m.integers(0, 1, b, s, dtype=np.int32) if m.chance() else None
        ins = [ids, seg, n(7, h), n(8, h), n(2, h) if seg is not None else None, n(h), n(h), m.integers(0, 1, b, s, dtype=np.int32) if m.chance() else None]
        if m.chance(0.4):
            ins.append(m.integers(0, 7, m.pick(1, b), s, dtype=np.int32))
        op("EmbedLayerNormalization", ins, m.pick(2, 2, ["y", "mask", "sum"]), epsilon=m.pick(None, 1e-3),
           mask_index_type=m.pick(None, 1) if ins[7] is not None else None)

    # Attention.
    def mask_of(b, q, k, square):
        kind = m.pick("none", "ends", "ends2", "keys", "queries", "square")
        if kind == "ends":
            return m.integers(1, k, b, dtype=np.int32)
        if kind == "ends2":
            return np.concatenate([m.integers(1, k, b, dtype=np.int32), np.zeros(b, np.int32)])
        if kind == "keys":
            x = m.integers(0, 1, b, k, dtype=np.int32)
            x[:, 0] = 1
            return x
        if kind == "queries":
            x = m.integers(0, 1, b, q, k, dtype=np.int32)
            x[:, :, 0] = 1
            return x
        return None

    def attend():
        b, s, h, d = m.int(1, 2), m.int(1, 4), m.int(1, 3), m.int(1, 4)
        e = m.pick(d, m.int(1, 4))
        width = m.int(2, 5)
        past = m.int(1, 3) if m.chance(0.3) else 0
        if past:
            e = d
        a = {"num_heads": h, "unidirectional": m.pick(None, 0, 1), "scale": m.pick(None, 0.3), "mask_filter_value": m.pick(None, -1000.0)}
        if e != d:
            a["qkv_hidden_sizes"] = [h * d, h * d, h * e]
        ins = [n(b, s, width), n(width, h * (2 * d + e)), n(h * (2 * d + e)), mask_of(b, s, past + s, True)]
        if past:
            ins.append(n(2, b, h, past, d))
        elif m.chance(0.3):
            ins += [None, n(m.pick(1, b), m.pick(1, h), s, s)]
        op("Attention", ins, 2 if past else m.pick(1, 2) if e == d else 1, known=[1, 2], **a)

    def q_attend():
        b, s, h, d, width = m.int(1, 2), m.int(1, 4), m.int(1, 3), m.int(1, 4), m.int(2, 5)
        db = m.pick(np.uint8, np.int8)
        per = [3 * h * d] if m.chance(0.3) else []
        ins = [narrow(m, np.uint8, b, s, width), narrow(m, db, width, 3 * h * d), n(3 * h * d), u(0.005, 0.02), u(0.005, 0.02, *per), mask_of(b, s, s, True),
               narrow(m, np.uint8, part=0.7), np.zeros(per, db) if per else narrow(m, db, part=0.5)]
        op("QAttention", ins, known=[1, 4, 7], num_heads=h, unidirectional=m.pick(None, 1))

    def multi_head():
        b, q, k, h, d = m.int(1, 2), m.int(1, 4), m.int(1, 4), m.int(1, 3), 2 * m.int(1, 3)
        e = m.pick(d, d, 2 * m.int(1, 3))
        form = m.pick("plain", "plain", "heads")  # the runtime has the others on other devices
        past = m.int(1, 3) if form == "plain" and m.chance(0.4) else 0
        bias = None
        if form == "packed":
            k, e = q, d
            ins = [n(b, q, h, 3, d), None, None]
        elif form == "kv":
            e = d
            ins = [n(b, q, h * d), n(b, k, h, 2, d), None]
        elif form == "heads":
            ins = [n(b, q, h * d), n(b, h, k, d), n(b, h, k, e)]
        else:
            ins = [n(b, q, h * d), n(b, k, h * d), n(b, k, h * e)]
        if form == "plain" and m.chance():
            bias = n(h * (2 * d + e))
        total = past + k
        ins += [bias, m.pick(None, np.maximum(m.integers(0, 1, b, total, dtype=np.int32), np.eye(1, total, dtype=np.int32)), m.integers(1, total, b, dtype=np.int32)) if form == "plain" else None,
                n(m.pick(1, b), m.pick(1, h), q, total) if m.chance(0.3) else None]
        outs = 1
        if past:
            ins += [n(b, h, past, d), n(b, h, past, e)]
            outs = 3
        elif form == "plain" and m.chance(0.3):
            outs = 3
        op("MultiHeadAttention", ins, outs, num_heads=h, scale=m.pick(None, 0.3), mask_filter_value=m.pick(None, -1000.0), unidirectional=m.pick(None, 1))

    def group_query():
        b, kv, d = m.int(1, 2), m.int(1, 2), 16 * m.int(1, 2)
        h = kv * m.int(1, 3)
        first = m.chance()
        q = m.int(1, 4) if first or m.chance(0.3) else 1
        past = 0 if first else m.int(1, 4)
        if q > 1 and not first:
            b = 1
        room = past + m.int(0, 3) if past else m.pick(0, 4)
        lens = np.full(b, past + q - 1, np.int32)
        if not first and q == 1 and b > 1:
            lens[0] = m.int(0, past)
        total = int(lens.max()) + 1
        if first:
            lens[-1], total = q - 1, q
        room = max(room, 0)
        packed = m.chance(0.3)
        x = [n(b, q, (h + 2 * kv) * d), None, None] if packed else [n(b, q, h * d), n(b, q, kv * d), n(b, q, kv * d)]
        a = {"num_heads": h, "kv_num_heads": kv, "scale": m.pick(None, 0.3), "softcap": m.pick(None, 3.0), "local_window_size": m.pick(None, 2),
             "smooth_softmax": m.pick(None, None, 1)}
        cache = [n(b, kv, max(past, 1) if past else 0, d), n(b, kv, max(past, 1) if past else 0, d)] if past or m.chance() else [None, None]
        ins = x + cache + [lens, np.array(total, np.int32)]
        if m.chance(0.4):
            a["do_rotary"] = 1
            a["rotary_interleaved"] = m.pick(None, 1)
            ins += [n(16, d // 2), n(16, d // 2)]
        op("GroupQueryAttention", ins, 3, known=[6], **a)

    def rotary():
        b, s, h, d = m.int(1, 2), m.int(1, 4), m.int(1, 3), 2 * m.int(1, 4)
        x = n(b, s, h * d) if m.chance() else n(b, h, s, d)
        at = m.integers(0, 8, b, s) if m.chance() else np.array([m.int(0, 4)])
        op("RotaryEmbedding", [x, at, n(12, d // 2), n(12, d // 2)], interleaved=m.pick(None, 0, 1), num_heads=h if m.chance(0.3) else None)

    # Numbers in blocks.
    def nbits():
        bits, block = m.pick(4, 4, 8), m.pick(16, 32, 64)
        k, rows = m.int(1, 100), m.int(1, 5)
        blocks = -(-k // block)
        x = n(*m.ints(m.int(1, 2), 1, 3), k)
        ins = [x, narrow(m, np.uint8, rows, blocks, block * bits // 8), u(0.01, 0.1, *m.pick([rows * blocks], [rows, blocks]))]
        packed = -(-blocks * bits // 8)
        kind = m.pick("none", "packed", "float")
        ins.append(narrow(m, np.uint8, *m.pick([rows * packed], [rows, packed])) if kind == "packed" else u(0, 2**bits, *ins[2].shape) if kind == "float" else None)
        ins.append(None)
        ins.append(n(rows) if m.chance(0.3) else None)
        op("MatMulNBits", ins, known=range(1, 6), K=k, N=rows, bits=bits, block_size=block)

    def gather_blocks():
        bits, block = m.pick(4, 4, 8), m.pick(16, 32)
        rows, size = m.int(1, 6), block * m.int(1, 2) + (0 if m.chance() else 8)
        blocks = -(-size // block)
        kind = m.pick("u8", "s4", "u4") if bits == 4 else "u8"
        if kind == "u8":
            data = narrow(m, np.uint8, rows, size * bits // 8)
            zero = narrow(m, np.uint8, rows, -(-blocks * bits // 8))
        else:
            d = ml_dtypes.int4 if kind == "s4" else ml_dtypes.uint4
            data, zero = narrow(m, d, rows, size), narrow(m, d, rows, blocks)
        at = m.integers(-rows, rows - 1, *m.ints(m.int(1, 2), 1, 3), dtype=m.pick(np.int64, np.int32))
        op("GatherBlockQuantized", [data, at, u(0.01, 0.1, rows, blocks), zero if m.chance() else None], known=[0, 2, 3], gather_axis=0, quantize_axis=1, block_size=block,
           bits=bits if kind == "u8" else None)

    # Quantised ops.
    def s(*shape):
        return u(0.01, 0.1, *shape)

    def integer_to_float():
        da, db = m.pick((np.uint8, np.int8), (np.uint8, np.uint8), (np.int8, np.int8))
        a, b, c = m.ints(3, 1, 5)
        per = m.pick([], [c])
        ins = [narrow(m, da, *m.ints(m.int(0, 1), 1, 3), a, b), narrow(m, db, b, c, part=0.5), s(), s(*per), narrow(m, da, part=0.5) if m.chance() else None,
               narrow(m, db, *per, part=0.3) if m.chance() else None, n(c) if m.chance() else None]
        op("MatMulIntegerToFloat", ins, known=[1, 3, 5, 6])

    def dynamic_matmul():
        db = m.pick(np.uint8, np.int8)
        a, b, c = m.ints(3, 1, 5)
        per = m.pick([], [c])
        op("DynamicQuantizeMatMul", [n(*m.ints(m.int(0, 1), 1, 3), a, b), narrow(m, db, b, c, part=0.5), s(*per), narrow(m, db, *per, part=0.3) if m.chance() else None,
                                     n(c) if m.chance() else None], known=[1, 2, 3, 4])

    def dynamic_lstm():
        direction = m.pick(None, "forward", "reverse", "bidirectional")
        d = 2 if direction == "bidirectional" else 1
        t, b, i, h = m.int(1, 4), m.int(1, 3), m.int(1, 3), m.int(1, 4)
        db = m.pick(np.uint8, np.int8)
        per = m.pick([d], [d, 4 * h])
        zero = lambda: np.full(per, 128, np.uint8) if db == np.uint8 else np.zeros(per, np.int8)
        ins = [n(t, b, i) * np.float32(1.0371), narrow(m, db, d, i, 4 * h, part=0.5), narrow(m, db, d, h, 4 * h, part=0.5), n(d, 8 * h) if m.chance(0.8) else None,
               m.integers(1, t, b, dtype=np.int32) if m.chance(0.3) else None, n(d, b, h) if m.chance() else None, n(d, b, h) if m.chance() else None,
               n(d, 3 * h) if m.chance(0.3) else None, s(*per), zero(), s(*per), zero()]
        op("DynamicQuantizeLSTM", ins, 3, known=[1, 2, 8, 9, 10, 11], hidden_size=h, direction=direction, clip=m.pick(None, 0.7), input_forget=m.pick(None, None, 1))

    def q_gemm():
        da, db = m.pick((np.uint8, np.int8), (np.uint8, np.uint8), (np.int8, np.int8))
        a, b, c = m.ints(3, 1, 5)
        ta, tb = m.int(0, 1), m.int(0, 1)
        per = m.pick([], [c])
        ins = [narrow(m, da, *([b, a] if ta else [a, b])), s(), narrow(m, da, part=0.5), narrow(m, db, *([c, b] if tb else [b, c]), part=0.5), s(*per), narrow(m, db, *per, part=0.3),
               m.integers(-500, 500, *m.pick([c], [a, c], [1, c]), dtype=np.int32) if m.chance() else None]
        if m.chance():
            ins += [u(0.2, 1), narrow(m, da, part=0.5)]
        op("QGemm", ins, known=range(3, 9), step=1, transA=ta, transB=tb, alpha=m.pick(None, 0.5))

    def q_pair(name):
        def f():
            d = m.pick(np.uint8, np.int8)
            shape = m.ints(m.int(1, 3), 1, 4)
            zero = lambda: narrow(m, d, part=0.5)
            op(name, [narrow(m, d, *shape), s(), zero(), narrow(m, d, *m.broadcastable(shape)), s(), zero(), u(0.05, 0.5), zero()], known=[1, 2, 4, 5, 6, 7], step=1)
        return f

    def q_one(name):
        def f():
            d = m.pick(np.uint8, np.int8)
            x = narrow(m, d, *m.ints(m.int(1, 3), 1, 4))
            zero = lambda: narrow(m, d, part=0.5) if m.chance(0.8) else None
            a = {"alpha": m.pick(None, 0.2)} if name == "QLinearLeakyRelu" else {}
            to = s() if name == "QLinearLeakyRelu" else np.float32(1 / 256)
            if name == "QLinearSoftmax":
                a = {"opset": m.pick(9, 13), "axis": m.int(0, x.ndim - 1)}
            z = np.array(0 if d == np.uint8 else -128, d) if name == "QLinearSoftmax" else narrow(m, d, part=0.5)
            op(name, [x, s(), zero(), to, z], known=[1, 2, 3, 4], step=1, **a)
        return f

    def q_concat():
        d = m.pick(np.uint8, np.int8)
        shape, axis = m.ints(m.int(1, 3), 1, 3), 0
        axis = m.int(0, len(shape) - 1)
        ins = [s(), narrow(m, d, part=0.5)]
        for _ in range(m.int(1, 3)):
            shape[axis] = m.int(1, 3)
            ins += [narrow(m, d, *shape), s(), narrow(m, d, part=0.5)]
        op("QLinearConcat", ins, known=[0, 1] + [i for i in range(2, len(ins)) if (i - 2) % 3], step=1, axis=axis)

    def q_where():
        d = m.pick(np.uint8, np.int8)
        shape = m.ints(m.int(1, 3), 1, 3)
        op("QLinearWhere", [m.rng.random(shape) < 0.5, narrow(m, d, *m.broadcastable(shape)), s(), narrow(m, d, part=0.5), narrow(m, d, *m.broadcastable(shape)), s(),
                            narrow(m, d, part=0.5), s(), narrow(m, d, part=0.5)], known=[2, 3, 5, 6, 7, 8], step=1)

    def q_pool():
        kernel, d, last = m.ints(2, 1, 3), m.pick(np.uint8, np.int8), m.int(0, 1)
        size = [q + m.int(0, 4) for q in kernel]
        x = narrow(m, d, m.int(1, 2), *(size + [m.int(1, 3)] if last else [m.int(1, 3)] + size))
        op("QLinearAveragePool", [x, s(), narrow(m, d, part=0.5), s(), narrow(m, d, part=0.5)], known=[1, 2, 3, 4], step=1, kernel_shape=kernel, channels_last=last,
           strides=m.ints(2, 1, 2), pads=[m.int(0, kernel[i % 2] - 1) for i in range(4)], count_include_pad=m.pick(None, 1), ceil_mode=m.pick(None, 1))

    def q_global():
        d, last = m.pick(np.uint8, np.int8), m.int(0, 1)
        op("QLinearGlobalAveragePool", [narrow(m, d, m.int(1, 2), *m.ints(3, 1, 4)), s(), narrow(m, d, part=0.5), s(), narrow(m, d, part=0.5)], known=[1, 2, 3, 4], step=1,
           channels_last=last)

    def q_conv():
        kernel, g, last = m.ints(2, 1, 3), m.pick(1, 1, 2), 1
        c, f = g * m.int(1, 2), g * m.int(1, 2)
        da, db = m.pick((np.uint8, np.uint8), (np.uint8, np.int8), (np.int8, np.int8))
        per = [f] if m.chance() and db == np.int8 else []
        x = narrow(m, da, m.int(1, 2), *[q + m.int(0, 3) for q in kernel], c)
        op("QLinearConv", [x, s(), narrow(m, da, part=0.5), narrow(m, db, f, c // g, *kernel, part=0.5), s(*per), np.zeros(per, db) if per else narrow(m, db, part=0.3), u(0.2, 2),
                           narrow(m, da, part=0.5)] + [m.integers(-500, 500, f, dtype=np.int32)] * m.int(0, 1), known=range(1, 9), step=1, group=g, channels_last=1,
           strides=m.ints(2, 1, 2), pads=m.ints(4, 0, 1), dilations=m.pick(None, [1, 1]))

    def quantize(name):
        def f():
            d = m.pick(np.uint8, np.int8, np.int16, np.uint16)
            shape = m.ints(m.int(1, 3), 1, 4)
            axis = m.int(0, len(shape) - 1)
            per = m.pick([], [shape[axis]])
            x = u(-9, 9, *shape) if name[0] == "Q" else narrow(m, m.pick(d, np.int32) if not per else d, *shape)
            z = np.zeros(per, x.dtype) if x.dtype == np.int32 else narrow(m, d if name[0] == "Q" else x.dtype, *per, part=0.5)
            op(name, [x, s(*per), z], known=[1, 2], axis=axis if per else None)
        return f

    for name in ("Gelu", "QuickGelu"):
        each(name, one(name))
    for name, f in [("BiasGelu", bias_gelu), ("FastGelu", fast_gelu), ("FusedMatMul", fused_matmul), ("FusedGemm", fused_gemm), ("FusedConv", fused_conv),
                    ("NhwcMaxPool", nhwc_pool), ("Trilu", trilu), ("Inverse", inverse), ("SkipLayerNormalization", skip("SkipLayerNormalization")),
                    ("SkipSimplifiedLayerNormalization", skip("SkipSimplifiedLayerNormalization")), ("SimplifiedLayerNormalization", simplified),
                    ("EmbedLayerNormalization", embed), ("Attention", attend), ("QAttention", q_attend), ("MultiHeadAttention", multi_head),
                    ("GroupQueryAttention", group_query), ("RotaryEmbedding", rotary), ("MatMulNBits", nbits), ("GatherBlockQuantized", gather_blocks),
                    ("MatMulIntegerToFloat", integer_to_float), ("DynamicQuantizeMatMul", dynamic_matmul), ("DynamicQuantizeLSTM", dynamic_lstm), ("QGemm", q_gemm),
                    ("QLinearConcat", q_concat), ("QLinearWhere", q_where), ("QLinearAveragePool", q_pool), ("QLinearGlobalAveragePool", q_global), ("QLinearConv", q_conv)]:
        each(name, f)
    for name in ("QLinearAdd", "QLinearMul"):
        each(name, q_pair(name))
    for name in ("QLinearSigmoid", "QLinearLeakyRelu", "QLinearSoftmax"):
        each(name, q_one(name))
    for name in ("QuantizeLinear", "DequantizeLinear"):
        each(name, quantize(name))
