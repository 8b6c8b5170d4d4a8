package codetest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-nx/nx/internal/cpu/rt"
)

// Number returns a number, rarely a special one.
func Number[T float32 | float64](r *rand.Rand) T {
	special := []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN(), 1e-45, -1e-40, 3e38, 5e-324,
		1e308}
	if r.IntN(40) == 0 {
		return T(special[r.IntN(len(special))])
	}
	return T(r.NormFloat64())
}

// SameElements compares bits; all NaNs are equal.
func SameElements[T any](t *testing.T, what string, got, want []T) {
	t.Helper()
	for i, x := range got {
		if a, b := fmt.Sprintf("%v", x), fmt.Sprintf("%v", want[i]); a != b {
			t.Fatalf("%s: element %d is %s, want %s", what, i, a, b)
		}
	}
}

// SameNumbers compares bits; all NaNs are equal.
func SameNumbers[T float32 | float64](t *testing.T, what string, got, want []T) {
	t.Helper()
	for i, x := range got {
		if y := want[i]; math.Float64bits(float64(x)) != math.Float64bits(float64(y)) && (x == x || y == y) {
			t.Fatalf("%s: element %d is %v, want %v", what, i, x, y)
		}
	}
}

// Word returns a random integer.
func Word[T int32 | uint32 | int64 | uint64](r *rand.Rand) T { return T(r.Uint64()) }

// Combined returns what an operation of scatters makes of two elements.
func Combined[T float32 | float64 | int8 | uint8 | int16 | uint16 | int32 | uint32 | int64 | uint64](op rt.CombineOp,
	x, y T) T {
	switch op {
	case rt.CombineSum:
		return x + y
	case rt.CombineProd:
		return x * y
	case rt.CombineMax:
		return max(x, y)
	case rt.CombineMin:
		return min(x, y)
	}
	return y
}
