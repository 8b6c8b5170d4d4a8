package kernels

import "github.com/go-nx/nx/internal/cpu/rt"

// A Monoid is an associative and commutative operation with an identity on elements of some type. Elements are bytes:
// code that only moves them is the same for all types. Where rounding makes the operation not quite associative, the
// kernel's comment states the order.
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

// Sum adds. Its identity is −0: 0 would make a sum of negative zeros positive.
type Sum[T number] struct{}

func (Sum[T]) Identity() []byte { return element(Sum[T]{}.zero()) }

func (Sum[T]) zero() T {
	var zero T
	return -zero
}

func (Sum[T]) Into(dst, src []byte) {
	d := rt.View[T](dst)
	s := rt.View[T](src)[:len(d)]
	for i := range d {
		d[i] += s[i]
	}
}

func (Sum[T]) Scan(dst, src, carry []byte, line int) {
	s, first, remaining := rt.View[T](src), rt.View[T](carry)[0], 0
	c := first
	d := rt.View[T](dst)[:len(s)]
	for i, v := range s {
		if remaining--; remaining < 0 {
			c, remaining = first, line-1
		}
		c += v
		d[i] = c
	}
}

// Prod multiplies.
type Prod[T number] struct{}

func (Prod[T]) Identity() []byte { return element[T](1) }

func (Prod[T]) Into(dst, src []byte) {
	d := rt.View[T](dst)
	s := rt.View[T](src)[:len(d)]
	for i := range d {
		d[i] *= s[i]
	}
}

func (Prod[T]) Scan(dst, src, carry []byte, line int) {
	s, first, remaining := rt.View[T](src), rt.View[T](carry)[0], 0
	c := first
	d := rt.View[T](dst)[:len(s)]
	for i, v := range s {
		if remaining--; remaining < 0 {
			c, remaining = first, line-1
		}
		c *= v
		d[i] = c
	}
}

// Max takes the larger element: NaN if either is, +0 before −0. Lowest is its identity.
type Max[T ordered] struct{ Lowest T }

func (m Max[T]) Identity() []byte { return element(m.Lowest) }

func (Max[T]) Into(dst, src []byte) {
	d := rt.View[T](dst)
	s := rt.View[T](src)[:len(d)]
	for i, v := range d {
		d[i] = max(v, s[i])
	}
}

func (Max[T]) Scan(dst, src, carry []byte, line int) {
	s, first, remaining := rt.View[T](src), rt.View[T](carry)[0], 0
	c := first
	d := rt.View[T](dst)[:len(s)]
	for i, v := range s {
		if remaining--; remaining < 0 {
			c, remaining = first, line-1
		}
		if line < scanGroup || !(v < c) {
			c = max(c, v)
		}
		d[i] = c
	}
}

// Min takes the smaller element: NaN if either is, −0 before +0. Highest is its identity.
type Min[T ordered] struct{ Highest T }

func (m Min[T]) Identity() []byte { return element(m.Highest) }

func (Min[T]) Into(dst, src []byte) {
	d := rt.View[T](dst)
	s := rt.View[T](src)[:len(d)]
	for i, v := range d {
		d[i] = min(v, s[i])
	}
}

func (Min[T]) Scan(dst, src, carry []byte, line int) {
	s, first, remaining := rt.View[T](src), rt.View[T](carry)[0], 0
	c := first
	d := rt.View[T](dst)[:len(s)]
	for i, v := range s {
		if remaining--; remaining < 0 {
			c, remaining = first, line-1
		}
		if line < scanGroup || !(v > c) {
			c = min(c, v)
		}
		d[i] = c
	}
}

// And, Or and Xor combine bits; booleans are the integers 0 and 1.
type (
	And[T integer] struct{}
	Or[T integer]  struct{}
	Xor[T integer] struct{}
)

func (And[T]) Identity() []byte {
	var zero T
	return element(^zero)
}

func (And[T]) Into(dst, src []byte) {
	d := rt.View[T](dst)
	s := rt.View[T](src)[:len(d)]
	for i := range d {
		d[i] &= s[i]
	}
}

func (And[T]) Scan(dst, src, carry []byte, line int) {
	s, first, remaining := rt.View[T](src), rt.View[T](carry)[0], 0
	c := first
	d := rt.View[T](dst)[:len(s)]
	for i, v := range s {
		if remaining--; remaining < 0 {
			c, remaining = first, line-1
		}
		c &= v
		d[i] = c
	}
}

func (Or[T]) Identity() []byte { return element[T](0) }

func (Or[T]) Into(dst, src []byte) {
	d := rt.View[T](dst)
	s := rt.View[T](src)[:len(d)]
	for i := range d {
		d[i] |= s[i]
	}
}

func (Or[T]) Scan(dst, src, carry []byte, line int) {
	s, first, remaining := rt.View[T](src), rt.View[T](carry)[0], 0
	c := first
	d := rt.View[T](dst)[:len(s)]
	for i, v := range s {
		if remaining--; remaining < 0 {
			c, remaining = first, line-1
		}
		c |= v
		d[i] = c
	}
}

func (Xor[T]) Identity() []byte { return element[T](0) }

func (Xor[T]) Into(dst, src []byte) {
	d := rt.View[T](dst)
	s := rt.View[T](src)[:len(d)]
	for i := range d {
		d[i] ^= s[i]
	}
}

func (Xor[T]) Scan(dst, src, carry []byte, line int) {
	s, first, remaining := rt.View[T](src), rt.View[T](carry)[0], 0
	c := first
	d := rt.View[T](dst)[:len(s)]
	for i, v := range s {
		if remaining--; remaining < 0 {
			c, remaining = first, line-1
		}
		c ^= v
		d[i] = c
	}
}
