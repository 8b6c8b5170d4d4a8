package learn_test

import (
	"errors"
	"flag"
	"fmt"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/learn"
)

var python = flag.String("python", "", "a Python with scikit-learn, as .ci/long learn makes")

// The file testdata/expected.safetensors is what scikit-learn 1.9.1 gave, by
//
//	python testdata/sklearn.py 1 1 testdata/expected.safetensors wide "two samples" …
func TestScikitLearn(t *testing.T) { compareFile(t, "testdata/expected.safetensors") }

// TestAgainstScikitLearn runs scikit-learn on all data sets, of two seeds and two sizes.
func TestAgainstScikitLearn(t *testing.T) {
	if *python == "" {
		t.Skip("-python names no Python")
	}
	for _, seedAndSize := range [][2]string{{"1", "1"}, {"2", "1"}, {"3", "10"}} {
		file := filepath.Join(t.TempDir(), "expected.safetensors")
		cmd := exec.Command(*python, "testdata/sklearn.py", seedAndSize[0], seedAndSize[1], file)
		cmd.Stderr = os.Stderr
		if err := cmd.Run(); err != nil {
			t.Fatal(err)
		}
		compareFile(t, file)
	}
}

// tensors are data, or results, by name.
type tensors map[string]nx.Tensor

// compareFile fits the estimators to the data sets of a file in both types, and compares what they give.
func compareFile(t *testing.T, file string) {
	all := tensors{}
	if err := nx.LoadTensors(file, (*map[string]nx.Tensor)(&all)); err != nil {
		t.Fatal(err)
	}
	sets := map[string]map[string]tensors{} // by set and estimator, whose name is "" for the data
	for name, x := range all {
		parts := strings.Split(name, "/")
		set, estimator := parts[0], strings.Join(parts[1:len(parts)-1], "/")
		if sets[set] == nil {
			sets[set] = map[string]tensors{}
		}
		if sets[set][estimator] == nil {
			sets[set][estimator] = tensors{}
		}
		sets[set][estimator][parts[len(parts)-1]] = x
	}
	compared := 0
	for _, set := range slices.Sorted(maps.Keys(sets)) {
		for _, d := range []nx.DType{nx.F64, nx.F32} {
			if d == nx.F32 && illConditioned[set] {
				continue
			}
			data := tensors{}
			for name, x := range sets[set][""] {
				data[name] = x
				if x.DType() == nx.F64 {
					data[name] = nx.Cast(x, d)
				}
			}
			for _, estimator := range slices.Sorted(maps.Keys(sets[set])) {
				if estimator == "" || tied[set] && needDistinct(estimator) ||
					d == nx.F32 && set == "near clusters" && strings.HasPrefix(estimator, "mixture") {
					continue
				}
				f := estimators[estimator]
				if f == nil {
					t.Errorf("there is no estimator %q", estimator)
					continue
				}
				got, err := f(data)
				compare(t, fmt.Sprintf("%s, %s, %v", set, estimator, d), estimator, d, got, err, sets[set][estimator])
				compared++
			}
		}
	}
	t.Logf("%d fits of %d data sets", compared, len(sets))
}

// needDistinct says whether equal distances may be decided either way, and then give other results.
func needDistinct(estimator string) bool {
	return estimator == "neighbours" || strings.HasPrefix(estimator, "k-means")
}

// slowlyFound says whether coordinates are descended slowly, as a column is another one, or a constant, but for a
// thousandth or less, or much larger than others.
func slowlyFound(name string) bool {
	return strings.HasPrefix(name, "far from zero") || strings.HasPrefix(name, "nearly equal columns") ||
		strings.HasPrefix(name, "scales 1e-6 to 1e6")
}

// illConditioned are data that f32 does not tell apart; tied ones have samples at the same distance from others.
var (
	illConditioned = map[string]bool{"scales 1e-6 to 1e6": true, "far from zero": true, "nearly equal columns": true,
		"constant column of a large number": true, "outlier": true}
	tied = map[string]bool{"counts": true, "binary": true, "equal rows": true, "constant columns": true}
)

// strict are our errors of data that scikit-learn fits, with a warning or with NaN as result.
var strict = []string{"single class", "columns of x are constant", "clusters have samples",
	"column of x is constant in"}

