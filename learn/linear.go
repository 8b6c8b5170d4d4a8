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
	const op = "LinearRegression.Fit"
	x, y = regression(op, x, y, 2)
	tol := or(o.Tol, 1e-6)
	positive(op, "Tol", tol)
	return fitLeastSquares(x, y, tol, o.NoIntercept), nil
}

var fitLeastSquares = nx.Jit(func(x, y nx.Tensor, tol float64, noIntercept bool) *LinearModel {
	return withIntercept(x, y, noIntercept, func(x, y nx.Tensor) nx.Tensor {
		if x.Shape()[0] > x.Shape()[1] {
			// R has the singular values of x, and is smaller.
			q, r := linalg.QR(x)
			x, y = r, nx.Dot(nx.Transpose(q), y)
		}
		return linalg.Lstsq(x, y, linalg.Tolerance(tol)).X
	})
})

// withIntercept solves for centred data, and returns the model of the data as they are. The solution is [features]
// or [features, targets], as y is.
func withIntercept(x, y nx.Tensor, noIntercept bool, solve func(x, y nx.Tensor) nx.Tensor) *LinearModel {
	if noIntercept {
		return &LinearModel{nx.Transpose(solve(x, y)), nx.ZerosLike(y.At(0))}
	}
	xMean, x := mean0(x)
	yMean, y := mean0(y)
	coef := solve(x, y)
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
	const op = "Ridge.Fit"
	x, y = regression(op, x, y, 2)
	alpha := or(o.Alpha, 1)
	positive(op, "Alpha", alpha)
	return fitRidge(x, y, nx.Scalar(alpha, x), o.NoIntercept), nil
}

var fitRidge = nx.Jit(func(x, y, alpha nx.Tensor, noIntercept bool) *LinearModel {
	return withIntercept(x, y, noIntercept, func(x, y nx.Tensor) nx.Tensor {
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
