package autodiff

import (
	"math"

	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/stablehlo"
)

// cumulativeDim reports windows that extend from the start of one dimension to each of its
// elements, or from each to the end.
func (w windows) cumulativeDim(sizes []int64) (dim int, reverse, ok bool) {
	dim = -1
	for i, n := range sizes {
		switch {
		case w.stride[i] != 1 || w.baseDilation[i] != 1:
			return 0, false, false
		case w.size[i] == 1 && w.low[i] == 0 && w.high[i] == 0:
		case dim < 0 && n > 1 && w.size[i] == n && w.dilation[i] == 1 && w.low[i]+w.high[i] == n-1 &&
			(w.low[i] == 0 || w.high[i] == 0):
			dim, reverse = i, w.low[i] == 0
		default:
			return 0, false, false
		}
	}
	return dim, reverse, dim >= 0
}

// isCumulativeExtreme reports whether op, which reduces by code, is a cumulative maximum or minimum
// whose initial value is neutral.
func isCumulativeExtreme(op *stablehlo.Op, code stablehlo.OpCode) bool {
	_, _, ok := windowsOf(op).cumulativeDim(emit.Sizes(op.Operands[0]))
	if v, isConst := constFloat(op.Operands[1]); ok && isConst {
		return code == stablehlo.OpMaximum && math.IsInf(v, -1) || code == stablehlo.OpMinimum && math.IsInf(v, 1)
	}
	return false
}

// jvpCumulativeExtreme expands the op to a scan whose steps combine neighbours, then pairs of them,
// and so on, like JAX, so that ties share in the same way. It takes twice as much work as there are
// elements. In reverse mode the op stays, and the combinations are recomputed for the shares;
// results that are NaN have no share for any operand except the first result, which is its operand.
func jvpCumulativeExtreme(t *tracer, op *stablehlo.Op) {
	x, y := op.Operands[0], op.Result()
	sizes := emit.Sizes(x)
	dim, reverse, _ := windowsOf(op).cumulativeDim(sizes)
	code := reducer(op.Regions[0].Block())
	reversed := func(e emitter, x value) value {
		if reverse {
			return e.Reverse(x, int64(dim))
		}
		return x
	}
	if t.pullbacks == nil {
		t.expand(op, func(e emitter, _ *stablehlo.Op) []value {
			return []value{reversed(e, e.scan(code, reversed(e, x), dim))}
		})
		return
	}
	t.append(op)
	d := t.tangent[x]
	t.set(y, t.standIn([]value{d}, typesOf([]value{y}), func(tr *transposer, _ *stablehlo.Op, cts []value) {
		zero := tr.Scalar(emit.DTypeOf(y), 0)
		x, y, ct := reversed(tr.emitter, x), reversed(tr.emitter, y), reversed(tr.emitter, tr.clean(cts[0]))
		numbers := tr.padDim(tr.SliceDim(y, dim, 1, sizes[dim], 1), zero, dim, 1, 0)
		ct = tr.Keep(tr.Compare("EQ", numbers, numbers), ct)
		tr.accumulate(d, reversed(tr.emitter, tr.pullScan(code, x, y, ct, zero, dim)))
	})[0])
}

// scan returns the prefix reductions along a dimension by code, which is a maximum or minimum.
func (e emitter) scan(code stablehlo.OpCode, x value, dim int) value {
	n := emit.Sizes(x)[dim]
	if n < 2 {
		return x
	}
	left, right := e.SliceDim(x, dim, 0, n-1, 2), e.SliceDim(x, dim, 1, n, 2)
	odd := e.scan(code, e.Do(code, left, right), dim)
	even := e.SliceDim(x, dim, 0, 1, 1)
	if n > 2 {
		before, last := e.SliceDim(odd, dim, 0, (n-1)/2, 1), e.SliceDim(x, dim, 2, n, 2)
		even = e.Concat(dim, even, e.Do(code, before, last))
	}
	return e.interleave(even, odd, e.Scalar(emit.DTypeOf(x), 0), dim)
}

// pullScan pulls a cotangent of y, which is the scan of x, back over its combinations. The values
// that odd elements are combined with in later ones are in y.
func (e emitter) pullScan(code stablehlo.OpCode, x, y, ct, zero value, dim int) value {
	n := emit.Sizes(x)[dim]
	if n < 2 {
		return ct
	}
	left, right := e.SliceDim(x, dim, 0, n-1, 2), e.SliceDim(x, dim, 1, n, 2)
	odd := e.SliceDim(y, dim, 1, n, 2)
	evenCt, oddCt := e.SliceDim(ct, dim, 0, n, 2), e.SliceDim(ct, dim, 1, n, 2)
	if n > 2 {
		before, last := e.SliceDim(odd, dim, 0, (n-1)/2, 1), e.SliceDim(x, dim, 2, n, 2)
		given := e.Mul(evenCt, e.padDim(e.share(code, before, last), zero, dim, 1, 0))
		evenCt = e.Sub(evenCt, given)
		oddCt = e.Add(oddCt, e.padDim(given, zero, dim, -1, 1-n%2))
	}
	pairCt := oddCt
	if n > 3 {
		pairCt = e.pullScan(code, e.Do(code, left, right), odd, oddCt, zero, dim)
	}
	given := e.Mul(pairCt, e.share(code, left, right))
	return e.interleave(e.Add(evenCt, e.padDim(given, zero, dim, 0, n%2)), e.Sub(pairCt, given), zero, dim)
}

// share returns the share of x in a maximum or minimum of x and y: half where they are equal.
func (e emitter) share(code stablehlo.OpCode, x, y value) value {
	wins := "GT"
	if code == stablehlo.OpMinimum {
		wins = "LT"
	}
	return e.Select(e.Compare("EQ", x, y), e.Fill(x, 0.5), e.ones(e.Compare(wins, x, y), x))
}

// padDim pads a dimension with zeros.
func (e emitter) padDim(x, zero value, dim int, low, high int64) value {
	n := len(emit.Sizes(x))
	lows, highs := emit.Repeat(n, 0), emit.Repeat(n, 0)
	lows[dim], highs[dim] = low, high
	return e.PadWith(x, zero, lows, highs, emit.Repeat(n, 0))
}

// interleave interleaves the elements of two tensors along a dimension, starting with even.
func (e emitter) interleave(even, odd, zero value, dim int) value {
	sizes := emit.Sizes(even)
	n := sizes[dim] + emit.Sizes(odd)[dim]
	if n == 2 {
		return e.Concat(dim, even, odd)
	}
	spread := func(x value, low int64) value {
		lows, highs, interior := emit.Repeat(len(sizes), 0), emit.Repeat(len(sizes), 0), emit.Repeat(len(sizes), 0)
		lows[dim], interior[dim] = low, 1
		highs[dim] = n - low - (2*emit.Sizes(x)[dim] - 1)
		return e.PadWith(x, zero, lows, highs, interior)
	}
	return e.Add(spread(even, 0), spread(odd, 1))
}
