package codetest

import (
	"testing"

	"github.com/go-nx/nx/internal/cpu/codegen/amd64/target"
)

// AllWidths are all widths.
var AllWidths = []target.Width{target.V256, target.V512}

// Widths returns the widths that this processor supports.
func Widths(t testing.TB) []target.Width {
	var out []target.Width
	for _, w := range []target.Width{target.V256, target.V512} {
		if err := w.CanRun(); err != nil {
			t.Logf("%s: %v", w, err)
		} else {
			out = append(out, w)
		}
	}
	if len(out) == 0 {
		t.Skip("the processor supports no width")
	}
	return out
}

// OnWidths returns the tests of steps: of each width in the emulator, and of each that the processor supports.
func OnWidths[T any](t *testing.T, emulated, processor func(w target.Width) T) map[string]T {
	out := map[string]T{}
	for _, w := range AllWidths {
		out["emulated "+w.String()] = emulated(w)
	}
	for _, w := range Widths(t) {
		out[w.String()] = processor(w)
	}
	return out
}
