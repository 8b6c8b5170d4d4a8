package autodiff

import (
	"math"

	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/stablehlo"
)

// unaryJVPs hold the tangent of y = f(x), given the tangent d of x.
var unaryJVPs = map[stablehlo.OpCode]func(e emitter, x, y, d value) value{
	stablehlo.OpAbs: func(e emitter, x, y, d value) value {
		if !emit.IsComplex(x) {
			return e.Select(e.Compare("GE", x, e.Fill(x, 0)), d, e.Neg(d))
		}
		// Re(z̄·d)/|z|, and 0 at 0.
		zero := e.Compare("EQ", y, e.Fill(y, 0))
		inverse := e.Select(zero, e.Fill(y, 0), e.Div(e.Fill(y, 1), y))
		return e.Mul(e.Real(e.Mul(e.Conj(x), d)), inverse)
	},
	stablehlo.OpCbrt:     func(e emitter, x, y, d value) value { return e.Div(d, e.Scale(3, e.Square(y))) },
	stablehlo.OpCosine:   func(e emitter, x, y, d value) value { return e.Mul(d, e.Neg(e.Do(stablehlo.OpSine, x))) },
	stablehlo.OpSine:     func(e emitter, x, y, d value) value { return e.Mul(d, e.Do(stablehlo.OpCosine, x)) },
	stablehlo.OpTan:      jvpTan,
	stablehlo.OpChloTan:  jvpTan,
	stablehlo.OpTanh:     func(e emitter, x, y, d value) value { return e.Mul(d, oneMinusSquare(e, y)) },
	stablehlo.OpLogistic: func(e emitter, x, y, d value) value { return e.Mul(d, e.Mul(y, e.Minus(1, y))) },
	stablehlo.OpExponential: func(e emitter, x, y, d value) value {
		if z := minusAbsOf(x); z != nil {
			d = e.Keep(e.Compare("NE", z, e.Fill(z, 0)), d)
		}
		return e.Mul(d, y)
	},
	stablehlo.OpExponentialMinusOne: func(e emitter, x, y, d value) value { return e.Mul(d, e.Plus(1, y)) },
	stablehlo.OpSqrt:                func(e emitter, x, y, d value) value { return e.Div(d, e.Scale(2, y)) },
	stablehlo.OpRsqrt:               func(e emitter, x, y, d value) value { return e.Mul(d, e.Scale(-0.5, e.Div(y, x))) },

	stablehlo.OpChloSquare: func(e emitter, x, y, d value) value { return e.Mul(d, e.Scale(2, x)) },
	stablehlo.OpChloSinh:   func(e emitter, x, y, d value) value { return e.Mul(d, e.Do(stablehlo.OpChloCosh, x)) },
	stablehlo.OpChloCosh:   func(e emitter, x, y, d value) value { return e.Mul(d, e.Do(stablehlo.OpChloSinh, x)) },
	stablehlo.OpChloAsin:   func(e emitter, x, y, d value) value { return e.Mul(d, e.Rsqrt(oneMinusSquare(e, x))) },
	stablehlo.OpChloAcos:   func(e emitter, x, y, d value) value { return e.Mul(d, e.Neg(e.Rsqrt(oneMinusSquare(e, x)))) },
	stablehlo.OpChloAtan:   func(e emitter, x, y, d value) value { return e.Div(d, e.Plus(1, e.Square(x))) },
	stablehlo.OpChloAsinh:  func(e emitter, x, y, d value) value { return e.Mul(d, e.Rsqrt(e.Plus(1, e.Square(x)))) },
	// Two roots: that of the product has the wrong sign in half of the complex plane.
	stablehlo.OpChloAcosh: func(e emitter, x, y, d value) value {
		return e.Mul(d, e.Mul(e.Rsqrt(e.Plus(-1, x)), e.Rsqrt(e.Plus(1, x))))
	},
	stablehlo.OpChloAtanh: func(e emitter, x, y, d value) value { return e.Div(d, oneMinusSquare(e, x)) },

	// The error function and its kin: erf′ = 2/√π e^(-x²).
	stablehlo.OpChloErf:  func(e emitter, x, y, d value) value { return e.Mul(d, bell(e, x, 2/math.Sqrt(math.Pi))) },
	stablehlo.OpChloErfc: func(e emitter, x, y, d value) value { return e.Mul(d, bell(e, x, -2/math.Sqrt(math.Pi))) },
	stablehlo.OpChloErfInv: func(e emitter, x, y, d value) value {
		return e.Mul(d, e.Scale(math.Sqrt(math.Pi)/2, e.Exp(e.Square(y))))
	},
	stablehlo.OpChloLgamma: func(e emitter, x, y, d value) value { return e.Mul(d, e.Do(stablehlo.OpChloDigamma, x)) },
	stablehlo.OpChloDigamma: func(e emitter, x, y, d value) value {
		return e.Mul(d, e.Do(stablehlo.OpChloPolygamma, e.Fill(x, 1), x))
	},
	stablehlo.OpChloBesselI1e: jvpBesselI1e,
	stablehlo.OpNxBesselI0e: func(e emitter, x, y, d value) value {
		return e.Mul(d, e.Sub(e.Do(stablehlo.OpChloBesselI1e, x), e.Mul(e.Do(stablehlo.OpSign, x), y)))
	},
}

