package main

import (
	"math"
	"math/rand/v2"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/refmath"
)

// function is what is measured: a function of real numbers and what it should give.
type function struct {
	name string
	f    func(nx.Tensor) nx.Tensor
	// exact is rounded once from 106 bits. quick is within 2^-40 of it: a result that is
	// quick's, rounded to a narrower type, needs no closer look.
	exact, quick func(float64) float64
	bounds       bounds
	near         bool      // an absolute error of 1e-7, in f64 of 1e-14, is none: near zeros
	normal       bool      // only results 64 times as large as the smallest normal number count
	around       []float64 // where arguments are taken from beside all others
}

// bounds are the errors, in ulp, that doc comments state for the element types.
type bounds struct{ f32, f64, f16 float64 }

// functions are those of package nx that are not exact, in the order of docs/accuracy.md.
var functions = []function{
	{name: "Exp", f: nx.Exp, exact: refmath.Exp, quick: math.Exp, bounds: bounds{1, 1, 1},
		around: []float64{709.7, -708, -745}},
	{name: "Expm1", f: nx.Expm1, exact: refmath.Expm1, quick: math.Expm1, bounds: bounds{1, 2, 1}},
	{name: "Log", f: nx.Log, exact: refmath.Log, quick: math.Log, bounds: bounds{1, 1, 1}, around: []float64{1}},
	{name: "Log1p", f: nx.Log1p, exact: refmath.Log1p, quick: math.Log1p,
		bounds: bounds{1, 2, 1}, around: []float64{-1}},
	{name: "Log2", f: nx.Log2, exact: refmath.Log2, quick: log2, bounds: bounds{1, 2, 1}, around: []float64{1}},
	{name: "Log10", f: nx.Log10, exact: refmath.Log10, quick: math.Log10,
		bounds: bounds{1, 2, 1}, around: []float64{1}},
	{name: "Sigmoid", f: nx.Sigmoid, exact: refmath.Logistic, quick: sigmoid, bounds: bounds{2, 2, 1}},
	{name: "Sin", f: nx.Sin, exact: refmath.Sin, quick: math.Sin, bounds: bounds{1, 2, 1},
		around: []float64{math.Pi, 1e5, 1e22}},
	{name: "Cos", f: nx.Cos, exact: refmath.Cos, quick: math.Cos, bounds: bounds{1, 2, 1},
		around: []float64{math.Pi / 2, 1e5, 1e22}},
	{name: "Tan", f: nx.Tan, exact: refmath.Tan, quick: math.Tan, bounds: bounds{1, 2, 1},
		around: []float64{math.Pi / 2, 1e5, 1e22}},
	{name: "Asin", f: nx.Asin, exact: refmath.Asin, quick: math.Asin, bounds: bounds{1, 2, 1},
		around: []float64{1, -1, 0.5}},
	{name: "Acos", f: nx.Acos, exact: refmath.Acos, quick: math.Acos,
		bounds: bounds{1, 2, 1}, around: []float64{1, -1, 0.5}},
	{name: "Atan", f: nx.Atan, exact: refmath.Atan, quick: math.Atan, bounds: bounds{1, 2, 1}},
	{name: "Sinh", f: nx.Sinh, exact: refmath.Sinh, quick: math.Sinh,
		bounds: bounds{1, 2, 1}, around: []float64{1, 710}},
	{name: "Cosh", f: nx.Cosh, exact: refmath.Cosh, quick: math.Cosh, bounds: bounds{1, 2, 1}, around: []float64{710}},
	{name: "Tanh", f: nx.Tanh, exact: refmath.Tanh, quick: math.Tanh, bounds: bounds{2, 2, 1}},
	{name: "Asinh", f: nx.Asinh, exact: refmath.Asinh, quick: math.Asinh, bounds: bounds{1, 2, 1}},
	{name: "Acosh", f: nx.Acosh, exact: refmath.Acosh, quick: math.Acosh,
		bounds: bounds{1, 2, 1}, around: []float64{1}},
	{name: "Atanh", f: nx.Atanh, exact: refmath.Atanh, quick: math.Atanh,
		bounds: bounds{1, 2, 1}, around: []float64{1, -1}},
	{name: "Sqrt", f: nx.Sqrt, exact: math.Sqrt, quick: math.Sqrt, bounds: bounds{0.5, 0.5, 0.5}},
	{name: "Rsqrt", f: nx.Rsqrt, exact: refmath.Rsqrt, quick: rsqrt,
		bounds: bounds{1, 2, 1}},
	{name: "Cbrt", f: nx.Cbrt, exact: refmath.Cbrt, quick: math.Cbrt, bounds: bounds{1, 2, 1}},
	{name: "Erf", f: nx.Erf, exact: refmath.Erf, quick: math.Erf, bounds: bounds{1, 2, 1}},
	{name: "Erfc", f: nx.Erfc, exact: refmath.Erfc, quick: math.Erfc,
		bounds: bounds{1, 2, 1}, around: []float64{10, 26}},
	{name: "ErfInv", f: nx.ErfInv, exact: refmath.ErfInv, quick: math.Erfinv,
		bounds: bounds{1, 2, 1}, around: []float64{1, -1, 0.5}},
	{name: "Lgamma", f: nx.Lgamma, exact: refmath.Lgamma, quick: lgamma, near: true, bounds: bounds{4, 4, 4},
		around: []float64{1, 2, -2.457, -3.5}},
	{name: "Digamma", f: nx.Digamma, exact: refmath.Digamma, quick: digamma, near: true, bounds: bounds{4, 4, 4},
		around: []float64{1.4616, -0.5, -2}},
	{name: "BesselI0e", f: nx.BesselI0e, exact: refmath.BesselI0e, quick: besselI0e,
		bounds: bounds{4, 4, 4}, around: []float64{8}},
	{name: "chlo.bessel_i1e", f: one("bessel_i1e"), exact: refmath.BesselI1e, quick: besselI1e,
		bounds: bounds{4, 4, 4}, around: []float64{8}},
	{name: "Softplus", f: nx.Softplus, exact: refmath.Softplus, quick: softplus, bounds: bounds{2, 2, 2}},
	{name: "Silu", f: nx.Silu, normal: true, exact: refmath.Silu, quick: silu, bounds: bounds{2, 2, 2}},
	{name: "Gelu", f: nx.Gelu, normal: true, exact: refmath.Gelu, quick: gelu,
		bounds: bounds{2, 2, 2}, around: []float64{-10, -5}},
}

