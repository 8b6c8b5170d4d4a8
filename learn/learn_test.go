package learn_test

import (
	"errors"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/learn"
	"github.com/go-nx/nx/random"
	"github.com/go-nx/nx/tree"
)

// samples returns three clusters of two features, a target and classes.
func samples(d nx.DType) (x, y, labels nx.Tensor) {
	labels = nx.Remainder(nx.Iota(nx.Shape{60}, nx.S32), 3)
	centres := nx.New([][]float64{{0, 0}, {5, 0}, {0, 5}})
	x = nx.Add(nx.Take(centres, labels), random.Normal(random.Key(1), 0, 1, nx.Shape{60, 2}, nx.F64))
	y = nx.Sub(nx.Mul(2, x.At(nx.Whole, 0)), x.At(nx.Whole, 1))
	return nx.Cast(x, d), nx.Cast(y, d), labels
}

// fitted returns a model of each kind, with its function of samples.
func fitted(t *testing.T) map[string]func(x nx.Tensor) nx.Tensor {
	x, y, labels := samples(nx.F64)
	out := map[string]func(x nx.Tensor) nx.Tensor{}
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	linear, err := learn.LinearRegression{}.Fit(x, y)
	check(err)
	lasso, err := learn.Lasso{}.Fit(x, y)
	check(err)
	logistic, err := learn.LogisticRegression{}.Fit(x, labels)
	check(err)
	kmeans, err := learn.KMeans{Clusters: 3}.Fit(x)
	check(err)
	pca, err := learn.PCA{Components: 1}.Fit(x)
	check(err)
	neighbours, err := learn.NeighboursClassifier{}.Fit(x, labels)
	check(err)
	regressor, err := learn.NeighboursRegressor{ByDistance: true}.Fit(x, y)
	check(err)
	gaussian, err := learn.GaussianNB{}.Fit(x, labels)
	check(err)
	bernoulli, err := learn.BernoulliNB{}.Fit(x, labels)
	check(err)
	mixture, err := learn.GaussianMixture{Components: 3}.Fit(x)
	check(err)
	scaler, err := learn.StandardScaler{}.Fit(x)
	check(err)
	add(t, out, "LinearModel", linear, (*learn.LinearModel).Predict)
	add(t, out, "LassoModel", lasso, func(m *learn.LassoModel, x nx.Tensor) nx.Tensor { return m.Predict(x) })
	add(t, out, "LogisticModel", logistic, (*learn.LogisticModel).Predict)
	add(t, out, "LogisticModel.Probabilities", logistic, (*learn.LogisticModel).Probabilities)
	add(t, out, "KMeansModel", kmeans, (*learn.KMeansModel).Predict)
	add(t, out, "KMeansModel.Transform", kmeans, (*learn.KMeansModel).Transform)
	add(t, out, "PCAModel", pca, (*learn.PCAModel).Transform)
	add(t, out, "NeighboursClassifierModel", neighbours, (*learn.NeighboursClassifierModel).Predict)
	add(t, out, "NeighboursRegressorModel", regressor, (*learn.NeighboursRegressorModel).Predict)
	add(t, out, "GaussianNBModel", gaussian, (*learn.GaussianNBModel).Probabilities)
	add(t, out, "CountsModel", bernoulli, (*learn.CountsModel).Predict)
	add(t, out, "GaussianMixtureModel", mixture, (*learn.GaussianMixtureModel).LogDensity)
	add(t, out, "ScalerModel", scaler, (*learn.ScalerModel).Transform)
	return out
}

