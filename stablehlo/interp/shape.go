package interp

import (
	"slices"

	"github.com/go-nx/nx/stablehlo"
)

func equalDims(a, b []int64) bool { return slices.Equal(a, b) }

// fits reports a shape known at run time that the declared type does not allow.
func fits(t *stablehlo.TensorType, dims []int64) error {
	if len(dims) != len(t.Dims) {
		return faultf(BadShape, "the result has %d dimensions, its type %s has %d", len(dims), t, len(t.Dims))
	}
	for i, d := range dims {
		if t.Dims[i] != stablehlo.Dynamic && t.Dims[i] != d {
			return faultf(BadShape, "the result has shape %v, which does not fit its type %s", dims, t)
		}
		if t.Bounds != nil && t.Bounds[i] != stablehlo.Dynamic && d > t.Bounds[i] {
			return faultf(BadShape, "the result has shape %v, beyond the bounds of its type %s", dims, t)
		}
	}
	if !channelsFit(t.Quant(), dims) {
		return faultf(BadShape, "the result has shape %v, whose number of channels is not the number of scales of its type %s", dims, t)
	}
	return nil
}
