package xla

import (
	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernels/special"
	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/stablehlo"
)

// besselI0e writes nx.bessel_i0e, e^-|x| I₀(x), as package cpu computes it: by the power
// series up to 8, by a Chebyshev series of 1/|x| beyond. Types shorter than f32 compute in
// f32.
func besselI0e(e emit.Emitter, x *stablehlo.Value) *stablehlo.Value {
	d := x.Tensor().DType()
	if d != dtype.F64 && d != dtype.F32 {
		return e.Convert(besselI0e(e, e.Convert(x, dtype.F32)), d)
	}
	small, large := special.BesselSeries(0)
	a := e.Do(stablehlo.OpAbs, x)
	eight := e.Fill(a, 8)
	near, far := e.Do(stablehlo.OpMinimum, a, eight), e.Do(stablehlo.OpMaximum, a, eight)

	q := e.Scale(0.25, e.Square(near))
	sum := e.Fill(a, small[len(small)-1])
	for k := len(small) - 2; k >= 0; k-- {
		sum = e.Plus(small[k], e.Mul(sum, q))
	}
	series := e.Mul(sum, e.Exp(e.Neg(near)))

	t := e.Plus(-1, e.Div(e.Fill(a, 16), far))
	b1, b2 := e.Fill(a, 0), e.Fill(a, 0)
	for k := len(large) - 1; k > 0; k-- {
		b1, b2 = e.Plus(large[k], e.Sub(e.Scale(2, e.Mul(t, b1)), b2)), b1
	}
	tail := e.Mul(e.Plus(large[0], e.Sub(e.Mul(t, b1), b2)), e.Rsqrt(far))

	y := e.Select(e.Compare("LE", a, eight), series, tail)
	return e.Select(e.Compare("NE", x, x), x, y)
}
