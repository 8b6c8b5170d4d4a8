package ops_test

import (
	"slices"
	"testing"

	"github.com/go-nx/nx"
)

// TestHistogramEdges: counts are those of numpy.histogram. Edges of bins are numbers of the elements' type, so
// that an element that is one counts in the bin above it.
func TestHistogramEdges(t *testing.T) {
	tenths := []float64{.1, .2, .3, .4, .5, .6, .7, .8, .9, 1}
	for _, c := range []struct {
		d      nx.DType
		lo, hi float64
		want   []int32
	}{
		{nx.F64, 0, 1, []int32{0, 1, 2, 0, 1, 2, 1, 0, 1, 2}},
		{nx.F64, .1, .6, []int32{1, 0, 1, 1, 0, 0, 1, 0, 1, 1}},
		{nx.F32, 0, 1, []int32{0, 1, 1, 1, 1, 1, 1, 1, 1, 2}},
		{nx.F16, 0, 1, []int32{0, 1, 1, 1, 1, 1, 1, 1, 1, 2}},
		{nx.F32, .1, .6, []int32{1, 0, 1, 0, 1, 0, 1, 0, 1, 1}},
	} {
		x := nx.Cast(nx.New(tenths), c.d)
		if got := nx.Data[int32](nx.Histogram(x, 10, c.lo, c.hi)); !slices.Equal(got, c.want) {
			t.Errorf("%v from %v to %v: %v, not %v", c.d, c.lo, c.hi, got, c.want)
		}
	}
}
