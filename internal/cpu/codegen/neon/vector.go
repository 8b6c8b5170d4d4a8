package neon

import (
	"errors"
	"fmt"

	"github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/asm/arm64"
)

// Instructions that compute each lane, or each half, from the same lanes of their operands.

// lanewise describes an instruction that has one of NEON for each half.
type lanewise struct {
	op       arm64.Op
	class    arm64.Class
	reversed bool // the operands of NEON are in the other order
	mask     int  // the lanes of this size of the result are all ones or zeros
}

var lanewises = map[amd64.Op]lanewise{
	amd64.VADDPS: {op: arm64.FADD, class: arm64.Class4S}, amd64.VADDPD: {op: arm64.FADD, class: arm64.Class2D},
	amd64.VSUBPS: {op: arm64.FSUB, class: arm64.Class4S}, amd64.VSUBPD: {op: arm64.FSUB, class: arm64.Class2D},
	amd64.VDIVPS: {op: arm64.FDIV, class: arm64.Class4S}, amd64.VDIVPD: {op: arm64.FDIV, class: arm64.Class2D},

	amd64.VPADDB: {op: arm64.ADD, class: arm64.Class16B}, amd64.VPADDW: {op: arm64.ADD, class: arm64.Class8H},
	amd64.VPADDD: {op: arm64.ADD, class: arm64.Class4S}, amd64.VPADDQ: {op: arm64.ADD, class: arm64.Class2D},
	amd64.VPSUBB: {op: arm64.SUB, class: arm64.Class16B}, amd64.VPSUBW: {op: arm64.SUB, class: arm64.Class8H},
	amd64.VPSUBD: {op: arm64.SUB, class: arm64.Class4S}, amd64.VPSUBQ: {op: arm64.SUB, class: arm64.Class2D},
	amd64.VPMULLW: {op: arm64.MUL, class: arm64.Class8H}, amd64.VPMULLD: {op: arm64.MUL, class: arm64.Class4S},
	amd64.VPMINSB: {op: arm64.SMIN, class: arm64.Class16B}, amd64.VPMINSW: {op: arm64.SMIN, class: arm64.Class8H},
	amd64.VPMINSD: {op: arm64.SMIN, class: arm64.Class4S}, amd64.VPMINUB: {op: arm64.UMIN, class: arm64.Class16B},
	amd64.VPMINUW: {op: arm64.UMIN, class: arm64.Class8H}, amd64.VPMINUD: {op: arm64.UMIN, class: arm64.Class4S},
	amd64.VPMAXSB: {op: arm64.SMAX, class: arm64.Class16B}, amd64.VPMAXSW: {op: arm64.SMAX, class: arm64.Class8H},
	amd64.VPMAXSD: {op: arm64.SMAX, class: arm64.Class4S}, amd64.VPMAXUB: {op: arm64.UMAX, class: arm64.Class16B},
	amd64.VPMAXUW: {op: arm64.UMAX, class: arm64.Class8H}, amd64.VPMAXUD: {op: arm64.UMAX, class: arm64.Class4S},

	amd64.VPCMPEQB: {op: arm64.CMEQ, class: arm64.Class16B, mask: 1},
	amd64.VPCMPEQW: {op: arm64.CMEQ, class: arm64.Class8H, mask: 2},
	amd64.VPCMPEQD: {op: arm64.CMEQ, class: arm64.Class4S, mask: 4},
	amd64.VPCMPEQQ: {op: arm64.CMEQ, class: arm64.Class2D, mask: 8},
	amd64.VPCMPGTB: {op: arm64.CMGT, class: arm64.Class16B, mask: 1},
	amd64.VPCMPGTW: {op: arm64.CMGT, class: arm64.Class8H, mask: 2},
	amd64.VPCMPGTD: {op: arm64.CMGT, class: arm64.Class4S, mask: 4},
	amd64.VPCMPGTQ: {op: arm64.CMGT, class: arm64.Class2D, mask: 8},

	amd64.VUNPCKLPS: {op: arm64.ZIP1, class: arm64.Class4S}, amd64.VUNPCKHPS: {op: arm64.ZIP2, class: arm64.Class4S},
	amd64.VUNPCKLPD: {op: arm64.ZIP1, class: arm64.Class2D}, amd64.VUNPCKHPD: {op: arm64.ZIP2, class: arm64.Class2D},
	amd64.VPUNPCKLBW:  {op: arm64.ZIP1, class: arm64.Class16B},
	amd64.VPUNPCKHBW:  {op: arm64.ZIP2, class: arm64.Class16B},
	amd64.VPUNPCKLWD:  {op: arm64.ZIP1, class: arm64.Class8H},
	amd64.VPUNPCKHWD:  {op: arm64.ZIP2, class: arm64.Class8H},
	amd64.VPUNPCKLDQ:  {op: arm64.ZIP1, class: arm64.Class4S},
	amd64.VPUNPCKHDQ:  {op: arm64.ZIP2, class: arm64.Class4S},
	amd64.VPUNPCKLQDQ: {op: arm64.ZIP1, class: arm64.Class2D},
	amd64.VPUNPCKHQDQ: {op: arm64.ZIP2, class: arm64.Class2D},
}

