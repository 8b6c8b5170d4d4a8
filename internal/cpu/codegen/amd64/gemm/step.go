package gemm

import (
	"unsafe"

	"github.com/go-nx/nx/internal/cpu/codegen/amd64/target"
	"github.com/go-nx/nx/internal/cpu/rt"
)

var (
	_ rt.UnpackedRowStep[float32] = (*gemmStep[float32])(nil)
	_ rt.UnpackedRowStep[float64] = (*gemmStep[float64])(nil)
)

// Tile returns the rows and columns of a panel.
func (s *gemmStep[T]) Tile() (rows, cols, depth int) { return s.rows, s.cols(), 1 }

// Listing returns the code of the full micro-kernel.
func (s *gemmStep[T]) Listing() (tier, listing string) {
	c := s.get(gemmKey{tileKind, uint8(s.rows), uint8(s.vecs)})
	return s.Width.Tier(), target.NativeListing(c.Text, c.InstructionBytes)
}

// Multiply multiplies packed blocks.
func (s *gemmStep[T]) Multiply(c []T, ldc, rows, cols, depth int, a, b []T, first bool) {
	args := s.getArgs()
	defer s.putArgs(args)
	if !first {
		args.tile.add = 1
	}
	s.multiply(tileKind, args, c, ldc, rows, cols, depth, a, depth, b)
}

// Subtract subtracts products of packed blocks.
func (s *gemmStep[T]) Subtract(c []T, ldc, rows, cols, depth int, a, b []T) {
	args := s.getArgs()
	defer s.putArgs(args)
	args.tile.add, args.tile.sign = 1, 1<<(8*s.Size-1)
	s.multiply(tileKind, args, c, ldc, rows, cols, depth, a, depth, b)
}

// MultiplyRows multiplies unpacked rows by a packed block.
func (s *gemmStep[T]) MultiplyRows(c []T, ldc, rows, cols, depth int, a []T, lda int, b []T, first bool) {
	args := s.getArgs()
	defer s.putArgs(args)
	if !first {
		args.tile.add = 1
	}
	s.multiply(unpackedKind, args, c, ldc, rows, cols, depth, a, lda, b)
}

// SubtractRows subtracts products of unpacked rows.
func (s *gemmStep[T]) SubtractRows(c []T, ldc, rows, cols, depth int, a []T, lda int, b []T) {
	args := s.getArgs()
	defer s.putArgs(args)
	args.tile.add, args.tile.sign = 1, 1<<(8*s.Size-1)
	s.multiply(unpackedKind, args, c, ldc, rows, cols, depth, a, lda, b)
}

// multiply multiplies rows of a, packed or lda apart, by a packed block; args has the flags of the accumulators.
func (s *gemmStep[T]) multiply(kind gemmKind, args *gemmArgs, c []T, ldc, rows, cols, depth int, a []T,
	lda int, b []T) {
	t := &args.tile
	t.ldc, t.depth, t.point = ldc*s.Size, depth, lda*s.Size
	t.aNext, t.cNext = s.rows*lda*s.Size, s.rows*ldc*s.Size
	full := rows / s.rows
	for j := 0; j < cols; j += s.cols() {
		n := min(s.cols(), cols-j)
		vecs := (n + s.Lanes() - 1) / s.Lanes()
		if t.cols = n - (vecs-1)*s.Lanes(); s.Width == target.V256 {
			t.mask = target.TailMaskAVX2(t.cols, s.Size)
		}
		t.b = unsafe.Pointer(&b[j*depth])
		if s.flipsSigns() {
			t.compensation = s.compensation(args, b[j*depth:], vecs, depth)
		}
		tiles := func(row, rows, panels int) {
			t.a, t.c, t.panels = unsafe.Pointer(&a[row*lda]), unsafe.Pointer(&c[row*ldc+j]), panels
			s.call(gemmKey{kind, uint8(rows), uint8(vecs)}, unsafe.Pointer(t))
		}
		for i := 0; i < full; i += maxPanels {
			tiles(i*s.rows, s.rows, min(maxPanels, full-i))
		}
		if rest := rows - full*s.rows; rest > 0 {
			tiles(full*s.rows, rest, 1)
		}
	}
}

