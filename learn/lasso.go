package learn

import (
	"github.com/go-nx/nx"
)

// LassoModel is a linear function, most of whose coefficients may be 0.
type LassoModel struct {
	LinearModel
	// Gap is the duality gap: the objective is at most that much above its minimum.
	Gap nx.Tensor
	// Steps is the number of passes over the coefficients, s32.
	Steps nx.Tensor
	// Converged says whether the gap is within the tolerance.
	Converged nx.Tensor
}

// Lasso minimises ‖y - x·w‖²/(2·samples) + Alpha·Σ|w|. It is Lasso of scikit-learn.
type Lasso struct {
	// Alpha is the weight of the penalty, 1 if it is 0: [LinearRegression] has none.
	Alpha float64
	// NoIntercept leaves out the intercept.
	NoIntercept bool
	// Steps is the largest number of passes over the coefficients, 1000 if it is 0.
	Steps int
	// Tol ends the search when the duality gap is at most Tol·‖y‖²/samples, 1e-4 if it is 0; ‖y‖ is that of the
	// centred y.
	Tol float64
}

// Fit returns the model of samples. It goes over the coefficients, and sets each to its optimum with the others as
// they are (Friedman, Hastie, Höfling, Tibshirani, Pathwise coordinate optimization, 2007), until the duality gap is
// small enough.
//
// Shapes: x [samples, features]; y [samples]. Errors: [ErrNotConverged], with the model.
func (o Lasso) Fit(x, y nx.Tensor) (m *LassoModel, err error) {
	defer nx.Catch(&err)
	return o.fit("Lasso.Fit", x, y, nx.Tensor{})
}

// FitWeighted is Fit of samples with weights, which are scaled so that their mean is 1.
//
// Shapes: those of Fit; w [samples], no element less than 0. Errors: [nx.ErrValue] where all weights are 0, and those
// of Fit.
func (o Lasso) FitWeighted(x, y, w nx.Tensor) (m *LassoModel, err error) {
	defer nx.Catch(&err)
	return o.fit("Lasso.FitWeighted", x, y, w)
}

func (o Lasso) fit(op string, x, y, w nx.Tensor) (m *LassoModel, err error) {
	x, y = regression(op, x, y, 1)
	if !w.IsZero() {
		w = weights(op, x, w)
	}
	alpha, steps, tol := or(o.Alpha, 1), or(o.Steps, 1000), or(o.Tol, 1e-4)
	positive(op, "Alpha", alpha)
	positive(op, "Steps", steps)
	positive(op, "Tol", tol)
	m = fitLasso(x, y, w, nx.Scalar(alpha, x), nx.Scalar(tol, x), nx.New(steps, nx.As(nx.S32)), o.NoIntercept)
	return m, notConverged(op, m.Converged, m.Steps, "scale the columns, or set Steps, Tol or Alpha higher")
}

var fitLasso = nx.Jit(func(x, y, w, alpha, tol, steps nx.Tensor, noIntercept bool) *LassoModel {
	m := &LassoModel{}
	if !w.IsZero() {
		w = nx.Div(w, nx.Mean(w))
	}
	m.LinearModel = *withIntercept(x, y, w, noIntercept, func(x, y nx.Tensor) (coef nx.Tensor) {
		coef, m.Gap, m.Steps, m.Converged = descend(x, y, nx.Mul(alpha, x.Shape()[0]), tol, steps)
		return coef
	})
	m.Gap = nx.Div(m.Gap, x.Shape()[0])
	return m
})

// descend minimises ‖y - x·w‖²/2 + penalty·Σ|w|.
func descend(x, y, penalty, tol, most nx.Tensor) (coef, gap, steps, converged nx.Tensor) {
	columns := nx.Transpose(x)
	squares := nx.Sum(nx.Square(columns), nx.Axis(1))
	enough := nx.Mul(tol, nx.Sum(nx.Square(y)))
	type state struct{ Coef, Rest, Gap, Steps nx.Tensor }
	start := state{nx.ZerosLike(squares), y, nx.Scalar(0, penalty), nx.New(0, nx.As(nx.S32))}
	start.Gap = dualityGap(columns, y, start.Coef, y, penalty)
	end := nx.While(start, func(s state) nx.Tensor {
		return nx.LogicalAnd(nx.Greater(s.Gap, enough), nx.Less(s.Steps, most))
	}, func(s state) state {
		type pass struct{ Coef, Rest nx.Tensor }
		p := nx.Fori(squares.Size(), pass{s.Coef, s.Rest}, func(j nx.Tensor, p pass) pass {
			column, square, old := columns.At(j), squares.At(j), p.Coef.At(j)
			to := nx.Add(nx.Dot(column, p.Rest), nx.Mul(square, old))
			size := nx.Maximum(nx.Sub(nx.Abs(to), penalty), 0)
			now := nx.Where(nx.Greater(square, 0), nx.Div(nx.Mul(nx.Sign(to), size), square), 0)
			return pass{nx.SetAt(p.Coef, now, j), nx.Add(p.Rest, nx.Mul(nx.Sub(old, now), column))}
		})
		rest := nx.Sub(y, nx.Dot(x, p.Coef)) // without the errors of the sums above
		return state{p.Coef, rest, dualityGap(columns, y, p.Coef, rest, penalty), nx.Add(s.Steps, 1)}
	})
	return end.Coef, end.Gap, end.Steps, nx.LessEqual(end.Gap, enough)
}

// dualityGap is the objective less that of the dual problem, at the rest scaled to be feasible there.
func dualityGap(columns, y, coef, rest, penalty nx.Tensor) nx.Tensor {
	largest := nx.Max(nx.Abs(nx.Dot(columns, rest)))
	scale := nx.Where(nx.Greater(largest, penalty), nx.Div(penalty, largest), 1)
	square := nx.Sum(nx.Square(rest))
	primal := nx.Add(nx.Div(square, 2), nx.Mul(penalty, nx.Sum(nx.Abs(coef))))
	dual := nx.Sub(nx.Mul(scale, nx.Dot(rest, y)), nx.Mul(nx.Div(nx.Square(scale), 2), square))
	return nx.Sub(primal, dual)
}