func compare(t *testing.T, name, estimator string, d nx.DType, got tensors, err error, want tensors) {
	t.Helper()
	if _, theirs := want["error"]; theirs {
		if err == nil {
			t.Errorf("%s: scikit-learn has an error, we have none", name)
		}
		return
	}
	tolerance := 1e-6
	if d == nx.F32 {
		tolerance = 5e-3
	}
	if err != nil {
		switch {
		case d == nx.F32 && errors.Is(err, learn.ErrNotConverged):
			// The smallest duality gap and gradient of f32 may be larger than the tolerance, which is for f64.
		case slowlyFound(name) && strings.HasPrefix(estimator, "lasso") && errors.Is(err, learn.ErrNotConverged):
			return // scikit-learn took more than these steps
		default:
			if !slices.ContainsFunc(strict, func(s string) bool { return strings.Contains(err.Error(), s) }) {
				t.Errorf("%s: %v", name, err)
			}
			return
		}
	}
	if loss, compared := got["loss"]; compared && d == nx.F64 {
		// Newton's method of scikit-learn may stop short of the optimum where columns have other magnitudes.
		ours, theirs := nx.Item[float64](loss), nx.Item[float64](want["loss"])
		if ours < theirs-1e-8 {
			t.Logf("%s: the loss is less than that of scikit-learn by %g", name, theirs-ours)
			return
		}
	}
	for _, key := range slices.Sorted(maps.Keys(got)) {
		w, known := want[key]
		if !known {
			t.Errorf("%s: nothing is recorded for %q", name, key)
			continue
		}
		coefficients := key == "coef" || key == "intercept"
		if d == nx.F32 && (coefficients || key == "components" || key == "steps") {
			continue // the predictions are compared
		}
		if coefficients && strings.HasPrefix(estimator, "logistic") && strings.Contains(name, "of a large number") {
			continue // Newton's method of scikit-learn leaves the constant column a part of the intercept
		}
		g, v := nx.Data[float64](got[key]), nx.Data[float64](w)
		if len(g) != len(v) {
			t.Errorf("%s: %s is %v, not %v", name, key, got[key].Shape(), w.Shape())
			continue
		}
		size := 0.
		if strings.HasPrefix(key, "score") {
			size = 1
		}
		for _, x := range v {
			if !math.IsInf(x, 0) {
				size = max(size, math.Abs(x))
			}
		}
		for i := range g {
			if !(math.Abs(g[i]-v[i]) <= tolerance*(size+1e-3) || g[i] == v[i] || math.IsNaN(v[i])) {
				t.Errorf("%s: %s[%d] is %v, not %v", name, key, i, g[i], v[i])
				break
			}
		}
	}
}

// estimator fits and predicts.
type estimator func(tensors) (tensors, error)

// regress returns the estimator of a regression.
func regress[M any](fit func(x, y nx.Tensor) (M, error), results func(m M) *learn.LinearModel) estimator {
	return func(d tensors) (tensors, error) {
		m, err := fit(d["x"], d["y"])
		if err != nil && !errors.Is(err, learn.ErrNotConverged) {
			return nil, err
		}
		l := results(m)
		out := tensors{"coef": l.Coef, "intercept": l.Intercept, "predict": l.Predict(d["points"])}
		if nx.Item[float64](nx.Var(d["y"])) > 0 { // else both are 1 or 0 by rounding
			out["score"] = l.Score(d["x"], d["y"])
		}
		return out, err
	}
}

func plain(m *learn.LinearModel) *learn.LinearModel { return m }

// weighed fixes the weights of a function that fits.
func weighed[M any](fit func(x, y, w nx.Tensor) (M, error), w nx.Tensor) func(x, y nx.Tensor) (M, error) {
	return func(x, y nx.Tensor) (M, error) { return fit(x, y, w) }
}

// weighedRegression and weighedClassifier are estimators by the weights of the data.
func weighedRegression(fit func(x, y, w nx.Tensor) (*learn.LinearModel, error)) estimator {
	return func(d tensors) (tensors, error) { return regress(weighed(fit, d["weights"]), plain)(d) }
}

func weighedClassifier[M classifier](fit func(x, y, w nx.Tensor) (M, error),
	at func(x nx.Tensor) nx.Tensor) estimator {
	return func(d tensors) (tensors, error) { return classify(weighed(fit, d["weights"]), at)(d) }
}

func lasso(o learn.Lasso, weights ...string) estimator {
	return func(d tensors) (tensors, error) {
		o := o
		o.Tol, o.Steps = 1e-12, 60000
		if d["x"].DType() == nx.F32 {
			o.Tol, o.Steps = 1e-6, 1000
		}
		fit := o.Fit
		for _, name := range weights {
			fit = weighed(o.FitWeighted, d[name])
		}
		return regress(fit, func(m *learn.LassoModel) *learn.LinearModel { return &m.LinearModel })(d)
	}
}

// classifier is a model with probabilities.
type classifier interface {
	learn.Scorer
	Predict(x nx.Tensor) nx.Tensor
	Probabilities(x nx.Tensor) nx.Tensor
}

