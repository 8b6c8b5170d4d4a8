package random

import (
	"math"
	"slices"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/linalg"
)

// FoldIn returns a key derived from a key and a number: a different one for each number, as for the steps of a
// loop. For a tensor of integers it returns a key for each element.
//
// Shapes: data […] → […, 2]. DTypes: integers; the key is u32. Gradient: none. Accuracy: exact.
// Errors: [nx.ErrDType] for other types. Source: Salmon, Moraes, Dror, Shaw,
// doi:10.1145/2063384.2063405.
func FoldIn[D nx.Operand](key nx.Tensor, data D) nx.Tensor {
	defer calledAs("FoldIn")
	check("FoldIn", key, nx.Shape{2})
	x, ok := any(data).(nx.Tensor)
	if !ok {
		x = nx.New(any(data))
	}
	if d := x.DType(); !d.IsInteger() {
		fail("FoldIn", nx.ErrDType, "", "the number to fold in must be an integer, got %s", d)
	}
	out := foldIn.call(fold{key, nx.Rename(x)})
	names := make([]string, out.Rank())
	names[len(names)-1] = key.Names()[0]
	return nx.Rename(out, names...)
}

// fold is a number, or several, to fold into a key.
type fold struct{ Key, Data nx.Tensor }

var foldIn = compiled[fold]{f: func(r fold) nx.Tensor {
	x := nx.Cast(r.Data, nx.U64)
	hi, lo := nx.Cast(nx.RightShift(x, 32), nx.U32), nx.Cast(nx.BitwiseAnd(x, uint64(math.MaxUint32)), nx.U32)
	a, b := rounds(r.Key.At(0), r.Key.At(1), hi, lo)
	return nx.Stack([]nx.Tensor{a, b}, nx.Axis(-1))
}}

// RandInt returns integers of type d uniform in [lo, hi).
//
// Shapes: shape. DTypes: integers. Gradient: none. Accuracy: the bias is below 2^-w for a type of
// w bits, as is that of 32 bits for narrower types with [Partitionable] keys. Errors:
// [nx.ErrValue] where there is no number to draw, [nx.ErrDType]. Source: remainders of two words, which are drawn as in
// Nx, with [Partitionable] keys as in JAX.
func RandInt(key nx.Tensor, lo, hi int64, shape nx.Shape, d nx.DType) nx.Tensor {
	defer calledAs("RandInt")
	const op = "RandInt"
	check(op, key, shape)
	if !d.IsInteger() {
		fail(op, nx.ErrDType, "", "random integers must have an integer type, got %s", d)
	}
	inside := lo >= d.MinInt() && (hi <= 0 || uint64(hi-1) <= d.MaxInt())
	if hi <= lo || !inside {
		fail(op, nx.ErrValue, "", "no number of %s is in [%d, %d)", d, lo, hi)
	}
	w := max(d.Bits(), 8)
	if d.Bits() < 8 {
		w = d.Bits()
	}
	n := shape.Size()
	if isPartitionable(key) {
		return nx.Reshape(integersOfHalves(key, lo, hi, n, d), shape...)
	}
	span := uint64(hi - lo)
	rows := integers.call(bitsDraw{Key: key, N: 2 * n, Width: w}) // u64, of width w
	rows = nx.Reshape(rows, 2, n)
	half := new64(uint64(1) << (w / 2) % span)
	m := nx.Remainder(nx.Mul(half, half), span)
	offset := nx.Remainder(nx.Add(nx.Mul(nx.Remainder(rows.At(0), span), m), nx.Remainder(rows.At(1), span)), span)
	return nx.Reshape(nx.Cast(nx.Add(nx.Cast(offset, nx.S64), lo), d), shape...)
}

func new64(v uint64) nx.Tensor { return nx.Full(nx.Shape{}, v, nx.U64) }

// bitsDraw is a request for n numbers of some bits.
type bitsDraw struct {
	Key      nx.Tensor
	N, Width int
}

// integers returns numbers of some bits as u64.
var integers = compiled[bitsDraw]{f: func(r bitsDraw) nx.Tensor {
	if r.Width == 64 {
		return generate64(r.Key, r.N)
	}
	return nx.Cast(nx.BitwiseAnd(generate(r.Key, r.N), uint32(uint64(1)<<r.Width-1)), nx.U64)
}}

// Gumbel returns floats of type d with the standard Gumbel distribution, -log(-log(u)) of
// uniform u: the largest of many. A u of 0 represents the interval up to the next one, where JAX uses
// the smallest number of the type, which is far too unlikely.
//
// Shapes: shape. DTypes: f32, f64, bf16 and f16. Gradient: none. Accuracy: ≤ 8 ulp. Errors:
// [nx.ErrDType]. Source: the inverse of the distribution function.
func Gumbel(key nx.Tensor, shape nx.Shape, d nx.DType) nx.Tensor {
	defer calledAs("Gumbel")
	checkFloat("Gumbel", d)
	return nx.Neg(nx.Log(nx.Neg(nx.Log(inner(key, shape, d)))))
}

// Exponential returns floats of type d with the exponential distribution of rate 1.
//
// Shapes: shape. DTypes: f32, f64, bf16 and f16. Gradient: none. Accuracy: ≤ 2 ulp. Errors:
// [nx.ErrDType]. Source: the inverse of the distribution function.
func Exponential(key nx.Tensor, shape nx.Shape, d nx.DType) nx.Tensor {
	defer calledAs("Exponential")
	checkFloat("Exponential", d)
	return nx.Neg(nx.Log1p(nx.Neg(Uniform(key, 0, 1, shape, d))))
}

