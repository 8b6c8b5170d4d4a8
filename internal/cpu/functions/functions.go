// Package functions holds the elementary functions: one for each operation of a kernel and each type, which every code
// generator and the evaluator apply, so that their bits agree. A function is Go code; machine code uses its
// [Expansion], which is a kernel body, if there is one.
package functions

import (
	"maps"
	"math/cmplx"
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/kernels"
	"github.com/go-nx/nx/internal/lazy"
	"github.com/go-nx/nx/internal/refmath"
)

// named is a function that kernels call by the name of its op. It computes in float64, within 4 ulp.
type named struct {
	float   func(float64) float64
	complex func(complex128) complex128 // nil if there is none
	narrow  func(float64) float64       // for elements of at most 32 bits, if another one is faster
	loop32  func(dst, x []float32)      // replaces both, if there is a loop
	loop64  func(dst, x []float64)
	// narrowComplex is for complex64, if another one is faster.
	narrowComplex func(complex128) complex128
}

// calls are the functions of one operand.
var calls lazy.Value[map[string]named]

func listCalls() map[string]named {
	return map[string]named{
		"chlo.acos": {float: kernels.Acos64, narrow: kernels.AcosNarrow,
			complex: narrowWithin(kernels.CAcosNarrow, refmath.CAcos), narrowComplex: kernels.CAcosNarrow},
		"chlo.acosh": {float: kernels.Acosh64, loop32: kernels.AcoshF32,
			complex: narrowWithin(kernels.CAcoshNarrow, refmath.CAcosh), narrowComplex: kernels.CAcoshNarrow},
		"chlo.asin": {float: kernels.Asin64, narrow: kernels.AsinNarrow,
			complex: narrowWithin(kernels.CAsinNarrow, refmath.CAsin), narrowComplex: kernels.CAsinNarrow},
		"chlo.asinh": {float: kernels.Asinh64, loop32: kernels.AsinhF32,
			complex: narrowWithin(kernels.CAsinhNarrow, refmath.CAsinh), narrowComplex: kernels.CAsinhNarrow},
		"chlo.atan": {float: kernels.Atan64, narrow: kernels.AtanNarrow,
			complex: narrowWithin(kernels.CAtanNarrow, refmath.CAtan), narrowComplex: kernels.CAtanNarrow},
		"chlo.atanh": {float: kernels.Atanh64, loop32: kernels.AtanhF32,
			complex: narrowWithin(kernels.CAtanhNarrow, refmath.CAtanh), narrowComplex: kernels.CAtanhNarrow},
		"chlo.bessel_i1e": {float: kernels.BesselI1e, narrow: kernels.BesselI1eNarrow,
			loop32: kernels.BesselI1eF32},
		"chlo.cosh":    {complex: kernels.CCosh, loop32: kernels.CoshF32, loop64: kernels.CoshF64},
		"chlo.digamma": {float: kernels.Digamma, narrow: kernels.DigammaNarrow},
		"chlo.lgamma":  {float: kernels.Lgamma, narrow: kernels.LgammaNarrow},
		"chlo.sinh":    {complex: kernels.CSinh, loop32: kernels.SinhF32, loop64: kernels.SinhF64},
		"nx.bessel_i0e": {float: kernels.BesselI0e, narrow: kernels.BesselI0eNarrow,
			loop32: kernels.BesselI0eF32},
		"chlo._asin_acos_kernel": {complex: refmath.CAsinAcosKernel, narrowComplex: kernels.CAsinAcosKernelNarrow},
	}
}

// calls2 are the functions of two operands.
var calls2 lazy.Value[map[string]named2]

type named2 struct{ float, narrow func(x, y float64) float64 }

func listCalls2() map[string]named2 {
	return map[string]named2{
		"chlo.polygamma": {kernels.Polygamma, kernels.PolygammaNarrow},
		"chlo.zeta":      {kernels.Zeta, kernels.ZetaNarrow},
	}
}

// Names returns the functions that the operations Call and Call2 name, in order.
func Names(op kernel.Op) []string {
	if op == kernel.Call2 {
		return slices.Sorted(maps.Keys(listCalls2()))
	}
	return slices.Sorted(maps.Keys(listCalls()))
}

// loops32 and loops64 are the functions of one operand that have loops.
var loops32 lazy.Value[map[kernel.Op]func(d, a []float32)]

