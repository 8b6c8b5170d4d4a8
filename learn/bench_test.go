package learn_test

import (
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/learn"
	"github.com/go-nx/nx/random"
)

// BenchmarkFit fits 20000 samples of 50 features in f32; Neighbours predicts 2000 of them.
func BenchmarkFit(b *testing.B) {
	x := random.Normal(random.Key(1), 0, 1, nx.Shape{20000, 50}, nx.F32)
	w := random.Normal(random.Key(2), 0, 1, nx.Shape{50}, nx.F32)
	y := nx.Add(nx.Dot(x, w), random.Normal(random.Key(3), 0, 1, nx.Shape{20000}, nx.F32))
	labels := nx.SearchSorted(nx.New([]float32{-5, 5}), y)
	near := must(learn.NeighboursClassifier{}.Fit(x, labels))
	predict := nx.Jit((*learn.NeighboursClassifierModel).Predict)
	for _, c := range []struct {
		name string
		fit  func() nx.Tensor
	}{
		{"Linear", func() nx.Tensor { return must(learn.LinearRegression{}.Fit(x, y)).Coef }},
		{"Ridge", func() nx.Tensor { return must(learn.Ridge{}.Fit(x, y)).Coef }},
		{"Lasso", func() nx.Tensor { return must(learn.Lasso{Alpha: .1}.Fit(x, y)).Coef }},
		{"Logistic", func() nx.Tensor { return must(learn.LogisticRegression{}.Fit(x, labels)).Coef }},
		{"KMeans", func() nx.Tensor { return must(learn.KMeans{}.Fit(x)).Centres }},
		{"PCA", func() nx.Tensor { return must(learn.PCA{Components: 10}.Fit(x)).Components }},
		{"Neighbours", func() nx.Tensor { return predict(near, x.At(nx.To(2000))) }},
		{"GaussianNB", func() nx.Tensor { return must(learn.GaussianNB{}.Fit(x, labels)).Mean }},
		{"Mixture", func() nx.Tensor {
			m, _ := learn.GaussianMixture{Components: 3, Steps: 20}.Fit(x)
			return m.Means
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				nx.Data[float32](c.fit())
			}
		})
	}
}
