package gemm

import (
	"unsafe"

	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/rt"
)

var _ rt.Dot4Step = (*amxInt8Step)(nil)

// amxInt8Step multiplies int8 in AMX tiles, four elements along k per accumulator. Its elements are four bytes, which
// it copies as float32, as it does int32 sums.
type amxInt8Step struct{ amxStep }

// newAMXInt8Step returns the step for signed or unsigned operands.
func newAMXInt8Step(left, right bool) *amxInt8Step {
	multiply := map[[2]bool]asm.Op{{true, true}: asm.TDPBSSD, {true, false}: asm.TDPBSUD, {false, true}: asm.TDPBUSD,
		{false, false}: asm.TDPBUUD}
	return &amxInt8Step{*newAMXStep(multiply[[2]bool{left, right}])}
}

// newAMXInt8Steps returns the steps for all combinations of signedness.
func newAMXInt8Steps() (steps rt.Dot4Steps) {
	for _, left := range []bool{false, true} {
		for _, right := range []bool{false, true} {
			steps.Set(left, right, newAMXInt8Step(left, right))
		}
	}
	return steps
}

// Interleave packs the elements of four k of contiguous lines.
func (s *amxInt8Step) Interleave(dst []float32, src []byte, ks, lines, depth int) {
	s.interleave4(dst, src, ks, lines, depth)
}

func (s *gemmStep[T]) interleave4(dst []float32, src []byte, ks, lines, depth int) {
	if lines == 0 || depth == 0 {
		return
	}
	args := s.getArgs()
	defer s.putArgs(args)
	args.pack = packArgs{from: unsafe.Pointer(&src[0]), to: unsafe.Pointer(&dst[0]), fromStep: ks, toStep: 4 * lines,
		count: depth, cols: lines}
	s.call(gemmKey{interleaveKind, 4, 0}, unsafe.Pointer(&args.pack))
}

// interleave4Code interleaves the lines of a k with those of the next three.
func interleave4Code() *asm.Assembler {
	c := newLineCode(16)
	rows := []asm.Reg{c.from, asm.GP(10), asm.GP(14), asm.GP(15)}
	begin := func() {
		for i := 1; i < len(rows); i++ {
			c.Emit(asm.LEA, rows[i], asm.MemIndex(rows[i-1], c.fromStep, 1, 0))
		}
	}
	return c.writeMasked(4, begin, func(emit, store func(op asm.Op, args ...asm.Operand)) {
		for i, row := range rows {
			emit(asm.VPMOVZXBD, asm.Z(i), asm.MemIndex(row, c.at, 1, 0))
			if i > 0 {
				c.Emit(asm.VPSLLD, asm.Z(i), asm.Z(i), asm.Imm(int64(8*i)))
				c.Emit(asm.VPORD, asm.Z(0), asm.Z(0), asm.Z(i))
			}
		}
		store(asm.VMOVUPS, asm.MemIndex(c.to, c.at, 4, 0), asm.Z(0))
	})
}
