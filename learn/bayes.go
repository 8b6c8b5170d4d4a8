package learn

import (
	"math"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/diag"
)

// GaussianNB is naive Bayes with a normal distribution of each feature in each class. It is GaussianNB of scikit-learn.
type GaussianNB struct {
	// Smoothing is the share of the largest variance of a column that is added to all variances, 1e-9 if it is 0.
	Smoothing float64
}

// GaussianNBModel has the distributions of classes.
type GaussianNBModel struct {
	Mean     nx.Tensor // [classes, features]
	Var      nx.Tensor // [classes, features], with what is added
	LogPrior nx.Tensor // [classes]: the logarithms of their shares
	Classes  nx.Tensor // [classes], sorted
}

// Fit returns the means and variances of features by class.
//
// Shapes: x [samples, features]; y [samples], integers or bools. Errors: [nx.ErrValue] where all columns are constant.
func (o GaussianNB) Fit(x, y nx.Tensor) (m *GaussianNBModel, err error) {
	defer nx.Catch(&err)
	return o.fit("GaussianNB.Fit", x, y, nx.Tensor{}), nil
}

// FitWeighted is Fit of samples with weights: one of weight 2 counts as two.
//
// Shapes: those of Fit; w [samples], no element less than 0. Errors: [nx.ErrValue] where all weights of a class are 0,
// and those of Fit.
func (o GaussianNB) FitWeighted(x, y, w nx.Tensor) (m *GaussianNBModel, err error) {
	defer nx.Catch(&err)
	return o.fit("GaussianNB.FitWeighted", x, y, w), nil
}

func (o GaussianNB) fit(op string, x, y, w nx.Tensor) (m *GaussianNBModel) {
	x = features(op, x, 2)
	values, index := severalClasses(op, x, y)
	if !w.IsZero() {
		w = weights(op, x, w)
		weightOfClasses(op, values, index, w)
	}
	smoothing := or(o.Smoothing, 1e-9)
	positive(op, "Smoothing", smoothing)
	m = fitGaussianNB(x, index, w, nx.Scalar(smoothing, x), values.Size())
	if least := nx.Item[float64](nx.Min(m.Var)); !(least > 0) {
		panic(diag.New(nx.ErrValue, op, "drop the column, or set Smoothing higher",
			"a column of x is constant in a class, and Smoothing does not make its variance greater than 0"))
	}
	m.Classes = values
	return m
}

var fitGaussianNB = nx.Jit(func(x, y, w, smoothing nx.Tensor, classes int) *GaussianNBModel {
	middle, x := mean0(x)
	member := weighWith(nx.OneHot(y, classes, x.DType()), w)
	count := nx.Sum(member, nx.Axis(0))
	by := func(t nx.Tensor) nx.Tensor {
		return nx.Div(nx.Dot(nx.Transpose(member), t), nx.ExpandAxis(count, nx.Axis(1)))
	}
	mean := by(x)
	variance := by(nx.Square(nx.Sub(x, nx.Take(mean, y))))
	added := nx.Mul(smoothing, nx.Max(nx.Mean(nx.Square(x), nx.Axis(0))))
	return &GaussianNBModel{Mean: nx.Add(mean, middle), Var: nx.Add(variance, added),
		LogPrior: nx.Log(nx.Div(count, total(x, w)))}
})

func (m *GaussianNBModel) joint(x nx.Tensor) nx.Tensor {
	x = fits("Predict", x, m.Mean.Shape()[1], m.Mean.DType())
	far := nx.Div(nx.Square(nx.Sub(nx.ExpandAxis(x, nx.Axis(1)), m.Mean)), m.Var)
	size := nx.Log(nx.Mul(2*math.Pi, m.Var))
	return nx.Sub(m.LogPrior, nx.Div(nx.Sum(nx.Add(far, size), nx.Axis(2)), 2))
}

// LogProbabilities returns the logarithms of the probabilities of the classes.
//
// Shapes: x [samples, features] → [samples, classes]. Gradient: forward and reverse.
func (m *GaussianNBModel) LogProbabilities(x nx.Tensor) nx.Tensor {
	return nx.LogSoftmax(m.joint(x), nx.Axis(1))
}

