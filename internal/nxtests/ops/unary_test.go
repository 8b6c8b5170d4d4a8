package ops_test

import (
	"bytes"
	"fmt"
	"math"
	"math/cmplx"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/nxtests/kit"
	"github.com/go-nx/nx/internal/refmath"
)

// unaryCase is a unary op and what it should be; a nil function means that the
// op is not defined for that kind.
type unaryCase struct {
	name    string
	f       func(nx.Tensor) nx.Tensor
	bools   func(bool) any // nil: as u8
	signed  func(int64) any
	uns     func(uint64) any
	floats  func(float64) any
	complex func(complex128) any
	result  func(nx.DType) nx.DType
	ulps    float64
}

// real functions of floats, integers being f32.
func floatCase(name string, f func(nx.Tensor) nx.Tensor, want func(float64) float64,
	complex func(complex128) complex128) unaryCase {
	c := unaryCase{name: name, f: f, result: kit.ToFloat, ulps: 4,
		signed: func(v int64) any { return want(float64(float32(v))) },
		uns:    func(v uint64) any { return want(float64(float32(v))) },
		floats: func(v float64) any { return want(v) }}
	if complex != nil {
		c.complex = func(v complex128) any { return complex(v) }
	}
	return c
}

// roundCase rounds floats and leaves integers.
func roundCase(name string, f func(nx.Tensor) nx.Tensor, want func(float64) float64) unaryCase {
	return unaryCase{name: name, f: f, result: same,
		signed: func(v int64) any { return v }, uns: func(v uint64) any { return v },
		floats: func(v float64) any { return want(v) }}
}

// isCase is a property of floats that integers have or not.
func isCase(name string, f func(nx.Tensor) nx.Tensor, ints bool, want func(float64) bool,
	complex func(a, b bool) bool) unaryCase {
	return unaryCase{name: name, f: f, result: toBool,
		signed: func(int64) any { return ints }, uns: func(uint64) any { return ints },
		floats:  func(v float64) any { return want(v) },
		complex: func(v complex128) any { return complex(want(real(v)), want(imag(v))) }}
}

func and(a, b bool) bool { return a && b }

func or(a, b bool) bool { return a || b }

func realPart(d nx.DType) nx.DType { return kit.ToFloat(d).Real() }

var unaryCases = []unaryCase{
	{name: "Neg", f: nx.Neg, result: same,
		signed: func(v int64) any { return -v }, uns: func(v uint64) any { return -v },
		floats: func(v float64) any { return -v }, complex: func(v complex128) any { return -v }},
	{name: "Abs", f: nx.Abs, result: func(d nx.DType) nx.DType { return d.Real() }, ulps: 1,
		signed: func(v int64) any { return max(v, -v) }, uns: func(v uint64) any { return v },
		floats: func(v float64) any { return math.Abs(v) }, complex: func(v complex128) any { return cmplx.Abs(v) }},
	{name: "Sign", f: nx.Sign, result: same,
		signed: func(v int64) any { return int64(sign(v < 0, v > 0)) }, uns: func(v uint64) any { return min(v, 1) },
		floats: func(v float64) any {
			if v == 0 || v != v {
				return v
			}
			return math.Copysign(1, v)
		},
		complex: func(v complex128) any {
			if v == 0 {
				return v
			}
			return v / complex(cmplx.Abs(v), 0)
		}},
	roundCase("Floor", nx.Floor, math.Floor),
	roundCase("Ceil", nx.Ceil, math.Ceil),
	roundCase("Round", nx.Round, math.Round),
	roundCase("RoundEven", nx.RoundEven, math.RoundToEven),
	{name: "BitwiseNot", f: nx.BitwiseNot, result: same,
		bools: func(v bool) any { return !v }, signed: func(v int64) any { return ^v },
		uns: func(v uint64) any { return ^v }},
	{name: "LogicalNot", f: nx.LogicalNot, result: toBool,
		bools: func(v bool) any { return !v }, signed: func(v int64) any { return v == 0 },
		uns: func(v uint64) any { return v == 0 }, floats: func(v float64) any { return v == 0 },
		complex: func(v complex128) any { return v == 0 }},
	isCase("IsNaN", nx.IsNaN, false, func(v float64) bool { return v != v }, or),
	isCase("IsInf", nx.IsInf, false, func(v float64) bool { return math.IsInf(v, 0) }, or),
	isCase("IsFinite", nx.IsFinite, true, func(v float64) bool { return !math.IsInf(v, 0) && v == v }, and),
	{name: "Real", f: nx.Real, result: realPart,
		signed: func(v int64) any { return float64(v) }, uns: func(v uint64) any { return float64(v) },
		floats: func(v float64) any { return v }, complex: func(v complex128) any { return real(v) }},
	{name: "Imag", f: nx.Imag, result: realPart,
		signed: func(v int64) any { return 0.0 }, uns: func(v uint64) any { return 0.0 },
		floats: func(v float64) any { return 0.0 }, complex: func(v complex128) any { return imag(v) }},
	{name: "Conj", f: nx.Conj, result: same, bools: func(v bool) any { return v },
		signed: func(v int64) any { return v }, uns: func(v uint64) any { return v },
		floats: func(v float64) any { return v }, complex: func(v complex128) any { return cmplx.Conj(v) }},
	{name: "Relu", f: nx.Relu, result: same,
		signed: func(v int64) any { return max(v, 0) }, uns: func(v uint64) any { return v },
		floats: func(v float64) any { return max(v, 0) }},
	floatCase("Exp", nx.Exp, math.Exp, cmplx.Exp),
	floatCase("Expm1", nx.Expm1, math.Expm1, nil),
	floatCase("Log", nx.Log, math.Log, nil),
	floatCase("Log1p", nx.Log1p, math.Log1p, nil),
	floatCase("Sigmoid", nx.Sigmoid, func(v float64) float64 { return 1 / (1 + math.Exp(-v)) }, nil),
	floatCase("Sin", nx.Sin, refmath.Sin, cmplx.Sin),
	floatCase("Cos", nx.Cos, refmath.Cos, cmplx.Cos),
	floatCase("Tan", nx.Tan, refmath.Tan, cmplx.Tan),
	floatCase("Tanh", nx.Tanh, math.Tanh, cmplx.Tanh),
	floatCase("Sinh", nx.Sinh, refmath.Sinh, cmplx.Sinh),
	floatCase("Cosh", nx.Cosh, refmath.Cosh, cmplx.Cosh),
	floatCase("Asin", nx.Asin, math.Asin, nil),
	floatCase("Acos", nx.Acos, math.Acos, nil),
	floatCase("Atan", nx.Atan, math.Atan, nil),
	floatCase("Asinh", nx.Asinh, math.Asinh, nil),
	floatCase("Acosh", nx.Acosh, math.Acosh, nil),
	floatCase("Atanh", nx.Atanh, math.Atanh, nil),
	floatCase("Sqrt", nx.Sqrt, math.Sqrt, cmplx.Sqrt),
	floatCase("Rsqrt", nx.Rsqrt, func(v float64) float64 { return 1 / math.Sqrt(v) }, nil),
	floatCase("Cbrt", nx.Cbrt, math.Cbrt, nil),
	floatCase("Erf", nx.Erf, math.Erf, nil),
	floatCase("Erfc", nx.Erfc, math.Erfc, nil),
	floatCase("BesselI0e", nx.BesselI0e, refmath.BesselI0e, nil),
	floatCase("ErfInv", nx.ErfInv, math.Erfinv, nil),
}

