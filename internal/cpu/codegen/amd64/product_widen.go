package amd64

import (
	"unsafe"

	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// widen converts lines of narrow elements to float32s, see [rt.Products]. Its code is that of AVX2 in both widths:
// memory is what takes the time.
func (s *productStep[T]) widen(of rt.Narrow, dst []float32, ldd int, src []byte, lds, lines, n int) {
	if lines == 0 || n == 0 {
		return
	}
	args := s.takeArgs()
	defer s.giveArgs(args)
	args.pack = packArgs{from: unsafe.Pointer(&src[0]), to: unsafe.Pointer(&dst[0]), fromStep: of.Size() * lds,
		toStep: 4 * ldd, count: lines, cols: n}
	s.call(productKey{widenKind, uint8(of), 0}, unsafe.Pointer(&args.pack))
}

// widenCode converts vectors of 8 elements, and what is left of a line one by one.
func widenCode(of rt.Narrow) *asm.Assembler {
	a := &asm.Assembler{}
	from, to, fromStep, toStep, count := loadPackArgs(a)
	at, left, one := asm.GP(12), asm.GP(13), asm.GP32(11)
	const lanes = 8
	// load reads elements to integers of 32 bits, or halves, and element one of them; then makes float32s of these.
	var load, element asm.Op
	then := func(r func(int) asm.Reg) { a.Emit(asm.VCVTDQ2PS, r(0), r(0)) }
	switch of {
	case rt.NarrowBF16:
		load, element = asm.VPMOVZXWD, asm.MOVZX
		then = func(r func(int) asm.Reg) { a.Emit(asm.VPSLLD, r(0), r(0), asm.Imm(16)) }
	case rt.NarrowF16:
		load, element = asm.VCVTPH2PS, asm.MOVZX
		then = func(func(int) asm.Reg) {}
	case rt.NarrowS8:
		load, element = asm.VPMOVSXBD, asm.MOVSX
	default:
		load, element = asm.VPMOVZXBD, asm.MOVZX
	}
	elem := asm.MemIndex(from, at, of.Size(), 0)
	row, loop, rest, single, next := a.NewLabel(), a.NewLabel(), a.NewLabel(), a.NewLabel(), a.NewLabel()
	a.Bind(row)
	a.Emit(asm.XOR, at.As(asm.R32), at.As(asm.R32))
	a.Emit(asm.MOV, left, asm.Mem(asm.RDI, packCols))
	a.Emit(asm.SUB, left, asm.Imm(lanes))
	a.Emit(asm.JL, rest)
	a.Align(16)
	a.Bind(loop)
	a.Emit(load, asm.Y(0), elem)
	then(asm.Y)
	a.Emit(asm.VMOVUPS, asm.MemIndex(to, at, 4, 0), asm.Y(0))
	a.Emit(asm.ADD, at, asm.Imm(lanes))
	a.Emit(asm.SUB, left, asm.Imm(lanes))
	a.Emit(asm.JGE, loop)
	a.Bind(rest)
	a.Emit(asm.ADD, left, asm.Imm(lanes))
	a.Emit(asm.JE, next)
	a.Bind(single)
	a.Emit(element, one, elem.Sized(of.Size()))
	a.Emit(asm.VMOVD, asm.X(0), one)
	if of == rt.NarrowF16 {
		a.Emit(load, asm.X(0), asm.X(0))
	}
	then(asm.X)
	a.Emit(asm.VMOVD, asm.MemIndex(to, at, 4, 0).Sized(4), asm.X(0))
	a.Emit(asm.ADD, at, asm.Imm(1))
	a.Emit(asm.SUB, left, asm.Imm(1))
	a.Emit(asm.JNE, single)
	a.Bind(next)
	a.Emit(asm.ADD, from, fromStep)
	a.Emit(asm.ADD, to, toStep)
	a.Emit(asm.SUB, count, asm.Imm(1))
	a.Emit(asm.JNE, row)
	a.Emit(asm.VZEROUPPER)
	a.Emit(asm.RET)
	return a
}
