package emulator

import (
	"math/big"

	"github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/asm/softfloat"
)

// fmaForm is an operand order of fused multiply-adds.
type fmaForm struct {
	ops        floatOps
	form       int // 132, 213 or 231
	neg        bool
	c          int // sign of the addend: 1, -1, 2 for alternating ±, -2 for ∓
	packedOnly bool
}

var fmas = []fmaForm{
	{floatOps{amd64.VFMADD132PH, amd64.VFMADD132PS, amd64.VFMADD132PD, amd64.VFMADD132SH, amd64.VFMADD132SS,
		amd64.VFMADD132SD}, 132, false, 1, false},
	{floatOps{amd64.VFMADD213PH, amd64.VFMADD213PS, amd64.VFMADD213PD, amd64.VFMADD213SH, amd64.VFMADD213SS,
		amd64.VFMADD213SD}, 213, false, 1, false},
	{floatOps{amd64.VFMADD231PH, amd64.VFMADD231PS, amd64.VFMADD231PD, amd64.VFMADD231SH, amd64.VFMADD231SS,
		amd64.VFMADD231SD}, 231, false, 1, false},
	{floatOps{amd64.VFMSUB132PH, amd64.VFMSUB132PS, amd64.VFMSUB132PD, amd64.VFMSUB132SH, amd64.VFMSUB132SS,
		amd64.VFMSUB132SD}, 132, false, -1, false},
	{floatOps{amd64.VFMSUB213PH, amd64.VFMSUB213PS, amd64.VFMSUB213PD, amd64.VFMSUB213SH, amd64.VFMSUB213SS,
		amd64.VFMSUB213SD}, 213, false, -1, false},
	{floatOps{amd64.VFMSUB231PH, amd64.VFMSUB231PS, amd64.VFMSUB231PD, amd64.VFMSUB231SH, amd64.VFMSUB231SS,
		amd64.VFMSUB231SD}, 231, false, -1, false},
	{floatOps{amd64.VFNMADD132PH, amd64.VFNMADD132PS, amd64.VFNMADD132PD, amd64.VFNMADD132SH, amd64.VFNMADD132SS,
		amd64.VFNMADD132SD}, 132, true, 1, false},
	{floatOps{amd64.VFNMADD213PH, amd64.VFNMADD213PS, amd64.VFNMADD213PD, amd64.VFNMADD213SH, amd64.VFNMADD213SS,
		amd64.VFNMADD213SD}, 213, true, 1, false},
	{floatOps{amd64.VFNMADD231PH, amd64.VFNMADD231PS, amd64.VFNMADD231PD, amd64.VFNMADD231SH, amd64.VFNMADD231SS,
		amd64.VFNMADD231SD}, 231, true, 1, false},
	{floatOps{amd64.VFNMSUB132PH, amd64.VFNMSUB132PS, amd64.VFNMSUB132PD, amd64.VFNMSUB132SH, amd64.VFNMSUB132SS,
		amd64.VFNMSUB132SD}, 132, true, -1, false},
	{floatOps{amd64.VFNMSUB213PH, amd64.VFNMSUB213PS, amd64.VFNMSUB213PD, amd64.VFNMSUB213SH, amd64.VFNMSUB213SS,
		amd64.VFNMSUB213SD}, 213, true, -1, false},
	{floatOps{amd64.VFNMSUB231PH, amd64.VFNMSUB231PS, amd64.VFNMSUB231PD, amd64.VFNMSUB231SH, amd64.VFNMSUB231SS,
		amd64.VFNMSUB231SD}, 231, true, -1, false},
	{floatOps{ph: amd64.VFMADDSUB132PH, ps: amd64.VFMADDSUB132PS, pd: amd64.VFMADDSUB132PD}, 132, false, -2, true},
	{floatOps{ph: amd64.VFMADDSUB213PH, ps: amd64.VFMADDSUB213PS, pd: amd64.VFMADDSUB213PD}, 213, false, -2, true},
	{floatOps{ph: amd64.VFMADDSUB231PH, ps: amd64.VFMADDSUB231PS, pd: amd64.VFMADDSUB231PD}, 231, false, -2, true},
	{floatOps{ph: amd64.VFMSUBADD132PH, ps: amd64.VFMSUBADD132PS, pd: amd64.VFMSUBADD132PD}, 132, false, 2, true},
	{floatOps{ph: amd64.VFMSUBADD213PH, ps: amd64.VFMSUBADD213PS, pd: amd64.VFMSUBADD213PD}, 213, false, 2, true},
	{floatOps{ph: amd64.VFMSUBADD231PH, ps: amd64.VFMSUBADD231PS, pd: amd64.VFMSUBADD231PD}, 231, false, 2, true},
}

// fused computes an element with operands in the order 1, 2, 3, the first being the destination.
func (o *fmaForm) fused(x *exec, f *format, i int, d, s2, s3 uint64) uint64 {
	var a, b, c uint64
	switch o.form {
	case 132:
		a, b, c = d, s3, s2
	case 213:
		a, b, c = s2, d, s3
	case 231:
		a, b, c = s2, s3, d
	}
	nans := []uint64{a, b, c}
	if o.neg {
		a ^= f.Sign()
	}
	if o.c == -1 || o.c == -2 && i&1 == 0 || o.c == 2 && i&1 == 1 {
		c ^= f.Sign()
	}
	return x.FMA(f, a, b, c, nans...)
}

