package order

import (
	"sort"
	"sync/atomic"
	"unsafe"

	"github.com/go-nx/nx/internal/cpu/rt"
)

// sortKeys is an operand that determines the order. A line is sorted as an array of words: the key's bits, mapped to an
// unsigned integer of the same order, in the upper half and the element's index in the lower. Keys of 64 bits have two
// halves, sorted one after the other.
type sortKeys interface {
	Operand
	halves() int
	// bits returns the number of bits of a half of the key.
	bits() uint
	// pack puts a half of the key, 0 for the lower one, above each element's index.
	pack(packed []uint64, at line, half int)
	// sort sorts a line of keys only, in memory of the sizes that words and radixBytes return.
	sort(env *rt.Env, at line, words, counts []byte)
	words(at line) (size int)
}

// Key returns an operand that determines the order, given as unsigned integers of its elements' size.
func Key[T uint8 | uint16 | uint32 | uint64](dst, src []T, o Order[T]) Operand {
	k := &key[T]{payload: payload[T]{dst, src}, order: o}
	if o.Kind != Unsigned {
		k.sign = 1 << (8*rt.SizeOf[T]() - 1)
	}
	if o.Kind >= FloatTotal {
		k.flipNegative = ^k.sign
	}
	if o.Descending {
		k.invert = ^T(0)
	}
	return k
}

type key[T uint8 | uint16 | uint32 | uint64] struct {
	payload[T]
	order        Order[T]
	sign, invert T
	flipNegative T // bits that are flipped in negative elements, too
}

// rank maps an element to an unsigned integer: it flips the sign bit, all bits of negative floats, and in descending
// order all bits once more. It has no branches, since signs are unpredictable.
func (k *key[T]) rank(x T) T {
	negative := -(x >> (8*rt.SizeOf[T]() - 1))
	return x ^ (negative&k.flipNegative | k.sign) ^ k.invert
}

// unrank is the inverse of rank.
func (k *key[T]) unrank(x T) T {
	x ^= k.invert
	negative := x>>(8*rt.SizeOf[T]()-1) - 1
	return x ^ (negative&k.flipNegative | k.sign)
}

// canonical maps −0 to 0 and all NaNs to one.
func (k *key[T]) canonical(x T) T {
	switch magnitude := x &^ k.sign; {
	case magnitude == 0:
		return 0
	case magnitude > k.order.Infinity:
		return ^k.sign
	}
	return x
}

func (k *key[T]) halves() int { return rt.CeilDiv(rt.SizeOf[T](), 4) }

func (k *key[T]) bits() uint { return uint(min(32, 8*rt.SizeOf[T]())) }

func (k *key[T]) pack(packed []uint64, at line, half int) {
	numeric := k.order.Kind == FloatNumeric
	shift := 32 * half
	for i, p := range packed {
		x := k.src[at.base+int(uint32(p))*at.step]
		if numeric {
			x = k.canonical(x)
		}
		packed[i] = uint64(uint32(uint64(k.rank(x))>>shift))<<32 | uint64(uint32(p))
	}
}

func (k *key[T]) sort(env *rt.Env, at line, words, counts []byte) {
	if rt.SizeOf[T]() == 8 {
		sortKeyOnly[T, uint64](env, k, at, words, counts)
	} else {
		sortKeyOnly[T, uint32](env, k, at, words, counts)
	}
}

func (k *key[T]) words(at line) int {
	n := at.n * max(4, rt.SizeOf[T]())
	if k.inPlace(at) {
		return n
	}
	return 2 * n
}

// inPlace reports whether the result has space for the words of a line.
func (k *key[T]) inPlace(at line) bool { return rt.SizeOf[T]() >= 4 && at.step == 1 }

// sortKeyOnly sorts the ranks of a line and maps them back. Equal elements with different bits, zeros and NaNs, have
// equal ranks; they are restored in their original order.
func sortKeyOnly[T uint8 | uint16 | uint32 | uint64, W uint32 | uint64](env *rt.Env, k *key[T], at line,
	words, counts []byte) {
	tmp, ranks := rt.View[W](words), []W(nil)
	if k.inPlace(at) {
		ranks = unsafe.Slice((*W)(unsafe.Pointer(&k.dst[at.base])), at.n)
	} else {
		ranks = tmp[at.n:][:at.n]
	}
	tmp = tmp[:at.n]
	bits, by := uint(8*rt.SizeOf[T]()), sortStepsOf(env)
	if at.n <= radixInCache {
		merged := ranksOf(by, k, ranks, at, 0)
		sortInCache(by, rt.View[uint32](counts), ranks, tmp, 0, bits, false)
		runs := runsOf(k, ranks, merged)
		unrankInto(by, k, ranks, at, 0)
		k.restore(env, at, runs)
		return
	}
	t := &rankTask[T, W]{steps: by, k: k, ranks: ranks, at: at}
	env.Run(rt.CeilDiv(at.n, radixChunk), t)
	newRadix[W](env, at.n, counts).sort(env, ranks, tmp, 0, bits)
	runs := runsOf(k, ranks, t.merged.Load())
	t.back = true
	env.Run(rt.CeilDiv(at.n, radixChunk), t)
	k.restore(env, at, runs)
}

