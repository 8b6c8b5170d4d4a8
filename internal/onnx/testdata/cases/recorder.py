"""Records answers for models of one node in a text file, a line each, which nodes_test.go reads.

A line is NAME | OP VERSION ATTRIBUTES | INPUTS | OUTPUTS. A tensor is TYPE[SIZES]:ELEMENTS, {...} is a sequence, "none"
an optional value that is absent, "_" an input or output that is left out.

The answer is that of ONNX's reference implementation and of ONNX Runtime where they agree, or that of the only one that
has an answer. Where they differ, or none has one, the case needs an answer of its own (want)."""
import base64
import functools
import os
import pickle
import re
import signal
import warnings

import ml_dtypes
import numpy as np
import onnx
import onnxruntime as ort
from onnx import AttributeProto as A
from onnx import TensorProto as T
from onnx import helper, numpy_helper
from onnx.reference import ReferenceEvaluator

warnings.filterwarnings("ignore")
np.seterr(all="ignore")
ort.set_default_logger_severity(4)

NAMES = {T.FLOAT: "f32", T.UINT8: "u8", T.INT8: "s8", T.UINT16: "u16", T.INT16: "s16", T.INT32: "s32", T.INT64: "s64",
         T.BOOL: "bool", T.FLOAT16: "f16", T.DOUBLE: "f64", T.UINT32: "u32", T.UINT64: "u64", T.BFLOAT16: "bf16",
         T.FLOAT8E4M3FN: "f8e4m3fn", T.FLOAT8E4M3FNUZ: "f8e4m3fnuz", T.FLOAT8E5M2: "f8e5m2",
         T.FLOAT8E5M2FNUZ: "f8e5m2fnuz", T.UINT4: "u4", T.INT4: "s4", T.FLOAT4E2M1: "f4e2m1fn",
         T.FLOAT8E8M0: "f8e8m0fnu", T.UINT2: "u2", T.INT2: "s2"}
TYPES = {"tensor(float)": T.FLOAT, "tensor(double)": T.DOUBLE, "tensor(float16)": T.FLOAT16, "tensor(bfloat16)": T.BFLOAT16,
         "tensor(int8)": T.INT8, "tensor(int16)": T.INT16, "tensor(int32)": T.INT32, "tensor(int64)": T.INT64,
         "tensor(uint8)": T.UINT8, "tensor(uint16)": T.UINT16, "tensor(uint32)": T.UINT32, "tensor(uint64)": T.UINT64,
         "tensor(bool)": T.BOOL, "tensor(int4)": T.INT4, "tensor(uint4)": T.UINT4, "tensor(int2)": T.INT2,
         "tensor(uint2)": T.UINT2, "tensor(float8e4m3fn)": T.FLOAT8E4M3FN, "tensor(float8e4m3fnuz)": T.FLOAT8E4M3FNUZ,
         "tensor(float8e5m2)": T.FLOAT8E5M2, "tensor(float8e5m2fnuz)": T.FLOAT8E5M2FNUZ,
         "tensor(float4e2m1)": T.FLOAT4E2M1, "tensor(float8e8m0)": T.FLOAT8E8M0}
FLOATS = (T.FLOAT, T.DOUBLE, T.FLOAT16, T.BFLOAT16)


def np_type(t):
    return np.dtype(helper.tensor_dtype_to_np_dtype(t))


def onnx_type(a):
    return helper.np_dtype_to_tensor_dtype(a.dtype)


def is_float(t):
    return t in FLOATS or 17 <= t <= 20 or t in (T.FLOAT4E2M1, T.FLOAT8E8M0)


@functools.cache
def versions(op, domain=""):
    """The definitions of an op, in the order of their versions."""
    return sorted((s for s in onnx.defs.get_all_schemas_with_history() if s.name == op and s.domain == domain),
                  key=lambda s: s.since_version)


def types(schema, i=0):
    """The element types that a definition permits for an input."""
    kind = schema.inputs[i].type_str
    for c in schema.type_constraints:
        if c.type_param_str == kind:
            return [TYPES[s] for s in sorted(c.allowed_type_strs) if s in TYPES]
    return [TYPES[kind]] if kind in TYPES else []


