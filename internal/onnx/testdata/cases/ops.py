"""Cases of ops by version and element type: ops.py FILE [REGEXP [SEED]]. Without a seed it writes those of the repository.

It needs onnx and onnxruntime."""
import re
import sys
import zlib

import numpy as np
from onnx import TensorProto as T
from onnx import helper, numpy_helper

from recorder import FLOATS, NAMES, Recorder, is_float, np_type, types, versions

R = Recorder(re.compile(sys.argv[2]) if len(sys.argv) > 2 else None)
SEED = int(sys.argv[3]) if len(sys.argv) > 3 else 0
I64 = lambda *v: np.array(v, np.int64)
F32 = lambda *v: np.array(v, np.float32)


def seeded(*key):
    return np.random.default_rng(zlib.crc32(repr((SEED, key)).encode()))


def vals(rng, t, shape, lo=-4, hi=4):
    """Elements that all types hold exactly: eighths."""
    if t == T.BOOL:
        return rng.integers(0, 2, shape).astype(bool)
    if is_float(t):
        if t not in FLOATS:
            return rng.choice([0.0, 0.5, 1, 1.5, 2, 3, -1, -2, -0.5] if t != T.FLOAT8E8M0 else [0.5, 1, 2, 4], shape).astype(np_type(t))
        return np.asarray(np.round(rng.uniform(lo, hi, shape) * 8) / 8).astype(np_type(t))
    if t in (T.UINT4, T.INT4, T.INT2, T.UINT2):
        lo, hi = {T.UINT4: (0, 16), T.INT4: (-8, 8), T.INT2: (-2, 2), T.UINT2: (0, 4)}[t]
    elif t in (T.UINT8, T.UINT16, T.UINT32, T.UINT64):
        lo, hi = max(int(lo), 0), max(int(hi), 1) + 5
    return np.asarray(rng.integers(int(np.ceil(lo)), int(hi) + 1 if t < 21 else hi, shape)).astype(np_type(t))


def each(op, domain="", i=0, since=1):
    """The definitions of an op, each with the element types of an input."""
    newest = versions(op, domain)[-1]
    for s in versions(op, domain):
        if s.since_version >= since:
            if not SEED and s is not newest and s.since_version in (19, 21, 23, 24):
                continue  # they only add types
            for t in types(s, i):
                if SEED or s is newest or t in (T.FLOAT, T.INT64, T.UINT8, T.BOOL):
                    yield s.since_version, t


SPECIAL = [np.nan, np.inf, -np.inf, 0.0, -0.0, 1, -1, 0.5, -0.5, 2.5, 1e-40, 88, -104, 3e38]


def unary():
    bounds = {"Acos": (-1, 1), "Asin": (-1, 1), "Acosh": (1, 5), "Atanh": (-0.9, 0.9), "Log": (0.125, 9), "Sqrt": (0, 9),
              "Reciprocal": (0.5, 5)}
    for op in ("Abs Neg Sign Floor Ceil Round IsNaN IsInf BitwiseNot Not Exp Log Sqrt Erf Reciprocal Sin Cos Tan Asin Acos "
               "Atan Sinh Cosh Tanh Asinh Acosh Atanh Relu Sigmoid Softplus Softsign HardSwish Mish Elu Selu Celu LeakyRelu "
               "ThresholdedRelu HardSigmoid Shrink Gelu Swish").split():
        for v, t in each(op):
            rng = seeded(op, v, t)
            R.case(op, v, [vals(rng, t, (2, 3), *bounds.get(op, (-4, 4)))]) if op != "Gelu" or t != T.BFLOAT16 else None
        t = max(v for v, _ in each(op))
        first = types(versions(op)[-1])
        if T.FLOAT in first:
            R.case(op, t, [F32(*(v for v in SPECIAL if v != -np.inf or op not in ("Gelu", "Swish")))], name="special")
            R.case(op, t, [F32().reshape(0, 2)], name="empty")
            R.case(op, t, [np.float32(0.75)], name="scalar")
    for op, attrs in [("Elu", dict(alpha=0.5)), ("Selu", dict(alpha=2.0, gamma=0.5)), ("Celu", dict(alpha=2.0)),
                      ("LeakyRelu", dict(alpha=0.25)), ("LeakyRelu", dict(alpha=2.0)), ("ThresholdedRelu", dict(alpha=2.0)),
                      ("HardSigmoid", dict(alpha=0.5, beta=0.25)), ("Shrink", dict(bias=1.5, lambd=1.5)),
                      ("Gelu", dict(approximate="tanh")), ("Swish", dict(alpha=0.5)), ("IsInf", dict(detect_negative=0)),
                      ("IsInf", dict(detect_positive=0)), ("IsInf", dict(detect_positive=0, detect_negative=0))]:
        for s in versions(op):
            for t in [T.FLOAT] + [t for t in types(s) if t in (T.FLOAT16, T.DOUBLE, T.INT32, T.UINT8)]:
                rng = seeded(op, s.since_version, t, str(attrs))
                x = vals(rng, t, (7,)) if op != "IsInf" else np.array([np.inf, -np.inf, 1], np_type(t)) if is_float(t) else None
                if x is not None:
                    R.case(op, s.since_version, [x], name="attrs", **attrs)


PAIRS = [((2, 3), (3,)), ((3, 1), (1, 2)), ((), (2, 2)), ((2, 2), ()), ((0, 3), (1, 3)), ((1,), (0,)), ((), ()), ((2, 1, 3), (4, 1))]


def binary():
    ops = ("Add Sub Mul Div Mod Pow Equal Less Greater LessOrEqual GreaterOrEqual And Or Xor BitwiseAnd BitwiseOr BitwiseXor "
           "PRelu BitShift").split()
    for op in ops:
        for v, t in each(op):
            rng = seeded(op, v, t)
            attrs = dict(direction="LEFT") if op == "BitShift" else dict(fmod=1) if op == "Mod" and is_float(t) else {}
            lo, hi = (1, 4) if op in ("Div", "Mod") else (0, 3) if op in ("Pow", "BitShift") else (-4, 4)
            a = vals(rng, t, (2, 3), 0 if op == "Pow" else -4, 4)
            R.case(op, v, [a, vals(rng, t, (2, 3), lo, hi)], **attrs)
            if v < 7 and op not in ("PRelu",):
                b = vals(rng, t, (2,), lo, hi)
                like = 13 if op not in ("And", "Or", "Xor") else 7
                R.case(op, v, [a, b], name="axis", like=(like, [a, b.reshape(2, 1)], {}), broadcast=1, axis=0)
                b = vals(rng, t, (1,), lo, hi)
                R.case(op, v, [a, b], name="one", like=(like, [a, b], {}), broadcast=1)
        v = versions(op)[-1].since_version
        all_types = types(versions(op)[-1])
        t = next(t for t in (T.FLOAT, T.INT32, T.UINT32, T.BOOL) if t in all_types)
        for i, (p, q) in enumerate(PAIRS):
            rng = seeded(op, i)
            lo, hi = (1, 4) if op in ("Div", "Mod") else (0, 3) if op in ("Pow", "BitShift") else (-4, 4)
            attrs = dict(direction="RIGHT") if op == "BitShift" else dict(fmod=1) if op == "Mod" and is_float(t) else {}
            if op == "PRelu" and len(q) > len(p):
                continue
            R.case(op, v, [vals(rng, t, p, 0 if op == "Pow" else -4, 4), vals(rng, t, q, lo, hi)], name="shapes", **attrs)
        if t == T.FLOAT and op not in ("PRelu",):
            a, b = np.meshgrid(F32(np.nan, np.inf, -np.inf, 0, -0.0, 1, -2.5, 3), F32(np.nan, np.inf, -np.inf, 0, -0.0, 1, -2.5, 3))
            R.case(op, v, [a.ravel(), b.ravel()], name="special", **(dict(fmod=1) if op == "Mod" else {}))
    for t in (T.INT8, T.INT16, T.INT32, T.INT64):
        a, b = np.meshgrid(np.array([-7, -3, 0, 3, 7]), np.array([-4, -3, 3, 4]))
        a, b = a.ravel().astype(np_type(t)), b.ravel().astype(np_type(t))
        for fmod in (0, 1):
            R.case("Mod", 13, [a, b], name="signs", fmod=fmod)
        for v in (6, 7, 13, 14):
            if t in types([s for s in versions("Div") if s.since_version == v][0]):
                R.case("Div", v, [a, b], name="signs", want=[np.trunc(a.astype(np.float64) / b).astype(a.dtype)])
    for t in (T.FLOAT, T.DOUBLE, T.FLOAT16):
        a, b = np.meshgrid(np.array([-7.5, -3, 0, 3.25, 7]), np.array([-4, -2.5, 2.5, 4]))
        R.case("Mod", 13, [a.ravel().astype(np_type(t)), b.ravel().astype(np_type(t))], name="signs", fmod=1)
    for t in (T.UINT8, T.INT8, T.INT32, T.UINT64):
        m = np.iinfo(np_type(t))
        x = np.array([m.max, m.min, m.max - 1, 3], np_type(t))
        for op in ("Add", "Sub", "Mul"):
            R.case(op, 14, [x, np.array([1, 1, 100, m.max], np_type(t))], name="wraps")
    for a, b in [(T.FLOAT, T.INT32), (T.FLOAT, T.INT64), (T.INT32, T.FLOAT), (T.INT64, T.FLOAT), (T.INT32, T.INT64), (T.INT64, T.INT32),
                 (T.DOUBLE, T.FLOAT), (T.FLOAT, T.DOUBLE), (T.FLOAT16, T.FLOAT), (T.INT32, T.UINT8), (T.FLOAT, T.UINT64)]:
        for v in (12, 13, 15):
            R.case("Pow", v, [vals(seeded("mixed", a, b, v), a, (5,), 1, 4), vals(seeded("e", a, b), b, (5,), 0, 3)], name="mixed")
    R.case("Pow", 15, [np.array([-2, 2, -3, 0], np.int32), np.array([3, 0, 2, 0], np.int32)], name="negative")
    R.case("Pow", 15, [F32(-2, 2, -3, 0), F32(3, -1, 2, 0)], name="negative")
    for t in (T.UINT8, T.UINT16, T.UINT32, T.UINT64):
        n = np_type(t).itemsize * 8
        for d in ("LEFT", "RIGHT"):
            R.case("BitShift", 11, [np.array([255, 1, 129, 7], np_type(t)), np.array([1, n - 1, 3, 0], np_type(t))], name="wide", direction=d)
    for v in (1, 6, 7, 9, 16):
        for shape in ((1,), (3,)) if v < 7 else ((1,), (3, 1, 1), (3, 2, 4), (4,), (2, 1), ()):
            R.case("PRelu", v, [vals(seeded("prelu", v, shape), T.FLOAT, (2, 3, 2, 4)), vals(seeded("slope", shape), T.FLOAT, shape)], name="slope")


