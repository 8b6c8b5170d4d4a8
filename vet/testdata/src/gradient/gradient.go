// Package gradient differentiates functions whose result is a vector.
package gradient

import (
	"github.com/go-nx/nx"
	"github.com/go-nx/nx/random"
)

type model struct{ W nx.Tensor }

func (m model) scores(x nx.Tensor) nx.Tensor { return nx.Softmax(nx.Dot(x, m.W)) }

func square(x nx.Tensor) nx.Tensor { return nx.Mul(x, x) }

func loss(x nx.Tensor) nx.Tensor { return nx.Mean(square(x)) }

func twice(x nx.Tensor) nx.Tensor { return nx.Mul(twice(x), twice(nx.Add(x, 1))) }

func f(m model, t, key nx.Tensor, p, q nx.Tensor) {
	x := nx.New([]float32{1, 2, 3})
	one := nx.New(2.5)
	y := nx.Exp(x)
	table := nx.Zeros(nx.Shape{2, 3}, nx.F32)

	nx.Grad(square)(x)                    // want `the result of square has an axis: nx.Grad differentiates the sum`
	nx.Grad(nx.Tanh)(x)                   // want `the result of nx.Tanh has an axis`
	nx.Hessian(square)(y)                 // want `the result of square has an axis: nx.Hessian`
	nx.HVP(square, x, y)                  // want `the result of square has an axis: nx.HVP`
	nx.ValueAndGrad(square)(x)            // want `nx.ValueAndGrad`
	nx.Grad(m.scores)                     // want `the result of m.scores has an axis`
	nx.Grad(nx.Jit(square))(x)            // want `the result of nx.Jit.square. has an axis`
	nx.Grad(model.gradient)(m)            // want `the result of model.gradient has an axis`
	nx.Grad(func(w nx.Tensor) nx.Tensor { // want `the result of the function has an axis`
		return nx.Sub(nx.Mul(w, x), 1)
	})
	nx.Grad(func(w nx.Tensor) nx.Tensor { // want `the result of the function has an axis`
		return nx.Sum(nx.Mul(w, table), nx.Axis(0))
	})
	nx.Grad(func(w nx.Tensor) nx.Tensor { // want `the result of the function has an axis`
		rows := nx.Vmap(loss)(w)
		return nx.Maximum(rows, 0)
	})
	nx.ValueAndGradAux(func(w nx.Tensor) (nx.Tensor, int) { // want `nx.ValueAndGradAux`
		return nx.Reshape(w, -1, 2), 1
	})
	local := func(w nx.Tensor) nx.Tensor { return nx.Flatten(w) }
	nx.Grad(local)(t) // want `the result of local has an axis`

	nx.Grad(loss)(x)
	nx.Grad(square)(one)
	nx.Grad(square)(t)
	nx.Grad(nx.Tanh)
	nx.Grad(twice)(t)
	nx.Vmap(nx.Grad(nx.Tanh))(x)
	nx.Grad(func(w nx.Tensor) nx.Tensor { return nx.Sum(nx.Mul(w, x)) })
	nx.Grad(func(w nx.Tensor) nx.Tensor { return nx.Sum(nx.Mul(w, table), nx.Axis(0, 1)) })
	nx.Grad(func(w nx.Tensor) nx.Tensor { return nx.Mean(nx.Softmax(w)) })
	nx.Grad(func(w nx.Tensor) nx.Tensor {
		w = nx.Sum(w) // no longer the argument
		return nx.Square(w)
	})(x)
	nx.Grad(func(w nx.Tensor) nx.Tensor {
		if w.Rank() > 0 {
			return nx.Reshape(w, -1)
		}
		return nx.Sum(w)
	})
	nx.Grad(func(w nx.Tensor) nx.Tensor { return nx.Dot(w, x) })(x)
	nx.Grad(func(w nx.Tensor) nx.Tensor { return w.At(0) })(x)
	nx.Grad(square)(random.Uniform(key, 0, 1, nil, nx.F32))
	nx.Jacobian(square)(x)
}

func (m model) gradient() nx.Tensor { return nx.Softmax(m.W) }
