package autodiff

import (
	"math"

	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/internal/lazy"
	"github.com/go-nx/nx/stablehlo"
)

// unaryJVPs hold the tangent of y = f(x), given the tangent d of x.
var unaryJVPs lazy.Value[map[stablehlo.OpCode]func(e emitter, x, y, d value) value]

func listUnaryJVPs() map[stablehlo.OpCode]func(e emitter, x, y, d value) value {
	return map[stablehlo.OpCode]func(e emitter, x, y, d value) value{
		stablehlo.OpAbs: jvpAbs,
		// 1/3·(1/y)²: 1/(3y²) would be 0·∞ at 0.
		stablehlo.OpCbrt: func(e emitter, x, y, d value) value {
			return e.Mul(d, e.Scale(1./3, e.Square(e.Div(e.Fill(y, 1), y))))
		},
		stablehlo.OpCosine:  func(e emitter, x, y, d value) value { return e.Mul(d, e.Neg(e.Do(stablehlo.OpSine, x))) },
		stablehlo.OpSine:    func(e emitter, x, y, d value) value { return e.Mul(d, e.Do(stablehlo.OpCosine, x)) },
		stablehlo.OpTan:     jvpTan,
		stablehlo.OpChloTan: jvpTan,
		stablehlo.OpTanh:    func(e emitter, x, y, d value) value { return e.Mul(d, tanhSlope(e, x, y)) },
		stablehlo.OpLogistic: func(e emitter, x, y, d value) value {
			return e.Mul(d, e.Mul(y, e.Do(stablehlo.OpLogistic, e.Neg(x))))
		},
		stablehlo.OpExponential: func(e emitter, x, y, d value) value {
			if z := minusAbsOf(x); z != nil {
				d = e.Keep(e.Compare("NE", z, e.Fill(z, 0)), d)
			}
			return e.Mul(d, y)
		},
		stablehlo.OpExponentialMinusOne: func(e emitter, x, y, d value) value { return e.Mul(d, e.Exp(x)) },
		stablehlo.OpSqrt:                func(e emitter, x, y, d value) value { return e.Div(d, e.Scale(2, y)) },
		stablehlo.OpRsqrt: func(e emitter, x, y, d value) value {
			return e.Mul(d, e.Scale(-0.5, e.Div(y, x)))
		},

		stablehlo.OpChloSquare: func(e emitter, x, y, d value) value { return e.Mul(d, e.Scale(2, x)) },
		stablehlo.OpChloSinh:   func(e emitter, x, y, d value) value { return e.Mul(d, e.Do(stablehlo.OpChloCosh, x)) },
		stablehlo.OpChloCosh:   func(e emitter, x, y, d value) value { return e.Mul(d, e.Do(stablehlo.OpChloSinh, x)) },
		stablehlo.OpChloAsin:   func(e emitter, x, y, d value) value { return e.Mul(d, e.Rsqrt(oneMinusSquare(e, x))) },
		stablehlo.OpChloAcos: func(e emitter, x, y, d value) value {
			return e.Mul(d, e.Neg(e.Rsqrt(oneMinusSquare(e, x))))
		},
		stablehlo.OpChloAtan: func(e emitter, x, y, d value) value {
			return e.Div(d, e.Plus(1, e.Square(finite(e, x))))
		},
		stablehlo.OpChloAsinh: jvpAsinh,
		// Two roots: the root of the product has the wrong sign in half of the complex plane.
		stablehlo.OpChloAcosh: func(e emitter, x, y, d value) value {
			return e.Mul(d, e.Mul(e.Rsqrt(e.Plus(-1, x)), e.Rsqrt(e.Plus(1, x))))
		},
		stablehlo.OpChloAtanh: func(e emitter, x, y, d value) value { return e.Div(d, oneMinusSquare(e, x)) },

		// The error function and related functions: erf′ = 2/√π e^(-x²).
		stablehlo.OpChloErf: func(e emitter, x, y, d value) value {
			return e.Mul(d, bell(e, x, 2/math.Sqrt(math.Pi)))
		},
		stablehlo.OpChloErfc: func(e emitter, x, y, d value) value {
			return e.Mul(d, bell(e, x, -2/math.Sqrt(math.Pi)))
		},
		stablehlo.OpChloErfInv: func(e emitter, x, y, d value) value {
			return e.Mul(d, e.Scale(math.Sqrt(math.Pi)/2, e.Exp(e.Square(y))))
		},
		stablehlo.OpChloLgamma: func(e emitter, x, y, d value) value {
			return e.Mul(d, e.Do(stablehlo.OpChloDigamma, x))
		},
		stablehlo.OpChloDigamma: func(e emitter, x, y, d value) value {
			return e.Mul(d, e.Do(stablehlo.OpChloPolygamma, e.Fill(x, 1), x))
		},
		stablehlo.OpChloBesselI1e: jvpBesselI1e,
		stablehlo.OpNxBesselI0e:   jvpBesselI0e,
	}
}

