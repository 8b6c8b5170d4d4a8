"""Writes data sets made by a seed, and what scikit-learn gives for them, as a file of safetensors.

    python sklearn.py SEED SIZE FILE [SET...]

There are 30 sets; all are written unless some are named. SIZE multiplies the samples of most. The file has "SET/x", "SET/y" and "SET/labels"; "SET/ESTIMATOR/NAME" is an
attribute or a result, "SET/ESTIMATOR/error" is there where scikit-learn raises an error. Data are rounded to f32, so
that ours in f32 and in f64 have the same; scikit-learn computes in f64.
"""
import sys
import warnings

sys.path = sys.path[1:]  # this file has the name of the package
import numpy as np
import sklearn
from safetensors.numpy import save_file
from sklearn.cluster import KMeans
from sklearn.decomposition import PCA
from sklearn.linear_model import Lasso, LinearRegression, LogisticRegression, Ridge
from sklearn.metrics import log_loss, r2_score
from sklearn.mixture import GaussianMixture
from sklearn.model_selection import KFold, StratifiedKFold, cross_val_score
from sklearn.naive_bayes import BernoulliNB, GaussianNB, MultinomialNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.preprocessing import StandardScaler

seed, size, file = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
only = sys.argv[4:]
r = np.random.default_rng(seed)


def normal(n, p):
    return r.normal(size=(n, p))


def blobs(n, k, p, spread):
    return r.normal(size=(k, p))[np.arange(n) % k] * 4 + spread * normal(n, p)


def scaled(low, high, n, p):
    return normal(n, p) * np.logspace(low, high, p)


def repeated(x, *columns):
    return np.concatenate([x] + [x[:, c : c + 1] for c in columns], 1)


def constant(x, column, value):
    x[:, column] = value
    return x


n = 30 * size
toeplitz = np.linalg.cholesky(0.9 ** np.abs(np.subtract.outer(np.arange(6), np.arange(6))))
sets = {
    "plain": normal(n, 4),
    "tall": normal(3 * n, 3),
    "wide": normal(10, 25),
    "square": normal(10, 10),
    "one feature": normal(n, 1),
    "three samples": normal(3, 2),
    "two samples": normal(2, 1),
    "equal columns": repeated(normal(n, 3), 0),
    "dependent columns": normal(n, 2) @ normal(2, 5),
    "nearly equal columns": repeated(normal(n, 3), 1) + 1e-4 * normal(n, 4),
    "constant column": constant(normal(n, 4), 1, 0),
    "constant column of a large number": constant(normal(n, 4), 2, 1000.1),
    "constant columns": constant(normal(n, 2), [0, 1], 3),
    "one class": normal(n, 3),
    "scales 1e-2 to 1e2": scaled(-2, 2, n, 4),
    "scales 1e-6 to 1e6": scaled(-6, 6, n, 5),
    "far from zero": 1000 + normal(n, 3),
    "separable": normal(n, 2),
    "rare class": normal(n, 3),
    "three classes": normal(n, 3),
    "five classes": normal(2 * n, 4),
    "counts": r.poisson(2, size=(n, 6)),
    "binary": r.integers(0, 2, size=(n, 5)),
    "equal rows": normal(3, 3)[np.arange(n) % 3],
    "far clusters": blobs(n, 3, 2, 0.3),
    "near clusters": blobs(2 * n, 3, 2, 1.5),
    "outlier": normal(n, 3),
    "sparse coefficients": normal(n, 12),
    "correlated": normal(n, 6) @ toeplitz.T,
    "constant target": normal(n, 3),
}
sets["outlier"][4] = 300
out = {}


