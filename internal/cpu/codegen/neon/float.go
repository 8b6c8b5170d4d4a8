package neon

import (
	"github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/asm/arm64"
)

// Floats. Scalar instructions of AVX keep the other lanes of an operand. The nodes for that are removed where only the
// lowest lane is read: lowOf finds the value without it.

// product says how an instruction multiplies and adds: ±(x·y) ± z.
type product struct {
	order                        int // 132, 213 or 231: the operands that are x, y and z
	negatesProduct, negatesThird bool
	alternates                   bool // the third operand is negated in even lanes
	bytes                        int
	scalar                       bool
}

func init() {
	orders := []int{132, 213, 231}
	for i, first := range []amd64.Op{amd64.VFMADD132PS, amd64.VFMSUB132PS, amd64.VFNMADD132PS, amd64.VFNMSUB132PS} {
		for j, order := range orders {
			for k, p := range map[int]product{0: {bytes: 4}, 1: {bytes: 8}, 3: {bytes: 4, scalar: true},
				4: {bytes: 8, scalar: true}} {
				p.order, p.negatesProduct, p.negatesThird = order, i >= 2, i%2 == 1
				op := first + amd64.Op(6*j+k)
				define(map[amd64.Op]translate{op: func(t *translator, in *inst) error { return fused(t, in, p) }})
			}
		}
	}
	for j, order := range orders {
		for k, bytes := range []int{4, 8} {
			p := product{order: order, alternates: true, bytes: bytes}
			op := amd64.VFMADDSUB132PS + amd64.Op(3*j+k)
			define(map[amd64.Op]translate{op: func(t *translator, in *inst) error { return fused(t, in, p) }})
		}
	}
	type pair struct{ vector, scalar amd64.Op }
	for bytes, p := range map[int]pair{4: {amd64.VMULPS, amd64.VMULSS}, 8: {amd64.VMULPD, amd64.VMULSD}} {
		defineFloat(p.vector, p.scalar, bytes, (*builder).product)
	}
	for bytes, p := range map[int]pair{4: {amd64.VMINPS, amd64.VMINSS}, 8: {amd64.VMINPD, amd64.VMINSD}} {
		defineFloat(p.vector, p.scalar, bytes, func(t *builder, x, y value, bytes int) value {
			return t.choose(t.to(arm64.FCMGT, vectorClass(bytes), y, x), x, y)
		})
	}
	for bytes, p := range map[int]pair{4: {amd64.VMAXPS, amd64.VMAXSS}, 8: {amd64.VMAXPD, amd64.VMAXSD}} {
		defineFloat(p.vector, p.scalar, bytes, func(t *builder, x, y value, bytes int) value {
			return t.choose(t.to(arm64.FCMGT, vectorClass(bytes), x, y), x, y)
		})
	}
	for op, s := range map[amd64.Op]lanewise{
		amd64.VADDSS: {op: arm64.FADD, class: arm64.ClassS}, amd64.VADDSD: {op: arm64.FADD, class: arm64.ClassD},
		amd64.VSUBSS: {op: arm64.FSUB, class: arm64.ClassS}, amd64.VSUBSD: {op: arm64.FSUB, class: arm64.ClassD},
		amd64.VDIVSS: {op: arm64.FDIV, class: arm64.ClassS}, amd64.VDIVSD: {op: arm64.FDIV, class: arm64.ClassD},
	} {
		define(map[amd64.Op]translate{op: func(t *translator, in *inst) error {
			return t.scalar(in, s.class.Bytes(), func(x, y value) value { return t.to(s.op, s.class, x, y) })
		}})
	}
	for bytes, p := range map[int]pair{4: {amd64.VSQRTPS, amd64.VSQRTSS}, 8: {amd64.VSQRTPD, amd64.VSQRTSD}} {
		define(map[amd64.Op]translate{
			p.vector: func(t *translator, in *inst) error {
				return t.unary(in, func(x value) value { return t.to(arm64.FSQRT, vectorClass(bytes), x) })
			},
			p.scalar: func(t *translator, in *inst) error {
				return t.scalar(in, bytes, func(_, y value) value { return t.to(arm64.FSQRT, scalarClass(bytes), y) })
			},
		})
	}
	for bytes, p := range map[int]pair{4: {amd64.VCMPPS, amd64.VCMPSS}, 8: {amd64.VCMPPD, amd64.VCMPSD}} {
		define(map[amd64.Op]translate{
			p.vector: func(t *translator, in *inst) error {
				return t.binary(in, func(x, y value) value { return t.compare(x, y, bytes, int(in.Args[3].Val)) })
			},
			p.scalar: func(t *translator, in *inst) error {
				return t.scalar(in, bytes, func(x, y value) value {
					return t.compare(x, y, bytes, int(in.Args[3].Val))
				})
			},
		})
	}
	for bytes, p := range map[int]pair{4: {amd64.VROUNDPS, amd64.VROUNDSS}, 8: {amd64.VROUNDPD, amd64.VROUNDSD}} {
		define(map[amd64.Op]translate{
			p.vector: func(t *translator, in *inst) error {
				op := roundings[in.Args[2].Val&7]
				return t.unary(in, func(x value) value { return t.to(op, vectorClass(bytes), x) })
			},
			p.scalar: func(t *translator, in *inst) error {
				op := roundings[in.Args[3].Val&7]
				return t.scalar(in, bytes, func(_, y value) value { return t.to(op, scalarClass(bytes), y) })
			},
		})
	}
	for op, bytes := range map[amd64.Op]int{amd64.VUCOMISS: 4, amd64.VCOMISS: 4, amd64.VUCOMISD: 8, amd64.VCOMISD: 8} {
		define(map[amd64.Op]translate{op: func(t *translator, in *inst) error {
			y, err := t.vector(in, in.Args[1], bytes)
			if err != nil {
				return err
			}
			x := t.lowOf(t.get(in.Args[0].Reg)[0], bytes)
			t.emit(arm64.FCMP, use(x, scalarClass(bytes)), use(t.lowOf(y[0], bytes), scalarClass(bytes)))
			t.flags.kind = floats
			return nil
		}})
	}
	for op, bytes := range map[amd64.Op]int{amd64.VHADDPS: 4, amd64.VHADDPD: 8} {
		define(map[amd64.Op]translate{op: func(t *translator, in *inst) error {
			return t.binary(in, func(x, y value) value { return t.to(arm64.FADDP, vectorClass(bytes), x, y) })
		}})
	}
	for op, bytes := range map[amd64.Op]int{amd64.VADDSUBPS: 4, amd64.VADDSUBPD: 8} {
		define(map[amd64.Op]translate{op: func(t *translator, in *inst) error {
			return t.binary(in, func(x, y value) value {
				return t.to(arm64.FADD, vectorClass(bytes), x, t.negateEven(y, bytes))
			})
		}})
	}
}

