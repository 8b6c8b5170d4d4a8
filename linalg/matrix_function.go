package linalg

import (
	"sync"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/tree"
)

// matrixFunction is a function f of square matrices that a power series defines.
type matrixFunction struct {
	value    func(a nx.Tensor) nx.Tensor // traced once for each type, as along is
	along    func(p direction) nx.Tensor // the Fréchet derivative L(a, e)
	derived  func(a nx.Tensor) nx.Tensor // value with its derivatives
	wide     bool                        // compute all elements in f64 or c128
	byClient sync.Map                    // derived, compiled, by clients
}

// newMatrixFunction returns the function of a value and of a Fréchet derivative, whose adjoint L(aᵀ, ·) is the
// derivative in reverse.
func newMatrixFunction(value func(nx.Tensor) nx.Tensor, along func(direction) nx.Tensor, wide bool) *matrixFunction {
	f := &matrixFunction{value: nx.Jit(value), along: nx.Jit(along), wide: wide}
	f.derived = func(a nx.Tensor) nx.Tensor {
		return nx.CustomVJP(func(a nx.Tensor) (r, saved nx.Tensor) { return f.value(a), a },
			func(a, ct nx.Tensor) nx.Tensor { return f.frechet(direction{swap(a), ct}) })(a)
	}
	return f
}

// direction is a matrix and a direction in which it moves.
type direction struct{ A, E nx.Tensor }

// of applies the function to the matrices of an op.
func (f *matrixFunction) of(op string, a nx.Tensor) nx.Tensor {
	x := square(op, a)
	if v := a.Vectors(); v != nil { // as batches: all take as many steps as one needs
		names := make([]string, len(v))
		for i := range v {
			names[i] = v[i].Name
		}
		return nx.Vectorize(f.of(op, nx.Devectorize(a)), names...)
	}
	if x.Size() > 0 {
		if f.wide {
			x = nx.Cast(x, promoted(x.DType(), nx.F64))
		}
		x = f.compiled(x)(x)
	}
	return nameLike(castBack(x, a), a, rowName(a), columnName(a))
}

// compiled is the function compiled for where a is: outside of a trace it would be traced again for
// each call, with all of its derivatives.
func (f *matrixFunction) compiled(a nx.Tensor) func(nx.Tensor) nx.Tensor {
	d := a.Device()
	if d == nil {
		return nx.Jit(f.derived)
	}
	g, ok := f.byClient.Load(d.Client())
	if !ok {
		g, _ = f.byClient.LoadOrStore(d.Client(), nx.Jit(f.derived, nx.On(d.Client())))
	}
	return g.(func(nx.Tensor) nx.Tensor)
}

// frechet is L(a, e), the derivative of f at a in the direction e. Its own derivative by a
// in the direction d is the upper right block of L([a e; 0 a], [d 0; 0 d]), and the adjoint
// of that is of the same form. So no loop is run backwards in the first two derivatives in
// reverse, and one of them in each further one: the states that are kept for loops in loops
// multiply.
func (f *matrixFunction) frechet(p direction) nx.Tensor {
	return nx.CustomVJP(func(p direction) (r nx.Tensor, saved direction) {
		return f.along(p), p
	}, func(p direction, ct nx.Tensor) direction {
		a, e := swap(p.A), swap(p.E)
		zero := tree.ZerosLike(a)
		scale := nx.Ones(batch(a, 2), realType(a.DType()))
		if f.wide {
			scale = small(e, a)
		}
		e = nx.Mul(e, scalars(scale))
		both := f.along(direction{blocks(a, e, zero, a), blocks(ct, zero, zero, ct)})
		return direction{A: nx.Div(upperRight(both), scalars(scale)), E: f.along(direction{a, ct})}
	})(p)
}

// blocks joins matrices of n × n to one of 2n × 2n.
func blocks(a, b, c, d nx.Tensor) nx.Tensor {
	row := func(x, y nx.Tensor) nx.Tensor { return nx.Concatenate([]nx.Tensor{x, y}, nx.Axis(-1)) }
	return nx.Concatenate([]nx.Tensor{row(a, b), row(c, d)}, nx.Axis(-2))
}

// upperRight is the second of four blocks.
func upperRight(t nx.Tensor) nx.Tensor {
	n := rows(t) / 2
	return t.At(nx.Ellipsis, nx.To(n), nx.From(n))
}

// byBlocks is the derivative of f for a value that iterates: L(a, e) is a block of f([a e; 0 a]). It is
// linear in e, which is made so small that no decision on norms depends on it. N. Higham, Functions of
// Matrices, SIAM 2008, theorem 3.6.
func byBlocks(value func(nx.Tensor) nx.Tensor) func(direction) nx.Tensor {
	return func(p direction) nx.Tensor {
		scale := scalars(small(p.E, p.A))
		r := value(blocks(p.A, nx.Mul(p.E, scale), tree.ZerosLike(p.A), p.A))
		return nx.Div(upperRight(r), scale)
	}
}

// small returns a power of two that makes the norm of e about 2^-100 of that of a.
func small(e, a nx.Tensor) nx.Tensor {
	k := nx.Sub(exponentOf(columnNorm(nx.StopGradient(a))), exponentOf(columnNorm(nx.StopGradient(e))))
	return powerOfTwo(nx.Clip(nx.Sub(k, 100), -1000, 1000), a.DType())
}
