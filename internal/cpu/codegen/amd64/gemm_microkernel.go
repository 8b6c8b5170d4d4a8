package amd64

import (
	"unsafe"

	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
)

// shape is how products of one type are computed at one width.
type shape struct {
	w    Width
	size int // bytes of an element
	rows int // of a tile
	vecs int // vectors of a row of a tile
	// pairs says that an element of an operand is two of bf16, whose products are added to a float32,
	// that in the upper half first: packing exchanges the halves.
	dot2 bool
	// quads says that an element of an operand is four integers of 8 bits, which have a sign or not, whose products
	// are added to one of 32, see vnniStep.
	dot4, leftSigned, rightSigned bool
	amx                           asm.Op // that multiplies tiles; 0 for vectors
	// rounds says that products are rounded before they are added; those of integers are, to their lower 32 bits.
	roundsProducts, integers bool
}

// shapeOf returns the shape for elements of so many bytes: a tile takes three quarters of the
// registers for its sums, and reads 8 elements and 3 vectors for 24 vectors of products (4 and 3
// for 12 where there are 16 registers), so that loading never keeps multiplying waiting.
func shapeOf(w Width, size int) shape {
	s := shape{w: w, size: size, rows: 4, vecs: 3}
	if w == V512 {
		s.rows = 8
	}
	return s
}

// withRoundedProducts returns a shape whose products are rounded before they are added: a register holds them in between.
func withRoundedProducts(s shape) shape {
	s.roundsProducts = true
	if s.w == V256 {
		s.vecs = 2
	}
	return s
}

// registers returns how many hold vectors of sums and operands.
func (s shape) registers() int {
	n := 16
	if s.w == V512 {
		n = 32
	}
	if s.roundsProducts {
		n--
	}
	return n
}

// lanes returns the elements of a vector, cols the columns of a tile.
func (s shape) lanes() int { return s.w.vectorBytes() / s.size }
func (s shape) cols() int  { return s.vecs * s.lanes() }

// vector returns vector register n of the full width.
func (s shape) vector(n int) asm.Reg {
	if s.w == V512 {
		return asm.Z(n)
	}
	return asm.Y(n)
}

// of returns the operation for elements of the shape.
func (s shape) of(single, double asm.Op) asm.Op { return of(s.size, single, double) }

// multiplyAdd emits the operation that adds products to sums.
func (s shape) multiplyAdd(a *asm.Assembler, sum asm.Reg, left, right asm.Operand) {
	switch {
	case s.dot4 && s.rightSigned:
		a.Emit(asm.VPDPBUSD, sum, left, right)
	case s.dot4:
		a.Emit(asm.VPDPBUSD, sum, right, left)
	case s.dot2:
		a.Emit(asm.VDPBF16PS, sum, left, right)
	case s.roundsProducts:
		product, multiply := s.vector(s.registers()), s.of(asm.VMULPS, asm.VMULPD)
		if s.integers {
			multiply = asm.VPMULLD
		}
		a.Emit(multiply, product, left, right)
		a.Emit(s.addOp(), sum, sum, product)
	default:
		a.Emit(s.of(asm.VFMADD231PS, asm.VFMADD231PD), sum, left, right)
	}
}

// addOp returns the operation that adds sums to each other.
func (s shape) addOp() asm.Op {
	if s.dot4 || s.integers {
		return asm.VPADDD
	}
	return s.of(asm.VADDPS, asm.VADDPD)
}

// of returns the operation for elements of so many bytes.
func of(size int, single, double asm.Op) asm.Op {
	if size == 8 {
		return double
	}
	return single
}

// microKernelArgs are what the code of tiles is called with.
type microKernelArgs struct {
	a, b, c      unsafe.Pointer
	ldc          int // bytes
	depth        int
	panels       int            // of rows, at least 1
	aNext        int            // bytes from a panel to the next one
	cNext        int            // bytes from a tile to the next one
	cols         int            // of the last vector
	add          int            // 0: the sums replace c
	sign         uint64         // what changes the sign of sums that are added, or 0
	compensation unsafe.Pointer // the vectors that sums start from, where that is not 0

	// Of windows, where c and ldc are of points, as the following is.
	at    unsafe.Pointer // of each k, elements from a point to what it multiplies
	point int            // bytes from a point to the next one; from a row to the next one where rows are not packed
	right unsafe.Pointer // of each k, elements from b to the columns, where these are not packed
	lines int            // at least 1
	aLine int            // bytes from a line of points to the next one
	cLine int
	bLine int // of columns that are not packed
	// Where the line is, from a, c and b; the code counts them on, and no pointer, which collections see.
	aDone, cDone, bDone int

	mask [32]byte
}

