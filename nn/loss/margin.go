package loss

import (
	"github.com/go-nx/nx"
)

// zero is max(x, 0), whose gradient at 0 is 0.
func zero(x nx.Tensor) nx.Tensor { return nx.Relu(x) }

// Hinge returns max(0, 1 - y·p) for labels of -1 and 1.
//
// Shapes: those of both, which broadcast. DTypes: floats; computed in f32 at least. Gradient: -y, or 0.
func Hinge(predictions, labels nx.Tensor) nx.Tensor {
	p, y := both(predictions, labels)
	return zero(nx.Sub(1, nx.Mul(p, y)))
}

// SquaredHinge is the square of [Hinge].
//
// Shapes: those of both, which broadcast. DTypes: floats; computed in f32 at least. Gradient: of the composition.
func SquaredHinge(predictions, labels nx.Tensor) nx.Tensor {
	return nx.Square(Hinge(predictions, labels))
}

// Perceptron returns max(0, -y·p) for labels of -1 and 1.
//
// Shapes: those of both, which broadcast. DTypes: floats; computed in f32 at least. Gradient: -y, or 0.
//
// Source: F. Rosenblatt, 1958, doi:10.1037/h0042519.
func Perceptron(predictions, labels nx.Tensor) nx.Tensor {
	p, y := both(predictions, labels)
	return zero(nx.Neg(nx.Mul(p, y)))
}

// scoreOf are the scores of classes by number, and a mask of them.
func scoreOf(scores, classes nx.Tensor) (score, chosen nx.Tensor) {
	n := scores.Shape()[scores.Rank()-1]
	chosen = nx.Equal(nx.ExpandAxis(classes, nx.Axis(-1)), nx.Iota(nx.Shape{n}, nx.S32))
	return nx.Sum(nx.Where(chosen, scores, nx.ZerosLike(scores)), nx.Axis(-1)), chosen
}

// ClassHinge returns max(scores + 1 for the wrong classes) - score of the right class.
//
// Shapes: scores […, n], classes […] → […]. DTypes: floats; computed in f32 at least. Gradient: of the largest.
//
// Source: K. Crammer, Y. Singer, 2001, JMLR 2.
func ClassHinge(scores, classes nx.Tensor) nx.Tensor {
	s := wide(scores)
	right, chosen := scoreOf(s, classes)
	return nx.Sub(nx.Max(nx.Where(chosen, s, nx.Add(s, 1)), nx.Axis(-1)), right)
}

// ClassPerceptron returns max(scores) - score of the right class.
//
// Shapes: scores […, n], classes […] → […]. DTypes: floats; computed in f32 at least. Gradient: of the largest.
func ClassPerceptron(scores, classes nx.Tensor) nx.Tensor {
	s := wide(scores)
	right, _ := scoreOf(s, classes)
	return nx.Sub(nx.Max(s, nx.Axis(-1)), right)
}

// MultiMargin returns the mean over n classes of max(0, margin - right + s)^p for the scores s of the wrong ones, where
// p is 1 or 2.
//
// Shapes: scores […, n], classes […] → […]. DTypes: floats; computed in f32 at least. Gradient: of the composition.
func MultiMargin(scores, classes nx.Tensor, p int, margin float64) nx.Tensor {
	s := wide(scores)
	right, chosen := scoreOf(s, classes)
	e := zero(nx.Add(nx.Sub(s, nx.ExpandAxis(right, nx.Axis(-1))), margin))
	if p == 2 {
		e = nx.Square(e)
	}
	return nx.Div(nx.Sum(nx.Where(chosen, nx.ZerosLike(e), e), nx.Axis(-1)), float64(s.Shape()[s.Rank()-1]))
}

// SoftMargin returns log(1 + exp(-y·p)) for labels of -1 and 1.
//
// Shapes: those of both, which broadcast. DTypes: floats; computed in f32 at least. Gradient: -y·σ(-y·p).
func SoftMargin(predictions, labels nx.Tensor) nx.Tensor {
	p, y := both(predictions, labels)
	return nx.Softplus(nx.Neg(nx.Mul(p, y)))
}

