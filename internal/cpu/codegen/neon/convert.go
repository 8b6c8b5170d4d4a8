package neon

import (
	"errors"

	"github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/asm/arm64"
)

// Conversions. NEON converts floats to the nearest integer that exists, and NaNs to 0; x86 gives the least integer for
// all that do not fit.

func init() {
	type extension struct {
		from, to int
		signed   bool
	}
	for op, e := range map[amd64.Op]extension{
		amd64.VPMOVSXBW: {1, 2, true}, amd64.VPMOVSXBD: {1, 4, true}, amd64.VPMOVSXBQ: {1, 8, true},
		amd64.VPMOVSXWD: {2, 4, true}, amd64.VPMOVSXWQ: {2, 8, true}, amd64.VPMOVSXDQ: {4, 8, true},
		amd64.VPMOVZXBW: {1, 2, false}, amd64.VPMOVZXBD: {1, 4, false}, amd64.VPMOVZXBQ: {1, 8, false},
		amd64.VPMOVZXWD: {2, 4, false}, amd64.VPMOVZXWQ: {2, 8, false}, amd64.VPMOVZXDQ: {4, 8, false},
	} {
		define(map[amd64.Op]translate{op: func(t *translator, in *inst) error {
			d := in.Args[0].Reg
			x, err := t.vector(in, in.Args[1], width(d)*e.from/e.to)
			if err != nil {
				return err
			}
			op := arm64.USHLL
			if e.signed {
				op = arm64.SSHLL
			}
			t.set(d, t.widen(op, x[0], e.from, e.to, width(d)/16)...)
			return nil
		}})
	}
	type packing struct {
		bytes       int
		lower, both arm64.Op
	}
	for op, p := range map[amd64.Op]packing{
		amd64.VPACKUSWB: {2, arm64.SQXTUN, arm64.SQXTUN2}, amd64.VPACKUSDW: {4, arm64.SQXTUN, arm64.SQXTUN2},
		amd64.VPACKSSWB: {2, arm64.SQXTN, arm64.SQXTN2}, amd64.VPACKSSDW: {4, arm64.SQXTN, arm64.SQXTN2},
	} {
		define(map[amd64.Op]translate{op: func(t *translator, in *inst) error {
			return t.binary(in, func(x, y value) value {
				v := t.narrow(p.lower, x, p.bytes)
				return t.update(p.both, vectorClass(p.bytes/2), v, use(y, vectorClass(p.bytes)))
			})
		}})
	}
	define(map[amd64.Op]translate{
		amd64.VCVTDQ2PS: func(t *translator, in *inst) error {
			return t.unary(in, func(x value) value { return t.to(arm64.SCVTF, arm64.Class4S, x) })
		},
		amd64.VCVTPS2DQ: func(t *translator, in *inst) error {
			return t.unary(in, func(x value) value { return t.toInt32(arm64.FCVTNS, x) })
		},
		amd64.VCVTTPS2DQ: func(t *translator, in *inst) error {
			return t.unary(in, func(x value) value { return t.toInt32(arm64.FCVTZS, x) })
		},
		amd64.VCVTDQ2PD: func(t *translator, in *inst) error {
			return t.widening(in, 8, func(x value, n int) []value {
				list := t.widen(arm64.SSHLL, x, 4, 8, n)
				for i := range list {
					list[i] = t.to(arm64.SCVTF, arm64.Class2D, list[i])
				}
				return list
			})
		},
		amd64.VCVTPS2PD: func(t *translator, in *inst) error {
			return t.widening(in, 8, func(x value, n int) []value {
				list := []value{t.do(arm64.FCVTL, arm64.Class2D, use(x, arm64.Class2S))}
				if n > 1 {
					list = append(list, t.do(arm64.FCVTL2, arm64.Class2D, use(x, arm64.Class4S)))
				}
				return list
			})
		},
		amd64.VCVTPH2PS: func(t *translator, in *inst) error {
			return t.widening(in, 8, func(x value, n int) []value {
				list := []value{t.do(arm64.FCVTL, arm64.Class4S, use(x, arm64.Class4H))}
				if n > 1 {
					list = append(list, t.do(arm64.FCVTL2, arm64.Class4S, use(x, arm64.Class8H)))
				}
				return list
			})
		},
		amd64.VCVTPD2PS: func(t *translator, in *inst) error {
			return t.narrowing(in, func(x value) value {
				return t.do(arm64.FCVTN, arm64.Class2S, use(x, arm64.Class2D))
			}, func(low, x value) value {
				return t.update(arm64.FCVTN2, arm64.Class4S, low, use(x, arm64.Class2D))
			})
		},
		amd64.VCVTPD2DQ:  func(t *translator, in *inst) error { return doublesToInts(t, in, arm64.FRINTN) },
		amd64.VCVTTPD2DQ: func(t *translator, in *inst) error { return doublesToInts(t, in, arm64.FRINTZ) },
		amd64.VCVTPS2PH:  toHalf,
		amd64.VCVTSS2SD: func(t *translator, in *inst) error {
			return t.convertScalar(in, 4, 8)
		},
		amd64.VCVTSD2SS: func(t *translator, in *inst) error {
			return t.convertScalar(in, 8, 4)
		},
		amd64.VCVTSI2SS: func(t *translator, in *inst) error { return intToScalar(t, in, 4) },
		amd64.VCVTSI2SD: func(t *translator, in *inst) error { return intToScalar(t, in, 8) },
	})
}

