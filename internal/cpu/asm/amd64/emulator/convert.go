package emulator

import (
	"github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/asm/softfloat"
)

func init() {
	for _, c := range []struct {
		op       amd64.Op
		to, from int
		signed   bool
	}{
		{amd64.VPMOVSXBW, 2, 1, true}, {amd64.VPMOVSXBD, 4, 1, true}, {amd64.VPMOVSXBQ, 8, 1, true},
		{amd64.VPMOVSXWD, 4, 2, true}, {amd64.VPMOVSXWQ, 8, 2, true}, {amd64.VPMOVSXDQ, 8, 4, true},
		{amd64.VPMOVZXBW, 2, 1, false}, {amd64.VPMOVZXBD, 4, 1, false}, {amd64.VPMOVZXBQ, 8, 1, false},
		{amd64.VPMOVZXWD, 4, 2, false}, {amd64.VPMOVZXWQ, 8, 2, false}, {amd64.VPMOVZXDQ, 8, 4, false},
	} {
		def(c.op, convert(c.to, c.from, func(_ *exec, a uint64) uint64 {
			if c.signed {
				return uint64(signExtend(a, c.from))
			}
			return a
		}))
	}
	for _, c := range []struct {
		to, from             int
		plain, signed, toMax amd64.Op
	}{
		{1, 2, amd64.VPMOVWB, amd64.VPMOVSWB, amd64.VPMOVUSWB}, {1, 4, amd64.VPMOVDB, amd64.VPMOVSDB, amd64.VPMOVUSDB},
		{1, 8, amd64.VPMOVQB, amd64.VPMOVSQB, amd64.VPMOVUSQB}, {2, 4, amd64.VPMOVDW, amd64.VPMOVSDW, amd64.VPMOVUSDW},
		{2, 8, amd64.VPMOVQW, amd64.VPMOVSQW, amd64.VPMOVUSQW}, {4, 8, amd64.VPMOVQD, amd64.VPMOVSQD, amd64.VPMOVUSQD},
	} {
		def(c.plain, convert(c.to, c.from, func(_ *exec, a uint64) uint64 { return a }))
		def(c.signed, convert(c.to, c.from, func(_ *exec, a uint64) uint64 {
			return saturate(signExtend(a, c.from), c.to)
		}))
		def(c.toMax, convert(c.to, c.from, func(_ *exec, a uint64) uint64 { return min(a, ones(c.to)) }))
	}

	// From integers to floats, and back, with rounding and with truncation.
	for _, c := range []struct {
		op      amd64.Op
		to      *format
		toBytes int
		from    int
		signed  bool
	}{
		{amd64.VCVTDQ2PS, f32, 4, 4, true}, {amd64.VCVTDQ2PD, f64, 8, 4, true}, {amd64.VCVTUDQ2PS, f32, 4, 4, false},
		{amd64.VCVTUDQ2PD, f64, 8, 4, false},
		{amd64.VCVTQQ2PS, f32, 4, 8, true}, {amd64.VCVTQQ2PD, f64, 8, 8, true}, {amd64.VCVTUQQ2PS, f32, 4, 8, false},
		{amd64.VCVTUQQ2PD, f64, 8, 8, false},
		{amd64.VCVTDQ2PH, f16, 2, 4, true}, {amd64.VCVTW2PH, f16, 2, 2, true}, {amd64.VCVTUW2PH, f16, 2, 2, false},
	} {
		def(c.op, convert(c.toBytes, c.from, func(x *exec, a uint64) uint64 {
			return x.intToFloat(c.to, a, c.from, c.signed)
		}))
	}
	for _, c := range []struct {
		op, truncating amd64.Op
		to             int
		signed         bool
		from           *format
		fromBytes      int
	}{
		{amd64.VCVTPS2DQ, amd64.VCVTTPS2DQ, 4, true, f32, 4},
		{amd64.VCVTPD2DQ, amd64.VCVTTPD2DQ, 4, true, f64, 8},
		{amd64.VCVTPS2UDQ, amd64.VCVTTPS2UDQ, 4, false, f32, 4},
		{amd64.VCVTPD2UDQ, amd64.VCVTTPD2UDQ, 4, false, f64, 8},
		{amd64.VCVTPS2QQ, amd64.VCVTTPS2QQ, 8, true, f32, 4},
		{amd64.VCVTPD2QQ, amd64.VCVTTPD2QQ, 8, true, f64, 8},
		{amd64.VCVTPS2UQQ, amd64.VCVTTPS2UQQ, 8, false, f32, 4},
		{amd64.VCVTPD2UQQ, amd64.VCVTTPD2UQQ, 8, false, f64, 8},
		{amd64.VCVTPH2DQ, amd64.VCVTTPH2DQ, 4, true, f16, 2},
		{amd64.VCVTPH2W, amd64.VCVTTPH2W, 2, true, f16, 2},
		{amd64.VCVTPH2UW, amd64.VCVTTPH2UW, 2, false, f16, 2},
	} {
		def(c.op, convert(c.to, c.fromBytes, func(x *exec, a uint64) uint64 {
			return x.ToInt(c.from, a, c.to, c.signed)
		}))
		def(c.truncating, convert(c.to, c.fromBytes, func(x *exec, a uint64) uint64 {
			return x.truncate(c.from, a, c.to, c.signed)
		}))
	}
	for _, c := range []struct {
		op        amd64.Op
		to        *format
		toBytes   int
		from      *format
		fromBytes int
	}{
		{amd64.VCVTPS2PD, f64, 8, f32, 4}, {amd64.VCVTPD2PS, f32, 4, f64, 8}, {amd64.VCVTPH2PSX, f32, 4, f16, 2},
		{amd64.VCVTPS2PHX, f16, 2, f32, 4},
		{amd64.VCVTPH2PD, f64, 8, f16, 2}, {amd64.VCVTPD2PH, f16, 2, f64, 8}, {amd64.VCVTPH2PS, f32, 4, f16, 2},
	} {
		def(c.op, convert(c.toBytes, c.fromBytes, func(x *exec, a uint64) uint64 { return x.ToFloat(c.to, c.from, a) }))
	}
	def(amd64.VCVTPS2PH, convert(2, 4, func(x *exec, a uint64) uint64 {
		e := x.Environment
		if imm := x.imm(); imm&4 == 0 {
			e.Mode = softfloat.Rounding(imm & 3)
		}
		return e.ToFloat(f16, f32, a)
	}))

	for _, c := range []struct {
		op       amd64.Op
		to, from *format
		w, fromW int
	}{
		{amd64.VCVTSS2SD, f64, f32, 8, 4}, {amd64.VCVTSD2SS, f32, f64, 4, 8}, {amd64.VCVTSH2SS, f32, f16, 4, 2},
		{amd64.VCVTSS2SH, f16, f32, 2, 4},
	} {
		def(c.op, func(x *exec) error {
			a, err := x.vector(1)
			if err != nil {
				return err
			}
			b, err := x.read(2, c.fromW, 1)
			if err != nil {
				return err
			}
			return x.writeScalar(x.ToFloat(c.to, c.from, b.get(0, c.fromW)), c.w, &a)
		})
	}
	for _, c := range []struct {
		op     amd64.Op
		to     *format
		w      int
		signed bool
	}{
		{amd64.VCVTSI2SS, f32, 4, true}, {amd64.VCVTSI2SD, f64, 8, true}, {amd64.VCVTUSI2SS, f32, 4, false},
		{amd64.VCVTUSI2SD, f64, 8, false},
	} {
		def(c.op, func(x *exec) error {
			a, err := x.vector(1)
			if err != nil {
				return err
			}
			v, n, err := x.general(2)
			if err != nil {
				return err
			}
			return x.writeScalar(x.intToFloat(c.to, v, n, c.signed), c.w, &a)
		})
	}
	for _, c := range []struct {
		op, truncating amd64.Op
		from           *format
		w              int
		signed         bool
	}{
		{amd64.VCVTSS2SI, amd64.VCVTTSS2SI, f32, 4, true}, {amd64.VCVTSD2SI, amd64.VCVTTSD2SI, f64, 8, true},
		{amd64.VCVTSS2USI, amd64.VCVTTSS2USI, f32, 4, false}, {amd64.VCVTSD2USI, amd64.VCVTTSD2USI, f64, 8, false},
	} {
		for i, op := range []amd64.Op{c.op, c.truncating} {
			def(op, func(x *exec) error {
				a, err := x.vector(1)
				if err != nil {
					return err
				}
				n := x.in.Args[0].Reg.Class().Bytes()
				if i == 1 {
					return x.setReg(0, x.truncate(c.from, a.get(0, c.w), n, c.signed))
				}
				return x.setReg(0, x.ToInt(c.from, a.get(0, c.w), n, c.signed))
			})
		}
	}
}

func (x *exec) intToFloat(f *format, a uint64, bytes int, signed bool) uint64 {
	if s := signExtend(a, bytes); signed && s < 0 {
		return x.FromInt(f, true, -uint64(s))
	}
	return x.FromInt(f, false, a)
}

func (x *exec) truncate(f *format, a uint64, bytes int, signed bool) uint64 {
	e := x.Environment
	e.Mode = softfloat.ToZero
	return e.ToInt(f, a, bytes, signed)
}
