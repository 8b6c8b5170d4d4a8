"""Cases of ai.onnx.ml."""
import numpy as np
from onnx import TensorProto as T
from onnx import helper, numpy_helper

ML = "ai.onnx.ml"
POST = ["NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO", "PROBIT"]


def make(m):
    def labels(count, ints="classlabels_int64s"):
        if m.chance(0.6):
            return {ints: [int(x) for x in m.rng.permutation(20)[:count] - 5]}
        return {"classlabels_strings": [f"c{i}" for i in m.rng.permutation(count)]}

    def forest(prefix, ids, v, features, as_tensor):
        """Random trees: attributes of versions 1 and 3, votes with a prefix."""
        modes = ["BRANCH_LEQ"] if m.chance() else ["BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE", "BRANCH_GT", "BRANCH_EQ", "BRANCH_NEQ"]
        n = {k: [] for k in ("treeids", "nodeids", "featureids", "modes", "values", "truenodeids", "falsenodeids", "missing_value_tracks_true", "hitrates")}
        w = {k: [] for k in ("treeids", "nodeids", "ids", "weights")}
        tracks = m.chance(0.4)
        for t in range(m.int(1, 4)):
            count = [0]

            def grow(depth):
                me = count[0]
                count[0] += 1
                row = len(n["treeids"])
                leaf = depth == 0 or depth < 3 and m.chance(0.3)
                for k, x in (("treeids", t), ("nodeids", me), ("featureids", 0 if leaf else m.int(0, features - 1)), ("modes", "LEAF" if leaf else m.pick(*modes)),
                             ("values", 0.0 if leaf else float(np.float32(m.pick(0.0, 1.0, round(m.rng.normal(), 2))))), ("truenodeids", 0), ("falsenodeids", 0),
                             ("missing_value_tracks_true", int(tracks and m.chance())), ("hitrates", 1.0)):
                    n[k].append(x)
                if leaf:
                    for c in range(ids):
                        for k, x in (("treeids", t), ("nodeids", me), ("ids", int(c)), ("weights", float(np.float32(round(m.rng.normal(), 2))))):
                            w[k].append(x)
                    return me
                n["truenodeids"][row] = grow(depth - 1)
                n["falsenodeids"][row] = grow(depth - 1)
                return me

            grow(m.int(0, 3))
        if not tracks and m.chance():
            del n["missing_value_tracks_true"]
        a = {"nodes_" + k: x for k, x in n.items()} | {f"{prefix}_{k}": x for k, x in w.items()}
        if as_tensor:
            for k in ("nodes_values", "nodes_hitrates", f"{prefix}_weights"):
                a[k + "_as_tensor"] = numpy_helper.from_array(np.array(a.pop(k)), k)
        return a

    def table(features, dtype=None):
        dtype = dtype or m.pick(np.float32, np.float32, np.float32, np.float64, np.int64, np.int32)
        x = m.uniform(-2, 2, m.int(1, 5), features)
        if m.chance(0.3):
            x = np.round(x)
        if np.dtype(dtype).kind == "f" and m.chance(0.2):
            x[0, 0] = np.nan
        return np.nan_to_num(x).astype(dtype) if np.dtype(dtype).kind == "i" else x.astype(dtype)

    def tree_classifier(op, v):
        f, classes = m.int(1, 4), m.int(2, 4)
        binary = classes == 2
        double = v == 3 and m.chance(0.2)
        ids = classes if not binary else 1
        a = forest("class", ids, v, f, double) | labels(classes if ids > 1 else 2)
        x = table(f, np.float64 if double else None)
        a["post_transform"] = m.pick(*POST[:4])
        if m.chance(0.4):
            base = m.uniform(-1, 1, classes if ids > 1 else 1, dtype=np.float64)
            a["base_values_as_tensor" if double else "base_values"] = numpy_helper.from_array(base, "b") if double else base.tolist()
        if a["post_transform"] == "PROBIT":
            for k in a:
                if k == "class_weights":
                    a[k] = [abs(w) % 0.2 + 0.01 for w in a[k]]
        m.r.op(op, v, [x], 2, domain=ML, prefer="runtime", **a)

    def tree_regressor(op, v):
        f, targets = m.int(1, 4), m.int(1, 3)
        double = v == 3 and m.chance(0.2)
        a = forest("target", targets, v, f, double)
        a["n_targets"] = targets
        a["aggregate_function"] = m.pick("SUM", "SUM", "AVERAGE", "MIN", "MAX")
        a["post_transform"] = m.pick("NONE", "NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO")
        if m.chance(0.4):
            base = m.uniform(-1, 1, targets, dtype=np.float64)
            a["base_values_as_tensor" if double else "base_values"] = numpy_helper.from_array(base, "b") if double else base.tolist()
        m.r.op(op, v, [table(f, np.float64 if double else np.float32)], domain=ML, prefer="runtime", **a)

    def tree_ensemble(op, v):
        f, targets = m.int(1, 3), m.int(1, 3)
        dtype = m.pick(np.float32, np.float64)
        nodes, leaves, members, roots = [], [], [], []
        sets = m.chance(0.4)  # which the runtime does not always take apart as the definition

        def grow(depth):
            """(index, whether a leaf)"""
            if depth == 0 or m.chance(0.2) and depth < 3:
                leaves.append((m.int(0, targets - 1), round(m.rng.normal(), 2)))
                return len(leaves) - 1, 1
            me = len(nodes)
            mode = m.pick(0, 0, 1, 2, 3, 4, 5, *[6] * 3 * sets)
            nodes.append(dict(feature=m.int(0, f - 1), mode=mode, split=m.pick(0.0, 1.0, 0.5), missing=m.int(0, 1), set=[m.pick(-2, -1, 1, 2) for _ in range(m.int(1, 4))]))
            nodes[me]["true"], nodes[me]["false"] = grow(depth - 1), grow(depth - 1)
            return me, 0

        for _ in range(m.int(1, 3)):
            at, leaf = grow(3)
            if leaf:
                leaves.pop()
                continue
            roots.append(at)
        if not roots:
            return
        for n in nodes:
            if n["mode"] == 6:
                members += [float(x) for x in n["set"]] + [np.nan]
        t = lambda x, d=dtype: numpy_helper.from_array(np.array(x, d), "t")
        a = dict(nodes_featureids=[n["feature"] for n in nodes], nodes_modes=t([n["mode"] for n in nodes], np.uint8), nodes_splits=t([n["split"] for n in nodes]),
                 nodes_truenodeids=[n["true"][0] for n in nodes], nodes_falsenodeids=[n["false"][0] for n in nodes],
                 nodes_trueleafs=[n["true"][1] for n in nodes], nodes_falseleafs=[n["false"][1] for n in nodes], leaf_weights=t([w for _, w in leaves]),
                 leaf_targetids=[i for i, _ in leaves], tree_roots=roots, n_targets=targets, aggregate_function=1 if sets else m.int(0, 3),
                 post_transform=0 if sets else m.pick(0, 0, 3))
        if members:
            a["membership_values"] = t(members)
        if m.chance():
            a["nodes_missing_value_tracks_true"] = [n["missing"] for n in nodes]
        m.r.op(op, v, [table(f, dtype)], domain=ML, prefer="reference" if sets else "runtime", **a)

    def linear_classifier(op, v):
        f, classes = m.int(1, 4), m.int(2, 4)
        binary = classes == 2 and m.chance()
        rows = 1 if binary else classes
        a = dict(coefficients=m.uniform(-1, 1, rows * f).tolist(), intercepts=m.uniform(-1, 1, rows).tolist() if m.chance(0.8) else None,
                 post_transform=m.pick(*POST[:4]), multi_class=m.pick(None, 0, 1)) | labels(classes, "classlabels_ints")
        m.r.op(op, v, [np.nan_to_num(table(f))], 2, domain=ML, prefer="runtime", **a)

    def linear_regressor(op, v):
        f, targets = m.int(1, 4), m.int(1, 3)
        m.r.op(op, v, [np.nan_to_num(table(f, np.float32))], domain=ML, coefficients=m.uniform(-1, 1, targets * f).tolist(), targets=targets,
               intercepts=m.uniform(-1, 1, targets).tolist() if m.chance(0.8) else None, post_transform=m.pick("NONE", "NONE", "SOFTMAX", "LOGISTIC"))

    def svm_kernel():
        k = m.pick("LINEAR", "POLY", "RBF", "SIGMOID")
        return {"kernel_type": k, "kernel_params": [0.5, 0.25, float(m.int(2, 3))]}

    def svm_regressor(op, v):
        f, n = m.int(1, 3), m.int(1, 4)
        a = svm_kernel() | {"post_transform": "NONE"}
        if m.chance(0.8):
            a |= dict(n_supports=n, support_vectors=m.uniform(-1, 1, n * f).tolist(), coefficients=m.uniform(-1, 1, n).tolist())
        else:
            a |= dict(n_supports=0, coefficients=m.uniform(-1, 1, f).tolist(), kernel_type="LINEAR")
        m.r.op(op, v, [np.nan_to_num(table(f, np.float32))], domain=ML, rho=[0.3], one_class=m.pick(None, 1), **a)

    def svm_classifier(op, v):
        f, classes = m.int(1, 3), m.int(2, 4)
        a = svm_kernel() | labels(classes, "classlabels_ints") | {"post_transform": m.pick("NONE", "NONE", "LOGISTIC", "SOFTMAX")}
        pairs = classes * (classes - 1) // 2
        if m.chance(0.8):
            per = m.ints(classes, 1, 3)
            n = sum(per)
            a |= dict(vectors_per_class=per, support_vectors=m.uniform(-1, 1, n * f).tolist(), coefficients=m.uniform(-1, 1, n * (classes - 1)).tolist(),
                      rho=m.uniform(-0.5, 0.5, pairs).tolist())
            if m.chance():
                a |= dict(prob_a=m.uniform(-2, -1, pairs).tolist(), prob_b=m.uniform(-0.5, 0.5, pairs).tolist())
        else:
            a |= dict(coefficients=m.uniform(-1, 1, classes * f).tolist(), rho=[0.1], kernel_type="LINEAR")
        m.r.op(op, v, [np.nan_to_num(table(f))], 2, domain=ML, prefer="runtime", **a)

    def scaler(op, v):
        f = m.int(1, 4)
        n = m.pick(1, f)
        m.r.op(op, v, [table(f)], domain=ML, prefer="runtime", offset=m.uniform(-1, 1, n).tolist(), scale=m.uniform(0.5, 2, n).tolist())

    def normalizer(op, v):
        m.r.op(op, v, [np.nan_to_num(table(m.int(1, 4)))], domain=ML, prefer="runtime", norm=m.pick("MAX", "L1", "L2"))

    def binarizer(op, v):
        m.r.op(op, v, [table(m.int(1, 4), np.float32)], domain=ML, threshold=m.pick(None, 0.5))

    def imputer(op, v):
        f = m.int(1, 4)
        n = m.pick(1, f)
        if m.chance(0.6):
            x = table(f, np.float32)
            x[0] = m.pick(np.nan, -1.0)
            m.r.op(op, v, [x], domain=ML, prefer="runtime", imputed_value_floats=m.uniform(-1, 1, n).tolist(), replaced_value_float=float(x[0, 0]))
        else:
            m.r.op(op, v, [m.integers(-2, 2, m.int(1, 4), f)], domain=ML, prefer="runtime", imputed_value_int64s=m.ints(n, 5, 9), replaced_value_int64=m.int(-2, 2))

    def one_hot(op, v):
        c = m.int(1, 4)
        shape = m.ints(m.int(1, 3), 1, 4)
        if m.chance(0.7):
            x = m.integers(0, 4, *shape, dtype=m.pick(np.int64, np.int32, np.float32))
            a = {"cats_int64s": [int(i) for i in m.rng.permutation(5)[:c]]}
        else:
            x, a = np.array([f"s{i}" for i in m.ints(int(np.prod(shape)), 0, 4)], object).reshape(shape), {"cats_strings": [f"s{i}" for i in range(c)]}
        m.r.op(op, v, [x], domain=ML, zeros=m.pick(None, 1), **a)

    def feature_vectorizer(op, v):
        rows, sizes = m.int(1, 3), m.ints(m.int(1, 3), 1, 3)
        d = m.pick(np.float32, np.int64, np.float64, np.int32)
        m.r.op(op, v, [m.integers(-5, 5, rows, s, dtype=d) for s in sizes], domain=ML, inputdimensions=sizes)

    def extractor(op, v):
        x = m.normal(*m.ints(m.int(1, 3), 1, 5), dtype=m.pick(np.float32, np.float64, np.int64))
        m.r.op(op, v, [x, m.integers(0, x.shape[-1] - 1, m.int(1, 4))], domain=ML)

    def label_encoder(op, v):
        kinds = {"int64s": lambda i: i * 3 - 4, "strings": lambda i: f"k{i}", "floats": lambda i: i * 0.5}
        to = {"int64s": lambda i: i * 7, "strings": lambda i: f"v{i}", "floats": lambda i: i * 0.25}
        shape = m.ints(m.int(1, 2), 1, 4)
        if v == 1:
            if m.chance():
                x = m.integers(0, 5, *shape)
                m.r.op(op, v, [x], domain=ML, classes_strings=[f"c{i}" for i in range(4)], default_string="none")
            else:
                x = np.array([f"c{i}" for i in m.ints(int(np.prod(shape)), 0, 5)], object).reshape(shape)
                m.r.op(op, v, [x], domain=ML, classes_strings=[f"c{i}" for i in range(4)], default_int64=-7)
            return
        a, b = m.pick(*kinds), m.pick(*kinds)
        n = m.int(1, 4)
        x = np.array([kinds[a](i) for i in m.ints(int(np.prod(shape)), 0, 5)], {"int64s": np.int64, "strings": object, "floats": np.float32}[a]).reshape(shape)
        attrs = {"keys_" + a: [kinds[a](i) for i in range(n)], "values_" + b: [to[b](i) for i in range(n)]}
        if m.chance():
            attrs["default_" + {"int64s": "int64", "strings": "string", "floats": "float"}[b]] = {"int64s": 99, "strings": "other", "floats": 9.5}[b]
        if v >= 4 and m.chance(0.4):
            d = m.pick(np.int64, np.int32, np.int16, np.float32, np.float64) if v >= 4 else np.int64
            e = m.pick(np.int64, np.int32, np.int16, np.float32, np.float64)
            attrs = {"keys_tensor": numpy_helper.from_array(np.arange(n).astype(d), "k"), "values_tensor": numpy_helper.from_array((np.arange(n) * 3).astype(e), "v"),
                     "default_tensor": numpy_helper.from_array(np.array([42], e), "d")}
            x = m.integers(0, 5, *shape).astype(d)
        m.r.op(op, v, [x], domain=ML, **attrs)

    def category_mapper(op, v):
        shape = m.ints(m.int(1, 2), 1, 4)
        ints, strings = [1, 5, 7], ["a", "b", "c"]
        x = m.integers(0, 8, *shape) if m.chance() else np.array([m.pick("a", "b", "c", "d") for _ in range(int(np.prod(shape)))], object).reshape(shape)
        m.r.op(op, v, [x], domain=ML, cats_int64s=ints, cats_strings=strings, default_int64=m.pick(None, 9), default_string=m.pick(None, "z"))

    def strings(op, v):
        shape = m.ints(m.int(1, 3), 1, 4)
        x = np.array([m.pick("a", "bb", "", "ü") for _ in range(int(np.prod(shape)))], object).reshape(shape)
        axis = m.int(0, len(shape) - 1)
        other = {"Gather": [m.integers(0, shape[axis] - 1, m.int(1, 3))], "Reshape": [np.array([-1])], "Concat": [x], "Equal": [x[..., ::-1].copy()]}.get(op, [])
        m.r.op(op, v, [x] + other, domain=ML if op == "ArrayFeatureExtractor" else "", axis=axis if op in ("Gather", "Concat") else None,
               perm=list(range(len(shape)))[::-1] if op == "Transpose" else None)

    for op, v in (("Gather", 13), ("Reshape", 13), ("Concat", 13), ("Transpose", 13), ("Identity", 13), ("Equal", 19), ("Shape", 13), ("Flatten", 13)):
        m.each(op, strings, versions=[v])
    for op, f in [("TreeEnsembleClassifier", tree_classifier), ("TreeEnsembleRegressor", tree_regressor), ("TreeEnsemble", tree_ensemble),
                  ("LinearClassifier", linear_classifier), ("LinearRegressor", linear_regressor), ("SVMRegressor", svm_regressor),
                  ("SVMClassifier", svm_classifier), ("Scaler", scaler), ("Normalizer", normalizer), ("Binarizer", binarizer), ("Imputer", imputer),
                  ("OneHotEncoder", one_hot), ("FeatureVectorizer", feature_vectorizer), ("ArrayFeatureExtractor", extractor),
                  ("LabelEncoder", label_encoder), ("CategoryMapper", category_mapper)]:
        m.each(op, f, ML, [v for v in m.versions(op, ML) if not (op.startswith("TreeEnsemble") and op != "TreeEnsemble" and v == 5)])
