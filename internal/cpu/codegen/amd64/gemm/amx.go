package gemm

import (
	"unsafe"

	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/target"
	"github.com/go-nx/nx/internal/cpu/rt"
)

var _ rt.Dot2Step = (*amxStep)(nil)

// amxStep multiplies with AMX tiles. An element of an operand is 32 bits of narrow numbers, and a tile has 16 rows of
// 16 elements. Rows of the left operand are packed one after the other, columns of the right one in panels as for
// vectors.
type amxStep struct{ dot2Step }

// amxTile is the number of rows, columns and elements along k of a tile.
const amxTile = 16

// newAMXStep returns the step of a tile multiplication.
func newAMXStep(multiply asm.Op) *amxStep {
	s := &amxStep{}
	s.shape = shape{Vectors: target.Vectors{Width: target.V512, Size: 4}, rows: 2 * amxTile, vecs: 2, amx: multiply}
	return s
}

// amxArgs are the arguments of AMX code. Strides are in bytes.
type amxArgs struct {
	a, b, c   unsafe.Pointer
	lda       int
	ldc       int
	depth     int // in tiles
	panels    int // of rows, at least 1
	colPanels int // of columns, at least 1
	aNext     int // bytes from a panel of rows to the next
	bNext     int // bytes from a panel of columns to the next
	cNext     int // bytes from a panel of rows to the next
	add       int // 0: the sums replace c
	aSecond   int // byte offset of the rows of the second tile
	cSecond   int
	config    [64]byte
}

// The byte offsets of the arguments.
const (
	amxA = 8 * iota
	amxB
	amxC
	amxLDA
	amxLDC
	amxDepth
	amxPanels
	amxColPanels
	amxANext
	amxBNext
	amxCNext
	amxAdd
	amxASecond
	amxCSecond
	amxConfig
)

// The tile numbers of operands; accumulators are 0 to 3, two per row.
const amxLeft, amxRight = 4, 6

// configure sets the tile configuration for a block.
func (a *amxArgs) configure(rows, cols int) {
	a.config = [64]byte{0: 1}
	set := func(tile, rows, cols int) {
		if rows > 0 && cols > 0 {
			a.config[16+2*tile], a.config[48+tile] = byte(4*cols), byte(rows)
		}
	}
	for i := range 2 {
		r := min(rows-i*amxTile, amxTile)
		set(amxLeft+i, r, amxTile)
		set(amxRight+i, amxTile, min(cols-i*amxTile, amxTile))
		for j := range 2 {
			set(2*i+j, r, min(cols-j*amxTile, amxTile))
		}
	}
}

