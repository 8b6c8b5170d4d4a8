package rt

import "unsafe"

// FourierSteps are the steps of discrete Fourier transforms of a tier. They have the bits of package fft in plain
// Go, and are safe for concurrent use.
type FourierSteps interface {
	// Pass is one pass of Stockham's algorithm by a radix r of 2, 3, 4 or 5: with stride = step·lines,
	//
	//	y[(r·p+k)·stride+q] = roots[p·k·step] Σ_j x[(p+j·m)·stride+q] exp(−2πi·j·k/r)
	//
	// for p < m, k < r and q < stride.
	Pass(r int, y, x, roots []complex128, m, step, lines int)
	// ApplyTwiddles multiplies x[k·count+j] by by[k]·near[k·nearCount+j], for j < count and all k of by.
	ApplyTwiddles(x, by, near []complex128, count, nearCount int)
	// Move copies complex numbers of 8 or 16 bytes, as given by the sizes.
	Move(dst unsafe.Pointer, dstSize int, src unsafe.Pointer, srcSize int, m StridedCopy)
}

// StridedCopy is a copy of complex numbers in a loop nest of three loops over Counts, each at least 1, innermost last.
// Strides count numbers, and must not be negative.
type StridedCopy struct {
	Counts, From, To [3]int
	// SwapParts swaps real and imaginary parts, and multiplies them by Scale.
	SwapParts bool
	Scale     float64
}

// Extents returns the extents of both sides in numbers, from the first one on.
func (m *StridedCopy) Extents() (to, from int) {
	to, from = 1, 1
	for i, n := range m.Counts {
		to += (n - 1) * m.To[i]
		from += (n - 1) * m.From[i]
	}
	return to, from
}
