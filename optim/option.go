package optim

// Options of optimisers are values behind sealed interfaces, one per family of optimisers, so that an option without a
// meaning for an optimiser does not compile.
type (
	// SGDOption is an option of [SGD].
	SGDOption interface{ sgd(*settings) }
	// AdamOption is an option of [Adam] and [ScaleByAdam].
	AdamOption interface{ adam(*settings) }
	// AdamWOption is an option of [AdamW]; each [AdamOption] is one.
	AdamWOption interface{ adamW(*settings) }
)

// settings are the options of optimisers and schedules.
type settings struct {
	b1, b2, b3, epsilon, epsilonRoot, initial          float64
	momentum, dampening, rho, threshold, momentumDecay float64
	hasMomentum, hasMomentumDecay                      bool
	nesterov, centred, corrected, epsilonOutside       bool
	maximum, rawMaximum, epsilonUncorrected            bool
	meanUncorrected, squareUncorrected, rateInVelocity bool
	decay                                              rate
	decayOf                                            func(Leaf) bool

	exponent, end, growth, shrink, floor        float64
	peakAt, fallUntil, startDivisor, endDivisor float64
	cycle, staircase, hasEnd                    bool
}

// apply applies options to defaults.
func apply[O any](s settings, opts []O, set func(O) func(*settings)) settings {
	for _, o := range opts {
		if any(o) != nil {
			set(o)(&s)
		}
	}
	return s
}

// adamFamily are the options of all that has moments as Adam does.
type adamFamily interface {
	AdamOption
	AdamWOption
}

type betas [2]float64

// Betas are the decays of the averages of gradients and of their squares.
func Betas(first, second float64) adamFamily { return betas{first, second} }

func (b betas) adam(s *settings)  { s.b1, s.b2 = b[0], b[1] }
func (b betas) adamW(s *settings) { b.adam(s) }

type epsilon float64

// Epsilon is added to the root in a denominator.
func Epsilon(e float64) adamFamily { return epsilon(e) }

func (e epsilon) adam(s *settings)  { s.epsilon = float64(e) }
func (e epsilon) adamW(s *settings) { e.adam(s) }

type epsilonRoot float64

// EpsilonRoot is added under the root in a denominator, which makes its derivative finite.
func EpsilonRoot(e float64) adamFamily { return epsilonRoot(e) }

func (e epsilonRoot) adam(s *settings)  { s.epsilonRoot = float64(e) }
func (e epsilonRoot) adamW(s *settings) { e.adam(s) }

type nesterov bool

// Nesterov looks a step of the momentum ahead.
const Nesterov nesterov = true

func (nesterov) adam(s *settings)  { s.nesterov = true }
func (nesterov) adamW(s *settings) { s.nesterov = true }
func (nesterov) sgd(s *settings)   { s.nesterov = true }

type momentum float64

// Momentum is the decay of the sum of past gradients.
func Momentum(m float64) SGDOption { return momentum(m) }

func (m momentum) sgd(s *settings) { s.momentum, s.hasMomentum = float64(m), true }

type dampening float64

// Dampening multiplies gradients by 1-d as they enter the momentum, all but the first, as torch.optim.SGD does.
func Dampening(d float64) SGDOption { return dampening(d) }

func (d dampening) sgd(s *settings) { s.dampening = float64(d) }

type rateInVelocity bool

// RateInVelocity multiplies gradients by the rate as they enter the momentum, as Keras does: a change of the rate takes
// effect with delay.
const RateInVelocity rateInVelocity = true

func (rateInVelocity) sgd(s *settings) { s.rateInVelocity = true }

type decayOf func(Leaf) bool

// DecayOf chooses the parameters that decay, [Matrices] without it.
func DecayOf(keep func(Leaf) bool) AdamWOption { return decayOf(keep) }

func (d decayOf) adamW(s *settings) { s.decayOf = d }

// maximum says which squares AMSGrad compares.
type maximum string

const (
	// AMSGrad divides by the largest average of squares so far, corrected for its start at 0.
	AMSGrad maximum = "corrected"
	// AMSGradRaw divides by the largest average of squares so far, which is corrected for the start at 0 when it is
	// used, as PyTorch and Keras do.
	AMSGradRaw maximum = "raw"
)

func (m maximum) adam(s *settings) {
	s.maximum, s.rawMaximum = m == AMSGrad, m == AMSGradRaw
}
func (m maximum) adamW(s *settings) { m.adam(s) }

// correction leaves out a correction of Adam.
type correction string

const (
	// MeanUncorrected does not correct the average of gradients for its start at 0.
	MeanUncorrected correction = "mean"
	// SquareUncorrected does not correct the average of squares for its start at 0.
	SquareUncorrected correction = "square"
	// EpsilonUncorrected adds the epsilon to the root of the average of squares before its correction, as Keras does.
	EpsilonUncorrected correction = "epsilon"
)

func (c correction) adam(s *settings) {
	switch c {
	case MeanUncorrected:
		s.meanUncorrected = true
	case SquareUncorrected:
		s.squareUncorrected = true
	case EpsilonUncorrected:
		s.epsilonUncorrected = true
	}
}
func (c correction) adamW(s *settings) { c.adam(s) }

type momentumDecay float64

// MomentumDecay makes the decay of gradients rise with the steps t, β(1-.96^(ψt)/2), and implies [Nesterov]:
// torch.optim.NAdam has ψ = .004, Keras 1.
func MomentumDecay(psi float64) adamFamily { return momentumDecay(psi) }

func (m momentumDecay) adam(s *settings) {
	s.momentumDecay, s.hasMomentumDecay = float64(m), true
}
func (m momentumDecay) adamW(s *settings) { m.adam(s) }
