package learn

import (
	"sort"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/diag"
	"github.com/go-nx/nx/linalg"
)

// PCA finds the orthogonal directions of largest variance. It is PCA of scikit-learn with the full solver.
type PCA struct {
	// Components is the number of directions, the smaller of samples and features if it is 0.
	Components int
	// Share is instead of Components: as many as explain more than that share of the variance.
	Share float64
	// Whiten gives transformed samples unit variance.
	Whiten bool
}

// PCAModel has the directions of largest variance.
type PCAModel struct {
	Components nx.Tensor // [components, features]; the element of each that is largest by its size is positive
	Mean       nx.Tensor // [features]
	Variance   nx.Tensor // [components]: the variance along each
	Ratio      nx.Tensor // [components]: its share of that of the data
	Singular   nx.Tensor // [components]: the singular values of the centred data
	Noise      nx.Tensor // the mean of the variances along the directions left out
	Scale      nx.Tensor // [components]: what transformed samples are divided by, 1 without Whiten
}

// Fit returns the directions of samples, by the singular values of the centred data.
//
// Shapes: x [samples, features]. Errors: [nx.ErrArgument] for more components than samples or features,
// [nx.ErrValue] where all columns are constant.
func (o PCA) Fit(x nx.Tensor) (m *PCAModel, err error) {
	defer nx.Catch(&err)
	const op = "PCA.Fit"
	x = features(op, x, 2)
	most := min(x.Shape()[0], x.Shape()[1])
	k := or(o.Components, most)
	if k < 0 || k > most {
		panic(diag.New(nx.ErrArgument, op, "", "there are at most %d components of %v, not %d", most, x.Spec(), k))
	}
	if o.Share < 0 || o.Share >= 1 || o.Share > 0 && o.Components != 0 {
		panic(diag.New(nx.ErrArgument, op, "set one of Components and Share, which is less than 1",
			"Share is %v, Components is %d", o.Share, o.Components))
	}
	if o.Share > 0 {
		k = most
	}
	m = fitPCA(x, k, o.Whiten)
	if largest, known := read[float64](m.Singular.At(0)); known && largest == 0 {
		panic(diag.New(nx.ErrValue, op, "", "all %d columns of x are constant", x.Shape()[1]))
	}
	if o.Share > 0 {
		sums := nx.Data[float64](nx.CumSum(m.Ratio))
		k = min(sort.Search(len(sums), func(i int) bool { return sums[i] > o.Share })+1, most)
		m = fitPCA(x, k, o.Whiten)
	}
	return m, nil
}

var fitPCA = nx.Jit(func(x nx.Tensor, k int, whiten bool) *PCAModel {
	n := x.Shape()[0]
	mean, x := mean0(x)
	if n > x.Shape()[1] {
		_, x = linalg.QR(x) // the singular values and right vectors of R are those of the data
	}
	_, s, v := linalg.SVD(x)
	variance := nx.Div(nx.Square(s), n-1)
	all := nx.Sum(variance)
	m := &PCAModel{Mean: mean, Singular: s.At(nx.To(k)), Variance: variance.At(nx.To(k)), Components: v.At(nx.To(k))}
	m.Ratio = nx.Div(m.Variance, nx.Where(nx.Greater(all, 0), all, 1))
	largest := nx.TakeAlong(m.Components, nx.ArgMax(nx.Abs(m.Components), nx.Axis(1), nx.KeepAxes), nx.Axis(1))
	m.Components = nx.Mul(m.Components, nx.Where(nx.Less(largest, 0), nx.Scalar(-1, s), nx.Scalar(1, s)))
	m.Noise, m.Scale = nx.Scalar(0, s), nx.OnesLike(m.Variance)
	if k < s.Size() {
		m.Noise = nx.Mean(variance.At(nx.From(k)))
	}
	if whiten {
		m.Scale = nx.Maximum(nx.Sqrt(m.Variance), s.DType().Epsilon())
	}
	return m
})

// Transform returns the coordinates of samples along the directions.
//
// Shapes: x [samples, features] → [samples, components]. Gradient: forward and reverse.
func (m *PCAModel) Transform(x nx.Tensor) nx.Tensor {
	x = fits("Transform", x, m.Mean.Size(), m.Mean.DType())
	return nx.Div(nx.Dot(nx.Sub(x, m.Mean), nx.Transpose(m.Components)), m.Scale)
}

// Inverse returns samples by their coordinates; what was along directions left out is the mean.
//
// Shapes: z [samples, components] → [samples, features]. Gradient: forward and reverse.
func (m *PCAModel) Inverse(z nx.Tensor) nx.Tensor {
	z = fits("Inverse", z, m.Scale.Size(), m.Mean.DType())
	return nx.Add(nx.Dot(nx.Mul(z, m.Scale), m.Components), m.Mean)
}
