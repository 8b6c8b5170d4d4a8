package monoid

import (
	"math"
	"testing"

	"github.com/go-nx/nx/internal/cpu/kernels/kit"
)

func guardCases() []kit.Case {
	return []kit.Case{
		{Name: "Scan", Run: func(m *kit.Memory, n int) error {
			scanNumbers(nil, kit.Numbers[float32](m, 2*n*3), kit.Numbers[float32](m, 2*n*3), 2, n, 3, &Sum[float32]{},
				0, true)
			scanNumbers(nil, kit.Numbers[float64](m, 2*n), kit.Numbers[float64](m, 2*n), 2, n, 1, &Sum[float64]{}, 0,
				true)
			scanNumbers(nil, kit.Numbers[int8](m, n), kit.Numbers[int8](m, n), 1, n, 1, &Prod[int8]{}, 1, false)
			return nil
		}},
		{Name: "ReduceWindow", Run: func(m *kit.Memory, n int) error {
			w := []Window{{1, 1, 1, 1, 0, 0}, {3, 1, 1, 1, 1, 1}}
			return reduceNumbers(nil, kit.Numbers[float32](m, 2*n), kit.Numbers[float32](m, 2*n), []int{2, n}, w,
				&Max[float32]{float32(math.Inf(-1))})
		}},
	}
}

func TestGuardedMemory(t *testing.T) { kit.CheckGuarded(t, guardCases()) }

func TestGuardCasesAreComplete(t *testing.T) { kit.CheckCovered(t, guardCases()) }
