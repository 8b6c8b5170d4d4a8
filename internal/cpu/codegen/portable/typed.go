package portable

import (
	"fmt"
	"math"
	"strings"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/functions"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/kernels/special"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// typedInstr returns the step of an instruction on operands of register type t.
func typedInstr(in *kernel.Instr, t dtype.Type, dst, a, b ref) (step, error) {
	var s step
	switch t {
	case dtype.Bool:
		s = boolInstr(in, dst, a, b)
	case dtype.S8, dtype.U8:
		s = intInstr[int8, uint8](in, t, dst, a, b)
	case dtype.S16, dtype.U16:
		s = intInstr[int16, uint16](in, t, dst, a, b)
	case dtype.S32, dtype.U32:
		s = intInstr[int32, uint32](in, t, dst, a, b)
	case dtype.S64, dtype.U64:
		s = intInstr[int64, uint64](in, t, dst, a, b)
	case dtype.F32:
		s = floatInstr[float32](in, dst, a, b)
	case dtype.F64:
		s = floatInstr[float64](in, dst, a, b)
	case dtype.C64:
		s = complexInstr[complex64, float32](in, dst, a, b)
	case dtype.C128:
		s = complexInstr[complex128, float64](in, dst, a, b)
	}
	if s == nil {
		return nil, fmt.Errorf("%s is not defined for %s", strings.TrimSpace(in.Op.String()+" "+in.Func), t)
	}
	return s, nil
}

// unary wraps a loop over one operand.
//
//go:noinline
func unary[D, T any](dst, a ref, loop func(d []D, a []T)) step {
	return func(m *machine, n int) { loop(vec[D](m, dst, n), vec[T](m, a, n)) }
}

// binary wraps a loop over two operands.
//
//go:noinline
func binary[D, T any](dst, a, b ref, loop func(d []D, a, b []T)) step {
	return func(m *machine, n int) { loop(vec[D](m, dst, n), vec[T](m, a, n), vec[T](m, b, n)) }
}

// map1 wraps a scalar function of one operand.
//
//go:noinline
func map1[D, T any](dst, a ref, f func(T) D) step {
	return unary(dst, a, func(d []D, a []T) { each(d, a, f) })
}

// map2 wraps a scalar function of two operands.
//
//go:noinline
func map2[D, T any](dst, a, b ref, f func(x, y T) D) step {
	return binary(dst, a, b, func(d []D, a, b []T) { zip(d, a, b, f) })
}

func boolInstr(in *kernel.Instr, dst, a, b ref) step {
	switch in.Op {
	case kernel.Not:
		return unary(dst, a, not)
	case kernel.And, kernel.Mul, kernel.Min:
		return binary(dst, a, b, and[uint8])
	case kernel.Or, kernel.Add, kernel.Max:
		return binary(dst, a, b, or[uint8])
	case kernel.Xor, kernel.NE, kernel.Sub:
		return binary(dst, a, b, xor[uint8])
	case kernel.Popcnt:
		return selectSame(dtype.Bool, dst, a)
	case kernel.Clz:
		return unary(dst, a, not)
	}
	return compareInstr[uint8](in.Op, dst, a, b)
}

// compareInstr returns the step of a comparison, or nil.
func compareInstr[T ordered](op kernel.Op, dst, a, b ref) step {
	switch op {
	case kernel.EQ, kernel.TotalEQ:
		return binary(dst, a, b, equal[T])
	case kernel.NE:
		return binary(dst, a, b, notEqual[T])
	}
	return orderInstr[T](op, dst, a, b)
}

// orderInstr returns the step of a comparison for order, or nil.
func orderInstr[T ordered](op kernel.Op, dst, a, b ref) step {
	switch op {
	case kernel.LT, kernel.TotalLT:
		return binary(dst, a, b, less[T])
	case kernel.LE, kernel.TotalLE:
		return binary(dst, a, b, lessEqual[T])
	case kernel.GT:
		return binary(dst, b, a, less[T])
	case kernel.GE:
		return binary(dst, b, a, lessEqual[T])
	}
	return nil
}

// intInstr returns the step of an instruction on integers of one width, signed or unsigned.
func intInstr[S signed, U unsigned](in *kernel.Instr, t dtype.Type, dst, a, b ref) step {
	if s := wordInstr[U](in, dst, a, b); s != nil {
		return s
	}
	if t.IsSigned() {
		return signInstr[S](in, true, dst, a, b)
	}
	return signInstr[U](in, false, dst, a, b)
}

// wordInstr returns the step of an instruction that is the same for signed and unsigned integers, or nil.
func wordInstr[T unsigned](in *kernel.Instr, dst, a, b ref) step {
	bits := in.Type.Bits() // of the elements, which may be narrower than the register
	switch in.Op {
	case kernel.Neg:
		return unary(dst, a, neg[T])
	case kernel.Not:
		return unary(dst, a, complement[T])
	case kernel.Popcnt:
		return unary(dst, a, popcntLoop[T](bits))
	case kernel.Clz:
		return unary(dst, a, clzLoop[T](bits))
	case kernel.Add:
		return binary(dst, a, b, add[T])
	case kernel.Sub:
		return binary(dst, a, b, sub[T])
	case kernel.Mul:
		return binary(dst, a, b, mul[T])
	case kernel.And:
		return binary(dst, a, b, and[T])
	case kernel.Or:
		return binary(dst, a, b, or[T])
	case kernel.Xor:
		return binary(dst, a, b, xor[T])
	case kernel.Shl:
		return binary(dst, a, b, byteShift(bits, shiftLeftWords, shiftLeft[T](bits)))
	case kernel.ShrL:
		return binary(dst, a, b, byteShift(bits, shiftRightZeroWords, shiftRight[T](bits)))
	case kernel.EQ, kernel.TotalEQ:
		return binary(dst, a, b, equal[T])
	case kernel.NE:
		return binary(dst, a, b, notEqual[T])
	}
	return nil
}

// signInstr returns the step of an instruction that depends on the signedness.
func signInstr[T integer](in *kernel.Instr, isSigned bool, dst, a, b ref) step {
	bits := in.Type.Bits()
	switch in.Op {
	case kernel.Abs:
		return unary(dst, a, absInt[T])
	case kernel.Sign:
		return unary(dst, a, signInt[T])
	case kernel.Div:
		return binary(dst, a, b, divInts[T])
	case kernel.Rem:
		return binary(dst, a, b, remInts[T])
	case kernel.Max:
		if width[T]() == 8 {
			return binary(dst, a, b, minMaxBytes[T](isSigned, true))
		}
		return binary(dst, a, b, maximum[T])
	case kernel.Min:
		if width[T]() == 8 {
			return binary(dst, a, b, minMaxBytes[T](isSigned, false))
		}
		return binary(dst, a, b, minimum[T])
	case kernel.Pow:
		return binary(dst, a, b, powInts[T])
	case kernel.ShrA:
		return binary(dst, a, b, byteShift(bits, shiftRightSignWords, shiftRightSigned[T](bits)))
	case kernel.MulHi:
		return binary(dst, a, b, mulHiLoop[T](bits, isSigned))
	}
	return orderInstr[T](in.Op, dst, a, b)
}

func floatInstr[T float](in *kernel.Instr, dst, a, b ref) step {
	if f := floatFunction[T](in); f != nil {
		return unary(dst, a, f)
	}
	if f := floatLoop[T](in.Op); f != nil {
		return unary(dst, a, f)
	}
	if in.Op == kernel.Pow && width[T]() == 32 {
		return powF32(dst, a, b)
	}
	switch { // loops that support operands of one element
	case in.Op == kernel.Pow:
		return binary(dst, a, b, special.PowF64)
	case in.Op == kernel.Rem && width[T]() == 32:
		return binary(dst, a, b, special.RemF32)
	case in.Op == kernel.Rem:
		return binary(dst, a, b, special.RemF64)
	}
	if f := floatFunction2[T](in); f != nil {
		return map2(dst, a, b, f)
	}
	switch in.Op {
	case kernel.Neg:
		return unary(dst, a, neg[T])
	case kernel.Abs:
		return unary(dst, a, absFloat[T])
	case kernel.Sqrt:
		return unary(dst, a, sqrt[T])
	case kernel.IsFinite:
		return map1(dst, a, func(x T) uint8 { return b2u(x-x == 0) })
	case kernel.Add:
		return binary(dst, a, b, add[T])
	case kernel.Sub:
		return binary(dst, a, b, sub[T])
	case kernel.Mul:
		return binary(dst, a, b, mul[T])
	case kernel.Div:
		return binary(dst, a, b, div[T])
	case kernel.Max:
		return binary(dst, a, b, maximum[T])
	case kernel.Min:
		return binary(dst, a, b, minimum[T])
	case kernel.NextAfter:
		switch elem := in.Type; elem {
		case dtype.F32:
			return map2(dst, a, b, func(x, y T) T { return T(nextAfter32(float32(x), float32(y))) })
		case dtype.F64:
			return map2(dst, a, b, func(x, y T) T { return T(nextAfter64(float64(x), float64(y))) })
		default:
			return map2(dst, a, b, func(x, y T) T { return T(elem.NextAfter(float64(x), float64(y))) })
		}
	case kernel.Scale:
		return map2(dst, a, b, func(x, n T) T { return T(math.Ldexp(float64(x), int(float64(n)))) })
	case kernel.TotalEQ:
		return map2(dst, a, b, func(x, y T) uint8 { return b2u(totalKey(x) == totalKey(y)) })
	case kernel.TotalLT:
		return map2(dst, a, b, func(x, y T) uint8 { return b2u(totalKey(x) < totalKey(y)) })
	case kernel.TotalLE:
		return map2(dst, a, b, func(x, y T) uint8 { return b2u(totalKey(x) <= totalKey(y)) })
	}
	return compareInstr[T](in.Op, dst, a, b)
}

// powF32 broadcasts uniform operands: the loop takes two slices of one length.
func powF32(dst, a, b ref) step {
	return func(m *machine, n int) {
		d, x, y := vec[float32](m, dst, n), vec[float32](m, a, n), vec[float32](m, b, n)
		var one [64]float32
		for len(d) > 0 {
			k := len(d)
			u, v := x, y
			if len(x) != len(d) || len(y) != len(d) { // one is uniform
				k = min(k, len(one))
				if len(x) == 1 {
					rt.Fill(one[:k], x[0])
					u, v = one[:k], y[:k]
				} else {
					rt.Fill(one[:k], y[0])
					u, v = x[:k], one[:k]
				}
			}
			special.PowF32(d[:k], u[:k], v[:k])
			d = d[k:]
			if len(x) > 1 {
				x = x[min(k, len(x)):]
			}
			if len(y) > 1 {
				y = y[min(k, len(y)):]
			}
		}
	}
}

// totalKey maps floats to integers in the order of IEEE 754 totalOrder.
func totalKey[T float](x T) int64 {
	if width[T]() == 32 {
		i := int32(math.Float32bits(float32(x)))
		return int64(i ^ (i >> 31 & math.MaxInt32))
	}
	i := int64(math.Float64bits(float64(x)))
	return i ^ (i >> 63 & math.MaxInt64)
}

// complexParts returns the step of Real, Imag and Complex.
func complexParts(in *kernel.Instr, dst ref, refs []ref) (step, error) {
	a := refs[in.Args[0]]
	switch {
	case in.Op == kernel.Real && in.Type == dtype.F32:
		return map1(dst, a, func(x complex64) float32 { return real(x) }), nil
	case in.Op == kernel.Real && in.Type == dtype.F64:
		return map1(dst, a, func(x complex128) float64 { return real(x) }), nil
	case in.Op == kernel.Imag && in.Type == dtype.F32:
		return map1(dst, a, func(x complex64) float32 { return imag(x) }), nil
	case in.Op == kernel.Imag && in.Type == dtype.F64:
		return map1(dst, a, func(x complex128) float64 { return imag(x) }), nil
	case in.Op == kernel.Complex && in.Type == dtype.C64:
		return map2(dst, a, refs[in.Args[1]], func(x, y float32) complex64 { return complex(x, y) }), nil
	case in.Op == kernel.Complex && in.Type == dtype.C128:
		return map2(dst, a, refs[in.Args[1]], func(x, y float64) complex128 { return complex(x, y) }), nil
	}
	return nil, fmt.Errorf("%s is not defined for %s", in.Op, in.Type)
}

// fmaInstr returns the step of FMA.
func fmaInstr(t dtype.Type, dst, a, b, c ref) step {
	if t == dtype.F64 {
		return fmaStep(dst, a, b, c, math.FMA)
	}
	return fmaStep(dst, a, b, c, special.FMA32)
}

func fmaStep[T float](dst, a, b, c ref, f func(x, y, z T) T) step {
	at := func(v []T, i int) T { return v[min(i, len(v)-1)] }
	return func(m *machine, n int) {
		x, y, z := vec[T](m, a, n), vec[T](m, b, n), vec[T](m, c, n)
		for i, d := 0, vec[T](m, dst, n); i < len(d); i++ {
			d[i] = f(at(x, i), at(y, i), at(z, i))
		}
	}
}

// selectInstr returns the step of Select, which only moves elements.
func selectInstr(t dtype.Type, dst, p, a, b ref) (step, error) {
	switch t.Size() {
	case 1:
		return selectStep(dst, p, a, b, choose8), nil
	case 2:
		return selectStep(dst, p, a, b, choose[uint16]), nil
	case 4:
		return selectStep(dst, p, a, b, choose[uint32]), nil
	case 8:
		return selectStep(dst, p, a, b, choose[uint64]), nil
	case 16:
		return selectStep(dst, p, a, b, choose[complex128]), nil
	}
	return nil, fmt.Errorf("select is not defined for %s", t)
}

//go:noinline
func selectStep[T any](dst, p, a, b ref, loop func(d []T, c []uint8, a, b []T)) step {
	return func(m *machine, n int) {
		loop(vec[T](m, dst, n), vec[uint8](m, p, n), vec[T](m, a, n), vec[T](m, b, n))
	}
}

// floatFunction returns the loop of an elementary function of one operand, nil for other instructions.
func floatFunction[T float](in *kernel.Instr) func(d, a []T) {
	var loop any = functions.F64(in)
	if width[T]() == 32 {
		loop = functions.F32(in)
	}
	f, _ := loop.(func(d, a []T))
	return f
}

// floatFunction2 returns an elementary function of two operands, nil for other instructions.
func floatFunction2[T float](in *kernel.Instr) func(x, y T) T {
	var function any = functions.F64x2(in)
	if width[T]() == 32 {
		function = functions.F32x2(in)
	}
	f, _ := function.(func(x, y T) T)
	return f
}
