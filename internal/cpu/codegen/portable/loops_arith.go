package portable

import "math"

// The loops of the arithmetic instructions. Each has three forms: both
// operands vary, or one of them is a single element.

type signed interface{ int8 | int16 | int32 | int64 }
type unsigned interface {
	uint8 | uint16 | uint32 | uint64
}
type integer interface{ signed | unsigned }
type float interface{ float32 | float64 }
type cplx interface{ complex64 | complex128 }
type number interface{ integer | float | cplx }
type ordered interface{ integer | float }

func add[T number](d, a, b []T) {
	switch {
	case len(b) == 1:
		y := b[0]
		for i, x := range a {
			d[i] = x + y
		}
	case len(a) == 1:
		x := a[0]
		for i, y := range b {
			d[i] = x + y
		}
	default:
		b, d = b[:len(a)], d[:len(a)]
		for i, x := range a {
			d[i] = x + b[i]
		}
	}
}

func sub[T number](d, a, b []T) {
	switch {
	case len(b) == 1:
		y := b[0]
		for i, x := range a {
			d[i] = x - y
		}
	case len(a) == 1:
		x := a[0]
		for i, y := range b {
			d[i] = x - y
		}
	default:
		b, d = b[:len(a)], d[:len(a)]
		for i, x := range a {
			d[i] = x - b[i]
		}
	}
}

func mul[T ordered](d, a, b []T) {
	switch {
	case len(b) == 1:
		y := b[0]
		for i, x := range a {
			d[i] = x * y
		}
	case len(a) == 1:
		x := a[0]
		for i, y := range b {
			d[i] = x * y
		}
	default:
		b, d = b[:len(a)], d[:len(a)]
		for i, x := range a {
			d[i] = x * b[i]
		}
	}
}

func div[T float](d, a, b []T) {
	switch {
	case len(b) == 1:
		y := b[0]
		for i, x := range a {
			d[i] = x / y
		}
	case len(a) == 1:
		x := a[0]
		for i, y := range b {
			d[i] = x / y
		}
	default:
		b, d = b[:len(a)], d[:len(a)]
		for i, x := range a {
			d[i] = x / b[i]
		}
	}
}

// maximum propagates NaN and puts -0 below +0.
func maximum[T ordered](d, a, b []T) {
	switch {
	case len(b) == 1:
		y := b[0]
		for i, x := range a {
			d[i] = max(x, y)
		}
	case len(a) == 1:
		x := a[0]
		for i, y := range b {
			d[i] = max(x, y)
		}
	default:
		b, d = b[:len(a)], d[:len(a)]
		for i, x := range a {
			d[i] = max(x, b[i])
		}
	}
}

// minimum propagates NaN and puts -0 below +0.
func minimum[T ordered](d, a, b []T) {
	switch {
	case len(b) == 1:
		y := b[0]
		for i, x := range a {
			d[i] = min(x, y)
		}
	case len(a) == 1:
		x := a[0]
		for i, y := range b {
			d[i] = min(x, y)
		}
	default:
		b, d = b[:len(a)], d[:len(a)]
		for i, x := range a {
			d[i] = min(x, b[i])
		}
	}
}

// pairs applies f element by element; for the instructions whose loop is not
// worth three forms.
func pairs[D, T any](d []D, a, b []T, f func(x, y T) D) {
	switch {
	case len(b) == 1:
		y := b[0]
		for i, x := range a {
			d[i] = f(x, y)
		}
	case len(a) == 1:
		x := a[0]
		for i, y := range b {
			d[i] = f(x, y)
		}
	default:
		b, d = b[:len(a)], d[:len(a)]
		for i, x := range a {
			d[i] = f(x, b[i])
		}
	}
}

// each applies f element by element.
func each[D, T any](d []D, a []T, f func(x T) D) {
	d = d[:len(a)]
	for i, x := range a {
		d[i] = f(x)
	}
}

func neg[T number](d, a []T) {
	d = d[:len(a)]
	for i, x := range a {
		d[i] = -x
	}
}

// divInt truncates; x/0 is all ones, MIN/-1 is MIN.
func divInt[T integer](x, y T) T {
	if y == 0 {
		return ^T(0)
	}
	if y == ^T(0) && y < 0 {
		return -x
	}
	return x / y
}

// remInt has the sign of x; x rem 0 is x, MIN rem -1 is 0.
func remInt[T integer](x, y T) T {
	if y == 0 {
		return x
	}
	if y == ^T(0) && y < 0 {
		return 0
	}
	return x % y
}

// powInt multiplies by squaring, wrapping around; a negative exponent gives 0
// but for the bases 1 and -1.
func powInt[T integer](x, y T) T {
	if y < 0 {
		switch {
		case x == 1:
			return 1
		case x == ^T(0):
			if y&1 == 0 {
				return 1
			}
			return x
		}
		return 0
	}
	r := T(1)
	for ; y > 0; y >>= 1 {
		if y&1 != 0 {
			r *= x
		}
		x *= x
	}
	return r
}

func absInt[T integer](d, a []T) {
	d = d[:len(a)]
	for i, x := range a {
		if x < 0 {
			x = -x // the most negative number is its own negative
		}
		d[i] = x
	}
}

func absFloat[T float](d, a []T) {
	d = d[:len(a)]
	for i, x := range a {
		d[i] = T(math.Abs(float64(x)))
	}
}

// complement inverts all bits.
func complement[T integer](d, a []T) {
	d = d[:len(a)]
	for i, x := range a {
		d[i] = ^x
	}
}

func sqrt[T float](d, a []T) {
	d = d[:len(a)]
	for i, x := range a {
		d[i] = T(math.Sqrt(float64(x)))
	}
}

// choose selects between a and b by the condition c; any operand may be uniform.
func choose[T any](d []T, c []uint8, a, b []T) {
	if len(c) == 1 {
		src := b
		if c[0] != 0 {
			src = a
		}
		if len(src) == 1 {
			fill(d, src[0])
		} else {
			copy(d, src)
		}
		return
	}
	switch {
	case len(a) == 1 && len(b) == 1:
		x, y := a[0], b[0]
		for i, p := range c {
			v := y
			if p != 0 {
				v = x
			}
			d[i] = v
		}
	case len(a) == 1:
		x := a[0]
		b, d = b[:len(c)], d[:len(c)]
		for i, p := range c {
			v := b[i]
			if p != 0 {
				v = x
			}
			d[i] = v
		}
	case len(b) == 1:
		y := b[0]
		a, d = a[:len(c)], d[:len(c)]
		for i, p := range c {
			v := y
			if p != 0 {
				v = a[i]
			}
			d[i] = v
		}
	default:
		a, b, d = a[:len(c)], b[:len(c)], d[:len(c)]
		for i, p := range c {
			v := b[i]
			if p != 0 {
				v = a[i]
			}
			d[i] = v
		}
	}
}

func fill[T any](d []T, v T) {
	if len(d) == 0 {
		return
	}
	d[0] = v
	for n := 1; n < len(d); n *= 2 {
		copy(d[n:], d[:n])
	}
}
