package learn_test

import (
	"strings"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/learn"
	"github.com/go-nx/nx/nxtest"
	"github.com/go-nx/nx/random"
	"github.com/go-nx/nx/tree"
)

// A sample of weight 2 is two samples, and one of weight 0 is none; drawn centres too are those of samples with weight.
func TestWeightsAreCopies(t *testing.T) {
	x, y, labels := samples(nx.F64)
	w := nx.Cast(nx.Remainder(nx.Quotient(nx.Iota(nx.Shape{60}, nx.S32), 3), 3), nx.F64)
	var rows []int
	for i, n := range nx.Data[int](w) {
		for range n {
			rows = append(rows, i)
		}
	}
	copies := func(t nx.Tensor) nx.Tensor { return nx.Take(t, nx.New(rows), nx.Axis(0)) }
	check := func(name string, got, want any, err, err2 error) {
		t.Helper()
		if err != nil || err2 != nil {
			t.Fatal(name, err, err2)
		}
		leaves := map[string]nx.Tensor{}
		for path, x := range tree.Leaves(got) {
			leaves[path] = x
		}
		for path, x := range tree.Leaves(want) {
			if nxtest.AssertAllClose(t, leaves[path], x, nx.Tolerance(1e-7, 1e-7)); t.Failed() {
				t.Fatal(name, path)
			}
		}
	}
	linear, err := learn.LinearRegression{}.FitWeighted(x, y, w)
	linear2, err2 := learn.LinearRegression{}.Fit(copies(x), copies(y))
	check("linear", linear, linear2, err, err2)
	ridge, err := learn.Ridge{Alpha: 3}.FitWeighted(x, nx.Stack([]nx.Tensor{y, nx.Sin(y)}, nx.Axis(1)), w)
	ridge2, err2 := learn.Ridge{Alpha: 3}.Fit(copies(x), copies(nx.Stack([]nx.Tensor{y, nx.Sin(y)}, nx.Axis(1))))
	check("ridge", ridge, ridge2, err, err2)
	lasso, err := learn.Lasso{Tol: 1e-12}.FitWeighted(x, y, w)
	lasso2, err2 := learn.Lasso{Tol: 1e-12}.Fit(copies(x), copies(y))
	check("lasso", lasso.Coef, lasso2.Coef, err, err2)
	logistic, err := learn.LogisticRegression{Tol: 1e-10}.FitWeighted(x, labels, w)
	logistic2, err2 := learn.LogisticRegression{Tol: 1e-10}.Fit(copies(x), copies(labels))
	check("logistic", logistic.Coef, logistic2.Coef, err, err2)
	gaussian, err := learn.GaussianNB{}.FitWeighted(x, labels, w)
	gaussian2, err2 := learn.GaussianNB{}.Fit(copies(x), copies(labels))
	check("gaussian", gaussian, gaussian2, err, err2)
	counts := nx.Abs(nx.Round(x))
	multinomial, err := learn.MultinomialNB{}.FitWeighted(counts, labels, w)
	multinomial2, err2 := learn.MultinomialNB{}.Fit(copies(counts), copies(labels))
	check("multinomial", multinomial, multinomial2, err, err2)
	bernoulli, err := learn.BernoulliNB{}.FitWeighted(x, labels, w)
	bernoulli2, err2 := learn.BernoulliNB{}.Fit(copies(x), copies(labels))
	check("bernoulli", bernoulli, bernoulli2, err, err2)
	scaler, err := learn.StandardScaler{}.FitWeighted(x, w)
	scaler2, err2 := learn.StandardScaler{}.Fit(copies(x))
	check("scaler", scaler, scaler2, err, err2)
	first := nx.Take(x, nx.New([]int{3, 4, 5}), nx.Axis(0))
	means, err := learn.KMeans{Clusters: 3, Centres: first, Tol: 1e-12}.FitWeighted(x, w)
	means2, err2 := learn.KMeans{Clusters: 3, Centres: first, Tol: 1e-12}.Fit(copies(x))
	check("k-means", means.Centres, means2.Centres, err, err2)
	check("inertia", means.Inertia, means2.Inertia, nil, nil)
	for seed := range int64(10) {
		drawn, err := learn.KMeans{Clusters: 3, Starts: 4, Key: random.Key(seed)}.FitWeighted(x, w)
		check("drawn", drawn.Inertia, means2.Inertia, err, nil)
	}
}

// Weighted regressions of a batch of data sets.
func TestWeightsVmap(t *testing.T) {
	x, y, _ := samples(nx.F64)
	w := random.Uniform(random.Key(3), 0, 2, nx.Shape{2, 60}, nx.F64)
	type data struct{ X, Y, W nx.Tensor }
	fit := func(d data) *learn.LinearModel {
		m, err := learn.Ridge{}.FitWeighted(d.X, d.Y, d.W)
		if err != nil {
			panic(err)
		}
		return m
	}
	both := data{nx.Stack([]nx.Tensor{x, x}), nx.Stack([]nx.Tensor{y, y}), w}
	got := nx.Vmap(fit)(both)
	for i := range 2 {
		want := fit(data{x, y, w.At(i)})
		nxtest.AssertAllClose(t, got.Coef.At(i), want.Coef, nx.Tolerance(1e-10, 1e-10))
	}
}

func TestWeightsErrors(t *testing.T) {
	x, y, labels := samples(nx.F32)
	ones := nx.Ones(nx.Shape{60}, nx.F32)
	ofClass := nx.Cast(nx.Greater(labels, 0), nx.F32)
	for _, c := range []struct {
		w    nx.Tensor
		want string
	}{
		{nx.Ones(nx.Shape{59}, nx.F32), "x has 60 samples, the weights are f32[59]"},
		{nx.Ones(nx.Shape{60, 1}, nx.F32), "the weights are f32[60][1]"},
		{nx.SetAt(ones, -1, 7), "the weights have the element -1, below 0"},
		{nx.SetAt(ones, nx.Div(nx.Zeros(nx.Shape{}, nx.F32), 0), 7), "a weight is NaN at row 7"},
		{nx.ZerosLike(ones), "all weights are 0"},
	} {
		errs := map[string]error{}
		_, errs["linear"] = learn.LinearRegression{}.FitWeighted(x, y, c.w)
		_, errs["ridge"] = learn.Ridge{}.FitWeighted(x, y, c.w)
		_, errs["lasso"] = learn.Lasso{}.FitWeighted(x, y, c.w)
		_, errs["logistic"] = learn.LogisticRegression{}.FitWeighted(x, labels, c.w)
		_, errs["k-means"] = learn.KMeans{}.FitWeighted(x, c.w)
		_, errs["gaussian"] = learn.GaussianNB{}.FitWeighted(x, labels, c.w)
		_, errs["bernoulli"] = learn.BernoulliNB{}.FitWeighted(x, labels, c.w)
		_, errs["multinomial"] = learn.MultinomialNB{}.FitWeighted(nx.Abs(x), labels, c.w)
		_, errs["scaler"] = learn.StandardScaler{}.FitWeighted(x, c.w)
		for name, err := range errs {
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: got %v, want %q", name, err, c.want)
			}
		}
	}
	if _, err := (learn.GaussianNB{}).FitWeighted(x, labels, ofClass); err == nil ||
		!strings.Contains(err.Error(), "all weights of the class 0 are 0") {
		t.Error(err)
	}
}
