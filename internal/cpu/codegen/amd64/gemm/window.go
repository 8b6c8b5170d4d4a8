package gemm

import (
	"unsafe"

	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/target"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// Windows are products whose left operand is not packed: a row is a point of an image, and the element of each k has an
// offset from the point. A register block has equally spaced points of one line; the code iterates over the blocks of a
// line, and over lines.

// The additional registers of windows.
var (
	windowPoint     = asm.GP(11) // bytes from a point to the next
	windowThree     = asm.GP(12) // three times windowPoint
	windowOffsetPtr = asm.GP(13) // address of the offset of the next k
	windowFirst     = asm.GP(14) // address of the left operand in the first five points
	windowNext      = asm.GP(15) // and in the next five points
	windowOffset    = asm.RBP    // offset of a k, then address of the left operand in the last points
	windowRightPtr  = asm.RSI    // address of the column offset of the next k: this code has no spill slots
)

// windowRows returns the largest number of points of a register block: with one vector, more points are needed to hide
// the latency, and to load columns less often.
func (s shape) windowRows(vecs int) int {
	switch {
	case s.Width == target.V512 && vecs == 1:
		return maxWindowRows
	case s.Width == target.V512 || vecs == 1:
		return 8
	}
	return 4
}

// maxWindowRows is the number of points that three address registers reach.
const maxWindowRows = 15

// pointsPerTile returns the number of points per register block of a line, at most max: blocks have about the same
// size, since few points do not hide the latency.
func pointsPerTile(points, maxPoints int) int {
	tiles := (points + maxPoints - 1) / maxPoints
	return (points + tiles - 1) / tiles
}

// beginWindows emits the setup of a register block.
func (t *microKernel) beginWindows() {
	t.Emit(asm.MOV, windowPoint, asm.Mem(asm.RDI, tilePoint))
	t.Emit(asm.LEA, windowThree, asm.MemIndex(windowPoint, windowPoint, 2, 0))
	t.Emit(asm.MOV, windowOffsetPtr, asm.Mem(asm.RDI, tileAt))
	if t.kind == unpackedWindowKind {
		t.Emit(asm.MOV, windowRightPtr, asm.Mem(asm.RDI, tileRight))
		t.Emit(asm.ADD, t.b, asm.Mem(asm.RDI, tileBDone))
	}
}

// loadUnpackedRight loads the columns of a k in place; the last vector is masked.
func (t *microKernel) loadUnpackedRight(k int) {
	t.Emit(asm.MOV, windowOffset, asm.Mem(windowRightPtr, 8*k))
	t.Emit(asm.LEA, windowOffset, asm.MemIndex(t.b, windowOffset, t.Size, 0))
	for j := range t.v {
		x, from := t.right(j), asm.Mem(windowOffset, j*t.Width.VectorBytes())
		switch mask := t.left(0); {
		case j < t.v-1:
			t.Emit(asm.VMOVUPS, x, from)
		case t.Width == target.V512:
			t.Masked(asm.K(target.TailMask), true, t.Of(asm.VMOVUPS, asm.VMOVUPD), x, from)
		default:
			t.Emit(asm.VMOVUPS, mask, asm.Mem(asm.RDI, tileMask))
			t.Emit(t.Of(asm.VMASKMOVPS, asm.VMASKMOVPD), x, mask, from)
		}
	}
}

// nextLine emits the end of a line, and the branch to the next.
func (t *microKernel) nextLine(line asm.Label) {
	move := func(at, by int) {
		t.Emit(asm.MOV, t.count, asm.Mem(asm.RDI, at))
		t.Emit(asm.ADD, t.count, asm.Mem(asm.RDI, by))
		t.Emit(asm.MOV, asm.Mem(asm.RDI, at), t.count)
	}
	move(tileADone, tileALine)
	move(tileCDone, tileCLine)
	if t.kind == unpackedWindowKind {
		move(tileBDone, tileBLine)
	}
	t.Emit(asm.MOV, t.count, asm.Mem(asm.RDI, tileLines))
	t.Emit(asm.SUB, t.count, asm.Imm(1))
	t.Emit(asm.MOV, asm.Mem(asm.RDI, tileLines), t.count)
	t.Emit(asm.JNE, line)
}

// pointsOf emits the addresses of the left operand of a k, and returns that of each point: every fifth point has a
// register, the four points after it are at one to four times the distance of points.
func (t *microKernel) pointsOf(k int) []func(bytes int) asm.Arg {
	bases := []asm.Reg{windowFirst, windowNext, windowOffset}
	t.Emit(asm.MOV, windowOffset, asm.Mem(windowOffsetPtr, 8*k))
	t.Emit(asm.LEA, windowFirst, asm.MemIndex(t.a, windowOffset, t.Size, 0))
	for i := 5; i < t.n; i += 5 {
		t.Emit(asm.LEA, bases[i/5], asm.MemIndex(bases[i/5-1], windowPoint, 2, 0))
		t.Emit(asm.ADD, bases[i/5], windowThree)
	}
	points := make([]func(int) asm.Arg, t.n)
	for i := range points {
		base := bases[i/5]
		points[i] = func(bytes int) asm.Arg {
			switch i % 5 {
			case 0:
				return asm.Mem(base, bytes)
			case 3:
				return asm.MemIndex(base, windowThree, 1, bytes)
			}
			return asm.MemIndex(base, windowPoint, i%5, bytes)
		}
	}
	return points
}

// MultiplyWindows multiplies points of an image by a packed block.
func (s *gemmStep[T]) MultiplyWindows(w *rt.Windows, c, a, b []T, first bool) {
	args := s.getArgs()
	defer s.putArgs(args)
	t := &args.tile
	t.depth, t.at = len(w.Offsets), unsafe.Pointer(&w.Offsets[0])
	t.point, t.aLine = w.PointStride*s.Size, w.LineStride*s.Size
	t.ldc, t.cLine, t.bLine = w.OutPointStride*s.Size, w.OutLineStride*s.Size, w.RightLineStride*s.Size
	if !first {
		t.add = 1
	}
	kind := windowKind
	switch {
	case w.Depthwise:
		kind = depthwiseKind
	case w.RightOffsets != nil:
		kind, t.right = unpackedWindowKind, unsafe.Pointer(&w.RightOffsets[0])
	}
	for j := 0; j < w.Cols; j += s.cols() {
		n := min(s.cols(), w.Cols-j)
		vecs := (n + s.Lanes() - 1) / s.Lanes()
		if t.cols = n - (vecs-1)*s.Lanes(); s.Width == target.V256 {
			t.mask = target.TailMaskAVX2(t.cols, s.Size)
		}
		right := j
		if kind != unpackedWindowKind {
			right *= len(w.Offsets)
		}
		rows := pointsPerTile(w.Points, s.windowRows(vecs))
		t.aNext, t.cNext = rows*t.point, rows*t.ldc
		from := 0
		if w.Depthwise {
			from = j
		}
		tiles := func(point, rows, panels int) {
			lines := max(1, maxTileWork/(panels*rows*vecs*s.Lanes()*len(w.Offsets)))
			for line := 0; line < w.Lines; line += lines {
				t.a = unsafe.Pointer(&a[line*w.LineStride+point*w.PointStride+from])
				t.c = unsafe.Pointer(&c[line*w.OutLineStride+point*w.OutPointStride+j])
				t.b = unsafe.Pointer(&b[line*w.RightLineStride+right])
				t.panels, t.lines, t.aDone, t.cDone, t.bDone = panels, min(lines, w.Lines-line), 0, 0, 0
				s.call(gemmKey{kind, uint8(rows), uint8(vecs)}, unsafe.Pointer(t))
			}
		}
		full := w.Points / rows
		for i := 0; i < full; i += maxPanels {
			tiles(i*rows, rows, min(maxPanels, full-i))
		}
		if rest := w.Points - full*rows; rest > 0 {
			tiles(full*rows, rest, 1)
		}
	}
}
