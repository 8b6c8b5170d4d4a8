package move

import (
	"testing"

	"github.com/go-nx/nx/internal/cpu/kernels/kit"
	"github.com/go-nx/nx/internal/cpu/rt"
)

func guardCases() []kit.Case {
	return []kit.Case{
		{Name: "Row", Run: func(m *kit.Memory, n int) error {
			dst, src := kit.Numbers[float32](m, 3*n-2), kit.Numbers[float32](m, 2*n-1)
			Row(dst, src, 0, 0, 1, 1, n)
			Row(dst, src, 0, 2*n-2, 1, 0, n)
			Row(dst, src, 0, 0, 1, 2, n)
			Row(dst, src, 3*n-3, 0, -3, 2, n)
			return nil
		}},
		{Name: "Reverse", Run: func(m *kit.Memory, n int) error {
			for _, size := range []int{1, 2, 4, 8, 16} {
				Reverse(rt.Bytes(kit.Numbers[byte](m, size*n)), size)
			}
			return nil
		}},
		{Name: "Repeat", Run: func(m *kit.Memory, n int) error {
			Repeat(rt.Bytes(kit.Numbers[uint16](m, n)), []byte{7, 0})
			return nil
		}},
		{Name: "Strided", Run: func(m *kit.Memory, n int) error {
			Strided(kit.Numbers[byte](m, n), kit.Numbers[byte](m, 3*n-2), 3, 1)
			Strided(rt.Bytes(kit.Numbers[uint16](m, n)), rt.Bytes(kit.Numbers[uint16](m, 3*n-2)), 3, 2)
			Strided(rt.Bytes(kit.Numbers[float32](m, n)), rt.Bytes(kit.Numbers[float32](m, n)), 1, 4)
			return nil
		}},
		{Name: "Strided", Run: func(m *kit.Memory, n int) error {
			Strided(rt.Bytes(kit.Numbers[float32](m, n)), rt.Bytes(kit.Numbers[float32](m, 3*n-2)), 3, 4)
			Strided(rt.Bytes(kit.Numbers[float64](m, n)), rt.Bytes(kit.Numbers[float64](m, 3*n-2)), 3, 8)
			Strided(rt.Bytes(kit.Numbers[complex128](m, n)), rt.Bytes(kit.Numbers[complex128](m, 3*n-2)), 3, 16)
			return nil
		}},
		{Name: "Fill", Run: func(m *kit.Memory, n int) error {
			Fill(nil, rt.Bytes(kit.Numbers[uint16](m, n)), []byte{7, 0})
			return nil
		}},
	}
}

func TestGuardedMemory(t *testing.T) { kit.CheckGuarded(t, guardCases()) }

func TestGuardCasesAreComplete(t *testing.T) { kit.CheckCovered(t, guardCases()) }