// The places of the arguments.
const (
	tileA = 8 * iota
	tileB
	tileC
	tileLDC
	tileDepth
	tilePanels
	tileANext
	tileCNext
	tileCols
	tileAdd
	tileSign
	tileCompensation
	tileAt
	tilePoint
	tileRight
	tileLines
	tileALine
	tileCLine
	tileBLine
	tileADone
	tileCDone
	tileBDone
	tileMask
)

// tailMaskOf returns, for AVX2, the mask of the first elements of a vector.
func tailMaskOf(n, size int) (mask [32]byte) {
	for i := range n * size {
		mask[i] = 0xff
	}
	return mask
}

// tileUnroll is how many products a round of the loop adds to each sum.
const tileUnroll = 4

// microKernel multiplies panels of A by a panel of B, of which it takes some vectors, into tiles of so
// many rows below each other.
type microKernel struct {
	shape
	asm.Assembler
	kind gemmKind // of tiles, of rows, or one of those of windows
	n, v int      // rows and vectors of a tile

	a, b, c, ldc, count, panels, nextA asm.Reg
}

func newMicroKernel(s shape, kind gemmKind, rows, vecs int) *microKernel {
	return &microKernel{shape: s, kind: kind, n: rows, v: vecs, a: asm.RAX, b: asm.RBX, c: asm.RCX, ldc: asm.RDX,
		count: asm.GP(8), panels: asm.GP(9), nextA: asm.GP(10)}
}

// sum is the register of a vector of sums; right and left are those of operands.
func (t *microKernel) sum(i, j int) asm.Reg { return t.vector(i*t.v + j) }
func (t *microKernel) right(j int) asm.Reg  { return t.vector(t.n*t.v + j) }
func (t *microKernel) left(i int) asm.Reg {
	first := t.n*t.v + t.v
	return t.vector(first + i%(t.registers()-first))
}

const tailMaskK = 1 // the mask register of the last vector

func (t *microKernel) write() {
	if t.w == V512 {
		loadTailMask(&t.Assembler, tileCols)
	}
	t.Emit(asm.MOV, t.ldc, asm.Mem(asm.RDI, tileLDC))
	line := t.NewLabel()
	t.Bind(line)
	t.Emit(asm.MOV, t.panels, asm.Mem(asm.RDI, tilePanels))
	t.Emit(asm.MOV, t.nextA, asm.Mem(asm.RDI, tileA))
	t.Emit(asm.MOV, t.c, asm.Mem(asm.RDI, tileC))
	if t.isWindow() {
		t.Emit(asm.ADD, t.nextA, asm.Mem(asm.RDI, tileADone))
		t.Emit(asm.ADD, t.c, asm.Mem(asm.RDI, tileCDone))
	}
	if !t.isWindow() {
		t.Emit(asm.IMUL, nextColumns, asm.Mem(asm.RDI, tileDepth), asm.Imm(int64(t.cols()*t.size)))
		t.Emit(asm.ADD, nextColumns, asm.Mem(asm.RDI, tileB))
	}
	panel := t.NewLabel()
	t.Bind(panel)
	t.Emit(asm.MOV, t.a, t.nextA)
	t.Emit(asm.MOV, t.b, asm.Mem(asm.RDI, tileB))
	t.Emit(asm.MOV, t.count, asm.Mem(asm.RDI, tileDepth))
	switch {
	case t.isWindow():
		t.beginWindows()
	case t.kind == unpackedKind:
		t.beginRows()
	}
	t.startSums()
	t.loopK()
	t.store()
	t.Emit(asm.ADD, t.nextA, asm.Mem(asm.RDI, tileANext))
	t.Emit(asm.ADD, t.c, asm.Mem(asm.RDI, tileCNext))
	t.Emit(asm.SUB, t.panels, asm.Imm(1))
	t.Emit(asm.JNE, panel)
	if t.isWindow() {
		t.nextLine(line)
	}
	t.Emit(asm.VZEROUPPER)
	t.Emit(asm.RET)
}

// isWindow reports whether rows are points of an image.
func (t *microKernel) isWindow() bool { return t.kind != tileKind && t.kind != unpackedKind }

// The registers of rows that are not packed beside those of tiles.
var (
	rowStride = asm.GP(11) // bytes from a row to the next one
	rowThree  = asm.GP(12) // three times that
	fifthRow  = asm.GP(13) // where the fifth row stands
)

