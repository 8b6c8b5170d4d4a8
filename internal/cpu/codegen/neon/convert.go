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
		amd64.VPMOVSXBD: {1, 4, true}, amd64.VPMOVSXWD: {2, 4, true}, amd64.VPMOVSXDQ: {4, 8, true},
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
	for op, bytes := range map[amd64.Op]int{amd64.VPACKUSWB: 2, amd64.VPACKUSDW: 4} {
		define(map[amd64.Op]translate{op: func(t *translator, in *inst) error {
			return t.binary(in, func(x, y value) value {
				v := t.narrow(arm64.SQXTUN, x, bytes)
				return t.update(arm64.SQXTUN2, vectorClass(bytes/2), v, use(y, vectorClass(bytes)))
			})
		}})
	}
	define(map[amd64.Op]translate{
		amd64.VCVTDQ2PS: func(t *translator, in *inst) error {
			return t.unary(in, func(x value) value { return t.to(arm64.SCVTF, arm64.Class4S, x) })
		},
		amd64.VCVTTPS2DQ: func(t *translator, in *inst) error { return t.unary(in, t.toInt32) },
		amd64.VCVTDQ2PD: func(t *translator, in *inst) error {
			return t.widening(in, 8, func(x value, n int) []value {
				list := t.widen(arm64.SSHLL, x, 4, 8, n)
				for i := range list {
					list[i] = t.to(arm64.SCVTF, arm64.Class2D, list[i])
				}
				return list
			})
		},
		amd64.VCVTPS2PD: func(t *translator, in *inst) error { return lengthen(t, in, 4) },
		amd64.VCVTPH2PS: func(t *translator, in *inst) error { return lengthen(t, in, 2) },
		amd64.VCVTPD2PS: func(t *translator, in *inst) error {
			return t.narrowing(in, func(x value) value {
				return t.do(arm64.FCVTN, arm64.Class2S, use(x, arm64.Class2D))
			}, func(low, x value) value {
				return t.update(arm64.FCVTN2, arm64.Class4S, low, use(x, arm64.Class2D))
			})
		},
		amd64.VCVTPS2PH: toHalf,
	})
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

// lengthen translates conversions of floats of some bytes to those of twice the width.
func lengthen(t *translator, in *inst, bytes int) error {
	return t.widening(in, 8, func(x value, n int) []value {
		list := []value{t.do(arm64.FCVTL, vectorClass(2*bytes), use(x, halfClass(bytes)))}
		if n > 1 {
			list = append(list, t.do(arm64.FCVTL2, vectorClass(2*bytes), use(x, vectorClass(bytes))))
		}
		return list
	})
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
func (t *builder) toInt32(x value) value {
	n := t.to(arm64.FCVTZS, arm64.Class4S, x)
	fits := t.to(arm64.FCMGT, arm64.Class4S, t.splat(4, 0x4f000000), x) // 2^31
	return t.choose(fits, n, t.splat(4, 1<<31))
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