// minusAbsOf returns z for a value that is -|z|, else nil. At z = 0, e^-|z| has
// the slopes 1 and -1: the derivative is their mean, so that the smooth
// max(a, b) + log(1 + e^-|a-b|), softplus among others, has its own at a = b.
func minusAbsOf(x value) value {
	op := x.Op()
	if op == nil || op.Code != stablehlo.OpNegate {
		return nil
	}
	if op = op.Operands[0].Op(); op == nil || op.Code != stablehlo.OpAbs || emit.IsComplex(op.Operands[0]) {
		return nil
	}
	return op.Operands[0]
}

func jvpTan(e emitter, x, y, d value) value { return e.Mul(d, e.Plus(1, e.Square(y))) }

// oneMinusSquare returns 1 - x² as (1-x)(1+x), which is precise where x is near ±1.
func oneMinusSquare(e emitter, x value) value { return e.Mul(e.Minus(1, x), e.Plus(1, x)) }

// bell returns c·e^(-x²).
func bell(e emitter, x value, c float64) value { return e.Scale(c, e.Exp(e.Neg(e.Square(x)))) }

// partial is the tangent of z = f(x, y) that the tangent d of one operand gives.
type partial func(e emitter, x, y, z, d value) value

// binaryJVPs hold the partials by x and by y.
var binaryJVPs = map[stablehlo.OpCode][2]partial{
	stablehlo.OpAdd: {
		func(e emitter, x, y, z, d value) value { return d },
		func(e emitter, x, y, z, d value) value { return d },
	},
	stablehlo.OpSubtract: {
		func(e emitter, x, y, z, d value) value { return d },
		func(e emitter, x, y, z, d value) value { return e.Neg(d) },
	},
	stablehlo.OpMultiply: {
		func(e emitter, x, y, z, d value) value { return times(e, d, y) },
		func(e emitter, x, y, z, d value) value { return times(e, d, x) },
	},
	stablehlo.OpDivide: {
		func(e emitter, x, y, z, d value) value { return e.Div(d, y) },
		func(e emitter, x, y, z, d value) value { return e.Mul(d, e.Neg(e.Div(z, y))) },
	},
	// y·x^(y-1) is 0 for y = 0, whatever x is; ln(x)·x^y is 0 for x = 0.
	stablehlo.OpPower: {
		func(e emitter, x, y, z, d value) value {
			exponent := e.Select(e.Compare("EQ", y, e.Fill(y, 0)), e.Fill(y, 1), e.Plus(-1, y))
			return e.Mul(d, e.Mul(y, e.Do(stablehlo.OpPower, x, exponent)))
		},
		func(e emitter, x, y, z, d value) value {
			base := e.Select(e.Compare("EQ", x, e.Fill(x, 0)), e.Fill(x, 1), x)
			return e.Mul(d, e.Mul(e.Log(base), z))
		},
	},
	// x - y·q with the whole number q = (x - z)/y.
	stablehlo.OpRemainder: {
		func(e emitter, x, y, z, d value) value { return d },
		func(e emitter, x, y, z, d value) value {
			if emit.IsComplex(y) {
				emit.Fail("no derivative of stablehlo.remainder of complex numbers: no quotient of them is a whole number")
			}
			return e.Mul(d, e.Neg(e.Do(stablehlo.OpRoundNearestEven, e.Div(e.Sub(x, z), y))))
		},
	},
	stablehlo.OpAtan2: {
		func(e emitter, x, y, z, d value) value { return e.Mul(d, e.Div(y, e.Add(e.Square(x), e.Square(y)))) },
		func(e emitter, x, y, z, d value) value {
			return e.Mul(d, e.Neg(e.Div(x, e.Add(e.Square(x), e.Square(y)))))
		},
	},
	stablehlo.OpComplex: {
		func(e emitter, x, y, z, d value) value { return e.Do(stablehlo.OpComplex, d, e.Fill(d, 0)) },
		func(e emitter, x, y, z, d value) value { return e.Do(stablehlo.OpComplex, e.Fill(d, 0), d) },
	},
	// The neighbour of x is x and a step that is constant between powers of 2.
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

// times returns d·c. Multiples of ∞ and NaN are piecewise constant. Programs
// select them for operands at the end of a domain (erf⁻¹ at 1), and their slope
// would turn the zeros of the other operands into NaN.
func times(e emitter, d, c value) value {
	if v, ok := splat(c); ok && v-v != 0 {
		return nil
	}
	return e.Mul(d, c)
}

// jvpExtremum gives the tangent of the operand that is the result: half of each where both
// are, and none of a NaN.
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

// unary makes a row of a unary derivative.
func unary(f func(e emitter, x, y, d value) value) jvpRow {
	return func(t *tracer, op *stablehlo.Op) {
		t.append(op)
		x, y := op.Operands[0], op.Result()
		t.set(y, f(t.emitter, x, y, t.tangent[x]))
	}
}

// binary makes a row of two partial derivatives.
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

// jvpClamp gives the tangent of the operand on the closed interval, else that
// of the bound; bounds that have changed places leave the upper one.
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
