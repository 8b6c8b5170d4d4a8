package functions

import (
	"math"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/kernels/special"
)

// reduceQuadrant returns n and r with x = n·π/2 + r and |r| ≤ π/4, the integer n in the low bits. Large angles bail
// out.
func (b *body) reduceQuadrant(x kernel.Value) (n, r kernel.Value) {
	b.bailOut(b.op2(kernel.GE, b.magnitude(x), b.u32(special.Sine.LargeAngle)))
	v, round := b.widen(x), b.f64(special.Sine.RoundToInt)
	t := b.plus(b.times(v, b.f64(2/math.Pi)), round)
	turns := b.minus(t, round)
	r = b.minus(v, b.times(turns, b.f64(special.Sine.HalfPi)))
	return b.bitcast(t, dtype.U64), b.minus(r, b.times(turns, b.f64(special.Sine.HalfPiRest)))
}

// sine returns sin(n·π/2 + r): in even quadrants ±r times a polynomial in r², in odd ones ±1 times another.
func (b *body) sine(n, r kernel.Value) kernel.Value {
	z := b.times(r, r)
	zero := b.u64(0)
	odd := b.op2(kernel.NE, b.op2(kernel.And, n, b.u64(1)), zero)
	coefs := make([]kernel.Value, len(special.Sine.Sin))
	for i := range coefs {
		coefs[i] = b.choose(odd, b.f64(special.Sine.Cos[i]), b.f64(special.Sine.Sin[i]))
	}
	sign := b.op2(kernel.Shl, b.op2(kernel.And, n, b.u64(2)), b.u64(62))
	signed := func(x kernel.Value) kernel.Value {
		return b.bitcast(b.op2(kernel.Xor, b.bitcast(x, dtype.U64), sign), dtype.F64)
	}
	// -0 + r is r, also for zeros of both signs.
	p := signed(b.choose(odd, b.f64(1), b.f64(math.Copysign(0, -1))))
	q := signed(b.choose(odd, b.f64(0), b.f64(1)))
	return b.times(b.plus(p, b.times(q, r)), b.horner(z, coefs...))
}

func sinF32(b *body, x []kernel.Value) kernel.Value { return b.narrow(b.sine(b.reduceQuadrant(x[0]))) }

func cosF32(b *body, x []kernel.Value) kernel.Value {
	n, r := b.reduceQuadrant(x[0])
	return b.narrow(b.sine(b.plus(n, b.u64(1)), r))
}

func tanF32(b *body, x []kernel.Value) kernel.Value {
	n, r := b.reduceQuadrant(x[0])
	return b.narrow(b.over(b.sine(n, r), b.sine(b.plus(n, b.u64(1)), r)))
}
