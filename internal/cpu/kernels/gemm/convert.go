package gemm

import (
	"unsafe"

	"github.com/go-nx/nx/internal/cpu/rt"
)

// Conversion converts between the elements of a matrix in memory, of Size bytes each, and the type of the product: of
// an operand from memory, of a result to it. Convert works from the first element to the last and reads each before it
// writes it. It is nil for elements that already have the type.
type Conversion struct {
	Size    int
	Convert func(dst, src []byte)
	ToBF16  bool // rounds float32s to bf16, which a tier may have code for
	// Widens is the type of the elements, if a tier may have code that converts them to float32s.
	Widens rt.Narrow
}

// MatMulConverted is [MatMul] with conversions: of the operands while they are packed, a block at a time, and of the
// result in the epilogue.
func MatMulConverted[T Accumulator](env *rt.Env, c, a, b Matrix[byte], forC, forA, forB Conversion) error {
	g := newProduct[T]()
	defer g.release()
	parts := &g.parts
	g.setSize(typedMatrix[T](c, forC), a.Cols.Size())
	x, y := typedMatrix[T](a, forA), typedMatrix[T](b, forB)
	parts.a = NewStrided(x.Data, x.Offset, x.Batch, x.Rows, x.Cols)
	parts.b = NewStrided(y.Data, y.Offset, y.Batch, y.Cols, y.Rows)
	g.a, g.b = &parts.a, &parts.b
	if forA.Convert != nil {
		parts.convertA = newConvertingSource(env, parts.a, a.Data, forA)
		g.a = &parts.convertA
	}
	if forB.Convert != nil {
		parts.convertB = newConvertingSource(env, parts.b, b.Data, forB)
		g.b = &parts.convertB
	}
	g.setConvertingEpilogue(env, c, forC)
	if g.runFewRows(env) {
		return nil
	}
	return g.run(env)
}

// setConvertingEpilogue makes c, with converted elements, the result.
func (g *product[T]) setConvertingEpilogue(env *rt.Env, c Matrix[byte], by Conversion) {
	if by.Convert == nil {
		g.setEpilogue(typedMatrix[T](c, by))
		return
	}
	if cols, ok := c.Cols.affine(); ok && cols == 1 && by.ToBF16 && env != nil && env.Gemm.RoundBF16 != nil {
		g.parts.bf16C = bf16Epilogue{c, env.Gemm.RoundBF16}
		g.epilogue = any(&g.parts.bf16C).(epilogue[T])
		return
	}
	g.parts.convertC = convertingEpilogue[T]{c, by}
	g.epilogue = &g.parts.convertC
}

// typedMatrix returns the matrix in its type; with a conversion it has no elements.
func typedMatrix[T any](m Matrix[byte], by Conversion) Matrix[T] {
	out := Matrix[T]{Offset: m.Offset, Batch: m.Batch, Rows: m.Rows, Cols: m.Cols}
	if by.Convert == nil {
		out.Data = rt.View[T](m.Data)
	}
	return out
}

// convertingSource is a pack source with elements of another type in memory.
type convertingSource[T Accumulator] struct {
	Strided[T] // without elements
	bytes      []byte
	Conversion
	widen widenFunc // nil without tier code
}

// widenFunc is [rt.GemmSteps.Widen].
type widenFunc func(of rt.Narrow, dst []float32, ldd int, src []byte, lds, lines, n int)

// newConvertingSource returns a pack source of converted elements.
//
//go:noinline
func newConvertingSource[T Accumulator](
	env *rt.Env, s Strided[T], bytes []byte, by Conversion,
) convertingSource[T] {
	out := convertingSource[T]{Strided: s, bytes: bytes, Conversion: by}
	if env != nil && by.Widens != 0 {
		out.widen = env.Gemm.Widen
	}
	return out
}

