package portable

import (
	"math"
	"unsafe"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/functions"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
)

// convertInstr returns the step of Convert, Round and the ops on bits.
func convertInstr(in *kernel.Instr, dst, a ref) (step, error) {
	switch {
	case in.Op == kernel.Bitcast && (kernel.NeedsRound(in.From) || kernel.NeedsRound(in.Type)):
		return bitcastNarrow(in.From, in.Type, dst, a), nil
	case in.Op == kernel.Bitcast:
		size := in.Type.Size()
		return func(m *machine, n int) {
			if dst.uniform {
				n = 1
			}
			copy(unsafe.Slice((*byte)(m.regs[dst.reg]), n*size), unsafe.Slice((*byte)(m.regs[a.reg]), n*size))
		}, nil
	case in.Op == kernel.ReducePrecision:
		return reducePrecision(in, dst, a), nil
	case in.Op == kernel.Convert && kernel.NeedsRound(in.Type):
		return convertNarrow(in.From, in.Type, dst, a), nil
	case in.Op == kernel.Round && in.Type.IsFloat():
		return unary(dst, a, functions.Rounding(in.Type)), nil
	case in.Op == kernel.Round:
		sh := uint(8 - in.Type.Bits())
		if in.Type.IsSigned() {
			return map1(dst, a, func(x int8) int8 { return x << sh >> sh }), nil
		}
		return map1(dst, a, func(x uint8) uint8 { return x << sh >> sh }), nil
	}
	if s := convertNumbers(in.From, in.Type, dst, a); s != nil {
		return s, nil
	}
	from, to := in.From, in.Type
	return func(m *machine, n int) {
		if dst.uniform {
			n = 1
		}
		d := unsafe.Slice((*byte)(m.regs[dst.reg]), n*to.Size())
		s := unsafe.Slice((*byte)(m.regs[a.reg]), n*from.Size())
		if err := dtype.Convert(d, to, s, from); err != nil {
			panic(err) // both are valid types of the right lengths
		}
	}, nil
}

// convertNumbers returns the step of a conversion between real register types, or nil.
func convertNumbers(from, to dtype.Type, dst, a ref) step {
	switch {
	case from == to:
		return selectSame(to, dst, a)
	case (from.IsInteger() || from == dtype.Bool) && to.IsInteger():
		return convertInts(from, to, dst, a)
	}
	switch to {
	case dtype.Bool:
		return convertToBool(from, dst, a)
	case dtype.S8:
		return convertFloats[int8](from, to, dst, a)
	case dtype.S16:
		return convertFloats[int16](from, to, dst, a)
	case dtype.S32:
		return convertFloats[int32](from, to, dst, a)
	case dtype.S64:
		return convertFloats[int64](from, to, dst, a)
	case dtype.U8:
		return convertFloats[uint8](from, to, dst, a)
	case dtype.U16:
		return convertFloats[uint16](from, to, dst, a)
	case dtype.U32:
		return convertFloats[uint32](from, to, dst, a)
	case dtype.U64:
		return convertFloats[uint64](from, to, dst, a)
	case dtype.F32:
		return convertTo[float32](from, dst, a)
	case dtype.F64:
		return convertTo[float64](from, dst, a)
	}
	return nil
}

// convertInts is convertNumbers between integers: it truncates, or extends by the signedness of the operand.
func convertInts(from, to dtype.Type, dst, a ref) step {
	switch {
	case from.Bits() < 8 && from != dtype.Bool || to.Bits() < 8:
		return nil
	case from.Size() == to.Size():
		return selectSame(to, dst, a)
	case from.Size() > to.Size():
		return truncateInts(from.Size(), to.Size(), dst, a)
	}
	switch to.Size() {
	case 2:
		return extendBytes[uint16](from, dst, a)
	case 4:
		return extendWords[uint32](from, dst, a)
	}
	switch from {
	case dtype.S32:
		return unary(dst, a, cast[uint64, int32])
	case dtype.U32:
		return unary(dst, a, cast[uint64, uint32])
	}
	return extendWords[uint64](from, dst, a)
}

// extendBytes extends 8-bit integers.
func extendBytes[D unsigned](from dtype.Type, dst, a ref) step {
	if from == dtype.S8 {
		return unary(dst, a, cast[D, int8])
	}
	return unary(dst, a, cast[D, uint8])
}

// extendWords extends 8- or 16-bit integers.
func extendWords[D unsigned](from dtype.Type, dst, a ref) step {
	switch from {
	case dtype.S16:
		return unary(dst, a, cast[D, int16])
	case dtype.U16:
		return unary(dst, a, cast[D, uint16])
	}
	return extendBytes[D](from, dst, a)
}

// truncateInts keeps the low bytes of integers.
func truncateInts(from, to int, dst, a ref) step {
	switch [2]int{from, to} {
	case [2]int{8, 4}:
		return unary(dst, a, cast[uint32, uint64])
	case [2]int{8, 2}:
		return unary(dst, a, cast[uint16, uint64])
	case [2]int{8, 1}:
		return unary(dst, a, cast[uint8, uint64])
	case [2]int{4, 2}:
		return unary(dst, a, cast[uint16, uint32])
	case [2]int{4, 1}:
		return unary(dst, a, cast[uint8, uint32])
	}
	return unary(dst, a, cast[uint8, uint16])
}