// add adds the function of a model, after checks that it is the same of a model that was saved, that is an argument
// of a compiled function, and that is one of a batch.
func add[M any](t *testing.T, to map[string]func(nx.Tensor) nx.Tensor, name string, m *M,
	f func(*M, nx.Tensor) nx.Tensor) {
	x, _, _ := samples(nx.F64)
	want := f(m, x)
	same := func(how string, got nx.Tensor) {
		t.Helper()
		if got.DType() != want.DType() || !nx.Item[bool](nx.AllClose(got, want, nx.Tolerance(1e-9, 1e-9))) {
			t.Errorf("%s %s: %v, not %v", name, how, got, want)
		}
	}
	same("in Jit", nx.Jit(f)(m, x))
	saved := *m
	file := filepath.Join(t.TempDir(), "model.safetensors")
	if err := nx.SaveTensors(file, m); err != nil {
		t.Fatal(err)
	}
	saved = tree.ZerosLike(saved)
	if err := nx.LoadTensors(file, &saved); err != nil {
		t.Fatal(err)
	}
	same("loaded", f(&saved, x))
	two := tree.Map(func(t nx.Tensor) nx.Tensor { return nx.Stack([]nx.Tensor{t, nx.ZerosLike(t)}) }, m)
	batch := nx.Vmap(func(m *M) nx.Tensor { return f(m, x) })(two)
	same("in Vmap", batch.At(0))
	to[name] = func(x nx.Tensor) nx.Tensor { return f(m, x) }
}

func TestModels(t *testing.T) {
	x, _, _ := samples(nx.F64)
	for name, f := range fitted(t) {
		// f32 samples are computed in the type of the model.
		if got, want := f(nx.Cast(x, nx.F32)), f(x); got.DType() != want.DType() {
			t.Errorf("%s: f32 samples give %v, not %v", name, got.Spec(), want.Spec())
		}
		var err error
		func() { defer nx.Catch(&err); f(nx.Zeros(nx.Shape{3, 7}, nx.F64)) }()
		if !errors.Is(err, nx.ErrShape) || !strings.Contains(err.Error(), "[samples, 2] as in Fit, got f64[3][7]") {
			t.Errorf("%s: samples of another width give %v", name, err)
		}
		if none := f(x.At(nx.To(0))); none.Shape()[0] != 0 {
			t.Errorf("%s: no samples give %v", name, none.Spec())
		}
	}
}

// Fit of regressions, PCA and scalers batches data sets, and is differentiated.
func TestFitInTraces(t *testing.T) {
	x, y, _ := samples(nx.F64)
	xs := nx.Stack([]nx.Tensor{x, nx.Mul(x, 3), nx.Add(x, 7)})
	ys := nx.Stack([]nx.Tensor{y, nx.Add(y, 1), nx.Neg(y)})
	fits := map[string]func(x, y nx.Tensor) nx.Tensor{
		"LinearRegression": func(x, y nx.Tensor) nx.Tensor { return must(learn.LinearRegression{}.Fit(x, y)).Coef },
		"Ridge":            func(x, y nx.Tensor) nx.Tensor { return must(learn.Ridge{}.Fit(x, y)).Coef },
		"Lasso":            func(x, y nx.Tensor) nx.Tensor { return must(learn.Lasso{}.Fit(x, y)).Coef },
		"PCA":              func(x, _ nx.Tensor) nx.Tensor { return must(learn.PCA{}.Fit(x)).Components },
		"StandardScaler":   func(x, _ nx.Tensor) nx.Tensor { return must(learn.StandardScaler{}.Fit(x)).Scale },
	}
	for name, fit := range fits {
		batch := nx.Vmap(fit)
		for how, batch := range map[string]func(x, y nx.Tensor) nx.Tensor{"Vmap": batch, "Jit": compiled(batch)} {
			got := batch(xs, ys)
			for i := range 3 {
				want := fit(xs.At(i), ys.At(i))
				if !nx.Item[bool](nx.AllClose(got.At(i), want, nx.Tolerance(1e-9, 1e-9))) {
					t.Errorf("%s, %s: data set %d: %v, not %v", name, how, i, got.At(i), want)
				}
			}
		}
	}
	// The derivative of the ridge coefficients by y is linear: that of their sum for y itself is the sum.
	sum := func(y nx.Tensor) nx.Tensor { return nx.Sum(must(learn.Ridge{}.Fit(x, y)).Coef) }
	if got, want := nx.Dot(nx.Grad(sum)(y), y), sum(y); math.Abs(nx.Item[float64](nx.Sub(got, want))) > 1e-12 {
		t.Errorf("the derivative of Ridge is %v, not %v", got, want)
	}
}

