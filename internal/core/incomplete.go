package core

import (
	"math"
	"math/big"
	"reflect"
	"sync"
)

// The regularised incomplete gamma functions P and Q and the incomplete beta function are compositions of other ops,
// computed in f64: each element by the formula of its region, where the others compute harmless numbers instead.

// gammaArgs are the operands of the incomplete gamma functions.
type gammaArgs struct{ A, X Tensor }

// GammaInc implements nx.GammaInc.
func GammaInc[A, B Operand](a A, x B) Tensor {
	return incompleteGamma("GammaInc", 0, operandOf(a), operandOf(x))
}

// GammaIncC implements nx.GammaIncC.
func GammaIncC[A, B Operand](a A, x B) Tensor {
	return incompleteGamma("GammaIncC", 1, operandOf(a), operandOf(x))
}

// incompleteGamma returns P, the first, or Q.
func incompleteGamma(op string, which int, a, x operand) Tensor {
	present(op, a, x)
	d := realFloat.computeType(op, promoted(a.spec(), x.spec()), a.spec().weak && x.spec().weak, a, x)
	defer calledAs(op, operands(a, x)...)
	ta, tx := wide64(a), wide64(x)
	ta, tx = Where(IsNaN(tx), tx, ta), Where(IsNaN(ta), ta, tx) // of one shape
	if ta.p.spec.Shape.Size() == 0 {
		return converted(ta, d)
	}
	return converted(compiledOn(gammaOfArgs, ta)(gammaArgs{ta, tx})[which], d)
}

// wide64 is an operand in f64.
func wide64(x operand) Tensor { return converted(x.tensor(x.spec().DType), F64) }

// compiledOn is a function of this package compiled for the device of a tensor.
func compiledOn[F any](f F, t Tensor) F {
	if d := t.Device(); d != nil {
		key := compiledKey{reflect.ValueOf(f).Pointer(), d.Client()}
		g, ok := compiledByClient.Load(key)
		if !ok {
			g, _ = compiledByClient.LoadOrStore(key, Jit(f, On(d.Client())))
		}
		return g.(F)
	}
	return Jit(f)
}

type compiledKey struct {
	code   uintptr
	client any
}

var compiledByClient sync.Map // compiledKey → the function

// gammaOfArgs returns P and Q with their derivatives: that by x is the density of the gamma distribution, and that by
// a the derivative of the formula.
func gammaOfArgs(p gammaArgs) [2]Tensor {
	return CustomJVP(gammaPQ, func(p gammaArgs, _ [2]Tensor, dp gammaArgs) [2]Tensor {
		r := gammaRegions(p)
		_, byA := JVP(func(a Tensor) Tensor { return regularGamma(a, r.x)[0] }, r.a, OnesLike(r.a))
		byX := gammaDensity(r.a, r.x)
		atZero := Where(Less(p.A, 1), math.Inf(1), Where(Greater(p.A, 1), 0., 1.))
		byX = Where(r.regular, byX, Where(LogicalAnd(Equal(p.X, 0), IsFinite(p.A)), atZero, 0))
		byA = Where(r.regular, byA, 0)
		d := Add(Mul(Where(r.isNaN, math.NaN(), byA), dp.A), Mul(Where(r.isNaN, math.NaN(), byX), dp.X))
		return [2]Tensor{d, Neg(d)}
	})(p)
}

// gammaRegion says where the formulas hold, with operands that are harmless elsewhere.
type gammaRegion struct{ isNaN, isOne, regular, a, x Tensor }

func gammaRegions(p gammaArgs) (r gammaRegion) {
	inf := math.Inf(1)
	both := func(v float64) Tensor { return LogicalAnd(Equal(p.A, v), Equal(p.X, v)) }
	inside := LogicalAnd(GreaterEqual(p.A, 0), GreaterEqual(p.X, 0)) // false for NaN
	r.isNaN = LogicalOr(LogicalNot(inside), LogicalOr(both(0), both(inf)))
	r.isOne = LogicalOr(Equal(p.A, 0), Equal(p.X, inf))
	r.regular = LogicalAnd(LogicalAnd(Greater(p.A, 0), Less(p.A, inf)), LogicalAnd(Greater(p.X, 0), Less(p.X, inf)))
	r.a, r.x = Where(r.regular, p.A, 1), Where(r.regular, p.X, 1)
	return r
}

