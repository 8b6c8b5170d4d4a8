package learn_test

import (
	"errors"
	"fmt"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/learn"
	"github.com/go-nx/nx/random"
)

// Heights and weights, and a target that is a function of them.
var (
	people = nx.New([][]float64{{1.6, 55}, {1.7, 68}, {1.8, 70}, {1.9, 95}, {1.75, 82}, {1.65, 60}})
	time   = nx.New([]float64{11.2, 12.3, 12.2, 14.4, 13.6, 11.6})
	sport  = nx.New([]int{0, 1, 1, 2, 2, 0})
)

func ExampleLinearRegression() {
	m, err := learn.LinearRegression{}.Fit(people, time)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("coefficients %.3f, intercept %.3f\n", nx.Data[float64](m.Coef), nx.Item[float64](m.Intercept))
	fmt.Printf("R² %.4f\n", nx.Item[float64](m.Score(people, time)))
	// Output:
	// coefficients [-3.027 0.103], intercept 10.434
	// R² 0.9992
}

func ExampleRidge() {
	m, err := learn.Ridge{Alpha: .1}.Fit(people, time)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.2f\n", nx.Data[float64](m.Predict(nx.New([][]float64{{1.7, 60}, {1.8, 90}}))))
	// Output:
	// [11.58 14.08]
}

// The penalty leaves out columns that say nothing.
func ExampleLasso() {
	x := random.Normal(random.Key(1), 0, 1, nx.Shape{50, 4}, nx.F64)
	y := nx.Sub(nx.Mul(3, x.At(nx.Whole, 0)), x.At(nx.Whole, 2))
	m, err := learn.Lasso{Alpha: .1}.Fit(x, y)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.2f\n", nx.Data[float64](m.Coef))
	// Output:
	// [2.92 0.00 -0.90 0.00]
}

func ExampleLogisticRegression() {
	scaler, err := learn.StandardScaler{}.Fit(people)
	if err != nil {
		fmt.Println(err)
		return
	}
	m, err := learn.LogisticRegression{C: 10}.Fit(scaler.Transform(people), sport)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.2f\n", m.Probabilities(scaler.Transform(nx.New([][]float64{{1.7, 60}}))))
	fmt.Println(nx.Data[int](m.Predict(scaler.Transform(people))))
	// Output:
	// [
	//   [0.42, 0.56, 0.01]
	// ]
	// [0 1 1 2 2 0]
}

// A search that ends early returns its model with an error, which may be ignored.
func Example_notConverged() {
	m, err := learn.LogisticRegression{Steps: 3}.Fit(people, sport)
	fmt.Println(errors.Is(err, learn.ErrNotConverged), nx.Data[int](m.Predict(people)))
	// Output:
	// true [0 1 1 2 2 0]
}

// The error of data that cannot be fitted says where.
func Example_errors() {
	_, err := learn.LogisticRegression{}.Fit(people, nx.Full(nx.Shape{6}, 3, nx.S32))
	var misuse *nx.Error
	if errors.As(err, &misuse) {
		fmt.Println(misuse.Op, "says", misuse.Detail)
	}
	// Output:
	// LogisticRegression.Fit says y has the single class 3
}

func ExampleKMeans() {
	x := nx.New([]float32{1, 1.2, .9, 8, 8.3, 7.9})
	m, err := learn.KMeans{Clusters: 2, Key: random.Key(1)}.Fit(nx.Reshape(x, 6, 1))
	if err != nil {
		fmt.Println(err)
		return
	}
	centres := nx.Sort(nx.Flatten(m.Centres))
	fmt.Printf("centres %.3f, inertia %.3f\n", nx.Data[float32](centres), nx.Item[float32](m.Inertia))
	// Output:
	// centres [1.033 8.067], inertia 0.133
}

func ExampleGaussianMixture() {
	labels := nx.Remainder(nx.Iota(nx.Shape{400}, nx.S32), 4)
	wide := nx.Cast(nx.Equal(labels, 0), nx.F64) // a quarter is around 10, with the deviation 3
	noise := random.Normal(random.Key(1), 0, 1, nx.Shape{400}, nx.F64)
	x := nx.Add(nx.Mul(10, wide), nx.Mul(nx.Add(1, nx.Mul(2, wide)), noise))
	m, err := learn.GaussianMixture{Components: 2}.Fit(nx.Reshape(x, 400, 1))
	if err != nil {
		fmt.Println(err)
		return
	}
	order := nx.ArgSort(nx.Flatten(m.Means))
	fmt.Printf("weights %.2f\n", nx.Data[float64](nx.Take(m.Weights, order)))
	fmt.Printf("means %.1f\n", nx.Data[float64](nx.Take(m.Means, order)))
	fmt.Printf("deviations %.1f\n", nx.Data[float64](nx.Sqrt(nx.Take(m.Covariances, order))))
	// Output:
	// weights [0.75 0.25]
	// means [0.0 9.8]
	// deviations [1.1 3.3]
}

func ExamplePCA() {
	m, err := learn.PCA{Components: 1}.Fit(people)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("direction %.3f, share %.4f\n", nx.Data[float64](m.Components), nx.Data[float64](m.Ratio))
	z := m.Transform(people)
	fmt.Printf("%.1f\n", nx.Data[float64](z))
	fmt.Printf("%.2f\n", nx.Data[float64](m.Inverse(z).At(0)))
	// Output:
	// direction [0.007 1.000], share [1.0000]
	// [-16.7 -3.7 -1.7 23.3 10.3 -11.7]
	// [1.62 55.00]
}

