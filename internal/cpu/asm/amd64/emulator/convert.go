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
		{amd64.VPMOVSXBD, 4, 1, true}, {amd64.VPMOVSXWD, 4, 2, true}, {amd64.VPMOVSXDQ, 8, 4, true},
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
		op       amd64.Op
		to, from int
	}{
		{amd64.VPMOVWB, 1, 2}, {amd64.VPMOVDB, 1, 4}, {amd64.VPMOVQB, 1, 8}, {amd64.VPMOVDW, 2, 4},
		{amd64.VPMOVQW, 2, 8}, {amd64.VPMOVQD, 4, 8},
	} {
		def(c.op, convert(c.to, c.from, func(_ *exec, a uint64) uint64 { return a }))
	}

	// From integers to floats, and back with truncation.
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
	} {
		def(c.op, convert(c.toBytes, c.from, func(x *exec, a uint64) uint64 {
			return x.intToFloat(c.to, a, c.from, c.signed)
		}))
	}
	for _, c := range []struct {
		op        amd64.Op
		to        int
		signed    bool
		from      *format
		fromBytes int
	}{
		{amd64.VCVTTPS2DQ, 4, true, f32, 4}, {amd64.VCVTTPD2QQ, 8, true, f64, 8}, {amd64.VCVTTPD2UQQ, 8, false, f64, 8},
	} {
		def(c.op, convert(c.to, c.fromBytes, func(x *exec, a uint64) uint64 {
			e := x.Environment
			e.Mode = softfloat.ToZero
			return e.ToInt(c.from, a, c.to, c.signed)
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
		{amd64.VCVTPS2PHX, f16, 2, f32, 4}, {amd64.VCVTPH2PS, f32, 4, f16, 2},
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
}

func (x *exec) intToFloat(f *format, a uint64, bytes int, signed bool) uint64 {
	if s := signExtend(a, bytes); signed && s < 0 {
		return x.FromInt(f, true, -uint64(s))
	}
	return x.FromInt(f, false, a)
}
