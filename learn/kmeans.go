package learn

import (
	"math"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/diag"
	"github.com/go-nx/nx/random"
)

// KMeans divides samples in clusters, each sample with the nearest centre, which is the mean of its cluster. It is
// KMeans of scikit-learn with the algorithm of Lloyd.
type KMeans struct {
	// Clusters is their number, 8 if it is 0.
	Clusters int
	// Key draws the first centres by k-means++ (Arthur, Vassilvitskii, 2007), the best of 2+⌊ln Clusters⌋ candidates
	// each; random.Key(0) if it is absent.
	Key nx.Tensor
	// Starts is the number of first centres that are drawn and followed; the least inertia wins. 1 if it is 0.
	Starts int
	// Centres are the first ones, [Clusters, features]; none are drawn then.
	Centres nx.Tensor
	// Steps is the largest number of steps, 300 if it is 0.
	Steps int
	// Tol ends the search when the centres move by less: the sum of the squares of their moves is at most Tol times the
	// mean variance of the columns. 1e-4 if it is 0.
	Tol float64
}

// KMeansModel has the centres of clusters.
type KMeansModel struct {
	Centres nx.Tensor // [clusters, features]
	Labels  nx.Tensor // [samples], s32: the clusters of the samples of Fit
	Inertia nx.Tensor // the sum of the squared distances of samples to their centres
	Steps   nx.Tensor // the number of steps
}

// Fit returns the clusters of samples. A cluster that becomes empty gets the sample that is farthest from its centre.
//
// Shapes: x [samples, features]. Errors: [nx.ErrArgument] for fewer samples, or different ones, than clusters.
func (o KMeans) Fit(x nx.Tensor) (m *KMeansModel, err error) {
	defer nx.Catch(&err)
	return o.fit("KMeans.Fit", x, nx.Tensor{}), nil
}

// FitWeighted is Fit of samples with weights: of the means, of the inertia, and of the draws of the first centres.
//
// Shapes: those of Fit; w [samples], no element less than 0. Errors: [nx.ErrValue] where all weights are 0, and those
// of Fit.
func (o KMeans) FitWeighted(x, w nx.Tensor) (m *KMeansModel, err error) {
	defer nx.Catch(&err)
	return o.fit("KMeans.FitWeighted", x, w), nil
}

func (o KMeans) fit(op string, x, w nx.Tensor) (m *KMeansModel) {
	x = features(op, x, 1)
	if !w.IsZero() {
		w = weights(op, x, w)
	}
	k, starts, steps, tol := or(o.Clusters, 8), or(o.Starts, 1), or(o.Steps, 300), or(o.Tol, 1e-4)
	positive(op, "Clusters", k)
	positive(op, "Starts", starts)
	positive(op, "Steps", steps)
	positive(op, "Tol", tol)
	if n := x.Shape()[0]; n < k {
		panic(diag.New(nx.ErrArgument, op, "set Clusters lower", "x has %d samples for %d clusters", n, k))
	}
	key := o.Key
	if key.IsZero() {
		key = random.Key(0)
	}
	limit := nx.New(steps, nx.As(nx.S32))
	if o.Centres.IsZero() {
		m = fitKMeans(x, w, key, nx.Scalar(tol, x), limit, k, starts)
	} else {
		if s := o.Centres.Shape(); len(s) != 2 || s[0] != k || s[1] != x.Shape()[1] {
			panic(diag.New(nx.ErrShape, op, "", "Centres must be [%d, %d], got %v", k, x.Shape()[1], o.Centres.Spec()))
		}
		centres := nx.Cast(o.Centres, x.DType())
		finite(op, "Centres", centres)
		m = fitKMeansFrom(x, w, centres, nx.Scalar(tol, x), limit)
	}
	counts := nx.Sum(nx.OneHot(m.Labels, k, nx.S32), nx.Axis(0))
	if used := nx.Item[int](nx.Sum(nx.Cast(nx.Greater(counts, 0), nx.S32))); used < k {
		panic(diag.New(nx.ErrArgument, op, "set Clusters lower: rows of x are equal, or as good as equal",
			"only %d of %d clusters have samples", used, k))
	}
	return m
}

