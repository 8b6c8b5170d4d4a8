package learn

import (
	"math"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/diag"
)

// NeighboursClassifier predicts classes from the nearest samples. It is KNeighborsClassifier of scikit-learn with
// Euclidean distances.
type NeighboursClassifier struct {
	// Neighbours is the number of nearest samples that vote, 5 if it is 0.
	Neighbours int
	// ByDistance weighs votes with 1 over the distance; of samples at the same place, only those count.
	ByDistance bool
}

// NeighboursRegressor predicts means of the nearest samples. It is KNeighborsRegressor of scikit-learn with Euclidean
// distances.
type NeighboursRegressor struct {
	// Neighbours is the number of nearest samples, 5 if it is 0.
	Neighbours int
	// ByDistance weighs samples with 1 over the distance; of samples at the same place, only those count.
	ByDistance bool
}

// Neighbourhood finds the nearest ones of samples.
type Neighbourhood struct {
	X nx.Tensor // [samples, features], less the mean
	// Mean is that of the samples, [features].
	Mean nx.Tensor
	// Neighbours and ByDistance are those of the estimator. A file does not have them.
	Neighbours int
	ByDistance bool
}

// NeighboursClassifierModel is the result of [NeighboursClassifier.Fit].
type NeighboursClassifierModel struct {
	Neighbourhood
	Y       nx.Tensor // [samples], s32: indices of classes
	Classes nx.Tensor // [classes], sorted
}

// NeighboursRegressorModel is the result of [NeighboursRegressor.Fit].
type NeighboursRegressorModel struct {
	Neighbourhood
	Y nx.Tensor // [samples] or [samples, targets]
}

// Fit keeps the samples.
//
// Shapes: x [samples, features]; y [samples], integers or bools. Errors: [nx.ErrArgument] for fewer samples than
// neighbours.
func (o NeighboursClassifier) Fit(x, y nx.Tensor) (m *NeighboursClassifierModel, err error) {
	defer nx.Catch(&err)
	const op = "NeighboursClassifier.Fit"
	x = features(op, x, 1)
	values, index := severalClasses(op, x, y)
	return &NeighboursClassifierModel{newNeighbourhood(op, x, o.Neighbours, o.ByDistance), index, values}, nil
}

// Fit keeps the samples.
//
// Shapes: x [samples, features]; y [samples] or [samples, targets]. Errors: [nx.ErrArgument] for fewer samples than
// neighbours.
func (o NeighboursRegressor) Fit(x, y nx.Tensor) (m *NeighboursRegressorModel, err error) {
	defer nx.Catch(&err)
	const op = "NeighboursRegressor.Fit"
	x, y = regression(op, x, y, 2)
	return &NeighboursRegressorModel{newNeighbourhood(op, x, o.Neighbours, o.ByDistance), y}, nil
}

func newNeighbourhood(op string, x nx.Tensor, k int, byDistance bool) Neighbourhood {
	k = or(k, 5)
	positive(op, "Neighbours", k)
	if n := x.Shape()[0]; n < k {
		panic(diag.New(nx.ErrArgument, op, "set Neighbours lower", "x has %d samples for %d neighbours", n, k))
	}
	mean, centred := mean0(x)
	return Neighbourhood{centred, mean, k, byDistance}
}

// blockElements bounds the distances that are held at once.
const blockElements = 1 << 22

