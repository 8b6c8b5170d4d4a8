package rt

import "unsafe"

// FourierSteps are the steps of discrete Fourier transforms that a tier has. They have the bits of those of
// package kernels in plain Go, and are safe for concurrent use.
type FourierSteps interface {
	// Pass is one pass of Stockham's algorithm by a radix r of 2, 3, 4 or 5: with stride = step·lines,
	//
	//	y[(r·p+k)·stride+q] = roots[p·k·step] Σ_j x[(p+j·m)·stride+q] exp(−2πi·j·k/r)
	//
	// for p < m, k < r and q < stride.
	Pass(r int, y, x, roots []complex128, m, step, lines int)
	// Turn multiplies x[k·count+j] by by[k]·near[k·nearCount+j], for j < count and all k of by.
	ApplyTwiddles(x, by, near []complex128, count, nearCount int)
	// Move moves complex numbers of 8 or 16 bytes, sizes which say what dst and src point to.
	Move(dst unsafe.Pointer, dstSize int, src unsafe.Pointer, srcSize int, m StridedCopy)
}

// StridedCopy are complex numbers to be moved: a nest of three loops over counts, each at least 1, the innermost
// last. Steps are numbers, none negative.
type StridedCopy struct {
	Counts, From, To [3]int
	// Exchange says that real and imaginary parts are exchanged, and multiplied by Scale.
	SwapParts bool
	Scale     float64
}

// Extents returns how many numbers the moves reach over, from the first on.
func (m *StridedCopy) Extents() (to, from int) {
	to, from = 1, 1
	for i, n := range m.Counts {
		to += (n - 1) * m.To[i]
		from += (n - 1) * m.From[i]
	}
	return to, from
}
