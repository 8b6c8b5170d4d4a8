package kernels

// A packSource is an operand of a GEMM for packing: a matrix, or a computed one (a prologue). block returns the
// elements of lines [line, line+n) at the contracted positions [k, k+depth): element (i, j) is v[i*ls+j*ks], with ls
// and ks not negative. Elements that it cannot return in place it copies to tmp, which has n*depth elements.
//
// Lines are the rows of the left operand and the columns of the right one.
type packSource[T accumulator] interface {
	block(tmp []T, batch, line, n, k, depth int) (v []T, ls, ks int)
	copies() bool // whether block ever uses tmp
}

// stridedSource is a pack source with its elements in memory.
type stridedSource[T any] struct {
	data                 []T
	offset               int
	batch, lines, depths Dims
	ls, ks               int  // strides, if affine
	affine               bool // both groups of dimensions have one stride
}

func newStrided[T any](data []T, offset int, batch, lines, depths Dims) stridedSource[T] {
	s := stridedSource[T]{data: data, offset: offset, batch: batch, lines: lines, depths: depths}
	var okLines, okDeep bool
	s.ls, okLines = lines.affine()
	s.ks, okDeep = depths.affine()
	s.affine = okLines && okDeep && s.ls >= 0 && s.ks >= 0
	return s
}

func (s *stridedSource[T]) block(tmp []T, batch, line, n, k, depth int) ([]T, int, int) {
	base := s.offset + s.batch.at(batch)
	if s.affine {
		return s.data[base+line*s.ls+k*s.ks:], s.ls, s.ks
	}
	var store offsetTable
	gather(tmp, s.data, base, store.lines(s.lines, line, n), store.depth(s.depths, k, depth))
	return tmp, depth, 1
}

func (s *stridedSource[T]) copies() bool { return !s.affine }

// offsetTable has the offsets of one block, on the stack.
type offsetTable struct {
	line [blockN]int
	deep [blockK]int
}

func (o *offsetTable) lines(d Dims, first, n int) []int {
	d.offsets(o.line[:n], first)
	return o.line[:n]
}

func (o *offsetTable) depth(d Dims, first, n int) []int {
	d.offsets(o.deep[:n], first)
	return o.deep[:n]
}

// gather copies the elements at base+lines[i]+deep[j], line by line.
func gather[T any](dst, src []T, base int, lines, depths []int) {
	for i, l := range lines {
		row := dst[i*len(depths):][:len(depths)]
		for j, k := range depths {
			row[j] = src[base+l+k]
		}
	}
}