def variadic():
    for op in ("Max", "Min", "Sum", "Mean"):
        for v, t in each(op):
            rng = seeded(op, v, t)
            R.case(op, v, [vals(rng, t, (2, 2)) for _ in range(3)])
            R.case(op, v, [vals(rng, t, (2, 2))], name="one")
            if v >= 8 and t in (T.FLOAT, T.INT8, T.UINT64, T.FLOAT16):
                R.case(op, v, [vals(rng, t, s) for s in ((2, 1), (1, 3), ())], name="shapes")
        R.case(op, 13, [F32(np.nan, 1, -0.0, np.inf), F32(1, np.nan, 0, -np.inf)], name="special")
        R.case(op, 13, [F32().reshape(0, 3), F32(1, 2, 3)], name="empty")


def clip():
    for v, t in each("Clip"):
        x = vals(seeded("clip", v, t), t, (2, 4), -8, 8)
        if v < 11:
            for a in (dict(min=-1.5, max=2.0), dict(min=0.5), dict(max=1.0), {}):
                R.case("Clip", v, [x], want=[np.clip(x, a.get("min", -np.inf), a.get("max", np.inf)).astype(x.dtype)], **a)
            continue
        lo, hi = np.array(1 if t in (T.UINT8, T.UINT16, T.UINT32, T.UINT64) else -2, np_type(t)), np.array(3, np_type(t))
        R.case("Clip", v, [x, lo, hi])
        R.case("Clip", v, [x, None, hi], name="max")
        R.case("Clip", v, [x, lo], name="min")
        R.case("Clip", v, [x], name="none")
        R.case("Clip", v, [x, hi, lo], name="crossed")
    R.case("Clip", 13, [F32(np.nan, np.inf, -np.inf, 0), np.float32(-1), np.float32(1)], name="special")


def where():
    for v, t in each("Where", i=1):
        rng = seeded("where", v, t)
        R.case("Where", v, [vals(rng, T.BOOL, (2, 3)), vals(rng, t, (3,)), vals(rng, t, (2, 1))], name=NAMES[t])
    for a, b, c in (((), (2,), (2,)), ((2, 1), (), ()), ((0, 2), (1, 2), (2,)), ((3,), (2, 3), (1,))):
        rng = seeded(a, b, c)
        R.case("Where", 16, [vals(rng, T.BOOL, a), vals(rng, T.FLOAT, b), vals(rng, T.FLOAT, c)], name="shapes")


def casts():
    names = {1: "FLOAT", 9: "BOOL", 6: "INT32", 7: "INT64", 11: "DOUBLE", 2: "UINT8"}
    for to, name in names.items():
        R.case("Cast", 1, [F32(0, 1.5, 2.75, 100)], name=name.lower(), to=name, want=[F32(0, 1.5, 2.75, 100).astype(np_type(to))])
    newest = versions("Cast")
    for s in newest:
        if s.since_version < 6:
            continue
        outs = [o for o in types_of_output(s)]
        if s.since_version in (23, 28):
            continue
        for a in types(s):
            for b in outs:
                if s.since_version >= 19 and not (a in (T.FLOAT, T.FLOAT16, T.BFLOAT16, T.INT8, T.UINT8) and (s.since_version == 25 or b > 16) or a > 16):
                    continue
                if s.since_version < 13 and (a not in (T.FLOAT, T.INT32, T.BOOL, T.FLOAT16, T.UINT8)) or s.since_version < 13 and b not in (T.FLOAT, T.BOOL, T.INT64, T.FLOAT16, T.UINT8, T.INT8, T.DOUBLE):
                    continue
                if a > 16 and b > 16 and a not in (T.INT4, T.FLOAT8E5M2, T.FLOAT4E2M1) or s.since_version in (21, 24) and b < 17:
                    continue
                x = cast_values(a, b)
                if len(x):
                    R.case("Cast", s.since_version, [x], name="to-" + NAMES[b], to=int(b), prefer=cast_prefer(a, b))
    wide = F32(*[v * s for v in (0.3, 1, 447, 448, 449, 464, 465, 480, 1e3, 57344, 61440, 65504, 1e6, np.inf, 2**-10, 2**-9, 3 * 2**-11, 2**-17, 0) for s in (1, -1)], np.nan)
    for b in (T.FLOAT8E4M3FN, T.FLOAT8E4M3FNUZ, T.FLOAT8E5M2, T.FLOAT8E5M2FNUZ):
        for a in (T.FLOAT, T.FLOAT16, T.BFLOAT16):
            for sat in (0, 1):
                R.case("Cast", 19, [wide.astype(np_type(a))], name=f"saturate{sat}-" + NAMES[b], to=int(b), saturate=sat, prefer="reference")
    for mode in ("up", "down", "nearest"):
        for sat in (0, 1):
            R.case("Cast", 24, [np.abs(F32(1, 1.2, 1.5, 1.75, 3, 6, 0, 1e38, 1.7e38, 3e38, 2**-126, 2**-127, 3 * 2**-128, 2**-130, 0.7))],
                   name=f"{mode}{sat}-f8e8m0", to=int(T.FLOAT8E8M0), round_mode=mode, saturate=sat)
    R.case("Cast", 13, [F32(1.9, -1.9, 127, -128, 0.5, -0.5)], name="truncates", to=int(T.INT8))
    R.case("Cast", 13, [np.array([300, -1, 255, 256, -129, 128, 65537], np.int32)], name="wraps", to=int(T.UINT8))
    R.case("Cast", 13, [np.array([300, -1, 255, 256, -129, 128, 65537], np.int32)], name="wraps", to=int(T.INT8))
    R.case("Cast", 13, [F32(np.nan, np.inf, -np.inf, 0, -0.0, 0.1)], name="special", to=int(T.BOOL))
    R.case("Cast", 13, [F32(np.nan, np.inf, -np.inf, 65504, 65519, 65520, 1e-8, 6e-8, -0.0)], name="special", to=int(T.FLOAT16))
    R.case("Cast", 13, [F32(np.nan, np.inf, -np.inf, 3.4e38, 1.00390625, 1.01171875, 1e-40)], name="special", to=int(T.BFLOAT16), prefer="reference")
    R.case("Cast", 13, [np.array([1e300, -1e300, 1e-300, 16777217], np.float64)], name="special", to=int(T.FLOAT))
    R.case("Cast", 13, [np.array([2**63 - 1, 2**53 + 1, -(2**24) - 1], np.int64)], name="large", to=int(T.FLOAT))
    for a, b in ((T.FLOAT, T.INT32), (T.INT64, T.FLOAT), (T.BOOL, T.FLOAT16), (T.FLOAT, T.BOOL), (T.FLOAT, T.BFLOAT16), (T.FLOAT, T.FLOAT8E4M3FN)):
        for v in (15, 19, 25):
            if v == 15 and b > 16:
                continue
            R.case("CastLike", v, [cast_values(a, b), np.zeros((2,), np_type(b))], name="to-" + NAMES[b], prefer="reference")
    for a, b in ((T.FLOAT, T.INT32), (T.INT32, T.FLOAT), (T.DOUBLE, T.INT64), (T.FLOAT16, T.UINT16), (T.INT8, T.UINT8), (T.BFLOAT16, T.INT16)):
        R.case("BitCast", 26, [vals(seeded("bits", a, b), a, (2, 2))], name="to-" + NAMES[b], to=int(b))


