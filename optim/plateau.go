package optim

import (
	"math"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/diag"
	"github.com/go-nx/nx/tree"
)

// PlateauState is the state of [ReduceOnPlateau].
type PlateauState struct {
	// Scale is the factor of updates.
	Scale nx.Tensor
	// Best is the least mean loss so far.
	Best nx.Tensor
	// Bad is the number of means since then, and Cooldown that of means to wait.
	Bad, Cooldown nx.Tensor
	// Mean is that of the losses since the last decision, and Losses their number.
	Mean, Losses nx.Tensor
}

// PlateauOption is an option of [ReduceOnPlateau].
type PlateauOption interface{ plateau(*plateau) }

type plateau struct {
	factor, rtol, atol, least  float64
	patience, cooldown, losses int
}

type (
	factor    float64
	patience  int
	tolerance [2]float64
	cooldown  int
	window    int
	minScale  float64
)

// Factor multiplies the scale at each reduction, .1 without it.
func Factor(f float64) PlateauOption { return factor(f) }

// Patience is the number of steps without improvement before a reduction, 10 without it.
func Patience(n int) PlateauOption { return patience(n) }

// Improvement is what counts as one: a loss below (1-relative)·best - absolute; 1e-4 and 0 without it.
func Improvement(relative, absolute float64) PlateauOption { return tolerance{relative, absolute} }

// Cooldown is the number of steps after a reduction that are not counted, 0 without it.
func Cooldown(n int) PlateauOption { return cooldown(n) }

// Window makes each decision by the mean of a number of losses, 1 without it.
func Window(losses int) PlateauOption { return window(losses) }

// MinScale is the least scale, 0 without it.
func MinScale(v float64) PlateauOption { return minScale(v) }

func (v factor) plateau(o *plateau)    { o.factor = float64(v) }
func (v patience) plateau(o *plateau)  { o.patience = int(v) }
func (v tolerance) plateau(o *plateau) { o.rtol, o.atol = v[0], v[1] }
func (v cooldown) plateau(o *plateau)  { o.cooldown = int(v) }
func (v window) plateau(o *plateau)    { o.losses = int(v) }
func (v minScale) plateau(o *plateau)  { o.least = float64(v) }

// ReduceOnPlateau multiplies updates by a scale that becomes smaller when the loss does not improve. [Update] needs the
// [Loss]. The scale lies in the state, a tensor: a change compiles nothing.
func ReduceOnPlateau(opts ...PlateauOption) Transform {
	o := plateau{factor: .1, rtol: 1e-4, patience: 10, losses: 1}
	for _, opt := range opts {
		if opt != nil {
			opt.plateau(&o)
		}
	}
	if !(o.factor > 0 && o.factor < 1) || o.rtol < 0 || o.atol < 0 || o.rtol+o.atol == 0 || o.losses < 1 {
		panic(diag.New(nx.ErrArgument, "ReduceOnPlateau",
			"give a factor between 0 and 1, an improvement above 0 and a window of 1 or more",
			"the factor is %v, the improvement %v and %v, the window %d", o.factor, o.rtol, o.atol, o.losses))
	}
	return stateful[PlateauState]{"ReduceOnPlateau", func([]Leaf) PlateauState {
		return PlateauState{scalar(1), scalar(math.Inf(1)), newCount(), newCount(), scalar(0), newCount()}
	}, func(updates []Leaf, s PlateauState, step Step) ([]Leaf, PlateauState) {
		next := o.next(s, step.loss("ReduceOnPlateau"))
		return each(updates, func(_ int, u Leaf) nx.Tensor {
			return times(u.Tensor, like(next.Scale, u.Tensor))
		}), next
	}}
}

// next returns the state after a loss.
func (o plateau) next(s PlateauState, loss nx.Tensor) PlateauState {
	s.Losses = nx.Add(s.Losses, 1)
	s.Mean = nx.Add(s.Mean, nx.Div(nx.Sub(loss, s.Mean), nx.Cast(s.Losses, nx.F64)))
	return tree.Map2(func(a, b nx.Tensor) nx.Tensor {
		return nx.Where(nx.Equal(s.Losses, o.losses), a, b)
	}, o.decide(s), s)
}

// decide returns the state after a decision by the mean of the losses.
func (o plateau) decide(s PlateauState) PlateauState {
	zero := nx.ZerosLike(s.Bad)
	better := nx.Less(s.Mean, nx.Sub(nx.Mul(1-o.rtol, s.Best), o.atol))
	bad := nx.Where(better, zero, after(s.Bad))
	cooling := nx.Greater(s.Cooldown, 0)
	reduce := nx.LogicalAnd(nx.Equal(bad, o.patience), nx.LogicalNot(cooling))
	scale := nx.Maximum(nx.Where(reduce, nx.Mul(s.Scale, o.factor), s.Scale), o.least)
	return PlateauState{
		Scale:    nx.Where(cooling, s.Scale, scale),
		Best:     nx.Where(better, s.Mean, s.Best),
		Bad:      nx.Where(nx.LogicalOr(cooling, reduce), zero, bad),
		Cooldown: nx.Where(reduce, nx.FullLike(zero, o.cooldown), nx.Maximum(nx.Sub(s.Cooldown, 1), 0)),
		Mean:     nx.ZerosLike(s.Mean),
		Losses:   zero,
	}
}
