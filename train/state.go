package train

import (
	"github.com/go-nx/nx"
	"github.com/go-nx/nx/nn"
	"github.com/go-nx/nx/optim"
	"github.com/go-nx/nx/tree"
)

// State is what a step of training changes: one container. A step takes it over; its result is the next one.
type State[M any] struct {
	Model M
	Opt   optim.State
	EMA   M // averages of the parameters with [EMA], else absent
	Scale LossScale
	Step  nx.Tensor // the number of steps, s64
	Key   nx.Tensor
	// Skipped is the number of steps whose gradients were not finite, so that they changed nothing else, s64.
	Skipped nx.Tensor
}

// LossScale is the factor of a loss in f16, whose gradients would be too small without it; absent otherwise.
type LossScale struct {
	Value nx.Tensor // f32
	Good  nx.Tensor // s32: the steps since it has changed
}

// The dynamic scale: it begins at 2¹⁵, doubles after 2000 good steps up to 2¹⁰⁰, from where an infinity is far, and is
// halved by a bad one, down to 1.
//
// Source: P. Micikevicius et al., "Mixed precision training", 2017, arXiv:1710.03740; the numbers are Keras'.
const (
	firstScale    = 1 << 15
	doubledAfter  = 2000
	smallestScale = 1
	largestScale  = 1 << 100
)

func newScale() LossScale {
	return LossScale{
		Value: nx.Full(nx.Shape{}, firstScale, nx.F32),
		Good:  nx.Zeros(nx.Shape{}, nx.S32),
	}
}

// after is the scale after a step with gradients that are finite, or not.
func (s LossScale) after(finite nx.Tensor) LossScale {
	if s.Value.IsZero() {
		return s
	}
	good := nx.Add(s.Good, 1)
	full := nx.GreaterEqual(good, doubledAfter)
	grown := nx.Where(full, nx.Minimum(nx.Mul(s.Value, 2), float64(largestScale)), s.Value)
	return LossScale{
		Value: nx.Where(finite, grown, nx.Maximum(nx.Mul(s.Value, 0.5), smallestScale)),
		Good:  nx.Where(nx.LogicalAnd(finite, nx.LogicalNot(full)), good, 0),
	}
}

// choose returns the tensors of a where a condition holds, else those of b.
func choose[P any](condition nx.Tensor, a, b P) P {
	return tree.Map2(func(x, y nx.Tensor) nx.Tensor { return nx.Where(condition, x, y) }, a, b)
}

// hasTensors reports whether a container has tensors: the state of an optimiser may have none.
func hasTensors(p any) bool {
	for range tree.Leaves(p) {
		return true
	}
	return false
}

// mapAny is tree.Map of a container that may have no tensors.
func mapAny[P any](f func(nx.Tensor) nx.Tensor, p P) P {
	if !hasTensors(p) {
		return p
	}
	return tree.Map(f, p)
}

// owned returns a container of copies, which nothing else uses, so that a step may take their memory.
func owned[P any](p P) P {
	return tree.Map(func(t nx.Tensor) nx.Tensor {
		return nx.FromBytes(nx.Bytes(t), t.Shape(), t.DType(), nx.Names(t.Names()...))
	}, p)
}

// average returns the first averages of parameters: copies, in f32 where their type is narrower, as a small part of a
// change would be rounded away.
func average[P any](p P) P {
	return tree.Map(func(t nx.Tensor) nx.Tensor {
		if t.DType().IsFloat() && t.DType().Size() < nx.F32.Size() {
			return nx.Cast(t, nx.F32)
		}
		return t
	}, p)
}

// buffers returns the buffers of a model; the other tensors are absent.
func buffers[M any](m M) M {
	if !hasTensors(m) {
		return m
	}
	b, _ := nn.Partition(m, func(l nn.Leaf) bool { return l.Buffer })
	return b
}
