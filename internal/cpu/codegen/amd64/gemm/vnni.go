package gemm

import (
	"unsafe"

	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/target"
	"github.com/go-nx/nx/internal/cpu/rt"
)

var _ rt.Dot4Step = (*vnniStep)(nil)

// vnniStep multiplies int8 with VPDPBUSD, four elements along k per accumulator. Its elements are four bytes, which it
// copies as float32, as it does int32 sums.
//
// The instruction multiplies unsigned by signed integers. If both operands have the same signedness, packing flips the
// sign bits of the left one, which adds 128 to each element; accumulators start from the compensation for that.
type vnniStep struct{ gemmStep[float32] }

// newVNNIStep returns the step for signed or unsigned operands.
func newVNNIStep(left, right bool) *vnniStep {
	s := &vnniStep{}
	s.shape = shapeOf(target.V512, 4)
	s.dot4, s.leftSigned, s.rightSigned = true, left, right
	return s
}

// newVNNISteps returns the steps for all combinations of signedness.
func newVNNISteps() (steps rt.Dot4Steps) {
	for _, left := range []bool{false, true} {
		for _, right := range []bool{false, true} {
			steps.Set(left, right, newVNNIStep(left, right))
		}
	}
	return steps
}

// Interleave packs the elements of four k of contiguous lines.
func (s *vnniStep) Interleave(dst []float32, src []byte, ks, lines, depth int) {
	s.interleave4(dst, src, ks, lines, depth)
}

// flipsSigns reports whether packing flips the sign bits of the left operand.
func (s shape) flipsSigns() bool { return s.dot4 && s.leftSigned == s.rightSigned }

// byteSigns are the sign bits of four bytes.
const byteSigns = 0x80808080

// flipSigns loads a vector of sign bits, and returns an emitter that flips those of a vector.
func (s shape) flipSigns(a *asm.Assembler, bytes int) func(x asm.Reg) {
	upper := vectorOf(bytes, 31)
	s.loadByteSigns(a, upper)
	return func(x asm.Reg) { a.Emit(asm.VPXORD, x, x, upper) }
}

func (s shape) loadByteSigns(a *asm.Assembler, to asm.Reg) {
	bits := asm.GP(15).As(asm.R32)
	a.Emit(asm.MOV, bits, asm.Imm(byteSigns-1<<32))
	a.Emit(asm.VPBROADCASTD, to, bits)
}

// flipByteSigns flips the sign bits of bytes.
func flipByteSigns(x []uint32) {
	for i := range x {
		x[i] ^= byteSigns
	}
}

// compensation returns the initial values of the accumulators of a panel of columns.
func (s *gemmStep[T]) compensation(args *gemmArgs, panel []T, vecs, depth int) unsafe.Pointer {
	to := unsafe.Pointer(&scratchOf[T](args).lines)
	if depth == 0 {
		clear(scratchOf[T](args).lines[:s.cols()])
		return to
	}
	args.pack = packArgs{from: unsafe.Pointer(&panel[0]), to: to, count: depth}
	s.call(gemmKey{compensationKind, 0, uint8(vecs)}, unsafe.Pointer(&args.pack))
	return to
}

// compensationCode computes -128 times the sum of the right operand over k.
func compensationCode(s shape, vecs int) *asm.Assembler {
	a := &asm.Assembler{}
	from, to, _, _, count := loadPackArgs(a)
	upper, zero, right := s.Vector(31), s.Vector(30), func(j int) asm.Reg { return s.Vector(vecs + j) }
	s.loadByteSigns(a, upper)
	a.Emit(asm.VPXORD, zero, zero, zero)
	for j := range vecs {
		a.Emit(asm.VPXORD, s.Vector(j), s.Vector(j), s.Vector(j))
	}
	loop := a.NewLabel()
	a.Align(16)
	a.Bind(loop)
	for j := range vecs {
		a.Emit(asm.VMOVUPS, right(j), asm.Mem(from, j*s.Width.VectorBytes()))
		s.multiplyAdd(a, s.Vector(j), upper, right(j))
	}
	a.Emit(asm.ADD, from, asm.Imm(int64(s.cols()*s.Size)))
	a.Emit(asm.SUB, count, asm.Imm(1))
	a.Emit(asm.JNE, loop)
	for j := range vecs {
		a.Emit(asm.VPSUBD, s.Vector(j), zero, s.Vector(j))
		a.Emit(asm.VMOVUPS, asm.Mem(to, j*s.Width.VectorBytes()), s.Vector(j))
	}
	a.Emit(asm.VZEROUPPER)
	a.Emit(asm.RET)
	return a
}
