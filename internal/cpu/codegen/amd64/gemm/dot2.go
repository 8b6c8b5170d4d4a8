package gemm

import (
	"math/bits"
	"unsafe"

	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/target"
	"github.com/go-nx/nx/internal/cpu/rt"
)

var _ rt.Dot2Step = (*dot2Step)(nil)

// dot2Step multiplies bf16 with VDPBF16PS, two elements along k per accumulator. Its elements are such pairs, which it
// copies as float32.
type dot2Step struct{ gemmStep[float32] }

func newDot2Step(w target.Width) *dot2Step {
	s := &dot2Step{}
	s.shape = shapeOf(w, 4)
	s.dot2 = true
	return s
}

// swapHalves swaps the halves of pairs.
func swapHalves(x []uint32) {
	for i := range x {
		x[i] = bits.RotateLeft32(x[i], 16)
	}
}

// Interleave packs the elements of two k of contiguous lines to pairs.
func (s *dot2Step) Interleave(dst []float32, src []uint16, ks, lines, depth int) {
	if lines == 0 || depth == 0 {
		return
	}
	args := s.getArgs()
	defer s.putArgs(args)
	args.pack = packArgs{from: unsafe.Pointer(&src[0]), to: unsafe.Pointer(&dst[0]), fromStep: 2 * ks,
		toStep: 4 * lines, count: depth, cols: lines}
	s.call(gemmKey{interleaveKind, 0, 0}, unsafe.Pointer(&args.pack))
}

// interleave2Code interleaves the lines of a k with those of the next.
func interleave2Code() *asm.Assembler {
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