// roundings are the instructions for the modes of VROUNDPS: to even, down, up, to zero, or as the control register
// says.
var roundings = [8]arm64.Op{arm64.FRINTN, arm64.FRINTM, arm64.FRINTP, arm64.FRINTZ, arm64.FRINTX, arm64.FRINTX,
	arm64.FRINTX, arm64.FRINTX}

// defineFloat defines an instruction on vectors, and that on scalars, of two operands.
func defineFloat(vector, scalar amd64.Op, bytes int, f func(t *builder, x, y value, bytes int) value) {
	define(map[amd64.Op]translate{
		vector: func(t *translator, in *inst) error {
			return t.binary(in, func(x, y value) value { return f(t.builder, x, y, bytes) })
		},
		scalar: func(t *translator, in *inst) error {
			return t.scalar(in, bytes, func(x, y value) value { return f(t.builder, x, y, bytes) })
		},
	})
}

// scalar translates an instruction that computes the lowest lane, and takes the others from its first operand.
func (t *translator) scalar(in *inst, bytes int, f func(x, y value) value) error {
	x := t.get(in.Args[1].Reg)[0]
	y, err := t.vector(in, in.Args[2], bytes)
	if err != nil {
		return err
	}
	t.merge(in.Args[0].Reg, x, f(t.lowOf(x, bytes), t.lowOf(y[0], bytes)), bytes)
	return nil
}

// product multiplies, by an element if one operand has equal lanes.
func (t *builder) product(x, y value, bytes int) value {
	c := vectorClass(bytes)
	if s, ok := t.scalars[x]; ok && s.bytes == bytes {
		x, y = y, x
	}
	if s, ok := t.scalars[y]; ok && s.bytes == bytes {
		return t.do(arm64.FMUL, c, use(x, c), lane(s.v, elementClass(bytes), 0))
	}
	return t.to(arm64.FMUL, c, x, y)
}

