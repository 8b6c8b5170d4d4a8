package monoid

import "github.com/go-nx/nx/internal/cpu/rt"

// A Monoid is an associative and commutative operation with an identity on elements of some type. Elements are bytes:
// code that only moves them is the same for all types. Where rounding makes the operation not quite associative, the
// kernel's comment states the order. All monoids are pointers: methods of values would take code twice.
type Monoid interface {
	// Identity returns the identity as one element, which determines the element size.
	Identity() []byte
	// Into sets dst[i] to dst[i]·src[i].
	Into(dst, src []byte)
	// Scan sets, in each line of the given length, dst[i] to carry·src[0]·…·src[i], in this order. dst and src may be
	// the same.
	Scan(dst, src, carry []byte, line int)
}

// element returns the bytes of a number.
func element[T any](x T) []byte { return rt.Bytes([]T{x}) }

type integer interface {
	int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64
}

type ordered interface{ integer | float32 | float64 }

type number interface {
	ordered | complex64 | complex128
}

// combine sets each element of dst to f of it and of that of src. It is inlined together with f: a call for each
// element would be slow.
func combine[T any](dst, src []T, f func(x, y T) T) {
	src = src[:len(dst)]
	for i, x := range dst {
		dst[i] = f(x, src[i])
	}
}

// scanLines sets each element of dst to f of the one before in its line, of the given length, and of that of src; first
// comes before each line. It is inlined together with f, as [combine] is.
func scanLines[T any](dst, src []T, first T, line int, f func(carry, x T) T) {
	c, left := first, 0 // left counts the elements left of a line
	dst = dst[:len(src)]
	for i, x := range src {
		if left--; left < 0 {
			c, left = first, line-1
		}
		c = f(c, x)
		dst[i] = c
	}
}

// Sum adds. Its identity is −0: 0 would make a sum of negative zeros positive.
type Sum[T number] struct{}

func (*Sum[T]) Identity() []byte { return element(minusZero[T]()) }

func minusZero[T number]() T {
	var zero T
	return -zero
}

func (*Sum[T]) Into(dst, src []byte) {
	combine(rt.View[T](dst), rt.View[T](src), func(x, y T) T { return x + y })
}

func (*Sum[T]) Scan(dst, src, carry []byte, line int) {
	scanLines(rt.View[T](dst), rt.View[T](src), rt.View[T](carry)[0], line, func(c, x T) T { return c + x })
}

// Prod multiplies.
type Prod[T number] struct{}

func (*Prod[T]) Identity() []byte { return element[T](1) }

func (*Prod[T]) Into(dst, src []byte) {
	combine(rt.View[T](dst), rt.View[T](src), func(x, y T) T { return x * y })
}

func (*Prod[T]) Scan(dst, src, carry []byte, line int) {
	scanLines(rt.View[T](dst), rt.View[T](src), rt.View[T](carry)[0], line, func(c, x T) T { return c * x })
}

// Max takes the larger element: NaN if either is, +0 before −0. Lowest is its identity.
type Max[T ordered] struct{ Lowest T }

func (m *Max[T]) Identity() []byte { return element(m.Lowest) }

func (*Max[T]) Into(dst, src []byte) {
	combine(rt.View[T](dst), rt.View[T](src), func(x, y T) T { return max(x, y) })
}

func (*Max[T]) Scan(dst, src, carry []byte, line int) {
	scanLines(rt.View[T](dst), rt.View[T](src), rt.View[T](carry)[0], line, func(c, x T) T {
		if line < scanGroup || !(x < c) {
			c = max(c, x)
		}
		return c
	})
}

// Min takes the smaller element: NaN if either is, −0 before +0. Highest is its identity.
type Min[T ordered] struct{ Highest T }

func (m *Min[T]) Identity() []byte { return element(m.Highest) }

func (*Min[T]) Into(dst, src []byte) {
	combine(rt.View[T](dst), rt.View[T](src), func(x, y T) T { return min(x, y) })
}

func (*Min[T]) Scan(dst, src, carry []byte, line int) {
	scanLines(rt.View[T](dst), rt.View[T](src), rt.View[T](carry)[0], line, func(c, x T) T {
		if line < scanGroup || !(x > c) {
			c = min(c, x)
		}
		return c
	})
}

// And, Or and Xor combine bits; booleans are the integers 0 and 1.
type (
	And[T integer] struct{}
	Or[T integer]  struct{}
	Xor[T integer] struct{}
)

func (*And[T]) Identity() []byte {
	var zero T
	return element(^zero)
}
func (*Or[T]) Identity() []byte  { return element[T](0) }
func (*Xor[T]) Identity() []byte { return element[T](0) }

func (*And[T]) Into(dst, src []byte) {
	combine(rt.View[T](dst), rt.View[T](src), func(x, y T) T { return x & y })
}

func (*Or[T]) Into(dst, src []byte) {
	combine(rt.View[T](dst), rt.View[T](src), func(x, y T) T { return x | y })
}

func (*Xor[T]) Into(dst, src []byte) {
	combine(rt.View[T](dst), rt.View[T](src), func(x, y T) T { return x ^ y })
}

func (*And[T]) Scan(dst, src, carry []byte, line int) {
	scanLines(rt.View[T](dst), rt.View[T](src), rt.View[T](carry)[0], line, func(c, x T) T { return c & x })
}

func (*Or[T]) Scan(dst, src, carry []byte, line int) {
	scanLines(rt.View[T](dst), rt.View[T](src), rt.View[T](carry)[0], line, func(c, x T) T { return c | x })
}

func (*Xor[T]) Scan(dst, src, carry []byte, line int) {
	scanLines(rt.View[T](dst), rt.View[T](src), rt.View[T](carry)[0], line, func(c, x T) T { return c ^ x })
}
