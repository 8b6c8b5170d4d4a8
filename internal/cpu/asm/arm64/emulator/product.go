package emulator

import (
	"github.com/go-nx/nx/internal/cpu/asm/arm64"
	"github.com/go-nx/nx/internal/cpu/asm/memory"
	"github.com/go-nx/nx/internal/cpu/asm/softfloat"
)

// dot adds products of the parts of 4-byte elements to the destination.
func dot(f func(x *exec, d uint64, a, b []byte) uint64) execFunc {
	return func(x *exec) error {
		to, right := x.arg(0).Reg, x.arg(2)
		d, a, b := x.V[to.Num()], x.V[x.arg(1).Reg.Num()], x.V[right.Reg.Num()]
		var r [16]byte
		for i := 0; i < to.Class().Bytes(); i += 4 {
			at := i
			if right.Reg.Class() >= arm64.ElemB {
				at = 4 * int(right.Lane)
			}
			memory.Store(r[i:], 4, f(x, memory.Load(d[i:], 4), a[i:i+4], b[at:at+4]))
		}
		x.V[to.Num()] = r
		return nil
	}
}

// matrix multiplies 2 × n matrices of bytes or bf16 by the transpose of others, and adds the 2 × 2 results.
func matrix(f func(x *exec, d uint64, a, b []byte) uint64) execFunc {
	return func(x *exec) error {
		to := x.arg(0).Reg
		d, a, b := x.V[to.Num()], x.V[x.arg(1).Reg.Num()], x.V[x.arg(2).Reg.Num()]
		var r [16]byte
		for i := range 4 {
			row, col := i/2*8, i%2*8
			memory.Store(r[4*i:], 4, f(x, memory.Load(d[4*i:], 4), a[row:row+8], b[col:col+8]))
		}
		x.V[to.Num()] = r
		return nil
	}
}

// dotBytes adds products of bytes.
func dotBytes(signedA, signedB bool) func(x *exec, d uint64, a, b []byte) uint64 {
	value := func(v byte, isSigned bool) uint64 {
		if isSigned {
			return uint64(int64(int8(v)))
		}
		return uint64(v)
	}
	return func(_ *exec, d uint64, a, b []byte) uint64 {
		for i := range a {
			d += value(a[i], signedA) * value(b[i], signedB)
		}
		return d
	}
}

// dotBF16 adds the sums of two products each, rounded to odd, with subnormal numbers flushed, whatever FPCR says.
func dotBF16(_ *exec, d uint64, a, b []byte) uint64 {
	e := &softfloat.Environment{Mode: softfloat.ToOddOrInf, DAZ: true, FTZ: true, TinyBefore: true}
	op := func(f func(f *softfloat.Format, a, b uint64) uint64, a, b uint64) uint64 {
		if single.IsNaN(a) || single.IsNaN(b) {
			return nan(single)
		}
		return positiveNaN(single, f(single, a, b))
	}
	element := func(v []byte, i int) uint64 { return memory.Load(v[2*i:], 2) << 16 }
	for i := 0; i < len(a)/2; i += 2 {
		p := op(e.Mul, element(a, i), element(b, i))
		q := op(e.Mul, element(a, i+1), element(b, i+1))
		d = op(e.Add, d, op(e.Add, p, q))
	}
	return d
}

// longBF16 multiplies the elements with even or odd numbers, and adds them.
func longBF16(first int) execFunc {
	return func(x *exec) error {
		to, right := x.arg(0).Reg, x.arg(2)
		d, a, b := x.V[to.Num()], x.V[x.arg(1).Reg.Num()], x.V[right.Reg.Num()]
		var r [16]byte
		for i := range 4 {
			at := 2*i + first
			if right.Reg.Class() >= arm64.ElemB {
				at = int(right.Lane)
			}
			memory.Store(r[4*i:], 4, x.fused(4, memory.Load(d[4*i:], 4), memory.Load(a[2*(2*i+first):], 2)<<16,
				memory.Load(b[2*at:], 2)<<16))
		}
		x.V[to.Num()] = r
		return nil
	}
}

func init() {
	toBF16 := lanes(func(l *lane) uint64 {
		return l.x.convert(bf16, single, l.a, l.x.env(single).Mode)
	})
	define(map[arm64.Op]execFunc{
		arm64.SDOT: dot(dotBytes(true, true)), arm64.UDOT: dot(dotBytes(false, false)),
		arm64.USDOT: dot(dotBytes(false, true)),
		arm64.SMMLA: matrix(dotBytes(true, true)), arm64.UMMLA: matrix(dotBytes(false, false)),
		arm64.USMMLA: matrix(dotBytes(false, true)),
		arm64.BFDOT:  dot(dotBF16), arm64.BFMMLA: matrix(dotBF16),
		arm64.BFMLALB: longBF16(0), arm64.BFMLALT: longBF16(1),
		arm64.BFCVT: toBF16, arm64.BFCVTN: toBF16, arm64.BFCVTN2: toBF16,
	})
}
