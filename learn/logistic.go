package learn

import (
	"math"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/optim"
)

// LogisticModel gives each class a probability: the softmax of linear functions of the features, or, of two classes,
// the sigmoid of one, which is for the second class.
type LogisticModel struct {
	Coef      nx.Tensor // [classes, features], or [1, features] of two classes
	Intercept nx.Tensor // [classes], or [1]
	Classes   nx.Tensor // [classes], sorted
	Steps     nx.Tensor // the number of steps of L-BFGS
	Converged nx.Tensor // whether they found the optimum
}

// LogisticRegression minimises the sum of the cross-entropies times C, plus ‖coefficients‖²/2. It is
// LogisticRegression of scikit-learn.
type LogisticRegression struct {
	// C is the inverse of the weight of the penalty, 1 if it is 0; with an infinite one there is no penalty.
	C float64
	// NoIntercept leaves out the intercept.
	NoIntercept bool
	// Steps is the largest number of steps, 100 if it is 0.
	Steps int
	// Tol ends the search when no element of the gradient of the mean loss is larger, 1e-4 if it is 0. The gradient is
	// by coefficients of columns that are centred and scaled, so that it means the same for all of them.
	Tol float64
}

// Fit returns the model of samples. It runs L-BFGS with a line search ([optim.Minimise]) on columns scaled by the
// curvature of the loss along them: that is the same optimum, and it is found for columns of any magnitude.
//
// Shapes: x [samples, features]; y [samples], integers or bools. Errors: [ErrNotConverged], with the model: raise
// Steps; without a penalty, classes that a plane separates have no optimum.
func (o LogisticRegression) Fit(x, y nx.Tensor) (m *LogisticModel, err error) {
	defer nx.Catch(&err)
	return o.fit("LogisticRegression.Fit", x, y, nx.Tensor{})
}

// FitWeighted is Fit of samples with weights, by which their cross-entropies are multiplied.
//
// Shapes: those of Fit; w [samples], no element less than 0. Errors: [nx.ErrValue] where all weights are 0, and those
// of Fit.
func (o LogisticRegression) FitWeighted(x, y, w nx.Tensor) (m *LogisticModel, err error) {
	defer nx.Catch(&err)
	return o.fit("LogisticRegression.FitWeighted", x, y, w)
}

func (o LogisticRegression) fit(op string, x, y, w nx.Tensor) (m *LogisticModel, err error) {
	x = features(op, x, 2)
	if !w.IsZero() {
		w = weights(op, x, w)
	}
	values, index := severalClasses(op, x, y)
	c, steps, tol := or(o.C, 1), or(o.Steps, 100), or(o.Tol, 1e-4)
	positive(op, "C", c)
	positive(op, "Steps", steps)
	positive(op, "Tol", tol)
	penalty := nx.Scalar(0., x)
	if !math.IsInf(c, 1) {
		penalty = nx.Div(1, nx.Mul(c, total(x, w)))
	}
	m = fitLogistic(x, index, w, penalty, values.Size(), steps, tol, o.NoIntercept)
	m.Classes = values
	return m, notConverged(op, m.Converged, m.Steps, "set Steps or Tol higher, or C lower")
}

// logits are the linear functions of a model.
type logits struct{ Coef, Intercept nx.Tensor }

var fitLogistic = nx.Jit(func(x, y, w, penalty nx.Tensor, classes, steps int, tol float64, noIntercept bool) (
	m *LogisticModel) {
	functions := classes
	if classes == 2 {
		functions = 1
	}
	mean := nx.ZerosLike(x.At(0))
	if !noIntercept {
		mean, x = weightedMean0(x, w)
	}
	// The curvature of the mean loss along a column is at most a quarter of its mean square.
	scale := nx.Sqrt(nx.Add(nx.Div(weightedMean(nx.Square(x), w), 4), penalty))
	scale = nx.Where(nx.Greater(scale, 0), scale, 1)
	x = nx.Div(x, scale)
	target := nx.Cast(y, x.DType())
	if functions > 1 {
		target = nx.OneHot(y, classes, x.DType())
	}
	loss := func(p logits) nx.Tensor {
		z := nx.Dot(x, nx.Transpose(p.Coef))
		if !noIntercept {
			z = nx.Add(z, p.Intercept)
		}
		var each nx.Tensor
		if functions == 1 {
			z = nx.Squeeze(z, nx.Axis(1))
			each = nx.Sub(nx.Softplus(z), nx.Mul(target, z))
		} else {
			each = nx.Sub(nx.LogSumExp(z, nx.Axis(1)), nx.Sum(nx.Mul(target, z), nx.Axis(1)))
		}
		square := nx.Sum(nx.Square(nx.Div(p.Coef, scale)))
		return nx.Add(weightedMean(each, w), nx.Mul(nx.Div(penalty, 2), square))
	}
	start := logits{nx.Zeros(nx.Shape{functions, x.Shape()[1]}, x.DType()), nx.Zeros(nx.Shape{functions}, x.DType())}
	end := optim.Minimise(loss, start, optim.MaxSteps(steps), optim.GradTolerance(tol))
	m = &LogisticModel{Coef: nx.Div(end.Params.Coef, scale), Intercept: end.Params.Intercept, Steps: end.Steps,
		Converged: end.Converged}
	m.Intercept = nx.Sub(m.Intercept, nx.Dot(m.Coef, mean))
	return m
})

// Decision returns the linear functions: of two classes that of the second one, [samples]; else [samples, classes].
//
// Shapes: x [samples, features]. Gradient: forward and reverse.
func (m *LogisticModel) Decision(x nx.Tensor) nx.Tensor {
	x = fits("Decision", x, m.Coef.Shape()[1], m.Coef.DType())
	z := nx.Add(nx.Dot(x, nx.Transpose(m.Coef)), m.Intercept)
	if m.Intercept.Size() == 1 {
		return nx.Squeeze(z, nx.Axis(1))
	}
	return z
}

// LogProbabilities returns the logarithms of the probabilities of the classes.
//
// Shapes: x [samples, features] → [samples, classes]. Gradient: forward and reverse.
func (m *LogisticModel) LogProbabilities(x nx.Tensor) nx.Tensor {
	z := m.Decision(x)
	if z.Rank() == 1 {
		return nx.Stack([]nx.Tensor{nx.Neg(nx.Softplus(z)), nx.Neg(nx.Softplus(nx.Neg(z)))}, nx.Axis(1))
	}
	return nx.LogSoftmax(z, nx.Axis(1))
}

// Probabilities returns the probabilities of the classes.
//
// Shapes: x [samples, features] → [samples, classes]. Gradient: forward and reverse.
func (m *LogisticModel) Probabilities(x nx.Tensor) nx.Tensor { return nx.Exp(m.LogProbabilities(x)) }

// Predict returns the most probable classes.
//
// Shapes: x [samples, features] → [samples], of the type of the classes.
func (m *LogisticModel) Predict(x nx.Tensor) nx.Tensor {
	z := m.Decision(x)
	if z.Rank() == 1 {
		return nx.Take(m.Classes, nx.Cast(nx.Greater(z, 0), nx.S32))
	}
	return mostProbable(m.Classes, z)
}

// Score returns the share of samples whose predicted class is theirs.
//
// Shapes: x [samples, features]; y [samples] → a scalar, f32.
func (m *LogisticModel) Score(x, y nx.Tensor) nx.Tensor { return accuracy(y, m.Predict(x)) }

// mostProbable returns the classes with the largest numbers, the first of equal ones.
func mostProbable(classes, z nx.Tensor) nx.Tensor { return nx.Take(classes, nx.ArgMax(z, nx.Axis(1))) }
