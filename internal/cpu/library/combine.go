package library

import (
	"unsafe"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/kernels/half"
	"github.com/go-nx/nx/internal/cpu/kernels/special"
	"github.com/go-nx/nx/internal/cpu/program"
)

// combiner updates n elements with n others: dst[i] = body(dst[i], src[i]).
type combiner func(dst, src unsafe.Pointer, n int)

type integer interface {
	int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64
}

type ordered interface{ integer | float32 | float64 }

// newCombiner returns the loop of a body on elements of type t that is one operation, or the update itself; nil for
// others.
func newCombiner(body *program.Body, t dtype.Type) combiner {
	if body.Args != 2 {
		return nil
	}
	if body.IsSecond() {
		size := t.Size()
		return func(dst, src unsafe.Pointer, n int) {
			copy(unsafe.Slice((*byte)(dst), n*size), unsafe.Slice((*byte)(src), n*size))
		}
	}
	op := body.Kind
	if op != kernel.Max && op != kernel.Min {
		t = unsigned(t) // the bits do not depend on the sign
	}
	switch t {
	case dtype.Bool:
		return combineBools(op)
	case dtype.S8:
		return combineExtremes[int8](op)
	case dtype.S16:
		return combineExtremes[int16](op)
	case dtype.S32:
		return combineExtremes[int32](op)
	case dtype.S64:
		return combineExtremes[int64](op)
	case dtype.U8:
		return combineInts[uint8](op)
	case dtype.U16:
		return combineInts[uint16](op)
	case dtype.U32:
		return combineInts[uint32](op)
	case dtype.U64:
		return combineInts[uint64](op)
	case dtype.F32:
		return combineReals[float32](op)
	case dtype.F64:
		return combineReals[float64](op)
	case dtype.C64:
		return combineComplexes(op, mulComplex64)
	case dtype.C128:
		return combineComplexes(op, special.CMul)
	}
	if (t == dtype.F16 || t == dtype.BF16) && combineReals[float32](op) != nil {
		return func(dst, src unsafe.Pointer, n int) {
			combineHalves(t, op, unsafe.Slice((*uint16)(dst), n), unsafe.Slice((*uint16)(src), n))
		}
	}
	return nil
}

// unsigned returns the unsigned type of the same width for integers, and other types unchanged.
func unsigned(t dtype.Type) dtype.Type {
	switch t {
	case dtype.S8:
		return dtype.U8
	case dtype.S16:
		return dtype.U16
	case dtype.S32:
		return dtype.U32
	case dtype.S64:
		return dtype.U64
	}
	return t
}

// combineHalves computes in float32, and rounds after every operation.
func combineHalves(t dtype.Type, op kernel.Op, dst, src []uint16) {
	var x, y [64]float32
	for len(dst) > 0 {
		n := min(len(dst), len(x))
		d, s, a, b := dst[:n], src[:n], x[:n], y[:n]
		if t == dtype.F16 {
			half.WidenF16(a, d)
			half.WidenF16(b, s)
		} else {
			half.WidenBF16(a, d)
			half.WidenBF16(b, s)
		}
		for i, v := range b {
			switch op {
			case kernel.Add:
				a[i] += v
			case kernel.Mul:
				a[i] *= v
			case kernel.Max:
				a[i] = max(a[i], v)
			case kernel.Min:
				a[i] = min(a[i], v)
			}
		}
		if t == dtype.F16 {
			half.NarrowF16(d, a)
		} else {
			half.NarrowBF16(d, a)
		}
		dst, src = dst[n:], src[n:]
	}
}

func combineSums[T ordered | complex64 | complex128](op kernel.Op) combiner {
	if op != kernel.Add {
		return nil
	}
	return func(dst, src unsafe.Pointer, n int) {
		d := unsafe.Slice((*T)(dst), n)
		for i, x := range unsafe.Slice((*T)(src), n) {
			d[i] += x
		}
	}
}

// combineComplexes multiplies or adds complex numbers.
func combineComplexes[T complex64 | complex128](op kernel.Op, times func(x, y T) T) combiner {
	if op == kernel.Mul {
		return func(dst, src unsafe.Pointer, n int) {
			d := unsafe.Slice((*T)(dst), n)
			for i, x := range unsafe.Slice((*T)(src), n) {
				d[i] = times(d[i], x)
			}
		}
	}
	return combineSums[T](op)
}

// mulComplex64 rounds once: Go multiplies complex64 in float64.
func mulComplex64(x, y complex64) complex64 { return x * y }

func combineReals[T ordered](op kernel.Op) combiner {
	if op == kernel.Mul {
		return func(dst, src unsafe.Pointer, n int) {
			d := unsafe.Slice((*T)(dst), n)
			for i, x := range unsafe.Slice((*T)(src), n) {
				d[i] *= x
			}
		}
	}
	if f := combineExtremes[T](op); f != nil {
		return f
	}
	return combineSums[T](op)
}

func combineExtremes[T ordered](op kernel.Op) combiner {
	switch op {
	case kernel.Max:
		return func(dst, src unsafe.Pointer, n int) {
			d := unsafe.Slice((*T)(dst), n)
			for i, x := range unsafe.Slice((*T)(src), n) {
				d[i] = max(d[i], x)
			}
		}
	case kernel.Min:
		return func(dst, src unsafe.Pointer, n int) {
			d := unsafe.Slice((*T)(dst), n)
			for i, x := range unsafe.Slice((*T)(src), n) {
				d[i] = min(d[i], x)
			}
		}
	}
	return nil
}

func combineInts[T uint8 | uint16 | uint32 | uint64](op kernel.Op) combiner {
	switch op {
	case kernel.And:
		return func(dst, src unsafe.Pointer, n int) {
			d := unsafe.Slice((*T)(dst), n)
			for i, x := range unsafe.Slice((*T)(src), n) {
				d[i] &= x
			}
		}
	case kernel.Or:
		return func(dst, src unsafe.Pointer, n int) {
			d := unsafe.Slice((*T)(dst), n)
			for i, x := range unsafe.Slice((*T)(src), n) {
				d[i] |= x
			}
		}
	case kernel.Xor:
		return func(dst, src unsafe.Pointer, n int) {
			d := unsafe.Slice((*T)(dst), n)
			for i, x := range unsafe.Slice((*T)(src), n) {
				d[i] ^= x
			}
		}
	}
	return combineReals[T](op)
}

func combineBools(op kernel.Op) combiner {
	switch op {
	case kernel.Add, kernel.Max:
		op = kernel.Or
	case kernel.Mul, kernel.Min:
		op = kernel.And
	}
	return combineInts[uint8](op)
}
