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
	a := &asm.Assembler{}
	from, to, fromStep, toStep, count := loadPackArgs(a)
	second, at, left, all := asm.GP(10), asm.GP(12), asm.GP(13), asm.GP(11)
	const lanes = 16
	// pair makes a vector of pairs, of which a mask may name some.
	pair := func(emit func(op asm.Op, args ...asm.Operand)) {
		emit(asm.VPMOVZXWD, asm.Z(0), asm.MemIndex(from, at, 2, 0))
		emit(asm.VPMOVZXWD, asm.Z(1), asm.MemIndex(second, at, 2, 0))
		a.Emit(asm.VPSLLD, asm.Z(1), asm.Z(1), asm.Imm(16))
		a.Emit(asm.VPORD, asm.Z(0), asm.Z(0), asm.Z(1))
	}
	row, loop, rest, next := a.NewLabel(), a.NewLabel(), a.NewLabel(), a.NewLabel()
	a.Bind(row)
	a.Emit(asm.LEA, second, asm.MemIndex(from, fromStep, 1, 0))
	a.Emit(asm.XOR, at.As(asm.R32), at.As(asm.R32))
	a.Emit(asm.MOV, left, asm.Mem(asm.RDI, packCols))
	a.Emit(asm.SUB, left, asm.Imm(lanes))
	a.Emit(asm.JL, rest)
	a.Align(16)
	a.Bind(loop)
	pair(func(op asm.Op, args ...asm.Operand) { a.Emit(op, args...) })
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
	pair(func(op asm.Op, args ...asm.Operand) { a.Masked(asm.K(tailMaskK), true, op, args...) })
	a.Masked(asm.K(tailMaskK), false, asm.VMOVUPS, asm.MemIndex(to, at, 4, 0), asm.Z(0))
	a.Bind(next)
	a.Emit(asm.LEA, from, asm.MemIndex(from, fromStep, 2, 0))
	a.Emit(asm.ADD, to, toStep)
	a.Emit(asm.SUB, count, asm.Imm(1))
	a.Emit(asm.JNE, row)
	a.Emit(asm.VZEROUPPER)
	a.Emit(asm.RET)
	return a
}

// Narrow rounds lines of float32s to bf16.
func (s *pairStep) Narrow(dst []uint16, ldd int, src []float32, lds, lines, n int) {
	if lines == 0 || n == 0 {
		return
	}
	args := s.takeArgs()
	defer s.giveArgs(args)
	args.pack = packArgs{from: unsafe.Pointer(&src[0]), to: unsafe.Pointer(&dst[0]), fromStep: 4 * lds, toStep: 2 * ldd,
		count: lines, cols: n}
	s.call(productKey{narrowKind, 0, 0}, unsafe.Pointer(&args.pack))
}

// narrowCode rounds lines to nearest even, with integers, as bf16 has what the instruction for it takes for 0.
func narrowCode() *asm.Assembler {
	a := &asm.Assembler{}
	from, to, fromStep, toStep, count := loadPackArgs(a)
	at, left, all := asm.GP(12), asm.GP(13), asm.GP(11)
	one, half, quiet, x, y := asm.Z(16), asm.Z(17), asm.Z(18), asm.Z(0), asm.Z(1)
	const lanes, nans = 16, 2
	for i, v := range []int64{1, 0x7fff, 0x40} {
		a.Emit(asm.MOV, all.As(asm.R32), asm.Imm(v))
		a.Emit(asm.VPBROADCASTD, []asm.Reg{one, half, quiet}[i], all.As(asm.R32))
	}
	round := func(emit func(op asm.Op, args ...asm.Operand)) {
		emit(asm.VMOVUPS, x, asm.MemIndex(from, at, 4, 0))
		a.Emit(asm.VPSRLD, y, x, asm.Imm(16))
		a.Emit(asm.VCMPPS, asm.K(nans), x, x, asm.Imm(3)) // unordered
		a.Emit(asm.VPADDD, x, x, half)
		a.Emit(asm.VPANDD, asm.Z(2), y, one)
		a.Emit(asm.VPADDD, x, x, asm.Z(2))
		a.Emit(asm.VPSRLD, x, x, asm.Imm(16))
		a.Masked(asm.K(nans), false, asm.VPORD, x, y, quiet)
	}
	row, loop, rest, next := a.NewLabel(), a.NewLabel(), a.NewLabel(), a.NewLabel()
	a.Bind(row)
	a.Emit(asm.XOR, at.As(asm.R32), at.As(asm.R32))
	a.Emit(asm.MOV, left, asm.Mem(asm.RDI, packCols))
	a.Emit(asm.SUB, left, asm.Imm(lanes))
	a.Emit(asm.JL, rest)
	a.Align(16)
	a.Bind(loop)
	round(func(op asm.Op, args ...asm.Operand) { a.Emit(op, args...) })
	a.Emit(asm.VPMOVDW, asm.MemIndex(to, at, 2, 0), x)
	a.Emit(asm.ADD, at, asm.Imm(lanes))
	a.Emit(asm.SUB, left, asm.Imm(lanes))
	a.Emit(asm.JGE, loop)
	a.Bind(rest)
	a.Emit(asm.ADD, left, asm.Imm(lanes))
	a.Emit(asm.JE, next)
	a.Emit(asm.MOV, all.As(asm.R32), asm.Imm(-1))
	a.Emit(asm.BZHI, all.As(asm.R32), all.As(asm.R32), left.As(asm.R32))
	a.Emit(asm.KMOVW, asm.K(tailMaskK), all.As(asm.R32))
	round(func(op asm.Op, args ...asm.Operand) { a.Masked(asm.K(tailMaskK), true, op, args...) })
	a.Masked(asm.K(tailMaskK), false, asm.VPMOVDW, asm.MemIndex(to, at, 2, 0), x)
	a.Bind(next)
	a.Emit(asm.ADD, from, fromStep)
	a.Emit(asm.ADD, to, toStep)
	a.Emit(asm.SUB, count, asm.Imm(1))
	a.Emit(asm.JNE, row)
	a.Emit(asm.VZEROUPPER)
	a.Emit(asm.RET)
	return a
}