// Names of axes, the same or others, do not matter.
func TestNamedAxes(t *testing.T) {
	x, y, labels := samples(nx.F64)
	named, row, class := nx.Rename(x, "sample", "feature"), nx.Rename(y, "row"), nx.Rename(labels, "row")
	for name, pair := range map[string][2]nx.Tensor{
		"Ridge":      {must(learn.Ridge{}.Fit(named, row)).Predict(named), must(learn.Ridge{}.Fit(x, y)).Predict(x)},
		"Lasso":      {must(learn.Lasso{}.Fit(named, row)).Coef, must(learn.Lasso{}.Fit(x, y)).Coef},
		"PCA":        {must(learn.PCA{}.Fit(named)).Transform(named), must(learn.PCA{}.Fit(x)).Transform(x)},
		"KMeans":     {must(learn.KMeans{}.Fit(named)).Predict(named), must(learn.KMeans{}.Fit(x)).Predict(x)},
		"GaussianNB": {must(learn.GaussianNB{}.Fit(named, class)).Mean, must(learn.GaussianNB{}.Fit(x, labels)).Mean},
		"Logistic": {must(learn.LogisticRegression{}.Fit(named, class)).Score(named, class),
			must(learn.LogisticRegression{}.Fit(x, labels)).Score(x, labels)},
		"Mixture": {must(learn.GaussianMixture{}.Fit(named)).Means, must(learn.GaussianMixture{}.Fit(x)).Means},
		"Neighbours": {must(learn.NeighboursClassifier{}.Fit(named, class)).Predict(named),
			must(learn.NeighboursClassifier{}.Fit(x, labels)).Predict(x)},
	} {
		if !nx.ArrayEqual(pair[0], pair[1]) {
			t.Errorf("%s: named axes give %v, not %v", name, pair[0], pair[1])
		}
	}
}

func compiled(f func(x, y nx.Tensor) nx.Tensor) func(x, y nx.Tensor) nx.Tensor { return nx.Jit(f) }

func must[M any](m M, err error) M {
	if err != nil {
		panic(err)
	}
	return m
}

