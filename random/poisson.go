package random

import (
	"math"

	"github.com/go-nx/nx"
)

// Poisson returns integers of type d with the Poisson distribution of a rate, numbers that
// broadcast to the shape: how many events there are in a time. Numbers beyond the type become its
// largest, which those of an infinite rate, or one beyond f32, always are.
//
// Shapes: shape. DTypes: integers of at least 8 bits; the rate counts as f32. Gradient: none.
// Accuracy: the numbers that JAX draws for the same key, but for comparisons that JAX makes within the rounding
// of f32, which happen for rates above 1000; integers above 2^24 are rounded. Errors: [nx.ErrShape],
// [nx.ErrDType]; -1, in unsigned types 0, where a rate is negative or NaN. Source: Knuth's
// algorithm below a rate of 10, Hörmann's transformed rejection above,
// doi:10.1016/0167-6687(93)90997-4.
func Poisson[R nx.Operand](key nx.Tensor, rate R, shape nx.Shape, d nx.DType) nx.Tensor {
	defer calledAs("Poisson")
	const op = "Poisson"
	r := parameter(op, key, rate, shape, nx.F32)
	checkCounts(op, d)
	return counts(poisson.call(poissonDraw{key, r}), d)
}

type poissonDraw struct{ Key, Rate nx.Tensor }

// maxTrials ends the loops, whatever the numbers drawn are.
const maxTrials = math.MaxInt32

var poisson = compiled[poissonDraw]{f: func(r poissonDraw) nx.Tensor {
	few, many := nx.Less(r.Rate, 10), nx.LogicalAnd(nx.GreaterEqual(r.Rate, 10), nx.IsFinite(r.Rate))
	k := nx.Where(many, poissonByRejection(r.Key, nx.Where(many, r.Rate, 1e5)), r.Rate) // +Inf is as many
	k = nx.Where(few, poissonByProducts(r.Key, nx.Where(few, r.Rate, 0)), k)
	bad := nx.LogicalNot(nx.GreaterEqual(r.Rate, 0))
	return nx.Where(bad, -1, nx.Where(nx.Equal(r.Rate, 0), 0, k))
}}

// waits are the times until events; Log is that of the product of uniform numbers.
type waits struct{ I, K, Key, Log nx.Tensor }

// poissonByProducts multiplies uniform numbers until the product is below e^-rate.
func poissonByProducts(key, rate nx.Tensor) nx.Tensor {
	shape := rate.Shape()
	goOn := func(log nx.Tensor) nx.Tensor { return nx.Greater(log, nx.Neg(rate)) }
	s := nx.While(waits{nx.Zeros(nx.Shape{}, nx.S32), nx.Zeros(shape, nx.S32), key, nx.Zeros(shape, nx.F32)},
		func(s waits) nx.Tensor { return nx.LogicalAnd(nx.Any(goOn(s.Log)), nx.Less(s.I, maxTrials)) },
		func(s waits) waits {
			keys := Split(s.Key, 2)
			u := Uniform(keys.At(1), 0, 1, shape, nx.F32)
			return waits{nx.Add(s.I, 1), nx.Where(goOn(s.Log), nx.Add(s.K, 1), s.K), keys.At(0),
				nx.Add(s.Log, nx.Log(u))}
		})
	return nx.Cast(nx.Sub(s.K, 1), nx.F32)
}

// rejections are numbers of events, as floats, and whether they have been accepted.
type rejections struct{ I, K, Accepted, Key nx.Tensor }

// transformedRejection draws pairs of uniform numbers until one is accepted for each element of the shape (W.
// Hörmann, doi:10.1016/0167-6687(93)90997-4). trial returns the number of a pair and whether it is accepted: u
// is in [-½, ½), v in (0, 1), and shifted is ½ - |u|.
func transformedRejection(key nx.Tensor, shape nx.Shape,
	trial func(u, shifted, v nx.Tensor) (k, accept nx.Tensor)) nx.Tensor {
	s := nx.While(rejections{nx.Zeros(nx.Shape{}, nx.S32), nx.Full(shape, -1, nx.F32), nx.Zeros(shape, nx.Bool), key},
		func(s rejections) nx.Tensor {
			return nx.LogicalAnd(nx.Any(nx.LogicalNot(s.Accepted)), nx.Less(s.I, maxTrials))
		},
		func(s rejections) rejections {
			keys := Split(s.Key, 3)
			u := nx.Sub(Uniform(keys.At(1), 0, 1, shape, nx.F32), 0.5)
			v := nx.Maximum(Uniform(keys.At(2), 0, 1, shape, nx.F32), halfStep(nx.F32)) // of 0 all would count
			k, accept := trial(u, nx.Sub(0.5, nx.Abs(u)), v)
			return rejections{nx.Add(s.I, 1), nx.Where(accept, k, s.K), nx.LogicalOr(s.Accepted, accept), keys.At(0)}
		})
	return s.K
}

// poissonByRejection draws by rejection from a dominating distribution.
func poissonByRejection(key, rate nx.Tensor) nx.Tensor {
	shape := rate.Shape()
	b := nx.Add(nx.Mul(nx.Sqrt(rate), 2.53), 0.931)
	a := nx.Add(nx.Mul(b, 0.02483), -0.059)
	inverse := nx.Add(nx.Div(1.1328, nx.Sub(b, 3.4)), 1.1239)
	limit := nx.Sub(0.9277, nx.Div(3.6224, nx.Sub(b, 2)))
	return transformedRejection(key, shape, func(u, shifted, v nx.Tensor) (k, accept nx.Tensor) {
		k = nx.Mul(nx.Add(nx.Div(nx.Mul(a, 2), shifted), b), u)
		k = nx.Floor(nx.Add(nx.Add(k, rate), 0.43))
		density := nx.Log(nx.Div(nx.Mul(v, inverse), nx.Add(nx.Div(a, nx.Mul(shifted, shifted)), b)))
		// The logarithm of rate^k·e^-rate/k!, without cancellation.
		more := nx.Div(nx.Sub(nx.Add(k, 1), rate), rate)
		bound := nx.Sub(nx.Log1p(more), nx.Mul(nx.Log(nx.Mul(nx.Add(k, 1), 2*math.Pi)), 0.5))
		bound = nx.Sub(bound, nx.Add(nx.Mul(rate, deviance(more)), stirlingTail(k)))
		sure := nx.LogicalAnd(nx.GreaterEqual(shifted, 0.07), nx.LessEqual(v, limit))
		never := nx.LogicalOr(nx.Less(k, 0), nx.LogicalAnd(nx.Less(shifted, 0.013), nx.Greater(v, shifted)))
		return k, nx.LogicalOr(sure, nx.LogicalAnd(nx.LogicalNot(never), nx.LessEqual(density, bound)))
	})
}
