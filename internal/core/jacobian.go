package core

import (
	"slices"
)

// JacobianOption is nx.JacobianOption.
type JacobianOption interface{ jacobianOption(*jacobianOptions) }

type jacobianOptions struct{ mode modeOption }

// modeOption is the type of [ForwardMode] and [ReverseMode].
type modeOption uint8

// The modes of differentiation. The default is the cheaper one: forward where there are fewer
// numbers to differentiate by than results.
const (
	ForwardMode modeOption = 1 + iota // a pass for each number to differentiate by
	ReverseMode                       // a pass for each number of the result
)

func (m modeOption) jacobianOption(o *jacobianOptions) { o.mode = m }

func (modeOption) label() string { return "the mode" }

// Jacobian implements nx.Jacobian.
func Jacobian[P any](f func(P) Tensor, opts ...JacobianOption) func(P) P {
	const op = "Jacobian"
	notNil(op, f == nil)
	var o jacobianOptions
	distinct(op, opts)
	for _, x := range opts {
		if x != nil {
			x.jacobianOption(&o)
		}
	}
	return func(p P) P {
		requireFloats(op, p)
		mode := o.mode
		n, isReal := 0, false
		eachLeaf(op, p, func(_ string, t Tensor) {
			if t.p != nil && t.p.spec.hasDerivative() {
				n += t.p.spec.Shape.Size()
				isReal = isReal || t.p.spec.DType.IsFloat()
			}
		})
		if mode == ForwardMode {
			return forwardJacobian(op, p, f)
		}
		y, pull := VJP(f, p)
		s := requireFloat(op, y)
		if all := withVectorsOf(op, p, y); all != nil { // else VJP adds up what they share
			y, pull = VJP(f, replace(op, p, func(t Tensor) Tensor {
				if t.p != nil && t.p.spec.hasDerivative() {
					t, all = all[0], all[1:]
				}
				return t
			}))
		}
		isMixed := isReal && s.DType.IsComplex()
		switch {
		case isMixed && mode == ReverseMode:
			failOn(ErrGradient, op, []Tensor{y}, "use nx.ForwardMode",
				"a complex result of real numbers has a derivative in forward mode only")
		case mode == 0 && (isMixed || n < s.Shape.Size()):
			return forwardJacobian(op, p, f)
		}
		return reverseJacobian(op, p, y, pull)
	}
}

// withVectorsOf returns the tensors of p that have derivatives with all vectorised axes of
// y, which must be among them, or nil if they have those.
func withVectorsOf[P any](op string, p P, y Tensor) []Tensor {
	var list []Tensor
	lacks := false
	eachLeaf(op, p, func(_ string, t Tensor) {
		if t.p != nil && t.p.spec.hasDerivative() {
			requireVectors(op, y, t)
			list = append(list, t)
			lacks = lacks || len(t.p.spec.Vectors) < len(y.p.spec.Vectors)
		}
	})
	if !lacks {
		return nil
	}
	return BroadcastVectors(append([]Tensor{y}, list...)...)[1:]
}

// requireVectors refuses a result without a vectorised axis of what it is differentiated by.
func requireVectors(op string, y, by Tensor) {
	for _, v := range by.p.spec.Vectors {
		if !slices.ContainsFunc(y.p.spec.Vectors, func(w VectorAxis) bool { return w.Name == v.Name }) {
			failOn(ErrShape, op, []Tensor{y, by}, "devectorize what it is differentiated by (nx.Devectorize)",
				"the result has no vectorised axis %q", v.Name)
		}
	}
}

// requireFloat returns the type of a result that has a derivative.
func requireFloat(op string, y Tensor) *Spec {
	s := y.must(op)
	if !s.hasDerivative() {
		failOn(ErrGradient, op, []Tensor{y}, "cast it to a float type",
			"the value to differentiate must be a float, got %s", s)
	}
	return s
}

// forwardJacobian takes the derivative along each unit vector. A pass of forward mode keeps
// no states of loops, as [Linearize] does, and its values belong to all unit vectors.
func forwardJacobian[P any](op string, p P, f func(P) Tensor) P {
	total := 0
	eachLeaf(op, p, func(_ string, t Tensor) {
		if t.p != nil && t.p.spec.hasDerivative() {
			total += t.p.spec.Shape.Size()
		}
	})
	columns := Vmap(func(place Tensor) Tensor {
		first := 0
		y, dy := jvp(op, f, p, replace(op, p, func(t Tensor) Tensor {
			if t.p == nil || !t.p.spec.hasDerivative() {
				return Tensor{}
			}
			s := t.p.spec
			unit := cast(Equal(Iota(Shape{s.Shape.Size()}, S64), Sub(place, first)), s.DType)
			first += s.Shape.Size()
			return repeated(Reshape(unit, s.Shape...).named(s), t)
		}))
		requireFloat(op, y)
		withVectorsOf(op, p, y)
		return dy
	})(Iota(Shape{total}, S64))
	rank := len(columns.p.spec.Shape)
	axes := make([]int, rank)
	for k := range axes {
		axes[k] = (k + 1) % rank
	}
	first := 0
	return replace(op, p, func(t Tensor) Tensor {
		if t.p == nil || !t.p.spec.hasDerivative() {
			return Tensor{}
		}
		s := t.p.spec.Shape
		own := Transpose(columns.At(Range(first, first+s.Size())), Axis(axes...))
		first += s.Size()
		return Reshape(own, append(own.Shape()[:rank-1], s...)...)
	})
}

// repeated returns t for each element of the vectorised axes of like.
func repeated(t, like Tensor) Tensor {
	if like.p.spec.Vectors == nil {
		return t
	}
	return BroadcastVectors(like, t)[1]
}

// reverseJacobian pulls each unit vector of the result y back.
func reverseJacobian[P any](op string, p P, y Tensor, pull func(Tensor) P) P {
	s := y.p.spec
	rows := Vmap(func(unit Tensor) P {
		return pull(repeated(Reshape(unit, s.Shape...).named(s), y))
	})(Eye(Shape{s.Shape.Size(), s.Shape.Size()}, s.DType))
	return replace(op, rows, func(t Tensor) Tensor {
		if t.p == nil {
			return t
		}
		return Reshape(t, slices.Concat(s.Shape, t.p.spec.Shape[1:])...)
	})
}

// Hessian implements nx.Hessian.
func Hessian(f func(Tensor) Tensor) func(Tensor) Tensor {
	notNil("Hessian", f == nil)
	return Jacobian(Grad(f), ForwardMode)
}
