package nxterm

import (
	"fmt"
	"math"
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/arrayfile"
)

// Tensor is a tensor of a file.
type Tensor struct {
	Name  string // its way in the container, "" for a lone one
	DType dtype.Type
	Shape []int
	Names []string // of the axes, "" for an unnamed one; nil if all are unnamed
	// Vectors is the number of vectorised axes, which are the first ones; they have names.
	Vectors int
	// Data holds the elements, the last index varying fastest, little-endian, DType.Size()
	// bytes each.
	Data []byte
}

// elems returns the number of elements, after checking that they fit in memory.
func (t *Tensor) elems() (int, error) {
	if !t.DType.IsValid() {
		return 0, fmt.Errorf("it has no element type")
	}
	return arrayfile.NumElems(t.Shape, t.DType.Size())
}

// check rejects tensors that the format cannot represent.
func (t *Tensor) check() error {
	n, err := t.elems()
	switch {
	case err != nil:
		return err
	case len(t.Data) != n*t.DType.Size():
		return fmt.Errorf("it has %d bytes, %v of %s take %d", len(t.Data), t.Shape, t.DType, n*t.DType.Size())
	case t.Names != nil && len(t.Names) != len(t.Shape):
		return fmt.Errorf("there are %d names for %d axes", len(t.Names), len(t.Shape))
	case t.Vectors < 0 || t.Vectors > len(t.Shape):
		return fmt.Errorf("%d of %d axes are vectorised", t.Vectors, len(t.Shape))
	case len(t.Shape) > math.MaxUint16:
		return fmt.Errorf("it has %d axes", len(t.Shape))
	}
	for i, name := range t.Names {
		if name == "" && i < t.Vectors {
			return fmt.Errorf("the vectorised axis %d has no name", i)
		}
		if len(name) > 255 {
			return fmt.Errorf("the name of axis %d has %d bytes, atoms have up to 255", i, len(name))
		}
		if name != "" && slices.Contains(t.Names[:i], name) {
			return fmt.Errorf("two axes are named %q", name)
		}
	}
	if t.Names == nil && t.Vectors > 0 {
		return fmt.Errorf("vectorised axes have no names")
	}
	return nil
}

// packedBits returns how many bits an element takes in a file.
func packedBits(d dtype.Type) int {
	if d == dtype.Bool {
		return 8
	}
	return d.Bits()
}

// fileSize returns the bytes that n elements take in a file.
func fileSize(d dtype.Type, n int) int { return (n*packedBits(d) + 7) / 8 }

// unpack returns elements in their form in memory; without a copy if that is the form in the file.
func unpack(b []byte, d dtype.Type, n int, bigEndian bool) []byte {
	width := packedBits(d)
	if width < 8 {
		out := make([]byte, n)
		for i := range out {
			at := i * width
			w := uint16(b[at/8]) << 8
			if at/8+1 < len(b) {
				w |= uint16(b[at/8+1])
			}
			d.StoreBits(out, i, uint64(w>>(16-width-at%8)&(1<<width-1)))
		}
		return out
	}
	if d == dtype.Bool {
		for _, v := range b {
			if v > 1 {
				out := slices.Clone(b)
				for i := range out {
					out[i] = min(out[i], 1)
				}
				return out
			}
		}
		return b
	}
	if size := d.Real().Size(); bigEndian && size > 1 { // the parts of complex numbers one by one
		b = slices.Clone(b)
		for i := 0; i+size <= len(b); i += size {
			slices.Reverse(b[i : i+size])
		}
	}
	return b
}

// pack is the inverse of unpack, little-endian.
func pack(data []byte, d dtype.Type) []byte {
	width := packedBits(d)
	if width >= 8 {
		return data
	}
	out := make([]byte, fileSize(d, len(data)))
	for i, v := range data {
		at := i * width
		w := uint16(v&(1<<width-1)) << (16 - width - at%8)
		out[at/8] |= byte(w >> 8)
		if byte(w) != 0 {
			out[at/8+1] |= byte(w)
		}
	}
	return out
}