// Nearest returns the distances of samples to the nearest ones of Fit, ascending, and their rows there. Of equal
// distances the first row comes first. It goes over the samples in blocks, the distances of each by one product.
//
// Shapes: x [samples, features] → [samples, neighbours]; the rows are s32. Accuracy: which samples are nearest is
// decided with an error relative to the squares of the centred samples; the distances are those of the differences.
func (m *Neighbourhood) Nearest(x nx.Tensor) (distances, rows nx.Tensor) {
	x = nx.Sub(fits("Nearest", x, m.Mean.Size(), m.X.DType()), m.Mean)
	n := x.Shape()[0]
	block := max(1, min(n, blockElements/m.X.Shape()[0]))
	blocks := (n + block - 1) / block
	type found struct{ Distances, Rows nx.Tensor }
	padded := nx.Reshape(nx.Pad(x, 0, [2]int{0, blocks*block - n}, [2]int{0, 0}), blocks, block, x.Shape()[1])
	all := nx.Map(padded, func(x nx.Tensor) found {
		_, near := nx.TopK(nx.Neg(squaredDistances(x, m.X)), m.Neighbours)
		difference := nx.Sub(nx.ExpandAxis(x, nx.Axis(1)), nx.Take(m.X, near))
		d := nx.Sqrt(nx.Sum(nx.Square(difference), nx.Axis(2)))
		order := nx.ArgSort(d, nx.Axis(1))
		return found{nx.TakeAlong(d, order, nx.Axis(1)), nx.TakeAlong(near, order, nx.Axis(1))}
	})
	flat := func(t nx.Tensor) nx.Tensor { return nx.Reshape(t, blocks*block, m.Neighbours).At(nx.To(n)) }
	return flat(all.Distances), flat(all.Rows)
}

// weighed returns the rows of the nearest samples, and weights of sum 1.
func (m *Neighbourhood) weighed(x nx.Tensor) (rows, weights nx.Tensor) {
	distances, rows := m.Nearest(x)
	if !m.ByDistance {
		return rows, nx.FullLike(distances, 1/float64(m.Neighbours))
	}
	same := nx.Equal(distances, 0)
	weights = nx.Where(nx.Any(same, nx.Axis(1), nx.KeepAxes), nx.Cast(same, distances.DType()),
		nx.Div(1, nx.Where(same, nx.FullLike(distances, math.Inf(1)), distances)))
	return rows, nx.Div(weights, nx.Sum(weights, nx.Axis(1), nx.KeepAxes))
}

// Probabilities returns the shares of the classes among the nearest samples.
//
// Shapes: x [samples, features] → [samples, classes].
func (m *NeighboursClassifierModel) Probabilities(x nx.Tensor) nx.Tensor {
	rows, weights := m.weighed(x)
	votes := nx.OneHot(nx.Take(m.Y, rows), m.Classes.Size(), weights.DType())
	return nx.Sum(nx.Mul(votes, nx.ExpandAxis(weights, nx.Axis(2))), nx.Axis(1))
}

// Predict returns the classes with most votes, the first of equal ones.
//
// Shapes: x [samples, features] → [samples], of the type of the classes.
func (m *NeighboursClassifierModel) Predict(x nx.Tensor) nx.Tensor {
	return mostProbable(m.Classes, m.Probabilities(x))
}

// Score returns the share of samples whose predicted class is theirs.
//
// Shapes: x [samples, features]; y [samples] → a scalar, f32.
func (m *NeighboursClassifierModel) Score(x, y nx.Tensor) nx.Tensor { return accuracy(y, m.Predict(x)) }

// Predict returns means of the targets of the nearest samples.
//
// Shapes: x [samples, features] → [samples], or [samples, targets].
func (m *NeighboursRegressorModel) Predict(x nx.Tensor) nx.Tensor {
	rows, weights := m.weighed(x)
	if m.Y.Rank() == 2 {
		weights = nx.ExpandAxis(weights, nx.Axis(2))
	}
	return nx.Sum(nx.Mul(nx.Take(m.Y, rows), weights), nx.Axis(1))
}

// Score returns R² of the predictions: 1 minus their squared errors over those of the mean of y, averaged over
// targets. Of constant targets it is 1 if they are met, else 0.
//
// Shapes: x [samples, features]; y as Predict gives it → a scalar.
func (m *NeighboursRegressorModel) Score(x, y nx.Tensor) nx.Tensor { return r2(y, m.Predict(x)) }