// expect returns what the case says about an element, and whether it says anything.
func (c *unaryCase) expect(x any) (want any, defined bool) {
	switch x := x.(type) {
	case bool:
		switch {
		case c.bools != nil:
			return c.bools(x), true
		case c.uns != nil:
			return c.uns(uint64(kit.BoolToInt(x))), true
		}
	case int64:
		if c.signed != nil {
			return c.signed(x), true
		}
	case uint64:
		if c.uns != nil {
			return c.uns(x), true
		}
	case float64:
		if c.floats != nil {
			return c.floats(x), true
		}
	case complex128:
		if c.complex != nil {
			return c.complex(x), true
		}
	}
	return nil, false
}

func TestUnaryOps(t *testing.T) {
	for _, c := range unaryCases {
		for _, d := range kit.DTypes {
			s := kit.Samples(d)
			x := kit.Encode(d, nx.Shape{len(s)}, s)
			what := fmt.Sprintf("%s of %s", c.name, d)
			b := nx.Bytes(x)
			if _, defined := c.expect(kit.LoadElement(d, b, 0)); !defined {
				if !d.IsComplex() && kit.Caught(func() { c.f(x) }) == nil {
					t.Errorf("%s is defined", what)
				}
				continue
			}
			out := c.result(d)
			if d == nx.Bool && c.bools == nil && out == nx.Bool && c.uns(0) == any(uint64(0)) {
				out = nx.U8
			}
			ulps := c.ulps
			if d.IsComplex() && (ulps > 0 || c.name == "Sign") {
				ulps = 8
			}
			if d.Bits() <= 16 && d.IsFloat() && ulps > 0 {
				ulps = 1 // of the narrow type
			}
			kit.CheckElements(t, what, c.f(x), out, ulps, func(i int) any {
				want, _ := c.expect(kit.LoadElement(d, b, i))
				return want
			})
		}
	}
}

// TestCast converts every type to every other.
func TestCast(t *testing.T) {
	for _, from := range kit.DTypes {
		s := kit.Samples(from)
		x := kit.Encode(from, nx.Shape{len(s)}, s)
		b := nx.Bytes(x)
		for _, to := range kit.DTypes {
			kit.CheckElements(t, fmt.Sprintf("%s to %s", from, to), nx.Cast(x, to), to, 0,
				func(i int) any { return convert(kit.LoadElement(from, b, i), to) })
		}
	}
}