// PackRows packs rows of the left operand.
func (s *gemmStep[T]) PackRows(dst, src []T, ls, ks, lines, depth int) {
	s.pack(dst, src, ls, ks, lines, depth, s.rows, s.rows*s.Size)
}

// PackCols packs columns of the right operand.
func (s *gemmStep[T]) PackCols(dst, src []T, ls, ks, lines, depth int) {
	s.pack(dst, src, ls, ks, lines, depth, s.cols(), s.Width.VectorBytes())
}

// pack packs lines into panels, copying vectors of the given size.
func (s *gemmStep[T]) pack(dst, src []T, ls, ks, lines, depth, panel, bytes int) {
	if depth == 0 {
		return
	}
	args := s.getArgs()
	defer s.putArgs(args)
	for i := 0; i < lines; i += panel {
		s.packPanel(args, dst[i*depth:][:panel*depth], src[i*ls:], ls, ks, min(panel, lines-i), depth, panel, bytes)
	}
}

// packPanel packs lines of one panel.
func (s *gemmStep[T]) packPanel(args *gemmArgs, to, from []T, ls, ks, n, depth, panel, bytes int) {
	switch {
	case ls == 1:
		s.copyPanel(&args.pack, to, from, ks, n, depth, panel, bytes)
	case ks == 1:
		s.transposePanel(&args.pack, to, from, ls, n, depth, panel)
	default:
		s.packElements(to, from, ls, ks, n, depth, panel)
	}
}

// packElements packs lines of a panel element by element.
func (s *gemmStep[T]) packElements(dst, src []T, ls, ks, lines, depth, panel int) {
	for k := range depth {
		row := dst[k*panel:][:lines]
		for i := range row {
			row[i] = src[i*ls+k*ks]
		}
		if s.dot2 {
			swapHalves(rt.View[uint32](rt.Bytes(row)))
		}
		if s.flipsPanel(panel) {
			flipByteSigns(rt.View[uint32](rt.Bytes(row)))
		}
	}
}

// flipsPanel reports whether packing a panel flips the signs of bytes.
func (s *gemmStep[T]) flipsPanel(lines int) bool { return s.flipsSigns() && lines == s.rows }

// copyPanel packs contiguous lines.
func (s *gemmStep[T]) copyPanel(p *packArgs, dst, src []T, ks, lines, depth, panel, bytes int) {
	lanes := bytes / s.Size
	vecs := (lines + lanes - 1) / lanes
	*p = packArgs{from: unsafe.Pointer(&src[0]), to: unsafe.Pointer(&dst[0]), fromStep: ks * s.Size,
		toStep: panel * s.Size, count: depth, cols: lines - (vecs-1)*lanes}
	if s.Width == target.V256 {
		p.mask = target.TailMaskAVX2(p.cols, s.Size)
	}
	s.call(gemmKey{copyKind, uint8(bytes), uint8(vecs)}, unsafe.Pointer(p))
}

// square returns the square block that transposes a panel.
func (s *gemmStep[T]) square(panel int) square {
	if s.Size == 4 && panel%8 == 0 {
		return square{s.Size, 8}
	}
	return square{s.Size, 4}
}

