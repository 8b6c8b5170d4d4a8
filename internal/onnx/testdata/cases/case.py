"""Writes cases in ONNX's layout, a folder each, with the outputs of ONNX Runtime."""
import os
import shutil

import numpy as np
import onnx
import onnxruntime as ort
from onnx import TensorProto as T
from onnx import helper, numpy_helper

ort.set_default_logger_severity(4)


class Writer:
    def __init__(self, folder, only=None):
        self.folder, self.only, self.count, self.refused = folder, only, 0, []

    def op(self, name, op, ins, outs=1, consts=(), domain="com.microsoft", opset=21, inits=None, ml=3, **attrs):
        """A model of one node. ins: arrays, None for one that is left out; consts: indices of those that are in the file.
        outs: a number of outputs, or a list of their names, "" for one that is not wanted."""
        names, inputs, initial, feed = [], [], [], {}
        for i, x in enumerate(ins):
            if x is None:
                names.append("")
                continue
            if isinstance(x, onnx.TensorProto):
                t = x
                t.name = f"x{i}"
            else:
                t = numpy_helper.from_array(np.asarray(x), f"x{i}")
            names.append(t.name)
            if i in consts:
                initial.append(t)
            else:
                inputs.append(helper.make_tensor_value_info(t.name, t.data_type, list(t.dims)))
                feed[t.name] = t
        results = outs if isinstance(outs, list) else [f"y{i}" for i in range(outs)]
        node = helper.make_node(op, names, results, domain=domain, name="n", **attrs)
        outputs = [helper.make_empty_tensor_value_info(r) for r in results if r]
        graph = helper.make_graph([node], name, inputs, outputs, initializer=initial)
        model = helper.make_model(graph, ir_version=10, opset_imports=[
            helper.make_opsetid("", opset), helper.make_opsetid("com.microsoft", 1), helper.make_opsetid("ai.onnx.ml", ml)])
        self.model(name, model, feed)

    def model(self, name, model, feed, options=None, sets=1):
        """A model with inputs; feeds: one dictionary, or several."""
        if self.only and not self.only.search(name):
            return
        feeds = feed if isinstance(feed, list) else [feed]
        options = ort.SessionOptions()
        options.intra_op_num_threads = 1
        options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
        try:
            session = ort.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
            all_outs = []
            for f in feeds:
                values = {k: (numpy_helper.to_array(v) if isinstance(v, onnx.TensorProto) else v) for k, v in f.items()}
                all_outs.append(session.run(None, values))
        except Exception as e:  # the runtime has no kernel for these types
            self.refused.append(f"{name}: {str(e).splitlines()[0][:300]}")
            return
        path = os.path.join(self.folder, name)
        shutil.rmtree(path, ignore_errors=True)
        os.makedirs(path)
        # Types of outputs are those that the runtime has found.
        for i, o in enumerate(session.get_outputs()):
            value = all_outs[0][i]
            if isinstance(value, np.ndarray):
                kind = T.STRING if value.dtype == object else helper.np_dtype_to_tensor_dtype(value.dtype)
                model.graph.output[i].CopyFrom(helper.make_tensor_value_info(o.name, kind, list(value.shape)))
        with open(os.path.join(path, "model.onnx"), "wb") as f:
            f.write(model.SerializeToString())
        for k, (f, outs) in enumerate(zip(feeds, all_outs)):
            data = os.path.join(path, f"test_data_set_{k}")
            os.makedirs(data)
            initial = {t.name for t in model.graph.initializer}
            for i, v in enumerate(v for v in model.graph.input if v.name not in initial):
                x = f[v.name]
                t = x if isinstance(x, onnx.TensorProto) else numpy_helper.from_array(x, v.name)
                with open(os.path.join(data, f"input_{i}.pb"), "wb") as out:
                    out.write(t.SerializeToString())
            for i, y in enumerate(outs):
                with open(os.path.join(data, f"output_{i}.pb"), "wb") as out:
                    out.write(numpy_helper.from_array(np.asarray(y), model.graph.output[i].name).SerializeToString())
        self.count += 1

    def done(self):
        for r in self.refused:
            print("refused by the runtime:", r)
        print(self.count, "cases in", self.folder)
