// Command gaussianprocess fits a Gaussian process to simulated measurements by Newton's method on the
// likelihood, whose Hessian also yields the uncertainty of each parameter, and draws the prediction of the
// process, with its uncertainty.
//
//	go run ./examples/gaussianprocess
package main

import (
	"flag"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/examples/internal/svg"
	"github.com/go-nx/nx/linalg"
	"github.com/go-nx/nx/random"
)

func main() {
	dir := flag.String("out", ".", "folder for gaussianprocess.svg")
	seed := flag.Uint64("seed", 1, "seed of the simulation")
	flag.Parse()
	if _, err := run(*dir, *seed, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "gaussianprocess:", err)
		os.Exit(1)
	}
}

const measured = 80

// The parameters, all as logarithms: the length over which the function changes, how far
// it goes from 0, and the noise of a measurement.
var (
	names      = []string{"length scale", "amplitude", "noise"}
	trueParams = []float64{math.Log(0.7), math.Log(1.3), math.Log(0.15)}
)

// kernel is the covariance of the function between x and y, which decays as a Gaussian.
func kernel(p, x, y nx.Tensor) nx.Tensor {
	d := nx.Div(nx.Sub(nx.ExpandAxis(x, nx.Axis(1)), nx.ExpandAxis(y, nx.Axis(0))), nx.Exp(p.At(0)))
	return nx.Mul(nx.Exp(nx.Mul(2, p.At(1))), nx.Exp(nx.Mul(-0.5, nx.Square(d))))
}

// covariance is that of measurements at x.
func covariance(p, x nx.Tensor) nx.Tensor {
	n := x.Size()
	return nx.Add(kernel(p, x, x), nx.Mul(nx.Exp(nx.Mul(2, p.At(2))), nx.Eye(nx.Shape{n, n}, nx.F64)))
}

// diagonal returns that of a square matrix.
func diagonal(m nx.Tensor) nx.Tensor {
	return nx.Sum(nx.Mul(m, nx.Eye(m.Shape(), nx.F64)), nx.Axis(1))
}

// surprise is the negative logarithm of the likelihood of measurements y at x
// (C. Rasmussen, C. Williams, Gaussian Processes for Machine Learning, eq. 2.30).
func surprise(p, x, y nx.Tensor) nx.Tensor {
	l := linalg.Cholesky(covariance(p, x))
	a := linalg.TriangularSolve(l, y)
	half := nx.Sum(nx.Log(diagonal(l)))
	return nx.Add(nx.Add(nx.Mul(0.5, nx.Sum(nx.Square(a))), half), 0.5*measured*math.Log(2*math.Pi))
}

// newton returns a step of Newton's method, shortened where the function is not convex,
// and the Hessian there.
func newton(p, x, y nx.Tensor) (next, value, hessian nx.Tensor) {
	f := func(p nx.Tensor) nx.Tensor { return surprise(p, x, y) }
	value, g := nx.ValueAndGrad(f)(p)
	hessian = nx.Hessian(f)(p)
	w, v := linalg.Eigh(hessian)
	direction := nx.Dot(v, nx.Div(nx.Dot(nx.Transpose(v), g), nx.Maximum(nx.Abs(w), 1)))
	long := nx.Maximum(1, nx.Mul(2, nx.Max(nx.Abs(direction)))) // at most half a unit
	return nx.Sub(p, nx.Div(direction, long)), value, hessian
}

// predict returns the mean of the process at points, and its deviation.
func predict(p, x, y, at nx.Tensor) (mean, deviation nx.Tensor) {
	l := linalg.Cholesky(covariance(p, x))
	k := linalg.TriangularSolve(l, kernel(p, x, at))
	mean = nx.Dot(nx.Transpose(k), linalg.TriangularSolve(l, y))
	variance := nx.Sub(nx.Exp(nx.Mul(2, p.At(1))), nx.Sum(nx.Square(k), nx.Axis(0)))
	return mean, nx.Sqrt(nx.Maximum(variance, 0))
}

// fit is the result of a run: the parameters, their uncertainties, and the share of points of the true
// function that are within two deviations of the mean.
type fit struct {
	p, errors []float64
	slope     float64 // the largest component of the gradient
	inside    float64
}

func run(dir string, seed uint64, out io.Writer) (f fit, err error) {
	defer nx.Catch(&err)
	// A function drawn from the process itself, at the points of measurements and of a grid.
	r := rand.New(rand.NewPCG(seed, 1))
	xs := make([]float64, measured)
	for i := range xs {
		xs[i] = 10 * r.Float64()
	}
	slices.Sort(xs)
	const grid = 200
	at := nx.Linspace(0, 10, grid, nx.F64)
	x, p := nx.New(xs), nx.New(trueParams)
	all := nx.Concatenate([]nx.Tensor{x, at})
	cov := nx.Add(kernel(p, all, all), nx.Mul(1e-8, nx.Eye(nx.Shape{measured + grid, measured + grid}, nx.F64)))
	drawn := nx.Dot(linalg.Cholesky(cov), random.Normal(random.Key(int64(seed)), 0, 1,
		nx.Shape{measured + grid}, nx.F64))
	real := drawn.At(nx.From(measured))
	y := nx.Add(drawn.At(nx.Range(0, measured)),
		random.Normal(random.Key(int64(seed)+1), 0, math.Exp(trueParams[2]), nx.Shape{measured}, nx.F64))

	p = nx.Zeros(nx.Shape{3}, nx.F64)
	step := nx.Jit(newton)
	var hessian nx.Tensor
	for i := range 30 {
		next, value, h := step(p, x, y)
		fmt.Fprintf(out, "step %2d: surprise %.6f\n", i, nx.Item[float64](value))
		moved := nx.Item[float64](nx.Max(nx.Abs(nx.Sub(next, p))))
		if p, hessian = next, h; moved < 1e-9 {
			break
		}
	}
	// Near its minimum the surprise is that of a Gaussian with the inverse of the Hessian
	// as covariance (Laplace's approximation).
	f.p = nx.Data[float64](p)
	f.errors = nx.Data[float64](nx.Sqrt(diagonal(linalg.Inv(hessian))))
	f.slope = nx.Item[float64](nx.Max(nx.Abs(nx.Grad(func(p nx.Tensor) nx.Tensor { return surprise(p, x, y) })(p))))
	for i, name := range names {
		fmt.Fprintf(out, "log %-12s %6.3f ± %.3f, in truth %6.3f\n", name, f.p[i], f.errors[i], trueParams[i])
	}
	mean, deviation := nx.Jit(predict)(p, x, y, at)
	off := nx.Abs(nx.Sub(real, mean))
	f.inside = nx.Item[float64](nx.Mean(nx.Cast(nx.LessEqual(off, nx.Mul(2, deviation)), nx.F64)))
	fmt.Fprintf(out, "%.0f%% of the true function lies within two deviations\n", 100*f.inside)

	plot := svg.New("A Gaussian process fitted by its own Hessian")
	list := nx.Data[float64]
	plot.Band("two deviations", "#dde6f5", list(at), list(nx.Sub(mean, nx.Mul(2, deviation))),
		list(nx.Add(mean, nx.Mul(2, deviation))))
	plot.Line("true function", "#bbbbbb", list(at), list(real))
	plot.Line("expected", "#3366cc", list(at), list(mean))
	plot.Points("measured", "#cc3333", 2.5, xs, list(y))
	return f, plot.WriteFile(filepath.Join(dir, "gaussianprocess.svg"))
}
