package interp

import (
	"math"
	"math/bits"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/refmath"
	"github.com/go-nx/nx/stablehlo"
)

// unary is the meaning of a unary op for each kind of element; nil for an unsupported kind.
type unary struct {
	integer func(d dtype.Type, x int64) int64 // also of Bool; the result is cut to the width
	float   func(x float64) float64
	fast    func(x float64) float64 // float within 2^-48 of its value, faster
	single  func(x float32) float32 // of F32 and narrower, where that differs from float
	test    func(x float64) bool    // a float op with a result of type Bool
	complex func(z complex128) complex128
	part    func(z complex128) float64 // a complex op with a real result
}

// unaryOps holds the unary elementwise ops.
var unaryOps = map[stablehlo.OpCode]unary{
	stablehlo.OpAbs:                 {integer: absInt, float: math.Abs, part: refmath.CAbs},
	stablehlo.OpCbrt:                {float: refmath.Cbrt, complex: refmath.CCbrt},
	stablehlo.OpCeil:                {float: math.Ceil},
	stablehlo.OpCosine:              {float: refmath.Cos, complex: refmath.CCos},
	stablehlo.OpCountLeadingZeros:   {integer: countLeadingZeros},
	stablehlo.OpExponential:         {float: refmath.Exp, fast: math.Exp, complex: refmath.CExp},
	stablehlo.OpExponentialMinusOne: {float: refmath.Expm1, fast: math.Expm1, complex: refmath.CExpm1},
	stablehlo.OpFloor:               {float: math.Floor},
	stablehlo.OpImag: {float: func(float64) float64 { return 0 },
		part: func(z complex128) float64 { return imag(z) }},
	stablehlo.OpIsFinite:   {test: isFinite},
	stablehlo.OpLog:        {float: refmath.Log, fast: math.Log, complex: refmath.CLog},
	stablehlo.OpLogPlusOne: {float: refmath.Log1p, fast: math.Log1p, complex: refmath.CLog1p},
	stablehlo.OpLogistic: {float: refmath.Logistic,
		fast: func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }, complex: refmath.CLogistic},
	stablehlo.OpNegate: {integer: func(_ dtype.Type, x int64) int64 { return -x }, float: negate,
		complex: func(z complex128) complex128 { return -z }},
	stablehlo.OpNot: {integer: not},
	stablehlo.OpPopcnt: {
		integer: func(d dtype.Type, x int64) int64 { return int64(bits.OnesCount64(bitsOf(d, x))) }},
	stablehlo.OpReal: {float: func(x float64) float64 { return x },
		part: func(z complex128) float64 { return real(z) }},
	stablehlo.OpRoundNearestAfz:    {float: math.Round},
	stablehlo.OpRoundNearestEven:   {float: math.RoundToEven},
	stablehlo.OpRsqrt:              {float: refmath.Rsqrt, complex: refmath.CRsqrt},
	stablehlo.OpSign:               {integer: signInt, float: sign, complex: refmath.CSign},
	stablehlo.OpSine:               {float: refmath.Sin, complex: refmath.CSin},
	stablehlo.OpSqrt:               {float: math.Sqrt, complex: refmath.CSqrt},
	stablehlo.OpTan:                {float: refmath.Tan, complex: refmath.CTan},
	stablehlo.OpTanh:               {float: refmath.Tanh, fast: math.Tanh, complex: refmath.CTanh},
	stablehlo.OpChloAcos:           {float: refmath.Acos, complex: refmath.CAcos},
	stablehlo.OpChloAcosh:          {float: refmath.Acosh, complex: refmath.CAcosh},
	stablehlo.OpChloAsin:           {float: refmath.Asin, complex: refmath.CAsin},
	stablehlo.OpChloAsinAcosKernel: {complex: refmath.CAsinAcosKernel},
	stablehlo.OpChloAsinh:          {float: refmath.Asinh, complex: refmath.CAsinh},
	stablehlo.OpChloAtan:           {float: refmath.Atan, complex: refmath.CAtan},
	stablehlo.OpChloAtanh:          {float: refmath.Atanh, complex: refmath.CAtanh},
	stablehlo.OpNxBesselI0e:        {float: refmath.BesselI0e},
	stablehlo.OpChloBesselI1e:      {float: refmath.BesselI1e},
	stablehlo.OpChloConj: {float: func(x float64) float64 { return x },
		complex: func(z complex128) complex128 { return complex(real(z), negate(imag(z))) }},
	stablehlo.OpChloCosh:     {float: refmath.Cosh, single: refmath.Cosh32, complex: refmath.CCosh},
	stablehlo.OpChloDigamma:  {float: refmath.Digamma},
	stablehlo.OpChloErf:      {float: refmath.Erf, fast: math.Erf},
	stablehlo.OpChloErfInv:   {float: refmath.ErfInv},
	stablehlo.OpChloErfc:     {float: refmath.Erfc, fast: math.Erfc},
	stablehlo.OpChloIsInf:    {test: func(x float64) bool { return math.IsInf(x, 0) }},
	stablehlo.OpChloIsNegInf: {test: func(x float64) bool { return math.IsInf(x, -1) }},
	stablehlo.OpChloIsPosInf: {test: func(x float64) bool { return math.IsInf(x, 1) }},
	stablehlo.OpChloLgamma:   {float: refmath.Lgamma},
	stablehlo.OpChloSinh:     {float: refmath.Sinh, single: refmath.Sinh32, complex: refmath.CSinh},
	stablehlo.OpChloSquare:   {float: func(x float64) float64 { return x * x }, complex: refmath.CSquare},
	stablehlo.OpChloTan:      {float: refmath.Tan, complex: refmath.CTan},
}

