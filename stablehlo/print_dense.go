package stablehlo

import (
	"math"
	"strconv"

	"github.com/go-nx/nx/dtype"
)

// longConstant is the number of elements above which a constant is printed as
// hexadecimal bytes.
const longConstant = 100

// isLong reports whether the constant has more elements than people read.
func (a *ElementsAttr) isLong() bool {
	return !a.Splat && len(a.Data) > longConstant*a.Type.DType().Size()
}

// isHex reports whether the constant is printed as bytes. Of bools, some parsers of MLIR want eight in a byte and
// some one: their words are the same for all.
func (a *ElementsAttr) isHex() bool { return a.isLong() && a.Type.DType() != dtype.Bool }

// appendElements appends dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>.
func appendElements(b []byte, a *ElementsAttr) []byte {
	b = append(b, "dense<"...)
	d := a.Type.DType()
	switch {
	case a.isHex():
		b = append(appendHex(append(b, `"0x`...), d, a.Data), '"')
	case a.Splat:
		b = appendElement(b, d, a.Data, 0)
	case len(a.Data) > 0:
		i := 0
		b = appendNested(b, a, a.Type.Dims, &i)
	}
	return appendType(append(b, "> : "...), a.Type)
}

// appendNested appends the elements from i as lists nested like the dimensions.
func appendNested(b []byte, a *ElementsAttr, dims []int64, i *int) []byte {
	if len(dims) == 0 {
		b = appendElement(b, a.Type.DType(), a.Data, *i)
		*i++
		return b
	}
	b = append(b, '[')
	for k := range dims[0] {
		if k > 0 {
			b = append(b, ", "...)
		}
		b = appendNested(b, a, dims[1:], i)
	}
	return append(b, ']')
}

// appendElement appends element i of data.
func appendElement(b []byte, d dtype.Type, data []byte, i int) []byte {
	switch {
	case d == dtype.Bool:
		return strconv.AppendBool(b, data[i] != 0)
	case d.IsInteger():
		return appendInt(b, d.LoadInt(data, i), Scalar(d))
	case d.IsFloat():
		return appendFloat(b, d, d.LoadBits(data, i))
	case d.IsComplex():
		r := d.Real()
		b = appendFloat(append(b, '('), r, r.LoadBits(data, 2*i))
		return append(appendFloat(append(b, ','), r, r.LoadBits(data, 2*i+1)), ')')
	}
	return b
}

// appendHex appends the bytes of elements, narrow integers without their sign extension.
func appendHex(b []byte, d dtype.Type, data []byte) []byte {
	if d.IsInteger() && d.Bits() < 8 {
		masked := make([]byte, len(data))
		for i, v := range data {
			masked[i] = v & (1<<d.Bits() - 1)
		}
		data = masked
	}
	for _, v := range data {
		b = append(b, hexDigits[v>>4], hexDigits[v&15])
	}
	return b
}

// appendFloat appends a number of the float type d given by its bits: the
// shortest decimal that is read back as the same bits, or the bits themselves
// when it is not a finite number.
func appendFloat(b []byte, d dtype.Type, bits uint64) []byte {
	if !d.IsFloat() {
		return append(b, "<no float>"...)
	}
	v := d.Float64(bits)
	if math.IsNaN(v) || math.IsInf(v, 0) || d.FromFloat64(v) != bits {
		b = append(b, "0x"...)
		for shift := (d.Bits() + 3) / 4 * 4; shift > 0; {
			shift -= 4
			b = append(b, hexDigits[bits>>shift&15])
		}
		return b
	}
	var buf [32]byte
	return appendDecimalFloat(b, shortest(buf[:0], d, v, bits))
}

// shortest returns the shortest number in the form 1.5e+00 that rounds to the
// bits of type d by way of float64, as the parser reads it.
func shortest(buf []byte, d dtype.Type, v float64, bits uint64) []byte {
	switch d {
	case dtype.F64:
		return strconv.AppendFloat(buf, v, 'e', -1, 64)
	case dtype.F32:
		s := strconv.AppendFloat(buf, v, 'e', -1, 32)
		if u, err := strconv.ParseFloat(string(s), 64); err == nil && d.FromFloat64(u) == bits {
			return s
		}
		return strconv.AppendFloat(buf[:0], v, 'e', -1, 64)
	}
	for digits := 0; digits < 17; digits++ {
		s := strconv.AppendFloat(buf[:0], v, 'e', digits, 64)
		if u, err := strconv.ParseFloat(string(s), 64); err == nil && d.FromFloat64(u) == bits {
			return s
		}
	}
	return strconv.AppendFloat(buf[:0], v, 'e', -1, 64)
}

// appendDecimalFloat appends a number in the form 1.5e+00 with a point, and with an exponent only when the
// exponent is large.
func appendDecimalFloat(b, s []byte) []byte {
	if s[0] == '-' {
		b, s = append(b, '-'), s[1:]
	}
	e := len(s) - 1
	for s[e] != 'e' {
		e--
	}
	exp, _ := strconv.Atoi(string(s[e+1:]))
	digits := append([]byte{s[0]}, s[min(2, e):e]...)
	for len(digits) > 1 && digits[len(digits)-1] == '0' {
		digits = digits[:len(digits)-1]
	}
	n := len(digits)
	switch {
	case exp < -5 || exp > 15:
		b = append(append(b, digits[0]), '.')
		if n == 1 {
			b = append(b, '0')
		}
		b = append(b, digits[1:]...)
		return append(b, s[e:]...)
	case exp < 0:
		b = append(b, "0."...)
		for range -exp - 1 {
			b = append(b, '0')
		}
		return append(b, digits...)
	case n > exp+1:
		b = append(b, digits[:exp+1]...)
		b = append(b, '.')
		return append(b, digits[exp+1:]...)
	}
	b = append(b, digits...)
	for range exp + 1 - n {
		b = append(b, '0')
	}
	return append(b, ".0"...)
}
