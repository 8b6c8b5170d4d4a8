package random_test

import (
	"fmt"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/random"
)

func ExampleGamma() {
	fmt.Printf("%.3f\n", random.Gamma(random.Key(1), 2, nx.Shape{3}, nx.F32))
	// Output:
	// [0.886, 0.239, 2.368]
}

func ExampleLogGamma() {
	fmt.Printf("%.3f\n", random.LogGamma(random.Key(1), 1e-3, nx.Shape{3}, nx.F32))
	// Output:
	// [-1487.865,   -40.606, -2383.804]
}

func ExampleBeta() {
	fmt.Printf("%.3f\n", random.Beta(random.Key(1), 2, 3, nx.Shape{3}, nx.F32))
	// Output:
	// [0.430, 0.560, 0.234]
}

func ExampleDirichlet() {
	fmt.Printf("%.3f\n", random.Dirichlet(random.Key(1), nx.New([]float32{1, 2, 3}), nx.Shape{}, nx.F32))
	// Output:
	// [0.057, 0.060, 0.883]
}

func ExampleChiSquare() {
	fmt.Printf("%.3f\n", random.ChiSquare(random.Key(1), 3, nx.Shape{3}, nx.F32))
	// Output:
	// [1.078, 0.186, 3.535]
}

func ExampleStudentT() {
	fmt.Printf("%.3f\n", random.StudentT(random.Key(1), 3, nx.Shape{3}, nx.F32))
	// Output:
	// [0.264, 0.071, 1.248]
}

func ExamplePoisson() {
	fmt.Printf("%d\n", random.Poisson(random.Key(1), nx.New([]float32{1, 10, 100}), nx.Shape{3}, nx.S32))
	// Output:
	// [  1,  15, 110]
}

func ExampleLaplace() {
	fmt.Printf("%.3f\n", random.Laplace(random.Key(1), nx.Shape{3}, nx.F32))
	// Output:
	// [-0.147,  0.659, -1.508]
}

func ExampleLogistic() {
	fmt.Printf("%.3f\n", random.Logistic(random.Key(1), nx.Shape{3}, nx.F32))
	// Output:
	// [ 0.276, -1.053,  2.084]
}

func ExampleCauchy() {
	fmt.Printf("%.3f\n", random.Cauchy(random.Key(1), nx.Shape{3}, nx.F32))
	// Output:
	// [ 0.219, -0.947,  2.759]
}

func ExampleTruncatedNormal() {
	fmt.Printf("%.3f\n", random.TruncatedNormal(random.Key(1), -1, 1, nx.Shape{3}, nx.F32))
	// Output:
	// [ 0.118, -0.426,  0.725]
}

func ExampleLogNormal() {
	fmt.Printf("%.3f\n", random.LogNormal(random.Key(1), 0.5, nx.Shape{3}, nx.F32))
	// Output:
	// [1.090, 0.723, 1.843]
}

func ExampleRademacher() {
	fmt.Printf("%d\n", random.Rademacher(random.Key(1), nx.Shape{5}, nx.S8))
	// Output:
	// [-1,  1,  1, -1, -1]
}

func ExampleGeometric() {
	fmt.Printf("%d\n", random.Geometric(random.Key(1), 0.2, nx.Shape{5}, nx.S32))
	// Output:
	// [1, 9, 4, 2, 3]
}
