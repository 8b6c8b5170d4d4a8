package autodiff

import (
	"math"

	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/stablehlo"
)

// running reports windows that reach from the beginning of one dimension to each of its
// elements, or from each to the end.
func (w windows) running(sizes []int64) (dim int, reverse, ok bool) {
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

// isRunningExtreme reports whether op, which folds by code, is a running maximum or minimum
// without an initial value that could be it.
func isRunningExtreme(op *stablehlo.Op, code stablehlo.OpCode) bool {
	_, _, ok := windowsOf(op).running(emit.Sizes(op.Operands[0]))
	if v, isConst := constFloat(op.Operands[1]); ok && isConst {
		return code == stablehlo.OpMaximum && math.IsInf(v, -1) || code == stablehlo.OpMinimum && math.IsInf(v, 1)
	}
	return false
}

// runningExtreme writes the op out as a scan whose steps join neighbours, then pairs of
// them, and so on: as JAX has it, so that ties share as there. It takes as many elements of
// work as the tensor has, twice.
func runningExtreme(e emitter, op *stablehlo.Op) []value {
	x := op.Operands[0]
	dim, reverse, _ := windowsOf(op).running(emit.Sizes(x))
	if reverse {
		x = e.Reverse(x, int64(dim))
	}
	if x = e.scan(reducer(op.Regions[0].Block()), x, dim); reverse {
		x = e.Reverse(x, int64(dim))
	}
	return []value{x}
}

// scan returns the folds by code of all elements up to each one along a dimension.
func (e emitter) scan(code stablehlo.OpCode, x value, dim int) value {
	n := emit.Sizes(x)[dim]
	if n < 2 {
		return x
	}
	odd := e.scan(code, e.Do(code, e.SliceDim(x, dim, 0, n-1, 2), e.SliceDim(x, dim, 1, n, 2)), dim)
	even := e.SliceDim(x, dim, 0, 1, 1)
	if n > 2 {
		even = e.Concat(dim, even, e.Do(code, e.SliceDim(odd, dim, 0, (n-1)/2, 1), e.SliceDim(x, dim, 2, n, 2)))
	}
	return e.interleave(even, odd, dim)
}

// interleave returns the elements of two tensors along a dimension in turns, those of even
// first.
func (e emitter) interleave(even, odd value, dim int) value {
	sizes := emit.Sizes(even)
	n := sizes[dim] + emit.Sizes(odd)[dim]
	zero := e.Scalar(emit.DTypeOf(even), 0)
	spread := func(x value, low int64) value {
		lows, highs, interior := emit.Repeat(len(sizes), 0), emit.Repeat(len(sizes), 0), emit.Repeat(len(sizes), 0)
		lows[dim], interior[dim] = low, 1
		highs[dim] = n - low - (2*emit.Sizes(x)[dim] - 1)
		return e.PadWith(x, zero, lows, highs, interior)
	}
	return e.Add(spread(even, 0), spread(odd, 1))
}
