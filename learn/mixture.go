package learn

import (
	"math"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/diag"
	"github.com/go-nx/nx/linalg"
	"github.com/go-nx/nx/random"
)

// GaussianMixture is a density made of normal distributions, fitted by expectation and maximisation. It is
// GaussianMixture of scikit-learn with full or diagonal covariances.
type GaussianMixture struct {
	// Components is the number of distributions, 1 if it is 0.
	Components int
	// Diagonal leaves out the covariances of different features.
	Diagonal bool
	// Key draws the first clusters: see [KMeans].
	Key nx.Tensor
	// Added is added to the variances, 1e-6 if it is 0.
	Added float64
	// Steps is the largest number of steps, 100 if it is 0.
	Steps int
	// Tol ends the search when the mean of the log density changes by less, 1e-3 if it is 0.
	Tol float64
}

// GaussianMixtureModel has the distributions of a mixture.
type GaussianMixtureModel struct {
	Weights     nx.Tensor // [components], of sum 1
	Means       nx.Tensor // [components, features]
	Covariances nx.Tensor // [components, features, features], or the variances [components, features]
	Bound       nx.Tensor // the mean of the log density before the last step
	Steps       nx.Tensor // the number of steps
	Converged   nx.Tensor // whether the last one changed it by less than the tolerance
}

// Fit returns the mixture of samples. It starts with the clusters of [KMeans].
//
// Shapes: x [samples, features]. Errors: [nx.ErrArgument] for fewer samples than components; [nx.ErrValue] where a
// covariance becomes singular; [ErrNotConverged], with the model.
func (o GaussianMixture) Fit(x nx.Tensor) (m *GaussianMixtureModel, err error) {
	defer nx.Catch(&err)
	const op = "GaussianMixture.Fit"
	x = features(op, x, 2)
	k, added, steps, tol := or(o.Components, 1), or(o.Added, 1e-6), or(o.Steps, 100), or(o.Tol, 1e-3)
	positive(op, "Components", k)
	positive(op, "Added", added)
	positive(op, "Steps", steps)
	positive(op, "Tol", tol)
	if n := x.Shape()[0]; n < k {
		panic(diag.New(nx.ErrArgument, op, "set Components lower", "x has %d samples for %d components", n, k))
	}
	key := o.Key
	if key.IsZero() {
		key = random.Key(0)
	}
	m = fitMixture(x, key, nx.Scalar(added, x), nx.Scalar(tol, x), nx.New(steps, nx.As(nx.S32)), k, o.Diagonal)
	if ok := nx.Item[bool](nx.IsFinite(m.Bound)); !ok {
		panic(diag.New(nx.ErrValue, op, "set Added higher or Components lower, scale the columns, or cast x to f64",
			"the covariance of a component is singular, so its density is infinite"))
	}
	return m, notConverged(op, m.Converged, m.Steps, "set Steps or Tol higher")
}

var fitMixture = nx.Jit(func(x, key, added, tol, limit nx.Tensor, k int, diagonal bool) *GaussianMixtureModel {
	mean, x := mean0(x)
	none := nx.Tensor{}
	first := lloyd(x, none, plusPlus(x, none, key, k), tolerance(x, nx.Scalar(1e-4, x)), nx.New(300, nx.As(nx.S32)))
	type state struct {
		M     GaussianMixtureModel
		Moved nx.Tensor
	}
	start := state{maximise(x, nx.OneHot(first.Labels, k, x.DType()), added, diagonal), nx.Scalar(math.Inf(1), x)}
	start.M.Bound, start.M.Steps = nx.Scalar(math.Inf(-1), x), nx.New(0, nx.As(nx.S32))
	start.M.Converged = nx.Full(nx.Shape{}, false, nx.Bool)
	end := nx.While(start, func(s state) nx.Tensor {
		return nx.LogicalAnd(nx.Less(s.M.Steps, limit), nx.LogicalNot(s.M.Converged))
	}, func(s state) state {
		joint := s.M.joint(x)
		density := nx.LogSumExp(joint, nx.Axis(1), nx.KeepAxes)
		next := maximise(x, nx.Exp(nx.Sub(joint, density)), added, diagonal)
		next.Bound, next.Steps = nx.Mean(density), nx.Add(s.M.Steps, 1)
		moved := nx.Abs(nx.Sub(next.Bound, s.M.Bound))
		next.Converged = nx.LogicalNot(nx.GreaterEqual(moved, tol)) // of a NaN, too, which is an error
		return state{next, moved}
	})
	m := end.M
	m.Means = nx.Add(m.Means, mean)
	return &m
})