def element(v, t):
    if t == T.BOOL:
        return str(int(v))
    if not is_float(t):
        return str(int(v))
    v = float(v)
    digits = 17 if t == T.DOUBLE else 9
    return re.sub(r"\.?0+$", "", s) if "." in (s := f"{v:.{digits}g}") and "e" not in s else f"{v:.{digits}g}"


def text(v):
    if v is None:
        return "none"
    if isinstance(v, (list, tuple)):
        return "{" + ";".join(text(e) for e in v) + "}"
    v = np.asarray(v)
    t = onnx_type(v)
    return f"{NAMES[t]}[{','.join(map(str, v.shape))}]:" + ",".join(element(e, t) for e in v.reshape(-1))


def attribute(a):
    if a.type == A.INT:
        return f"{a.name}=i{a.i}"
    if a.type == A.FLOAT:
        return f"{a.name}=f{a.f:.9g}"
    if a.type == A.STRING:
        return f"{a.name}=s{a.s.decode()}"
    if a.type == A.INTS:
        return f"{a.name}=I{','.join(map(str, a.ints))}"
    if a.type == A.FLOATS:
        return f"{a.name}=F{','.join(f'{v:.9g}' for v in a.floats)}"
    return f"{a.name}=b{base64.b64encode(a.SerializeToString()).decode()}"


def same(a, b, exact=False):
    if a is None or b is None:
        return a is b
    if isinstance(a, (list, tuple)) or isinstance(b, (list, tuple)):
        return type(a) is type(b) and len(a) == len(b) and all(same(x, y) for x, y in zip(a, b))
    a, b = np.asarray(a), np.asarray(b)
    if a.dtype != b.dtype or a.shape != b.shape:
        return False
    t = onnx_type(a)
    if not is_float(t):
        return bool((a == b).all())
    rel = {T.BFLOAT16: 2**-7, T.FLOAT16: 2**-10}.get(t, 1e-3 if t in FLOATS else 0.25)
    return np.allclose(a.astype(np.float64), b.astype(np.float64), rel, 1e-7, equal_nan=True)


def value_type(name, v):
    if isinstance(v, list):
        t = onnx_type(v[0]) if v else T.FLOAT
        return helper.make_tensor_sequence_value_info(name, t, None)
    return helper.make_tensor_value_info(name, onnx_type(v), v.shape)


