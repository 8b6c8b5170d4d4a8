// Package kit has what tests of several packages of kernels share: environments, inputs, timing, and the check
// that a kernel accesses only its operands.
package kit

import (
	"math/rand/v2"
	"testing"

	"github.com/go-nx/nx/internal/cpu/rt"
)

// NewEnv returns an environment with a pool of workers.
func NewEnv(tb testing.TB, workers int) *rt.Env {
	p := rt.NewPool(workers)
	tb.Cleanup(p.Close)
	return &rt.Env{Pool: p, Buffers: rt.NewBuffers(-1)}
}

// CheckFreed fails the test if a kernel kept scratch memory.
func CheckFreed(t *testing.T, env *rt.Env) {
	t.Helper()
	if n := env.Buffers.InUse(); n != 0 {
		t.Errorf("%d bytes of scratch memory not freed", n)
	}
}

// Fill fills x with random numbers and returns it: any bits of integers, normally distributed floats.
func Fill[T int32 | int64 | float32 | float64](r *rand.Rand, x []T) []T {
	for i := range x {
		var zero T
		switch any(zero).(type) {
		case int32, int64:
			x[i] = T(r.Uint64())
		default:
			x[i] = T(r.NormFloat64())
		}
	}
	return x
}

// Count returns f(0) to f(n-1).
func Count[T any](n int, f func(int) T) []T {
	s := make([]T, n)
	for i := range s {
		s[i] = f(i)
	}
	return s
}
