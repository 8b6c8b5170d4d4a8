package portable

import (
	"unsafe"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/kernels"
)

// convertInstr returns the step of Convert, Round and the ops on bits.
func convertInstr(in *kernel.Instr, dst, a ref) (step, error) {
	switch {
	case in.Op == kernel.Bitcast:
		size := in.Type.Size()
		return func(m *machine, n int) {
			if dst.uniform {
				n = 1
			}
			copy(unsafe.Slice((*byte)(m.regs[dst.reg]), n*size), unsafe.Slice((*byte)(m.regs[a.reg]), n*size))
		}, nil
	case in.Op == kernel.BitcastNarrow:
		return bitcastNarrow(in.From, dtype.Type(in.Imm[0]), dst, a), nil
	case in.Op == kernel.ReducePrecision:
		return reducePrecision(in, dst, a), nil
	case in.Op == kernel.Convert && in.Imm[0] != 0:
		return convertNarrow(in.From, dtype.Type(in.Imm[0]), dst, a), nil
	case in.Op == kernel.Round && in.From.IsFloat():
		return unary(dst, a, RoundLoop(in.From)), nil
	case in.Op == kernel.Round:
		sh := uint(8 - in.From.Bits())
		if in.From.IsSigned() {
			return map1(dst, a, func(x int8) int8 { return x << sh >> sh }), nil
		}
		return map1(dst, a, func(x uint8) uint8 { return x << sh >> sh }), nil
	}
	if s := fastConvert(in.From, in.Type, dst, a); s != nil {
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

// RoundLoop returns the loop that rounds to the numbers of a float type narrower than
// F32.
func RoundLoop(t dtype.Type) func(dst, src []float32) {
	switch t {
	case dtype.F16:
		return kernels.RoundF16
	case dtype.BF16:
		return kernels.RoundBF16
	}
	return func(dst, src []float32) {
		each(dst, src, func(x float32) float32 { return float32(t.Float64(t.FromFloat64(float64(x)))) })
	}
}

// fastConvert returns the loop of a common conversion, or nil.
func fastConvert(from, to dtype.Type, dst, a ref) step {
	switch {
	case from == to:
		return selectSame(to, dst, a)
	case from == dtype.S32 && to == dtype.F32:
		return map1(dst, a, func(x int32) float32 { return float32(x) })
	case from == dtype.Bool && to == dtype.F32:
		return map1(dst, a, func(x uint8) float32 { return float32(x) })
	case from == dtype.F32 && to == dtype.F64:
		return map1(dst, a, func(x float32) float64 { return float64(x) })
	case from == dtype.F64 && to == dtype.F32:
		return map1(dst, a, func(x float64) float32 { return float32(x) })
	case from == dtype.Bool && to == dtype.S32:
		return map1(dst, a, func(x uint8) int32 { return int32(x) })
	case from == dtype.U32 && to == dtype.F32:
		return map1(dst, a, func(x uint32) float32 { return float32(x) })
	}
	return nil
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

// convertNarrow rounds wide elements once to a narrow float type: by way of the
// register's type they would be rounded twice.
func convertNarrow(from, to dtype.Type, dst, a ref) step {
	widen := widenLoop(to, dtype.F32)
	return func(m *machine, n int) {
		if dst.uniform {
			n = 1
		}
		var narrow [2 * tileElems]byte
		s := unsafe.Slice((*byte)(m.regs[a.reg]), n*from.Size())
		if err := dtype.Convert(narrow[:n*to.Size()], to, s, from); err != nil {
			panic(err) // both are valid types of the right lengths
		}
		widen(m.regs[dst.reg], unsafe.Pointer(&narrow), n)
	}
}

// elemBits returns the bits of an element of type t, which lives in a register.
func elemBits(t dtype.Type, reg unsafe.Pointer, i int) uint64 {
	if t.IsFloat() && kernel.NeedsRound(t) {
		return t.FromFloat64(float64(*(*float32)(unsafe.Add(reg, 4*i))))
	}
	size := t.Size()
	return t.LoadBits(unsafe.Slice((*byte)(unsafe.Add(reg, size*i)), size), 0)
}

// setElemBits sets the element of type t that lives in a register.
func setElemBits(t dtype.Type, reg unsafe.Pointer, i int, bits uint64) {
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
	t, exponent, mantissa := in.From, int(in.Imm[0]), int(in.Imm[1])
	return onBits(t, t, dst, a, func(bits uint64) uint64 { return t.ReducePrecision(bits, exponent, mantissa) })
}
