package gemm

import (
	"math"
	"slices"

	"github.com/go-nx/nx/internal/cpu/rt"
)

// A Source is an operand of a GEMM for packing: a matrix, or a computed one (a prologue). Block returns the
// elements of lines [line, line+n) at the contracted positions [k, k+depth): element (i, j) is v[i*ls+j*ks], with ls
// and ks not negative. Elements that it cannot return in place it copies to tmp, which has n*depth elements.
//
// Lines are the rows of the left operand and the columns of the right one.
type Source[T Accumulator] interface {
	Block(tmp []T, batch, line, n, k, depth int) (v []T, ls, ks int)
	Copies() bool // whether Block ever uses tmp
}

// MatMulSources computes c = a·b for operands that are packed from sources, with k contracted positions.
func MatMulSources[T Accumulator](env *rt.Env, c Matrix[T], a, b Source[T], k int) error {
	g := newProduct[T]()
	defer g.release()
	g.setSize(c, k)
	g.setEpilogue(c)
	g.a, g.b = a, b
	return g.run(env)
}

// Strided is a pack source with its elements in memory.
type Strided[T any] struct {
	Data                 []T
	Offset               int
	batch, lines, depths Dims
	ls, ks               int  // strides, if affine
	affine               bool // both groups of dimensions have one stride
	alongLines           bool // lines are closer in memory than contracted positions
}

// NewStrided returns a source of elements whose lines and contracted positions have these dimensions.
func NewStrided[T any](data []T, offset int, batch, lines, depths Dims) Strided[T] {
	s := Strided[T]{Data: data, Offset: offset, batch: batch, lines: lines, depths: depths}
	var okLines, okDeep bool
	s.ls, okLines = lines.affine()
	s.ks, okDeep = depths.affine()
	s.affine = okLines && okDeep && s.ls >= 0 && s.ks >= 0
	s.alongLines = !s.affine && spacing(lines) < spacing(depths)
	return s
}

func (s *Strided[T]) Block(tmp []T, batch, line, n, k, depth int) ([]T, int, int) {
	base := s.Offset + s.batch.At(batch)
	if s.affine {
		return s.Data[base+line*s.ls+k*s.ks:], s.ls, s.ks
	}
	var store offsetTable
	if s.alongLines {
		gather(tmp, s.Data, base, store.depth(s.depths, k, depth), store.lines(s.lines, line, n))
		return tmp, 1, n
	}
	gather(tmp, s.Data, base, store.lines(s.lines, line, n), store.depth(s.depths, k, depth))
	return tmp, depth, 1
}

func (s *Strided[T]) Copies() bool { return !s.affine }

// offsetTable has the offsets of one block, on the stack.
type offsetTable struct {
	line [BlockN]int
	deep [BlockK]int
}

func (o *offsetTable) lines(d Dims, first, n int) []int {
	d.Offsets(o.line[:n], first)
	return o.line[:n]
}

func (o *offsetTable) depth(d Dims, first, n int) []int {
	d.Offsets(o.deep[:n], first)
	return o.deep[:n]
}

// spacing returns the elements between neighbours of the innermost dimension.
func spacing(d Dims) int {
	for _, x := range slices.Backward(d) {
		if x.Size > 1 {
			return max(x.Stride, -x.Stride)
		}
	}
	return math.MaxInt // there are no neighbours
}

// gather copies the elements at base+rows[i]+cols[j], row by row.
func gather[T any](dst, src []T, base int, rows, cols []int) {
	n := len(cols)
	contiguous := isRange(cols)
	for i, r := range rows {
		row := dst[i*n:][:n]
		if contiguous {
			copy(row, src[base+r+cols[0]:][:n])
			continue
		}
		for j, c := range cols {
			row[j] = src[base+r+c]
		}
	}
}

// isRange reports whether each offset is 1 more than the one before it.
func isRange(offsets []int) bool {
	for i, o := range offsets {
		if o != offsets[0]+i {
			return false
		}
	}
	return len(offsets) > 0
}
