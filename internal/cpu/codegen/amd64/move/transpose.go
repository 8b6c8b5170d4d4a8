// Package move has the code that moves elements: transposes, and copies of strided and of reversed rows.
package move

import (
	"sync"
	"unsafe"

	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/target"
	"github.com/go-nx/nx/internal/cpu/plan"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// TransposeArguments are the arguments of the code of a transpose.
type TransposeArguments struct {
	From, To uintptr
	Column   int64 // bytes from a column to the next; the elements of a column are contiguous
	Row      int64 // bytes from a row of the result to the next
	Squares  int64 // number of squares of columns
}

const (
	transposeFrom    = 0
	transposeTo      = 8
	transposeColumn  = 16
	transposeRow     = 24
	transposeSquares = 32
)

// TransposeForm is a kind of transpose: of elements of size bytes; streams: its results are stored non-temporally, to
// aligned addresses.
type TransposeForm struct {
	Size    int
	Streams bool
}

// AssembleTranspose returns code that transposes [plan.TransposeDepth] elements of each of some columns, a multiple of
// [SquareColumns].
func AssembleTranspose(w target.Width, kind TransposeForm) (text []byte, bytes int, err error) {
	t := &transposer{w: w, TransposeForm: kind}
	t.write()
	bytes = t.a.Len()
	text, err = t.a.Finish()
	return text, bytes, err
}

// SquareColumns returns the number of columns of elements of size bytes that are transposed at a time: those of a
// vector; more for narrow elements.
func SquareColumns(w target.Width, size int) int {
	if size < 4 {
		return narrowColumns
	}
	return w.VectorBytes() / size
}

// TransposeFunc runs the code of a transpose.
type TransposeFunc func(kind TransposeForm, args *TransposeArguments)

// SharedTransposers returns the function that transposes elements of 1, 2, 4 and 8 bytes. Its code is assembled once.
func SharedTransposers(w target.Width) (TransposeFunc, error) { return allTransposers[w]() }

var allTransposers = [...]func() (TransposeFunc, error){
	target.V256: sync.OnceValues(func() (TransposeFunc, error) { return newTransposers(target.V256) }),
	target.V512: sync.OnceValues(func() (TransposeFunc, error) { return newTransposers(target.V512) }),
}

func newTransposers(w target.Width) (TransposeFunc, error) {
	of := map[TransposeForm]*rt.Function{}
	for _, kind := range []TransposeForm{{1, false}, {2, false}, {4, false}, {4, true}, {8, false}, {8, true}} {
		text, bytes, err := AssembleTranspose(w, kind)
		if err != nil {
			return nil, err
		}
		if of[kind], err = target.AddShared("transpose", text, bytes); err != nil {
			return nil, err
		}
	}
	return func(kind TransposeForm, args *TransposeArguments) { of[kind].Call(unsafe.Pointer(args)) }, nil
}

type transposer struct {
	a asm.Assembler
	w target.Width
	TransposeForm
}

func (t *transposer) write() {
	a := &t.a
	squares, from, column, column3, at := asm.RAX, asm.RBX, asm.RBP, asm.GP(8), asm.RCX
	// The addresses of every fourth row.
	row, row3, rows := asm.RDX, asm.GP(9), [4]asm.Reg{asm.GP(10), asm.GP(11), asm.GP(12), asm.GP(13)}
	a.EmitLoad(from, asm.RDI, transposeFrom)
	a.EmitLoad(rows[0], asm.RDI, transposeTo)
	a.EmitLoad(column, asm.RDI, transposeColumn)
	a.EmitLoad(row, asm.RDI, transposeRow)
	a.EmitLoad(squares, asm.RDI, transposeSquares)
	a.Emit(asm.LEA, column3, asm.MemIndex(column, column, 2, 0))
	a.Emit(asm.LEA, row3, asm.MemIndex(row, row, 2, 0))
	for i := range rows[1:] {
		a.Emit(asm.LEA, rows[i+1], asm.MemIndex(rows[i], row, 4, 0))
	}
	n := SquareColumns(t.w, t.Size)
	vector := n * t.Size
	store := asm.VMOVUPS
	if t.Streams {
		store = asm.VMOVNTPS
	}
	loop := a.NewLabel()
	a.Align(16)
	a.Bind(loop)
	to := func(r int) asm.Arg { return ofFour(rows[r/4], row, row3, r, 0) }
	for part := range t.parts() {
		a.Emit(asm.MOV, at, from)
		for c := range n {
			t.load(c, ofFour(at, column, column3, c, part*t.partBytes()))
			if c%4 == 3 {
				a.Emit(asm.LEA, at, asm.MemIndex(at, column, 4, 0))
			}
		}
		if t.Size < 4 {
			t.transposeNarrow(part, to)
			continue
		}
		t.transposeSquare(func(r, reg int) {
			a.Emit(store, to(part*n+r), t.v(reg))
		})
	}
	a.Emit(asm.MOV, from, at)
	for i := range rows {
		a.EmitImm(asm.ADD, rows[i], int64(vector))
	}
	a.EmitImm(asm.SUB, squares, 1)
	a.Emit(asm.JNE, loop)
	if t.Streams {
		a.Emit(asm.SFENCE)
	}
	a.Emit(asm.VZEROUPPER)
	a.Emit(asm.RET)
}

// parts returns the number of parts in which columns are read.
func (t *transposer) parts() int { return plan.TransposeDepth * t.Size / t.partBytes() }

// partBytes returns the bytes of a column that are read at a time: a vector, or half of one.
func (t *transposer) partBytes() int {
	if t.Size < 4 {
		return 16
	}
	return t.w.VectorBytes()
}

// load reads part of column c.
func (t *transposer) load(c int, from asm.Arg) {
	switch {
	case t.Size >= 4:
		t.a.Emit(asm.VMOVUPS, t.v(c), from)
	case c < narrowColumns/2:
		t.a.Emit(asm.VMOVUPS, asm.X(c), from)
	default:
		c -= narrowColumns / 2
		t.a.Emit(asm.VINSERTI128, asm.Y(c), asm.Y(c), from, asm.Imm(1))
	}
}

// ofFour returns the memory operand of row n mod 4, a stride apart, from a base.
func ofFour(base, stride, stride3 asm.Reg, n, disp int) asm.Arg {
	switch n % 4 {
	case 1:
		return asm.MemIndex(base, stride, 1, disp)
	case 2:
		return asm.MemIndex(base, stride, 2, disp)
	case 3:
		return asm.MemIndex(base, stride3, 1, disp)
	}
	return asm.Mem(base, disp)
}

// v returns a full vector register.
func (t *transposer) v(n int) asm.Reg {
	if t.w == target.V512 {
		return asm.Z(n)
	}
	return asm.Y(n)
}

// transposeSquare transposes the square in the first registers and calls row with the rows and the registers that hold
// them. Lanes are the 128-bit lanes within which most shuffles work.
func (t *transposer) transposeSquare(row func(row, reg int)) {
	n, inLane := SquareColumns(t.w, t.Size), 16/t.Size
	for first := 0; first < n; first += inLane { // squares of one lane each
		t.transposeLanes(first, n)
	}
	lanes := n / inLane
	for j := range inLane { // element j of the lanes of each of these vectors
		var regs [4]int
		for g := range lanes {
			regs[g] = g*inLane + j
		}
		t.gatherLanes(regs[:lanes], n, func(lane, reg int) { row(lane*inLane+j, reg) })
	}
}

// transposeLanes transposes within the lanes of the vectors of one square; registers from free on are temporaries.
func (t *transposer) transposeLanes(first, free int) {
	a, v := &t.a, t.v
	if t.Size == 8 {
		a.Emit(asm.VUNPCKHPD, v(free), v(first), v(first+1))
		a.Emit(asm.VUNPCKLPD, v(first), v(first), v(first+1))
		a.Emit(asm.VMOVUPS, v(first+1), v(free))
		return
	}
	a.Emit(asm.VUNPCKLPS, v(free), v(first), v(first+1))
	a.Emit(asm.VUNPCKHPS, v(free+1), v(first), v(first+1))
	a.Emit(asm.VUNPCKLPS, v(free+2), v(first+2), v(first+3))
	a.Emit(asm.VUNPCKHPS, v(free+3), v(first+2), v(first+3))
	for i := range 2 {
		a.Emit(asm.VUNPCKLPD, v(first+2*i), v(free+i), v(free+2+i))
		a.Emit(asm.VUNPCKHPD, v(first+2*i+1), v(free+i), v(free+2+i))
	}
}

// narrowColumns is the number of columns of 1- or 2-byte elements that are transposed at a time: the lower lanes have
// 16 bytes of each column of the first half, the upper lanes those of the second half.
const narrowColumns = 16

// transposeNarrow transposes a part of narrowColumns columns and stores its rows.
func (t *transposer) transposeNarrow(part int, to func(row int) asm.Arg) {
	a, n := &t.a, narrowColumns/2
	ops := [][2]asm.Op{{asm.VPUNPCKLBW, asm.VPUNPCKHBW}, {asm.VPUNPCKLWD, asm.VPUNPCKHWD},
		{asm.VPUNPCKLDQ, asm.VPUNPCKHDQ}, {asm.VPUNPCKLQDQ, asm.VPUNPCKHQDQ}}[t.Size-1:]
	from, to1 := 0, n
	// Each step interleaves elements, then pairs and fours, of neighbouring columns: vectors have twice the columns,
	// and half of the rows.
	for i := range 3 {
		for pair := 0; pair < n; pair += 2 << i {
			for half := range 1 << i {
				for j, op := range ops[i] {
					a.Emit(op, asm.Y(to1+pair+2*half+j), asm.Y(from+pair+half), asm.Y(from+pair+1<<i+half))
				}
			}
		}
		from, to1 = to1, from
	}
	for j := range n {
		x := asm.Y(from + j)
		if t.Size == 2 {
			a.Emit(asm.VMOVUPS, to(part*n+j), x)
			continue
		}
		const lanesOfRows = 0xd8 // a vector has two rows of each half of the columns
		a.Emit(asm.VPERMQ, x, x, asm.Imm(lanesOfRows))
		a.Emit(asm.VMOVUPS, to(2*j), x.As(asm.XMM))
		a.Emit(asm.VEXTRACTI128, to(2*j+1), x, asm.Imm(1))
	}
}

// gatherLanes collects the first lanes of some vectors, then the second ones, and so on.
func (t *transposer) gatherLanes(regs []int, free int, emit func(lane, reg int)) {
	a, v := &t.a, t.v
	if t.w == target.V256 {
		a.Emit(asm.VPERM2F128, v(free), v(regs[0]), v(regs[1]), asm.Imm(0x20))
		a.Emit(asm.VPERM2F128, v(free+1), v(regs[0]), v(regs[1]), asm.Imm(0x31))
		emit(0, free)
		emit(1, free+1)
		return
	}
	const even, odd = 0x88, 0xdd // lanes 0 and 2, or 1 and 3, of both
	for i, of := range []int64{even, odd} {
		a.Emit(asm.VSHUFF32X4, v(free+i), v(regs[0]), v(regs[1]), asm.Imm(of))
		a.Emit(asm.VSHUFF32X4, v(free+2+i), v(regs[2]), v(regs[3]), asm.Imm(of))
	}
	for i, of := range []int64{even, odd} {
		for j := range 2 {
			a.Emit(asm.VSHUFF32X4, v(free+4), v(free+j), v(free+2+j), asm.Imm(of))
			emit(2*i+j, free+4)
		}
	}
}
