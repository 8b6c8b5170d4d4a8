package gemm

import (
	"unsafe"

	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/target"
)

// packArgs are the arguments of packing code. Strides are in bytes.
type packArgs struct {
	from, to         unsafe.Pointer
	fromStep, toStep int // copies: from a k to the next; transposes: from a line to the next, and a k to the next
	count            int // of k, or of squares of a transpose
	cols             int // of the last vector of a copy
	mask             [32]byte
	next             int // of widenCode: from a line to the one to prefetch
}

// The byte offsets of the arguments.
const (
	packFrom = 8 * iota
	packTo
	packFromStep
	packToStep
	packCount
	packCols
	packMask
	packNext = packMask + 32
)

// vectorOf returns vector register n of a size in bytes.
func vectorOf(bytes, n int) asm.Reg {
	switch bytes {
	case 16:
		return asm.X(n)
	case 32:
		return asm.Y(n)
	}
	return asm.Z(n)
}

// loadPackArgs loads the arguments and returns their registers.
func loadPackArgs(a *asm.Assembler) (from, to, fromStep, toStep, count asm.Reg) {
	from, to, fromStep, toStep, count = asm.RAX, asm.RBX, asm.RCX, asm.RDX, asm.GP(9)
	a.Emit(asm.MOV, from, asm.Mem(asm.RDI, packFrom))
	a.Emit(asm.MOV, to, asm.Mem(asm.RDI, packTo))
	a.Emit(asm.MOV, fromStep, asm.Mem(asm.RDI, packFromStep))
	a.Emit(asm.MOV, toStep, asm.Mem(asm.RDI, packToStep))
	a.Emit(asm.MOV, count, asm.Mem(asm.RDI, packCount))
	return from, to, fromStep, toStep, count
}

// copyCode copies vecs vectors per k; the last one is masked.
func copyCode(s shape, bytes, vecs int) *asm.Assembler {
	a := &asm.Assembler{}
	from, to, fromStep, toStep, count := loadPackArgs(a)
	mask := vectorOf(bytes, vecs)
	if s.Width == target.V512 {
		target.LoadTailMask(a, packCols)
	} else {
		a.Emit(asm.VMOVUPS, mask, asm.Mem(asm.RDI, packMask))
	}
	pass := s.packTransform(a, bytes, s.flipsSigns() && bytes == s.rows*s.Size)
	loop := a.NewLabel()
	a.Align(16)
	a.Bind(loop)
	for j := range vecs {
		x, at := vectorOf(bytes, j), asm.Mem(from, j*bytes)
		switch {
		case j < vecs-1:
			a.Emit(asm.VMOVUPS, x, at)
		case s.Width == target.V512:
			a.Masked(asm.K(target.TailMask), true, s.Of(asm.VMOVUPS, asm.VMOVUPD), x, at)
		default:
			a.Emit(s.Of(asm.VMASKMOVPS, asm.VMASKMOVPD), x, mask, at)
		}
	}
	for j := range vecs {
		pass(vectorOf(bytes, j))
		a.Emit(asm.VMOVUPS, asm.Mem(to, j*bytes), vectorOf(bytes, j))
	}
	a.Emit(asm.ADD, from, fromStep)
	a.Emit(asm.ADD, to, toStep)
	a.Emit(asm.SUB, count, asm.Imm(1))
	a.Emit(asm.JNE, loop)
	a.Emit(asm.VZEROUPPER)
	a.Emit(asm.RET)
	return a
}

// packTransform returns the emitter of the transformation of packed vectors: dot2 swaps halves, flips flips the signs
// of bytes.
func (s shape) packTransform(a *asm.Assembler, bytes int, flips bool) func(x asm.Reg) {
	switch {
	case s.dot2:
		return func(x asm.Reg) { a.Emit(asm.VPROLD, x, x, asm.Imm(16)) }
	case flips:
		return s.flipSigns(a, bytes)
	}
	return func(asm.Reg) {}
}

// square is a square block of elements in registers: n lines of n elements along k.
type square struct {
	size, N int // bytes of an element, number of lines
}

// SquareOf returns the square whose lines have squareBytes.
func SquareOf(size int) square { return square{size, squareBytes / size} }

