package kit

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/go-nx/nx/tree"

	"github.com/go-nx/nx"
)

// CloseTo compares the elements of a tensor of f64, to a few ulps of the largest.
func CloseTo(t *testing.T, what string, got nx.Tensor, want ...float64) {
	t.Helper()
	data := nx.Data[float64](got)
	if len(data) != len(want) {
		t.Errorf("%s: %v, want %v", what, data, want)
		return
	}
	scale := 1.0
	for _, w := range want {
		scale = max(scale, math.Abs(w))
	}
	for i, w := range want {
		if !(math.Abs(data[i]-w) <= 1e-13*scale) {
			t.Errorf("%s: element %d is %v, want %v", what, i, data[i], w)
		}
	}
}

// NearlyEqual reports whether two tensors are equal but for the last bits of a float; NaN is NaN.
func NearlyEqual(a, b nx.Tensor) bool {
	return nx.Item[bool](nx.AllClose(nx.Rename(a), nx.Rename(b), nx.EqualNaN, nx.Tolerance(1e-12, 1e-12)))
}

// DescribeTree returns the paths and the elements of a container.
func DescribeTree(p any) string {
	var b strings.Builder
	for path, x := range tree.Leaves(p) {
		fmt.Fprintln(&b, path, x.Spec(), nx.Bytes(x))
	}
	return b.String()
}

// RequireNear compares the elements of two tensors, to 1e-12 of each; NaN is NaN.
func RequireNear(t *testing.T, what string, got, want nx.Tensor) {
	t.Helper()
	g, w := nx.Data[float64](nx.Cast(got, nx.F64)), nx.Data[float64](nx.Cast(want, nx.F64))
	for i := range w {
		if !(math.Abs(g[i]-w[i]) <= 1e-12*max(1, math.Abs(w[i]))) && g[i] != w[i] &&
			!(math.IsNaN(g[i]) && math.IsNaN(w[i])) {
			t.Errorf("%s: element %d is %v, want %v", what, i, g[i], w[i])
		}
	}
}
