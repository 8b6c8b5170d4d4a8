package kernels

// A Monoid is an associative and commutative operation with an identity, as loops
// over slices. Where rounding makes it not quite associative, the comment of the
// kernel that uses it says in which order it applies.
type Monoid[T any] interface {
	Identity() T
	// Into sets dst[i] to dst[i]·src[i].
	Into(dst, src []T)
	// Scan sets dst[i] to carry·src[0]·…·src[i], in this order, and returns the last.
	// dst and src may be the same.
	Scan(dst, src []T, carry T) T
}

type integer interface {
	int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64
}

type ordered interface{ integer | float32 | float64 }

type number interface {
	ordered | complex64 | complex128
}

// Sum adds. Its identity is −0: 0 would turn a sum of negative zeros positive.
type Sum[T number] struct{}

func (Sum[T]) Identity() T {
	var zero T
	return -zero
}

func (Sum[T]) Into(dst, src []T) {
	src = src[:len(dst)]
	for i := range dst {
		dst[i] += src[i]
	}
}

func (Sum[T]) Scan(dst, src []T, carry T) T {
	dst = dst[:len(src)]
	for i, v := range src {
		carry += v
		dst[i] = carry
	}
	return carry
}

// Prod multiplies.
type Prod[T number] struct{}

func (Prod[T]) Identity() T { return 1 }

func (Prod[T]) Into(dst, src []T) {
	src = src[:len(dst)]
	for i := range dst {
		dst[i] *= src[i]
	}
}

func (Prod[T]) Scan(dst, src []T, carry T) T {
	dst = dst[:len(src)]
	for i, v := range src {
		carry *= v
		dst[i] = carry
	}
	return carry
}

// Max takes the larger element: NaN if either is, +0 before −0. Least is its identity.
type Max[T ordered] struct{ Least T }

func (m Max[T]) Identity() T { return m.Least }

func (Max[T]) Into(dst, src []T) {
	src = src[:len(dst)]
	for i, v := range dst {
		dst[i] = max(v, src[i])
	}
}

func (Max[T]) Scan(dst, src []T, carry T) T {
	dst = dst[:len(src)]
	for i, v := range src {
		if !(v < carry) {
			carry = max(carry, v)
		}
		dst[i] = carry
	}
	return carry
}

// Min takes the smaller element: NaN if either is, −0 before +0. Greatest is its
// identity.
type Min[T ordered] struct{ Greatest T }

func (m Min[T]) Identity() T { return m.Greatest }

func (Min[T]) Into(dst, src []T) {
	src = src[:len(dst)]
	for i, v := range dst {
		dst[i] = min(v, src[i])
	}
}

func (Min[T]) Scan(dst, src []T, carry T) T {
	dst = dst[:len(src)]
	for i, v := range src {
		if !(v > carry) {
			carry = min(carry, v)
		}
		dst[i] = carry
	}
	return carry
}

// And, Or and Xor combine bits; booleans are the integers 0 and 1.
type (
	And[T integer] struct{}
	Or[T integer]  struct{}
	Xor[T integer] struct{}
)

func (And[T]) Identity() T {
	var zero T
	return ^zero
}

func (And[T]) Into(dst, src []T) {
	src = src[:len(dst)]
	for i := range dst {
		dst[i] &= src[i]
	}
}

func (And[T]) Scan(dst, src []T, carry T) T {
	dst = dst[:len(src)]
	for i, v := range src {
		carry &= v
		dst[i] = carry
	}
	return carry
}

func (Or[T]) Identity() T { return 0 }

func (Or[T]) Into(dst, src []T) {
	src = src[:len(dst)]
	for i := range dst {
		dst[i] |= src[i]
	}
}

func (Or[T]) Scan(dst, src []T, carry T) T {
	dst = dst[:len(src)]
	for i, v := range src {
		carry |= v
		dst[i] = carry
	}
	return carry
}

func (Xor[T]) Identity() T { return 0 }

func (Xor[T]) Into(dst, src []T) {
	src = src[:len(dst)]
	for i := range dst {
		dst[i] ^= src[i]
	}
}

func (Xor[T]) Scan(dst, src []T, carry T) T {
	dst = dst[:len(src)]
	for i, v := range src {
		carry ^= v
		dst[i] = carry
	}
	return carry
}