// maximise returns the distributions of samples that belong to components by shares.
func maximise(x, shares, added nx.Tensor, diagonal bool) (m GaussianMixtureModel) {
	count := nx.Add(nx.Sum(shares, nx.Axis(0)), 10*x.DType().Epsilon())
	columns := nx.Transpose(shares)
	m.Weights = nx.Div(count, nx.Sum(count))
	m.Means = nx.Div(nx.Dot(columns, x), nx.ExpandAxis(count, nx.Axis(1)))
	if diagonal {
		square := nx.Square(nx.Sub(x, nx.ExpandAxis(m.Means, nx.Axis(1)))) // [components, samples, features]
		sum := nx.Sum(nx.Mul(square, nx.ExpandAxis(columns, nx.Axis(2))), nx.Axis(1))
		m.Covariances = nx.Add(nx.Div(sum, nx.ExpandAxis(count, nx.Axis(1))), added)
		return m
	}
	type component struct{ Mean, Shares, Count nx.Tensor }
	m.Covariances = nx.Map(component{m.Means, columns, count}, func(c component) nx.Tensor {
		centred := nx.Sub(x, c.Mean)
		weighed := nx.Mul(centred, nx.ExpandAxis(c.Shares, nx.Axis(1)))
		return nx.Add(nx.Div(nx.Dot(nx.Transpose(weighed), centred), c.Count),
			nx.Mul(added, nx.Eye(nx.Shape{x.Shape()[1], x.Shape()[1]}, x.DType())))
	})
	return m
}

// joint returns the logarithms of weight times density, [samples, components].
func (m *GaussianMixtureModel) joint(x nx.Tensor) nx.Tensor {
	x = fits("Predict", x, m.Means.Shape()[1], m.Means.DType())
	type component struct{ Mean, Covariance nx.Tensor }
	far := nx.Map(component{m.Means, m.Covariances}, func(c component) nx.Tensor {
		centred := nx.Sub(x, c.Mean)
		if c.Covariance.Rank() == 1 {
			return nx.Sum(nx.Add(nx.Div(nx.Square(centred), c.Covariance), nx.Log(c.Covariance)), nx.Axis(1))
		}
		root := linalg.Cholesky(c.Covariance)
		z := linalg.TriangularSolve(root, nx.Transpose(centred))
		size := nx.Mul(2, nx.Sum(nx.Log(nx.Diagonal(root, 0))))
		return nx.Add(nx.Sum(nx.Square(z), nx.Axis(0)), size)
	})
	constant := float64(x.Shape()[1]) * math.Log(2*math.Pi)
	return nx.Sub(nx.Log(m.Weights), nx.Div(nx.Add(nx.Transpose(far), constant), 2))
}

// LogDensity returns the logarithms of the density at samples.
//
// Shapes: x [samples, features] → [samples]. Gradient: forward and reverse.
func (m *GaussianMixtureModel) LogDensity(x nx.Tensor) nx.Tensor {
	return nx.LogSumExp(m.joint(x), nx.Axis(1))
}

// Probabilities returns the probabilities that samples belong to the components.
//
// Shapes: x [samples, features] → [samples, components]. Gradient: forward and reverse.
func (m *GaussianMixtureModel) Probabilities(x nx.Tensor) nx.Tensor {
	return nx.Softmax(m.joint(x), nx.Axis(1))
}

// Predict returns the most probable components.
//
// Shapes: x [samples, features] → [samples], s32.
func (m *GaussianMixtureModel) Predict(x nx.Tensor) nx.Tensor {
	return nx.ArgMax(m.joint(x), nx.Axis(1))
}
