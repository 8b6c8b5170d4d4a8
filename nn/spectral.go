package nn

import (
	"github.com/go-nx/nx"
	"github.com/go-nx/nx/random"
)

// Spectral is a weight divided by its largest singular value, which a power iteration estimates: a step of it in each
// training step. The weight is taken as a matrix of its first axis by all others.
//
// Source: T. Miyato et al., "Spectral normalization for generative adversarial networks", 2018, arXiv:1802.05957.
type Spectral struct {
	Original nx.Tensor `nn:"original"`
	U        Buffer    `nn:"0._u"` // [rows], the left singular vector
	V        Buffer    `nn:"0._v"` // [columns], the right one
	Steps    int       // of the iteration in each training step, 1 by default
	Epsilon  float64
}

// NewSpectral returns the normalised form of a weight; the iteration makes 15 steps at first, as in PyTorch.
func NewSpectral(key, weight nx.Tensor) *Spectral {
	s := &Spectral{Original: weight, Steps: 15, Epsilon: 1e-12}
	m := s.matrix()
	keys := random.Split(key, 2)
	d := widen(m).DType()
	s.U = Buffer(Normalize(random.Normal(keys.At(0), 0, 1, m.Shape()[:1], d), 2, s.Epsilon, 0))
	s.V = Buffer(Normalize(random.Normal(keys.At(1), 0, 1, m.Shape()[1:], d), 2, s.Epsilon, 0))
	s.iterate(m)
	s.Steps = 1
	return s
}

func (s *Spectral) matrix() nx.Tensor {
	rows := s.Original.Shape()[0]
	return nx.Reshape(s.Original, rows, s.Original.Size()/rows)
}

// iterate makes the steps of the power iteration.
func (s *Spectral) iterate(m nx.Tensor) {
	m = nx.StopGradient(widen(m))
	u, v := nx.Tensor(s.U), nx.Tensor(s.V)
	for range s.Steps {
		u = Normalize(nx.Dot(m, v), 2, s.Epsilon, 0)
		v = Normalize(nx.Dot(nx.Transpose(m), u), 2, s.Epsilon, 0)
	}
	s.U, s.V = Buffer(u), Buffer(v)
}

// Weight returns the normalised weight. In training it makes the steps of the iteration before.
//
// Shapes: that of the weight. DTypes: that of the weight. Gradient: through the singular value, with constant vectors.
func (s *Spectral) Weight(c *Ctx) nx.Tensor {
	defer c.named(s)
	m := s.matrix()
	if c.Training() {
		s.iterate(m)
	}
	u, v := nx.StopGradient(nx.Tensor(s.U)), nx.StopGradient(nx.Tensor(s.V))
	sigma := nx.Dot(u, nx.Dot(widen(m), v))
	return nx.Cast(nx.Div(widen(s.Original), sigma), s.Original.DType())
}

// WeightNorm is a weight given by its direction and the norms of the rows of its first axis: G·V/‖V‖.
//
// Source: T. Salimans, D. Kingma, "Weight normalization", 2016, arXiv:1602.07868.
type WeightNorm struct {
	G nx.Tensor `nn:"original0"` // [rows, 1, …], the norms
	V nx.Tensor `nn:"original1"` // the direction
}

// NewWeightNorm returns the form of a weight by norms and direction, whose value is that weight.
func NewWeightNorm(weight nx.Tensor) *WeightNorm {
	return &WeightNorm{G: rowNorms(weight), V: weight}
}

// rowNorms are the norms of the rows of the first axis.
func rowNorms(w nx.Tensor) nx.Tensor {
	var axes []int
	for i := 1; i < w.Rank(); i++ {
		axes = append(axes, i)
	}
	return nx.Sqrt(nx.Sum(nx.Square(w), nx.Axis(axes...), nx.KeepAxes))
}

// Weight returns the weight.
//
// Shapes: that of V. Gradient: forward and reverse; not finite where a row of V is 0.
func (w *WeightNorm) Weight() nx.Tensor { return nx.Mul(w.V, nx.Div(w.G, rowNorms(w.V))) }
