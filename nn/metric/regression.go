package metric

import (
	"github.com/go-nx/nx"
	"github.com/go-nx/nx/diag"
)

// Moments are the sums from which the mean and the deviation of values follow. The first axis is that of the rows; the
// others are columns, each with its own moments.
//
// Accuracy: sums of squares in f64 lose what the mean has beyond the deviation: the variance is right to
// (mean/deviation)²·2⁻⁵².
type Moments struct {
	Weight, Sum, Squares nx.Tensor // [columns…], f64
}

// NewMoments adds up values.
//
// Shapes: [rows, columns…]. DTypes: real. Options: [Weight].
func NewMoments(values nx.Tensor, opts ...Option) Moments {
	const op = "NewMoments"
	rowAxis(op, values)
	w := newOptions(opts).weights(op, values.Shape())
	return Moments{column(w), column(product(w, values)), column(product(w, nx.Square(nx.Cast(values, nx.F64))))}
}

func rowAxis(op string, t nx.Tensor) {
	if t.Rank() == 0 {
		panic(diag.New(nx.ErrShape, op, "the first axis is that of the rows", "the argument is a scalar"))
	}
}

func column(t nx.Tensor) nx.Tensor { return nx.Sum(t, nx.Axis(0)) }

// Value returns the mean.
func (m Moments) Value() nx.Tensor { return nx.Div(m.Sum, m.Weight) }

// Variance returns the variance with the divisor n - ddof.
func (m Moments) Variance(ddof float64) nx.Tensor {
	return nx.Div(spread(m.Weight, m.Sum, m.Sum, m.Squares), nx.Sub(m.Weight, ddof))
}

// Deviation returns the root of the variance with the divisor n - ddof.
func (m Moments) Deviation(ddof float64) nx.Tensor { return nx.Sqrt(m.Variance(ddof)) }

// StandardError returns the deviation of the mean: that of the values with the divisor n - ddof, by √n.
func (m Moments) StandardError(ddof float64) nx.Tensor {
	return nx.Div(m.Deviation(ddof), nx.Sqrt(m.Weight))
}

// spread is Σ(a - mean a)(b - mean b) by sums; that of one variable is at least 0.
func spread(w, a, b, ab nx.Tensor) nx.Tensor { return nx.Sub(ab, quotient(nx.Mul(a, b), w)) }

// Regression are the sums from which the measures of predictions of numbers follow. The first axis is that of the rows;
// the others are columns, each with its own measures; nx.Mean averages them.
//
// Accuracy: that of [Moments].
type Regression struct {
	Weight                         nx.Tensor // [columns…], f64
	Predictions, Targets           nx.Tensor // Σ p, Σ y
	SquaredPredictions             nx.Tensor // Σ p²
	SquaredTargets, Products       nx.Tensor // Σ y², Σ p·y
	Errors, Absolute, SquaredError nx.Tensor // Σ y-p, Σ |y-p|, Σ (y-p)²
}

// NewRegression adds up predictions and targets.
//
// Shapes: both [rows, columns…]. DTypes: real. Errors: [nx.ErrShape] for other shapes. Options: [Weight].
func NewRegression(predictions, targets nx.Tensor, opts ...Option) Regression {
	const op = "NewRegression"
	sameShape(op, predictions, targets)
	rowAxis(op, targets)
	p, y := nx.Cast(predictions, nx.F64), nx.Cast(targets, nx.F64)
	w := newOptions(opts).weights(op, targets.Shape())
	sum := func(t nx.Tensor) nx.Tensor { return column(product(w, t)) }
	e := nx.Sub(y, p)
	return Regression{column(w), sum(p), sum(y), sum(nx.Square(p)), sum(nx.Square(y)), sum(nx.Mul(p, y)), sum(e),
		sum(nx.Abs(e)), sum(nx.Square(e))}
}

// Value returns [Regression.R2].
func (r Regression) Value() nx.Tensor { return r.R2() }

// R2 returns the coefficient of determination, 1 - Σ(y-p)²/Σ(y - mean y)². For targets that are all equal it is 1 if
// the predictions are right, else 0.
func (r Regression) R2() nx.Tensor {
	return determined(r.SquaredError, spread(r.Weight, r.Targets, r.Targets, r.SquaredTargets))
}

// ExplainedVariance returns 1 - variance(y-p)/variance(y): R2 without the mean of the errors. For targets that are all
// equal it is 1 if the errors are too, else 0.
func (r Regression) ExplainedVariance() nx.Tensor {
	return determined(spread(r.Weight, r.Errors, r.Errors, r.SquaredError),
		spread(r.Weight, r.Targets, r.Targets, r.SquaredTargets))
}

// determined is 1 - a/b; 1 where both are 0, and 0 where only b is.
func determined(a, b nx.Tensor) nx.Tensor {
	zero := nx.LessEqual(b, 0)
	one := nx.Cast(nx.LessEqual(a, 0), nx.F64)
	return nx.Where(zero, one, nx.Sub(1, nx.Div(a, nx.Where(zero, nx.OnesLike(b), b))))
}

// Pearson returns the correlation of predictions and targets, NaN where one of them is constant.
func (r Regression) Pearson() nx.Tensor {
	covariance := spread(r.Weight, r.Predictions, r.Targets, r.Products)
	return nx.Div(covariance, nx.Sqrt(nx.Mul(spread(r.Weight, r.Predictions, r.Predictions, r.SquaredPredictions),
		spread(r.Weight, r.Targets, r.Targets, r.SquaredTargets))))
}

// Concordance returns Lin's coefficient of concordance: the correlation, lowered by a difference in mean or scale.
//
// Source: L. Lin, 1989, doi:10.2307/2532051.
func (r Regression) Concordance() nx.Tensor {
	covariance := spread(r.Weight, r.Predictions, r.Targets, r.Products)
	apart := nx.Add(spread(r.Weight, r.Predictions, r.Predictions, r.SquaredPredictions),
		spread(r.Weight, r.Targets, r.Targets, r.SquaredTargets))
	shift := nx.Div(nx.Square(r.Errors), r.Weight)
	return nx.Div(nx.Mul(covariance, 2), nx.Add(apart, shift))
}

// MSE returns the mean of the squared errors.
func (r Regression) MSE() nx.Tensor { return nx.Div(r.SquaredError, r.Weight) }

// RMSE returns the root of [Regression.MSE].
func (r Regression) RMSE() nx.Tensor { return nx.Sqrt(r.MSE()) }

// MAE returns the mean of the absolute errors.
func (r Regression) MAE() nx.Tensor { return nx.Div(r.Absolute, r.Weight) }
