package learn

import (
	"github.com/go-nx/nx"
)

// StandardScaler subtracts the mean of each column, and divides by its standard deviation. Columns that are constant,
// but for rounding, are divided by 1. It is StandardScaler of scikit-learn.
type StandardScaler struct {
	// NoMean leaves the mean as it is.
	NoMean bool
	// NoDeviation leaves the deviation as it is.
	NoDeviation bool
}

// ScalerModel shifts and scales columns.
type ScalerModel struct {
	Mean  nx.Tensor // [features]; 0 with NoMean
	Var   nx.Tensor // [features]; the variance
	Scale nx.Tensor // [features]; the deviation, 1 for constant columns and with NoDeviation
}

// Fit returns the mean and the scale of each column.
//
// Shapes: x [samples, features].
func (o StandardScaler) Fit(x nx.Tensor) (m *ScalerModel, err error) {
	defer nx.Catch(&err)
	return fitScaler(features("StandardScaler.Fit", x, 1), nx.Tensor{}, o), nil
}

// FitWeighted is Fit of samples with weights: one of weight 2 counts as two.
//
// Shapes: those of Fit; w [samples], no element less than 0. Errors: [nx.ErrValue] where all weights are 0.
func (o StandardScaler) FitWeighted(x, w nx.Tensor) (m *ScalerModel, err error) {
	defer nx.Catch(&err)
	const op = "StandardScaler.FitWeighted"
	x = features(op, x, 1)
	if !w.IsZero() {
		w = weights(op, x, w)
	}
	return fitScaler(x, w, o), nil
}

var fitScaler = nx.Jit(func(x, w nx.Tensor, o StandardScaler) *ScalerModel {
	mean, centred := weightedMean0(x, w)
	variance := weightedMean(nx.Square(centred), w)
	// A variance this small is the rounding of a sum (Chan, Golub, LeVeque, 1983).
	rounding := nx.Mul(total(x, w), x.DType().Epsilon())
	bound := nx.Add(nx.Mul(rounding, variance), nx.Square(nx.Mul(rounding, mean)))
	m := &ScalerModel{mean, variance, nx.Where(nx.LessEqual(variance, bound), 1, nx.Sqrt(variance))}
	if o.NoMean {
		m.Mean = nx.ZerosLike(mean)
	}
	if o.NoDeviation {
		m.Scale = nx.OnesLike(mean)
	}
	return m
})

// Transform returns scaled samples.
//
// Shapes: x [samples, features] → the same. Gradient: forward and reverse.
func (m *ScalerModel) Transform(x nx.Tensor) nx.Tensor {
	x = fits("Transform", x, m.Mean.Size(), m.Mean.DType())
	return nx.Div(nx.Sub(x, m.Mean), m.Scale)
}

// Inverse returns samples that were scaled as they had been.
//
// Shapes: x [samples, features] → the same. Gradient: forward and reverse.
func (m *ScalerModel) Inverse(x nx.Tensor) nx.Tensor {
	x = fits("Inverse", x, m.Mean.Size(), m.Mean.DType())
	return nx.Add(nx.Mul(x, m.Scale), m.Mean)
}
