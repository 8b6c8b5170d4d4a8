package rt

import "unsafe"

// Blocks are copied through registers: the compiler lets the runtime copy arrays, which may overlap.
type (
	//lint:ignore U1000 the fields are copied
	Block16 struct{ a, b uint64 }
	//lint:ignore U1000 the fields are copied
	Block32 struct{ a, b, c, d uint64 }
)

// CopyElems copies n elements, which are so many bytes apart: elements of types whose length the compiler knows, as a
// call to copy one would take longer than that does.
func CopyElems[T any](to, from unsafe.Pointer, toStride, fromStride, n int64) {
	i, j := int64(0), int64(0) // no pointer is ever made that points outside
	for ; n >= 2; n -= 2 {
		*(*T)(unsafe.Add(to, i)) = *(*T)(unsafe.Add(from, j))
		*(*T)(unsafe.Add(to, i+toStride)) = *(*T)(unsafe.Add(from, j+fromStride))
		i, j = i+2*toStride, j+2*fromStride
	}
	if n > 0 {
		*(*T)(unsafe.Add(to, i)) = *(*T)(unsafe.Add(from, j))
	}
}
