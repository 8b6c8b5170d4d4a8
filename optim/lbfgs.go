package optim

import (
	"github.com/go-nx/nx"
	"github.com/go-nx/nx/tree"
)

// LBFGSState is the state of [ScaleByLBFGS].
type LBFGSState struct {
	// Step is the number of updates made.
	Step nx.Tensor
	// Params and Grads are those of the last step.
	Params, Grads Tensors
	// Moves and Changes are the last differences of parameters and of gradients, one in each row.
	Moves, Changes Tensors
	// Weight has 1 over the product of each pair of them.
	Weight nx.Tensor
}

// LBFGSOption is an option of [LBFGS], [ScaleByLBFGS] and [Minimise].
type LBFGSOption interface {
	MinimiseOption
	lbfgs(*lbfgs)
}

type lbfgs struct {
	memory   int
	unscaled bool
}

type memory int

// Memory is the number of steps that the estimate of curvature is made of, 10 without it.
func Memory(steps int) LBFGSOption {
	positive("Memory", steps)
	return memory(steps)
}

func (m memory) lbfgs(o *lbfgs)       { o.memory = int(m) }
func (m memory) minimise(o *minimise) { o.memory = int(m) }

type plainStart bool

// PlainStart begins the estimate of curvature with 1, not with that of the last step.
const PlainStart plainStart = true

func (plainStart) lbfgs(o *lbfgs)       { o.unscaled = true }
func (plainStart) minimise(o *minimise) { o.unscaled = true }

// LBFGS is the method of Nocedal with a fixed rate (Math. Comp. 35, 1980). It is for losses of all the data. [Minimise]
// has a line search.
func LBFGS[R Rate](learningRate R, opts ...LBFGSOption) Transform {
	return Chain(ScaleByLBFGS(opts...), Descend(learningRate))
}

// ScaleByLBFGS multiplies gradients by an estimate of the inverse Hessian.
func ScaleByLBFGS(opts ...LBFGSOption) Transform {
	o := lbfgs{memory: 10}
	for _, opt := range opts {
		if opt != nil {
			opt.lbfgs(&o)
		}
	}
	return stateful[LBFGSState]{"ScaleByLBFGS", o.init, o.update}
}

func (o lbfgs) init(params []Leaf) LBFGSState {
	d := realOf(nx.F32)
	rows := each(params, func(_ int, p Leaf) nx.Tensor {
		if p.Tensor.DType() == nx.F64 || p.Tensor.DType() == nx.C128 {
			d = nx.F64
		}
		return nx.Zeros(append(nx.Shape{o.memory}, p.Tensor.Shape()...), p.Tensor.DType())
	})
	return LBFGSState{newCount(), zeros(params), zeros(params), byPath(rows), tree.ZerosLike(byPath(rows)),
		nx.Zeros(nx.Shape{o.memory}, d)}
}

// dot returns the real part of the product of two lists of leaves, in a type.
func dot(a, b []Leaf, d nx.DType) nx.Tensor {
	sum := nx.Full(nx.Shape{}, 0, d)
	for i := range a {
		x, y := a[i].Tensor, b[i].Tensor
		var p nx.Tensor
		if x.DType().IsComplex() {
			p = nx.Add(nx.Mul(nx.Real(x), nx.Real(y)), nx.Mul(nx.Imag(x), nx.Imag(y)))
		} else {
			p = nx.Mul(x, y)
		}
		sum = nx.Add(sum, nx.Cast(nx.Sum(p), d))
	}
	return sum
}

// addScaled returns a + factor·b.
func addScaled(a []Leaf, factor nx.Tensor, b []Leaf) []Leaf {
	return each(a, func(i int, l Leaf) nx.Tensor {
		return nx.Add(l.Tensor, times(b[i].Tensor, like(factor, l.Tensor)))
	})
}

func (o lbfgs) update(grads []Leaf, s LBFGSState, step Step) ([]Leaf, LBFGSState) {
	d := s.Weight.DType()
	begun := nx.Greater(s.Step, 0)
	difference := func(now []Leaf, last Tensors) []Leaf {
		return each(now, func(_ int, l Leaf) nx.Tensor {
			return nx.Where(begun, nx.Sub(l.Tensor, last[l.Path]), nx.ZerosLike(l.Tensor))
		})
	}
	move, change := difference(step.Params, s.Params), difference(grads, s.Grads)
	product := dot(change, move, d)
	weight := nx.Where(nx.Equal(product, 0), nx.ZerosLike(product), nx.Div(1, product))
	// The pairs lie in a ring; the newest one takes the place of the oldest.
	last := nx.Remainder(nx.Sub(s.Step, 1), o.memory)
	record := func(ring Tensors, now []Leaf) Tensors {
		return with(ring, now, func(_ int, l Leaf, rows nx.Tensor) nx.Tensor { return nx.SetAt(rows, l.Tensor, last) })
	}
	next := LBFGSState{
		Step:    after(s.Step),
		Params:  with(s.Params, step.Params, func(_ int, p Leaf, _ nx.Tensor) nx.Tensor { return p.Tensor }),
		Grads:   with(s.Grads, grads, func(_ int, g Leaf, _ nx.Tensor) nx.Tensor { return g.Tensor }),
		Moves:   record(s.Moves, move),
		Changes: record(s.Changes, change),
		Weight:  nx.SetAt(s.Weight, weight, last),
	}
	at := func(ring Tensors, i nx.Tensor) []Leaf {
		return each(grads, func(_ int, g Leaf) nx.Tensor { return ring[g.Path].At(i) })
	}
	direction := grads
	alphas := make([]nx.Tensor, o.memory)
	places := make([]nx.Tensor, o.memory) // from the oldest to the newest
	for k := range o.memory {
		places[k] = nx.Remainder(nx.Add(s.Step, k), o.memory)
	}
	for k := o.memory - 1; k >= 0; k-- {
		i := places[k]
		alphas[k] = nx.Mul(next.Weight.At(i), dot(at(next.Moves, i), direction, d))
		direction = addScaled(direction, nx.Neg(alphas[k]), at(next.Changes, i))
	}
	if !o.unscaled {
		size := dot(change, change, d)
		scale := nx.Where(nx.Greater(size, 0), nx.Div(product, size), nx.OnesLike(size))
		first := nx.Minimum(nx.Div(1, nx.Sqrt(dot(grads, grads, d))), 1)
		scale = nx.Where(begun, scale, first)
		direction = each(direction, func(_ int, l Leaf) nx.Tensor { return times(l.Tensor, like(scale, l.Tensor)) })
	}
	for k := range o.memory {
		i := places[k]
		beta := nx.Mul(next.Weight.At(i), dot(at(next.Changes, i), direction, d))
		direction = addScaled(direction, nx.Sub(alphas[k], beta), at(next.Moves, i))
	}
	return direction, next
}