func listLoops32() map[kernel.Op]func(d, a []float32) {
	return map[kernel.Op]func(d, a []float32){
		kernel.Exp: kernels.ExpF32, kernel.Expm1: kernels.Expm1F32, kernel.Log: kernels.LogF32,
		kernel.Log1p: kernels.Log1pF32,
		kernel.Tanh:  kernels.TanhF32, kernel.Logistic: kernels.LogisticF32, kernel.Sin: kernels.SinF32,
		kernel.Cos: kernels.CosF32,
		kernel.Tan: kernels.TanF32, kernel.Sqrt: kernels.SqrtF32, kernel.Rsqrt: kernels.RsqrtF32,
		kernel.Cbrt: kernels.CbrtF32,
		kernel.Erf:  kernels.ErfF32, kernel.Erfc: kernels.ErfcF32, kernel.ErfInv: kernels.ErfInvF32,
	}
}

var loops64 lazy.Value[map[kernel.Op]func(d, a []float64)]

func listLoops64() map[kernel.Op]func(d, a []float64) {
	return map[kernel.Op]func(d, a []float64){
		kernel.Exp: kernels.ExpF64, kernel.Expm1: kernels.Expm1F64, kernel.Log: kernels.LogF64,
		kernel.Log1p: kernels.Log1pF64,
		kernel.Tanh:  kernels.TanhF64, kernel.Logistic: kernels.LogisticF64, kernel.Sin: kernels.SinF64,
		kernel.Cos: kernels.CosF64,
		kernel.Tan: kernels.TanF64, kernel.Sqrt: kernels.SqrtF64, kernel.Rsqrt: kernels.RsqrtF64,
		kernel.Cbrt: kernels.CbrtF64, kernel.Erf: kernels.ErfF64, kernel.Erfc: kernels.ErfcF64,
		kernel.ErfInv: each[float64](kernels.ErfInv64),
	}
}

// F32 returns the loop of a function of one F32, nil for other instructions.
func F32(in *kernel.Instr) func(dst, x []float32) {
	if in.Op != kernel.Call {
		return loops32.Get(listLoops32)[in.Op]
	}
	switch f := calls.Get(listCalls)[in.Func]; {
	case f.loop32 != nil:
		return f.loop32
	case f.narrow != nil:
		return each[float32](f.narrow)
	case f.float != nil:
		return each[float32](f.float)
	}
	return nil
}

// F64 returns the loop of a function of one F64, nil for other instructions.
func F64(in *kernel.Instr) func(dst, x []float64) {
	if in.Op != kernel.Call {
		return loops64.Get(listLoops64)[in.Op]
	}
	switch f := calls.Get(listCalls)[in.Func]; {
	case f.loop64 != nil:
		return f.loop64
	case f.float != nil:
		return each[float64](f.float)
	}
	return nil
}

// each returns the loop that applies f, which rounds once.
func each[T float32 | float64](f func(float64) float64) func(dst, x []T) {
	return func(dst, x []T) {
		dst = dst[:len(x)]
		for i, v := range x {
			dst[i] = T(f(float64(v)))
		}
	}
}

// F32x2 returns a function of two F32, nil for other instructions.
func F32x2(in *kernel.Instr) func(x, y float32) float32 {
	f := calls2.Get(listCalls2)[in.Func].narrow
	switch in.Op {
	case kernel.Pow:
		return func(x, y float32) float32 {
			var d [1]float32
			kernels.PowF32(d[:], []float32{x}, []float32{y})
			return d[0]
		}
	case kernel.Atan2: // rounding hides their error
		f = kernels.Atan2Narrow
	}
	if f == nil {
		return nil
	}
	return func(x, y float32) float32 { return float32(f(float64(x), float64(y))) }
}

// F64x2 returns a function of two F64, nil for other instructions.
func F64x2(in *kernel.Instr) func(x, y float64) float64 {
	switch in.Op {
	case kernel.Pow:
		return func(x, y float64) float64 {
			var d [1]float64
			kernels.PowF64(d[:], []float64{x}, []float64{y})
			return d[0]
		}
	case kernel.Atan2:
		return kernels.Atan2
	}
	return calls2.Get(listCalls2)[in.Func].float
}

// complexFuncs are the complex functions: within a few ulp of the larger part if kernels has them, else correctly
// rounded, and slow.
var complexFuncs lazy.Value[map[kernel.Op]func(complex128) complex128]

