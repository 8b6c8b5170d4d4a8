// Package sciencedefs has longer definitions: finance, filters, solvers, networks, a simulation.
package sciencedefs

import (
	"math"

	. "github.com/go-nx/nx/defn"
	"github.com/go-nx/nx/defn/linalg"
	"github.com/go-nx/nx/defn/nn"
	"github.com/go-nx/nx/defn/random"
	"github.com/go-nx/nx/internal/nxtests/definitions/defs"
)

//go:generate go tool defn -out ../science

// Normal is the distribution function of the standard normal distribution.
func Normal(x Tensor) Tensor { return (1 + Erf(x/math.Sqrt2)) / 2 }

// Market is what the price of an option depends on.
type Market struct {
	Spot, Strike, Rate, Volatility, Time Tensor
}

// Call is the price of a European call by Black and Scholes.
func Call(m Market) Tensor {
	s := m.Volatility * Sqrt(m.Time)
	d1 := (Log(m.Spot/m.Strike) + (m.Rate+m.Volatility*m.Volatility/2)*m.Time) / s
	d2 := d1 - s
	return m.Spot*Normal(d1) - m.Strike*Exp(-m.Rate*m.Time)*Normal(d2)
}

// Greeks are the derivatives of the price by all of these.
func Greeks(m Market) Market { return Grad(Call)(m) }

// Gamma is the second derivative by the spot.
func Gamma(m Market) Tensor {
	delta := func(spot Tensor) Tensor {
		return Grad(func(spot Tensor) Tensor {
			m := m
			m.Spot = spot
			return Call(m)
		})(spot)
	}
	return Grad(delta)(m.Spot)
}

// ImpliedVolatility finds the volatility of a price by Newton's method.
func ImpliedVolatility(m Market, price Tensor) Tensor {
	f := func(v Tensor, m Market) Tensor {
		m.Volatility = v
		return Call(m) - price
	}
	v := 0.2 + 0*price
	for range Steps(20) {
		value, slope := ValueAndGrad(func(v Tensor) Tensor { return f(v, m) })(v)
		if Abs(value) < 1e-10 {
			break
		}
		v -= value / slope
	}
	return v
}

// GRU is a cell of a recurrent network.
type GRU struct {
	Wz, Uz, Wr, Ur, Wh, Uh Tensor
}

// Step returns the next state.
func (g GRU) Step(h, x Tensor) Tensor {
	z := nn.Sigmoid(Dot(x, g.Wz) + Dot(h, g.Uz))
	r := nn.Sigmoid(Dot(x, g.Wr) + Dot(h, g.Ur))
	next := Tanh(Dot(x, g.Wh) + Dot(r*h, g.Uh))
	return (1-z)*h + z*next
}

// Run returns all states.
func (g GRU) Run(h, xs Tensor) Tensor {
	_, all := Scan(h, xs, func(h, x Tensor) (Tensor, Tensor) {
		h = g.Step(h, x)
		return h, h
	})
	return all
}

// Kalman is a filter: an estimate and its covariance.
type Kalman struct {
	X, P Tensor
}

// Predict goes on by a linear model.
func (k Kalman) Predict(f, q Tensor) Kalman {
	return Kalman{Dot(f, k.X), Dot(Dot(f, k.P), Transpose(f)) + q}
}

// Correct takes a measurement into account.
func (k Kalman) Correct(h, r, z Tensor) Kalman {
	s := Dot(Dot(h, k.P), Transpose(h)) + r
	gain := Transpose(linalg.Solve(Transpose(s), Dot(h, Transpose(k.P))))
	k.X += Dot(gain, z-Dot(h, k.X))
	k.P -= Dot(Dot(gain, h), k.P)
	return k
}

// Filter takes measurements one after the other, and returns the last state and all estimates.
func (k Kalman) Filter(f, q, h, r, zs Tensor) (Kalman, Tensor) {
	return Scan(k, zs, func(k Kalman, z Tensor) (Kalman, Tensor) {
		k = k.Predict(f, q).Correct(h, r, z)
		return k, k.X
	})
}