var fitKMeansFrom = nx.Jit(func(x, w, centres, tol, limit nx.Tensor) *KMeansModel {
	mean, x := mean0(x)
	m := lloyd(x, w, nx.Sub(centres, mean), tolerance(x, tol), limit)
	m.Centres = nx.Add(m.Centres, mean)
	return m
})

var fitKMeans = nx.Jit(func(x, w, key, tol, limit nx.Tensor, k, starts int) *KMeansModel {
	mean, x := mean0(x)
	tol = tolerance(x, tol)
	all := nx.Map(random.Split(key, starts), func(key nx.Tensor) *KMeansModel {
		return lloyd(x, w, plusPlus(x, w, key, k), tol, limit)
	})
	best := nx.ArgMin(all.Inertia)
	return &KMeansModel{nx.Add(all.Centres.At(best), mean), all.Labels.At(best), all.Inertia.At(best),
		all.Steps.At(best)}
})

func tolerance(x, tol nx.Tensor) nx.Tensor { return nx.Mul(tol, nx.Mean(nx.Square(x))) }

// squaredDistances returns those between the rows of two matrices, by one product.
//
// Accuracy: relative to the squares of the rows, so the data should be centred.
func squaredDistances(a, b nx.Tensor) nx.Tensor {
	d := nx.Add(nx.Mul(-2, nx.Dot(a, nx.Transpose(b))), nx.Sum(nx.Square(b), nx.Axis(1)))
	return nx.Maximum(nx.Add(d, nx.Sum(nx.Square(a), nx.Axis(1), nx.KeepAxes)), 0)
}

// plusPlus draws centres: each is a sample, drawn with the square of its distance to the nearest centre so far, and its
// weight.
func plusPlus(x, w, key nx.Tensor, k int) nx.Tensor {
	n := x.Shape()[0]
	trials := 2 + int(math.Log(float64(k)))
	index := random.RandInt(random.FoldIn(key, 0), 0, int64(n), nx.Shape{}, nx.S32)
	if !w.IsZero() {
		index = random.Categorical(random.FoldIn(key, 0), nx.Log(w), nx.Shape{})
	}
	first := x.At(index)
	type state struct{ Centres, Nearest nx.Tensor }
	start := state{nx.SetAt(nx.Zeros(nx.Shape{k, x.Shape()[1]}, x.DType()), first, 0),
		nx.Sum(nx.Square(nx.Sub(x, first)), nx.Axis(1))}
	return nx.Fori(k-1, start, func(i nx.Tensor, s state) state {
		nearest := weighWith(s.Nearest, w)
		logits := nx.Where(nx.Greater(nx.Max(nearest), 0), nx.Log(nearest), 0)
		drawn := nx.Take(x, random.Categorical(random.FoldIn(key, nx.Add(i, 1)), logits, nx.Shape{trials}))
		after := nx.Minimum(squaredDistances(drawn, x), s.Nearest)
		sums := nx.Sum(after, nx.Axis(1))
		if !w.IsZero() {
			sums = nx.Dot(after, w)
		}
		best := nx.ArgMin(sums)
		return state{nx.SetAt(s.Centres, drawn.At(best), nx.Add(i, 1)), after.At(best)}
	}).Centres
}

// nearestCentre returns the index of it for each sample.
func nearestCentre(x, centres nx.Tensor) nx.Tensor {
	d := nx.Sub(nx.Sum(nx.Square(centres), nx.Axis(1)), nx.Mul(2, nx.Dot(x, nx.Transpose(centres))))
	return nx.ArgMin(d, nx.Axis(1))
}

// fromCentre returns the squared distances of samples to the centres of their labels.
func fromCentre(x, centres, labels nx.Tensor) nx.Tensor {
	return nx.Sum(nx.Square(nx.Sub(x, nx.Take(centres, labels))), nx.Axis(1))
}

