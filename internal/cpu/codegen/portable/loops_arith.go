package portable

import (
	"math"
	"sync"

	"github.com/go-nx/nx/internal/cpu/rt"
)

//go:generate go run ../../../cmd/loops zloops_gen.go

// The loops of the arithmetic instructions. Those of two operands, which are generated, have three forms: both operands
// vary, or one of them is a single element.

type signed interface{ int8 | int16 | int32 | int64 }
type unsigned interface {
	uint8 | uint16 | uint32 | uint64
}
type integer interface{ signed | unsigned }
type float interface{ float32 | float64 }
type cplx interface{ complex64 | complex128 }
type number interface{ integer | float | cplx }
type ordered interface{ integer | float }

// zip applies f elementwise, for instructions whose loop is not worth three forms.
func zip[D, T any](d []D, a, b []T, f func(x, y T) D) {
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

// each applies f elementwise.
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

// powInt multiplies by squaring, wrapping around; a negative exponent gives 0, except for the bases 1 and -1.
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
	for { // four bits at a time without branches, since the bits are unpredictable
		r *= (x-1)&-(y&1) + 1
		x *= x
		r *= (x-1)&-(y>>1&1) + 1
		x *= x
		r *= (x-1)&-(y>>2&1) + 1
		x *= x
		r *= (x-1)&-(y>>3&1) + 1
		if y >>= 4; y == 0 {
			return r
		}
		x *= x
	}
}

// These operations cost more than the test which operand is a single element.

func divInts[T integer](d, a, b []T) {
	sa, sb := strideOf(a), strideOf(b)
	for i := range d {
		d[i] = divInt(a[i*sa], b[i*sb])
	}
}

func remInts[T integer](d, a, b []T) {
	sa, sb := strideOf(a), strideOf(b)
	for i := range d {
		d[i] = remInt(a[i*sa], b[i*sb])
	}
}

func powInts[T integer](d, a, b []T) {
	sa, sb := strideOf(a), strideOf(b)
	if width[T]() == 8 {
		table := powBytes(T(0)-1 < 0)
		for i := range d {
			d[i] = T(table[uint8(a[i*sa])][uint8(b[i*sb])])
		}
		return
	}
	for i := range d {
		d[i] = powInt(a[i*sa], b[i*sb])
	}
}

// powBytes returns the powers of all bytes.
func powBytes(signed bool) *[256][256]uint8 {
	if signed {
		return powSigned()
	}
	return powUnsigned()
}

var powSigned, powUnsigned = sync.OnceValue(powTable[int8]), sync.OnceValue(powTable[uint8])

func powTable[T int8 | uint8]() *[256][256]uint8 {
	var table [256][256]uint8
	for x := range table {
		for y := range table[x] {
			table[x][y] = uint8(powInt(T(x), T(y)))
		}
	}
	return &table
}

func absInt[T integer](d, a []T) {
	d = d[:len(a)]
	up := 64 - width[T]()
	for i, x := range a {
		sign := int64(x) << (up & 63) >> 63
		if T(0)-1 > 0 { // unsigned
			sign = 0
		}
		d[i] = T((int64(x) ^ sign) - sign) // the minimum is its own negative
	}
}

func signInt[T integer](d, a []T) {
	d = d[:len(a)]
	for i, x := range a {
		d[i] = T(b2u(x > 0)) - T(b2u(x < 0))
	}
}

// absFloat clears signs.
func absFloat[T float](d, a []T) {
	if width[T]() == 32 { // math.Abs would convert to F64 and back
		words, from := bitsOf[uint32](d), bitsOf[uint32](a)
		words = words[:len(from)]
		for i, x := range from {
			words[i] = x &^ (1 << 31)
		}
		return
	}
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

// choose selects between a and b by the condition c; any operand may be uniform. Elements are loaded unconditionally:
// for a conditional load the compiler emits a jump, which is mispredicted.
func choose[T any](d []T, c []uint8, a, b []T) {
	if len(c) == 1 {
		src := b
		if c[0] != 0 {
			src = a
		}
		if len(src) == 1 {
			rt.Fill(d, src[0])
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
			x, v := a[i], y
			if p != 0 {
				v = x
			}
			d[i] = v
		}
	default:
		a, b, d = a[:len(c)], b[:len(c)], d[:len(c)]
		for i, p := range c {
			x, v := a[i], b[i]
			if p != 0 {
				v = x
			}
			d[i] = v
		}
	}
}

// choose8 is choose for bytes. It uses masks, since for bytes the compiler would emit jumps.
func choose8(d, c, a, b []uint8) {
	if len(c) == 1 {
		choose(d, c, a, b)
		return
	}
	switch {
	case len(a) == 1 && len(b) == 1:
		y, flip := b[0], a[0]^b[0]
		d = d[:len(c)]
		for i, p := range c {
			d[i] = y ^ flip&-p
		}
	case len(a) == 1:
		x := a[0]
		b, d = b[:len(c)], d[:len(c)]
		for i, p := range c {
			y := b[i]
			d[i] = y ^ (x^y)&-p
		}
	case len(b) == 1:
		y := b[0]
		a, d = a[:len(c)], d[:len(c)]
		for i, p := range c {
			d[i] = y ^ (a[i]^y)&-p
		}
	default:
		a, b, d = a[:len(c)], b[:len(c)], d[:len(c)]
		for i, p := range c {
			y := b[i]
			d[i] = y ^ (a[i]^y)&-p
		}
	}
}
