package rt

import "unsafe"

// Blocks are copied through registers: for arrays, which may overlap, the compiler calls the runtime.
type (
	//lint:ignore U1000 the fields are copied
	Block16 struct{ a, b uint64 }
	//lint:ignore U1000 the fields are copied
	Block32 struct{ a, b, c, d uint64 }
)

// BySize returns the function for elements of size bytes; f16 is for 16 bytes. Loops over elements are functions of an
// element type: a call to copy each element would take longer than the copy.
func BySize[F any](size int, f1, f2, f4, f8, f16 F) F {
	switch size {
	case 1:
		return f1
	case 2:
		return f2
	case 4:
		return f4
	case 8:
		return f8
	}
	return f16
}

// Fill sets all elements of s to x.
func Fill[T any](s []T, x T) {
	const maxSingle = 16 // one by one: a copy takes longer
	for i := range s[:min(len(s), maxSingle)] {
		s[i] = x
	}
	for n := maxSingle; n < len(s); n *= 2 {
		copy(s[n:], s[:n])
	}
}

// CopyElems copies n elements with strides in bytes. Element types have constant sizes: a call to copy one would take
// longer than the copy.
func CopyElems[T any](to, from unsafe.Pointer, toStride, fromStride, n int64) {
	i, j := int64(0), int64(0) // never makes a pointer outside of the memory
	for ; n >= 2; n -= 2 {
		*(*T)(unsafe.Add(to, i)) = *(*T)(unsafe.Add(from, j))
		*(*T)(unsafe.Add(to, i+toStride)) = *(*T)(unsafe.Add(from, j+fromStride))
		i, j = i+2*toStride, j+2*fromStride
	}
	if n > 0 {
		*(*T)(unsafe.Add(to, i)) = *(*T)(unsafe.Add(from, j))
	}
}
