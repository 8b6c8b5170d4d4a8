package core

import (
	"math"
	"slices"

	"github.com/go-nx/nx/dtype"
)

// Median implements nx.Median.
func Median(t Tensor, opts ...ReduceOption) Tensor {
	l := sortAxis("Median", t, opts)
	if l.n%2 == 1 && !l.skip {
		return l.result("Median", l.element(l.n/2), l.out.DType)
	}
	d := floating(l.out.DType, l.out.weak)
	lower, upper, part := l.neighbours(0.5, wide(d))
	upper = Where(Equal(part, 0), lower, upper)
	sum := Add(lower, upper)
	mean := Where(IsFinite(sum), Div(sum, 2), Add(Div(lower, 2), Div(upper, 2)))
	return l.result("Median", mean, d)
}

// sortedAxis is t sorted along the axis of a reduction, or flattened and sorted.
type sortedAxis struct {
	sorted Tensor
	axis   int
	n      int   // the size of the axis
	skip   bool  // leave out NaN
	out    *Spec // the type of the result
}

// sortAxis sorts t along the axis of a reduction, or flattened when none is given.
func sortAxis(op string, t Tensor, opts []ReduceOption) sortedAxis {
	requireOrder(op, t)
	a := readReduction(op, t, opts)
	s := t.p.spec
	l := sortedAxis{out: a.result(s, s.DType), skip: a.skips(s.DType)}
	switch n := len(a.axesOf(s.Shape)); {
	case a.as != dtype.Invalid:
		failOn(ErrArgument, op, []Tensor{t}, "cast the result (nx.Cast)", "takes no element type")
	case a.countOf(s.Shape) == 0:
		failOn(ErrShape, op, []Tensor{t}, "", "the tensor must have elements to choose from")
	case a.all:
		t = Flatten(t)
	case n != 1:
		failOn(ErrAxis, op, []Tensor{t}, "omit the option to take all elements",
			"works along one axis, %d are given", n)
	default:
		l.axis = a.axesOf(s.Shape)[0]
	}
	l.sorted = Sort(t, Axis(l.axis))
	l.n = l.sorted.p.spec.Shape[l.axis]
	return l
}

// element returns the i-th smallest elements.
func (l sortedAxis) element(i int) Tensor { return cutAxis(l.sorted, l.axis, i, i+1, 1) }

// neighbours returns the elements on both sides of the place below which a share q of them lies, and how
// far it is from the first to the second, in type d.
func (l sortedAxis) neighbours(q float64, d DType) (lower, upper, part Tensor) {
	if !l.skip {
		at := q * float64(l.n-1)
		i := int(math.Floor(at))
		return converted(l.element(i), d), converted(l.element(min(i+1, l.n-1)), d), Full(Shape{}, at-float64(i), F64)
	}
	// NaN sorts last. Where there is nothing else, the first one is NaN.
	along := Axis(l.axis)
	count := Sum(LogicalNot(IsNaN(l.sorted)), along, KeepAxes, As(S64))
	last := Maximum(Sub(count, 1), 0)
	at := Mul(Cast(last, F64), q)
	i := Cast(Floor(at), S64)
	lower, upper = TakeAlong(l.sorted, i, along), TakeAlong(l.sorted, Minimum(Add(i, 1), last), along)
	return converted(lower, d), converted(upper, d), Sub(at, Floor(at))
}

// result returns v, of type d, as the result: NaN where there is a NaN that is not left out.
func (l sortedAxis) result(op string, v Tensor, d DType) Tensor {
	if l.out.DType.IsFloat() && l.out.DType.HasNaN() && !l.skip {
		v = Where(IsNaN(l.element(l.n-1)), math.NaN(), v) // which sorts last
	}
	return reshaped(op, converted(v, d), l.out.with(d))
}

// Mode implements nx.Mode.
func Mode(t Tensor, opts ...ReduceOption) Tensor {
	l := sortAxis("Mode", t, opts)
	sorted, a, n := l.sorted, l.axis, l.n
	if n == 1 {
		return reshaped("Mode", sorted, l.out)
	}
	// A run of equal elements is as long as its last place less that of its first.
	place := Iota(append(slices.Clone(sorted.p.spec.Shape), []int{}...), S32, Axis(a))
	same := Equal(cutAxis(sorted, a, 1, n, 1), cutAxis(sorted, a, 0, n-1, 1))
	lohi := make([][2]int, len(sorted.p.spec.Shape))
	lohi[a][0] = 1
	start := CumMax(Where(Pad(same, false, lohi...), 0, place), Axis(a))
	longest := ArgMax(Sub(place, start), Axis(a), KeepAxes)
	return reshaped("Mode", StopGradient(TakeAlong(sorted, longest, Axis(a))), l.out)
}

// Quantile implements nx.Quantile.
func Quantile(t Tensor, q float64, opts ...ReduceOption) Tensor {
	if !(q >= 0 && q <= 1) {
		failOn(ErrValue, "Quantile", []Tensor{t}, "", "the share %v is not between 0 and 1", q)
	}
	l := sortAxis("Quantile", t, opts)
	d := floating(l.out.DType, l.out.weak)
	return l.result("Quantile", interpolate(l.neighbours(q, wide(d))), d)
}

