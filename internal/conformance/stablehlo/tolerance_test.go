package stablehlo_test

import (
	"math"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
	"github.com/go-nx/nx/stablehlo/interp"
)

// tolerance is the allowed error of the result of an elementwise op in units in the last place, relative to
// the interpreter's, which is rounded once; and the reason.
type tolerance struct {
	f32, f64, complex float64
	c128              float64 // where it is more than complex
	near              float64 // how far a result of f64 near a zero of the function may be off
	reason            string
}

// ulps returns the tolerance of an element type; every result of a type that is computed in f32 and rounded to
// fewer bits may be off by one unit.
func (t tolerance) ulps(d dtype.Type) float64 {
	switch {
	case d == dtype.C128:
		return max(t.complex, t.c128)
	case d.IsComplex():
		return t.complex
	case d == dtype.F64:
		return t.f64
	case d == dtype.F32:
		return t.f32
	case d.IsFloat() && t.f32 > 0:
		return 1
	}
	return 0
}

const (
	polynomialF64 = "polynomials and sums in f64"
	packageMath   = "package math"
	inverse       = "a quotient and a root before an angle or a logarithm; of complex numbers of 32 bits in f64"
	parts         = "each part is a product of two functions that are 0.7 ulp off"
)

// tolerances lists the ops whose results need not be the interpreter's bits.
var tolerances = map[stablehlo.OpCode]tolerance{
	stablehlo.OpAbs: {complex: 1, reason: "of complex numbers: one step of Newton"},
	stablehlo.OpAtan2: {f32: 1, f64: 2, complex: 1,
		reason: packageMath + "; of complex numbers: a quotient, a root and a logarithm"},
	stablehlo.OpCbrt:                {f32: 1, f64: 1, reason: packageMath},
	stablehlo.OpCosine:              {f32: 1, f64: 1, complex: 4, reason: parts},
	stablehlo.OpDivide:              {complex: 4, reason: "a quotient by a quotient, in f64"},
	stablehlo.OpExponential:         {f32: 1, f64: 1, complex: 4, reason: parts},
	stablehlo.OpExponentialMinusOne: {f32: 1, f64: 1, complex: 1, c128: 4, reason: packageMath},
	stablehlo.OpLog:                 {f32: 1, f64: 1, complex: 2, reason: packageMath},
	stablehlo.OpLogPlusOne:          {f32: 1, f64: 1, complex: 1, c128: 4, reason: packageMath},
	stablehlo.OpLogistic:            {f32: 1, f64: 2, complex: 1, reason: "a sum and a quotient after the exponential"},
	stablehlo.OpMultiply:            {complex: 2, reason: "rounded products, which cancel in one part"},
	stablehlo.OpPower:               {f32: 1, f64: 1, complex: 1, c128: 6, reason: polynomialF64},
	stablehlo.OpRsqrt:               {f32: 1, f64: 1, complex: 1, c128: 4, reason: "a quotient by a root"},
	stablehlo.OpSine:                {f32: 1, f64: 1, complex: 4, reason: parts},
	stablehlo.OpSign:                {complex: 1, c128: 3, reason: "a quotient by |z|"},
	stablehlo.OpSqrt:                {complex: 2, reason: "a root of a sum with |z|"},
	stablehlo.OpTan:                 {f32: 1, f64: 2, complex: 1, c128: 4, reason: "the quotient of sine and cosine"},
	stablehlo.OpTanh:                {f32: 1, f64: 1, complex: 1, c128: 4, reason: packageMath},
	stablehlo.OpChloAcos:            {f32: 1, f64: 2, complex: 1, c128: 4, reason: inverse},
	stablehlo.OpChloAcosh:           {f32: 1, f64: 2, complex: 1, c128: 4, reason: inverse},
	stablehlo.OpChloAsin:            {f32: 1, f64: 2, complex: 1, c128: 4, reason: inverse},
	stablehlo.OpChloAsinh:           {f32: 1, f64: 2, complex: 1, c128: 4, reason: inverse},
	stablehlo.OpChloAtan:            {f32: 1, f64: 2, complex: 1, c128: 4, reason: inverse},
	stablehlo.OpChloAtanh:           {f32: 1, f64: 2, complex: 1, c128: 4, reason: inverse},
	stablehlo.OpChloBesselI1e:       {f32: 1, f64: 4, reason: polynomialF64},
	stablehlo.OpNxBesselI0e:         {f32: 1, f64: 4, reason: polynomialF64},
	stablehlo.OpChloCosh:            {f32: 1, f64: 2, complex: 4, reason: parts},
	stablehlo.OpChloDigamma:         {f32: 1, f64: 4, near: 1e-14, reason: polynomialF64},
	stablehlo.OpChloErfInv:          {f32: 1, f64: 3, reason: "package math and a step of Newton"},
	stablehlo.OpChloLgamma:          {f32: 1, f64: 4, near: 1e-14, reason: polynomialF64},
	stablehlo.OpChloPolygamma:       {f32: 1, f64: 4, near: 1e-14, reason: polynomialF64},
	stablehlo.OpChloSinh:            {f32: 1, f64: 2, complex: 4, reason: parts},
	stablehlo.OpChloZeta:            {f32: 1, f64: 4, reason: polynomialF64},
	stablehlo.OpChloErf:             {f32: 1, f64: 1, reason: packageMath},
	stablehlo.OpChloErfc:            {f32: 1, f64: 4, reason: packageMath},
	stablehlo.OpChloSquare:          {complex: 1, c128: 2, reason: "rounded products, which cancel in one part"},
	stablehlo.OpChloTan:             {f32: 1, f64: 2, complex: 1, c128: 4, reason: "the quotient of sine and cosine"},
}

// distance returns how far element i of x is from that of want, in numbers of the
// element type; of complex ones relative to the larger part. It is infinite where
// only one is a NaN; the largest number and infinity are neighbours, and so are
// zeros of both signs.
func distance(x, want *interp.Tensor, i int) float64 {
	d := want.Type.DType()
	if !d.IsComplex() {
		return steps(d, d.LoadBits(x.Data, i), d.LoadBits(want.Data, i))
	}
	d = d.Real()
	most, scale := 0.0, math.Abs(d.LoadFloat(want.Data, 2*i))
	if s := math.Abs(d.LoadFloat(want.Data, 2*i+1)); s > scale {
		scale = s
	}
	unit := d.NextAfter(scale, math.Inf(1)) - scale
	for k := 2 * i; k < 2*i+2; k++ {
		a, b := d.LoadFloat(x.Data, k), d.LoadFloat(want.Data, k)
		n := steps(d, d.LoadBits(x.Data, k), d.LoadBits(want.Data, k))
		if off := math.Abs(a-b) / unit; off < n {
			n = off
		}
		most = max(most, n)
	}
	return most
}

// steps returns the number of steps between two numbers of a type, given by their bits.
func steps(d dtype.Type, a, b uint64) float64 {
	x, y := d.Float64(a), d.Float64(b)
	if x != x || y != y {
		if x != x && y != y {
			return 0
		}
		return math.Inf(1)
	}
	place := func(bits uint64) int64 {
		if sign := uint64(1) << (d.Bits() - 1); d.HasNegative() && bits&sign != 0 {
			return -1 - int64(bits&^sign)
		}
		return int64(bits)
	}
	if p, q := place(a), place(b); p < 0 == (q < 0) {
		return math.Abs(float64(p - q))
	} else {
		return math.Abs(float64(p)) + math.Abs(float64(q))
	}
}