// jvpAbs selects the slope 1 or -1. For complex numbers it is the component of the tangent in the
// direction of x: 0 at 0. An infinite part dominates a finite one.
func jvpAbs(e emitter, x, y, d value) value {
	if !emit.IsComplex(x) {
		return e.Select(e.Compare("GE", x, e.Fill(x, 0)), d, e.Neg(d))
	}
	equals := func(v value, c float64) value { return e.Compare("EQ", v, e.Fill(v, c)) }
	isZero, isInfinite := equals(y, 0), equals(y, math.Inf(1))
	along := func(part value) value {
		infinite := equals(e.Do(stablehlo.OpAbs, part), math.Inf(1))
		return e.Keep(infinite, e.Do(stablehlo.OpSign, part))
	}
	re, im := along(e.Real(x)), along(e.Imag(x))
	length := e.Rsqrt(e.Add(e.Square(re), e.Square(im)))
	share := func(part, infinite, d value) value {
		slope := e.Select(isInfinite, e.Mul(infinite, length), e.Div(part, y))
		return e.Mul(d, e.Select(isZero, e.Fill(y, 0), slope))
	}
	return e.Add(share(e.Real(x), re, e.Real(d)), share(e.Imag(x), im, e.Imag(d)))
}

func jvpTan(e emitter, x, y, d value) value { return e.Mul(d, e.Plus(1, e.Square(y))) }

// oneMinusSquare returns 1 - x² as (1-x)(1+x), which is accurate for x near ±1.
func oneMinusSquare(e emitter, x value) value { return e.Mul(e.Minus(1, x), e.Plus(1, x)) }

// tanhSlope returns 1 - y² for y = tanh(x). For a real x it is e^(-2|x|)·(1+|y|)², which is also
// accurate for y near ±1.
func tanhSlope(e emitter, x, y value) value {
	if emit.IsComplex(x) {
		return oneMinusSquare(e, y)
	}
	decay := e.Exp(e.Scale(-2, e.Do(stablehlo.OpAbs, x)))
	return e.Mul(decay, e.Square(e.Plus(1, e.Do(stablehlo.OpAbs, y))))
}

// bell returns c·e^(-x²).
func bell(e emitter, x value, c float64) value {
	return e.Scale(c, e.Exp(e.Neg(e.Square(finite(e, x)))))
}

// jvpAsinh multiplies by 1/√(1+x²), or by 1/|x| for x so large that its square could overflow.
func jvpAsinh(e emitter, x, y, d value) value {
	slope := e.Rsqrt(e.Plus(1, e.Square(x)))
	if !emit.IsComplex(x) {
		a := e.Do(stablehlo.OpAbs, x)
		large := e.Fill(x, 2/math.Sqrt(emit.DTypeOf(x).Epsilon())) // 1 is negligible compared with x²
		slope = e.Select(e.Compare("GT", a, large), e.Div(e.Fill(x, 1), a), slope)
	}
	return e.Mul(d, slope)
}

// finite returns a real x with infinities replaced by a quarter of the largest number, and complex
// numbers unchanged. In a formula like 2x·e^(-x²), an infinite factor times zero would be NaN.
func finite(e emitter, x value) value {
	if emit.IsComplex(x) {
		return x
	}
	bound := emit.DTypeOf(x).MaxFinite() / 4
	return e.Do(stablehlo.OpClamp, e.Fill(x, -bound), x, e.Fill(x, bound))
}

// partial is the tangent of z = f(x, y) for the tangent d of one operand.
type partial func(e emitter, x, y, z, d value) value

