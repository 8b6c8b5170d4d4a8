package learn

import (
	"github.com/go-nx/nx"
	"github.com/go-nx/nx/diag"
)

// weights returns the weights of samples in their type, after checks. They stay absent without.
func weights(op string, x, w nx.Tensor) nx.Tensor {
	if w.Rank() != 1 || w.Shape()[0] != x.Shape()[0] {
		panic(diag.New(nx.ErrShape, op, "each row of x has one weight", "x has %d samples, the weights are %v",
			x.Shape()[0], w.Spec()))
	}
	w = nx.Cast(float(op, "the vector of weights", w), x.DType())
	finite(op, "a weight", w)
	if least, known := read[float64](nx.Min(w)); known && least < 0 {
		panic(diag.New(nx.ErrValue, op, "", "the weights have the element %v, below 0", least))
	}
	if sum, known := read[float64](nx.Sum(w)); known && !(sum > 0) {
		panic(diag.New(nx.ErrValue, op, "", "all weights are 0"))
	}
	return w
}

// weighWith multiplies the rows of a matrix, or the elements of a vector, by numbers, which may be absent.
func weighWith(t, w nx.Tensor) nx.Tensor {
	switch {
	case w.IsZero():
		return t
	case t.Rank() == 1:
		return nx.Mul(t, w)
	}
	return nx.Mul(t, nx.ExpandAxis(w, nx.Axis(1)))
}

// weightedMean is the mean of rows by weights, which may be absent.
func weightedMean(t, w nx.Tensor) nx.Tensor {
	if w.IsZero() {
		return nx.Mean(t, nx.Axis(0))
	}
	return nx.Div(nx.Sum(weighWith(t, w), nx.Axis(0)), nx.Sum(w))
}

// total is the number of samples, or the sum of their weights.
func total(x, w nx.Tensor) nx.Tensor {
	if w.IsZero() {
		return nx.Scalar(x.Shape()[0], x)
	}
	return nx.Sum(w)
}

// weightOfClasses panics where the samples of a class have no weight.
func weightOfClasses(op string, values, index, w nx.Tensor) {
	sums := nx.Data[float64](nx.Dot(w, nx.OneHot(index, values.Size(), w.DType())))
	for i, sum := range sums {
		if !(sum > 0) {
			panic(diag.New(nx.ErrValue, op, "leave its samples out", "all weights of the class %d are 0",
				nx.Item[int64](values.At(i))))
		}
	}
}
