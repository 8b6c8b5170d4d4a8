package eval

import (
	"math"

	"github.com/go-nx/nx/dtype"
)

func (w word) f32() float32 { return math.Float32frombits(uint32(w[0])) }
func (w word) f64() float64 { return math.Float64frombits(w[0]) }

func ofF32(x float32) word { return word{uint64(math.Float32bits(x))} }
func ofF64(x float64) word { return word{math.Float64bits(x)} }

func ofBool(b bool) word {
	if b {
		return word{1}
	}
	return word{}
}

// float returns the number in a float register, which float64 represents exactly.
func (w word) float(t dtype.Type) float64 {
	if t == dtype.F32 {
		return float64(w.f32())
	}
	return w.f64()
}

// ofFloat rounds a number to a float register.
func ofFloat(t dtype.Type, x float64) word {
	if t == dtype.F32 {
		return ofF32(float32(x))
	}
	return ofF64(x)
}

func (w word) complex(t dtype.Type) complex128 {
	if t == dtype.C64 {
		return complex(float64(math.Float32frombits(uint32(w[0]))), float64(math.Float32frombits(uint32(w[1]))))
	}
	return complex(math.Float64frombits(w[0]), math.Float64frombits(w[1]))
}

// ofComplex rounds a number to a complex register.
func ofComplex(t dtype.Type, z complex128) word {
	re, im := ofFloat(t.Real(), real(z)), ofFloat(t.Real(), imag(z))
	return word{re[0], im[0]}
}

// ofInt returns the integer x, wrapped or rounded, as a register of type t.
func ofInt(t dtype.Type, x int64) word {
	switch {
	case t.IsInteger():
		return wrapped(t, uint64(x))
	case t == dtype.F32:
		return ofF32(float32(x))
	case t == dtype.F64:
		return ofF64(float64(x))
	case t == dtype.C64:
		return ofComplex(t, complex(float64(float32(x)), 0))
	}
	return ofComplex(t, complex(float64(x), 0))
}

// wrapped returns the low bits of x as an element of an integer type, extended.
func wrapped(t dtype.Type, x uint64) word {
	sh := 64 - t.Bits()
	if t.IsSigned() {
		return word{uint64(int64(x<<sh) >> sh)}
	}
	return word{x << sh >> sh}
}

// zeroExtended returns the low bits of x.
func zeroExtended(t dtype.Type, x uint64) uint64 {
	sh := 64 - t.Bits()
	return x << sh >> sh
}

// fromBits returns the register that holds a constant.
func fromBits(t dtype.Type, bits [2]uint64) word {
	switch {
	case t == dtype.C64:
		return word{bits[0] & math.MaxUint32, bits[0] >> 32}
	case t.IsInteger():
		return wrapped(t, bits[0])
	}
	return bits
}