// amxCode multiplies panels of A by one panel of B, of one or two tiles each. The configuration sets the rows and
// columns of the last tiles.
func amxCode(multiply asm.Op, rowTiles, colTiles int) *asm.Assembler {
	t := &asm.Assembler{}
	a, b, c, lda, ldc, ldb := asm.RAX, asm.RBX, asm.RCX, asm.RDX, asm.GP(8), asm.GP(9)
	count, panels, nextA, row := asm.GP(10), asm.GP(11), asm.GP(12), asm.GP(13)
	firstB, firstC, across := asm.GP(14), asm.GP(15), asm.RSI
	t.Emit(asm.LDTILECFG, asm.Mem(asm.RDI, amxConfig))
	t.Emit(asm.MOV, firstC, asm.Mem(asm.RDI, amxC))
	t.Emit(asm.MOV, firstB, asm.Mem(asm.RDI, amxB))
	t.Emit(asm.MOV, across, asm.Mem(asm.RDI, amxColPanels))
	t.Emit(asm.MOV, lda, asm.Mem(asm.RDI, amxLDA))
	t.Emit(asm.MOV, ldc, asm.Mem(asm.RDI, amxLDC))
	const lineBytes = 2 * 4 * amxTile // bytes of one k of a panel of columns
	t.Emit(asm.MOV, ldb, asm.Imm(lineBytes))
	sums := func(each func(sum asm.Reg, at asm.Arg)) {
		t.Emit(asm.MOV, row, c)
		for i := range rowTiles {
			if i > 0 {
				t.Emit(asm.ADD, row, asm.Mem(asm.RDI, amxCSecond))
			}
			for j := range colTiles {
				each(asm.T(2*i+j), asm.MemIndex(row, ldc, 1, 4*amxTile*j))
			}
		}
	}
	column, panel, add, start, loop := t.NewLabel(), t.NewLabel(), t.NewLabel(), t.NewLabel(), t.NewLabel()
	t.Bind(column)
	t.Emit(asm.MOV, c, firstC)
	t.Emit(asm.MOV, nextA, asm.Mem(asm.RDI, amxA))
	t.Emit(asm.MOV, panels, asm.Mem(asm.RDI, amxPanels))
	t.Bind(panel)
	t.Emit(asm.CMP, asm.Mem(asm.RDI, amxAdd).Sized(8), asm.Imm(0))
	t.Emit(asm.JNE, add)
	sums(func(sum asm.Reg, _ asm.Arg) { t.Emit(asm.TILEZERO, sum) })
	t.Emit(asm.JMP, start)
	t.Bind(add)
	sums(func(sum asm.Reg, at asm.Arg) { t.Emit(asm.TILELOADD, sum, at) })
	t.Bind(start)
	t.Emit(asm.MOV, a, nextA)
	t.Emit(asm.MOV, row, nextA)
	t.Emit(asm.ADD, row, asm.Mem(asm.RDI, amxASecond))
	t.Emit(asm.MOV, b, firstB)
	t.Emit(asm.MOV, count, asm.Mem(asm.RDI, amxDepth))
	t.Align(16)
	t.Bind(loop)
	for i := range rowTiles {
		t.Emit(asm.TILELOADD, asm.T(amxLeft+i), asm.MemIndex([]asm.Reg{a, row}[i], lda, 1, 0))
		for j := range colTiles {
			if i == 0 {
				t.Emit(asm.TILELOADD, asm.T(amxRight+j), asm.MemIndex(b, ldb, 1, 4*amxTile*j))
			}
			t.Emit(multiply, asm.T(2*i+j), asm.T(amxLeft+i), asm.T(amxRight+j))
		}
	}
	t.Emit(asm.ADD, a, asm.Imm(4*amxTile))
	t.Emit(asm.ADD, row, asm.Imm(4*amxTile))
	t.Emit(asm.ADD, b, asm.Imm(amxTile*lineBytes))
	t.Emit(asm.SUB, count, asm.Imm(1))
	t.Emit(asm.JNE, loop)
	sums(func(sum asm.Reg, at asm.Arg) { t.Emit(asm.TILESTORED, at, sum) })
	t.Emit(asm.ADD, nextA, asm.Mem(asm.RDI, amxANext))
	t.Emit(asm.ADD, c, asm.Mem(asm.RDI, amxCNext))
	t.Emit(asm.SUB, panels, asm.Imm(1))
	t.Emit(asm.JNE, panel)
	t.Emit(asm.ADD, firstB, asm.Mem(asm.RDI, amxBNext))
	t.Emit(asm.ADD, firstC, asm.Imm(lineBytes))
	t.Emit(asm.SUB, across, asm.Imm(1))
	t.Emit(asm.JNE, column)
	t.Emit(asm.TILERELEASE)
	t.Emit(asm.RET)
	return t
}

// Tile returns the rows and columns of a panel.
func (s *amxStep) Tile() (rows, cols, depth int) { return s.rows, s.cols(), amxTile }

// fullDepth rounds a depth up to full tiles.
func fullDepth(depth int) int { return (depth + amxTile - 1) / amxTile * amxTile }

