package core

import (
	"math"
)

// Log2 implements nx.Log2.
func Log2(t Tensor) Tensor { return logarithm("Log2", t, math.Ln2) }

// Log10 implements nx.Log10.
func Log10(t Tensor) Tensor { return logarithm("Log10", t, math.Ln10) }

func logarithm(op string, t Tensor, base float64) Tensor {
	s := t.must(op)
	d := floating(s.DType, s.weak)
	if d.IsComplex() {
		z := Log(t) // whose parts may be infinite: a complex quotient would make them NaN
		return Complex(Div(Real(z), base), Div(Imag(z), base))
	}
	return converted(Div(Log(converted(t, F64)), base), d) // a quotient in f64 rounds once to narrower floats
}
