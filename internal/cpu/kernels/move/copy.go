package move

import (
	"slices"

	"github.com/go-nx/nx/internal/cpu/rt"
)

// Row copies n elements.
func Row[T any](dst, src []T, d, s, dstStride, srcStride, n int) {
	switch {
	case n == 0:
	case dstStride == 1 && srcStride == 1:
		copy(dst[d:d+n], src[s:s+n])
	case dstStride == 1 && srcStride == 0:
		out, x := dst[d:d+n], src[s]
		for i := range out {
			out[i] = x
		}
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

// Reverse reverses the order of elements of size bytes.
func Reverse(x []byte, size int) {
	rt.BySize(size, reverseElems[uint8], reverseElems[uint16], reverseElems[uint32], reverseElems[uint64],
		reverseElems[rt.Block16])(x)
}

func reverseElems[T any](x []byte) { slices.Reverse(rt.View[T](x)) }

// Strided fills dst with every step-th element of src.
func Strided(dst, src []byte, step, size int) {
	if step == 1 {
		copy(dst, src)
		return
	}
	rt.BySize(size, copyStrided[uint8], copyStrided[uint16], copyStrided[uint32], copyStrided[uint64],
		copyStrided[rt.Block16])(dst, src, step)
}

func copyStrided[T any](dst, src []byte, step int) {
	d, s := rt.View[T](dst), rt.View[T](src)
	for i := range d {
		d[i] = s[i*step]
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
