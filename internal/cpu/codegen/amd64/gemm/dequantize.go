package gemm

import (
	"unsafe"

	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// dequantizeArgs are the arguments of dequantizeCode. Steps are in bytes.
type dequantizeArgs struct {
	from, to, scales            unsafe.Pointer
	fromStep, toStep, scaleStep int // from a line to the next
	lines, groups               int // groups of a line
}

// The byte offsets of the arguments.
const (
	quantFrom = 8 * iota
	quantTo
	quantScales
	quantFromStep
	quantToStep
	quantScaleStep
	quantLines
	quantGroups
)

// dequantize multiplies integers by scales, see [rt.GemmSteps]. Both widths use AVX2 code: it is faster than memory.
func (s *gemmStep[T]) dequantize(fourBits bool, dst []float32, ldd int, src []byte, lds int, scales []float32,
	lss, lines, groups int) {
	if lines == 0 || groups == 0 {
		return
	}
	key := gemmKey{dequantizeKind, 8, 0}
	if fourBits {
		key.n = 4
	}
	args := s.getArgs()
	defer s.putArgs(args)
	args.quant = dequantizeArgs{from: unsafe.Pointer(&src[0]), to: unsafe.Pointer(&dst[0]),
		scales: unsafe.Pointer(&scales[0]), fromStep: lds, toStep: 4 * ldd, scaleStep: 4 * lss, lines: lines,
		groups: groups}
	s.call(key, unsafe.Pointer(&args.quant))
}

// dequantizeCode converts a group of 32 integers with one scale per iteration. Lines have few elements each, which
// hardware prefetches too late: the code prefetches as many lines behind its own, those of the next call in a product.
func dequantizeCode(fourBits bool) *asm.Assembler {
	a := &asm.Assembler{}
	from, to, scales, lines := asm.RAX, asm.RBX, asm.RCX, asm.GP(9)
	x, y, s, left := asm.GP(10), asm.GP(11), asm.GP(12), asm.GP(13)
	next, nextScales := asm.RDX, asm.GP(8) // bytes from lines to those of the next call, which are prefetched
	a.Emit(asm.MOV, from, asm.Mem(asm.RDI, quantFrom))
	a.Emit(asm.MOV, to, asm.Mem(asm.RDI, quantTo))
	a.Emit(asm.MOV, scales, asm.Mem(asm.RDI, quantScales))
	a.Emit(asm.MOV, lines, asm.Mem(asm.RDI, quantLines))
	a.Emit(asm.MOV, next, asm.Mem(asm.RDI, quantFromStep))
	a.Emit(asm.IMUL, next, lines)
	a.Emit(asm.MOV, nextScales, asm.Mem(asm.RDI, quantScaleStep))
	a.Emit(asm.IMUL, nextScales, lines)
	low, eight, scale := asm.Y(13), asm.Y(14), asm.Y(15)
	for i, v := range []int64{15, 8} {
		a.Emit(asm.MOV, left.As(asm.R32), asm.Imm(v))
		a.Emit(asm.VMOVD, asm.X(13+i), left.As(asm.R32))
		a.Emit(asm.VPBROADCASTD, asm.Y(13+i), asm.X(13+i))
	}
	store := func(r asm.Reg, at int) {
		a.Emit(asm.VCVTDQ2PS, r, r)
		a.Emit(asm.VMULPS, r, r, scale)
		a.Emit(asm.VMOVUPS, asm.Mem(y, 4*at), r)
	}
	row, loop := a.NewLabel(), a.NewLabel()
	a.Bind(row)
	a.Emit(asm.MOV, x, from)
	a.Emit(asm.MOV, y, to)
	a.Emit(asm.MOV, s, scales)
	a.Emit(asm.MOV, left, asm.Mem(asm.RDI, quantGroups))
	a.Emit(asm.PREFETCHT1, asm.MemIndex(s, nextScales, 1, 0).Sized(1))
	a.Align(16)
	a.Bind(loop)
	a.Emit(asm.PREFETCHT1, asm.MemIndex(x, next, 1, 0).Sized(1))
	a.Emit(asm.VBROADCASTSS, scale, asm.Mem(s, 0))
	if fourBits {
		for i := range 2 {
			lower, upper := asm.Y(2*i), asm.Y(2*i+1)
			a.Emit(asm.VPMOVZXBD, lower, asm.Mem(x, 8*i))
			a.Emit(asm.VPSRLD, upper, lower, asm.Imm(4))
			a.Emit(asm.VPAND, lower, lower, low)
			a.Emit(asm.VPSUBD, lower, lower, eight)
			a.Emit(asm.VPSUBD, upper, upper, eight)
			store(lower, 8*i)
			store(upper, rt.QuantGroup/2+8*i)
		}
	} else {
		for i := range 4 {
			a.Emit(asm.VPMOVSXBD, asm.Y(i), asm.Mem(x, 8*i))
			store(asm.Y(i), 8*i)
		}
	}
	bytes := int64(rt.QuantGroup)
	if fourBits {
		bytes /= 2
	}
	a.EmitImm(asm.ADD, x, bytes)
	a.EmitImm(asm.ADD, y, 4*rt.QuantGroup)
	a.EmitImm(asm.ADD, s, 4)
	a.EmitImm(asm.SUB, left, 1)
	a.Emit(asm.JNE, loop)
	a.Emit(asm.ADD, from, asm.Mem(asm.RDI, quantFromStep))
	a.Emit(asm.ADD, to, asm.Mem(asm.RDI, quantToStep))
	a.Emit(asm.ADD, scales, asm.Mem(asm.RDI, quantScaleStep))
	a.EmitImm(asm.SUB, lines, 1)
	a.Emit(asm.JNE, row)
	a.Emit(asm.VZEROUPPER)
	a.Emit(asm.RET)
	return a
}
