package kernels

// A View is elements in memory with the offset of the first.
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