def types_of_output(s):
    from recorder import TYPES
    kind = s.outputs[0].type_str
    for c in s.type_constraints:
        if c.type_param_str == kind:
            return [TYPES[x] for x in sorted(c.allowed_type_strs) if x in TYPES]


def cast_values(a, b):
    """Elements of a that are in the range of b."""
    x = [0, 1, 2, 3, 1.5, 2.5, -1, -2, -1.5, 0.75, 0.5]
    if not is_float(a) and a != T.BOOL:
        x = [v for v in x if v == int(v)]
    if a == T.BOOL:
        x = [0, 1]
    unsigned = (T.UINT8, T.UINT16, T.UINT32, T.UINT64, T.UINT4, T.UINT2, T.BOOL, T.FLOAT8E8M0)
    if a in unsigned or b in unsigned:
        x = [v for v in x if v >= 0]
    if a in (T.INT2,) or b in (T.INT2,):
        x = [v for v in x if -2 <= v < 2]
    if T.FLOAT8E8M0 in (a, b):
        x = [1, 2, 4, 0.5] if is_float(a) and (is_float(b)) else [1, 2] if T.BOOL not in (a, b) else [1]
        if T.INT2 in (a, b):
            x = [1]
    return np.array(x).astype(np_type(a))


def cast_prefer(a, b):
    return "reference"


def shapes():
    for v in (1, 5, 13, 14, 19, 21, 23, 24, 25):
        x = vals(seeded("reshape", v), T.FLOAT, (2, 3, 4))
        for shape in ((4, 6), (-1, 2), (0, -1), (0, 0, 4), (2, 0, 2, 2), (24,), (-1,), (1, 0, 4, -1, 1)):
            if np.prod([2 if (s == 0 and i == 0) else 3 if s == 0 and i == 1 else abs(s) for i, s in enumerate(shape)]) and v < 19 or shape == (0, -1):
                R.case("Reshape", v, [x], shape=list(shape), want=[ref_reshape(x, shape)]) if v == 1 else R.case("Reshape", v, [x, I64(*shape)], prefer="reference" if 24 % max(1, 1) == 0 else None, want=[ref_reshape(x, shape)] if shape != (1, 0, 4, -1, 1) else [x.reshape(1, 3, 4, 2, 1)])
    for shape, to in (((0, 3), (3, 0)), ((0, 3, 4), (3, 4, 0)), ((2, 0), (0, 0, 5)), ((0,), (0, 2))):
        for zero in (0, 1):
            if zero == 0 and (len(to) > len(shape)):
                continue
            R.case("Reshape", 14, [np.zeros(shape, np.float32), I64(*to)], name=f"zero{zero}", allowzero=zero)
    R.case("Reshape", 14, [F32(3), np.zeros((0,), np.int64)], name="scalar")
    R.case("Reshape", 14, [np.float32(3), I64(1, 1)], name="scalar")
    R.case("Reshape", 14, [np.float32(3), I64(-1)], name="scalar")
    for t in (T.INT8, T.BOOL, T.FLOAT16, T.BFLOAT16, T.INT4, T.UINT4, T.FLOAT8E4M3FN, T.UINT64):
        x = vals(seeded("moves", t), t, (2, 3))
        R.case("Reshape", 21, [x, I64(3, 2)], prefer="reference")
        R.case("Transpose", 21, [x], perm=[1, 0], prefer="reference")
        R.case("Identity", 21, [x], prefer="reference")
        R.case("Unsqueeze", 21, [x, I64(0, -1)], prefer="reference")
        R.case("Squeeze", 21, [x[:, :1], I64(1)], prefer="reference")
        R.case("Flatten", 21, [x], axis=0, prefer="reference")
        R.case("Shape", 21, [x], prefer="reference")
        R.case("Size", 21, [x], prefer="reference")
    for v in (1, 9, 11, 13, 21):
        for axis in (0, 1, 2, 3, None) + ((-1, -3) if v >= 11 else ()):
            R.case("Flatten", v, [vals(seeded("flatten"), T.FLOAT, (2, 1, 3))], axis=axis)
    R.case("Flatten", 13, [np.float32(2)], name="scalar", axis=0)
    R.case("Flatten", 13, [np.zeros((0, 2, 3), np.float32)], name="empty")
    for v in (1, 11):
        for axes in ([0], [0, 2], [2], None) + (([-1], [-3, -1]) if v == 11 else ()):
            R.case("Squeeze", v, [vals(seeded("squeeze"), T.FLOAT, (1, 3, 1))], axes=axes)
        for axes in ([0], [0, 2], [3], [2, 0]) + (([-1], [-3, 0]) if v == 11 else ()):
            R.case("Unsqueeze", v, [vals(seeded("unsqueeze"), T.FLOAT, (2, 3))], axes=axes if len(axes) > 1 or axes[0] < 3 else [1], prefer="runtime" if axes == [2, 0] else None)
    for v in (13, 21, 25):
        for axes in ([0], [0, 2], [2], [-1], [-3, 2], None):
            R.case("Squeeze", v, [vals(seeded("squeeze"), T.FLOAT, (1, 3, 1))] + ([I64(*axes)] if axes else []))
        for axes in ([0], [0, 2], [-1], [2, 0], [-1, 0, -3]):
            R.case("Unsqueeze", v, [vals(seeded("unsqueeze"), T.FLOAT, (2, 3)), I64(*axes)])
    R.case("Squeeze", 13, [F32([2.0]), np.zeros((0,), np.int64)], name="none", want=[F32([2.0])])
    for v in (1, 13, 21):
        for perm in ([0, 2, 1], [2, 0, 1], [1, 2, 0], None):
            R.case("Transpose", v, [vals(seeded("transpose"), T.FLOAT, (2, 1, 3))], perm=perm)
    R.case("Transpose", 13, [np.float32(1)], name="scalar")
    R.case("Transpose", 13, [np.zeros((2, 0, 3), np.float32)], name="empty", perm=[2, 0, 1])
    for v in (1, 13, 15, 19, 21, 23, 25):
        x = np.zeros((2, 3, 4), np.float32)
        R.case("Shape", v, [x])
        R.case("Size", v if v != 15 else 13, [x])
        for a in (dict(start=1), dict(end=-1), dict(start=-2, end=3), dict(start=5), dict(start=-9, end=1), dict(start=2, end=1), dict(end=9)) if v >= 15 else ():
            R.case("Shape", v, [x], **a)
    R.case("Shape", 15, [np.float32(1)], name="scalar")
    R.case("Size", 13, [np.float32(1)], name="scalar")
    R.case("Size", 13, [np.zeros((0, 3), np.float32)], name="empty")
    for v in (8, 13):
        for shape, to in (((3, 1), (2, 1, 4)), ((3, 1), (3, 4)), ((3, 1), (1,)), ((), (2, 2)), ((1,), ()), ((1, 2), (0, 2)), ((3, 1), (1, 1))):
            x = vals(seeded("expand", shape), T.FLOAT, shape)
            R.case("Expand", v, [x, np.array(to, np.int64)], want=[x * np.ones(to, np.float32)])
    for v, t in each("Expand"):
        R.case("Expand", v, [vals(seeded("expand", t), t, (1, 2)), I64(2, 1)])
    for v, t in each("Tile"):
        x = vals(seeded("tile", t), t, (2, 1))
        if v == 1:
            R.case("Tile", v, [x, np.array(2, np_type(t)), np.array(1, np_type(t))], want=[np.tile(x, (1, 2))]) if t != T.BOOL else None
        else:
            R.case("Tile", v, [x, I64(2, 3)])
    for rep in ((0, 2), (1, 1), (3, 0)):
        R.case("Tile", 13, [F32(1, 2).reshape(1, 2), I64(*rep)], name="zero")
    R.case("Tile", 13, [np.float32(2), np.zeros((0,), np.int64)], name="scalar")


def ref_reshape(x, shape):
    s = list(shape)
    for i, d in enumerate(s):
        if d == 0:
            s[i] = x.shape[i]
    return x.reshape(s)