// bitwises are the bitwise instructions.
var bitwises = map[amd64.Op]lanewise{
	amd64.VANDPS: {op: arm64.AND}, amd64.VANDPD: {op: arm64.AND}, amd64.VPAND: {op: arm64.AND},
	amd64.VORPS: {op: arm64.ORR}, amd64.VORPD: {op: arm64.ORR}, amd64.VPOR: {op: arm64.ORR},
	amd64.VXORPS: {op: arm64.EOR}, amd64.VXORPD: {op: arm64.EOR}, amd64.VPXOR: {op: arm64.EOR},
	amd64.VPANDN: {op: arm64.BIC, reversed: true},
}

func init() {
	for op, l := range lanewises {
		define(map[amd64.Op]translate{op: func(t *translator, in *inst) error {
			return t.binary(in, func(x, y value) value {
				if l.mask > 0 && x == y && l.op == arm64.CMEQ {
					return t.splat(1, 0xff)
				}
				v := t.to(l.op, l.class, x, y)
				if l.mask > 0 {
					t.masks[v] = l.mask
				}
				return v
			})
		}})
	}
	for op, l := range bitwises {
		define(map[amd64.Op]translate{op: func(t *translator, in *inst) error {
			return t.binary(in, func(x, y value) value {
				if x == y && l.op == arm64.EOR {
					return t.zero()
				}
				if l.reversed {
					x, y = y, x
				}
				v := t.to(l.op, arm64.Class16B, x, y)
				if n := min(t.masks[x], t.masks[y]); n > 0 {
					t.masks[v] = n
				}
				return v
			})
		}})
	}
	for op, bytes := range map[amd64.Op]int{amd64.VPABSB: 1, amd64.VPABSW: 2, amd64.VPABSD: 4} {
		define(map[amd64.Op]translate{op: func(t *translator, in *inst) error {
			return t.unary(in, func(x value) value { return t.to(arm64.ABS, vectorClass(bytes), x) })
		}})
	}
	define(map[amd64.Op]translate{
		amd64.VPMULUDQ: multiplyEven,
		amd64.VPTEST:   testBits, amd64.VMOVMSKPS: moveSigns, amd64.VMOVMSKPD: moveSigns,
		amd64.VPSLLDQ: shiftBytes, amd64.VPSRLDQ: shiftBytes,
		amd64.VBLENDVPS: func(t *translator, in *inst) error { return blend(t, in, 4) },
		amd64.VBLENDVPD: func(t *translator, in *inst) error { return blend(t, in, 8) },
		amd64.VPBLENDVB: func(t *translator, in *inst) error { return blend(t, in, 1) },
	})
	type shift struct {
		bytes int
		kind  shiftKind
	}
	for op, s := range map[amd64.Op]shift{
		amd64.VPSLLW: {2, left}, amd64.VPSLLD: {4, left}, amd64.VPSLLQ: {8, left}, amd64.VPSRLW: {2, right},
		amd64.VPSRLD: {4, right}, amd64.VPSRLQ: {8, right}, amd64.VPSRAW: {2, signedRight},
		amd64.VPSRAD: {4, signedRight},
	} {
		define(map[amd64.Op]translate{op: func(t *translator, in *inst) error {
			return shiftAll(t, in, s.bytes, s.kind)
		}})
	}
	for op, s := range map[amd64.Op]shift{
		amd64.VPSLLVD: {4, left}, amd64.VPSLLVQ: {8, left}, amd64.VPSRLVD: {4, right}, amd64.VPSRLVQ: {8, right},
		amd64.VPSRAVD: {4, signedRight},
	} {
		define(map[amd64.Op]translate{op: func(t *translator, in *inst) error {
			return t.binary(in, func(x, y value) value { return t.shiftLanes(x, y, s.bytes, s.kind) })
		}})
	}
}