def attempt(place, f):
    """Records the results of f, or its error."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            for key, value in f().items():
                out[f"{place}/{key}"] = np.asarray(value)
        except ValueError as e:
            out[f"{place}/error"] = np.array([len(str(e))])


def linear(m, x, y, points, **weights):
    m.fit(x, y, **weights)
    return dict(coef=m.coef_, intercept=m.intercept_, predict=m.predict(points), score=r2_score(y, m.predict(x)))


def classifier(m, x, labels, points, **weights):
    m.fit(x, labels, **weights)
    return dict(probabilities=m.predict_proba(points), predict=m.predict(points), score=m.score(x, labels))


def logistic(m, x, labels, points, sample_weight=None):
    out = classifier(m, x, labels, points, sample_weight=sample_weight)
    total = len(x) if sample_weight is None else sample_weight.sum()
    loss = log_loss(labels, m.predict_proba(x), sample_weight=sample_weight) + (m.coef_**2).sum() / (2 * m.C * total)
    return out | dict(coef=m.coef_, intercept=m.intercept_, loss=loss)


def kmeans(x, k, **weights):
    if len(x) < k:
        raise ValueError("fewer samples than clusters")
    m = KMeans(k, init=x[:k], n_init=1, tol=1e-12).fit(x, **weights)
    return dict(centres=m.cluster_centers_, labels=m.labels_, inertia=m.inertia_, steps=m.n_iter_)


def pca(m, x, points):
    m.fit(x)
    return dict(components=m.components_, mean=m.mean_, variance=m.explained_variance_, singular=m.singular_values_,
                ratio=m.explained_variance_ratio_, noise=m.noise_variance_, transform=m.transform(points),
                inverse=m.inverse_transform(m.transform(points)))


def folds(s, x, labels):
    parts = np.zeros(len(x), int)
    for i, (_, test) in enumerate(s.split(x, labels)):
        parts[test] = i
    return dict(parts=parts)


def mixture(m, x, points):
    m.fit(x)
    order = np.argsort(m.means_[:, 0])
    return dict(weights=m.weights_[order], means=m.means_[order], covariances=m.covariances_[order],
                density=m.score_samples(points))


def scaler(m, x, points, **weights):
    m.fit(x, **weights)
    return dict(mean=m.mean_, var=m.var_, scale=m.scale_, transform=m.transform(points))


def neighbours(x, y, labels, points):
    m = KNeighborsClassifier(3).fit(x, labels)
    d, _ = m.kneighbors(points)
    by = dict(weights="distance")
    return dict(distances=d, probabilities=m.predict_proba(points), predict=m.predict(points),
                weighed=KNeighborsClassifier(3, **by).fit(x, labels).predict_proba(points),
                regress=KNeighborsRegressor(3).fit(x, y).predict(points),
                regress_weighed=KNeighborsRegressor(3, **by).fit(x, y).predict(points))


for name, x in sets.items():
    x = np.asarray(x, np.float32).astype(np.float64)
    n, p = x.shape
    w = r.normal(size=p) / np.where(x.std(0) > 1e-7, x.std(0), 1)
    if name == "sparse coefficients":
        w[2:] = 0
    y = (x @ w + 0.3 * r.normal(size=n)).astype(np.float32).astype(np.float64)
    labels = (y + 0.5 * y.std() * r.normal(size=n) > np.median(y)).astype(int)
    match name:
        case "one class":
            labels[:] = 7
        case "separable":
            labels = (x[:, 0] > 0).astype(int)
        case "rare class":
            labels = (np.arange(n) % 15 == 3).astype(int)
        case "three classes":
            labels = np.digitize(x[:, 0] + 0.5 * r.normal(size=n), [-0.5, 0.5])
        case "five classes":
            labels = np.array([-10, -3, 0, 4, 100])[np.digitize(x @ w / 2, [-1, -0.3, 0.3, 1])]
        case "far clusters" | "near clusters":
            labels = np.arange(n) % 3
        case "constant target":
            y[:] = 2.5
        case "three samples" | "two samples":
            labels = np.arange(n) % 2
    points = x[: min(n, 10)] + (0.1 * x.std(0) * normal(min(n, 10), p)).astype(np.float32)
    points = points.astype(np.float32).astype(np.float64)
    if only and name not in only:
        continue
    # Some samples count for nothing where there are many, but one of each class counts.
    weights = np.random.default_rng(seed).choice([0 if n > 10 else 0.5, 0.25, 1, 1, 3.5], n)
    weights[np.unique(labels, return_index=True)[1]] = 2
    out |= {f"{name}/x": x, f"{name}/y": y, f"{name}/labels": labels, f"{name}/points": points}
    out[f"{name}/weights"] = weights

    def run(estimator, f, *args, **weights):
        attempt(f"{name}/{estimator}", lambda: f(*args, **weights))

    run("linear", linear, LinearRegression(), x, y, points)
    run("linear without intercept", linear, LinearRegression(fit_intercept=False), x, y, points)
    run("ridge", linear, Ridge(), x, y, points)
    run("ridge of two targets", linear, Ridge(alpha=0.1), x, np.stack([y, x[:, 0]], 1), points)
    run("ridge without intercept", linear, Ridge(fit_intercept=False), x, y, points)
    run("lasso", linear, Lasso(alpha=0.1, tol=1e-12, max_iter=1000000), x, y, points)
    run("lasso without intercept", linear, Lasso(fit_intercept=False, tol=1e-12, max_iter=1000000), x, y, points)
    exact = dict(tol=1e-12, max_iter=10000, solver="newton-cholesky")
    run("logistic", logistic, LogisticRegression(**exact), x, labels, points)
    run("logistic of large C", logistic, LogisticRegression(C=100, **exact), x, labels, points)
    run("logistic without intercept", logistic, LogisticRegression(fit_intercept=False, **exact), x, labels, points)
    run("k-means of 2", kmeans, x, 2)
    run("k-means of 3", kmeans, x, 3)
    run("pca", pca, PCA(svd_solver="full"), x, points)
    if min(n, p) > 2:
        run("pca of 2, whitened", pca, PCA(2, whiten=True, svd_solver="full"), x, points)
        run("pca of 0.8", pca, PCA(0.8, svd_solver="full"), x, points)
    run("neighbours", neighbours, x, y, labels, points)
    run("gaussian", classifier, GaussianNB(), x, labels, points)
    run("multinomial", classifier, MultinomialNB(), x, labels, np.abs(points))
    run("bernoulli", classifier, BernoulliNB(), x, labels, points)
    run("scaler", scaler, StandardScaler(), x, points)
    run("folds", folds, KFold(3), x, labels)
    if np.unique(labels, return_counts=True)[1].min() >= 3:  # a warning there, an error here
        run("stratified folds", folds, StratifiedKFold(3), x, labels)
    by = dict(sample_weight=weights)
    run("weighted linear", linear, LinearRegression(), x, y, points, **by)
    run("weighted ridge", linear, Ridge(), x, y, points, **by)
    run("weighted ridge without intercept", linear, Ridge(fit_intercept=False), x, y, points, **by)
    run("lasso, weighted", linear, Lasso(alpha=0.1, tol=1e-12, max_iter=1000000), x, y, points, **by)
    run("logistic, weighted", logistic, LogisticRegression(**exact), x, labels, points, **by)
    run("k-means of 3, weighted", kmeans, x, 3, **by)
    run("weighted gaussian", classifier, GaussianNB(), x, labels, points, **by)
    run("weighted multinomial", classifier, MultinomialNB(), x, labels, np.abs(points), **by)
    run("weighted bernoulli", classifier, BernoulliNB(), x, labels, points, **by)
    run("weighted scaler", scaler, StandardScaler(), x, points, **by)
    if n >= 6:
        run("cross-validation", lambda: dict(scores=cross_val_score(Ridge(), x, y, cv=KFold(3))))
    if name in ("far clusters", "near clusters", "plain"):
        k = 1 if name == "plain" else 3
        for kind in "full", "diag":
            m = GaussianMixture(k, covariance_type=kind, tol=1e-10, max_iter=10000, n_init=10, random_state=0)
            run(f"mixture {kind}", mixture, m, x, points)

save_file({k: np.ascontiguousarray(v) for k, v in out.items()}, file, {"source": f"scikit-learn {sklearn.__version__}"})