func listComplexFuncs() map[kernel.Op]func(complex128) complex128 {
	return map[kernel.Op]func(complex128) complex128{
		kernel.Exp: kernels.CExp, kernel.Log: kernels.CLog, kernel.Sqrt: kernels.CSqrt, kernel.Sin: kernels.CSin,
		kernel.Cos:   kernels.CCos,
		kernel.Conj:  cmplx.Conj,
		kernel.Expm1: kernels.CExpm1, kernel.Cbrt: refmath.CCbrt, kernel.Logistic: refmath.CLogistic,
		kernel.Square: kernels.CSquare,
		kernel.Log1p:  narrowWithin(kernels.CLog1pNarrow, refmath.CLog1p),
		kernel.Rsqrt:  narrowWithin(kernels.CRsqrtNarrow, refmath.CRsqrt),
		kernel.Tan:    narrowWithin(kernels.CTanNarrow, refmath.CTan),
		kernel.Tanh:   narrowWithin(kernels.CTanhNarrow, refmath.CTanh),
		kernel.Sign:   narrowWithin(kernels.CSignNarrow, refmath.CSign),
	}
}

// narrowWithin uses the function for complex64 if both parts are in its range: there it is within 4 ulp of the larger
// part of the result.
func narrowWithin(narrow, rounded func(complex128) complex128) func(complex128) complex128 {
	return func(z complex128) complex128 {
		if kernels.IsNarrow(real(z)) && kernels.IsNarrow(imag(z)) {
			return narrow(z)
		}
		return rounded(z)
	}
}

var complexFuncs2 lazy.Value[map[kernel.Op]func(z, w complex128) complex128]

func listComplexFuncs2() map[kernel.Op]func(z, w complex128) complex128 {
	return map[kernel.Op]func(z, w complex128) complex128{
		kernel.Mul: kernels.CMul, kernel.Div: kernels.CDiv, kernel.Pow: kernels.CPow, kernel.Atan2: refmath.CAtan2,
	}
}

// narrowComplexOps and narrowComplexOps2 replace those for complex64, whose rounding hides their error.
var (
	narrowComplexOps  lazy.Value[map[kernel.Op]func(complex128) complex128]
	narrowComplexOps2 lazy.Value[map[kernel.Op]func(z, w complex128) complex128]
)

func listNarrowComplexOps() map[kernel.Op]func(complex128) complex128 {
	return map[kernel.Op]func(complex128) complex128{
		kernel.Sign: kernels.CSignNarrow, kernel.Logistic: kernels.CLogisticNarrow, kernel.Expm1: kernels.CExpm1Narrow,
		kernel.Log1p: kernels.CLog1pNarrow,
		kernel.Tanh:  kernels.CTanhNarrow, kernel.Tan: kernels.CTanNarrow, kernel.Rsqrt: kernels.CRsqrtNarrow,
		kernel.Log: kernels.CLogNarrow, kernel.Sqrt: kernels.CSqrtNarrow,
	}
}

func listNarrowComplexOps2() map[kernel.Op]func(z, w complex128) complex128 {
	return map[kernel.Op]func(z, w complex128) complex128{kernel.Pow: kernels.CPowNarrow,
		kernel.Div: kernels.CDivNarrow, kernel.Atan2: kernels.CAtan2Narrow}
}

// Complex returns a function of one complex number of type t, nil for other instructions. The result must be rounded to
// the type.
func Complex(in *kernel.Instr, t dtype.Type) func(complex128) complex128 {
	if in.Op == kernel.Call {
		if f := calls.Get(listCalls)[in.Func]; t == dtype.C64 && f.narrowComplex != nil {
			return f.narrowComplex
		}
		return calls.Get(listCalls)[in.Func].complex
	}
	if f, ok := narrowComplexOps.Get(listNarrowComplexOps)[in.Op]; ok && t == dtype.C64 {
		return f
	}
	return complexFuncs.Get(listComplexFuncs)[in.Op]
}

// Complex2 returns a function of two complex numbers of type t, nil for other instructions.
func Complex2(in *kernel.Instr, t dtype.Type) func(z, w complex128) complex128 {
	if f, ok := narrowComplexOps2.Get(listNarrowComplexOps2)[in.Op]; ok && t == dtype.C64 {
		return f
	}
	return complexFuncs2.Get(listComplexFuncs2)[in.Op]
}

// Abs returns the absolute value of complex numbers of a type, which must be rounded to it.
func Abs(t dtype.Type) func(z complex128) float64 {
	if t == dtype.C64 {
		return kernels.CAbs64
	}
	return kernels.CAbs
}

// Rounding returns the loop that rounds to a float type narrower than F32.
func Rounding(t dtype.Type) func(dst, src []float32) {
	switch t {
	case dtype.F16:
		return kernels.RoundF16
	case dtype.BF16:
		return kernels.RoundBF16
	}
	return func(dst, src []float32) {
		for i, x := range src {
			dst[i] = float32(t.Float64(t.FromFloat64(float64(x))))
		}
	}
}
