package core

import (
	"math"

	"github.com/go-nx/nx/stablehlo"
)

var (
	segmentMaxOp  = scatterOp("SegmentMax", stablehlo.OpMaximum)
	segmentMinOp  = scatterOp("SegmentMin", stablehlo.OpMinimum)
	segmentProdOp = scatterOp("SegmentProd", stablehlo.OpMultiply)
)

// SegmentSum implements nx.SegmentSum.
func SegmentSum(t, ids Tensor, n int) Tensor {
	return segments("SegmentSum", indexedAddOp, zero, t, ids, n)
}

// SegmentProd implements nx.SegmentProd.
func SegmentProd(t, ids Tensor, n int) Tensor {
	return segments("SegmentProd", segmentProdOp, one, t, ids, n)
}

// SegmentMax implements nx.SegmentMax.
func SegmentMax(t, ids Tensor, n int) Tensor {
	requireOrder("SegmentMax", t)
	return segments("SegmentMax", segmentMaxOp, bound(t.p.spec.DType, true), t, ids, n)
}

// SegmentMin implements nx.SegmentMin.
func SegmentMin(t, ids Tensor, n int) Tensor {
	requireOrder("SegmentMin", t)
	return segments("SegmentMin", segmentMinOp, bound(t.p.spec.DType, false), t, ids, n)
}

// SegmentMean implements nx.SegmentMean.
func SegmentMean(t, ids Tensor, n int) Tensor {
	const op = "SegmentMean"
	s := t.must(op)
	defer calledAs(op, t, ids)
	d := floating(s.DType, s.weak)
	in := wide(d)
	if s.DType.IsInteger() && s.DType.Bits() > F32.MantissaBits() {
		in = F64
	}
	sum := SegmentSum(converted(t, in), ids, n)
	// Counted in f64: above 2^24, f32 adds no more ones.
	count := SegmentSum(Ones(ids.p.spec.Shape, F64), ids, n)
	for range len(s.Shape) - 1 {
		count = ExpandAxis(count, Axis(-1))
	}
	return converted(Div(sum, cast(Maximum(count, 1), in.Real())), d)
}

// segments combines the rows of segments, beginning with a number.
func segments(op string, o *operation[gatherAttrs], first number, t, ids Tensor, n int) Tensor {
	s, is := t.must(op), ids.must(op)
	ins := []Tensor{t, ids}
	requireIndices(op, ins, is)
	if len(s.Shape) == 0 || len(is.Shape) != 1 || is.Shape[0] != s.Shape[0] {
		failOn(ErrShape, op, ins, "give a number for each row", "the numbers have the shape %v", []int(is.Shape))
	}
	if n < 0 {
		failOn(ErrArgument, op, ins, "", "the number of segments %d is negative", n)
	}
	defer calledAs(op, ins...)
	out := *s.withoutVectors()
	out.Shape = append(Shape{n}, s.Shape[1:]...)
	start := constant(newSpec(op, out, t), first)
	beyond := LogicalOr(Less(ids, 0), GreaterEqual(ids, n)) // a negative number would count from the end
	return scatterBy(op, o, start, ExpandAxis(Where(beyond, n, cast(ids, S64)), Axis(-1)), t, nil)
}

// Bincount implements nx.Bincount.
func Bincount(t Tensor, n int) Tensor {
	const op = "Bincount"
	s := t.must(op)
	requireIndices(op, []Tensor{t}, s)
	requireBins(op, n, t)
	defer calledAs(op, t)
	ids := Rename(Flatten(t))
	return SegmentSum(Ones(ids.p.spec.Shape, S32), ids, n)
}

// WeightedBincount implements nx.WeightedBincount.
func WeightedBincount(t, weights Tensor, n int) Tensor {
	const op = "WeightedBincount"
	s, ws := t.must(op), weights.must(op)
	ins := []Tensor{t, weights}
	requireIndices(op, ins, s)
	requireBins(op, n, ins...)
	if !broadcastsTo(ws.Shape, s.Shape) {
		failOn(ErrShape, op, ins, "", "the weights do not spread over the numbers")
	}
	defer calledAs(op, ins...)
	weights = BroadcastTo(Rename(weights), s.Shape...)
	return SegmentSum(Flatten(weights), Rename(Flatten(t)), n)
}

// requireBins refuses a number of bins that counts of s32 cannot tell apart.
func requireBins(op string, n int, ts ...Tensor) {
	if n < 0 || n > math.MaxInt32 {
		failOn(ErrArgument, op, ts, "", "cannot count in %d bins", n)
	}
}