func TestErrors(t *testing.T) {
	x, y, labels := samples(nx.F64)
	nan := nx.SetAt(x, math.NaN(), 3, 1)
	ones := nx.Ones(nx.Shape{60, 2}, nx.F64)
	two := nx.New([][]float64{{1, 2}, {1, 2}, {3, 4}, {3, 4}})
	third := nx.Cast(nx.Less(nx.Iota(nx.Shape{60}, nx.S32), 20), nx.S32)
	for _, c := range []struct {
		name string
		fit  func() error
		is   error
		text string
	}{
		{"NaN", second(learn.Ridge{}.Fit(nan, y)), nx.ErrValue, "Ridge.Fit: x is NaN at row 3, column 1"},
		{"infinite y", second(learn.Lasso{}.Fit(x, nx.SetAt(y, math.Inf(1), 5))), nx.ErrValue, "y is +Inf at row 5"},
		{"rank", second(learn.PCA{}.Fit(y)), nx.ErrShape, "x must be [samples, features], got f64[60]"},
		{"length", second(learn.Ridge{}.Fit(x, y.At(nx.To(7)))), nx.ErrShape, "x has 60 samples, y is f64[7]"},
		{"targets", second(learn.Lasso{}.Fit(x, x)), nx.ErrShape, "y must be [samples], got f64[60][2]"},
		{"no features", second(learn.Ridge{}.Fit(nx.Zeros(nx.Shape{3, 0}, nx.F32), y.At(nx.To(3)))), nx.ErrShape,
			"x has no features"},
		{"no samples", second(learn.Ridge{}.Fit(x.At(nx.To(0)), y.At(nx.To(0)))), nx.ErrArgument, "x has 0 samples"},
		{"complex", second(learn.PCA{}.Fit(nx.Cast(x, nx.C64))), nx.ErrDType, "x is c64[60][2]"},
		{"one class", second(learn.LogisticRegression{}.Fit(x, nx.FullLike(labels, 4))), nx.ErrValue,
			"LogisticRegression.Fit: y has the single class 4"},
		{"float classes", second(learn.GaussianNB{}.Fit(x, y)),
			nx.ErrDType, "y must be integers or bools, got f64[60]"},
		{"negative counts", second(learn.MultinomialNB{}.Fit(x, labels)), nx.ErrValue, "x has the element -"},
		{"constant", second(learn.PCA{}.Fit(ones)), nx.ErrValue, "all 2 columns of x are constant"},
		{"constant in classes", second(learn.GaussianNB{}.Fit(ones, labels)),
			nx.ErrValue, "column of x is constant in"},
		{"few samples", second(learn.KMeans{Clusters: 5}.Fit(two)), nx.ErrArgument, "x has 4 samples for 5 clusters"},
		{"equal samples", second(learn.KMeans{Clusters: 3}.Fit(two)),
			nx.ErrArgument, "only 2 of 3 clusters have samples"},
		{"centres", second(learn.KMeans{Clusters: 3, Centres: two}.Fit(x)), nx.ErrShape, "Centres must be [3, 2], got"},
		{"neighbours", second(learn.NeighboursClassifier{}.Fit(two, nx.New([]int{0, 1, 0, 1}))), nx.ErrArgument,
			"x has 4 samples for 5 neighbours"},
		{"components", second(learn.PCA{Components: 3}.Fit(x)), nx.ErrArgument, "at most 2 components"},
		{"option", second(learn.Ridge{Alpha: -1}.Fit(x, y)), nx.ErrArgument, "Alpha must be greater than 0, got -1"},
		{"mixture", second(learn.GaussianMixture{Components: 9}.Fit(two)),
			nx.ErrArgument, "4 samples for 9 components"},
		{"singular", second(learn.GaussianMixture{Added: 1e-30}.Fit(nx.Tile(x, 1, 9))),
			nx.ErrValue, "the covariance of a component is singular"},
		{"steps of Lasso", second(learn.Lasso{Alpha: 1e-3, Steps: 1, Tol: 1e-9}.Fit(x, y)), learn.ErrNotConverged,
			"Lasso.Fit: not converged after 1 steps"},
		{"steps of LogisticRegression", second(learn.LogisticRegression{Steps: 2}.Fit(x, labels)),
			learn.ErrNotConverged,
			"LogisticRegression.Fit: not converged after 2 steps"},
		{"steps of GaussianMixture", second(learn.GaussianMixture{Components: 3, Steps: 1}.Fit(x)),
			learn.ErrNotConverged,
			"GaussianMixture.Fit: not converged after 1 steps"},
		{"folds", func() (err error) { defer nx.Catch(&err); learn.KFold(3, 4, nx.Tensor{}); return nil },
			nx.ErrArgument,
			"3 samples cannot be divided in 4 folds"},
		{"rare class", func() (err error) {
			defer nx.Catch(&err)
			learn.StratifiedKFold(nx.New([]int{5, 5, 6}), 2, nx.Tensor{})
			return nil
		}, nx.ErrArgument, "class 6 has 1 samples for 2 folds"},
		{"empty part", func() (err error) { defer nx.Catch(&err); learn.TrainTest(1, .5, nx.Tensor{}); return nil },
			nx.ErrArgument, "leaves one part empty"},
		{"fold", second(learn.CrossScore(learn.GaussianNB{}.Fit, x, third, learn.KFold(60, 3, nx.Tensor{}))),
			nx.ErrValue, "fold 0: "},
	} {
		err := c.fit()
		if !errors.Is(err, c.is) || !strings.Contains(err.Error(), c.text) {
			t.Errorf("%s: the error is %v, not one of kind %v with %q", c.name, err, c.is, c.text)
		}
	}
}

