package amd64

import (
	"math/bits"
	"unsafe"

	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/rt"
)

var _ rt.PairStep = (*pairStep)(nil)

// pairStep sums products of bf16, two at a time: an instruction that does so makes as many sums as one
// for float32s. Its elements are pairs, which it moves as float32s.
type pairStep struct{ productStep[float32] }

func newPairStep(w Width) *pairStep {
	s := &pairStep{}
	s.shape = shapeOf(w, 4)
	s.pairs = true
	return s
}

// exchangePairs exchanges the halves of pairs.
func exchangePairs(x []uint32) {
	for i := range x {
		x[i] = bits.RotateLeft32(x[i], 16)
	}
}

// Interleave makes pairs of lines that are neighbours.
func (s *pairStep) Interleave(dst []float32, src []uint16, ks, lines, depth int) {
	if lines == 0 || depth == 0 {
		return
	}
	args := s.takeArgs()
	defer s.giveArgs(args)
	args.pack = packArgs{from: unsafe.Pointer(&src[0]), to: unsafe.Pointer(&dst[0]), fromStep: 2 * ks, toStep: 4 * lines,
		count: depth, cols: lines}
	s.call(productKey{interleaveKind, 0, 0}, unsafe.Pointer(&args.pack))
}

// interleaveCode makes pairs of so many k's and the ones after them, of so many lines.
func interleaveCode() *asm.Assembler {
	c, second := newLineCode(16), asm.GP(10)
	begin := func() { c.Emit(asm.LEA, second, asm.MemIndex(c.from, c.fromStep, 1, 0)) }
	return c.writeMasked(2, begin, func(emit, store func(op asm.Op, args ...asm.Operand)) {
		emit(asm.VPMOVZXWD, asm.Z(0), asm.MemIndex(c.from, c.at, 2, 0))
		emit(asm.VPMOVZXWD, asm.Z(1), asm.MemIndex(second, c.at, 2, 0))
		c.Emit(asm.VPSLLD, asm.Z(1), asm.Z(1), asm.Imm(16))
		c.Emit(asm.VPORD, asm.Z(0), asm.Z(0), asm.Z(1))
		store(asm.VMOVUPS, asm.MemIndex(c.to, c.at, 4, 0), asm.Z(0))
	})
}