// unaryKernel returns the function that computes element i of a unary op on
// elements of type d, or nil.
func unaryKernel(op *stablehlo.Op, d dtype.Type) func(dst, x []byte, i int) {
	u := unaryOps[op.Code]
	switch k := d.Kind(); {
	case (d.IsInteger() || k == dtype.KindBool) && u.integer != nil:
		return func(dst, x []byte, i int) { d.StoreInt(dst, i, u.integer(d, d.LoadInt(x, i))) }
	case k == dtype.KindFloat && u.single != nil && d != dtype.F64:
		return func(dst, x []byte, i int) { d.StoreFloat(dst, i, float64(u.single(float32(d.LoadFloat(x, i))))) }
	case k == dtype.KindFloat && u.fast != nil && d != dtype.F64:
		return func(dst, x []byte, i int) { d.StoreBits(dst, i, roundFast(d, u, d.LoadFloat(x, i))) }
	case k == dtype.KindFloat && u.float != nil:
		return func(dst, x []byte, i int) { d.StoreFloat(dst, i, u.float(d.LoadFloat(x, i))) }
	case k == dtype.KindFloat && u.test != nil:
		return func(dst, x []byte, i int) { storeBool(dst, i, u.test(d.LoadFloat(x, i))) }
	case k == dtype.KindComplex && u.complex != nil:
		return func(dst, x []byte, i int) { d.StoreComplex(dst, i, u.complex(d.LoadComplex(x, i))) }
	case k == dtype.KindComplex && u.part != nil:
		return func(dst, x []byte, i int) { d.Real().StoreFloat(dst, i, u.part(d.LoadComplex(x, i))) }
	}
	return nil
}

// roundFast returns the bits of u.float(x) in a narrow type: those of u.quick
// where all numbers within its error are rounded alike.
func roundFast(d dtype.Type, u unary, x float64) uint64 {
	r := u.fast(x)
	e := r * 0x1p-48
	if lo := d.FromFloat64(r - e); lo == d.FromFloat64(r+e) {
		return lo
	}
	return d.FromFloat64(u.float(x))
}

func storeBool(dst []byte, i int, v bool) {
	dst[i] = 0
	if v {
		dst[i] = 1
	}
}

// bitsOf returns the bits of an integer, zero-extended.
func bitsOf(d dtype.Type, x int64) uint64 { return uint64(x) << (64 - d.Bits()) >> (64 - d.Bits()) }

// absInt wraps around for the smallest number, whose absolute value is itself.
func absInt(d dtype.Type, x int64) int64 {
	if d.IsSigned() && x < 0 {
		return -x
	}
	return x
}

func signInt(_ dtype.Type, x int64) int64 {
	switch {
	case x < 0:
		return -1
	case x > 0:
		return 1
	}
	return 0
}

func not(d dtype.Type, x int64) int64 {
	if d == dtype.Bool {
		return x ^ 1
	}
	return ^x
}

func countLeadingZeros(d dtype.Type, x int64) int64 {
	return int64(bits.LeadingZeros64(bitsOf(d, x)) - (64 - d.Bits()))
}

// negate flips the sign, also of zeros and NaNs.
func negate(x float64) float64 { return math.Copysign(x, -math.Copysign(1, x)) }

// sign keeps zeros and NaNs.
func sign(x float64) float64 {
	if x == 0 || x != x {
		return x
	}
	return math.Copysign(1, x)
}

func isFinite(x float64) bool { return x-x == 0 }
