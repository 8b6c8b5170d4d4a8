package emulator

import (
	"github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/asm/softfloat"
)

// fma is an operand order of fused multiply-adds, with its signs.
type fma struct {
	ops        floatOps
	order      int // 213 or 231: the operands that are the factors, and the addend
	negates    bool
	alternates bool // the addend is subtracted in even elements
}

var fmas = []fma{
	{floatOps{amd64.VFMADD213PS, amd64.VFMADD213PD, 0, 0}, 213, false, false},
	{floatOps{amd64.VFMADD231PS, amd64.VFMADD231PD, amd64.VFMADD231SS, amd64.VFMADD231SD}, 231, false, false},
	{floatOps{amd64.VFNMADD213PS, amd64.VFNMADD213PD, 0, 0}, 213, true, false},
	{floatOps{amd64.VFNMADD231PS, amd64.VFNMADD231PD, 0, 0}, 231, true, false},
	{floatOps{amd64.VFMADDSUB213PS, amd64.VFMADDSUB213PD, 0, 0}, 213, false, true},
}

// fused computes an element with operands in the order 1, 2, 3, the first being the destination.
func (o *fma) fused(x *exec, f *format, i int, d, s2, s3 uint64) uint64 {
	a, b, c := s2, s3, d
	if o.order == 213 {
		b, c = d, s3
	}
	nans := []uint64{a, b, c}
	if o.negates {
		a ^= f.Sign()
	}
	if o.alternates && i&1 == 0 {
		c ^= f.Sign()
	}
	return x.FMA(f, a, b, c, nans...)
}

func init() {
	for i := range fmas {
		o := &fmas[i]
		for w, op := range map[int]amd64.Op{4: o.ops.ps, 8: o.ops.pd} {
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
		for w, op := range map[int]amd64.Op{4: o.ops.ss, 8: o.ops.sd} {
			if op == 0 {
				continue
			}
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

	define(map[amd64.Op]execFunc{
		amd64.VPDPBUSD: dotBytes, amd64.VEX_VPDPBUSD: dotBytes,
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
	})
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

// dotBytes adds the products of four bytes, unsigned and signed.
var dotBytes = lanes3(4, func(_ *exec, a, b, d uint64) uint64 {
	for i := range 4 {
		d += a >> (8 * i) & 0xff * uint64(signExtend(b>>(8*i)&0xff, 1))
	}
	return d
})