func second[M any](_ M, err error) func() error { return func() error { return err } }

// k-means++ starts with samples of different clusters, and the best of several starts is no worse.
func TestKMeans(t *testing.T) {
	x, _, labels := samples(nx.F32)
	for seed := range 5 {
		m, err := learn.KMeans{Clusters: 3, Key: random.Key(int64(seed))}.Fit(x)
		if err != nil {
			t.Fatal(err)
		}
		// The clusters are those that the samples were drawn of, but for a few between them.
		found := map[[2]int]int{}
		got := nx.Data[int](m.Labels)
		for i, l := range nx.Data[int](labels) {
			found[[2]int{l, got[i]}]++
		}
		most := 0
		for _, n := range found {
			if n > 10 {
				most += n
			}
		}
		if most < 55 {
			t.Errorf("seed %d: the clusters are %v", seed, found)
		}
		again := must(learn.KMeans{Clusters: 3, Key: random.Key(int64(seed))}.Fit(x))
		if !nx.ArrayEqual(m.Centres, again.Centres) {
			t.Errorf("seed %d: two fits differ", seed)
		}
		one := must(learn.KMeans{Clusters: 6, Key: random.Key(int64(seed))}.Fit(x))
		ten := must(learn.KMeans{Clusters: 6, Key: random.Key(int64(seed)), Starts: 10}.Fit(x))
		if nx.Item[float64](ten.Inertia) > 1.05*nx.Item[float64](one.Inertia) {
			t.Errorf("seed %d: the inertia of ten starts is %v, of one %v", seed, ten.Inertia, one.Inertia)
		}
	}
	// Centres far from all samples get those that are farthest: no cluster stays empty.
	m, err := learn.KMeans{Clusters: 3, Centres: nx.New([][]float64{{2, 2}, {1e6, 0}, {0, 1e6}})}.Fit(x)
	if err != nil || nx.Item[float64](m.Inertia) > 200 {
		t.Errorf("empty clusters: %v, inertia %v", err, m.Inertia)
	}
}

func TestFolds(t *testing.T) {
	key := random.Key(3)
	for name, folds := range map[string][]learn.Fold{"in order": learn.KFold(10, 3, nx.Tensor{}),
		"shuffled":   learn.KFold(10, 3, key),
		"stratified": learn.StratifiedKFold(nx.New([]int{1, 1, 1, 1, 1, 1, 0, 0, 0, 0}), 3, key)} {
		var tested []int
		for _, f := range folds {
			test, train := nx.Data[int](f.Test), nx.Data[int](f.Train)
			if n := len(test); n < 3 || n > 4 || len(train)+n != 10 {
				t.Errorf("%s: a fold tests %v and trains %v", name, test, train)
			}
			tested = append(tested, test...)
		}
		slices.Sort(tested)
		if !slices.Equal(tested, []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}) {
			t.Errorf("%s: the folds test %v", name, tested)
		}
	}
	f := learn.TrainTest(10, .25, key)
	if f.Test.Size() != 3 || f.Train.Size() != 7 {
		t.Errorf("TrainTest gives %v and %v", f.Train, f.Test)
	}
}

// Neighbours are found in blocks, whose last one is filled up.
func TestManyNeighbours(t *testing.T) {
	x := random.Normal(random.Key(1), 0, 1, nx.Shape{60000, 2}, nx.F32)
	m := must(learn.NeighboursRegressor{Neighbours: 1}.Fit(x, x.At(nx.Whole, 0)))
	got := m.Predict(x.At(nx.To(200)))
	if !nx.ArrayEqual(got, x.At(nx.To(200), 0)) {
		t.Error("a sample is not its own nearest neighbour")
	}
}
