package ops_test

import (
	"math"
	"testing"

	"github.com/go-nx/nx"
)

// TestHyperbolicOfLargeArguments: the error does not grow with the argument.
func TestHyperbolicOfLargeArguments(t *testing.T) {
	x := nx.Linspace(-89.4, 89.4, 20001, nx.F32)
	v := nx.Data[float32](x)
	sinh, cosh := nx.Data[float32](nx.Sinh(x)), nx.Data[float32](nx.Cosh(x))
	for i, v := range v {
		for _, p := range [2][2]float32{{sinh[i], float32(math.Sinh(float64(v)))},
			{cosh[i], float32(math.Cosh(float64(v)))}} {
			if d := int32(math.Float32bits(p[0])) - int32(math.Float32bits(p[1])); d < -1 || d > 1 {
				t.Fatalf("at %v: %v, want %v", v, p[0], p[1])
			}
		}
	}
}