// gammaPQ returns P and Q: of numbers outside of the domain NaN.
func gammaPQ(p gammaArgs) [2]Tensor {
	r := gammaRegions(p)
	pq := regularGamma(r.a, r.x)
	for i, v := range pq {
		limit := converted(r.isOne, F64)
		if i == 1 {
			limit = Sub(1, limit)
		}
		pq[i] = Where(r.isNaN, math.NaN(), Where(r.regular, v, limit))
	}
	return pq
}

// regularGamma returns P and Q for positive numbers. The regions are those of Cephes and SciPy: around x = a for large
// a Temme's uniform expansion, below a series for P, above a continued fraction for Q, and for small x and a a series
// for Q.
func regularGamma(a, x Tensor) [2]Tensor {
	mu := Div(Sub(x, a), a)
	near := LogicalAnd(Greater(a, 20), Less(Abs(mu), 0.3))
	low := LessEqual(x, 1.1)
	below := Where(LessEqual(x, 0.5), Less(Div(-0.4, Log(Minimum(x, 0.5))), a), Less(Mul(x, 1.1), a))
	below = LogicalAnd(Where(low, below, Less(x, a)), LogicalNot(near))
	others := LogicalNot(LogicalOr(near, below))
	small, above := LogicalAnd(others, low), LogicalAnd(others, LogicalNot(low))

	p := gammaSeries(Where(below, a, 1), Where(below, x, 0.5))
	q := Where(small, smallGamma(Where(small, a, 0.5), Where(small, x, 0.5)),
		gammaFraction(Where(above, a, 1), Where(above, x, 3)))
	temme := temmeGamma(Where(near, a, 100), Where(near, mu, 0.1))
	return [2]Tensor{Where(near, temme[0], Where(below, p, Sub(1, q))),
		Where(near, temme[1], Where(below, Sub(1, p), q))}
}

// gammaSeries is P by the series x^a e^-x/Γ(a+1) Σ x^n/((a+1)…(a+n)). NIST DLMF 8.11.4.
func gammaSeries(a, x Tensor) Tensor {
	type state struct{ Term, Sum, N Tensor }
	one := OnesLike(x)
	s := While(state{one, one, ZerosLike(one)}, func(s state) Tensor {
		return LogicalAnd(Any(Greater(s.Term, Mul(s.Sum, 0x1p-60))), Less(Max(s.N), 1000))
	}, func(s state) state {
		n := Add(s.N, 1)
		term := Mul(s.Term, Div(x, Add(a, n)))
		return state{term, Add(s.Sum, term), n}
	})
	return Mul(gammaFactor(a, x), s.Sum)
}

// gammaFraction is Q by the continued fraction of Legendre, evaluated as Lentz does: elements that have converged stay
// as they are. NIST DLMF 8.9.2.
func gammaFraction(a, x Tensor) Tensor {
	least := Add(Div(90, x), Add(Mul(Minimum(a, 30), 2), 20))
	first := Add(Sub(x, a), 1)
	return Mul(Mul(gammaFactor(a, x), a), lentz(first, least, func(n Tensor) (num, den Tensor) {
		return Mul(n, Sub(a, n)), Add(first, Mul(n, 2))
	}))
}

// lentz returns 1/(b + n₁/(b₁ + n₂/(b₂ + …))), with n and b by number. Where a numerator is 0 the fraction ends, but
// not its derivative by that numerator: so each element takes the least number of steps that others like it need.
// I. Thompson, A. Barnett, J. Comput. Phys. 64 (1986), doi:10.1016/0021-9991(86)90046-X.
func lentz(b, least Tensor, part func(n Tensor) (num, den Tensor)) Tensor {
	type state struct{ C, D, H, N, GoesOn Tensor }
	d := Div(1, b)
	start := state{Mul(OnesLike(b), 1e300), d, d, ZerosLike(b), Greater(OnesLike(b), 0)}
	s := While(start, func(s state) Tensor {
		return LogicalAnd(Any(s.GoesOn), Less(Max(s.N), 100000))
	}, func(s state) state {
		n := Add(s.N, 1)
		num, b := part(n)
		d := Div(1, notZero(Add(b, Mul(num, s.D))))
		c := notZero(Add(b, Div(num, s.C)))
		change := Mul(c, d)
		far := Greater(Abs(Sub(change, 1)), 0x1p-51)
		change = Where(far, change, Add(Sub(change, StopGradient(change)), 1)) // the rest is rounding
		h := Where(s.GoesOn, Mul(s.H, change), s.H)
		return state{c, d, h, n, LogicalAnd(s.GoesOn, LogicalOr(Less(n, least), far))}
	})
	return s.H
}

