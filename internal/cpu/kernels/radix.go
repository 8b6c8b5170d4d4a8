package kernels

import "github.com/go-nx/nx/internal/cpu/rt"

const (
	radixBits   = 11
	radixChunk  = 1 << 16 // elements
	radixChunks = 16      // at most, of one line
	insertion   = 40      // elements up to which insertion sort is faster
)

// radix sorts unsigned integers by some of their bits, stably, from the lowest digit
// to the highest. Each digit takes a pass that counts and one that moves. Both work
// on fixed chunks, which a pool may share; the result is the same anyway.
type radix[T uint32 | uint64] struct {
	a, tmp   []T
	counts   []uint32 // of each chunk, for each digit
	shift    uint
	mask     T
	chunk    int // elements
	chunks   int
	counting bool
}

// radixCounts returns how many counters sorting n elements takes.
func radixCounts(n int) int { return min(radixChunks, blocks(n, radixChunk)) << radixBits }

// sort sorts a by the bits from low on, using tmp of the same length; the result is in
// a. With env nil it works alone.
func (r *radix[T]) sort(env *rt.Env, a, tmp []T, low, bits uint) {
	n := len(a)
	if n <= insertion {
		insertionSort(a, low)
		return
	}
	digit := uint(radixBits)
	if n < 1500 { // the counters would be most of the work
		digit = 8
	}
	r.a, r.tmp = a, tmp[:n]
	r.chunk = max(radixChunk, blocks(n, radixChunks))
	r.chunks = blocks(n, r.chunk)
	for end := low + bits; low < end; low += digit {
		r.shift, r.mask = low, 1<<min(digit, end-low)-1
		r.counting = true
		env.Run(r.chunks, r)
		if r.positions() {
			continue
		}
		r.counting = false
		env.Run(r.chunks, r)
		r.a, r.tmp = r.tmp, r.a
	}
	if &r.a[0] != &a[0] {
		copy(a, r.a)
	}
}

func (r *radix[T]) Do(_, chunk int) {
	digits := int(r.mask) + 1
	counts := r.counts[chunk*digits:][:digits]
	first := chunk * r.chunk
	src := r.a[first:min(first+r.chunk, len(r.a))]
	shift, mask := r.shift&63, r.mask
	if r.counting {
		clear(counts)
		for _, v := range src {
			counts[v>>shift&mask]++
		}
		return
	}
	dst := r.tmp
	for _, v := range src {
		c := &counts[v>>shift&mask]
		dst[*c] = v
		*c++
	}
}

// positions turns counts to the places where the elements go, chunk by chunk within a
// digit. It reports whether all elements have the same digit.
func (r *radix[T]) positions() (same bool) {
	digits := int(r.mask) + 1
	at := uint32(0)
	for d := range digits {
		before := at
		for c := range r.chunks {
			i := c*digits + d
			at, r.counts[i] = at+r.counts[i], at
		}
		if at-before == uint32(len(r.a)) {
			return true
		}
	}
	return false
}

// insertionSort is a stable sort by the bits from low on.
func insertionSort[T uint32 | uint64](a []T, low uint) {
	for i := 1; i < len(a); i++ {
		v, j := a[i], i
		for ; j > 0 && a[j-1]>>low > v>>low; j-- {
			a[j] = a[j-1]
		}
		a[j] = v
	}
}

// mergeSort is a stable sort by a function, using tmp of the same length.
func mergeSort[T any](a, tmp []T, less func(x, y T) bool) {
	const run = 12
	for lo := 0; lo < len(a); lo += run {
		for i := lo + 1; i < min(lo+run, len(a)); i++ {
			v, j := a[i], i
			for ; j > lo && less(v, a[j-1]); j-- {
				a[j] = a[j-1]
			}
			a[j] = v
		}
	}
	for width := run; width < len(a); width *= 2 {
		for lo := 0; lo+width < len(a); lo += 2 * width {
			merge(a[lo:min(lo+2*width, len(a))], width, tmp, less)
		}
	}
}

// merge merges the sorted a[:mid] and a[mid:].
func merge[T any](a []T, mid int, tmp []T, less func(x, y T) bool) {
	if !less(a[mid], a[mid-1]) {
		return
	}
	left := tmp[:copy(tmp, a[:mid])]
	i, j, k := 0, mid, 0
	for i < len(left) && j < len(a) {
		if less(a[j], left[i]) {
			a[k] = a[j]
			j++
		} else {
			a[k] = left[i]
			i++
		}
		k++
	}
	copy(a[k:], left[i:])
}
