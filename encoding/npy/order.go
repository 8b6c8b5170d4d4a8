package npy

import "slices"

// swapBytes reverses the bytes of each part of size bytes. A part is a number:
// an item, or one half of a complex item.
func swapBytes(data []byte, size int) {
	for i := 0; i+size <= len(data); i += size {
		slices.Reverse(data[i : i+size])
	}
}

// fromFortran returns the items in C order, given them with the first index
// varying fastest.
func fromFortran(data []byte, shape []int, itemSize int) []byte {
	if len(shape) < 2 || len(data) == 0 {
		return data
	}
	strides := make([]int, len(shape)) // of the source, in bytes
	stride := itemSize
	for i, d := range shape {
		strides[i] = stride
		stride *= d
	}
	out := make([]byte, 0, len(data))
	index := make([]int, len(shape))
	at := 0 // the source offset of index
	for {
		out = append(out, data[at:at+itemSize]...)
		axis := len(shape) - 1
		for ; axis >= 0; axis-- {
			index[axis]++
			at += strides[axis]
			if index[axis] < shape[axis] {
				break
			}
			index[axis] = 0
			at -= strides[axis] * shape[axis]
		}
		if axis < 0 {
			return out
		}
	}
}