// Multiply multiplies packed blocks. Accumulators start from c unless first is set.
func (s *amxStep) Multiply(c []float32, ldc, rows, cols, depth int, a, b []float32, first bool) {
	if depth == 0 {
		return
	}
	args := s.getArgs()
	defer s.putArgs(args)
	t, paddedDepth := &args.amx, fullDepth(depth)
	t.lda, t.ldc, t.depth = 4*paddedDepth, 4*ldc, paddedDepth/amxTile
	t.aNext, t.cNext = s.rows*t.lda, s.rows*t.ldc
	t.aSecond, t.cSecond = amxTile*t.lda, amxTile*t.ldc
	if !first {
		t.add = 1
	}
	t.bNext = s.cols() * t.lda
	// tiles multiplies panels; the last ones may be partial.
	tiles := func(row, rows, panels, col, cols, across int) {
		if panels > 0 && across > 0 {
			t.a, t.b, t.c = unsafe.Pointer(&a[row*paddedDepth]), unsafe.Pointer(&b[col*paddedDepth]),
				unsafe.Pointer(&c[row*ldc+col])
			t.panels, t.colPanels = panels, across
			t.configure(rows, cols)
			s.call(gemmKey{amxKind, tilesOf(rows), tilesOf(cols)}, unsafe.Pointer(t))
		}
	}
	rowPanels, colPanels := rows/s.rows, cols/s.cols()
	row, col := rowPanels*s.rows, colPanels*s.cols()
	bottom, right := min(rows-row, 1), min(cols-col, 1) // partial panels
	tiles(0, s.rows, rowPanels, 0, s.cols(), colPanels)
	tiles(row, rows-row, bottom, 0, s.cols(), colPanels)
	tiles(0, s.rows, rowPanels, col, cols-col, right)
	tiles(row, rows-row, bottom, col, cols-col, right)
}

// tilesOf returns the number of tiles of n rows or columns.
func tilesOf(n int) uint8 { return uint8((n + amxTile - 1) / amxTile) }

// PackRows packs rows of the left operand one after the other, padded with zeros to full tiles.
func (s *amxStep) PackRows(dst, src []float32, ls, ks, lines, depth int) {
	paddedDepth := fullDepth(depth)
	n := 8 // of a square
	switch {
	case ks == 1:
		for i := range lines {
			copy(dst[i*paddedDepth:][:depth], src[i*ls:])
		}
	case ls == 1 && lines >= n && depth >= n:
		args := s.getArgs()
		defer s.putArgs(args)
		for k := 0; k < depth; k += n {
			k := min(k, depth-n)
			squares := func(line, count int) {
				args.pack = packArgs{from: unsafe.Pointer(&src[k*ks+line]),
					to:       unsafe.Pointer(&dst[line*paddedDepth+k]),
					fromStep: ks * s.Size, toStep: paddedDepth * s.Size, count: count}
				s.call(gemmKey{transposeKind, uint8(n), 0}, unsafe.Pointer(&args.pack))
			}
			squares(0, lines/n)
			if lines%n != 0 {
				squares(lines-n, 1)
			}
		}
	default:
		for i := range lines {
			for k := range depth {
				dst[i*paddedDepth+k] = src[i*ls+k*ks]
			}
		}
	}
	if depth < paddedDepth {
		for i := range lines {
			clear(dst[i*paddedDepth:][depth:paddedDepth])
		}
	}
}

// PackCols packs columns of the right operand, padded with zeros to full tiles.
func (s *amxStep) PackCols(dst, src []float32, ls, ks, lines, depth int) {
	if depth == 0 {
		return
	}
	args := s.getArgs()
	defer s.putArgs(args)
	panel, paddedDepth := s.cols(), fullDepth(depth)
	for i := 0; i < lines; i += panel {
		to := dst[i*paddedDepth:][:panel*paddedDepth]
		s.packPanel(args, to, src[i*ls:], ls, ks, min(panel, lines-i), depth, panel, s.Width.VectorBytes())
		clear(to[panel*depth:])
	}
}
