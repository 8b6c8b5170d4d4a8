# The formulas in NumPy. Run as a program, it prints what recorded.txt has.
import math

import numpy as np


def d1(s, k, r, v, t):
    return (np.log(s / k) + (r + v**2 / 2) * t) / (v * np.sqrt(t))


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def gelu(x):
    c = math.sqrt(2 / math.pi)
    return 0.5 * x * (1 + np.tanh(c * (x + 0.044715 * x**3)))


def layer_norm(x, gain, bias):
    d = x - x.mean(-1, keepdims=True)
    return gain * d / np.sqrt(x.var(-1, keepdims=True) + 1e-5) + bias


def kalman_gain(p, h, r):
    ph = p @ h.T
    return ph @ np.linalg.inv(h @ ph + r)


def runge_kutta(y, h, k1, k2, k3, k4):
    return y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


def logistic_loss(z, y):
    return np.mean(np.maximum(z, 0) - z * y + np.log1p(np.exp(-np.abs(z))))


def attention(q, k, v):
    return softmax(q @ k.T / math.sqrt(k.shape[1])) @ v


def root(a, b, c):
    return (-b + np.sqrt(b**2 - 4 * a * c)) / (2 * a)


def newton_step(x):
    return x - (x**3 - 2 * x - 5) / (3 * x**2 - 2)


if __name__ == "__main__":
    n = np.float64
    m = np.array([[1.0, 2.0, -0.5], [0.25, -1.5, 3.0]])
    p, h = np.array([[2.0, 0.5], [0.5, 1.0]]), np.array([[1.0, -1.0]])
    for f, arguments in [
        (d1, [n(100), n(95), n(0.02), n(0.3), n(0.5)]),
        (softmax, [m]),
        (gelu, [m]),
        (layer_norm, [m, m[0], m[1]]),
        (kalman_gain, [p, h, np.array([[0.5]])]),
        (runge_kutta, [n(1), n(0.1), n(2), n(3), n(-1), n(0.5)]),
        (logistic_loss, [m[0], np.array([1.0, 0.0, 1.0])]),
        (attention, [m, 2 * m, m + 1]),
        (root, [n(2), n(-3), n(-4)]),
        (newton_step, [n(2)]),
    ]:
        print(f.__name__, *np.ravel(f(*arguments)))