// convert is Cast by hand.
func convert(v any, to nx.DType) any {
	if c, ok := v.(complex128); ok && !to.IsComplex() {
		if to == nx.Bool {
			return c != 0
		}
		v = real(c)
	}
	switch v := v.(type) {
	case bool:
		return convert(int64(kit.BoolToInt(v)), to)
	case int64:
		return fromFloat(float64(v), v != 0, to, v)
	case uint64:
		return fromFloat(float64(v), v != 0, to, v)
	case float64:
		switch {
		case to.IsInteger():
			return saturate(v, to)
		}
		return fromFloat(v, v != 0, to, nil)
	}
	return v
}

// fromFloat returns a number whose float value is f as a bool, a float, a
// complex or, wrapped, the integer exact.
func fromFloat(f float64, truth bool, to nx.DType, exact any) any {
	switch {
	case to == nx.Bool:
		return truth
	case to.IsComplex():
		r := to.Real()
		return complex(r.Float64(r.FromFloat64(f)), 0)
	case to.IsFloat():
		return f
	}
	return exact
}

func saturate(v float64, to nx.DType) any {
	v = math.Trunc(v)
	if to.IsSigned() {
		switch {
		case v != v:
			return int64(0)
		case v <= float64(to.MinInt()):
			return to.MinInt()
		case v >= float64(to.MaxInt()):
			return int64(to.MaxInt())
		}
		return int64(v)
	}
	switch {
	case v != v || v <= 0:
		return uint64(0)
	case v >= float64(to.MaxInt()):
		return to.MaxInt()
	}
	return uint64(v)
}

// TestBitcast keeps the bits.
func TestBitcast(t *testing.T) {
	for _, from := range kit.DTypes {
		for _, to := range kit.DTypes {
			s := kit.Samples(from)
			x := kit.Encode(from, nx.Shape{len(s)}, s)
			number := func(d nx.DType) bool { return d != nx.Bool && !d.IsComplex() }
			var got nx.Tensor
			err := kit.Caught(func() { got = nx.Bitcast(x, to) })
			switch {
			case from != to && (!number(from) || !number(to) || from.Bits() != to.Bits()):
				if err == nil {
					t.Errorf("%s to %s is defined", from, to)
				}
			case err != nil:
				t.Errorf("%s to %s: %v", from, to, err)
			case from.IsComplex(): // as it is
			case got.DType() != to:
				t.Errorf("%s to %s is %s", from, to, got.DType())
			default:
				a, b := nx.Bytes(x), nx.Bytes(got)
				for i := range s {
					if from.LoadBits(a, i) != to.LoadBits(b, i) {
						t.Errorf("%s to %s: element %d is %x, want %x", from, to, i, to.LoadBits(b, i),
							from.LoadBits(a, i))
					}
				}
			}
		}
	}
}

func TestComplexParts(t *testing.T) {
	re, im := nx.New([]float32{1, -2}), nx.New([]float32{3, 0.5})
	c := nx.Complex(re, im)
	kit.CheckElements(t, "Complex", c, nx.C64, 0, func(i int) any { return []complex128{1 + 3i, -2 + 0.5i}[i] })
	kit.CheckElements(t, "Complex of f64", nx.Complex(nx.Cast(re, nx.F64), 1), nx.C128, 0,
		func(i int) any { return []complex128{1 + 1i, -2 + 1i}[i] })
	kit.CheckElements(t, "Conj", nx.Conj(c), nx.C64, 0, func(i int) any { return []complex128{1 - 3i, -2 - 0.5i}[i] })
}

// TestLogarithmsOfComplexEdges: the logarithms of 0 and of infinities have angles.
func TestLogarithmsOfComplexEdges(t *testing.T) {
	z := nx.New([]complex128{complex(math.Copysign(0, -1), 0), complex(0, math.Inf(-1)), complex(math.Inf(1), 0)})
	angles := []float64{math.Pi, -math.Pi / 2, 0}
	sizes := []float64{math.Inf(-1), math.Inf(1), math.Inf(1)}
	for base, f := range map[float64]func(nx.Tensor) nx.Tensor{math.E: nx.Log, 2: nx.Log2, 10: nx.Log10} {
		for i, got := range nx.Data[complex128](f(z)) {
			if want := angles[i] / math.Log(base); real(got) != sizes[i] ||
				math.Abs(imag(got)-want) > 1e-15*math.Abs(want) {
				t.Errorf("logarithm to base %v of %v: %v, want %v and the angle %v", base, z.At(i), got, sizes[i], want)
			}
		}
	}
}

// TestExpm1OfSubnormals: near 0 the result is x, to the last digit, its sign too.
func TestExpm1OfSubnormals(t *testing.T) {
	for _, d := range []nx.DType{nx.F16, nx.BF16, nx.F32, nx.F64} {
		least := d.SmallestSubnormal()
		var x []float64
		for n := range 40 {
			x = append(x, float64(n)*least, math.Copysign(float64(n)*least, -1))
		}
		in := nx.New(x, nx.As(d))
		out := nx.Expm1(in)
		if a, b := nx.Bytes(in), nx.Bytes(out); !bytes.Equal(a, b) {
			t.Errorf("%s: expm1 of %v is %v", d, in, out)
		}
	}
}
