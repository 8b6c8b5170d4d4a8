"""Records small models with their answers in an archive that cases_test.go runs.

An answer is that of ONNX Runtime, or of the reference implementation of ONNX where the runtime has no kernel. Where the
two differ, the definition of the op decides, which the case says by `prefer`, or by an answer of its own (`want`)."""
import gzip
import io
import tarfile
import warnings

import ml_dtypes
import numpy as np
import onnx
import onnxruntime as ort
from onnx import TensorProto as T
from onnx import helper, numpy_helper
from onnx.reference import ReferenceEvaluator

warnings.filterwarnings("ignore")
np.seterr(all="ignore")
ort.set_default_logger_severity(4)

DOMAINS = {"com.microsoft": 1, "ai.onnx.ml": 3, "ai.onnx.preview": 1}


def onnx_type(a):
    return helper.np_dtype_to_tensor_dtype(a.dtype)


def is_float(x):
    return x.dtype.kind == "f" or x.dtype == ml_dtypes.bfloat16


def same(a, b):
    """Whether two answers agree."""
    if isinstance(a, list):
        return isinstance(b, list) and len(a) == len(b) and all(map(same, a, b))
    a, b = np.asarray(a), np.asarray(b)
    if a.dtype != b.dtype or a.shape != b.shape:
        return False
    if a.dtype.kind in "OUSib?" or a.dtype.kind == "u":
        return bool((a == b).all())
    if a.dtype.itemsize == 1:
        return a.tobytes() == b.tobytes()
    rel = {2: 2**-6}.get(a.dtype.itemsize, 1e-3)
    a, b = a.astype(np.float64), b.astype(np.float64)
    scale = np.max(np.abs(b[np.isfinite(b)]), initial=0)
    return np.allclose(a, b, rel, rel * 0.1 * scale + 1e-9, equal_nan=True)


