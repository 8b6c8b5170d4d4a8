package defs

import (
	. "github.com/go-nx/nx/defn"
	"github.com/go-nx/nx/defn/random"
)

// Containers: structs with methods, slices, arrays, generic functions.

// Linear is a layer.
type Linear struct {
	W, B Tensor
}

// Forward applies the layer.
func (l Linear) Forward(x Tensor) Tensor { return Dot(x, l.W) + l.B }

// MLP is two layers.
type MLP struct {
	Hidden, Out Linear
	Act         func(Tensor) Tensor `nx:"-"`
}

// Forward applies both layers.
func (m MLP) Forward(x Tensor) Tensor { return m.Out.Forward(m.Act(m.Hidden.Forward(x))) }

// Layer is anything that is applied.
type Layer interface {
	Forward(x Tensor) Tensor
}

// Sequence applies layers one after the other.
type Sequence []Layer

// Forward applies all layers.
func (s Sequence) Forward(x Tensor) Tensor {
	for _, l := range s {
		x = l.Forward(x)
	}
	return x
}

func NewLinear(key Tensor, in, out int) Linear {
	return Linear{
		W: random.Uniform(key, -0.1, 0.1, Shape{in, out}, F32),
		B: Zeros(Shape{out}, F32),
	}
}

// Train is a step of gradient descent.
func Train(m MLP, x, y Tensor, rate float64) (MLP, Tensor) {
	loss, grads := ValueAndGrad(func(m MLP) Tensor { return Mean(Square(m.Forward(x) - y)) })(m)
	m.Hidden = m.Hidden.Minus(grads.Hidden, rate)
	m.Out = m.Out.Minus(grads.Out, rate)
	return m, loss
}

// Minus goes against a gradient.
func (l Linear) Minus(g Linear, rate float64) Linear {
	return Linear{l.W - Tensor(rate)*g.W, l.B - Tensor(rate)*g.B}
}

// Moments is a state with a predicate in it.
type Moments struct {
	Count, Mean, M2 Tensor
	Valid           Predicate
}

// Update adds a number.
func (m Moments) Update(x Tensor) Moments {
	m.Count++
	d := x - m.Mean
	m.Mean += d / m.Count
	m.M2 += d * (x - m.Mean)
	m.Valid = m.Count > 1
	return m
}

// Variance folds a vector.
func Variance(x Tensor) Tensor {
	m := Moments{}
	m.Count, m.Mean, m.M2, m.Valid = 0, 0, 0, false
	for i := range Steps(Tensor(AxisSize(x, 0))) {
		m = m.Update(x.At(i))
	}
	if m.Valid {
		return m.M2 / (m.Count - 1)
	}
	return 0
}

// Pair is a generic container.
type Pair[A, B any] struct {
	First  A
	Second B
}

// Swap exchanges its parts.
func (p Pair[A, B]) Swap() Pair[B, A] { return Pair[B, A]{p.Second, p.First} }

func Swapped(a, b Tensor) Tensor {
	p := Pair[Tensor, Tensor]{a, b}.Swap()
	return p.First - p.Second
}

func apply[T any](x T, f func(T) T, n int) T {
	for range n {
		x = f(x)
	}
	return x
}

func Thrice(x Tensor) Tensor { return apply(x, func(x Tensor) Tensor { return x*x + 1 }, 3) }

func Rotate(v [3]Tensor, angle Tensor) [3]Tensor {
	c, s := Cos(angle), Sin(angle)
	v[0], v[1] = c*v[0]-s*v[1], s*v[0]+c*v[1]
	return v
}

func Largest(list []Tensor) Tensor {
	best := list[0]
	for _, x := range list[1:] {
		if x > best {
			best = x
		}
	}
	return best
}

func Bump(list []Tensor, x Tensor) []Tensor {
	if x > 0 {
		list[0] = list[0] + x
	}
	return list
}
