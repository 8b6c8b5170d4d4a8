package amd64

import (
	"unsafe"

	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/rt"
)

var _ rt.QuadStep = (*quadStep)(nil)

// quadStep sums products of integers of 8 bits, four at a time, in tiles of AMX. Its elements are four of them, which
// it moves as float32s, as it does the bits of sums.
type quadStep struct{ amxStep }

// newQuadStep returns the step for operands that are signed or not.
func newQuadStep(left, right bool) *quadStep {
	multiply := map[[2]bool]asm.Op{{true, true}: asm.TDPBSSD, {true, false}: asm.TDPBSUD, {false, true}: asm.TDPBUSD,
		{false, false}: asm.TDPBUUD}
	return &quadStep{*newAMXStep(multiply[[2]bool{left, right}])}
}

// newQuadSteps returns the steps for all kinds of operands.
func newQuadSteps() (steps rt.QuadSteps) {
	for _, left := range []bool{false, true} {
		for _, right := range []bool{false, true} {
			steps.Set(left, right, newQuadStep(left, right))
		}
	}
	return steps
}

// InterleaveBytes makes quads of lines that are neighbours.
func (s *quadStep) InterleaveBytes(dst []float32, src []byte, ks, lines, depth int) {
	s.interleaveBytes(dst, src, ks, lines, depth)
}

func (s *productStep[T]) interleaveBytes(dst []float32, src []byte, ks, lines, depth int) {
	if lines == 0 || depth == 0 {
		return
	}
	args := s.takeArgs()
	defer s.giveArgs(args)
	args.pack = packArgs{from: unsafe.Pointer(&src[0]), to: unsafe.Pointer(&dst[0]), fromStep: ks, toStep: 4 * lines,
		count: depth, cols: lines}
	s.call(productKey{interleaveKind, 4, 0}, unsafe.Pointer(&args.pack))
}

// interleaveBytesCode makes quads of so many k's and the three after them, of so many lines.
func interleaveBytesCode() *asm.Assembler {
	a := &asm.Assembler{}
	from, to, fromStep, toStep, count := loadPackArgs(a)
	at, left, all := asm.GP(12), asm.GP(13), asm.GP(11)
	rows := []asm.Reg{from, asm.GP(10), asm.GP(14), asm.GP(15)}
	const lanes = 16
	// quad makes a vector of quads, of which a mask may name some.
	quad := func(emit func(op asm.Op, args ...asm.Operand)) {
		for i, row := range rows {
			emit(asm.VPMOVZXBD, asm.Z(i), asm.MemIndex(row, at, 1, 0))
			if i > 0 {
				a.Emit(asm.VPSLLD, asm.Z(i), asm.Z(i), asm.Imm(int64(8*i)))
				a.Emit(asm.VPORD, asm.Z(0), asm.Z(0), asm.Z(i))
			}
		}
	}
	row, loop, rest, next := a.NewLabel(), a.NewLabel(), a.NewLabel(), a.NewLabel()
	a.Bind(row)
	for i := 1; i < len(rows); i++ {
		a.Emit(asm.LEA, rows[i], asm.MemIndex(rows[i-1], fromStep, 1, 0))
	}
	a.Emit(asm.XOR, at.As(asm.R32), at.As(asm.R32))
	a.Emit(asm.MOV, left, asm.Mem(asm.RDI, packCols))
	a.Emit(asm.SUB, left, asm.Imm(lanes))
	a.Emit(asm.JL, rest)
	a.Align(16)
	a.Bind(loop)
	quad(func(op asm.Op, args ...asm.Operand) { a.Emit(op, args...) })
	a.Emit(asm.VMOVUPS, asm.MemIndex(to, at, 4, 0), asm.Z(0))
	a.Emit(asm.ADD, at, asm.Imm(lanes))
	a.Emit(asm.SUB, left, asm.Imm(lanes))
	a.Emit(asm.JGE, loop)
	a.Bind(rest)
	a.Emit(asm.ADD, left, asm.Imm(lanes))
	a.Emit(asm.JE, next)
	a.Emit(asm.MOV, all.As(asm.R32), asm.Imm(-1))
	a.Emit(asm.BZHI, all.As(asm.R32), all.As(asm.R32), left.As(asm.R32))
	a.Emit(asm.KMOVW, asm.K(tailMaskK), all.As(asm.R32))
	quad(func(op asm.Op, args ...asm.Operand) { a.Masked(asm.K(tailMaskK), true, op, args...) })
	a.Masked(asm.K(tailMaskK), false, asm.VMOVUPS, asm.MemIndex(to, at, 4, 0), asm.Z(0))
	a.Bind(next)
	a.Emit(asm.LEA, from, asm.MemIndex(from, fromStep, 4, 0))
	a.Emit(asm.ADD, to, toStep)
	a.Emit(asm.SUB, count, asm.Imm(1))
	a.Emit(asm.JNE, row)
	a.Emit(asm.VZEROUPPER)
	a.Emit(asm.RET)
	return a
}
