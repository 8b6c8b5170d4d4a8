package gemm

import (
	"unsafe"

	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/target"
)

// shape is the register blocking of matrix products of one type at one width.
type shape struct {
	target.Vectors
	rows int // of the register block
	vecs int // vectors per row of the register block
	// dot2: an element is a pair of bf16 whose products are accumulated in float32, that of the upper half first:
	// packing swaps the halves.
	dot2 bool
	// dot4: an element is four int8, signed or unsigned, whose products are accumulated in int32; see vnniStep.
	dot4, leftSigned, rightSigned bool
	amx                           asm.Op // the tile multiplication; 0 for vectors
	// roundsProducts: products are rounded before they are added, integers to their lower 32 bits.
	roundsProducts, integers bool
}

// shapeOf returns the shape for elements of size bytes: accumulators take three quarters of the registers. Each k loads
// 8 elements and 3 vectors for 24 multiply-adds (4 and 3 for 12 with 16 registers), so that the multipliers are the
// bottleneck.
func shapeOf(w target.Width, size int) shape {
	s := shape{Vectors: target.Vectors{Width: w, Size: size}, rows: 4, vecs: 3}
	if w == target.V512 {
		s.rows = 8
	}
	return s
}

// withRoundedProducts returns a shape that rounds products before adding them; it reserves a register for them.
func withRoundedProducts(s shape) shape {
	s.roundsProducts = true
	if s.Width == target.V256 {
		s.vecs = 2
	}
	return s
}

// registers returns the number of registers for accumulators and operands.
func (s shape) registers() int {
	n := 16
	if s.Width == target.V512 {
		n = 32
	}
	if s.roundsProducts {
		n--
	}
	return n
}

// cols returns the columns of a register block.
func (s shape) cols() int { return s.vecs * s.Lanes() }

// multiplyAdd emits sum += left·right.
func (s shape) multiplyAdd(a *asm.Assembler, sum asm.Reg, left, right asm.Operand) {
	switch {
	case s.dot4 && s.rightSigned:
		a.Emit(asm.VPDPBUSD, sum, left, right)
	case s.dot4:
		a.Emit(asm.VPDPBUSD, sum, right, left)
	case s.dot2:
		a.Emit(asm.VDPBF16PS, sum, left, right)
	case s.roundsProducts:
		product, multiply := s.Vector(s.registers()), s.Of(asm.VMULPS, asm.VMULPD)
		if s.integers {
			multiply = asm.VPMULLD
		}
		a.Emit(multiply, product, left, right)
		a.Emit(s.addOp(), sum, sum, product)
	default:
		a.Emit(s.Of(asm.VFMADD231PS, asm.VFMADD231PD), sum, left, right)
	}
}

// addOp returns the instruction that adds accumulators.
func (s shape) addOp() asm.Op {
	if s.dot4 || s.integers {
		return asm.VPADDD
	}
	return s.Of(asm.VADDPS, asm.VADDPD)
}

// microKernelArgs are the arguments of micro-kernels.
type microKernelArgs struct {
	a, b, c      unsafe.Pointer
	ldc          int // bytes
	depth        int
	panels       int            // of rows, at least 1
	aNext        int            // bytes from a panel to the next
	cNext        int            // bytes from a register block of c to the next
	cols         int            // of the last vector
	add          int            // 0: the sums replace c
	sign         uint64         // sign bit that is flipped in subtracted sums, or 0
	compensation unsafe.Pointer // initial values of accumulators, if not 0

	// For windows; c and ldc are those of points.
	at    unsafe.Pointer // for each k, element offset of the left operand from a point
	point int            // bytes from a point to the next; for unpacked rows from a row to the next
	right unsafe.Pointer // for each k, element offset of the columns from b, if these are not packed
	lines int            // at least 1
	aLine int            // bytes from a line of points to the next
	cLine int
	bLine int // of unpacked columns
	// Byte offsets of the line from a, c and b. The code counts offsets instead of advancing pointers, which the
	// garbage collector would see.
	aDone, cDone, bDone int

	mask [32]byte
}

