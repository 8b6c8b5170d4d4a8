package optim

import (
	"maps"
	"math"

	"github.com/go-nx/nx"
)

// Tensors are tensors by the paths of parameters.
type Tensors = map[string]nx.Tensor

// none is the state of a transform without one.
type none struct{}

// stateless is a transform without a state.
type stateless func(updates []Leaf, step Step) []Leaf

func (stateless) Init([]Leaf) State { return none{} }

func (f stateless) Update(updates []Leaf, s State, step Step) ([]Leaf, State) {
	return f(updates, step), s
}

// stateful is a transform with a state of type S.
type stateful[S any] struct {
	name   string
	init   func(params []Leaf) S
	update func(updates []Leaf, s S, step Step) ([]Leaf, S)
}

func (t stateful[S]) Init(params []Leaf) State { return t.init(params) }

func (t stateful[S]) Update(updates []Leaf, s State, step Step) ([]Leaf, State) {
	return t.update(updates, stateOf[S](s, t.name), step)
}

// mapped applies a function to each update and its parameter.
func mapped(f func(u, p nx.Tensor) nx.Tensor) Transform {
	return stateless(func(updates []Leaf, step Step) []Leaf {
		return each(updates, func(i int, u Leaf) nx.Tensor { return f(u.Tensor, step.Params[i].Tensor) })
	})
}

// each returns leaves with other tensors.
func each(leaves []Leaf, f func(i int, l Leaf) nx.Tensor) []Leaf {
	list := make([]Leaf, len(leaves))
	for i, l := range leaves {
		list[i] = Leaf{Path: l.Path, Tensor: f(i, l)}
	}
	return list
}

// copied returns a copy of a tensor: a state shares no memory with parameters, so that both may be donated.
func copied(t nx.Tensor) nx.Tensor { return nx.Reshape(t, t.Shape()...) }

// zeros returns zeros like leaves.
func zeros(leaves []Leaf) Tensors { return filled(leaves, 0) }

// filled returns tensors like leaves that have one value.
func filled(leaves []Leaf, v float64) Tensors {
	m := Tensors{}
	for _, l := range leaves {
		m[l.Path] = nx.Full(l.Tensor.Shape(), v, l.Tensor.DType())
	}
	return m
}

// filledReal is filled with real numbers for complex leaves.
func filledReal(leaves []Leaf, v float64) Tensors {
	m := Tensors{}
	for _, l := range leaves {
		m[l.Path] = nx.Full(l.Tensor.Shape(), v, realOf(l.Tensor.DType()))
	}
	return m
}

// with returns tensors after f has computed those of the leaves.
func with(old Tensors, leaves []Leaf, f func(i int, l Leaf, old nx.Tensor) nx.Tensor) Tensors {
	m := maps.Clone(old)
	if m == nil {
		m = Tensors{}
	}
	for i, l := range leaves {
		m[l.Path] = f(i, l, old[l.Path])
	}
	return m
}

// moment returns the average b*m + (1-b)*x.
func moment(b float64, m, x nx.Tensor) nx.Tensor { return nx.Add(nx.Mul(b, m), nx.Mul(1-b, x)) }

// square returns |x|².
func square(x nx.Tensor) nx.Tensor {
	if x.DType().IsComplex() {
		return nx.Add(nx.Square(nx.Real(x)), nx.Square(nx.Imag(x)))
	}
	return nx.Square(x)
}

// realOf is the type of the absolute values of numbers of a type.
func realOf(d nx.DType) nx.DType {
	if d.IsComplex() {
		return d.Real()
	}
	return d
}

// like casts a factor to the type of the elements of x.
func like(factor, x nx.Tensor) nx.Tensor { return nx.Cast(factor, realOf(x.DType())) }

// times multiplies a tensor, which may be complex, by a real factor.
func times(x, factor nx.Tensor) nx.Tensor {
	if x.DType().IsComplex() {
		factor = nx.Cast(factor, x.DType())
	}
	return nx.Mul(x, factor)
}

// newCount returns the number of steps before the first one.
func newCount() nx.Tensor { return nx.Zeros(nx.Shape{}, nx.S32) }

// after returns the number of steps after one more; it stays at the largest.
func after(count nx.Tensor) nx.Tensor { return nx.Add(nx.Minimum(count, math.MaxInt32-1), 1) }

// debias returns 1/(1-b^t) in f64: the factor of an average of t values that began at 0.
func debias(b float64, t nx.Tensor) nx.Tensor {
	return nx.Div(1, oneMinusPow(b, t))
}

// oneMinusPow returns 1-b^t in f64.
func oneMinusPow(b float64, t nx.Tensor) nx.Tensor {
	if b == 0 {
		return nx.Full(nx.Shape{}, 1, nx.F64)
	}
	return nx.Neg(nx.Expm1(nx.Mul(nx.Cast(t, nx.F64), math.Log(b))))
}

// norm returns the 2-norm of all elements.
func norm(x nx.Tensor) nx.Tensor { return root(nx.Sum(square(x))) }

// root returns square roots, with the derivative 0 at 0.
func root(x nx.Tensor) nx.Tensor {
	zero := nx.Equal(x, 0)
	return nx.Where(zero, 0.0, nx.Sqrt(nx.Where(zero, 1.0, x)))
}
