package nxtest

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/go-nx/nx/tree"

	"github.com/go-nx/nx"
)

// GradientOption is an option of [AssertGradient].
type GradientOption interface{ gradientOption(*gradientCheck) }

// secondOrderOption is the type of [SecondOrder].
type secondOrderOption bool

// SecondOrder makes [AssertGradient] check the derivatives of the gradient as well.
const SecondOrder secondOrderOption = true

func (o secondOrderOption) gradientOption(c *gradientCheck) { c.twice = bool(o) }

// gradientCheck holds the options of [AssertGradient].
type gradientCheck struct{ twice bool }

// AssertGradient reports a test as failed unless the derivatives of f at p agree with difference quotients: in
// forward mode and in reverse mode, along random directions, the same in each run. p is any container; tensors
// in it that are not floats stay constant. The message contains the path of a wrong tensor. It returns whether
// the check passed.
//
// The tolerance follows from two step sizes and from the rounding of f, by the least precise type: in f64 a
// derivative that is off by 1e-6 is found, in f32 one that is off by a few percent. If f has a kink or a pole
// near p, or is too steep, a quotient is meaningless, and the test fails with a message: choose another point.
//
// Shapes: any. DTypes: floats and complex numbers, of which a result pairs with random numbers
// without conjugation.
func AssertGradient[P any](tb TB, f func(P) nx.Tensor, p P, opts ...GradientOption) bool {
	tb.Helper()
	var c gradientCheck
	for _, o := range opts {
		o.gradientOption(&c)
	}
	text := ""
	err := func() (err error) {
		defer nx.Catch(&err)
		rng := rand.New(rand.NewPCG(1, 2))
		loss, eps, err := projected(rng, f, p)
		if err != nil {
			return err
		}
		if text = checkSlopes(rng, "derivative", loss, p, eps); text == "" && c.twice {
			text = checkSlopes(rng, "second derivative", projectedGradient(rng, loss, p), p, eps)
		}
		return nil
	}()
	if err != nil {
		text = err.Error()
	}
	if text != "" {
		tb.Errorf("%s", text)
	}
	return text == ""
}

// isNumber reports whether t has derivatives.
func isNumber(t nx.Tensor) bool { return !t.IsZero() && (t.DType().IsFloat() || t.DType().IsComplex()) }

// pairing returns Re Σ w·t in f64.
func pairing(w, t nx.Tensor) nx.Tensor {
	if t.DType().IsComplex() {
		t = nx.Real(nx.Mul(w, nx.Cast(t, nx.C128)))
	} else {
		t = nx.Mul(w, nx.Cast(t, nx.F64))
	}
	return nx.Sum(nx.Devectorize(t))
}

// projected returns the sum of the elements of f's result times random numbers, and the
// spacing of numbers of the least precise type in it.
func projected[P any](rng *rand.Rand, f func(P) nx.Tensor, p P) (loss func(P) nx.Tensor, eps float64, err error) {
	y := f(p)
	if !isNumber(y) {
		return nil, 0, fmt.Errorf("the result of f must have floats, got %v", y.DType())
	}
	eps = y.DType().Real().Epsilon()
	for _, t := range tree.Leaves(p) {
		if isNumber(t) {
			eps = max(eps, t.DType().Real().Epsilon())
		}
	}
	w := randomLike(rng, y)
	return func(p P) nx.Tensor { return pairing(w, f(p)) }, eps, nil
}

// projectedGradient returns the sum of the elements of the gradient of loss times random numbers.
func projectedGradient[P any](rng *rand.Rand, loss func(P) nx.Tensor, p P) func(P) nx.Tensor {
	var weights []nx.Tensor
	for _, t := range tree.Leaves(p) {
		if isNumber(t) {
			weights = append(weights, randomLike(rng, t))
		}
	}
	return func(p P) nx.Tensor {
		sum, i := nx.Zeros(nx.Shape{}, nx.F64), 0
		for _, g := range tree.Leaves(nx.Grad(loss)(p)) {
			sum = nx.Add(sum, pairing(weights[i], g))
			i++
		}
		return sum
	}
}