// The byte offsets of the arguments.
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

// microKernel multiplies panels of A by some vectors of a panel of B, into register blocks below each other.
type microKernel struct {
	shape
	asm.Assembler
	kind gemmKind // tileKind, unpackedKind or a kind of windows
	n, v int      // rows and vectors of the register block

	a, b, c, ldc, count, panels, nextA asm.Reg
}

func newMicroKernel(s shape, kind gemmKind, rows, vecs int) *microKernel {
	return &microKernel{shape: s, kind: kind, n: rows, v: vecs, a: asm.RAX, b: asm.RBX, c: asm.RCX, ldc: asm.RDX,
		count: asm.GP(8), panels: asm.GP(9), nextA: asm.GP(10)}
}

// sum returns the register of an accumulator, right and left those of operands.
func (t *microKernel) sum(i, j int) asm.Reg { return t.Vector(i*t.v + j) }
func (t *microKernel) right(j int) asm.Reg  { return t.Vector(t.n*t.v + j) }
func (t *microKernel) left(i int) asm.Reg {
	first := t.n*t.v + t.v
	return t.Vector(first + i%(t.registers()-first))
}

func (t *microKernel) write() {
	if t.Width == target.V512 {
		target.LoadTailMask(&t.Assembler, tileCols)
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
		t.Emit(asm.IMUL, nextColumns, asm.Mem(asm.RDI, tileDepth), asm.Imm(int64(t.cols()*t.Size)))
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

// The additional registers of unpacked rows.
var (
	rowStride = asm.GP(11) // bytes from a row to the next
	rowThree  = asm.GP(12) // three times rowStride
	fifthRow  = asm.GP(13) // address of the fifth row
)

// nextColumns is the prefetch address in the next panel of columns: each iteration prefetches a cache line of it.
var nextColumns = asm.GP(14)

// beginRows emits the setup of unpacked rows.
func (t *microKernel) beginRows() {
	t.Emit(asm.MOV, rowStride, asm.Mem(asm.RDI, tilePoint))
	t.Emit(asm.LEA, rowThree, asm.MemIndex(rowStride, rowStride, 2, 0))
	t.Emit(asm.LEA, fifthRow, asm.MemIndex(t.a, rowStride, 4, 0))
}

// startSums initialises the accumulators.
func (t *microKernel) startSums() {
	if t.flipsSigns() {
		from := t.ldc // reloaded below
		t.Emit(asm.MOV, from, asm.Mem(asm.RDI, tileCompensation))
		for i := range t.n {
			for j := range t.v {
				t.Emit(asm.VMOVUPS, t.sum(i, j), asm.Mem(from, j*t.Width.VectorBytes()))
			}
		}
		t.Emit(asm.MOV, t.ldc, asm.Mem(asm.RDI, tileLDC))
		return
	}
	for i := range t.n * t.v {
		x := t.Vector(i).As(asm.XMM)
		if i >= 16 {
			x = t.Vector(i)
		}
		t.Emit(asm.VXORPS, x, x, x)
	}
}

// loopK emits the loop over k, in order.
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

// rankOneUpdate adds the products of one k, at offset k from the current position.
func (t *microKernel) rankOneUpdate(k int) {
	if t.kind == unpackedWindowKind {
		t.loadUnpackedRight(k)
	} else {
		for j := range t.v {
			t.Emit(asm.VMOVUPS, t.right(j), asm.Mem(t.b, (k*t.cols()+j*t.Lanes())*t.Size))
		}
	}
	rows := t.rowsOf(k)
	for i, row := range rows {
		if t.kind == depthwiseKind {
			for j := range t.v {
				t.multiplyAdd(&t.Assembler, t.sum(i, j), t.right(j), row(j*t.Width.VectorBytes()))
			}
			continue
		}
		t.Emit(t.Of(asm.VBROADCASTSS, asm.VBROADCASTSD), t.left(i), row(0))
		for j := range t.v {
			t.multiplyAdd(&t.Assembler, t.sum(i, j), t.left(i), t.right(j))
		}
	}
}

// rowsOf returns the addresses of the left operand of one k in each row, as functions of a byte offset.
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
		rows[i] = func(bytes int) asm.Arg { return asm.Mem(t.a, (k*t.rows+i)*t.Size+bytes) }
	}
	return rows
}

