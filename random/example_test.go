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

func ExampleKey() {
	key := random.Key(42) // the same numbers for the same seed, everywhere
	fmt.Println(key)
	// Output:
	// u32[2]
	// [ 0, 42]
}

func ExampleSplit() {
	keys := random.Split(random.Key(42), 2) // a key is used once
	weights := random.Normal(keys.At(0), 0, 1, nx.Shape{2}, nx.F32)
	noise := random.Normal(keys.At(1), 0, 1, nx.Shape{2}, nx.F32)
	fmt.Printf("%.3f %.3f\n", weights, noise)
	// Output:
	// [ 0.649, -0.673] [ 1.706, -0.245]
}

func ExampleBits() {
	fmt.Println(nx.Data[uint32](random.Bits(random.Key(1), nx.Shape{3})))
	// Output:
	// [2441914641 1110694964 3819641963]
}

func ExampleUniform() {
	fmt.Printf("%.3f\n", random.Uniform(random.Key(1), -1, 1, nx.Shape{3}, nx.F32))
	// Output:
	// [ 0.137, -0.483,  0.779]
}

func ExampleNormal() {
	fmt.Printf("%.3f\n", random.Normal(random.Key(1), 10, 2, nx.Shape{3}, nx.F32))
	// Output:
	// [10.345,  8.705, 12.446]
}

func ExamplePareto() {
	fmt.Printf("%.3f\n", random.Pareto(random.Key(1), 3, nx.Shape{3}, nx.F32))
	// Output:
	// [1.323, 1.105, 2.083]
}

func ExampleRayleigh() {
	fmt.Printf("%.3f\n", random.Rayleigh(random.Key(1), 2, nx.Shape{3}, nx.F32))
	// Output:
	// [2.125, 3.289, 0.969]
}

func ExampleTriangular() {
	fmt.Printf("%.3f\n", random.Triangular(random.Key(1), 0, 1, 4, nx.Shape{3}, nx.F32))
	// Output:
	// [1.725, 1.017, 2.848]
}

func ExampleWeibullMin() {
	fmt.Printf("%.3f\n", random.WeibullMin(random.Key(1), 2, 1.5, nx.Shape{3}, nx.F32))
	// Output:
	// [1.781, 0.895, 3.384]
}

func ExampleMaxwell() {
	fmt.Printf("%.3f\n", random.Maxwell(random.Key(1), nx.Shape{3}, nx.F32))
	// Output:
	// [1.432, 1.310, 1.974]
}

func ExampleDoubleSidedMaxwell() {
	fmt.Printf("%.3f\n", random.DoubleSidedMaxwell(random.Key(1), 0, 2, nx.Shape{3}, nx.F32))
	// Output:
	// [-2.093, -3.862, -3.136]
}

func ExampleWald() {
	fmt.Printf("%.3f\n", random.Wald(random.Key(1), 3, nx.Shape{3}, nx.F32))
	// Output:
	// [5.252, 3.458, 0.449]
}

func ExampleGeneralizedNormal() {
	fmt.Printf("%.3f\n", random.GeneralizedNormal(random.Key(1), 1.5, nx.Shape{3}, nx.F32))
	// Output:
	// [-1.005, -0.030, -0.332]
}

func ExampleBall() {
	fmt.Printf("%.3f\n", random.Ball(random.Key(1), 3, 2, nx.Shape{}, nx.F32))
	// Output:
	// [-0.734,  0.616,  0.052]
}

func ExampleOrthogonal() {
	q := random.Orthogonal(random.Key(1), 3, 2, nx.Shape{}, nx.F32)
	product := nx.Dot(nx.Transpose(q), q)
	fmt.Println(nx.Item[bool](nx.AllClose(product, nx.Eye(nx.Shape{2, 2}, nx.F32), nx.Tolerance(1e-6, 1e-6))))
	// Output:
	// true
}

func ExampleFisherF() {
	fmt.Printf("%.3f\n", random.FisherF(random.Key(1), 3, 8, nx.Shape{3}, nx.F32))
	// Output:
	// [1.062, 0.670, 1.593]
}

func ExampleBinomial() {
	fmt.Println(nx.Data[int32](random.Binomial(random.Key(1), 100, 0.25, nx.Shape{5}, nx.S32)))
	// Output:
	// [23 27 24 29 21]
}

func ExampleMultinomial() {
	dice := nx.Full(nx.Shape{6}, 1.0/6, nx.F32)
	fmt.Println(nx.Data[int32](random.Multinomial(random.Key(1), 60, dice, nx.Shape{}, nx.S32)))
	// Output:
	// [10 14 6 6 13 11]
}
