package npy

import (
	"fmt"
	"strconv"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/arrayfile"
)

// Header is the description of an array in a file.
type Header struct {
	// DType is the element type, or dtype.Invalid where items are raw bytes.
	DType dtype.Type
	// Void is the size of a raw item in bytes, and 0 if DType is the type of the items.
	Void int
	// Shape holds the sizes of the dimensions; it is empty for a single item.
	Shape []int
}

// Array is an array in memory.
type Array struct {
	Header
	// Data holds the items in C order (the last index varies fastest),
	// little-endian, ItemSize bytes each.
	Data []byte
}

// New returns an array of elements of type t.
func New(t dtype.Type, shape []int, data []byte) Array {
	return Array{Header{DType: t, Shape: shape}, data}
}

// ItemSize returns the bytes that one item takes.
func (h Header) ItemSize() int {
	if h.Void != 0 {
		return h.Void
	}
	return h.DType.Size()
}

// ItemType names the type of an item: "f32", or "V2" for two raw bytes.
func (h Header) ItemType() string {
	if h.Void != 0 {
		return "V" + strconv.Itoa(h.Void)
	}
	return h.DType.String()
}

// NumItems returns the number of items.
func (h Header) NumItems() int {
	n := 1
	for _, d := range h.Shape {
		n *= d
	}
	return n
}

// maxRank is the most dimensions that NumPy allows.
const maxRank = 64

// sizeBytes returns the bytes of the items of a header, after checking that the header is valid and that no
// product of sizes overflows, even if another size is zero.
func (h Header) sizeBytes() (int, error) {
	if h.Void < 0 || h.Void != 0 && h.DType != dtype.Invalid || h.ItemSize() == 0 {
		return 0, fmt.Errorf("npy: an item must have either a type or a number of raw bytes, got %s and %d", h.DType, h.Void)
	}
	if len(h.Shape) > maxRank {
		return 0, fmt.Errorf("npy: the shape must have at most %[2]d dimensions, as in NumPy, got %[1]d", len(h.Shape), maxRank)
	}
	n, err := arrayfile.NumElems(h.Shape, h.ItemSize())
	if err != nil {
		return 0, fmt.Errorf("npy: %w", err)
	}
	return n * h.ItemSize(), nil
}

// As returns a with its bits read as elements of type t: bf16 from u16 or V2,
// an 8-bit float or a sub-byte type from u8 or V1. The item sizes must agree.
// The data is shared with a, except that bits which t does not have are removed
// from a copy.
func (a Array) As(t dtype.Type) (Array, error) {
	if !t.IsValid() || t.Size() != a.ItemSize() {
		return Array{}, fmt.Errorf("npy: items of %s have %d bytes and cannot be read as %s, which has %d", a.ItemType(),
			a.ItemSize(), t, t.Size())
	}
	a.DType, a.Void = t, 0
	if t.Bits() < 8 {
		clean := make([]byte, len(a.Data))
		for i := range clean {
			t.StoreBits(clean, i, uint64(a.Data[i]))
		}
		a.Data = clean
	}
	return a, nil
}