// pair is a function of two real numbers.
type pair struct {
	name   string
	f      func(x, y nx.Tensor) nx.Tensor
	exact  func(x, y float64) float64
	bounds bounds
	near   bool
	draw   func(r *rand.Rand) (x, y float64) // what is taken beside random bits
}

// pairs are the functions of two numbers; those of dialect chlo have no name in package nx.
var pairs = []pair{
	{name: "Pow", f: nx.Pow[nx.Tensor, nx.Tensor], exact: refmath.Pow, bounds: bounds{1, 1, 1},
		draw: func(r *rand.Rand) (x, y float64) { // all over the range of the result
			x = math.Exp2(r.NormFloat64() * math.Exp2(-float64(r.IntN(40))) * 60)
			return x, (r.Float64()*320 - 160) / math.Log2(x)
		}},
	{name: "Atan2", f: nx.Atan2[nx.Tensor, nx.Tensor], exact: refmath.Atan2, bounds: bounds{1, 2, 1},
		draw: func(r *rand.Rand) (x, y float64) {
			y = r.NormFloat64()
			return y * math.Exp2(r.NormFloat64()*20), y * r.NormFloat64()
		}},
	{name: "chlo.zeta", f: chlo("zeta"), exact: refmath.Zeta, bounds: bounds{4, 4, 4},
		draw: func(r *rand.Rand) (x, q float64) {
			if x = 1 + r.ExpFloat64()*10; r.IntN(2) == 0 { // for which q may be negative
				x = math.Ceil(x)
			}
			return x, r.NormFloat64() * 20
		}},
	{name: "chlo.polygamma", f: chlo("polygamma"), exact: refmath.Polygamma, near: true, bounds: bounds{4, 4, 4},
		draw: func(r *rand.Rand) (n, x float64) { return float64(r.IntN(20)), r.NormFloat64() * 20 }},
}
