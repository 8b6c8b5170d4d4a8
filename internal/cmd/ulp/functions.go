package main

import (
	"math"
	"math/rand/v2"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/refmath"
)

// function is a function of real numbers and its reference.
type function struct {
	name string
	f    func(nx.Tensor) nx.Tensor
	// exact is rounded once from 106 bits. quick is within 2^-40 of it: a result that is
	// quick's, rounded to a narrower type, needs no closer look.
	exact, fast func(float64) float64
	bounds      bounds
	near        bool      // ignore an absolute error of 1e-7, in f64 of 1e-14: near zeros
	normal      bool      // only results 64 times as large as the smallest normal number count
	around      []float64 // additional arguments are drawn near these
}

// bounds are the errors, in ulp, that doc comments state for the element types.
type bounds struct{ f32, f64, f16 float64 }

// functions are those of package nx that are not exact, in the order of docs/accuracy.md.
var functions = []function{
	{name: "Exp", f: nx.Exp, exact: refmath.Exp, fast: math.Exp, bounds: bounds{1, 1, 1},
		around: []float64{709.7, -708, -745}},
	{name: "Expm1", f: nx.Expm1, exact: refmath.Expm1, fast: math.Expm1, bounds: bounds{1, 2, 1}},
	{name: "Log", f: nx.Log, exact: refmath.Log, fast: math.Log, bounds: bounds{1, 1, 1}, around: []float64{1}},
	{name: "Log1p", f: nx.Log1p, exact: refmath.Log1p, fast: math.Log1p,
		bounds: bounds{1, 2, 1}, around: []float64{-1}},
	{name: "Log2", f: nx.Log2, exact: refmath.Log2, fast: log2, bounds: bounds{1, 2, 1}, around: []float64{1}},
	{name: "Log10", f: nx.Log10, exact: refmath.Log10, fast: math.Log10,
		bounds: bounds{1, 2, 1}, around: []float64{1}},
	{name: "Sigmoid", f: nx.Sigmoid, exact: refmath.Logistic, fast: sigmoid, bounds: bounds{2, 2, 1}},
	{name: "Sin", f: nx.Sin, exact: refmath.Sin, fast: math.Sin, bounds: bounds{1, 2, 1},
		around: []float64{math.Pi, 1e5, 1e22}},
	{name: "Cos", f: nx.Cos, exact: refmath.Cos, fast: math.Cos, bounds: bounds{1, 2, 1},
		around: []float64{math.Pi / 2, 1e5, 1e22}},
	{name: "Tan", f: nx.Tan, exact: refmath.Tan, fast: math.Tan, bounds: bounds{1, 2, 1},
		around: []float64{math.Pi / 2, 1e5, 1e22}},
	{name: "Asin", f: nx.Asin, exact: refmath.Asin, fast: math.Asin, bounds: bounds{1, 2, 1},
		around: []float64{1, -1, 0.5}},
	{name: "Acos", f: nx.Acos, exact: refmath.Acos, fast: math.Acos,
		bounds: bounds{1, 2, 1}, around: []float64{1, -1, 0.5}},
	{name: "Atan", f: nx.Atan, exact: refmath.Atan, fast: math.Atan, bounds: bounds{1, 2, 1}},
	{name: "Sinh", f: nx.Sinh, exact: refmath.Sinh, fast: math.Sinh,
		bounds: bounds{1, 2, 1}, around: []float64{1, 710}},
	{name: "Cosh", f: nx.Cosh, exact: refmath.Cosh, fast: math.Cosh, bounds: bounds{1, 2, 1}, around: []float64{710}},
	{name: "Tanh", f: nx.Tanh, exact: refmath.Tanh, fast: math.Tanh, bounds: bounds{2, 2, 1}},
	{name: "Asinh", f: nx.Asinh, exact: refmath.Asinh, fast: math.Asinh, bounds: bounds{1, 2, 1}},
	{name: "Acosh", f: nx.Acosh, exact: refmath.Acosh, fast: math.Acosh,
		bounds: bounds{1, 2, 1}, around: []float64{1}},
	{name: "Atanh", f: nx.Atanh, exact: refmath.Atanh, fast: math.Atanh,
		bounds: bounds{1, 2, 1}, around: []float64{1, -1}},
	{name: "Sqrt", f: nx.Sqrt, exact: math.Sqrt, fast: math.Sqrt, bounds: bounds{0.5, 0.5, 0.5}},
	{name: "Rsqrt", f: nx.Rsqrt, exact: refmath.Rsqrt, fast: rsqrt,
		bounds: bounds{1, 2, 1}},
	{name: "Cbrt", f: nx.Cbrt, exact: refmath.Cbrt, fast: math.Cbrt, bounds: bounds{1, 2, 1}},
	{name: "Erf", f: nx.Erf, exact: refmath.Erf, fast: math.Erf, bounds: bounds{1, 2, 1}},
	{name: "Erfc", f: nx.Erfc, exact: refmath.Erfc, fast: math.Erfc,
		bounds: bounds{1, 2, 1}, around: []float64{10, 26}},
	{name: "ErfInv", f: nx.ErfInv, exact: refmath.ErfInv, fast: math.Erfinv,
		bounds: bounds{1, 2, 1}, around: []float64{1, -1, 0.5}},
	{name: "Lgamma", f: nx.Lgamma, exact: refmath.Lgamma, fast: lgamma, near: true, bounds: bounds{4, 4, 4},
		around: []float64{1, 2, -2.457, -3.5}},
	{name: "Digamma", f: nx.Digamma, exact: refmath.Digamma, fast: digamma, near: true, bounds: bounds{4, 4, 4},
		around: []float64{1.4616, -0.5, -2}},
	{name: "BesselI0e", f: nx.BesselI0e, exact: refmath.BesselI0e, fast: besselI0e,
		bounds: bounds{4, 4, 4}, around: []float64{8}},
	{name: "BesselI1e", f: nx.BesselI1e, exact: refmath.BesselI1e, fast: besselI1e,
		bounds: bounds{4, 4, 4}, around: []float64{8}},
	{name: "Softplus", f: nx.Softplus, exact: refmath.Softplus, fast: softplus, bounds: bounds{2, 2, 2}},
	{name: "Silu", f: nx.Silu, normal: true, exact: refmath.Silu, fast: silu, bounds: bounds{2, 2, 2}},
	{name: "Gelu", f: nx.Gelu, normal: true, exact: refmath.Gelu, fast: gelu,
		bounds: bounds{2, 2, 2}, around: []float64{-10, -5}},
	{name: "GeluTanh", f: nx.GeluTanh, normal: true, exact: refmath.GeluTanh, fast: geluTanh,
		bounds: bounds{3, 2, 3}, around: []float64{-20, -8, -3}},
}

// pair is a function of two real numbers.
type pair struct {
	name   string
	f      func(x, y nx.Tensor) nx.Tensor
	exact  func(x, y float64) float64
	bounds bounds
	near   bool
	draw   func(r *rand.Rand) (x, y float64) // additional arguments besides random bits
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
	{name: "chlo.zeta", f: binaryCHLO("zeta"), exact: refmath.Zeta, bounds: bounds{4, 4, 4},
		draw: func(r *rand.Rand) (x, q float64) {
			if x = 1 + r.ExpFloat64()*10; r.IntN(2) == 0 { // for which q may be negative
				x = math.Ceil(x)
			}
			return x, r.NormFloat64() * 20
		}},
	{name: "chlo.polygamma", f: binaryCHLO("polygamma"), exact: refmath.Polygamma, near: true, bounds: bounds{4, 4, 4},
		draw: func(r *rand.Rand) (n, x float64) { return float64(r.IntN(20)), r.NormFloat64() * 20 }},
}
