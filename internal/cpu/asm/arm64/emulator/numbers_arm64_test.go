package emulator

import (
	"math/rand/v2"

	"github.com/go-nx/nx/internal/cpu/asm/memory"
	"github.com/go-nx/nx/internal/cpu/asm/softfloat"
)

// fill writes numbers of one kind: bits, small integers, floats of a format.
func fill(r *rand.Rand, b []byte) {
	switch style := r.IntN(6); style {
	case 0:
		for i := range b {
			b[i] = byte(r.Uint32())
		}
	case 1:
		w := 1 << r.IntN(4)
		for i := 0; i < len(b); i += w {
			memory.Store(b[i:], w, uint64(r.IntN(40)-20))
		}
	default:
		w := []int{2, 4, 4, 8}[style-2]
		f := formats[w]
		if w == 2 && r.IntN(2) == 0 {
			f = bf16
		}
		for i := 0; i < len(b); i += w {
			memory.Store(b[i:], w, softfloat.Random(r, f))
		}
	}
}