// lloyd moves centres to the means of the samples nearest to them, until no label changes, or they move little.
func lloyd(x, w, centres, tol, limit nx.Tensor) *KMeansModel {
	n, k := x.Shape()[0], centres.Shape()[0]
	type state struct{ Centres, Labels, Moved, Same, Steps nx.Tensor }
	no := nx.Full(nx.Shape{}, false, nx.Bool)
	start := state{centres, nx.Full(nx.Shape{n}, -1, nx.S32), nx.Scalar(math.Inf(1), tol), no, nx.New(0, nx.As(nx.S32))}
	end := nx.While(start, func(s state) nx.Tensor {
		goes := nx.LogicalAnd(nx.Less(s.Steps, limit), nx.LogicalNot(s.Same))
		return nx.LogicalAnd(goes, nx.Greater(s.Moved, tol))
	}, func(s state) state {
		labels := nearestCentre(x, s.Centres)
		full := fill(x, w, s.Centres, labels)
		member := weighWith(nx.OneHot(full, k, x.DType()), w)
		count := nx.Sum(member, nx.Axis(0))
		sum := nx.Dot(nx.Transpose(member), x)
		count = nx.ExpandAxis(count, nx.Axis(1))
		has := nx.Greater(count, 0)
		moved := nx.Where(has, nx.Div(sum, nx.Where(has, count, 1)), s.Centres)
		return state{moved, labels, nx.Sum(nx.Square(nx.Sub(moved, s.Centres))), nx.All(nx.Equal(labels, s.Labels)),
			nx.Add(s.Steps, 1)}
	})
	labels := nx.Where(end.Same, end.Labels, nearestCentre(x, end.Centres))
	return &KMeansModel{end.Centres, labels, nx.Sum(weighWith(fromCentre(x, end.Centres, labels), w)), end.Steps}
}

// fill gives clusters without samples, or without weight, the ones that are farthest from their centres.
func fill(x, w, centres, labels nx.Tensor) nx.Tensor {
	k := centres.Shape()[0]
	count := nx.Sum(weighWith(nx.OneHot(labels, k, x.DType()), w), nx.Axis(0))
	empty := nx.Sum(nx.Cast(nx.Equal(count, 0), nx.S32))
	return nx.Cond(nx.Greater(empty, 0), func() nx.Tensor {
		distance, far := nx.TopK(fromCentre(x, centres, labels), k)
		places := nx.Iota(nx.Shape{k}, nx.S32)
		takes := nx.LogicalAnd(nx.Less(places, empty), nx.Greater(distance, 0))
		emptyFirst := nx.ArgSort(count, nx.As(nx.S32))
		to := nx.Where(takes, nx.Cast(emptyFirst, labels.DType()), nx.Take(labels, far))
		return nx.SetGather(labels, nx.ExpandAxis(far, nx.Axis(1)), to)
	}, func() nx.Tensor { return labels })
}

// Predict returns the clusters of samples.
//
// Shapes: x [samples, features] → [samples], s32.
func (m *KMeansModel) Predict(x nx.Tensor) nx.Tensor {
	x = fits("Predict", x, m.Centres.Shape()[1], m.Centres.DType())
	mean := nx.Mean(m.Centres, nx.Axis(0))
	return nearestCentre(nx.Sub(x, mean), nx.Sub(m.Centres, mean))
}

// Transform returns the distances of samples to the centres.
//
// Shapes: x [samples, features] → [samples, clusters].
func (m *KMeansModel) Transform(x nx.Tensor) nx.Tensor {
	x = fits("Transform", x, m.Centres.Shape()[1], m.Centres.DType())
	mean := nx.Mean(m.Centres, nx.Axis(0))
	return nx.Sqrt(squaredDistances(nx.Sub(x, mean), nx.Sub(m.Centres, mean)))
}
