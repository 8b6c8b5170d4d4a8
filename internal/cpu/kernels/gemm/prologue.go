package gemm

import (
	"sync"
	"unsafe"

	"github.com/go-nx/nx/internal/cpu/rt"
)

// ComputedOperand is a matrix whose elements are computed from those of other matrices at the same indices, during
// packing (a prologue). The others have bytes as Data, and Sizes[i] is the element size.
type ComputedOperand struct {
	From  []Matrix[byte]
	Sizes []int
	// Apply computes n elements from n of each of the others, all contiguous.
	Apply func(n int, to unsafe.Pointer, from []unsafe.Pointer)
}

// MatMulPrologue is [MatMul] with a right operand that is computed, a block at a time.
func MatMulPrologue[T Accumulator](env *rt.Env, c, a Matrix[T], b *ComputedOperand) error {
	g := newProduct[T]()
	defer g.release()
	g.setSize(c, a.Cols.Size())
	g.setEpilogue(c)
	g.parts.a = NewStrided(a.Data, a.Offset, a.Batch, a.Rows, a.Cols)
	g.a = &g.parts.a
	s := &g.parts.prologue
	s.ComputedOperand, s.from = b, s.from[:0]
	for _, m := range b.From {
		s.from = append(s.from, NewStrided(m.Data, m.Offset, m.Batch, m.Cols, m.Rows))
	}
	g.b, g.costlyPack = s, true
	if g.runFewRows(env) {
		return nil
	}
	return g.run(env)
}

// computedSource is the pack source of a [ComputedOperand].
type computedSource[T Accumulator] struct {
	*ComputedOperand
	from []Strided[byte]
}

func (s *computedSource[T]) Copies() bool { return true }

// computedScratch is a worker's memory for the elements of each operand, with pointers to them.
type computedScratch struct {
	from     []unsafe.Pointer
	elements []byte
	offsets  offsetTable
}

var computedScratchPool sync.Pool

const (
	// computedStrip is the maximal number of elements computed at a time.
	computedStrip = 4096

	// maxElementBytes is the size of the largest elements.
	maxElementBytes = 16
)

// Block computes along or across the lines of the block, whichever is contiguous in the first operand.
func (s *computedSource[T]) Block(tmp []T, batch, line, n, k, depth int) ([]T, int, int) {
	scratch, ok := computedScratchPool.Get().(*computedScratch)
	if !ok {
		scratch = &computedScratch{}
	}
	defer computedScratchPool.Put(scratch)
	if len(scratch.from) < len(s.from) {
		scratch.from = make([]unsafe.Pointer, len(s.from))
		scratch.elements = make([]byte, maxElementBytes*computedStrip*len(s.from))
	}
	if first := &s.from[0]; first.affine && first.ls == 1 && first.ks != 1 {
		s.rows(scratch, tmp, batch, k, depth, line, n, func(m *Strided[byte]) (Dims, Dims) {
			return m.depths, m.lines
		})
		return tmp, 1, n
	}
	s.rows(scratch, tmp, batch, line, n, k, depth, func(m *Strided[byte]) (Dims, Dims) {
		return m.lines, m.depths
	})
	return tmp, depth, 1
}

// rows computes rows of contiguous elements; along returns for each operand the dimensions of the rows and those along
// a row.
func (s *computedSource[T]) rows(scratch *computedScratch, dst []T, batch, row, rows, col, cols int,
	along func(*Strided[byte]) (rows, cols Dims)) {
	strip := max(1, min(rows, computedStrip/cols))
	for i := range s.from {
		scratch.from[i] = unsafe.Pointer(&scratch.elements[maxElementBytes*computedStrip*i])
	}
	for done := 0; done < rows; done += strip {
		n := min(strip, rows-done)
		for i := range s.from {
			m := &s.from[i]
			outer, inner := along(m)
			if stride, ok := outer.affine(); done > 0 && ok && stride == 0 {
				continue // unchanged
			}
			offsets := scratch.offsets.line[:cols]
			inner.Offsets(offsets, col)
			run := isContiguous(offsets)
			to, base := scratch.elements[maxElementBytes*computedStrip*i:], m.Offset+m.batch.At(batch)
			for j := range n {
				gatherElements(to[j*cols*s.Sizes[i]:], m.Data, s.Sizes[i], base+outer.At(row+done+j), offsets, run)
			}
		}
		s.Apply(n*cols, unsafe.Pointer(&dst[done*cols]), scratch.from[:len(s.from)])
	}
}

// gatherElements copies elements of size bytes to contiguous memory; run says that they are contiguous already.
func gatherElements(to, from []byte, size, base int, offsets []int, run bool) {
	if run {
		copy(to[:len(offsets)*size], from[(base+offsets[0])*size:])
		return
	}
	rt.BySize(size, gatherElementsAs[uint8], gatherElementsAs[uint16], gatherElementsAs[uint32],
		gatherElementsAs[uint64], gatherElementsAs[complex128])(to, from, base, offsets)
}

func gatherElementsAs[T any](to, from []byte, base int, offsets []int) {
	dst, src := rt.View[T](to)[:len(offsets)], rt.View[T](from)
	for j, off := range offsets {
		dst[j] = src[base+off]
	}
}

// isContiguous reports whether offsets are consecutive.
func isContiguous(offsets []int) bool {
	for i, off := range offsets {
		if off != offsets[0]+i {
			return false
		}
	}
	return true
}