// binary translates an instruction of two operands of the width of the result.
func (t *translator) binary(in *inst, f func(x, y value) value) error {
	d := in.Args[0].Reg
	x, err := t.vector(in, in.Args[1], width(d))
	if err != nil {
		return err
	}
	y, err := t.vector(in, in.Args[2], width(d))
	if err != nil {
		return err
	}
	t.setEach(d, func(h int) value { return f(x[h], y[h]) })
	return nil
}

// unary is binary for an operand.
func (t *translator) unary(in *inst, f func(x value) value) error {
	d := in.Args[0].Reg
	x, err := t.vector(in, in.Args[1], width(d))
	if err != nil {
		return err
	}
	t.setEach(d, func(h int) value { return f(x[h]) })
	return nil
}

// setEach sets the halves of a register.
func (t *translator) setEach(d amd64.Reg, f func(h int) value) {
	v := make([]value, width(d)/16)
	for h := range v {
		v[h] = f(h)
	}
	t.set(d, v...)
}

// multiplyEven translates VPMULUDQ: products of the even lanes of 4 bytes.
func multiplyEven(t *translator, in *inst) error {
	even := map[value]value{}
	lower := func(x value) value {
		if even[x] == 0 {
			even[x] = t.do(arm64.XTN, arm64.Class2S, use(x, arm64.Class2D))
		}
		return even[x]
	}
	return t.binary(in, func(x, y value) value {
		return t.do(arm64.UMULL, arm64.Class2D, use(lower(x), arm64.Class2S), use(lower(y), arm64.Class2S))
	})
}

type shiftKind uint8

const (
	left shiftKind = iota
	right
	signedRight
)

// shiftAll translates shifts of all lanes by a number, or by the lowest 8 bytes of a vector.
func shiftAll(t *translator, in *inst, bytes int, kind shiftKind) error {
	d, n := in.Args[0].Reg, in.Args[2]
	x, err := t.vector(in, in.Args[1], width(d))
	if err != nil {
		return err
	}
	bits := int64(8 * bytes)
	if n.Kind == amd64.ImmArg {
		by := n.Val & 0xff
		t.setEach(d, func(h int) value {
			switch {
			case by == 0:
				return x[h]
			case kind == signedRight:
				v := t.shiftBy(arm64.SSHR, bytes, x[h], min(by, bits-1))
				if by >= bits-1 {
					t.masks[v] = bytes
				}
				return v
			case by >= bits:
				return t.zero()
			case kind == left:
				return t.shiftBy(arm64.SHL, bytes, x[h], by)
			}
			return t.shiftBy(arm64.USHR, bytes, x[h], by)
		})
		return nil
	}
	if bytes < 4 {
		return errors.New("a shift by a vector")
	}
	count, err := t.vector(in, n, 16)
	if err != nil {
		return err
	}
	// The number has 8 bytes; in lanes of 4 it is at most 64, where the result is the same.
	all := t.do(arm64.DUP, arm64.Class2D, lane(count[0], arm64.ElemD, 0))
	if bytes == 4 {
		most := t.splat(8, 64)
		all = t.choose(t.to(arm64.CMHI, arm64.Class2D, all, most), most, all)
		all = t.to(arm64.TRN1, arm64.Class4S, all, all)
	}
	t.setEach(d, func(h int) value { return t.shiftLanes(x[h], all, bytes, kind) })
	return nil
}

// shiftBy emits a shift by a number.
func (t *builder) shiftBy(op arm64.Op, bytes int, x value, by int64) value {
	c := vectorClass(bytes)
	return t.do(op, c, use(x, c), number(by))
}

// shiftLanes shifts each lane by the number in that of another vector. Numbers of at least the width shift all bits
// out; NEON shifts by the lowest byte, to the right if it is negative.
func (t *builder) shiftLanes(x, by value, bytes int, kind shiftKind) value {
	c, bits := vectorClass(bytes), uint64(8*bytes)
	if data, ok := t.consts[by]; ok {
		// Known numbers become those that NEON takes.
		var to [16]byte
		for i := 0; i < 16; i += bytes {
			n := uint64(0)
			for j := range bytes {
				n |= uint64(data[i+j]) << (8 * j)
			}
			if kind == signedRight {
				n = min(n, bits-1)
			}
			if n = min(n, bits); kind != left {
				n = -n
			}
			to[i] = byte(n)
		}
		op := arm64.USHL
		if kind == signedRight {
			op = arm64.SSHL
		}
		return t.to(op, c, x, t.known(to))
	}
	switch {
	case kind == signedRight: // only lanes of 4 bytes
		by = t.to(arm64.UMIN, c, by, t.splat(bytes, bits-1))
		return t.to(arm64.SSHL, c, x, t.to(arm64.NEG, c, by))
	case bytes == 4:
		by = t.to(arm64.UMIN, c, by, t.splat(bytes, bits))
		if kind == right {
			by = t.to(arm64.NEG, c, by)
		}
		return t.to(arm64.USHL, c, x, by)
	}
	tooFar := t.to(arm64.CMHI, c, by, t.splat(bytes, bits-1))
	if kind == right {
		by = t.to(arm64.NEG, c, by)
	}
	return t.to(arm64.BIC, arm64.Class16B, t.to(arm64.USHL, c, x, by), tooFar)
}

