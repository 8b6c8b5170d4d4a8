package random

import (
	"math"
	"slices"

	"github.com/go-nx/nx"
)

// Binomial returns integers of type d with the binomial distribution: how many of count trials,
// each with a probability p, succeed. The two are numbers that broadcast to the shape. Numbers
// beyond the type become its largest.
//
// Shapes: shape. DTypes: integers of at least 8 bits; count and p count as f32. Gradient: none.
// Accuracy: the numbers that JAX draws for the same key, but for comparisons that JAX makes within the rounding
// of f32, which happen for counts above 1000; integers above 2^24 are rounded. Errors:
// [nx.ErrShape], [nx.ErrDType]; -1, in unsigned types 0, where a count is negative or not finite or
// p is not in [0, 1]. Source: sums of geometric variables where fewer than 10 are expected, else
// W. Hörmann, "The generation of binomial random variates", 1993, doi:10.1080/00949659308811496.
func Binomial[N, P nx.Operand](key nx.Tensor, count N, p P, shape nx.Shape, d nx.DType) nx.Tensor {
	defer calledAs("Binomial")
	const op = "Binomial"
	n, q := parameter(op, key, count, shape, nx.F32), parameter(op, key, p, shape, nx.F32)
	checkCounts(op, d)
	return counts(binomial.call(binomialDraw{key, n, q}), d)
}

// Multinomial returns vectors of integers of type d with the multinomial distribution: how many of
// count trials fall into each class, by the probabilities p, whose last axis is that of the classes.
// Other axes of p, and count, broadcast to the shape.
//
// Shapes: p [..., n] → shape + [n]. DTypes: integers of at least 8 bits; count and p count as f32.
// Gradient: none. Accuracy: that of [Binomial]. Errors: those of [Binomial]. Source: each
// class is a binomial variable of what the classes before leave.
func Multinomial[N nx.Operand](key nx.Tensor, count N, p nx.Tensor, shape nx.Shape, d nx.DType) nx.Tensor {
	defer calledAs("Multinomial")
	const op = "Multinomial"
	n := parameter(op, key, count, shape, nx.F32)
	checkCounts(op, d)
	if p.Rank() == 0 {
		fail(op, nx.ErrShape, "give a probability for each class", "the probabilities must not be a scalar")
	}
	classes := nx.AxisSize(p, -1)
	q := parameter(op, key, p, append(slices.Clone(shape), classes), nx.F32)
	return counts(multinomial.call(multinomialDraw{Split(key, classes), n, q}), d)
}

func checkCounts(op string, d nx.DType) {
	if !d.IsInteger() || d.Bits() < 8 {
		fail(op, nx.ErrDType, "", "counts must be integers of at least 8 bits, got %s", d)
	}
}

// counts converts numbers of events, floats, with -1 for an error: numbers beyond the type are clamped to its
// largest number.
func counts(k nx.Tensor, d nx.DType) nx.Tensor {
	if !d.IsSigned() {
		k = nx.Maximum(k, 0)
	}
	return nx.Cast(k, d)
}

type multinomialDraw struct{ Keys, Count, P nx.Tensor }

var multinomial = compiled[multinomialDraw]{f: func(r multinomialDraw) nx.Tensor {
	left := nx.CumSum(r.P, nx.Axis(-1), nx.Reversed)
	ratios := nx.Div(r.P, nx.Where(nx.Equal(left, 0), 1, left))
	first, last := []int{ratios.Rank() - 1}, []int{} // orders that bring the last axis to the front, and back
	for i := range ratios.Rank() - 1 {
		first, last = append(first, i), append(last, i+1)
	}
	ratios = nx.Transpose(ratios, nx.Axis(first...))
	_, out := nx.Scan(r.Count, binomialDraw{Key: r.Keys, P: ratios},
		func(rest nx.Tensor, x binomialDraw) (nx.Tensor, nx.Tensor) {
			k := binomial.call(binomialDraw{x.Key, rest, nx.Clip(x.P, 0, 1)})
			return nx.Sub(rest, nx.Maximum(k, 0)), k
		})
	return nx.Transpose(out, nx.Axis(append(last, 0)...))
}}

type binomialDraw struct{ Key, Count, P nx.Tensor }

// binomial draws by the probability of the rarer outcome. What cannot be drawn is -1.
var binomial = compiled[binomialDraw]{f: func(r binomialDraw) nx.Tensor {
	rare := nx.Less(r.P, 0.5)
	p := nx.Where(rare, r.P, nx.Sub(1, r.P))
	bad := nx.LogicalNot(nx.LogicalAnd(nx.GreaterEqual(p, 0),
		nx.LogicalAnd(nx.GreaterEqual(r.Count, 0), nx.IsFinite(r.Count))))
	p, count := nx.Where(bad, 0.01, p), nx.Where(bad, 0, nx.Floor(r.Count))
	few := nx.LessEqual(nx.Mul(count, p), 10)
	k := nx.Where(few, binomialByGaps(r.Key, nx.Where(few, count, 0), p),
		binomialByRejection(r.Key, nx.Where(few, 1e4, count), nx.Where(few, 0.5, p)))
	return nx.Where(bad, -1, nx.Where(rare, k, nx.Sub(count, k)))
}}

// gaps are the trials up to a success, summed; K is how many there are.
type gaps struct{ I, K, Sum, Key nx.Tensor }

