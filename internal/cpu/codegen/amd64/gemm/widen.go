package gemm

import (
	"unsafe"

	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// widen converts lines of narrow elements to float32, see [rt.GemmSteps]. Both widths use AVX2 code: memory bandwidth
// is the bottleneck.
func (s *gemmStep[T]) widen(of rt.Narrow, dst []float32, ldd int, src []byte, lds, lines, n int) {
	if lines == 0 || n == 0 {
		return
	}
	args := s.getArgs()
	defer s.putArgs(args)
	args.pack = packArgs{from: unsafe.Pointer(&src[0]), to: unsafe.Pointer(&dst[0]), fromStep: of.Size() * lds,
		toStep: 4 * ldd, count: lines, cols: n}
	if lines <= prefetchedLines {
		args.pack.next = of.Size() * lds * lines
	}
	s.call(gemmKey{widenKind, uint8(of), 0}, unsafe.Pointer(&args.pack))
}

// prefetchedLines is the number of lines of a product of few rows, whose next call has the lines behind: it is that of
// fewRowsLines of package gemm.
const prefetchedLines = 16

// widenCode converts vectors of 8 elements, and the tail of a line one by one.
func widenCode(of rt.Narrow) *asm.Assembler {
	c, one := newLineCode(8), asm.GP32(11)
	// load extends elements to 32-bit integers, or loads halves; element does so for one element; then converts the
	// result to float32.
	var load, element asm.Op
	then := func(r func(int) asm.Reg) { c.Emit(asm.VCVTDQ2PS, r(0), r(0)) }
	switch of {
	case rt.NarrowBF16:
		load, element = asm.VPMOVZXWD, asm.MOVZX
		then = func(r func(int) asm.Reg) { c.Emit(asm.VPSLLD, r(0), r(0), asm.Imm(16)) }
	case rt.NarrowF16:
		load, element = asm.VCVTPH2PS, asm.MOVZX
		then = func(func(int) asm.Reg) {}
	case rt.NarrowS8:
		load, element = asm.VPMOVSXBD, asm.MOVSX
	default:
		load, element = asm.VPMOVZXBD, asm.MOVZX
	}
	from, to := asm.MemIndex(c.from, c.at, of.Size(), 0), asm.MemIndex(c.to, c.at, 4, 0)
	ahead := asm.GP(8)
	return c.write(1, func() {
		c.Emit(asm.MOV, ahead, asm.Mem(asm.RDI, packNext))
		c.Emit(asm.ADD, ahead, c.from)
	}, func() {
		c.Emit(asm.PREFETCHT1, asm.MemIndex(ahead, c.at, of.Size(), 0).Sized(1))
		c.Emit(load, asm.Y(0), from)
		then(asm.Y)
		c.Emit(asm.VMOVUPS, to, asm.Y(0))
	}, func() {
		single := c.NewLabel()
		c.Bind(single)
		c.Emit(element, one, from.Sized(of.Size()))
		c.Emit(asm.VMOVD, asm.X(0), one)
		if of == rt.NarrowF16 {
			c.Emit(load, asm.X(0), asm.X(0))
		}
		then(asm.X)
		c.Emit(asm.VMOVD, to.Sized(4), asm.X(0))
		c.EmitImm(asm.ADD, c.at, 1)
		c.EmitImm(asm.SUB, c.left, 1)
		c.Emit(asm.JNE, single)
	})
}

// narrow rounds lines of float32 to bf16, see [rt.GemmSteps].
func (s *gemmStep[T]) narrow(dst []uint16, ldd int, src []float32, lds, lines, n int) {
	if lines == 0 || n == 0 {
		return
	}
	args := s.getArgs()
	defer s.putArgs(args)
	args.pack = packArgs{from: unsafe.Pointer(&src[0]), to: unsafe.Pointer(&dst[0]), fromStep: 4 * lds, toStep: 2 * ldd,
		count: lines, cols: n}
	s.call(gemmKey{narrowKind, 0, 0}, unsafe.Pointer(&args.pack))
}

// narrowCode rounds to nearest even with integer instructions, since VCVTNEPS2BF16 flushes subnormal numbers. It packs
// two vectors of 8 elements into one.
func narrowCode() *asm.Assembler {
	c := newLineCode(16)
	for i, v := range []int64{1, 0x7fff, 0x40} {
		c.Emit(asm.MOV, c.all.As(asm.R32), asm.Imm(v))
		c.Emit(asm.VMOVD, asm.X(13+i), c.all.As(asm.R32))
		c.Emit(asm.VPBROADCASTD, asm.Y(13+i), asm.X(13+i))
	}
	// round rounds x to the lower half of each lane; it also uses the three registers after x.
	round := func(r func(int) asm.Reg, i int) {
		x, upper, odd, nan := r(i), r(i+1), r(i+2), r(i+3)
		one, half, quiet := r(13), r(14), r(15)
		c.Emit(asm.VPSRLD, upper, x, asm.Imm(16))
		c.Emit(asm.VCMPPS, nan, x, x, asm.Imm(3)) // unordered
		c.Emit(asm.VPADDD, x, x, half)
		c.Emit(asm.VPAND, odd, upper, one)
		c.Emit(asm.VPADDD, x, x, odd)
		c.Emit(asm.VPSRLD, x, x, asm.Imm(16))
		c.Emit(asm.VPOR, upper, upper, quiet)
		c.Emit(asm.VBLENDVPS, x, x, upper, nan)
	}
	from, to := asm.MemIndex(c.from, c.at, 4, 0), asm.MemIndex(c.to, c.at, 2, 0)
	return c.write(1, func() {}, func() {
		for i := range 2 {
			c.Emit(asm.VMOVUPS, asm.Y(4*i), asm.MemIndex(c.from, c.at, 4, 32*i))
			round(asm.Y, 4*i)
		}
		c.Emit(asm.VPACKUSDW, asm.Y(0), asm.Y(0), asm.Y(4))
		c.Emit(asm.VPERMQ, asm.Y(0), asm.Y(0), asm.Imm(0b11_01_10_00)) // packing works per 128-bit lane
		c.Emit(asm.VMOVUPS, to, asm.Y(0))
	}, func() {
		single := c.NewLabel()
		c.Bind(single)
		c.Emit(asm.VMOVD, asm.X(0), from.Sized(4))
		round(asm.X, 0)
		c.Emit(asm.VPEXTRW, to.Sized(2), asm.X(0), asm.Imm(0))
		c.EmitImm(asm.ADD, c.at, 1)
		c.EmitImm(asm.SUB, c.left, 1)
		c.Emit(asm.JNE, single)
	})
}
