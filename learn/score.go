package learn

import (
	"slices"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/diag"
)

// r2 is the coefficient of determination of predictions, as r2_score of scikit-learn.
func r2(y, predicted nx.Tensor) nx.Tensor {
	y, predicted = pairOf("Score", y, predicted)
	y, predicted = float("Score", "y", y), float("Score", "predicted", predicted)
	_, centred := mean0(y)
	errors, all := nx.Sum(nx.Square(nx.Sub(y, predicted)), nx.Axis(0)), nx.Sum(nx.Square(centred), nx.Axis(0))
	constant := nx.Cast(nx.Equal(errors, 0), errors.DType())
	none := nx.Equal(all, 0)
	return nx.Mean(nx.Where(none, constant, nx.Sub(1, nx.Div(errors, nx.Where(none, 1, all)))))
}

// accuracy is the share of samples whose predicted class is theirs.
func accuracy(y, predicted nx.Tensor) nx.Tensor {
	y, predicted = pairOf("Score", y, predicted)
	return nx.Mean(nx.Cast(nx.Equal(y, predicted), nx.F32))
}

func pairOf(op string, y, predicted nx.Tensor) (nx.Tensor, nx.Tensor) {
	if !slices.Equal(y.Shape(), predicted.Shape()) {
		panic(diag.New(nx.ErrShape, op, "", "y is %v, the predictions are %v", y.Spec(), predicted.Spec()))
	}
	return nx.Rename(y), nx.Rename(predicted)
}

// Scorer is a model with a measure of its predictions: R² of regressions, accuracy of classifiers. Another measure is
// a type with this method, around a model.
type Scorer interface {
	Score(x, y nx.Tensor) nx.Tensor
}

// CrossScore fits a model on the training samples of each fold, and returns the scores on its test samples:
//
//	scores, err := learn.CrossScore(learn.Ridge{Alpha: .1}.Fit, x, y, learn.KFold(x.Shape()[0], 5, nx.Tensor{}))
//
// Shapes: x [samples, features], y [samples, …] → [folds]. Errors: those of fit, with the fold.
func CrossScore[M Scorer](fit func(x, y nx.Tensor) (M, error), x, y nx.Tensor, folds []Fold) (
	scores nx.Tensor, err error) {
	defer nx.Catch(&err)
	if len(folds) == 0 {
		panic(diag.New(nx.ErrArgument, "CrossScore", "see learn.KFold", "there are no folds"))
	}
	sameLength("CrossScore", x, y)
	all := make([]nx.Tensor, len(folds))
	for i, f := range folds {
		xTrain, xTest := f.Split(x)
		yTrain, yTest := f.Split(y)
		m, err := fit(xTrain, yTrain)
		if err != nil {
			return nx.Tensor{}, foldError(i, err)
		}
		all[i] = m.Score(xTest, yTest)
	}
	return nx.Stack(all), nil
}
