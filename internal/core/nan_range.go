package core

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"

	"github.com/go-nx/nx/stablehlo/interp"
)

// ValueRange is nx.ValueRange.
type ValueRange struct {
	Type     string  // f32[2][3]
	Size     int     // how many elements
	Min, Max float64 // of the finite elements; of complex numbers the real and imaginary parts
	NaN, Inf int     // how many elements are NaN, and infinite
}

// String describes the elements: f32[2][3], from -1 to 3, 1 NaN of 6.
func (r ValueRange) String() string {
	var b strings.Builder
	b.WriteString(r.Type)
	switch {
	case r.Min == r.Max:
		fmt.Fprintf(&b, ", %.6g", r.Min)
	case r.Min < r.Max:
		fmt.Fprintf(&b, ", from %.6g to %.6g", r.Min, r.Max)
	}
	for _, x := range []struct {
		n    int
		what string
	}{{r.NaN, "NaN"}, {r.Inf, "infinite"}} {
		if x.n > 0 {
			fmt.Fprintf(&b, ", %d %s of %d", x.n, x.what, r.Size)
		}
	}
	return b.String()
}

// rangeOf returns the range of the elements of a tensor of the interpreter.
func rangeOf(x *interp.Tensor) ValueRange {
	d := x.Type.DType()
	s := Spec{DType: d, Shape: make(Shape, len(x.Type.Dims))}
	for i, n := range x.Type.Dims {
		s.Shape[i] = int(n)
	}
	r := ValueRange{Type: s.String(), Size: s.Shape.Size(), Min: math.Inf(1), Max: math.Inf(-1)}
	add := func(v float64) {
		if !math.IsInf(v, 0) && !math.IsNaN(v) {
			r.Min, r.Max = min(r.Min, v), max(r.Max, v)
		}
	}
	for i := range r.Size {
		switch {
		case d.IsComplex():
			v := d.LoadComplex(x.Data, i)
			add(real(v))
			add(imag(v))
		case d.IsFloat():
			add(d.LoadFloat(x.Data, i))
		case d.IsUnsigned():
			add(float64(d.LoadUint(x.Data, i)))
		default:
			add(float64(d.LoadInt(x.Data, i)))
		}
	}
	if r.Min > r.Max {
		r.Min, r.Max = math.NaN(), math.NaN()
	}
	r.NaN, r.Inf, _ = countNonFinite(d, x.Data)
	return r
}

// countNonFinite returns how many elements are NaN, how many are infinite, and the first that is NaN, -1 for none.
func countNonFinite(d DType, data []byte) (nan, inf, first int) {
	first = -1
	if !d.IsFloat() && !d.IsComplex() {
		return 0, 0, first
	}
	const block = 4096 // bytes
	for from := 0; from < len(data); from += block {
		some := data[from:min(from+block, len(data))]
		if surelyFinite(d, some) {
			continue
		}
		for i := range len(some) / d.Size() {
			var re, im float64
			if d.IsComplex() {
				v := d.LoadComplex(some, i)
				re, im = real(v), imag(v)
			} else {
				re = d.LoadFloat(some, i)
			}
			switch {
			case math.IsNaN(re) || math.IsNaN(im):
				if nan++; first < 0 {
					first = from/d.Size() + i
				}
			case math.IsInf(re, 0) || math.IsInf(im, 0):
				inf++
			}
		}
	}
	return nan, inf, first
}

// surelyFinite reports whether all elements are finite, 8 bytes at a time; false where it is not sure. An exponent of
// ones plus its lowest bit carries into the sign, which is cleared before.
func surelyFinite(d DType, data []byte) bool {
	if d.IsComplex() {
		d = d.Real()
	}
	var lowest uint64 // bit of the exponents
	switch d {
	case F64:
		lowest = 1 << 52
	case F32:
		lowest = 1<<23 | 1<<(23+32)
	case F16:
		lowest = 0x0400_0400_0400_0400
	case BF16:
		lowest = 0x0080_0080_0080_0080
	default:
		return false
	}
	signs := uint64(1) << 63
	for n := d.Size() * 8; n < 64; n *= 2 {
		signs |= signs >> n
	}
	var carries uint64
	for ; len(data) >= 8; data = data[8:] {
		carries |= binary.LittleEndian.Uint64(data)&^signs + lowest
	}
	var last [8]byte
	copy(last[:], data)
	carries |= binary.LittleEndian.Uint64(last[:])&^signs + lowest
	return carries&signs == 0
}