class Recorder:
    def __init__(self, only=None):
        self.lines, self.names, self.notes, self.only = [], {}, [], only
        self.agreed = self.alone = 0
        self.answer = None

    def case(self, op, version, ins, outs=1, want=None, prefer=None, name="", domain="", like=None, **attrs):
        """ins: arrays, lists of arrays, None for one that is left out. outs: a number or names, "" for one that is left out.
        want is the answer; prefer says whose it is; like is a version, and operands and attributes, whose answer it is."""
        attrs = {k: v for k, v in attrs.items() if v is not None}
        ins = [x if x is None or isinstance(x, list) else np.array(x, order="C") for x in ins]
        base = f"{op}-{version}" + (f"-{name}" if name else "")
        for t in ins[:1]:
            if isinstance(t, np.ndarray):
                base += "-" + NAMES[onnx_type(t)]
        k = self.names[base] = self.names.get(base, 0) + 1
        label = base if k == 1 else f"{base}-{k}"
        if self.only and not self.only.search(label):
            return
        names = ["" if x is None else f"x{i}" for i, x in enumerate(ins)]
        results = outs if isinstance(outs, list) else [f"y{i}" for i in range(outs)]
        node = helper.make_node(op, names, results, name="n", domain=domain, **attrs)
        given = {n: x for n, x in zip(names, ins) if n}
        if like is not None:
            other = Recorder()
            other.case(op, like[0], like[1], outs, prefer=prefer, domain=domain, **(like[2] if len(like) > 2 else attrs))
            if other.answer is None:
                self.notes += other.notes
                return
            want = other.answer
        graph = helper.make_graph([node], "g", [value_type(n, x) for n, x in given.items()],
                                  [onnx.ValueInfoProto(name=r) for r in results if r])
        imports = [helper.make_opsetid(domain, version)] + ([helper.make_opsetid("", 15)] if domain else [])
        model = helper.make_model(graph, ir_version=10, opset_imports=imports)
        answers = []
        for run in (self.reference, self.runtime):
            try:
                answers.append(run(model, dict(given)))
            except Exception as e:
                answers.append(None)
                if want is None and prefer is None:
                    self.notes.append(f"  {label}: {run.__name__}: {str(e).strip().splitlines()[0][:150] if str(e) else e!r}")
        # The reference computes some ops in other types than their definitions have.
        kinds = self.output_types(model)
        for k, a in enumerate(answers):
            if a is not None and any(isinstance(x, np.ndarray | np.generic) and t and onnx_type(np.asarray(x)) != t for x, t in zip(a, kinds)):
                answers[k] = None
        ref, rt = answers
        if want is not None:
            out = [np.asarray(w) if not isinstance(w, list) and w is not None else w for w in want]
        elif prefer:
            out = {"reference": ref, "runtime": rt}[prefer]
        elif ref is not None and rt is not None:
            if not same(ref, rt):
                self.notes.append(f"DIFFER {label} {attrs if 'body' not in attrs else ''}: {[text(x) if x is not None else '_' for x in ins]}\n"
                                  f"     reference {[text(x) for x in ref]}\n     runtime   {[text(x) for x in rt]}")
                return
            out = ref
            self.agreed += 1
        else:
            out = ref if ref is not None else rt
            self.alone += out is not None
        if out is None:
            self.notes.append(f"NONE {label}")
            return
        self.answer = out
        out = iter(out)
        fields = [label, " ".join([f"{domain}:{op}" if domain else op, str(version)] + [attribute(a) for a in node.attribute]),
                  " ".join("_" if x is None else text(x) for x in ins),
                  " ".join(text(next(out)) if r else "_" for r in results)]
        self.lines.append(" | ".join(fields))

    def output_types(self, model):
        try:
            model = onnx.shape_inference.infer_shapes(model)
        except Exception:
            return []
        return [o.type.tensor_type.elem_type for o in model.graph.output]

    def reference(self, model, given):
        return ReferenceEvaluator(model).run(None, given)

    def runtime(self, model, given):
        """ONNX Runtime, in a process of its own: some models crash it."""
        read, write = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.close(read)
            signal.alarm(10)  # some never end
            try:
                answer = (True, self.session(model, given))
            except Exception as e:
                answer = (False, str(e))
            with os.fdopen(write, "wb") as f:
                f.write(pickle.dumps(answer))
            os._exit(0)
        os.close(write)
        with os.fdopen(read, "rb") as f:
            data = f.read()
        os.waitpid(pid, 0)
        ok, answer = pickle.loads(data) if data else (False, "it crashed")
        if not ok:
            raise RuntimeError(answer)
        return answer

    def session(self, model, given):
        options = ort.SessionOptions()
        options.intra_op_num_threads = 1
        options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
        s = ort.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
        feed = {k: v if isinstance(v, list) else ort.OrtValue.ortvalue_from_numpy_with_onnx_type(
            v if v.dtype.kind in "fiub" else v.view(np.uint16), onnx_type(v)) for k, v in given.items()}
        if any(isinstance(v, list) for v in feed.values()):
            feed = given
            return s.run(None, feed)
        outs = s.run_with_ort_values(None, feed)
        return [o.numpy() if o.is_tensor() and o.element_type() not in (T.BFLOAT16,) else o.numpy().view(ml_dtypes.bfloat16)
                if o.is_tensor() else s.run(None, given)[i] for i, o in enumerate(outs)]

    def write(self, path, header):
        with open(path, "w") as f:
            f.write("".join(f"# {l}\n" for l in header.splitlines()))
            f.write("\n".join(self.lines) + "\n")
        for n in self.notes:
            print(n)
        print(f"{len(self.lines)} cases in {path}: {self.agreed} on which both agree, {self.alone} of one of them")
