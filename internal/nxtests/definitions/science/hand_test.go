package science

import (
	"math"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/linalg"
)

// The definitions of package sciencedefs as calls of package nx, with loops of Go, which are unrolled.

func normalByHand(x nx.Tensor) nx.Tensor {
	return nx.Mul(0.5, nx.Add(1, nx.Erf(nx.Div(x, math.Sqrt2))))
}

func callByHand(m Market) nx.Tensor {
	s := nx.Mul(m.Volatility, nx.Sqrt(m.Time))
	drift := nx.Mul(nx.Add(m.Rate, nx.Div(nx.Square(m.Volatility), 2)), m.Time)
	d1 := nx.Div(nx.Add(nx.Log(nx.Div(m.Spot, m.Strike)), drift), s)
	strike := nx.Mul(m.Strike, nx.Exp(nx.Neg(nx.Mul(m.Rate, m.Time))))
	return nx.Sub(nx.Mul(m.Spot, normalByHand(d1)), nx.Mul(strike, normalByHand(nx.Sub(d1, s))))
}

func gruByHand(g GRU, h, xs nx.Tensor) nx.Tensor {
	var all []nx.Tensor
	for i := range xs.Shape()[0] {
		x := xs.At(i)
		z := nx.Sigmoid(nx.Add(nx.Dot(x, g.Wz), nx.Dot(h, g.Uz)))
		r := nx.Sigmoid(nx.Add(nx.Dot(x, g.Wr), nx.Dot(h, g.Ur)))
		n := nx.Tanh(nx.Add(nx.Dot(x, g.Wh), nx.Dot(nx.Mul(r, h), g.Uh)))
		h = nx.Add(nx.Mul(nx.Sub(1, z), h), nx.Mul(z, n))
		all = append(all, h)
	}
	return nx.Stack(all)
}

func filterByHand(k Kalman, f, q, h, r, zs nx.Tensor) (Kalman, nx.Tensor) {
	var all []nx.Tensor
	for i := range zs.Shape()[0] {
		x := nx.Dot(f, k.X)
		p := nx.Add(nx.Dot(nx.Dot(f, k.P), nx.Transpose(f)), q)
		ph := nx.Dot(p, nx.Transpose(h))
		gain := nx.Dot(ph, linalg.Inv(nx.Add(nx.Dot(h, ph), r)))
		k.X = nx.Add(x, nx.Dot(gain, nx.Sub(zs.At(i), nx.Dot(h, x))))
		k.P = nx.Sub(p, nx.Dot(nx.Dot(gain, h), p))
		all = append(all, k.X)
	}
	return k, nx.Stack(all)
}

func solveByHand(y, rate, end nx.Tensor, steps int) nx.Tensor {
	h := nx.Div(end, steps)
	f := func(t, y nx.Tensor) nx.Tensor { return nx.Mul(nx.Mul(rate, y), nx.Cos(t)) }
	for i := range steps {
		t := nx.Mul(h, i)
		half := nx.Div(h, 2)
		k1 := f(t, y)
		k2 := f(nx.Add(t, half), nx.Add(y, nx.Mul(half, k1)))
		k3 := f(nx.Add(t, half), nx.Add(y, nx.Mul(half, k2)))
		k4 := f(nx.Add(t, h), nx.Add(y, nx.Mul(h, k3)))
		slope := nx.Add(nx.Add(k1, nx.Mul(2, nx.Add(k2, k3))), k4)
		y = nx.Add(y, nx.Mul(nx.Div(h, 6), slope))
	}
	return y
}

func attentionByHand(q, k, v nx.Tensor, causal bool) nx.Tensor {
	scores := nx.Div(nx.Dot(q, nx.Transpose(k)), math.Sqrt(float64(q.Shape()[1])))
	if causal {
		n := q.Shape()[0]
		scores = nx.Where(nx.Equal(nx.Tri(n, n, 0, nx.F64), 1), scores, math.Inf(-1))
	}
	return nx.Dot(nx.Softmax(scores), v)
}

func lstmLossByHand(m LSTM, tokens nx.Tensor) nx.Tensor {
	n, hidden := tokens.Shape()[0], m.Wh.Shape()[0]
	h := nx.Zeros(nx.Shape{hidden}, nx.F32)
	c := h
	var losses []nx.Tensor
	for i := range n - 1 {
		gates := nx.Add(nx.Add(nx.Dot(nx.Take(m.Embedding, tokens.At(i)), m.Wx), nx.Dot(h, m.Wh)), m.B)
		gate := func(i int) nx.Tensor { return gates.At(nx.Range(i*hidden, (i+1)*hidden)) }
		c = nx.Add(nx.Mul(nx.Sigmoid(gate(1)), c), nx.Mul(nx.Sigmoid(gate(0)), nx.Tanh(gate(2))))
		h = nx.Mul(nx.Sigmoid(gate(3)), nx.Tanh(c))
		losses = append(losses, nx.Neg(nx.Take(nx.LogSoftmax(nx.Dot(h, m.Out)), tokens.At(i+1))))
	}
	return nx.Mean(nx.Stack(losses))
}

// stepByHand is a step of the pendulum, a state being the angles and the speeds.
func stepByHand(b Body, p Pendulum, h nx.Tensor) Pendulum {
	total := nx.Add(b.Mass1, b.Mass2)
	slope := func(s [4]nx.Tensor) [4]nx.Tensor {
		sin, cos := nx.Sin(nx.Sub(s[0], s[1])), nx.Cos(nx.Sub(s[0], s[1]))
		v1, v2 := nx.Mul(nx.Square(s[2]), b.Length1), nx.Mul(nx.Square(s[3]), b.Length2)
		d := nx.Add(b.Mass1, nx.Mul(b.Mass2, nx.Square(sin)))
		inner := nx.Mul(nx.Mul(b.Mass2, sin), nx.Add(nx.Mul(v1, cos), v2))
		weight := nx.Sub(nx.Mul(total, nx.Sin(s[0])), nx.Mul(nx.Mul(b.Mass2, nx.Sin(s[1])), cos))
		a1 := nx.Div(nx.Neg(nx.Add(inner, nx.Mul(9.81, weight))), nx.Mul(b.Length1, d))
		inner = nx.Mul(sin, nx.Add(nx.Mul(total, v1), nx.Mul(nx.Mul(b.Mass2, v2), cos)))
		weight = nx.Mul(total, nx.Sub(nx.Mul(nx.Sin(s[0]), cos), nx.Sin(s[1])))
		a2 := nx.Div(nx.Add(inner, nx.Mul(9.81, weight)), nx.Mul(b.Length2, d))
		return [4]nx.Tensor{s[2], s[3], a1, a2}
	}
	plus := func(s, k [4]nx.Tensor, h nx.Tensor) [4]nx.Tensor {
		for i := range s {
			s[i] = nx.Add(s[i], nx.Mul(h, k[i]))
		}
		return s
	}
	s := [4]nx.Tensor{p.Angle1, p.Angle2, p.Speed1, p.Speed2}
	k1 := slope(s)
	k2 := slope(plus(s, k1, nx.Div(h, 2)))
	k3 := slope(plus(s, k2, nx.Div(h, 2)))
	k4 := slope(plus(s, k3, h))
	s = plus(plus(s, k1, nx.Div(h, 6)), k2, nx.Div(h, 3))
	s = plus(plus(s, k3, nx.Div(h, 3)), k4, nx.Div(h, 6))
	return Pendulum{s[0], s[1], s[2], s[3]}
}