// notZero replaces zeros by a tiny number.
func notZero(t Tensor) Tensor { return Where(Equal(t, 0), 1e-300, t) }

// smallGamma is Q for x and a that are small, by the series of 1 - P without its first two terms, of which digits would
// cancel. NIST DLMF 8.7.3.
func smallGamma(a, x Tensor) Tensor {
	logarithm := Sub(Mul(a, Log(x)), lgammaOnePlus(a))
	factor, sum := OnesLike(x), ZerosLike(x)
	for n := 1; n <= 20; n++ {
		factor = Mul(factor, Div(Neg(x), n))
		sum = Add(sum, Div(factor, Add(a, n)))
	}
	return Sub(Neg(Expm1(logarithm)), Mul(Mul(Exp(logarithm), a), sum))
}

// zetasLessOne are ζ(k) - 1 from k = 2 on.
var zetasLessOne = []float64{
	0.64493406684822644, 0.20205690315959429, 0.082323233711138192, 0.036927755143369926, 0.01734306198444914,
	0.0083492773819228268, 0.0040773561979443394, 0.0020083928260822144, 0.00099457512781808534,
	0.00049418860411946456, 0.0002460865533080483, 0.00012271334757848915, 6.1248135058704829e-5,
	3.0588236307020494e-5, 1.5282259408651872e-5, 7.6371976378997623e-6,
}

// lgammaOnePlus is log Γ(1+a) for 0 < a < 2 with all digits also next to 0. NIST DLMF 5.7.3.
func lgammaOnePlus(a Tensor) Tensor {
	near := Less(a, 0.2)
	s := Where(near, a, 0)
	series := ZerosLike(s)
	for i := len(zetasLessOne) - 1; i >= 0; i-- {
		k := i + 2
		series = Mul(Add(series, math.Pow(-1, float64(k))*zetasLessOne[i]/float64(k)), s)
	}
	series = Mul(Add(series, 1-EulerGamma), s)
	return Where(near, Sub(series, Log1p(s)), Lgamma(Add(Where(near, 1, a), 1)))
}

// gammaFactor is x^a e^-x/Γ(a+1), from 10 on by Stirling's series.
func gammaFactor(a, x Tensor) Tensor {
	large := GreaterEqual(a, 10)
	big := Where(large, a, 10)
	at := Where(large, x, 10)
	power := Exp(Mul(big, logRest(Div(Sub(at, big), big), Div(at, big))))
	r := Div(power, Mul(Sqrt(Mul(big, 2*math.Pi)), scaledGamma(big)))
	low := Where(large, 1, a)
	// Halves of e^-x: it underflows before the product does.
	half := Exp(Mul(Where(large, 1, x), -0.5))
	power = Pow(Minimum(Where(large, 1, x), 1e4), low)
	return Where(large, r, Mul(Mul(Div(power, Exp(Lgamma(Add(low, 1)))), half), half))
}

// gammaDensity is x^(a-1) e^-x/Γ(a).
func gammaDensity(a, x Tensor) Tensor {
	large := GreaterEqual(a, 10)
	at := Maximum(x, 1e-290)
	r := Mul(gammaFactor(Where(large, a, 10), Where(large, at, 10)), Div(a, at))
	low, x := Where(large, 1, a), Where(large, 1, x)
	half := Exp(Mul(x, -0.5))
	power := Pow(Minimum(x, 1e4), Sub(low, 1))
	return Where(large, r, Mul(Mul(Mul(Div(power, Exp(Lgamma(Add(low, 1)))), low), half), half))
}

// logRest is log(1+t) - t without cancellation, for t > -1 and 1+t, which has digits that t has not near -1.
func logRest(t, onePlus Tensor) Tensor {
	near := Less(Abs(t), 0.4)
	s := Where(near, t, 0)
	return Where(near, Mul(Square(s), logRestQuotient(s)), Sub(Log(Where(near, 1, onePlus)), t))
}