// binaryJVPs hold the partials by x and by y.
var binaryJVPs lazy.Value[map[stablehlo.OpCode][2]partial]

func listBinaryJVPs() map[stablehlo.OpCode][2]partial {
	return map[stablehlo.OpCode][2]partial{
		stablehlo.OpSubtract: {
			func(e emitter, x, y, z, d value) value { return d },
			func(e emitter, x, y, z, d value) value { return e.Neg(d) },
		},
		// y·x^(y-1) is 0 for y = 0 and any x; ln(x)·x^y is 0 for x = 0 and y ≥ 0, and at ∞ where x^y is
		// 0.
		stablehlo.OpPower: {
			func(e emitter, x, y, z, d value) value {
				power := e.Do(stablehlo.OpPower, x, e.Plus(-1, y))
				if c, ok := splat(y); !ok || c == 0 {
					size := e.Do(stablehlo.OpAbs, power)
					isFinite := e.Compare("LT", size, e.Fill(size, math.Inf(1)))
					flat := e.Do(stablehlo.OpAnd, e.Compare("EQ", y, e.Fill(y, 0)), e.Do(stablehlo.OpNot, isFinite))
					power = e.Select(flat, e.Fill(x, 0), power)
				}
				return e.Mul(d, e.Mul(y, power))
			},
			func(e emitter, x, y, z, d value) value {
				is := func(v value, c float64) value { return e.Compare("EQ", v, e.Fill(v, c)) }
				or := func(p, q value) value { return e.Do(stablehlo.OpOr, p, q) }
				flat := e.Do(stablehlo.OpAnd, or(is(x, 0), is(x, math.Inf(1))), or(is(z, 0), is(y, 0)))
				return e.Mul(d, e.Mul(e.Log(e.Select(flat, e.Fill(x, 1), x)), z))
			},
		},
		// x - y·q with the integer q = (x - z)/y.
		stablehlo.OpRemainder: {
			func(e emitter, x, y, z, d value) value { return d },
			func(e emitter, x, y, z, d value) value {
				if emit.IsComplex(y) {
					emit.Fail("no derivative of stablehlo.remainder of complex numbers: their quotients are not integers")
				}
				return e.Mul(d, e.Neg(e.Do(stablehlo.OpRoundNearestEven, e.Div(e.Sub(x, z), y))))
			},
		},
		stablehlo.OpComplex: {
			func(e emitter, x, y, z, d value) value { return e.Do(stablehlo.OpComplex, d, e.Fill(d, 0)) },
			func(e emitter, x, y, z, d value) value { return e.Do(stablehlo.OpComplex, e.Fill(d, 0), d) },
		},
		// The neighbour of x is x plus a step that is constant between powers of 2.
		stablehlo.OpChloNextAfter: {
			func(e emitter, x, y, z, d value) value { return d },
			func(e emitter, x, y, z, d value) value { return nil },
		},
		stablehlo.OpChloPolygamma: {
			func(e emitter, x, y, z, d value) value {
				emit.Fail("no derivative of chlo.polygamma by its order")
				return nil
			},
			func(e emitter, x, y, z, d value) value {
				return e.Mul(d, e.Do(stablehlo.OpChloPolygamma, e.Plus(1, x), y))
			},
		},
		stablehlo.OpChloZeta: {
			func(e emitter, x, y, z, d value) value {
				emit.Fail("no derivative of chlo.zeta by its exponent")
				return nil
			},
			func(e emitter, x, y, z, d value) value {
				return e.Mul(d, e.Neg(e.Mul(x, e.Do(stablehlo.OpChloZeta, e.Plus(1, x), y))))
			},
		},
	}
}

