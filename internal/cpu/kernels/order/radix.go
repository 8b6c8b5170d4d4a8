package order

import (
	mathbits "math/bits"
	"slices"
	"sort"
	"unsafe"

	"github.com/go-nx/nx/internal/cpu/rt"
)

// radix sorts unsigned integers by a range of their bits, stably. A long array is first distributed into buckets by the
// top bits (MSD); then workers sort the buckets in their caches by the other digits (LSD). The work does not depend on
// the number of workers.
type radix[T uint32 | uint64] struct {
	steps   rt.SortSteps     // of the tier; nil: plain Go
	counts  []uint32         // of each chunk, for each digit
	scratch rt.WorkerScratch // a worker's counters
	starts  []uint32         // of the buckets, and the end of the last one

	// The current work of the workers.
	phase    radixPhase
	from, to []T
	shift    uint // of the digit
	digits   int
	chunk    int // elements
	chunks   int
	low      uint // of the bits that sort a bucket
	bits     uint
	swapped  bool // buckets end in to
}

type radixPhase uint8

const (
	radixCount radixPhase = iota
	radixMove
	radixSort
)

const radixTableBytes = 4 << radixBits

// radixBytes returns the counter memory for n elements in an environment.
func radixBytes(env *rt.Env, n int) int {
	if n <= radixInCache {
		return radixTableBytes
	}
	return radixChunkBytes(n) + rt.WorkerScratchSize(env, radixTableBytes)
}

// radixChunkBytes returns the part of it for chunks and bucket starts.
func radixChunkBytes(n int) int {
	return rt.RoundUp((min(radixChunks, rt.CeilDiv(n, radixChunk))+1)*radixTableBytes+4, rt.Align)
}

// newRadix returns a radix sort of up to n elements in an environment, with radixBytes of memory.
func newRadix[T uint32 | uint64](env *rt.Env, n int, counts []byte) *radix[T] {
	r := &radix[T]{steps: sortStepsOf(env)}
	if n <= radixInCache {
		r.counts = rt.View[uint32](counts)
		return r
	}
	all := rt.View[uint32](counts[:radixChunkBytes(n)])
	starts := min(radixChunks, rt.CeilDiv(n, radixChunk)) << radixBits
	r.counts, r.starts = all[:starts], all[starts:]
	r.scratch = rt.WorkerScratchIn(env, counts[radixChunkBytes(n):], radixTableBytes)
	return r
}

// sort sorts a by the bits from low on, using tmp of the same length. With a nil env it uses one worker.
func (r *radix[T]) sort(env *rt.Env, a, tmp []T, low, bits uint) {
	r.sortInto(env, a, tmp[:len(a)], low, bits, false)
}

// sortInto is sort, with the result in tmp if swapped.
func (r *radix[T]) sortInto(env *rt.Env, a, tmp []T, low, bits uint, swapped bool) {
	n := len(a)
	if n <= radixInCache {
		sortInCache(r.steps, r.counts[:1<<radixBits], a, tmp, low, bits, swapped)
		return
	}
	for {
		digit := min(radixBits, bits)
		bits -= digit
		r.from, r.to, r.shift, r.digits = a, tmp, low+bits, 1<<digit
		r.chunk = max(radixChunk, rt.CeilDiv(n, radixChunks))
		r.chunks = rt.CeilDiv(n, r.chunk)
		r.phase = radixCount
		env.Run(r.chunks, r)
		env.CheckCancel() // all digits are counted after this
		if !r.digitOffsets() {
			break
		}
		if bits == 0 { // all are equal
			if swapped {
				copy(tmp, a)
			}
			return
		}
	}
	r.phase = radixMove
	env.Run(r.chunks, r)
	env.CheckCancel()
	if bits == 0 {
		if !swapped {
			copy(a, tmp)
		}
		return
	}
	var large [][2]uint32
	for d := range r.digits {
		if lo, hi := r.starts[d], r.starts[d+1]; hi-lo > radixInCache {
			large = append(large, [2]uint32{lo, hi})
		}
	}
	r.from, r.to, r.low, r.bits, r.swapped = tmp, a, low, bits, !swapped
	r.phase = radixSort
	env.Run(bucketTasks, r)
	for _, b := range large { // by all workers, one after another
		r.sortInto(env, tmp[b[0]:b[1]], a[b[0]:b[1]], low, bits, !swapped)
	}
}

func (r *radix[T]) Do(worker rt.Worker, chunk int) {
	if r.phase == radixSort {
		counts := rt.View[uint32](r.scratch.Of(worker))
		n := len(r.from)
		first, end := uint32(chunk*n/bucketTasks), uint32((chunk+1)*n/bucketTasks)
		d := sort.Search(r.digits, func(d int) bool { return r.starts[d] >= first })
		for ; d < r.digits && r.starts[d] < end; d++ {
			if lo, hi := r.starts[d], r.starts[d+1]; hi-lo <= radixInCache {
				sortBucket(r.steps, counts, r.from[lo:hi], r.to[lo:hi], r.low, r.bits, r.swapped)
			}
		}
		return
	}
	counts := r.counts[chunk*r.digits:][:r.digits]
	first := chunk * r.chunk
	src := r.from[first:min(first+r.chunk, len(r.from))]
	if r.phase == radixCount {
		countDigits(r.steps, counts, src, r.shift)
	} else {
		moveByDigits(r.steps, counts, r.to, src, r.shift)
	}
}

