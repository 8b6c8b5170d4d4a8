"""Writes matrix_functions.json: square roots and logarithms of matrices, by mpmath with 100 digits, and the errors
of SciPy's sqrtm and logm in f64 for comparison.

    python3 matrix_functions.py > matrix_functions.json
"""
import json
import mpmath as mp
import numpy as np
import scipy.linalg as sl

mp.mp.dps = 100
r = np.random.default_rng(1)
c, s = np.cos(3.1), np.sin(3.1)
q = np.linalg.qr(r.standard_normal((5, 5)))[0]
matrices = {
    "random": r.standard_normal((5, 5)) + 4 * np.eye(5),
    "positive definite": (lambda b: b @ b.T + 0.1 * np.eye(4))(r.standard_normal((4, 4))),
    "complex": r.standard_normal((4, 4)) + 1j * r.standard_normal((4, 4)),
    "hilbert 6": np.array([[1 / (i + j + 1) for j in range(6)] for i in range(6)]),
    "condition 1e12": q @ np.diag([1, 1e-3, 1e-6, 1e-9, 1e-12]) @ q.T,
    "jordan": np.diag([0.01] * 4) + np.diag([1.0] * 3, 1),
    "not normal": np.array([[1, 1e6, 0], [0, 2, 1e4], [0, 0, 3.0]]),
    "almost a reflection": np.array([[c, -s], [s, c]]),
    "near one": np.eye(3) + 1e-9 * r.standard_normal((3, 3)),
    "large": 1e200 * (r.standard_normal((3, 3)) + 5 * np.eye(3)),
    "small": 1e-200 * (r.standard_normal((3, 3)) + 5 * np.eye(3)),
    "graded": np.array([[1e10, 1, 2], [3, 1, 1e-3], [1, -1e-3, 1e-3]]),
    "complex near the axis": np.array([[-1 + 1e-3j, 2], [0, -3 - 1e-2j]]),
}


def parts(m, n):
    z = [[complex(m[i, j]) for j in range(n)] for i in range(n)]
    return {"re": [[v.real for v in row] for row in z], "im": [[v.imag for v in row] for row in z]}


out = []
for name, a in matrices.items():
    n = len(a)
    m = mp.matrix([[mp.mpmathify(complex(v)) for v in row] for row in a])
    row = {"name": name, "a": parts(m, n)}
    w, v = mp.eig(m) if name != "jordan" else (None, None)
    for what, f, scipy in (("sqrt", mp.sqrt, sl.sqrtm), ("log", mp.log, sl.logm)):
        if w is None:  # the series of a Jordan block
            x = mp.matrix(n, n)
            for k in range(n):
                d = mp.diff(f, mp.mpf(0.01), k) / mp.factorial(k)
                for i in range(n - k):
                    x[i, i + k] = d
        else:
            x = v * mp.diag([f(z) for z in w]) * v**-1
        row[what] = parts(x, n)
        want = np.array(row[what]["re"]) + 1j * np.array(row[what]["im"])
        e = float(np.linalg.norm(scipy(a) - want) / np.linalg.norm(want))
        row["scipy " + what] = e if np.isfinite(e) else 1
    out.append(row)
print("[\n" + ",\n".join(json.dumps(x) for x in out) + "\n]")
