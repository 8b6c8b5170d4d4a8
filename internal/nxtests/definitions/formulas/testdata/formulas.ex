# The formulas in Nx.
defmodule Formulas do
  import Nx.Defn

  defn d1(s, k, r, v, t) do
    (Nx.log(s / k) + (r + v ** 2 / 2) * t) / (v * Nx.sqrt(t))
  end

  defn softmax(x) do
    e = Nx.exp(x - Nx.reduce_max(x, axes: [-1], keep_axes: true))
    e / Nx.sum(e, axes: [-1], keep_axes: true)
  end

  defn gelu(x) do
    c = Nx.sqrt(2 / Nx.Constants.pi())
    0.5 * x * (1 + Nx.tanh(c * (x + 0.044715 * x ** 3)))
  end

  defn layer_norm(x, gain, bias) do
    d = x - Nx.mean(x, axes: [-1], keep_axes: true)
    gain * d / Nx.sqrt(Nx.variance(x, axes: [-1], keep_axes: true) + 1.0e-5) + bias
  end

  defn kalman_gain(p, h, r) do
    ph = Nx.dot(p, Nx.transpose(h))
    Nx.dot(ph, Nx.LinAlg.invert(Nx.dot(h, ph) + r))
  end

  defn runge_kutta(y, h, k1, k2, k3, k4) do
    y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
  end

  defn logistic_loss(z, y) do
    Nx.mean(max(z, 0) - z * y + Nx.log1p(Nx.exp(-Nx.abs(z))))
  end

  defn attention(q, k, v) do
    scores = Nx.dot(q, Nx.transpose(k)) / Nx.sqrt(Nx.axis_size(k, 1))
    Nx.dot(softmax(scores), v)
  end

  defn root(a, b, c) do
    (-b + Nx.sqrt(b ** 2 - 4 * a * c)) / (2 * a)
  end

  defn newton_step(x) do
    x - (x ** 3 - 2 * x - 5) / (3 * x ** 2 - 2)
  end
end