// rankTask computes the ranks of a line's elements, or maps them back.
type rankTask[T uint8 | uint16 | uint32 | uint64, W uint32 | uint64] struct {
	steps  rt.SortSteps
	k      *key[T]
	ranks  []W
	at     line
	back   bool
	merged atomic.Bool // the result of ranksOf for any chunk
}

func (t *rankTask[T, W]) Do(_ rt.Worker, chunk int) {
	first := chunk * radixChunk
	ranks := t.ranks[first:min(first+radixChunk, len(t.ranks))]
	if t.back {
		unrankInto(t.steps, t.k, ranks, t.at, first)
	} else if ranksOf(t.steps, t.k, ranks, t.at, first) {
		t.merged.Store(true)
	}
}

// ranksOf computes the ranks of elements of a line from first on. It reports whether an element was replaced by its
// canonical form.
func ranksOf[T uint8 | uint16 | uint32 | uint64, W uint32 | uint64](by rt.SortSteps, k *key[T], ranks []W, at line,
	first int) (merged bool) {
	src := k.src[at.base+first*at.step:]
	if by = k.stepsFor(by, rt.SizeOf[W](), at, len(ranks)); by != nil {
		return by.Rank(unsafe.Pointer(&ranks[0]), unsafe.Pointer(&src[0]), rt.SizeOf[T](), len(ranks), k.mapping())
	}
	if k.order.Kind != FloatNumeric {
		for i := range ranks {
			ranks[i] = W(k.rank(src[i*at.step]))
		}
		return false
	}
	for i := range ranks {
		x := src[i*at.step]
		if magnitude := x &^ k.sign; magnitude == 0 || magnitude > k.order.Infinity {
			if c := k.canonical(x); c != x {
				x, merged = c, true
			}
		}
		ranks[i] = W(k.rank(x))
	}
	return merged
}

// unrankInto writes the elements of a line from first on, given their ranks.
func unrankInto[T uint8 | uint16 | uint32 | uint64, W uint32 | uint64](by rt.SortSteps, k *key[T], ranks []W, at line,
	first int) {
	dst := k.dst[at.base+first*at.step:]
	if by = k.stepsFor(by, rt.SizeOf[W](), at, len(ranks)); by != nil {
		by.Unrank(unsafe.Pointer(&dst[0]), unsafe.Pointer(&ranks[0]), rt.SizeOf[T](), len(ranks), k.mapping())
		return
	}
	for i, x := range ranks {
		dst[i*at.step] = k.unrank(T(x))
	}
}

// stepsFor returns the steps of a tier that map n elements of a line to words of the given size and back, or nil.
func (k *key[T]) stepsFor(by rt.SortSteps, word int, at line, n int) rt.SortSteps {
	if rt.SizeOf[T]() != word || at.step != 1 || n < minStepElems {
		return nil
	}
	return by
}

// mapping returns the mapping of elements to ranks.
func (k *key[T]) mapping() *rt.RankMap {
	r := &rt.RankMap{Sign: uint64(k.sign), FlipNegative: uint64(k.flipNegative), Invert: uint64(k.invert)}
	if k.order.Kind == FloatNumeric {
		r.Infinity = uint64(k.order.Infinity)
	}
	return r
}

// runsOf returns the bounds of zeros and NaNs in sorted ranks, if they were merged.
func runsOf[T uint8 | uint16 | uint32 | uint64, W uint32 | uint64](k *key[T], ranks []W, merged bool) (runs [2][2]int) {
	if merged {
		for i, x := range k.mergedElements() {
			rank := W(k.rank(x))
			runs[i][0] = sort.Search(len(ranks), func(i int) bool { return ranks[i] >= rank })
			runs[i][1] = sort.Search(len(ranks), func(i int) bool { return ranks[i] > rank })
		}
	}
	return runs
}

// mergedElements returns the canonical elements: the zero and the NaN.
func (k *key[T]) mergedElements() [2]T { return [2]T{0, ^k.sign} }

// restore writes the elements of runs with their original bits, in their order.
func (k *key[T]) restore(env *rt.Env, at line, runs [2][2]int) {
	for i, x := range k.mergedElements() {
		for from, to := 0, runs[i][0]; to < runs[i][1]; from++ {
			if from%radixChunk == 0 {
				env.CheckCancel()
			}
			if v := k.src[at.base+from*at.step]; k.canonical(v) == x {
				k.dst[at.base+to*at.step] = v
				to++
			}
		}
	}
}
