package loss

import (
	"math"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/diag"
)

// nan are NaN like t.
func nan(t nx.Tensor) nx.Tensor { return nx.Full(t.Shape(), math.NaN(), t.DType()) }

// both returns two tensors in the type of the computation.
func both(a, b nx.Tensor) (nx.Tensor, nx.Tensor) {
	a, b = wide(a), wide(b)
	if a.DType() == nx.F64 || b.DType() == nx.F64 {
		return nx.Cast(a, nx.F64), nx.Cast(b, nx.F64)
	}
	return a, b
}

// Squared returns (p - y)².
//
// Shapes: those of both, which broadcast. DTypes: floats; computed in f32 at least. Gradient: 2(p - y).
func Squared(predictions, targets nx.Tensor) nx.Tensor {
	p, y := both(predictions, targets)
	return nx.Square(nx.Sub(p, y))
}

// HalfSquared returns (p - y)²/2, which Optax calls l2_loss.
//
// Shapes: those of both, which broadcast. DTypes: floats; computed in f32 at least. Gradient: p - y.
func HalfSquared(predictions, targets nx.Tensor) nx.Tensor {
	return nx.Mul(Squared(predictions, targets), 0.5)
}

// Absolute returns |p - y|.
//
// Shapes: those of both, which broadcast. DTypes: floats; computed in f32 at least. Gradient: the sign of p - y, and 1
// where both are equal, as that of [nx.Abs].
func Absolute(predictions, targets nx.Tensor) nx.Tensor {
	p, y := both(predictions, targets)
	return nx.Abs(nx.Sub(p, y))
}

// Huber returns e²/2 for |e| ≤ δ, else δ(|e| - δ/2), where e = p - y. PyTorch's smooth_l1_loss is Huber divided by its
// β, which is δ.
//
// Shapes: those of both, which broadcast. DTypes: floats; computed in f32 at least. Gradient: e, at most ±δ.
//
// Source: P. Huber, 1964, doi:10.1214/aoms/1177703732.
func Huber(predictions, targets nx.Tensor, delta float64) nx.Tensor {
	a := Absolute(predictions, targets)
	q := nx.Minimum(a, delta)
	return nx.Where(nx.LessEqual(a, delta), nx.Mul(nx.Square(q), 0.5), nx.Mul(nx.Sub(a, delta/2), delta))
}

// LogCosh returns log cosh(p - y) without overflow.
//
// Shapes: those of both, which broadcast. DTypes: floats; computed in f32 at least. Gradient: tanh(p - y).
func LogCosh(predictions, targets nx.Tensor) nx.Tensor {
	p, y := both(predictions, targets)
	e := nx.Sub(p, y)
	a := nx.Mul(e, nx.StopGradient(nx.Sign(e))) // |e| whose derivative at 0 stays that of tanh
	return nx.Sub(nx.Add(a, nx.Softplus(nx.Mul(a, -2))), math.Ln2)
}

// Quantile returns the pinball loss max(α(y - p), (α-1)(y - p)), whose minimum is the quantile α.
//
// Shapes: those of both, which broadcast. DTypes: floats; computed in f32 at least. Gradient: -α or 1 - α.
//
// Source: R. Koenker, G. Bassett, 1978, doi:10.2307/1913643.
func Quantile(predictions, targets nx.Tensor, alpha float64) nx.Tensor {
	if !(alpha > 0 && alpha < 1) {
		panic(diag.New(nx.ErrArgument, "Quantile", "", "the quantile must be in (0, 1), got %v", alpha))
	}
	p, y := both(predictions, targets)
	d := nx.Sub(y, p)
	return nx.Where(nx.GreaterEqual(d, 0), nx.Mul(d, alpha), nx.Mul(d, alpha-1))
}

// AbsolutePercentage returns 100·|y - p|/max(|y|, ε).
//
// Shapes: those of both, which broadcast. DTypes: floats; computed in f32 at least. Gradient: of the composition.
func AbsolutePercentage(predictions, targets nx.Tensor, epsilon float64) nx.Tensor {
	p, y := both(predictions, targets)
	return nx.Mul(nx.Abs(nx.Div(nx.Sub(y, p), nx.Maximum(nx.Abs(y), epsilon))), 100)
}

// SquaredLog returns (log(p + 1) - log(y + 1))², of numbers above -1; smaller ones than ε count as ε.
//
// Shapes: those of both, which broadcast. DTypes: floats; computed in f32 at least. Gradient: of the composition.
func SquaredLog(predictions, targets nx.Tensor, epsilon float64) nx.Tensor {
	p, y := both(predictions, targets)
	return nx.Square(nx.Sub(nx.Log1p(nx.Maximum(p, epsilon)), nx.Log1p(nx.Maximum(y, epsilon))))
}

// Poisson returns the negative log-likelihood exp(logp) - y·logp of counts, less the constant log y!.
//
// Shapes: those of both, which broadcast. DTypes: floats; computed in f32 at least. Gradient: exp(logp) - y.
func Poisson(logRates, targets nx.Tensor) nx.Tensor {
	z, y := both(logRates, targets)
	return nx.Sub(nx.Exp(z), nx.Mul(y, z))
}

// Gaussian returns the negative log-likelihood (log v + (p - y)²/v)/2 of normal numbers with the mean p and the
// variance v, which is ε at least; less the constant log(2π)/2. The clamp has no gradient of its own.
//
// Shapes: those of all, which broadcast. DTypes: floats; computed in f32 at least. Gradient: of the composition, as if
// v were not clamped.
func Gaussian(means, targets, variances nx.Tensor, epsilon float64) nx.Tensor {
	p, y := both(means, targets)
	v := nx.Cast(variances, p.DType())
	v = nx.Add(v, nx.StopGradient(nx.Sub(nx.Maximum(v, epsilon), v)))
	return nx.Mul(nx.Add(nx.Log(v), nx.Div(nx.Square(nx.Sub(p, y)), v)), 0.5)
}

// KL returns the divergence Σ t(log t - logp) of targets t from predictions by their logarithms; 0·log 0 is 0.
//
// Shapes: […, n] → […]. DTypes: floats; computed in f32 at least. Gradient: -t by logp.
//
// Source: S. Kullback, R. Leibler, 1951, doi:10.1214/aoms/1177729694.
func KL(logPredictions, targets nx.Tensor) nx.Tensor {
	return nx.Sum(KLTerms(logPredictions, targets), nx.Axis(-1))
}

// KLTerms returns the terms t(log t - logp) of [KL].
//
// Shapes: those of both, which broadcast. DTypes: floats; computed in f32 at least. Gradient: -t by logp.
func KLTerms(logPredictions, targets nx.Tensor) nx.Tensor {
	logp, t := both(logPredictions, targets)
	zero := nx.Equal(t, 0)
	entropy := nx.Where(zero, nx.ZerosLike(t), nx.Mul(t, nx.Log(nx.Where(zero, nx.OnesLike(t), t))))
	return nx.Sub(entropy, weighted(t, logp))
}

// KLLogTerms is [KLTerms] of targets by their logarithms: exp(logt)·(logt - logp).
//
// Shapes: those of both, which broadcast. DTypes: floats; computed in f32 at least. Gradient: of the composition.
func KLLogTerms(logPredictions, logTargets nx.Tensor) nx.Tensor {
	logp, logt := both(logPredictions, logTargets)
	return weighted(nx.Exp(logt), nx.Sub(logt, logp))
}
