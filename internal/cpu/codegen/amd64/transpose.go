package amd64

import (
	"runtime"
	"sync"
	"unsafe"

	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/plan"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// A kernel that runs in blocks (plan.Transpose) reads some operands across the rows of the block. They are
// transposed into a tile first, whole cache lines at a time, by code that keeps a square block in registers; the kernel
// reads rows of the tile.

// transposeArguments are the arguments of the code of a transpose.
type transposeArguments struct {
	from, to uintptr
	column   int64 // bytes from a column to the next; the elements of a column are contiguous
	row      int64 // bytes from a row of the result to the next
	squares  int64 // number of squares of columns
}

const (
	transposeFrom    = 0
	transposeTo      = 8
	transposeColumn  = 16
	transposeRow     = 24
	transposeSquares = 32
)

// transposedRow is the length of a row of a tile, in elements.
const transposedRow = plan.TransposeCols

// transposeForm is a kind of transpose: of elements of size bytes; streams: its results are stored non-temporally, to
// aligned addresses.
type transposeForm struct {
	size    int
	streams bool
}

// transposedBytes returns the size of a tile with elements of size bytes.
func transposedBytes(size int) int { return plan.TransposeDepth*transposedRow*size + 64 }

// assembleTranspose returns code that transposes [plan.TransposeDepth] elements of each of some columns, a multiple of
// [Width.square].
func assembleTranspose(w Width, kind transposeForm) (text []byte, bytes int, err error) {
	t := &transposer{w: w, transposeForm: kind}
	t.write()
	bytes = t.a.Len()
	text, err = t.a.Finish()
	return text, bytes, err
}

// square returns the number of elements of a vector; for narrow elements, the number of columns that are transposed at
// a time.
func (w Width) square(size int) int {
	if size < 4 {
		return narrowColumns
	}
	return w.vectorBytes() / size
}

// transposeFunc runs the code of a transpose.
type transposeFunc func(kind transposeForm, args *transposeArguments)

// sharedTransposers returns the function that transposes elements of 1, 2, 4 and 8 bytes. Its code is assembled once.
func sharedTransposers(w Width) (transposeFunc, error) { return allTransposers[w]() }

var allTransposers = [...]func() (transposeFunc, error){
	V256: sync.OnceValues(func() (transposeFunc, error) { return newTransposers(V256) }),
	V512: sync.OnceValues(func() (transposeFunc, error) { return newTransposers(V512) }),
}

func newTransposers(w Width) (transposeFunc, error) {
	of := map[transposeForm]*rt.Function{}
	for _, kind := range []transposeForm{{1, false}, {2, false}, {4, false}, {4, true}, {8, false}, {8, true}} {
		text, bytes, err := assembleTranspose(w, kind)
		if err != nil {
			return nil, err
		}
		if of[kind], err = addShared("transpose", text, bytes); err != nil {
			return nil, err
		}
	}
	return func(kind transposeForm, args *transposeArguments) { of[kind].Call(unsafe.Pointer(args)) }, nil
}

type transposer struct {
	a asm.Assembler
	w Width
	transposeForm
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
	n := t.w.square(t.size)
	vector := n * t.size
	store := asm.VMOVUPS
	if t.streams {
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
		if t.size < 4 {
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
	if t.streams {
		a.Emit(asm.SFENCE)
	}
	a.Emit(asm.VZEROUPPER)
	a.Emit(asm.RET)
}

// parts returns the number of parts in which columns are read.
func (t *transposer) parts() int { return plan.TransposeDepth * t.size / t.partBytes() }

// partBytes returns the bytes of a column that are read at a time: a vector, or half of one.
func (t *transposer) partBytes() int {
	if t.size < 4 {
		return 16
	}
	return t.w.vectorBytes()
}

// load reads part of column c.
func (t *transposer) load(c int, from asm.Arg) {
	switch {
	case t.size >= 4:
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
	if t.w == V512 {
		return asm.Z(n)
	}
	return asm.Y(n)
}

// transposeSquare transposes the square in the first registers and calls row with the rows and the registers that hold
// them. Lanes are the 128-bit lanes within which most shuffles work.
func (t *transposer) transposeSquare(row func(row, reg int)) {
	n, inLane := t.w.square(t.size), 16/t.size
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
	if t.size == 8 {
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
		{asm.VPUNPCKLDQ, asm.VPUNPCKHDQ}, {asm.VPUNPCKLQDQ, asm.VPUNPCKHQDQ}}[t.size-1:]
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
		if t.size == 2 {
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
	if t.w == V256 {
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

// isTransposed reports whether the loads of an access read a transposed tile.
func isTransposed(a *plan.Access, p *plan.Plan, size int) bool {
	if p.Transpose == nil || a.Kind != plan.Strided || size > 8 {
		return false
	}
	stride := a.Vec[p.Transpose.Dim]
	return stride == 1 || stride == reverseStride
}

// isTransposition reports whether the kernel only transposes: its results are transposed to their final addresses.
func (c *Code) isTransposition() bool {
	k := c.k
	return len(c.transposed) == 1 && len(k.Body.Instrs) == 1 && len(k.Stores) == 1 &&
		c.addressing[c.Stores].mode == accessContiguous &&
		k.Stores[0].Type == k.Body.Instrs[0].Type
}

// transposeBlock transposes n columns of a block of rows, from point v on, of an access; row is the stride of the rows
// of the result, in elements. Reversed columns become rows in reverse order.
func (c *Code) transposeBlock(i int, v, rows, n int64, to unsafe.Pointer, row int64, params []unsafe.Pointer,
	m *Scratch) {
	size, stride := int64(c.addressing[i].size), c.Accesses[i].Inner
	from := unsafe.Add(params[c.Accesses[i].Param], c.offsetOf(i, v, m)*size)
	if c.Accesses[i].Vec[c.Transpose.Dim] == reverseStride {
		from, to, row = unsafe.Add(from, -(rows-1)*size), unsafe.Add(to, (rows-1)*row*size), -row
	}
	done := int64(0)
	if square := int64(c.width.square(int(size))); rows == plan.TransposeDepth && n >= square {
		m.transposeArgs = transposeArguments{uintptr(from), uintptr(to), stride * size, row * size, n / square}
		c.transposeFn(transposeForm{int(size), c.streamsTo(to, row*size)}, &m.transposeArgs)
		done = n / square * square
	}
	for r := int64(0); r < rows && done < n; r++ { // if done == n, the pointers may be out of bounds
		copyRun(unsafe.Add(to, (r*row+done)*size), unsafe.Add(from, (r+done*stride)*size), size, size, stride*size,
			n-done)
	}
	runtime.KeepAlive(params)
}

// readsColumns reports whether the caller reads an access by rows that are the columns of a matrix.
func (c *Code) readsColumns(i int) bool {
	s := &c.walks[i]
	last := len(s.Dims) - 1
	return last > 0 && s.Strides[last-1] == 1 && s.Strides[last] != 0 &&
		s.Dims[last-1] >= plan.TransposeDepth && (i == c.copied ||
		c.addressing[i].mode == accessStaged && !c.isIndex[i])
}

// readsAnyColumns reports whether there is such an access.
func (c *Code) readsAnyColumns() bool {
	for i := range c.Stores {
		if c.readsColumns(i) {
			return true
		}
	}
	return false
}

// transposeRows copies rows of strided elements to contiguous memory, where each row starts one element after the
// previous one: they are the columns of a matrix. It reports whether there are enough rows.
func (c *Code) transposeRows(to, from unsafe.Pointer, size, rows, row, stride int64, m *Scratch) bool {
	square := int64(c.width.square(int(size)))
	if c.transposeFn == nil || rows < plan.TransposeDepth || row < square {
		return false
	}
	squares := row / square
	done, i := squares*square, int64(0)
	copyRow := func(r, at int64) { // if at == row, the pointers may be out of bounds
		if at < row {
			copyRun(unsafe.Add(to, (r*row+at)*size), unsafe.Add(from, (r+at*stride)*size), size, size, stride*size,
				row-at)
		}
	}
	for ; i+plan.TransposeDepth <= rows; i += plan.TransposeDepth {
		m.transposeArgs = transposeArguments{uintptr(unsafe.Add(from, i*size)), uintptr(unsafe.Add(to, i*row*size)),
			stride * size, row * size, squares}
		c.transposeFn(transposeForm{size: int(size)}, &m.transposeArgs)
		for r := range int64(plan.TransposeDepth) {
			copyRow(i+r, done)
		}
	}
	for ; i < rows; i++ {
		copyRow(i, 0)
	}
	return true
}

// streamsTo reports whether a transpose to rows of row bytes stores non-temporally. A vector must be a full cache line,
// since the other half of a line would come much later.
func (c *Code) streamsTo(to unsafe.Pointer, row int64) bool {
	const line = 64
	return c.isTransposition() && c.Accesses[c.Stores].Streamed && c.width.vectorBytes() == line &&
		c.addressing[c.Stores].size >= 4 &&
		uintptr(to)%line == 0 && row%line == 0
}

// runTransposed runs chunk i of a kernel that runs in blocks.
func (c *Code) runTransposed(i int64, params []unsafe.Pointer, m *Scratch) {
	lo, hi := c.BlocksOf(i)
	for n := lo; n < hi; n++ {
		c.runBlock(c.BlockOf(n), params, m)
	}
}

// runBlock runs a block of a kernel that runs in blocks.
func (c *Code) runBlock(b plan.Block, params []unsafe.Pointer, m *Scratch) {
	if c.isTransposition() {
		a, size := &c.Accesses[c.Stores], c.addressing[c.Stores].size
		to := unsafe.Add(params[a.Param], int(c.offsetOf(c.Stores, b.Start, m))*size)
		c.transposeBlock(c.transposed[0], b.Start, b.Rows, b.Cols, to, a.Vec[c.Transpose.Dim], params, m)
		return
	}
	for _, i := range c.transposed {
		c.transposeBlock(i, b.Start, b.Rows, b.Cols, unsafe.Pointer(&m.tile[c.tileOffsets[i]]), transposedRow, params,
			m)
	}
	m.row = 0
	if c.multiRow {
		c.runRows(b.Start, b.Cols, b.Rows, c.Transpose.Dim, params, m)
		return
	}
	for m.row < b.Rows {
		c.runPoints(b.Start+m.row*b.Weight, b.Cols, params, m, true)
		m.row++
	}
}
