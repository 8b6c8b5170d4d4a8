package rt

import "unsafe"

// CeilDiv returns n/size, rounded up: the number of blocks of size elements that n elements take.
func CeilDiv(n, size int) int { return (n + size - 1) / size }

// RoundUp returns the smallest multiple of unit that is not smaller than n.
func RoundUp(n, unit int) int { return CeilDiv(n, unit) * unit }

// SizeOf returns the size of a T in bytes.
func SizeOf[T any]() int {
	var zero T
	return int(unsafe.Sizeof(zero))
}
