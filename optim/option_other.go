package optim

import "github.com/go-nx/nx"

type dampening struct {
	forSGD
	d float64
}

// Dampening multiplies gradients by 1-d as they enter the momentum, all but the first, as torch.optim.SGD does.
func Dampening(d float64) SGDOption { return dampening{d: d} }

func (o dampening) set(s *settings) { s.dampening = o.d }

type rateInVelocity bool

// RateInVelocity multiplies updates by the rate as they enter the momentum, as SGD of Keras does: a change of the rate
// takes effect with delay.
const RateInVelocity rateInVelocity = true

func (rateInVelocity) set(s *settings) { s.rateInVelocity = true }
func (rateInVelocity) sgd()            {}

type rateAfterVelocity bool

// RateAfterVelocity multiplies the momentum by the rate, as torch.optim.RMSprop does: a change of the rate takes effect
// at once.
const RateAfterVelocity rateAfterVelocity = true

func (rateAfterVelocity) set(s *settings) { s.rateInVelocity = false }
func (rateAfterVelocity) rmsProp()        {}
func (rateAfterVelocity) lars()           {}

type rho struct {
	forRMSProp
	forAdadelta
	v float64
}

// Rho is the decay of the average of squares.
func Rho(v float64) interface {
	RMSPropOption
	AdadeltaOption
} {
	return rho{v: v}
}

func (o rho) set(s *settings) { s.rho = o.v }

type rmsFlag string

const (
	// Centred subtracts the square of the average of gradients from that of squares.
	Centred rmsFlag = "centred"
	// Corrected corrects averages for their start at 0.
	Corrected rmsFlag = "corrected"
)

func (f rmsFlag) set(s *settings) {
	switch f {
	case Centred:
		s.centred = true
	case Corrected:
		s.corrected = true
	}
}
func (rmsFlag) rmsProp() {}

type epsilonOutside bool

// EpsilonOutside adds the epsilon to a root, and not under it, as PyTorch does.
const EpsilonOutside epsilonOutside = true

func (epsilonOutside) set(s *settings) { s.epsilonOutside = true }
func (epsilonOutside) rmsProp()        {}
func (epsilonOutside) adagrad()        {}
func (epsilonOutside) adamax()         {}

type trust struct {
	forLARS
	c float64
}

// TrustCoefficient is the factor of the trust ratio of [LARS], 1e-3 without it.
func TrustCoefficient(c float64) LARSOption { return trust{c: c} }

func (o trust) set(s *settings) { s.trust = o.c }

// StepFactors multiply the steps of [Rprop] where a gradient changes its sign, and where it keeps it: .5 and 1.2
// without it.
func StepFactors(shrink, growth float64) RpropOption {
	return stepFactors{shrink: shrink, growth: growth}
}

type stepFactors struct {
	forRprop
	shrink, growth float64
}

func (o stepFactors) set(s *settings) { s.shrink, s.growth = o.shrink, o.growth }

type lateSteps bool

// LateSteps makes each step of [Rprop] one step later, and leaves it out where the gradient turns, as Optax does.
const LateSteps lateSteps = true

func (lateSteps) set(s *settings) { s.late = true }
func (lateSteps) rprop()          {}

type stepBounds struct {
	forRprop
	smallest, largest float64
}

// StepBounds are the smallest and largest step of [Rprop], 1e-6 and 50 without it.
func StepBounds(smallest, largest float64) RpropOption {
	return stepBounds{smallest: smallest, largest: largest}
}

func (o stepBounds) set(s *settings) { s.smallest, s.largest = o.smallest, o.largest }

type trustOf struct {
	forLARS
	keep func(Leaf) bool
}

// TrustOf chooses the parameters whose updates [LARS] multiplies by trust ratios, all without it.
func TrustOf(keep func(Leaf) bool) LARSOption { return trustOf{keep: keep} }

func (o trustOf) set(s *settings) { s.trustOf = o.keep }

type (
	decayPower struct {
		forAdafactor
		v float64
	}
	decayOffset struct {
		forAdafactor
		n int
	}
	minFactored struct {
		forAdafactor
		n int
	}
	clipRMS struct {
		forAdafactor
		v float64
	}
)

// DecayPower makes 1 minus the decay of averages the step to a negative power.
func DecayPower(p float64) AdafactorOption { return decayPower{v: p} }

