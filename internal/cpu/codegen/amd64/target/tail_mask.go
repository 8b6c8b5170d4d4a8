package target

import asm "github.com/go-nx/nx/internal/cpu/asm/amd64"

// TailMask is the mask register of the last vector.
const TailMask = 1

// TailMaskAVX2 returns the AVX2 mask of the first n elements of a vector.
func TailMaskAVX2(n, size int) (mask [32]byte) {
	for i := range n * size {
		mask[i] = 0xff
	}
	return mask
}

// LoadTailMask emits the mask of the first elements; their number is an argument.
func LoadTailMask(a *asm.Assembler, at int) {
	n, all := asm.GP(8), asm.GP(11)
	a.Emit(asm.MOV, n, asm.Mem(asm.RDI, at))
	a.Emit(asm.MOV, all.As(asm.R32), asm.Imm(-1))
	a.Emit(asm.BZHI, all.As(asm.R32), all.As(asm.R32), n.As(asm.R32))
	a.Emit(asm.KMOVW, asm.K(TailMask), all.As(asm.R32))
}