// convertToBool tests for nonzero numbers; NaN is nonzero. All types except floats test their bits.
func convertToBool(from dtype.Type, dst, a ref) step {
	switch {
	case from == dtype.F32:
		return unary(dst, a, func(d []uint8, a []uint32) { anyBits(d, a, math.MaxUint32>>1) })
	case from == dtype.F64:
		return unary(dst, a, func(d []uint8, a []uint64) { anyBits(d, a, math.MaxUint64>>1) })
	case from.IsComplex():
		return nil
	case from.Size() == 1:
		return unary(dst, a, func(d []uint8, a []uint8) { anyBits(d, a, math.MaxUint8) })
	case from.Size() == 2:
		return unary(dst, a, func(d []uint8, a []uint16) { anyBits(d, a, math.MaxUint16) })
	case from.Size() == 4:
		return unary(dst, a, func(d []uint8, a []uint32) { anyBits(d, a, math.MaxUint32) })
	}
	return unary(dst, a, func(d []uint8, a []uint64) { anyBits(d, a, math.MaxUint64) })
}

// anyBits tests which elements have one of the bits of a mask.
func anyBits[T unsigned](d []uint8, a []T, mask T) {
	d = d[:len(a)]
	for i, x := range a {
		d[i] = b2u(x&mask != 0)
	}
}

// convertTo converts to floats.
func convertTo[D float](from dtype.Type, dst, a ref) step {
	switch from {
	case dtype.Bool, dtype.U8:
		return unary(dst, a, cast[D, uint8])
	case dtype.U16:
		return unary(dst, a, cast[D, uint16])
	case dtype.U32:
		return unary(dst, a, cast[D, uint32])
	case dtype.U64:
		return unary(dst, a, cast[D, uint64])
	case dtype.S8:
		return unary(dst, a, cast[D, int8])
	case dtype.S16:
		return unary(dst, a, cast[D, int16])
	case dtype.S32:
		return unary(dst, a, cast[D, int32])
	case dtype.S64:
		return unary(dst, a, cast[D, int64])
	case dtype.F32:
		return unary(dst, a, cast[D, float32])
	case dtype.F64:
		return unary(dst, a, cast[D, float64])
	}
	return nil
}

// convertFloats converts floats to integers of type to.
func convertFloats[D integer](from, to dtype.Type, dst, a ref) step {
	switch {
	case from == dtype.F32 && to.IsUnsigned():
		return unary(dst, a, saturateUnsigned[D, float32](to))
	case from == dtype.F32:
		return unary(dst, a, saturate[D, float32](to))
	case from == dtype.F64 && to.IsUnsigned():
		return unary(dst, a, saturateUnsigned[D, float64](to))
	case from == dtype.F64:
		return unary(dst, a, saturate[D, float64](to))
	}
	return nil
}

// saturateUnsigned is saturate for unsigned integers. Negative numbers become 0 without a branch, since the signs of
// numbers around zero are unpredictable.
func saturateUnsigned[D ordered, S float](t dtype.Type) func(d []D, a []S) {
	maxInt, above := D(t.MaxInt()), math.Ldexp(1, t.Bits())
	return func(d []D, a []S) {
		d = d[:len(a)]
		for i, x := range a {
			b := math.Float64bits(float64(x))
			switch y := math.Float64frombits(b &^ uint64(int64(b)>>63)); {
			case y < above:
				d[i] = D(y)
			case y >= above:
				d[i] = maxInt
			default:
				d[i] = 0
			}
		}
	}
}

// cast converts as Go does, which agrees with StableHLO except from floats to integers.
func cast[D, S ordered](d []D, a []S) {
	d = d[:len(a)]
	for i, x := range a {
		d[i] = D(x)
	}
}

// saturate truncates; numbers outside the range of the integer type t become its nearest bound, NaN becomes 0.
func saturate[D ordered, S float](t dtype.Type) func(d []D, a []S) {
	minInt, maxInt := D(t.MinInt()), D(t.MaxInt())
	low, high := S(t.MinInt()), S(t.MaxInt()) // high is rounded up if it has too many bits
	return func(d []D, a []S) {
		d = d[:len(a)]
		for i, x := range a {
			switch {
			case x > low && x < high:
				d[i] = D(x)
			case x >= high:
				d[i] = maxInt
			case x <= low:
				d[i] = minInt
			default:
				d[i] = 0
			}
		}
	}
}

// selectSame copies a register.
func selectSame(t dtype.Type, dst, a ref) step {
	size := t.Size()
	return func(m *machine, n int) {
		if dst.uniform {
			n = 1
		}
		copy(unsafe.Slice((*byte)(m.regs[dst.reg]), n*size), unsafe.Slice((*byte)(m.regs[a.reg]), n*size))
	}
}