// RungeKutta is a step of the classical method of order 4.
func RungeKutta(f func(t, y Tensor) Tensor, t, y, h Tensor) Tensor {
	k1 := f(t, y)
	k2 := f(t+h/2, y+h/2*k1)
	k3 := f(t+h/2, y+h/2*k2)
	k4 := f(t+h, y+h*k3)
	return y + h/6*(k1+2*k2+2*k3+k4)
}

// Solve integrates y' = rate·y·cos t from 0 to end.
func Solve(y, rate, end Tensor, steps int) Tensor {
	h := end / Tensor(steps)
	for i := range Steps(Tensor(steps)) {
		y = RungeKutta(func(t, y Tensor) Tensor { return rate * y * Cos(t) }, i*h, y, h)
	}
	return y
}

// Attention is scaled products of queries and keys, with a causal mask where it is asked for.
func Attention(q, k, v Tensor, causal bool) Tensor {
	n, d := q.Shape()[0], q.Shape()[1]
	scores := Dot(q, Transpose(k)) / Sqrt(Tensor(d))
	if causal {
		rows, columns := Iota(Shape{n, n}, S32, Axis(0)), Iota(Shape{n, n}, S32, Axis(1))
		scores = Where(columns <= rows, scores, Tensor(math.Inf(-1)))
	}
	return Dot(defs.Softmax(scores), v)
}

// LSTM is a language model: embeddings, one layer, logits.
type LSTM struct {
	Embedding, Wx, Wh, B, Out Tensor
}

type lstmState struct{ H, C Tensor }

func (m LSTM) step(s lstmState, x Tensor) lstmState {
	n := m.Wh.Shape()[0]
	gates := Split(Dot(x, m.Wx)+Dot(s.H, m.Wh)+m.B, []int{n, n, n, n}, Axis(-1))
	i, f, g, o := nn.Sigmoid(gates[0]), nn.Sigmoid(gates[1]), Tanh(gates[2]), nn.Sigmoid(gates[3])
	c := f*s.C + i*g
	return lstmState{H: o * Tanh(c), C: c}
}

// Loss is the mean cross-entropy of the next tokens.
func (m LSTM) Loss(tokens Tensor) Tensor {
	n := tokens.Shape()[0]
	zero := Zeros(m.Wh.Shape()[:1], F32)
	_, logits := Scan(lstmState{zero, zero}, Take(m.Embedding, tokens.At(Range(0, n-1))),
		func(s lstmState, x Tensor) (lstmState, Tensor) {
			s = m.step(s, x)
			return s, Dot(s.H, m.Out)
		})
	return Mean(nn.CrossEntropy(logits, tokens.At(Range(1, n))))
}

// Train is a step of gradient descent, and returns the loss before it.
func (m LSTM) Train(tokens, rate Tensor) (LSTM, Tensor) {
	loss, g := ValueAndGrad(func(m LSTM) Tensor { return m.Loss(tokens) })(m)
	m.Embedding -= rate * g.Embedding
	m.Wx -= rate * g.Wx
	m.Wh -= rate * g.Wh
	m.B -= rate * g.B
	m.Out -= rate * g.Out
	return m, loss
}

// Pi estimates π by random points.
func Pi(key Tensor, n int) Tensor {
	p := random.Uniform(key, 0, 1, Shape{n, 2}, F32)
	return 4 * Mean(Sum(p*p, Axis(-1)) <= 1)
}

// PowerIteration finds the largest eigenvalue of a matrix.
func PowerIteration(a, v Tensor, tolerance float64) (value Tensor, steps Tensor) {
	for steps < 1000 {
		w := Dot(a, v)
		next := Dot(v, w)
		v = w / Norm(w)
		steps++
		if Abs(next-value) < Tensor(tolerance) {
			return next, steps
		}
		value = next
	}
	return value, steps
}