// nextColumns is the register of where the next panel of columns is: while tiles of one are computed, that comes nearer
// by a line of the cache for each round of the loop.
var nextColumns = asm.GP(14)

// beginRows writes what comes before the products of rows that are not packed.
func (t *microKernel) beginRows() {
	t.Emit(asm.MOV, rowStride, asm.Mem(asm.RDI, tilePoint))
	t.Emit(asm.LEA, rowThree, asm.MemIndex(rowStride, rowStride, 2, 0))
	t.Emit(asm.LEA, fifthRow, asm.MemIndex(t.a, rowStride, 4, 0))
}

// startSums sets the sums to what they start from.
func (t *microKernel) startSums() {
	if t.flipsSigns() {
		from := t.ldc // loaded again
		t.Emit(asm.MOV, from, asm.Mem(asm.RDI, tileCompensation))
		for i := range t.n {
			for j := range t.v {
				t.Emit(asm.VMOVUPS, t.sum(i, j), asm.Mem(from, j*t.w.vectorBytes()))
			}
		}
		t.Emit(asm.MOV, t.ldc, asm.Mem(asm.RDI, tileLDC))
		return
	}
	for i := range t.n * t.v {
		x := t.vector(i).As(asm.XMM)
		if i >= 16 {
			x = t.vector(i)
		}
		t.Emit(asm.VXORPS, x, x, x)
	}
}

// loadTailMask makes the mask of the first elements, whose number is an argument.
func loadTailMask(a *asm.Assembler, at int) {
	n, all := asm.GP(8), asm.GP(11)
	a.Emit(asm.MOV, n, asm.Mem(asm.RDI, at))
	a.Emit(asm.MOV, all.As(asm.R32), asm.Imm(-1))
	a.Emit(asm.BZHI, all.As(asm.R32), all.As(asm.R32), n.As(asm.R32))
	a.Emit(asm.KMOVW, asm.K(tailMaskK), all.As(asm.R32))
}

// loopK adds the products of all k, in their order.
func (t *microKernel) loopK() {
	loop, rest, one, done := t.NewLabel(), t.NewLabel(), t.NewLabel(), t.NewLabel()
	t.Emit(asm.SUB, t.count, asm.Imm(tileUnroll))
	t.Emit(asm.JL, rest)
	t.Align(16)
	t.Bind(loop)
	for u := range tileUnroll {
		t.rankOneUpdate(u)
	}
	if !t.isWindow() {
		t.Emit(asm.PREFETCHT1, asm.Mem(nextColumns, 0))
		t.Emit(asm.ADD, nextColumns, asm.Imm(64))
	}
	t.advance(tileUnroll)
	t.Emit(asm.SUB, t.count, asm.Imm(tileUnroll))
	t.Emit(asm.JGE, loop)
	t.Bind(rest)
	t.Emit(asm.ADD, t.count, asm.Imm(tileUnroll))
	t.Emit(asm.JE, done)
	t.Bind(one)
	t.rankOneUpdate(0)
	t.advance(1)
	t.Emit(asm.SUB, t.count, asm.Imm(1))
	t.Emit(asm.JNE, one)
	t.Bind(done)
}

// rankOneUpdate adds the products of one k, which is so far from where the panels stand.
func (t *microKernel) rankOneUpdate(k int) {
	if t.kind == unpackedWindowKind {
		t.loadUnpackedRight(k)
	} else {
		for j := range t.v {
			t.Emit(asm.VMOVUPS, t.right(j), asm.Mem(t.b, (k*t.cols()+j*t.lanes())*t.size))
		}
	}
	rows := t.rowsOf(k)
	for i, row := range rows {
		if t.kind == depthwiseKind {
			for j := range t.v {
				t.multiplyAdd(&t.Assembler, t.sum(i, j), t.right(j), row(j*t.w.vectorBytes()))
			}
			continue
		}
		t.Emit(t.of(asm.VBROADCASTSS, asm.VBROADCASTSD), t.left(i), row(0))
		for j := range t.v {
			t.multiplyAdd(&t.Assembler, t.sum(i, j), t.left(i), t.right(j))
		}
	}
}

// rowsOf returns where the left operand of one k is in each row, so many bytes further on.
func (t *microKernel) rowsOf(k int) []func(bytes int) asm.Arg {
	if t.isWindow() {
		return t.pointsOf(k)
	}
	rows := make([]func(int) asm.Arg, t.n)
	for i := range rows {
		if t.kind == unpackedKind {
			rows[i] = func(int) asm.Arg { return t.unpackedRow(i, k) }
			continue
		}
		rows[i] = func(bytes int) asm.Arg { return asm.Mem(t.a, (k*t.rows+i)*t.size+bytes) }
	}
	return rows
}

