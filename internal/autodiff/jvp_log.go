package autodiff

import (
	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/stablehlo"
)

// The quotient dx/x is 0/0 or ∞/∞ if x, a function of an exponential, has overflowed or
// underflowed, although the derivative of its logarithm is an ordinary number. The rows of the
// logarithms therefore match the ops of x.

// jvpLog divides the tangent by x, except for a function of an exponential: then it uses the
// derivative of the exponent.
func jvpLog(t *tracer, op *stablehlo.Op) {
	t.append(op)
	t.set(op.Result(), t.logTangent(op.Operands[0], maxLogDepth))
}

// jvpLogPlusOne divides the tangent by 1 + x, except for an exponential x, as jvpLog.
func jvpLogPlusOne(t *tracer, op *stablehlo.Op) {
	t.append(op)
	x := op.Operands[0]
	if t.opensOnePlus(x) {
		t.set(op.Result(), t.logOnePlus(x))
	} else {
		t.set(op.Result(), t.Div(t.tangent[x], t.Plus(1, x)))
	}
}

// maxLogDepth bounds the depth of the ops of x that are matched: each may have two operands.
const maxLogDepth = 6

// logTangent returns the tangent of log x, nil if it is zero.
func (t *tracer) logTangent(x value, depth int) value {
	d := t.tangent[x]
	if d == nil {
		return nil
	}
	if !t.hasExponent(x, depth) {
		return t.Div(d, x)
	}
	depth--
	op := x.Op()
	switch in := op.Operands; op.Code {
	case stablehlo.OpExponential:
		return t.exponentTangent(in[0])
	case stablehlo.OpLogistic:
		return t.Mul(t.tangent[in[0]], t.Do(stablehlo.OpLogistic, t.Neg(in[0])))
	case stablehlo.OpMultiply:
		return t.Sum(t.logTangent(in[0], depth), t.logTangent(in[1], depth))
	case stablehlo.OpDivide:
		over := t.logTangent(in[1], depth)
		if over != nil {
			over = t.Neg(over)
		}
		return t.Sum(t.logTangent(in[0], depth), over)
	case stablehlo.OpAdd:
		if isOne(in[0]) {
			return t.logOnePlus(in[1])
		}
		return t.logOnePlus(in[0])
	case stablehlo.OpSubtract:
		return t.logOneMinus(in[1])
	case stablehlo.OpConvert:
		return t.Convert(t.logTangent(in[0], depth), emit.DTypeOf(x))
	}
	return t.CloneWith(op, t.logTangent(op.Operands[0], depth))[0]
}

// exponentTangent returns the tangent of z in e^z: that of -|z| at 0 is the mean of its slopes, as
// in the row of the exponential.
func (t *tracer) exponentTangent(z value) value {
	d := t.tangent[z]
	if inner := minusAbsOf(z); inner != nil {
		d = t.Keep(t.Compare("NE", inner, t.Fill(inner, 0)), d)
	}
	return d
}

// logOnePlus returns the tangent of log(1 + x) for x = e^z or -logistic(z).
func (t *tracer) logOnePlus(x value) value {
	z := x.Op().Operands[0]
	if x.Op().Code == stablehlo.OpNegate {
		return t.logOneMinus(z)
	}
	return t.Mul(t.tangent[z], t.Do(stablehlo.OpLogistic, z))
}

// logOneMinus returns the tangent of log(1 - x) for x = logistic(z).
func (t *tracer) logOneMinus(x value) value {
	return t.Neg(t.Mul(t.tangent[x.Op().Operands[0]], x))
}

// hasExponent reports whether x is a function of an exponential for which logTangent is more
// accurate than dx/x.
func (t *tracer) hasExponent(x value, depth int) bool {
	if depth == 0 || !t.isDerived(x) {
		return false
	}
	depth--
	op := x.Op()
	switch in := op.Operands; op.Code {
	case stablehlo.OpExponential, stablehlo.OpLogistic:
		return true
	case stablehlo.OpMultiply, stablehlo.OpDivide:
		return t.hasExponent(in[0], depth) || t.hasExponent(in[1], depth)
	case stablehlo.OpAdd:
		return isOne(in[0]) && t.opensOnePlus(in[1]) || isOne(in[1]) && t.opensOnePlus(in[0])
	case stablehlo.OpSubtract:
		return isOne(in[0]) && t.isDerived(in[1]) && in[1].Op().Code == stablehlo.OpLogistic
	case stablehlo.OpConvert, stablehlo.OpReshape, stablehlo.OpBroadcastInDim, stablehlo.OpTranspose:
		return t.hasExponent(in[0], depth)
	}
	return false
}

// opensOnePlus reports whether x is an operand of logOnePlus.
func (t *tracer) opensOnePlus(x value) bool {
	if !t.isDerived(x) {
		return false
	}
	switch z := x.Op().Operands[0]; x.Op().Code {
	case stablehlo.OpExponential: // e^-|z| is at most 1
		return minusAbsOf(z) == nil
	case stablehlo.OpNegate:
		return t.isDerived(z) && z.Op().Code == stablehlo.OpLogistic
	}
	return false
}

// isDerived reports whether x has a tangent that comes from the operands of its op. The tangent of
// a captured value is a seed, an argument.
func (t *tracer) isDerived(x value) bool {
	d := t.tangent[x]
	return d != nil && d.Op() != nil && x.Op() != nil
}

// isOne reports whether x is a constant of ones.
func isOne(x value) bool {
	v, ok := splat(x)
	return ok && v == 1
}
