package optim

// maximum says which squares AMSGrad compares.
type maximum string

const (
	// AMSGrad divides by the largest average of squares so far, corrected for its start at 0.
	AMSGrad maximum = "corrected"
	// AMSGradRaw divides by the largest average of squares so far, which is corrected for the start at 0 when it is
	// used, as PyTorch and Keras do.
	AMSGradRaw maximum = "raw"
)

func (m maximum) set(s *settings) { s.maximum, s.rawMaximum = m == AMSGrad, m == AMSGradRaw }
func (maximum) adam()             {}
func (maximum) adamW()            {}

// correction leaves out a correction of Adam.
type correction string

const (
	// MeanUncorrected does not correct the average of gradients for its start at 0.
	MeanUncorrected correction = "mean"
	// SquareUncorrected does not correct the average of squares for its start at 0.
	SquareUncorrected correction = "square"
)

func (c correction) set(s *settings) {
	switch c {
	case MeanUncorrected:
		s.meanUncorrected = true
	case SquareUncorrected:
		s.squareUncorrected = true
	}
}
func (correction) adam()  {}
func (correction) adamW() {}

type epsilonUncorrected bool

// EpsilonUncorrected adds the epsilon to the root of the average of squares before its correction, as Keras does, and
// torch.optim.RAdam.
const EpsilonUncorrected epsilonUncorrected = true

func (epsilonUncorrected) set(s *settings) { s.epsilonUncorrected = true }
func (epsilonUncorrected) adam()           {}
func (epsilonUncorrected) adamW()          {}
func (epsilonUncorrected) radam()          {}

type momentumDecay struct {
	forAdam
	forAdamW
	psi float64
}

// MomentumDecay makes the decay of gradients rise with the steps t, β(1-.96^(ψt)/2), and implies [Nesterov]:
// torch.optim.NAdam has ψ = .004, Keras 1.
func MomentumDecay(psi float64) interface {
	AdamOption
	AdamWOption
} {
	return momentumDecay{psi: psi}
}

func (o momentumDecay) set(s *settings) { s.momentumDecay, s.hasMomentumDecay = o.psi, true }

type narrowProduct bool

// NarrowProduct keeps the product of the decays of [MomentumDecay] in f32, as PyTorch does for parameters of every
// type.
const NarrowProduct narrowProduct = true

func (narrowProduct) set(s *settings) { s.narrowProduct = true }
func (narrowProduct) adam()           {}
func (narrowProduct) adamW()          {}

type threshold struct {
	forRAdam
	v float64
}

// Threshold is the length of the average of squares from which [RAdam] divides by it, 5 without it.
func Threshold(v float64) RAdamOption { return threshold{v: v} }

func (o threshold) set(s *settings) { s.threshold = o.v }
