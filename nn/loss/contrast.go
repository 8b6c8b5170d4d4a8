package loss

import (
	"math"

	"github.com/go-nx/nx"
)

// NTXent returns the normalised, temperature-scaled cross entropy of embeddings: those with equal labels attract, the
// others repel each other; the mean over all pairs of equal labels.
//
// Shapes: embeddings [n, d], labels [n] → a scalar. DTypes: floats, labels are integers; computed in f32 at least.
// Gradient: of the composition. NaN without a pair of equal labels.
//
// Source: T. Chen et al., 2020, arXiv:2002.05709.
func NTXent(embeddings, labels nx.Tensor, temperature float64) nx.Tensor {
	e := wide(embeddings)
	epsilon := 0x1p-23
	if e.DType() == nx.F64 {
		epsilon = 0x1p-52
	}
	n := e.Shape()[0]
	z := nx.Div(CosineSimilarity(nx.ExpandAxis(e, nx.Axis(0)), nx.ExpandAxis(e, nx.Axis(1)), epsilon), temperature)
	same := nx.Equal(nx.ExpandAxis(labels, nx.Axis(1)), nx.ExpandAxis(labels, nx.Axis(0)))
	self := nx.Cast(nx.Eye(nx.Shape{n, n}, nx.F32), nx.Bool)
	match := nx.LogicalAnd(same, nx.LogicalNot(self))
	others := nx.Where(same, nx.Full(z.Shape(), math.Inf(-1), z.DType()), z)
	top := nx.StopGradient(nx.Max(nx.Where(self, nx.Full(z.Shape(), math.Inf(-1), z.DType()), z), nx.Axis(1),
		nx.KeepAxes))
	x := nx.Sub(z, top)
	denominator := nx.Add(nx.Sum(nx.Exp(nx.Sub(others, top)), nx.Axis(1), nx.KeepAxes), nx.Exp(x))
	terms := nx.Sub(x, nx.Log(denominator))
	sum := nx.Sum(nx.Where(match, terms, nx.ZerosLike(terms)))
	return nx.Neg(nx.Div(sum, nx.Cast(nx.Sum(nx.Cast(match, nx.S32)), z.DType())))
}

// InfoNCE returns the symmetric contrastive loss of pairs, as CLIP is trained by: row i of a belongs to row i of b.
// Both are divided by their norms.
//
// Shapes: a, b [n, d] → a scalar. DTypes: floats; computed in f32 at least. Gradient: of the composition.
//
// Source: A. van den Oord, Y. Li, O. Vinyals, 2018, arXiv:1807.03748; A. Radford et al., 2021, arXiv:2103.00020.
func InfoNCE(a, b nx.Tensor, temperature float64) nx.Tensor {
	a, b = both(a, b)
	unit := func(t nx.Tensor) nx.Tensor {
		return nx.Div(t, nx.Sqrt(nx.Maximum(nx.Sum(nx.Square(t), nx.Axis(-1), nx.KeepAxes), 1e-24)))
	}
	z := nx.Div(nx.Dot(unit(a), nx.Transpose(unit(b))), temperature)
	right := nx.Iota(nx.Shape{z.Shape()[0]}, nx.S32)
	return nx.Mul(nx.Add(nx.Mean(CrossEntropy(z, right)), nx.Mean(CrossEntropy(nx.Transpose(z), right))), 0.5)
}

// Tversky returns 1 - (I + s)/(I + α(P - I) + β(T - I) + s) along axes, where I, P and T are the sums of p·t, p and t
// of probabilities: the Dice loss for α = β = 1/2.
//
// Shapes: the axes given are dropped. DTypes: floats; computed in f32 at least. Gradient: of the composition.
//
// Source: S. Salehi, D. Erdogmus, A. Gholipour, 2017, arXiv:1706.05721.
func Tversky(probabilities, targets nx.Tensor, alpha, beta, smooth float64, axes ...int) nx.Tensor {
	p, t := both(probabilities, targets)
	sum := func(x nx.Tensor) nx.Tensor {
		if len(axes) == 0 {
			return nx.Sum(x)
		}
		return nx.Sum(x, nx.Axis(axes...))
	}
	i, ps, ts := sum(nx.Mul(p, t)), sum(p), sum(t)
	denominator := nx.Add(nx.Add(i, smooth), nx.Add(nx.Mul(nx.Sub(ps, i), alpha), nx.Mul(nx.Sub(ts, i), beta)))
	return nx.Sub(1, nx.Div(nx.Add(i, smooth), denominator))
}

// Dice is [Tversky] with α = β = 1/2.
//
// Shapes: the axes given are dropped. DTypes: floats; computed in f32 at least. Gradient: of the composition.
//
// Source: F. Milletari, N. Navab, S.-A. Ahmadi, 2016, arXiv:1606.04797.
func Dice(probabilities, targets nx.Tensor, smooth float64, axes ...int) nx.Tensor {
	return Tversky(probabilities, targets, 0.5, 0.5, smooth, axes...)
}