func init() {
	for i := range fmas {
		o := &fmas[i]
		for w, op := range o.ops.packed() {
			def(op, func(x *exec) error {
				n := x.vl / w
				b, err := x.read(2, w, n)
				if err != nil {
					return err
				}
				d, a := vec(x.m.V[x.in.Args[0].Reg.Num()]), vec(x.m.V[x.in.Args[1].Reg.Num()])
				var r vec
				for i := range n {
					if x.isActive(i) {
						r.put(i, w, o.fused(x, floats[w], i, d.get(i, w), a.get(i, w), b.get(i, w)))
					}
				}
				return x.write(&r, w, n)
			})
		}
		if o.packedOnly {
			continue
		}
		for w, op := range o.ops.single() {
			def(op, func(x *exec) error {
				b, err := x.read(2, w, 1)
				if err != nil {
					return err
				}
				d, a := vec(x.m.V[x.in.Args[0].Reg.Num()]), vec(x.m.V[x.in.Args[1].Reg.Num()])
				r := d.get(0, w)
				if x.isActive(0) {
					r = o.fused(x, floats[w], 0, r, a.get(0, w), b.get(0, w))
				}
				return x.writeScalar(r, w, &d)
			})
		}
	}

	for _, ops := range []map[amd64.Op]execFunc{{
		amd64.VPDPBUSD: dotBytes(false), amd64.VPDPBUSDS: dotBytes(true),
		amd64.VPDPWSSD: dotWords(false), amd64.VPDPWSSDS: dotWords(true),
	}, {
		amd64.VEX_VPDPBUSD: dotBytes(false), amd64.VEX_VPDPBUSDS: dotBytes(true),
		amd64.VEX_VPDPWSSD: dotWords(false), amd64.VEX_VPDPWSSDS: dotWords(true),
	}, {
		amd64.VPMADD52LUQ: multiplyAdd52(0), amd64.VPMADD52HUQ: multiplyAdd52(52),
		amd64.VCVTNEPS2BF16: convert(2, 4, func(_ *exec, a uint64) uint64 { return toBF16(a) }),
		amd64.VCVTNE2PS2BF16: func(x *exec) error {
			n := x.vl / 2
			a, b, err := x.vectors(1)
			if err != nil {
				return err
			}
			var r vec
			for i := range n / 2 {
				r.put(i, 2, toBF16(b.get(i, 4)))
				r.put(i+n/2, 2, toBF16(a.get(i, 4)))
			}
			return x.write(&r, 2, n)
		},
		amd64.VDPBF16PS: lanes3(4, func(_ *exec, a, b, d uint64) uint64 { return dotBF16(a, b, d) }),
	}} {
		define(ops)
	}
}

// flushing is the environment of bf16 instructions, which ignore MXCSR.
var flushing = softfloat.Environment{Mode: softfloat.Nearest, DAZ: true, FTZ: true}

func toBF16(a uint64) uint64 { return flushing.ToFloat(bf16, f32, a) }

// dotBF16 adds the products of two pairs to a number (VDPBF16PS).
func dotBF16(a, b, d uint64) uint64 {
	for _, shift := range []uint{16, 0} {
		x, y := a>>shift&0xffff<<16, b>>shift&0xffff<<16
		d = flushing.FMA(f32, x, y, d, x, y, d)
	}
	return d
}

func signExtend(x uint64, w int) int64 { return int64(x<<(64-8*w)) >> (64 - 8*w) }

func saturate(v int64, w int) uint64 {
	limit := int64(1) << (8*w - 1)
	return uint64(min(max(v, -limit), limit-1))
}

func dotBytes(saturated bool) execFunc {
	return lanes3(4, func(_ *exec, a, b, d uint64) uint64 {
		s := signExtend(d, 4)
		for i := range 4 {
			s += int64(a>>(8*i)&0xff) * signExtend(b>>(8*i)&0xff, 1)
		}
		if saturated {
			return saturate(s, 4)
		}
		return uint64(s)
	})
}

func dotWords(saturated bool) execFunc {
	return lanes3(4, func(_ *exec, a, b, d uint64) uint64 {
		s := signExtend(d, 4)
		for i := range 2 {
			s += signExtend(a>>(16*i)&0xffff, 2) * signExtend(b>>(16*i)&0xffff, 2)
		}
		if saturated {
			return saturate(s, 4)
		}
		return uint64(s)
	})
}

func multiplyAdd52(shift uint) execFunc {
	const low = 1<<52 - 1
	return lanes3(8, func(_ *exec, a, b, d uint64) uint64 {
		p := new(big.Int).Mul(new(big.Int).SetUint64(a&low), new(big.Int).SetUint64(b&low))
		return d + p.Rsh(p, shift).Uint64()&low
	})
}
