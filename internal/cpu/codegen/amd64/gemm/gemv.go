package gemm

import (
	"unsafe"

	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/target"
)

// LinesPerCall is the number of lines of a call: two squares, to hide the latency of the accumulators.
func (q square) LinesPerCall() int { return 2 * q.N }

// dotArgs are the arguments of the dot form of gemv.
type dotArgs struct {
	a, x    unsafe.Pointer
	step    int // bytes from a line to the next
	squares int
	rest    int // elements along k after the full squares; their square overlaps the last one
	sums    unsafe.Pointer
}

// The byte offsets of the arguments.
const (
	DotA = 8 * iota
	DotX
	DotStep
	DotSquares
	DotRest
	DotSums
)

// gemvDotCode multiplies lines that are contiguous along k by x. A vector accumulates as many lines as it has lanes:
// their elements are transposed in registers, so that each sum is in the order of k.
func gemvDotCode(q square) *asm.Assembler {
	a := &asm.Assembler{}
	q.Dot(a)
	a.Emit(asm.VZEROUPPER)
	a.Emit(asm.RET)
	return a
}

// Dot emits gemvDotCode without the return.
func (q square) Dot(a *asm.Assembler) {
	first, x, step, squares, rest := asm.RAX, asm.RBX, asm.RCX, asm.GP(8), asm.GP(9)
	a.Emit(asm.MOV, first, asm.Mem(asm.RDI, DotA))
	a.Emit(asm.MOV, x, asm.Mem(asm.RDI, DotX))
	a.Emit(asm.MOV, step, asm.Mem(asm.RDI, DotStep))
	a.Emit(asm.MOV, squares, asm.Mem(asm.RDI, DotSquares))
	a.Emit(asm.MOV, rest, asm.Mem(asm.RDI, DotRest))
	bases := []asm.Reg{asm.GP(12), asm.GP(13), asm.GP(14)}[:q.LinesPerCall()/4-1]
	lines := lineAddresses(a, q.LinesPerCall(), first, step, asm.GP(10), bases)
	bases = append(bases, first, x)
	move := func(by int) {
		for _, r := range bases {
			a.Emit(asm.ADD, r, asm.Imm(int64(by*q.size)))
		}
	}
	sums := [2]asm.Reg{q.vector(14), q.vector(15)}
	for _, s := range sums {
		a.Emit(asm.VXORPS, s, s, s)
	}
	add := func(sum, row asm.Reg, k int) {
		factor := q.vector(13)
		a.Emit(target.ByElement(q.size, asm.VBROADCASTSS, asm.VBROADCASTSD), factor, asm.Mem(x, k*q.size))
		a.Emit(target.ByElement(q.size, asm.VFMADD231PS, asm.VFMADD231PD), sum, row, factor)
	}
	// A cache line has two squares; both are loaded at once, since lines at a power-of-two distance evict each other.
	loop, one, tail, store := a.NewLabel(), a.NewLabel(), a.NewLabel(), a.NewLabel()
	addSquares := func(count int) {
		for i, sum := range sums {
			for at := range count {
				for k, row := range q.transposed(a, shiftArgs(lines[i*q.N:][:q.N], at*q.N*q.size)) {
					add(sum, row, at*q.N+k)
				}
			}
		}
		move(count * q.N)
	}
	a.Emit(asm.SUB, squares, asm.Imm(2))
	a.Emit(asm.JL, one)
	a.Align(16)
	a.Bind(loop)
	addSquares(2)
	a.Emit(asm.SUB, squares, asm.Imm(2))
	a.Emit(asm.JGE, loop)
	a.Bind(one)
	a.Emit(asm.ADD, squares, asm.Imm(2))
	a.Emit(asm.JE, tail)
	addSquares(1)
	a.Bind(tail)
	a.Emit(asm.TEST, rest, rest)
	a.Emit(asm.JE, store)
	a.Emit(asm.LEA, asm.GP(11), asm.MemIndex(asm.Reg(0), rest, q.size, 0))
	for _, r := range bases { // the last square ends with the lines
		a.Emit(asm.ADD, r, asm.GP(11))
	}
	move(-q.N)
	for i, sum := range sums {
		for k, row := range q.transposed(a, lines[i*q.N:]) {
			skip := a.NewLabel()
			a.Emit(asm.CMP, rest, asm.Imm(int64(q.N-k)))
			a.Emit(asm.JL, skip)
			add(sum, row, k)
			a.Bind(skip)
		}
	}
	a.Bind(store)
	a.Emit(asm.MOV, x, asm.Mem(asm.RDI, DotSums))
	for i, sum := range sums {
		a.Emit(asm.VMOVUPS, asm.Mem(x, i*q.N*q.size), sum)
	}
}

// shiftArgs returns the memory operands shifted by a number of bytes.
func shiftArgs(lines []asm.Arg, by int) []asm.Arg {
	out := append([]asm.Arg(nil), lines...)
	for i := range out {
		out[i].Val += int64(by)
	}
	return out
}