// Ranking returns max(0, margin - y·(a - b)): y is 1 where a should be larger than b, and -1 where b should.
//
// Shapes: those of all, which broadcast. DTypes: floats; computed in f32 at least. Gradient: of the composition.
func Ranking(a, b, y nx.Tensor, margin float64) nx.Tensor {
	a, b = both(a, b)
	return zero(nx.Add(nx.Mul(nx.Neg(nx.Cast(y, a.DType())), nx.Sub(a, b)), margin))
}

// HingeEmbedding returns x for labels of 1, and max(0, margin - x) for labels of -1, where x is a distance.
//
// Shapes: those of both, which broadcast. DTypes: floats; computed in f32 at least. Gradient: 1, -1 or 0.
func HingeEmbedding(distances, labels nx.Tensor, margin float64) nx.Tensor {
	x, y := both(distances, labels)
	return nx.Where(nx.Equal(y, 1), x, zero(nx.Sub(margin, x)))
}

// CosineSimilarity returns a·b/√(max(‖a‖², ε)·max(‖b‖², ε)) along the last axis.
//
// Shapes: […, n] → […]. DTypes: floats; computed in f32 at least. Gradient: of the composition, finite at 0 for ε above
// 0.
func CosineSimilarity(a, b nx.Tensor, epsilon float64) nx.Tensor {
	a, b = both(a, b)
	unit := func(t nx.Tensor) nx.Tensor {
		squares := nx.Sum(nx.Square(t), nx.Axis(-1), nx.KeepAxes)
		return nx.Div(t, nx.Sqrt(nx.Maximum(squares, epsilon)))
	}
	return nx.Sum(nx.Mul(unit(a), unit(b)), nx.Axis(-1))
}

// CosineDistance is 1 - [CosineSimilarity].
//
// Shapes: […, n] → […]. DTypes, gradient: those of CosineSimilarity.
func CosineDistance(a, b nx.Tensor, epsilon float64) nx.Tensor {
	return nx.Sub(1, CosineSimilarity(a, b, epsilon))
}

// CosineEmbedding returns 1 - cos(a, b) for labels of 1, and max(0, cos(a, b) - margin) for labels of -1.
//
// Shapes: a, b […, n], labels […] → […]. DTypes, gradient: those of [CosineSimilarity].
func CosineEmbedding(a, b, labels nx.Tensor, margin float64) nx.Tensor {
	a, b = both(a, b)
	// PyTorch adds ε = 1e-12 to the squares of the norms here.
	square := func(t nx.Tensor) nx.Tensor { return nx.Add(nx.Sum(nx.Square(t), nx.Axis(-1)), 1e-12) }
	c := nx.Div(nx.Sum(nx.Mul(a, b), nx.Axis(-1)), nx.Sqrt(nx.Mul(square(a), square(b))))
	return nx.Where(nx.Equal(labels, 1), nx.Sub(1, c), zero(nx.Sub(c, margin)))
}

// Distance returns the p-norm of a - b + ε along the last axis.
//
// Shapes: […, n] → […]. DTypes: floats; computed in f32 at least. Gradient: of the composition; ε keeps it finite.
func Distance(a, b nx.Tensor, p, epsilon float64) nx.Tensor {
	a, b = both(a, b)
	d := nx.Abs(nx.Add(nx.Sub(a, b), epsilon))
	switch p {
	case 1:
		return nx.Sum(d, nx.Axis(-1))
	case 2:
		return nx.Sqrt(nx.Sum(nx.Square(d), nx.Axis(-1)))
	}
	return nx.Pow(nx.Sum(nx.Pow(d, p), nx.Axis(-1)), 1/p)
}

// Triplet returns max(0, margin + d⁺ - d⁻): an anchor should be nearer to the positive example than to the negative
// one.
//
// Shapes: distances […] → […]. DTypes: floats; computed in f32 at least. Gradient: 1, -1, or 0.
//
// Source: F. Schroff, D. Kalenichenko, J. Philbin, 2015, arXiv:1503.03832.
func Triplet(positive, negative nx.Tensor, margin float64) nx.Tensor {
	p, n := both(positive, negative)
	return zero(nx.Add(nx.Sub(p, n), margin))
}
