package autodiff

import (
	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/stablehlo"
)

// The derivative of a product has two terms, which may cancel: those of (1-x)(1+x) are -(1+x) and
// 1-x, whose sum -2x is lost to cancellation for small x. The derivatives of many functions are
// such products. The rows of the product and of the sum therefore match the ops of their operands,
// as those of the logarithms do.

// jvpMultiply is the product rule, except for products whose derivative is one term: that of
// (1-x)(1+x) is -2x, that of σ(x)·σ(-x) with the logistic function σ is -σ(x)·σ(-x)·tanh(x/2), that
// of e^(-2|x|)·(1+|tanh x|)², the derivative of tanh, is -2·tanh x times it, and that of I₀ is I₁.
func jvpMultiply(t *tracer, op *stablehlo.Op) {
	t.append(op)
	x, y, z := op.Operands[0], op.Operands[1], op.Result()
	if v := squareLessThanOne(x, y); v != nil && t.tangent[v] != nil {
		t.set(z, t.Mul(t.tangent[v], t.Scale(-2, v)))
		return
	}
	if v := logisticSlope(x, y); v != nil && t.tangent[v] != nil {
		t.set(z, t.Mul(t.tangent[v], t.Neg(t.Mul(z, t.Do(stablehlo.OpTanh, t.Scale(0.5, v))))))
		return
	}
	if v, w := tanhOf(x, y); v != nil && t.tangent[v] != nil {
		t.set(z, t.Mul(t.tangent[v], t.Mul(z, t.Scale(-2, w))))
		return
	}
	if v, bessel := signedBessel(x, y); v != nil && t.tangent[v] != nil {
		slope := t.Sub(t.Mul(t.Do(stablehlo.OpSign, v), t.Do(stablehlo.OpChloBesselI1e, v)), bessel)
		t.set(z, t.Mul(t.tangent[v], slope))
		return
	}
	if v, scaled := besselGrowth(x, y); v != nil && t.tangent[v] != nil {
		t.set(z, t.Mul(t.tangent[v], besselGrowthSlope(t.emitter, v, y, z, scaled)))
		return
	}
	var sum value
	if d := t.tangent[x]; d != nil {
		sum = times(t.emitter, d, y)
	}
	if d := t.tangent[y]; d != nil {
		sum = t.Sum(sum, times(t.emitter, d, x))
	}
	t.set(z, sum)
}

// jvpDivide is the quotient rule, except for a part of a complex number z over |z|, the cosine or
// the sine of its angle φ: their derivatives are those by φ.
func jvpDivide(t *tracer, op *stablehlo.Op) {
	t.append(op)
	x, y, z := op.Operands[0], op.Operands[1], op.Result()
	if v := operandOf(y, stablehlo.OpAbs); v != nil && emit.IsComplex(v) && t.tangent[v] != nil {
		re, im := t.Real(v), t.Imag(v)
		angle := t.Div(t.Sub(t.Mul(t.Div(re, y), t.Imag(t.tangent[v])), t.Mul(t.Div(im, y), t.Real(t.tangent[v]))), y)
		switch v {
		case operandOf(x, stablehlo.OpReal):
			t.set(z, t.Mul(angle, t.Neg(t.Div(im, y))))
			return
		case operandOf(x, stablehlo.OpImag):
			t.set(z, t.Mul(angle, t.Div(re, y)))
			return
		}
	}
	var sum value
	if d := t.tangent[x]; d != nil {
		sum = t.Div(d, y)
	}
	if d := t.tangent[y]; d != nil {
		sum = t.Sum(sum, t.Mul(d, t.Neg(t.Div(z, y))))
	}
	t.set(z, sum)
}

// times returns d·c. Multiples of ∞ and NaN are treated as piecewise constant. Programs select them
// for operands at the end of a domain (erf⁻¹ at 1), and their slope would turn the zeros of the
// other operands into NaN.
func times(e emitter, d, c value) value {
	if v, ok := splat(c); ok && v-v != 0 {
		return nil
	}
	return e.Mul(d, c)
}

// squareLessThanOne returns x for the operands 1-x and 1+x, in any order, else nil.
func squareLessThanOne(a, b value) value {
	if x := lessThanOne(a); x != nil && x == onePlus(b) {
		return x
	}
	if x := lessThanOne(b); x != nil && x == onePlus(a) {
		return x
	}
	return nil
}

// logisticSlope returns x for the operands σ(x) and σ(-x), or σ(x) and 1-σ(x), in any order,
// else nil.
func logisticSlope(a, b value) value {
	x, y := operandOf(a, stablehlo.OpLogistic), operandOf(b, stablehlo.OpLogistic)
	switch {
	case x != nil && (y != nil && operandOf(y, stablehlo.OpNegate) == x || lessThanOne(b) == a):
		return x
	case y != nil && (x != nil && operandOf(x, stablehlo.OpNegate) == y || lessThanOne(a) == b):
		return y
	}
	return nil
}