func classify[M classifier](fit func(x, y nx.Tensor) (M, error), at func(x nx.Tensor) nx.Tensor) estimator {
	return func(d tensors) (tensors, error) {
		m, err := fit(d["x"], d["labels"])
		if err != nil && !errors.Is(err, learn.ErrNotConverged) {
			return nil, err
		}
		points := d["points"]
		if at != nil {
			points = at(points)
		}
		return tensors{"predict": m.Predict(points), "probabilities": m.Probabilities(points),
			"score": m.Score(d["x"], d["labels"])}, err
	}
}

func logistic(o learn.LogisticRegression, weights ...string) estimator {
	return func(d tensors) (tensors, error) {
		o := o
		o.Tol, o.Steps = 1e-11, 5000
		if d["x"].DType() == nx.F32 {
			o.Tol, o.Steps = 1e-5, 200
		}
		w := nx.Ones(d["y"].Shape(), d["x"].DType())
		fit := o.Fit
		for _, name := range weights {
			w = d[name]
			fit = weighed(o.FitWeighted, w)
		}
		m, err := fit(d["x"], d["labels"])
		if err != nil && !errors.Is(err, learn.ErrNotConverged) {
			return nil, err
		}
		out, _ := classify(func(_, _ nx.Tensor) (*learn.LogisticModel, error) { return m, nil }, nil)(d)
		out["coef"], out["intercept"] = m.Coef, m.Intercept
		c := o.C
		if c == 0 {
			c = 1
		}
		each := nx.TakeAlong(m.LogProbabilities(d["x"]), nx.ExpandAxis(nx.SearchSorted(m.Classes, d["labels"]),
			nx.Axis(1)), nx.Axis(1))
		n := nx.Sum(w)
		out["loss"] = nx.Div(nx.Sub(nx.Div(nx.Sum(nx.Square(m.Coef)), 2*c), nx.Dot(w, nx.Squeeze(each, nx.Axis(1)))), n)
		return out, err
	}
}

func kmeans(k int, weights ...string) estimator {
	return func(d tensors) (tensors, error) {
		if d["x"].Shape()[0] < k {
			_, err := learn.KMeans{Clusters: k}.Fit(d["x"])
			return nil, err
		}
		w := nx.Tensor{}
		for _, name := range weights {
			w = d[name]
		}
		m, err := learn.KMeans{Clusters: k, Centres: d["x"].At(nx.To(k)), Tol: 1e-12}.FitWeighted(d["x"], w)
		if err != nil {
			return nil, err
		}
		return tensors{"centres": m.Centres, "labels": m.Labels, "inertia": m.Inertia, "steps": m.Steps}, nil
	}
}

func pca(o learn.PCA) estimator {
	return func(d tensors) (tensors, error) {
		m, err := o.Fit(d["x"])
		if err != nil {
			return nil, err
		}
		z := m.Transform(d["points"])
		out := tensors{"mean": m.Mean, "variance": m.Variance, "singular": m.Singular, "ratio": m.Ratio,
			"noise": m.Noise}
		// Directions of singular values that are 0 or equal are any.
		s := nx.Data[float64](m.Singular)
		distinct := s[len(s)-1] > 1e-6*s[0]
		for i := range s[1:] {
			distinct = distinct && s[i]-s[i+1] > 1e-3*s[0]
		}
		if distinct {
			out["components"], out["transform"], out["inverse"] = m.Components, z, m.Inverse(z)
		}
		return out, nil
	}
}

func scaler(weights ...string) estimator {
	return func(d tensors) (tensors, error) {
		w := nx.Tensor{}
		for _, name := range weights {
			w = d[name]
		}
		m, err := learn.StandardScaler{}.FitWeighted(d["x"], w)
		if err != nil {
			return nil, err
		}
		return tensors{"mean": m.Mean, "var": m.Var, "scale": m.Scale, "transform": m.Transform(d["points"])}, nil
	}
}

func parts(n int, folds []learn.Fold) tensors {
	part := make([]int, n)
	for i, f := range folds {
		for _, r := range nx.Data[int](f.Test) {
			part[r] = i
		}
	}
	return tensors{"parts": nx.New(part)}
}

func mixture(diagonal bool) estimator {
	return func(d tensors) (tensors, error) {
		k := 3
		if slices.Max(nx.Data[int](d["labels"])) == 1 {
			k = 1
		}
		m, err := learn.GaussianMixture{Components: k, Diagonal: diagonal, Tol: 1e-10, Steps: 10000}.Fit(d["x"])
		if err != nil && !errors.Is(err, learn.ErrNotConverged) {
			return nil, err
		}
		order := nx.ArgSort(m.Means.At(nx.Whole, 0))
		return tensors{"weights": nx.Take(m.Weights, order), "means": nx.Take(m.Means, order),
			"covariances": nx.Take(m.Covariances, order), "density": m.LogDensity(d["points"])}, err
	}
}