func ExampleNeighboursClassifier() {
	m, err := learn.NeighboursClassifier{Neighbours: 3}.Fit(people, sport)
	if err != nil {
		fmt.Println(err)
		return
	}
	at := nx.New([][]float64{{1.7, 64}})
	distances, rows := m.Nearest(at)
	fmt.Printf("class %d of rows %d at %.2f\n", nx.Data[int](m.Predict(at)), nx.Data[int](rows),
		nx.Data[float64](distances))
	// Output:
	// class [1] of rows [1 5 2] at [4.00 4.00 6.00]
}

func ExampleNeighboursRegressor() {
	m, err := learn.NeighboursRegressor{Neighbours: 2, ByDistance: true}.Fit(people, time)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.2f\n", nx.Data[float64](m.Predict(nx.New([][]float64{{1.7, 64}, {1.8, 70}}))))
	// Output:
	// [11.95 12.20]
}

func ExampleGaussianNB() {
	m, err := learn.GaussianNB{}.Fit(people, sport)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.3f\n", nx.Data[float64](m.Probabilities(nx.New([][]float64{{1.75, 72}}))))
	// Output:
	// [0.000 0.817 0.183]
}

// Words of four messages are counted: "cheap", "meeting", "now".
var (
	words = nx.New([][]float32{{2, 0, 1}, {1, 0, 2}, {0, 2, 0}, {0, 1, 1}})
	spam  = nx.New([]bool{true, true, false, false})
)

func ExampleMultinomialNB() {
	m, err := learn.MultinomialNB{}.Fit(words, spam)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.3f\n", nx.Data[float32](m.Probabilities(nx.New([][]float32{{1, 0, 1}, {0, 1, 2}}))))
	// Output:
	// [0.171 0.829 0.680 0.320]
}

func ExampleBernoulliNB() {
	m, err := learn.BernoulliNB{}.Fit(words, spam)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(nx.Data[bool](m.Predict(nx.New([][]float32{{1, 0, 1}, {0, 1, 2}}))))
	// Output:
	// [true false]
}

func ExampleStandardScaler() {
	m, err := learn.StandardScaler{}.Fit(people)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("mean %.2f, scale %.2f\n", nx.Data[float64](m.Mean), nx.Data[float64](m.Scale))
	fmt.Printf("%.2f\n", nx.Data[float64](m.Transform(people).At(0)))
	// Output:
	// mean [1.73 71.67], scale [0.10 13.42]
	// [-1.35 -1.24]
}

func ExampleTrainTest() {
	f := learn.TrainTest(6, .3, random.Key(1))
	xTrain, xTest := f.Split(people)
	yTrain, yTest := f.Split(time)
	fmt.Println(xTrain.Shape(), xTest.Shape(), yTrain.Shape(), yTest.Shape())
	// Output:
	// [4][2] [2][2] [4] [2]
}

func ExampleKFold() {
	for _, f := range learn.KFold(5, 2, nx.Tensor{}) {
		fmt.Println("train", nx.Data[int](f.Train), "test", nx.Data[int](f.Test))
	}
	// Output:
	// train [3 4] test [0 1 2]
	// train [0 1 2] test [3 4]
}

func ExampleStratifiedKFold() {
	for _, f := range learn.StratifiedKFold(sport, 2, random.Key(1)) {
		_, test := f.Split(sport)
		fmt.Println(nx.Data[int](test))
	}
	// Output:
	// [0 1 2]
	// [1 2 0]
}

func ExampleCrossScore() {
	x := random.Normal(random.Key(1), 0, 1, nx.Shape{60, 3}, nx.F64)
	noise := random.Normal(random.Key(2), 0, .5, nx.Shape{60}, nx.F64)
	y := nx.Add(nx.Sum(x, nx.Axis(1)), noise)
	for _, alpha := range []float64{.1, 10, 1000} {
		scores, err := learn.CrossScore(learn.Ridge{Alpha: alpha}.Fit, x, y, learn.KFold(60, 5, random.Key(3)))
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("alpha %v: R² %.2f\n", alpha, nx.Item[float64](nx.Mean(scores)))
	}
	// Output:
	// alpha 0.1: R² 0.91
	// alpha 10: R² 0.90
	// alpha 1000: R² 0.06
}

// scaled is a model of scaled samples.
type scaled struct {
	scaler *learn.ScalerModel
	model  *learn.LogisticModel
}

func (s scaled) Score(x, y nx.Tensor) nx.Tensor { return s.model.Score(s.scaler.Transform(x), y) }

// A pipeline is a function that fits, and a type that scores: the scale is that of the training samples of each fold.
func ExampleCrossScore_pipeline() {
	fit := func(x, y nx.Tensor) (scaled, error) {
		scaler, err := learn.StandardScaler{}.Fit(x)
		if err != nil {
			return scaled{}, err
		}
		m, err := learn.LogisticRegression{}.Fit(scaler.Transform(x), y)
		return scaled{scaler, m}, err
	}
	scores, err := learn.CrossScore(fit, people, sport, learn.StratifiedKFold(sport, 2, nx.Tensor{}))
	fmt.Println(nx.Data[float32](scores), err)
	// Output:
	// [0.6666667 1] <nil>
}

// A sample of weight 2 counts as two, and one of weight 0 as none.
func ExampleLinearRegression_FitWeighted() {
	x := nx.New([][]float32{{0}, {1}, {2}, {3}})
	y := nx.New([]float32{1, 3, 5, 100})
	m, err := learn.LinearRegression{}.FitWeighted(x, y, nx.New([]float32{1, 2, 1, 0}))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.2f %.2f\n", nx.Data[float32](m.Coef), nx.Item[float32](m.Intercept))
	// Output: [2.00] 1.00
}
