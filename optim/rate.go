package optim

import (
	"strings"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/diag"
	"github.com/go-nx/nx/tree"
)

// Rate is the type of a learning rate or decay: a number, or a [Schedule] of the number of updates made before, which
// counts from 0.
type Rate interface {
	float64 | int | Schedule | func(nx.Tensor) nx.Tensor
}

// rate is a constant, or a schedule.
type rate struct {
	value    float64
	schedule Schedule
}

func rateOf[R Rate](r R) rate {
	switch r := any(r).(type) {
	case float64:
		return rate{value: r}
	case int:
		return rate{value: float64(r)}
	case Schedule:
		return rate{schedule: r}
	case func(nx.Tensor) nx.Tensor:
		return rate{schedule: r}
	}
	panic("unreachable: Rate lists the types")
}

// then returns a rate whose values are those of number, or tensor, of the values of r.
func (r rate) then(number func(float64) float64, tensor func(nx.Tensor) nx.Tensor) rate {
	if r.schedule == nil {
		return rate{value: number(r.value)}
	}
	return rate{schedule: func(step nx.Tensor) nx.Tensor { return tensor(r.schedule(step)) }}
}

// function returns the rate as a schedule.
func (r rate) function() Schedule {
	if r.schedule == nil {
		return Constant(r.value)
	}
	return r.schedule
}

// times returns x times the rate at a step.
func (r rate) times(x, at nx.Tensor) nx.Tensor {
	if r.schedule == nil {
		return nx.Mul(x, r.value)
	}
	return times(x, like(at, x))
}

// RateState is the state of a transform with a schedule.
type RateState struct {
	// Step is the number of updates made.
	Step nx.Tensor
	// Rate is the value of the schedule at the last one.
	Rate nx.Tensor
}

// init returns the state of a transform with a rate.
func (r rate) init() State {
	if r.schedule == nil {
		return none{}
	}
	return RateState{newCount(), nx.Full(nx.Shape{}, 0, nx.F64)}
}

// next returns the value of the rate at this step, absent for a constant one, and the state after it.
func (r rate) next(s State) (at nx.Tensor, next State) {
	if r.schedule == nil {
		return nx.Tensor{}, s
	}
	state := s.(RateState)
	at = r.schedule(state.Step)
	if at.Rank() != 0 || !at.DType().IsFloat() {
		panic(diag.New(nx.ErrArgument, "Schedule", "return a scalar of type f64",
			"a schedule returned %s%v", at.DType(), at.Shape()))
	}
	at = nx.Cast(at, nx.F64)
	return at, RateState{after(state.Step), at}
}

// scaling multiplies updates by a rate.
type scaling struct{ rate rate }

func (t scaling) Init([]Leaf) State { return t.rate.init() }

func (t scaling) Update(updates []Leaf, s State, _ Step) ([]Leaf, State) {
	at, next := t.rate.next(s)
	return each(updates, func(_ int, u Leaf) nx.Tensor { return t.rate.times(u.Tensor, at) }), next
}

// Scale multiplies updates by a number, or by the value of a schedule.
func Scale[R Rate](factor R) Transform { return scaling{rateOf(factor)} }

// descending multiplies updates by minus a rate, which its state has even if it is constant.
type descending struct{ rate Schedule }

func (t descending) Init([]Leaf) State { return rate{schedule: t.rate}.init() }

func (t descending) Update(updates []Leaf, s State, _ Step) ([]Leaf, State) {
	at, next := rate{schedule: t.rate}.next(s)
	at = nx.Neg(at)
	return each(updates, func(_ int, u Leaf) nx.Tensor { return times(u.Tensor, like(at, u.Tensor)) }), next
}

// Descend multiplies updates by minus the learning rate: the last transform of an optimiser.
func Descend[R Rate](learningRate R) Transform { return descending{rateOf(learningRate).function()} }

// LearningRate returns the rate of the last update, from the state of an optimiser: that of the last [Descend] in it.
// It is absent for optimisers without one, and 0 before the first update.
func LearningRate(s State) nx.Tensor {
	var last nx.Tensor
	for path, t := range tree.Leaves(s) {
		if path == "Rate" || strings.HasSuffix(path, ".Rate") {
			last = t
		}
	}
	return last
}

// decaying adds parameters times a rate to the updates.
type decaying struct{ rate rate }

func (t decaying) Init([]Leaf) State { return t.rate.init() }

func (t decaying) Update(updates []Leaf, s State, step Step) ([]Leaf, State) {
	at, next := t.rate.next(s)
	return each(updates, func(i int, u Leaf) nx.Tensor {
		return nx.Add(u.Tensor, t.rate.times(step.Params[i].Tensor, at))
	}), next
}

// AddDecay adds λ times the parameters to the updates: the gradient of an L2 penalty before an optimiser, decoupled
// weight decay after its moments. Where(Matrices, AddDecay(λ)) leaves out biases and norms.
func AddDecay[R Rate](lambda R) Transform { return decaying{rateOf(lambda)} }