// convertLines converts n elements of each of several lines to contiguous elements of size bytes: from element first of
// src on, with line stride step.
func (c *Conversion) convertLines(widen widenFunc, dst []byte, size int, src []byte, first, step, lines, n int) {
	if widen != nil {
		widen(c.Widens, rt.View[float32](dst), n, src[first*c.Size:], step, lines, n)
		return
	}
	for i := range lines {
		c.Convert(dst[i*n*size:][:n*size], src[(first+i*step)*c.Size:][:n*c.Size])
	}
}

func (s *convertingSource[T]) Copies() bool { return true }

func (s *convertingSource[T]) Block(tmp []T, batch, line, n, k, depth int) ([]T, int, int) {
	base := s.Offset + s.batch.At(batch)
	from := func(elem int) []byte { return s.bytes[elem*s.Size:] }
	dst, size := rt.Bytes(tmp), int(unsafe.Sizeof(*new(T)))
	switch {
	case s.affine && s.ks == 1:
		s.convertLines(s.widen, dst, size, s.bytes, base+line*s.ls+k, s.ls, n, depth)
	case s.affine && s.ls == 1:
		s.convertLines(s.widen, dst, size, s.bytes, base+line+k*s.ks, s.ks, depth, n)
		return tmp, 1, n
	default:
		var store offsetTable
		depths := store.depth(s.depths, k, depth)
		for i, l := range store.lines(s.lines, line, n) {
			// Elements wait at the end of their converted row, which never overtakes them.
			row := rt.Bytes(tmp[i*depth:][:depth])
			narrow := row[len(row)-depth*s.Size:]
			for j, d := range depths {
				copy(narrow[j*s.Size:], from(base + l + d)[:s.Size])
			}
			s.Convert(row, narrow)
		}
	}
	return tmp, depth, 1
}

// convertingEpilogue writes to a C with elements of another type in memory.
type convertingEpilogue[T Accumulator] struct {
	c Matrix[byte]
	Conversion
}

func (s *convertingEpilogue[T]) block(tmp []T, _, _, _ int) ([]T, int) { return tmp, 0 }

func (s *convertingEpilogue[T]) store(line []T, batch, row, col int) {
	base := s.c.Offset + s.c.Batch.At(batch) + s.c.Rows.At(row)
	if stride, ok := s.c.Cols.affine(); ok && stride == 1 {
		s.Convert(s.c.Data[(base+col)*s.Size:][:len(line)*s.Size], rt.Bytes(line))
		return
	}
	all := rt.Bytes(line)
	narrow := all[:len(line)*s.Size] // overwrites elements that have been read
	s.Convert(narrow, all)
	var table [BlockN]int
	offsets := table[:len(line)]
	s.c.Cols.Offsets(offsets, col)
	for j, off := range offsets {
		copy(s.c.Data[(base+off)*s.Size:][:s.Size], narrow[j*s.Size:])
	}
}

// bf16Epilogue writes to a C of bf16 with contiguous columns.
type bf16Epilogue struct {
	c     Matrix[byte]
	round func(dst []uint16, ldd int, src []float32, lds, lines, n int) // see [rt.GemmSteps]
}

func (s *bf16Epilogue) block(tmp []float32, _, _, _ int) ([]float32, int) { return tmp, 0 }

func (s *bf16Epilogue) store(line []float32, batch, row, col int) {
	s.storeBlock(line, len(line), batch, row, col, 1, len(line))
}

// storeBlock writes rows with a common stride in one call.
func (s *bf16Epilogue) storeBlock(c []float32, ldc, batch, row, col, rows, cols int) {
	dst, base := rt.View[uint16](s.c.Data), s.c.Offset+s.c.Batch.At(batch)+col
	if stride, ok := s.c.Rows.affine(); ok && stride >= 0 {
		s.round(dst[base+row*stride:], stride, c, ldc, rows, cols)
		return
	}
	for i := range rows {
		s.round(dst[base+s.c.Rows.At(row+i):], 0, c[i*ldc:], 0, 1, cols)
	}
}