// addProduct adds or subtracts a product.
func (t *builder) addProduct(op arm64.Op, sum, x, y value, bytes int) value {
	c := vectorClass(bytes)
	if s, ok := t.scalars[x]; ok && s.bytes == bytes {
		x, y = y, x
	}
	if s, ok := t.scalars[y]; ok && s.bytes == bytes {
		return t.update(op, c, sum, use(x, c), lane(s.v, elementClass(bytes), 0))
	}
	return t.update(op, c, sum, use(x, c), use(y, c))
}

// negateEven negates the even lanes.
func (t *builder) negateEven(v value, bytes int) value {
	return t.to(arm64.EOR, arm64.Class16B, v, t.splat(2*bytes, 1<<(8*bytes-1)))
}

// fused translates fused multiply-adds.
func fused(t *translator, in *inst, p product) error {
	d := in.Args[0].Reg
	bytes := width(d)
	if p.scalar {
		bytes = p.bytes
	}
	third, err := t.vector(in, in.Args[2], bytes)
	if err != nil {
		return err
	}
	first, second := t.get(d), t.get(in.Args[1].Reg)
	x, y, z := second, third, first
	switch p.order {
	case 132:
		x, y, z = first, third, second
	case 213:
		x, y, z = second, first, third
	}
	if p.scalar {
		op := arm64.FMADD
		switch {
		case p.negatesProduct && p.negatesThird:
			op = arm64.FNMADD
		case p.negatesProduct:
			op = arm64.FMSUB
		case p.negatesThird:
			op = arm64.FNMSUB
		}
		v := t.to(op, scalarClass(bytes), t.lowOf(x[0], bytes), t.lowOf(y[0], bytes), t.lowOf(z[0], bytes))
		t.merge(d, first[0], v, bytes)
		return nil
	}
	t.setEach(d, func(h int) value {
		sum := z[h]
		switch {
		case p.alternates:
			sum = t.negateEven(sum, p.bytes)
		case p.negatesThird:
			sum = t.to(arm64.FNEG, vectorClass(p.bytes), sum)
		}
		op := arm64.FMLA
		if p.negatesProduct {
			op = arm64.FMLS
		}
		return t.addProduct(op, sum, x[h], y[h], p.bytes)
	})
	return nil
}

// compare returns a mask of the lanes for which a predicate of VCMPPS holds.
func (t *builder) compare(x, y value, bytes, predicate int) value {
	c := vectorClass(bytes)
	not := func(v value) value { return t.to(arm64.NOT, arm64.Class16B, v) }
	isNumber := func() value {
		v := t.to(arm64.FCMEQ, c, x, x)
		if x != y {
			v = t.to(arm64.AND, arm64.Class16B, v, t.to(arm64.FCMEQ, c, y, y))
		}
		return v
	}
	var v value
	switch predicate & 0xf {
	case 0: // equal
		v = t.to(arm64.FCMEQ, c, x, y)
	case 1: // less
		v = t.to(arm64.FCMGT, c, y, x)
	case 2: // less or equal
		v = t.to(arm64.FCMGE, c, y, x)
	case 3: // unordered
		v = not(isNumber())
	case 4: // not equal
		v = not(t.to(arm64.FCMEQ, c, x, y))
	case 5: // not less
		v = not(t.to(arm64.FCMGT, c, y, x))
	case 6: // not less or equal
		v = not(t.to(arm64.FCMGE, c, y, x))
	case 7: // ordered
		v = isNumber()
	case 8: // equal or unordered
		v = not(t.to(arm64.ORR, arm64.Class16B, t.to(arm64.FCMGT, c, x, y), t.to(arm64.FCMGT, c, y, x)))
	case 9: // not greater or equal
		v = not(t.to(arm64.FCMGE, c, x, y))
	case 10: // not greater
		v = not(t.to(arm64.FCMGT, c, x, y))
	case 11: // never
		v = t.zero()
	case 12: // less or greater
		v = t.to(arm64.ORR, arm64.Class16B, t.to(arm64.FCMGT, c, x, y), t.to(arm64.FCMGT, c, y, x))
	case 13: // greater or equal
		v = t.to(arm64.FCMGE, c, x, y)
	case 14: // greater
		v = t.to(arm64.FCMGT, c, x, y)
	default: // always
		v = t.splat(1, 0xff)
	}
	t.masks[v] = bytes
	return v
}