// Probabilities returns the probabilities of the classes.
//
// Shapes: x [samples, features] → [samples, classes]. Gradient: forward and reverse.
func (m *GaussianNBModel) Probabilities(x nx.Tensor) nx.Tensor { return nx.Exp(m.LogProbabilities(x)) }

// Predict returns the most probable classes.
//
// Shapes: x [samples, features] → [samples], of the type of the classes.
func (m *GaussianNBModel) Predict(x nx.Tensor) nx.Tensor { return mostProbable(m.Classes, m.joint(x)) }

// Score returns the share of samples whose predicted class is theirs.
//
// Shapes: x [samples, features]; y [samples] → a scalar, f32.
func (m *GaussianNBModel) Score(x, y nx.Tensor) nx.Tensor { return accuracy(y, m.Predict(x)) }

// MultinomialNB is naive Bayes of counts, such as those of words. It is MultinomialNB of scikit-learn.
type MultinomialNB struct {
	// Alpha is added to the count of each feature in each class, 1 if it is 0.
	Alpha float64
}

// BernoulliNB is naive Bayes of features that are there or not. It is BernoulliNB of scikit-learn.
type BernoulliNB struct {
	// Alpha is added to the numbers of samples with and without a feature, 1 if it is 0.
	Alpha float64
	// Threshold is the number that a feature which is there is greater than.
	Threshold float64
}

// CountsModel has the probabilities of features in classes: the result of [MultinomialNB.Fit] and [BernoulliNB.Fit].
type CountsModel struct {
	LogProbability nx.Tensor // [classes, features]: of each feature
	LogAbsent      nx.Tensor // [classes, features]: that it is not there; absent of MultinomialNB
	LogPrior       nx.Tensor // [classes]: the logarithms of their shares
	Threshold      nx.Tensor // of BernoulliNB; absent of MultinomialNB
	Classes        nx.Tensor // [classes], sorted
}

// Fit returns the probabilities of features by class.
//
// Shapes: x [samples, features], no element less than 0; y [samples], integers or bools. Errors: [nx.ErrValue] for a
// negative count.
func (o MultinomialNB) Fit(x, y nx.Tensor) (m *CountsModel, err error) {
	defer nx.Catch(&err)
	return o.fit("MultinomialNB.Fit", x, y, nx.Tensor{}), nil
}

// FitWeighted is Fit of samples with weights: one of weight 2 counts as two.
//
// Shapes: those of Fit; w [samples], no element less than 0. Errors: [nx.ErrValue] where all weights of a class are 0,
// and those of Fit.
func (o MultinomialNB) FitWeighted(x, y, w nx.Tensor) (m *CountsModel, err error) {
	defer nx.Catch(&err)
	return o.fit("MultinomialNB.FitWeighted", x, y, w), nil
}

func (o MultinomialNB) fit(op string, x, y, w nx.Tensor) (m *CountsModel) {
	x = features(op, x, 1)
	if least := nx.Item[float64](nx.Min(x)); least < 0 {
		panic(diag.New(nx.ErrValue, op, "counts are 0 or more; GaussianNB takes any numbers", "x has the element %v",
			least))
	}
	values, index := severalClasses(op, x, y)
	if !w.IsZero() {
		w = weights(op, x, w)
		weightOfClasses(op, values, index, w)
	}
	alpha := or(o.Alpha, 1)
	positive(op, "Alpha", alpha)
	m = fitMultinomialNB(x, index, w, nx.Scalar(alpha, x), values.Size())
	m.Classes = values
	return m
}

// Fit returns the probabilities of features by class.
//
// Shapes: x [samples, features]; y [samples], integers or bools.
func (o BernoulliNB) Fit(x, y nx.Tensor) (m *CountsModel, err error) {
	defer nx.Catch(&err)
	return o.fit("BernoulliNB.Fit", x, y, nx.Tensor{}), nil
}

