package library

import "unsafe"

// addr returns the address of element i.
func addr(b []byte, i int64, size int) unsafe.Pointer {
	return unsafe.Add(unsafe.Pointer(unsafe.SliceData(b)), int(i)*size)
}
