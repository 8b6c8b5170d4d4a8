package kernels

// A Monoid is an associative and commutative operation with an identity, as loops
// over slices. Where rounding makes it not quite associative, the comment of the
// kernel that uses it says in which order it applies.
type Monoid[T any] interface {
	Identity() T
	// Fold reduces up to [FoldBlock] elements: element i goes to lane i mod 8, lanes
	// start at the identity, and are combined as ((0·4)·(2·6))·((1·5)·(3·7)).
	Fold(x []T) T
	// Into sets dst[i] to dst[i]·src[i].
	Into(dst, src []T)
	// Scan sets dst[i] to carry·src[0]·…·src[i], in this order, and returns the last.
	// dst and src may be the same.
	Scan(dst, src []T, carry T) T
}

// FoldBlock is the number of elements that one fold of a reduction covers.
const FoldBlock = 2048

// combine applies a monoid to two elements.
func combine[T any](m Monoid[T], a, b T) T {
	x := [1]T{a}
	m.Into(x[:], []T{b})
	return x[0]
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

func (m Sum[T]) Fold(x []T) T {
	z := m.Identity()
	a, b, c, d, e, f, g, h := z, z, z, z, z, z, z, z
	for ; len(x) >= 8; x = x[8:] {
		a += x[0]
		b += x[1]
		c += x[2]
		d += x[3]
		e += x[4]
		f += x[5]
		g += x[6]
		h += x[7]
	}
	lanes := [8]T{a, b, c, d, e, f, g, h}
	for i, v := range x {
		lanes[i&7] += v
	}
	return ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) + ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]))
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

func (Prod[T]) Fold(x []T) T {
	var one T = 1
	a, b, c, d, e, f, g, h := one, one, one, one, one, one, one, one
	for ; len(x) >= 8; x = x[8:] {
		a *= x[0]
		b *= x[1]
		c *= x[2]
		d *= x[3]
		e *= x[4]
		f *= x[5]
		g *= x[6]
		h *= x[7]
	}
	lanes := [8]T{a, b, c, d, e, f, g, h}
	for i, v := range x {
		lanes[i&7] *= v
	}
	return ((lanes[0] * lanes[4]) * (lanes[2] * lanes[6])) * ((lanes[1] * lanes[5]) * (lanes[3] * lanes[7]))
}

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

// Fold decides by one comparison for most elements: max alone takes several
// instructions for NaN and the zeros, each waiting for the one before.
func (m Max[T]) Fold(x []T) T {
	a, b, c, d := m.Least, m.Least, m.Least, m.Least // the order does not matter
	for ; len(x) >= 4; x = x[4:] {
		if v := x[0]; !(v < a) {
			a = max(a, v)
		}
		if v := x[1]; !(v < b) {
			b = max(b, v)
		}
		if v := x[2]; !(v < c) {
			c = max(c, v)
		}
		if v := x[3]; !(v < d) {
			d = max(d, v)
		}
	}
	for _, v := range x {
		a = max(a, v)
	}
	return max(max(a, b), max(c, d))
}

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

func (m Min[T]) Fold(x []T) T {
	a, b, c, d := m.Greatest, m.Greatest, m.Greatest, m.Greatest
	for ; len(x) >= 4; x = x[4:] {
		if v := x[0]; !(v > a) {
			a = min(a, v)
		}
		if v := x[1]; !(v > b) {
			b = min(b, v)
		}
		if v := x[2]; !(v > c) {
			c = min(c, v)
		}
		if v := x[3]; !(v > d) {
			d = min(d, v)
		}
	}
	for _, v := range x {
		a = min(a, v)
	}
	return min(min(a, b), min(c, d))
}

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

func (m And[T]) Fold(x []T) T {
	a := m.Identity()
	for _, v := range x {
		a &= v
	}
	return a
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

func (Or[T]) Fold(x []T) T {
	var a T
	for _, v := range x {
		a |= v
	}
	return a
}

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

func (Xor[T]) Fold(x []T) T {
	var a T
	for _, v := range x {
		a ^= v
	}
	return a
}

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
