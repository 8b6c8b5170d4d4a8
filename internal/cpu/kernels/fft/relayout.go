package fft

import (
	"unsafe"

	"github.com/go-nx/nx/internal/cpu/rt"
)

// relayoutBlock is the number of neighbours of a line that are moved together when lines are interleaved: full cache
// lines of both.
const relayoutBlock = 8

// relayoutStep is the number of elements moved between two checks for cancellation.
const relayoutStep = 1 << 14

// relayoutLines copies lines of length n; m has the strides of elements and lines. It copies a block of elements of
// each line at a time.
func relayoutLines[A, B complexNumber](env *rt.Env, dst []B, src []A, lines, n int, m rt.StridedCopy) {
	from, to := m.From, m.To
	block := min(relayoutBlock, n)
	m.Counts = [3]int{n / block, lines, block}
	m.From, m.To = [3]int{block * from[0], from[1], from[0]}, [3]int{block * to[0], to[1], to[0]}
	relayout(env, dst, src, m)
	if rest := n % block; rest > 0 {
		m.Counts[0], m.Counts[2] = 1, rest
		relayout(env, dst[(n-rest)*to[0]:], src[(n-rest)*from[0]:], m)
	}
}

// relayout copies complex numbers between layouts, by the tier's code if available.
func relayout[A, B complexNumber](env *rt.Env, dst []B, src []A, m rt.StridedCopy) {
	part, maxCount := m, max(1, relayoutStep/(m.Counts[1]*m.Counts[2]))
	for i := 0; i < m.Counts[0]; i += maxCount {
		env.CheckCancel()
		part.Counts[0] = min(maxCount, m.Counts[0]-i)
		relayoutPart(env, dst[i*m.To[0]:], src[i*m.From[0]:], part)
	}
}

func relayoutPart[A, B complexNumber](env *rt.Env, dst []B, src []A, m rt.StridedCopy) {
	if env == nil || env.Fourier == nil {
		goRelayout(dst, src, &m)
		return
	}
	to, from := m.Extents()
	_, _ = dst[to-1], src[from-1]
	env.Fourier.Move(unsafe.Pointer(unsafe.SliceData(dst)), rt.SizeOf[B](), unsafe.Pointer(unsafe.SliceData(src)),
		rt.SizeOf[A](), m)
}

// goRelayout is relayout in plain Go.
func goRelayout[A, B complexNumber](dst []B, src []A, m *rt.StridedCopy) {
	for i := range m.Counts[0] {
		for j := range m.Counts[1] {
			at, to := i*m.From[0]+j*m.From[1], i*m.To[0]+j*m.To[1]
			if m.SwapParts {
				swapPartsLine(dst[to:], src[at:], m)
				continue
			}
			for range m.Counts[2] {
				dst[to] = B(src[at])
				at += m.From[2]
				to += m.To[2]
			}
		}
	}
}

// swapPartsLine copies the innermost numbers with their parts swapped, times the scale.
func swapPartsLine[A, B complexNumber](dst []B, src []A, m *rt.StridedCopy) {
	for k := range m.Counts[2] {
		z := complex128(src[k*m.From[2]])
		dst[k*m.To[2]] = B(complex(imag(z)*m.Scale, real(z)*m.Scale))
	}
}