// jvpAtan2 gives ẋ·y/(x²+y²) - ẏ·x/(x²+y²), computed from the quotient of the smaller by the
// larger operand, so that no square leaves the range of the type.
func jvpAtan2(t *tracer, op *stablehlo.Op) {
	t.append(op)
	x, y := op.Operands[0], op.Operands[1]
	var ofX, ofY func() value
	if emit.IsComplex(x) {
		squares := t.Emitter.Add(t.Square(x), t.Square(y))
		ofX, ofY = func() value { return t.Div(x, squares) }, func() value { return t.Div(y, squares) }
	} else {
		steep := t.Compare("GE", t.Do(stablehlo.OpAbs, x), t.Do(stablehlo.OpAbs, y))
		large, small := t.Select(steep, x, y), t.Select(steep, y, x)
		q := t.Div(small, large)
		ofLarge := t.Div(t.Fill(x, 1), t.Add(large, t.Mul(q, small)))
		ofSmall := t.Mul(q, ofLarge)
		ofX = func() value { return t.Select(steep, ofLarge, ofSmall) }
		ofY = func() value { return t.Select(steep, ofSmall, ofLarge) }
	}
	dx, dy := t.tangent[x], t.tangent[y]
	switch {
	case dy == nil:
		t.set(op.Result(), t.Mul(dx, ofY()))
	case dx == nil:
		t.set(op.Result(), t.Neg(t.Mul(dy, ofX())))
	default:
		t.set(op.Result(), t.Sub(t.Mul(dx, ofY()), t.Mul(dy, ofX())))
	}
}

// jvpExtremum is the tangent of the operand that is the result: half of each if both are, and zero
// for NaN.
func jvpExtremum(t *tracer, op *stablehlo.Op) {
	t.append(op)
	x, y := op.Operands[0], op.Operands[1]
	dx, dy := t.tangent[x], t.tangent[y]
	first, second := "GT", "LT"
	if op.Code == stablehlo.OpMinimum {
		first, second = second, first
	}
	tie, half := t.Compare("EQ", x, y), t.Fill(x, 0.5)
	share := func(d value, direction string) value {
		return t.Mul(d, t.Select(tie, half, t.Convert(t.Compare(direction, x, y), emit.DTypeOf(x))))
	}
	var sum value
	if dx != nil {
		sum = share(dx, first)
	}
	if dy != nil {
		sum = t.Sum(sum, share(dy, second))
	}
	t.set(op.Result(), sum)
}

// unary makes a row from a unary derivative.
func unary(f func(e emitter, x, y, d value) value) jvpRow {
	return func(t *tracer, op *stablehlo.Op) {
		t.append(op)
		x, y := op.Operands[0], op.Result()
		t.set(y, f(t.emitter, x, y, t.tangent[x]))
	}
}

// binary makes a row from two partial derivatives.
func binary(partials [2]partial) jvpRow {
	return func(t *tracer, op *stablehlo.Op) {
		t.append(op)
		x, y, z := op.Operands[0], op.Operands[1], op.Result()
		var sum value
		for i, v := range op.Operands {
			if d := t.tangent[v]; d != nil {
				sum = t.Sum(sum, partials[i](t.emitter, x, y, z, d))
			}
		}
		t.set(z, sum)
	}
}

// jvpSelect selects among the tangents.
func jvpSelect(t *tracer, op *stablehlo.Op) {
	t.append(op)
	x, y := op.Operands[1], op.Operands[2]
	dx, dy := t.OrZeros(t.tangent[x], x), t.OrZeros(t.tangent[y], y)
	t.set(op.Result(), t.Select(op.Operands[0], dx, dy))
}

// jvpClamp is the tangent of the operand on the closed interval, else that of the bound; if the
// bounds are exchanged, that of the upper one.
func jvpClamp(t *tracer, op *stablehlo.Op) {
	t.append(op)
	low, x, high := op.Operands[0], op.Operands[1], op.Operands[2]
	under := t.Compare("LT", x, t.Like(low, x))
	if t.tangent[low] == nil && t.tangent[high] == nil {
		outside := t.Do(stablehlo.OpOr, under, t.Compare("GT", x, t.Like(high, x)))
		t.set(op.Result(), t.Select(outside, t.Fill(x, 0), t.tangent[x]))
		return
	}
	over := t.Compare("GT", t.Do(stablehlo.OpMaximum, x, t.Like(low, x)), t.Like(high, x))
	bound := func(v value) value {
		if dv := t.tangent[v]; dv != nil {
			return t.Like(dv, x)
		}
		return t.Fill(x, 0)
	}
	d := t.Select(under, bound(low), t.OrZeros(t.tangent[x], x))
	t.set(op.Result(), t.Select(over, bound(high), d))
}
