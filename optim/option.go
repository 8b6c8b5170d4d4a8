package optim

import "github.com/go-nx/nx"

// Options of optimisers are values behind sealed interfaces, one per optimiser, so that an option without a meaning for
// an optimiser does not compile.
type (
	// SGDOption is an option of [SGD] and [Trace].
	SGDOption interface {
		option
		sgd()
	}
	// AdamOption is an option of [Adam] and [ScaleByAdam].
	AdamOption interface {
		option
		adam()
	}
	// AdamWOption is an option of [AdamW].
	AdamWOption interface {
		option
		adamW()
	}
	// BeliefOption is an option of [AdaBelief].
	BeliefOption interface {
		option
		belief()
	}
	// YogiOption is an option of [Yogi].
	YogiOption interface {
		option
		yogi()
	}
	// RAdamOption is an option of [RAdam].
	RAdamOption interface {
		option
		radam()
	}
	// AdamaxOption is an option of [Adamax].
	AdamaxOption interface {
		option
		adamax()
	}
	// LionOption is an option of [Lion].
	LionOption interface {
		option
		lion()
	}
	// AdanOption is an option of [Adan].
	AdanOption interface {
		option
		adan()
	}
	// LAMBOption is an option of [LAMB].
	LAMBOption interface {
		option
		lamb()
	}
	// LARSOption is an option of [LARS].
	LARSOption interface {
		option
		lars()
	}
	// NovoGradOption is an option of [NovoGrad].
	NovoGradOption interface {
		option
		novoGrad()
	}
	// RMSPropOption is an option of [RMSProp] and [ScaleByRMS].
	RMSPropOption interface {
		option
		rmsProp()
	}
	// AdagradOption is an option of [Adagrad].
	AdagradOption interface {
		option
		adagrad()
	}
	// AdadeltaOption is an option of [Adadelta].
	AdadeltaOption interface {
		option
		adadelta()
	}
	// AdafactorOption is an option of [Adafactor] and [ScaleByFactoredRMS].
	AdafactorOption interface {
		option
		adafactor()
	}
	// MuonOption is an option of [Muon].
	MuonOption interface {
		option
		muon()
	}
	// RpropOption is an option of [Rprop].
	RpropOption interface {
		option
		rprop()
	}
)

// option changes settings.
type option interface{ set(*settings) }

// Markers say in whose options a type is, by embedding.
type (
	forSGD       struct{}
	forAdam      struct{}
	forAdamW     struct{}
	forBelief    struct{}
	forYogi      struct{}
	forRAdam     struct{}
	forAdamax    struct{}
	forLion      struct{}
	forAdan      struct{}
	forLAMB      struct{}
	forLARS      struct{}
	forNovoGrad  struct{}
	forRMSProp   struct{}
	forAdagrad   struct{}
	forAdadelta  struct{}
	forAdafactor struct{}
	forMuon      struct{}
	forRprop     struct{}
)

func (forSGD) sgd()             {}
func (forAdam) adam()           {}
func (forAdamW) adamW()         {}
func (forBelief) belief()       {}
func (forYogi) yogi()           {}
func (forRAdam) radam()         {}
func (forAdamax) adamax()       {}
func (forLion) lion()           {}
func (forAdan) adan()           {}
func (forLAMB) lamb()           {}
func (forLARS) lars()           {}
func (forNovoGrad) novoGrad()   {}
func (forRMSProp) rmsProp()     {}
func (forAdagrad) adagrad()     {}
func (forAdadelta) adadelta()   {}
func (forAdafactor) adafactor() {}
func (forMuon) muon()           {}
func (forRprop) rprop()         {}

// settings are the options of optimisers.
type settings struct {
	b1, b2, b3, epsilon, epsilonRoot, initial          float64
	momentum, dampening, rho, threshold, momentumDecay float64
	trust, power, floor, blockRMS                      float64
	shrink, growth, smallest, largest                  float64
	targetRMS                                          float64
	minimum, offset, steps                             int
	hasMomentum, hasMomentumDecay                      bool
	nesterov, centred, corrected, epsilonOutside       bool
	maximum, rawMaximum, epsilonUncorrected            bool
	meanUncorrected, squareUncorrected, rateInVelocity bool
	lastAxes, unscaled, adaptive                       bool
	epsilonFloor, inputsFirst                          bool
	decay                                              rate
	decayOf, trustOf                                   func(Leaf) bool
	coefficients                                       []Coefficients
	rest                                               Transform
	iterateIn                                          nx.DType
	precondition                                       precondition
	narrowProduct, late                                bool
}

// apply returns settings with options applied to defaults.
func apply[O option](s settings, opts []O) settings {
	for _, o := range opts {
		if any(o) != nil {
			o.set(&s)
		}
	}
	return s
}

type betas struct {
	forAdam
	forAdamW
	forBelief
	forYogi
	forRAdam
	forAdamax
	forLion
	forLAMB
	forNovoGrad
	first, second float64
}