// DecayOffset is subtracted from the step in the decay, for training that goes on from a first part.
func DecayOffset(steps int) AdafactorOption { return decayOffset{n: steps} }

// MinFactored is the smallest size of an axis that is factored.
func MinFactored(n int) AdafactorOption { return minFactored{n: n} }

// ClipRMS is the largest root mean square of an update, 0 for none.
func ClipRMS(v float64) AdafactorOption { return clipRMS{v: v} }

func (o decayPower) set(s *settings)  { s.power = o.v }
func (o decayOffset) set(s *settings) { s.offset = o.n }
func (o minFactored) set(s *settings) { s.minimum = o.n }
func (o clipRMS) set(s *settings)     { s.blockRMS = o.v }

type adafactorFlag string

const (
	// LastAxes factors the last two axes, of any size, as PyTorch and Keras do.
	LastAxes adafactorFlag = "last axes"
	// EpsilonFloor bounds averages by the epsilon, and does not add it to squares, as PyTorch does.
	EpsilonFloor adafactorFlag = "epsilon floor"
)

func (f adafactorFlag) set(s *settings) {
	switch f {
	case LastAxes:
		s.lastAxes = true
	case EpsilonFloor:
		s.epsilonFloor = true
	}
}
func (adafactorFlag) adafactor() {}

type unscaled bool

// Unscaled leaves out the factor of a parameter: its size in [Adafactor], its shape in [Muon].
const Unscaled unscaled = true

func (unscaled) set(s *settings) { s.unscaled = true }
func (unscaled) adafactor()      {}
func (unscaled) muon()           {}

type muonFlag string

const (
	// PlainMomentum is momentum without Nesterov's look ahead.
	PlainMomentum muonFlag = "plain momentum"
	// MomentumUncorrected does not correct the average of gradients for its start at 0, as PyTorch and Keras do.
	MomentumUncorrected muonFlag = "uncorrected"
	// Adaptive multiplies directions by their product with the average of gradients (arXiv:2409.20325).
	Adaptive muonFlag = "adaptive"
	// InputsFirst says that matrices have their inputs as rows, as Keras and Flax have.
	InputsFirst muonFlag = "inputs first"
)

func (f muonFlag) set(s *settings) {
	switch f {
	case PlainMomentum:
		s.nesterov = false
	case MomentumUncorrected:
		s.meanUncorrected = true
	case Adaptive:
		s.adaptive = true
	case InputsFirst:
		s.inputsFirst = true
	}
}
func (muonFlag) muon() {}

type newtonSchulz struct {
	forMuon
	steps int
	list  []Coefficients
}

// NewtonSchulz are the number of iterations of [Muon] and their coefficients; the last ones are those of all later
// iterations.
func NewtonSchulz(iterations int, c ...Coefficients) MuonOption {
	return newtonSchulz{steps: iterations, list: c}
}

func (o newtonSchulz) set(s *settings) {
	s.steps = o.steps
	if len(o.list) > 0 {
		s.coefficients = o.list
	}
}

type matchRMS struct {
	forMuon
	v float64
}

// MatchRMS gives directions of [Muon] the root mean square v, whatever their shape; .2 is that of Adam.
func MatchRMS(v float64) MuonOption { return matchRMS{v: v} }

func (o matchRMS) set(s *settings) { s.targetRMS = o.v }

type precondition string

const (
	// BySpectralNorm divides by the largest singular value before the iterations of [Muon], not by the 2-norm of all
	// elements.
	BySpectralNorm precondition = "spectral norm"
	// BySchattenNorm divides by the root of the norm of x·xᵀ, the Schatten-4 norm.
	BySchattenNorm precondition = "Schatten norm"
	// ByRows divides each row by the root of the sum of its products with all rows ("almost orthogonal", AOL).
	ByRows precondition = "rows"
)

func (p precondition) set(s *settings) { s.precondition = p }
func (precondition) muon()             {}

type iterateIn struct {
	forMuon
	d nx.DType
}

// IterateIn rounds what the iterations of [Muon] compute to an element type; PyTorch has bf16.
func IterateIn(d nx.DType) MuonOption { return iterateIn{d: d} }

func (o iterateIn) set(s *settings) { s.iterateIn = o.d }

type rest struct {
	forMuon
	t Transform
}

// Rest is the optimiser of the parameters other than matrices.
func Rest(t Transform) MuonOption { return rest{t: t} }

func (o rest) set(s *settings) { s.rest = o.t }
