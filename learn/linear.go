package learn

import (
	"github.com/go-nx/nx"
	"github.com/go-nx/nx/linalg"
)

// LinearModel is a linear function of the features.
type LinearModel struct {
	Coef      nx.Tensor // [features], or [targets, features]
	Intercept nx.Tensor // a scalar, or [targets]; 0 without an intercept
}

// Predict returns the targets of samples.
//
// Shapes: x [samples, features] → [samples], or [samples, targets]. Gradient: forward and reverse.
func (m *LinearModel) Predict(x nx.Tensor) nx.Tensor {
	x = fits("Predict", x, m.Coef.Shape()[m.Coef.Rank()-1], m.Coef.DType())
	return nx.Add(nx.Dot(x, nx.Transpose(m.Coef)), m.Intercept)
}

// Score returns R² of the predictions: 1 minus their squared errors over those of the mean of y, averaged over
// targets. Of constant targets it is 1 if they are met, else 0.
//
// Shapes: x [samples, features]; y as Predict gives it → a scalar.
func (m *LinearModel) Score(x, y nx.Tensor) nx.Tensor { return r2(y, m.Predict(x)) }

// LinearRegression is the method of least squares. Where columns depend on each other, or are more than the samples,
// the coefficients are those of least norm. It is LinearRegression of scikit-learn.
type LinearRegression struct {
	// NoIntercept leaves out the intercept.
	NoIntercept bool
	// Tol is the share of the largest singular value of x below which one counts as 0, 1e-6 if it is 0.
	Tol float64
}

// Fit returns the model of samples.
//
// Shapes: x [samples, features]; y [samples] or [samples, targets]. Accuracy: that of [linalg.Lstsq].
func (o LinearRegression) Fit(x, y nx.Tensor) (m *LinearModel, err error) {
	defer nx.Catch(&err)
	return o.fit("LinearRegression.Fit", x, y, nx.Tensor{}), nil
}

// FitWeighted is Fit of samples with weights: one of weight 2 counts as two.
//
// Shapes: those of Fit; w [samples], no element less than 0. Errors: [nx.ErrValue] where all weights are 0.
func (o LinearRegression) FitWeighted(x, y, w nx.Tensor) (m *LinearModel, err error) {
	defer nx.Catch(&err)
	return o.fit("LinearRegression.FitWeighted", x, y, w), nil
}

func (o LinearRegression) fit(op string, x, y, w nx.Tensor) *LinearModel {
	x, y = regression(op, x, y, 2)
	if !w.IsZero() {
		w = weights(op, x, w)
	}
	tol := or(o.Tol, 1e-6)
	positive(op, "Tol", tol)
	return fitLeastSquares(x, y, w, tol, o.NoIntercept)
}

var fitLeastSquares = nx.Jit(func(x, y, w nx.Tensor, tol float64, noIntercept bool) *LinearModel {
	return withIntercept(x, y, w, noIntercept, func(x, y nx.Tensor) nx.Tensor {
		if x.Shape()[0] > x.Shape()[1] {
			// R has the singular values of x, and is smaller.
			q, r := linalg.QR(x)
			x, y = r, nx.Dot(nx.Transpose(q), y)
		}
		return linalg.Lstsq(x, y, linalg.Tolerance(tol)).X
	})
})

// withIntercept solves for centred data, whose rows have the roots of the weights as factors, and returns the model of
// the data as they are. The solution is [features] or [features, targets], as y is. The weights may be absent.
func withIntercept(x, y, w nx.Tensor, noIntercept bool, solve func(x, y nx.Tensor) nx.Tensor) *LinearModel {
	weighted := func(x, y nx.Tensor) nx.Tensor {
		if w.IsZero() {
			return solve(x, y)
		}
		root := nx.Sqrt(w)
		return solve(weighWith(x, root), weighWith(y, root))
	}
	if noIntercept {
		return &LinearModel{nx.Transpose(weighted(x, y)), nx.ZerosLike(y.At(0))}
	}
	xMean, x := weightedMean0(x, w)
	yMean, y := weightedMean0(y, w)
	coef := weighted(x, y)
	return &LinearModel{nx.Transpose(coef), nx.Sub(yMean, nx.Dot(xMean, coef))}
}

// Ridge is least squares with the penalty Alpha·‖coefficients‖². It is Ridge of scikit-learn.
type Ridge struct {
	// Alpha is the weight of the penalty, 1 if it is 0: [LinearRegression] has none.
	Alpha float64
	// NoIntercept leaves out the intercept.
	NoIntercept bool
}

// Fit returns the model of samples. It factors the features with the penalty as rows below (QR), so that the
// condition number is not squared; those of fewer samples than features are factored transposed.
//
// Shapes: x [samples, features]; y [samples] or [samples, targets].
func (o Ridge) Fit(x, y nx.Tensor) (m *LinearModel, err error) {
	defer nx.Catch(&err)
	return o.fit("Ridge.Fit", x, y, nx.Tensor{}), nil
}

// FitWeighted is Fit of samples with weights: one of weight 2 counts as two.
//
// Shapes: those of Fit; w [samples], no element less than 0. Errors: [nx.ErrValue] where all weights are 0.
func (o Ridge) FitWeighted(x, y, w nx.Tensor) (m *LinearModel, err error) {
	defer nx.Catch(&err)
	return o.fit("Ridge.FitWeighted", x, y, w), nil
}

func (o Ridge) fit(op string, x, y, w nx.Tensor) *LinearModel {
	x, y = regression(op, x, y, 2)
	if !w.IsZero() {
		w = weights(op, x, w)
	}
	alpha := or(o.Alpha, 1)
	positive(op, "Alpha", alpha)
	return fitRidge(x, y, w, nx.Scalar(alpha, x), o.NoIntercept)
}

var fitRidge = nx.Jit(func(x, y, w, alpha nx.Tensor, noIntercept bool) *LinearModel {
	return withIntercept(x, y, w, noIntercept, func(x, y nx.Tensor) nx.Tensor {
		samples, features := x.Shape()[0], x.Shape()[1]
		wide := samples < features
		if wide {
			x = nx.Transpose(x)
		}
		rows, columns := x.Shape()[0], x.Shape()[1]
		penalty := nx.Mul(nx.Sqrt(alpha), nx.Eye(nx.Shape{columns, columns}, x.DType()))
		q, r := linalg.QR(nx.Concatenate([]nx.Tensor{x, penalty}))
		q = q.At(nx.To(rows))
		if wide {
			return nx.Dot(q, linalg.TriangularSolve(r, y, linalg.Upper, linalg.Transposed))
		}
		return linalg.TriangularSolve(r, nx.Dot(nx.Transpose(q), y), linalg.Upper)
	})
})
