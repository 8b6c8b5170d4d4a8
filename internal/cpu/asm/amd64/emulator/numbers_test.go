package emulator

import (
	"math/rand/v2"

	"github.com/go-nx/nx/internal/cpu/asm/memory"
	"github.com/go-nx/nx/internal/cpu/asm/softfloat"
)

// fill writes numbers of one kind: floats of a format, integers, bits.
func fill(r *rand.Rand, b []byte) {
	switch style := r.IntN(8); style {
	case 0:
		for i := range b {
			b[i] = byte(r.Uint32())
		}
	case 1: // small integers, of all sizes
		w := 1 << r.IntN(4)
		for i := 0; i < len(b); i += w {
			memory.Store(b[i:], w, uint64(r.IntN(20)-10))
		}
	default:
		w := []int{2, 4, 4, 4, 8, 8}[style-2]
		f := floats[w]
		if w == 2 && r.IntN(2) == 0 {
			f = bf16
		}
		for i := 0; i < len(b); i += w {
			memory.Store(b[i:], w, softfloat.Random(r, f))
		}
	}
}
