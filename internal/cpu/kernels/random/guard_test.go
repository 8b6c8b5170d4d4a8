package random

import (
	"testing"

	"github.com/go-nx/nx/internal/cpu/kernels/kit"
)

func guardCases() []kit.Case {
	return []kit.Case{
		{Name: "Threefry32", Run: func(m *kit.Memory, n int) error {
			Threefry32(nil, kit.Numbers[uint32](m, 2*n*3), &[2]uint64{1, 2}, 2, n, 3)
			return nil
		}},
		{Name: "Threefry64",
			Run: func(m *kit.Memory, n int) error {
				Threefry64(nil, kit.Numbers[uint64](m, n), &[2]uint64{1, 2})
				return nil
			}},
		{Name: "Philox", Run: func(m *kit.Memory, n int) error {
			Philox(nil, kit.Numbers[uint32](m, n), kit.Numbers[uint64](m, 2))
			Philox(nil, kit.Numbers[uint64](m, n), kit.Numbers[uint64](m, 3))
			return nil
		}},
	}
}

func TestGuardedMemory(t *testing.T) { kit.CheckGuarded(t, guardCases()) }

func TestGuardCasesAreComplete(t *testing.T) { kit.CheckCovered(t, guardCases()) }