// convertScalar translates conversions of the lowest lane between floats.
func (t *translator) convertScalar(in *inst, from, to int) error {
	x, err := t.vector(in, in.Args[2], from)
	if err != nil {
		return err
	}
	v := t.do(arm64.FCVT, scalarClass(to), use(t.lowOf(x[0], from), scalarClass(from)))
	t.merge(in.Args[0].Reg, t.get(in.Args[1].Reg)[0], v, to)
	return nil
}

// intToScalar translates conversions of a general register.
func intToScalar(t *translator, in *inst, to int) error {
	y := in.Args[2]
	c := amd64.R32
	if y.Kind == amd64.RegArg {
		c = y.Reg.Class()
	} else if y.Bytes == 8 {
		c = amd64.R64
	}
	x, err := t.general(y, c)
	if err != nil {
		return err
	}
	v := t.do(arm64.SCVTF, scalarClass(to), reg(x))
	t.merge(in.Args[0].Reg, t.get(in.Args[1].Reg)[0], v, to)
	return nil
}

// widening translates conversions to wider lanes. The operand has half the width of the result.
func (t *translator) widening(in *inst, least int, f func(x value, n int) []value) error {
	d := in.Args[0].Reg
	x, err := t.vector(in, in.Args[1], max(width(d)/2, least))
	if err == nil {
		t.set(d, f(x[0], width(d)/16)...)
	}
	return err
}

// widen extends the lanes of the lower part of a value, to n halves.
func (t *builder) widen(op arm64.Op, x value, from, to, n int) []value {
	upper := map[arm64.Op]arm64.Op{arm64.USHLL: arm64.USHLL2, arm64.SSHLL: arm64.SSHLL2}[op]
	list := []value{x}
	for bytes := from; bytes < to; bytes *= 2 {
		// Each step needs the number of halves that the next ones widen.
		need := max(n*2*bytes/to, 1)
		var wider []value
		for _, v := range list {
			wider = append(wider, t.do(op, vectorClass(2*bytes), use(v, halfClass(bytes)), number(0)))
			if len(wider) < need {
				wider = append(wider, t.do(upper, vectorClass(2*bytes), use(v, vectorClass(bytes)), number(0)))
			}
		}
		list = wider
	}
	return list
}

// halfClass is the class of lanes of n bytes in the lower 8 bytes of a vector.
func halfClass(n int) arm64.Class {
	return map[int]arm64.Class{1: arm64.Class8B, 2: arm64.Class4H, 4: arm64.Class2S}[n]
}

// narrow halves the lanes of a value.
func (t *builder) narrow(op arm64.Op, x value, bytes int) value {
	return t.do(op, halfClass(bytes/2), use(x, vectorClass(bytes)))
}

// narrowing translates conversions to narrower lanes; the result has 16 bytes, the upper ones 0 if the operand has no
// more.
func (t *translator) narrowing(in *inst, lower func(x value) value, upper func(low, x value) value) error {
	d, a := in.Args[0].Reg, in.Args[1]
	bytes := int(a.Bytes)
	if a.Kind == amd64.RegArg {
		bytes = width(a.Reg)
	} else if bytes == 0 {
		return errors.New("memory without a size")
	}
	x, err := t.vector(in, a, bytes)
	if err != nil {
		return err
	}
	v := lower(x[0])
	if len(x) == 2 {
		v = upper(v, x[1])
	}
	t.set(d, v)
	return nil
}

// toInt32 converts floats to integers of 4 bytes.
func (t *builder) toInt32(op arm64.Op, x value) value {
	n := t.to(op, arm64.Class4S, x)
	fits := t.to(arm64.FCMGT, arm64.Class4S, t.splat(4, 0x4f000000), x) // 2^31
	return t.choose(fits, n, t.splat(4, 1<<31))
}

// doublesToInts translates conversions of doubles to integers of 4 bytes.
func doublesToInts(t *translator, in *inst, round arm64.Op) error {
	convert := func(x value) value { // in the lower half of each lane
		x = t.to(round, arm64.Class2D, x)
		n := t.to(arm64.FCVTZS, arm64.Class2D, x)
		least, limit := t.splat(8, 0xc1e0000000000000), t.splat(8, 0x41e0000000000000) // -2^31, 2^31
		fits := t.to(arm64.AND, arm64.Class16B, t.to(arm64.FCMGT, arm64.Class2D, limit, x),
			t.to(arm64.FCMGE, arm64.Class2D, x, least))
		return t.choose(fits, n, t.splat(8, 1<<31))
	}
	return t.narrowing(in, func(x value) value {
		return t.narrow(arm64.XTN, convert(x), 8)
	}, func(low, x value) value {
		return t.update(arm64.XTN2, arm64.Class4S, low, use(convert(x), arm64.Class2D))
	})
}

// toHalf translates VCVTPS2PH to the nearest even number.
func toHalf(t *translator, in *inst) error {
	if mode := in.Args[2].Val & 7; mode != 0 && mode != 4 {
		return errors.New("the rounding mode")
	}
	x := t.get(in.Args[1].Reg)
	v := t.do(arm64.FCVTN, arm64.Class4H, use(x[0], arm64.Class4S))
	if len(x) == 2 {
		v = t.update(arm64.FCVTN2, arm64.Class8H, v, use(x[1], arm64.Class4S))
	}
	if d := in.Args[0]; d.Kind == amd64.MemArg {
		return t.store(d, v, 8*len(x))
	}
	t.set(in.Args[0].Reg, v)
	return nil
}
