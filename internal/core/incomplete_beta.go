package core

import "math"

// betaArgs are the operands of the incomplete beta function.
type betaArgs struct{ A, B, X Tensor }

// BetaInc implements nx.BetaInc.
func BetaInc[A, B, C Operand](a A, b B, x C) Tensor {
	const op = "BetaInc"
	oa, ob, ox := operandOf(a), operandOf(b), operandOf(x)
	present(op, oa, ob, ox)
	both := &Spec{DType: promoted(oa.spec(), ob.spec()), weak: oa.spec().weak && ob.spec().weak}
	isWeak := both.weak && ox.spec().weak
	d := realFloat.computeType(op, promoted(both, ox.spec()), isWeak, oa, ob, ox)
	defer calledAs(op, operands(oa, ob, ox)...)
	ta, tb, tx := wide64(oa), wide64(ob), wide64(ox)
	common := Add(Add(Where(IsNaN(ta), ta, 0), Where(IsNaN(tb), tb, 0)), Where(IsNaN(tx), tx, 0)) // of the common shape
	if common.p.spec.Shape.Size() == 0 {
		return converted(common, d)
	}
	isNaN := IsNaN(common)
	p := betaArgs{Where(isNaN, common, ta), Where(isNaN, common, tb), Where(isNaN, common, tx)}
	return converted(compiledOn(betaOfArgs, p.A)(p), d)
}

// betaOfArgs returns I with its derivatives: that by x is the density of the beta distribution, and those by a and b
// are the derivatives of the formula.
func betaOfArgs(p betaArgs) Tensor {
	return CustomJVP(incompleteBeta, func(p betaArgs, _ Tensor, dp betaArgs) Tensor {
		r := betaRegions(p)
		value := func(a, b Tensor) Tensor { return regularBeta(a, b, r.x) }
		_, byA := JVP(func(a Tensor) Tensor { return value(a, r.b) }, r.a, OnesLike(r.a))
		_, byB := JVP(func(b Tensor) Tensor { return value(r.a, b) }, r.b, OnesLike(r.b))
		at := func(a, b Tensor) Tensor { // an end, where the density has the exponent a - 1
			return Where(Less(a, 1), math.Inf(1), Where(Greater(a, 1), 0, b))
		}
		finite := LogicalAnd(IsFinite(p.A), IsFinite(p.B))
		finite = LogicalAnd(finite, LogicalAnd(Greater(p.A, 0), Greater(p.B, 0)))
		edge := Where(Equal(p.X, 0), at(p.A, p.B), Where(Equal(p.X, 1), at(p.B, p.A), 0))
		byX := Where(r.regular, betaDensity(r.a, r.b, r.x), Where(finite, edge, 0))
		term := func(slope, d Tensor) Tensor { return Mul(Where(r.isNaN, math.NaN(), slope), d) }
		return Add(Add(term(Where(r.regular, byA, 0), dp.A), term(Where(r.regular, byB, 0), dp.B)), term(byX, dp.X))
	})(p)
}

// betaRegion says where the formula holds, with operands that are harmless elsewhere.
type betaRegion struct{ isNaN, isOne, regular, a, b, x Tensor }

func betaRegions(p betaArgs) (r betaRegion) {
	inf := math.Inf(1)
	both := func(v float64) Tensor { return LogicalAnd(Equal(p.A, v), Equal(p.B, v)) }
	within := func(t Tensor) Tensor { return LogicalAnd(Greater(t, 0), Less(t, inf)) }
	inside := LogicalAnd(GreaterEqual(p.X, 0), LessEqual(p.X, 1))
	inside = LogicalAnd(inside, LogicalAnd(GreaterEqual(p.A, 0), GreaterEqual(p.B, 0)))
	r.isNaN = LogicalOr(LogicalNot(inside), LogicalOr(both(0), both(inf)))
	// All of the distribution is at 0 for a = 0 and b = ∞, and at 1 for a = ∞ and b = 0.
	atZero := LogicalAnd(LogicalOr(Equal(p.A, 0), Equal(p.B, inf)), Greater(p.X, 0))
	r.isOne = LogicalOr(atZero, Equal(p.X, 1))
	r.regular = LogicalAnd(LogicalAnd(within(p.A), within(p.B)), LogicalAnd(Greater(p.X, 0), Less(p.X, 1)))
	r.a, r.b, r.x = Where(r.regular, p.A, 1), Where(r.regular, p.B, 1), Where(r.regular, p.X, 0.5)
	return r
}

func incompleteBeta(p betaArgs) Tensor {
	r := betaRegions(p)
	v := Where(r.regular, regularBeta(r.a, r.b, r.x), converted(r.isOne, F64))
	return Where(r.isNaN, math.NaN(), v)
}

// regularBeta is I for positive a and b and 0 < x < 1, by a continued fraction below the mean, and above it by that
// of 1 - x. A. DiDonato, A. Morris, ACM TOMS 18 (1992), doi:10.1145/131766.131776, equation 9.
func regularBeta(a, b, x Tensor) Tensor {
	factor := betaFactor(a, b, x)
	above := Greater(x, Div(Add(a, 1), Add(Add(a, b), 2)))
	c, d := Where(above, b, a), Where(above, a, b)
	y, z := Where(above, Sub(1, x), x), Where(above, x, Sub(1, x))
	lambda := Add(Sub(Mul(c, z), Mul(d, y)), 1)
	root := Sqrt(z)
	least := Add(Div(20, Log(Div(Add(root, 1), Sub(1, root)))), 5)
	fraction := lentz(Div(Mul(c, lambda), Add(c, 1)), least, func(m Tensor) (num, den Tensor) {
		before := Add(c, Sub(Mul(m, 2), 1))
		share := Mul(Mul(Div(m, before), Sub(d, m)), y)
		num = Mul(Mul(share, y), Div(Mul(Add(c, Sub(m, 1)), Add(Add(c, d), Sub(m, 1))), before))
		den = Add(Add(m, share), Div(Mul(Add(c, m), Add(lambda, Mul(m, Add(z, 1)))), Add(before, 2)))
		return num, den
	})
	r := Mul(factor, fraction)
	return Where(above, Sub(1, r), r)
}

// betaFactor is x^a (1-x)^b/B(a, b). Exponents that are large are sums of small ones: with n = a+b and
// δ = bx - a(1-x) it is √(ab/(2πn)) exp(a log(1+δ/a) + b log(1-δ/b)) times scaled gamma functions.
func betaFactor(a, b, x Tensor) Tensor {
	n := Add(a, b)
	delta := Sub(Mul(b, x), Mul(a, Sub(1, x)))
	above := Mul(a, logRest(Div(delta, a), Mul(x, Div(n, a))))
	exponent := Add(above, Mul(b, logRest(Neg(Div(delta, b)), Mul(Sub(1, x), Div(n, b)))))
	scale := Div(scaledGamma(n), Mul(scaledGamma(a), scaledGamma(b)))
	return Mul(Mul(Sqrt(Mul(Div(a, n), Div(b, 2*math.Pi))), Exp(exponent)), scale)
}

// betaDensity is x^(a-1) (1-x)^(b-1)/B(a, b).
func betaDensity(a, b, x Tensor) Tensor {
	return Div(Div(betaFactor(a, b, x), x), Sub(1, x))
}