// logRestQuotient is (log(1+t) - t)/t² for |t| ≤ 0.4, with log(1+t) = 2 artanh s for s = t/(2+t).
func logRestQuotient(t Tensor) Tensor {
	r := Div(1, Add(t, 2))
	s := Mul(t, r)
	square, series := Square(s), ZerosLike(s)
	for j := 13; j >= 0; j-- {
		series = Add(Mul(series, square), 1/float64(2*j+3))
	}
	return Sub(Mul(Mul(Mul(s, Square(r)), series), 2), r)
}

// scaledGamma is Γ(a) divided by √(2π/a) (a/e)^a, for any positive a. NIST DLMF 5.11.3.
func scaledGamma(a Tensor) Tensor {
	large := GreaterEqual(a, 10)
	inverse := Div(1, Where(large, a, 10))
	square, sum := Square(inverse), ZerosLike(a)
	for _, c := range []float64{1. / 156, -691. / 360360, 1. / 1188, -1. / 1680, 1. / 1260, -1. / 360, 1. / 12} {
		sum = Add(Mul(sum, square), c)
	}
	low := Where(large, 1, a)
	small := Div(Mul(Exp(Add(Lgamma(Add(low, 1)), low)), Pow(low, Neg(low))), Sqrt(Mul(low, 2*math.Pi)))
	return Where(large, Exp(Mul(sum, inverse)), small)
}

// temmeGamma returns P and Q around x = a by the uniform expansion for large a, with μ = (x-a)/a.
// NIST DLMF 8.12; N. Temme, Math. Comp. 33 (1979), doi:10.1090/S0025-5718-1979-0537973-4.
func temmeGamma(a, mu Tensor) [2]Tensor {
	eta := Mul(mu, Sqrt(Mul(logRestQuotient(mu), -2)))
	inverse, sum := Div(1, a), ZerosLike(a)
	table := temmeTable()
	for k := len(table) - 1; k >= 0; k-- {
		c := ZerosLike(a)
		for n := len(table[k]) - 1; n >= 0; n-- {
			c = Add(Mul(c, eta), table[k][n])
		}
		sum = Add(Mul(sum, inverse), c)
	}
	rest := Div(Mul(Exp(Mul(a, logRest(mu, Add(mu, 1)))), sum), Sqrt(Mul(a, 2*math.Pi)))
	z := Mul(eta, Sqrt(Mul(a, 0.5)))
	return [2]Tensor{Sub(Mul(Erfc(Neg(z)), 0.5), rest), Add(Mul(Erfc(z), 0.5), rest)}
}

// temmeTable are the coefficients of η^n a^-k in the uniform expansion, those that count from a = 20 on and to |η| =
// 0.34. NIST DLMF 8.12.11 to 8.12.13.
var temmeTable = sync.OnceValue(func() [][]float64 {
	const orders, most = 11, 18
	n := most + 2*orders + 4
	q := func(a, b int) *big.Rat { return big.NewRat(int64(a), int64(b)) }
	alpha := make([]*big.Rat, n+1)
	alpha[1] = q(1, 1)
	for i := 2; i <= n; i++ {
		sum := new(big.Rat).Set(alpha[i-1])
		for j := 2; j < i; j++ {
			t := new(big.Rat).Mul(alpha[j], alpha[i-j+1])
			sum.Sub(sum, t.Mul(t, q(j, 1)))
		}
		alpha[i] = sum.Mul(sum, q(1, i+1))
	}
	rows := make([][]float64, orders)
	var before []*big.Rat
	first := []*big.Rat{q(-1, 3)}
	for i := 1; i+2 <= n; i++ {
		first = append(first, new(big.Rat).Mul(alpha[i+2], q(i+2, 1)))
	}
	odd := q(1, 1) // (2k+1)!!, times α of 2k+1 the coefficient of Stirling's series
	for k := range rows {
		row := make([]*big.Rat, len(first)-2*k)
		odd.Mul(odd, q(2*k+1, 1))
		stirling := new(big.Rat).Mul(odd, alpha[2*k+1])
		if k%2 == 1 {
			stirling.Neg(stirling)
		}
		for i := range row {
			row[i] = new(big.Rat).Mul(stirling, first[i])
			if k > 0 {
				row[i].Add(row[i], new(big.Rat).Mul(before[i+2], q(i+2, 1)))
			}
		}
		before = row
		for i := range max(most-k, 4) {
			v, _ := row[i].Float64()
			rows[k] = append(rows[k], v)
		}
	}
	return rows
})