// interpolate interpolates from a to b, which is not below a, by a part of 0 to 1, less than 1.
func interpolate(a, b, part Tensor) Tensor {
	rest := converted(Sub(1, part), a.p.spec.DType)
	part = converted(part, a.p.spec.DType)
	// Weights are monotone across 0 and right beside infinities, a step is so for a sign; it is
	// cut off where it goes beyond b by rounding, without a change of derivatives.
	weighted := Add(Mul(a, rest), Mul(b, part))
	step := Sub(b, a)
	stepped := Add(a, Mul(step, part))
	stepped = Sub(stepped, StopGradient(Maximum(Sub(stepped, b), 0)))
	oneSign := LogicalOr(Greater(a, 0), Less(b, 0))
	return Where(Equal(part, 0), a, Where(LogicalAnd(oneSign, IsFinite(step)), stepped, weighted))
}

// WeightedMean implements nx.WeightedMean.
func WeightedMean(t, weights Tensor, opts ...ReduceOption) Tensor {
	const op = "WeightedMean"
	present(op, operand{t: t.p}, operand{t: weights.p})
	a := readReduction(op, t, opts)
	s, ws := t.p.spec, weights.p.spec
	if a.as != dtype.Invalid {
		failOn(ErrArgument, op, []Tensor{t}, "cast the result (nx.Cast)", "takes no element type")
	}
	defer calledAs(op, t, weights)
	axes := a.axesOf(s.Shape)
	if !slices.Equal(s.Shape, ws.Shape) {
		shape := slices.Repeat([]int{1}, len(s.Shape))
		fits := len(ws.Shape) == len(axes) && !a.all
		for k, i := range axes {
			if fits = fits && ws.Shape[k] == s.Shape[i]; fits {
				shape[i] = ws.Shape[k]
			}
		}
		if !fits {
			failOn(ErrShape, op, []Tensor{t, weights}, "the weights have the shape of the tensor, or of its reduced axes",
				"the weights have the shape %v", []int(ws.Shape))
		}
		weights = Reshape(weights, shape...)
	}
	d := floating(promoted(s, ws), s.weak && ws.weak)
	t, weights = converted(t, wide(d)), converted(weights, wide(d))
	total := BroadcastTo(Rename(weights), s.Shape...)
	if a.skips(s.DType) {
		counts := Equal(t, t)
		t, total = Where(counts, t, 0), Where(Rename(counts), total, 0)
	}
	sum := a.options(s.Shape)
	return converted(Div(Sum(Mul(t, weights), sum...), Rename(Sum(total, sum...))), d)
}

// Cov implements nx.Cov.
func Cov(t Tensor, opts ...CovOption) Tensor {
	const op = "Cov"
	s := t.must(op)
	rank := len(s.Shape)
	if rank < 2 {
		failOn(ErrShape, op, []Tensor{t}, "the rows of a matrix are observations",
			"the tensor must be a matrix, got rank %d", rank)
	}
	var o covarianceOptions
	distinct(op, opts)
	for _, x := range opts {
		if x != nil {
			x.covarianceOption(&o)
		}
	}
	if o.ddof < 0 {
		failOn(ErrArgument, op, []Tensor{t}, "", "the degrees of freedom %d are negative", o.ddof)
	}
	d := floating(s.DType, s.weak)
	t = converted(t, wide(d))
	mean := o.mean
	if mean.p == nil {
		mean = Mean(t, Axis(-2), KeepAxes)
	} else if ms := mean.p.spec; len(ms.Shape) > 0 {
		mean = ExpandAxis(mean, Axis(-2))
	}
	c := Sub(t, mean)
	n := s.Shape[rank-2]
	rank = len(c.p.spec.Shape) // the mean may have more axes
	c = Rename(c)
	products := Dot(swapAxes(Conj(c), rank-2, rank-1), c)
	return converted(Div(products, float64(n-o.ddof)), promoted(s, &Spec{DType: d}))
}

func (o ddofOption) covarianceOption(c *covarianceOptions) { c.ddof = o.n }

// aroundOption is the option made by [Around].
type aroundOption struct{ mean Tensor }

// Around implements nx.Around.
func Around(mean Tensor) CovOption { return aroundOption{mean} }

func (o aroundOption) covarianceOption(c *covarianceOptions) { c.mean = o.mean }

// Histogram implements nx.Histogram.
func Histogram(t Tensor, n int, lo, hi float64) Tensor {
	const op = "Histogram"
	requireOrder(op, t)
	if n < 1 || n > math.MaxInt32 {
		failOn(ErrArgument, op, []Tensor{t}, "", "cannot count in %d bins", n)
	}
	if !(lo < hi) || math.IsInf(hi-lo, 0) {
		failOn(ErrValue, op, []Tensor{t}, "", "lo must be below hi, at a finite distance, got %v and %v", lo, hi)
	}
	x := Rename(Flatten(cast(t, F64)))
	i := Iota(Shape{n + 1}, F64)
	edges := Where(Less(i, n), Add(Mul(i, (hi-lo)/float64(n)), lo), hi) // rounded as in NumPy, unlike Linspace's
	if d := t.DType(); d.IsFloat() {
		edges = cast(cast(edges, d), F64)
	}
	inside := LogicalAnd(GreaterEqual(x, edges.At(0)), LessEqual(x, edges.At(-1)))
	bin := cast(Clip(Floor(Mul(Div(Sub(Where(inside, x, lo), lo), hi-lo), n)), 0, float64(n-1)), S32)
	// The product is rounded: next to an edge it may be off by a bin.
	bin = Sub(bin, cast(Less(x, Take(edges, bin)), S32))
	bin = Add(bin, cast(GreaterEqual(x, Take(edges, Add(bin, 1))), S32))
	return SegmentSum(cast(inside, S32), Clip(bin, 0, n-1), n)
}