// tanhOf returns x and tanh(x) for the operands e^(-2|x|) and (1+|tanh x|)², as written by
// [tanhSlope], else nil.
func tanhOf(decay, square value) (x, y value) {
	y = operandOf(onePlus(operandOf(square, stablehlo.OpMultiply)), stablehlo.OpAbs)
	x = operandOf(y, stablehlo.OpTanh)
	twice := operandOf(decay, stablehlo.OpExponential)
	if x == nil || twice == nil || operandOf(operandOf(twice, stablehlo.OpMultiply), stablehlo.OpAbs) != x {
		return nil, nil
	}
	if factors := square.Op().Operands; factors[0] != factors[1] {
		return nil, nil
	}
	if c, ok := splat(twice.Op().Operands[1]); !ok || c != -2 {
		return nil, nil
	}
	return x, y
}

// signedBessel returns x and e^-|x| I₀(x) for the operands sign(x) and e^-|x| I₀(x), else nil. The
// derivative of their product has sign(x)² as a factor, which is 0 at 0, but 1 around it.
func signedBessel(sign, bessel value) (x, y value) {
	if x = operandOf(sign, stablehlo.OpSign); x == nil || operandOf(bessel, stablehlo.OpNxBesselI0e) != x {
		return nil, nil
	}
	return x, bessel
}

// jvpAdd adds the tangents, except for max(x, y) + log(1 + e^-|x-y|), which is log(e^x + e^y): its
// derivatives are the logistic function of x-y and of y-x, while those of the two terms have kinks
// that cancel at x = y.
func jvpAdd(t *tracer, op *stablehlo.Op) {
	t.append(op)
	x, y := op.Operands[0], op.Operands[1]
	if sum, ok := t.smoothMaximum(x, y); ok {
		t.set(op.Result(), sum)
	} else if sum, ok = t.smoothMaximum(y, x); ok {
		t.set(op.Result(), sum)
	} else {
		t.set(op.Result(), t.Sum(t.tangent[x], t.tangent[y]))
	}
}

// smoothMaximum returns the tangent of log(e^x + e^y), if two terms have this sum.
func (t *tracer) smoothMaximum(larger, rest value) (value, bool) {
	op := larger.Op()
	if op == nil || op.Code != stablehlo.OpMaximum {
		return nil, false
	}
	z := operandOf(operandOf(rest, stablehlo.OpLogPlusOne), stablehlo.OpExponential)
	if z == nil {
		return nil, false
	}
	if z = minusAbsOf(z); z == nil {
		return nil, false
	}
	x, y := op.Operands[0], op.Operands[1]
	switch {
	case z == x && isZeroConstant(y) || isDifference(z, x, y):
	case z == y && isZeroConstant(x) || isDifference(z, y, x):
		x, y = y, x
	default:
		return nil, false
	}
	var sum value
	if d := t.tangent[x]; d != nil {
		sum = t.Mul(d, t.Do(stablehlo.OpLogistic, z))
	}
	if d := t.tangent[y]; d != nil {
		sum = t.Sum(sum, t.Mul(d, t.Do(stablehlo.OpLogistic, t.Neg(z))))
	}
	return sum, true
}

// operandOf returns the operand of the op that computes x, if it has that code, else nil.
func operandOf(x value, code stablehlo.OpCode) value {
	if x == nil || x.Op() == nil || x.Op().Code != code {
		return nil
	}
	return x.Op().Operands[0]
}

// lessThanOne returns x for a value that is 1-x, else nil.
func lessThanOne(v value) value {
	if op := v.Op(); op != nil && op.Code == stablehlo.OpSubtract && isOne(op.Operands[0]) {
		return op.Operands[1]
	}
	return nil
}

// onePlus returns x for a value that is 1+x or x+1, else nil.
func onePlus(v value) value {
	if v == nil {
		return nil
	}
	op := v.Op()
	switch {
	case op == nil || op.Code != stablehlo.OpAdd:
		return nil
	case isOne(op.Operands[0]):
		return op.Operands[1]
	case isOne(op.Operands[1]):
		return op.Operands[0]
	}
	return nil
}

// isDifference reports whether z is x - y.
func isDifference(z, x, y value) bool {
	op := z.Op()
	return op != nil && op.Code == stablehlo.OpSubtract && op.Operands[0] == x && op.Operands[1] == y
}

// isZeroConstant reports whether x is a constant of zeros.
func isZeroConstant(x value) bool {
	v, ok := splat(x)
	return ok && v == 0
}

// minusAbsOf returns z for a value that is -|z|, else nil. At z = 0, e^-|z| has
// the slopes 1 and -1: the derivative is their mean.
func minusAbsOf(x value) value {
	z := operandOf(operandOf(x, stablehlo.OpNegate), stablehlo.OpAbs)
	if z == nil || emit.IsComplex(z) {
		return nil
	}
	return z
}
