package gemm

// An epilogue takes the finished blocks of a product. block returns where the block at (row, col) is computed and its
// row stride: in place, or in tmp, without gaps, for ld 0. store takes a finished row of the block.
type epilogue[T Accumulator] interface {
	block(tmp []T, batch, row, col int) (c []T, ld int)
	store(line []T, batch, row, col int)
}

// A blockEpilogue takes all rows of a finished block at once, with row stride ldc.
type blockEpilogue[T Accumulator] interface {
	epilogue[T]
	storeBlock(c []T, ldc, batch, row, col, rows, cols int)
}

// denseEpilogue computes C in place: its columns are contiguous and its rows have one stride.
type denseEpilogue[T Accumulator] struct {
	c  Matrix[T]
	rs int
}

func (s *denseEpilogue[T]) block(_ []T, batch, row, col int) ([]T, int) {
	return s.c.Data[s.c.Offset+s.c.Batch.At(batch)+row*s.rs+col:], s.rs
}

func (s *denseEpilogue[T]) store([]T, int, int, int) {}

// stridedEpilogue writes to a C of any strides.
type stridedEpilogue[T Accumulator] struct{ c Matrix[T] }

func (s *stridedEpilogue[T]) block(tmp []T, _, _, _ int) ([]T, int) { return tmp, 0 }

func (s *stridedEpilogue[T]) store(line []T, batch, row, col int) {
	scatterLine(s.c, line, batch, row, col)
}

// subtractEpilogue subtracts the product from C.
type subtractEpilogue[T Accumulator] struct{ c Matrix[T] }

func (s *subtractEpilogue[T]) block(tmp []T, _, _, _ int) ([]T, int) { return tmp, 0 }

func (s *subtractEpilogue[T]) store(line []T, batch, row, col int) {
	base := s.c.Offset + s.c.Batch.At(batch) + s.c.Rows.At(row)
	if stride, ok := s.c.Cols.affine(); ok && stride == 1 {
		c := s.c.Data[base+col:][:len(line)]
		for j, v := range line {
			c[j] -= v
		}
		return
	}
	var table [BlockN]int
	offsets := table[:len(line)]
	s.c.Cols.Offsets(offsets, col)
	for j, v := range line {
		s.c.Data[base+offsets[j]] -= v
	}
}

// scatterLine writes elements of one row of c, from a column on.
func scatterLine[T any](c Matrix[T], line []T, batch, row, col int) {
	base := c.Offset + c.Batch.At(batch) + c.Rows.At(row)
	if stride, ok := c.Cols.affine(); ok {
		base += col * stride
		if stride == 1 {
			copy(c.Data[base:], line)
			return
		}
		for j, v := range line {
			c.Data[base+j*stride] = v
		}
		return
	}
	var table [BlockN]int
	offsets := table[:len(line)]
	c.Cols.Offsets(offsets, col)
	for j, v := range line {
		c.Data[base+offsets[j]] = v
	}
}
