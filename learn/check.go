package learn

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/diag"
)

// ErrNotConverged is the error of a Fit that ended at its largest number of steps. The model is returned, too.
var ErrNotConverged = errors.New("not converged")

// notConverged is the error of a search unless converged is true; in a trace, where that is not known, there is none.
func notConverged(op string, converged, steps nx.Tensor, hint string) error {
	if ok, known := read[bool](converged); ok || !known {
		return nil
	}
	return fmt.Errorf("learn: %s: %w after %d steps\n    hint: %s", op, ErrNotConverged, nx.Item[int](steps), hint)
}

// read returns the element of a tensor, and whether it is known: not while it is traced.
func read[T nx.Number](t nx.Tensor) (v T, known bool) {
	var err error
	func() {
		defer nx.Catch(&err)
		v = nx.Item[T](t)
	}()
	if err != nil && !errors.Is(err, nx.ErrTrace) {
		panic(err)
	}
	return v, err == nil
}

// float returns features or targets in the type that they are computed in, without names of axes.
func float(op, name string, t nx.Tensor) nx.Tensor {
	switch d := t.DType(); {
	case d.IsComplex():
		panic(diag.New(nx.ErrDType, op, "take real and imaginary parts as columns", "%s is %v", name, t.Spec()))
	case d.IsFloat() && d.Bits() >= 32:
		return nx.Rename(t)
	}
	return nx.Cast(nx.Rename(t), nx.F32)
}

// isFinite is compiled, as data are read once.
var isFinite = nx.Jit(func(t nx.Tensor) nx.Tensor { return nx.All(nx.IsFinite(t)) })

// finite panics where data have NaN or infinities, with the place of the first one.
func finite(op, name string, t nx.Tensor) {
	if ok, known := read[bool](isFinite(t)); ok || !known {
		return
	}
	data := nx.Data[float64](t)
	i := slices.IndexFunc(data, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) })
	place := fmt.Sprintf("row %d", i)
	if t.Rank() == 2 {
		place = fmt.Sprintf("row %d, column %d", i/t.Shape()[1], i%t.Shape()[1])
	}
	hint := "drop the row, or put a number there, such as the mean of the column"
	panic(diag.New(nx.ErrValue, op, hint, "%s is %v at %s", name, data[i], place))
}

// features returns samples in the type that they are computed in, after checks of their shape and values.
func features(op string, x nx.Tensor, least int) nx.Tensor {
	if x.Rank() != 2 {
		panic(diag.New(nx.ErrShape, op, "one feature is nx.Reshape(x, n, 1), one sample is nx.Reshape(x, 1, n)",
			"x must be [samples, features], got %v", x.Spec()))
	}
	if n := x.Shape()[0]; n < least {
		panic(diag.New(nx.ErrArgument, op, "", "x has %d samples, and needs at least %d", n, least))
	}
	if x.Shape()[1] == 0 {
		panic(diag.New(nx.ErrShape, op, "", "x has no features"))
	}
	x = float(op, "x", x)
	finite(op, "x", x)
	return x
}

// sameLength panics unless x and y have as many samples.
func sameLength(op string, x, y nx.Tensor) {
	if y.Rank() == 0 || y.Shape()[0] != x.Shape()[0] {
		panic(diag.New(nx.ErrShape, op, "each row of x needs one of y", "x has %d samples, y is %v", x.Shape()[0],
			y.Spec()))
	}
}

// regression returns samples and targets in one type, after checks.
func regression(op string, x, y nx.Tensor, rank int) (nx.Tensor, nx.Tensor) {
	x = features(op, x, 1)
	sameLength(op, x, y)
	if y.Rank() > rank {
		want := "[samples]"
		if rank == 2 {
			want = "[samples] or [samples, targets]"
		}
		panic(diag.New(nx.ErrShape, op, "", "y must be %s, got %v", want, y.Spec()))
	}
	y = float(op, "y", y)
	finite(op, "y", y)
	if x.DType() == nx.F64 || y.DType() == nx.F64 {
		return nx.Cast(x, nx.F64), nx.Cast(y, nx.F64)
	}
	return x, y
}

// classes returns the sorted values of labels, and the index of each label among them.
func classes(op string, x, y nx.Tensor) (values, index nx.Tensor) {
	sameLength(op, x, y)
	if y.Rank() != 1 {
		panic(diag.New(nx.ErrShape, op, "", "y must be [samples], got %v", y.Spec()))
	}
	if d := y.DType(); !d.IsInteger() && d != nx.Bool {
		panic(diag.New(nx.ErrDType, op, "number the classes, and cast to nx.S32",
			"y must be integers or bools, got %v", y.Spec()))
	}
	y = nx.Rename(y)
	sorted := nx.Sort(y)
	first := nx.Data[bool](nx.Concatenate([]nx.Tensor{nx.New([]bool{true}),
		nx.NotEqual(sorted.At(nx.From(1)), sorted.At(nx.To(y.Size()-1)))}))
	var places []int
	for i, isFirst := range first {
		if isFirst {
			places = append(places, i)
		}
	}
	values = nx.Take(sorted, nx.New(places))
	return values, nx.SearchSorted(values, y)
}

// severalClasses is [classes] for classifiers, which panics where there is a single class.
func severalClasses(op string, x, y nx.Tensor) (values, index nx.Tensor) {
	values, index = classes(op, x, y)
	if values.Size() < 2 {
		panic(diag.New(nx.ErrValue, op, "a classifier needs samples of two classes", "y has the single class %d",
			nx.Item[int64](values)))
	}
	return values, index
}

// fits panics unless x has the number of features that a model was fitted to; it returns x in the type of
// the model, without names of axes.
func fits(op string, x nx.Tensor, n int, d nx.DType) nx.Tensor {
	if x.Rank() != 2 || x.Shape()[1] != n {
		panic(diag.New(nx.ErrShape, op, "", "x must be [samples, %d] as in Fit, got %v", n, x.Spec()))
	}
	return nx.Cast(nx.Rename(x), promoted(d, x.DType()))
}

// promoted is f64 if one type is.
func promoted(model, x nx.DType) nx.DType {
	if x == nx.F64 {
		return x
	}
	return model
}

// or returns v, or the default of an option that is 0.
func or[T int | float64](v, otherwise T) T {
	if v == 0 {
		return otherwise
	}
	return v
}

// positive panics unless an option is greater than 0.
func positive[T int | float64](op, name string, v T) {
	if !(v > 0) {
		panic(diag.New(nx.ErrArgument, op, "", "%s must be greater than 0, got %v", name, v))
	}
}

// mean0 returns the means of columns, and the columns less them.
func mean0(t nx.Tensor) (mean, centred nx.Tensor) { return weightedMean0(t, nx.Tensor{}) }

// weightedMean0 is [mean0] with the means by weights, which may be absent.
func weightedMean0(t, w nx.Tensor) (mean, centred nx.Tensor) {
	mean = weightedMean(t, w)
	centred = nx.Sub(t, mean)
	// The mean of large numbers is rounded; what is left of it in the columns is taken off them, too.
	rest := weightedMean(centred, w)
	return nx.Add(mean, rest), nx.Sub(centred, rest)
}