class Recorder:
    def __init__(self, only=None):
        self.only, self.files, self.notes, self.names, self.count = only, [], [], {}, {"runtime": 0, "reference": 0, "both": 0, "want": 0}

    def op(self, op, version, ins, outs=1, domain="", name="", opsets=None, known=(), want=None, prefer=None, step=0, ir=10,
           like=(), **attrs):
        """A model of one node. ins: arrays, None for one that is left out; known: the indices of those that the file has.
        outs: a number, or names, "" for one that is left out. step: by how much quantised results may differ. like: versions in
        which the runtime computes the same; it is asked in f32, too, if it has no kernel for other floats."""
        label = (domain.split(".")[-1] + "." if domain else "") + op + f"-{version}" + (f"-{name}" if name else "")
        k = self.names[label] = self.names.get(label, 0) + 1
        label = f"{label}-{k}"
        if self.only and not self.only.search(label):
            return
        attrs = {k: v for k, v in attrs.items() if v is not None}
        names, inputs, initial, feed = [], [], [], {}
        for i, x in enumerate(ins):
            if x is None:
                names.append("")
                continue
            x = np.asarray(x)
            t = numpy_helper.from_array(x, f"x{i}")
            names.append(t.name)
            if i in known:
                initial.append(t)
            else:
                inputs.append(helper.make_tensor_value_info(t.name, t.data_type, list(t.dims)))
                feed[t.name] = x
        while names and names[-1] == "":
            names.pop()
        results = outs if isinstance(outs, list) else [f"y{i}" for i in range(outs)]
        node = helper.make_node(op, names, results, domain=domain, name="n", **attrs)
        def build(version, narrow=False):
            imports = [helper.make_opsetid("", version)]
            if domain:
                imports = [helper.make_opsetid("", opsets or 21), helper.make_opsetid(domain, version)]
            if not narrow:
                graph = helper.make_graph([node], "g", inputs, [onnx.ValueInfoProto(name=r) for r in results if r], initializer=initial)
            else:
                graph = helper.make_graph([node], "g", [], [onnx.ValueInfoProto(name=r) for r in results if r])
                for t in initial:
                    x = numpy_helper.to_array(t)
                    graph.initializer.append(numpy_helper.from_array(x.astype(np.float32) if is_float(x) else x, t.name))
                for v in inputs:
                    t = v.type.tensor_type.elem_type
                    graph.input.append(helper.make_tensor_value_info(v.name, T.FLOAT if t in (T.DOUBLE, T.FLOAT16, T.BFLOAT16) else t, feed[v.name].shape))
            return helper.make_model(graph, ir_version=ir, opset_imports=imports)

        self.model(label, build(version), feed, want, prefer, step, attrs, build=build, versions=[version, *like])

    def answer(self, op, version, ins, outs=1, **attrs):
        """What the runtime computes, in f32: for cases in a form that it does not have."""
        quiet = Recorder()
        single = [None if x is None else x.astype(np.float32) if is_float(np.asarray(x)) else x for x in ins]
        quiet.op(op, version, single, outs, prefer="runtime", **attrs)
        return quiet.last

    last = None

    def model(self, label, model, feed, want=None, prefer=None, step=0, info="", build=None, versions=()):
        if self.only and not self.only.search(label):
            return
        answers, said = {}, []
        if want is not None:
            answers["want"] = [np.asarray(w) for w in want]
        else:
            for kind, run in (("runtime", self.runtime), ("reference", self.reference)):
                if prefer and kind != prefer:
                    continue
                try:
                    answers[kind] = run(model, feed)
                except BaseException as e:
                    said.append(f"{kind}: {(str(e).strip().splitlines() or [repr(e)])[0][:220]}")
            if "runtime" not in answers and build and prefer != "reference":
                floats = [x for x in feed.values() if is_float(x)]
                for version in versions:
                    for narrow in (False, True):
                        if "runtime" in answers or narrow and len({x.dtype for x in floats}) != 1:
                            continue
                        try:
                            if narrow:
                                out = self.runtime(build(version, True), {k: x.astype(np.float32) if is_float(x) else x for k, x in feed.items()})
                                answers["runtime"] = [y.astype(floats[0].dtype) if y.dtype == np.float32 else y for y in out]
                            else:
                                answers["runtime"] = self.runtime(build(version), feed)
                        except BaseException as e:
                            pass
        if not answers:
            self.notes.append(f"NONE {label} {info}: {said}")
            return
        if len(answers) == 2:
            out, kind = answers["runtime"], "both"
            if not all(map(same, out, answers["reference"])):
                kind = "runtime"
                other = answers["reference"]
                self.notes.append(f"DIFFER {label} {info} {[(x.dtype.name, x.shape) for x in feed.values()]}")
        else:
            kind, out = next(iter(answers.items()))
        self.count[kind] += 1
        self.last = out
        if kind != "runtime" or len(answers) < 2:
            other = []
        for o, y in zip(model.graph.output, out):
            if not isinstance(y, list):
                o.CopyFrom(helper.make_tensor_value_info(o.name, T.STRING if y.dtype.kind in "OUS" else onnx_type(y), y.shape))
        entry = [("model.onnx", model.SerializeToString()), ("info", f"{kind} {step} {info}\n".encode())]
        for name, values in (("input", feed.values()), ("output", out)):
            entry += [(f"test_data_set_0/{name}_{i}.{'seq' if isinstance(v, list) else 'pb'}", self.data(v)) for i, v in enumerate(values)]
        if not self.strict:
            entry += [(f"other/output_{i}.pb", self.data(v)) for i, v in enumerate(other)]
        self.files += [(f"{label}/{n}", b) for n, b in entry]

    def data(self, v):
        if isinstance(v, list):
            return numpy_helper.from_list(v).SerializeToString()
        return numpy_helper.from_array(v if v.dtype.kind not in "US" else v.astype(object)).SerializeToString()

    def reference(self, model, feed):
        return [y if isinstance(y, list) else np.asarray(y) for y in ReferenceEvaluator(model).run(None, feed)]

    def runtime(self, model, feed):
        if any("int4" in x.dtype.name for x in feed.values()):
            raise TypeError("inputs of 4 bits are not arrays of the runtime")
        options = ort.SessionOptions()
        options.intra_op_num_threads = 1
        options.graph_optimization_level = ort.GraphOptimizationLevel(self.level)
        session = ort.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
        narrow = [o for o in session.get_outputs() if "bfloat16" in o.type or "float8" in o.type or "int4" in o.type]
        if not narrow and all(x.dtype.kind in "fiubOUSc" and x.dtype.name != "bfloat16" for x in feed.values()):
            return [y if isinstance(y, list) else np.asarray(y) for y in session.run(None, feed)]
        values = {k: ort.OrtValue.ortvalue_from_numpy_with_onnx_type(x if x.dtype.kind in "fiub" else x.view(f"u{x.dtype.itemsize}"), onnx_type(x))
                  for k, x in feed.items()}
        outs = []
        for o in session.run_with_ort_values(None, values):
            y = o.numpy()
            kind = helper.tensor_dtype_to_np_dtype(o.element_type())
            outs.append(y if y.dtype == kind else y.view(kind))
        return outs

    strict = False  # whether answers of the reference are left out where the runtime has others
    level = 0  # of optimisation: none

    def write(self, path):
        self.files.sort(key=lambda f: f[0].rsplit("-", 1)[0])
        with open(path, "wb") as raw, gzip.GzipFile("", "wb", 9, raw, mtime=0) as zipped, tarfile.open(fileobj=zipped, mode="w") as tar:
            for name, data in self.files:
                info = tarfile.TarInfo(name)
                info.size = len(data)
                tar.addfile(info, io.BytesIO(data))
        for n in self.notes:
            print(n)
        print(path, self.count)