// shiftBytes translates shifts of each half by bytes.
func shiftBytes(t *translator, in *inst) error {
	by := in.Args[2].Val
	return t.unary(in, func(x value) value {
		bytes := func(v value) operand { return use(v, arm64.Class16B) }
		switch {
		case by == 0:
			return x
		case by >= 16:
			return t.zero()
		case in.Op == amd64.VPSLLDQ:
			return t.do(arm64.EXT, arm64.Class16B, bytes(t.zero()), bytes(x), number(16-by))
		}
		return t.do(arm64.EXT, arm64.Class16B, bytes(x), bytes(t.zero()), number(by))
	})
}

// asMask returns a mask whose lanes are all ones or zeros, as their uppermost bits are.
func (t *builder) asMask(v value, bytes int) value {
	if t.masks[v] >= bytes {
		return v
	}
	m := t.shiftBy(arm64.SSHR, bytes, v, int64(8*bytes-1))
	t.masks[m] = bytes
	return m
}

// blend translates choices by the uppermost bits of a mask.
func blend(t *translator, in *inst, bytes int) error {
	masks := t.get(in.Args[3].Reg)
	h := -1
	return t.binary(in, func(no, yes value) value {
		h++
		m := t.asMask(masks[h], bytes)
		v := t.choose(m, yes, no)
		if n := min(t.masks[yes], t.masks[no], t.masks[m]); n > 0 {
			t.masks[v] = n
		}
		return v
	})
}

// testBits translates VPTEST, of whose flags only ZF is supported: whether the operands have no common bit.
func testBits(t *translator, in *inst) error {
	x := t.get(in.Args[0].Reg)
	y, err := t.vector(in, in.Args[1], 16*len(x))
	if err != nil {
		return err
	}
	common := func(h int) value {
		if x[h] == y[h] {
			return x[h]
		}
		return t.to(arm64.AND, arm64.Class16B, x[h], y[h])
	}
	v := common(0)
	if len(x) == 2 {
		v = t.to(arm64.ORR, arm64.Class16B, v, common(1))
	}
	most := t.do(arm64.UMAXV, arm64.ClassS, use(v, arm64.Class4S))
	w := reg(arm64.W(temps[0]))
	t.emit(arm64.FMOV, w, use(most, arm64.ClassS))
	t.emit(arm64.ANDS, reg(arm64.WZR), w, w)
	t.flags = onlyZero
	return nil
}

// moveSigns translates VMOVMSKPS and VMOVMSKPD: the uppermost bits of the lanes become the bits of a number.
func moveSigns(t *translator, in *inst) error {
	bytes := 4
	if in.Op == amd64.VMOVMSKPD {
		bytes = 8
	}
	var all value
	lanes := 16 / bytes
	for h, x := range t.get(in.Args[1].Reg) {
		var weights [16]byte
		for l := range lanes {
			weights[l*bytes] = 1 << (h*lanes + l)
		}
		v := t.to(arm64.AND, arm64.Class16B, t.asMask(x, bytes), t.known(weights))
		if all == 0 {
			all = v
		} else {
			all = t.to(arm64.ORR, arm64.Class16B, all, v)
		}
	}
	sum := value(0)
	if bytes == 4 {
		sum = t.do(arm64.ADDV, arm64.ClassS, use(all, arm64.Class4S))
	} else {
		sum = t.do(arm64.ADDP, arm64.ClassD, use(all, arm64.Class2D))
	}
	d := in.Args[0]
	if d.Kind != amd64.RegArg {
		return fmt.Errorf("the operand %s", d)
	}
	t.emit(arm64.FMOV, reg(gp(d.Reg).As(arm64.ClassW)), use(sum, arm64.ClassS))
	t.changed(d.Reg)
	return nil
}
