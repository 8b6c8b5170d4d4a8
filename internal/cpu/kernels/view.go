package kernels

import (
	"slices"

	"github.com/go-nx/nx/internal/cpu/rt"
)

// A View is elements in memory with the offset of the first one.
type View[T any] struct {
	Data   []T
	Offset int
}

// copyRow copies n elements.
func copyRow[T any](dst, src []T, d, s, dstStride, srcStride, n int) {
	switch {
	case n == 0:
	case dstStride == 1 && srcStride == 1:
		copy(dst[d:d+n], src[s:s+n])
	case dstStride == 1 && srcStride == 0:
		fill1(dst[d:d+n], src[s])
	case dstStride == 1:
		out := dst[d : d+n]
		for i := range out {
			out[i] = src[s]
			s += srcStride
		}
	default:
		for range n {
			dst[d] = src[s]
			d += dstStride
			s += srcStride
		}
	}
}

// reverse reverses the order of elements of size bytes.
func reverse(x []byte, size int) {
	switch size {
	case 1:
		slices.Reverse(x)
	case 2:
		slices.Reverse(rt.View[uint16](x))
	case 4:
		slices.Reverse(rt.View[uint32](x))
	case 8:
		slices.Reverse(rt.View[uint64](x))
	default:
		slices.Reverse(rt.View[[2]uint64](x))
	}
}

// CopyStrided fills dst with every step-th element of src.
func CopyStrided(dst, src []byte, step, size int) {
	if step == 1 {
		copy(dst, src)
		return
	}
	switch size {
	case 1:
		copyStrided(dst, src, step)
	case 2:
		copyStrided(rt.View[uint16](dst), rt.View[uint16](src), step)
	case 4:
		copyStrided(rt.View[uint32](dst), rt.View[uint32](src), step)
	case 8:
		copyStrided(rt.View[uint64](dst), rt.View[uint64](src), step)
	default:
		copyStrided(rt.View[[2]uint64](dst), rt.View[[2]uint64](src), step)
	}
}

func copyStrided[T any](dst, src []T, step int) {
	for i := range dst {
		dst[i] = src[i*step]
	}
}

// Repeat fills dst with copies of an element.
func Repeat(dst, element []byte) {
	if len(dst) == 0 {
		return
	}
	for n := copy(dst, element); n < len(dst); n *= 2 {
		copy(dst[n:], dst[:n])
	}
}