func (q square) vector(i int) asm.Reg { return vectorOf(q.size*q.N, i) }

// lineAddresses emits the addresses of n lines, step bytes apart, and returns them: three registers for four lines, one
// more for every four lines after them.
func lineAddresses(a *asm.Assembler, n int, first, step, three asm.Reg, more []asm.Reg) []asm.Arg {
	a.Emit(asm.LEA, three, asm.MemIndex(step, step, 2, 0))
	var out []asm.Arg
	base := first
	for i := 0; i < n; i += 4 {
		if i > 0 {
			a.Emit(asm.LEA, more[i/4-1], asm.MemIndex(base, step, 4, 0))
			base = more[i/4-1]
		}
		out = append(out, asm.Mem(base, 0), asm.MemIndex(base, step, 1, 0), asm.MemIndex(base, step, 2, 0),
			asm.MemIndex(base, three, 1, 0))
	}
	return out
}

// transposed loads a square and returns the registers with its columns. Loads already combine halves of lines, so that
// the shuffles stay within 128-bit lanes.
func (q square) transposed(a *asm.Assembler, lines []asm.Arg) []asm.Reg {
	x := make([]asm.Reg, q.N)
	const half = 16 // bytes of a 128-bit lane
	vectorSize := q.size * q.N
	perHalf := q.N / (vectorSize / half) // lines, and elements, per 128-bit lane
	for i := range x {
		x[i] = q.vector(i)
		line, at := i%perHalf, i/perHalf*half
		a.Emit(asm.VMOVUPS, vectorOf(half, i), shiftArgs(lines[line:][:1], at)[0])
		if vectorSize > half {
			a.Emit(asm.VINSERTF128, x[i], x[i], shiftArgs(lines[perHalf+line:][:1], at)[0], asm.Imm(1))
		}
	}
	spare := q.vector(q.N)
	// merge replaces registers i and j by the results of two operations on them.
	merge := func(i, j int, low, high asm.Op) {
		a.Emit(low, spare, x[i], x[j])
		a.Emit(high, x[j], x[i], x[j])
		x[i], spare = spare, x[i]
	}
	for i := 0; i < q.N; i += perHalf {
		if q.size == 8 {
			merge(i, i+1, asm.VUNPCKLPD, asm.VUNPCKHPD)
			continue
		}
		merge(i, i+1, asm.VUNPCKLPS, asm.VUNPCKHPS)
		merge(i+2, i+3, asm.VUNPCKLPS, asm.VUNPCKHPS)
		merge(i, i+2, asm.VUNPCKLPD, asm.VUNPCKHPD)
		merge(i+1, i+3, asm.VUNPCKLPD, asm.VUNPCKHPD)
		x[i+1], x[i+2] = x[i+2], x[i+1]
	}
	return x
}

// transposeCode packs n lines that are contiguous along k, a square at a time.
func transposeCode(q square, s shape, flips bool) *asm.Assembler {
	a := &asm.Assembler{}
	from, to, fromStep, toStep, count := loadPackArgs(a)
	upper, over := asm.GP(12), asm.GP(13)
	lines := lineAddresses(a, q.N, from, fromStep, asm.GP(10), []asm.Reg{upper})
	ks := lineAddresses(a, q.N, to, toStep, asm.GP(11), []asm.Reg{over})
	pass := s.packTransform(a, q.size*q.N, flips)
	loop := a.NewLabel()
	a.Align(16)
	a.Bind(loop)
	for i, x := range q.transposed(a, lines) {
		pass(x)
		a.Emit(asm.VMOVUPS, ks[i], x)
	}
	step := asm.GP(14)
	a.Emit(asm.LEA, step, asm.MemIndex(asm.Reg(0), toStep, q.N, 0))
	for _, r := range []asm.Reg{from, upper} {
		a.Emit(asm.ADD, r, asm.Imm(int64(q.N*q.size)))
	}
	for _, r := range []asm.Reg{to, over} {
		a.Emit(asm.ADD, r, step)
	}
	a.Emit(asm.SUB, count, asm.Imm(1))
	a.Emit(asm.JNE, loop)
	a.Emit(asm.VZEROUPPER)
	a.Emit(asm.RET)
	return a
}