// Betas are the decays of the averages of gradients and of their squares.
func Betas(first, second float64) interface {
	AdamOption
	AdamWOption
	BeliefOption
	YogiOption
	RAdamOption
	AdamaxOption
	LionOption
	LAMBOption
	NovoGradOption
} {
	return betas{first: first, second: second}
}

func (o betas) set(s *settings) { s.b1, s.b2 = o.first, o.second }

type adanBetas struct {
	forAdan
	b [3]float64
}

// AdanBetas are the decays of the averages of gradients, of their differences, and of the squares of [Adan].
func AdanBetas(gradients, differences, squares float64) AdanOption {
	return adanBetas{b: [3]float64{gradients, differences, squares}}
}

func (o adanBetas) set(s *settings) { s.b1, s.b2, s.b3 = o.b[0], o.b[1], o.b[2] }

type epsilon struct {
	forAdam
	forAdamW
	forBelief
	forYogi
	forRAdam
	forAdamax
	forAdan
	forLAMB
	forLARS
	forNovoGrad
	forRMSProp
	forAdagrad
	forAdadelta
	forAdafactor
	forMuon
	e float64
}

// Epsilon is a small number that keeps a denominator from 0. Each optimiser says where it is added.
func Epsilon(e float64) interface {
	AdamOption
	AdamWOption
	BeliefOption
	YogiOption
	RAdamOption
	AdamaxOption
	AdanOption
	LAMBOption
	LARSOption
	NovoGradOption
	RMSPropOption
	AdagradOption
	AdadeltaOption
	AdafactorOption
	MuonOption
} {
	return epsilon{e: e}
}

func (o epsilon) set(s *settings) { s.epsilon = o.e }

type epsilonRoot struct {
	forAdam
	forAdamW
	forBelief
	forYogi
	forRAdam
	forAdan
	forLAMB
	forNovoGrad
	e float64
}

// EpsilonRoot is added under the root of a denominator, which makes its derivative finite.
func EpsilonRoot(e float64) interface {
	AdamOption
	AdamWOption
	BeliefOption
	YogiOption
	RAdamOption
	AdanOption
	LAMBOption
	NovoGradOption
} {
	return epsilonRoot{e: e}
}

func (o epsilonRoot) set(s *settings) { s.epsilonRoot = o.e }

type initial struct {
	forYogi
	forAdagrad
	forRMSProp
	v float64
}

// Initial is the value at which averages, or sums, of squares begin.
func Initial(v float64) interface {
	YogiOption
	AdagradOption
	RMSPropOption
	FTRLOption
} {
	return initial{v: v}
}

func (o initial) set(s *settings) { s.initial = o.v }

type momentum struct {
	forSGD
	forLARS
	forRMSProp
	forAdafactor
	forMuon
	m float64
}

// Momentum is the decay of the sum of past updates; of their average for [Adafactor] and [Muon].
func Momentum(m float64) interface {
	SGDOption
	LARSOption
	RMSPropOption
	AdafactorOption
	MuonOption
} {
	return momentum{m: m}
}

func (o momentum) set(s *settings) { s.momentum, s.hasMomentum = o.m, true }

type decayOption struct {
	forAdamax
	forLion
	forAdan
	forLAMB
	forLARS
	forNovoGrad
	forAdafactor
	forMuon
	r rate
}

// Decay adds λ times the parameter to the direction of an optimiser, for matrices; see [DecayOf].
func Decay[R Rate](lambda R) interface {
	AdamaxOption
	LionOption
	AdanOption
	LAMBOption
	LARSOption
	NovoGradOption
	AdafactorOption
	MuonOption
} {
	return decayOption{r: rateOf(lambda)}
}

func (o decayOption) set(s *settings) { s.decay = o.r }

type decayOf struct {
	forAdamW
	forAdamax
	forLion
	forAdan
	forLAMB
	forLARS
	forNovoGrad
	forAdafactor
	forMuon
	keep func(Leaf) bool
}

// DecayOf chooses the parameters that decay: [Matrices] without it, [All], or another function.
func DecayOf(keep func(Leaf) bool) interface {
	AdamWOption
	AdamaxOption
	LionOption
	AdanOption
	LAMBOption
	LARSOption
	NovoGradOption
	AdafactorOption
	MuonOption
} {
	return decayOf{keep: keep}
}

func (o decayOf) set(s *settings) { s.decayOf = o.keep }

// decayed is a transform that adds the decay of the settings, if any.
func (o settings) decayed() Transform {
	keep := o.decayOf
	if keep == nil {
		keep = Matrices
	}
	return Where(keep, decaying{o.decay})
}

type nesterov bool

// Nesterov looks a step of the momentum ahead.
const Nesterov nesterov = true

func (nesterov) set(s *settings) { s.nesterov = true }
func (nesterov) sgd()            {}
func (nesterov) adam()           {}
func (nesterov) adamW()          {}
func (nesterov) belief()         {}
func (nesterov) radam()          {}
func (nesterov) lars()           {}
func (nesterov) rmsProp()        {}