// sortStepsOf returns the steps of the tier.
func sortStepsOf(env *rt.Env) rt.SortSteps {
	if env == nil {
		return nil
	}
	return env.Sorts
}

// countDigits counts the digits of elements. The number of counters is a power of two.
func countDigits[T uint32 | uint64](by rt.SortSteps, counts []uint32, src []T, shift uint) {
	clear(counts)
	if by != nil && len(src) >= minStepElems {
		by.Count(counts, unsafe.Pointer(&src[0]), rt.SizeOf[T](), len(src), shift)
		return
	}
	mask, table := uint64(len(counts)-1), radixTable(counts)
	for _, v := range src {
		table[uint64(v)>>(shift&63)&mask&(1<<radixBits-1)]++
	}
}

// moveByDigits moves each element to the next position of its digit. It is a separate function since its loop needs all
// registers.
func moveByDigits[T uint32 | uint64](by rt.SortSteps, next []uint32, dst, src []T, shift uint) {
	if by != nil && len(src) >= minStepElems {
		by.Move(next, unsafe.Pointer(&dst[0]), unsafe.Pointer(&src[0]), rt.SizeOf[T](), len(src), shift)
		return
	}
	mask, table := uint64(len(next)-1), radixTable(next)
	for _, v := range src {
		digit := uint64(v) >> (shift & 63) & mask & (1<<radixBits - 1)
		at := table[digit]
		table[digit] = at + 1
		dst[at] = v
	}
}

// radixTable returns counters as an array, which needs no bounds checks. The caller must stay within the counters.
func radixTable(counts []uint32) *[1 << radixBits]uint32 {
	return (*[1 << radixBits]uint32)(unsafe.Pointer(unsafe.SliceData(counts)))
}

// digitOffsets replaces counts by the offsets of the elements, chunk by chunk within a digit, and sets the bucket
// starts. It reports whether all elements have the same digit.
func (r *radix[T]) digitOffsets() (same bool) {
	at := uint32(0)
	for d := range r.digits {
		r.starts[d] = at
		for c := range r.chunks {
			i := c*r.digits + d
			at, r.counts[i] = at+r.counts[i], at
		}
		if at-r.starts[d] == uint32(len(r.from)) {
			return true
		}
	}
	r.starts[r.digits] = at
	return false
}

// sortBucket is sortInCache for elements with equal top bits, so that the next ones often distinguish most of them:
// then one pass moves each near its position.
func sortBucket[T uint32 | uint64](by rt.SortSteps, counts []uint32, a, tmp []T, low, bits uint, swapped bool) {
	n := len(a)
	digit := min(uint(mathbits.Len(uint(n))), radixBits, bits)
	if n > maxInsertion && n>>digit <= maxEqualDigits/4 {
		shift, counts := low+bits-digit, counts[:1<<digit]
		countDigits(by, counts, a, shift)
		if slices.Max(counts) <= maxEqualDigits {
			prefixSums(counts, n)
			moveByDigits(by, counts, tmp, a, shift)
			insertionSort(tmp, low)
			if !swapped {
				copy(a, tmp)
			}
			return
		}
	}
	sortInCache(by, counts, a, tmp, low, bits, swapped)
}

// sortInCache sorts a by the bits from low on, using tmp of the same length, by digits from the lowest to the highest.
// The result is in a, or in tmp if swapped. Higher bits of all elements must be equal.
func sortInCache[T uint32 | uint64](by rt.SortSteps, counts []uint32, a, tmp []T, low, bits uint, swapped bool) {
	if n := len(a); n > maxInsertion {
		digit := uint(radixBits)
		if n < 1500 { // the counters would be most of the work
			digit = 8
		}
		for passes := (bits + digit - 1) / digit; passes > 0; passes-- {
			digit := (bits + passes - 1) / passes
			counts := counts[:1<<digit]
			countDigits(by, counts, a, low)
			if !prefixSums(counts, n) {
				moveByDigits(by, counts, tmp, a, low)
				a, tmp, swapped = tmp, a, !swapped
			}
			low, bits = low+digit, bits-digit
		}
	} else {
		insertionSort(a, low)
	}
	if swapped {
		copy(tmp, a)
	}
}

// prefixSums replaces the digit counts of n elements by the offsets of the digits (an exclusive prefix sum). It reports
// whether all elements have the same digit.
func prefixSums(counts []uint32, n int) (same bool) {
	at := uint32(0)
	for i, c := range counts {
		if int(c) == n {
			return true
		}
		counts[i] = at
		at += c
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