// binomialByGaps adds up geometric variables until they are beyond the count.
func binomialByGaps(key, count, p nx.Tensor) nx.Tensor {
	shape, rate := p.Shape(), nx.Neg(nx.Abs(nx.Log1p(nx.Neg(p)))) // -0 for both zeros
	goOn := func(s gaps) nx.Tensor { return nx.LessEqual(s.Sum, count) }
	s := nx.While(gaps{nx.Zeros(nx.Shape{}, nx.S32), nx.Zeros(shape, nx.F32), nx.Zeros(shape, nx.F32), key},
		func(s gaps) nx.Tensor { return nx.LogicalAnd(nx.Any(goOn(s)), nx.Less(s.I, maxTrials)) },
		func(s gaps) gaps {
			keys := Split(s.Key, 2)
			gap := nx.Ceil(nx.Div(nx.Log(Uniform(keys.At(0), 0, 1, shape, nx.F32)), rate))
			return gaps{nx.Add(s.I, 1), nx.Where(goOn(s), nx.Add(s.K, 1), s.K), nx.Add(s.Sum, gap), keys.At(1)}
		})
	return nx.Sub(s.K, 1)
}

// binomialByRejection draws by rejection from a dominating distribution.
func binomialByRejection(key, count, p nx.Tensor) nx.Tensor {
	shape := p.Shape()
	deviation := nx.Sqrt(nx.Mul(nx.Mul(count, p), nx.Sub(1, p)))
	b := nx.Add(nx.Mul(deviation, 2.53), 1.15)
	a := nx.Add(nx.Add(nx.Mul(b, 0.0248), -0.0873), nx.Mul(p, 0.01))
	c := nx.Add(nx.Mul(count, p), 0.5)
	limit := nx.Sub(0.92, nx.Div(4.2, b))
	alpha := nx.Mul(nx.Add(nx.Div(5.1, b), 2.83), deviation)
	mean := nx.Mul(nx.Add(count, 1), p)
	m := nx.Floor(mean)
	successes, failures := nx.Add(m, 1), nx.Add(nx.Sub(count, m), 1)
	// slope is the logarithm of failures·p/(successes·(1-p)), which is near 1.
	slope := nx.Log1p(nx.Div(nx.Sub(nx.Sub(mean, m), nx.Sub(1, p)), nx.Mul(nx.Sub(1, p), successes)))
	atMode := nx.Add(stirlingTail(m), stirlingTail(nx.Sub(count, m)))
	return transformedRejection(key, shape, func(u, shifted, v nx.Tensor) (k, accept nx.Tensor) {
		k = nx.Floor(nx.Add(nx.Mul(nx.Add(nx.Div(nx.Mul(a, 2), shifted), b), u), c))
		density := nx.Log(nx.Div(nx.Mul(v, alpha), nx.Add(nx.Div(a, nx.Mul(shifted, shifted)), b)))
		// The ratio of the probabilities of k and m, without cancellation.
		from := nx.Sub(k, m)
		more, less := nx.Div(from, successes), nx.Neg(nx.Div(from, failures))
		bound := nx.Add(nx.Mul(from, slope), nx.Mul(nx.Add(nx.Log1p(more), nx.Log1p(less)), 0.5))
		bound = nx.Sub(bound, nx.Add(nx.Mul(successes, deviance(more)), nx.Mul(failures, deviance(less))))
		bound = nx.Sub(nx.Add(atMode, bound), nx.Add(stirlingTail(k), stirlingTail(nx.Sub(count, k))))
		sure := nx.LogicalAnd(nx.GreaterEqual(shifted, 0.07), nx.LessEqual(v, limit))
		inside := nx.LogicalAnd(nx.GreaterEqual(k, 0), nx.LessEqual(k, count))
		return k, nx.LogicalOr(sure, nx.LogicalAnd(inside, nx.LessEqual(density, bound)))
	})
}

// deviance returns (1+t)·log(1+t) - t, which begins with t²/2: by its series near 0, as in C. Loader,
// "Fast and accurate computation of binomial probabilities", 2000.
func deviance(t nx.Tensor) nx.Tensor {
	series := nx.FullLike(t, 1.0/(10*9))
	for n := 9; n >= 2; n-- {
		series = nx.Sub(1/float64(n*(n-1)), nx.Mul(series, t))
	}
	direct := nx.Sub(nx.Mul(nx.Add(t, 1), nx.Log1p(t)), t)
	return nx.Where(nx.Less(nx.Abs(t), 0.125), nx.Mul(nx.Square(t), series), direct)
}

// stirlingTail returns log(k!) minus Stirling's approximation, for integers k.
func stirlingTail(k nx.Tensor) nx.Tensor {
	square := nx.Square(nx.Add(k, 1))
	far := nx.Div(nx.Sub(1.0/12, nx.Div(nx.Sub(1.0/360, nx.Div(1.0/1260, square)), square)), nx.Add(k, 1))
	return nx.Where(nx.LessEqual(k, 9), nx.Take(nx.New(stirlingTails), nx.Cast(nx.Clip(k, 0, 9), nx.S32)), far)
}

// stirlingTails are those of 0 to 9.
var stirlingTails = func() (tails []float32) {
	factorial := 0.0
	for k := range 10 {
		n := float64(k + 1)
		tails = append(tails, float32(factorial-(math.Log(2*math.Pi)/2+(n-0.5)*math.Log(n)-n)))
		factorial += math.Log(n)
	}
	return tails
}()