// unpackedRow returns the address of element k of an unpacked row.
func (t *microKernel) unpackedRow(row, k int) asm.Arg {
	base := t.a
	if row >= 4 {
		base = fifthRow
	}
	switch row % 4 {
	case 0:
		return asm.Mem(base, k*t.Size)
	case 3:
		return asm.MemIndex(base, rowThree, 1, k*t.Size)
	}
	return asm.MemIndex(base, rowStride, row%4, k*t.Size)
}

func (t *microKernel) advance(k int) {
	switch t.kind {
	case tileKind:
		t.Emit(asm.ADD, t.a, asm.Imm(int64(k*t.rows*t.Size)))
	case unpackedKind:
		t.Emit(asm.ADD, t.a, asm.Imm(int64(k*t.Size)))
		t.Emit(asm.ADD, fifthRow, asm.Imm(int64(k*t.Size)))
	default:
		t.Emit(asm.ADD, windowOffsetPtr, asm.Imm(int64(8*k)))
	}
	if t.kind == unpackedWindowKind {
		t.Emit(asm.ADD, windowRightPtr, asm.Imm(int64(8*k)))
	} else {
		t.Emit(asm.ADD, t.b, asm.Imm(int64(k*t.cols()*t.Size)))
	}
}

// canSubtract reports whether the sums may be subtracted.
func (t *microKernel) canSubtract() bool {
	return !t.isWindow() && !t.dot4
}

// store stores the sums, or adds them to c.
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

// storeTails emits the stores of the rows. Masked stores are slow on AVX2, so that full vectors have their own code.
func (t *microKernel) storeTails(add bool) {
	if t.Width == target.V512 {
		t.storeRows(add, true)
		return
	}
	part, done := t.NewLabel(), t.NewLabel()
	t.Emit(asm.CMP, asm.Mem(asm.RDI, tileCols).Sized(8), asm.Imm(int64(t.Lanes())))
	t.Emit(asm.JNE, part)
	t.storeRows(add, false)
	t.Emit(asm.JMP, done)
	t.Bind(part)
	t.storeRows(add, true)
	t.Bind(done)
}

func (t *microKernel) storeRows(add, part bool) {
	row, mask, old := t.a, t.right(0), t.left(0)
	if part && t.Width == target.V256 {
		t.Emit(asm.VMOVUPS, mask, asm.Mem(asm.RDI, tileMask))
	}
	sum := t.addOp()
	signed := func(x asm.Reg) {} // flips the signs of subtracted sums
	if add && t.canSubtract() {
		sign := t.left(1)
		if t.v > 1 {
			sign = t.right(1)
		}
		t.Emit(t.Of(asm.VBROADCASTSS, asm.VBROADCASTSD), sign, asm.Mem(asm.RDI, tileSign))
		xor := asm.VXORPS
		if t.Width == target.V512 {
			xor = asm.VPXORD
		}
		signed = func(x asm.Reg) { t.Emit(xor, x, x, sign) }
	}
	t.Emit(asm.MOV, row, t.c)
	for i := range t.n {
		for j := range t.v {
			x, to := t.sum(i, j), asm.Mem(row, j*t.Width.VectorBytes())
			signed(x)
			switch full := !part || j < t.v-1; {
			case full:
				if add {
					t.Emit(sum, x, x, to)
				}
				t.Emit(asm.VMOVUPS, to, x)
			case t.Width == target.V512:
				if add {
					t.Masked(asm.K(target.TailMask), false, sum, x, x, to)
				}
				t.Masked(asm.K(target.TailMask), false, t.Of(asm.VMOVUPS, asm.VMOVUPD), to, x)
			default:
				move := t.Of(asm.VMASKMOVPS, asm.VMASKMOVPD)
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
