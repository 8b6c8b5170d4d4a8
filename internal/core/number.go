package core

import (
	"math"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/weak"
)

// Number lists the Go types that are numbers to an op.
type Number interface {
	bool | int | int8 | int16 | int32 | int64 | uint | uint8 | uint16 | uint32 | uint64 |
		float32 | float64 | complex64 | complex128
}

// number is a Go number, which gives way to the type of a tensor.
type number = weak.Number

var (
	zero = number{Kind: dtype.KindSigned}
	one  = number{Kind: dtype.KindSigned, Int: 1}
)

// fromInt converts to an int or uint of 4 bytes, which some platforms have.
func fromInt[T Number](v int64) T {
	var out T
	switch p := any(&out).(type) {
	case *int:
		*p = int(v)
	case *uint:
		*p = uint(v)
	}
	return out
}

// bound returns the smallest value of a type, or the largest: infinities if it has them.
func bound(d DType, least bool) number {
	switch {
	case d == Bool:
		return boolNumber(!least)
	case d.IsFloat():
		n := number{Kind: dtype.KindFloat}
		switch {
		case d.HasInf() && least:
			n.Re = math.Inf(-1)
		case d.HasInf():
			n.Re = math.Inf(1)
		case least:
			n.Re = d.MinFinite()
		default:
			n.Re = d.MaxFinite()
		}
		return n
	case least:
		return number{Kind: dtype.KindSigned, Int: d.MinInt()}
	}
	return weak.Unsigned(d.MaxInt())
}

// boolNumber returns a bool as a number.
func boolNumber(b bool) number {
	n := number{Kind: dtype.KindBool}
	if b {
		n.Int = 1
	}
	return n
}

// fillValue is the element of [Fill]: NaN, 0 for types without NaN.
func fillValue(d DType) number {
	switch {
	case d.IsComplex():
		return number{Kind: dtype.KindComplex, Re: math.NaN(), Im: math.NaN()}
	case d.IsFloat() && d.HasNaN():
		return number{Kind: dtype.KindFloat, Re: math.NaN()}
	}
	return zero
}
