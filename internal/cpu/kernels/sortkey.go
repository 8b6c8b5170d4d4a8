package kernels

import (
	"unsafe"

	"github.com/go-nx/nx/internal/cpu/rt"
)

// sortKeys is an operand that decides the order. A line is sorted as an array of
// words: the key's bits, mapped to an unsigned integer of the same order, in the upper
// half and the element's number in the lower. Keys of 64 bits are two words, sorted
// one after the other.
type sortKeys interface {
	SortOperand
	words() int
	// pack puts word w of its key above each element's number and returns its bits.
	pack(packed []uint64, at line, w int) (bits uint)
	// plain sorts a line of keys alone, if equal keys have equal bits.
	plain(env *rt.Env, at line, tmp []uint64, counts []uint32) bool
}

// Key returns an operand that the order depends on, given as unsigned integers of its
// elements' size.
func Key[T uint8 | uint16 | uint32 | uint64](dst, src []T, o Order[T]) SortOperand {
	k := &key[T]{payload: payload[T]{dst, src}, order: o}
	if o.Kind != SortUnsigned {
		k.sign = 1 << (8*sizeOf[T]() - 1)
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
}

// rank maps an element to an unsigned integer: it turns the sign bit over, all bits of
// negative floats, and in descending order all bits once more.
func (k *key[T]) rank(x T) T {
	if k.order.Kind >= SortFloatTotal && x&k.sign != 0 {
		x = ^x
	} else {
		x ^= k.sign
	}
	return x ^ k.invert
}

// unrank is the inverse of rank.
func (k *key[T]) unrank(x T) T {
	x ^= k.invert
	if k.order.Kind >= SortFloatTotal && x&k.sign == 0 {
		return ^x
	}
	return x ^ k.sign
}

// canonical makes one zero of two and one NaN of many.
func (k *key[T]) canonical(x T) T {
	switch magnitude := x &^ k.sign; {
	case magnitude == 0:
		return 0
	case magnitude > k.order.Infinity:
		return ^k.sign
	}
	return x
}

func (k *key[T]) words() int { return blocks(sizeOf[T](), 4) }

func (k *key[T]) pack(packed []uint64, at line, w int) uint {
	numeric := k.order.Kind == SortFloatNumeric
	shift := 32 * w
	for i, p := range packed {
		x := k.src[at.base+int(uint32(p))*at.step]
		if numeric {
			x = k.canonical(x)
		}
		packed[i] = uint64(uint32(uint64(k.rank(x))>>shift))<<32 | uint64(uint32(p))
	}
	return uint(min(32, 8*sizeOf[T]()))
}

func (k *key[T]) plain(env *rt.Env, at line, tmp []uint64, counts []uint32) bool {
	if k.order.Kind == SortFloatNumeric {
		return false
	}
	switch any(k).(type) {
	case *key[uint64]:
		sortPlain(env, k, at, tmp, counts)
	case *key[uint32]:
		half := unsafe.Slice((*uint32)(unsafe.Pointer(unsafe.SliceData(tmp))), 2*at.n)
		sortPlain(env, k, at, half, counts)
	default:
		return false
	}
	return true
}

// sortPlain sorts the ranks of a line and maps them back. W is T.
func sortPlain[T uint8 | uint16 | uint32 | uint64, W uint32 | uint64](env *rt.Env, k *key[T], at line,
	tmp []W, counts []uint32) {
	r := &radix[W]{counts: counts}
	ranks := tmp[:at.n]
	for i := range ranks {
		ranks[i] = W(k.rank(k.src[at.base+i*at.step]))
	}
	r.sort(env, ranks, tmp[at.n:], 0, uint(8*sizeOf[T]()))
	for i, x := range ranks {
		k.dst[at.base+i*at.step] = k.unrank(T(x))
	}
}
