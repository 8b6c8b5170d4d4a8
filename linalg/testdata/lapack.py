"""Prints the table of docs/accuracy.md for LAPACK: backward errors in units of n·ε, by NumPy and SciPy."""
import numpy as np, scipy.linalg as sl

names = {"f32": np.float32, "f64": np.float64, "c64": np.complex64, "c128": np.complex128}
rng = np.random.default_rng(1)
norm = np.linalg.norm

def random(t, m, n):
    x = rng.standard_normal((m, n))
    if np.issubdtype(t, np.complexfloating):
        x = x + 1j * rng.standard_normal((m, n))
    return x.astype(t)

def spectrum(t, n, s):
    q, p = np.linalg.qr(random(t, n, n))[0], np.linalg.qr(random(t, n, n))[0]
    return (q * s.astype(q.real.dtype)) @ p

def graded(t, n, eps):
    s = (eps ** (np.arange(n) / max(1, n - 1))).astype(t)
    return random(t, n, n) * s * s[:, None]

def clustered(t, n, eps):
    i = np.arange(n)
    return spectrum(t, n, 1e-3 ** (i % 2) * (1 + 10 * eps * i))

kinds = {
    "random": lambda t, n, eps: random(t, n, n),
    "graded": graded,
    "clustered": clustered,
    "deficient": lambda t, n, eps: random(t, n, n // 2) @ random(t, n // 2, n),
}
print("| matrix | type | n | LU | Cholesky | QR | Solve | Eigh | SVD | Eig | orthogonality |")
print("|---|---|---:|" + "---:|" * 8)
for kind, make in kinds.items():
    for name, t in names.items():
        for n in (10, 100):
            eps = float(np.finfo(t).eps)
            unit, one, a = n * eps, np.eye(n, dtype=t), make(t, n, eps)
            off = lambda x, y: norm(x - y) / (unit * norm(x))
            p, l, u = sl.lu(a)
            gram = a @ a.conj().T + one * a.dtype.type(norm(a) ** 2 * unit)
            c = np.linalg.cholesky(gram)
            q, r = np.linalg.qr(a)
            m, b = a + one * a.dtype.type(norm(a) / 4), random(t, n, 2)
            x = np.linalg.solve(m, b)
            h = (a + a.conj().T) / 2
            w, v = np.linalg.eigh(h)
            us, s, vt = np.linalg.svd(a)
            e, ve = np.linalg.eig(a)
            row = [off(a, p @ l @ u), off(gram, c @ c.conj().T), off(a, q @ r),
                   norm(m @ x - b) / (unit * (norm(a) * norm(x) + norm(b))), off(h, (v * w) @ v.conj().T),
                   off(a, (us * s) @ vt), norm(a @ ve - ve * e) / (unit * norm(a)),
                   max(off(one, z.conj().T @ z) for z in (q, v, us, vt.conj().T))]
            print(f"| {kind} | {name} | {n} | " + " | ".join(f"{x:.2f}" for x in row) + " |")