// axpyArgs are the arguments of the axpy form of gemv.
type axpyArgs struct {
	a, x    unsafe.Pointer
	step    int // bytes from a k to the next
	groups  int // of axpyUnroll or 1 k, at least 1
	sums    unsafe.Pointer
	vectors int // full vectors
	cols    int // elements of the tail
	mask    [32]byte
}

// The byte offsets of the arguments.
const (
	axpyA = 8 * iota
	axpyX
	axpyStep
	axpyGroups
	axpySums
	axpyVectors
	axpyCols
	axpyMask
)

// gemvAxpyCode adds columns times x to sums: n columns per iteration, 1 or a multiple of 4.
func gemvAxpyCode(s shape, n int) *asm.Assembler {
	a := &asm.Assembler{}
	from, x, step, groups, sums := asm.RAX, asm.RBX, asm.RCX, asm.GP(9), asm.GP(10)
	vectors, at := asm.GP(8), asm.RSI
	a.Emit(asm.MOV, x, asm.Mem(asm.RDI, axpyX))
	a.Emit(asm.MOV, step, asm.Mem(asm.RDI, axpyStep))
	a.Emit(asm.MOV, groups, asm.Mem(asm.RDI, axpyGroups))
	a.Emit(asm.MOV, sums, asm.Mem(asm.RDI, axpySums))
	a.Emit(asm.MOV, asm.GP(15), asm.Mem(asm.RDI, axpyA))
	if s.Width == target.V512 {
		target.LoadTailMask(a, axpyCols)
	}
	group, loop, tail, next := a.NewLabel(), a.NewLabel(), a.NewLabel(), a.NewLabel()
	a.Bind(group)
	a.Emit(asm.MOV, from, asm.GP(15))
	bases := []asm.Reg{from}
	ks := []asm.Arg{asm.Mem(from, 0)}
	if n > 1 {
		more := []asm.Reg{asm.GP(12), asm.GP(13), asm.GP(14)}[:n/4-1]
		bases = append(bases, more...)
		ks = lineAddresses(a, n, from, step, asm.GP(11), more)
	}
	factor := func(k int) asm.Reg { return s.Vector(k) }
	for k := range n {
		a.Emit(s.Of(asm.VBROADCASTSS, asm.VBROADCASTSD), factor(k), asm.Mem(x, k*s.Size))
	}
	add := func(sum asm.Reg, k int, what asm.Operand) {
		a.Emit(s.Of(asm.VFMADD231PS, asm.VFMADD231PD), sum, factor(k), what)
	}
	sum, part, mask := s.Vector(n), s.Vector(n+1), s.Vector(n+2)
	a.Emit(asm.MOV, at, sums)
	a.Emit(asm.MOV, vectors, asm.Mem(asm.RDI, axpyVectors))
	a.Emit(asm.TEST, vectors, vectors)
	a.Emit(asm.JE, tail)
	a.Align(16)
	a.Bind(loop)
	a.Emit(asm.VMOVUPS, sum, asm.Mem(at, 0))
	for k := range n {
		add(sum, k, ks[k])
	}
	a.Emit(asm.VMOVUPS, asm.Mem(at, 0), sum)
	for _, r := range append(bases, at) {
		a.Emit(asm.ADD, r, asm.Imm(int64(s.Width.VectorBytes())))
	}
	a.Emit(asm.SUB, vectors, asm.Imm(1))
	a.Emit(asm.JNE, loop)
	a.Bind(tail)
	a.Emit(asm.CMP, asm.Mem(asm.RDI, axpyCols).Sized(8), asm.Imm(0))
	a.Emit(asm.JE, next)
	move := s.Of(asm.VMASKMOVPS, asm.VMASKMOVPD)
	if s.Width == target.V512 {
		move = s.Of(asm.VMOVUPS, asm.VMOVUPD)
	}
	load := func(to asm.Reg, from asm.Arg) {
		if s.Width == target.V512 {
			a.Masked(asm.K(target.TailMask), true, move, to, from)
			return
		}
		a.Emit(move, to, mask, from)
	}
	if s.Width == target.V256 {
		a.Emit(asm.VMOVUPS, mask, asm.Mem(asm.RDI, axpyMask))
	}
	load(sum, asm.Mem(at, 0))
	for k := range n {
		load(part, ks[k])
		add(sum, k, part)
	}
	if s.Width == target.V512 {
		a.Masked(asm.K(target.TailMask), false, move, asm.Mem(at, 0), sum)
	} else {
		a.Emit(move, asm.Mem(at, 0), mask, sum)
	}
	a.Bind(next)
	a.Emit(asm.ADD, x, asm.Imm(int64(n*s.Size)))
	if n == 1 {
		a.Emit(asm.ADD, asm.GP(15), step)
	} else {
		a.Emit(asm.LEA, asm.GP(11), asm.MemIndex(asm.Reg(0), step, 4, 0))
		for range n / 4 {
			a.Emit(asm.ADD, asm.GP(15), asm.GP(11))
		}
	}
	a.Emit(asm.SUB, groups, asm.Imm(1))
	a.Emit(asm.JNE, group)
	a.Emit(asm.VZEROUPPER)
	a.Emit(asm.RET)
	return a
}