// unpackedRow returns where the element of one k is in a row that is not packed.
func (t *microKernel) unpackedRow(row, k int) asm.Arg {
	base := t.a
	if row >= 4 {
		base = fifthRow
	}
	switch row % 4 {
	case 0:
		return asm.Mem(base, k*t.size)
	case 3:
		return asm.MemIndex(base, rowThree, 1, k*t.size)
	}
	return asm.MemIndex(base, rowStride, row%4, k*t.size)
}

func (t *microKernel) advance(k int) {
	switch t.kind {
	case tileKind:
		t.Emit(asm.ADD, t.a, asm.Imm(int64(k*t.rows*t.size)))
	case unpackedKind:
		t.Emit(asm.ADD, t.a, asm.Imm(int64(k*t.size)))
		t.Emit(asm.ADD, fifthRow, asm.Imm(int64(k*t.size)))
	default:
		t.Emit(asm.ADD, windowOffsetPtr, asm.Imm(int64(8*k)))
	}
	if t.kind == unpackedWindowKind {
		t.Emit(asm.ADD, windowRightPtr, asm.Imm(int64(8*k)))
	} else {
		t.Emit(asm.ADD, t.b, asm.Imm(int64(k*t.cols()*t.size)))
	}
}

// canSubtract says that sums may be subtracted.
func (t *microKernel) canSubtract() bool {
	return !t.isWindow() && !t.dot4
}

// store writes the sums, or adds them to what is there.
func (t *microKernel) store() {
	add, done := t.NewLabel(), t.NewLabel()
	t.Emit(asm.CMP, asm.Mem(asm.RDI, tileAdd).Sized(8), asm.Imm(0))
	t.Emit(asm.JNE, add)
	t.storeTails(false)
	t.Emit(asm.JMP, done)
	t.Bind(add)
	t.storeTails(true)
	t.Bind(done)
}

// storeTails writes the rows. AVX2 has slow stores of a part of a vector, so that whole ones have
// code of their own.
func (t *microKernel) storeTails(add bool) {
	if t.w == V512 {
		t.storeRows(add, true)
		return
	}
	part, done := t.NewLabel(), t.NewLabel()
	t.Emit(asm.CMP, asm.Mem(asm.RDI, tileCols).Sized(8), asm.Imm(int64(t.lanes())))
	t.Emit(asm.JNE, part)
	t.storeRows(add, false)
	t.Emit(asm.JMP, done)
	t.Bind(part)
	t.storeRows(add, true)
	t.Bind(done)
}

func (t *microKernel) storeRows(add, part bool) {
	row, mask, old := t.a, t.right(0), t.left(0)
	if part && t.w == V256 {
		t.Emit(asm.VMOVUPS, mask, asm.Mem(asm.RDI, tileMask))
	}
	sum := t.addOp()
	signed := func(x asm.Reg) {} // sums that are subtracted change their signs
	if add && t.canSubtract() {
		sign := t.left(1)
		if t.v > 1 {
			sign = t.right(1)
		}
		t.Emit(t.of(asm.VBROADCASTSS, asm.VBROADCASTSD), sign, asm.Mem(asm.RDI, tileSign))
		xor := asm.VXORPS
		if t.w == V512 {
			xor = asm.VPXORD
		}
		signed = func(x asm.Reg) { t.Emit(xor, x, x, sign) }
	}
	t.Emit(asm.MOV, row, t.c)
	for i := range t.n {
		for j := range t.v {
			x, to := t.sum(i, j), asm.Mem(row, j*t.w.vectorBytes())
			signed(x)
			switch full := !part || j < t.v-1; {
			case full:
				if add {
					t.Emit(sum, x, x, to)
				}
				t.Emit(asm.VMOVUPS, to, x)
			case t.w == V512:
				if add {
					t.Masked(asm.K(tailMaskK), false, sum, x, x, to)
				}
				t.Masked(asm.K(tailMaskK), false, t.of(asm.VMOVUPS, asm.VMOVUPD), to, x)
			default:
				move := t.of(asm.VMASKMOVPS, asm.VMASKMOVPD)
				if add {
					t.Emit(move, old, mask, to)
					t.Emit(sum, x, x, old)
				}
				t.Emit(move, to, mask, x)
			}
		}
		if i < t.n-1 {
			t.Emit(asm.ADD, row, t.ldc)
		}
	}
}
