package fft

import (
	"testing"

	"github.com/go-nx/nx/internal/cpu/kernels/kit"
)

func guardCases() []kit.Case {
	return []kit.Case{
		{Name: "TransformLines", Run: func(m *kit.Memory, n int) error {
			return TransformLines(nil, NewPlan(nil, n), kit.Numbers[complex64](m, n*6), kit.Numbers[complex64](m, n*6),
				2, 3, false)
		}},
		{Name: "TransformLines", Run: func(m *kit.Memory, n int) error {
			x := kit.Numbers[complex128](m, n*6)
			return TransformLines(nil, NewPlan(nil, n), x, x, 2, 3, true)
		}},
		{Name: "ForwardReal", Run: func(m *kit.Memory, n int) error {
			return ForwardReal(nil, NewRealPlan(nil, n), kit.Numbers[complex64](m, 3*(n/2+1)),
				kit.Numbers[float32](m, 3*n), 3)
		}},
		{Name: "InverseReal", Run: func(m *kit.Memory, n int) error {
			return InverseReal(nil, NewRealPlan(nil, n), kit.Numbers[float64](m, 3*n),
				kit.Numbers[complex128](m, 3*(n/2+1)), 3)
		}},
	}
}

func TestGuardedMemory(t *testing.T) { kit.CheckGuarded(t, guardCases()) }

func TestGuardCasesAreComplete(t *testing.T) { kit.CheckCovered(t, guardCases()) }
