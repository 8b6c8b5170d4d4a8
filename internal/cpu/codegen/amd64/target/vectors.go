package target

import asm "github.com/go-nx/nx/internal/cpu/asm/amd64"

// Vectors are the vectors of elements of size bytes at one width.
type Vectors struct {
	Width Width
	Size  int // bytes of an element
}

// Lanes returns the elements of a vector.
func (s Vectors) Lanes() int { return s.Width.VectorBytes() / s.Size }

// Vector returns full-width vector register n.
func (s Vectors) Vector(n int) asm.Reg {
	if s.Width == V512 {
		return asm.Z(n)
	}
	return asm.Y(n)
}

// Of returns the instruction for the element size.
func (s Vectors) Of(single, double asm.Op) asm.Op { return ByElement(s.Size, single, double) }

// ByElement returns the instruction for elements of size bytes.
func ByElement(size int, single, double asm.Op) asm.Op {
	if size == 8 {
		return double
	}
	return single
}

// MaxRowVectors is the number of vectors of a row that are processed at a time: an entire tile of f32 columns.
const MaxRowVectors = 16

// RowVectors returns MaxRowVectors for the width: half of the registers.
func (s Vectors) RowVectors() int {
	if s.Width == V512 {
		return MaxRowVectors
	}
	return MaxRowVectors / 2
}
