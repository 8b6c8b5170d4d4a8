package portable

import (
	"math"

	"github.com/go-nx/nx/internal/cpu/kernels"
	"github.com/go-nx/nx/internal/refmath"
)

// function is a function of numbers that kernels call, element by element. It
// computes in float64, within 2 units in the last place.
type function struct {
	float   func(float64) float64
	complex func(complex128) complex128 // nil when there is none
	short   func(float64) float64       // for elements of at most 32 bits when another is faster, or its rounding prescribed
}

// functions are those of one operand, by the name of their op.
var functions = map[string]function{
	"chlo.acos":              {refmath.Acos, refmath.CAcos, math.Acos},
	"chlo.acosh":             {refmath.Acosh, refmath.CAcosh, math.Acosh},
	"chlo.asin":              {refmath.Asin, refmath.CAsin, math.Asin},
	"chlo.asinh":             {refmath.Asinh, refmath.CAsinh, math.Asinh},
	"chlo.atan":              {refmath.Atan, refmath.CAtan, math.Atan},
	"chlo.atanh":             {refmath.Atanh, refmath.CAtanh, math.Atanh},
	"chlo.bessel_i1e":        {float: refmath.BesselI1e},
	"chlo.cosh":              {kernels.Cosh64, kernels.CCosh, func(x float64) float64 { return float64(refmath.Cosh32(float32(x))) }},
	"chlo.digamma":           {float: refmath.Digamma},
	"chlo.lgamma":            {float: refmath.Lgamma},
	"chlo.sinh":              {kernels.Sinh64, kernels.CSinh, func(x float64) float64 { return float64(refmath.Sinh32(float32(x))) }},
	"nx.bessel_i0e":          {float: refmath.BesselI0e},
	"chlo._asin_acos_kernel": {complex: refmath.CAsinAcosKernel},
}

// functions2 are those of two operands.
var functions2 = map[string]func(x, y float64) float64{
	"chlo.polygamma": refmath.Polygamma,
	"chlo.zeta":      refmath.Zeta,
}

// floatCall returns the step that calls a real function, nil when there is none.
func floatCall[T float](name string, dst, a ref) step {
	f := functions[name].float
	if short := functions[name].short; short != nil && width[T]() == 32 {
		f = short
	}
	if f == nil {
		return nil
	}
	return map1(dst, a, func(x T) T { return T(f(float64(x))) })
}