// Bernoulli returns bools that are true with probability p, a number or a tensor of
// probabilities that broadcasts to the shape: never where p ≤ 0 or is NaN, always where p ≥ 1.
//
// Shapes: shape. DTypes: bool. Gradient: none. Accuracy: p is met to 2^-23, where it is a tensor of
// f64 to 2^-52. Errors: [nx.ErrShape]. Source: a uniform variable below p.
func Bernoulli[P nx.Operand](key nx.Tensor, p P, shape nx.Shape) nx.Tensor {
	defer calledAs("Bernoulli")
	check("Bernoulli", key, shape)
	d := nx.F32
	if t, ok := any(p).(nx.Tensor); ok && !t.IsZero() && t.DType() == nx.F64 {
		d = nx.F64
	}
	return nx.BroadcastTo(nx.Less(Uniform(key, 0, 1, shape, d), p), shape...)
}

// Categorical returns class numbers drawn by logits, the logarithms of their probabilities
// up to a constant, along the last axis. Classes of -Inf are not drawn; where all are, it is the
// first, and where there is a NaN, that. It takes a number for each draw and class: [Choice] draws
// many of many classes by a search, of their probabilities.
//
// Shapes: logits [..., n] → shape + [...]. DTypes: s32; logits narrower than f32 count as f32.
// Gradient: none. Accuracy: that of [Gumbel]. Errors: [nx.ErrDType] for complex logits. Source: the
// Gumbel-max trick, Gumbel 1954.
func Categorical(key, logits nx.Tensor, shape nx.Shape) nx.Tensor {
	defer calledAs("Categorical")
	check("Categorical", key, shape)
	d := logits.DType()
	if d = workType(d); !d.IsFloat() {
		d = nx.F32
	}
	all := append(append(nx.Shape{}, shape...), logits.Shape()...)
	return nx.ArgMax(nx.Add(Gumbel(key, all, d), logits), nx.Axis(-1))
}

// Permutation returns the slices of t along an axis, a position or a name, in random order: the
// same for all lines of the axis, or another for each where they are independent.
//
// Shapes: that of t. DTypes: that of t. Gradient: none. Accuracy: exact. Errors: [nx.ErrAxis].
// Source: sorted by random keys, as often as equal ones are likely.
func Permutation[A nx.AxisRef](key, t nx.Tensor, axis A, independent bool) nx.Tensor {
	defer calledAs("Permutation")
	check("Permutation", key, nx.Shape{})
	size := nx.AxisSize(t, axis)
	if !independent {
		return nx.Rename(nx.Take(t, order(key, nx.Shape{size}, 0), nx.Axis(axis)), t.Names()...)
	}
	position, ok := any(axis).(int)
	if !ok {
		position = slices.Index(t.Names(), any(axis).(string))
	}
	return nx.TakeAlong(t, order(key, t.Shape(), position), nx.Axis(axis))
}

// order returns random orders along an axis, sorted by random numbers as often as makes
// it unlikely that equal ones matter.
func order(key nx.Tensor, shape nx.Shape, axis int) nx.Tensor {
	x := nx.Iota(shape, nx.S32, nx.Axis(axis))
	for range numSorts(shape.Size()) {
		keys := Split(key, 2)
		key = keys.At(0)
		x = nx.TakeAlong(x, nx.ArgSort(Bits(keys.At(1), shape), nx.Axis(axis)), nx.Axis(axis))
	}
	return x
}

func numSorts(n int) int {
	return int(math.Ceil(3 * math.Log(float64(max(n, 1))) / math.Log(math.MaxUint32)))
}

// MultivariateNormal returns vectors of floats of type d with the given mean and
// covariance, normally distributed.
//
// Shapes: mean [n], covariance [n, n] → shape + [n]. DTypes: f32, f64, bf16 and f16. Gradient:
// none. Accuracy: that of [linalg.Cholesky]. Errors: [nx.ErrShape], [nx.ErrDType]. Source: the
// Cholesky factor times normal variables.
func MultivariateNormal(key, mean, covariance nx.Tensor, shape nx.Shape, d nx.DType) nx.Tensor {
	defer calledAs("MultivariateNormal")
	const op = "MultivariateNormal"
	check(op, key, shape)
	checkFloat(op, d)
	if mean.Rank() != 1 || covariance.Rank() != 2 || nx.AxisSize(covariance, 0) != nx.AxisSize(mean, 0) ||
		nx.AxisSize(covariance, 1) != nx.AxisSize(mean, 0) {
		fail(op, nx.ErrShape, "the mean must be a vector and the covariance a square matrix",
			"the mean is %s, the covariance %s",
			mean.Spec(), covariance.Spec())
	}
	z := Normal(key, 0, 1, append(append(nx.Shape{}, shape...), nx.AxisSize(mean, 0)), d)
	work := d
	if d.Bits() < 32 {
		work = nx.F32
	}
	root := linalg.Cholesky(nx.Cast(nx.Rename(covariance), work))
	out := nx.Dot(nx.Cast(nx.ExpandAxis(z, nx.Axis(-2)), work), nx.Transpose(root))
	return nx.Cast(nx.Add(nx.Squeeze(out, nx.Axis(-2)), nx.Rename(mean)), d)
}