// convertNarrow rounds wide elements once to a narrow float type: via the register type they would be rounded twice.
func convertNarrow(from, to dtype.Type, dst, a ref) step {
	widen := widenLoop(to, dtype.F32)
	return func(m *machine, n int) {
		if dst.uniform {
			n = 1
		}
		var narrow [2 * plan.TileElems]byte
		s := unsafe.Slice((*byte)(m.regs[a.reg]), n*from.Size())
		if err := dtype.Convert(narrow[:n*to.Size()], to, s, from); err != nil {
			panic(err) // both are valid types of the right lengths
		}
		widen(m.regs[dst.reg], unsafe.Pointer(&narrow), n)
	}
}

// elemBits returns the bits of an element of type t, which lives in a register.
func elemBits(t dtype.Type, reg unsafe.Pointer, i int) uint64 {
	if t == dtype.BF16 { // the upper half of an F32, also for NaN with any payload
		return uint64(*(*uint32)(unsafe.Add(reg, 4*i)) >> 16)
	}
	if t.IsFloat() && kernel.NeedsRound(t) {
		return t.FromFloat64(float64(*(*float32)(unsafe.Add(reg, 4*i))))
	}
	size := t.Size()
	return t.LoadBits(unsafe.Slice((*byte)(unsafe.Add(reg, size*i)), size), 0)
}

// setElemBits sets the element of type t that lives in a register.
func setElemBits(t dtype.Type, reg unsafe.Pointer, i int, bits uint64) {
	if t == dtype.BF16 {
		*(*uint32)(unsafe.Add(reg, 4*i)) = uint32(bits) << 16
		return
	}
	if t.IsFloat() && kernel.NeedsRound(t) {
		*(*float32)(unsafe.Add(reg, 4*i)) = float32(t.Float64(bits))
		return
	}
	size := t.Size()
	t.StoreBits(unsafe.Slice((*byte)(unsafe.Add(reg, size*i)), size), 0, bits)
}

// onBits applies f to the bits of each element.
func onBits(from, to dtype.Type, dst, a ref, f func(bits uint64) uint64) step {
	return func(m *machine, n int) {
		if dst.uniform {
			n = 1
		}
		d, s := m.regs[dst.reg], m.regs[a.reg]
		for i := range n {
			setElemBits(to, d, i, f(elemBits(from, s, i)))
		}
	}
}

func bitcastNarrow(from, to dtype.Type, dst, a ref) step {
	return onBits(from, to, dst, a, func(bits uint64) uint64 { return bits })
}

func reducePrecision(in *kernel.Instr, dst, a ref) step {
	t, exponent, mantissa := in.Type, in.ExponentBits, in.MantissaBits
	switch t {
	case dtype.F64:
		f := precision[uint64](t, exponent, mantissa)
		return unary(dst, a, func(d, x []uint64) { f.reduce(d, x) })
	case dtype.F32, dtype.BF16: // it has the exponents of F32, and lives there
		f := precision[uint32](dtype.F32, exponent, mantissa)
		return unary(dst, a, func(d, x []uint32) { f.reduce(d, x) })
	}
	return onBits(t, t, dst, a, func(bits uint64) uint64 { return t.ReducePrecision(bits, exponent, mantissa) })
}

// floatFormat is a float format in terms of the bits of the type that its numbers live in, as in
// [dtype.Type.ReducePrecision].
type floatFormat[B uint32 | uint64] struct {
	sign, infinite B
	dropped        uint // mantissa bits that are dropped
	below, mask    B    // just less than half of the last kept place; the bits below that place
	zero, large    B    // magnitudes up to zero become 0, those above large infinite
	dropsNaN       bool
}

// precision returns the format with the given bits in type t.
func precision[B uint32 | uint64](t dtype.Type, exponentBits, mantissaBits int) floatFormat[B] {
	m := t.MantissaBits()
	n := floatFormat[B]{sign: 1 << (t.Bits() - 1), infinite: B(1<<t.ExponentBits()-1) << m, dropsNaN: mantissaBits == 0}
	n.large = n.infinite
	if cut := m - mantissaBits; cut > 0 {
		n.dropped, n.below, n.mask = uint(cut), 1<<cut>>1-1, 1<<cut-1
	}
	if exponentBits < t.ExponentBits() {
		span := 1<<(exponentBits-1) - 1
		n.zero = B(t.Bias()-span+1)<<m - 1
		n.large = B(t.Bias()+span+1)<<m - 1
	}
	return n
}

func (n *floatFormat[B]) reduce(d, x []B) {
	d = d[:len(x)]
	for i, v := range x {
		a := v &^ n.sign
		switch {
		case a > n.infinite: // NaN
			if n.dropsNaN {
				v = n.infinite
			}
			d[i] = v
			continue
		case n.dropped > 0:
			a = (a + n.below + a>>n.dropped&1) &^ n.mask
		}
		if a > n.large {
			a = n.infinite
		} else if a <= n.zero {
			a = 0
		}
		d[i] = a | v&n.sign
	}
}
