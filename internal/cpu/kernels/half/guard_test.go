package half

import (
	"testing"

	"github.com/go-nx/nx/internal/cpu/kernels/kit"
)

func guardCases() []kit.Case {
	var out []kit.Case
	out = append(out, kit.InPlace("RoundBF16", RoundBF16)...)
	out = append(out, kit.InPlace("RoundF16", RoundF16)...)
	out = append(out, kit.Elementwise("WidenBF16", WidenBF16), kit.Elementwise("WidenF16", WidenF16),
		kit.Elementwise("NarrowBF16", NarrowBF16), kit.Elementwise("NarrowF16", NarrowF16))
	return out
}

func TestGuardedMemory(t *testing.T) { kit.CheckGuarded(t, guardCases()) }

func TestGuardCasesAreComplete(t *testing.T) { kit.CheckCovered(t, guardCases()) }