def joins():
    for v, t in each("Concat"):
        rng = seeded("concat", v, t)
        R.case("Concat", v, [vals(rng, t, (2, 1)), vals(rng, t, (2, 2)), vals(rng, t, (2, 0))], axis=1)
    for axis in (0, -1, -2):
        R.case("Concat", 13, [F32(1, 2).reshape(1, 2), F32(3, 4).reshape(1, 2)], axis=axis)
    R.case("Concat", 1, [F32(1, 2).reshape(1, 2), F32(3, 4).reshape(1, 2)], name="default", want=[F32(1, 2, 3, 4).reshape(1, 4)])
    R.case("Concat", 13, [F32(1)], axis=0, name="one")
    for v, t in each("Split"):
        x = vals(seeded("split", v, t), t, (4, 3))
        if v == 1:
            R.case("Split", v, [x], 2, axis=0, split=[1, 3], want=[x[:1], x[1:]])
            R.case("Split", v, [x, I64(1, 3)], 2, axis=0, want=[x[:1], x[1:]], name="operand") if t == T.FLOAT else None
            R.case("Split", v, [x], 2, want=[x[:2], x[2:]])
        elif v < 13:
            R.case("Split", v, [x], 2, axis=0, split=[1, 3])
            R.case("Split", v, [x], 2)
            R.case("Split", v, [x], 3, axis=1 if v == 2 else -1)
        else:
            R.case("Split", v, [x, I64(0, 1, 2)], 3, axis=1)
            R.case("Split", v, [x, I64(3, 1)], ["", "b"])
            R.case("Split", v, [x], 2, num_outputs=2 if v >= 18 else None)
    for n, size in ((2, 5), (3, 5), (4, 7), (3, 3), (1, 4)):
        x = vals(seeded("uneven", n), T.FLOAT, (size,))
        c = -(-size // n)
        R.case("Split", 18, [x], n, num_outputs=n, name="uneven", want=[x[i * c:(i + 1) * c] for i in range(n)])
    R.case("Split", 13, [np.zeros((0, 2), np.float32), I64(0, 0)], 2, name="empty")


def slices():
    for v in (1,):
        x = vals(seeded("slice"), T.FLOAT, (4, 3))
        for a in (dict(starts=[1], ends=[3]), dict(starts=[0, -2], ends=[-1, 9], axes=[0, 1]), dict(starts=[-9], ends=[2**31 - 1], axes=[1]),
                  dict(starts=[3], ends=[1]), dict(starts=[1], ends=[2], axes=[1])):
            R.case("Slice", v, [x], **a)
    for v, t in each("Slice", since=10):
        x = vals(seeded("slice", v, t), t, (4, 3))
        R.case("Slice", v, [x, I64(0, -1), I64(9, 0), I64(0, 1), I64(2, -1)])
    big, small = 2**63 - 1, -(2**63)
    x = vals(seeded("slices"), T.FLOAT, (5, 4))
    for s, e, a, p in (([1], [4], None, None), ([1, 0], [4, 2], None, None), ([-1], [small], [0], [-1]), ([big], [small], [0], [-2]),
                       ([0], [big], [1], [3]), ([4], [0], [0], [-3]), ([2], [2], [0], None), ([3], [1], [0], None), ([-100], [100], [-1], [2]),
                       ([1], [3], [-2], None), ([5], [9], [0], None), ([0], [5], [0], [big]), ([4], [small], [0], [small + 1]),
                       ([-2], [-4], [0], [-1]), ([0, 1], [2, 3], [1, 0], None), ([9], [-9], [1], [-1]), ([1], [-1], [0], [1]), ([-9], [-10], [0], [-1])):
        for d in (np.int64, np.int32):
            if d == np.int32 and any(abs(v) > 2**31 for v in s + e + (p or [])):
                continue
            for v in (10, 13):
                if v == 10 and (a and min(a) < 0 or d == np.int32):
                    continue
                R.case("Slice", v, [x, np.array(s, d), np.array(e, d)] + ([] if a is None and p is None else [None if a is None else np.array(a, d)]) + ([np.array(p, d)] if p else []), name="range", prefer="runtime" if s == [-9] else None)
    R.case("Slice", 13, [x, I64(1, 1), I64(3, 3), None, I64(1, 2)], name="no-axes")
    R.case("Slice", 13, [np.zeros((0, 3), np.float32), I64(0), I64(2), I64(0), I64(-1)], name="empty")


def creation():
    for v in (9, 20, 21, 24, 25):
        s = [s for s in versions("ConstantOfShape") if s.since_version == v][0]
        R.case("ConstantOfShape", v, [I64(2, 3)])
        R.case("ConstantOfShape", v, [np.zeros((0,), np.int64)], name="scalar", prefer="reference")
        R.case("ConstantOfShape", v, [I64(0, 2)], name="empty")
        for t in types_of_output(s):
            if v not in (21, 24) or t > 16:
                R.case("ConstantOfShape", v, [I64(2)], name=NAMES[t], prefer="reference",
                       value=numpy_helper.from_array(vals(seeded(t, v), t, (1,)), "v"))
    for a, b, c in ((0, 5, 1), (10, 4, -2), (0, 10, 3), (5, 5, 1), (5, 0, 1), (0, -5, 2), (-3, 4, 4)):
        for t in (T.INT32, T.INT64, T.FLOAT, T.DOUBLE, T.INT16):
            R.case("Range", 11, [np.array(v, np_type(t)) for v in (a, b, c)])
    for a, b, c in ((0, 1, 0.125), (0.5, 2, 0.3), (1, 0, -0.3), (0, 1, 0.1)):
        for t in (T.FLOAT, T.DOUBLE):
            R.case("Range", 11, [np.array(v, np_type(t)) for v in (a, b, c)])
    for t in (T.FLOAT16, T.BFLOAT16, T.FLOAT):
        R.case("Range", 27, [np.array(v, np_type(t)) for v in (1, 4, 0.5)], prefer="reference")
    for v, t in each("EyeLike"):
        R.case("EyeLike", v, [vals(seeded(t), t, (3, 4))], k=1)
        R.case("EyeLike", v, [vals(seeded(t), t, (3, 2))], k=-1, dtype=int(T.DOUBLE))
    R.case("EyeLike", 9, [np.zeros((2, 3), np.float32)], k=9)
    for v in (9, 11, 28):
        for ti, td, tv in ((T.INT64, T.INT64, T.FLOAT), (T.FLOAT, T.FLOAT, T.INT32), (T.INT32, T.FLOAT, T.FLOAT), (T.UINT8, T.INT32, T.BOOL), (T.INT64, T.INT64, T.FLOAT16), (T.INT8, T.INT8, T.INT8)):
            for axis in (None, 0, 1) + ((-2,) if v > 9 else ()):
                idx = np.array([0, 3, 2] if ti == T.UINT8 else [0, 2, -1], np_type(ti))
                R.case("OneHot", v, [idx, np.array(3 if v != 9 or True else 3, np_type(td)), np.array([0, 1] if tv == T.BOOL else [2, 5], np_type(tv))], axis=axis, prefer="reference")
        R.case("OneHot", v, [I64(0, 5, -5, -3, 3), np.array([3], np.int64), F32(0, 1)], name="beyond", prefer="runtime" if v < 28 else None)
    for v, t in each("Trilu"):
        R.case("Trilu", v, [vals(seeded("trilu", t), t, (3, 4)), np.array(1, np.int64)], upper=int(t % 2))
    for k in (-5, -1, 0, 2, 9):
        for upper in (0, 1, None):
            R.case("Trilu", 14, [vals(seeded("trilu"), T.FLOAT, (2, 3, 3)), np.array(k, np.int64)], upper=upper)
    R.case("Trilu", 14, [np.zeros((2, 0, 3), np.float32)], name="empty")
    R.case("Trilu", 14, [F32(1, 2, 3, 4).reshape(2, 2)])
    for v in (1, 9, 11, 12, 13, 19, 21, 25):
        R.case("Constant", v, [], value=numpy_helper.from_array(F32(1, 2), "v"))
        if v >= 12:
            R.case("Constant", v, [], value_int=-7)
            R.case("Constant", v, [], value_ints=[1, 2**40])
            R.case("Constant", v, [], value_ints=np.array([], np.int64)) if False else None
            R.case("Constant", v, [], value_float=0.1)
            R.case("Constant", v, [], value_floats=[1.5, -2.25])
    for t in (T.BFLOAT16, T.FLOAT16, T.INT4, T.UINT4, T.FLOAT8E5M2, T.BOOL, T.UINT64, T.DOUBLE):
        R.case("Constant", 25, [], value=numpy_helper.from_array(vals(seeded("constant", t), t, (3,)), "v"), name=NAMES[t], prefer="reference")
    sparse = helper.make_sparse_tensor(numpy_helper.from_array(F32(1, 2, 3), "v"), numpy_helper.from_array(I64(0, 4, 5), "i"), [2, 3])
    R.case("Constant", 13, [], name="sparse", sparse_value=sparse, want=[F32(1, 0, 0, 0, 2, 3).reshape(2, 3)])
    sparse = helper.make_sparse_tensor(numpy_helper.from_array(F32(1, 2), "v"), numpy_helper.from_array(I64(0, 1, 1, 2).reshape(2, 2), "i"), [2, 3])
    R.case("Constant", 13, [], name="sparse", sparse_value=sparse, want=[F32(0, 1, 0, 0, 0, 2).reshape(2, 3)])


def reductions():
    for op in "Sum Prod Mean Max Min L1 L2 SumSquare LogSum LogSumExp".split():
        op = "Reduce" + op
        lo, hi = (1, 3) if "Log" in op or "Prod" in op else (-4, 4)
        since = 13 if op == "ReduceSum" else 18
        for v, t in each(op):
            x = vals(seeded(op, v, t), t, (2, 3), lo, hi)
            if v < since:
                p = "reference" if op == "ReduceLogSumExp" and not is_float(t) else None
                R.case(op, v, [x], axes=[1], prefer=p)
                R.case(op, v, [x], keepdims=0, prefer=p)
            else:
                p = "reference" if op == "ReduceLogSumExp" and not is_float(t) else None  # the runtime's is that of integers
                R.case(op, v, [x, I64(1)], prefer=p)
                R.case(op, v, [x], keepdims=0, prefer=p)
        x = vals(seeded(op), T.FLOAT, (2, 3, 2), lo, hi)
        for axes in ([0, 2], [1], [0, 1, 2], [-1], [-1, 0]):
            for keep in (0, 1):
                for v in (11, 18):
                    if v == 11 and keep:
                        continue
                    if op == "ReduceSum" and v == 18:
                        v = 13
                    ins, a = ([x], dict(axes=axes)) if v < since else ([x, I64(*axes)], {})
                    R.case(op, v, ins, name="axes", keepdims=keep, **a)
        v = since
        R.case(op, v, [x, np.zeros((0,), np.int64)], name="none")
        R.case(op, v, [x, np.zeros((0,), np.int64)], name="noop", noop_with_empty_axes=1, prefer="reference")
        R.case(op, v, [x], name="noop", noop_with_empty_axes=1, prefer="reference")
        R.case(op, v, [np.float32(2)], name="scalar")
        R.case(op, v, [np.float32(2)], name="scalar", keepdims=0)
        if op != "ReduceMean":
            for axes, keep in (([1], 1), ([1], 0), ([0], 1), ([0, 1], 0)):
                R.case(op, v, [np.zeros((2, 0), np.float32), I64(*axes)], name="empty", keepdims=keep, prefer="reference")
        R.case(op, v, [F32(np.nan, 1, np.inf, 2).reshape(2, 2), I64(1)], name="special")
        R.case(op, v, [F32(-np.inf, -np.inf, 1e30, 1e30).reshape(2, 2), I64(1)], name="special", prefer="runtime") if op in ("ReduceLogSumExp", "ReduceMax", "ReduceSum") else None
        for t in types(versions(op)[-1]):
            if not is_float(t) and t != T.BOOL and (op, t) != ("ReduceMean", T.INT64) and op in ("ReduceSum", "ReduceProd", "ReduceSumSquare", "ReduceL1", "ReduceMax", "ReduceMin", "ReduceMean"):
                m = np.iinfo(np_type(t))
                R.case(op, versions(op)[-1].since_version, [np.array([m.max, m.max - 1, 5, m.min + 1], np_type(t))], name="wraps", keepdims=0, prefer="reference" if op != "ReduceSumSquare" else None, want=[np.array(sum(v * v for v in (int(m.max), int(m.max) - 1, 5, int(m.min) + 1)) % 2**(8 * np_type(t).itemsize), np.uint64).astype(np_type(t))] if op == "ReduceSumSquare" else None)
    for op in ("ArgMax", "ArgMin"):
        for v, t in each(op):
            R.case(op, v, [vals(seeded(op, v, t), t, (3, 4))], axis=1)
        x = np.array([[1, 3, 3, 1], [2, 2, 2, 2], [0, -1, 5, -1]], np.float32)
        for v in (1, 11, 12, 13):
            for axis in (0, 1, None) + ((-1,) if v > 1 else ()):
                for last in (None, 0, 1) if v >= 12 else (None,):
                    R.case(op, v, [x], name="ties", axis=axis, keepdims=0 if axis else 1, select_last_index=last)
        R.case(op, 13, [F32(1, np.nan, 3, np.nan)], name="special", axis=0, prefer="reference")
    for op in ("CumSum", "CumProd"):
        for v, t in each(op):
            R.case(op, v, [vals(seeded(op, v, t), t, (2, 3), -2, 2), np.array(1, np.int32)])
        v = versions(op)[-1].since_version
        for exclusive in (0, 1):
            for reverse in (0, 1):
                for axis in (0, -1):
                    R.case(op, v, [vals(seeded(op), T.FLOAT, (2, 3), 0.5, 2), np.array(axis, np.int64)], name="attrs", exclusive=exclusive, reverse=reverse)
        R.case(op, v, [np.zeros((2, 0), np.float32), np.array(1, np.int32)], name="empty")
        R.case(op, v, [vals(seeded(op), T.INT64, (3,), 1, 4), np.array([0], np.int64)], name="axis-vector")
    for op in ("Softmax", "LogSoftmax", "Hardmax"):
        for v, t in each(op):
            R.case(op, v, [vals(seeded(op, v, t), t, (2, 3))]) if t in (T.FLOAT, T.DOUBLE) or op != "LogSoftmax" else None  # their rounding differs
        x = vals(seeded(op), T.FLOAT, (2, 3, 2))
        for v in (1, 11, 13):
            for axis in (0, 1, 2, None) + ((-1, -2) if v > 1 else ()):
                R.case(op, v, [x], name="axis", axis=axis, prefer="runtime" if v < 13 else None)
        R.case(op, 13, [F32(1e3, -1e3, 999, np.inf).reshape(2, 2)], name="special", prefer="runtime")
        R.case(op, 13, [F32(-np.inf, 0, 1, -np.inf).reshape(2, 2)], name="special")
        R.case(op, 13, [F32(2, 2, 1, 2).reshape(2, 2)], name="ties")
        R.case(op, 13, [np.zeros((0, 3), np.float32)], name="empty")


def indices():
    for v, t in each("Gather"):
        R.case("Gather", v, [vals(seeded("gather", v, t), t, (3, 2)), I64(0, 2)])
    x = vals(seeded("gathers"), T.FLOAT, (3, 4, 2))
    for v in (1, 11, 13):
        for axis in (0, 1, 2) + ((-1,) if v > 1 else ()):
            for at in (np.int64(1), I64(0, 1), I64([0, 1], [1, 0]), np.zeros((0,), np.int64), np.array([1], np.int32)) + ((I64(-1, -2), np.int64(-2)) if v > 1 else ()):
                R.case("Gather", v, [x, at], name="at", axis=axis)
    for v, t in each("GatherElements"):
        R.case("GatherElements", v, [vals(seeded("ge", v, t), t, (2, 3)), I64([0, 2], [1, 1])], axis=1)
    for axis, at in ((0, I64([2, 0, 1])), (0, I64([-1, -3, 0], [1, 1, 1])), (1, I64([3, -4]).reshape(1, 2)), (-1, I64([0, 1, 2, 3, -1]).reshape(1, 5)), (0, np.zeros((0, 4), np.int64))):
        R.case("GatherElements", 13, [vals(seeded("ge"), T.FLOAT, (3, 4)), at.reshape(1, -1) if at.ndim == 1 else at], name="at", axis=axis)
    R.case("GatherElements", 13, [vals(seeded("ge"), T.FLOAT, (3, 4)), np.array([[0, 1]], np.int32)], name="s32", axis=1)
    for v, t in each("GatherND"):
        R.case("GatherND", v, [vals(seeded("gnd", v, t), t, (2, 3)), I64([0, 2], [1, 1])])
    x = vals(seeded("gnd"), T.FLOAT, (2, 3, 2))
    for at, batch in ((I64([1], [0]), 0), (I64([1, -1], [-2, 0]), 0), (I64([[0, 1, 1]], [[1, 2, 0]]), 0), (I64([1], [2]), 1), (I64([[1, 0], [2, 1]], [[0, 0], [0, 1]]), 1), (I64([[0], [1], [0]], [[1], [1], [0]]), 2)):
        R.case("GatherND", 12, [x, at], name="at", batch_dims=batch)
    for op, since in (("Scatter", 9), ("ScatterElements", 11)):
        for v, t in each(op):
            R.case(op, v, [vals(seeded(op, v, t), t, (3, 3)), I64([0, 2], [1, 0]), vals(seeded(op, "u", t), t, (2, 2))], axis=1, prefer="reference" if op != "Scatter" else None, want=[scatter(vals(seeded(op, v, t), t, (3, 3)), I64([0, 2], [1, 0]), vals(seeded(op, "u", t), t, (2, 2)), 1, "none")] if op == "Scatter" else None)
    for v, reductions in ((16, ("none", "add", "mul")), (18, ("none", "add", "mul", "max", "min"))):
        for how in reductions:
            for t in (T.FLOAT, T.INT32, T.INT64, T.FLOAT16, T.UINT8, T.DOUBLE, T.INT8, T.BOOL):
                if t == T.BOOL and how in ("add", "mul"):
                    continue
                x, u = vals(seeded("se", t), t, (3, 3)), vals(seeded("ue", t), t, (2, 3))
                at = I64([0, 1, -1], [0, 2, 2]) if how != "none" else I64([0, 1, -1], [1, 0, 0])
                R.case("ScatterElements", v, [x, at, u], name=how, axis=0, reduction=how, want=[scatter(x, at, u, 0, how)])
                nd = I64([0], [-1]) if how == "none" else I64([1], [1])
                R.case("ScatterND", v, [x, nd, u], name=how, reduction=how, want=[scatter_nd(x, nd, u, how)])
                nd = I64([0, 1], [2, 2], [0, 1]) if how != "none" else I64([0, 1], [2, -2], [1, 1])
                R.case("ScatterND", v, [x, nd, u[0]], name=how, reduction=how, want=[scatter_nd(x, nd, u[0], how)])
    R.case("ScatterElements", 18, [vals(seeded(1), T.FLOAT, (3,)), np.array([1, 1], np.int32), F32(2, 3)], name="s32", reduction="add")
    R.case("ScatterElements", 18, [vals(seeded(1), T.FLOAT, (3,)), np.zeros((0,), np.int64), F32()], name="empty")
    R.case("ScatterND", 18, [vals(seeded(1), T.FLOAT, (3, 2)), np.zeros((0, 1), np.int64), np.zeros((0, 2), np.float32)], name="empty")
    for v, t in each("ScatterND"):
        if t != T.BOOL:
            R.case("ScatterND", v, [vals(seeded("snd", v, t), t, (4,)), I64([1], [3]), vals(seeded("sndu", t), t, (2,))])
    for v, t in each("TopK"):
        x = vals(seeded("topk", v, t), t, (2, 5), -9, 9)
        if v == 1:
            R.case("TopK", v, [x], 2, k=3)
            R.case("TopK", v, [x], 2, k=1, axis=0) if t == T.FLOAT else None
        else:
            R.case("TopK", v, [x, I64(3)], 2)
            if v >= 11:
                R.case("TopK", v, [x, I64(3)], 2, largest=0)
    x = F32([3, 1, 3, 2, 1], [0, 0, 0, 0, 0])
    for largest in (0, 1):
        for axis in (0, 1, -1):
            for k in (0, 1, 2):
                R.case("TopK", 11, [x, I64(k)], 2, name="ties", largest=largest, axis=axis)
        R.case("TopK", 11, [F32(1, np.inf, -np.inf, 5), I64(4)], 2, name="special", largest=largest)
        R.case("TopK", 11, [F32(4, 1, 3), I64(2)], ["", "i"], name="index", largest=largest)
    for v, t in each("Unique"):
        R.case("Unique", v, [vals(seeded("unique", t), t, (7,), -2, 2)], 4) if t in (T.FLOAT, T.DOUBLE, T.INT64, T.INT8) or v == 11 else None
    x = F32([1, 0, 0], [1, 0, 0], [2, 3, 4])
    for a in (dict(), dict(sorted=0), dict(axis=0), dict(axis=1), dict(axis=-1, sorted=0), dict(axis=0, sorted=0)):
        R.case("Unique", 11, [x], 4, name="attrs", **a)
        R.case("Unique", 11, [x], ["y", "", "inv"], name="some", **a)
    R.case("Unique", 11, [F32()], 4, name="empty", prefer="reference")
    for v, t in each("NonZero"):
        R.case("NonZero", v, [vals(seeded("nz", t), t, (2, 3), -1, 1)])
    R.case("NonZero", 13, [F32(0, 0)], name="zeros")
    R.case("NonZero", 13, [np.zeros((0, 2), np.float32)], name="empty")
    # The definition: a scalar gives the shape (0, N), not (1, N) as in NumPy.
    R.case("NonZero", 13, [np.float32(3)], name="scalar", want=[np.zeros((0, 1), np.int64)])
    R.case("NonZero", 13, [np.float32(0)], name="scalar", want=[np.zeros((0, 0), np.int64)])
    R.case("NonZero", 13, [F32(np.nan, -0.0, 1e-40)], name="special")
    for v, t in each("Compress"):
        R.case("Compress", v, [vals(seeded("compress", t), t, (3, 2)), np.array([0, 1, 1], bool)], axis=0)
    for c, axis in (([0, 1, 0, 0, 1], None), ([1], 0), ([0, 0], 1), ([1, 1], -1), ([0, 1, 1, 1, 1, 1], None)):
        if axis == -1:
            R.case("Compress", 11, [vals(seeded("c"), T.FLOAT, (3, 2)), np.array(c, bool)], name="attrs", axis=axis)
        else:
            R.case("Compress", 11, [vals(seeded("c"), T.FLOAT, (3, 2)), np.array(c, bool)], name="attrs", axis=axis)
    for v, t in each("ReverseSequence"):
        R.case("ReverseSequence", v, [vals(seeded("rs", t), t, (3, 2)), I64(2, 3)])
    for b, tm in ((0, 1), (1, 0), (None, None)):
        R.case("ReverseSequence", 10, [vals(seeded("rs"), T.FLOAT, (3, 3, 2)), I64(1, 2, 3)], name="axes", batch_axis=b, time_axis=tm)
    R.case("ReverseSequence", 10, [vals(seeded("rs"), T.FLOAT, (3, 2)), I64(0, 1)], name="zero")
    boxes = F32([[0, 0, 1, 1], [0, 0.1, 1, 1.1], [0, -0.1, 1, 0.9], [0, 10, 1, 11], [0, 10.1, 1, 11.1], [1, 101, 0, 100]])
    scores = F32([[0.9, 0.75, 0.6, 0.95, 0.5, 0.3], [0.1, 0.9, 0.3, 0.3, 0.6, 0.6]]).reshape(1, 2, 6)
    for most, iou, score, center in ((3, 0.5, 0, 0), (3, 0.5, 0.4, 0), (0, 0.5, 0, 0), (1, 0, None, 0), (30, 0.9, None, 1), (2, None, None, 0), (9, 1, 0.6, 0)):
        for v in (10, 11):
            ins = [boxes, scores, I64(most)] + ([F32(iou)] if iou is not None else []) + ([F32(score)] if score is not None else [])
            R.case("NonMaxSuppression", v, ins, center_point_box=center)
    R.case("NonMaxSuppression", 11, [boxes, scores], name="no-limit", want=[np.zeros((0, 3), np.int64)])
    R.case("NonMaxSuppression", 11, [boxes, scores, I64(3), None, F32(0.6)], name="no-iou")
    for axis in (-2, 1, 2):
        for mode in ("linear", "circular"):
            cache, update = vals(seeded("ts", axis), T.FLOAT, (2, 4, 4)), vals(seeded("tu", axis), T.FLOAT, (2, 2, 4) if axis != 2 else (2, 4, 2))
            R.case("TensorScatter", 24, [cache, update, I64(1, 2)], axis=axis, mode=mode)
            if mode == "circular":
                R.case("TensorScatter", 24, [cache, update, I64(3, 6)], name="around", axis=axis, mode=mode)
            R.case("TensorScatter", 24, [cache, update], name="start", axis=axis, mode=mode)


def scatter(x, at, u, axis, how):
    y = x.copy()
    f = combine(how)
    for i in np.ndindex(at.shape):
        j = list(i)
        j[axis] = at[i]
        y[tuple(j)] = f(y[tuple(j)], u[i])
    return y


def scatter_nd(x, at, u, how):
    y = x.copy()
    f = combine(how)
    for i in np.ndindex(at.shape[:-1]):
        p = tuple(at[i])
        y[p] = f(y[p], u[i])
    return y


def combine(how):
    return {"none": lambda a, b: b, "add": lambda a, b: (a + b).astype(a.dtype), "mul": lambda a, b: (a * b).astype(a.dtype), "max": np.maximum, "min": np.minimum}[how]


def pads():
    x = vals(seeded("pad"), T.FLOAT, (3, 4))
    for mode in ("constant", "reflect", "edge", None):
        R.case("Pad", 1, [x], paddings=[1, 0, 2, 1], mode=mode, value=1.5 if mode == "constant" else None)
        R.case("Pad", 2, [x], pads=[1, 0, 2, 1], mode=mode, value=1.5 if mode == "constant" else None)
        for v in (11, 13, 18):
            R.case("Pad", v, [x, I64(1, 2, 2, 3)] + ([np.float32(-1.5)] if mode == "constant" else []), mode=mode)
    R.case("Pad", 2, [x], pads=[-1, 0, 1, -2], name="negative", want=[np.pad(x[1:, :2], ((0, 1), (0, 0)))])
    for v in (11, 18):
        R.case("Pad", v, [x, I64(-1, 1, 1, -2)], name="negative", want=[np.pad(x[1:, :2], ((0, 1), (1, 0)))])
        R.case("Pad", v, [x, I64(-1, 1, 1, -2)], name="negative-edge", mode="edge", want=[np.pad(x[1:, :2], ((0, 1), (1, 0)), "edge")])
        R.case("Pad", v, [x, I64(-1, 1, 1, -2)], name="negative-reflect", mode="reflect", want=[np.pad(x[1:, :2], ((0, 1), (1, 0)), "reflect")])
    for v in (19, 21, 25):
        R.case("Pad", v, [x, I64(1, 2, 2, 3)], mode="wrap")
        R.case("Pad", v, [x, I64(4, 5, 7, 9)], mode="wrap", name="around", prefer="reference")
    for mode in ("constant", "reflect", "edge"):
        for axes in ([0], [1], [-1], [1, 0]):
            p = I64(*([1] * len(axes) + [2] * len(axes)))
            R.case("Pad", 18, [x, p, None, I64(*axes)], name="axes", mode=mode)
            R.case("Pad", 18, [x, p, None, np.array(axes, np.int32)], name="axes", mode=mode)
    for v, t in each("Pad", since=11):
        c = np.array(1, np_type(t))
        R.case("Pad", v, [vals(seeded("pad", v, t), t, (2, 2)), I64(0, 1, 1, 0), c], prefer="reference" if t > 16 else None)
        if v in (13, 25) and t <= 16:
            R.case("Pad", v, [vals(seeded("pad", v, t), t, (2, 2)), I64(0, 1, 1, 0)], mode="edge")
    R.case("Pad", 13, [np.zeros((0, 2), np.float32), I64(1, 0, 1, 1)], name="empty")
    R.case("Pad", 13, [np.zeros((0, 2), np.float32), I64(0, 1, 0, 1)], name="empty-edge", mode="edge")
    R.case("Pad", 13, [np.float32(2), np.zeros((0,), np.int64)], name="scalar")
    R.case("Pad", 13, [x, I64(0, 0, 0, 0), None], name="nothing")
    for v, t in each("DepthToSpace"):
        if t not in (T.FLOAT, T.DOUBLE, T.FLOAT16, T.INT8, T.UINT8) or v == 11:
            continue
        R.case("DepthToSpace", v, [vals(seeded("d2s", v, t), t, (1, 8, 1, 2))], blocksize=2)
    for mode in ("DCR", "CRD"):
        R.case("DepthToSpace", 13, [vals(seeded("d2s"), T.FLOAT, (2, 8, 2, 1))], blocksize=2, mode=mode)
        R.case("SpaceToDepth", 28, [vals(seeded("s2d"), T.FLOAT, (2, 2, 2, 4))], blocksize=2, mode=mode)
    for v, t in each("SpaceToDepth"):
        if t in (T.FLOAT, T.DOUBLE, T.FLOAT16, T.INT8, T.UINT8):
            R.case("SpaceToDepth", v, [vals(seeded("s2d", v, t), t, (1, 2, 2, 4))], blocksize=2)
    for shape, to, axes in (((5, 4), (3, 3), None), ((3, 2), (4, 5), None), ((5, 4, 3), (4, 6), [0, 2]), ((5, 4), (2,), [-1]), ((4, 4), (7, 1), None), ((3, 3), (4, 2), [1, 0])):
        for t in (T.FLOAT, T.INT32):
            R.case("CenterCropPad", 18, [vals(seeded("ccp", shape), t, shape), I64(*to)], axes=axes)


def sequences():
    a, b, c = F32(1, 2), F32([3, 4], [5, 6]), F32(7)
    for p in (0, 1, -1, -3):
        R.case("SequenceAt", 11, [[a, b, c], np.array(p, np.int64)])
        R.case("SequenceErase", 11, [[a, b, c], np.array(p, np.int64)])
        R.case("SequenceInsert", 11, [[a, b, c], c, np.array(p, np.int64)])
    R.case("SequenceAt", 11, [[a, a * 2], np.array(1, np.int32)])
    R.case("SequenceInsert", 11, [[a, b], c, np.array(2, np.int64)], name="end", prefer="runtime")
    R.case("SequenceInsert", 11, [[a, b], c])
    R.case("SequenceErase", 11, [[a, b, c]])
    R.case("SequenceLength", 11, [[a, b, c]])
    R.case("SequenceConstruct", 11, [a, b, c], want=[[a, b, c]])
    for t in (T.INT64, T.BOOL, T.FLOAT16):
        x = vals(seeded("seq", t), t, (2,))
        R.case("SequenceConstruct", 11, [x, x], want=[[x, x]])
    for new in (0, 1):
        for axis in (0, 1, -1) + ((-2,) if new else ()):
            R.case("ConcatFromSequence", 11, [[b, b * 2, b + 1]], axis=axis, new_axis=new)
    for axis in (0, 1, -1):
        for keep in (0, 1, None):
            R.case("SplitToSequence", 11, [b], axis=axis, keepdims=keep)
            R.case("SplitToSequence", 11, [b, np.array(1, np.int64)], axis=axis, keepdims=keep, prefer="reference")
            R.case("SplitToSequence", 11, [b, I64(1, 1)], axis=axis, keepdims=keep)
    x = vals(seeded("sts"), T.FLOAT, (5, 2))
    R.case("SplitToSequence", 11, [x, np.array(2, np.int64)], name="uneven")
    R.case("SplitToSequence", 11, [x, np.array(2, np.int32)], name="uneven")
    R.case("SplitToSequence", 11, [x, I64(1, 0, 4)], name="sizes", want=[[x[:1], x[1:1], x[1:]]])
    R.case("SplitToSequence", 24, [x.astype(np_type(T.BFLOAT16)), I64(1, 4)], prefer="reference")
    R.case("OptionalHasElement", 15, [a], want=[np.array(True)])
    R.case("OptionalHasElement", 18, [a])
    R.case("OptionalHasElement", 18, [None], want=[np.array(False)])
    R.case("OptionalHasElement", 18, [], want=[np.array(False)])
    R.case("OptionalGetElement", 18, [a])
    R.case("OptionalGetElement", 18, [[a, c]], want=[[a, c]])
    R.case("Optional", 15, [a], want=[a])
    R.case("SequenceLength", 11, [[]], want=[np.array(0, np.int64)])


def graph(nodes, ins, outs, inits=()):
    any_type = lambda n: helper.make_tensor_value_info(*n) if isinstance(n, tuple) else helper.make_tensor_value_info(n, T.FLOAT, None)
    return helper.make_graph(list(nodes), "body", [any_type(n) for n in ins], [any_type(n) for n in outs],
                             initializer=[numpy_helper.from_array(np.asarray(v), k) for k, v in inits])


def control():
    N = helper.make_node
    x = F32([1, 2, 3], [4, 5, 6])
    for v in (1, 11, 25):
        then = graph([N("Constant", [], ["a"], value=numpy_helper.from_array(F32(1, 2), "v"))], [], ["a"])
        other = graph([N("Constant", [], ["b"], value=numpy_helper.from_array(F32(3, 4, 5), "v"))], [], ["b"])
        for c in (True, False):
            R.case("If", v, [np.array(c)], then_branch=then, else_branch=other)
            R.case("If", v, [np.array([c])], then_branch=then, else_branch=other)
    # Loop: M, cond, carried.
    b, i = ("c", T.BOOL, ()), ("i", T.INT64, ())
    for v in (1, 11, 25):
        body = graph([N("Identity", ["c"], ["c2"]), N("Cast", ["i"], ["fi"], to=1), N("Add", ["s", "fi"], ["s2"]), N("Mul", ["s2", "two"], ["o"])],
                     [i, b, ("s", T.FLOAT, (2,))], [("c2", T.BOOL, ()), ("s2", T.FLOAT, (2,)), ("o", T.FLOAT, (2,))], [("two", np.float32(2))])
        for m in (0, 1, 4):
            R.case("Loop", v, [np.array(m, np.int64), np.array(True), F32(1, 2)], 2, body=body, name="counted", like=None if v > 1 else (13, [np.array(m, np.int64), np.array(True), F32(1, 2)]), prefer="runtime")
        R.case("Loop", v, [np.array(3, np.int64), None, F32(1, 2)], 2, body=body, name="no-cond", like=(13, [np.array(3, np.int64), np.array(True), F32(1, 2)]))
        R.case("Loop", v, [np.array(3, np.int64), np.array(False), F32(1, 2)], 2, body=body, name="false", like=None if v > 1 else (13, [np.array(3, np.int64), np.array(False), F32(1, 2)]), prefer="runtime")
    # A condition that ends it: s < 20.
    stop = graph([N("Add", ["s", "s"], ["s2"]), N("ReduceMax", ["s2"], ["m"], keepdims=0), N("Less", ["m", "limit"], ["c2"]), N("Identity", ["s2"], ["o"])],
                 [i, b, ("s", T.FLOAT, (2,))], [("c2", T.BOOL, ()), ("s2", T.FLOAT, (2,)), ("o", T.FLOAT, (2,))], [("limit", np.float32(20))])
    last = graph([n for n in stop.node if n.op_type != "Identity"], [i, b, ("s", T.FLOAT, (2,))], [("c2", T.BOOL, ()), ("s2", T.FLOAT, (2,))], [("limit", np.float32(20))])
    for v in (11, 16):
        for m in (np.array(100, np.int64), None, np.array(2, np.int64)):
            for c in (np.array(True), None):
                if m is None and c is None:
                    continue
                R.case("Loop", v, [m, c, F32(1, 3)], 2, body=stop, name="ends", prefer="runtime")
                R.case("Loop", v, [m, c, F32(1, 3)], 1, body=last, name="ends-state", prefer="runtime")
    # A state that grows.
    grow = graph([N("Identity", ["c"], ["c2"]), N("Concat", ["s", "one"], ["s2"], axis=0)], [i, b, ("s", T.FLOAT, None)],
                 [("c2", T.BOOL, ()), ("s2", T.FLOAT, None)], [("one", F32(9))])
    for m in (0, 3, 70):
        R.case("Loop", 13, [np.array(m, np.int64), np.array(True), F32(1, 2)], 1, body=grow, name="grows")
    # No state, and results of a loop alone.
    alone = graph([N("Identity", ["c"], ["c2"]), N("Identity", ["i"], ["o"])], [i, b], [("c2", T.BOOL, ()), ("o", T.INT64, ())])
    R.case("Loop", 13, [np.array(3, np.int64), np.array(True)], 1, body=alone, name="alone", prefer="runtime")
    R.case("Loop", 13, [np.array(0, np.int64), np.array(True)], 1, body=alone, name="alone", want=[np.zeros((0,), np.int64)])
    # Scan: sums along rows.
    body = graph([N("Add", ["s", "x"], ["s2"]), N("Mul", ["s2", "x"], ["o"])], [("s", T.FLOAT, (2,)), ("x", T.FLOAT, (2,))],
                 [("s2", T.FLOAT, (2,)), ("o", T.FLOAT, (2,))])
    rows = F32([1, 2], [3, 4], [5, 6])
    for v in (9, 11, 16, 21, 25):
        R.case("Scan", v, [F32(0, 1), rows], 2, body=body, num_scan_inputs=1)
        R.case("Scan", v, [F32(0, 1), rows], 2, body=body, num_scan_inputs=1, scan_input_directions=[1])
        R.case("Scan", v, [F32(0, 1), rows], 2, body=body, num_scan_inputs=1, scan_output_directions=[1])
        R.case("Scan", v, [F32(0, 1), rows.T.copy()], 2, body=body, num_scan_inputs=1, scan_input_axes=[1], scan_output_axes=[1])
        if v > 9:
            R.case("Scan", v, [F32(0, 1), rows.T.copy()], 2, body=body, num_scan_inputs=1, scan_input_axes=[-1], scan_output_axes=[-1])
    R.case("Scan", 9, [F32(0, 1), np.zeros((0, 2), np.float32)], 2, body=body, num_scan_inputs=1, name="empty", want=[F32(0, 1), np.zeros((0, 2), np.float32)])
    batch = np.stack([rows, rows * 2])
    R.case("Scan", 8, [None, F32([0, 1], [1, 0]), batch], 2, body=body, num_scan_inputs=1)
    R.case("Scan", 8, [None, F32([0, 1], [1, 0]), batch], 2, body=body, num_scan_inputs=1, directions=[1])
    R.case("Scan", 8, [I64(3, 2), F32([0, 1], [1, 0]), batch], 2, body=body, num_scan_inputs=1, name="lengths")
    two = graph([N("Mul", ["x", "y"], ["p"]), N("Add", ["p", "s"], ["s2"]), N("Neg", ["p"], ["o"])], [("s", T.FLOAT, ()), ("x", T.FLOAT, ()), ("y", T.FLOAT, ())],
                [("s2", T.FLOAT, ()), ("p", T.FLOAT, ()), ("o", T.FLOAT, ())])
    R.case("Scan", 16, [np.float32(0), F32(1, 2, 3), F32(4, 5, 6)], 3, body=two, num_scan_inputs=2, scan_input_directions=[0, 1])
    # SequenceMap: a tensor beside the sequence, and two sequences.
    one = graph([N("Add", ["x", "y"], ["z"])], ["x", "y"], ["z"])
    R.case("SequenceMap", 17, [[F32(1, 2), F32(3)], F32(10)], body=one, want=[[F32(11, 12), F32(13)]])
    R.case("SequenceMap", 17, [[F32(1, 2), F32(3)], [F32(1), F32(2)]], body=one, want=[[F32(2, 3), F32(5)]])
    pair = graph([N("Neg", ["x"], ["z"]), N("Shape", ["x"], ["s"])], ["x"], ["z", ("s", T.INT64, None)])
    R.case("SequenceMap", 17, [[F32(1, 2), F32(3)]], 2, body=pair, want=[[F32(-1, -2), F32(-3)], [I64(2), I64(1)]])


def training():
    d = "ai.onnx.preview.training"
    rng = seeded("training")
    f = lambda *s: vals(rng, T.FLOAT, s, 0.5, 2)
    for step in (0, 3):
        s = np.array(step, np.int64)
        R.case("Adagrad", 1, [np.float32(0.1), s, f(2), f(2), f(2)], 2, domain=d, norm_coefficient=0.01, epsilon=1e-4, decay_factor=0.1)
        R.case("Adagrad", 1, [np.float32(0.1), s, f(2), f(1), f(2), f(1), f(2), f(1)], 4, domain=d)
        R.case("Adam", 1, [np.float32(0.1), s, f(2), f(2), f(2), f(2)], 3, domain=d, norm_coefficient=0.01, alpha=0.9, beta=0.9, epsilon=1e-4, norm_coefficient_post=0.1)
        R.case("Adam", 1, [np.float32(0.1), s, f(2), f(1), f(2), f(1), f(2), f(1), f(2), f(1)], 6, domain=d)
        for mode in ("standard", "nesterov"):
            R.case("Momentum", 1, [np.float32(0.1), s, f(2), f(2), f(2)], 2, domain=d, norm_coefficient=0.01, alpha=0.9, beta=0.5, mode=mode)
            R.case("Momentum", 1, [np.float32(0.1), s, f(2), f(1), f(2), f(1), f(2), f(1)], 4, domain=d, norm_coefficient=0.0, alpha=0.9, beta=1.0, mode=mode)


def dropout():
    x = vals(seeded("dropout"), T.FLOAT, (2, 3))
    ones = np.ones((2, 3), bool)
    R.case("Dropout", 1, [x], is_test=1, want=[x])
    R.case("Dropout", 6, [x], is_test=1, want=[x])
    R.case("Dropout", 7, [x], 2, ratio=0.3, want=[x, np.ones((2, 3), np.float32)])
    R.case("Dropout", 10, [x], 2, want=[x, ones])
    for v in (12, 13, 22):
        R.case("Dropout", v, [x, np.float32(0.3)], 2, want=[x, ones])
        R.case("Dropout", v, [x, None, np.array(False)], want=[x])
        R.case("Dropout", v, [x, np.float32(0), np.array(True)], 2, want=[x, ones])


for f in (unary, binary, variadic, clip, where, casts, shapes, joins, slices, creation, reductions, indices, pads, sequences, control, training, dropout):
    f()
R.write(sys.argv[1], "Written by cases/ops.py: see cases/recorder.py for the form.")