// FitWeighted is Fit of samples with weights: one of weight 2 counts as two.
//
// Shapes: those of Fit; w [samples], no element less than 0. Errors: [nx.ErrValue] where all weights of a class are 0,
// and those of Fit.
func (o BernoulliNB) FitWeighted(x, y, w nx.Tensor) (m *CountsModel, err error) {
	defer nx.Catch(&err)
	return o.fit("BernoulliNB.FitWeighted", x, y, w), nil
}

func (o BernoulliNB) fit(op string, x, y, w nx.Tensor) (m *CountsModel) {
	x = features(op, x, 1)
	values, index := severalClasses(op, x, y)
	if !w.IsZero() {
		w = weights(op, x, w)
		weightOfClasses(op, values, index, w)
	}
	alpha := or(o.Alpha, 1)
	positive(op, "Alpha", alpha)
	m = fitBernoulliNB(x, index, w, nx.Scalar(alpha, x), nx.Scalar(o.Threshold, x), values.Size())
	m.Classes = values
	return m
}

// counts returns the sums of features, and the numbers of samples, by class, with weights, which may be absent.
func counts(x, y, w nx.Tensor, classes int) (sums, samples nx.Tensor) {
	member := weighWith(nx.OneHot(y, classes, x.DType()), w)
	return nx.Dot(nx.Transpose(member), x), nx.Sum(member, nx.Axis(0))
}

var fitMultinomialNB = nx.Jit(func(x, y, w, alpha nx.Tensor, classes int) *CountsModel {
	sums, samples := counts(x, y, w, classes)
	smooth := nx.Add(sums, alpha)
	return &CountsModel{LogProbability: nx.Log(nx.Div(smooth, nx.Sum(smooth, nx.Axis(1), nx.KeepAxes))),
		LogPrior: nx.Log(nx.Div(samples, total(x, w)))}
})

var fitBernoulliNB = nx.Jit(func(x, y, w, alpha, threshold nx.Tensor, classes int) *CountsModel {
	sums, samples := counts(nx.Cast(nx.Greater(x, threshold), x.DType()), y, w, classes)
	all := nx.ExpandAxis(samples, nx.Axis(1))
	both := nx.Add(all, nx.Mul(2, alpha))
	return &CountsModel{LogProbability: nx.Log(nx.Div(nx.Add(sums, alpha), both)),
		LogAbsent: nx.Log(nx.Div(nx.Add(nx.Sub(all, sums), alpha), both)),
		LogPrior:  nx.Log(nx.Div(samples, total(x, w))), Threshold: threshold}
})

func (m *CountsModel) joint(x nx.Tensor) nx.Tensor {
	x = fits("Predict", x, m.LogProbability.Shape()[1], m.LogProbability.DType())
	weight, bias := m.LogProbability, m.LogPrior
	if !m.Threshold.IsZero() {
		x = nx.Cast(nx.Greater(x, m.Threshold), x.DType())
		weight, bias = nx.Sub(weight, m.LogAbsent), nx.Add(bias, nx.Sum(m.LogAbsent, nx.Axis(1)))
	}
	return nx.Add(nx.Dot(x, nx.Transpose(weight)), bias)
}

// LogProbabilities returns the logarithms of the probabilities of the classes.
//
// Shapes: x [samples, features] → [samples, classes].
func (m *CountsModel) LogProbabilities(x nx.Tensor) nx.Tensor {
	return nx.LogSoftmax(m.joint(x), nx.Axis(1))
}

// Probabilities returns the probabilities of the classes.
//
// Shapes: x [samples, features] → [samples, classes].
func (m *CountsModel) Probabilities(x nx.Tensor) nx.Tensor { return nx.Exp(m.LogProbabilities(x)) }

// Predict returns the most probable classes.
//
// Shapes: x [samples, features] → [samples], of the type of the classes.
func (m *CountsModel) Predict(x nx.Tensor) nx.Tensor { return mostProbable(m.Classes, m.joint(x)) }

// Score returns the share of samples whose predicted class is theirs.
//
// Shapes: x [samples, features]; y [samples] → a scalar, f32.
func (m *CountsModel) Score(x, y nx.Tensor) nx.Tensor { return accuracy(y, m.Predict(x)) }
