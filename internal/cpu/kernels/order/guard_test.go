package order

import (
	"testing"

	"github.com/go-nx/nx/internal/cpu/kernels/kit"
)

func guardCases() []kit.Case {
	return []kit.Case{
		{Name: "Key", Run: func(m *kit.Memory, n int) error {
			return Sort(nil,
				[]Operand{Key(kit.Numbers[uint32](m, 2*n*3), kit.Numbers[uint32](m, 2*n*3),
					Order[uint32]{Kind: Signed})},
				1, 2, n, 3)
		}},
		{Name: "Sort", Run: func(m *kit.Memory, n int) error {
			return Sort(nil, []Operand{Key(kit.Numbers[uint8](m, n), kit.Numbers[uint8](m, n), Order[uint8]{}),
				Payload(kit.Numbers[float64](m, n), kit.Numbers[float64](m, n))}, 1, 1, n, 1)
		}},
		{Name: "Payload", Run: func(m *kit.Memory, n int) error {
			src := kit.Numbers[float32](m, n)
			return SortFunc(nil, []Operand{Payload(kit.Numbers[float32](m, n), src)},
				func(i, j int) bool { return src[i] < src[j] }, 1, n, 1)
		}},
		{Name: "SortFunc", Run: func(m *kit.Memory, n int) error {
			src := kit.Numbers[int16](m, 2*n)
			return SortFunc(nil, []Operand{Payload(kit.Numbers[int16](m, 2*n), src)},
				func(i, j int) bool { return src[i] < src[j] }, 2, n, 1)
		}},
	}
}

func TestGuardedMemory(t *testing.T) { kit.CheckGuarded(t, guardCases()) }

func TestGuardCasesAreComplete(t *testing.T) { kit.CheckCovered(t, guardCases()) }
