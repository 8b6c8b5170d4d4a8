package properties

import (
	"flag"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/go-nx/nx"
	"pgregory.net/rapid"
)

// TestMain makes the same checks each time, fewer under -short, unless a flag -rapid.… is set.
func TestMain(m *testing.M) {
	flag.Parse()
	if asked := slices.ContainsFunc(os.Args, func(a string) bool { return strings.Contains(a, "-rapid.") }); !asked {
		checks := "60"
		if testing.Short() {
			checks = "15"
		}
		for name, value := range map[string]string{"rapid.checks": checks, "rapid.seed": "1"} {
			if err := flag.Set(name, value); err != nil {
				panic(err)
			}
		}
	}
	os.Exit(m.Run())
}

// exact are types in which small integers are added and multiplied without rounding.
var exact = []nx.DType{nx.S32, nx.S64, nx.F32, nx.F64, nx.C64, nx.C128}

// fields are those of linear algebra.
var fields = []nx.DType{nx.F32, nx.F64, nx.C64, nx.C128}

func dtypeOf(t *rapid.T, types []nx.DType) nx.DType { return rapid.SampledFrom(types).Draw(t, "type") }

// shapeOf draws a shape of at most rank axes.
func shapeOf(t *rapid.T, least, rank int) nx.Shape {
	return nx.Shape(rapid.SliceOfN(rapid.IntRange(1, 4), least, rank).Draw(t, "shape"))
}

// integers returns small integers of any type, complex ones of complex types.
func integers(t *rapid.T, d nx.DType, shape ...int) nx.Tensor {
	part := rapid.SliceOfN(rapid.IntRange(-5, 5), nx.Shape(shape).Size(), nx.Shape(shape).Size())
	x := nx.FromSlice(part.Draw(t, "elements"), shape)
	if d.IsComplex() {
		return nx.Cast(nx.Complex(nx.Cast(x, nx.F64),
			nx.Cast(nx.FromSlice(part.Draw(t, "imaginary parts"), shape), nx.F64)),
			d)
	}
	return nx.Cast(x, d)
}

// numbers returns floats of every size up to 100 and down to 1e-3, and zeros.
func numbers(t *rapid.T, d nx.DType, shape ...int) nx.Tensor {
	n := nx.Shape(shape).Size()
	part := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) float64 {
		return math.Round(rapid.Float64Range(-1, 1).Draw(t, "x")*1000) / rapid.SampledFrom([]float64{10,
			100, 1000}).Draw(t,
			"by")
	}), n, n)
	x := nx.FromSlice(part.Draw(t, "elements"), shape)
	if d.IsComplex() {
		return nx.Cast(nx.Complex(x, nx.FromSlice(part.Draw(t, "imaginary parts"), shape)), d)
	}
	return nx.Cast(x, d)
}

// epsilon is the unit roundoff.
func epsilon(d nx.DType) float64 {
	if d == nx.F64 || d == nx.C128 {
		return 0x1p-53
	}
	return 0x1p-24
}

// norm is the Frobenius norm of all elements, vectorised axes included.
func norm(x nx.Tensor) float64 {
	sum := 0.0
	for _, z := range nx.Data[complex128](nx.Devectorize(x)) {
		sum += real(z)*real(z) + imag(z)*imag(z)
	}
	return math.Sqrt(sum)
}

// near requires equal types and elements that differ by at most tol in the Frobenius norm.
func near(t *rapid.T, what string, got, want nx.Tensor, tol float64) {
	t.Helper()
	g, w := got.Spec(), want.Spec()
	if g.DType != w.DType || !slices.Equal(g.Shape, w.Shape) || !slices.Equal(got.Vectors(), want.Vectors()) {
		t.Fatalf("%s: %v, want %v", what, g, w)
	}
	if d := norm(nx.Sub(got, want)); !(d <= tol) {
		t.Fatalf("%s: they differ by %.3g, more than %.3g\n%v\n%v", what, d, tol, got, want)
	}
}

// equal requires the same type and the same elements.
func equal(t *rapid.T, what string, got, want nx.Tensor) {
	t.Helper()
	near(t, what, got, want, 0)
}