// checkSlopes compares derivatives of loss along a random direction. It describes an error, with the path of a
// tensor, or returns "".
func checkSlopes[P any](rng *rand.Rand, what string, loss func(P) nx.Tensor, p P, eps float64) string {
	paths := []string{""} // all of them
	for path, t := range tree.Leaves(p) {
		if isNumber(t) {
			paths = append(paths, path)
		}
	}
	if len(paths) == 1 {
		return "the point must have a tensor of floats or complex numbers"
	}
	gradient := nx.Grad(loss)(p)
	said := ""
	for _, only := range paths {
		direction := tree.MapLeaves(func(path string, t nx.Tensor) nx.Tensor {
			switch {
			case !isNumber(t):
				return nx.Tensor{}
			case only != "" && path != only:
				return tree.ZerosLike(t)
			}
			return nx.Cast(randomLike(rng, t), t.DType())
		}, p)
		text := checkSlope(loss, p, direction, gradient, eps)
		switch {
		case only == "" && text == "":
			return ""
		case only == "":
			said = "the " + what + " along a random direction " + text
			if len(paths) == 2 {
				return said
			}
		case text != "":
			return "the " + what + " by " + only + " along a random direction " + text
		}
	}
	return said
}

// randomLike returns random numbers in f64 or c128 of the shape, the names and the vectorised
// axes of t, of a length that does not grow with their number.
func randomLike(rng *rand.Rand, t nx.Tensor) nx.Tensor {
	wide := nx.F64
	if t.DType().IsComplex() {
		wide = nx.C128
	}
	whole := nx.Devectorize(t).Shape()
	part := func() nx.Tensor {
		data := make([]float64, whole.Size())
		for i := range data {
			data[i] = rng.NormFloat64() / math.Sqrt(max(1, float64(len(data))/16))
		}
		return nx.Reshape(nx.New(data), whole...)
	}
	out := part()
	if wide == nx.C128 {
		out = nx.Complex(out, part())
	}
	for _, v := range t.Vectors() {
		out = nx.Vectorize(out, v.Name)
	}
	return nx.Add(nx.Cast(tree.ZerosLike(t), wide), out) // which has the names
}

// checkSlope compares the derivatives of loss along one direction with a difference quotient.
func checkSlope[P any](loss func(P) nx.Tensor, p, direction, gradient P, eps float64) string {
	step := math.Pow(eps, 0.25)
	var along []nx.Tensor // absent ones left out
	for _, t := range tree.Leaves(direction) {
		along = append(along, t)
	}
	at := func(h float64) float64 {
		i := 0
		return nx.Item[float64](loss(tree.MapLeaves(func(_ string, t nx.Tensor) nx.Tensor {
			if !isNumber(t) {
				return t
			}
			i++
			return nx.Add(t, nx.Cast(nx.Mul(h, along[i-1]), t.DType()))
		}, p)))
	}
	a, b, c, d, middle := at(step), at(-step), at(step/2), at(-step/2), at(0)
	// Extrapolation from two steps cancels the quadratic term, and their difference estimates the change of
	// the slope. The fourth difference estimates the rounding.
	wide, narrow := (a-b)/(2*step), (c-d)/step
	slope := narrow + (narrow-wide)/3
	rounding := (math.Abs(a+b-4*(c+d)+6*middle) + 8*eps*(1+math.Abs(middle))) / step
	off := 2*math.Abs(narrow-wide) + rounding
	if !(off < max(1e-3, 30*math.Sqrt(eps))*(1+math.Abs(slope))) {
		return fmt.Sprintf("cannot be checked: difference quotients are %g and %g; there may be a kink or a pole, or f is too "+
			"steep: choose another point", wide, narrow)
	}
	_, dy := nx.JVP(loss, p, direction)
	forward, reverse, terms := nx.Item[float64](dy), 0.0, 0.0
	i := 0
	for _, g := range tree.Leaves(gradient) {
		reverse += nx.Item[float64](pairing(along[i], g))
		terms += nx.Item[float64](nx.Sum(nx.Devectorize(nx.Abs(nx.Mul(along[i], g)))))
		i++
	}
	switch {
	case !(math.Abs(forward-slope) <= off):
		return fmt.Sprintf("is %g in forward mode, but the difference quotient is %g ± %.1g", forward, slope, off)
	case !(math.Abs(reverse-slope) <= off+min(0.01, 1e5*eps)*(1+terms)):
		return fmt.Sprintf("is %g in reverse mode, but the difference quotient is %g ± %.1g", reverse, slope, off)
	case !(math.Abs(reverse-forward) <= min(0.01, 1e5*eps)*(1+terms)):
		return fmt.Sprintf("is %g in reverse mode and %g in forward mode", reverse, forward)
	}
	return ""
}
