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
	"github.com/go-nx/nx/internal/cpu/kernels/half"
	"github.com/go-nx/nx/internal/cpu/kernels/special"
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
		"chlo.acos": {float: special.Acos64, narrow: special.AcosNarrow,
			complex: narrowWithin(special.CAcosNarrow, refmath.CAcos), narrowComplex: special.CAcosNarrow},
		"chlo.acosh": {float: special.Acosh64, loop32: special.AcoshF32,
			complex: narrowWithin(special.CAcoshNarrow, refmath.CAcosh), narrowComplex: special.CAcoshNarrow},
		"chlo.asin": {float: special.Asin64, narrow: special.AsinNarrow,
			complex: narrowWithin(special.CAsinNarrow, refmath.CAsin), narrowComplex: special.CAsinNarrow},
		"chlo.asinh": {float: special.Asinh64, loop32: special.AsinhF32,
			complex: narrowWithin(special.CAsinhNarrow, refmath.CAsinh), narrowComplex: special.CAsinhNarrow},
		"chlo.atan": {float: special.Atan64, narrow: special.AtanNarrow,
			complex: narrowWithin(special.CAtanNarrow, refmath.CAtan), narrowComplex: special.CAtanNarrow},
		"chlo.atanh": {float: special.Atanh64, loop32: special.AtanhF32,
			complex: narrowWithin(special.CAtanhNarrow, refmath.CAtanh), narrowComplex: special.CAtanhNarrow},
		"chlo.bessel_i1e": {float: special.BesselI1e, narrow: special.BesselI1eNarrow,
			loop32: special.BesselI1eF32},
		"chlo.cosh":    {complex: special.CCosh, loop32: special.CoshF32, loop64: special.CoshF64},
		"chlo.digamma": {float: special.Digamma, narrow: special.DigammaNarrow},
		"chlo.lgamma":  {float: special.Lgamma, narrow: special.LgammaNarrow},
		"chlo.sinh":    {complex: special.CSinh, loop32: special.SinhF32, loop64: special.SinhF64},
		"nx.bessel_i0e": {float: special.BesselI0e, narrow: special.BesselI0eNarrow,
			loop32: special.BesselI0eF32},
		"chlo._asin_acos_kernel": {complex: refmath.CAsinAcosKernel, narrowComplex: special.CAsinAcosKernelNarrow},
	}
}

// calls2 are the functions of two operands.
var calls2 lazy.Value[map[string]named2]

type named2 struct{ float, narrow func(x, y float64) float64 }

func listCalls2() map[string]named2 {
	return map[string]named2{
		"chlo.polygamma": {special.Polygamma, special.PolygammaNarrow},
		"chlo.zeta":      {special.Zeta, special.ZetaNarrow},
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
		kernel.Exp: special.ExpF32, kernel.Expm1: special.Expm1F32, kernel.Log: special.LogF32,
		kernel.Log1p: special.Log1pF32,
		kernel.Tanh:  special.TanhF32, kernel.Logistic: special.LogisticF32, kernel.Sin: special.SinF32,
		kernel.Cos: special.CosF32,
		kernel.Tan: special.TanF32, kernel.Sqrt: special.SqrtF32, kernel.Rsqrt: special.RsqrtF32,
		kernel.Cbrt: special.CbrtF32,
		kernel.Erf:  special.ErfF32, kernel.Erfc: special.ErfcF32, kernel.ErfInv: special.ErfInvF32,
	}
}

var loops64 lazy.Value[map[kernel.Op]func(d, a []float64)]

func listLoops64() map[kernel.Op]func(d, a []float64) {
	return map[kernel.Op]func(d, a []float64){
		kernel.Exp: special.ExpF64, kernel.Expm1: special.Expm1F64, kernel.Log: special.LogF64,
		kernel.Log1p: special.Log1pF64,
		kernel.Tanh:  special.TanhF64, kernel.Logistic: special.LogisticF64, kernel.Sin: special.SinF64,
		kernel.Cos: special.CosF64,
		kernel.Tan: special.TanF64, kernel.Sqrt: special.SqrtF64, kernel.Rsqrt: special.RsqrtF64,
		kernel.Cbrt: special.CbrtF64, kernel.Erf: special.ErfF64, kernel.Erfc: special.ErfcF64,
		kernel.ErfInv: each[float64](special.ErfInv64),
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
			special.PowF32(d[:], []float32{x}, []float32{y})
			return d[0]
		}
	case kernel.Atan2: // rounding hides their error
		f = special.Atan2Narrow
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
			special.PowF64(d[:], []float64{x}, []float64{y})
			return d[0]
		}
	case kernel.Atan2:
		return special.Atan2
	}
	return calls2.Get(listCalls2)[in.Func].float
}