// transposePanel packs lines that are contiguous along k. The last squares overlap others, unless there are fewer lines
// or elements than a square has.
func (s *gemmStep[T]) transposePanel(p *packArgs, dst, src []T, ls, lines, depth, panel int) {
	n := s.square(panel).N
	if depth < n || lines < n {
		s.packElements(dst, src, ls, 1, lines, depth, panel)
		return
	}
	key := gemmKey{transposeKind, uint8(n), 0}
	if s.flipsPanel(panel) {
		key.v = 1
	}
	squares := func(line, k, count int) {
		*p = packArgs{from: unsafe.Pointer(&src[line*ls+k]), to: unsafe.Pointer(&dst[k*panel+line]),
			fromStep: ls * s.Size, toStep: panel * s.Size, count: count}
		s.call(key, unsafe.Pointer(p))
	}
	for line := 0; line < lines; line += n {
		line := min(line, lines-n)
		squares(line, 0, depth/n)
		if depth%n != 0 {
			squares(line, depth-n, 1)
		}
	}
}

// Dot computes sums of lines that are contiguous along k, some lines at a time. The last lines, and short ones, are
// copied to padded memory.
func (s *gemmStep[T]) Dot(sums, a []T, ls int, x []T) {
	args := s.getArgs()
	defer s.putArgs(args)
	q := SquareOf(s.Size)
	scratch := scratchOf[T](args)
	for n := q.LinesPerCall(); len(sums) > 0; {
		count := min(n, len(sums))
		if count == n && len(x) >= q.N {
			s.dot(q, &args.dot, sums[:n], scratch, a, ls, x)
		} else {
			for i := range count {
				copy(scratch.lines[q.N+i*scratchDepth:][:len(x)], a[i*ls:])
			}
			s.dot(q, &args.dot, sums[:count], scratch, scratch.lines[q.N:], scratchDepth, x)
		}
		if sums = sums[count:]; len(sums) > 0 {
			a = a[count*ls:]
		}
	}
}

// scratchDepth is the length of a line of gemvScratch: the largest depth, and a square before it, which the code of
// short lines reads.
const scratchDepth = 256 + 8

// gemvScratch has memory for padded lines and their sums.
type gemvScratch[T float32 | float64] struct {
	lines [16 * scratchDepth]T
	sums  [16]T
}

// scratchOf returns the scratch memory of arguments.
func scratchOf[T float32 | float64](a *gemmArgs) *gemvScratch[T] {
	r, ok := a.scratch.(*gemvScratch[T])
	if !ok {
		r = &gemvScratch[T]{}
		a.scratch = r
	}
	return r
}

// dot computes the sums of some lines, which are padded to a full call.
func (s *gemmStep[T]) dot(q square, d *dotArgs, sums []T, scratch *gemvScratch[T], a []T, ls int, x []T) {
	*d = dotArgs{a: unsafe.Pointer(&a[0]), x: unsafe.Pointer(&x[0]), step: ls * s.Size, squares: len(x) / q.N,
		rest: len(x) % q.N, sums: unsafe.Pointer(&scratch.sums)}
	s.call(gemmKey{gemvDotKind, uint8(q.N), 0}, unsafe.Pointer(d))
	copy(sums, scratch.sums[:])
}

// axpyUnroll is the number of k per iteration of the code of columns.
const axpyUnroll = 8

// Add computes sums of contiguous lines.
func (s *gemmStep[T]) Add(sums, a []T, ks int, x []T) {
	clear(sums)
	args := s.getArgs()
	defer s.putArgs(args)
	d := &args.axpy
	d.step, d.sums = ks*s.Size, unsafe.Pointer(&sums[0])
	d.vectors, d.cols = len(sums)/s.Lanes(), len(sums)%s.Lanes()
	if s.Width == target.V256 {
		d.mask = target.TailMaskAVX2(d.cols, s.Size)
	}
	add := func(k, at, groups int) {
		if groups > 0 {
			d.a, d.x, d.groups = unsafe.Pointer(&a[k*ks]), unsafe.Pointer(&x[k]), groups
			s.call(gemmKey{gemvAxpyKind, uint8(at), 0}, unsafe.Pointer(d))
		}
	}
	full := len(x) / axpyUnroll
	add(0, axpyUnroll, full)
	add(full*axpyUnroll, 1, len(x)-full*axpyUnroll)
}