var estimators = map[string]estimator{
	"linear":                   regress(learn.LinearRegression{}.Fit, plain),
	"linear without intercept": regress(learn.LinearRegression{NoIntercept: true}.Fit, plain),
	"ridge":                    regress(learn.Ridge{}.Fit, plain),
	"ridge without intercept":  regress(learn.Ridge{NoIntercept: true}.Fit, plain),
	"ridge of two targets": func(d tensors) (tensors, error) {
		y := nx.Stack([]nx.Tensor{d["y"], d["x"].At(nx.Whole, 0)}, nx.Axis(1))
		out, err := regress(learn.Ridge{Alpha: .1}.Fit, plain)(tensors{"x": d["x"], "y": y, "points": d["points"]})
		if nx.Item[float64](nx.Min(nx.Var(y, nx.Axis(0)))) == 0 {
			delete(out, "score")
		}
		return out, err
	},
	"lasso":                            lasso(learn.Lasso{Alpha: .1}),
	"lasso without intercept":          lasso(learn.Lasso{NoIntercept: true}),
	"logistic":                         logistic(learn.LogisticRegression{}),
	"logistic of large C":              logistic(learn.LogisticRegression{C: 100}),
	"logistic without intercept":       logistic(learn.LogisticRegression{NoIntercept: true}),
	"k-means of 2":                     kmeans(2),
	"k-means of 3":                     kmeans(3),
	"pca":                              pca(learn.PCA{}),
	"pca of 2, whitened":               pca(learn.PCA{Components: 2, Whiten: true}),
	"pca of 0.8":                       pca(learn.PCA{Share: .8}),
	"gaussian":                         classify(learn.GaussianNB{}.Fit, nil),
	"multinomial":                      classify(learn.MultinomialNB{}.Fit, nx.Abs),
	"bernoulli":                        classify(learn.BernoulliNB{}.Fit, nil),
	"mixture full":                     mixture(false),
	"mixture diag":                     mixture(true),
	"weighted linear":                  weighedRegression(learn.LinearRegression{}.FitWeighted),
	"weighted ridge":                   weighedRegression(learn.Ridge{}.FitWeighted),
	"weighted ridge without intercept": weighedRegression(learn.Ridge{NoIntercept: true}.FitWeighted),
	"lasso, weighted":                  lasso(learn.Lasso{Alpha: .1}, "weights"),
	"logistic, weighted":               logistic(learn.LogisticRegression{}, "weights"),
	"k-means of 3, weighted":           kmeans(3, "weights"),
	"weighted gaussian":                weighedClassifier(learn.GaussianNB{}.FitWeighted, nil),
	"weighted multinomial":             weighedClassifier(learn.MultinomialNB{}.FitWeighted, nx.Abs),
	"weighted bernoulli":               weighedClassifier(learn.BernoulliNB{}.FitWeighted, nil),
	"weighted scaler":                  scaler("weights"),
	"scaler":                           scaler(),
	"neighbours": func(d tensors) (tensors, error) {
		m, err := learn.NeighboursClassifier{Neighbours: 3}.Fit(d["x"], d["labels"])
		if err != nil {
			return nil, err
		}
		weighed, _ := learn.NeighboursClassifier{Neighbours: 3, ByDistance: true}.Fit(d["x"], d["labels"])
		regress, _ := learn.NeighboursRegressor{Neighbours: 3}.Fit(d["x"], d["y"])
		regressWeighed, _ := learn.NeighboursRegressor{Neighbours: 3, ByDistance: true}.Fit(d["x"], d["y"])
		distances, _ := m.Nearest(d["points"])
		return tensors{"distances": distances, "predict": m.Predict(d["points"]),
			"probabilities": m.Probabilities(d["points"]), "weighed": weighed.Probabilities(d["points"]),
			"regress": regress.Predict(d["points"]), "regress_weighed": regressWeighed.Predict(d["points"])}, nil
	},
	"folds": func(d tensors) (out tensors, err error) {
		defer nx.Catch(&err)
		n := d["x"].Shape()[0]
		return parts(n, learn.KFold(n, 3, nx.Tensor{})), nil
	},
	"stratified folds": func(d tensors) (out tensors, err error) {
		defer nx.Catch(&err)
		return parts(d["x"].Shape()[0], learn.StratifiedKFold(d["labels"], 3, nx.Tensor{})), nil
	},
	"cross-validation": func(d tensors) (tensors, error) {
		folds := learn.KFold(d["x"].Shape()[0], 3, nx.Tensor{})
		scores, err := learn.CrossScore(learn.Ridge{}.Fit, d["x"], d["y"], folds)
		return tensors{"scores": scores}, err
	},
}