// complexFuncs are the complex functions: within a few ulp of the larger part if kernels has them, else correctly
// rounded, and slow.
var complexFuncs lazy.Value[map[kernel.Op]func(complex128) complex128]

func listComplexFuncs() map[kernel.Op]func(complex128) complex128 {
	return map[kernel.Op]func(complex128) complex128{
		kernel.Exp: special.CExp, kernel.Log: special.CLog, kernel.Sqrt: special.CSqrt, kernel.Sin: special.CSin,
		kernel.Cos:   special.CCos,
		kernel.Conj:  cmplx.Conj,
		kernel.Expm1: special.CExpm1, kernel.Cbrt: refmath.CCbrt, kernel.Logistic: refmath.CLogistic,
		kernel.Square: special.CSquare,
		kernel.Log1p:  narrowWithin(special.CLog1pNarrow, refmath.CLog1p),
		kernel.Rsqrt:  narrowWithin(special.CRsqrtNarrow, refmath.CRsqrt),
		kernel.Tan:    narrowWithin(special.CTanNarrow, refmath.CTan),
		kernel.Tanh:   narrowWithin(special.CTanhNarrow, refmath.CTanh),
		kernel.Sign:   narrowWithin(special.CSignNarrow, refmath.CSign),
	}
}

// narrowWithin uses the function for complex64 if both parts are in its range: there it is within 4 ulp of the larger
// part of the result.
func narrowWithin(narrow, rounded func(complex128) complex128) func(complex128) complex128 {
	return func(z complex128) complex128 {
		if special.IsNarrow(real(z)) && special.IsNarrow(imag(z)) {
			return narrow(z)
		}
		return rounded(z)
	}
}

var complexFuncs2 lazy.Value[map[kernel.Op]func(z, w complex128) complex128]

func listComplexFuncs2() map[kernel.Op]func(z, w complex128) complex128 {
	return map[kernel.Op]func(z, w complex128) complex128{
		kernel.Mul: special.CMul, kernel.Div: special.CDiv, kernel.Pow: special.CPow, kernel.Atan2: refmath.CAtan2,
	}
}

// narrowComplexOps and narrowComplexOps2 replace those for complex64, whose rounding hides their error.
var (
	narrowComplexOps  lazy.Value[map[kernel.Op]func(complex128) complex128]
	narrowComplexOps2 lazy.Value[map[kernel.Op]func(z, w complex128) complex128]
)

func listNarrowComplexOps() map[kernel.Op]func(complex128) complex128 {
	return map[kernel.Op]func(complex128) complex128{
		kernel.Sign: special.CSignNarrow, kernel.Logistic: special.CLogisticNarrow, kernel.Expm1: special.CExpm1Narrow,
		kernel.Log1p: special.CLog1pNarrow,
		kernel.Tanh:  special.CTanhNarrow, kernel.Tan: special.CTanNarrow, kernel.Rsqrt: special.CRsqrtNarrow,
		kernel.Log: special.CLogNarrow, kernel.Sqrt: special.CSqrtNarrow,
	}
}

func listNarrowComplexOps2() map[kernel.Op]func(z, w complex128) complex128 {
	return map[kernel.Op]func(z, w complex128) complex128{kernel.Pow: special.CPowNarrow,
		kernel.Div: special.CDivNarrow, kernel.Atan2: special.CAtan2Narrow}
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
		return special.CAbs64
	}
	return special.CAbs
}

// Rounding returns the loop that rounds to a float type narrower than F32.
func Rounding(t dtype.Type) func(dst, src []float32) {
	switch t {
	case dtype.F16:
		return half.RoundF16
	case dtype.BF16:
		return half.RoundBF16
	}
	return func(dst, src []float32) {
		for i, x := range src {
			dst[i] = float32(t.Float64(t.FromFloat64(float64(x))))
		}
	}
}
