package kernels

import (
	"sync"
	"unsafe"

	"github.com/go-nx/nx/internal/cpu/rt"
)

// Computed is a matrix whose elements are computed from those of others in the same places, while a
// product packs them. The others have a Data of bytes, Sizes[i] an element.
type Computed struct {
	From  []Matrix[byte]
	Sizes []int
	// Apply computes so many elements from as many of each of the others, all neighbours in memory.
	Apply func(n int, to unsafe.Pointer, from []unsafe.Pointer)
}

// MatMulComputed is [MatMul] with a right operand that is computed, a block at a time.
func MatMulComputed[T accumulator](env *rt.Env, c, a Matrix[T], b *Computed) error {
	g := takeProduct[T]()
	defer g.forget()
	g.setSize(c, a.Cols.Size())
	g.setSink(c)
	g.parts.a = newStrided(a.Data, a.Offset, a.Batch, a.Rows, a.Cols)
	g.a = &g.parts.a
	s := &g.parts.computed
	s.Computed, s.from = b, s.from[:0]
	for _, m := range b.From {
		s.from = append(s.from, newStrided(m.Data, m.Offset, m.Batch, m.Cols, m.Rows))
	}
	g.b, g.keeps = s, true
	return g.run(env)
}

// computed is the source that a [Computed] is.
type computed[T accumulator] struct {
	*Computed
	from []strided[byte]
}

func (s *computed[T]) copies() bool { return true }

// computedRoom is where a worker collects the elements of each operand, and where these begin.
type computedRoom struct {
	from     []unsafe.Pointer
	elements []byte
	offsets  offsetTable
}

var computedRooms sync.Pool

const (
	// computedStrip is how many elements are computed at a time, if there are as many.
	computedStrip = 4096

	// largestElement is the bytes of the largest elements.
	largestElement = 16
)

// block computes along the lines of the block or across them, as the first operand lies.
func (s *computed[T]) block(tmp []T, batch, line, n, k, depth int) ([]T, int, int) {
	room, ok := computedRooms.Get().(*computedRoom)
	if !ok {
		room = &computedRoom{}
	}
	defer computedRooms.Put(room)
	if len(room.from) < len(s.from) {
		room.from = make([]unsafe.Pointer, len(s.from))
		room.elements = make([]byte, largestElement*computedStrip*len(s.from))
	}
	if first := &s.from[0]; first.affine && first.ls == 1 && first.ks != 1 {
		s.rows(room, tmp, batch, k, depth, line, n, func(m *strided[byte]) (Dims, Dims) { return m.deep, m.lines })
		return tmp, 1, n
	}
	s.rows(room, tmp, batch, line, n, k, depth, func(m *strided[byte]) (Dims, Dims) { return m.lines, m.deep })
	return tmp, depth, 1
}

// rows computes some rows of some elements each, which are neighbours: for each operand, along says
// which of its dimensions the rows are and which go along them.
func (s *computed[T]) rows(room *computedRoom, dst []T, batch, row, rows, col, cols int,
	along func(*strided[byte]) (rows, cols Dims)) {
	strip := max(1, min(rows, computedStrip/cols))
	for i := range s.from {
		room.from[i] = unsafe.Pointer(&room.elements[largestElement*computedStrip*i])
	}
	for done := 0; done < rows; done += strip {
		n := min(strip, rows-done)
		for i := range s.from {
			m := &s.from[i]
			outer, inner := along(m)
			if stride, ok := outer.affine(); done > 0 && ok && stride == 0 {
				continue // as before
			}
			offsets := room.offsets.line[:cols]
			inner.offsets(offsets, col)
			run := isRun(offsets)
			to, base := room.elements[largestElement*computedStrip*i:], m.offset+m.batch.at(batch)
			for j := range n {
				collect(to[j*cols*s.Sizes[i]:], m.data, s.Sizes[i], base+outer.at(row+done+j), offsets, run)
			}
		}
		s.Apply(n*cols, unsafe.Pointer(&dst[done*cols]), room.from[:len(s.from)])
	}
}

// collect makes elements neighbours, so many bytes each; in a run they are.
func collect(to, from []byte, size, base int, offsets []int, run bool) {
	switch {
	case run:
		copy(to[:len(offsets)*size], from[(base+offsets[0])*size:])
		return
	case size == 1:
		collectAs[uint8](to, from, base, offsets)
	case size == 2:
		collectAs[uint16](to, from, base, offsets)
	case size == 4:
		collectAs[uint32](to, from, base, offsets)
	case size == 8:
		collectAs[uint64](to, from, base, offsets)
	default:
		collectAs[complex128](to, from, base, offsets)
	}
}

func collectAs[T any](to, from []byte, base int, offsets []int) {
	dst, src := rt.View[T](to)[:len(offsets)], rt.View[T](from)
	for j, off := range offsets {
		dst[j] = src[base+off]
	}
}

// isRun reports whether offsets follow each other.
func isRun(offsets []int) bool {
	for i, off := range offsets {
		if off != offsets[0]+i {
			return false
		}
	}
	return true
}
